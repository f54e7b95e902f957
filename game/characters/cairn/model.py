"""A hero of Cairn as its file has it, and as a stat block for records (docs/heroes.md)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from game.characters import heroes
from game.characters.heroes import Entry, Looks, Outcome, Whole, Words
from game.content import tables as content
from rules.cairn import statblock
from rules.cairn.creation import characters, followers
from rules.cairn.creation.book import Book, FollowerModel
from rules.cairn.creation.camp import DEAFENED, INFECTED, Patient
from rules.cairn.creation.characters import ATTRIBUTES, SHORT, Making
from rules.cairn.gear import SLOTS, Armoury
from rules.contract.errors import BattlematError, said
from rules.contract.text import Text, joined, text
from rules.core.validate import creature

RULESET = "cairn"
THREAT = 5
"""A hero's weight in choosing foes, about the mean of the ready heroes'."""
PETTY_GOLD = 100
"""Coins below which a bag of them is petty; each full hundred fills a slot (cairn.md §4 Slots)."""
KEPT = frozenset(("format", "ruleset", "id", "name", "gold"))
"""Fields that a file always has."""
SHORT_KEYS = {"str": "strength", "dex": "dexterity", "wil": "willpower"}

Count = Annotated[int, Field(strict=True, ge=0, le=9999)]
Score = Annotated[int, Field(strict=True, ge=0, le=30)]
Row = Annotated[int, Field(strict=True, ge=1, le=12)]


class Past(BaseModel):
    """A fight that is over."""

    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)
    fight: Words
    """Its opening, by which it is known again."""
    title: str = Field(default="", max_length=400)
    won: bool = False
    how: Outcome | None = None
    felled: Whole = Field(default=0, ge=0)
    scars: tuple[Row, ...] = ()
    """Scars that it left."""
    hp: Whole = 0


class Hero(BaseModel):
    """A hero of the player's own, or somebody who follows one."""

    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)
    format: Literal["battlemat-hero/1"] = "battlemat-hero/1"
    ruleset: Literal["cairn"]
    id: str = Field(pattern=heroes.ID, max_length=58)
    name: str = Field(min_length=1, max_length=40)
    making: Making | None = None
    """What dice or choice said; None for followers, and for ready heroes who were taken up."""
    kind: Words = ""
    """Of a follower what it is (`Bodyguard`); of a ready hero its background."""
    pc: bool = True
    """A player's character; followers are none."""
    looks: Looks = Looks()
    strength: Score = 10
    dexterity: Score = 10
    willpower: Score = 10
    strength_now: Score | None = None
    """None: all of it. The same holds for the other two, and for HP."""
    dexterity_now: Score | None = None
    willpower_now: Score | None = None
    hp_max: Annotated[int, Field(strict=True, ge=0, le=60)] = 1
    hp: Count | None = None
    armor: Annotated[int, Field(strict=True, ge=0, le=3)] = 0
    """Of the skin."""
    powers: tuple[Words, ...] = ()
    gold: Count = 0
    items: tuple[Words, ...] = ()
    ready: tuple[Words, ...] | None = None
    """What is in hand at the start of a fight; None: the first weapon, and the shield if both can be held."""
    home: tuple[Words, ...] = ()
    """What was left behind: at home, or with the cart."""
    transport: tuple[Words, ...] = ()
    used: dict[Words, Annotated[int, Field(strict=True, ge=1)]] = {}
    """How often things with charges were used already."""
    fatigue: Annotated[int, Field(strict=True, ge=0, le=SLOTS)] = 0
    deprived: Count = 0
    """Days without food or rest, today counted."""
    dying: Count = 0
    """Minutes left with critical damage or a mortal wound."""
    down: bool = False
    """Stabilised, and not on its feet yet."""
    dead: bool = False
    scars: tuple[Row, ...] = ()
    mending: tuple[Row, ...] = ()
    """Scars that have not mended yet."""
    lame: bool = False
    one_armed: bool = False
    lost: tuple[Literal["leg", "arm"], ...] = ()
    doomed: bool = False
    growth: tuple[str, ...] = ()
    """What it has learnt or become, in words."""
    days: Count = 0
    """Days in camp."""
    history: tuple[Past, ...] = ()


def read(document: object) -> Hero:
    """A hero from plain data. Raises HeroError in one line: which field, why."""
    return heroes.read(Hero, document, "format, ruleset, id, name and making")


def document(hero: Hero) -> Entry:
    """A hero as plain data, without what is as usual."""
    return heroes.document(hero, KEPT)


