"""The sheet of an encounter: who is there with what they can do, boxes for hit points and turns, and how it may end."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import partial
from typing import Any, NamedTuple

import pygame

from game.characters.heroes import PLACE
from game.fight.match import Match
from game.forecast.report import Forecast
from game.paper.boards import Boards, board_of
from game.paper.maps import marked
from game.paper.matter import Matter, creatures, levels
from game.paper.pages import GOLD, LINE, SOFT, Box, Pages, columns, side_ink
from game.setup import bestiary, trial
from game.setup.draft import to_record
from rules.contract.display import Bar, Line, Sheet
from rules.contract.text import Text, joined, text
from rules.core.registry import ruleset as ruleset_of

ROUNDS = 10
"""Boxes to tick in the order of play."""
MOST_BOXES = 40
"""More points than these are a line to write on."""
PLAN_HIGH = 92.0
"""Millimetres of the plan at the most."""


class Fighter(NamedTuple):
    """Somebody in the encounter."""

    number: str
    name: str
    kind: str
    """What the bestiary calls it."""
    side: str
    sheet: Sheet
    entry: Mapping[str, Any]
    """Its stat block, with what the encounter says otherwise."""


class Block(NamedTuple):
    """Creatures that differ in nothing but their names."""

    kind: str
    side: str
    sheet: Sheet
    fighters: tuple[Fighter, ...]


def fighters(matter: Matter) -> tuple[Fighter, ...]:
    """Everybody on the table as the fight begins. Raises RecordError for an encounter that cannot be played."""
    match = Match.from_record(to_record(matter.draft), beside=matter.beside)
    marks = {entry.cell: entry.mark for entry in creatures(matter)}
    found = []
    for number, piece in enumerate(matter.draft.pieces, 1):
        sheet = match.ruleset.sheet(match.state, piece.id)
        cell = matter.field.cell(*piece.spot) if piece.spot is not None else None
        kind = bestiary.called(matter.draft.ruleset, {**piece.entry, "name": None})
        mark = marks.get(cell, str(number)) if cell is not None else str(number)
        found.append(Fighter(mark, sheet.name, kind if kind != piece.id else sheet.name, piece.side, sheet,
                             trial.block_of(matter.draft.ruleset, piece.entry)))  # fmt: skip
    return tuple(found)


def blocks(there: tuple[Fighter, ...]) -> tuple[Block, ...]:
    """The same with those put together whose stat blocks are alike, in the order in which they first appear."""
    found: dict[object, list[Fighter]] = {}
    for each in there:
        block = {name: said for name, said in each.entry.items() if name not in PLACE and name != "id"}
        alike = (each.side, each.kind, json.dumps(block, sort_keys=True, default=str))
        found.setdefault(alike, []).append(each)
    return tuple(
        Block(group[0].kind if len(group) > 1 else group[0].name, group[0].side, group[0].sheet, tuple(group))
        for group in found.values()
    )


def encounter(pages: Pages, matter: Matter, there: tuple[Fighter, ...], forecast: Forecast | None) -> None:
    """The sheet, as many pages as it takes."""
    box = pages.begin()
    y = pages.line(matter.title, box.x, box.y, kind="serif-bold", size=20)
    y = pages.wrapped(_sides(matter, there), (box.x, y, box.wide), size=10, ink=SOFT) + 1
    if forecast is not None and forecast.runs:
        for line in foretold(forecast):
            y = pages.wrapped(line, (box.x, y, box.wide), size=10)
    y = _plan(pages, matter, Box(box.x, y + 2, box.wide, box.bottom - y))
    y = _order(pages, matter, there, Box(box.x, y + 3, box.wide, box.bottom - y))
    _blocks(pages, matter, there, Box(box.x, y + 3, box.wide, box.bottom - y - 3))


def _sides(matter: Matter, there: tuple[Fighter, ...]) -> str:
    """How many of which side, and under which rules."""
    counts = {side: sum(each.side == side for each in there) for side in matter.draft.sides()}
    parties = ", ".join(Text.of("{side}: {count}", side=side, count=count) for side, count in counts.items())
    return Text.of("{rules} · {parties}", rules=ruleset_of(matter.draft.ruleset).title, parties=parties)


def foretold(forecast: Forecast) -> list[str]:
    """What a forecast says, in a sentence for each side."""
    told: list[str] = []
    for side in forecast.sides:
        won = side.wins
        told.append(
            Text.of(
                "{side} win {share} % of {runs} fights played out ({low} to {high} %) and lose {lost} of {count}.",
                side=side.side.capitalize(), share=round(100 * won.share), runs=forecast.runs,
                low=round(100 * won.low), high=round(100 * won.high), lost=f"{side.losses.mean:.1f}",
                count=side.creatures,
            )
        )  # fmt: skip
    return told


def _plan(pages: Pages, matter: Matter, box: Box) -> float:
    """The maps, small, with the numbers of those who stand there; gives the y below."""
    boards = Boards(matter.field, matter.loaded, board_of(matter, secrets=True))
    entries = creatures(matter)
    wide = matter.field.width
    shown = [
        level
        for level in levels(matter)
        if len(levels(matter)) == 1 or any(level.top <= e.cell // wide < level.top + level.rows for e in entries)
    ]
    low = box.y
    for level, place in zip(shown, columns(box, max(1, len(shown)), 4), strict=True):
        space = min(place.wide / level.columns, PLAN_HIGH / level.rows)
        spaces = pygame.Rect(0, level.top, level.columns, level.rows)
        there = Box(place.x, place.y, level.columns * space, level.rows * space)
        pages.picture(boards.picture(spaces, max(16, min(120, 1800 // max(level.columns, level.rows)))), there)
        pages.frame(there, ink=LINE)
        marked(pages, matter, entries, (spaces, there))
        low = max(low, there.bottom)
    return low


def _order(pages: Pages, matter: Matter, there: tuple[Fighter, ...], box: Box) -> float:
    """The order of play, with a box for each round; gives the y below."""
    y = heading(pages, text("Order of play"), box)
    for place, group in zip(columns(box, 2, 8), _halves(there), strict=True):
        low = y
        for each in group:
            if low + 5 > box.bottom:
                break
            pages.disc((place.x + 2.2, low + 2), 2.1, side_ink(each.side, matter.draft.sides()), each.number)
            size = pages.fitting(each.name, 38, kind="text", size=9)
            pages.line(each.name, place.x + 6, low + 0.6, size=size)
            for number in range(ROUNDS):
                pages.frame(Box(place.right - (ROUNDS - number) * 4.2, low + 0.4, 3.4, 3.4), ink=SOFT, wide=0.15)
            low += 5
        box = Box(box.x, box.y, box.wide, box.high)
    rows = -(-len(there) // 2)
    return min(box.bottom, y + rows * 5)


def _halves(there: tuple[Fighter, ...]) -> tuple[tuple[Fighter, ...], tuple[Fighter, ...]]:
    middle = -(-len(there) // 2)
    return there[:middle], there[middle:]


def heading(pages: Pages, words: str, box: Box) -> float:
    """A heading with a line below it; gives the y below."""
    y = pages.line(words, box.x, box.y, kind="serif-bold", size=12, ink=GOLD)
    pages.stroke((box.x, y), (box.right, y), ink=LINE)
    return y + 1.6


def _blocks(pages: Pages, matter: Matter, there: tuple[Fighter, ...], box: Box) -> None:
    """Stat blocks in two columns, over as many pages as they take."""
    places = list(columns(box, 2, 8)) if box.high > 60 else list(columns(pages.begin(), 2, 8))
    place = places.pop(0)
    y = place.y
    for block in blocks(there):
        here = Box(place.x, y, place.wide, 0)
        high = pages.measured(partial(_block, pages, matter, block, here)) - y
        if y > place.y and y + high > place.bottom:
            if not places:
                places = list(columns(pages.begin(), 2, 8))
            place = places.pop(0)
            y = place.y
        y = _block(pages, matter, block, Box(place.x, y, place.wide, 0)) + 4


def _block(page: Pages, matter: Matter, block: Block, box: Box) -> float:
    """A stat block with boxes for everybody who has it; gives the y below."""
    y = page.line(block.kind, box.x, box.y, kind="serif-bold", size=12, ink=side_ink(block.side, matter.draft.sides()))
    y = page.wrapped(about(matter, block), (box.x, y, box.wide), size=8, ink=SOFT)
    y = page.wrapped(figures(block.sheet), (box.x, y + 0.5, box.wide), size=9, kind="bold")
    for words in lines(block.sheet):
        y = page.wrapped(words, (box.x, y + 0.3, box.wide), size=8.2)
    for each in block.fighters:
        y += 1.2
        page.disc((box.x + 2.4, y + 1.8), 2.3, side_ink(each.side, matter.draft.sides()), each.number)
        low = page.line(each.name, box.x + 6.4, y, kind="bold", size=9)
        for bar in pools(each.sheet):
            low = _pool(page, bar, Box(box.x + 6.4, low + 0.4, box.wide - 6.4, 0))
        y = max(low, y + 5)
    page.stroke((box.x, y + 1.4), (box.right, y + 1.4))
    return y + 1.4


def _pool(pages: Pages, bar: Bar, box: Box) -> float:
    """A pool: its name, and a box for each point, or room to write; gives the y below."""
    pages.line(bar.label, box.x, box.y, size=7.5, ink=SOFT)
    if bar.maximum > MOST_BOXES:
        pages.stroke((box.x + 22, box.y + 3.4), (box.x + 48, box.y + 3.4), ink=SOFT)
        return pages.line(text("of {maximum}", bar.maximum), box.x + 50, box.y, size=8) + 0.8
    return pages.boxes(bar.maximum, box.x + 22, box.y, box.wide - 22)


def pools(sheet: Sheet) -> list[Bar]:
    """What is ticked off in a fight: not what comes anew each turn."""
    return [bar for bar in sheet.bars if bar.tone != "points" and bar.maximum > 0]


def figures(sheet: Sheet) -> str:
    """Pools and figures in one line."""
    told = [Text.of("{label} {figure}", label=bar.label, figure=bar.maximum) for bar in sheet.bars if bar.maximum]
    told += [Text.of("{label} {figure}", label=name, figure=figure) for name, figure in sheet.stats]
    return " · ".join(told)


def about(matter: Matter, block: Block) -> str:
    """What the bestiary says of a kind, in a few words."""
    entry = block.fighters[0].entry
    told = [str(entry.get("kind", "")), str(entry.get("summary", ""))]
    return joined(" · ", [part for part in told if part])


def lines(sheet: Sheet) -> list[str]:
    """All that it has and can, a line each; what it carries in one."""
    told = [worded(line) for line in sheet.lines]
    if sheet.pack is not None and sheet.pack.held:
        held = joined(", ", [Text.of("{label}", label=each.label) for each in sheet.pack.held])
        told.append(text("Carries: {held}.", held))
    return told


def worded(line: Line) -> str:
    """A line of a sheet as one sentence."""
    if not line.detail:
        return line.text
    return f"{line.text}. {line.detail}" if line.trait else f"{line.text}  {line.detail}"
