"""A hero of Count-Up as its file has it, and as a stat block for records (docs/heroes.md, countup.md §9)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache, lru_cache
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from game.characters import heroes as shared
from game.characters.heroes import ID, Entry, Looks, Outcome, Whole, Words, art
from game.content import tables as content
from rules.contract.errors import BattlematError
from rules.contract.text import text
from rules.core.validate import creature
from rules.countup.creation.camp import Patient as Person
from rules.countup.creation.camp import Wound, felled
from rules.countup.creation.heroes import Build, Made, reckon, weapons_of
from rules.countup.creation.tables import BOOKISH, CLASSES, LOADS, PIOUS, RACES, loads
from rules.countup.gear import OUNCES, Armoury
from rules.countup.skills import AID
from rules.countup.statblock import StatBlock, being

RULESET = "countup"
COINS = 2600
"""What a new hero's purse holds, in copper pieces (ours)."""
QUIVER = 20
"""Arrows, bolts or stones that a hero with something to shoot them carries at most, and has at first (ours)."""
THREAT = 5
"""A hero's weight in choosing foes at the first level; each further level adds two."""
TABLES = ("weapons", "shields", "armour", "gear")
"""What is sold."""


class Hurt(BaseModel):
    """One wound."""

    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)
    hp: Whole = Field(ge=1, le=500)
    days: Whole = Field(ge=1, le=500)
    """Until the next hit point of it comes back."""
    tended: bool = False


class Past(BaseModel):
    """A fight or an evening that is over."""

    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)
    fight: Words
    """Its opening, by which it is known again."""
    title: str = Field(default="", max_length=400)
    won: bool = False
    how: Outcome | None = None
    experience: Whole = Field(default=0, ge=0)
    hp: Whole = 0
    """Hit points at its end."""


class Hero(BaseModel):
    """A hero of the player's own."""

    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)
    format: Literal["battlemat-hero/1"] = "battlemat-hero/1"
    ruleset: Literal["countup"] = "countup"
    id: str = Field(pattern=ID, max_length=58)
    name: str = Field(min_length=1, max_length=40)
    build: Build
    looks: Looks = Looks()
    purse: Whole = Field(default=COINS, ge=0)
    """In copper pieces."""
    weapons: tuple[Words, ...] = ()
    shield: Words | None = None
    armour: Words | None = None
    broken: tuple[Words, ...] = ()
    """Shields that a smith could make whole."""
    items: tuple[Words, ...] = ()
    ready: Words | None = None
    """The weapon in hand when a fight begins; None: the first."""
    lamp: Literal["", "candle", "lantern", "torch"] = ""
    """The light that burns when a fight begins."""
    spells: tuple[Words, ...] = ()
    """A mage's; a cleric's prayers of the day, each as often as it is granted."""
    wounds: tuple[Hurt, ...] = ()
    points: Whole | None = Field(default=None, ge=0)
    """Spell points left; None: all."""
    prayed: tuple[Words, ...] = ()
    ammunition: Whole = Field(default=QUIVER, ge=0, le=QUIVER)
    dying: bool = False
    dead: bool = False
    settled: dict[str, Whole] = {}
    """How often each skill was bought when its story began or last went on: no less any more."""
    history: tuple[Past, ...] = ()


KEPT = frozenset(("format", "ruleset", "id", "name", "build", "purse"))


def read(document: object) -> Hero:
    """A hero from plain data. Raises HeroError in one line: which field, why."""
    return shared.read(Hero, document, "format, ruleset, id, name and build")


def document(hero: Hero) -> Entry:
    """A hero as plain data, without what is as usual."""
    return shared.document(hero, KEPT)


def changed(hero: Hero, **fields: Any) -> Hero:
    """The hero with other values, judged like a file. Raises HeroError."""
    return read({**hero.model_dump(mode="json"), **shared.plain_fields(fields)})


# -- what follows from it ----------------------------------------------------------------------------------


@lru_cache(maxsize=256)
def _made(key: str) -> Made:
    return reckon(Build.model_validate_json(key))


def made(hero: Hero) -> Made:
    """What its build comes to."""
    return _made(hero.build.model_dump_json())


