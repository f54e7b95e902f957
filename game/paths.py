"""Where files are: what came with Battlemat (art, content, maps) and what is the user's (saves, settings)."""

from __future__ import annotations

import json
import os
from pathlib import Path

from rules.contract.errors import BattlematError

HOME_VARIABLE = "BATTLEMAT_HOME"
"""Environment variable that moves the user's folder: for tests, and for playing from a memory stick."""

_PACKAGE = Path(__file__).resolve().parent


def data_root() -> Path:
    """The folder that holds `assets/` and `maps/`: inside an installed package, else the repository's root."""
    installed = _PACKAGE / "_data"
    return installed if installed.is_dir() else _PACKAGE.parent


def asset(*parts: str) -> Path:
    """The path of something under `assets/`; it need not exist. `asset("art", "minis", "goblin.svg")`."""
    return data_root().joinpath("assets", *parts)


def rulebooks() -> Path:
    """The folder of the rulebooks, `<ruleset>.md`: the repository's own, or inside an installed package."""
    installed = _PACKAGE / "_data"
    return installed / "rules" if installed.is_dir() else _PACKAGE.parent / "docs" / "rules"


def shipped_maps() -> Path:
    """The folder of the maps that come with Battlemat."""
    return data_root() / "maps"


def map_folders() -> tuple[Path, ...]:
    """Where maps are looked up by name: the shipped ones first, then the user's own, if that folder exists."""
    own = user_path("maps")
    packs = tuple(maps for name in packs_on() if (maps := user_path("packs", name, "maps")).is_dir())
    return (shipped_maps(), own, *packs) if own.is_dir() else (shipped_maps(), *packs)


_known_packs: tuple[tuple[str, int, int] | None, dict[str, str]] = (None, {})


def packs_on() -> dict[str, str]:
    """The packs that are switched on: id -> version, in the order of their ids. Read again when the file changes."""
    global _known_packs
    path = user_path("packs", "on.json")
    try:
        found = path.stat()
    except OSError:
        return {}
    stamp = (str(path), found.st_mtime_ns, found.st_size)
    if _known_packs[0] != stamp:
        try:
            said = json.loads(path.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            said = {}
        on = {str(k): str(v) for k, v in said.items()} if isinstance(said, dict) else {}
        _known_packs = (stamp, {name: on[name] for name in sorted(on) if user_path("packs", name).is_dir()})
    return _known_packs[1]


def user_folder(*parts: str) -> Path:
    """A folder of the user's, made on first use: `user_folder()` itself, `user_folder("saves")` one below it.

    Raises `BattlematError` if it cannot be made.
    """
    folder = user_path(*parts)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        reason = error.strerror or str(error)
        wrong = (
            "{folder}: cannot make the folder for saves and settings ({reason}); free the way, or name "
            "another folder in {home_variable}"
        )
        raise BattlematError(wrong, str(folder), reason, HOME_VARIABLE) from None
    return folder


def user_path(*parts: str) -> Path:
    """The path of something in the user's folder; it need not exist, and nothing is made."""
    if chosen := os.environ.get(HOME_VARIABLE):
        return Path(chosen).expanduser().absolute().joinpath(*parts)
    import platformdirs  # late: most commands never ask for it

    return platformdirs.user_data_path("battlemat", appauthor=False).joinpath(*parts)


def cache_path(*parts: str) -> Path:
    """The path of something that can be made again at any time; it need not exist, and nothing is made."""
    if os.environ.get(HOME_VARIABLE):
        return user_path("cache", *parts)
    import platformdirs  # late: most commands never ask for it

    return platformdirs.user_cache_path("battlemat", appauthor=False).joinpath(*parts)
