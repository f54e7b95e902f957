"""A whole order of print: which parts, on which paper, into one file."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple

from game.content.encounter import HEROES
from game.forecast.report import Forecast
from game.paper import cards, maps, sheets
from game.paper.matter import Matter, levels
from game.paper.pages import MILLIMETRES, Pages, Paper
from game.storage.files import write_whole
from rules.contract.errors import BattlematError


class Part(StrEnum):
    """What can be printed."""

    MAP = "map"
    """The map to scale, as players may see it."""
    SECRETS = "secrets"
    """The map to scale with all that is hidden, and marks."""
    KEY = "key"
    """The map on one page with its key."""
    SHEET = "sheet"
    CARDS = "cards"
    HEROES = "heroes"


TOLD = {
    Part.MAP: "the map to scale, as the players may see it",
    Part.SECRETS: "the map to scale with its secrets and marks",
    Part.KEY: "the map on a page with its key",
    Part.SHEET: "the sheet of the encounter",
    Part.CARDS: "cards of the creatures",
    Part.HEROES: "the heroes' sheets",
}
OF_A_MAP = (Part.MAP, Part.SECRETS, Part.KEY)
"""What there is of a map on which nobody stands."""


class Order(NamedTuple):
    """What shall be printed."""

    parts: tuple[Part, ...] = tuple(Part)
    paper: Paper = Paper.A4
    space: float = MILLIMETRES
    """Millimetres of a space of the maps to scale."""
    grid: bool = True
    forecast: Forecast | None = None


Watcher = Callable[[int, int], None]
"""Hears how many pages are done, of about how many."""


def expected(matter: Matter, order: Order) -> int:
    """About how many pages it will take."""
    scaled = sum(part in order.parts for part in (Part.MAP, Part.SECRETS))
    many = maps.sheets_of_paper(matter, order.paper, order.space) * scaled
    if Part.KEY in order.parts:
        many += len(levels(matter))
    if Part.SHEET in order.parts:
        many += 1 + len(matter.draft.pieces) // 8
    if Part.CARDS in order.parts:
        many += -(-len(matter.draft.pieces) // 9)
    if Part.HEROES in order.parts:
        many += -(-sum(piece.side == HEROES for piece in matter.draft.pieces) // 2)
    return many


def printed(matter: Matter, order: Order, watch: Watcher = lambda done, total: None) -> bytes:
    """The PDF. Raises RecordError where a sheet or cards are wanted of an encounter that cannot be played."""
    if not order.parts:
        raise BattlematError("nothing is chosen to be printed: a map, its key, the sheet, cards or heroes")
    total = expected(matter, order)
    pages = Pages(order.paper, matter.title, lambda number: watch(min(number, total), total))
    there = sheets.fighters(matter) if {Part.SHEET, Part.CARDS} & set(order.parts) else ()
    for part in Part:
        if part not in order.parts:
            continue
        if part is Part.MAP:
            maps.to_scale(pages, matter, space=order.space, secrets=False, grid=order.grid)
        elif part is Part.SECRETS:
            maps.to_scale(pages, matter, space=order.space, secrets=True, grid=order.grid)
        elif part is Part.KEY:
            maps.keyed(pages, matter)
        elif part is Part.SHEET:
            sheets.encounter(pages, matter, there, order.forecast)
        elif part is Part.CARDS:
            cards.cards(pages, matter, there)
        else:
            cards.sheets(pages, matter)
    if not pages.count:
        raise BattlematError("there is nothing to print: no heroes stand on the table")
    return pages.done()


def write(matter: Matter, order: Order, path: Path, watch: Watcher = lambda done, total: None) -> int:
    """Write it; gives how many bytes. Raises BattlematError, and leaves no half file."""
    made = printed(matter, order, watch)
    write_whole(path, made)
    return len(made)
