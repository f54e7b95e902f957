"""Bitboards: sets of spaces as Python integers, a bit for each space."""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntEnum
from itertools import compress
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from rules.contract.units import EMPTY, Bitboard, Cell

_FEW = 16
"""So many spaces are taken off a bitboard one by one; more are found faster in its digits."""
_DENSE = 8
"""Where one of so many digits is set all are gone through at once; where fewer are, from one to the next."""
_SET = bytes(ord("1")) + b"\1" + bytes(255 - ord("1"))
"""What a digit says, for all bytes."""
_WIDE = 4096
"""A bitboard with so many spaces is large enough for that to matter when it's put together."""


def set_bits(board: int) -> list[int]:
    """The bits that are set in a number, in ascending order."""
    cells: list[int] = []
    first = (board & -board).bit_length() - 1  # the empty low part of a large map's board needn't be looked at
    board >>= max(first, 0)
    if board.bit_count() <= _FEW:
        while board:
            low = board & -board
            cells.append(first + low.bit_length() - 1)
            board ^= low
        return cells
    digits = f"{board:b}"[::-1]
    if board.bit_count() * _DENSE > len(digits):
        return list(compress(range(first, first + len(digits)), digits.encode().translate(_SET)))
    place = digits.find("1")
    while place >= 0:
        cells.append(first + place)
        place = digits.find("1", place + 1)
    return cells


if TYPE_CHECKING:

    def cells_of(board: Bitboard) -> list[Cell]:
        """The spaces of a bitboard in ascending order."""

else:
    cells_of = set_bits


def first_of(board: Bitboard) -> Cell:
    """The first space of a bitboard that has any."""
    return Cell((board & -board).bit_length() - 1)


def board_of(cells: Iterable[Cell]) -> Bitboard:
    """The bitboard of some spaces."""
    found = tuple(cells)
    if len(found) > _FEW and (high := max(found)) >= _WIDE:  # bit by bit, each would copy the whole board
        bits = bytearray(high // 8 + 1)
        for cell in found:
            bits[cell >> 3] |= 1 << (cell & 7)
        return Bitboard.from_bytes(bits, "little")
    board = EMPTY
    for cell in found:
        board |= 1 << cell
    return board


def where(kinds: bytes, *wanted: int) -> Bitboard:
    """The bitboard of the spaces whose kind (one byte per space) is among those wanted."""
    digits = kinds.translate(bytes(49 if kind in wanted else 48 for kind in range(256)))
    return Bitboard(digits[::-1] or b"0", 2)


Point = tuple[int, int]
"""(x, y) in half spaces from the map's upper left corner."""


class Grade(IntEnum):
    """How well one creature sees another (olde.md §5)."""

    NONE = 0
    MINIMAL = 1  # from some point of its space to some point of the other's
    PARTIAL = 2  # from the centre of its space to some point of the other's
    CLEAR = 3  # from centre to centre


class View(msgspec.Struct, frozen=True):
    """Bitboards of the spaces that see, or are seen from, one space."""

    clear: Bitboard  # centre to centre; the same both ways
    partial_from: Bitboard  # seen at partial or better from the space
    partial_to: Bitboard  # see the space at partial or better
    minimal: Bitboard  # at minimal or better; the same both ways


Zones = tuple[tuple[tuple[int, int], ...], ...]
"""For each line of the lattice, which places might be otherwise with a door otherwise: (the door's bit, the places)."""


class Fan(NamedTuple):
    """What one point of the lattice sees."""

    first: int  # the line of the first of its rows
    rows: tuple[int, ...]  # the points seen on each line
    hangs: int  # the doors that it came upon, a bit for each; with those as they are it holds, however others stand
    opened: int  # those of them that were open


class Sights:
    """What was found out about sight on one field, by the doors that it hangs on: shared by all its terrains."""

    __slots__ = ("fans", "rows", "views", "zones")

    def __init__(self) -> None:
        self.zones: Zones | None = None
        self.fans: dict[Point, list[Fan]] = {}
        self.rows = 0
        """How many rows all fans have together."""
        self.views: dict[Cell, list[tuple[int, int, View]]] = {}
        """(Doors that it hangs on, those of them that were open, what is seen)."""


class SightMemo:
    """What one terrain remembers about sight."""

    __slots__ = (
        "stride", "solid", "lines", "bare", "pairs", "views", "visible", "glimpses", "doors_open", "shared", "zones",
        "about",
    )  # fmt: skip

    def __init__(self, doors_open: int, solid: int, size: tuple[int, int], shared: Sights, zones: Zones) -> None:
        """`solid`: the lattice's solid parts; `size`: columns and rows of the map; `shared` belongs to the field."""
        width, height = size
        self.doors_open = doors_open
        self.shared, self.zones = shared, zones
        self.about = tuple(union(places for _, places in zone) for zone in zones)
        """On each line the places that might be otherwise with any door otherwise."""
        self.stride = 2 * width + 1
        self.solid = solid
        self.lines = rows_of(solid, self.stride, 2 * height + 1)
        self.bare = {sign: _bare(self.lines, sign) for sign in (1, -1)}
        """The lines, for looks downwards (1) and upwards (−1); even ones hold what the row before doesn't hide."""
        self.pairs: dict[tuple[Cell, Cell], Grade] = {}
        self.views: dict[Cell, View] = {}
        self.visible: dict[tuple[Cell, int], Bitboard] = {}
        self.glimpses: dict[Cell, int] = {}
        """How often single lines were looked at from or to a space; all that it sees is dearer, but serves them all."""

    def hanging(self, y: int, places: int) -> int:
        """The doors that might make a difference in some places of a line."""
        doors = 0
        for door, zone in self.zones[y]:
            if zone & places:
                doors |= door
        return doors


def union(boards: Iterable[int]) -> int:
    """Whatever is in any of these sets."""
    found = 0
    for board in boards:
        found |= board
    return found


def rows_of(board: int, stride: int, count: int) -> tuple[int, ...]:
    """A bitboard cut into rows."""
    row = (1 << stride) - 1
    return tuple(board >> (y * stride) & row for y in range(count))


def _bare(lines: tuple[int, ...], sign: int) -> tuple[int, ...]:
    """Odd lines as they are; from even ones edges are left out that have a blocking square on the nearer side, and
    corners between two such squares: whatever meets these has met a square before."""
    squares = sum(1 << x for x in range(1, max(lines, default=0).bit_length() + 1, 2))
    out = list(lines)
    for y in range(0, len(lines), 2):
        if lines[y] and 0 <= y - sign < len(lines):
            near = lines[y - sign]
            out[y] &= ~(near & (squares | near << 1 & near >> 1))
    return tuple(out)