@cache
def armoury() -> Armoury:
    """The tables of gear and spells."""
    return Armoury(content.tables(RULESET))


@cache
def prices() -> Mapping[str, Mapping[str, Entry]]:
    """Everything that can be bought: table -> name -> entry, in the tables' order."""
    tables = content.tables(RULESET)
    return {name: {e["name"]: e for e in tables.get(name, ())} for name in TABLES}


def person(hero: Hero) -> Person:
    """The hero as the rules of camps see one: nobody is dying with hit points left, or alive too far below none."""
    one = made(hero)
    pious = hero.build.kind == PIOUS
    who = Person(
        id=hero.id, name=hero.name, hp_max=one.hit_points, trauma=one.trauma,
        wounds=tuple(Wound(w.hp, w.days, w.tended) for w in hero.wounds), aid=one.skills.get(AID, 0),
        points=one.points if hero.points is None else min(hero.points, one.points), points_max=one.points,
        prayers=hero.spells if pious else (), prayed=hero.prayed if pious else (), dead=hero.dead,
    )  # fmt: skip
    after = felled(who)
    return after if after.dead or hero.dying else who


def condition(hero: Hero) -> str:
    """In a word: healthy, bruised, wounded, senseless, dying or dead."""
    return person(hero).status


def about(hero: Hero) -> str:
    """Class and level, and the race of those who are not human."""
    level = made(hero).level
    if not hero.build.kind:
        return "No class yet"
    if hero.build.race == "human":
        return text("{kind} {level}", hero.build.kind.capitalize(), level)
    return text("{race} {kind} {level}", hero.build.race.capitalize(), hero.build.kind, level)


def carried(hero: Hero) -> list[tuple[str, str]]:
    """All that is carried, table and name."""
    worn = [(table, name) for table, name in (("shields", hero.shield), ("armour", hero.armour)) if name]
    things = [("weapons", name) for name in hero.weapons], [("gear", name) for name in hero.items]
    return [*things[0], *worn, *(("shields", name) for name in hero.broken), *things[1]]


