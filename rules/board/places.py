"""A place of several maps: which rows of the field are whose, the ways between them, named rooms.

The maps of a place lie below one another on one field, rows of void between them, so that spaces, ways, doors, sight
and light work over all of them at once (`rules.board.sheet` puts them together). A single map has no parts.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from rules.contract.errors import BattlematError
from rules.contract.text import joined
from rules.contract.units import Bitboard, Cell, Feet

LEVEL_HEIGHT = Feet(10)
"""Feet from one level to the next where nothing else is said (olde.md §4 climb)."""

GAP = 25
"""Rows of void between two maps of a place: farther than anything reaches that asks for no way."""
MOST_MAPS = 12
"""Maps that a place has at most."""
STAIR_KINDS = ("stairs", "ladder", "exit")
MOST_WANDER = 6


class Part(msgspec.Struct, frozen=True):
    """One map of a place: the rows of the field from `top` on, as many as `rows`, in its first `columns` columns."""

    name: str  # as records and links say it
    title: str  # as people say it
    top: int
    rows: int
    columns: int
    ambient: str = "bright"
    theme: str = ""
    story: str = ""
    wander: int = 1
    level_height: Feet = LEVEL_HEIGHT  # feet from one level to the next

    def has_row(self, row: int) -> bool:
        """Whether a row of the field is one of this map."""
        return self.top <= row < self.top + self.rows


class Stair(msgspec.Struct, frozen=True):
    """Whoever stands on `cell` may go over to `to`; the way back is a stair of its own, where there is one."""

    cell: Cell
    to: Cell
    kind: str = "stairs"  # `stairs`, `ladder` or `exit`
    name: str = ""  # as its map calls it


class Room(msgspec.Struct, frozen=True):
    """A named room."""

    name: str
    cells: Bitboard


def check_places(maps: Sequence[Part], stairs: Sequence[Stair], width: int, height: int) -> None:
    """Raises BattlematError for parts that overlap or leave the field, and stairs that lead off it."""
    end = 0
    for part in maps:
        inside = 1 <= part.columns <= width and part.rows >= 1 and part.top + part.rows <= height
        if part.top < end or not inside:
            wrong = "map {name}: rows {top} to {last} are not its own on a field of {width} × {height} spaces"
            raise BattlematError(wrong, part.name, part.top, part.top + part.rows - 1, width, height)
        end = part.top + part.rows
    for stair in stairs:
        if not (0 <= stair.cell < width * height and 0 <= stair.to < width * height) or stair.kind not in STAIR_KINDS:
            wrong, kinds = "{kind} from {a} to {b}: needs two spaces of the map, and {kinds}", joined(", ", STAIR_KINDS)
            raise BattlematError(wrong, stair.kind, stair.cell, stair.to, kinds)