def changed(hero: Hero, **fields: Any) -> Hero:
    """The hero with other values, judged like a file. Raises HeroError."""
    return read({**hero.model_dump(mode="json"), **heroes.plain_fields(fields)})


# -- the tables --------------------------------------------------------------------------------------------


@cache
def book() -> Book:
    """The tables that characters are made by."""
    return Book(content.tables(RULESET))


@cache
def armoury() -> Armoury:
    """Everything that can be carried."""
    return Armoury(content.tables(RULESET))


@cache
def entries() -> Mapping[str, tuple[str, Entry]]:
    """Everything that can be carried: name -> table and entry, in the tables' order."""
    tables = content.tables(RULESET)
    names = ("weapons", "armour", "gear", "keepsakes")
    return {str(e["name"]): (table, e) for table in names for e in tables.get(table, ())}


def price(item: str) -> int:
    """What it costs; 0 where nobody sells it."""
    return int(entries()[item][1].get("cost", 0)) if item in entries() else 0


def known(item: str) -> bool:
    """Whether the rules have anything of that name: gear, or goods of a treasure."""
    return armoury().known(item) or item in armoury().treasury.goods


def worth(item: str) -> int:
    """What it brings: half its price, or what it is worth where it has none (ours)."""
    if item not in entries():
        return armoury().worth(item)
    return price(item) // 2 or int(entries()[item][1].get("worth", 0))


def charges(item: str) -> int:
    """How often a whole one can be used; 0: always."""
    lights = {"torch": 3, "oil can": 6}
    return lights.get(item) or int(entries()[item][1].get("charges", 0)) if item in entries() else 0


def follower(hero: Hero) -> FollowerModel | None:
    """What it is, if it follows somebody."""
    return None if hero.pc else book().followers.get(hero.kind)


# -- what follows from it ----------------------------------------------------------------------------------


def now(hero: Hero, attribute: str) -> int:
    """What is left of an attribute."""
    left, top = getattr(hero, f"{attribute}_now"), int(getattr(hero, attribute))
    return top if left is None else min(int(left), top)


def hp(hero: Hero) -> int:
    """HP now."""
    return hero.hp_max if hero.hp is None else min(hero.hp, hero.hp_max)


def slots(item: str) -> int:
    """Slots that it fills."""
    return armoury().slots(item)


def filled(hero: Hero) -> int:
    """Slots that are filled: things, Fatigue, and a bag of a hundred coins or more."""
    return hero.fatigue + sum(map(slots, hero.items)) + hero.gold // PETTY_GOLD


def room(hero: Hero) -> int:
    """Slots that it has: ten, or what a beast carries."""
    kind = follower(hero)
    return kind.slots if kind is not None and kind.kind != "hireling" else SLOTS


def about(hero: Hero) -> str:
    """Its background, or what it follows as."""
    return hero.making.background if hero.making is not None else hero.kind or "Wanderer"


def condition(hero: Hero) -> str:
    """In a word: dead, dying, down, paralysed, delirious, deprived, wounded, bruised, healthy."""
    if hero.dead:
        return "dead"
    if hero.dying:
        return "dying"
    if hero.down:
        return "down"
    for attribute, word in (("dexterity", "paralysed"), ("willpower", "delirious")):
        if now(hero, attribute) <= 0 < getattr(hero, attribute):
            return word
    if hero.deprived:
        return "deprived"
    if any(now(hero, each) < getattr(hero, each) for each in ATTRIBUTES):
        return "wounded"
    return "bruised" if hp(hero) < hero.hp_max else "healthy"


def patient(hero: Hero) -> Patient:
    """A hero as the camp's rules see one."""
    scores = {f"{key}_now": now(hero, name) for key, name in SHORT_KEYS.items()}
    return Patient(
        id=hero.id, name=hero.name, pc=hero.pc, hp=hp(hero), hp_max=hero.hp_max, **scores,
        **{f"{key}_max": getattr(hero, name) for key, name in SHORT_KEYS.items()}, fatigue=hero.fatigue,
        deprived=hero.deprived, dying=hero.dying, down=hero.down, dead=hero.dead, mending=hero.mending,
        lame=hero.lame, one_armed=hero.one_armed, lost=hero.lost,
    )  # fmt: skip


