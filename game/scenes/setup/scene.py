"""The window in which an encounter is prepared: bestiary left, form right, files on top, the verdict at the foot."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

import pygame

from game.scenes.base import Shell, soonest
from game.scenes.forecast.board import GlanceButton
from game.scenes.levels import level_strip
from game.scenes.setup import commands, lists, marks, operations, panels
from game.scenes.setup.workspace import Drag, Workspace
from game.setup import check
from game.setup.check import Problem
from game.setup.editor import WayDrawing
from game.view.camera import READABLE
from game.widgets.controls import Button, Label
from game.widgets.core import Box, Scroll, Tip, Widget, column, grown, row
from game.widgets.fields import types
from game.widgets.text import line
from game.widgets.theme import Look
from rules.contract.text import joined, ntext, text

LEAST_ZOOM = 28
"""Pixels per space below which an encounter doesn't open."""

MARGIN, GAP = 10, 8
PALETTE, FORM = 222, 300
"""Widths of the side panels at 100 %, in a window wide enough."""
STRIP = 230
"""Width of the strip of maps at 100 %."""
DRAWING = 520
"""Width at 100 % of what is told while a way is drawn."""


def _paging(workspace: Workspace) -> str:
    shown = workspace.app.keys.shown
    return joined(", ", (shown("setup_level_up"), shown("setup_level_down")))


