"""Encounters on disk: maps to open and to bring in, encounters kept, and the draft that is never lost."""

from __future__ import annotations

import os
import re
import shutil
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from game import paths
from game.content import encounter
from game.content import tables as content
from game.content.translation import carried
from game.maps import in_place, place
from game.maps.folder import parts_of, reach_of
from game.maps.mapdata import LoadedMap, MapCreature
from game.maps.tiled import load_map
from game.setup import draft as drafts
from game.setup import otherrules
from game.setup.draft import Draft, Piece
from game.storage import library
from game.storage import records as storage
from game.storage.files import as_json, read_text, remembered, write_whole
from rules.board.grid import Field
from rules.contract.errors import BattlematError, RecordError
from rules.contract.text import text
from rules.core import record as records
from rules.core.registry import RULESETS
from rules.core.registry import ruleset as ruleset_of

CRAWL = "crawl"
"""The switch by which a place of several maps is explored, and fought through where it comes to that."""
MOST_BESIDE = 4 * 1024 * 1024
"""Bytes of what is kept beside a record beyond which it is not read."""
MOST_NAME = 4096
"""Bytes of a path."""
SET_ASIDE = 3
"""How many unsaved tables are kept when others take their place."""


def new_draft(path: Path, ruleset: str, seed: int) -> tuple[Draft, LoadedMap]:
    """A draft on a map of the maps folders, with the creatures that the map itself says. Raises MapProblem.

    Whom the ruleset doesn't know becomes its counterpart, as when a table's rules are changed; where there is none it
    stays away (`strangers`).
    """
    name = encounter.map_name(path)
    if name is None:
        raise RecordError("{path}: lies outside the maps folders; bring it in first", str(path))
    loaded = place.whole(path)
    found = (_resident(loaded, creature, ruleset) for creature in loaded.creatures)
    entries = [entry for entry in found if entry is not None]
    for entry in entries:
        entry.setdefault("controller", encounter.CONTROLLERS.get(str(entry["side"]), "ai"))
    pieces = tuple(Piece(key, entry) for key, entry in enumerate(entries, 1))
    explored = loaded.levels and any(switch.name == CRAWL for switch in ruleset_of(ruleset).switches)
    options = {CRAWL: True} if explored else {}
    return Draft(
        ruleset, encounter.named_map(loaded), seed=seed, options=options, pieces=pieces, next_key=len(pieces) + 1
    ), loaded


def _resident(loaded: LoadedMap, creature: MapCreature, ruleset: str) -> dict[str, Any] | None:
    """A creature of a map under a ruleset, as itself or as its counterpart; None where nobody stands for it."""
    for home in (ruleset, *RULESETS):
        if creature.template in content.heroes(home) or creature.template in content.monsters(home):
            entry = encounter.resident(loaded, creature, home)
            with suppress(content.ContentError):
                return entry if home == ruleset else carried(entry, home, ruleset).entry
    return None


def strangers(draft: Draft, loaded: LoadedMap) -> list[str]:
    """Who of a map's own creatures is not in a new draft on it, as nobody stands for them under its rules."""
    there = {piece.id for piece in draft.pieces}
    return [creature.name or creature.template for creature in loaded.creatures if creature.id not in there]


def ground_of(draft: Draft, beside: Path | None) -> tuple[Field, LoadedMap | None]:
    """The map of a draft as the map itself says it, doors as they are drawn. Raises MapProblem or RecordError."""
    source = records.MapModel.model_validate({k: v for k, v in draft.map.items() if k != "doors"})
    return place.ground_of(source, lambda name: storage.find_map(name, beside))


# -- maps from elsewhere --------------------------------------------------------------------------------


def brought_in(path: Path, also: tuple[Path, ...] = ()) -> Path:
    """A map with all files it refers to, copied into the user's maps, so that fights on it can always be opened again.

    A map of the maps folders, or one that the user keeps where it lies, stays where it is. Files are taken out
    of the folders ``also``, too. Raises OutsideProblem where more would be needed, MapProblem for a map that cannot be
    used, BattlematError where the disk refuses; nothing is left half done.
    """
    if encounter.map_name(path) is not None:
        return path
    load_map(path, also=also)  # nothing is copied that could not be played
    files = parts_of(path, reach_of(path, also)).inside
    base = Path(os.path.commonpath([file.parent for file in files]))
    home = _free_folder(path, files, base)
    inside = home / files[0].relative_to(base)
    if inside.is_file():
        return inside
    try:
        for file in files:
            goal = home / file.relative_to(base)
            goal.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(file, goal)
        load_map(inside)
    except (OSError, BattlematError) as error:
        shutil.rmtree(home, ignore_errors=True)
        if isinstance(error, BattlematError):
            raise
        wrong = "{path}: cannot be copied into your maps ({what})"
        raise BattlematError(wrong, str(path), str(error.strerror or error)) from None
    return inside


def _free_folder(path: Path, files: list[Path], base: Path) -> Path:
    """Where a map goes: a folder of its name, the one where the very same map lies already, or a numbered one."""
    stem = slug(path.stem) or "map"
    root, number = paths.user_folder("maps"), 2 if stem == in_place.FOLDER else 1
    while True:
        home = root / (f"{stem}-{number}" if number > 1 else stem)
        there = [(file, home / file.relative_to(base)) for file in files]
        if not home.exists() or all(to.is_file() and to.read_bytes() == file.read_bytes() for file, to in there):
            return home
        number += 1


