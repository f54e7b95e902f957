"""Pointing at the board: the mouse with its clicks and drags, the cursor of the keys; and the ways that it means."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pygame

from game.scenes.fight import errands
from game.scenes.fight.measuring import Measuring
from game.scenes.fight.panels import choices, spaces
from game.scenes.fight.plan import MANY
from rules.contract.display import Miniature

if TYPE_CHECKING:
    from game.scenes.fight.scene import Fight

SLACK = 6
"""Pixels that a press may wander and still be a click."""
REST = 0.3
"""Seconds that the pointer rests on a space before it is told what there is."""


class Pointing:
    """What is pointed at, by mouse or by keys, and what is dragged. `aimed` is a creature, `cell` a space."""

    def __init__(self, fight: Fight) -> None:
        self.fight = fight
        self.cell: int | None = None
        self.aimed: str | None = None
        self.path: tuple[int, ...] = ()
        self.path_ok = True
        self.fault: tuple[str, int] | None = None
        """Why the space pointed at can't be reached by the plan, and that space."""
        self.turned = False
        """Whether the wheel chose the facing that is considered: a click on the board does just that."""
        self.measuring = Measuring(fight)
        self._pressed: tuple[int, tuple[int, int]] | None = None
        self._dragging = ""
        self._waypoints: list[int] = []
        self._last = (0, 0)
        self._rested = 0.0
        self.keyed = False
        """Whether the keys have chosen the space; the mouse takes over again when it moves."""

    @property
    def busy(self) -> bool:
        """Whether a gesture is under way that panels must not interrupt."""
        return self._pressed is not None

    @property
    def waiting(self) -> bool:
        """Whether the pointer has come to rest on a space just now."""
        return self.cell is not None and self._rested < REST

    @property
    def rests(self) -> bool:
        """Whether it has rested there long enough to ask what there is."""
        return self.cell is not None and self._rested >= REST and not self._dragging

    def rest(self, dt: float) -> bool:
        """Let time pass over what is pointed at; True when it has rested there long enough."""
        if not self.waiting:
            return False
        self._rested += dt
        return self.rests

    def reset(self) -> None:
        """The match moved on: what was planned is void."""
        self.fight.errands.forget()
        self._waypoints, self.turned = [], False
        self.path, self.fault = (), None
        self.aimed = None
        self._dragging = "" if self._dragging == "path" else self._dragging
        pointer = self.fight.app.pointer
        if self.keyed:  # a mouse that rests somewhere means nothing to who plays by keys
            self.cell = None
        elif pointer != (-1, -1) and not self.fight.ui.over(pointer):
            self.point(pointer, again=True)  # the same space means something else now

    @property
    def by_keys(self) -> tuple[int, str | None] | None:
        """The space that keys chose and who is meant there; None where the mouse points, or nothing does."""
        return (self.cell, self.aimed) if self.keyed and self.cell is not None else None

    def resume(self, chosen: tuple[int, str | None]) -> None:
        """Back from something that lay over the board: what keys had chosen is chosen still."""
        self.keyed, self._rested = True, REST
        self.cell, self.aimed = chosen
        self._mean()

    def forget(self) -> None:
        """Somebody else takes the mouse: nothing is pointed at, measured or planned."""
        self.measuring.forget()
        self.cell = self.aimed = None
        self._pressed, self._dragging, self._waypoints = None, "", []
        self.path, self.fault, self.keyed = (), None, False

    def leave(self, event: pygame.event.Event) -> None:
        """The pointer is over a panel now."""
        if event.type == pygame.MOUSEMOTION and (self.cell is not None or self.aimed):
            self.keyed = False
            self._let_go()

    def _let_go(self) -> None:
        """Nothing is pointed at any more."""
        self.cell = self.aimed = None
        self.path, self.fault = (), None
        self.fight.choosing.consider(None)
        self.fight.dirty = True

    # -- events

    def handle(self, event: pygame.event.Event) -> bool:
        if event.type == pygame.MOUSEMOTION:
            return self._motion(event)
        if event.type == pygame.MOUSEBUTTONDOWN and event.button in (1, 2, 3):
            if self.fight.waits and event.button == 1:
                self.fight.view.skip()
                return True
            if self._dragging == "path":  # the other buttons, while the first one holds the path
                self.waypoint() if event.button == 2 else self.cancel()
                return True
            self._pressed, self._last = (event.button, event.pos), event.pos
            return True
        if event.type == pygame.MOUSEBUTTONUP and self._pressed and event.button == self._pressed[0]:
            return self._released(event)
        if event.type == pygame.MOUSEWHEEL and self.fight.app.held(pygame.KMOD_CTRL) and self._turn(event.y):
            return True
        if event.type == pygame.MOUSEWHEEL:
            self.fight.camera.zoom_at(self.fight.app.pointer, 1.12**event.y)
            self.point(self.fight.app.pointer)
            return True
        return False

    def _turn(self, by: int) -> bool:
        """Consider facing another way by eighths; a click or Enter does it. False where nobody can turn."""
        fight, plan = self.fight, self.fight.plan
        ways = plan.facings if plan is not None and not plan.is_question else {}
        if plan is None or not ways or plan.actor is None or plan.actor.facing is None:
            return False
        considered = fight.choosing.preview
        now = plan.actor.facing
        if considered is not None and considered in ways.values():
            now = int(considered.option or 0)
        there = (now - (by > 0) + (by < 0)) % 8
        if plan.armed is None or plan.armed.description.needs != "facing":
            fight.choosing.arm(next(o for o in plan.offers if o.description.needs == "facing"))
        fight.choosing.consider(ways.get(there))
        self.turned = ways.get(there) is not None
        fight.dirty = True
        return True

    def _motion(self, event: pygame.event.Event) -> bool:
        if self._pressed is None and self.keyed and event.pos == self._last:
            return True  # the window moved under a resting mouse: the keys keep pointing
        if self._pressed is not None:
            button, start = self._pressed
            far = abs(event.pos[0] - start[0]) + abs(event.pos[1] - start[1]) > SLACK
            if not self._dragging and far:
                self._dragging = self._drag_kind(button, start)
            if self._dragging == "pan":
                self.fight.camera.pan(event.pos[0] - self._last[0], event.pos[1] - self._last[1])
                self.fight.dirty = True
        self._last = event.pos
        self.point(event.pos)
        return True

    def _drag_kind(self, button: int, start: tuple[int, int]) -> str:
        fight = self.fight
        if button != 1:
            return "pan"
        cell = fight.camera.to_cell(start)
        if fight.app.held(pygame.KMOD_CTRL):
            if cell is not None:
                self.measuring.ruler = (cell, cell)
            return "ruler"
        actor = fight.plan.actor if fight.plan is not None else None
        if actor is not None and cell is not None and self._on(actor, cell):
            self._waypoints = []
            return "path"
        return "none"

    def _on(self, mini: Miniature, cell: int) -> bool:
        """Whether a creature stands on a space, alone or not."""
        (column, row), (left, top) = self.fight.match.field.at(cell), self.fight.match.field.at(mini.cell)
        return 0 <= column - left < mini.size and 0 <= row - top < mini.size

    def _released(self, event: pygame.event.Event) -> bool:
        assert self._pressed is not None
        button, kind = self._pressed[0], self._dragging
        self._pressed, self._dragging = None, ""
        if kind == "ruler":
            self.measuring.ruler = None
        elif kind == "path":
            self._commit_path()
        elif kind in ("pan", "none"):
            pass
        elif button == 3:
            self.point(event.pos)
            if not self.fight.take_back(pending=True):
                self.open_menu(event.pos)
        elif button == 1:
            if not self.turned:
                self.point(event.pos)
            self._click(event.pos)
        self.fight.dirty = True
        return True

    def open_menu(self, pos: tuple[int, int] | None = None) -> None:
        """The menu of what is pointed at, at a pixel or beside it."""
        fight = self.fight
        if pos is None:
            pos = fight.camera.space_rect(self.cell).center if self.cell is not None else fight.app.pointer
        choices.open_choices(fight, self.cell, fight.view.miniature_at(pos), pos)

    def cancel(self) -> bool:
        """Take back the latest part of a gesture; False if there is none."""
        if self.fight.errands.forget():
            pass
        elif self._waypoints:
            self._waypoints.pop()
            self.repoint()
        elif self._dragging == "path" or (self.keyed and self.cell is not None):
            self._dragging = "none" if self._dragging else ""
            self.cell = self.aimed = None
            self.path, self.fault = (), None
            self.fight.choosing.consider(None)
        elif not self.measuring.forget_line():
            return False
        self.fight.dirty = True
        return True

    def waypoint(self) -> bool:
        """Drop a waypoint where the pointer or the cursor is, while a path is planned."""
        if self._dragging != "path" and not (self.keyed and self.path):
            return False
        if self.cell is not None and self.path and self.path_ok:
            self._waypoints.append(self.cell)
            self.fight.toast(f"Waypoint {len(self._waypoints)}: the way leads over it.")
        return True

    # -- pointing

    def repoint(self) -> None:
        """Point at the same once more: what it means has changed."""
        if self.keyed:
            self._mean()
        else:
            self.point(self.fight.app.pointer, again=True)

    def give_way(self) -> None:
        """Panels have come: where one lies under a resting mouse now, nothing of the board is pointed at."""
        pointer = self.fight.app.pointer
        if self.keyed or self.busy or self.cell is None or self.fight.ui.modal:
            return  # a list that is open for a moment asks about what is pointed at
        if any(panel.collidepoint(pointer) for panel in self.fight.panels.covered):
            self._let_go()

    def settle(self) -> None:
        """The board has moved under a resting mouse: point at what lies under it now."""
        fight, pointer = self.fight, self.fight.app.pointer
        if self.keyed or self.busy or pointer == (-1, -1) or fight.ui.over(pointer):
            return
        if fight.camera.to_cell(pointer) != self.cell:
            self.point(pointer)

    def aim(self, target: str) -> None:
        """Point at a creature by key."""
        mini = next((m for m in self.fight.board.miniatures if m.id == target), None)
        if mini is not None:
            self._by_key(mini.cell, target)

    def steer(self, across: int, down: int) -> None:
        """Move the key cursor by columns and rows; it sets out from whoever acts."""
        fight = self.fight
        actor = fight.plan.actor if fight.plan is not None else None
        start = self.cell if self.keyed and self.cell is not None else actor.cell if actor else None
        if start is None:
            return
        column, row = fight.match.field.at(start)
        if not fight.camera.bounds.collidepoint(column + across, row + down):
            fogged = fight.eyes.sides is not None
            fight.toast("Nobody of yours has seen what lies there." if fogged else "The map ends there.")
            return
        cell = fight.match.field.cell(column + across, row + down)
        self._by_key(cell, self._meant(cell, fight.view.miniature_at(fight.camera.space_rect(cell).center)))

    def _by_key(self, cell: int, aimed: str | None) -> None:
        self.keyed = True
        self._rested = REST if cell != self.cell else self._rested
        self.cell, self.aimed = cell, aimed
        fight, actor = self.fight, self.fight.plan.actor if self.fight.plan is not None else None
        fight.show_cells([cell, actor.cell] if actor is not None and self._both_fit(cell, actor.cell) else [cell])
        self._mean()

    def _both_fit(self, one: int, other: int) -> bool:
        """Whether two spaces fit into the free part of the window together."""
        camera = self.fight.camera
        (a, b), (c, d) = camera.at(one), camera.at(other)
        wide, high = (abs(a - c) + 1) * camera.zoom, (abs(b - d) + 1) * camera.zoom
        return wide <= camera.free.width and high <= camera.free.height

    def point(self, pos: tuple[int, int], *, again: bool = False) -> None:
        """The mouse is at a pixel: which space, which creature, what would a click do."""
        fight = self.fight
        cell = fight.camera.to_cell(pos) if pos != (-1, -1) else None
        aimed = self._meant(cell, fight.view.miniature_at(pos))
        if (cell, aimed) == (self.cell, self.aimed) and not again and not self.keyed:
            return
        if self.keyed and not again:
            self.keyed, self._waypoints = False, []
        if cell != self.cell:
            self._rested = 0.0
        self.cell, self.aimed, self.turned = cell, aimed, False
        if cell is not None:
            self.measuring.stretch(cell)
        self._mean()

    def _mean(self) -> None:
        """Work out what doing it here would do: it is considered from now on, with its way or what hinders it."""
        fight, plan, cell, aimed = self.fight, self.fight.plan, self.cell, self.aimed
        fight.dirty = True
        self.path, self.path_ok, self.fault = (), True, None
        if plan is None or plan.is_question or cell is None:
            fight.choosing.consider(None)
        elif self._dragging == "path":
            self._trace(cell)
        elif aimed is not None and (aimed != plan.decision.by or plan.strike(aimed) is not None):
            fight.choosing.consider(plan.strike(aimed))
        elif self.keyed and plan.actor is not None:
            self._trace(cell)
        else:
            self._lead(cell)

    def _lead(self, cell: int) -> bool:
        """The cheapest way to a space, or what can be done to the door there; False for neither."""
        plan = self.fight.plan
        assert plan is not None
        action = plan.move_to(cell)
        if action is not None:
            plain = action.item is not None or action in plan.facings.values()
            self.path = action.path or (() if plain else (cell,))
        else:
            action = plan.door_at(cell)
        self.fight.choosing.consider(action)
        return action is not None

    def _meant(self, cell: int | None, aimed: str | None) -> str | None:
        """The creature meant by pointing at a space: who can be struck rather than who shares the space with it,

        no body where one may walk, and nobody at all for an armed movement or work on a door.
        """
        plan = self.fight.plan
        if plan is None or cell is None or aimed is None or aimed not in plan.minis:
            return aimed
        if plan.armed is not None and plan.armed.description.needs in ("path", "space", "door", "facing"):
            return None
        if plan.strike(aimed) is None:
            here = [m for m in plan.board.miniatures if m.cell == plan.minis[aimed].cell and m.id != aimed]
            sharing = [m.id for m in here if plan.strike(m.id) or (not m.out and plan.is_foe(m.id))]
            if sharing:
                return max(sharing, key=lambda name: plan.strike(name) is not None)
            if plan.minis[aimed].out and plan.move_to(cell) is not None:
                return None
        return aimed

    def _trace(self, cell: int) -> None:
        """The path planned so far: over the waypoints, else the cheapest."""
        fight, plan = self.fight, self.fight.plan
        assert plan is not None and plan.actor is not None
        if not self._waypoints and self._lead(cell):
            return
        self.path = spaces.route(plan, [plan.actor.cell, *self._waypoints, cell])
        action = plan.along(self.path) if self.path else None
        self.path_ok = action is not None
        fight.choosing.consider(action)
        if action is None and cell != plan.actor.cell:
            self.fault = (self._hindrance(cell), cell)

    def _hindrance(self, cell: int) -> str:
        """Why the way that was planned to a space can't be gone."""
        plan = self.fight.plan
        assert plan is not None
        if self.path and plan.known >> cell & 1:
            return plan.why_not_there(self.path)
        return spaces.why_no_way(self.fight, plan, cell)

    # -- clicking

    def _click(self, pos: tuple[int, int]) -> None:
        fight, plan, cell = self.fight, self.fight.plan, self.cell
        if fight.errands.planned is not None and self.aimed != fight.errands.planned.target:
            fight.errands.forget()
        if fight.app.held(pygame.KMOD_ALT) and cell is not None:
            self.measuring.take_sight(cell)
            return
        if plan is None:
            if self.aimed:
                fight.select(self.aimed)
            elif fight.match.decision is not None:
                fight.toast(f"{fight.names.get(fight.acting or '', 'The other side')} acts now.")
            return
        if plan.is_question:
            fight.select(self.aimed) if self.aimed else fight.toast("Answer the question first.")
            return
        if self.turned and fight.choosing.preview is not None:
            fight.act(fight.choosing.preview)
            return
        heap = [m.id for m in plan.board.miniatures if m.cell == cell and plan.strike(m.id) is not None]
        if len(heap) > 1 and self.aimed in heap:
            fight.choosing.list_targets(heap)
        elif self.aimed is not None and (self.aimed != plan.decision.by or plan.strike(self.aimed) is not None):
            self.use_on(self.aimed)
        elif self.aimed is not None and fight.choosing.preview is None:
            fight.select(self.aimed)
        elif cell is not None and plan.actor is None:
            fight.toast(f"{plan.decision.prompt}: {plan.offers[0].description.label} goes on.")
        elif cell is not None:
            self.go(cell)
        else:
            fight.select(None)

    def use_on(self, target: str) -> None:
        """Attack a foe or do what is armed (a list if it has several ways); a friend without that is shown.

        For a foe out of reach way and blow are planned; asked for once more, both are done.
        """
        fight, plan = self.fight, self.fight.plan
        assert plan is not None
        ways = plan.on(target) if plan.armed is not None else ()
        action = plan.strike(target)
        if len({a.at for a in ways}) > MANY:
            fight.choosing.aim_further(ways)
        elif len({(a.option, a.at, a.item, a.items) for a in ways}) > 1:
            fight.choosing.list_ways(ways)
        elif action is not None:
            fight.act(action)
        elif fight.errands.planned is not None and fight.errands.planned.target == target:
            fight.errands.do(fight.errands.planned)
        elif fight.planning.turn_to(target) or fight.errands.propose(target):
            pass
        elif plan.is_foe(target) or plan.armed:
            fight.select(target)
            name, why = fight.names.get(target, target), plan.why_not(target)
            fight.toast(why if why.startswith(name) else f"{name}: {why}")
        else:
            fight.select(target)

    def go(self, cell: int) -> None:
        """Move to a space by the cheapest way, or use the door there, going up to it first; else say why not."""
        fight, plan = self.fight, self.fight.plan
        assert plan is not None
        action = plan.move_to(cell) or plan.door_at(cell)
        if action is not None:
            if fight.planning.venture(action):
                fight.act(action)
            return
        if why := plan.why_not_at(cell):
            fight.toast(why)
            return
        errand = errands.through_door(fight, plan, cell) if plan.armed is None else None
        if errand is not None:
            fight.errands.do(errand)
            return
        self.path = ()
        fight.toast(self._hindrance(cell))

    def _commit_path(self) -> None:
        action, self._waypoints = self.fight.choosing.preview, []
        if action is not None:
            if self.fight.planning.venture(action):
                self.fight.act(action)
        elif self.fault is not None:
            self.fight.toast(self.fault[0])
            self.path, self.fault = (), None
