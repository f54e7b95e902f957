"""What the tiles of each space say: ground, sight, light, height and climbing; and how the space is drawn."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import compress

from pytmx import TiledMap, TiledTileLayer

from game.maps import limits
from game.maps.limits import Place
from game.maps.mapdata import Layer, PlacedTiles, Prop, TileArt, Value
from game.maps.normalise import NUMBERS, Normal, moved
from game.maps.tilesets import GID_MASK, Tileset
from game.maps.words import shown
from rules.board.grid import Ground
from rules.contract.text import joined, text
from rules.contract.units import Cell

MOVES = {"open": Ground.OPEN, "difficult": Ground.DIFFICULT, "blocked": Ground.BLOCKED, "gap": Ground.VOID}
"""A gap cannot be walked on but seen and leapt across; a space with no ground tile at all blocks sight too."""
NO_LAYER = 255
NO_GROUND = (
    "no layer has ground tiles, so nobody can stand anywhere; in Tiled draw a tile layer where one can stand, "
    "under the picture if the map is one"
)
ROLES = ("ground", "decor", "roof")
MAX_LEVEL = 9
MAX_LIGHT = 64

_TURNS = {
    0: (False, 0), 4 | 1: (False, 1), 4 | 2: (False, 2), 2 | 1: (False, 3),
    4: (True, 0), 4 | 2 | 1: (True, 1), 2: (True, 2), 1: (True, 3),
}  # fmt: skip
"""Flips (4 horizontal, 2 vertical, 1 diagonal) to (flip, quarter turns)."""


@dataclass(frozen=True, slots=True)
class Meaning:
    """What standing on a tile means, and what is drawn of ours."""

    move: int
    opaque: bool
    light: int
    climb: bool
    level: int
    material: str
    prop: str
    blit: bool


NO_TILE = Meaning(Ground.VOID, opaque=False, light=0, climb=False, level=0, material="", prop="", blit=False)


@dataclass(slots=True)
class _Known:
    """The tiles that a map uses, by their numbers with flags; each is looked at once."""

    kinds: dict[int, int] = field(default_factory=lambda: {0: 0})
    """The index of what it means; 0 is no tile."""
    turned: dict[int, int] = field(default_factory=lambda: {0: 0})
    """Its art and flips, as `PlacedTiles` has them."""
    meanings: list[Meaning] = field(default_factory=lambda: [NO_TILE])
    """All that tiles of the map mean, each once."""
    indexes: dict[Meaning, int] = field(default_factory=dict)

    def add(self, number: int, meaning: Meaning, art: int) -> None:
        """One more tile."""
        index = self.indexes.setdefault(meaning, len(self.meanings))
        if index == len(self.meanings):
            self.meanings.append(meaning)
        self.kinds[number], self.turned[number] = index, art << 3 | number >> 29


class _Placed:
    """The tiles of a layer, space by space: each by the index of what it means.

    Large maps have millions of tiles, but few that mean different things: whatever is asked of all spaces is looked up
    in a table.
    """

    def __init__(self, numbers: array[int], known: _Known) -> None:
        self.numbers = numbers
        """Of the tiles, with their flags; 0 is none."""
        self._known, self.meanings = known, known.meanings
        places = map(known.kinds.__getitem__, numbers)
        self._indexes = bytes(places) if len(self.meanings) <= 256 else array(NUMBERS, places)
        self._used = sorted({*self._indexes} - {0})

    def present(self) -> list[Meaning]:
        """What its tiles mean, each once."""
        return [self.meanings[index] for index in self._used]

    def plane(self, of: Callable[[Meaning], int]) -> bytes | None:
        """A number from 0 to 255 for every space, 0 where there is no tile; None if it is 0 everywhere."""
        table = bytearray(max(256, len(self.meanings)))
        for index in self._used:
            table[index] = of(self.meanings[index])
        if not any(table):
            return None
        if isinstance(self._indexes, bytes):
            return self._indexes.translate(table)
        return bytes(map(table.__getitem__, self._indexes))

    def those(self, of: Callable[[Meaning], object]) -> Iterator[tuple[Cell, Meaning]]:
        """The spaces whose tile has something, with what it means, in order."""
        plane = self.plane(lambda meaning: bool(of(meaning)))
        if plane is not None:
            for cell, index in compress(enumerate(self._indexes), plane):
                yield Cell(cell), self.meanings[index]

    def tiles(self) -> PlacedTiles:
        """All of them as they are drawn."""
        numbers = self.numbers
        turned = map(self._known.turned.__getitem__, filter(None, numbers))
        return PlacedTiles(array(NUMBERS, compress(range(len(numbers)), numbers)), array(NUMBERS, turned))


class TerrainReader:
    """Reads all tile layers of a normalised map: its spaces, cell by cell in reading order."""

    def __init__(self, tmx: TiledMap, normal: Normal) -> None:
        self._tmx = tmx
        self._normal = normal
        self._tilesets = normal.tilesets
        self._notes = normal.notes
        self._arts: dict[tuple[str, int], int] = {}
        self.width, self.height = int(tmx.width), int(tmx.height)
        size = self.width * self.height
        self.ground = self.opaque = self.levels = bytes(size)
        self.materials: Sequence[str] = ()
        self.climbs: set[Cell] = set()
        self.lights: dict[Cell, int] = {}
        """Space -> radius of the brightest light there."""
        self.props: list[Prop] = []
        self.roof: set[int] = set()
        self.layers: dict[int, Layer] = {}
        """By their place in draw order among layers of all kinds."""
        self.strata = bytes([NO_LAYER]) * size
        """The layer, by that place, from which each space has its material; NO_LAYER if it has none."""
        self.tiles: list[TileArt] = []
        self._words = [""]
        """The materials, by the numbers that stand for them."""
        self._materials = array(NUMBERS, bytes(4 * size))
        self._known = _Known()
        self._plain: dict[int, tuple[Meaning, int]] = {}
        """Tile number without flags -> what it means and the index of its art."""
        self._moving: list[tuple[Tileset, int]] = []
        """Animated tiles whose frames are still to be looked up."""

    def read(self) -> None:
        """Every layer in draw order, then what is void."""
        layers = [each for each in self._tmx.layers if isinstance(each, TiledTileLayer)]
        for layer in sorted(layers, key=lambda each: int(each.id)):
            self._layer(layer)
        words = self._words
        nothing = self.ground.translate(_IS_NOTHING)
        if all(nothing):
            self._notes.say(NO_GROUND, Place(self._notes.file))
        self.opaque = bytes(map(max, self.opaque, nothing))
        usual = [("slate", "rockwall", "")[opaque + void] for opaque, void in zip(self.opaque, nothing, strict=True)]
        self.materials = [words[number] or word for number, word in zip(self._materials, usual, strict=True)]
        self.ground = self.ground.translate(_MOVE)

    def _layer(self, layer: TiledTileLayer) -> None:
        place, order = Place(self._notes.file, layer.name or "without a name"), int(layer.id)
        role = _word({"role": layer.properties.get("role") or ""}, "role", ROLES, "ground", place)
        drawn, finish = self._normal.drawings[order], self._normal.drawings[order].finish
        side = self._tmx.tilewidth
        columns, rows = round(finish.x / side), round(finish.y / side)
        offset = (finish.x - columns * side, finish.y - rows * side)
        numbers = moved(self._normal.tiles.pop(order), self.width, columns, rows, (self.width, self.height))
        for number in dict.fromkeys(numbers):
            if number not in self._known.kinds:
                self._known.add(number, *self._look_up(number & GID_MASK))
                if len(self._known.kinds) > (most := limits.MAX_DIFFERENT):
                    raise place.problem("brings the map beyond {max_different} different tiles; use fewer", most)
        placed = _Placed(numbers, self._known)
        if role == "ground":
            self._rule(placed, order, shown=finish.visible)
        elif role == "roof":
            self.roof.update(cell for cell, _ in placed.those(lambda _: True))
        if role != "roof":
            self._dress(placed, place)
        name, tiles = layer.name or "", placed.tiles()
        self.layers[order] = Layer(
            name, role, finish.visible, finish.opacity, offset, tiles, tint=finish.tint, blend=drawn.blend
        )

    def _rule(self, placed: _Placed, order: int, *, shown: bool) -> None:
        """The most restrictive tile of a space counts, and the highest."""
        self.ground = _highest(self.ground, placed.plane(lambda tile: tile.move + 1))
        self.opaque = _highest(self.opaque, placed.plane(lambda tile: tile.opaque))
        self.levels = _highest(self.levels, placed.plane(lambda tile: tile.level))
        self.climbs.update(cell for cell, _ in placed.those(lambda tile: tile.climb))
        # the topmost material counts; but a picture only lies over what is there
        materials, strata = self._materials, bytearray(self.strata)
        numbers = {word: number for number, word in enumerate(self._words)}
        for tile in placed.present():
            if tile.material not in numbers:
                numbers[tile.material] = len(self._words)
                self._words.append(tile.material)
        for cell, tile in placed.those(lambda tile: tile.material):
            if not materials[cell] or (shown and not tile.blit):  # what is hidden rules, and looks like nothing
                materials[cell], strata[cell] = numbers[tile.material], order
        self.strata = bytes(strata)

    def _dress(self, placed: _Placed, place: Place) -> None:
        lights, props = self.lights, self.props
        for cell, tile in placed.those(lambda tile: tile.light):
            lights[cell] = max(tile.light, lights.get(cell, 0))
        if len(lights) > (most := limits.MAX_LIGHTS):
            wrong = "brings the map to {lights} spaces with light; {max_lights} are the most, make fewer shine"
            raise place.problem(wrong, len(lights), most)
        for cell, tile in placed.those(lambda tile: tile.prop):
            props.append(Prop(cell, tile.prop, *_TURNS[placed.numbers[cell] >> 29]))
            if len(props) > (most := limits.MAX_PROPS):
                raise place.problem("brings the map beyond {max_props} things to draw; use fewer layers of them", most)

    def _look_up(self, number: int) -> tuple[Meaning, int]:
        """What a tile means, by its number without flags, and the index of its art."""
        if number not in self._plain:
            found = self._tilesets.find(number)
            assert found is not None
            art = self._art(*found)
            self._plain[number] = (self._mean(*found, self.tiles[art]), art)
        return self._plain[number]

    def _mean(self, tileset: Tileset, local: int, art: TileArt) -> Meaning:
        says = tileset.tiles[local].properties if local in tileset.tiles else {}
        place = Place(self._notes.file, tileset=tileset.name, tile=local)
        if tileset.picture is not None and art.image is None and not (art.material or art.prop):
            where = Place(self._notes.file, tileset=tileset.name)
            self._notes.say(text("tile {local} lies outside its picture; it is drawn plainly", local), where)
        blit = art.image is not None and not art.material and not art.prop
        return Meaning(
            move=MOVES[_word(says, "move", tuple(MOVES), "open", place)],
            opaque=_word(says, "sight", ("open", "blocked"), "open", place) == "blocked",
            light=_count(says, "light", MAX_LIGHT, place), climb=_yes(says, "climb", place),
            level=_count(says, "level", MAX_LEVEL, place), material=art.material or ("tile" if blit else ""),
            prop=art.prop, blit=blit,
        )  # fmt: skip

    def art(self, number: int) -> int:
        """The index of the art of a tile by its number in the map."""
        found = self._tilesets.find(number)
        assert found is not None
        return self._art(*found)

    def _art(self, tileset: Tileset, local: int) -> int:
        """The index of a tile's art; those that its animation shows come with it."""
        key = (tileset.key, local)
        if key not in self._arts:
            self._arts[key] = len(self.tiles)
            self.tiles.append(tileset.art(local))
            self._moving += [(tileset, local)] if tileset.frames(local) else []
        return self._arts[key]

    def animate(self) -> None:
        """Give the arts that are in use their animations, once all are known."""
        while self._moving:
            tileset, local = self._moving.pop()
            index = self._arts[tileset.key, local]
            frames = tuple((self._art(tileset, each), wait) for each, wait in tileset.frames(local))
            self.tiles[index] = replace(self.tiles[index], frames=frames)


