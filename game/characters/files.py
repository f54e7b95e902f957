"""Heroes on disk: one file each, `heroes/` in the user's folder; shared as JSON or TOML. The ruleset stands in it."""

from __future__ import annotations

import re
import secrets
import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from game import paths
from game.characters.heroes import Entry, Hero, HeroError
from game.characters.roster import ROSTERS, roster
from game.storage.files import as_json, from_json, read_text, write_whole
from rules.contract.errors import BattlematError, said
from rules.core.registry import RULESETS

LARGEST = 4 * 1024 * 1024
"""Bytes of a hero's file beyond which it is not read."""
OLDEST = "olde"
"""Whose rules a file follows that doesn't say so: the first files had no other."""


class Shelf(NamedTuple):
    """All heroes by id, those by name first; and of each file that is none, why in one line."""

    heroes: dict[str, Any]
    broken: tuple[str, ...]


def folder() -> Path:
    """Where heroes live."""
    return paths.user_folder("heroes")


def path_of(name: str) -> Path:
    """The file of a hero by id."""
    return folder() / f"{name}.json"


def read(document: object) -> Any:
    """A hero of whichever rules from plain data. Raises HeroError in one line: which field, why."""
    rules = document.get("ruleset", OLDEST) if isinstance(document, Mapping) else OLDEST
    if rules in RULESETS and rules not in ROSTERS:
        raise HeroError("ruleset: nobody has heroes of one's own under {ruleset} yet", repr(rules))
    return roster(rules if isinstance(rules, str) and rules in ROSTERS else OLDEST).read(document)


def load(path: Path) -> Any:
    """Read a hero's file, JSON or TOML. Raises HeroError in one line: which file, where, why."""
    text, kind = read_text(path, LARGEST, "hero", HeroError), "TOML" if path.suffix.lower() == ".toml" else "JSON"
    try:
        found = tomllib.loads(text) if kind == "TOML" else from_json(text)
    except ValueError as error:
        raise HeroError("{path}: not {kind}: {error}", str(path), kind, said(error)) from None
    try:
        return read(found)
    except HeroError as error:
        raise HeroError("{path}: {error}", str(path), said(error)) from None


def save(hero: Hero) -> Path:
    """Keep a hero, whole or not at all. Raises BattlematError if the disk refuses."""
    return hand_out(hero, path_of(hero.id))


def save_all(heroes: Iterable[Hero]) -> None:
    """Keep several. Raises BattlematError for the first that the disk refuses."""
    for hero in heroes:
        save(hero)


def shelf() -> Shelf:
    """Everybody in the folder. A file whose name isn't its hero's id counts as broken, so that none is there twice."""
    heroes, broken = [], []
    where = paths.user_path("heroes")
    for path in sorted(where.glob("*.json")) if where.is_dir() else []:
        try:
            hero = load(path)
            if hero.id != path.stem:
                wrong = "{path}: id: the file of {id} is called {id2}.json; import it instead"
                raise HeroError(wrong, str(path), repr(hero.id), hero.id)
            heroes.append(hero)
        except HeroError as error:
            broken.append(said(error))
    heroes.sort(key=lambda hero: (hero.name.casefold(), hero.id))
    return Shelf({hero.id: hero for hero in heroes}, tuple(broken))


def find(name: str) -> Any:
    """A hero by id; None if there is none. Raises HeroError for a broken file."""
    path = paths.user_path("heroes", f"{name}.json")
    return load(path) if re.fullmatch(r"[a-z0-9-]+", name) and path.is_file() else None


def found(name: str) -> Any:
    """A hero by id; None if there is none, or its file is broken."""
    try:
        return find(name)
    except HeroError:
        return None


def stem(name: str) -> str:
    """A name as files have it."""
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:32].rstrip("-") or "hero"


def called(hero: Hero) -> str:
    """What files for other people are called: the hero's name as it is now, and the end of its id."""
    return f"{stem(hero.name)}-{hero.id.rpartition('-')[2]}"


def new_id(name: str) -> str:
    """An id for a name that no hero has; it stays the same when the name is changed."""
    first = stem(name)
    while path_of(made := f"{first}-{secrets.token_hex(2)}").exists():
        pass
    return made


def copy(hero: Hero) -> Any:
    """A second one with an id and a name of its own."""
    name = f"{hero.name[:33]} (copy)"
    return roster(hero.ruleset).changed(hero, id=new_id(name), name=name)


def bring_in(path: Path) -> Any:
    """Take a shared file into the folder; an id that is taken gives way to a new one. Raises HeroError."""
    hero = load(path)
    if path_of(hero.id).exists():
        hero = roster(hero.ruleset).changed(hero, id=new_id(hero.name))
    save(hero)
    return hero


def hand_out(hero: Hero, path: Path) -> Path:
    """Write a file to share, JSON. Raises BattlematError if the disk refuses."""
    write_whole(path, as_json(roster(hero.ruleset).document(hero), indent=1) + "\n")
    return path


def delete(name: str) -> None:
    """Let a hero's file go. Raises BattlematError."""
    try:
        path_of(name).unlink()
    except OSError as error:
        raise BattlematError("{name}: {what}", str(path_of(name)), str(error.strerror or error)) from None


def heroes(ruleset: str) -> dict[str, Any]:
    """The heroes of these rules, by id."""
    known = shelf().heroes if ruleset in ROSTERS else {}
    return {name: hero for name, hero in known.items() if hero.ruleset == ruleset}


def hero_entries(ruleset: str) -> dict[str, Entry]:
    """The stat blocks of all heroes that may go into a fight of these rules, by id."""
    return {
        name: roster(ruleset).block(hero) for name, hero in heroes(ruleset).items() if not roster(ruleset).unfit(hero)
    }


def unready_heroes(ruleset: str) -> dict[str, tuple[Any, str]]:
    """Those who may not go into one, by id, each with the reason."""
    return {name: (hero, why) for name, hero in heroes(ruleset).items() if (why := roster(ruleset).unfit(hero))}


def hero_entry(ruleset: str, name: str) -> Entry | None:
    """One such stat block; None for a name that is none of theirs. Raises HeroError for one that can't fight."""
    hero = find(name) if ruleset in ROSTERS else None
    if hero is None or hero.ruleset != ruleset:
        return None
    if why := roster(ruleset).unfit(hero):
        raise HeroError(why)
    return roster(ruleset).block(hero)
