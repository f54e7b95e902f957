"""Tilesets, ours and foreign, inline or in a .tsx: bounded before anything is decoded, pictures only measured."""

from __future__ import annotations

import math
import os
from bisect import bisect_right
from collections import ChainMap
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import Element, SubElement

from game.maps import limits
from game.maps.drawn import plain_colour
from game.maps.folder import KINDS, Folder, picture_size, project_of
from game.maps.limits import Notes, Place, truth, whole
from game.maps.mapdata import Colour, TileArt, Value
from game.maps.words import shown
from rules.contract.text import text

Flat = dict[str, Value]
_MAX_NESTING = 8
_FLAGS = 64
"""Most names of an enum whose values are added up …"""
_LONGEST = 1_000
"""… and how many characters they may come to."""


@dataclass(slots=True)
class _Class:
    """A class with all its members flattened; ``depth`` is how many classes lie within each other."""

    members: Flat
    depth: int = 0


@dataclass(slots=True)
class Project:
    """The classes and enums that a ``.tiled-project`` declares; counts the properties that a map comes to have.

    A class is flattened when it is first asked for, once, and within bounds: eight members of a class that has
    eight members and so on are soon more than any machine holds.
    """

    place: Place
    enums: dict[str, tuple[tuple[str, ...], bool]] = field(default_factory=dict)
    raw: dict[str, list[dict[str, Any]]] = field(default_factory=dict)
    _classes: dict[str, _Class] = field(default_factory=dict)
    _flattened: int = 0
    _given: int = 0

    def defaults(self, name: str) -> Flat:
        """The flattened members of class ``name`` with their default values, not to be altered. Raises MapProblem."""
        return self._class(name, ()).members

    def named(self, enum: str, value: Value) -> Value:
        """An enum's value by its name, where the map stores it as a number."""
        if enum not in self.enums or not isinstance(value, int) or isinstance(value, bool):
            return value
        names, flags = self.enums[enum]
        if flags:
            text = ",".join(name for bit, name in enumerate(names[:_FLAGS]) if value >> bit & 1)
            if len(text) > _LONGEST:
                wrong = "the names of enum {enum} are together longer than {longest} characters; shorten them"
                raise self.place.problem(wrong, enum=shown(enum), longest=_LONGEST)
            return text
        return names[value] if 0 <= value < len(names) else value

    def give(self, flat: Mapping[str, Value], place: Place) -> None:
        """Count the properties that an object, a layer or a property of a class comes to have. Raises MapProblem."""
        self._given += len(flat)
        if self._given > limits.MAX_PROPERTIES:
            raise place.problem(
                "brings the map beyond {max_properties} properties, those of classes counted for each that "
                "has the class; use fewer members or objects",
                limits.MAX_PROPERTIES,
            )

    def _class(self, name: str, around: tuple[str, ...]) -> _Class:
        known = self._classes.get(name)
        if known is None:
            known = _Class({})
            if name in self.raw and name not in around:
                self._flatten(name, known, (*around, name))
                self._classes[name] = known
        return known

    def _flatten(self, name: str, into: _Class, around: tuple[str, ...]) -> None:
        """All members of a class; one of a class that it lies in itself has none."""
        for member in self.raw[name]:
            key, kind = str(member.get("name", "")), str(member.get("propertyType", ""))
            if member.get("type") == "class":
                inner = self._class(kind, around) if len(around) <= _MAX_NESTING else _Class({}, _MAX_NESTING)
                into.depth = max(into.depth, inner.depth + 1)
                if into.depth > _MAX_NESTING:
                    wrong = "class {name} nests classes too deeply; {max_nesting} levels are the most"
                    raise self.place.problem(wrong, shown(name), _MAX_NESTING)
                for inner_key, value in inner.members.items():
                    self._add(name, into, f"{key}.{inner_key}", value)
            for inner_key, value in _json_values(key, member.get("value"), 0):
                self._add(name, into, inner_key, self.named(kind, value))

    def _add(self, name: str, into: _Class, key: str, value: Value) -> None:
        self._flattened += 1
        if len(key) > limits.MAX_NAME:
            wrong = "class {name} has a member with a name of more than {max_name} characters; shorten it"
            raise self.place.problem(wrong, shown(name), limits.MAX_NAME)
        into.members[key] = value
        if len(into.members) > limits.MAX_MEMBERS or self._flattened > limits.MAX_PROPERTIES:
            raise self.place.problem(
                "class {name} has too many members, those of the classes within it counted; {max_members} are the most",
                shown(name),
                limits.MAX_MEMBERS,
            )


