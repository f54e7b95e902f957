"""What a picture's first bytes say of its kind and size, so that nothing large is ever decoded by mistake."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

_HEAD, _LONG_HEAD = 64, 1 << 20
"""Bytes of a file that are looked at; a JPG and a GIF may say a lot before they come to their size."""
KINDS = "PNG, JPG, GIF, BMP or WebP"
"""The kinds of pictures that are drawn, for messages."""
Size = tuple[int, int]

_NO_FRAME = (0xC4, 0xC8, 0xCC)
"""Markers of a JPG between those of its frames that are none."""


def kind_of(head: bytes) -> str:
    """`PNG`, `JPG`, `GIF`, `BMP` or `WebP` by a file's first bytes; empty for anything else."""
    if head.startswith(b"\x89PNG\r\n\x1a\n"):
        return "PNG"
    if head.startswith(b"\xff\xd8\xff"):
        return "JPG"
    if head.startswith((b"GIF87a", b"GIF89a")):
        return "GIF"
    if head.startswith(b"RIFF") and head[8:12] == b"WEBP":
        return "WebP"
    return "BMP" if head.startswith(b"BM") and head[6:10] == b"\0\0\0\0" else ""


def kind_at(path: Path) -> str:
    """The same of a file."""
    with path.open("rb") as file:
        return kind_of(file.read(_HEAD))


def picture_size(path: Path) -> Size | None:
    """Width and height by a picture's header; None if it is none of KINDS or breaks off before it tells."""
    with path.open("rb") as file:
        head = file.read(_HEAD)
        if kind_of(head) in ("JPG", "GIF"):
            head += file.read(_LONG_HEAD)
    measure = _MEASURES.get(kind_of(head))
    try:
        return measure(head) if measure is not None else None
    except IndexError:
        return None


def _number(head: bytes, at: int, count: int, *, big: bool = False) -> int:
    if at + count > len(head):
        raise IndexError(at)
    return int.from_bytes(head[at : at + count], "big" if big else "little")


def _png(head: bytes) -> Size | None:
    if head[12:16] != b"IHDR":
        return None
    return _number(head, 16, 4, big=True), _number(head, 20, 4, big=True)


def _jpg(head: bytes) -> Size | None:
    """The largest frame named before the picture's data begin."""
    at, found = 2, None
    while True:
        while _number(head, at, 1) == 0xFF and _number(head, at + 1, 1) == 0xFF:
            at += 1
        if head[at] != 0xFF:
            return None
        marker, length = head[at + 1], _number(head, at + 2, 2, big=True)
        if marker == 0xDA:
            return found
        if 0xC0 <= marker <= 0xCF and marker not in _NO_FRAME:
            high, wide = _number(head, at + 5, 2, big=True), _number(head, at + 7, 2, big=True)
            found = (wide, high) if found is None else (max(found[0], wide), max(found[1], high))
        at += 2 + length


def _gif(head: bytes) -> Size | None:
    """The canvas, or the first frame where that reaches beyond it."""
    wide, high, flags = _number(head, 6, 2), _number(head, 8, 2), _number(head, 10, 1)
    at = 13 + (3 << (flags & 7) + 1 if flags & 0x80 else 0)
    while _number(head, at, 1) == 0x21:  # extensions before the frame
        at += 2
        while _number(head, at, 1):
            at += 1 + head[at]
        at += 1
    if head[at] != 0x2C:
        return None
    left, top = _number(head, at + 1, 2), _number(head, at + 3, 2)
    return max(wide, left + _number(head, at + 5, 2)), max(high, top + _number(head, at + 7, 2))


def _bmp(head: bytes) -> Size | None:
    if _number(head, 14, 4) == 12:  # the header of OS/2
        return _number(head, 18, 2), _number(head, 20, 2)
    wide, high = _number(head, 18, 4), _number(head, 22, 4)
    return wide, high if high < 1 << 31 else (1 << 32) - high  # a negative height: its rows run downwards


def _webp(head: bytes) -> Size | None:
    kind = head[12:16]
    if kind == b"VP8X":
        return _number(head, 24, 3) + 1, _number(head, 27, 3) + 1
    if kind == b"VP8L" and _number(head, 20, 1) == 0x2F:
        bits = _number(head, 21, 4)
        return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
    if kind == b"VP8 " and head[23:26] == b"\x9d\x01\x2a":
        return _number(head, 26, 2) & 0x3FFF, _number(head, 28, 2) & 0x3FFF
    return None


_MEASURES: dict[str, Callable[[bytes], Size | None]] = {
    "PNG": _png, "JPG": _jpg, "GIF": _gif, "BMP": _bmp, "WebP": _webp,
}  # fmt: skip
