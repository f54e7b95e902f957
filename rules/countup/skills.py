"""Skills, opposed checks, the search for secret doors (countup.md §2.9), and stealth before the first second."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from rules.contract.errors import BattlematError
from rules.contract.events import Contest, Roll
from rules.contract.text import joined, text
from rules.core.dice import Dice
from rules.countup.penetration import Die, roll
from rules.countup.state import Being, Resolution, present

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


# -- stealth: coming up unheard, lying in wait, before the first second (countup.md §1.1, §2.9) -------------

SCENES: Mapping[str, int] = {"standard": 12, "ambush": 10, "heard": 8, "door": 6, "corner": 4}
"""The initiative die by what one knew beforehand (countup.md §1.1)."""
ABILITY = 10
"""An ability that a stat block does not tell: what an untrained universal skill is worth (OURS)."""


class Manner(NamedTuple):
    """A way to go unnoticed: the skill it takes, the skill that notices it."""

    skill: str
    sense: str


MANNERS: Mapping[str, Manner] = {"sneaking": Manner("sneaking", "listening"), "hidden": Manner("hiding", "observation")}
"""By `stealth` of a stat block."""


def skill_of(being: Being, name: str) -> int:
    """The percentage of a universal skill; untrained the ability's score."""
    return level_of(being.skills.get(name), name, (ABILITY,))


def initiative_dice(resolution: Resolution) -> list[int]:
    """Faces of everybody's die of initiative. Whoever comes sneaking, or hides, is opposed by each foe on its guard;
    a band is as quiet as its noisiest. Unnoticed by all they wait for their foes: a d4. Who notices them knows
    where they are, and they that they were heard: a d8. A better die that one has anyway stays (OURS)."""
    beings = resolution.setup.beings
    dice = [SCENES[being.scene] for being in beings]
    for side in resolution.setup.sides:
        for stealth, manner in MANNERS.items():
            band = [
                who
                for who, being in enumerate(beings)
                if being.side == side and being.stealth == stealth and present(resolution.figures[who])
            ]
            if not band:
                continue
            noticed = _noticed(resolution, band, manner)
            for who in (*band, *noticed):
                known = "heard" if noticed else "corner"
                dice[who] = min(dice[who], SCENES[known])
    return dice


def _noticed(resolution: Resolution, band: list[int], manner: Manner) -> list[int]:
    """The foes that notice a band: each on its guard tries for itself."""
    beings = resolution.setup.beings
    loudest = min(band, key=lambda who: (skill_of(beings[who], manner.skill), who))
    quiet = skill_of(beings[loudest], manner.skill)
    found = []
    for who, being in enumerate(beings):
        if being.side == beings[loudest].side or being.unwary or not present(resolution.figures[who]):
            continue
        winner, rolls = opposed(
            resolution.dice,
            (manner.skill, quiet, beings[loudest].id),
            (manner.sense, skill_of(being, manner.sense), being.id),
        )
        if winner == 1:
            found.append(who)
        resolution.events.append(
            Contest(
                by=beings[loudest].id,
                target=being.id,
                what=manner.skill,
                rolls=rolls,
                success=winner == 0,
                note="notices it" if winner == 1 else "notices nothing",
                seen_by=() if winner == 1 else (beings[loudest].side,),
            )
        )
    return found
