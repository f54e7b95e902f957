"""The tables of making characters: abilities, races, classes, levels, prices of skills (countup.md §5.3, §9)."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping
from typing import NamedTuple

ABILITIES = ("strength", "intelligence", "wisdom", "dexterity", "constitution", "looks", "charisma")
"""In the order in which they are thrown."""
MOST_LEVEL = 5
HALF = 51
"""From this hundredth on a score counts as half a point more: 15/51."""


class Score(NamedTuple):
    """An ability, and its hundredths from 1 to 100: 15/37."""

    whole: int
    part: int = 1

    @property
    def steps(self) -> int:
        """Half points: 15/51 is 31."""
        return 2 * self.whole + (self.part >= HALF)

    def plus(self, whole: int = 0, part: int = 0) -> Score:
        """With points and hundredths more; 100 hundredths are a point. No score falls below 1/01."""
        over, part = divmod(self.part - 1 + part, 100)
        whole += self.whole + over
        return Score(whole, part + 1) if whole >= 1 else Score(1, 1)

    def __str__(self) -> str:
        return f"{self.whole}/{self.part % 100:02}"


class Steps:
    """A table over a score: from each number of half points on its value; below the first the first."""

    def __init__(self, *steps: tuple[float, int]) -> None:
        self._from = [int(2 * score) for score, _ in steps]
        self._value = [value for _, value in steps]

    def of(self, score: Score) -> int:
        """What a score comes to."""
        return self._value[max(0, bisect_right(self._from, score.steps) - 1)]


DAMAGE = Steps(
    (1, -7), (1.5, -6), (2.5, -5), (3.5, -4), (5, -3), (6.5, -2), (8, -1), (10, 0), (12, 1), (14, 2), (15.5, 3),
    (17, 4), (18.5, 5), (19.5, 6), (20.5, 7),
)  # fmt: skip
"""Strength -> damage."""
ATTACK = Steps((1, -5), (2, -4), (3, -3), (4, -2), (7, -1), (10, 0), (12, 1), (15, 2), (18, 3))
"""Intelligence -> attack."""
ALERT = Steps((1, 7), (2, 6), (3, 5), (4, 4), (7, 3), (10, 2), (12, 1), (15, 0), (18, -1))
"""Wisdom -> initiative."""
GUARD = Steps((1, -4), (2, -3), (4, -2), (7, -1), (10, 0), (12, 1), (15, 2), (18, 3))
"""Wisdom -> defence."""
WILL = Steps((1, -4), (3, -3), (5, -2), (7, -1), (9, 0), (13, 1), (15, 2), (18, 3))
"""Wisdom -> mental save."""
QUICK = Steps(
    (3, 7), (4, 6), (5.5, 5), (7, 4), (8.5, 3), (10, 2), (11.5, 1), (13, 0), (14.5, -1), (16, -2), (17.5, -3), (19, -4),
    (20.5, -5),
)  # fmt: skip
"""Dexterity -> initiative."""
AIM = Steps((3, -4), (3.5, -3), (5.5, -2), (7.5, -1), (9.5, 0), (12, 1), (14, 2), (16, 3), (18, 4), (20, 5))
"""Dexterity -> attack."""
NIMBLE = Steps(
    (3, -5), (4, -4), (5.5, -3), (7, -2), (8.5, -1), (10, 0), (11.5, 1), (13, 2), (14.5, 3), (16, 4), (17.5, 5),
    (19, 6), (20.5, 7),
)  # fmt: skip
"""Dexterity -> defence."""
DODGE = Steps((3, -3), (5, -2), (7, -1), (9, 0), (13, 1), (15, 2), (18, 3))
"""Dexterity -> dodge save."""
HARDY = Steps((1, -5), (2, -4), (3, -3), (5, -2), (7, -1), (9, 0), (13, 1), (15, 2), (18, 3), (21, 4))
"""Constitution -> physical save."""

_LOADS: tuple[tuple[int, int, int, int], ...] = (
    (3, 5, 10, 15), (3, 6, 13, 20), (4, 8, 16, 24), (5, 9, 18, 27), (5, 10, 20, 30), (6, 11, 22, 33), (6, 12, 24, 36),
    (7, 13, 26, 39), (7, 15, 29, 44), (8, 16, 31, 47), (8, 16, 32, 48), (9, 17, 34, 51), (9, 18, 36, 54),
    (10, 19, 38, 57), (10, 20, 39, 59), (10, 20, 40, 60), (11, 21, 42, 63), (11, 22, 43, 65), (11, 22, 44, 66),
    (11, 23, 45, 68), (12, 24, 48, 72), (13, 26, 52, 78), (14, 28, 56, 84), (15, 31, 61, 92), (17, 33, 66, 99),
    (18, 36, 71, 107), (19, 39, 77, 116), (21, 42, 84, 126), (23, 46, 91, 137), (25, 50, 99, 149), (27, 54, 108, 162),
    (30, 59, 118, 177), (32, 65, 129, 194), (36, 71, 142, 213), (39, 78, 156, 234), (43, 86, 171, 257),
    (47, 95, 189, 284), (52, 105, 209, 314), (58, 116, 231, 347), (64, 128, 256, 384),
)  # fmt: skip
LOADS = ("", "light", "medium", "heavy")


def loads(strength: Score) -> tuple[int, int, int, int]:
    """Pounds up to which a load is none, light, medium and heavy; the suit that is worn does not count."""
    return _LOADS[min(max(strength.steps - 2, 0), len(_LOADS) - 1)]


class Race(NamedTuple):
    """What a race brings."""

    hit_points: int
    abilities: Mapping[str, int] = {}
    size: str = "M"
    half: bool = False
    """Moves at half rate."""
    knock: str = ""
    """The size that counts for knock-back, where it is another."""
    defence: int = 0


RACES: Mapping[str, Race] = {
    "human": Race(10),
    "dwarf": Race(10, {"constitution": 4, "looks": -2, "charisma": -2}, half=True, knock="L"),
    "elf": Race(
        5, {"strength": -2, "dexterity": 2, "constitution": -4, "looks": 2, "charisma": 2}, knock="S", defence=2
    ),
    "halfling": Race(
        5, {"strength": -4, "wisdom": 1, "dexterity": 2, "constitution": 1}, size="S", half=True, defence=4
    ),
}


class Class(NamedTuple):
    """What a class brings, by level where it says so: the entry at `level - 1`."""

    die: int
    attack: tuple[int, int, int, int, int]
    initiative: tuple[int, int, int, int, int]
    speed: tuple[int, int, int, int, int] = (0, 0, 0, 0, 0)
    """Added to the speed of weapons in hand."""
    pain: int = 1
    """Percents of the threshold of pain for each level, beyond 30."""
    points: tuple[int, int, int, int, int] = (0, 0, 0, 0, 0)
    """Spell points."""
    armour: tuple[str, ...] = ("", "light", "medium", "heavy")
    """Kinds of armour that it wears (OURS)."""
    shield: bool = True
    """Whether it uses shields (OURS)."""
    weapons: tuple[str, ...] = ()
    """Weapons that it has learnt; empty: all (OURS)."""
    free: tuple[str, ...] = ()
    """Skills bought once for nothing (OURS)."""
    trade: tuple[str, ...] = ()
    """Skills that begin at `TRADE` (OURS)."""


TRADE = 40
CLASSES: Mapping[str, Class] = {
    "fighter": Class(
        10, (0, 1, 1, 2, 2), (0, 0, 0, 0, 0), speed=(0, 0, 0, 0, -1), pain=2,
        free=("climbing", "first aid", "jumping"),
    ),
    "cleric": Class(
        8, (0, 0, 1, 1, 1), (1, 1, 1, 1, 1),
        weapons=("club", "mace", "morning star", "flail", "warhammer", "scourge", "staff", "sling", "dagger", "torch"),
        free=("first aid", "persuasion", "scrutiny"),
    ),
    "thief": Class(
        6, (0, 0, 0, 1, 1), (-1, -1, -1, -1, -2), armour=("", "light"), shield=False,
        weapons=(
            "knife", "dagger", "short sword", "club", "longsword", "scimitar", "hand axe", "sling", "shortbow",
            "light crossbow", "throwing knife", "throwing axe", "hurled axe", "javelin", "hurled javelin", "torch",
        ),
        free=("climbing", "disarm trap", "identify trap"),
        trade=("lock picking", "sneaking", "hiding"),
    ),
    "mage": Class(
        4, (0, 0, 0, 0, 1), (2, 2, 2, 2, 1), points=(140, 190, 260, 340, 430), armour=("",), shield=False,
        weapons=("knife", "dagger", "staff", "sling", "throwing knife", "club", "torch"),
        free=("scrutiny",),
    ),
}  # fmt: skip
BOOKISH, PIOUS = "mage", "cleric"
"""Whose spells cost points, and whose are granted."""

EXPERIENCE = (0, 400, 1200, 2200, 3400)
"""Points of experience from which the levels may be taken."""
PRICES: Mapping[str, int] = {
    "climbing": 6, "diplomacy": 4, "disarm trap": 16, "escape artist": 4, "fire building": 2, "first aid": 4,
    "hiding": 6, "identify trap": 16, "intimidation": 2, "jumping": 1, "listening": 6, "lock picking": 12,
    "observation": 4, "persuasion": 3, "recruiting": 3, "rope use": 2, "scrutiny": 4, "sneaking": 8, "survival": 5,
    "swimming": 1, "tracking": 7,
}  # fmt: skip
"""Building points for a purchase of a skill."""
MASTERY_GAIN: tuple[tuple[int, int], ...] = ((25, 7), (50, 5), (75, 4), (87, 3), (100, 2))
"""What a purchase adds by the highest percentage of the mastery one has: the mean of its die, rounded up. The d12 up
to novice is the game's, that means are taken and the smaller dice (d8, d6, d4, d3) are OURS."""
WEAPON_PRICES: Mapping[str, int] = {"minimal": 1, "low": 2, "medium": 4, "high": 6}
"""Building points to learn a weapon by how hard it is (OURS)."""
_HARD: Mapping[str, str] = {
    "club": "minimal", "torch": "minimal", "great sword": "medium", "halberd": "medium", "longsword": "medium",
    "scimitar": "medium", "two-handed sword": "medium", "shortbow": "medium", "sling": "medium", "hurled axe": "medium",
    "throwing knife": "medium", "throwing axe": "medium", "longbow": "high",
}  # fmt: skip


def hard(weapon: str) -> str:
    """How hard a weapon is to learn: minimal, low, medium or high."""
    return _HARD.get(weapon, "low")


FIRST_POINTS, LEVEL_POINTS = 30, 15
"""Building points of a new character, and with each level (OURS)."""
GROWTH = 50
"""Hundredths that a level adds to an ability of one's choice (OURS)."""
BUDGET = 26
"""Points for abilities that are bought (OURS)."""
BASE, LEAST, HIGHEST = 8, 6, 18
"""Where a bought ability begins, and its bounds, before the race (OURS)."""
KNOWN, KNOWN_MORE, PRAYERS = 4, 2, 5
"""Spells that a mage knows at first, and more with each level; a cleric's prayers at first, and one more with each
(OURS)."""


def ability_cost(score: int) -> int:
    """What a bought score costs: a point each to 14, two to 16, three beyond; below 8 a point comes back (OURS).

    >>> [ability_cost(score) for score in (6, 8, 14, 16, 18)]
    [-2, 0, 6, 10, 16]
    """
    return min(score, 14) - BASE + 2 * max(0, min(score, 16) - 14) + 3 * max(0, score - 16)