class Setup(Workspace):
    """Shows the table, and puts mouse and keys to it."""

    def build(self) -> None:
        margin, gap = self.app.look.px(MARGIN), self.app.look.px(GAP)
        foot, (left, right) = _foot(self), _widths(self)
        room, low = self.place_head(_top(self), foot, margin, gap)
        if left:
            box = column(*panels.bestiary_parts(self), gap=6, pad=10, plate="panel")
            self.ui.add(box, pygame.Rect(room.topleft, (left, room.height)))
        form = pygame.Rect(room.right - right, room.top, right, room.height)
        self.ui.add(panels.form_panel(self), form)
        self.ui.add(foot, low)
        start = room.left + (left + gap if left else 0)
        self._free = free = pygame.Rect(start, room.top, form.left - gap - start, room.height)
        self._shown_level = self.camera.level
        strip = level_strip(self.view, self.to_level, self.app.look, self.app.look.px(STRIP), keys=_paging(self))
        if strip is not None:
            high = strip.measure(self.app.look, self.app.look.px(STRIP))[1]
            self.ui.add(strip, pygame.Rect(free.left, free.top, self.app.look.px(STRIP), high))
        self._told_to = 0
        """Where the panel about the way that is drawn ends."""
        if self.drawing is not None:
            wide = min(free.width, self.app.look.px(DRAWING))
            panel = _drawing_panel(self, self.drawing)
            self._told_to = self.place(panel, free.centerx - wide // 2, free.top, wide).bottom
        if self.listing and (found := self.editor.problems()):
            panel = _listing(self, found)
            high = min(panel.measure(self.app.look, free.width)[1], free.height * 2 // 3)
            self.ui.add(panel, pygame.Rect(free.left, free.bottom - high, free.width, high))

    def rebuild(self) -> None:
        self.view.resize(self.size)
        super().rebuild()
        self.camera.free = self._free

    def _keep_level(self) -> None:
        """Whatever took the camera to another map: the strip shows it."""
        if self.camera.level != self._shown_level:
            self.rebuild()

    def entered(self) -> None:
        self.refresh()
        if not self.fitted:
            self.fitted = True
            self._look_over()
            pygame.event.clear(pygame.KEYDOWN)  # the key that opened it repeats while the map is read

    def _look_over(self) -> None:
        """Show whatever matters at the start: start zones and creatures, as large as they fit and still read well."""
        ground, free = self.editor.ground, self.camera.free
        self.camera.to_level(self.camera.level_of(self.cursor))
        whole = self.camera.whole
        cells = [] if self.loaded is None else [cell for spawn in self.loaded.spawns for cell in spawn.cells]
        ends = [whole.topleft, (whole.right - 1, whole.bottom - 1)]
        spots = [ground.at(cell) for cell in cells if self.camera.shows(cell)] or ends
        there = [p.spot for p in self.editor.draft.pieces if p.spot is not None and ground.inside(*p.spot)]
        spots += [spot for spot in there if self.camera.shows(spot)]
        columns, rows = [spot[0] for spot in spots], [spot[1] for spot in spots]
        wide, high = max(columns) - min(columns) + 3, max(rows) - min(rows) + 3
        zoom = min(free.width // wide, free.height // high)
        self.camera.set_zoom(max(LEAST_ZOOM, min(zoom, READABLE)))
        self.camera.centre(((min(columns) + max(columns)) // 2, (min(rows) + max(rows)) // 2))
        self.camera.arrive()

    def left(self) -> None:
        self.glance.close()
        self.end_drawing()
        self.keep()

    # -- events

    def handle(self, event: pygame.event.Event) -> bool:
        if event.type == pygame.DROPFILE:
            commands.drop(self, Path(event.file))
            return True
        if self.gesture.busy and event.type != pygame.KEYDOWN:
            return commands.mouse(self, event)
        if event.type == pygame.KEYDOWN and event.key == pygame.K_TAB and not event.mod & pygame.KMOD_CTRL:
            if self.ui.focus is None:
                return True  # Tab belongs to the board while no panel has the focus
        if self.ui.handle(event):
            gesture = self.gesture
            if event.type == pygame.MOUSEMOTION and gesture.spot is not None and gesture.drag is Drag.NOTHING:
                gesture.spot, self.dirty = None, True  # the pointer is over a panel
            return True
        return commands.mouse(self, event)

    def command(self, name: str, event: pygame.event.Event) -> bool:
        if types(self.ui.focus) and name != "back" and not event.mod & pygame.KMOD_CTRL and event.key < pygame.K_F1:
            return False  # it is being typed
        return commands.command(self, name)

    # -- time and drawing

    def update(self, dt: float) -> bool:
        ground, settings = self.editor.ground, self.app.settings
        self._keep_level()
        spot = self.cursor if self.ui.by_keys else self.gesture.spot  # roofs lift from what is pointed at
        self.view.peek = ground.cell(*spot) if spot is not None and ground.inside(*spot) else None
        self.view.reduced_motion = settings.reduced_motion or settings.speed == 0
        changed = self.ui.update(dt) | self.view.update(dt) | self.glance.update(dt)
        return self.let_pass(dt) | changed

    def pace(self) -> float | None:
        if self.view.moving:
            return 1 / 60
        if self.unkept and not self.glance.pace():
            return 0.25
        return soonest(0.05 if self.ui.waiting or self.toast_left > 0 else self.glance.pace(), self.view.pace)

    def draw(self, surface: pygame.Surface) -> None:
        self.view.draw(surface, marks.overlays(self))
        self.app.players.draw_frame(surface, self.camera)
        marks.draw(surface, self)
        self.ui.draw(surface)
        marks.draw_above(surface, self, self._free, self._told_to)


class Status(Widget):
    """One line that is asked for while drawing: what the pointer is on, else what stands in the way."""

    def __init__(self, workspace: Workspace) -> None:
        super().__init__()
        self.workspace = workspace
        self.grow = 1

    def measure(self, look: Look, width: int) -> tuple[int, int]:
        return (min(width, look.px(40)), look.font("label").get_linesize())

    def tip_at(self, pos: tuple[int, int]) -> Tip | None:
        return Tip(_verdict(self.workspace)[0])

    def draw(self, surface: pygame.Surface, look: Look) -> None:
        pointed = commands.pointed_at(self.workspace)
        text, colour = (pointed, "text") if pointed else _verdict(self.workspace)
        surface.blit(line(look, text, "label", colour, self.rect.width), self.rect)


class Line(Label):
    """One line that takes what room there is, and is shortened to it."""

    def __init__(self, text: str, style: str, colour: str, *, tip: Tip | None = None) -> None:
        super().__init__(text, style, colour, one_line=True, tip=tip)
        self.style = style

    def measure(self, look: Look, width: int) -> tuple[int, int]:
        return (min(width, look.px(40)), look.font(self.style).get_linesize())


def _widths(workspace: Workspace) -> tuple[int, int]:
    """Pixels of the left and the right panel; 0 where there is none."""
    look, wide = workspace.app.look, workspace.size[0]
    if workspace.narrow:
        return 0, min(look.px(FORM), round(wide * 0.44))
    share = min(1.0, wide * 0.62 / look.px(PALETTE + FORM))
    return round(look.px(PALETTE) * share), round(look.px(FORM) * share)


def _drawing_panel(workspace: Workspace, drawing: WayDrawing) -> Box:
    """What is being drawn, how it goes on and how it ends."""
    name = check.name_of(workspace.editor.draft, drawing.piece) if drawing.piece is not None else ""
    heading = Label(text("{name}: {label}", name, drawing.field.label.lower()), "label!", "gold", one_line=True)
    told = (
        "Click one space after the other; drag a point to move it. A click on the last point ends it, "
        "a right click takes it back."
    )
    keys = workspace.app.keys.shown
    buttons = row(
        Button("Done", workspace.end_drawing, gold=True, slim=True, hint=keys("setup_play"), key="way done",
               tip=Tip("The way is kept: the creature walks it over and over.")),
        Button("Take back a point", workspace.take_point_back, slim=True, hint=keys("back"), key="way back",
               enabled=bool(drawing.points)),
        Button("Give up", workspace.give_up_drawing, slim=True, key="way leave",
               tip=Tip("The way stays what it was before.")),
        gap=6, wrap=True,
    )  # fmt: skip
    return column(
        row(heading, Label(drawing.so_far(), "small", "quiet", one_line=True), gap=10), Label(told, "small"), buttons,
        gap=5, pad=9, plate="panel", edge="gold", key="way",
    )  # fmt: skip


# -- top ------------------------------------------------------------------------------------------------


def _top(workspace: Workspace) -> Box:
    app, editor, terse = workspace.app, workspace.editor, workspace.terse
    known = {command.name: command for command in app.keys.commands}

    def button(label: str, name: str, *, quiet: bool = False, enabled: bool = True, what: str = "") -> Button:
        call, keys = partial(commands.ANYWHERE[name], workspace), known.get(name)
        tip = text("{label} ({keys})", keys.label, joined(" · ", keys.keys)) if keys else label
        tip = text("{label}: {what}", label, what) if what else tip
        hint = "" if terse else app.keys.shown(name)
        return Button(label, call, hint=hint, tip=Tip(tip), key=f"bar {label}", quiet=quiet, enabled=enabled)

    heading = Line((editor.draft.title or "Untitled encounter") + (" •" if editor.unsaved else ""), "heading", "bright")
    return row(
        Button(
            "Menu", partial(commands.menu, workspace), quiet=True, hint="" if terse else app.keys.shown("back"),
            key="bar Menu", tip=Tip("Settings, keys, and the way to the title. The table is kept."),
        ),
        grown(column(heading, Line(workspace.map_title(), "small", "quiet"), gap=0)),
        button("Undo", "setup_undo", quiet=True, enabled=bool(editor.undoes), what=editor.undoes),
        button("Redo", "setup_redo", quiet=True, enabled=bool(editor.redoes), what=editor.redoes),
        button("Ground", "setup_ground"),
        button("New", "setup_new"),
        button("Open", "setup_load"),
        button("Save", "setup_save"),
        gap=8, pad=7, plate="panel",
    )  # fmt: skip


# -- foot -----------------------------------------------------------------------------------------------


def _foot(workspace: Workspace) -> Box:
    found = workspace.editor.problems()
    why = check.blocking(found)
    grave = [each for each in found if each.block]
    said = ntext(len(grave), "{n} problem", "{n} problems") if grave else "Worth a word"
    shown = workspace.app.keys.shown
    hints = ("", "") if workspace.terse else (shown("setup_play"), shown("setup_forecast"))

    def fold() -> None:
        workspace.listing = not workspace.listing
        workspace.refresh()

    verdict: Widget = Label("Ready", "label!", "teal", one_line=True, tip=Tip("Nothing is wrong."))
    if found:
        tip = Tip("Opens the list; F8 goes from one to the next.")
        verdict = Button(said, fold, key="problems", chosen=workspace.listing, tip=tip)
    play, forecast = partial(commands.play, workspace), partial(commands.forecast, workspace)
    playing = Button(
        "Play", play, gold=True, large=True, enabled=not why, hint=hints[0], key="play", on_refused=play,
        tip=Tip(text('Not yet: {why}', why) if why else "Starts the fight; its menu leads back here."),
    )  # fmt: skip
    foreseeing = GlanceButton(
        workspace.glance, forecast, enabled=not why, hint=hints[1], band=not workspace.terse,
        tip=Tip(text('Not yet: {why}', why) if why else "How it may end, played many times by the computer."),
    )  # fmt: skip
    foreseeing.on_refused = forecast
    return row(verdict, Status(workspace), foreseeing, playing, gap=10, pad=7, plate="panel")


def _verdict(workspace: Workspace) -> tuple[str, str]:
    """The gravest problem with its colour, or who is on the table."""
    found = workspace.editor.problems()
    if found:
        return found[0].text, "coral" if found[0].block else "quiet"
    editor, said = workspace.editor, []
    for side in editor.draft.sides():
        pieces = [piece for piece in editor.draft.pieces if piece.side == side]
        weight = sum(t for piece in pieces if type(t := editor.block(piece).get("threat", 0)) is int)
        template = "{side}: {pieces}, weight {weight}" if weight else "{side}: {pieces}"
        said.append(text(template, side=side, pieces=len(pieces), weight=weight))
    return joined(" · ", said), "quiet"


def _listing(workspace: Workspace, problems: Sequence[Problem]) -> Box:
    """The list of problems over the board's foot; a click goes to the creature."""
    lines = (
        Button(each.text, partial(operations.go_to, workspace, each.key, each.field), quiet=True, left=True,
               key=f"problem {number}", tip=Tip(each.text))
        for number, each in enumerate(problems)
    )  # fmt: skip
    box = column(Label("What stands in the way", "label!", "gold"), *lines, gap=2)
    return column(grown(Scroll(box, key="listing")), pad=10, plate="panel", edge="faint")


# -- ways to it, for the navigator


def prepare(app: Shell, record: Path | None = None) -> None:
    """The window in which an encounter is prepared: the draft in progress, or a record. Raises BattlematError."""
    scene = Setup(app)
    if record is not None:
        scene.open_record(record)
    app.push(scene)


def prepared(app: Shell) -> None:
    """The encounters prepared so far, to edit and to play. Raises BattlematError."""
    prepare(app)
    if isinstance(app.top, Setup):
        lists.choose_record(app.top)


def open_dropped(app: Shell, path: Path) -> None:
    """A map or a record dropped onto a window without a fight: an encounter is prepared. Raises BattlematError."""
    scene = Setup(app)
    app.push(scene)
    lists.open_any(scene, path)
