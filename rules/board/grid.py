"""Spaces: the field (what a map says), the terrain (the field with certain doors open) and steps on it.

A space is an integer, row × width + column, from the top left. A set of spaces is a Python integer with one bit
per space (a *bitboard*). A large creature covers size × size spaces and is named by its upper left one
(olde.md §5). Everything here is exact, immutable from outside and remembered where it's asked for again.

    >>> field = Field.from_rows(["#####", "#...#", "#.#.#", "#####"])
    >>> field.cell(1, 1), field.at(7)
    (6, (2, 1))
    >>> field.terrain(0).distance(field.cell(1, 2), field.cell(3, 2))
    2
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from enum import IntEnum
from typing import Any, cast

import msgspec

from rules.board.arrivals import Arrival
from rules.board.bitboard import SightMemo, Sights, board_of, where
from rules.board.fixtures import PORTCULLIS, Challenge, Door, Goal, check_goals, open_doors
from rules.board.left import NEVER, Left
from rules.board.places import LEVEL_HEIGHT, Part, Room, Stair, check_places
from rules.contract.errors import BattlematError
from rules.contract.text import text
from rules.contract.units import EMPTY, Bitboard, Cell, Feet

MAX_SIDE = 512
"""A map has at most this many columns and rows."""
_KEPT = 64
"""Grounds that a field remembers: a long fight with many doors must not keep every combination."""


class Ground(IntEnum):
    """What standing in a space means."""

    OPEN = 0
    DIFFICULT = 1
    BLOCKED = 2
    VOID = 3


class EdgeWall(msgspec.Struct, frozen=True):
    """A thin wall on the edge between two orthogonal neighbours."""

    a: Cell
    b: Cell
    move: bool = True  # it stops movement
    sight: bool = True  # it stops lines of sight


DIRECTIONS: tuple[tuple[int, int], ...] = (
    (0, -1), (1, 0), (0, 1), (-1, 0), (1, -1), (1, 1), (-1, 1), (-1, -1),
)  # fmt: skip
"""(column, row) of the eight directions in their fixed order: north, east, south, west, then the diagonals."""


def place_words(column: int, row: int) -> str:
    """A space as people call it, columns and rows counted from 1; records, files and refusals count from 0."""
    return text("column {what}, row {what2}", column + 1, row + 1)


class Passage(msgspec.Struct, frozen=True, gc=False):
    """A way between two spaces that is no step: what planners count it as, in spaces of movement, either way.

    One between spaces that are no neighbours leads over something: whoever takes it needs room to land.
    """

    a: Cell
    b: Cell
    price: int
    wide: bool = False  # creatures wider than a space may take it, too


class Light(msgspec.Struct, frozen=True):
    """A light in a space, radii in spaces."""

    cell: Cell
    bright: int
    dim: int = 0


_SYMBOLS = {"#": Ground.BLOCKED, "~": Ground.DIFFICULT, " ": Ground.VOID, **dict.fromkeys(".+'", Ground.OPEN)}


class Field(msgspec.Struct, frozen=True, dict=True):
    """What a map says to the rules. Doors may open and close in a fight; nothing else here changes.

    Build it by `from_rows`, or give the parts: `ground` has one `Ground` per space, `opaque` is the bitboard of spaces
    whose square blocks sight (closed doors aside, they are added by `terrain`), `levels` one height per space
    (empty = all 0), `climbs` the bitboard of stairs and ladders. Raises BattlematError where the parts disagree.
    """

    width: int
    height: int
    ground: bytes
    opaque: Bitboard = EMPTY
    levels: tuple[int, ...] = ()
    climbs: Bitboard = EMPTY
    edges: tuple[EdgeWall, ...] = ()
    doors: tuple[Door, ...] = ()
    lights: tuple[Light, ...] = ()
    title: str = ""
    level_height: Feet = LEVEL_HEIGHT  # feet from one level to the next
    ambient: str = "bright"  # `bright`, `dim` or `dark`: how light it is where no light shines
    challenges: tuple[Challenge, ...] = ()
    exits: Bitboard = EMPTY  # bitboard of the spaces by which one may leave the map
    passages: tuple[Passage, ...] = ()  # ways past obstacles, laid by the ruleset that plays them
    maps: tuple[Part, ...] = ()  # the maps of a place of several, from the top down; empty for a single map
    stairs: tuple[Stair, ...] = ()  # ways from map to map
    rooms: tuple[Room, ...] = ()
    daylight: Bitboard = EMPTY  # spaces that are lit anyway where `ambient` is darker
    twilight: Bitboard = EMPTY  # those of them that are but dim
    safe: Bitboard = EMPTY  # spaces where a rest is safe
    theme: str = ""  # what the map is: whose bands, treasures and sounds it has; of a place, each part has its own
    story: str = ""  # told at the beginning
    wander: int = 1  # how often bands come by, 0 to 6
    goals: tuple[Goal, ...] = ()  # what is to be done here beside killing
    left: Left = NEVER  # how it was left by those who come again
    arrivals: tuple[Arrival, ...] = ()  # who comes into the fight later

    def __post_init__(self) -> None:
        if not (1 <= self.width <= MAX_SIDE and 1 <= self.height <= MAX_SIDE):
            wrong = "map: {width} × {height} spaces; a map has 1 to {max_side} columns and rows"
            raise BattlematError(wrong, self.width, self.height, MAX_SIDE)
        size = self.width * self.height
        if len(self.ground) != size:
            raise BattlematError("map: {ground} spaces of ground where {size} belong", len(self.ground), size)
        if self.levels and len(self.levels) != size:
            raise BattlematError("map: {levels} levels where {size} belong (or none)", len(self.levels), size)
        if (most := max(self.ground)) > Ground.VOID:
            raise BattlematError("map: ground {ground} is unknown; it goes from 0 to {void}", most, int(Ground.VOID))
        for wall in self.edges:
            self._check_edge("wall", wall.a, wall.b)
        fixtures: tuple[Door | Challenge, ...] = (*self.doors, *self.challenges)
        for fixture in fixtures:
            fixture.check(size)
            for a, b in fixture.along:
                self._check_edge(fixture.called, a, b)
        check_places(self.maps, self.stairs, self.width, self.height)
        if self.goals:
            check_goals(self.goals, size)
        self.__dict__["_terrains"] = {}
        self.__dict__["sights"] = Sights()
        self.__dict__["_altered"] = {}

    def awaited(self, name: str) -> bool:
        """Whether somebody, by its id, comes later."""
        return any(name in wave.who for wave in self.arrivals)

    def _check_edge(self, what: str, a: Cell, b: Cell) -> None:
        size = self.width * self.height
        if not (0 <= a < size and 0 <= b < size):
            raise BattlematError("{what}: the edge {a}-{b} is not between two spaces of the map", what, a, b)
        (ax, ay), (bx, by) = self.at(a), self.at(b)
        if abs(ax - bx) + abs(ay - by) != 1:
            wrong = "{what}: spaces [{ax}, {ay}] and [{bx}, {by}] share no edge; name orthogonal neighbours"
            raise BattlematError(wrong, what=what, ax=ax, ay=ay, bx=bx, by=by)

    @classmethod
    def from_rows(
        cls, rows: Sequence[str], *, levels: Sequence[str] | None = None, climbs: Iterable[Cell] = (),
        edges: Iterable[EdgeWall] = (), doors: Iterable[Door] = (), lights: Iterable[Light] = (), title: str = "",
        level_height: Feet = LEVEL_HEIGHT,
    ) -> Field:  # fmt: skip
        """A field from rows of symbols (record.md): `#` wall, `.` floor, `~` difficult, `+` closed door, `'` open
        door, a blank = void. `levels`: rows of digits, one height per space. `doors`: thin or special doors beside
        those drawn. Raises BattlematError, naming row and column, for ragged rows, unknown symbols and wrong sizes.
        """
        width = _check_rows(rows)
        ground = bytearray()
        opaque = EMPTY
        drawn: list[Door] = []
        for y, row in enumerate(rows):
            for x, symbol in enumerate(row):
                if symbol not in _SYMBOLS:
                    wrong = "map rows: row {y}, column {x}: unknown symbol {symbol}; known are # . ~ + ' and a blank"
                    raise BattlematError(wrong, y, x, repr(symbol))
                kind = _SYMBOLS[symbol]
                if kind >= Ground.BLOCKED:
                    opaque |= 1 << len(ground)
                elif symbol in "+'":
                    state = "closed" if symbol == "+" else "open"
                    drawn.append(Door(id=f"door {x},{y}", cell=Cell(len(ground)), state=state))
                ground.append(kind)
        return cls(
            width=width, height=len(rows), ground=bytes(ground), opaque=opaque,
            levels=_read_levels(levels, width, len(rows)) if levels is not None else (), climbs=board_of(climbs),
            edges=tuple(edges), doors=(*drawn, *doors), lights=tuple(lights), title=title, level_height=level_height,
        )  # fmt: skip

    @property
    def cells(self) -> Sequence[Cell]:
        """All spaces, row by row."""
        return cast(Sequence[Cell], range(self.width * self.height))

    @property
    def known_terrains(self) -> list[Terrain]:
        """The terrains made so far, the latest last: what was found out about one may hold for others."""
        terrains: dict[int, Terrain] = self.__dict__["_terrains"]
        return list(terrains.values())

    @property
    def sights(self) -> Sights:
        """What `rules.board.sight` remembers of this field, doors this way and that."""
        sights: Sights = self.__dict__["sights"]
        return sights

    def cell(self, column: int, row: int) -> Cell:
        """The space at a column and row. Raises BattlematError outside the map."""
        if not self.inside(column, row):
            wrong = "[{column}, {row}] is not on the map: columns 0 to {what}, rows 0 to {what2}"
            raise BattlematError(wrong, column, row, self.width - 1, self.height - 1)
        return Cell(row * self.width + column)

    def at(self, cell: Cell) -> tuple[int, int]:
        """Column and row of a space."""
        row, column = divmod(cell, self.width)
        return column, row

    def inside(self, column: int, row: int) -> bool:
        """Whether a column and row lie on the map."""
        return 0 <= column < self.width and 0 <= row < self.height

    def on_map(self, column: int, row: int) -> bool:
        """Whether a column and row lie on the map; of a place, on one of its maps and not in the void between."""
        if not self.inside(column, row):
            return False
        return not self.maps or any(part.has_row(row) and column < part.columns for part in self.maps)

    def words(self, column: int, row: int) -> str:
        """A space as people call it: columns and rows counted from 1, in a place those of its own map."""
        if not self.maps or not self.inside(column, row):
            return place_words(column, row)
        return place_words(column, row - self.part(Cell(row * self.width + column)).top)

    def level(self, cell: Cell) -> int:
        """The height level of a space (0 where the map says nothing)."""
        return self.levels[cell] if self.levels else 0

    def part(self, cell: Cell) -> Part:
        """The map of a place on which a space lies (between two: the upper one); of a single map, the whole."""
        row = cell // self.width
        found = next((part for part in reversed(self.maps) if part.top <= row), None)
        return found or Part(
            "", self.title, 0, self.height, self.width, ambient=self.ambient, theme=self.theme, story=self.story,
            wander=self.wander,
        )  # fmt: skip

    def spaces_of(self, part: Part) -> Bitboard:
        """The bitboard of all spaces of a map of the place."""
        row = (1 << part.columns) - 1
        return Bitboard(sum(row << y * self.width for y in range(part.top, part.top + part.rows)))

    def room(self, cell: Cell) -> Room | None:
        """The smallest named room that a space belongs to, the first among equals; None outside all of them."""
        around = (room for room in self.rooms if room.cells >> cell & 1)
        return min(around, key=lambda room: room.cells.bit_count(), default=None)

    @property
    def doors_open(self) -> int:
        """The doors that stand open at the start: bit i for `doors[i]`."""
        return open_doors(door.state for door in self.doors)

    def terrain(self, doors_open: int | None = None) -> Terrain:
        """The field with these doors open (bit i for `doors[i]`; left out: as at the start). Remembered."""
        if doors_open is None:
            doors_open = self.doors_open
        terrains: dict[int, Terrain] = self.__dict__["_terrains"]
        found = terrains.get(doors_open)
        if found is None:
            if len(terrains) >= _KEPT:
                terrains.pop(next(iter(terrains)))
            found = terrains[doors_open] = Terrain(self, doors_open)
        return found

    def altered(self, key: Hashable, alter: Callable[[], Field]) -> Field:
        """The field as a fight has altered it for a while; `key` says how, `alter` makes it. Remembered."""
        known: dict[Hashable, Field] = self.__dict__["_altered"]
        found = known.get(key)
        if found is None:
            if len(known) >= _KEPT:
                known.pop(next(iter(known)))
            found = known[key] = alter()
        return found


class Steps(msgspec.Struct, frozen=True):
    """Which steps creatures of one size may take: bitboards of the spaces a step may start from."""

    fit: Bitboard  # spaces where such a creature has room
    difficult: Bitboard  # spaces where it would cover difficult ground
    moves: tuple[tuple[Bitboard, int], ...]
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
        bars = board_of(door.cell for door in shut if door.kind == PORTCULLIS)
        self.opaque = field.opaque | (shut_spaces & ~bars)
        self.everywhere = Bitboard((1 << field.width * field.height) - 1)
        self.column = Bitboard(self.everywhere // ((1 << field.width) - 1))  # the first
        thin = [EdgeWall(d.cell, d.edge, sight=d.kind == "door") for d in shut if d.edge is not None]
        walls_and_doors = (*field.edges, *thin)
        self.walls_east, self.walls_south = self._edges(wall for wall in walls_and_doors if wall.move)
        self.sight_east, self.sight_south = self._edges(wall for wall in walls_and_doors if wall.sight)
        self.barrier_east, self.barrier_south = self._add_ledges(self.walls_east, self.walls_south)
        self.sight: SightMemo | None = None
        self.distance_memo: dict[tuple[Cell, int], tuple[int, ...]] = {}
        self.lit_memo: dict[tuple[tuple[Cell, int, int], ...], Bitboard] = {}
        self.memo: dict[Hashable, Any] = {}
        """What others remember of this ground: keys begin with a word of their own."""
        self.ways_memo: dict[int, dict[tuple[Cell, int, Bitboard, Bitboard], Any]] = {}
        """What rules.board.path remembers, shelf by shelf: (space, size, closed, final) -> the ways from there."""
        self._costs: dict[tuple[Cell, int], dict[Cell, int]] = {}
        self._neighbours: dict[tuple[Cell, int], tuple[tuple[Cell, int], ...]] = {}
        self._directed: dict[tuple[Cell, int], tuple[tuple[Cell, int, int], ...]] = {}
        self._steps: dict[int, Steps] = {}

    def _edges(self, walls: Iterable[EdgeWall]) -> tuple[Bitboard, Bitboard]:
        """Bitboards of the spaces with a wall on their east and on their south edge."""
        east: list[Cell] = []
        south: list[Cell] = []
        for wall in walls:
            first = min(wall.a, wall.b)
            if abs(wall.a - wall.b) == self.field.width and self.field.at(wall.a)[0] == self.field.at(wall.b)[0]:
                south.append(first)
            else:
                east.append(first)
        return board_of(east), board_of(south)

    def _add_ledges(self, east: Bitboard, south: Bitboard) -> tuple[Bitboard, Bitboard]:
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
            wrong = "a creature of {size} × {size} spaces at [{column}, {row}] leaves the map"
            raise BattlematError(wrong, size, column, row)
        return tuple(cell + y * width + x for y in range(size) for x in range(size))

    def footprint(self, cell: Cell, size: int = 1) -> Bitboard:
        """The same as a bitboard."""
        if size == 1:
            return 1 << cell
        return board_of(self.space(cell, size))

    def fits(self, cell: Cell, size: int = 1) -> bool:
        """Whether a creature has room here: all its spaces enterable, on one level, no thin wall between them."""
        return bool(self.steps(size).fit >> cell & 1)

    def touching(self, board: Bitboard, size: int = 1) -> Bitboard:
        """The spaces where a creature of that size would cover any space of `board`."""
        if size == 1:
            return board
        touching = board
        for y in range(size):
            for x in range(size):
                touching |= board >> (y * self.field.width + x)
        return touching & self.steps(size).fit

    def within(self, cell: Cell, spaces: int, size: int = 1) -> Bitboard:
        """The bitboard of spaces at most that many spaces away from a creature (its own at 0); empty below 0."""
        if spaces < 0:
            return EMPTY
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
        if found is not None:
            return found
        width = self.field.width
        fit, difficult = self._room(size)
        east = fit & (fit >> 1) & self._columns(0, width - 1)
        south = fit & (fit >> width)
        if size == 1:  # where a larger creature would cross a barrier it has no room in the first place
            east &= ~self.barrier_east
            south &= ~self.barrier_south
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
        found = self._steps[size] = Steps(fit=fit, difficult=difficult, moves=moves)
        return found

    def _columns(self, first: int, end: int) -> Bitboard:
        """The bitboard of all spaces in the columns from `first` up to, not including, `end`."""
        if end <= first:
            return EMPTY
        return (((1 << (end - first)) - 1) << first) * self.column

    def _room(self, size: int) -> tuple[Bitboard, Bitboard]:
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
        here, level, fit = self.footprint(cell, size), field.levels[cell], self.steps(size).fit
        column, row = field.at(cell)
        beside = (cell + y * field.width + x for x, y in DIRECTIONS if field.inside(column + x, row + y))
        return tuple(
            target
            for target in beside
            if fit >> target & 1 and abs(field.levels[target] - level) == 1
            if field.climbs & (here | self.footprint(target, size)) and self._open_between(cell, target, size)
        )

    def _open_between(self, a: Cell, b: Cell, size: int) -> bool:
        """Whether a creature could step from a to b if ledges were no hindrance."""
        together = {*self.space(a, size), *self.space(b, size)}
        (ax, ay), (bx, by) = self.field.at(a), self.field.at(b)
        if ax != bx and ay != by:
            width = self.field.width
            together |= {*self.space(Cell(ay * width + bx), size), *self.space(Cell(by * width + ax), size)}
        if any(self.blocked >> cell & 1 for cell in together):
            return False
        width = self.field.width
        return not any(
            (cell + 1 in together and (cell + 1) % width and self.walls_east >> cell & 1)
            or (cell + width in together and self.walls_south >> cell & 1)
            for cell in together
        )


def _check_rows(rows: Sequence[str]) -> int:
    if not rows or not rows[0]:
        raise BattlematError("map rows: the map is empty; give at least one row with one space")
    width = len(rows[0])
    if width > MAX_SIDE or len(rows) > MAX_SIDE:
        wrong = "map rows: {width} × {rows} spaces; a map has at most {max_side} × {max_side}"
        raise BattlematError(wrong, width, len(rows), MAX_SIDE)
    for y, row in enumerate(rows):
        if len(row) != width:
            wrong = "map rows: row {y} has {row} columns, row 0 has {width}; make all rows equally long"
            raise BattlematError(wrong, y, len(row), width)
    return width


def _read_levels(levels: Sequence[str], width: int, height: int) -> tuple[int, ...]:
    if len(levels) != height:
        raise BattlematError("map levels: {levels} rows where the map has {height}", len(levels), height)
    heights: list[int] = []
    for y, row in enumerate(levels):
        if len(row) != width:
            raise BattlematError("map levels: row {y} has {row} columns where the map has {width}", y, len(row), width)
        for x, digit in enumerate(row):
            if digit not in "0123456789":
                wrong = "map levels: row {y}, column {x}: {digit} is no digit from 0 to 9"
                raise BattlematError(wrong, y, x, repr(digit))
            heights.append(int(digit))
    return tuple(heights)


def beside(cells: Bitboard, width: int, height: int) -> Bitboard:
    """The bitboard of all spaces that touch one of these, corners included; and these themselves."""
    whole = (1 << width * height) - 1
    first = whole // ((1 << width) - 1)
    west, east = cells & ~first, cells & ~(first << (width - 1))
    found = cells | west >> 1 | east << 1
    return (found | found >> width | found << width) & whole
