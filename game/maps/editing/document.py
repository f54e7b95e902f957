"""A `.tmx` file being drawn: opened, changed stroke by stroke, read as in play, saved; all else stays as it was."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple
from xml.etree.ElementTree import Element

from game import paths
from game.maps import limits
from game.maps.editing.layers import CHUNK, TileLayer
from game.maps.editing.strokes import Edit, Pieces, Stroke, Tags, Tiles
from game.maps.editing.xmltree import Node, Piece, Tree, element, escaped, parsed, tagged
from game.maps.limits import Place
from game.maps.mapdata import LoadedMap, MapProblem
from game.maps.normalise import Normal
from game.maps.tiled import read_map
from game.maps.tilesets import GID_MASK, Tileset
from rules.contract.errors import BattlematError

Spot = tuple[int, int]
"""Column and row of the map as it is played: from 0."""
TILESET = "battlemat.tsx"
_LAYERS = ("layer", "objectgroup", "imagelayer")
_BEFORE = ("editorsettings", "properties", "tileset")
"""What stands in a map before its layers."""
SIDE = 64
"""Pixels of a space on our own maps."""


class LayerPlace(NamedTuple):
    """A layer of any kind, and by how many pixels it and the groups around it are shifted."""

    node: Node
    parent: Node
    x: float
    y: float


class Document:
    """One map. `read` gives it as it is played; nothing on the disk changes before `save`."""

    def __init__(self, path: Path, tree: Tree) -> None:
        self.path, self.tree = path, tree
        self.origin: Spot = (0, 0)
        """The column and row of the file that is the map's first."""
        self._normal: Normal | None = None
        self._loaded: LoadedMap | None = None
        self._layers: dict[int, TileLayer] = {}
        self._saved = tree.data()
        self._known: dict[str, object] = {}

    # -- files

    @classmethod
    def open(cls, path: Path) -> Document:
        """A map that can be read. Raises MapProblem in one line."""
        try:
            if path.stat().st_size > limits.MAX_FILE_BYTES:
                raise Place(path.name).problem(
                    "is too large; {most} MiB are the most", limits.MAX_FILE_BYTES >> 20
                )  # fmt: skip
            data = path.read_bytes()
        except OSError as error:
            wrong = "{name} cannot be read ({strerror}); mend its rights"
            raise MapProblem(wrong, name=path.name, strerror=str(error.strerror)) from None
        loaded, normal = read_map(path, given=data)  # well-formed, without a DTD, and within bounds
        found = cls(path, Tree.read(data))
        found._take(loaded, normal)
        return found

    @classmethod
    def new(
        cls, path: Path, columns: int, rows: int, *, title: str = "", ambient: str = "bright", floor: str = ""
    ) -> Document:
        """An empty map, which is not on the disk yet; our tileset is laid beside it. `floor` is a material that
        covers all of it. Raises MapProblem for a size that no map has."""
        if not (0 < columns <= limits.MAX_SIDE and 0 < rows <= limits.MAX_SIDE):
            wrong = "{columns}×{rows} spaces; 1×1 to {side}×{side} is right"
            raise MapProblem(wrong, columns=columns, rows=rows, side=limits.MAX_SIDE)
        bring_tileset(path.parent, SIDE)
        bring_project(path.parent)
        found = cls(path, Tree.read(_empty(columns, rows, title, ambient).encode()))
        found.read()
        if floor:
            plain = ((n, says) for n, says in found.tiles() if not (says.get("level") or says.get("prop")))
            number = next((n for n, says in plain if says.get("material") == floor), 0)
            if not number:
                raise MapProblem("no tile has the material {floor}", floor=floor)
            layer = next(found.tile_layers())
            cells = tuple((x, y, 0, number) for y in range(rows) for x in range(columns))
            found.apply(Stroke("", (Tiles(layer, cells),)))
        return found

    def renew(self) -> None:
        """It lies elsewhere now: `read` reads anew, and `save` writes it there although nothing was drawn."""
        self._loaded, self._normal, self._saved = None, None, b""
        self._known.clear()

    def data(self) -> bytes:
        """The file as it would be written now."""
        return self.tree.data()

    @property
    def unsaved(self) -> bool:
        """Whether the file would be another than the one on the disk."""
        return self.data() != self._saved

    def save(self, path: Path | None = None) -> None:
        """Write the file, whole or not at all; from then on it lies there. Raises BattlematError."""
        data, goal = self.data(), path or self.path
        write_bytes(goal, data)
        self.path, self._saved = goal, data

    # -- reading

    def read(self) -> LoadedMap:
        """The map as it is played, by the reader of all maps. Raises MapProblem where it cannot be."""
        if self._loaded is None:
            self._take(*read_map(self.path, given=self.data()))
        assert self._loaded is not None
        return self._loaded

    def _take(self, loaded: LoadedMap, normal: Normal) -> None:
        self._loaded, self._normal, self.origin = loaded, normal, normal.origin

    def remembered(self, name: str, find: Callable[[Document], object]) -> object:
        """Something that is worked out of the map, once as long as nothing is drawn."""
        if name not in self._known:
            self._known[name] = find(self)
        return self._known[name]

    def plain(self) -> Element:
        """The plain tree that the reader makes of the map: objects in pixels of the map, with all their properties."""
        self.read()
        assert self._normal is not None
        return self._normal.tree

    @property
    def tilesets(self) -> Sequence[Tileset]:
        """The tilesets of the map, in order, as they were last read."""
        if self._normal is None:
            self.read()
        assert self._normal is not None
        return self._normal.tilesets.all

    def tiles(self) -> Iterator[tuple[int, dict[str, object]]]:
        """Every tile about which a tileset says something: its number in the map and that."""
        for tileset in self.tilesets:
            for local, tile in sorted(tileset.tiles.items()):
                if tile.properties and tileset.has(local):
                    yield tileset.first + local, dict(tile.properties)

    def says(self, number: int) -> dict[str, object]:
        """What the tileset says of a tile, by its number in the map; flags don't matter."""
        plain = number & GID_MASK
        home = next((each for each in reversed(self.tilesets) if each.first <= plain), None) if plain else None
        tile = home.tiles.get(plain - home.first) if home is not None else None
        return dict(tile.properties) if tile is not None else {}

    # -- what it consists of

    @property
    def root(self) -> Node:
        return self.tree.root

    @property
    def infinite(self) -> bool:
        return limits.truth(self.root.get("infinite", "0")) is True

    @property
    def size(self) -> Spot:
        """Columns and rows as they are played."""
        field = self.read().field
        return field.width, field.height

    @property
    def side(self) -> int:
        """Pixels of a space."""
        return int(self.root.get("tilewidth", str(SIDE)))

    def layers(self) -> Iterator[LayerPlace]:
        """Layers of all kinds in draw order."""
        return _layers_below(self.root, 0.0, 0.0)

    def tile_layers(self) -> Iterator[TileLayer]:
        """The tile layers in draw order."""
        for place in self.layers():
            if place.node.tag == "layer":
                yield self.tile_layer(place.node)

    def tile_layer(self, node: Node) -> TileLayer:
        """A `<layer>`."""
        if id(node) not in self._layers:
            size = int(self.root.get("width", "0")), int(self.root.get("height", "0"))
            self._layers[id(node)] = TileLayer(node, size, self.infinite, Place(self.path.name))
        return self._layers[id(node)]

    def shift(self, node: Node) -> Spot:
        """What is to be added to a space of the map to get the column and row of a tile layer's file."""
        place = next(each for each in self.layers() if each.node is node)
        return self.origin[0] - round(place.x / self.side), self.origin[1] - round(place.y / self.side)

    def pixels(self, node: Node) -> tuple[float, float]:
        """What is to be added to pixels of the map to get those of an object layer's file."""
        place = next(each for each in self.layers() if each.node is node)
        return self.origin[0] * self.side - place.x, self.origin[1] * self.side - place.y

    # -- strokes

    def apply(self, stroke: Stroke) -> None:
        """Do a stroke; `read` reads anew. To take it back, apply its inverse."""
        for edit in stroke.edits:
            self.do(edit)

    def do(self, edit: Edit) -> None:
        """Do one edit of a stroke."""
        edit.apply()
        self._loaded = None
        self._known.clear()
        if isinstance(edit, Pieces) and edit.node is self.root:
            self._normal = None  # a tileset more

    # -- parts of strokes

    def room_for(self, layer: TileLayer, spots: Iterable[Spot]) -> list[Edit]:
        """What an infinite map's layer needs so that there is room for tiles (in columns and rows of the file)."""
        if not layer.infinite:
            return []
        wide, high = self._chunk()
        corners = dict.fromkeys((x // wide * wide, y // high * high) for x, y in spots if not layer.has(x, y))
        if not corners:
            return []
        data, found = layer.data, list[Edit]()
        pieces: list[Piece] = []
        for x, y in corners:
            node = _chunk_node(data, (x, y, wide, high))
            pieces += [node, "\n  " if any(isinstance(each, str) for each in data.inside) else ""]
        if data.head.endswith("/>"):
            found.append(opened(data))
        at = len(data.inside)
        while at and isinstance(data.inside[at - 1], str):
            at -= 1  # white space before the end stays at the end
        before: list[Piece] = ["\n   "] if not at else []
        found.append(Pieces(data, at, (), tuple(each for each in (*before, *pieces) if each != "")))
        return found

    def _chunk(self) -> Spot:
        settings = self.root.find("editorsettings")
        said = settings.find("chunksize") if settings is not None else None
        if said is None:
            return CHUNK, CHUNK
        return max(4, int(said.get("width", "16"))), max(4, int(said.get("height", "16")))

    def new_layer(self, tag: str, name: str, *, lowest: bool = False, says: str = "") -> tuple[Node, list[Edit]]:
        """A new layer, over all others or under them, and the edits that put it there; none are done yet."""
        number = self._next("nextlayerid", max((place.node.get("id", "0") for place in self.layers()), key=_id))
        wide, high = int(self.root.get("width", "0")), int(self.root.get("height", "0"))
        size = {"width": wide, "height": high} if tag == "layer" else {}
        node = element(tagged(tag, says or ("" if tag == "layer" else None), id=number, name=name, **size))
        if tag == "layer":
            rows = ",\n".join(",".join("0" * wide) for _ in range(high))
            data = tagged("data", None if self.infinite else f"\n{rows}\n", encoding="csv")
            node.inside += ["\n  ", element(data), "\n "]
        first = next((each.node for each in self.layers()), None)
        at = self._before_layers() if lowest or first is None else self._behind_layers()
        return node, [self._numbered("nextlayerid", number + 1), Pieces(self.root, at, (), ("\n ", node))]

    def _before_layers(self) -> int:
        """Where in the map what stands before layers has ended."""
        there = [n for n, each in enumerate(self.root.inside) if isinstance(each, Node) and each.tag in _BEFORE]
        return there[-1] + 1 if there else 0

    def _behind_layers(self) -> int:
        there = [n for n, each in enumerate(self.root.inside) if isinstance(each, Node)]
        return there[-1] + 1 if there else 0

    def new_tileset(self) -> list[Edit]:
        """The edits that let a map use our own tiles, which are laid beside it: as large as its spaces."""
        name = bring_tileset(self.path.parent, self.side)
        # numbers of tiles that a template's tileset has are taken when it is read: leave room behind the last
        first = max((each.first + max(each.count, *each.tiles, 1) + 1 for each in self.tilesets), default=1)
        node = element(tagged("tileset", firstgid=first, source=name))
        return [Pieces(self.root, self._before_layers(), (), ("\n ", node))]

    def _next(self, name: str, highest: str = "0") -> int:
        return max(_id(self.root.get(name, "1")), _id(highest) + 1)

    def _numbered(self, name: str, number: int) -> Tags:
        root = self.root
        return Tags(root, (root.head, root.tail), (root.headed(**{name: str(number)}), root.tail))

    def object_numbers(self, count: int) -> tuple[int, Tags]:
        """The first of so many numbers for new objects, and the edit that says they are taken."""
        highest = max((_id(each.get("id", "0")) for each in self.root.walk() if each.tag == "object"), default=0)
        first = self._next("nextobjectid", str(highest))
        return first, self._numbered("nextobjectid", first + count)


def _id(text: str) -> int:
    return int(text) if text.isdecimal() and len(text) < 10 else 0


def _layers_below(node: Node, x: float, y: float) -> Iterator[LayerPlace]:
    for child in node.children("group", *_LAYERS):
        there = x + float(child.get("offsetx", "0")), y + float(child.get("offsety", "0"))
        if child.tag == "group":
            yield from _layers_below(child, *there)
        else:
            yield LayerPlace(child, node, *there)


def opened(node: Node) -> Tags:
    """An element that is closed at once becomes one with a beginning and an end."""
    return Tags(node, (node.head, node.tail), (f"{node.head[:-2].rstrip()}>", f"</{node.tag}>"))


def pieces_of(text: str) -> tuple[Piece, ...]:
    """White space and elements out of their text."""
    root = parsed(f"<x>{text}</x>")[0][0]
    return tuple(root.inside)


def _chunk_node(data: Node, spaces: tuple[int, int, int, int]) -> Node:
    """An empty chunk, in the encoding of the data around it."""
    x, y, wide, high = spaces
    encoding = data.get("encoding")
    if not encoding:
        body = "\n" + f"   {tagged('tile', gid=0)}\n" * (wide * high)
    elif encoding == "csv":
        body = "\n" + ",\n".join(",".join("0" * wide) for _ in range(high)) + "\n"
    else:
        body = _packed_nothing(data.get("compression"), wide * high)
    return element(tagged("chunk", body, x=x, y=y, width=wide, height=high))


def _packed_nothing(packing: str, count: int) -> str:
    import base64
    import gzip
    import zlib

    import zstandard

    raw = bytes(4 * count)
    raw = zlib.compress(raw) if packing == "zlib" else gzip.compress(raw, mtime=0) if packing == "gzip" else raw
    raw = zstandard.ZstdCompressor().compress(raw) if packing == "zstd" else raw
    return base64.b64encode(raw).decode()


# -- files beside a map


def write_bytes(path: Path, data: bytes) -> None:
    """Write a file whole or not at all. Raises BattlematError if the disk refuses."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".draft")
        try:
            with os.fdopen(handle, "wb") as stream:
                stream.write(data)
                stream.flush()
                os.fsync(stream.fileno())
            os.replace(temporary, path)
        except BaseException:
            Path(temporary).unlink(missing_ok=True)
            raise
    except OSError as error:
        wrong = "{path}: cannot be written: {what}"
        raise BattlematError(wrong, str(path), str(error.strerror or error)) from None


def bring_tileset(folder: Path, side: int) -> str:
    """Lay our tiles beside a map whose spaces have so many pixels; the name of the tileset's file there.

    On spaces of another size than ours Tiled draws them as large as a space. Raises BattlematError.
    """
    home = paths.shipped_maps()
    try:
        told = (home / TILESET).read_text(encoding="utf-8")
        folder.mkdir(parents=True, exist_ok=True)
        picture = folder / "battlemat.png"
        if not picture.exists():
            shutil.copyfile(home / "battlemat.png", picture)
    except OSError as error:
        wrong = "{path}: cannot be written: {what}"
        raise BattlematError(wrong, str(folder), str(error.strerror or error)) from None
    stem = "battlemat"
    if side != SIDE:
        stem = "battlemat-grid"
        told = told.replace(' columns="8">', ' columns="8" tilerendersize="grid">', 1)
    number = 1
    while True:  # a file of that name that is not ours stays what it is
        name = f"{stem}.tsx" if number == 1 else f"{stem}-{number}.tsx"
        there = folder / name
        if not there.exists():
            write_bytes(there, told.encode())
        if there.read_bytes() == told.encode():
            return name
        number += 1


def bring_project(folder: Path) -> None:
    """Lay our classes beside a map, so that Tiled offers them; a project that is there already stays."""
    if not list(folder.glob("*.tiled-project")):
        told = (paths.shipped_maps() / "battlemat.tiled-project").read_bytes()
        write_bytes(folder / "battlemat.tiled-project", told)


def _empty(columns: int, rows: int, title: str, ambient: str) -> str:
    row = ",".join("0" * columns)
    numbers = ",\n".join(row for _ in range(rows))
    return f"""<?xml version="1.0" encoding="UTF-8"?>
<map version="1.10" tiledversion="1.10.2" class="Map" orientation="orthogonal" renderorder="right-down" \
width="{columns}" height="{rows}" tilewidth="{SIDE}" tileheight="{SIDE}" infinite="0" nextlayerid="3" nextobjectid="1">
 <properties>
  <property name="ambient" propertytype="Ambient" value="{escaped(ambient)}"/>
  <property name="title" value="{escaped(title)}"/>
 </properties>
 <tileset firstgid="1" source="{TILESET}"/>
 <layer id="1" name="Ground" class="TileLayer" width="{columns}" height="{rows}">
  <properties>
   <property name="role" propertytype="Role" value="ground"/>
  </properties>
  <data encoding="csv">
{numbers}
</data>
 </layer>
 <layer id="2" name="Things" class="TileLayer" width="{columns}" height="{rows}">
  <properties>
   <property name="role" propertytype="Role" value="ground"/>
  </properties>
  <data encoding="csv">
{numbers}
</data>
 </layer>
</map>
"""
