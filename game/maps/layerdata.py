"""Layer data to tile numbers: CSV, base64, zlib, gzip, zstd, XML tiles and the chunks of infinite maps, all bounded."""

from __future__ import annotations

import base64
import binascii
import re
import sys
import zlib
from array import array
from collections.abc import Iterable
from dataclasses import dataclass
from xml.etree.ElementTree import Element

import zstandard

from game.maps import limits
from game.maps.limits import Place, whole
from game.maps.mapdata import shown

_SPACE = re.compile(r"\s+")
_MAX_ZSTD_WINDOW = 1 << 23
NUMBERS = "I"
"""The kind of array that holds tile numbers: 32 bits without a sign."""


@dataclass(frozen=True, slots=True)
class Chunk:
    """A block of undecoded tiles at a place in spaces."""

    x: int
    y: int
    width: int
    height: int
    node: Element


def chunks(layer: Element, width: int, height: int, place: Place) -> list[Chunk]:
    """The blocks of a ``<layer>``: its chunks, or all of it as one. Nothing is decoded yet."""
    data = layer.find("data")
    if data is None:
        raise place.problem("has no <data>; save the map again in Tiled")
    nodes = data.findall("chunk")
    if not nodes:
        return [Chunk(0, 0, width, height, data)]
    found = []
    for node in nodes:
        x, y = whole(node, "x", place), whole(node, "y", place)
        w, h = whole(node, "width", place), whole(node, "height", place)
        if not (0 < w <= limits.MAX_SIDE and 0 < h <= limits.MAX_SIDE and max(abs(x), abs(y)) < 1 << 20):
            raise place.problem("has a chunk of {w}×{h} spaces at {x}, {y}; save the map again in Tiled", w, h, x, y)
        found.append(Chunk(x, y, w, h, node))
    return found


def decode(chunk: Chunk, data: Element, place: Place) -> array[int]:
    """The tile numbers of one block in reading order; their count is exactly width × height."""
    count = chunk.width * chunk.height
    encoding, compression = data.get("encoding"), data.get("compression")
    if encoding in (None, "csv"):  # `game.maps.folder` writes tiles of XML so
        tiles = _csv(chunk.node.text or "", count, place)
    elif encoding == "base64":
        tiles = _binary(chunk.node.text or "", compression or "", count, place)
    else:
        raise place.problem("is encoded as {encoding}; choose CSV or base64 in Tiled's map properties", shown(encoding))
    if len(tiles) != count:
        wrong = "has {tiles} tiles where {width}×{height} = {count} are needed; save the map again in Tiled"
        raise place.problem(wrong, len(tiles), chunk.width, chunk.height, count)
    return tiles


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
        raise place.problem(
            "has {raw} bytes, where {size} are needed; save the map again in Tiled", raw=len(raw), size=size
        )
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
    raise place.problem(
        "is compressed with {compression}; choose zlib, gzip, zstd or none in Tiled", shown(compression)
    )


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
