"""Small Tiled files as text, for the tests of the loader."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Sequence
from pathlib import Path

TILESET = """ <tileset firstgid="1" name="plain" tilewidth="32" tileheight="32" tilecount="16" columns="4">
  <tile id="1"><properties>
   <property name="move" value="blocked"/><property name="sight" value="blocked"/>
  </properties></tile>
  <tile id="2"><properties><property name="move" value="difficult"/></properties></tile>
  <tile id="3"><properties><property name="move" value="gap"/></properties></tile>
  <tile id="4"><properties><property name="light" type="int" value="5"/></properties></tile>
  <tile id="5"><properties><property name="climb" type="bool" value="true"/></properties></tile>
  <tile id="6"><properties><property name="level" type="int" value="1"/></properties></tile>
  <tile id="7"><properties>
   <property name="material" value="wood"/><property name="prop" value="table"/>
  </properties></tile>
 </tileset>
"""
"""Tiles by number: 1 plain, 2 wall, 3 difficult, 4 gap, 5 light, 6 climb, 7 level 1, 8 wood with a table."""


def layer(
    tiles: Sequence[int], width: int, height: int, *, name: str = "Ground", head: str = "", inside: str = ""
) -> str:
    """A CSV tile layer."""
    data = ",".join(map(str, tiles))
    return (
        f' <layer id="1" name="{name}" width="{width}" height="{height}" {head}>{inside}'
        f'<data encoding="csv">{data}</data></layer>\n'
    )


def packed(text: str, width: int, height: int, compression: str = "", name: str = "Ground") -> str:
    """A base64 tile layer of already encoded text."""
    how = f' compression="{compression}"' if compression else ""
    return (
        f' <layer id="1" name="{name}" width="{width}" height="{height}">'
        f'<data encoding="base64"{how}>{text}</data></layer>\n'
    )


def tmx(
    body: str,
    width: int = 4,
    height: int = 3,
    *,
    head: str = 'orientation="orthogonal" infinite="0"',
    tileset: str = TILESET,
    properties: str = "",
) -> str:
    """A whole map of 32-pixel spaces."""
    return (
        f'<?xml version="1.0" encoding="UTF-8"?>\n<map version="1.10" {head} width="{width}" height="{height}" '
        f'tilewidth="32" tileheight="32">\n{properties}{tileset}{body}</map>\n'
    )


def floor(width: int = 4, height: int = 3) -> str:
    """A ground layer of plain floor."""
    return layer([1] * (width * height), width, height)


def objects(*nodes: str, name: str = "Things", head: str = "") -> str:
    """An object layer."""
    return f' <objectgroup id="9" name="{name}" {head}>{"".join(nodes)}</objectgroup>\n'


def thing(
    number: int, kind: str, box: tuple[float, ...], inside: str = "", /, *, attribute: str = "type", **says: object
) -> str:
    """An object with string, int and bool properties; ``box`` is x, y and perhaps width, height in pixels."""
    names = ("x", "y", "width", "height")
    place = " ".join(f'{key}="{value:g}"' for key, value in zip(names, box, strict=False))
    kinds = {bool: "bool", int: "int", float: "float", str: "string"}
    plain = {key: str(value).lower() if isinstance(value, bool) else value for key, value in says.items()}
    props = "".join(
        f'<property name="{key}" type="{kinds[type(says[key])]}" value="{value}"/>' for key, value in plain.items()
    )
    wrapped = f"<properties>{props}</properties>" if props else ""
    return f'<object id="{number}" {attribute}="{kind}" {place}>{wrapped}{inside}</object>'


def save(folder: Path, text: str | bytes, name: str = "test.tmx") -> Path:
    """Write a file into a folder and tell its path."""
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def png(width: int, height: int, *, real: bool = True) -> bytes:
    """A PNG of that size; if not ``real``, only its header is true."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    rows = zlib.compress(b"\0" * ((width + 1) * height)) if real else b""
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")
