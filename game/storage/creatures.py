"""Creatures and groups of creatures of the player's own, one file each: kept from an encounter, put into others.

A creature is a whole stat block; in a record it stands whole, so that the record needs no file of ours. What is deleted
lies in the bin (game/storage/library.py).
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal, NamedTuple

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from game import paths
from game.storage import library
from game.storage.files import as_json, from_json, read_text, write_whole
from game.storage.library import Deleted
from rules.contract.errors import BattlematError, said
from rules.core.validate import got, reason, short

LARGEST = 1024 * 1024
"""Bytes beyond which a file is not read."""
MOST_NAME = 60
MOST_GROUP = 100
"""Creatures of a group."""
AT_TABLE = ("id", "side", "at", "controller", "group")
"""Fields of an entry that belong to one table, not to the creature."""
_STRICT = ConfigDict(extra="forbid", frozen=True)


class CreatureProblem(BattlematError):
    """A file of a creature or a group that can't be used; the text says which, where, why."""


class _File(BaseModel):
    """What a creature's and a group's have in common."""

    model_config = _STRICT
    format: str
    ruleset: str = Field(min_length=1)
    id: str = Field(pattern=r"^[a-z0-9-]{1,60}$")
    """What it is called itself."""
    name: str = Field(min_length=1, max_length=MOST_NAME)


class CreatureFile(_File):
    """A creature of one's own, whole."""

    format: Literal["battlemat-creature/1"] = "battlemat-creature/1"
    entry: dict[str, Any]
    """Its stat block, as a record has it (docs/record.md)."""


class GroupFile(_File):
    """Creatures that come together, in formation."""

    format: Literal["battlemat-group/1"] = "battlemat-group/1"
    creatures: list[dict[str, Any]] = Field(min_length=1, max_length=MOST_GROUP)
    """Entries as a record has them; `at` says where they stand to each other."""


Kept = CreatureFile | GroupFile


class Shelf(NamedTuple):
    """What is kept for a ruleset, by name; and of each file that is broken, why in one line."""

    creatures: Mapping[str, CreatureFile]
    groups: Mapping[str, GroupFile]
    broken: tuple[str, ...]


def folder() -> Path:
    """Where they live."""
    return paths.user_path("creatures")


def path_of(name: str) -> Path:
    """The file of one, by id."""
    return folder() / f"{name}.json"


def shelf(ruleset: str) -> Shelf:
    """Everything that is kept, read again only when a file has changed."""
    stamps = []
    with suppress(OSError):
        for path in folder().glob("*.json"):
            found = path.stat()
            stamps.append((str(path), found.st_mtime_ns, found.st_size))
    return _shelf(ruleset, tuple(sorted(stamps)))


@lru_cache(maxsize=8)
def _shelf(ruleset: str, stamps: tuple[tuple[str, int, int], ...]) -> Shelf:
    found, broken = list[Kept](), list[str]()
    for name, _, _ in stamps:
        try:
            one = load(Path(name))
            if one.id != Path(name).stem:
                wrong = "{path}: id: the file of {id} is called {id2}.json"
                raise CreatureProblem(wrong, name, repr(one.id), one.id)
            found.append(one)
        except CreatureProblem as error:
            broken.append(said(error))
    found = sorted((one for one in found if one.ruleset == ruleset), key=lambda one: (one.name.casefold(), one.id))
    return Shelf(
        {one.id: one for one in found if isinstance(one, CreatureFile)},
        {one.id: one for one in found if isinstance(one, GroupFile)}, tuple(broken),
    )  # fmt: skip


def read(document: object) -> Kept:
    """A creature or a group out of plain data. Raises CreatureProblem in one line: which field, why."""
    if not isinstance(document, Mapping):
        raise CreatureProblem("creature: needs a JSON object with format, ruleset, id, name and entry")
    models: dict[object, type[CreatureFile | GroupFile]] = {
        "battlemat-creature/1": CreatureFile, "battlemat-group/1": GroupFile,
    }  # fmt: skip
    model = models.get(document.get("format") if isinstance(document.get("format"), str) else None)
    if model is None:
        wrong = "format: needs 'battlemat-creature/1' or 'battlemat-group/1', got {name}"
        raise CreatureProblem(wrong, short(document.get("format")))
    try:
        return model.model_validate(document)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"])) or "creature"
        raise CreatureProblem("{where}: {reason}{got}", where, reason(first), got(first)) from None


