"""Which folders a map may read from: its project's, else its own, and those that the user has agreed to."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from game import paths
from game.storage.files import as_json, from_json, write_whole

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
    path = paths.user_path("maps", _LIST)
    try:
        if path.stat().st_size > _LARGEST:
            return {}
        listed: Any = from_json(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    found = {}
    for name, each in listed.items() if isinstance(listed, dict) else ():
        folders = each.get("folders") if isinstance(each, dict) else None
        if isinstance(folders, list) and all(isinstance(one, str) for one in (each.get("map"), *folders)):
            found[name] = Kept(Path(each["map"]), tuple(map(Path, folders)))
    return found


def agree(path: Path, folders: Iterable[Path]) -> str:
    """Remember that a map may read from these folders, too; its name in records. Raises BattlematError."""
    everyone, here = known(), _place(path)
    name = name_of(path) or _free_name(here, everyone)
    before = everyone.pop(name, Kept(here, ())).folders
    everyone[name] = Kept(here, tuple(dict.fromkeys((*before, *folders))))
    listed = {
        name: {"map": str(kept.map), "folders": [str(folder) for folder in kept.folders]}
        for name, kept in list(everyone.items())[-_MOST:]
    }
    write_whole(paths.user_folder("maps") / _LIST, as_json(listed, indent=1))
    return name


def folders_of(path: Path) -> tuple[Path, ...]:
    """The folders that the user has agreed to for a map."""
    here = _place(path)
    return next((kept.folders for kept in known().values() if kept.map == here), ())


def name_of(path: Path) -> str | None:
    """How records name a map that stays where it lies; None for any other."""
    here = _place(path)
    return next((name for name, kept in known().items() if kept.map == here), None)


def find(name: str) -> Path | None:
    """Where the map of that name lies; None if no map has it. Its file may be gone."""
    if not name.startswith(f"{FOLDER}/"):
        return None
    kept = known().get(name)
    return None if kept is None else kept.map


def _place(path: Path) -> Path:
    """A map's path by which it is known again, whichever links lead to its folder."""
    path = path.absolute()
    return path.parent.resolve() / path.name


def _free_name(path: Path, taken: Iterable[str]) -> str:
    names, name, number = set(taken), f"{FOLDER}/{path.name}", 1
    while name in names:
        number += 1
        name = f"{FOLDER}/{path.stem}-{number}{path.suffix}"
    return name


@dataclass(frozen=True, slots=True)
class Reach:
    """Whatever lies below ``root`` or one of the folders ``also``; all of them without symbolic links."""

    root: Path
    also: tuple[Path, ...] = ()

    def holds(self, path: Path) -> bool:
        """Whether a path without symbolic links lies inside."""
        return any(path.is_relative_to(folder) for folder in (self.root, *self.also))


def below(root: Path) -> Reach:
    """Whatever lies below a folder that the user names."""
    return Reach(root.resolve())


def reach_of(path: Path, also: tuple[Path, ...] = ()) -> Reach:
    """What a map may read: its root, what the user has agreed to for it, and the folders ``also``.

    The root of a map that was brought in is the folder into which it was copied with all that it uses, for any other
    the folder of the nearest ``.tiled-project`` above the map, else the map's own folder.
    """
    home = path.absolute().parent.resolve()
    agreed = dict.fromkeys((*folders_of(path), *also))
    own = paths.user_path("maps").resolve()
    if home.is_relative_to(own):
        inside = home.relative_to(own).parts
        return Reach(own / inside[0] if inside else own, tuple(agreed))
    project = project_of(home)
    return Reach(project.parent if project is not None else home, tuple(agreed))


def project_of(folder: Path, root: Path | None = None) -> Path | None:
    """The ``.tiled-project`` of a folder or the nearest above it (not above ``root``), None if there is none."""
    for here in _upwards(folder):
        if root is not None and not here.is_relative_to(root):
            return None
        try:
            found = sorted(each for each in here.glob("*.tiled-project") if each.is_file())
        except OSError:
            found = []
        if found:
            return found[0]
    return None


def _upwards(folder: Path) -> Iterator[Path]:
    yield folder
    yield from folder.parents
