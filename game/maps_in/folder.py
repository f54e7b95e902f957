"""The only way from a map to files: inside its folder, of bounded size, as XML without a DTD."""

from __future__ import annotations

import json
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import Any
from xml.etree.ElementTree import Element, ParseError, TreeBuilder

import defusedxml.ElementTree as safe_xml
from defusedxml.common import DefusedXmlException

from game.mapdata import MapProblem
from game.maps_in import limits
from game.maps_in.limits import Place
from game.maps_in.lines import shown


class Folder:
    """The folder that a map may read from, with a budget of bytes for all files together."""

    def __init__(self, root: Path) -> None:
        self.root = root.resolve()
        self._left = limits.MAX_TOTAL_BYTES

    def find(self, base: Path, source: str, place: Place) -> Path:
        """The real path of ``source`` as written in a file in folder ``base``; refuses what leaves the root."""
        text = source.replace("\\", "/")
        absolute = PurePosixPath(text).is_absolute() or bool(PureWindowsPath(text).drive)
        if absolute or ":" in text or "\0" in text or not text:
            raise place.problem(
                f"refers to {shown(source)}; only files in the map's folder by a relative path are read"
            )
        try:
            path = (base / text).resolve()
        except (OSError, RuntimeError) as error:
            raise place.problem(
                f"refers to {shown(source)}, which cannot be followed; use a plain file"
            ) from error
        if not path.is_relative_to(self.root):
            raise place.problem(
                f"refers to {shown(source)}, outside the map's folder; copy the file beside the map"
            )
        return path

    def read(self, path: Path, place: Place) -> bytes:
        """A file's bytes; refuses what is missing, no plain file, or too large."""
        try:
            if not path.is_file():
                wrong = "is no plain file" if path.exists() else "does not exist"
                raise place.problem(f"{shown(path.name)} {wrong}; name a file that Tiled saved")
            with path.open("rb") as file:
                # a buffer of the wanted size is taken at once: ask for no more than is there
                data = file.read(min(limits.MAX_FILE_BYTES, self._left, path.stat().st_size) + 1)
        except OSError as error:
            raise place.problem(
                f"{shown(path.name)} cannot be read ({error.strerror}); mend its rights"
            ) from error
        if len(data) > limits.MAX_FILE_BYTES or len(data) > self._left:
            raise place.problem(
                f"{shown(path.name)} is too large; {limits.MAX_FILE_BYTES >> 20} MiB a file and "
                f"{limits.MAX_TOTAL_BYTES >> 20} MiB for all files of a map are the most"
            )
        self._left -= len(data)
        return data

    def xml(self, path: Path, tag: str, place: Place) -> Element:
        """The root element of an XML file, which must be ``tag``."""
        root = parse_xml(self.read(path, place), place)
        if root.tag != tag:
            raise place.problem(f"begins with <{str(root.tag)[:40]}>, not <{tag}>; it is no Tiled {tag} file")
        return root

    def json(self, path: Path, place: Place) -> Any:
        """A JSON file's content."""
        try:
            return json.loads(self.read(path, place).decode("utf-8-sig"))
        except (ValueError, RecursionError) as error:
            if isinstance(error, MapProblem):
                raise
            raise place.problem("is no valid JSON; save it again in Tiled") from error


class _BoundedBuilder(TreeBuilder):
    """Builds the tree and stops at too many or too deeply nested elements."""

    def __init__(self, place: Place) -> None:
        super().__init__()
        self._place = place
        self._count = 0
        self._depth = 0

    def start(self, tag: Any, attrs: Any, /) -> Element:
        self._count += 1
        self._depth += 1
        if self._count > limits.MAX_ELEMENTS or self._depth > limits.MAX_DEPTH:
            raise self._place.problem(
                f"holds too many or too deeply nested elements ({limits.MAX_ELEMENTS} and {limits.MAX_DEPTH} deep "
                "are the most); save it as CSV or base64"
            )
        return super().start(tag, attrs)

    def end(self, tag: str, /) -> Element:
        self._depth -= 1
        return super().end(tag)


def parse_xml(data: bytes, place: Place) -> Element:
    """Parse XML bytes without DTD, entities or external references, within bounds."""
    parser = safe_xml.DefusedXMLParser(
        target=_BoundedBuilder(place), forbid_dtd=True, forbid_entities=True, forbid_external=True
    )
    try:
        parser.feed(data)
        root = parser.close()
    except DefusedXmlException as error:
        raise place.problem(
            "declares a DTD or entities, which maps never need; remove the <!DOCTYPE> part"
        ) from error
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
