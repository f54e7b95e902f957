"""The window in which the map of an encounter is drawn, over that in which the encounter is prepared."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

import pygame

from game.maps.editing import tools
from game.maps.editing.document import Spot
from game.maps.editing.drawing import usual_floor
from game.maps.editing.kinds import Group, Kind
from game.maps.editing.things import Said
from game.scenes.base import LEVELS, STEPS, Shell, moves_camera, soonest
from game.scenes.base import Scene as Window
from game.scenes.dialogs.panels import Choice, Menu
from game.scenes.ground import deeds, marks, panels, told
from game.scenes.ground.model import Aim, Model, Proposal, Tool
from game.scenes.ground.newmap import NewMap
from game.scenes.levels import level_strip
from game.scenes.setup.workspace import Workspace
from game.view.overlays import Overlays
from game.widgets.controls import Label
from game.widgets.core import column
from game.widgets.fields import types
from rules.contract.errors import BattlematError, said
from rules.contract.text import joined, text

MARGIN, GAP = 10, 8
PALETTE, SIDE = 216, 262
"""Widths of the side panels at 100 %, in a window wide enough."""
NEAR_EDGE = 0.2
"""How near to the line between two spaces the pointer is on that edge, in spaces."""
TOAST_TIME = 4.0
DRAWS = {"up": (0, -1), "down": (0, 1), "left": (-1, 0), "right": (1, 0)}


class GroundScene(Window):
    """Shows the map and puts mouse and keys to it. The table below stays what it is."""

    name = "ground"
    key_groups = ("general", "ground", "camera", "step")

    def __init__(self, workspace: Workspace, proposal: Proposal | None = None) -> None:
        super().__init__(workspace.app)
        self.workspace = workspace
        self.model = _model(workspace, proposal)
        self.palette_width = 0
        self.unsaved = False
        self._pressed = 0
        """The button of the mouse that is held, and began on the board."""
        self._panning = False
        self._last = (0, 0)
        self._toast, self._toast_left = "", 0.0
        self._lost = 0
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

    def refresh(self, told: str = "") -> None:
        """Show the map as it is now, and what is told of that."""
        if told:
            self.toast(told)
        self.rebuild()

    def toast(self, words: str) -> None:
        """A line over the board for a moment."""
        self._toast, self._toast_left, self.dirty = words, TOAST_TIME, True

    def update(self, dt: float) -> bool:
        gone = self._toast_left > 0 >= self._toast_left - dt
        self._toast_left, self._toast = max(0.0, self._toast_left - dt), "" if gone else self._toast
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
        return soonest(0.05 if self.ui.waiting or self._toast_left > 0 else None, self.workspace.view.pace)

    def draw(self, surface: pygame.Surface) -> None:
        overlays = Overlays()
        self.workspace.view.draw(surface, overlays)
        before = surface.get_clip()
        marks.draw(surface, self)
        surface.set_clip(before)
        self.ui.draw(surface)
        if self._toast:
            look = self.app.look
            box = column(Label(self._toast, "label", "bright", centred=True), pad=10, plate="panel", edge="faint")
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
        if self._pressed and event.type in (pygame.MOUSEMOTION, pygame.MOUSEBUTTONUP):
            return self._held(event)
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
        self._pressed, self._last, self._panning = event.button, event.pos, False
        self._point(event.pos)
        if event.button != 1:
            return
        aim = self.model.target
        self.workspace.cursor = self._on_map(self.model.on_board(aim.spot))
        if self.app.held(pygame.KMOD_ALT):
            self.try_to(lambda: deeds.pick(self.model, aim))
        elif self.model.anchor is None:
            self.try_to(lambda: deeds.press(self.model, aim))

    def _held(self, event: pygame.event.Event) -> bool:
        """The pointer moves with a button held, or the button is let go."""
        if event.type == pygame.MOUSEMOTION:
            if self._pressed == 1:
                before = self.model.aim
                self._point(event.pos)
                if self.model.pen is not None and self.model.aim != before:
                    if why := deeds.drag(self.model, self.model.target):
                        self.toast(why)
            else:
                moved = abs(event.pos[0] - self._last[0]) + abs(event.pos[1] - self._last[1])
                self._panning = self._panning or moved > 6
                if self._panning:
                    self.workspace.camera.pan(event.pos[0] - self._last[0], event.pos[1] - self._last[1])
                    self._last, self.dirty = event.pos, True
        elif event.button == self._pressed:
            self._pressed = 0
            self._point(event.pos)
            if event.button == 1:
                self.try_to(lambda: deeds.release(self.model, self.model.target))
            elif event.button == 3 and not self._panning:
                self.take_back()
        return True

    # -- orders

    def try_to(self, call: Callable[[], str]) -> None:
        """Do something, and tell what there is to say of it."""
        try:
            self.refresh(call())
        except BattlematError as error:
            self.refresh(said(error))

    def take(self, kind: Kind) -> None:
        self.model.take(kind)
        self.rebuild()

    def choose_tool(self, tool: Tool) -> None:
        self.model.choose_tool(tool)
        self.rebuild()

    def resized(self, size: int | None) -> None:
        self.model.size = size or 1
        self.rebuild()

    def thin(self, thin: bool) -> None:
        self.model.thin_rooms = thin
        self.rebuild()

    def say(self, name: str, value: Said) -> None:
        """A field of what is chosen."""
        deeds.say(self.model, name, value)
        self.rebuild()

    def remove(self) -> None:
        self.try_to(lambda: deeds.remove(self.model))

    def let_go(self) -> None:
        self.model.selected = 0
        self.rebuild()

    def accept(self) -> None:
        self.try_to(lambda: deeds.accept(self.model))

    def refuse(self) -> None:
        self.model.proposal = None
        self.rebuild()

    def undo(self) -> None:
        """Take back the latest step, be it of the ground or of the creatures on it."""
        if deeds.give_up(self.model):
            self.refresh()
            return
        what = self.workspace.editor.undo()
        self._stepped(text("Undone: {what}.", what) if what else "There is nothing to undo.")

    def redo(self) -> None:
        what = self.workspace.editor.redo()
        self._stepped(text("Done again: {what}.", what) if what else "There is nothing to do again.")

    def _stepped(self, told: str) -> None:
        self.model.typed.clear()
        if self.model.chosen is None:
            self.model.selected = 0
        self.workspace.view.set_board(self.workspace.editor.table.board())
        self.refresh(told)

    def save(self) -> bool:
        """Write the map; whether it is written."""

        def write() -> None:
            self.workspace.save_ground()
            home = self.workspace.loaded
            where = home.path if home is not None else Path()
            self.toast(text("Saved: {path}", str(where)))

        done = self.app.guard(write)
        self.rebuild()
        return done

    def save_now(self) -> None:
        """Write the map."""
        self.save()

    def leave(self) -> None:
        """Back to the encounter; what was drawn and not saved is asked about."""
        deeds.give_up(self.model)
        work = self.workspace.ground_work
        if work is None or not work.unsaved:
            self.app.pop()
            return
        choices: list[Choice] = [
            ("Save it", self.app.keys.shown("ground_save"), self._save_and_leave),
            ("Go on drawing", "", lambda: None),
            ("Throw away what was drawn", "", self._discard),
        ]
        self.app.push(Menu(self.app, "What you drew is not saved", choices))

    def _save_and_leave(self) -> None:
        if self.save():
            self.app.pop()

    def _discard(self) -> None:
        """The map as it is on the disk."""
        self.workspace.discard_ground()
        self.app.pop()

    def new_map(self) -> None:
        """A new empty map, with an encounter on it; what is on the table is set aside."""
        work = self.workspace.ground_work
        if work is not None and work.unsaved and not self.save():
            return
        self.app.push(NewMap(self.app, self._open_new))

    def _open_new(self, path: Path) -> None:
        self.workspace.open_map(path)
        self.model = _model(self.workspace)
        self.model.choose_tool(Tool.ROOM)
        self.workspace.camera.free = self._free
        self.workspace.camera.show_all()
        self.refresh()

    def stranded(self) -> list[tuple[str, Spot]]:
        return told.stranded(self.workspace)

    def next_stranded(self) -> None:
        """Show the next creature that stands where nobody can."""
        lost = self.stranded()
        if lost:
            name, spot = lost[self._lost % len(lost)]
            self._lost += 1
            self.workspace.cursor = spot
            self.workspace.show_cursor()
            self.refresh(text("{name} stands where nobody can; it stays, and can be moved in the encounter.", name))

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
            "ground_new": self.new_map, "ground_tint": self._tint,
            "ground_centre": lambda: self.workspace.camera.centre(self.workspace.cursor),
            "ground_level_up": lambda: self.to_level(self.workspace.camera.level - 1),
            "ground_level_down": lambda: self.to_level(self.workspace.camera.level + 1),
            "ground_panels": self.panels, "ground_done": self.leave,
        }  # fmt: skip

    def _group(self, group: Group) -> None:
        self.model.group(group)
        self.rebuild()

    def _next(self, by: int) -> None:
        self.model.step(by)
        self.rebuild()

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
            if model.pen is not None or model.anchor is not None:
                words = deeds.drag(model, model.target) or words
            return deeds.release(model, model.target) or words

        self.try_to(along)

    def edit(self) -> None:
        """The focus into the fields of what is chosen, else of what lies at the cursor."""
        if self.model.chosen is None:
            self.model.by_keys = True
            self.try_to(lambda: deeds.select(self.model, self.model.target))
            self.model.moved = None
        field = next((w for w in self.ui.ring() if w.key.startswith("field ")), None)
        if field is not None:
            self.ui.set_focus(field)
            self.dirty = True

    def panels(self) -> None:
        """The focus into the panels, or on to the next one."""
        ring = [w.key for w in self.ui.ring()]
        stops = [f"material {self.model.kind.name}", f"tool {self.model.tool}"]
        stops += [key for key in ring if key.startswith("field ") or key == "brush size"][:1]
        stops = [key for key in stops if key in ring]
        here = self.ui.focus.key if self.ui.focus is not None else ""
        if stops:
            at = stops.index(here) + 1 if here in stops else 0
            goal = next(w for w in self.ui.ring() if w.key == stops[at % len(stops)])
            self.ui.set_focus(goal)
            self.dirty = True

    def take_back(self) -> bool:
        """Take back one layer; False if there was none."""
        if deeds.give_up(self.model):
            self._pressed = 0
        elif self.ui.focus is not None:
            self.ui.set_focus(None)
        elif self.model.selected:
            self.model.selected = 0
        else:
            return False
        self.refresh()
        return True

    def to_level(self, level: int) -> None:
        """Another map of the place."""
        deeds.give_up(self.model)
        self.model.selected = 0
        self.workspace.to_level(max(0, min(level, len(self.workspace.editor.ground.maps) - 1)))
        self.rebuild()


def _model(workspace: Workspace, proposal: Proposal | None = None) -> Model:
    """A hand with the map's own floor for rooms."""
    model = Model(workspace, proposal)
    wide, high = model.document.size
    model.floor = usual_floor(model.document, tools.rectangle((0, 0), (wide - 1, high - 1)))
    model.kind = model.floor
    return model


def ground(app: Shell, workspace: Workspace, proposal: Proposal | None = None) -> None:
    """Draw on the map of an encounter, with walls that are proposed for it, if any. Tells why where that can't be."""

    def begin() -> None:
        workspace.work().document(max(0, workspace.camera.level))
        workspace.end_drawing()
        workspace.lay_brush_aside()
        app.push(GroundScene(workspace, proposal))

    app.guard(begin, repeat=False)
