"""Skills: what there is, what somebody is worth in one, how a check and an opposed check are thrown, and their exact
chances (countup.md §2.9)."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import NamedTuple

from rules.contract.actions import Adjustment
from rules.contract.errors import BattlematError
from rules.contract.events import Roll
from rules.contract.text import joined, text
from rules.core.dice import Dice
from rules.countup.penetration import Die, roll
from rules.countup.state import Being

DIFFICULTY: Mapping[str, int] = {"trivial": -90, "easy": -80, "average": -40, "difficult": 0, "very difficult": 10}
"""Added to the d100, which must not exceed the skill."""
DIFFICULTIES = ((3, "trivial"), (6, "easy"), (9, "average"), (12, "difficult"))
"""The difficulty of a thing on a map up to the figure -> a skill check's; beyond, very difficult (OURS)."""
MASTERY = ((0, "unskilled"), (25, "novice"), (50, "average"), (75, "advanced"), (87, "expert"), (100, "master"))
"""Highest percentage of each mastery."""
MOST = 100
"""The highest percentage, and the faces of the die."""
TIRED = 30
"""What spell fatigue takes from a skill (countup.md §2.8)."""
ABILITY = 10
"""An ability that a stat block does not tell: what an untrained universal skill is worth (OURS)."""
LOCKS, TRAPS, TRAP_SENSE, AID = "lock picking", "disarm trap", "identify trap", "first aid"
TALK = "diplomacy"

_PERCENT = (Die(1, MOST, False),)
D6 = (Die(1, 6, False),)


class Skill(NamedTuple):
    """What a skill goes by. `abilities`: those that bear on it, of which the lowest counts."""

    universal: bool
    abilities: tuple[str, ...]
    tools: bool = False
    """Tools are needed for it."""
    nimble: bool = False
    """Done with the whole body: armour and load hinder it (OURS)."""


_DEX, _WIS, _CHA = ("dexterity",), ("wisdom",), ("charisma",)
_DEFT = ("intelligence", "dexterity")
SKILLS: Mapping[str, Skill] = {
    "climbing": Skill(True, ("strength", "dexterity"), nimble=True),
    "diplomacy": Skill(True, _CHA),
    TRAPS: Skill(False, _DEFT, tools=True),
    "escape artist": Skill(True, _DEFT, nimble=True),
    "fire building": Skill(True, _WIS, tools=True),
    AID: Skill(False, _WIS),
    "hiding": Skill(True, _DEFT, nimble=True),
    TRAP_SENSE: Skill(False, _WIS),
    "intimidation": Skill(True, ("strength", "charisma")),
    "jumping": Skill(True, ("strength",), nimble=True),
    "listening": Skill(True, _WIS),
    LOCKS: Skill(False, _DEFT, tools=True),
    "observation": Skill(True, _WIS),
    "persuasion": Skill(True, _CHA),
    "recruiting": Skill(True, _CHA),
    "rope use": Skill(True, _DEX, tools=True),
    "scrutiny": Skill(True, _WIS),
    "sneaking": Skill(True, _DEX, nimble=True),
    "survival": Skill(True, ("wisdom", "constitution")),
    "swimming": Skill(True, ("strength", "constitution"), nimble=True),
    "tracking": Skill(True, _WIS),
}
"""Those that a crawl has a use for. That swimming is universal is OURS."""

ARMOURED: Mapping[str, int] = {"": 0, "light": 0, "medium": -10, "heavy": -20}
"""What armour takes from nimble skills (OURS)."""
LOADED = -10
"""What each second that a load adds to a weapon's speed takes from nimble skills (OURS)."""
SEEN = 5
"""Percents of observation and scrutiny for each point that poor light costs an attack (OURS)."""


def best(being: Being) -> int:
    """The highest face of a d6 that finds a secret door: 1 in 6, a thief 1 in 3."""
    return 2 if being.thief else 1


def difficulty_of(figure: int) -> str:
    """The difficulty of a thing on a map, 0 to 13 and more, in the words of a skill check."""
    return next((word for most, word in DIFFICULTIES if figure <= most), "very difficult")


