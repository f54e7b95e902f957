"""Making a hero and taking levels step by step: costs, and why something is refused (countup.md §9.1, §9.2)."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from typing import Any

from game.characters.countup import model
from game.characters.countup.model import Hero, changed, made
from game.characters.heroes import HeroError
from game.characters.pages import Came
from rules.contract.text import joined, text
from rules.core import dice as rng
from rules.core.dice import Dice
from rules.countup.creation import tables
from rules.countup.creation.heroes import Build, Growth, budget_left, level_for, throw_abilities, weapons_of
from rules.countup.creation.tables import ABILITIES, CLASSES, EXPERIENCE, MOST_LEVEL, PRICES, hard
from rules.countup.skills import SKILLS

KITS: dict[str, tuple[tuple[tuple[str, str], ...], str]] = {
    "fighter": (
        (("weapons", "longsword"), ("weapons", "dagger"), ("shields", "medium shield"), ("armour", "studded leather")),
        "warrior",
    ),
    "cleric": ((("weapons", "mace"), ("shields", "medium shield"), ("armour", "ring mail")), "priest"),
    "thief": (
        (("weapons", "short sword"), ("weapons", "throwing knife"), ("armour", "leather"), ("gear", "thieves' tools")),
        "rogue",
    ),
    "mage": ((("weapons", "staff"), ("weapons", "dagger"), ("armour", "thick robes")), "wizard"),
}
"""What a class begins with, paid for, and its miniature."""
LINES = {
    "fighter": "every weapon, every suit", "cleric": "prayers, and a mace", "thief": "locks, traps, shadows",
    "mage": "spells for spell points",
}  # fmt: skip
SCORES: dict[str, dict[str, int]] = {
    "fighter": {"strength": 15, "dexterity": 13, "constitution": 13},
    "cleric": {"wisdom": 15, "strength": 12, "constitution": 14},
    "thief": {"dexterity": 16, "intelligence": 12, "wisdom": 11},
    "mage": {"intelligence": 16, "dexterity": 13, "wisdom": 11},
}
"""Abilities that a class begins with, to be changed; all others are 10."""
SPELLS = {
    "mage": ("Scorch", "Doze", "Magic Projectile", "Magic Shield"),
    "cleric": ("Trivial Cure", "Trivial Cure", "Minor Cure", "Bless", "Command"),
}


def fresh_dice() -> Dice:
    """Dice that nobody can foresee."""
    return Dice(rng.seeded(secrets.randbits(60)))


def fresh(name: str, made_id: str, kind: str = "") -> Hero:
    """A new hero by id: of a class, with its gear and a hit die thrown, or with nothing settled."""
    hero = Hero(id=made_id, name=name, build=Build(abilities=dict.fromkeys(ABILITIES, 10)))
    if not kind:
        return hero
    kit, art = KITS[kind]
    scores = {each: SCORES[kind].get(each, 10) for each in ABILITIES}
    hero = throw_hit_die(set_class(_built(hero, abilities=scores), kind)).hero
    things: dict[str, list[str]] = {table: [name for each, name in kit if each == table] for table in model.TABLES}
    spent = sum(int(model.prices()[table][name].get("cost", 0)) for table, name in kit)
    light = ["torches", "flint and steel"]
    return changed(
        hero, weapons=things["weapons"], shield=next(iter(things["shields"]), None), armour=things["armour"][0],
        items=[*things["gear"], *light], lamp="torch", looks={"art": art}, spells=SPELLS.get(kind, ()),
        purse=model.COINS - spent - sum(int(model.prices()["gear"][name]["cost"]) for name in light),
    )  # fmt: skip


def fixed(hero: Hero) -> str:
    """Why its making can't be changed any more; empty while it can."""
    if hero.history or hero.build.growth:
        return text("{name} has begun its story: it grows by levels now (Level).", hero.name)
    return ""


def _built(hero: Hero, **fields: object) -> Hero:
    build = {**hero.build.model_dump(mode="json"), **fields}
    return changed(hero, build=build)


def _making(hero: Hero, **fields: object) -> Hero:
    if why := fixed(hero):
        raise HeroError(why)
    return _built(hero, **fields)


# -- abilities, race, class --------------------------------------------------------------------------------


