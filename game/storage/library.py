"""The library of prepared encounters: folders, names, tags and notes; copies, and a bin out of which all comes back.

An encounter is a record in the encounters folder or in a folder within it. What is kept of it beside the record lies
next to it under the same name: what it was under other rulesets (`.rulesets`), tags and notes (`.about`). All of these
move together. What is deleted is moved into the bin, the latest `KEPT` times; nothing else is ever thrown away.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from game import paths
from game.storage.files import as_json, remembered, write_whole
from rules.contract.errors import BattlematError
from rules.contract.text import text

RECORD = ".json"
BESIDE = (".rulesets", ".about")
"""Endings of what lies beside a record and belongs to it."""
BIN = ".bin"
KEPT = 50
"""Deletions out of which one can come back."""
DEEPEST = 4
"""Folders within each other."""
MOST_NAME, MOST_TAG, MOST_TAGS, MOST_NOTES = 60, 30, 12, 4000
LARGEST = 64 * 1024
_FORBIDDEN = re.compile(r'[<>:"/\\|?*\x00-\x1f]')
_RESERVED = frozenset({"con", "prn", "aux", "nul", *(f"{port}{n}" for port in ("com", "lpt") for n in range(1, 10))})


class LibraryProblem(BattlematError):
    """What can't be done in the library; the text names what, and what would be right."""


class About(NamedTuple):
    """What the game master noted of an encounter."""

    tags: tuple[str, ...] = ()
    notes: str = ""


class Deleted(NamedTuple):
    """What was moved into the bin, and whence."""

    bin: Path
    home: Path


def root() -> Path:
    """Where prepared encounters live."""
    return paths.user_folder("encounters")


# -- what there is


def folders() -> list[str]:
    """Every folder, as `caves/deep`, in the order of their names; the library itself is the empty name."""
    base = root()
    found = [""]
    waiting = [base]
    while waiting:
        here = waiting.pop()
        with suppress(OSError):
            inside = [each for each in here.iterdir() if each.is_dir() and not each.is_symlink()]
            deep = len(here.relative_to(base).parts)
            for each in inside:
                if not each.name.startswith(".") and deep < DEEPEST:
                    found.append(each.relative_to(base).as_posix())
                    waiting.append(each)
    return sorted(found, key=lambda name: name.casefold().split("/"))


def within(folder: str) -> list[Path]:
    """The encounters of a folder, not of those in it, the newest first; among equals by name."""
    found = []
    with suppress(OSError):
        for path in place(folder).glob(f"*{RECORD}"):
            with suppress(OSError):
                found.append((-path.stat().st_mtime_ns, path.name, path))
    return [path for _, _, path in sorted(found)]


def everything() -> list[Path]:
    """The encounters of every folder, folder by folder."""
    return [path for folder in folders() for path in within(folder)]


def place(folder: str) -> Path:
    """Where a folder lies. Raises LibraryProblem for one outside the library, or too deep."""
    parts = [part for part in folder.split("/") if part]
    if len(parts) > DEEPEST:
        raise LibraryProblem("{folder}: more than {most} folders in each other; choose a higher one", folder, DEEPEST)
    return root().joinpath(*(_sound(part) for part in parts))


def folder_of(path: Path) -> str:
    """The folder in which an encounter lies; empty outside the library, too."""
    with suppress(ValueError):
        return path.parent.relative_to(root()).as_posix().removeprefix(".")
    return ""


def _sound(name: str) -> str:
    """A name as a file's or folder's. Raises LibraryProblem for one that a disk would not take."""
    said = " ".join(name.split())
    wrong = ""
    if not said or said.strip(".") == "" or said.startswith("."):
        wrong = "a name begins with a letter or a figure"
    elif len(said) > MOST_NAME or len(said.encode()) > 200:
        wrong = text("a name has {most} letters at most", MOST_NAME)
    elif _FORBIDDEN.search(said) or said != said.rstrip(". "):
        wrong = r'leave out < > : " / \ | ? * and a full stop at the end'
    elif said.split(".")[0].casefold() in _RESERVED:
        wrong = "some systems keep that name for themselves; choose another"
    if wrong:
        raise LibraryProblem("{name}: {wrong}", repr(name), wrong)
    return said


# -- tags and notes


def about(path: Path) -> About:
    """Tags and notes of an encounter; none where there are none, or none that can be read."""
    found = remembered(path.with_suffix(".about"), LARGEST)
    tags, notes = found.get("tags"), found.get("notes")
    return About(tagged(tags if isinstance(tags, list) else ()), notes[:MOST_NOTES] if isinstance(notes, str) else "")


def note(path: Path, said: About) -> None:
    """Keep tags and notes; where there are none nothing lies beside the record. Raises BattlematError."""
    beside, said = path.with_suffix(".about"), About(tagged(said.tags), said.notes.strip()[:MOST_NOTES])
    if said == About():
        beside.unlink(missing_ok=True)
    else:
        write_whole(beside, as_json({"tags": list(said.tags), "notes": said.notes}, indent=1))


