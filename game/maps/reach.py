"""Which folders a map may read from: its project's, else its own, and those that the user has agreed to."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from game import paths
from game.maps import in_place


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
    agreed = dict.fromkeys((*in_place.folders_of(path), *also))
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
