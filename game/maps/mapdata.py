"""What a map file says, once it has been read: plain, frozen data for rules, window and set-up.

Cells are integers, ``row * width + column``. ``game.maps.tiled.load_map`` makes these; nothing here opens a file.
"""

from __future__ import annotations

import functools
import itertools
import operator
from array import array
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import compress
from pathlib import Path
from typing import cast, overload

import msgspec

from game.maps.words import VALUE, one_line
from rules.board.bitboard import board_of, cells_of
from rules.board.grid import Field, Terrain
from rules.board.path import spread
from rules.contract.errors import BattlematError
from rules.contract.text import joined, text
from rules.contract.units import EMPTY, Bitboard, Cell


def at_space(field: Field, cell: Cell) -> str:
    """A space in words for map makers, counted as Tiled counts; of a place with its map's name."""
    column, row = field.at(cell)
    if field.maps:
        part = field.part(cell)
        return text("column {column}, row {row} of {map}", column, row - part.top, part.name)
    return text("column {column}, row {row}", column, row)


def some(names: Iterable[str], most: int = 12) -> str:
    """The first of several names, with commas; ``…`` where there are more."""
    given = list(names)
    return joined(", ", (one_line(name, VALUE) for name in given[:most])) + (" …" if len(given) > most else "")


Value = str | int | float | bool
"""What a flattened property can hold; ``stats.hp`` and ``loot.0`` are names of members of classes and lists."""


Colour = tuple[int, int, int]
Tint = tuple[int, int, int, int]
"""What the colours of a layer are multiplied with: red, green, blue and alpha, 0–255."""
NO_TINT: Tint = (255, 255, 255, 255)
BLENDS = (
    "normal", "add", "multiply", "screen", "overlay", "darken", "lighten", "hard-light", "difference", "exclusion",
)  # fmt: skip
"""How a layer may lie over those below it, by Tiled's names."""


class MapProblem(BattlematError):
    """A map that cannot be used: one line that names file, layer, object and the mend."""

    def __init__(self, words: str, /, *values: Value, **fields: Value) -> None:
        super().__init__(one_line(text(words, *values, **fields) if values or fields else words))
        self.all: tuple[str, ...] = (str(self),)
        """Every line there is to say."""


class OutsideProblem(MapProblem):
    """A map that refers to a file outside the folders from which it may read; ``map`` is its path."""

    map: Path | None = None


class MapProblems(MapProblem):
    """Several at once; as text it is the first of them."""

    def __init__(self, problems: Sequence[MapProblem]) -> None:
        first, *more = every = tuple(map(str, problems))
        super().__init__(text("{first} (and {more} more)", first, len(more)) if more else first)
        self.all = every


@dataclass(frozen=True, slots=True)
class TileArt:
    """One tile of one tileset, named by the key ``(tileset, local id)``.

    ``material`` and ``prop`` come from our own tileset's properties and are empty in foreign ones. ``image`` and
    ``rect`` (x, y, width, height in pixels) tell where a foreign tile's picture is; the image is None where the file
    is missing or was not wanted. ``offset`` is the tileset's drawing offset in pixels (x, y). ``key`` is the colour
    of the picture that is transparent. ``frames`` is the animation: indexes of ``LoadedMap.tiles`` and how long each
    is shown, in milliseconds. ``on_grid``: drawn at the size of a space; ``keeps_shape``: never stretched.
    """

    tileset: str
    id: int
    material: str = ""
    prop: str = ""
    image: Path | None = None
    rect: tuple[int, int, int, int] = (0, 0, 0, 0)
    offset: tuple[int, int] = (0, 0)
    key: Colour | None = None
    frames: tuple[tuple[int, int], ...] = ()
    on_grid: bool = False
    keeps_shape: bool = False


class PlacedTile(msgspec.Struct, frozen=True, gc=False):
    """A tile on a layer: the index of its art in ``LoadedMap.tiles`` and how it is turned.

    The flips are Tiled's: first ``diagonal`` (swap of x and y), then ``horizontal`` and ``vertical``.
    """

    cell: Cell
    tile: int
    horizontal: bool = False
    vertical: bool = False
    diagonal: bool = False