def set_way(hero: Hero, way: str) -> Hero:
    """Bought or thrown; the other way's scores are forgotten. Raises HeroError for one that has begun its story."""
    if way == hero.build.way:
        return hero
    scores = dict.fromkeys(ABILITIES, 10) if way == "bought" else {}
    return _making(hero, way=way, abilities=scores, parts={})


def step_cost(hero: Hero, ability: str, by: int) -> int:
    """Points that a step of a bought ability takes (negative: gives back)."""
    now = hero.build.abilities.get(ability, tables.BASE)
    return tables.ability_cost(now + by) - tables.ability_cost(now)


def why_no_step(hero: Hero, ability: str, by: int) -> str:
    """Why a bought ability can't go a point up or down; empty if it can."""
    now = hero.build.abilities.get(ability, tables.BASE) + by
    if not tables.LEAST <= now <= tables.HIGHEST:
        return text("{least} to {highest} are bought", tables.LEAST, tables.HIGHEST)
    cost, left = step_cost(hero, ability, by), budget_left(hero.build)
    return text("costs {cost}; {left} left", cost, max(0, left)) if cost > max(0, left) and by > 0 else ""


def step(hero: Hero, ability: str, by: int) -> Hero:
    """A bought ability a point up or down. Raises HeroError with the reason."""
    if why := why_no_step(hero, ability, by):
        raise HeroError("{ability}: {why}.", ability.capitalize(), why)
    now = hero.build.abilities.get(ability, tables.BASE)
    return _making(hero, abilities={**hero.build.abilities, ability: now + by})


def throw(hero: Hero) -> Came:
    """Throw all abilities. Raises HeroError for one that has begun its story."""
    scores, parts = throw_abilities(fresh_dice())
    hero = _making(hero, way="thrown", abilities=scores, parts=parts)
    thrown = joined(", ", (text("{ability} {score}", a, f"{scores[a]}/{parts[a] % 100:02}") for a in ABILITIES))
    return Came(hero, text("Thrown: {thrown}.", thrown))


def set_race(hero: Hero, race: str) -> Hero:
    """Another race. Raises HeroError for one that has begun its story."""
    return _making(hero, race=race)


def set_class(hero: Hero, kind: str) -> Hero:
    """Another class: its hit die is to be thrown, and what it can't learn is forgotten. Raises HeroError."""
    if kind == hero.build.kind:
        return hero
    return changed(_making(hero, kind=kind, dice=(), learnt=()), spells=(), points=None, prayed=())


def throw_hit_die(hero: Hero) -> Came:
    """Throw the hit die of the first level. Raises HeroError without a class, or for one that has begun its story."""
    if not hero.build.kind:
        raise HeroError("A class comes first: it says which die.")
    die = CLASSES[hero.build.kind].die
    face = fresh_dice().throw(die, die)
    return Came(_making(hero, dice=(face,)), text("The d{die} shows {face}.", die, face))


# -- skills and weapons --------------------------------------------------------------------------------------


def points_left(hero: Hero) -> int:
    """Building points that are left."""
    return made(hero).allowed - made(hero).spent


def after(hero: Hero, skill: str) -> int:
    """What a skill would be after one more purchase."""
    bought = {**hero.build.skills, skill: hero.build.skills.get(skill, 0) + 1}
    return made(_built(hero, skills=bought)).skills[skill]


def why_not_bought(hero: Hero, skill: str) -> str:
    """Why a skill can't be bought once more; empty if it can."""
    if made(hero).skills.get(skill, 0) >= 100:
        return "mastered"
    price, left = PRICES[skill], points_left(hero)
    return text("costs {price}; {left} left", price, max(0, left)) if price > left else ""


def buy_skill(hero: Hero, skill: str) -> Hero:
    """A purchase of a skill. Raises HeroError with the reason."""
    if skill not in SKILLS:
        raise HeroError("{skill} is no skill of these rules", skill)
    if why := why_not_bought(hero, skill):
        raise HeroError("{skill}: {why}.", skill.capitalize(), why)
    return _built(hero, skills={**hero.build.skills, skill: hero.build.skills.get(skill, 0) + 1})


def unbuy_skill(hero: Hero, skill: str) -> Hero:
    """Take a purchase back that play has not sealed. Raises HeroError where there is none."""
    bought = hero.build.skills.get(skill, 0)
    if bought <= hero.settled.get(skill, 0):
        why = "{skill}: what was learnt stays learnt." if bought else "{skill} has not been bought yet."
        raise HeroError(why, skill=skill.capitalize())
    skills = {**hero.build.skills, skill: bought - 1}
    return _built(hero, skills={name: times for name, times in skills.items() if times})


