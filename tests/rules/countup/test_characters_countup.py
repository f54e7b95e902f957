"""The six characters, built from the tables of abilities, classes and armour (countup.md §5.2, §5.3, §5.6)."""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest

from game.content import tables as content
from rules.core.validate import creature
from rules.countup.gear import Armoury
from rules.countup.skills import skill_of
from rules.countup.statblock import StatBlock, being

TABLES = content.tables("countup")
ARMOURY = Armoury(TABLES)
STR = {9: -1, 11: 0, 13: 1, 15: 2, 16: 3}
"""Highest score -> damage."""
INT = {9: -1, 11: 0, 14: 1, 17: 2, 20: 3}
"""-> attack."""
WIS = {9: (3, -1), 11: (2, 0), 14: (1, 1), 17: (0, 2), 20: (-1, 3)}
"""-> initiative, defence."""
WILL = {8: -1, 12: 0, 14: 1, 17: 2, 18: 3}
"""Wisdom -> mental save."""
DEX = {
    8: (4, -1, -2, -1), 9: (3, -1, -1, 0), 11: (2, 0, 0, 0), 12: (1, 1, 1, 0), 13: (0, 1, 2, 1), 14: (0, 2, 2, 1),
    15: (-1, 2, 3, 2), 16: (-2, 3, 4, 2), 17: (-2, 3, 4, 2), 18: (-3, 4, 5, 3),
}  # fmt: skip
"""-> initiative, attack, defence, dodge save."""
CON = {12: 0, 14: 1, 17: 2, 18: 3}
"""-> physical save."""
HUMAN = 10
EVERY = {"fighter": 2, "cleric": 3, "thief": 4}
"""Levels for each point of attack."""
INITIATIVE = {"fighter": 0, "cleric": 1, "thief": -1, "mage": 2}
"""At the first level."""


class Character(NamedTuple):
    """Ability scores, class, and the class's die of hit points."""

    kind: str
    die: int
    strength: int = 10
    wit: int = 10
    wisdom: int = 10
    dexterity: int = 10
    constitution: int = 10


SIX = {
    "hale": Character("fighter", 8, strength=15, dexterity=12, constitution=12),
    "bram": Character("fighter", 7, strength=16, constitution=14),
    "tess": Character("thief", 4, dexterity=16, wisdom=12),
    "mog": Character("mage", 2, wit=16, dexterity=12, wisdom=12),
    "cora": Character("cleric", 5, wisdom=15, strength=12, constitution=13),
    "arn": Character("fighter", 6, dexterity=14, wit=12, strength=11, constitution=11),
}


def of(table: dict[int, Any], score: int) -> Any:
    return table[min(most for most in table if score <= most)]


def hero(name: str) -> dict[str, Any]:
    """A ready hero's stat block, without what only says who he is."""
    return {k: v for k, v in content.heroes("countup")[name].items() if k != "summary"}


def block_of(name: str) -> StatBlock:
    """The stat block of one of the six."""
    return creature(StatBlock, {"id": name, "side": "heroes", "at": [1, 1], **hero(name)}, name)


@pytest.mark.parametrize("name", SIX)
def test_a_character_is_what_the_tables_make_of_it(name: str) -> None:
    one = SIX[name]
    block = block_of(name)
    made = being(block, ARMOURY, name)
    suit = ARMOURY.armour[block.armour or ""]
    quick, aim, nimble, dodge = of(DEX, one.dexterity)
    alert, wise = of(WIS, one.wisdom)
    most = one.constitution + HUMAN + one.die
    share = 30 + (2 if one.kind == "fighter" else 1)
    assert made.level == 1
    assert made.hp_max == most
    assert made.pain == -(-most * share // 100)
    assert made.trauma == one.constitution // 2
    assert made.initiative == quick + alert + INITIATIVE[one.kind] + suit.initiative
    assert made.attack == of(INT, one.wit) + aim + (1 // EVERY[one.kind] if one.kind in EVERY else 0)
    assert made.defence == wise + nimble + suit.defence
    assert made.dexterity_bonus == max(0, nimble)
    assert made.damage == of(STR, one.strength)
    assert made.reduction == suit.reduction
    assert made.saves == (of(CON, one.constitution), of(WILL, one.wisdom), dodge)


# Name, hit points, threshold, half of Constitution, initiative, attack, defence (with shield), reduction, speed, damage
AS_PRINTED = """
hale 30 10 6  3 1 -1  5 2 10 2
bram 31 10 7  6 0 -5 -5 5 18 3
tess 24  8 5 -2 3  3  3 2  8 0
mog  22  7 5  4 3  1  1 1 13 0
cora 28  9 6  4 0 -2  4 4 12 1
arn  27  9 5  2 3  0  0 2 12 0
"""


@pytest.mark.parametrize("row", AS_PRINTED.split("\n")[1:-1])
def test_and_what_the_sheet_prints(row: str) -> None:
    name, *figures = row.split()
    block = block_of(name)
    made = being(block, ARMOURY, name)
    weapon = ARMOURY.weapons[made.weapons[0]]
    shield = ARMOURY.shields[made.shield].defence if made.shield else 0
    speed = weapon.speed + (made.armour.speed if made.armour else 0)
    assert [made.hp_max, made.pain, made.trauma, made.initiative, made.attack, made.defence, made.defence + shield,
            made.reduction, speed, made.damage] == [int(figure) for figure in figures]  # fmt: skip
    assert (made.spell_points == 140) == (name == "mog")


@pytest.mark.parametrize("name", SIX)
def test_an_untrained_skill_is_worth_the_lowest_ability_that_bears_on_it(name: str) -> None:
    one = SIX[name]
    made = being(block_of(name), ARMOURY, name)
    learnt = {"sneaking": 40, "hiding": 40} if one.kind == "thief" else {}
    own = {"sneaking": one.dexterity, "hiding": min(one.wit, one.dexterity), "listening": one.wisdom,
           "observation": one.wisdom}  # fmt: skip
    assert {skill: skill_of(made, skill) for skill in own} == own | learnt
