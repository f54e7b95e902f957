"""Tile layers of a document: their numbers out of whatever encoding, and back into the same.

Columns and rows are those of the file: on an infinite map they may be negative. What was not touched is written as it
was, also where other packing would say the same in fewer letters.
"""

from __future__ import annotations

import base64
import gzip
import sys
import zlib
from array import array
from collections.abc import Mapping
from xml.etree.ElementTree import Element

import zstandard

from game.maps.editing.xmltree import Node
from game.maps.limits import Place
from game.maps.normalise import NUMBERS, Chunk

CHUNK = 16
"""Columns and rows of a new chunk where the map says nothing else."""


class Block:
    """The tiles of a whole layer, or of a chunk of an infinite one."""

    def __init__(self, node: Node, data: Node, spaces: tuple[int, int, int, int], place: Place) -> None:
        self.node, self.x, self.y = node, spaces[0], spaces[1]
        self.width, self.height = spaces[2:]
        self._encoding, self._packing = data.get("encoding"), data.get("compression")
        self._tiles = list(node.children("tile")) if not self._encoding else []
        said = ",".join(each.get("gid", "0") for each in self._tiles) if not self._encoding else node.text
        head, body = Element("data", data.attributes), Element("data")
        body.text = said
        block = Chunk(self.x, self.y, self.width, self.height, body, head)
        self.numbers = block.decoded(place)
        self._first = array(NUMBERS, self.numbers)
        self._written = list(node.inside)
        self._heads = [each.head for each in self._tiles]
        self._parts = "".join(each for each in node.inside if isinstance(each, str)).split(",")
        self._plain = all(isinstance(each, str) and not each.startswith("<") for each in node.inside)

    def put(self, tiles: Mapping[int, int]) -> None:
        """Other numbers at some places; what it holds in the file changes with them."""
        for at, number in tiles.items():
            self.numbers[at] = number
        if not self._encoding:
            for at in tiles:
                self._put_tile(at)
        elif self.numbers == self._first:
            self.node.inside = list(self._written)
        elif self._encoding == "csv":
            self.node.inside = [self._csv(tiles)]
        else:
            self.node.inside = [self._base64()]

    def _put_tile(self, at: int) -> None:
        """A tile that is an element of its own."""
        node, number = self._tiles[at], self.numbers[at]
        node.head = self._heads[at]
        if number != self._first[at]:
            node.head = node.headed(gid=str(number) if number else None)

    def _csv(self, tiles: Mapping[int, int]) -> str:
        if not self._plain:  # comments among the numbers
            rows = range(0, len(self.numbers), self.width)
            return "\n" + ",\n".join(",".join(map(str, self.numbers[n : n + self.width])) for n in rows) + "\n"
        for at in tiles:
            old = self._parts[at]
            figures = old.strip()
            start = old.find(figures)
            self._parts[at] = f"{old[:start]}{self.numbers[at]}{old[start + len(figures) :]}"
        return ",".join(self._parts)

    def _base64(self) -> str:
        old = "".join(each for each in self._written if isinstance(each, str))
        body = old.strip()
        start = old.find(body)
        numbers = array(NUMBERS, self.numbers)
        if sys.byteorder == "big":
            numbers.byteswap()
        raw = numbers.tobytes()
        if self._packing == "zlib":
            raw = zlib.compress(raw)
        elif self._packing == "gzip":
            raw = gzip.compress(raw, mtime=0)
        elif self._packing == "zstd":
            raw = zstandard.ZstdCompressor().compress(raw)
        return f"{old[:start]}{base64.b64encode(raw).decode()}{old[start + len(body) :]}"


class TileLayer:
    """A `<layer>`: asked and told by columns and rows of the file."""

    def __init__(self, node: Node, size: tuple[int, int], infinite: bool, place: Place) -> None:
        self.node, self.infinite = node, infinite
        self._size = size
        self._place = Place(place.file, node.get("name") or "without a name")

    @property
    def name(self) -> str:
        return self.node.get("name")

    @property
    def id(self) -> int:
        return int(self.node.get("id", "0") or 0)

    @property
    def data(self) -> Node:
        """The element with its tiles."""
        found = self.node.find("data")
        if found is None:
            raise self._place.problem("has no <data>; save the map again in Tiled")
        return found

    def blocks(self) -> list[Block]:
        """Its tiles: all in one, or chunk by chunk."""
        data, found = self.data, list[Block]()
        nodes = [data] if not self.infinite else list(data.children("chunk"))
        for node in nodes:
            if not isinstance(node.block, Block):
                said = [int(node.get(name, "0")) for name in ("x", "y", "width", "height")]
                spaces = (0, 0, *self._size) if not self.infinite else (said[0], said[1], said[2], said[3])
                node.block = Block(node, data, spaces, self._place)
            found.append(node.block)
        return found

    def _at(self, x: int, y: int) -> tuple[Block, int] | None:
        """The block of a space and its place there; of several the last, which lies over the others."""
        for block in reversed(self.blocks()):
            if block.x <= x < block.x + block.width and block.y <= y < block.y + block.height:
                return block, (y - block.y) * block.width + x - block.x
        return None

    def has(self, x: int, y: int) -> bool:
        """Whether there is room for a tile of that space: a chunk of an infinite map may lack."""
        return self._at(x, y) is not None

    def get(self, x: int, y: int) -> int:
        """The number of a space's tile with its flags; 0 for none."""
        found = self._at(x, y)
        return found[0].numbers[found[1]] if found is not None else 0

    def put(self, tiles: Mapping[tuple[int, int], int]) -> None:
        """Other tiles on some spaces for which there is room."""
        by_block: dict[int, tuple[Block, dict[int, int]]] = {}
        for (x, y), number in tiles.items():
            found = self._at(x, y)
            if found is not None:
                by_block.setdefault(id(found[0]), (found[0], {}))[1][found[1]] = number
        for block, there in by_block.values():
            block.put(there)
