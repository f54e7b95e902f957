"""Spaces: the field (what a map says), the terrain (the field with certain doors open) and steps on it.

A space is an integer, row × width + column, from the top left. A set of spaces is a Python integer with one bit
per space (a *bitboard*). A large creature covers size × size spaces and is named by its upper left one
(olde.md §5). Everything here is exact, immutable from outside and remembered where it's asked for again.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import TYPE_CHECKING

import msgspec

from rules.board.terrain import DIRECTIONS, Cell, EdgeWall, Ground, Steps, Terrain, board_of, cells_of, where
from rules.contract.errors import BattlematError

if TYPE_CHECKING:
    from rules.board.sight_lattice import SightMemo

__all__ = [
    "Cell", "DIRECTIONS", "DOOR_KINDS", "DOOR_STATES", "Door", "EdgeWall", "Field", "Ground", "Light", "MAX_SIDE",
    "Passage", "Steps", "Terrain", "board_of", "cells_of", "door_states", "where",
]  # fmt: skip

MAX_SIDE = 512
"""A map has at most this many columns and rows."""
_KEPT = 64
"""Grounds that a field remembers: a long fight with many doors must not keep every combination."""

DOOR_STATES = ("open", "closed", "locked", "secret", "barred")


class Door(msgspec.Struct, frozen=True):
    """A door that fills the space `cell`, or a thin one on the edge between `cell` and `edge`."""

    id: str
    cell: int
    edge: int | None = None
    state: str = "closed"
    """`open`, `closed`, `locked`, `secret` or `barred`: how it stands at the start."""
    key: str = ""
    difficulty: int = 9
    kind: str = "door"
    """`door`, or `portcullis`: seen and shot through, and lifted rather than opened."""


class Challenge(msgspec.Struct, frozen=True):
    """What a map puts in somebody's way; rulesets that know challenges play it, others leave it alone."""

    id: str
    kind: str
    """`trap` or `chest`; `climb` (a face, a low wall), `water` (deep) or `rubble`: ground that no walk enters."""
    cells: tuple[int, ...]
    """The spaces that it covers; of a `climb` on edges, those along it."""
    difficulty: int = 9
    """What disarming or opening it has to reach."""
    notice: int = 9
    """What seeing it in time, or finding it, has to reach."""
    damage: str = ""
    """Dice, such as `d6` or `2d4+1`."""
    effect: str = ""
    """A condition that it leaves."""
    contents: str = ""
    hidden: bool = False
    known: tuple[str, ...] = ()
    """Sides that know of it from the start."""
    edges: tuple[tuple[int, int], ...] = ()
    """`climb` alone: the edges between two spaces that it runs along, where it fills no spaces."""
    height: int = 1
    """`climb` alone: the levels that one may fall there; 0 = no farther than one's own length."""


CHALLENGES = ("trap", "chest", "climb", "water", "rubble")
OBSTACLES = ("climb", "water", "rubble")
"""Challenges that stand in the way as long as nobody has got past them."""
DOOR_KINDS = ("door", "portcullis")


def place_words(column: int, row: int) -> str:
    """A space as people call it, columns and rows counted from 1; records, files and refusals count from 0."""
    return f"column {column + 1}, row {row + 1}"


def door_states(kind: str) -> tuple[str, ...]:
    """How a door of a kind may stand: everybody sees a portcullis, and only its weight keeps it shut."""
    return ("open", "closed") if kind == "portcullis" else DOOR_STATES


class Passage(msgspec.Struct, frozen=True, gc=False):
    """A way between two spaces that is no step: what planners count it as, in spaces of movement, either way.

    One between spaces that are no neighbours leads over something: whoever takes it needs room to land.
    """

    a: int
    b: int
    price: int
    wide: bool = False
    """Creatures wider than a space may take it, too."""


class Light(msgspec.Struct, frozen=True):
    """A light in a space, radii in spaces."""

    cell: int
    bright: int
    dim: int = 0


_SYMBOLS = {
    "#": Ground.BLOCKED,
    ".": Ground.OPEN,
    "~": Ground.DIFFICULT,
    "+": Ground.OPEN,
    "'": Ground.OPEN,
    " ": Ground.VOID,
}


