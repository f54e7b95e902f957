"""What panels are made of on more than one screen: likenesses, a creature's sheet, a list to pick from."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pygame

from game.scenes.fight.panels.terms import term_tip
from game.view.minis import portrait
from game.widgets.controls import Button, Label
from game.widgets.core import Box, Scroll, Space, Tip, Widget, column, row
from game.widgets.figures import BarFigure, Live, PackFigure, Picture, PipsFigure, Portrait, StatTile
from game.widgets.text import Run
from game.widgets.theme import Look
from rules.contract.display import Bar, Display, Pack, Sheet
from rules.contract.text import joined, ntext, parted, text

MARGIN = 12
SHEET_WIDTH = 262
LOG_WIDTH = 288
SHORT_WIDTH = 158
SHORT_LINE = 76
"""Letters of an entry's second line that every list has room for."""


def likeness(art: str, side: str) -> Portrait:
    """A creature's portrait in its side's ring, by size in pixels."""
    return lambda size: portrait(art, side, size)


# -- sheet ----------------------------------------------------------------------------------------------


def sheet_panel(
    ruleset: Display,
    sheet: Sheet,
    after: Callable[[], int | None] = lambda: None,
    spending: Callable[[], str] = lambda: "",
) -> Widget:
    """A creature's sheet: portrait, pools, stats and lines, each with its rule on hover.

    `after` says what would be left of its points after what is considered, `spending` tells it.
    """
    face = Picture(likeness(sheet.art, sheet.side), 58)
    words = parted(sheet.subtitle, " · ")
    under = [joined(" · ", words[:2]), joined(" · ", words[2:])]
    lines = [Label(line, "small", "quiet") for line in under if line]
    head = row(face, column(Label(sheet.name, "heading", "bright"), *lines, gap=1), gap=10)
    parts: list[Widget] = [head]
    for bar in sheet.bars:
        parts.append(_pool(ruleset, bar, after))
        if bar.tone == "points":
            parts.append(Live(spending))
    if sheet.stats:
        tiles = [StatTile(name, figure, tip=term_tip(ruleset, name)) for name, figure in sheet.stats]
        parts.append(Box(tiles, across=True, gap=6, align="stretch", wrap=True))
    if sheet.pack is not None:
        parts.append(_pack(ruleset, sheet.pack))
    told: list[Widget] = []
    for line in sheet.lines:
        runs = [Run(line.text, line.tone or "text", "text")]
        if line.detail:
            runs.append(Run(" " + line.detail, "quiet", "small"))
        told.append(Label(runs, tip=term_tip(ruleset, line.text.split(":")[0], line.rule)))
    for badge in sheet.badges:
        told.append(
            Label(
                [Run("• ", "coral", "small"), Run(badge.label, "coral")],
                tip=Tip(badge.text, badge.label, badge.rule),
            )
        )
    if told:
        parts.append(column(*told, gap=3))
    return column(*parts, gap=8)


def _pack(ruleset: Display, pack: Pack) -> Widget:
    """The room of a pack as cells, what fills them below."""
    lines: list[Widget] = [PackFigure(pack, tip=term_tip(ruleset, pack.label))]
    burden = sum(held.slots for held in pack.held if held.tone)
    for held in pack.held:
        if held.tone:
            continue
        room = "petty" if held.slots == 0 else ntext(held.slots, "{n} slot", "{n} slots")
        more = text("{room}, {note}", room=room, note=held.note) if held.note else room
        lines.append(Label([Run(held.label, "text"), Run(" " + more, "quiet", "small")]))
    for name in dict.fromkeys(held.label for held in pack.held if held.tone):
        runs = [
            Run(text("{name} × {burden}", name=name, burden=burden), "coral"),
            Run(" a slot each", "quiet", "small"),
        ]
        lines.append(Label(runs, tip=term_tip(ruleset, name)))
    return column(*lines, gap=3)


def _pool(ruleset: Display, bar: Bar, after: Callable[[], int | None]) -> Widget:
    tip = term_tip(ruleset, bar.label)
    if bar.tone == "points":
        return PipsFigure(bar.label, bar.value, after, tip=tip)
    return BarFigure(bar.label, bar.value, bar.maximum, bar.tone, tip=tip)


# -- questions and lists --------------------------------------------------------------------------------


def pick_panel(
    title: str,
    entries: Sequence[tuple[str, str, Callable[[], None], bool]],
    back: Callable[[], None],
    *,
    height: float = 380,
) -> Widget:
    """A list to pick from: `(label, second line, what it does, whether it can be done)`."""
    buttons: list[Widget] = []
    for number, (label, cost, call, legal) in enumerate(entries, 1):
        hint = str(number) if number < 10 and legal else ""
        buttons.append(
            Button(
                label,
                call,
                cost=cost,
                hint=hint,
                enabled=legal,
                key=f"pick {number}",
                tip=Tip(cost) if len(cost) > SHORT_LINE else None,  # else all of it is read already
            )
        )
    listing = Scroll(column(*buttons, gap=6, pad=4), height=height)
    listing.grow = 1
    foot = row(Space(grow=1), Button("Back", back, hint="Esc"))
    return column(Label(title, "heading", "bright"), listing, foot, gap=12, pad=16, plate="panel", edge="faint")


def sized_rect(widget: Widget, look: Look, width: float, room: tuple[int, int]) -> pygame.Rect:
    """A rectangle for a panel of a width (at 100 %) and its own height, inside a room in pixels."""
    wide = min(look.px(width), room[0])
    return pygame.Rect(0, 0, wide, min(widget.measure(look, wide)[1], room[1]))