class PlacedTiles(Sequence[PlacedTile]):
    """The tiles of a layer, by their spaces; each is made when it is asked for.

    A large map has millions of them: ``cells`` holds their spaces, ``turned`` the indexes of their arts times eight,
    with 4 for a horizontal, 2 for a vertical and 1 for a diagonal flip.
    """

    __slots__ = ("_arts", "cells", "turned")

    def __init__(self, cells: array[int] | None = None, turned: array[int] | None = None) -> None:
        self.cells = array("I") if cells is None else cells
        self.turned = array("I") if turned is None else turned
        self._arts: Counter[int] | None = None

    def __len__(self) -> int:
        return len(self.cells)

    @overload
    def __getitem__(self, index: int) -> PlacedTile: ...
    @overload
    def __getitem__(self, index: slice) -> PlacedTiles: ...
    def __getitem__(self, index: int | slice) -> PlacedTile | PlacedTiles:
        if isinstance(index, slice):
            return PlacedTiles(self.cells[index], self.turned[index])
        return _placed(Cell(self.cells[index]), self.turned[index])

    def __iter__(self) -> Iterator[PlacedTile]:
        return map(_placed, cast(Iterable[Cell], self.cells), self.turned)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, PlacedTiles) and (self.cells, self.turned) == (other.cells, other.turned)

    def __hash__(self) -> int:
        return hash((len(self.cells), self.turned[:8].tobytes()))

    def arts(self) -> Counter[int]:
        """How often each art comes, by its index."""
        if self._arts is None:
            self._arts = Counter(map((3).__rrshift__, self.turned))
        return self._arts

    def only(self, arts: Set[int]) -> PlacedTiles:
        """Those of some arts."""
        used = self.arts().keys()
        if used <= arts:
            return self
        if used.isdisjoint(arts):
            return NO_TILES
        wanted = [turned >> 3 in arts for turned in self.turned]
        return PlacedTiles(array("I", compress(self.cells, wanted)), array("I", compress(self.turned, wanted)))


def _placed(cell: Cell, turned: int) -> PlacedTile:
    return PlacedTile(cell, turned >> 3, bool(turned & 4), bool(turned & 2), bool(turned & 1))


NO_TILES = PlacedTiles()


@dataclass(frozen=True, slots=True)
class Figure:
    """A tile object: the picture of a tile at any place, size and angle.

    ``box`` (left, top, width, height) is in pixels of the map, before it is turned clockwise by ``angle`` degrees
    about ``pivot``. The flips are those of a `PlacedTile`.
    """

    tile: int
    box: tuple[float, float, float, float]
    angle: float = 0.0
    pivot: tuple[float, float] = (0.0, 0.0)
    flips: tuple[bool, bool, bool] = (False, False, False)
    """Diagonal, horizontal, vertical."""
    opacity: float = 1.0


@dataclass(frozen=True, slots=True)
class Backdrop:
    """The picture of an image layer: its upper left corner in pixels of the map, and whether it repeats itself."""

    image: Path
    size: tuple[int, int]
    at: tuple[float, float] = (0.0, 0.0)
    key: Colour | None = None
    across: bool = False
    down: bool = False


@dataclass(frozen=True, slots=True)
class Layer:
    """A layer in draw order (lowest first); ``role`` is ground, decor or roof.

    It has ``tiles``, or ``figures`` (the tile objects of an object layer, in the order in which they are drawn), or a
    ``backdrop``. ``offset`` moves tiles, in pixels of the map. ``opacity``, ``visible`` and ``tint`` include the
    groups around the layer; ``blend`` is one of BLENDS.
    """

    name: str
    role: str
    visible: bool
    opacity: float
    offset: tuple[float, float]
    tiles: PlacedTiles = NO_TILES
    tint: Tint = NO_TINT
    blend: str = "normal"
    figures: tuple[Figure, ...] = ()
    backdrop: Backdrop | None = None


@dataclass(frozen=True, slots=True)
class Prop:
    """A thing to draw on a space by the name of its picture (``assets/art/props/<name>.svg``).

    ``turn`` is clockwise in quarter turns (0–3), applied after ``flip`` (left–right).
    """

    cell: Cell
    name: str
    flip: bool = False
    turn: int = 0


@dataclass(frozen=True, slots=True)
class Spawn:
    """Where a side may be placed: ``count`` creatures (0: as many as there are) on ``cells``, in reading order."""

    side: str
    count: int
    cells: tuple[Cell, ...]
    id: int = 0


@dataclass(frozen=True, slots=True)
class MapCreature:
    """Who stands on the map from the start. ``overrides`` are flattened names (``stats.hp``) with their values."""

    template: str
    side: str
    id: str
    cell: Cell
    asleep: bool = False
    group: str = ""
    overrides: dict[str, Value] = field(default_factory=dict)
    name: str = ""
    object_id: int = 0
    patrol: tuple[Cell, ...] = ()
    """Way points of the round that it walks."""


