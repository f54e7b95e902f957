"""Heroes on disk: one file each, `heroes/` in the user's folder; shared as JSON or TOML."""

from __future__ import annotations

import re
import secrets
import tomllib
from collections.abc import Iterator, Mapping
from itertools import product
from pathlib import Path
from typing import NamedTuple

from game import paths
from game.characters.olde import model
from game.characters.olde.model import RULESET, Entry, Hero, HeroError, changed, document, unfit
from game.content import tables as content
from game.storage.files import as_json, from_json, read_text, write_whole
from rules.contract.errors import BattlematError, said
from rules.core.record import Record
from rules.olde.creation.heroes import ANY_JOURNEYMAN, OPEN_SETS, PACKAGES, Build, Stats, reckon

LARGEST = 4 * 1024 * 1024
"""Bytes of a hero's file beyond which it is not read."""


class Shelf(NamedTuple):
    """All heroes by id, those by name first; and of each file that is none, why in one line."""

    heroes: dict[str, Hero]
    broken: tuple[str, ...]


def folder() -> Path:
    """Where heroes live."""
    return paths.user_folder("heroes")


def path_of(name: str) -> Path:
    """The file of a hero by id."""
    return folder() / f"{name}.json"


def load(path: Path) -> Hero:
    """Read a hero's file, JSON or TOML. Raises HeroError in one line: which file, where, why."""
    text, kind = read_text(path, LARGEST, "hero", HeroError), "TOML" if path.suffix.lower() == ".toml" else "JSON"
    try:
        found = tomllib.loads(text) if kind == "TOML" else from_json(text)
    except ValueError as error:
        raise HeroError("{path}: not {kind}: {error}", str(path), kind, said(error)) from None
    try:
        return model.read(found)
    except HeroError as error:
        raise HeroError("{path}: {error}", str(path), said(error)) from None


def save(hero: Hero) -> Path:
    """Keep a hero, whole or not at all. Raises BattlematError if the disk refuses."""
    return hand_out(hero, path_of(hero.id))


def save_all(heroes: list[Hero]) -> None:
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


def find(name: str) -> Hero | None:
    """A hero by id; None if there is none. Raises HeroError for a broken file."""
    path = paths.user_path("heroes", f"{name}.json")
    return load(path) if re.fullmatch(r"[a-z0-9-]+", name) and path.is_file() else None


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


def copy(hero: Hero) -> Hero:
    """A second one with an id and a name of its own."""
    name = f"{hero.name[:33]} (copy)"
    return changed(hero, id=new_id(name), name=name)


def bring_in(path: Path) -> Hero:
    """Take a shared file into the folder; an id that is taken gives way to a new one. Raises HeroError."""
    hero = load(path)
    if path_of(hero.id).exists():
        hero = changed(hero, id=new_id(hero.name))
    save(hero)
    return hero


def hand_out(hero: Hero, path: Path) -> Path:
    """Write a file to share, JSON. Raises BattlematError if the disk refuses."""
    write_whole(path, as_json(document(hero), indent=1) + "\n")
    return path


def delete(name: str) -> None:
    """Let a hero's file go. Raises BattlematError."""
    try:
        path_of(name).unlink()
    except OSError as error:
        raise BattlematError("{name}: {what}", str(path_of(name)), str(error.strerror or error)) from None


def hero_entries(ruleset: str) -> dict[str, Entry]:
    """The stat blocks of all heroes that may go into a fight of these rules, by id."""
    known = shelf().heroes if ruleset == RULESET else {}
    return {name: model.block(hero) for name, hero in known.items() if not unfit(hero)}


def unready_heroes(ruleset: str) -> dict[str, tuple[Hero, str]]:
    """Those who may not go into one, by id, each with the reason."""
    known = shelf().heroes if ruleset == RULESET else {}
    return {name: (hero, why) for name, hero in known.items() if (why := unfit(hero))}


def hero_entry(ruleset: str, name: str) -> Entry | None:
    """One such stat block; None for a name that is none of theirs. Raises HeroError for one that can't fight."""
    hero = find(name) if ruleset == RULESET else None
    if hero is not None and (why := unfit(hero)):
        raise HeroError(why)
    return None if hero is None else model.block(hero)


FIELDS = 5
"""So many fields has a set that leaves them open."""


def led(record: Record) -> list[str]:
    """Ids of the creatures that are ready heroes and were led by people."""
    if record.ruleset != RULESET:
        return []
    known = content.heroes(RULESET)
    led_by_people = (e for e in record.creatures if e.get("controller") == "human")
    return [str(e["id"]) for e in led_by_people if e.get("template") in known]


def own_id(record: Record, fight: str, creature: str) -> str:
    """The id as a hero of the player's own of whoever was ready at a fight: the same whenever one looks."""
    return f"{stem(_block(record, creature)['name'])}-{fight[:6]}"


def taken_up(record: Record, fight: str, creature: str) -> Hero:
    """A ready hero as one of the player's own, as it was before the fight. Raises HeroError where it can't be one."""
    block = _block(record, creature)
    name = str(block["name"])
    build = next(_makings(block), None)
    if build is None:
        raise HeroError("{name}: was changed for this fight, and is no hero of the book any more", name)
    whole = {"weapons", "shield", "armor", "items", "ready", "spells", "blessings", "size"} & block.keys()
    hero = Hero(id=own_id(record, fight, creature), name=name[:40], build=build)
    hero = changed(hero, looks=model.Looks(art=block["art"]), **{field: block[field] for field in whole})
    if wrong := model.faults(hero):
        raise HeroError("{name}: {wrong}", name, wrong[0])
    spent = sum(int(model.prices()[table][item].get("cost", 0)) for table, item in model.carried(hero))
    return changed(hero, purse=max(0, model.COINS - spent))


def _block(record: Record, creature: str) -> Entry:
    """The stat block of a ready hero, with what its encounter says otherwise."""
    entry = next(e for e in record.creatures if str(e.get("id")) == creature)
    try:
        return content.merge(content.template(RULESET, str(entry["template"])), entry)
    except BattlematError as error:
        raise HeroError("{creature}: {error}", creature, said(error)) from None


def _makings(block: Mapping[str, object]) -> Iterator[Build]:
    """The ways by the book that lead to the block's skills."""
    kind, skills = str(block.get("kind")), block.get("skills")
    package = PACKAGES.get(kind)
    if package is None or not isinstance(skills, Mapping):
        return
    try:
        stats = Stats.model_validate({name: block[name] for name in Stats.model_fields})
    except (KeyError, ValueError):
        return
    own = {name: [skill for skill in skills if skill.startswith(f"{family}:")] for name, family in OPEN_SETS.items()}
    named = {name: tuple(s.partition(":")[2] for s in each) for name, each in own.items() if len(each) == FIELDS}
    raised = [skill for skill, rank in skills.items() if rank == "Journeyman"]
    for choices, fields in product(product(*package.choices), ({}, named)):
        for journeyman in raised if ANY_JOURNEYMAN in choices else [""]:
            build = Build(stats=stats, package=kind, choices=choices, fields=fields, journeyman=journeyman)
            if reckon(build).ranks == dict(skills):
                yield build
