"""A map file made safe and plain: one tree that pytmx reads without opening a file or losing a word.

What comes out has no groups, chunks, templates, external tilesets, tiles, pictures or nested properties. Layers keep
their draw order as ``id`` (0 = lowest); objects stand in pixels of the map with the offsets of their layers in.
"""

from __future__ import annotations

import base64
import binascii
import math
import re
import sys
import zlib
from array import array
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple
from xml.etree.ElementTree import Element, SubElement

import zstandard

from game.maps import limits
from game.maps.drawn import Drawing, Finish, TileObject, check_size, drawing, plain_colour
from game.maps.folder import Folder, Reach
from game.maps.limits import Notes, Place, Strange, number, truth, whole
from game.maps.mapdata import Backdrop, Colour, MapProblem, OutsideProblem
from game.maps.tilesets import GID_MASK, Flat, Project, Tile, Tilesets, attach, flatten, read_project
from game.maps.words import shown
from rules.contract.text import text

# -- layer data to tile numbers: CSV, base64, zlib, gzip, zstd, XML tiles and the chunks of infinite maps, all bounded

_SPACE = re.compile(r"\s+")
_MAX_ZSTD_WINDOW = 1 << 23
NUMBERS = "I"
"""The kind of array that holds tile numbers: 32 bits without a sign."""


class Chunk(NamedTuple):
    """A block of undecoded tiles at a place in spaces; ``data`` says how ``node`` is encoded."""

    x: int
    y: int
    width: int
    height: int
    node: Element
    data: Element

    def decoded(self, place: Place) -> array[int]:
        """The tile numbers in reading order; their count is exactly width × height."""
        count = self.width * self.height
        encoding, text = self.data.get("encoding"), self.node.text or ""
        if encoding in (None, "csv"):  # `game.maps.folder` writes tiles of XML so
            tiles = _csv(text, count, place)
        elif encoding == "base64":
            tiles = _binary(text, self.data.get("compression") or "", count, place)
        else:
            wrong = "is encoded as {encoding}; choose CSV or base64 in Tiled's map properties"
            raise place.problem(wrong, shown(encoding))
        if len(tiles) != count:
            wrong = "has {tiles} tiles where {width}×{height} = {count} are needed; save the map again in Tiled"
            raise place.problem(wrong, len(tiles), self.width, self.height, count)
        return tiles


def chunks(data: Element, place: Place) -> list[Chunk]:
    """The blocks of the ``<data>`` of an infinite map's layer. Nothing is decoded yet."""
    found = []
    for node in data.findall("chunk"):
        x, y, w, h = (whole(node, name, place) for name in ("x", "y", "width", "height"))
        if not (0 < w <= limits.MAX_SIDE and 0 < h <= limits.MAX_SIDE and max(abs(x), abs(y)) < 1 << 20):
            raise place.problem("has a chunk of {w}×{h} spaces at {x}, {y}; save the map again in Tiled", w, h, x, y)
        found.append(Chunk(x, y, w, h, node, data))
    return found


def _csv(text: str, count: int, place: Place) -> array[int]:
    parts = text.strip().rstrip(",").split(",", count)
    if parts == [""]:
        return array(NUMBERS)
    try:
        tiles = array(NUMBERS, map(int, parts[:count]))
    except ValueError:
        raise place.problem("holds something that is no tile number; save the map again in Tiled") from None
    except OverflowError:
        raise place.problem("holds a tile number outside 0 to 4294967295; save the map again in Tiled") from None
    if len(parts) > count:
        tiles.extend([0] * (parts[count].count(",") + 1))
    return tiles


def _binary(text: str, compression: str, count: int, place: Place) -> array[int]:
    try:
        raw = base64.b64decode(_SPACE.sub("", text), validate=True)
    except (binascii.Error, ValueError):
        raise place.problem("is no valid base64; save the map again in Tiled") from None
    size = count * 4
    if compression:
        raw = _unpack(raw, compression, size, place)
    if len(raw) > size:
        raise place.problem("holds more than the {count} tiles that fit; save the map again in Tiled", count=count)
    if len(raw) % 4:
        wrong = "has {raw} bytes, where {size} are needed; save the map again in Tiled"
        raise place.problem(wrong, len(raw), size)
    tiles = array(NUMBERS, raw)
    if sys.byteorder == "big":
        tiles.byteswap()
    return tiles


