"""The window in which the map of an encounter is drawn, over that in which the encounter is prepared."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

import pygame

from game.maps.editing.document import Spot
from game.maps.editing.kinds import Group
from game.maps.editing.proposal import Proposal
from game.scenes.base import LEVELS, STEPS, Scene, Shell, moves_camera, soonest
from game.scenes.ground import deeds, marks, panels
from game.scenes.ground.desk import Desk
from game.scenes.ground.model import Aim, Tool
from game.scenes.levels import level_strip
from game.scenes.setup.workspace import Workspace
from game.view.overlays import Overlays
from game.widgets.controls import Label
from game.widgets.core import Scroll, column
from game.widgets.fields import types
from rules.contract.text import joined

MARGIN, GAP = 10, 8
PALETTE, SIDE = 238, 262
"""Widths of the side panels at 100 %, in a window wide enough."""
NEAR_EDGE = 0.2
"""How near to the line between two spaces the pointer is on that edge, in spaces."""
TOAST_TIME = 4.0
DRAWS = {"up": (0, -1), "down": (0, 1), "left": (-1, 0), "right": (1, 0)}


class GroundScene(Desk):
    """Shows the map and puts mouse and keys to it. The table below stays what it is."""

    def __init__(self, workspace: Workspace, proposal: Proposal | None = None) -> None:
        super().__init__(workspace, proposal)
        self._panning = False
        self._last = (0, 0)
        self._commands = self._table()

    # -- what is shown

    def build(self) -> None:
        look, wide = self.app.look, self.size[0]
        margin, gap = look.px(MARGIN), look.px(GAP)
        share = min(1.0, wide * 0.5 / look.px(PALETTE + SIDE))
        self.palette_width, right = round(look.px(PALETTE) * share), round(look.px(SIDE) * share)
        foot = panels.foot(self)
        room, low = self.place_head(panels.top(self), foot, margin, gap)
        self.ui.add(panels.palette(self), pygame.Rect(room.topleft, (self.palette_width, room.height)))
        self.ui.add(panels.side(self), pygame.Rect(room.right - right, room.top, right, room.height))
        self.ui.add(foot, low)
        start = room.left + self.palette_width + gap
        self._free = free = pygame.Rect(start, room.top, room.right - right - gap - start, room.height)
        paging = joined(", ", (self.app.keys.shown("ground_level_up"), self.app.keys.shown("ground_level_down")))
        strip = level_strip(self.workspace.view, self.to_level, look, look.px(230), keys=paging)
        if strip is not None:
            tall = strip.measure(look, look.px(230))[1]
            self.ui.add(strip, pygame.Rect(free.left, free.top, look.px(230), tall))

    def rebuild(self) -> None:
        self.workspace.view.resize(self.size)
        self.unsaved = self.workspace.ground_work is not None and self.workspace.ground_work.unsaved
        super().rebuild()
        self.workspace.camera.free = self._free

    def entered(self) -> None:
        self.workspace.drawing_ground = True
        self.rebuild()

    def left(self) -> None:
        self.workspace.drawing_ground = False

    def update(self, dt: float) -> bool:
        gone = self.toast_left > 0 >= self.toast_left - dt
        self.toast_left, self.toast_text = max(0.0, self.toast_left - dt), "" if gone else self.toast_text
        view, settings = self.workspace.view, self.app.settings
        if self.workspace.toast_text:  # said by what lies below
            self.toast(self.workspace.toast_text)
            self.workspace.toast_text = ""
        spot = self.model.on_board(self.model.target.spot)
        ground = self.workspace.editor.ground
        view.peek = ground.cell(*spot) if ground.inside(*spot) else None
        view.reduced_motion = settings.reduced_motion or settings.speed == 0
        return self.ui.update(dt) | view.update(dt) | gone

    def pace(self) -> float | None:
        if self.workspace.view.moving:
            return 1 / 60
        return soonest(0.05 if self.ui.waiting or self.toast_left > 0 else None, self.workspace.view.pace)

    def draw(self, surface: pygame.Surface) -> None:
        overlays = Overlays()
        self.workspace.view.draw(surface, overlays)
        before = surface.get_clip()
        marks.draw(surface, self.model)
        surface.set_clip(before)
        self.ui.draw(surface)
        if self.toast_text:
            look = self.app.look
            box = column(Label(self.toast_text, "label", "bright", centred=True), pad=10, plate="panel", edge="faint")
            wide, high = box.measure(look, max(look.px(200), self._free.width - look.px(20)))
            rect = pygame.Rect(0, 0, min(wide, self._free.width), high)
            rect.midtop = (self._free.centerx, self._free.top + look.px(4))
            box.place(look, rect)
            box.draw(surface, look)

    # -- the pointer

    def aim(self, pos: tuple[int, int]) -> Aim:
        """What a pixel of the board is on."""
        camera, model = self.workspace.camera, self.model
        (x, y), zoom = camera.origin, camera.zoom
        across, down = (pos[0] - x) / zoom, (pos[1] - y) / zoom - model.top
        spot, corner = (int(across // 1), int(down // 1)), (round(across), round(down))
        off_x, off_y = abs(across - corner[0]), abs(down - corner[1])
        edge = None
        reach = 0.5 if model.kind.shape == "Wall" and model.tool is not Tool.ERASE else NEAR_EDGE
        if off_x <= reach and off_x <= off_y:
            edge = corner[0], spot[1], True
        elif off_y <= reach:
            edge = spot[0], corner[1], False
        return Aim(spot, corner, edge)

    def handle(self, event: pygame.event.Event) -> bool:
        if self.held and event.type in (pygame.MOUSEMOTION, pygame.MOUSEBUTTONUP):
            return self._goes_on(event)
        if event.type == pygame.KEYDOWN and event.key == pygame.K_TAB and not event.mod & pygame.KMOD_CTRL:
            if self.ui.focus is None:
                return False  # Tab belongs to the materials while no panel has the focus
        if self.ui.handle(event):
            if event.type == pygame.MOUSEMOTION and self.model.aim is not None:
                self.model.aim, self.dirty = None, True
            return True
        if event.type == pygame.MOUSEMOTION:
            self._point(event.pos)
            return True
        if event.type == pygame.MOUSEBUTTONDOWN and event.button in (1, 2, 3):
            self._press(event)
            return True
        if event.type == pygame.MOUSEWHEEL:
            self.workspace.camera.zoom_at(self.app.pointer, 1.12**event.y)
            self._point(self.app.pointer)
            return True
        return False

    def _point(self, pos: tuple[int, int]) -> None:
        model, aim = self.model, self.aim(pos)
        if aim != model.aim or model.by_keys:
            model.aim, model.by_keys, self.dirty = aim, False, True

    def _press(self, event: pygame.event.Event) -> None:
        self.ui.set_focus(None)
        self.held, self._last, self._panning = event.button, event.pos, False
        self._point(event.pos)
        if event.button != 1:
            return
        aim = self.model.target
        self.workspace.cursor = self._on_map(self.model.on_board(aim.spot))
        if self.app.held(pygame.KMOD_ALT):
            self.try_to(lambda: deeds.pick(self.model, aim))
        elif self.model.anchor is None:
            self.try_to(lambda: deeds.press(self.model, aim))

    def _goes_on(self, event: pygame.event.Event) -> bool:
        """The pointer moves with a button held, or the button is let go."""
        if event.type == pygame.MOUSEMOTION:
            if self.held == 1:
                before = self.model.aim
                self._point(event.pos)
                if (self.model.pen is not None or deeds.mends(self.model)) and self.model.aim != before:
                    if why := deeds.drag(self.model, self.model.target):
                        self.toast(why)
            else:
                moved = abs(event.pos[0] - self._last[0]) + abs(event.pos[1] - self._last[1])
                self._panning = self._panning or moved > 6
                if self._panning:
                    self.workspace.camera.pan(event.pos[0] - self._last[0], event.pos[1] - self._last[1])
                    self._last, self.dirty = event.pos, True
        elif event.button == self.held:
            self.held = 0
            self._point(event.pos)
            if event.button == 1:
                self.try_to(lambda: deeds.release(self.model, self.model.target))
            elif event.button == 3 and not self._panning:
                self.take_back()
        return True

    # -- orders

    # -- keys

    def command(self, name: str, event: pygame.event.Event) -> bool:
        """A command of the table of keys; True if it was answered."""
        if types(self.ui.focus) and name != "back" and not event.mod & pygame.KMOD_CTRL and event.key < pygame.K_F1:
            return False  # it is being typed
        if name in self._commands:
            if self.ui.focus is not None and (name.startswith("ground_draw") or name in ("ground_next", "ground_last")):
                return False  # the focused panel's
            self._commands[name]()
            return True
        if name in STEPS:
            if self.ui.focus is not None:
                return False
            self.step(*STEPS[name])
            return True
        if name == "back":
            if not self.take_back():
                self.leave()
            return True
        if name in LEVELS:
            self.to_level(self.workspace.camera.level + LEVELS[name])
            return True
        return moves_camera(self.workspace.camera, name, self.app.look)

    def _table(self) -> Mapping[str, Callable[[], None]]:
        """What each command does."""
        tools = {f"ground_{tool}": partial(self.choose_tool, tool) for tool in Tool}
        groups = {f"ground_{group.name.lower()}": partial(self._group, group) for group in Group}
        draws = {f"ground_draw_{way}": partial(self.draw_along, *by) for way, by in DRAWS.items()}
        return {
            **tools, **groups, **draws,
            "ground_next": partial(self._next, 1), "ground_last": partial(self._next, -1),
            "ground_smaller": partial(self._resize, -1), "ground_larger": partial(self._resize, 1),
            "ground_draw": self.draw_here, "ground_remove": self.remove, "ground_edit": self.edit,
            "ground_turn": lambda: self.try_to(lambda: deeds.turn_door(self.model)),
            "ground_undo": self.undo, "ground_redo": self.redo, "ground_save": self.save_now,
            "ground_new": self.new_map, "ground_propose": self.propose, "ground_tint": self._tint,
            "ground_centre": lambda: self.workspace.camera.centre(self.workspace.cursor),
            "ground_level_up": lambda: self.to_level(self.workspace.camera.level - 1),
            "ground_level_down": lambda: self.to_level(self.workspace.camera.level + 1),
            "ground_panels": self.panels, "ground_done": self.leave,
        }  # fmt: skip

    def _group(self, group: Group) -> None:
        self.model.group(group)
        self._show_material()

    def _next(self, by: int) -> None:
        self.model.step(by)
        self._show_material()

    def _show_material(self) -> None:
        """The list of materials is scrolled to the one in hand."""
        self.rebuild()
        for scroll in (w for panel in self.ui.live() for w in panel.walk() if isinstance(w, Scroll)):
            for widget in scroll.walk():
                if widget.key == f"material-{self.model.kind.name}":
                    scroll.show(widget)

    def _resize(self, by: int) -> None:
        deeds.resize(self.model, by)
        self.rebuild()

    def _tint(self) -> None:
        self.model.tint = not self.model.tint
        self.refresh(
            "Marks of what the rules read: shown." if self.model.tint else "Marks of what the rules read: hidden."
        )

    def step(self, columns: int, rows: int) -> bool:
        """The cursor, by so many spaces; False at the map's end."""
        self.model.by_keys = True
        goal = self.workspace.cursor[0] + columns, self.workspace.cursor[1] + rows
        if self._on_map(goal) != goal:
            self.toast("The map ends there.")
            return False
        self.workspace.cursor, self.dirty = goal, True
        self.workspace.show_cursor()
        return True

    def _on_map(self, spot: Spot) -> Spot:
        whole = self.workspace.camera.whole
        return min(max(spot[0], whole.left), whole.right - 1), min(max(spot[1], whole.top), whole.bottom - 1)

    def draw_here(self) -> None:
        """Draw at the cursor: at once, or a corner and then the other."""
        model = self.model
        model.by_keys = True
        aim = model.target
        if model.anchor is None:
            self.try_to(lambda: deeds.press(model, aim))
            if model.anchor is not None:
                self.toast("Now go to the other end, and Enter again.")
                return
        self.try_to(lambda: deeds.release(model, aim))

    def draw_along(self, columns: int, rows: int) -> None:
        """Draw at the cursor, go on, and draw there."""
        model = self.model
        model.by_keys = True
        if model.anchor is not None or model.tool not in (Tool.BRUSH, Tool.ERASE):
            self.step(columns, rows)
            return
        start = model.target
        if not self.step(columns, rows):
            return

        def along() -> str:
            words = deeds.press(model, start)
            if model.pen is not None or model.anchor is not None or deeds.mends(model):
                words = deeds.drag(model, model.target) or words
            return deeds.release(model, model.target) or words

        self.try_to(along)

    def edit(self) -> None:
        """The focus into the fields of what is chosen, else of what lies at the cursor."""
        if self.model.chosen is None:
            self.model.by_keys = True
            self.try_to(lambda: deeds.select(self.model, self.model.target))
            self.model.moved = None
        field = next((w for w in self.ui.ring() if w.key.startswith("field-")), None)
        if field is not None:
            self.ui.set_focus(field)
            self.dirty = True

    def panels(self) -> None:
        """The focus into the panels, or on to the next one."""
        ring = [w.key for w in self.ui.ring()]
        stops = [f"material-{self.model.kind.name}", f"tool-{self.model.tool}"]
        stops += [key for key in ring if key.startswith("field-") or key == "brush size"][:1]
        stops = [key for key in stops if key in ring]
        here = self.ui.focus.key if self.ui.focus is not None else ""
        if stops:
            at = stops.index(here) + 1 if here in stops else 0
            goal = next(w for w in self.ui.ring() if w.key == stops[at % len(stops)])
            self.ui.set_focus(goal)
            self.dirty = True


def ground(app: Shell, table: Scene, proposal: Proposal | None = None) -> None:
    """Draw on the map of an encounter, with walls that are proposed for it, if any. Tells why where that can't be."""

    assert isinstance(table, Workspace)
    workspace = table

    def begin() -> None:
        workspace.work().document(max(0, workspace.camera.level))
        workspace.end_drawing()
        workspace.lay_brush_aside()
        app.push(GroundScene(workspace, proposal))

    app.guard(begin, repeat=False)
