"""Where things are while an encounter is prepared: bestiary left, form right, files on top, the verdict at the foot."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import pygame

from game.scenes.forecast.glance import GlanceButton
from game.scenes.setup import inspector, palette
from game.setup import check
from game.widgets.controls import Button, Label
from game.widgets.core import Box, Scroll, Tip, Widget, column, row
from game.widgets.text import rendered, shortened
from game.widgets.theme import Look

if TYPE_CHECKING:
    from game.scenes.setup.scene import Setup

MARGIN, GAP = 10, 8
PALETTE, FORM = 222, 300
"""Widths of the side panels at 100 %, in a window wide enough."""
DRAWING = 520
"""Width at 100 % of what is told while a way is drawn."""


class Status(Widget):
    """One line that is asked for while drawing: what the pointer is on, else what stands in the way."""

    def __init__(self, scene: Setup) -> None:
        super().__init__()
        self.scene = scene
        self.grow = 1

    def measure(self, look: Look, width: int) -> tuple[int, int]:
        return (min(width, look.px(40)), look.font("label").get_linesize())

    def tip_at(self, pos: tuple[int, int]) -> Tip | None:
        return Tip(_verdict(self.scene)[0])

    def draw(self, surface: pygame.Surface, look: Look) -> None:
        pointed = self.scene.pointing.told()
        text, colour = (pointed, "text") if pointed else _verdict(self.scene)
        font = look.font("label")
        surface.blit(rendered(font, shortened(font, text, self.rect.width), look.colour(colour)), self.rect)


class Line(Label):
    """One line that takes what room there is, and is shortened to it."""

    def __init__(self, text: str, style: str, colour: str, *, tip: Tip | None = None) -> None:
        super().__init__(text, style, colour, one_line=True, tip=tip)
        self.style = style

    def measure(self, look: Look, width: int) -> tuple[int, int]:
        return (min(width, look.px(40)), look.font(self.style).get_linesize())


def _units(scene: Setup) -> tuple[float, float]:
    """The window's size in pixels at 100 %."""
    return scene.size[0] / scene.app.look.scale, scene.size[1] / scene.app.look.scale


def narrow(scene: Setup) -> bool:
    """Whether there is room for one side panel only."""
    return _units(scene)[0] < 900


def short(scene: Setup) -> bool:
    """Whether height must be saved."""
    return _units(scene)[1] < 480


def _terse(scene: Setup) -> bool:
    """Whether there is room for short words only."""
    return _units(scene)[0] < 1150


def widths(scene: Setup) -> tuple[int, int]:
    """Pixels of the left and the right panel; 0 where there is none."""
    look, wide = scene.app.look, scene.size[0]
    if narrow(scene):
        return 0, min(look.px(FORM), round(wide * 0.44))
    share = min(1.0, wide * 0.62 / look.px(PALETTE + FORM))
    return round(look.px(PALETTE) * share), round(look.px(FORM) * share)


def _bars(scene: Setup) -> tuple[Box, Box, int, int]:
    look, inner = scene.app.look, scene.size[0] - 2 * scene.app.look.px(MARGIN)
    top, foot = _top(scene), _foot(scene)
    return top, foot, top.measure(look, inner)[1], foot.measure(look, inner)[1]


def board_rect(scene: Setup) -> pygame.Rect:
    """The part of the window that no panel covers."""
    look, (wide, high) = scene.app.look, scene.size
    margin, gap = look.px(MARGIN), look.px(GAP)
    left, right = widths(scene)
    _, _, head, foot = _bars(scene)
    x, y = margin + (left + gap if left else 0), margin + head + gap
    return pygame.Rect(x, y, wide - x - right - margin - gap, high - y - foot - margin - gap)


