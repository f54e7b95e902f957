"""What the tiles of each space say: ground, sight, light, height and climbing; and how the space is drawn."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from pytmx import TiledMap, TiledTileLayer

from game.mapdata import Layer, PlacedTile, Prop, TileArt, Value
from game.maps_in.drawn import Drawing
from game.maps_in.limits import Place
from game.maps_in.lines import shown
from game.maps_in.notes import Notes
from game.maps_in.tilesets import Tileset, Tilesets
from rules.grid import Ground

MOVES = {"open": Ground.OPEN, "difficult": Ground.DIFFICULT, "blocked": Ground.BLOCKED, "gap": Ground.VOID}
"""A gap cannot be walked on but seen and leapt across; a space with no ground tile at all blocks sight too."""
_NOTHING = 255
NO_LAYER = 255
ROLES = ("ground", "decor", "roof")
MAX_LEVEL = 9
MAX_LIGHT = 64

_TURNS = {
    (False, False, False): (False, 0), (True, True, False): (False, 1),
    (False, True, True): (False, 2), (True, False, True): (False, 3),
    (False, True, False): (True, 0), (True, True, True): (True, 1),
    (False, False, True): (True, 2), (True, False, False): (True, 3),
}  # fmt: skip
"""(diagonal, horizontal, vertical) to (flip, quarter turns)."""


@dataclass(frozen=True, slots=True)
class Meaning:
    """What standing on a tile means, and how to draw it."""

    move: int
    opaque: bool
    light: int
    climb: bool
    level: int
    material: str
    prop: str
    blit: bool
    art: int
    flags: tuple[bool, bool, bool]


@dataclass(slots=True)
class Terrain:
    """The map's spaces, cell by cell in reading order."""

    width: int
    height: int
    ground: bytearray
    opaque: bytearray
    levels: bytearray
    materials: list[str]
    climbs: set[int] = field(default_factory=set)
    lights: list[tuple[int, int]] = field(default_factory=list)
    props: list[Prop] = field(default_factory=list)
    roof: set[int] = field(default_factory=set)
    layers: dict[int, Layer] = field(default_factory=dict)
    """By their place in draw order among layers of all kinds."""
    strata: bytearray = field(default_factory=bytearray)
    """The layer, by that place, from which each space has its material; NO_LAYER if it has none."""
    tiles: list[TileArt] = field(default_factory=list)


