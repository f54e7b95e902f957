"""Maps that stay where they lie, outside the folder of the user's maps: a list of them, and what they may read."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import chain, count
from pathlib import Path

from game import paths
from game.storage.files import as_json, remembered, write_whole

FOLDER = "in-place"
"""What the names of these maps begin with; no folder of the user's maps may be called so."""
_LIST = "in-place.json"
_MOST = 400
_LARGEST = 1 << 20
"""Bytes of the list beyond which it is not read."""


@dataclass(frozen=True, slots=True)
class Kept:
    """A map that stays where it lies, and the folders beside its own that it may read from."""

    map: Path
    folders: tuple[Path, ...]


def known() -> dict[str, Kept]:
    """Every such map by its name in records, the latest last; a list that cannot be read is an empty one."""
    found = {}
    for name, each in remembered(paths.user_path("maps", _LIST), _LARGEST).items():
        folders = each.get("folders") if isinstance(each, dict) else None
        if isinstance(folders, list) and all(isinstance(one, str) for one in (each.get("map"), *folders)):
            found[name] = Kept(Path(each["map"]), tuple(map(Path, folders)))
    return found


def agree(path: Path, folders: Iterable[Path]) -> str:
    """Remember that a map may read from these folders, too; its name in records. Raises BattlematError."""
    everyone, here = known(), place_of(path)
    names = chain([here.name], (f"{here.stem}-{number}{here.suffix}" for number in count(2)))
    name = name_of(path) or next(f"{FOLDER}/{each}" for each in names if f"{FOLDER}/{each}" not in everyone)
    before = everyone.pop(name, Kept(here, ())).folders
    everyone[name] = Kept(here, tuple(dict.fromkeys((*before, *folders))))
    listed = {
        name: {"map": str(kept.map), "folders": [str(folder) for folder in kept.folders]}
        for name, kept in list(everyone.items())[-_MOST:]
    }
    write_whole(paths.user_folder("maps") / _LIST, as_json(listed, indent=1))
    return name


def name_of(path: Path) -> str | None:
    """How records name a map that stays where it lies; None for any other."""
    here = place_of(path)
    return next((name for name, kept in known().items() if kept.map == here), None)


def find(name: str) -> Path | None:
    """Where the map of that name lies; None if no map has it. Its file may be gone."""
    kept = known().get(name) if name.startswith(f"{FOLDER}/") else None
    return None if kept is None else kept.map


def place_of(path: Path) -> Path:
    """A map's path by which it is known again, whichever links lead to its folder."""
    path = path.absolute()
    return path.parent.resolve() / path.name