def learnable(hero: Hero) -> list[str]:
    """Weapons that its class has not learnt, nor it."""
    known = weapons_of(hero.build)
    return [] if known is None else [name for name in model.prices()["weapons"] if name not in known]


def learn_cost(weapon: str) -> int:
    """Building points to learn a weapon."""
    return tables.WEAPON_PRICES[hard(weapon)]


def learn(hero: Hero, weapon: str) -> Hero:
    """Learn a weapon. Raises HeroError where the points don't reach."""
    if learn_cost(weapon) > points_left(hero):
        told = "{weapon}: costs {cost}; {left} left."
        raise HeroError(told, weapon.capitalize(), learn_cost(weapon), max(0, points_left(hero)))
    return _built(hero, learnt=(*hero.build.learnt, weapon))


def unlearn(hero: Hero, weapon: str) -> Hero:
    """Take it back, before the story begins. Raises HeroError."""
    if fixed(hero):
        raise HeroError("{weapon}: what was learnt stays learnt.", weapon=weapon.capitalize())
    return _built(hero, learnt=[name for name in hero.build.learnt if name != weapon])


# -- levels --------------------------------------------------------------------------------------------------


def why_no_level(hero: Hero) -> str:
    """Why no level can be taken; empty if one can."""
    level = made(hero).level
    if level >= MOST_LEVEL:
        return text("Level {level} is the highest that these rules tell of.", level)
    if level_for(hero.build.earned) <= level:
        told = "Level {level} needs {need} points of experience; {earned} were earned."
        return text(told, level + 1, EXPERIENCE[level], hero.build.earned)
    return "" if not made(hero).faults else text("{fault} first.", made(hero).faults[0])


def take_level(hero: Hero) -> Came:
    """The next level, its hit die thrown. Raises HeroError with the reason."""
    if why := why_no_level(hero):
        raise HeroError(why)
    die = CLASSES[hero.build.kind].die
    face, before = fresh_dice().throw(die, die), made(hero).hit_points
    growth: list[dict[str, Any]] = [each.model_dump() for each in hero.build.growth]
    hero = _built(hero, dice=(*hero.build.dice, face), growth=[*growth, Growth().model_dump()])
    told = "Level {level}: the d{die} shows {face}, {gained} HP more. An ability grows: choose it."
    return Came(hero, text(told, made(hero).level, die, face, made(hero).hit_points - before))


def grow(hero: Hero, ability: str) -> Hero:
    """The ability that grows with the last level; until play goes on another may be chosen. Raises HeroError."""
    if not hero.build.growth:
        raise HeroError("{name} has taken no level yet.", hero.name)
    if len(hero.build.growth) < hero.settled.get(LEVELS, 0) + 1:
        raise HeroError("{ability}: what has grown stays grown.", ability=ability.capitalize())
    growth: Sequence[Growth] = (*hero.build.growth[:-1], Growth.model_validate({"ability": ability}))
    return _built(hero, growth=[each.model_dump() for each in growth])


LEVELS = "levels"
"""In `Hero.settled`: how many levels had been taken when play went on."""


def sealed(hero: Hero) -> dict[str, int]:
    """What a fight makes unchangeable."""
    return {**hero.build.skills, LEVELS: len(hero.build.growth)}


# -- spells --------------------------------------------------------------------------------------------------


def choose_spell(hero: Hero, spell: str, by: int) -> Hero:
    """A spell learnt, or granted once more; or forgotten. Raises HeroError for one too many."""
    spells = list(hero.spells)
    if by < 0:
        if spell not in spells:
            raise HeroError("{spell}: not chosen.", spell)
        spells.remove(spell)
    elif len(spells) >= (most := made(hero).spells):
        raise HeroError("{most} are allowed: give one back first.", most)
    else:
        spells.append(spell)
    order = [entry["name"] for entry in model.spellbook(hero)]
    spells.sort(key=lambda name: order.index(name) if name in order else -1)
    spent = [
        name for name in dict.fromkeys(hero.prayed) for _ in range(min(hero.prayed.count(name), spells.count(name)))
    ]
    return changed(hero, spells=spells, prayed=spent)
