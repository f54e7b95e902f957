"""Layer data to tile numbers: CSV, base64, zlib, gzip, zstd, XML tiles and the chunks of infinite maps, all bounded."""

from __future__ import annotations

import base64
import binascii
import re
import struct
import zlib
from dataclasses import dataclass
from xml.etree.ElementTree import Element

import zstandard

from game.maps_in import limits
from game.maps_in.limits import Place, whole
from game.maps_in.lines import shown

_SPACE = re.compile(r"\s+")
_MAX_ZSTD_WINDOW = 1 << 23


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
            raise place.problem(f"has a chunk of {w}×{h} spaces at {x}, {y}; save the map again in Tiled")
        found.append(Chunk(x, y, w, h, node))
    return found


def decode(chunk: Chunk, data: Element, place: Place) -> list[int]:
    """The tile numbers of one block in reading order; their count is exactly width × height."""
    count = chunk.width * chunk.height
    encoding, compression = data.get("encoding"), data.get("compression")
    if encoding in (None, "csv"):  # `game.maps_in.folder` writes tiles of XML so
        tiles = _csv(chunk.node.text or "", count, place)
    elif encoding == "base64":
        tiles = _binary(chunk.node.text or "", compression or "", count, place)
    else:
        raise place.problem(
            f"is encoded as {shown(encoding)}; choose CSV or base64 in Tiled's map properties"
        )
    if len(tiles) != count:
        raise place.problem(
            f"has {len(tiles)} tiles where {chunk.width}×{chunk.height} = {count} are needed; "
            "save the map again in Tiled"
        )
    return tiles


def _csv(text: str, count: int, place: Place) -> list[int]:
    parts = text.strip().rstrip(",").split(",", count)
    if parts == [""]:
        return []
    try:
        tiles = [int(part) for part in parts[:count]]
    except ValueError:
        raise place.problem("holds something that is no tile number; save the map again in Tiled") from None
    if len(parts) > count:
        tiles.extend([0] * (parts[count].count(",") + 1))
    if tiles and not (min(tiles) >= 0 and max(tiles) < 1 << 32):
        raise place.problem("holds a tile number outside 0 to 4294967295; save the map again in Tiled")
    return tiles


def _binary(text: str, compression: str, count: int, place: Place) -> list[int]:
    try:
        raw = base64.b64decode(_SPACE.sub("", text), validate=True)
    except (binascii.Error, ValueError):
        raise place.problem("is no valid base64; save the map again in Tiled") from None
    size = count * 4
    if compression:
        raw = _unpack(raw, compression, size, place)
    if len(raw) > size:
        raise place.problem(f"holds more than the {count} tiles that fit; save the map again in Tiled")
    if len(raw) % 4:
        raise place.problem(f"has {len(raw)} bytes, where {size} are needed; save the map again in Tiled")
    return list(struct.unpack(f"<{len(raw) // 4}I", raw))


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
        raise place.problem(f"cannot be unpacked as {compression}; save the map again in Tiled") from None
    raise place.problem(f"is compressed with {shown(compression)}; choose zlib, gzip, zstd or none in Tiled")
