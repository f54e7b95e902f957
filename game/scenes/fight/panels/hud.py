"""What panels are made of on more than one screen: likenesses, sheets, lists to pick from, the rules' words."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pygame

from game.view.minis import portrait
from game.widgets.controls import Button, Label
from game.widgets.core import Box, Scroll, Space, Tip, Widget, column, row
from game.widgets.figures import BarFigure, Live, PackFigure, Picture, PipsFigure, Portrait, StatTile
from game.widgets.text import Run
from game.widgets.theme import Look
from rules.contract.actions import Adjustment
from rules.contract.display import Bar, Display, Pack, Sheet
from rules.contract.text import Term, Value, joined, ntext, parted, text, titled
from rules.core.dice import signed


def term_tip(ruleset: Display, word: str, rule: str = "") -> Tip | None:
    """The rulebook's word on a term, if it has one; else what the rule says that is named with it."""
    found = ruleset.term(word) or (ruleset.term(rule) if rule else None)
    if found is None:
        return Tip(rule) if rule else None
    return Tip(found[0], titled(word), found[1])


def value_tip(ruleset: Display, value: Value | None) -> Tip | None:
    """What the rulebook says of the field of a sentence: of a term of the rules, or a word that is one."""
    if isinstance(value, Term):
        return term_tip(ruleset, value, value.rule)
    return term_tip(ruleset, value) if isinstance(value, str) else None


def adjustment_tip(ruleset: Display, adjustment: Adjustment) -> Tip | None:
    """What an adjustment is for, by its rule's sentence."""
    found = (ruleset.term(adjustment.rule) if adjustment.rule else None) or ruleset.term(adjustment.because)
    if found is None:
        return Tip(adjustment.rule, adjustment.because) if adjustment.rule else None
    title = titled(adjustment.because)
    return Tip(found[0], title, adjustment.rule or found[1])


def changes_tip(ruleset: Display, changes: Sequence[Adjustment]) -> Tip | None:
    """What several adjustments of one thing are for: of one alone its rule, else each with its figure."""
    if len(changes) == 1:
        return adjustment_tip(ruleset, changes[0])
    told = (text("{because} {change}", because=each.because, change=signed(each.value)) for each in changes)
    return Tip(joined("\n", told), titled(changes[0].to.lower()))


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
