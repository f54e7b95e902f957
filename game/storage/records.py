"""Records on disk: reading, writing whole or not at all, and the folder of saved fights."""

from __future__ import annotations

import contextlib
import hashlib
import json
import re
import time
from collections.abc import Iterable
from pathlib import Path

from game import paths
from game.maps import in_place
from game.storage.files import DRAFT, as_json, from_json, read_text, remembered, write_whole
from rules.contract.errors import RecordError, said
from rules.core import record as records
from rules.core.ground import map_files

LARGEST = 64 * 1024 * 1024
"""Bytes of a record beyond which it is not read."""


def read_record(path: Path) -> records.Record:
    """Read and check a record. Raises RecordError in one line: which file, where, why."""
    text = read_text(path, LARGEST, "record", RecordError)
    try:
        document = from_json(text)
    except ValueError as error:
        raise RecordError("{path}: not JSON: {error}", path=str(path), error=said(error)) from None
    try:
        return records.read(document)
    except RecordError as error:
        raise RecordError("{path}: {error}", path=str(path), error=said(error)) from None


def find_map(name: str, *beside: Path | None) -> Path:
    """A map named by a record: in a folder `beside`, in the maps folders, or kept where it lies. Raises RecordError."""
    wanted = Path(name)
    if wanted.is_absolute() or ".." in wanted.parts:
        raise RecordError("map.tmx: {name} leaves the folder; name a file beside the record or in maps/", repr(name))
    folders = [folder for folder in beside if folder is not None] + list(paths.map_folders())
    for folder in folders:
        try:
            if (folder / wanted).is_file():
                return folder / wanted
        except (OSError, ValueError):
            break  # no file system can have such a name
    kept = in_place.find(name)
    if kept is None:
        raise RecordError("map.tmx: {name} is neither beside the record nor in maps/", repr(name))
    if not kept.is_file():
        wrong = "map.tmx: {name} stayed at {kept}, where it is no more; put it back there"
        raise RecordError(wrong, repr(name), str(kept))
    return kept


def write_record(record: records.Record, path: Path) -> None:
    """Save a record, one command a line, so that people can read and compare it. Raises BattlematError."""
    write_whole(path, record_text(record))


def record_text(record: records.Record) -> str:
    """A record as its file has it."""
    data = records.document(record)
    commands = data.pop("commands")
    text = as_json(data, indent=1)
    lines = ",\n  ".join(as_json(c) for c in commands)
    body = f'"commands": [\n  {lines}\n ]' if commands else '"commands": []'
    return f"{text[:-2]},\n {body}\n}}\n"


_COUNTED = ("tmx", "rows", "levels", "climbs", "exits", "walls", "doors", "challenges")
"""Fields of a record's map that count for a fight's short name also where they are empty."""
_LATER = ("exits", "challenges")
"""Those that earlier programs did not know of yet, the latest first."""


def opening(record: records.Record) -> str:
    """A short name for where a fight starts: alike in all saves of one fight, however it went on."""
    return openings(record)[0]


def openings(record: records.Record) -> tuple[str, ...]:
    """The short names under which a fight may be noted: today's first, then those of earlier programs.

    A field that maps get one day must not count where it is empty, else all that is noted of fights would be forgotten.
    """
    start = record.model_dump(mode="json", include={"ruleset", "options", "map", "seed", "creatures"})
    source = {name: said for name, said in start["map"].items() if said is not None or name in _COUNTED}
    if record.map.place is not None:
        source["place"] = [part.model_dump(mode="json", exclude_none=True) for part in record.map.place]
    found = [_named({**start, "map": source})]
    for name in _LATER:
        if source.pop(name) is not None:
            break  # no earlier program could have had it
        found.append(_named({**start, "map": source}))
    return tuple(found)


def _named(start: object) -> str:
    return hashlib.sha256(json.dumps(start, sort_keys=True).encode()).hexdigest()[:8]


# -- saved fights


def fights_folder() -> Path:
    """Where saved fights live."""
    return paths.user_folder("fights")


def fights() -> list[Path]:
    """Saved fights, the newest first; among equals the last by name."""
    return _newest_first(fights_folder().glob("*.json"))


