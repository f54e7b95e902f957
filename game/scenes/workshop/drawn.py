"""Blocks of pages (`game.characters.pages`) as widgets: the window knows their kinds, and no ruleset."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial, singledispatch
from typing import Any

from game.characters.pages import (
    Act,
    Block,
    Card,
    Cards,
    Choice,
    Deed,
    Deeds,
    Divider,
    Faces,
    Form,
    Gauge,
    Gauges,
    Item,
    Number,
    Pick,
    Slots,
    Title,
    Typed,
    Words,
)  # fmt: skip
from game.scenes.fight.panels.card import likeness
from game.widgets.controls import Button, Label
from game.widgets.core import Box, Sized, Split, Tip, Widget, column, grown, row
from game.widgets.fields import Memory, NumberField, TextField
from game.widgets.figures import BarFigure, PackFigure, Rule
from game.widgets.menu import Tile
from game.widgets.text import Run


@dataclass
class Answers:
    """Whom blocks answer to, and how much room they have."""

    press: Callable[[Deed], None]
    """A button was pressed."""
    give: Callable[[Act, Any], None]
    """An option was taken, or a text was typed."""
    turn: Callable[[str, str], None]
    """Something of the view changes."""
    memory: Memory
    wide: float
    """Of the page at 100 %."""
    tight: bool = False
    roomy: bool = False

    def across(self, least: float, gap: float = 6) -> float:
        """Width at 100 % of tiles that fill the page's lines, each at least so wide."""
        room = self.wide - 14
        count = max(1, int((room + gap) // (least + gap)))
        return int((room - gap * (count - 1)) / count)


def title(text: str, hint: str = "") -> list[Widget]:
    """A heading and what it is about."""
    return [Label(text, "label!", "gold"), *([Label(hint, "small", "quiet")] if hint else [])]


def pills(names: Iterable[tuple[str, str]], now: str, put: Callable[[str], None], key: str) -> Widget:
    """Buttons in lines, one of them chosen, by what they stand for."""
    buttons = (
        Button(label, partial(put, name), chosen=name == now, slim=True, key=f"{key} {name}") for name, label in names
    )
    return row(*buttons, gap=6, wrap=True)


def widgets(table: Answers, blocks: Iterable[Block]) -> list[Widget]:
    """The widgets of blocks, one after the other."""
    return [widget for block in blocks for widget in _drawn(block, table)]


@singledispatch
def _drawn(block: object, table: Answers) -> list[Widget]:
    raise TypeError(f"no block of a page: {block!r}")


@_drawn.register
def _title(block: Title, table: Answers) -> list[Widget]:
    return title(block.text, block.hint)


@_drawn.register
def _words(block: Words, table: Answers) -> list[Widget]:
    tip = Tip(block.tip, block.name, block.rule) if block.tip else None
    if isinstance(block.text, tuple):
        return [Label([Run(p.text, p.tone, p.style) for p in block.text], tip=tip)]
    return [Label(block.text, block.style, block.tone, tip=tip)]


@_drawn.register
def _deed(block: Deed, table: Answers) -> list[Widget]:
    return [button(block, table)]


def button(deed: Deed, table: Answers) -> Button:
    """A deed's button."""
    tip = deed.tip or deed.refusal
    named = deed.label if deed.rule else ""
    return Button(
        deed.label, partial(table.press, deed), cost=deed.refusal or deed.detail, gold=deed.gold, chosen=deed.chosen,
        key=deed.key, quiet=deed.quiet or bool(deed.refusal), left=deed.left,
        slim=deed.slim, tip=Tip(tip, named, deed.rule) if tip else None,
    )  # fmt: skip


@_drawn.register
def _deeds(block: Deeds, table: Answers) -> list[Widget]:
    buttons = row(*(button(deed, table) for deed in block.deeds), gap=8, wrap=True)
    return [_labelled(block.label, buttons)]


def _labelled(label: str, widget: Widget) -> Widget:
    return row(Label(label, "text", "quiet"), widget, gap=8, align="start") if label else widget


@_drawn.register
def _choice(block: Choice, table: Answers) -> list[Widget]:
    act = block.act
    put = partial(table.turn, block.view) if act is None else partial(table.give, act)
    return [_labelled(block.label, pills(block.options.items(), block.now, put, block.key))]


def field(block: Typed, table: Answers) -> Widget:
    """A line to type in."""
    put = partial(table.turn, block.view) if block.act is None else partial(table.give, block.act)
    line = TextField(
        block.key, block.value, put, table.memory, most=block.most, quiet=block.quiet,
        tip=Tip(block.tip) if block.tip else None,
    )  # fmt: skip
    return Sized(line, block.wide)


def number(block: Number, table: Answers) -> Widget:
    """A whole number to type or step."""
    line = NumberField(
        block.key, block.value, partial(table.give, block.act), table.memory, low=block.low, high=block.high,
        tip=Tip(block.tip) if block.tip else None,
    )  # fmt: skip
    return Sized(line, block.wide)


@_drawn.register
def _number(block: Number, table: Answers) -> list[Widget]:
    return [_labelled(block.label, number(block, table))]


@_drawn.register
def _typed(block: Typed, table: Answers) -> list[Widget]:
    return [_labelled(block.label, field(block, table))]


@_drawn.register
def _form(block: Form, table: Answers) -> list[Widget]:
    def part(each: Typed | Number | Deed | Words) -> Widget:
        if isinstance(each, Typed | Number):
            line = field(each, table) if isinstance(each, Typed) else number(each, table)
            name = Sized(Label(each.label, "text", "quiet", one_line=True), 92)
            return row(name, line, gap=6) if each.label else line
        return button(each, table) if isinstance(each, Deed) else grown(_words(each, table)[0])

    def line(parts: tuple[Typed | Number | Deed | Words, ...]) -> Widget:
        told = any(isinstance(each, Words) for each in parts)  # what grows does not wrap
        return row(*map(part, parts), gap=8, wrap=table.tight or not told)

    return [line(parts) for parts in block.rows]


@_drawn.register
def _faces(block: Faces, table: Answers) -> list[Widget]:
    wide = table.across(block.least)
    tiles = (
        Sized(Tile(
            face.label, face.line, likeness(face.art, "heroes"),
            partial(table.press, Deed(face.key, face.label, face.act)), chosen=face.chosen, key=face.key,
            size=block.size, width=wide, tip=Tip(face.tip, face.label) if face.tip else None,
        ), wide)
        for face in block.faces
    )  # fmt: skip
    return [Box(*tiles, across=True, wrap=True, gap=6)]


@_drawn.register
def _item(block: Item, table: Answers) -> list[Widget]:
    name = Sized(
        Label(block.name, "text!" if block.bold else "text", block.tone, one_line=True),
        min(block.wide, 110) if table.tight else block.wide,
    )
    told = grown(
        Label(block.told, "small", "quiet", one_line=not table.tight, tip=Tip(block.told) if block.told else None)
    )
    notes = (Label(f"    {text}", "small", "coral" if bad else "green") for text, bad in block.notes)
    return [column(row(name, told, *(button(deed, table) for deed in block.deeds), gap=6), *notes, gap=1)]


@_drawn.register
def _pick(block: Pick, table: Answers) -> list[Widget]:
    words: list[Widget] = [Label(block.text, "text", "bright" if block.deed.chosen else "text")]
    if block.brings:
        words.append(Label(block.brings, "small", "green" if block.deed.chosen else "quiet"))
    return [row(Sized(button(block.deed, table), 34), grown(column(*words, gap=0)), gap=10)]


@_drawn.register
def _cards(block: Cards, table: Answers) -> list[Widget]:
    count = max(1, int((table.wide - 14 + 10) // (block.least + 10)))
    cards = [_card(card, table) for card in block.cards]
    count = next((n for n in range(min(count, len(cards)), 0, -1) if not len(cards) % n), 1)
    if count == 1:
        return list(cards)
    return [Split(*((card, 1) for card in cards[n : n + count]), gap=10) for n in range(0, len(cards), count)]


def _card(card: Card, table: Answers) -> Widget:
    figure = column(
        Label(card.figure, "figure" if table.tight else "title", "bright", centred=True),
        Label(card.under, "label", "quiet", centred=True), gap=0,
    )  # fmt: skip
    head = button(card.head, table) if isinstance(card.head, Deed) else _words(card.head, table)[0]
    words = [head, *(w for line in card.words for w in _words(line, table))]
    if card.deeds:
        words.append(row(*(button(deed, table) for deed in card.deeds), gap=6, wrap=True))
    body = Split((figure, 0.28), (column(*words, gap=5), 0.72), gap=10)
    return column(body, pad=8 if table.tight else 12, plate="raised", edge="gold" if card.chosen else "hairline")


def gauge(each: Gauge) -> BarFigure:
    """So much of so much."""
    return BarFigure(each.name, max(0, each.now), each.most, each.tone)


@_drawn.register
def _gauges(block: Gauges, table: Answers) -> list[Widget]:
    return [Split(*((gauge(each), 1) for each in block.gauges), gap=14)]


@_drawn.register
def _slots(block: Slots, table: Answers) -> list[Widget]:
    return [PackFigure(block.pack)]


@_drawn.register
def _divider(block: Divider, table: Answers) -> list[Widget]:
    return [Rule()]