def pounds(hero: Hero) -> int:
    """The weight of all that is carried but the suit that is worn, rounded up."""
    ounces, whole = 0, 0
    for name in (name for table, name in carried(hero) if table != "armour"):
        sold = armoury().sold(name)
        ounces += sold.weight if sold is not None else 0
        whole += armoury().weight(name) if sold is None else 0
    return whole - (-ounces // OUNCES)


def load(hero: Hero) -> str | None:
    """`""`, light, medium or heavy; None for more than can be taken along."""
    limits = loads(made(hero).abilities["strength"])
    return next((word for most, word in zip(limits, LOADS, strict=True) if pounds(hero) <= most), None)


def shoots(hero: Hero) -> bool:
    """Whether it carries something that takes arrows, bolts or stones."""
    known = armoury().weapons
    return any(known[name].ranged and not known[name].thrown for name in hero.weapons if name in known)


def block(hero: Hero) -> Entry:
    """A whole stat block without a template: records with it can be replayed where the hero's file is not."""
    one, race, who = made(hero), RACES[hero.build.race], person(hero)
    suit = prices()["armour"].get(hero.armour or "", {})
    physical, mental, dodge = one.saves
    entry: Entry = {
        "id": hero.id, "name": hero.name, "kind": about(hero), "art": art(hero.looks), "size": race.size,
        "threat": THREAT + 2 * (one.level - 1), "hp_max": one.hit_points, "attack": one.attack,
        "defence": one.defence + suit.get("defence", 0), "damage": one.damage,
        "initiative": one.initiative + (suit.get("initiative", 0) if suit else -1), "pain": one.pain,
        "trauma": one.trauma, "physical": physical, "mental": mental, "dodge": dodge, "dexterity": one.dexterity,
        "level": one.level, "skills": dict(one.skills), "wounds": [wound.hp for wound in hero.wounds],
    }  # fmt: skip
    optional = {
        "hp": who.hp if hero.wounds else None, "speed": one.speed, "half": race.half, "knock_size": race.knock,
        "weapons": list(hero.weapons), "shield": hero.shield, "armour": hero.armour, "ready": hero.ready,
        "items": list(hero.items), "lamp": hero.lamp, "load": load(hero) or "",
        "spells": list(hero.spells), "spell_points": one.points, "prayed": list(who.prayed),
        "thief": hero.build.kind == "thief",
    }  # fmt: skip
    entry |= {name: value for name, value in optional.items() if value}
    if shoots(hero):
        entry["ammunition"] = hero.ammunition
    if who.points < who.points_max:
        entry["points"] = who.points
    return entry


def faults(hero: Hero) -> tuple[str, ...]:
    """All that is wrong with a hero, each in a sentence: its build, its gear, its magic."""
    found = [*made(hero).faults, *_gear_faults(hero), *_spell_faults(hero)]
    if not found:
        try:
            raw = {**block(hero), "side": "heroes", "at": (0, 0)}
            raw |= {"hp": None, "wounds": []}
            being(creature(StatBlock, raw, "hero"), armoury(), "hero")
        except BattlematError as error:
            found.append(re.sub(r"^hero \([^)]*\): ", "", str(error)))
    return tuple(found)


def unlearnt(hero: Hero, table: str, name: str) -> str:
    """Why a weapon, a shield or a suit can't be used by its class; empty if it can."""
    kind = CLASSES.get(hero.build.kind)
    if kind is None:
        return ""
    if table == "weapons" and (known := weapons_of(hero.build)) is not None and name not in known:
        return text("{name}: never learnt to use it", name)
    if table == "shields" and not kind.shield:
        return text("{name}: a {kind} uses no shield", name, hero.build.kind)
    if table == "armour" and prices()["armour"].get(name, {}).get("kind", "") not in kind.armour:
        return text("{name}: no armour for a {kind}", name, hero.build.kind)
    return ""


def _gear_faults(hero: Hero) -> list[str]:
    found = [text("{name}: no {table} of these rules are called so", name, table)
             for table, name in carried(hero) if table != "gear" and name not in prices()[table]]  # fmt: skip
    kept = [*(("weapons", w) for w in hero.weapons), ("shields", hero.shield), ("armour", hero.armour)]
    used: list[str] = [why for table, name in kept if name and (why := unlearnt(hero, table, name))]
    if hero.ready is not None and hero.ready not in hero.weapons:
        used.append(text("{name}: in hand, but not carried", hero.ready))
    if load(hero) is None:
        most = loads(made(hero).abilities["strength"])[-1]
        used.append(text("{pounds} pounds are carried; {most} are the most for this strength", pounds(hero), most))
    return [*found, *used]


def spellbook(hero: Hero) -> list[Entry]:
    """The spells that its class and level allow it."""
    divine, highest = hero.build.kind == PIOUS, made(hero).highest
    spells = content.tables(RULESET)["spells"] if hero.build.kind in (PIOUS, BOOKISH) else []
    return [e for e in spells if bool(e.get("divine")) is divine and e.get("index", 0) <= highest]


def _spell_faults(hero: Hero) -> list[str]:
    allowed, found = {e["name"] for e in spellbook(hero)}, list[str]()
    for name in dict.fromkeys(hero.spells):
        if name not in armoury().spells:
            found.append(text("{name}: no spell of these rules", name))
        elif name not in allowed:
            found.append(text("{name}: not among the spells of this class and level", name))
    if len(hero.spells) > (most := made(hero).spells):
        found.append(text("{n} spells are chosen; {most} are allowed", len(hero.spells), most))
    if hero.build.kind == BOOKISH and len(set(hero.spells)) < len(hero.spells):
        found.append("spells: each is learnt once")
    return found


def unfit(hero: Hero) -> str:
    """Why it can't go into a fight; empty if it can."""
    word = condition(hero)
    if word == "dead":
        return text("{name} is dead.", hero.name)
    if word in ("dying", "senseless"):
        return text("{name} is {word}: camp first.", hero.name, word)
    wrong = faults(hero)
    return text("{name} is not ready: {wrong}.", hero.name, wrong[0]) if wrong else ""