class TerrainReader:
    """Reads all tile layers of a normalised map."""

    def __init__(
        self,
        tmx: TiledMap,
        tilesets: Tilesets,
        drawings: Mapping[int, Drawing],
        file: str,
        notes: Notes,
    ) -> None:
        self._tmx = tmx
        self._drawings = drawings
        self._tilesets = tilesets
        self._file = file
        self._notes = notes
        self._arts: dict[tuple[str, int], int] = {}
        size = tmx.width * tmx.height
        self._out = Terrain(
            tmx.width, tmx.height, bytearray([_NOTHING]) * size, bytearray(size), bytearray(size), [""] * size
        )
        self._out.strata = bytearray([NO_LAYER]) * size
        self._seen = {gid: key for key, (gid, _) in _images(tmx)}
        self._meanings: dict[int, Meaning] = {}
        self._moving: list[tuple[Tileset, int]] = []
        """Animated tiles whose frames are still to be looked up."""

    def read(self) -> Terrain:
        """Every layer in draw order, then what is void."""
        layers = [each for each in self._tmx.layers if isinstance(each, TiledTileLayer)]
        for layer in sorted(layers, key=lambda each: int(each.id)):
            self._layer(layer)
        out = self._out
        for cell, ground in enumerate(out.ground):
            if ground == _NOTHING:
                out.ground[cell], out.opaque[cell] = Ground.VOID, 1
            elif not out.materials[cell]:
                out.materials[cell] = "rockwall" if out.opaque[cell] else "slate"
        return out

    def _layer(self, layer: TiledTileLayer) -> None:
        place = Place(self._file, layer.name or "without a name")
        role = self._role(layer.properties, place)
        shift_x, shift_y = (float(part) for part in layer.shift.split())
        side = self._tmx.tilewidth
        columns, rows = round(shift_x / side), round(shift_y / side)
        offset = (shift_x - columns * side, shift_y - rows * side)
        placed = self._spaces(layer.data, columns, rows)
        if role == "ground":
            self._rule(placed, int(layer.id))
        elif role == "roof":
            self._out.roof.update(cell for cell, _ in placed)
        if role != "roof":
            self._dress(placed)
        tiles = tuple([PlacedTile(cell, m.art, m.flags[1], m.flags[2], m.flags[0]) for cell, m in placed])
        drawn = self._drawings[int(layer.id)]
        self._out.layers[int(layer.id)] = Layer(
            layer.name or "", role, drawn.finish.visible, drawn.finish.opacity, offset, tiles, drawn.finish.tint,
            drawn.blend,
        )  # fmt: skip

    def _role(self, properties: dict[str, Any], place: Place) -> str:
        role = properties.get("role") or "ground"
        if role not in ROLES:
            raise place.problem(f"role is {shown(role)}; ground, decor or roof is right")
        return str(role)

    def _spaces(self, data: list[list[int]], columns: int, rows: int) -> list[tuple[int, Meaning]]:
        """The layer's tiles with what they mean; a shift by whole spaces moves them, over the border they fall."""
        width, height = self._out.width, self._out.height
        found = []
        for y, row in enumerate(data, rows):
            if not 0 <= y < height:
                continue
            start = y * width
            for x, gid in enumerate(row, columns):
                if gid and 0 <= x < width:
                    found.append((start + x, self._meanings.get(gid) or self._mean(gid)))
        return found

    def _rule(self, placed: list[tuple[int, Meaning]], order: int) -> None:
        ground, opaque, levels, materials, strata = (
            self._out.ground, self._out.opaque, self._out.levels, self._out.materials, self._out.strata,
        )  # fmt: skip
        for cell, tile in placed:
            if ground[cell] == _NOTHING or tile.move > ground[cell]:
                ground[cell] = tile.move
            if tile.opaque:
                opaque[cell] = 1
            if tile.level > levels[cell]:
                levels[cell] = tile.level
            if tile.climb:
                self._out.climbs.add(cell)
            if tile.material and not (tile.blit and materials[cell]):  # a picture lies over what is there
                materials[cell], strata[cell] = tile.material, order

    def _dress(self, placed: list[tuple[int, Meaning]]) -> None:
        self._out.lights += [(cell, tile.light) for cell, tile in placed if tile.light]
        self._out.props += [Prop(cell, tile.prop, *_TURNS[tile.flags]) for cell, tile in placed if tile.prop]

    def _mean(self, gid: int) -> Meaning:
        """What the tile of pytmx's number means; every tile is looked at once."""
        tiled, flags = self._seen[gid]
        found = self._tilesets.find(tiled)
        assert found is not None
        tileset, local = found
        index = self._art(tileset, local)
        art = self._out.tiles[index]
        says = tileset.tiles[local].properties if local in tileset.tiles else {}
        place = Place(self._file, tileset=tileset.name, tile=local)
        if tileset.picture is not None and art.image is None and not (art.material or art.prop):
            where = Place(self._file, tileset=tileset.name)
            self._notes.say(f"tile {local} lies outside its picture; it is drawn plainly", where)
        blit = art.image is not None and not art.material and not art.prop
        meaning = Meaning(
            move=MOVES[_word(says, "move", tuple(MOVES), "open", place)],
            opaque=_word(says, "sight", ("open", "blocked"), "open", place) == "blocked",
            light=_count(says, "light", MAX_LIGHT, place),
            climb=_yes(says, "climb", place),
            level=_count(says, "level", MAX_LEVEL, place),
            material=art.material or ("tile" if blit else ""),
            prop=art.prop,
            blit=blit,
            art=index,
            flags=(bool(flags[2]), bool(flags[0]), bool(flags[1])),
        )
        self._meanings[gid] = meaning
        return meaning

    def art(self, number: int) -> int:
        """The index of the art of a tile by its number in the map."""
        found = self._tilesets.find(number)
        assert found is not None
        return self._art(*found)

    def _art(self, tileset: Tileset, local: int) -> int:
        """The index of a tile's art; those that its animation shows come with it."""
        key = (tileset.key, local)
        if key not in self._arts:
            self._arts[key] = len(self._out.tiles)
            self._out.tiles.append(tileset.art(local))
            self._moving += [(tileset, local)] if tileset.frames(local) else []
        return self._arts[key]

    def animate(self) -> None:
        """Give the arts that are in use their animations, once all are known."""
        while self._moving:
            tileset, local = self._moving.pop()
            index = self._arts[tileset.key, local]
            frames = tuple((self._art(tileset, each), wait) for each, wait in tileset.frames(local))
            self._out.tiles[index] = replace(self._out.tiles[index], frames=frames)


def _images(tmx: TiledMap) -> list[tuple[tuple[int, Any], tuple[int, Any]]]:
    """pytmx's table of (tile number, flags) to (its own number, flags), without the empty tile."""
    return [(key, value) for key, value in tmx.imagemap.items() if isinstance(value, tuple)]


def _word(says: Mapping[str, Value], name: str, allowed: tuple[str, ...], default: str, place: Place) -> str:
    value = says.get(name, default)
    if value == "":
        return default
    if value not in allowed:
        raise place.problem(f"{name} is {shown(value)}; {', '.join(allowed[:-1])} or {allowed[-1]} is right")
    return str(value)


def _count(says: Mapping[str, Value], name: str, most: int, place: Place) -> int:
    value = says.get(name, 0)
    if isinstance(value, float) and value == int(value):
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= most:
        raise place.problem(f"{name} is {shown(value)}; a whole number (int) from 0 to {most} is right")
    return value


def _yes(says: Mapping[str, Value], name: str, place: Place) -> bool:
    value = says.get(name, False)
    if not isinstance(value, bool):
        raise place.problem(f"{name} is {shown(value)}; true or false (bool) is right")
    return value
