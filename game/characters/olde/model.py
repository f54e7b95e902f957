"""A hero of Dungeons of Olde as its file has it, and as a stat block for records (docs/heroes.md)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache, lru_cache
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from game.characters import heroes
from game.characters.heroes import Entry, Looks, Outcome, Whole, Words, art
from game.content import tables as content
from rules.contract.errors import BattlematError
from rules.contract.text import text
from rules.core.validate import creature
from rules.olde import statblock
from rules.olde.creation.heroes import Bill, Build, Stats, derived, reckon
from rules.olde.gear import Armoury
from rules.olde.magic.spells import POOLS
from rules.olde.skills import RANKS
from rules.olde.state import status

RULESET = "olde"
COINS = 150
"""What a new hero's purse holds (ours: the rulebook names prices but no starting coin)."""
QUIVER = 20
"""Arrows, bolts or stones that a hero with something to shoot them carries at most, and has at first (ours)."""
MISSILES = {"Bows": "arrows", "Crossbows": "bolts", "Sling": "stones"}
"""Skill -> what is shot with it."""
LIGHT = 4
"""Every hero has a lantern at the belt: its radius in spaces, as the ready heroes'."""
THREAT = 6
"""A new hero's weight in choosing foes; each five CP earned and spent add one."""
MAGIC = {"Wizardry": ("spells", "savvy"), "Faith": ("blessings", "nerve")}
"""Gift -> what it knows, and the stat that says how many."""


class Past(BaseModel):
    """A fight that is over."""

    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)
    fight: Words
    """Its opening, by which it is known again."""
    title: str = Field(default="", max_length=400)
    won: bool = False
    how: Outcome | None = None
    cp: Whole = Field(default=0, ge=0)
    felled: Whole = Field(default=0, ge=0)
    hp: Whole = 0
    """Hit points at its end."""


class Hero(BaseModel):
    """A hero of the player's own."""

    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)
    format: Literal["battlemat-hero/1"] = "battlemat-hero/1"
    ruleset: Literal["olde"] = "olde"
    id: str = Field(pattern=heroes.ID, max_length=58)
    name: str = Field(min_length=1, max_length=40)
    build: Build
    size: Literal["small", "medium"] = "medium"
    looks: Looks = Looks()
    purse: Whole = Field(default=COINS, ge=0)
    weapons: tuple[Words, ...] = ()
    shield: Words | None = None
    armor: Words | None = None
    items: tuple[Words, ...] = ()
    ready: tuple[Words, ...] | None = None
    """What is in hand at the start of a fight; None: the first weapon, and the shield if both can be held."""
    spells: tuple[Words, ...] = ()
    blessings: tuple[Words, ...] = ()
    hp: Whole | None = None
    """None: all of them. The same holds for Mana and Faith."""
    mana: Whole | None = Field(default=None, ge=0)
    faith: Whole | None = Field(default=None, ge=0)
    ammunition: Whole = Field(default=QUIVER, ge=0, le=QUIVER)
    """Arrows, bolts or stones; of no use without something to shoot with."""
    conditions: tuple[Literal["bleeding", "dying"], ...] = ()
    bound: bool = True
    """The wounds of the last fight were bound, or it is too late for that."""
    rested: Whole = Field(default=0, ge=0, le=24 * 60)
    """Minutes until the next daily check of rest may be made."""
    history: tuple[Past, ...] = ()


KEPT = frozenset(("format", "ruleset", "id", "name", "build", "purse"))
"""Fields that a file always has."""


def read(document: object) -> Hero:
    """A hero from plain data. Raises HeroError in one line: which field, why."""
    return heroes.read(Hero, document, "format, id, name and build")


def document(hero: Hero) -> Entry:
    """A hero as plain data, without what is as usual."""
    return heroes.document(hero, KEPT)


def changed(hero: Hero, **fields: Any) -> Hero:
    """The hero with other values, judged like a file. Raises HeroError."""
    return read({**hero.model_dump(mode="json"), **heroes.plain_fields(fields)})


# -- what follows from it ----------------------------------------------------------------------------------


@lru_cache(maxsize=256)
def _bill(key: str) -> Bill:
    return reckon(Build.model_validate_json(key))


def bill(hero: Hero) -> Bill:
    """What its build comes to, advances included."""
    return _bill(hero.build.model_dump_json())


def stats(hero: Hero) -> Stats:
    """The stats as they are now."""
    return bill(hero).stats


def pools(hero: Hero) -> dict[str, tuple[int, int]]:
    """HP, Mana and Faith: what is left, and the most."""
    most = derived(stats(hero))
    return {name: (top if (now := getattr(hero, name)) is None else min(now, top), top) for name, top in most.items()}


def used_pools(hero: Hero) -> set[str]:
    """The pools that it draws from: nobody spends Mana without Wizardry, nor Faith without the gift of it."""
    pool_of = {pool.table: name for name, pool in POOLS.items()}
    return {"hp", *(pool_of[table] for gift, (table, _) in MAGIC.items() if gift in bill(hero).ranks)}