def _drawing_rect(scene: Setup) -> pygame.Rect:
    """Where it is told what is being drawn: over the board's head."""
    assert scene.drawing is not None
    room = board_rect(scene)
    wide = min(room.width, scene.app.look.px(DRAWING))
    high = scene.drawing.panel().measure(scene.app.look, wide)[1]
    return pygame.Rect(room.centerx - wide // 2, room.top, wide, high)


def drawing_bottom(scene: Setup) -> int:
    """Where the panel about what is being drawn ends; 0 without one."""
    return 0 if scene.drawing is None else _drawing_rect(scene).bottom


def build(scene: Setup) -> None:
    """Make all panels."""
    look, (wide, high) = scene.app.look, scene.size
    margin, gap = look.px(MARGIN), look.px(GAP)
    top, foot, head_high, foot_high = _bars(scene)
    left, right = widths(scene)
    inner = wide - 2 * margin
    middle = margin + head_high + gap
    room = high - middle - gap - foot_high - margin
    scene.ui.add(top, pygame.Rect(margin, margin, inner, head_high))
    if left:
        scene.ui.add(palette.panel(scene), pygame.Rect(margin, middle, left, room))
    scene.ui.add(inspector.panel(scene), pygame.Rect(wide - margin - right, middle, right, room))
    scene.ui.add(foot, pygame.Rect(margin, high - margin - foot_high, inner, foot_high))
    if scene.drawing is not None:
        scene.ui.add(scene.drawing.panel(), _drawing_rect(scene))
    if scene.listing and scene.editor.problems():
        _add_listing(scene, look, board_rect(scene))


# -- top ------------------------------------------------------------------------------------------------


def _top(scene: Setup) -> Box:
    app, editor, steering, terse = scene.app, scene.editor, scene.steering, _terse(scene)

    def hint(name: str) -> str:
        return "" if terse else app.keys.shown(name)

    def button(label: str, name: str, *, quiet: bool = False, enabled: bool = True, what: str = "") -> Button:
        call = getattr(steering, name.removeprefix("setup_"))
        tip = Tip(f"{label}: {what}") if what else _key_tip(scene, label, name)
        return Button(label, call, hint=hint(name), tip=tip, key=f"bar {label}", quiet=quiet, enabled=enabled)

    title = editor.draft.title or "Untitled encounter"
    star = " •" if editor.unsaved else ""
    heading = Line(title + star, "heading", "bright")
    names = column(heading, Line(scene.map_title(), "small", "quiet"), gap=0)
    names.grow = 1
    return row(
        Button(
            "Menu",
            steering.menu,
            quiet=True,
            hint="" if terse else scene.app.keys.shown("back"),
            key="bar Menu",
            tip=Tip("Settings, keys, and the way to the title. The table is kept."),
        ),
        names,
        button("Undo", "setup_undo", quiet=True, enabled=bool(editor.undoes), what=editor.undoes),
        button("Redo", "setup_redo", quiet=True, enabled=bool(editor.redoes), what=editor.redoes),
        button("New", "setup_new"),
        button("Open", "setup_load"),
        button("Save", "setup_save"),
        gap=8,
        pad=7,
        plate="panel",
    )


def _key_tip(scene: Setup, label: str, name: str) -> Tip:
    command = next((c for c in scene.app.keys.commands if c.name == name), None)
    return Tip(f"{command.label} ({' · '.join(command.keys)})" if command else label)


# -- foot -----------------------------------------------------------------------------------------------


def _foot(scene: Setup) -> Box:
    found = scene.editor.problems()
    why = check.blocking(found)
    grave = [each for each in found if each.block]
    said = f"{len(grave)} problem{'s' if len(grave) != 1 else ''}" if grave else "Worth a word"
    shown = scene.app.keys.shown
    hints = ("", "") if _terse(scene) else (shown("setup_play"), shown("setup_forecast"))
    verdict: Widget = Label("Ready", "label!", "teal", one_line=True, tip=Tip("Nothing is wrong."))
    if found:
        tip = Tip("Opens the list; F8 goes from one to the next.")
        verdict = Button(said, partial(_toggle_listing, scene), key="problems", chosen=scene.listing, tip=tip)
    play = Button(
        "Play", scene.play, gold=True, large=True, enabled=not why, hint=hints[0], key="play",
        tip=Tip(f"Not yet: {why}" if why else "Starts the fight; its menu leads back here."),
    )  # fmt: skip
    play.on_refused = scene.play
    forecast = GlanceButton(
        scene.glance, scene.forecast, enabled=not why, hint=hints[1], band=not _terse(scene),
        tip=Tip(f"Not yet: {why}" if why else "How it may end, played many times by the computer."),
    )  # fmt: skip
    forecast.on_refused = scene.forecast
    return row(verdict, Status(scene), forecast, play, gap=10, pad=7, plate="panel")


def _verdict(scene: Setup) -> tuple[str, str]:
    """The gravest problem with its colour, or who is on the table."""
    found = scene.editor.problems()
    if not found:
        return _counts(scene), "quiet"
    return found[0].text, "coral" if found[0].block else "quiet"


def _counts(scene: Setup) -> str:
    """`heroes: 4, weight 24 · monsters: 5, weight 20`."""
    editor = scene.editor
    said = []
    for side in editor.draft.sides():
        pieces = [piece for piece in editor.draft.pieces if piece.side == side]
        weight = sum(t for piece in pieces if type(t := editor.block(piece).get("threat", 0)) is int)
        said.append(f"{side}: {len(pieces)}" + (f", weight {weight}" if weight else ""))
    return " · ".join(said)


def _toggle_listing(scene: Setup) -> None:
    scene.listing = not scene.listing
    scene.refresh()


def _add_listing(scene: Setup, look: Look, room: pygame.Rect) -> None:
    """The list of problems over the board's foot; a click goes to the creature."""
    lines: list[Widget] = []
    for number, each in enumerate(scene.editor.problems()):
        lines.append(
            Button(
                each.text, partial(_go, scene, each.key, each.field), quiet=True, left=True, key=f"problem {number}",
                tip=Tip(each.text),
            )
        )  # fmt: skip
    box = column(Label("What stands in the way", "label!", "gold"), *lines, gap=2)
    scroll = Scroll(box, key="listing")
    panel = column(scroll, pad=10, plate="panel", edge="faint")
    scroll.grow = 1
    high = min(panel.measure(look, room.width)[1], room.height * 2 // 3)
    scene.ui.add(panel, pygame.Rect(room.left, room.bottom - high, room.width, high))


def _go(scene: Setup, key: int | None, field: str) -> None:
    if key is None:
        scene.tab = "encounter"
        scene.refresh()
    else:
        scene.steering.go_to(key, field)
