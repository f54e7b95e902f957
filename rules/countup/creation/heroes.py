"""How characters are made, and what a level brings: all that follows from a build (countup.md §5.3, §9.1, §9.2)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal, NamedTuple

from pydantic import BaseModel, Field

from rules.contract.text import joined, text
from rules.core.dice import Dice
from rules.core.validate import STRICT
from rules.countup.creation import tables
from rules.countup.creation.tables import CLASSES, RACES, Class, Score, hard
from rules.countup.skills import MOST, SKILLS

Whole = Annotated[int, Field(strict=True)]
Part = Annotated[int, Field(strict=True, ge=1, le=100)]
Thrown = Annotated[int, Field(strict=True, ge=3, le=18)]


class Growth(BaseModel):
    """What was chosen with a level: the ability that grew."""

    model_config = STRICT
    ability: Literal["", "strength", "intelligence", "wisdom", "dexterity", "constitution", "looks", "charisma"] = ""


class Build(BaseModel):
    """How a character was made: everything that its figures follow from."""

    model_config = STRICT
    way: Literal["bought", "thrown"] = "bought"
    """Abilities bought by points, or thrown with 3d6 and a d100 each."""
    abilities: dict[str, Thrown] = {}
    """Scores before the race; left out: 8."""
    parts: dict[str, Part] = {}
    """Hundredths of thrown scores; left out: 01."""
    race: Literal["human", "dwarf", "elf", "halfling"] = "human"
    kind: Literal["", "fighter", "cleric", "thief", "mage"] = ""
    """The class."""
    dice: tuple[Whole, ...] = ()
    """Faces of the hit dice, one thrown with each level."""
    growth: tuple[Growth, ...] = ()
    """For each level beyond the first."""
    skills: dict[str, Annotated[Whole, Field(ge=1, le=40)]] = {}
    """How often each was bought."""
    learnt: tuple[str, ...] = ()
    """Weapons learnt beyond the class's."""
    earned: Whole = Field(default=0, ge=0)
    """Points of experience."""


class Made(NamedTuple):
    """What a build comes to, armour and gear aside, with what is wrong with it."""

    abilities: Mapping[str, Score]
    level: int
    hit_points: int
    attack: int
    defence: int
    initiative: int
    damage: int
    dexterity: int
    speed: int
    pain: int
    trauma: int
    saves: tuple[int, int, int]
    """Physical, mental, dodge."""
    skills: Mapping[str, int]
    """All that it may try, untrained ones by their ability."""
    points: int
    """Spell points."""
    spells: int
    """How many it may know, or be granted in a day."""
    highest: int
    """The highest index among them."""
    spent: int
    allowed: int
    """Building points."""
    faults: tuple[str, ...]


def level_for(earned: int) -> int:
    """The level that so much experience allows."""
    return sum(earned >= need for need in tables.EXPERIENCE)


def hit_dice(faces: tuple[int, ...]) -> int:
    """What the hit dice come to: on even levels the last die was thrown again, and the better is kept.

    >>> hit_dice((3,)), hit_dice((3, 8)), hit_dice((3, 8, 5))
    (3, 8, 13)
    """
    return sum(max(faces[at : at + 2]) for at in range(0, len(faces), 2))


def throw_abilities(dice: Dice) -> tuple[dict[str, int], dict[str, int]]:
    """3d6 and a d100 for each ability in order: (scores, hundredths)."""
    scores, parts = dict[str, int](), dict[str, int]()
    for name in tables.ABILITIES:
        scores[name] = sum(dice.throw(6, 6) for _ in range(3))
        parts[name] = dice.throw(MOST, MOST)
    return scores, parts


def abilities_of(build: Build) -> dict[str, Score]:
    """The scores as they are now: thrown or bought, race, growth."""
    race = RACES[build.race].abilities
    thrown = build.way == "thrown"
    grown: list[str] = [growth.ability for growth in build.growth]
    return {
        name: Score(build.abilities.get(name, 8), build.parts.get(name, 1) if thrown else 1).plus(
            race.get(name, 0), tables.GROWTH * grown.count(name)
        )
        for name in tables.ABILITIES
    }


def gain(percent: int) -> int:
    """What a purchase adds to a skill of so many percents.

    >>> [gain(percent) for percent in (12, 25, 26, 60, 80, 99)]
    [7, 7, 5, 4, 3, 2]
    """
    return next(more for most, more in tables.MASTERY_GAIN if percent <= most)


def skill_at(build: Build, abilities: Mapping[str, Score], name: str) -> int:
    """The percentage of a skill: the lowest ability that bears on it, and what each purchase adds; a trade of the
    class's begins higher; 0 where it can't be tried."""
    skill, kind = SKILLS[name], CLASSES.get(build.kind)
    ability = min(abilities[each].whole for each in skill.abilities)
    bought = build.skills.get(name, 0) + bool(kind is not None and name in kind.free)
    trade = kind is not None and name in kind.trade
    if not bought and not trade:
        return ability if skill.universal else 0
    percent = max(ability, tables.TRADE) if trade else ability
    for _ in range(bought):
        percent = min(MOST, percent + gain(percent))
    return percent


def weapons_of(build: Build) -> tuple[str, ...] | None:
    """The weapons that it has learnt; None: all."""
    kind = CLASSES.get(build.kind)
    return None if kind is None or not kind.weapons else (*kind.weapons, *build.learnt)