def known_magic(hero: Hero, gift: str) -> int:
    """How many spells (Wizardry) or blessings (Faith) it may know (ours): the stat, 1, and 2 for each rank further."""
    rank = bill(hero).ranks.get(gift)
    return 0 if rank is None else getattr(stats(hero), MAGIC[gift][1]) + 1 + 2 * RANKS[rank]


def condition(hero: Hero) -> str:
    """In a word: healthy, bruised, wounded, incapacitated, dying, bleeding or dead."""
    now, top = pools(hero)["hp"]
    word = status(now, top).value
    worse = [each for each in ("dying", "bleeding") if each in hero.conditions and word != "dead"]
    return worse[0] if worse else word


def missiles(hero: Hero) -> str:
    """What it shoots: arrows, bolts or stones; empty without anything to shoot with."""
    known = armoury().weapons
    weapons = (known[name] for name in hero.weapons if name in known)
    shot = (mode for weapon in weapons for mode in weapon.modes if weapon.shoots(mode))
    return next((MISSILES.get(mode.skill, "arrows") for mode in shot), "")


def carried(hero: Hero) -> list[tuple[str, str]]:
    """All that is carried, table and name."""
    worn = [(table, name) for table, name in (("shields", hero.shield), ("armor", hero.armor)) if name]
    return [*(("weapons", name) for name in hero.weapons), *worn, *(("items", name) for name in hero.items)]


def still_held(hero: Hero, held: Iterable[str]) -> list[str]:
    """What of things in hand it carries yet."""
    rest, kept = [*hero.weapons, *([hero.shield] if hero.shield else [])], []
    for item in held:
        if item in rest:
            rest.remove(item)
            kept.append(item)
    return kept


def about(hero: Hero) -> str:
    """Its package, or that it was made of CP."""
    return hero.build.package or ("Adventurer" if hero.build.way == "crunchy" else "No package yet")


@cache
def armoury() -> Armoury:
    """The tables of gear."""
    return Armoury.from_tables(content.tables(RULESET))


@cache
def prices() -> Mapping[str, Mapping[str, Entry]]:
    """Everything that can be bought: table -> name -> entry, in the tables' order."""
    tables, sold = content.tables(RULESET), ("weapons", "shields", "armor", "items")
    return {name: {e["name"]: e for e in tables.get(name, ()) if not e.get("natural")} for name in sold}


@cache
def grimoire() -> Mapping[str, Mapping[str, Entry]]:
    """All spells and blessings by table and name."""
    tables = content.tables(RULESET)
    return {name: {e["name"]: e for e in tables.get(name, ())} for name in ("spells", "blessings")}


def block(hero: Hero) -> Entry:
    """A whole stat block without a template: records with it can be replayed where the hero's file is not."""
    made = bill(hero)
    entry: Entry = {
        "id": hero.id, "name": hero.name, "kind": about(hero), "art": art(hero.looks),
        "threat": THREAT + made.spent_later // 5, **made.stats.model_dump(), "size": hero.size,
        "skills": dict(made.ranks), "light": LIGHT,
    }  # fmt: skip
    for name in ("weapons", "items", "spells", "blessings", "shield", "armor"):
        if value := getattr(hero, name):
            entry[name] = list(value) if isinstance(value, tuple) else value
    if hero.ready is not None:
        entry["ready"] = list(hero.ready)
    for name, (now, top) in pools(hero).items():
        if now != top:
            entry[name] = now
    if missiles(hero):
        entry["ammunition"] = hero.ammunition
    if "bleeding" in hero.conditions:
        entry["conditions"] = ["bleeding"]
    return entry


def faults(hero: Hero) -> tuple[str, ...]:
    """All that is wrong with a hero, each in a sentence: its build, its gear, its magic."""
    found = list(bill(hero).faults)
    worn_last = sorted(carried(hero), key=lambda each: each[0] in ("shields", "armor"))
    strange = ((table, name) for table, name in worn_last if name not in prices()[table])
    found += [text("{name}: no {table} of these rules are called so", name, table) for table, name in strange]
    for gift, (table, _) in MAGIC.items():
        names, most = getattr(hero, table), known_magic(hero, gift)
        found += [text("{name}: none of the {table}", name, table) for name in names if name not in grimoire()[table]]
        if len(set(names)) < len(names):
            found.append(text("{table}: each is learnt once", table))
        if len(names) > most:
            found.append(text("{table}: {names} are known; {gift} allows {most}", table, len(names), gift, most))
    if not found:
        try:
            raw = {**block(hero), "side": "heroes", "at": (0, 0)}
            statblock.initial_hands(creature(statblock.StatBlock, raw, "hero"), armoury(), "hero")
        except BattlematError as error:
            found.append(re.sub(r"^hero \([^)]*\): ", "", str(error)))
    return tuple(found)


def unfit(hero: Hero) -> str:
    """Why it can't go into a fight; empty if it can."""
    word = condition(hero)
    if word == "dead":
        return text("{name} is dead.", hero.name)
    if word in ("dying", "bleeding", "incapacitated"):
        return text("{name} is {word}: camp first.", hero.name, word)
    wrong = faults(hero)
    return text("{name} is not ready: {wrong}.", hero.name, wrong[0]) if wrong else ""