def _unpack(raw: bytes, compression: str, size: int, place: Place) -> bytes:
    """At most ``size`` + 1 bytes of unpacked data: enough to tell that there is too much."""
    try:
        if compression in ("zlib", "gzip"):
            unpacker = zlib.decompressobj(wbits=47)
            data = unpacker.decompress(raw, size + 1)
            if len(data) <= size and not unpacker.eof:
                raise place.problem("breaks off in its compressed data; save the map again in Tiled")
            return data
        if compression == "zstd":
            reader = zstandard.ZstdDecompressor(max_window_size=_MAX_ZSTD_WINDOW).stream_reader(raw)
            with reader:
                return reader.read(size + 1)
    except (zlib.error, zstandard.ZstdError):
        raise place.problem("cannot be unpacked as {compression}; save the map again in Tiled", compression) from None
    wrong = "is compressed with {compression}; choose zlib, gzip, zstd or none in Tiled"
    raise place.problem(wrong, shown(compression))


# -- blocks of tile numbers, row by row


def joined(blocks: Iterable[tuple[int, int, int, array[int]]], width: int, height: int) -> array[int]:
    """One block of that size out of several (column, row, width, numbers) inside it; later ones lie over others."""
    whole_one = array(NUMBERS, bytes(4 * width * height))
    for column, row, wide, numbers in blocks:
        for start in range(0, len(numbers), wide):
            at = (row + start // wide) * width + column
            line, before = numbers[start : start + wide], whole_one[at : at + wide]
            if any(before):
                line = array(NUMBERS, (new or old for new, old in zip(line, before, strict=True)))
            whole_one[at : at + wide] = line
    return whole_one


def used(blocks: Iterable[array[int]], width: int) -> tuple[int, int, int, int]:
    """The first and the end column, and the first and the end row, that hold any tile in blocks of one width."""
    left, top, right, bottom = width, 1 << 30, 0, 0
    for block in blocks:
        for row, start in enumerate(range(0, len(block), width)):
            line = block[start : start + width].tobytes()
            if any(line):
                left = min(left, (len(line) - len(line.lstrip(b"\0"))) // 4)
                right = max(right, -(-len(line.rstrip(b"\0")) // 4))
                top, bottom = min(top, row), max(bottom, row + 1)
    return left, top, right, bottom


def moved(block: array[int], width: int, right: int, down: int, size: tuple[int, int]) -> array[int]:
    """A block moved by so many columns and rows and cut to a size: what comes over the border falls."""
    if not right and not down and width == size[0] and len(block) == size[0] * size[1]:
        return block
    found = array(NUMBERS, bytes(4 * size[0] * size[1]))
    first, end = max(0, right), min(size[0], width + right)
    for row in range(max(0, down), min(size[1], len(block) // width + down)):
        start = (row - down) * width - right
        if first < end:
            found[row * size[0] + first : row * size[0] + end] = block[start + first : start + end]
    return found


# -- objects, and the whole tree

_SHAPES = ("point", "ellipse", "polygon", "polyline", "text", "capsule")


class ObjectWriter:
    """Writes objects into a normalised tree; counts them and their points for the whole map."""

    def __init__(self, folder: Folder, project: Project, tilesets: Tilesets, base: Path) -> None:
        self._folder = folder
        self._project = project
        self._tilesets = tilesets
        self._base = base
        self._templates: dict[Path, Element] = {}
        self._count = 0
        self._points = 0

    def write(self, layer: Element, node: Element, shift: tuple[float, float], place: Place) -> TileObject | None:
        """Add ``node`` to ``layer``, moved by ``shift`` pixels; what it shows, if anything."""
        self._count += 1
        if self._count > limits.MAX_OBJECTS:
            raise place.problem("is one of more than {max_objects} objects; remove some", limits.MAX_OBJECTS)
        place = Place(place.file, place.layer, str(whole(node, "id", place, 0)))
        template, base = self._template(node, place)
        usual = template.attrib if template is not None else {}
        attributes = {k: v for k, v in usual.items() if k not in ("id", "x", "y")} | node.attrib
        merged = Element("object", attributes)
        gid = self._gid(merged, None if "gid" in node.attrib else template, base, place)
        found = self._tilesets.find(gid & GID_MASK)
        if gid and found is None:
            raise place.problem("tile {what} is in no tileset; choose another tile", gid & GID_MASK)
        tile = found[0].tiles.get(found[1], Tile()) if found else Tile()
        kind = node.get("type") or node.get("class") or attributes.get("type") or attributes.get("class") or tile.kind
        flat: Flat = {**self._project.defaults(kind), **tile.properties}
        if template is not None:
            flat.update(flatten(template, self._project, place))
        flat.update(flatten(node, self._project, place))
        x, y = (number(merged, axis, place) + by for axis, by in zip("xy", shift, strict=True))
        pivot, angle = (x, y), math.fmod(number(merged, "rotation", place), 360.0)
        wide, high = number(merged, "width", place), number(merged, "height", place)
        if wide < 0 or high < 0:
            raise place.problem("has a negative size; draw it again")
        if found:  # Tiled places tile objects by an anchor, usually their lower left corner
            own = found[0].size(found[1])
            wide, high = wide or own[0], high or own[1]  # files of old leave the size out
            x, y = x - wide * found[0].anchor[0], y - high * found[0].anchor[1]
        visible = truth(merged.get("visible", "1")) is not False
        out = SubElement(layer, "object", {
            "id": place.object, "name": merged.get("name", ""), "type": kind, "x": repr(x), "y": repr(y),
            "width": repr(wide), "height": repr(high), "rotation": repr(angle), "visible": "1" if visible else "0",
            "pivot": f"{pivot[0]!r} {pivot[1]!r}",
        })  # fmt: skip
        shapes = (child for each in (node, template) if each is not None for child in each if child.tag in _SHAPES)
        self._write_shape(out, next(shapes, None), gid, place)
        self._project.give(flat, place)
        attach(out, flat)
        if not gid or not visible:
            return None
        check_size(wide, high, place)
        opacity = min(1.0, max(0.0, number(merged, "opacity", place, 1.0)))
        return TileObject(gid, kind, (x, y, wide, high), angle, pivot, opacity)

    def _template(self, node: Element, place: Place) -> tuple[Element | None, Path]:
        source = node.get("template")
        if not source:
            return None, self._base
        path = self._folder.find(self._base, source, place)
        if path not in self._templates:
            if len(self._templates) >= limits.MAX_TEMPLATES:
                raise place.problem("uses one of more than {max_templates} templates; use fewer", limits.MAX_TEMPLATES)
            self._templates[path] = self._folder.xml(path, "template", place)
        root = self._templates[path]
        found = root.find("object")
        if found is None:
            raise place.problem("template {source} holds no <object>; save it again in Tiled", shown(source))
        if "gid" in found.attrib and root.find("tileset") is None:
            raise place.problem("template {source} has a tile but no tileset; save it again in Tiled", shown(source))
        found.set("_source", source)
        return found, path.parent

    def _gid(self, merged: Element, template: Element | None, base: Path, place: Place) -> int:
        """The map's tile number of an object; a template's own number belongs to the template's tileset."""
        gid = whole(merged, "gid", place, 0)
        if not 0 <= gid < 1 << 32:
            raise place.problem("tile {gid} is out of range; choose another tile", gid)
        if not gid or template is None:
            return gid
        source = self._folder.find(self._base, template.get("_source", ""), place)
        node = self._templates[source].find("tileset")
        assert node is not None
        tileset = self._tilesets.from_template(node, base, place)
        local = (gid & GID_MASK) - whole(node, "firstgid", place, 1)
        return (gid & ~GID_MASK) | (tileset.first + local)

    def _write_shape(self, out: Element, shape: Element | None, gid: int, place: Place) -> None:
        out.set("shape", "tile" if gid else shape.tag if shape is not None else "rectangle")
        if shape is None:
            return
        if shape.tag == "text":
            out.set("words", (shape.text or "")[: limits.MAX_TEXT])
        if shape.tag not in ("polygon", "polyline"):
            return
        text = shape.get("points", "")
        parts = text.split()
        self._points += len(parts)
        if self._points > limits.MAX_POINTS:
            wrong = "brings the map beyond {max_points} points; draw simpler lines"
            raise place.problem(wrong, limits.MAX_POINTS)
        points: list[tuple[float, float]] = []
        with suppress(ValueError):
            points = [(float(x), float(y)) for x, y in (part.split(",") for part in parts)]
        if len(points) < 2 or not all(abs(v) <= limits.MAX_PIXEL for point in points for v in point):
            raise place.problem("its points {text} are no list of at least two x,y; draw it again", text=shown(text))
        SubElement(out, shape.tag, {"points": " ".join(f"{x!r},{y!r}" for x, y in points)})


class _Found(NamedTuple):
    """A layer as it stands in the file."""

    node: Element
    group: Finish
    place: Place


class Normal:
    """One map file out of the folders within its reach: a plain tree, with what pytmx would lose. Raises MapProblem."""

    def __init__(self, path: Path, reach: Reach, given: bytes | None = None) -> None:
        self._place = Place(path.name)
        self._folder = Folder(reach)
        self.notes = Notes(path.name)
        self._origin = (0, 0)
        self.tiles: dict[int, array[int]] = {}
        """The tile numbers, with flags, of every tile layer by its place in draw order: pytmx would take its time."""
        self.drawings: dict[int, Drawing] = {}
        """Every layer by its place in draw order: its finish, and what object and image layers show."""
        self._known = {0}
        """Numbers of tiles that are in a tileset."""
        file = self._folder.find(path.absolute().parent, path.name, self._place)
        root = self._folder.xml(file, "map", self._place, given)
        self._read_head(root)
        self._base = file.parent
        self._project: Project = read_project(self._folder, self._base)
        self.tilesets = Tilesets(self._folder, self._project, self.notes)
        for node in root.findall("tileset"):
            self.tilesets.add(node, self._base, self._place)
        found = self._walk(root, Finish(), 0)
        for tag, count in self._folder.unknown.items():
            self.notes.count(Strange.ELEMENT, tag, self._place, count)
        if len(found) > limits.MAX_LAYERS:
            wrong = "has {found} layers; {max_layers} are the most, merge some"
            raise self._place.problem(wrong, len(found), limits.MAX_LAYERS)
        order = root.get("renderorder", "right-down")
        self.backward = order.startswith("left"), order.endswith("up")
        self.background: Colour | None = plain_colour(root.get("backgroundcolor"))
        self.tree = self._write(root, found)

    @property
    def origin(self) -> tuple[int, int]:
        """The column and row of the file at which the map begins: of an infinite one where its first tile lies."""
        return self._origin

    def _read_head(self, root: Element) -> None:
        place = self._place
        shape = root.get("orientation", "orthogonal")
        if shape != "orthogonal":
            raise place.problem("is {shape}; only orthogonal maps of square spaces can be played", shape[:20])
        self._side, high = whole(root, "tilewidth", place), whole(root, "tileheight", place)
        if not 0 < self._side == high <= 2048:
            wrong = "has spaces of {wide}×{high} pixels; they must be square, 1 to 2048 pixels a side"
            raise place.problem(wrong, self._side, high)
        self._infinite = truth(root.get("infinite", "0")) is True
        self._size = whole(root, "width", place), whole(root, "height", place)
        if not self._infinite:
            self._check_size(*self._size)

    def _check_size(self, width: int, height: int) -> None:
        side = limits.MAX_SIDE
        if not (0 < width <= side and 0 < height <= side):
            wrong = "is {width}×{height} spaces; 1×1 to {side}×{side} is right, resize the map"
            raise self._place.problem(wrong, width, height, side)

    def _walk(self, node: Element, group: Finish, depth: int) -> list[_Found]:
        """All layers below ``node`` in draw order."""
        if depth > limits.MAX_DEPTH:
            raise self._place.problem("nests its groups too deeply; flatten them in Tiled")
        found: list[_Found] = []
        for child in node:
            place = Place(self._place.file, child.get("name", "") or "without a name")
            if child.tag == "group":
                found += self._walk(child, group.inside(child, place), depth + 1)
            elif child.tag in ("layer", "objectgroup", "imagelayer"):
                found.append(_Found(child, group.inside(child, place), place))
        return found

    def _write(self, root: Element, found: list[_Found]) -> Element:
        tiles = self._decode([each for each in found if each.node.tag == "layer"])
        (width, height), side = map(str, self._size), str(self._side)
        tree = Element("map", {
            "version": "1.10", "orientation": "orthogonal", "renderorder": "right-down",
            "width": width, "height": height, "tilewidth": side, "tileheight": side,
        })  # fmt: skip
        kind = root.get("class") or root.get("type") or ""
        attach(tree, {**self._project.defaults(kind), **flatten(root, self._project, self._place)})
        origin = (-self._origin[0] * self._side, -self._origin[1] * self._side)
        writer = ObjectWriter(self._folder, self._project, self.tilesets, self._base)
        for order, each in enumerate(found):
            role = flatten(each.node, self._project, each.place).get("role")
            self.drawings[order] = drawn = drawing(each.node, each.group, role, each.place, self.notes)
            if each.node.tag == "layer":
                self._write_layer(tree, each, order, tiles[id(each)])
            elif each.node.tag == "imagelayer":
                drawn.backdrop = self._backdrop(each, origin)
            else:
                layer = self._head(tree, "objectgroup", each, order)
                shift = each.group.x + origin[0], each.group.y + origin[1]
                written = (writer.write(layer, node, shift, each.place) for node in each.node.findall("object"))
                drawn.objects += [tile for tile in written if tile is not None]
        return tree

    def _backdrop(self, found: _Found, origin: tuple[int, int]) -> Backdrop | None:
        """An image layer's picture, measured; None with a warning where there is none to draw."""
        image = found.node.find("image")
        try:
            picture = self.tilesets.picture(image, self._base, found.place) if image is not None else None
        except MapProblem as problem:  # the map can be played without it
            if isinstance(problem, OutsideProblem):  # the user may be asked for it
                raise
            why = str(problem).removeprefix(f"{found.place}: ")
            self.notes.say(text("{why}; the layer is not drawn", why), found.place)
            return None
        if picture is None:
            return None
        x, y = found.group.x, found.group.y
        if "offsetx" not in found.node.attrib:  # files of old
            x, y = x + number(found.node, "x", found.place), y + number(found.node, "y", found.place)
        repeats = [truth(found.node.get(name, "0")) is True for name in ("repeatx", "repeaty")]
        return Backdrop(picture.path, picture.size, (x + origin[0], y + origin[1]), picture.key, *repeats)

    def _head(self, tree: Element, tag: str, found: _Found, order: int) -> Element:
        layer = SubElement(tree, tag, {"id": str(order), "name": found.node.get("name", "")})
        kind = found.node.get("class") or ""
        says = {**self._project.defaults(kind), **flatten(found.node, self._project, found.place)}
        self._project.give(says, found.place)
        attach(layer, says)
        return layer

    def _write_layer(self, tree: Element, found: _Found, order: int, tiles: array[int]) -> None:
        width, height = self._size
        fresh = {gid & GID_MASK for gid in set(tiles)} - self._known
        for plain in fresh:
            if self.tilesets.find(plain) is None:
                where = next(cell for cell, gid in enumerate(tiles) if gid & GID_MASK == plain)
                wrong = "tile {plain} at column {what}, row {what2} is in no tileset; erase it in Tiled"
                raise found.place.problem(wrong, plain, where % width, where // width)
        self._known |= fresh
        layer = self._head(tree, "layer", found, order)
        layer.set("width", str(width))
        layer.set("height", str(height))
        SubElement(layer, "data", {"encoding": "csv"}).text = "0"
        self.tiles[order] = tiles

    def _decode(self, layers: list[_Found]) -> dict[int, array[int]]:
        """The tiles of each layer by ``id()``, all of the map's size; sets that size for infinite maps."""
        blocks = [(each, self._blocks(each.node, each.place)) for each in layers]
        total = sum(chunk.width * chunk.height for _, own in blocks for chunk in own)
        if total > limits.MAX_TILES_DECODED:
            wrong = (
                "has {total} tiles on all layers; {max_tiles_decoded} are the most: use fewer layers or a smaller map"
            )
            raise self._place.problem(wrong, total, limits.MAX_TILES_DECODED)
        if not self._infinite:
            return {id(each): own[0].decoded(each.place) for each, own in blocks}
        corners = [(c.x, c.y, c.x + c.width, c.y + c.height) for _, own in blocks for c in own]
        if not corners:
            raise self._place.problem("has no tiles; draw a ground layer")
        left, top = min(c[0] for c in corners), min(c[1] for c in corners)
        wide, high = max(c[2] for c in corners) - left, max(c[3] for c in corners) - top
        self._check_size(wide, high)
        canvases = {}
        for each, own in blocks:
            there = ((c.x - left, c.y - top, c.width, c.decoded(each.place)) for c in own)
            canvases[id(each)] = joined(there, wide, high)
        x1, y1, x2, y2 = used(list(canvases.values()), wide)
        if x1 >= x2:
            raise self._place.problem("has no tiles; draw a ground layer")
        self._origin, self._size = (left + x1, top + y1), (x2 - x1, y2 - y1)
        return {key: moved(canvas, wide, -x1, -y1, self._size) for key, canvas in canvases.items()}

    def _blocks(self, layer: Element, place: Place) -> list[Chunk]:
        """The blocks of a ``<layer>``: its chunks on an infinite map, else all of it as one."""
        width, height = self._size
        own = whole(layer, "width", place, width), whole(layer, "height", place, height)
        if not self._infinite and own != self._size:
            wrong = "is {own}×{own2} spaces in a map of {width}×{height}; resize the map in Tiled"
            raise place.problem(wrong, own[0], own[1], width, height)
        data = layer.find("data")
        if data is None:
            raise place.problem("has no <data>; save the map again in Tiled")
        found = chunks(data, place)
        if not self._infinite and found:
            raise place.problem("has chunks, though the map is not infinite; save the map again in Tiled")
        return found if self._infinite else [Chunk(0, 0, width, height, data, data)]