def read_project(folder: Folder, start: Path) -> Project:
    """The project beside the map or in a folder above it, up to the folder's root; an empty one if there is none."""
    found = project_of(start, folder.root)
    if found is None:
        return Project(Place(""))
    place = Place(found.name)
    data = folder.json(folder.find(found.parent, found.name, place), place, limits.MAX_PROJECT_BYTES)
    types = data.get("propertyTypes", []) if isinstance(data, dict) else None
    if not isinstance(types, list) or not all(isinstance(each, dict) for each in types):
        raise place.problem("propertyTypes must be a list of classes and enums; save the project again in Tiled")
    project = Project(place)
    for each in types:
        name = str(each.get("name", ""))
        if each.get("type") == "enum":
            values = each.get("values", [])
            if isinstance(values, list):
                project.enums[name] = (tuple(str(v) for v in values), bool(each.get("valuesAsFlags")))
        elif each.get("type") == "class":
            members = each.get("members", [])
            project.raw[name] = [m for m in members if isinstance(m, dict)] if isinstance(members, list) else []
    return project


def _json_values(key: str, value: Any, depth: int) -> Iterator[tuple[str, Value]]:
    """A JSON value by its flattened names."""
    if isinstance(value, (str, bool, int, float)):
        yield key, value
    elif depth <= _MAX_NESTING and isinstance(value, dict):
        if "value" in value and "type" in value:
            yield from _json_values(key, value["value"], depth + 1)
            return
        for inner, each in value.items():
            yield from _json_values(f"{key}.{inner}", each, depth + 1)
    elif depth <= _MAX_NESTING and isinstance(value, list):
        for place, each in enumerate(value):
            yield from _json_values(f"{key}.{place}", each, depth + 1)


def flatten(node: Element, project: Project, place: Place) -> Flat:
    """The properties of an element, nested ones by dotted names, the last of a name wins."""
    flat: Flat = {}
    for each in node.findall("properties/property"):
        name = each.get("name")
        if not name:
            raise place.problem("has a property without a name; give it one in Tiled")
        _one(each, name, flat, project, place=place, depth=0)
    return flat


def _one(node: Element, name: str, flat: Flat, project: Project, *, place: Place, depth: int) -> None:
    if depth > _MAX_NESTING:
        wrong = "property {name} is nested too deeply; {max_nesting} levels are the most"
        raise place.problem(wrong, shown(name), _MAX_NESTING)
    if len(name) > limits.MAX_NAME:
        wrong = "property {name} has a name of more than {max_name} characters; shorten it"
        raise place.problem(wrong, shown(name), limits.MAX_NAME)
    kind, custom = node.get("type", "string"), node.get("propertytype", "")
    if kind == "class":
        members = project.defaults(custom)
        project.give(members, place)
        flat.update((f"{name}.{key}", value) for key, value in members.items())
        for each in node.findall("properties/property"):
            _one(each, f"{name}.{each.get('name', '')}", flat, project, place=place, depth=depth + 1)
        return
    if kind == "list":
        for index, each in enumerate(each for each in node if each.tag in ("item", "property")):
            _one(each, f"{name}.{index}", flat, project, place=place, depth=depth + 1)
        return
    raw = node.get("value", node.text or "")
    flat[name] = project.named(custom, _value(raw, kind, name, place))


def _value(raw: str, kind: str, name: str, place: Place) -> Value:
    if len(raw) > limits.MAX_TEXT:
        wrong = "property {name} is longer than {max_text} characters; shorten it"
        raise place.problem(wrong, shown(name), limits.MAX_TEXT)
    try:
        if kind in ("int", "object"):
            return int(raw or "0") if len(raw) < 20 else int("x")
        if kind == "float":
            value = float(raw or "0")
            return value if math.isfinite(value) else float("x")
        if kind == "bool":
            yes = truth(raw) if raw else False
            return yes if yes is not None else int("x")
    except ValueError:
        need = {"bool": "true or false", "float": "a number"}.get(kind, "a whole number")
        raise place.problem("property {name} is {raw}; {need} is needed", shown(name), shown(raw), need) from None
    return raw


