"""Terrain: a field with certain doors open, as bitboards; room for creatures and the steps between spaces.

Names of `rules.board.grid`, kept apart because it's the second subject there; import them from `rules.board.grid`.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from enum import IntEnum
from typing import TYPE_CHECKING, Any

import msgspec

from rules.contract.errors import BattlematError

if TYPE_CHECKING:
    from rules.board.grid import Field
    from rules.board.sight_lattice import SightMemo

Cell = int
"""A space: row × width + column."""


class Ground(IntEnum):
    """What standing in a space means."""

    OPEN = 0
    DIFFICULT = 1
    BLOCKED = 2
    VOID = 3


class EdgeWall(msgspec.Struct, frozen=True):
    """A thin wall on the edge between two orthogonal neighbours."""

    a: int
    b: int
    move: bool = True
    """It stops movement."""
    sight: bool = True
    """It stops lines of sight."""


DIRECTIONS: tuple[tuple[int, int], ...] = (
    (0, -1), (1, 0), (0, 1), (-1, 0), (1, -1), (1, 1), (-1, 1), (-1, -1),
)  # fmt: skip
"""(column, row) of the eight directions in their fixed order: north, east, south, west, then the diagonals."""


_FEW = 16
"""So many spaces are taken off a bitboard one by one; more are found faster in its digits."""
_WIDE = 4096
"""A bitboard with so many spaces is large enough for that to matter when it's put together."""


def cells_of(board: int) -> list[Cell]:
    """The spaces of a bitboard in ascending order."""
    cells: list[Cell] = []
    first = (
        board & -board
    ).bit_length() - 1  # the empty low part of a large map's board needn't be looked at
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


