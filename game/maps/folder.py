"""The only way from a map to files: inside its folder, of bounded size, as XML without a DTD."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import Any
from xml.etree.ElementTree import Element, ParseError, TreeBuilder

import defusedxml.ElementTree as safe_xml
from defusedxml.common import DefusedXmlException

from game import paths
from game.maps import in_place, limits
from game.maps.limits import Place
from game.maps.mapdata import MapProblem, OutsideProblem
from game.maps.words import shown
from rules.contract.errors import said


@dataclass(frozen=True, slots=True)
class Reach:
    """Whatever lies below ``root`` or one of the folders ``also``; all of them without symbolic links."""

    root: Path
    also: tuple[Path, ...] = ()

    def holds(self, path: Path) -> bool:
        """Whether a path without symbolic links lies inside."""
        return any(path.is_relative_to(folder) for folder in (self.root, *self.also))


def reach_of(path: Path, also: tuple[Path, ...] = ()) -> Reach:
    """What a map may read: its root, what the user has agreed to for it, and the folders ``also``.

    The root of a map that was brought in is the folder into which it was copied with all that it uses, for any other
    the folder of the nearest ``.tiled-project`` above the map, else the map's own folder.
    """
    home = path.absolute().parent.resolve()
    here = in_place.place_of(path)
    agreed = dict.fromkeys(
        [*(each for kept in in_place.known().values() if kept.map == here for each in kept.folders), *also]
    )
    own = paths.user_path("maps").resolve()
    if home.is_relative_to(own):
        inside = home.relative_to(own).parts
        return Reach(own / inside[0] if inside else own, tuple(agreed))
    project = project_of(home)
    return Reach(project.parent if project is not None else home, tuple(agreed))


def project_of(folder: Path, root: Path | None = None) -> Path | None:
    """The ``.tiled-project`` of a folder or the nearest above it (not above ``root``), None if there is none."""
    for here in (folder, *folder.parents):
        if root is not None and not here.is_relative_to(root):
            return None
        with suppress(OSError):
            if found := sorted(each for each in here.glob("*.tiled-project") if each.is_file()):
                return found[0]
    return None


_HEAD, _LONG_HEAD = 64, 1 << 20
"""Bytes of a file that are looked at; a JPG and a GIF may say a lot before they come to their size."""
KINDS = "PNG, JPG, GIF, BMP or WebP"
"""The kinds of pictures that are drawn, for messages."""
Size = tuple[int, int]

_NO_FRAME = (0xC4, 0xC8, 0xCC)
"""Markers of a JPG between those of its frames that are none."""


_BEGINS = {
    "PNG": re.compile(rb"\x89PNG\r\n\x1a\n"),
    "JPG": re.compile(rb"\xff\xd8\xff"),
    "GIF": re.compile(rb"GIF8[79]a"),
    "WebP": re.compile(rb"RIFF.{4}WEBP", re.DOTALL),
    "BMP": re.compile(rb"BM.{4}\0{4}", re.DOTALL),
}


def kind_of(head: bytes) -> str:
    """`PNG`, `JPG`, `GIF`, `BMP` or `WebP` by a file's first bytes; empty for anything else."""
    return next((kind for kind, begins in _BEGINS.items() if begins.match(head)), "")


def picture_size(path: Path) -> Size | None:
    """Width and height by a picture's header; None if it is none of KINDS or breaks off before it tells."""
    with path.open("rb") as file:
        head = file.read(_HEAD)
        if kind_of(head) in ("JPG", "GIF"):
            head += file.read(_LONG_HEAD)
    return size_of(head)[1]


def size_of(head: bytes) -> tuple[str, Size | None]:
    """The kind of a picture, as `kind_of`, and its width and height by its first bytes; None where they don't tell."""
    kind = kind_of(head)
    measure = _MEASURES.get(kind)
    try:
        return kind, measure(head[: _HEAD + _LONG_HEAD]) if measure is not None else None
    except IndexError:
        return kind, None


def _number(head: bytes, at: int, count: int, *, big: bool = False) -> int:
    if at + count > len(head):
        raise IndexError(at)
    return int.from_bytes(head[at : at + count], "big" if big else "little")


def _png(head: bytes) -> Size | None:
    return None if head[12:16] != b"IHDR" else (_number(head, 16, 4, big=True), _number(head, 20, 4, big=True))


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