def attach(node: Element, flat: Mapping[str, Value]) -> None:
    """Write flattened properties under an element, in the types that pytmx knows."""
    group = SubElement(node, "properties") if flat else node
    for name, value in flat.items():
        kind = {} if isinstance(value, str) else {"type": type(value).__name__}
        SubElement(group, "property", {"name": name, "value": str(value).lower() if kind else str(value), **kind})


GID_MASK = (1 << 28) - 1
"""A tile's number without Tiled's four flip and turn flags."""

_ANCHORS = {
    "unspecified": (0.0, 1.0), "topleft": (0.0, 0.0), "top": (0.5, 0.0), "topright": (1.0, 0.0),
    "left": (0.0, 0.5), "center": (0.5, 0.5), "right": (1.0, 0.5),
    "bottomleft": (0.0, 1.0), "bottom": (0.5, 1.0), "bottomright": (1.0, 1.0),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Picture:
    """An image file inside the map's folder, of checked size in pixels, with the colour that is transparent."""

    path: Path
    size: tuple[int, int]
    key: Colour | None = None


@dataclass(slots=True)
class Tile:
    """What a tileset says of one of its tiles."""

    kind: str = ""
    properties: Mapping[str, Value] = field(default_factory=dict)
    picture: Picture | None = None
    rect: tuple[int, int, int, int] | None = None
    frames: tuple[tuple[int, int], ...] = ()
    """Local ids and milliseconds of an animation."""
    shapes: tuple[tuple[tuple[float, float], ...], ...] = ()
    """Corners, in pixels of the tile, of its collision shapes: what game/maps/proposing takes for walls."""


@dataclass(slots=True)
class Tileset:
    """One tileset of a map; ``first`` is the number of its first tile there."""

    key: str
    first: int
    name: str
    tile_size: tuple[int, int]
    count: int
    columns: int
    spacing: int
    margin: int
    offset: tuple[int, int]
    anchor: tuple[float, float]
    picture: Picture | None
    tiles: dict[int, Tile]
    collection: bool
    on_grid: bool = False
    keeps_shape: bool = False

    def has(self, local: int) -> bool:
        """Whether there is a tile of that local id."""
        return local in self.tiles if self.collection else 0 <= local < self.count

    def art(self, local: int) -> TileArt:
        """How to draw the tile of that local id."""
        tile = self.tiles.get(local, Tile())
        material, prop = (str(tile.properties.get(key, "")) for key in ("material", "prop"))
        row, column = divmod(local, max(1, self.columns))
        (wide, high), picture = self.tile_size, tile.picture or self.picture
        x, y = self.margin + column * (wide + self.spacing), self.margin + row * (high + self.spacing)
        if tile.picture and tile.rect:
            x, y, wide, high = tile.rect
        plain = TileArt(self.key, local, material, prop, offset=self.offset)
        if picture is None or min(x, y, wide - 1, high - 1) < 0:
            return plain
        if x + wide > picture.size[0] or y + high > picture.size[1]:
            return plain
        key, grid, shape = picture.key, self.on_grid, self.keeps_shape
        return replace(plain, image=picture.path, rect=(x, y, wide, high), key=key, on_grid=grid, keeps_shape=shape)

    def size(self, local: int) -> tuple[int, int]:
        """Pixels of the tile's picture, across and down."""
        rect = self.tiles.get(local, Tile()).rect
        return self.tile_size if rect is None else rect[2:]

    def frames(self, local: int) -> tuple[tuple[int, int], ...]:
        """The animation of the tile: local ids of tiles that there are, and their milliseconds."""
        found = self.tiles.get(local, Tile()).frames
        return found if all(self.has(each) and wait >= 0 for each, wait in found) else ()


class Tilesets:
    """All tilesets of a map, added in its order; templates may add more."""

    def __init__(self, folder: Folder, project: Project, notes: Notes) -> None:
        self._folder = folder
        self._project = project
        self._notes = notes
        self._pictures: dict[Path, Picture | None] = {}
        self._pixels = 0
        self._tiles = 0
        self.all: list[Tileset] = []

    def find(self, gid: int) -> tuple[Tileset, int] | None:
        """The tileset and local id behind a map's tile number (flags already off), None if it is in none."""
        place = bisect_right(self.all, gid, key=lambda tileset: tileset.first)
        if not place:
            return None
        tileset = self.all[place - 1]
        local = gid - tileset.first
        return (tileset, local) if tileset.has(local) else None

    def add(self, node: Element, base: Path, place: Place) -> Tileset:
        """Read a ``<tileset>`` of a map, following its ``source``."""
        first = whole(node, "firstgid", place)
        if not 0 < first <= GID_MASK or (self.all and first <= self.all[-1].first):
            raise place.problem("firstgid {first} of a tileset is out of order; save the map again in Tiled", first)
        return self._read(node, first, base, place)

    def from_template(self, node: Element, base: Path, place: Place) -> Tileset:
        """The map's tileset that a template's ``<tileset>`` means; it is added where the map has none such."""
        if source := node.get("source"):
            key = self._key(self._folder.find(base, source, place))
            if known := next((each for each in self.all if each.key == key), None):
                return known
        last = self.all[-1] if self.all else None
        end = last.first + max(last.count, max(last.tiles, default=0) + 1) if last else 1
        return self._read(node, end, base, place)

    def _key(self, path: Path) -> str:
        return Path(os.path.relpath(path, self._folder.root)).as_posix()

    def _read(self, node: Element, first: int, base: Path, place: Place) -> Tileset:
        if len(self.all) >= limits.MAX_TILESETS:
            raise place.problem("has more than {max_tilesets} tilesets; merge some of them", limits.MAX_TILESETS)
        source = node.get("source")
        key = f"#{len(self.all)}"
        if source:
            path = self._folder.find(base, source, place)
            if path.suffix.lower() not in (".tsx", ".xml"):
                wrong = "uses tileset {source}; only .tsx tilesets are read, export it as .tsx"
                raise place.problem(wrong, shown(source))
            key, base = self._key(path), path.parent
            place = Place(place.file, tileset=path.name)
            node = self._folder.xml(path, "tileset", place)
        tileset = self._parse(node, key, first, base, place)
        self.all.append(tileset)
        return tileset

    def _parse(self, node: Element, key: str, first: int, base: Path, place: Place) -> Tileset:
        size = whole(node, "tilewidth", place), whole(node, "tileheight", place)
        if not (0 < size[0] <= limits.MAX_IMAGE_SIDE and 0 < size[1] <= limits.MAX_IMAGE_SIDE):
            wrong = "tiles of {size}×{size2} pixels; 1 to {max_image_side} is right"
            raise place.problem(wrong, size[0], size[1], limits.MAX_IMAGE_SIDE)
        spacing, margin = whole(node, "spacing", place, 0), whole(node, "margin", place, 0)
        if not (0 <= spacing <= limits.MAX_IMAGE_SIDE and 0 <= margin <= limits.MAX_IMAGE_SIDE):
            raise place.problem("spacing and margin must be 0 or more pixels; mend the tileset in Tiled")
        image = node.find("image")
        columns, rows, picture = whole(node, "columns", place, 0), 0, None
        if image is not None:
            picture = self.picture(image, base, place)
            wide, high = picture.size if picture is not None else self._declared(image, place)
            across = max(0, wide - margin + spacing) // (size[0] + spacing)
            # as in Tiled, what the picture measures counts, whatever the tileset says of it
            columns = across if picture is not None else columns or across
            rows = max(0, high - margin + spacing) // (size[1] + spacing)
        count = whole(node, "tilecount", place, 0)
        if count >= 0:
            count = max(count, columns * rows)
        self._tiles += count
        if count < 0 or not 0 <= columns <= limits.MAX_TILESET_TILES or self._tiles > limits.MAX_TILESET_TILES:
            wrong = (
                "holds {count} tiles; {max_tileset_tiles} for all tilesets of a map are the most: use larger tiles or "
                "a smaller picture"
            )
            raise place.problem(wrong, count, limits.MAX_TILESET_TILES)
        tiles = {whole(each, "id", place): each for each in node.findall("tile")}
        self._tiles += len(tiles) if image is None else 0
        shift = node.find("tileoffset")
        return Tileset(
            key=key, first=first, name=node.get("name", ""), tile_size=size, count=count, columns=columns,
            spacing=spacing, margin=margin,
            offset=(0, 0) if shift is None else (whole(shift, "x", place, 0), whole(shift, "y", place, 0)),
            anchor=_ANCHORS.get(node.get("objectalignment", "unspecified"), (0.0, 1.0)),
            picture=picture, tiles={i: self._tile(each, base, place) for i, each in tiles.items()},
            collection=image is None and columns == 0,
            on_grid=node.get("tilerendersize") == "grid", keeps_shape=node.get("fillmode") == "preserve-aspect-fit",
        )  # fmt: skip

    def _tile(self, node: Element, base: Path, place: Place) -> Tile:
        kind = node.get("type") or node.get("class") or ""
        own, given = flatten(node, self._project, place), self._project.defaults(kind)
        properties = ChainMap(own, given) if own else given
        image = node.find("image")
        picture = self.picture(image, base, place) if image is not None else None
        shots = node.findall("animation/frame")
        frames = tuple((whole(each, "tileid", place), whole(each, "duration", place, 0)) for each in shots)
        shapes = _shapes(node)
        if picture is None:
            return Tile(kind, properties, frames=frames, shapes=shapes)
        wide, high = picture.size
        x, y = whole(node, "x", place, 0), whole(node, "y", place, 0)
        rect = x, y, whole(node, "width", place, wide), whole(node, "height", place, high)
        return Tile(kind, properties, picture, rect, frames, shapes)

    def _declared(self, image: Element, place: Place) -> tuple[int, int]:
        wide, high = whole(image, "width", place, 0), whole(image, "height", place, 0)
        if wide < 0 or high < 0:
            raise place.problem("declares a picture of negative size; mend the tileset in Tiled")
        self._check_size((wide, high), str(image.get("source", "")), place)
        return wide, high

    def _check_size(self, size: tuple[int, int], name: str, place: Place) -> None:
        if max(size) > limits.MAX_IMAGE_SIDE or size[0] * size[1] > limits.MAX_IMAGE_PIXELS:
            wrong = (
                "picture {name} is {size}×{size2} pixels; {max_image_side} a side and {max_image_pixels} in all are "
                "the most: make it smaller"
            )
            raise place.problem(wrong, shown(name), size[0], size[1], limits.MAX_IMAGE_SIDE, limits.MAX_IMAGE_PIXELS)

    def picture(self, image: Element, base: Path, place: Place) -> Picture | None:
        """The checked picture; None with a warning where it is missing, embedded or of no kind that is drawn."""
        source = image.get("source")
        if not source:
            self._notes.say("an embedded picture is not drawn; keep it as a file beside the map", place)
            return None
        path = self._folder.find(base, source, place)
        if path not in self._pictures:
            self._pictures[path] = self._measure(path, source, place)
        found, key = self._pictures[path], plain_colour(image.get("trans"))
        return found if found is None or key is None else replace(found, key=key)

    def _measure(self, path: Path, source: str, place: Place) -> Picture | None:
        size: tuple[int, int] | None = (0, 0)
        with suppress(OSError):
            size = picture_size(path) if path.is_file() else (0, 0)
        if size is None or not all(size):
            wrong = text("is no {kinds}", KINDS) if size is None else "is missing"
            self._notes.say(text("picture {source} {wrong}; its tiles are drawn plainly", shown(source), wrong), place)
            return None
        self._check_size(size, source, place)
        self._pixels += size[0] * size[1]
        if self._pixels > 4 * limits.MAX_IMAGE_PIXELS:
            wrong = "its pictures hold more than {what} pixels; use smaller ones"
            raise place.problem(wrong, 4 * limits.MAX_IMAGE_PIXELS)
        return Picture(path, size)


_MOST_SHAPES, _MOST_CORNERS = 32, 64


def _shapes(node: Element) -> tuple[tuple[tuple[float, float], ...], ...]:
    """The corners of a tile's collision shapes; lines and points, and those that make no sense, are left out."""
    found: list[tuple[tuple[float, float], ...]] = []
    for each in node.findall("objectgroup/object")[:_MOST_SHAPES]:
        polygon = each.find("polygon")
        if each.find("polyline") is not None or each.find("point") is not None:
            continue
        try:
            x, y, wide, high = (float(each.get(name, "0")) for name in ("x", "y", "width", "height"))
            if polygon is not None:
                pairs = [pair.split(",") for pair in polygon.get("points", "").split()[:_MOST_CORNERS]]
                corners = tuple((x + float(a), y + float(b)) for a, b in pairs)
            else:
                corners = ((x, y), (x + wide, y), (x + wide, y + high), (x, y + high))
        except ValueError:
            continue
        if len(corners) > 2 and all(math.isfinite(a) and math.isfinite(b) for a, b in corners):
            found.append(corners)
    return tuple(found)