class Field(msgspec.Struct, frozen=True, dict=True):
    """What a map says to the rules. Doors may open and close in a fight; nothing else here changes.

    Build it by `from_rows`, or give the parts: `ground` has one `Ground` per space, `opaque` is the bitboard of spaces
    whose square blocks sight (closed doors aside, they are added by `terrain`), `levels` one height per space
    (empty = all 0), `climbs` the bitboard of stairs and ladders. Raises BattlematError where the parts disagree.
    """

    width: int
    height: int
    ground: bytes
    opaque: int = 0
    levels: tuple[int, ...] = ()
    climbs: int = 0
    edges: tuple[EdgeWall, ...] = ()
    doors: tuple[Door, ...] = ()
    lights: tuple[Light, ...] = ()
    title: str = ""
    level_height: int = 10
    """Feet from one level to the next."""
    ambient: str = "bright"
    """`bright`, `dim` or `dark`: how light it is where no light shines."""
    challenges: tuple[Challenge, ...] = ()
    exits: int = 0
    """Bitboard of the spaces by which one may leave the map."""
    passages: tuple[Passage, ...] = ()
    """Ways past obstacles, laid by the ruleset that plays them."""

    def __post_init__(self) -> None:
        if not (1 <= self.width <= MAX_SIDE and 1 <= self.height <= MAX_SIDE):
            raise BattlematError(
                f"map: {self.width} × {self.height} spaces; a map has 1 to {MAX_SIDE} columns and rows"
            )
        size = self.width * self.height
        if len(self.ground) != size:
            raise BattlematError(f"map: {len(self.ground)} spaces of ground where {size} belong")
        if self.levels and len(self.levels) != size:
            raise BattlematError(f"map: {len(self.levels)} levels where {size} belong (or none)")
        if max(self.ground) > Ground.VOID:
            raise BattlematError(
                f"map: ground {max(self.ground)} is unknown; it goes from 0 to {int(Ground.VOID)}"
            )
        for wall in self.edges:
            self._check_edge("wall", wall.a, wall.b)
        for door in self.doors:
            if not 0 <= door.cell < size:
                raise BattlematError(f"door {door.id}: space {door.cell} is not on the map")
            if door.state not in DOOR_STATES:
                raise BattlematError(
                    f"door {door.id}: unknown state {door.state!r}; known are {', '.join(DOOR_STATES)}"
                )
            if door.kind == "portcullis" and door.state not in door_states(door.kind):
                raise BattlematError(f"door {door.id}: a portcullis is open or closed, not {door.state}")
            if door.kind not in DOOR_KINDS:
                raise BattlematError(
                    f"door {door.id}: unknown kind {door.kind!r}; known are {', '.join(DOOR_KINDS)}"
                )
            if door.edge is not None:
                self._check_edge(f"door {door.id}", door.cell, door.edge)
        for challenge in self.challenges:
            if challenge.kind not in CHALLENGES or not all(0 <= cell < size for cell in challenge.cells):
                raise BattlematError(
                    f"{challenge.kind} {challenge.id}: needs a known kind and spaces on the map"
                )
            for a, b in challenge.edges:
                self._check_edge(f"{challenge.kind} {challenge.id}", a, b)
        self.__dict__["_terrains"] = {}
        self.__dict__["sights"] = []
        self.__dict__["_altered"] = {}

    def _check_edge(self, what: str, a: Cell, b: Cell) -> None:
        size = self.width * self.height
        if not (0 <= a < size and 0 <= b < size):
            raise BattlematError(f"{what}: the edge {a}-{b} is not between two spaces of the map")
        (ax, ay), (bx, by) = self.at(a), self.at(b)
        if abs(ax - bx) + abs(ay - by) != 1:
            raise BattlematError(
                f"{what}: spaces [{ax}, {ay}] and [{bx}, {by}] share no edge; name orthogonal neighbours"
            )

    @classmethod
    def from_rows(
        cls,
        rows: Sequence[str],
        *,
        levels: Sequence[str] | None = None,
        climbs: Iterable[Cell] = (),
        edges: Iterable[EdgeWall] = (),
        doors: Iterable[Door] = (),
        lights: Iterable[Light] = (),
        title: str = "",
        level_height: int = 10,
    ) -> Field:
        """A field from rows of symbols (record.md): `#` wall, `.` floor, `~` difficult, `+` closed door, `'` open
        door, a blank = void. `levels`: rows of digits, one height per space. `doors`: thin or special doors beside
        those drawn. Raises BattlematError, naming row and column, for ragged rows, unknown symbols and wrong sizes.
        """
        width = _check_rows(rows)
        ground = bytearray()
        opaque = 0
        drawn: list[Door] = []
        for y, row in enumerate(rows):
            for x, symbol in enumerate(row):
                if symbol not in _SYMBOLS:
                    raise BattlematError(
                        f"map rows: row {y}, column {x}: unknown symbol {symbol!r}; "
                        "known are # . ~ + ' and a blank"
                    )
                kind = _SYMBOLS[symbol]
                if kind >= Ground.BLOCKED:
                    opaque |= 1 << len(ground)
                elif symbol in "+'":
                    state = "closed" if symbol == "+" else "open"
                    drawn.append(Door(id=f"door {x},{y}", cell=len(ground), state=state))
                ground.append(kind)
        return cls(
            width=width,
            height=len(rows),
            ground=bytes(ground),
            opaque=opaque,
            levels=_read_levels(levels, width, len(rows)) if levels is not None else (),
            climbs=board_of(climbs),
            edges=tuple(edges),
            doors=(*drawn, *doors),
            lights=tuple(lights),
            title=title,
            level_height=level_height,
        )

    @property
    def known_terrains(self) -> list[Terrain]:
        """The terrains made so far, the latest last: what was found out about one may hold for others."""
        terrains: dict[int, Terrain] = self.__dict__["_terrains"]
        return list(terrains.values())

    @property
    def sights(self) -> list[SightMemo]:
        """What `rules.board.sight` remembers of this field, doors this way and that, the latest last."""
        sights: list[SightMemo] = self.__dict__["sights"]
        return sights

    def cell(self, column: int, row: int) -> Cell:
        """The space at a column and row. Raises BattlematError outside the map."""
        if not self.inside(column, row):
            raise BattlematError(
                f"[{column}, {row}] is not on the map: columns 0 to {self.width - 1}, rows 0 to {self.height - 1}"
            )
        return row * self.width + column

    def at(self, cell: Cell) -> tuple[int, int]:
        """Column and row of a space."""
        row, column = divmod(cell, self.width)
        return column, row

    def inside(self, column: int, row: int) -> bool:
        """Whether a column and row lie on the map."""
        return 0 <= column < self.width and 0 <= row < self.height

    def level(self, cell: Cell) -> int:
        """The height level of a space (0 where the map says nothing)."""
        return self.levels[cell] if self.levels else 0

    @property
    def doors_open(self) -> int:
        """The doors that stand open at the start: bit i for `doors[i]`."""
        return board_of(i for i, door in enumerate(self.doors) if door.state == "open")

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


