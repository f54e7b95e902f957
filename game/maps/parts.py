"""The files that a map consists of: those that it may read, and those outside, for which the user must be asked."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from xml.etree.ElementTree import Element

from game.maps.folder import Folder
from game.maps.limits import Place
from game.maps.mapdata import MapProblem
from game.maps.reach import Reach, project_of

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
                root = folder.xml(here, _ROOTS[here.suffix], place)
                waiting += _there(here.parent, root)
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


def common(files: list[Path]) -> Path:
    """The deepest folder that holds all files."""
    return Path(os.path.commonpath([file.parent for file in files]))


def _there(base: Path, root: Element) -> Iterator[Path]:
    """The files that an element's children name by relative paths; others are refused when the map is read."""
    named = [node.get("source") for node in root.iter() if node.tag in ("tileset", "image")]
    for source in (*named, *(node.get("template") for node in root.iter("object"))):
        text = (source or "").replace("\\", "/")
        if text and ":" not in text and "\0" not in text and not text.startswith("/"):
            try:
                yield (base / text).resolve()
            except (OSError, RuntimeError):
                continue