def harder(difficulty: str, steps: int = 1) -> str:
    """A difficulty so many steps harder (negative: easier), at most very difficult, at least trivial."""
    words = list(DIFFICULTY)
    return words[min(max(words.index(difficulty) + steps, 0), len(words) - 1)]


def mastery(skill: int) -> str:
    """Unskilled, novice, average, advanced, expert or master."""
    return next((word for most, word in MASTERY if skill <= most), "master")


# -- what somebody is worth --------------------------------------------------------------------------------


def universal(name: str) -> bool:
    """Whether everybody may try a skill."""
    return name in SKILLS and SKILLS[name].universal


def skill_of(being: Being, name: str) -> int:
    """The percentage of a skill; of an untrained universal one the ability's score, of any other 0."""
    return being.skills.get(name) or (ABILITY if universal(name) else 0)


def untrainable(being: Being, name: str) -> str | None:
    """Why somebody may not try a skill; None if it may."""
    return None if skill_of(being, name) else text("{skill} cannot be tried untrained", name)


def hindrances(being: Being, name: str, *, tired: bool = False, blindness: int = 0) -> tuple[Adjustment, ...]:
    """What armour, load, spell fatigue and poor light take from a skill outside fights. `blindness`: what the light
    costs an attack there, 0, −4 or −8; it counts for observation and scrutiny."""
    found = list[Adjustment]()
    if name in SKILLS and SKILLS[name].nimble:
        if being.armour is not None and (worn := ARMOURED[being.armour.kind]):
            found.append(Adjustment("check", worn, text("{armour}", being.armour.name), HINDERED))
        if being.burden:
            found.append(Adjustment("check", LOADED * being.burden, "load", HINDERED))
    if tired:
        found.append(Adjustment("check", -TIRED, "spell fatigue", "countup.md §2.8"))
    if blindness and name in ("observation", "scrutiny"):
        found.append(Adjustment("check", SEEN * blindness, "poor light", HINDERED))
    return tuple(found)


HINDERED = "countup.md §2.9 Hindrances"


# -- checks ------------------------------------------------------------------------------------------------


def check(dice: Dice, skill: int, difficulty: str = "average") -> Roll:
    """d100 + difficulty, which must not exceed the skill. Raises BattlematError for an unknown difficulty."""
    if difficulty not in DIFFICULTY:
        known = joined(", ", DIFFICULTY)
        raise BattlematError("difficulty: {difficulty} is none of {known}", repr(difficulty), known)
    return roll(dice, text("skill, {difficulty}", difficulty), _PERCENT, DIFFICULTY[difficulty])


def chance(skill: int, difficulty: str = "average") -> Fraction:
    """The exact chance of a check.

    >>> chance(35, "average"), chance(35, "very difficult"), chance(35, "trivial")
    (Fraction(3, 4), Fraction(1, 4), Fraction(1, 1))
    """
    return Fraction(min(MOST, max(0, skill - DIFFICULTY[difficulty])), MOST)


Opponent = tuple[str, int, str]
"""What one tries, at which skill, and who it is."""


def opposed(dice: Dice, first: Opponent, second: Opponent) -> tuple[int, tuple[Roll, ...]]:
    """(0 or 1: who wins, all rolls by turns): d100 + skill each, higher wins, ties are thrown again."""
    rolls: list[Roll] = []
    while len(rolls) < 2 or rolls[-1].total == rolls[-2].total:
        for what, skill, who in (first, second):
            dice.thrower = who
            rolls.append(roll(dice, what, _PERCENT, skill))
    return int(rolls[-1].total > rolls[-2].total), tuple(rolls)


def opposed_chance(first: int, second: int) -> Fraction:
    """The exact chance that the first of two skills wins an opposed check, ties thrown again.

    >>> opposed_chance(40, 40), opposed_chance(140, 40)
    (Fraction(1, 2), Fraction(1, 1))
    """
    ahead = first - second
    wins = sum(_ways(gap) for gap in range(1 - ahead, MOST))
    loses = sum(_ways(gap) for gap in range(1 - MOST, -ahead))
    return Fraction(wins, wins + loses)


def _ways(gap: int) -> int:
    """In how many ways one d100 shows so much more than another."""
    return max(0, MOST - abs(gap))