def tended(hero: Hero, who: Patient) -> Hero:
    """The hero as the camp left it; full pools are None, so that they grow with their maxima."""
    fields: dict[str, Any] = {name: getattr(who, f"{key}_max") for key, name in SHORT_KEYS.items()}
    for key, name in SHORT_KEYS.items():
        left, top = getattr(who, f"{key}_now"), getattr(who, f"{key}_max")
        fields[f"{name}_now"] = None if left >= top else left
    return changed(
        hero, **fields, hp_max=who.hp_max, hp=None if who.hp >= who.hp_max else who.hp, mending=who.mending,
        fatigue=min(SLOTS, who.fatigue), deprived=who.deprived, dying=who.dying, down=who.down, dead=who.dead,
        lame=who.lame, one_armed=who.one_armed,
    )  # fmt: skip


def block(hero: Hero) -> Entry:
    """A whole stat block without a template: records with it can be replayed where the hero's file is not."""
    entry: Entry = {
        "id": hero.id, "name": hero.name, "kind": _kind(hero), "art": heroes.art(hero.looks), "pc": hero.pc,
        "threat": THREAT if hero.pc else THREAT - 2, **{each: getattr(hero, each) for each in ATTRIBUTES},
        "hp_max": hero.hp_max,
    }  # fmt: skip
    for each in ATTRIBUTES:
        if (left := now(hero, each)) < getattr(hero, each):
            entry[f"{each}_now"] = left
    kind = follower(hero)
    if kind is not None and kind.wage:
        entry["hired"] = True
    if kind is not None and kind.dice:
        entry |= {"attacks": [dict(followers.attack(kind))], "ready": []}  # a beast carries, and wields nothing
    suffers = [word for word, has in (("deprived", hero.deprived), ("infected", INFECTED in hero.mending),
                                      ("deaf", DEAFENED in hero.mending)) if has]  # fmt: skip
    kept = {
        "items": hero.items, "ready": hero.ready, "powers": hero.powers, "used": dict(hero.used), "armor": hero.armor,
        "fatigue": hero.fatigue, "lame": hero.lame, "one_armed": hero.one_armed, "doomed": hero.doomed,
        "scars": hero.scars, "suffers": suffers,
    }  # fmt: skip
    for name, value in kept.items():
        if value or (name == "ready" and value is not None and "ready" not in entry):
            entry[name] = list(value) if isinstance(value, tuple) else value
    if hero.gold:
        entry["carries"] = str(hero.gold) + " coins"
    if hero.hp is not None and hp(hero) < hero.hp_max:
        entry["hp"] = hp(hero)
    return entry


def _kind(hero: Hero) -> str:
    kind = follower(hero)
    hired = kind is not None and kind.kind == "hireling"
    return text("Hireling, {name}", hero.kind) if hired else about(hero)


def faults(hero: Hero) -> tuple[str, ...]:
    """All that is wrong with a hero, each in a sentence: how it was made, what it carries."""
    found: list[str] = list(characters.faults(hero.making, book())) if hero.making is not None else []
    strange = [each for each in (*hero.items, *hero.home) if not known(each)]
    found += [text("{item}: nothing of these rules is called so", item) for item in strange]
    if not hero.pc and hero.kind not in book().followers:
        found.append(text("{kind}: nobody of these rules is called so", hero.kind))
    if (full := filled(hero)) > room(hero):
        found.append(text("{full} slots are filled; there are {room}: leave something behind", full, room(hero)))
    if not found:
        try:
            raw = {**block(hero), "side": "heroes", "at": (0, 0)}
            model = creature(statblock.StatBlock, raw, "hero")
            statblock.being(model, armoury(), "hero")
            statblock.initial_hands(model, armoury(), "hero")
        except BattlematError as error:
            found.append(said(error).partition("): ")[2] or said(error))
    return tuple(found)


def unfit(hero: Hero) -> str:
    """Why it can't go into a fight; empty if it can."""
    word = condition(hero)
    if word == "dead":
        return text("{name} is dead.", hero.name)
    if word in ("dying", "down", "paralysed", "delirious"):
        return text("{name} is {word}: camp first.", hero.name, word)
    wrong = faults(hero)
    return text("{name} is not ready: {wrong}.", hero.name, wrong[0]) if wrong else ""


def told(hero: Hero) -> list[str]:
    """A hero in lines, for the command line."""
    scores = joined(", ", (Text.of("{name} {now} of {top}", SHORT[each], now(hero, each), getattr(hero, each))
                           for each in ATTRIBUTES))  # fmt: skip
    return [
        Text.of("{name}: {about}, {condition}", hero.name, about(hero), condition(hero)),
        Text.of("{scores}; HP {hp} of {most}", scores, hp(hero), hero.hp_max),
        Text.of("Carries: {what}; {gold} gold; {filled} of {room} slots", joined(", ", hero.items) or "nothing",
                hero.gold, filled(hero), room(hero)),
    ]  # fmt: skip
