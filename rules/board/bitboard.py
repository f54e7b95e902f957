"""Bitboards: sets of spaces as Python integers, a bit for each space."""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from enum import IntEnum
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from rules.contract.units import EMPTY, Bitboard, Cell

_FEW = 16
"""So many spaces are taken off a bitboard one by one; more are found faster in its digits."""
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


class Change(NamedTuple):
    """A line of the lattice on which two memories differ: the parts that do, as lines and as `bare` ones."""

    y: int
    line: int
    down: int
    up: int


_KIN = 24
"""Memories of one field from which others may borrow."""


class SightMemo:
    """What one terrain remembers about sight."""

    __slots__ = (
        "stride", "solid", "lines", "bare", "pairs", "fans", "swept", "views", "visible",
        "glimpses", "doors_open", "kin", "_changes",
    )  # fmt: skip

    def __init__(self, doors_open: int, solid: int, size: tuple[int, int], kin: list[SightMemo]) -> None:
        """`solid`: the lattice's solid parts; `size`: columns and rows of the map."""
        width, height = size
        self.doors_open = doors_open
        self.kin = kin
        """The memories of the same field with other doors open."""
        if len(self.kin) >= _KIN:
            del self.kin[0]
        self.kin.append(self)
        self._changes: dict[int, tuple[Change, ...]] = {}
        self.stride = 2 * width + 1
        self.solid = solid
        self.lines = rows_of(solid, self.stride, 2 * height + 1)
        self.bare = {sign: _bare(self.lines, sign) for sign in (1, -1)}
        """The lines, for looks downwards (1) and upwards (−1); even ones hold what the row before doesn't hide."""
        self.pairs: dict[tuple[Cell, Cell], Grade] = {}
        self.fans: dict[Point, tuple[int, ...]] = {}
        self.swept: dict[Point, tuple[array[int], array[int]]] = {}
        """Downwards and upwards: the least and greatest free slope before each line that a fan came to."""
        self.views: dict[Cell, View] = {}
        self.visible: dict[tuple[Cell, int], Bitboard] = {}
        self.glimpses: dict[Cell, int] = {}
        """How often single lines were looked at from or to a space; all that it sees is dearer, but serves them all."""

    def changes(self, other: SightMemo) -> tuple[Change, ...]:
        """Where another memory of this field has other lines."""
        found = self._changes.get(other.doors_open)
        if found is None:
            found = self._changes[other.doors_open] = tuple(
                Change(y, line ^ old, *(self.bare[sign][y] ^ other.bare[sign][y] for sign in (1, -1)))
                for y, (line, old) in enumerate(zip(self.lines, other.lines, strict=True))
                if line != old or any(self.bare[sign][y] != other.bare[sign][y] for sign in (1, -1))
            )
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