class Folder:
    """The folders that a map may read from, with a budget of bytes and elements for all files together."""

    def __init__(self, reach: Reach) -> None:
        self._reach = reach
        self.root = reach.root
        self.unknown: Counter[str] = Counter()
        """Elements that no Tiled file has, by their tags, in all files read so far."""
        self.elements = 0
        self._left = limits.MAX_TOTAL_BYTES

    def find(self, base: Path, source: str, place: Place) -> Path:
        """The real path of ``source`` as written in a file in folder ``base``; refuses what leaves the folders."""
        text = source.replace("\\", "/")
        absolute = PurePosixPath(text).is_absolute() or bool(PureWindowsPath(text).drive)
        if absolute or ":" in text or "\0" in text or not text:
            wrong = "refers to {source}; only files in the map's folder by a relative path are read"
            raise place.problem(wrong, shown(source))
        try:
            path = (base / text).resolve()
        except (OSError, RuntimeError) as error:
            wrong = "refers to {source}, which cannot be followed; use a plain file"
            raise place.problem(wrong, shown(source)) from error
        if not self._reach.holds(path):
            wrong = (
                "{place}: refers to {source}, outside the map's folder; agree to that when the window asks, "
                "allow a folder with `battlemat check --root`, or copy the file beside the map"
            )
            raise OutsideProblem(wrong, place=str(place), source=shown(source))
        return path

    def read(self, path: Path, place: Place, most: int = limits.MAX_FILE_BYTES) -> bytes:
        """A file's bytes; refuses what is missing, no plain file, or too large."""
        try:
            if not path.is_file():
                wrong = "is no plain file" if path.exists() else "does not exist"
                raise place.problem("{name} {wrong}; name a file that Tiled saved", shown(path.name), wrong)
            with path.open("rb") as file:
                # a buffer of the wanted size is taken at once: ask for no more than is there
                data = file.read(min(most, self._left, path.stat().st_size) + 1)
        except OSError as error:
            wrong = "{name} cannot be read ({strerror}); mend its rights"
            raise place.problem(wrong, shown(path.name), str(error.strerror)) from error
        if len(data) > most or len(data) > self._left:
            words = "{name} is too large; {what} MiB a file and {what2} MiB for all files of a map are the most"
            raise place.problem(words, shown(path.name), most >> 20, limits.MAX_TOTAL_BYTES >> 20)
        self._left -= len(data)
        return data

    def xml(self, path: Path, tag: str, place: Place, given: bytes | None = None) -> Element:
        """The root element of an XML file, which must be ``tag``; ``given`` is what it holds, where that is known."""
        if given is None:
            self._refuse_picture(path, tag, place)
        # no DTD, entities or external references, and within bounds
        parser = safe_xml.DefusedXMLParser(
            target=_Builder(place, self), forbid_dtd=True, forbid_entities=True, forbid_external=True
        )
        data = self.read(path, place) if given is None else given
        try:
            parser.feed(data)
            root: Element = parser.close()
        except MapProblem:
            raise
        except DefusedXmlException as error:
            wrong = "declares a DTD or entities, which maps never need; remove the <!DOCTYPE> part"
            raise place.problem(wrong) from error
        except ParseError as error:
            raise place.problem("is no valid XML ({error}); save it again in Tiled", said(error)) from error
        except (LookupError, UnicodeError) as error:
            raise place.problem("is written in an unknown encoding; save it again in Tiled (UTF-8)") from error
        except ValueError as error:
            raise place.problem("is no readable XML ({error}); save it again in Tiled", said(error)) from error
        if root.tag != tag:
            wrong = "begins with <{tag}>, not <{tag2}>; it is no Tiled {tag2} file"
            raise place.problem(wrong, str(root.tag)[:40], tag)
        return root

    def _refuse_picture(self, path: Path, tag: str, place: Place) -> None:
        """Who has a picture of a map hears how it becomes a map."""
        kind = ""
        with suppress(OSError):  # whoever reads it says why it can't be
            if path.is_file():
                with path.open("rb") as file:
                    kind = kind_of(file.read(_HEAD))
        if kind and tag == "map":
            raise place.problem(
                "is a picture ({kind}), not a map; in Tiled make a new map, put the picture on an image "
                "layer and draw ground tiles under it where one can stand",
                kind,
            )
        if kind:
            wrong = "{name} is a picture ({kind}), no Tiled {tag} file; name the file that Tiled saved"
            raise place.problem(wrong, shown(path.name), kind, tag)

    def json(self, path: Path, place: Place, most: int) -> Any:
        """The content of a JSON file of at most so many bytes."""
        data = self.read(path, place, most)
        try:
            return json.loads(data.decode("utf-8-sig"))
        except (ValueError, RecursionError) as error:
            raise place.problem("is no valid JSON; save it again in Tiled") from error


_READ = frozenset((
    "map", "tileset", "template", "properties", "property", "item", "image", "data", "chunk", "group", "layer",
    "objectgroup", "imagelayer", "object", "point", "ellipse", "capsule", "polygon", "polyline", "text",
    "tileoffset", "tile", "animation", "frame",
))  # fmt: skip
"""Elements with something to say to us …"""
_LEFT_OUT = frozenset((
    "editorsettings", "export", "chunksize", "grid", "transformations", "terraintypes", "terrain", "wangsets",
    "wangset", "wangcolor", "wangtile", "wangcornercolor", "wangedgecolor",
))  # fmt: skip
"""… and Tiled's others, which are for its editor or for maps of other shapes."""
_KINDS = 200
"""Different unknown elements beyond which no further ones are told apart."""