@dataclass(frozen=True, slots=True)
class MapObject:
    """Any other object: its class (``Chest``, ``Trap``, ``Note`` …), name, spaces in reading order and properties."""

    kind: str
    name: str
    cells: tuple[Cell, ...]
    properties: dict[str, Value] = field(default_factory=dict)
    id: int = 0
    layer: str = ""
    visible: bool = True

    @property
    def cell(self) -> int:
        """The first of its spaces."""
        return self.cells[0]

    def text(self, name: str, default: str = "") -> str:
        """A property as text, ``default`` where it is not set."""
        value = self.properties.get(name, default)
        return value if isinstance(value, str) else str(value)


@dataclass(frozen=True, slots=True)
class LoadedMap:
    """A whole map: ``field`` is what the rules see; the rest is for set-up and for the window.

    ``materials`` holds a word per cell (``slate``, ``wall``, ``water`` …; empty for void, ``"tile"`` where only
    a foreign tileset's picture says what is there). ``strata`` tells for each cell which of ``layers`` its material
    comes from (255: none). ``foreign`` is true if any layer holds pictures of its own to be drawn. ``backward``: tile
    layers are drawn from right to left, from the bottom up. ``background`` is the colour under everything.
    Of a place of several maps the spaces are those of the sheet (rules.board.sheet), and layers and tiles are empty.
    ``ruleset_hints`` are the map's properties that begin with ``ruleset``. ``warnings`` are single lines.
    """

    path: Path
    field: Field
    title: str
    ambient: str
    ruleset_hints: dict[str, Value]
    spawns: tuple[Spawn, ...]
    creatures: tuple[MapCreature, ...]
    chests: tuple[MapObject, ...]
    traps: tuple[MapObject, ...]
    notes: tuple[MapObject, ...]
    regions: tuple[MapObject, ...]
    exits: tuple[MapObject, ...]
    others: tuple[MapObject, ...]
    layers: tuple[Layer, ...]
    tiles: tuple[TileArt, ...]
    materials: tuple[str, ...]
    props: tuple[Prop, ...]
    roof: frozenset[int]
    tile_size: tuple[int, int]
    foreign: bool
    warnings: tuple[str, ...] = ()
    strata: bytes = b""
    backward: tuple[bool, bool] = (False, False)
    background: Colour | None = None
    levels: tuple[LoadedMap, ...] = ()
    """The maps of a place, each as it is by itself: what is drawn is theirs (game.maps.place)."""
    sketch: bool = False
    """Of a place, a map that the record has in rows: no file says anything of it, and it is drawn by its ground."""

    def spawn_cells(self, side: str) -> tuple[Cell, ...]:
        """Every space where ``side`` may be placed, in the order of the map's Spawn objects, none twice."""
        return _spawned(self.spawns, side)


@dataclass(frozen=True, slots=True)
class CheckReport:
    """The verdict on a map: ``problems`` make it unfit, ``notes`` are only worth knowing. All are single lines.

    A map that is ``readable`` opens in the editor; ``lacks`` then says in few words what a fight still needs.
    """

    fit: bool
    problems: tuple[str, ...]
    notes: tuple[str, ...]
    readable: bool = True
    lacks: str = ""


HEROES, MONSTERS = "heroes", "monsters"
APART = 14
"""Spaces of movement between two sides that the map gives no places: beyond the first blow, not beyond sight."""
NEAR = 6
"""How far from the end of the map heroes may begin, where there is more room."""
ROOM = 2
"""About a space so far free ground counts as room for a party."""
PASSABLE = ("open", "closed")
"""Doors that keep nobody apart."""


class Spaces:
    """A row of spaces that may be read again and again; each is worked out when it is first asked for."""

    def __init__(self, cells: Iterable[Cell]) -> None:
        self._known: list[Cell] = []
        self._more = iter(cells)

    def __iter__(self) -> Iterator[Cell]:
        for at in itertools.count():
            if at == len(self._known):
                self._known += itertools.islice(self._more, 1)
            if at == len(self._known):
                return
            yield self._known[at]

    def __bool__(self) -> bool:
        return next(iter(self), None) is not None


def start_spaces(
    field: Field, spawns: Sequence[Spawn], side: str, exits: Iterable[Cell] = (),
    there: Mapping[str, Sequence[Cell]] | None = None,
) -> Spaces:  # fmt: skip
    """The spaces on which a side starts, the best first, then all around that can be walked to.

    On its Spawn spaces in reading order; else about a place of its own. `exits`: where one leaves the map, and
    where heroes come in, if nothing else is said. `there`: where others stand already, by side. What lies around is
    walked only as far as somebody asks: on the largest maps a party must not wait for the other end.
    """
    own = _spawned(spawns, side)
    drawn = {spawn.side for spawn in spawns}
    spawns = [*spawns, *(Spawn(name, 0, tuple(cells)) for name, cells in (there or {}).items()
                         if cells and name != side and name not in drawn)]  # fmt: skip
    return Spaces(_around(field.terrain(), own) if own else _chosen(field, tuple(spawns), side, tuple(exits)))