def _check_rows(rows: Sequence[str]) -> int:
    if not rows or not rows[0]:
        raise BattlematError("map rows: the map is empty; give at least one row with one space")
    width = len(rows[0])
    if width > MAX_SIDE or len(rows) > MAX_SIDE:
        raise BattlematError(
            f"map rows: {width} × {len(rows)} spaces; a map has at most {MAX_SIDE} × {MAX_SIDE}"
        )
    for y, row in enumerate(rows):
        if len(row) != width:
            raise BattlematError(
                f"map rows: row {y} has {len(row)} columns, row 0 has {width}; make all rows equally long"
            )
    return width


def _read_levels(levels: Sequence[str], width: int, height: int) -> tuple[int, ...]:
    if len(levels) != height:
        raise BattlematError(f"map levels: {len(levels)} rows where the map has {height}")
    heights: list[int] = []
    for y, row in enumerate(levels):
        if len(row) != width:
            raise BattlematError(f"map levels: row {y} has {len(row)} columns where the map has {width}")
        for x, digit in enumerate(row):
            if digit not in "0123456789":
                raise BattlematError(f"map levels: row {y}, column {x}: {digit!r} is no digit from 0 to 9")
            heights.append(int(digit))
    return tuple(heights)


def beside(cells: int, width: int, height: int) -> int:
    """The bitboard of all spaces that touch one of these, corners included; and these themselves."""
    first = sum(1 << width * y for y in range(height))
    whole = (1 << width * height) - 1
    west, east = cells & ~first, cells & ~(first << (width - 1))
    found = cells | west >> 1 | east << 1
    return (found | found >> width | found << width) & whole