_IS_NOTHING = bytes([1]) + bytes(255)
"""Where no ground tile lies, from what moving there takes and one more."""
_MOVE = bytes([Ground.VOID, *range(255)])
"""What moving there takes: void where no ground tile lies."""


def _highest(one: bytes, other: bytes | None) -> bytes:
    if other is None or one == other:
        return one
    return bytes(map(max, one, other)) if any(one) else other


def _word(says: Mapping[str, Value], name: str, allowed: tuple[str, ...], default: str, place: Place) -> str:
    value = says.get(name, default)
    if value == "":
        return default
    if value not in allowed:
        wrong = "{name} is {value}; {join} or {allowed} is right"
        raise place.problem(wrong, name, shown(value), joined(", ", allowed[:-1]), allowed[-1])
    return str(value)


def _count(says: Mapping[str, Value], name: str, most: int, place: Place) -> int:
    value = says.get(name, 0)
    if isinstance(value, float) and value == int(value):
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= most:
        wrong = "{name} is {value}; a whole number (int) from 0 to {most} is right"
        raise place.problem(wrong, name, shown(value), most)
    return value


def _yes(says: Mapping[str, Value], name: str, place: Place) -> bool:
    value = says.get(name, False)
    if not isinstance(value, bool):
        raise place.problem("{name} is {value}; true or false (bool) is right", name, shown(value))
    return value