def _spawned(spawns: Iterable[Spawn], side: str) -> tuple[Cell, ...]:
    return tuple(dict.fromkeys(cell for spawn in spawns if spawn.side == side for cell in spawn.cells))


def _around(terrain: Terrain, spawn: Sequence[Cell]) -> Iterator[Cell]:
    """The spawn spaces, then the spaces that can be walked to from them, nearest first."""
    yield from spawn
    seen = set(spawn)
    waiting = deque(cell for cell in spawn if terrain.fits(cell))
    while waiting:
        for cell, _ in terrain.neighbours(waiting.popleft()):
            if cell not in seen:
                seen.add(cell)
                waiting.append(cell)
                yield cell


@lru_cache(maxsize=64)
def _chosen(field: Field, spawns: tuple[Spawn, ...], side: str, exits: tuple[Cell, ...]) -> tuple[Cell, ...]:
    """A place for a side that the map gives none."""
    doors = sum(1 << number for number, door in enumerate(field.doors) if door.state in PASSABLE)
    terrain = field.terrain(doors)
    drawn = {spawn.side: board_of(_spawned(spawns, spawn.side)) for spawn in spawns}
    ground = _ground(terrain, [cells & ~terrain.blocked for cells in drawn.values()])
    if not ground:
        return ()
    places: dict[str, Bitboard] = {name: cells & ground for name, cells in drawn.items() if cells & ground}
    for name in dict.fromkeys((HEROES, MONSTERS, side)):
        if name not in drawn:
            others = _together(places.values())
            anchor = _away(terrain, ground, others) if others else _entrance(terrain, ground, exits)
            places[name] = 1 << anchor
    # spaces nearest to its own place first; those that others are nearer to come last
    others = _together(cells for name, cells in places.items() if name != side)
    theirs = {cell: far for far, layer in enumerate(_flood(terrain, others)) for cell in cells_of(layer)}
    layers = enumerate(_flood(terrain, places[side]))
    found = [(far >= theirs.get(cell, far + 1), cell) for far, layer in layers for cell in cells_of(layer)]
    return tuple(cell for _, cell in sorted(found, key=lambda each: each[0]))


def _flood(terrain: Terrain, sources: Bitboard) -> list[Bitboard]:
    """The spaces 0, 1, 2 … of movement away, as far as there are any."""
    return spread(terrain, sources, terrain.field.width * terrain.field.height)


def _together(boards: Iterable[Bitboard]) -> Bitboard:
    return functools.reduce(operator.or_, boards, EMPTY)


def _ground(terrain: Terrain, drawn: Iterable[Bitboard]) -> Bitboard:
    """The largest ground that hangs together (a bitboard), or that on which another side's places are."""
    for cells in filter(None, drawn):
        return Bitboard(sum(_flood(terrain, cells & -cells)))
    left, best = terrain.everywhere & ~terrain.blocked, EMPTY
    while left:
        part = Bitboard(sum(_flood(terrain, left & -left)))
        best = max(best, part, key=int.bit_count)
        left &= ~part
    return best


def _entrance(terrain: Terrain, ground: Bitboard, exits: Iterable[Cell]) -> Cell:
    """Where heroes come in: by a way out of the map, else near an end of its ground, where there is room."""
    ways = [cell for cell in exits if ground >> cell & 1]
    start = 1 << ways[0] if ways else _flood(terrain, ground & -ground)[-1]
    layers = _flood(terrain, start & -start)
    near = min(NEAR, len(layers) // 4)
    return _roomiest(terrain, ground, list(enumerate(layers[: near + 1])))


def _away(terrain: Terrain, ground: Bitboard, others: Bitboard) -> Cell:
    """A place with room at a good distance from others; as far as there is ground, where that is less."""
    layers = _flood(terrain, others)
    wanted = min(APART, len(layers) - 1)
    band = range(max(wanted * 3 // 4, wanted - 3), min(len(layers), wanted + 4))
    return _roomiest(terrain, ground, [(abs(far - wanted), layers[far]) for far in band])


def _roomiest(terrain: Terrain, ground: Bitboard, layers: Sequence[tuple[int, Bitboard]]) -> Cell:
    """Of spaces in layers, each with its price, the one with the most room about it; among equals the cheapest."""
    found = (
        (-(terrain.within(cell, ROOM) & ground).bit_count(), price, cell)
        for price, layer in layers
        for cell in cells_of(layer & ground)
    )
    return min(found)[2]