def load(path: Path) -> Kept:
    """A file. Raises CreatureProblem in one line: which file, where, why."""
    try:
        return read(from_json(read_text(path, LARGEST, "creature", CreatureProblem)))
    except CreatureProblem as error:
        raise CreatureProblem("{path}: {error}", str(path), said(error).removeprefix(f"{path}: ")) from None
    except ValueError as error:
        raise CreatureProblem("{path}: not JSON: {error}", str(path), said(error)) from None


def entries(ruleset: str) -> dict[str, Mapping[str, Any]]:
    """The stat blocks of a ruleset's own creatures, by id."""
    return {name: one.entry for name, one in shelf(ruleset).creatures.items()}


# -- keeping


def new_id(name: str) -> str:
    """An id for a name that no file has: with a hyphen, which no template of the content has."""
    stem = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:32].rstrip("-") or "creature"
    while path_of(made := f"{stem}-{secrets.token_hex(2)}").exists():
        pass
    return made


def bare(entry: Mapping[str, Any], name: str, also: Iterable[str] = ()) -> dict[str, Any]:
    """A whole stat block without what belongs to one table, under a name. `also`: more fields that do."""
    away = {*AT_TABLE, "template", *also}
    return {**{key: value for key, value in entry.items() if key not in away}, "name": name}


def keep(ruleset: str, entry: Mapping[str, Any], name: str) -> CreatureFile:
    """Keep a whole stat block under a name; one that is called so gives way. Raises BattlematError."""
    called = _name(name)
    known = next((one.id for one in shelf(ruleset).creatures.values() if one.name == called), None)
    made = CreatureFile(ruleset=ruleset, id=known or new_id(called), name=called, entry=bare(entry, called))
    save(made)
    return made


def keep_group(ruleset: str, creatures: Sequence[Mapping[str, Any]], name: str) -> GroupFile:
    """Keep creatures as they stand to each other; a group that is called so gives way. Raises BattlematError."""
    called = _name(name)
    if not 0 < len(creatures) <= MOST_GROUP:
        raise CreatureProblem("a group has 1 to {most} creatures, got {n}", MOST_GROUP, len(creatures))
    known = next((one.id for one in shelf(ruleset).groups.values() if one.name == called), None)
    spots = [at for entry in creatures if isinstance(at := entry.get("at"), list | tuple)]
    left, top = (min((at[axis] for at in spots), default=0) for axis in (0, 1))
    members = [
        {**entry, "at": [entry["at"][0] - left, entry["at"][1] - top]} if "at" in entry else {**entry, "at": [0, 0]}
        for entry in creatures
    ]
    made = GroupFile(ruleset=ruleset, id=known or new_id(called), name=called, creatures=members)
    save(made)
    return made


def save(one: Kept) -> None:
    """Write a file, whole or not at all. Raises BattlematError."""
    write_whole(path_of(one.id), as_json(one.model_dump(mode="json"), indent=1) + "\n")


def rename(one: Kept, name: str) -> Kept:
    """Under another name. Raises BattlematError."""
    called = _name(name)
    changed: dict[str, Any] = {"name": called}
    if isinstance(one, CreatureFile):
        changed["entry"] = {**one.entry, "name": called}
    made = one.model_copy(update=changed)
    save(made)
    return made


def duplicate(one: Kept, name: str) -> Kept:
    """A second one under a name of its own. Raises BattlematError."""
    made = rename(one.model_copy(update={"id": new_id(name)}), name)
    return made


def delete(one: Kept) -> Deleted:
    """Into the bin. Raises BattlematError."""
    return library.delete(path_of(one.id))


def _name(name: str) -> str:
    said_so = " ".join(name.split())[:MOST_NAME].strip()
    if not said_so:
        raise CreatureProblem("needs a name")
    return said_so
