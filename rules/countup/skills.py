"""Skills, opposed checks and the search for secret doors (countup.md §2.9). Dice in hand, numbers out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from rules.contract.errors import BattlematError
from rules.contract.events import Roll
from rules.contract.text import joined, text
from rules.core.dice import Dice
from rules.countup.penetration import Die, roll

DIFFICULTY: Mapping[str, int] = {"trivial": -90, "easy": -80, "average": -40, "difficult": 0, "very difficult": 10}
"""Added to the d100, which must not exceed the skill."""
MASTERY = ((0, "unskilled"), (25, "novice"), (50, "average"), (75, "advanced"), (87, "expert"), (100, "master"))
"""Highest percentage of each mastery."""
UNIVERSAL = ("climbing", "listening", "observation", "hiding", "sneaking", "swimming", "jumping")
"""Skills that anybody may try: untrained the lowest ability score that bears on them counts."""
SECRET_DOOR: Mapping[str, int] = {"anybody": 1, "thief": 2}
"""Of a d6, the highest face that finds a secret door."""

TIRED = 30
"""What spell fatigue takes from a skill (countup.md §2.8)."""

_PERCENT = (Die(1, 100, False),)


class SkillResult(NamedTuple):
    """A skill check: its roll with the difficulty added, the skill, whether it came off."""

    roll: Roll
    skill: int
    success: bool


def mastery(skill: int) -> str:
    """Unskilled, novice, average, advanced, expert or master."""
    for most, word in MASTERY:
        if skill <= most:
            return word
    return "master"


def level_of(skill: int | None, name: str, abilities: tuple[int, ...]) -> int:
    """The percentage that counts. Raises BattlematError for a skill that can't be tried untrained."""
    if skill:
        return skill
    if name not in UNIVERSAL:
        raise BattlematError(text("skill: {name} cannot be tried untrained", name=name))
    return min(abilities)


def check(dice: Dice, skill: int, difficulty: str = "average") -> SkillResult:
    """d100 + difficulty ≤ skill. Raises BattlematError for an unknown difficulty."""
    if difficulty not in DIFFICULTY:
        raise BattlematError(
            text(
                "difficulty: {difficulty} is none of {known}",
                difficulty=repr(difficulty),
                known=joined(", ", DIFFICULTY),
            )
        )
    thrown = roll(dice, text("skill, {difficulty}", difficulty=difficulty), _PERCENT, DIFFICULTY[difficulty])
    return SkillResult(thrown, skill, thrown.total <= skill)


Opponent = tuple[str, int, str]
"""What one tries, at which skill, and who it is."""


def opposed(dice: Dice, first: Opponent, second: Opponent) -> tuple[int, tuple[Roll, ...]]:
    """(0 or 1: who wins, all rolls by turns): d100 + skill each, higher wins, ties are thrown again."""
    rolls: list[Roll] = []
    while True:
        rolls += (_tries(dice, *each) for each in (first, second))
        one, other = rolls[-2:]
        if one.total != other.total:
            return int(other.total > one.total), tuple(rolls)


def _tries(dice: Dice, what: str, skill: int, who: str) -> Roll:
    dice.thrower = who
    return roll(dice, what, _PERCENT, skill)


def finds_secret_door(dice: Dice, thief: bool = False) -> tuple[bool, Roll]:
    """1 in 6, a thief 1 in 3."""
    thrown = roll(dice, "secret door", (Die(1, 6, False),))
    return thrown.total <= SECRET_DOOR["thief" if thief else "anybody"], thrown
