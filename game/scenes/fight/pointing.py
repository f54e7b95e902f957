"""The mouse over the board: clicks and drags, and what a click on somebody or on a space sets going."""

from __future__ import annotations

from typing import assert_never

import pygame

from game.scenes.fight import spaces
from game.scenes.fight.aiming import Aiming
from game.scenes.fight.choosing import Choosing
from game.scenes.fight.deeds import Errands
from game.scenes.fight.hand.reaching import Reaching
from game.scenes.fight.model import Drag, FightModel
from game.scenes.fight.party import Marching
from game.scenes.fight.plan import MANY
from rules.contract.text import text
from rules.contract.units import Cell

SLACK = 6
"""Pixels that a press may wander and still be a click."""


class Pointing:
    """What the mouse and Enter do on the board; `FightModel.pointed` is its state."""

    def __init__(
        self, fight: FightModel, aiming: Aiming, choosing: Choosing, errands: Errands, marching: Marching,
        *, reaching: Reaching,
    ) -> None:  # fmt: skip
        self.fight, self.at = fight, fight.pointed
        self.aiming, self.choosing, self.errands, self.marching = aiming, choosing, errands, marching
        self.planning, self.deeds = choosing.planning, choosing.deeds
        self.reaching = reaching
        self._last = (0, 0)

    def leave(self, event: pygame.event.Event) -> None:
        """The pointer is over a panel now."""
        if event.type == pygame.MOUSEMOTION and (self.at.cell is not None or self.at.aimed):
            self.at.keyed = False
            self.aiming.let_go()

    # -- events

    def handle(self, event: pygame.event.Event) -> bool:
        """Answer what the mouse does over the board."""
        fight, at = self.fight, self.at
        if event.type == pygame.MOUSEMOTION:
            return self._motion(event)
        if event.type == pygame.MOUSEBUTTONDOWN and event.button in (1, 2, 3):
            if event.button == 1 and self.marching.click_again(fight.camera.to_cell(event.pos)):
                return True
            if self.marching.stop("The party stops where it is."):
                fight.view.skip()
                return True
            if fight.waits and event.button == 1:
                fight.view.skip()
                return True
            if at.drag is Drag.PATH:  # the other buttons, while the first one holds the path
                self.waypoint() if event.button == 2 else self.cancel()
                return True
            at.pressed, self._last = (event.button, event.pos), event.pos
            return True
        if event.type == pygame.MOUSEBUTTONUP and at.pressed and event.button == at.pressed[0]:
            self._released(event)
            return True
        if event.type == pygame.MOUSEWHEEL and fight.app.held(pygame.KMOD_CTRL) and self._turn(event.y):
            return True
        if event.type == pygame.MOUSEWHEEL:
            fight.camera.zoom_at(fight.app.pointer, 1.12**event.y)
            self.aiming.point(fight.app.pointer)
            return True
        return False

    def _turn(self, by: int) -> bool:
        """Consider facing another way by eighths; a click or Enter does it. False where nobody can turn."""
        fight, plan = self.fight, self.fight.chance
        ways = plan.facings if plan is not None else {}
        if plan is None or not ways or plan.actor is None or plan.actor.facing is None:
            return False
        considered, now = fight.choices.preview, plan.actor.facing
        if considered is not None and considered in ways.values():
            now = int(considered.option or 0)
        if plan.armed is None or plan.armed.description.needs != "facing":
            self.choosing.arm(next(o for o in plan.offers if o.description.needs == "facing"))
        there = ways.get((now - (by > 0) + (by < 0)) % 8)
        fight.consider(there)
        self.at.turned = there is not None
        return True

    def _motion(self, event: pygame.event.Event) -> bool:
        at = self.at
        if at.pressed is None and at.keyed and event.pos == self._last:
            return True  # the window moved under a resting mouse: the keys keep pointing
        if at.pressed is not None:
            button, start = at.pressed
            far = abs(event.pos[0] - start[0]) + abs(event.pos[1] - start[1]) > SLACK
            if at.drag is Drag.NOTHING and far:
                at.drag = self._drag_of(button, start)
            if at.drag is Drag.PAN:
                self.fight.camera.pan(event.pos[0] - self._last[0], event.pos[1] - self._last[1])
        self._last = event.pos
        self.aiming.point(event.pos)
        return True

    def _drag_of(self, button: int, start: tuple[int, int]) -> Drag:
        fight = self.fight
        if button != 1:
            return Drag.PAN
        cell = fight.camera.to_cell(start)
        if fight.app.held(pygame.KMOD_CTRL):
            if cell is not None:
                self.at.ruler = (cell, cell)
            return Drag.RULER
        actor = fight.plan.actor if fight.plan is not None else None
        if actor is not None and cell is not None:
            places = (fight.camera.space_rect(at, actor.size) for at in (actor.cell, fight.board.leads_to(actor)))
            if any(place.collidepoint(start) for place in places):
                self.at.waypoints = []
                return Drag.PATH
        return Drag.SPENT

    def _released(self, event: pygame.event.Event) -> None:
        assert self.at.pressed is not None
        button, drag = self.at.pressed[0], self.at.drag
        self.at.pressed, self.at.drag = None, Drag.NOTHING
        match drag:
            case Drag.RULER:
                self.at.ruler = None
            case Drag.PATH:
                action, self.at.waypoints = self.fight.choices.preview, []
                if action is not None:
                    self.choosing.venture(action)
                elif self.at.fault is not None:
                    self.fight.toast(self.at.fault[0])
                    self.at.path, self.at.fault = (), None
            case Drag.PAN | Drag.SPENT:
                pass
            case Drag.NOTHING:
                if button == 3 or (button == 1 and not self.at.turned):
                    self.aiming.point(event.pos)
                if button == 1:
                    self._click()
                elif button == 3 and not self.take_back(pending=True):
                    self.fight.do("context_here")
            case _:
                assert_never(drag)

    # -- taking back

    def take_back(self, *, pending: bool = False) -> bool:
        """Take back one layer: plan, gesture, list, armed button, focus, selection. False if there was none.

        `pending` leaves focus and selection alone: they are nothing that waits for an end.
        """
        fight = self.fight
        if self.cancel() or self.choosing.take_back():
            return True
        if pending or (fight.ui.focus is None and fight.selected in (None, fight.acting)):
            return False
        if fight.ui.focus is not None:
            fight.ui.set_focus(None)
        else:
            fight.select(None)
        return True

    def cancel(self) -> bool:
        """Take back the latest part of a gesture; False if there is none."""
        at = self.at
        if self.marching.stop("The party stops where it is.") or self.reaching.leave():
            return True
        if self.fight.choices.errand is not None:
            self.fight.choices.errand = None
        elif at.waypoints:
            at.waypoints.pop()
            self.aiming.repoint()
        elif at.drag is Drag.PATH or at.by_keys is not None:
            at.drag = Drag.NOTHING if at.drag is Drag.NOTHING else Drag.SPENT
            self.aiming.let_go()
        else:
            return at.forget_line()
        return True

    def waypoint(self) -> bool:
        """Drop a waypoint where the pointer or the cursor is, while a path is planned."""
        at = self.at
        if at.drag is not Drag.PATH and not (at.keyed and at.path):
            return False
        if at.cell is not None and at.path:  # one may pass where one may not stay: over a friend
            at.waypoints.append(at.cell)
            self.fight.toast(text("Waypoint {waypoints}: the way leads over it.", len(at.waypoints)))
        return True

    # -- clicking

    def _click(self) -> None:
        fight, plan, cell = self.fight, self.fight.plan, self.at.cell
        if self.reaching.take(cell):
            return
        if fight.choices.errand is not None and self.at.aimed != fight.choices.errand.target:
            fight.choices.errand = None
        if fight.app.held(pygame.KMOD_ALT) and cell is not None:
            self.aiming.take_sight(cell)
            return
        if plan is None:
            if self.at.aimed:
                fight.select(self.at.aimed)
            elif fight.match.decision is not None:
                fight.toast(text("{get} acts now.", fight.names.get(fight.acting or "", "The other side")))
            return
        if plan.is_question:
            fight.select(self.at.aimed) if self.at.aimed else fight.toast("Answer the question first.")
            return
        if self.at.turned and fight.choices.preview is not None:
            self.deeds.act(fight.choices.preview)
            return
        heap = [m.id for m in plan.board.miniatures if m.cell == cell and plan.strike(m.id) is not None]
        if len(heap) > 1 and self.at.aimed in heap:
            self.choosing.list_targets(heap)
        elif self.at.aimed and (self.at.aimed != plan.decision.by or plan.strike(self.at.aimed) is not None):
            self.use_on(self.at.aimed)
        elif self.at.aimed is not None and fight.choices.preview is None:
            fight.select(self.at.aimed)
        elif cell is not None and plan.actor is None:
            fight.toast(text("{prompt}: {label} goes on.", plan.decision.prompt, plan.offers[0].description.label))
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
            self.choosing.aim_further(ways)
        elif len({(a.option, a.at, a.item, a.items) for a in ways}) > 1:
            self.choosing.list_ways(ways)
        elif action is not None:
            self.deeds.act(action)
        elif fight.choices.errand is not None and fight.choices.errand.target == target:
            self.errands.do(fight.choices.errand)
        elif not self.planning.turn_to(target):
            errand = fight.choices.errand = spaces.to_foe(plan, target) if plan.armed is None else None
            if errand is None:  # no way leads up to a blow
                fight.select(target)
            if errand is None and (plan.is_foe(target) or plan.armed):
                name, why = fight.names.get(target, target), plan.why_not(target)
                fight.toast(why if why.startswith(name) else text("{name}: {why}", name, why))

    def go(self, cell: Cell) -> None:
        """Move to a space by the cheapest way, or use the door there, going up to it first; else say why not."""
        fight, plan = self.fight, self.fight.plan
        assert plan is not None
        if self.marching.go(cell):
            return
        action = plan.move_to(cell) or plan.door_at(cell)
        if action is not None:
            self.choosing.venture(action)
        elif why := plan.why_not_at(cell):
            fight.toast(why)
        elif plan.armed is None and (errand := spaces.through_door(fight, plan, cell)) is not None:
            self.errands.do(errand)
        else:
            self.at.path = ()
            fight.toast(self.aiming.hindrance(plan, cell))