# -- encounters -----------------------------------------------------------------------------------------


def encounters_folder() -> Path:
    """Where prepared encounters live."""
    return library.root()


def encounters() -> list[Path]:
    """Prepared encounters of all folders, the newest first; among equals by name."""
    found = []
    for path in library.everything():
        with suppress(OSError):  # deleted meanwhile
            found.append((-path.stat().st_mtime_ns, path.name, path))
    return [path for *_, path in sorted(found)]


def slug(text: str) -> str:
    """Words as the name of a file: small letters, figures and dashes."""
    return re.sub(r"[^\w]+", "-", text.lower()).strip("-_")[:60]


def target(typed: str, folder: str = "") -> Path:
    """Where an encounter is saved under what was typed: a name in a folder of the library, or a path of its own.

    Raises LibraryProblem for a folder that can't be."""
    typed = typed.strip()
    if "/" in typed or "\\" in typed:
        path = Path(typed).expanduser()
        return path if path.suffix == ".json" else path.with_name(path.name + ".json")
    return library.place(folder) / f"{slug(typed.removesuffix('.json')) or 'encounter'}.json"


def save(draft: Draft, path: Path) -> None:
    """Write a draft as a record, whole or not at all. Raises RecordError.

    Among the player's own files what it was under other rulesets is kept beside it; no other folder is littered.
    """
    storage.write_record(drafts.to_record(draft), path)
    beside = elsewhere(path)
    if path.resolve().is_relative_to(paths.user_path().resolve()):
        if draft.elsewhere:
            write_whole(beside, as_json(otherrules.document(draft), indent=1))
        else:
            beside.unlink(missing_ok=True)


def load(path: Path) -> tuple[Draft, int]:
    """A record as a draft, and how many commands were left behind. Raises RecordError in one line."""
    record = storage.read_record(path)
    draft = otherrules.remembered(drafts.from_record(record), remembered(elsewhere(path), MOST_BESIDE))
    return draft, len(record.commands)


def elsewhere(path: Path) -> Path:
    """Where it is kept what a table was under other rulesets."""
    return path.with_suffix(".rulesets")


def draft_path() -> Path:
    """Where the draft in progress is kept."""
    return paths.user_folder("drafts") / "encounter.json"


def keep(draft: Draft, path: Path | None = None) -> None:
    """Keep the draft in progress, so that closing the window loses nothing. An empty one is not worth it.

    `path`: the file that it is saved as, to be saved there again.
    """
    if draft.pieces:
        save(draft, draft_path())
        if path is None:
            _name_path().unlink(missing_ok=True)
        else:
            write_whole(_name_path(), f"{path}\n")


def kept_as() -> Path | None:
    """The file as which the draft in progress was saved; None if it never was, or if that file is gone."""
    with suppress(OSError, ValueError):  # our own errors are ValueErrors
        path = Path(read_text(_name_path(), MOST_NAME, "path", RecordError).rstrip("\n"))
        return path if path.is_file() else None
    return None


def _name_path() -> Path:
    return draft_path().with_suffix(".path")


def set_aside(draft: Draft) -> None:
    """Keep a table that another takes the place of: the latest few, so that no slip of the hand loses work."""
    if not draft.pieces:
        return
    folder = paths.user_folder("drafts")
    for number in range(SET_ASIDE, 1, -1):
        earlier = folder / f"set-aside-{number - 1}.json"
        for kept in (earlier, elsewhere(earlier)):
            goal = folder / f"set-aside-{number}{kept.suffix}"
            if kept.is_file():
                kept.replace(goal)
            elif kept.suffix != ".json":
                goal.unlink(missing_ok=True)
    save(draft, folder / "set-aside-1.json")


def aside() -> list[Path]:
    """Tables that were set aside, the latest first."""
    return sorted(paths.user_folder("drafts").glob("set-aside-*.json"))


def kept() -> Draft | None:
    """The draft in progress; None if there is none, or none that can be read any more."""
    with suppress(BattlematError):
        return load(draft_path())[0] if draft_path().is_file() else None
    return None


def on_map(draft: Draft, path: Path) -> Draft:
    """The draft with its map, or the maps of its place, named as they are where this one lies, the first of them."""
    if "place" not in draft.map:
        return replace(draft, map={**draft.map, "tmx": encounter.map_name(path)})
    parts = [
        {**part, "tmx": encounter.map_name(path.with_name(Path(part["tmx"]).name))} if "tmx" in part else part
        for part in draft.map["place"]
    ]
    return replace(draft, map={**draft.map, "place": parts})


def settled(draft: Draft, ground: Field) -> Draft:
    """The draft with every creature's spaces on the sheet of its place. Raises RecordError."""
    if not any("map" in piece.entry for piece in draft.pieces):
        return draft
    pieces = tuple(
        piece._replace(entry=dict(records.on_sheet(piece.entry, ground, text("creatures[{i}]", i))))
        for i, piece in enumerate(draft.pieces)
    )
    return replace(draft, pieces=pieces)