def spent_on(build: Build) -> int:
    """Building points that went for skills and weapons."""
    skills = sum(tables.PRICES.get(name, 0) * times for name, times in build.skills.items())
    return skills + sum(tables.WEAPON_PRICES[hard(weapon)] for weapon in build.learnt)


def reckon(build: Build) -> Made:
    """Work a build out: figures and every fault in words. Never raises for a faulty build."""
    abilities, kind, race = abilities_of(build), CLASSES.get(build.kind), RACES[build.race]
    level = 1 + len(build.growth)
    at = min(level, tables.MOST_LEVEL) - 1
    most = abilities["constitution"].whole + race.hit_points + hit_dice(build.dice)
    nimble = tables.NIMBLE.of(abilities["dexterity"])
    wit, dexterity, wisdom = abilities["intelligence"], abilities["dexterity"], abilities["wisdom"]
    skills = {name: percent for name in SKILLS if (percent := skill_at(build, abilities, name))}
    casts = {tables.BOOKISH: tables.KNOWN + tables.KNOWN_MORE * at, tables.PIOUS: tables.PRAYERS + at}
    return Made(
        abilities, level, most,
        attack=tables.ATTACK.of(wit) + tables.AIM.of(dexterity) + (kind.attack[at] if kind else 0),
        defence=tables.GUARD.of(wisdom) + nimble + race.defence,
        initiative=tables.ALERT.of(wisdom) + tables.QUICK.of(dexterity) + (kind.initiative[at] if kind else 0),
        damage=tables.DAMAGE.of(abilities["strength"]), dexterity=max(0, nimble), speed=kind.speed[at] if kind else 0,
        pain=-(-most * (30 + level * (kind.pain if kind else 1)) // 100), trauma=abilities["constitution"].whole // 2,
        saves=(tables.HARDY.of(abilities["constitution"]), tables.WILL.of(wisdom), tables.DODGE.of(dexterity)),
        skills=skills,
        points=kind.points[at] if kind else 0, spells=casts.get(build.kind, 0),
        highest=level + (2 if build.kind == tables.BOOKISH else 3),
        spent=spent_on(build), allowed=tables.FIRST_POINTS + tables.LEVEL_POINTS * (level - 1),
        faults=(*_ability_faults(build), *_class_faults(build, kind), *_bought_faults(build)),
    )  # fmt: skip


def budget_left(build: Build) -> int:
    """Points for bought abilities that are left; negative: too many are spent."""
    return tables.BUDGET - sum(tables.ability_cost(build.abilities.get(name, 8)) for name in tables.ABILITIES)


def _ability_faults(build: Build) -> list[str]:
    found = list[str]()
    for name in (*build.abilities, *build.parts):
        if name not in tables.ABILITIES:
            found.append(text("{name} is no ability; there are {abilities}", name, joined(", ", tables.ABILITIES)))
    if build.way == "bought":
        low = [name for name, score in build.abilities.items() if score < tables.LEAST]
        found += [text("{name}: {least} is the least that is bought", name, tables.LEAST) for name in low]
        if (left := budget_left(build)) < 0:
            found.append(text("abilities cost {cost} points; there are {budget}", tables.BUDGET - left, tables.BUDGET))
    elif missing := [name for name in tables.ABILITIES if name not in build.abilities]:
        found.append(text("{names}: not thrown yet", joined(", ", missing)))
    return found


def _class_faults(build: Build, kind: Class | None) -> list[str]:
    found = list[str]()
    level = 1 + len(build.growth)
    if kind is None:
        found.append(text("no class is chosen; there are {classes}", joined(", ", CLASSES)))
    elif not build.dice:
        found.append("the hit die of the first level is not thrown yet")
    elif any(not 1 <= face <= kind.die for face in build.dice):
        found.append(text("hit dice: a {kind}'s show 1 to {faces}", build.kind, kind.die))
    if kind is not None and build.dice and len(build.dice) != level:
        found.append(text("hit dice: {n} are thrown for {level} levels", len(build.dice), level))
    if level > tables.MOST_LEVEL:
        found.append(text("level {level}: {most} is the highest that these rules tell of", level, tables.MOST_LEVEL))
    elif tables.EXPERIENCE[level - 1] > build.earned:
        told = "level {level} needs {need} points of experience; {earned} were earned"
        found.append(text(told, level, tables.EXPERIENCE[level - 1], build.earned))
    if any(not growth.ability for growth in build.growth):
        found.append("a level has come without an ability that grows: choose it")
    return found


def _bought_faults(build: Build) -> list[str]:
    found: list[str] = [text("{name} is no skill of these rules", name) for name in build.skills if name not in SKILLS]
    own = CLASSES[build.kind].weapons if build.kind else ()
    if build.kind and not own and build.learnt:
        found.append(text("a {kind} has learnt every weapon already", build.kind))
    found += [text("{weapon}: learnt twice", weapon) for weapon in build.learnt if weapon in own]
    spent, allowed = spent_on(build), tables.FIRST_POINTS + tables.LEVEL_POINTS * len(build.growth)
    if spent > allowed:
        found.append(text("{spent} building points are spent; there are {allowed}", spent, allowed))
    return found