def tagged(words: Iterable[Any]) -> tuple[str, ...]:
    """Tags as they are kept: each once whatever its letters' size, in small letters, in order."""
    found = {" ".join(word.casefold().split())[:MOST_TAG].strip() for word in words if isinstance(word, str)}
    return tuple(sorted(found - {""}))[:MOST_TAGS]


def typed_tags(line: str) -> tuple[str, ...]:
    """Tags out of a line in which commas stand between them."""
    return tagged(line.replace("#", " ").split(","))


# -- moving things about


def free(goal: Path) -> Path:
    """The path itself where nothing lies there, else with a number."""
    number, found = 1, goal
    while found.exists() or any(found.with_suffix(each).exists() for each in BESIDE if found.suffix == RECORD):
        number += 1
        found = goal.with_name(f"{goal.stem}-{number}{goal.suffix}")
    return found


def make_folder(folder: str) -> Path:
    """A new folder. Raises LibraryProblem where it is there already, BattlematError where the disk refuses."""
    goal = place(folder)
    if goal.exists():
        raise LibraryProblem("{folder}: there is one already; choose another name", folder)
    with _disk(goal):
        goal.mkdir(parents=True)
    return goal


def move(path: Path, folder: str) -> Path:
    """An encounter into another folder, with what lies beside it, under a free name there. Raises BattlematError."""
    home = place(folder)
    if path.parent == home:
        return path
    with _disk(home):
        home.mkdir(parents=True, exist_ok=True)
    return _take(path, free(home / path.name))


def rename(path: Path, name: str) -> Path:
    """An encounter's file under another name in its folder. Raises LibraryProblem where one is called that."""
    goal = path.with_name(_sound(name.removesuffix(RECORD)) + RECORD)
    if goal == path:
        return path
    if goal.exists() and not goal.samefile(path):
        raise LibraryProblem("{name}: there is one already in this folder; choose another name", goal.stem)
    return _take(path, goal)


def rename_folder(folder: str, name: str) -> str:
    """A folder under another name where it lies; its new one, whole. Raises LibraryProblem, BattlematError."""
    home = place(folder)
    goal = home.with_name(_sound(name))
    if not folder or not home.is_dir():
        raise LibraryProblem("{folder}: there is no such folder any more", folder)
    if goal.exists() and not goal.samefile(home):
        raise LibraryProblem("{name}: there is one already; choose another name", name)
    with _disk(goal):
        home.rename(goal)
    return goal.relative_to(root()).as_posix()


def duplicate(path: Path) -> Path:
    """A copy beside the encounter, with all that belongs to it. Raises BattlematError; nothing is left half done."""
    goal = free(path)
    done: list[Path] = []
    try:
        for each in _parts(path):
            with _disk(each):
                content = each.read_bytes()
            copy = goal.with_suffix(each.suffix)
            write_whole(copy, content)
            done.append(copy)
    except BattlematError:
        for copy in done:
            copy.unlink(missing_ok=True)
        raise
    return goal


def delete(path: Path) -> Deleted:
    """An encounter, or a folder with all in it, into the bin. Raises BattlematError."""
    bins = root() / BIN
    slot = bins / f"{time.time_ns():020d}"
    with _disk(slot):
        slot.mkdir(parents=True)
    goal = slot / path.name
    if path.is_dir():
        with _disk(path):
            path.rename(goal)
    else:
        _take(path, goal)
    _empty(bins)
    return Deleted(goal, path)


def restore(deleted: Deleted) -> Path:
    """What was deleted back where it lay, under a free name where another has come there meanwhile.

    Raises LibraryProblem where it is no longer in the bin, BattlematError where the disk refuses."""
    if not deleted.bin.exists():
        raise LibraryProblem("{name}: is no longer in the bin", deleted.home.name)
    with _disk(deleted.home):
        deleted.home.parent.mkdir(parents=True, exist_ok=True)
    goal = free(deleted.home)
    if deleted.bin.is_dir():
        with _disk(goal):
            deleted.bin.rename(goal)
    else:
        _take(deleted.bin, goal)
    with suppress(OSError):
        deleted.bin.parent.rmdir()
    return goal


def _empty(bins: Path) -> None:
    """What was deleted longest ago goes for good."""
    slots = sorted(each for each in bins.iterdir() if each.is_dir())
    for slot in slots[:-KEPT]:
        for each in sorted(slot.rglob("*"), reverse=True):
            with suppress(OSError):
                each.rmdir() if each.is_dir() and not each.is_symlink() else each.unlink()
        with suppress(OSError):
            slot.rmdir()


def _parts(path: Path) -> Sequence[Path]:
    beside = (path.with_suffix(each) for each in BESIDE)
    return [path, *(each for each in beside if each.is_file())]


def _take(path: Path, goal: Path) -> Path:
    """A record and what lies beside it to another place, the record last: it never stands there without its notes."""
    for each in reversed(_parts(path)):
        with _disk(each):
            each.rename(goal.with_suffix(each.suffix))
    return goal


class _disk:
    """Says in one line what the disk says no to."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, OSError):
            wrong = "{path}: cannot be changed: {what}"
            raise LibraryProblem(wrong, str(self.path), str(error.strerror or error)) from None