def board_of(cells: Iterable[Cell]) -> int:
    """The bitboard of some spaces."""
    found = tuple(cells)
    if len(found) > _FEW and (high := max(found)) >= _WIDE:  # bit by bit, each would copy the whole board
        bits = bytearray(high // 8 + 1)
        for cell in found:
            bits[cell >> 3] |= 1 << (cell & 7)
        return int.from_bytes(bits, "little")
    board = 0
    for cell in found:
        board |= 1 << cell
    return board


def where(kinds: bytes, *wanted: int) -> int:
    """The bitboard of the spaces whose kind (one byte per space) is among those wanted."""
    digits = kinds.translate(bytes(49 if kind in wanted else 48 for kind in range(256)))
    return int(digits[::-1] or b"0", 2)


class Steps(msgspec.Struct, frozen=True):
    """Which steps creatures of one size may take: bitboards of the spaces a step may start from."""

    fit: int
    """Spaces where such a creature has room."""
    difficult: int
    """Spaces where it would cover difficult ground."""
    moves: tuple[tuple[int, int], ...]
    """(starts, shift) per direction, in the order of DIRECTIONS: the step leads to `cell + shift`."""


class Terrain:
    """A field with certain doors open: what blocks, what slows, and the steps between spaces.

    All attributes are bitboards over the field's spaces save `field` and `doors_open`. Get it from `Field.terrain`.
    """

    __slots__ = (
        "field", "doors_open", "blocked", "difficult", "opaque", "pits", "everywhere", "barrier_east", "barrier_south",
        "walls_east", "walls_south", "sight_east", "sight_south", "sight", "distance_memo", "lit_memo", "memo",
        "ways_memo", "column", "_costs", "_neighbours", "_directed", "_steps",
    )  # fmt: skip

    def __init__(self, field: Field, doors_open: int) -> None:
        self.field = field
        self.doors_open = doors_open
        ground = field.ground
        self.pits = where(ground, Ground.VOID)
        self.difficult = where(ground, Ground.DIFFICULT)
        shut = [door for i, door in enumerate(field.doors) if not doors_open >> i & 1]
        shut_spaces = board_of(door.cell for door in shut if door.edge is None)
        walls = where(ground, Ground.BLOCKED)
        self.blocked = walls | self.pits | shut_spaces
        bars = board_of(door.cell for door in shut if door.kind == "portcullis")
        self.opaque = field.opaque | (shut_spaces & ~bars)
        self.everywhere = (1 << field.width * field.height) - 1
        self.column = self.everywhere // ((1 << field.width) - 1)  # the first
        thin = [EdgeWall(d.cell, d.edge, sight=d.kind == "door") for d in shut if d.edge is not None]
        walls_and_doors = (*field.edges, *thin)
        self.walls_east, self.walls_south = self._edges(wall for wall in walls_and_doors if wall.move)
        self.sight_east, self.sight_south = self._edges(wall for wall in walls_and_doors if wall.sight)
        self.barrier_east, self.barrier_south = self._add_ledges(self.walls_east, self.walls_south)
        self.sight: SightMemo | None = None
        self.distance_memo: dict[tuple[Cell, int], tuple[int, ...]] = {}
        self.lit_memo: dict[tuple[tuple[Cell, int, int], ...], int] = {}
        self.memo: dict[Hashable, Any] = {}
        """What others remember of this ground: keys begin with a word of their own."""
        self.ways_memo: dict[tuple[int, int, int, int], Any] = {}
        """What rules.board.path remembers: (space, size, closed, final) -> the ways from there."""
        self._costs: dict[tuple[Cell, int], dict[Cell, int]] = {}
        self._neighbours: dict[tuple[Cell, int], tuple[tuple[Cell, int], ...]] = {}
        self._directed: dict[tuple[Cell, int], tuple[tuple[Cell, int, int], ...]] = {}
        self._steps: dict[int, Steps] = {}

    def _edges(self, walls: Iterable[EdgeWall]) -> tuple[int, int]:
        """Bitboards of the spaces with a wall on their east and on their south edge."""
        east: list[Cell] = []
        south: list[Cell] = []
        for wall in walls:
            first = min(wall.a, wall.b)
            if (
                abs(wall.a - wall.b) == self.field.width
                and self.field.at(wall.a)[0] == self.field.at(wall.b)[0]
            ):
                south.append(first)
            else:
                east.append(first)
        return board_of(east), board_of(south)

    def _add_ledges(self, east: int, south: int) -> tuple[int, int]:
        """A change of level stops a walker as a wall does; only Climb joins levels (olde.md §5)."""
        levels, width = self.field.levels, self.field.width
        if not any(levels):
            return east, south
        across = [each != there for each, there in zip(levels, levels[1:], strict=False)]
        across[width - 1 :: width] = [False] * len(across[width - 1 :: width])
        down = [each != there for each, there in zip(levels, levels[width:], strict=False)]
        return east | where(bytes(across), 1), south | where(bytes(down), 1)

    # ------------------------------------------------------------------------------------------ room

    def space(self, cell: Cell, size: int = 1) -> tuple[Cell, ...]:
        """The spaces that a creature covers, row by row. Raises BattlematError if they leave the map."""
        if size == 1:
            return (cell,)
        width = self.field.width
        column, row = self.field.at(cell)
        if column + size > width or row + size > self.field.height:
            raise BattlematError(f"a creature of {size} × {size} spaces at [{column}, {row}] leaves the map")
        return tuple(cell + y * width + x for y in range(size) for x in range(size))

    def footprint(self, cell: Cell, size: int = 1) -> int:
        """The same as a bitboard."""
        if size == 1:
            return 1 << cell
        return board_of(self.space(cell, size))

    def fits(self, cell: Cell, size: int = 1) -> bool:
        """Whether a creature has room here: all its spaces enterable, on one level, no thin wall between them."""
        return bool(self.steps(size).fit >> cell & 1)

    def touching(self, board: int, size: int = 1) -> int:
        """The spaces where a creature of that size would cover any space of `board`."""
        touching = board
        for y in range(size):
            for x in range(size):
                touching |= board >> (y * self.field.width + x)
        return touching & self.steps(size).fit if size > 1 else touching

    def within(self, cell: Cell, spaces: int, size: int = 1) -> int:
        """The bitboard of spaces at most that many spaces away from a creature (its own at 0); empty below 0."""
        if spaces < 0:
            return 0
        column, row = self.field.at(cell)
        first, end = max(0, row - spaces), min(self.field.height, row + size + spaces)
        rows = (1 << (end - first) * self.field.width) - 1
        columns = self._columns(max(0, column - spaces), min(self.field.width, column + size + spaces))
        return (rows << first * self.field.width) & columns

    def distance(self, a: Cell, b: Cell, size_a: int = 1, size_b: int = 1) -> int:
        """Spaces from one creature to another, nearest to nearest, diagonals 1; 0 if they share a space."""
        width = self.field.width
        if size_a == 1 == size_b:
            across, down = abs(a % width - b % width), abs(a // width - b // width)
            return across if across > down else down
        ay, ax = divmod(a, width)
        by, bx = divmod(b, width)
        return max(bx - ax - size_a + 1, ax - bx - size_b + 1, by - ay - size_a + 1, ay - by - size_b + 1, 0)

    # ----------------------------------------------------------------------------------------- steps

    def steps(self, size: int = 1) -> Steps:
        """The legal steps for creatures of a size, as bitboards. Remembered."""
        found = self._steps.get(size)
        if found is None:
            found = self._steps[size] = self._make_steps(size, self.barrier_east, self.barrier_south)
        return found

    def _make_steps(self, size: int, barrier_east: int, barrier_south: int) -> Steps:
        width = self.field.width
        fit, difficult = self._room(size)
        east = fit & (fit >> 1) & self._columns(0, width - 1)
        south = fit & (fit >> width)
        if size == 1:  # where a larger creature would cross a barrier it has no room in the first place
            east &= ~barrier_east
            south &= ~barrier_south
        # the four diagonals around a vertex share one condition: both ways round the corner are open
        round_vertex = east & (south >> 1) & south & (east >> width)
        moves = (
            (south << width, -width),
            (east, 1),
            (south, width),
            (east << 1, -1),
            (round_vertex << width, 1 - width),
            (round_vertex, width + 1),
            (round_vertex << 1, width - 1),
            (round_vertex << (width + 1), -width - 1),
        )
        return Steps(fit=fit, difficult=difficult, moves=moves)

    def _columns(self, first: int, end: int) -> int:
        """The bitboard of all spaces in the columns from `first` up to, not including, `end`."""
        if end <= first:
            return 0
        return (((1 << (end - first)) - 1) << first) * self.column

    def _room(self, size: int) -> tuple[int, int]:
        width = self.field.width
        free = self.everywhere & ~self.blocked
        fit, difficult = free & self._columns(0, width - size + 1), 0
        for y in range(size):
            for x in range(size):
                offset = y * width + x
                fit &= free >> offset
                difficult |= self.difficult >> offset
                if x + 1 < size:
                    fit &= ~(self.barrier_east >> offset)
                if y + 1 < size:
                    fit &= ~(self.barrier_south >> offset)
        return fit, difficult & fit

    def neighbours(self, cell: Cell, size: int = 1) -> tuple[tuple[Cell, int], ...]:
        """(space, cost) of every legal step, in the order of DIRECTIONS: difficult ground costs 2, other ground 1.

        Diagonals cost as much as other steps and cut no corner: both ways round must be free of blocked spaces,
        thin walls and ledges (olde.md §5). Creatures play no part here.
        """
        found = self._neighbours.get((cell, size))
        if found is None:
            found = tuple((there, cost) for there, cost, _ in self.directed(cell, size))
            self._neighbours[cell, size] = found
        return found

    def costs(self, cell: Cell, size: int = 1) -> dict[Cell, int]:
        """`neighbours` as space -> cost."""
        found = self._costs.get((cell, size))
        if found is None:
            found = self._costs[cell, size] = dict(self.neighbours(cell, size))
        return found

    def directed(self, cell: Cell, size: int = 1) -> tuple[tuple[Cell, int, int], ...]:
        """`neighbours` with each step's index in DIRECTIONS: (space, cost, direction); diagonals are 4 to 7."""
        found = self._directed.get((cell, size))
        if found is None:
            steps = self.steps(size)
            found = self._directed[cell, size] = tuple(
                (cell + shift, 2 if steps.difficult >> (cell + shift) & 1 else 1, direction)
                for direction, (starts, shift) in enumerate(steps.moves)
                if starts >> cell & 1
            )
        return found

    def climbs_from(self, cell: Cell, size: int = 1) -> tuple[Cell, ...]:
        """The adjacent spaces one level up or down that stairs or a ladder join to this one (olde.md §5).

        One of the two must have the stairs or ladder, and no corner, wall or thin wall may stand between.
        """
        field = self.field
        if not field.climbs or not field.levels or not self.fits(cell, size):
            return ()
        here, level = self.footprint(cell, size), field.levels[cell]
        fit = self.steps(size).fit
        found = []
        for target in self._adjacent(cell):
            if not fit >> target & 1 or abs(field.levels[target] - level) != 1:
                continue
            if not field.climbs & (here | self.footprint(target, size)):
                continue
            if self._open_between(cell, target, size):
                found.append(target)
        return tuple(found)

    def _adjacent(self, cell: Cell) -> Iterator[Cell]:
        column, row = self.field.at(cell)
        for x, y in DIRECTIONS:
            if self.field.inside(column + x, row + y):
                yield cell + y * self.field.width + x

    def _open_between(self, a: Cell, b: Cell, size: int) -> bool:
        """Whether a creature could step from a to b if ledges were no hindrance."""
        together = {*self.space(a, size), *self.space(b, size)}
        (ax, ay), (bx, by) = self.field.at(a), self.field.at(b)
        if ax != bx and ay != by:
            width = self.field.width
            together |= {*self.space(ay * width + bx, size), *self.space(by * width + ax, size)}
        if any(self.blocked >> cell & 1 for cell in together):
            return False
        width = self.field.width
        return not any(
            (cell + 1 in together and (cell + 1) % width and self.walls_east >> cell & 1)
            or (cell + width in together and self.walls_south >> cell & 1)
            for cell in together
        )
