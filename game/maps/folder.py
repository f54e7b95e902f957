"""The only way from a map to files: inside its folder, of bounded size, as XML without a DTD."""

from __future__ import annotations

import json
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import Any
from xml.etree.ElementTree import Element, ParseError, TreeBuilder

import defusedxml.ElementTree as safe_xml
from defusedxml.common import DefusedXmlException

from game.maps import limits
from game.maps.limits import Place
from game.maps.lines import shown
from game.maps.mapdata import MapProblem, OutsideProblem
from game.maps.pictures import kind_at
from game.maps.reach import Reach


class Folder:
    """The folders that a map may read from, with a budget of bytes and elements for all files together."""

    def __init__(self, reach: Reach) -> None:
        self._reach = reach
        self.root = reach.root
        self.unknown: dict[str, int] = {}
        """Elements that no Tiled file has, by their tags, in all files read so far."""
        self._left = limits.MAX_TOTAL_BYTES
        self._elements = 0

    def find(self, base: Path, source: str, place: Place) -> Path:
        """The real path of ``source`` as written in a file in folder ``base``; refuses what leaves the folders."""
        text = source.replace("\\", "/")
        absolute = PurePosixPath(text).is_absolute() or bool(PureWindowsPath(text).drive)
        if absolute or ":" in text or "\0" in text or not text:
            raise place.problem(
                f"refers to {shown(source)}; only files in the map's folder by a relative path are read"
            )
        try:
            path = (base / text).resolve()
        except (OSError, RuntimeError) as error:
            raise place.problem(f"refers to {shown(source)}, which cannot be followed; use a plain file") from error
        if not self._reach.holds(path):
            raise OutsideProblem(
                f"{place}: refers to {shown(source)}, outside the map's folder; agree to that when the window asks, "
                "allow a folder with `battlemat check --root`, or copy the file beside the map"
            )
        return path

    def read(self, path: Path, place: Place, most: int = limits.MAX_FILE_BYTES) -> bytes:
        """A file's bytes; refuses what is missing, no plain file, or too large."""
        try:
            if not path.is_file():
                wrong = "is no plain file" if path.exists() else "does not exist"
                raise place.problem(f"{shown(path.name)} {wrong}; name a file that Tiled saved")
            with path.open("rb") as file:
                # a buffer of the wanted size is taken at once: ask for no more than is there
                data = file.read(min(most, self._left, path.stat().st_size) + 1)
        except OSError as error:
            raise place.problem(f"{shown(path.name)} cannot be read ({error.strerror}); mend its rights") from error
        if len(data) > most or len(data) > self._left:
            raise place.problem(
                f"{shown(path.name)} is too large; {most >> 20} MiB a file and "
                f"{limits.MAX_TOTAL_BYTES >> 20} MiB for all files of a map are the most"
            )
        self._left -= len(data)
        return data

    def xml(self, path: Path, tag: str, place: Place) -> Element:
        """The root element of an XML file, which must be ``tag``."""
        self._refuse_picture(path, tag, place)
        builder = _Builder(place, self._elements)
        root = _parse_xml(self.read(path, place), place, builder)
        self._elements = builder.count
        for unknown, count in builder.unknown.items():
            self.unknown[unknown] = self.unknown.get(unknown, 0) + count
        if root.tag != tag:
            raise place.problem(f"begins with <{str(root.tag)[:40]}>, not <{tag}>; it is no Tiled {tag} file")
        return root

    def _refuse_picture(self, path: Path, tag: str, place: Place) -> None:
        """Who has a picture of a map hears how it becomes a map."""
        try:
            kind = kind_at(path) if path.is_file() else ""
        except OSError:
            return  # whoever reads it says why it can't be
        if kind and tag == "map":
            raise place.problem(
                f"is a picture ({kind}), not a map; in Tiled make a new map, put the picture on an image layer "
                "and draw ground tiles under it where one can stand"
            )
        if kind:
            raise place.problem(
                f"{shown(path.name)} is a picture ({kind}), no Tiled {tag} file; name the file that Tiled saved"
            )

    def json(self, path: Path, place: Place, most: int) -> Any:
        """The content of a JSON file of at most so many bytes."""
        try:
            return json.loads(self.read(path, place, most).decode("utf-8-sig"))
        except (ValueError, RecursionError) as error:
            if isinstance(error, MapProblem):
                raise
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

    def __init__(self, place: Place, known: int) -> None:
        super().__init__()
        self.count = known
        self.unknown: dict[str, int] = {}
        self._place = place
        self._open: list[str] = []
        self._skipped = 0
        """How deep we are in something that is left out."""
        self._tiles: list[str] = []

    def start(self, tag: Any, attrs: Any, /) -> Element:
        self.count += 1
        if self.count > limits.MAX_ELEMENTS or len(self._open) + self._skipped >= limits.MAX_DEPTH:
            raise self._place.problem(
                f"holds too many or too deeply nested elements ({limits.MAX_ELEMENTS} and {limits.MAX_DEPTH} deep "
                "are the most); save it as CSV or base64"
            )
        inside = self._open[-1] if self._open else ""
        if self._skipped or (inside and tag not in _READ):
            if not self._skipped and tag not in _LEFT_OUT:
                tag = tag if tag in self.unknown or len(self.unknown) < _KINDS else "…"
                self.unknown[tag] = self.unknown.get(tag, 0) + 1
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


def _parse_xml(data: bytes, place: Place, builder: _Builder) -> Element:
    """Parse XML bytes without DTD, entities or external references, within bounds."""
    parser = safe_xml.DefusedXMLParser(target=builder, forbid_dtd=True, forbid_entities=True, forbid_external=True)
    try:
        parser.feed(data)
        root = parser.close()
    except DefusedXmlException as error:
        raise place.problem("declares a DTD or entities, which maps never need; remove the <!DOCTYPE> part") from error
    except ParseError as error:
        raise place.problem(f"is no valid XML ({error}); save it again in Tiled") from error
    except (LookupError, UnicodeError) as error:
        raise place.problem("is written in an unknown encoding; save it again in Tiled (UTF-8)") from error
    except ValueError as error:
        if isinstance(error, MapProblem):
            raise
        raise place.problem(f"is no readable XML ({error}); save it again in Tiled") from error
    assert isinstance(root, Element)
    return root