def _newest_first(files: Iterable[Path]) -> list[Path]:
    found = []
    for path in files:
        with contextlib.suppress(OSError):  # deleted meanwhile
            found.append((path.stat().st_mtime_ns, path.name, path))
    return [path for *_, path in sorted(found, reverse=True)]


def slug(title: str) -> str:
    """A title as part of a file's name: lower case, words joined by hyphens."""
    return re.sub(r"[\W_]+", "-", title.lower()).strip("-")[:48] or "fight"


def new_save(title: str) -> Path:
    """A name that no saved fight has yet: the title and the next free number."""
    folder, name, number = fights_folder(), slug(title), 1
    while (folder / f"{name}-{number}.json").exists():
        number += 1
    return folder / f"{name}-{number}.json"


def quick_save() -> Path:
    """The file of the quick save."""
    return fights_folder() / "quick.json"


AUTOSAVES = 6
"""How many autosaves of one fight take turns: a new one replaces the oldest."""
ALL_AUTOSAVES = 60
"""How many autosaves of all fights together are kept."""
UNFINISHED = 60.0
"""Seconds after which a file that was never finished is swept away."""


def is_autosave(path: Path) -> bool:
    """Whether a saved fight was saved by itself."""
    return path.name.startswith("auto-")


def title_of(path: Path) -> str:
    """What a file's name says of its fight; of an autosave's, the words of the title alone."""
    found = _AUTOSAVE.fullmatch(path.stem)
    return found[1].replace("-", " ").capitalize() if found else path.stem


def opening_of(path: Path) -> str | None:
    """The short name of the fight that an autosave's file tells; None for any other file."""
    found = _AUTOSAVE.fullmatch(path.stem)
    return found[2] if found else None


_AUTOSAVE = re.compile(r"auto-(.+)-([0-9a-f]{8})-\d{8}-\d{6}-\d{3,}")


def autosave(record: records.Record, title: str) -> Path:
    """Save a fight by title, opening and time, and let the oldest such file go. Raises BattlematError."""
    folder = fights_folder()
    name = f"auto-{slug(title)}-{opening(record)}"
    now = time.time_ns()
    stamp = time.strftime("%Y%m%d-%H%M%S", time.localtime(now // 10**9))
    number = now // 10**6 % 1000
    while (path := folder / f"{name}-{stamp}-{number:03}.json").exists():
        number += 1
    write_record(record, path)
    old = [each for each in _newest_first(folder.glob(f"{name}-*.json")) if each != path][AUTOSAVES - 1 :]
    old += [each for each in fights() if is_autosave(each) and each != path][ALL_AUTOSAVES - 1 :]
    for each in dict.fromkeys([*old, *folder.glob(f".*.json.*{DRAFT}")]):  # and what was left by who was killed writing
        with contextlib.suppress(OSError):
            if each in old or time.time() - each.stat().st_mtime > UNFINISHED:
                each.unlink()
    return path


# -- where a saved fight's own map lies

_ORIGINS = "maps-of-fights"
MOST_ORIGINS = 400


def remember_origin(record: records.Record, map_path: Path) -> None:
    """Note where a fight's own map lies, so that its saves find it from elsewhere. Raises BattlematError.

    Nothing is noted for one out of the maps folders, as any record finds those.
    """
    first = map_files(record.map)[0]
    if in_place.find(first) == map_path:
        return
    folder = map_path.absolute().parents[len(Path(first).parts) - 1]
    known, name = _origins(), opening(record)
    if known.get(name) == str(folder) or any(folder == each.absolute() for each in paths.map_folders()):
        return
    known.pop(name, None)
    newest = dict(list({**known, name: str(folder)}.items())[-MOST_ORIGINS:])
    write_whole(fights_folder() / _ORIGINS, as_json(newest, indent=1))


def origin(record: records.Record) -> Path | None:
    """The folder noted for a fight; None if there is none."""
    if not map_files(record.map):
        return None
    known = _origins()
    return next((Path(known[name]) for name in openings(record) if name in known), None)


def _origins() -> dict[str, str]:
    known = remembered(paths.user_path("fights", _ORIGINS), LARGEST)
    return {key: folder for key, folder in known.items() if isinstance(folder, str)}