class _Builder(TreeBuilder):
    """Builds the tree of what we read, and stops at too many or too deeply nested elements.

    Elements that mean nothing to us are left out with all that is in them; the unknown ones are counted. The tiles of
    a layer written as XML (`<tile gid="1"/>`, a quarter of a million of them) become the text of their `<data>`.
    """

    def __init__(self, place: Place, folder: Folder) -> None:
        super().__init__()
        self._place, self._folder = place, folder
        self._open: list[str] = []
        self._skipped = 0
        """How deep we are in something that is left out."""
        self._tiles: list[str] = []

    def start(self, tag: Any, attrs: Any, /) -> Element:
        self._folder.elements += 1
        if self._folder.elements > limits.MAX_ELEMENTS or len(self._open) + self._skipped >= limits.MAX_DEPTH:
            wrong = (
                "holds too many or too deeply nested elements ({max_elements} and {max_depth} deep are the most); "
                "save it as CSV or base64"
            )
            raise self._place.problem(wrong, limits.MAX_ELEMENTS, limits.MAX_DEPTH)
        inside = self._open[-1] if self._open else ""
        if self._skipped or (inside and tag not in _READ):
            if not self._skipped and tag not in _LEFT_OUT:
                unknown = self._folder.unknown
                unknown[tag if tag in unknown or len(unknown) < _KINDS else "…"] += 1
            self._skipped += 1
        elif tag == "tile" and inside in ("data", "chunk"):
            self._tiles.append(attrs.get("gid", "0"))
            self._skipped += 1
        else:
            self._open.append(tag)
            return super().start(tag, attrs)
        return _NOTHING

    def data(self, data: str, /) -> None:
        if not self._skipped:
            super().data(data)

    def end(self, tag: str, /) -> Element:
        if self._skipped:
            self._skipped -= 1
            return _NOTHING
        self._open.pop()
        node = super().end(tag)
        if self._tiles and tag in ("data", "chunk"):
            node.text = ",".join(self._tiles)
            self._tiles = []
        return node


_NOTHING = Element("nothing")


_ROOTS = {".tmx": "map", ".tsx": "tileset", ".tx": "template"}


@dataclass(slots=True)
class Parts:
    """``inside``: the map's own file first, its project's and every other; ``outside``: by folder what lies there.

    Of what lies outside only the names are known, for nothing there was looked at.
    """

    inside: list[Path] = field(default_factory=list)
    outside: dict[Path, list[Path]] = field(default_factory=dict)


def parts_of(path: Path, reach: Reach) -> Parts:
    """Everything that a map refers to, and what that refers to in turn. Raises MapProblem for what cannot be read."""
    folder, place, parts = Folder(reach), Place(path.name), Parts()
    home = path.absolute().parent.resolve()
    project = project_of(home, reach.root)
    waiting = [home / path.name, *([] if project is None else [project])]
    seen: set[Path] = set()
    while waiting:
        here = waiting.pop(0).resolve()
        if here in seen:
            continue
        seen.add(here)
        if not reach.holds(here):
            parts.outside.setdefault(here.parent, []).append(here)
        elif here.is_file():
            parts.inside.append(here)
            if here.suffix in _ROOTS:
                waiting += _there(here.parent, folder.xml(here, _ROOTS[here.suffix], place))
    return parts


def to_ask_for(path: Path, reach: Reach) -> dict[Path, list[Path]]:
    """The folders outside that a map needs, none within another, with the files there that it names.

    Empty where asking would be of no use: for what refers to nothing outside, or to what lies straight in the user's
    home or above it, which would open everything there is.
    """
    try:
        outside = parts_of(path, reach).outside
    except MapProblem:
        return {}
    home = Path.home().resolve()
    if any(home.is_relative_to(folder) for folder in outside):
        return {}
    found: dict[Path, list[Path]] = {}
    for folder in sorted(outside):
        around = next((each for each in found if folder.is_relative_to(each)), folder)
        found.setdefault(around, []).extend(outside[folder])
    return found


def _there(base: Path, root: Element) -> Iterator[Path]:
    """The files that an element's children name by relative paths; others are refused when the map is read."""
    named = [node.get("source") for node in root.iter() if node.tag in ("tileset", "image")]
    links = [node.get("value") for node in root.iter("property") if node.get("name") == "to_map"]
    maps = [f"{link.strip().removesuffix('.tmx')}.tmx" for link in links if link]  # of the same place
    for source in (*named, *(node.get("template") for node in root.iter("object")), *maps):
        text = (source or "").replace("\\", "/")
        if text and ":" not in text and "\0" not in text and not text.startswith("/"):
            with suppress(OSError, RuntimeError):
                yield (base / text).resolve()
