"""Skills, opposed checks, secret doors (countup.md §2.9)."""

from __future__ import annotations

import pytest

from rules.contract.errors import BattlematError
from rules.core.dice import Dice
from rules.countup.statblock import best, check, mastery, opposed
from tests.rules.countup.creatures import duel


@pytest.mark.parametrize(
    ("difficulty", "face", "success"),
    [("trivial", 100, True), ("easy", 100, True), ("average", 70, True), ("average", 71, False),
     ("difficult", 30, True), ("difficult", 31, False), ("very difficult", 20, True), ("very difficult", 21, False)],
)  # fmt: skip
def test_the_d100_and_the_difficulty_must_not_exceed_the_skill(difficulty: str, face: int, success: bool) -> None:
    assert (check(Dice(None, (face,)), 30, difficulty).total <= 30) == success


def test_an_unknown_difficulty_is_refused() -> None:
    with pytest.raises(BattlematError, match="none of"):
        check(Dice(None, (5,)), 30, "heroic")


@pytest.mark.parametrize(
    ("skill", "word"),
    [
        (0, "unskilled"),
        (1, "novice"),
        (25, "novice"),
        (26, "average"),
        (51, "advanced"),
        (76, "expert"),
        (88, "master"),
    ],
)  # fmt: skip
def test_mastery_by_percentage(skill: int, word: str) -> None:
    assert mastery(skill) == word


def test_of_two_the_higher_wins_and_ties_are_thrown_again() -> None:
    one, other = ("sneaking", 30, "a"), ("listening", 40, "b")
    assert opposed(Dice(None, (50, 40, 60, 69)), one, other)[0] == 1
    assert opposed(Dice(None, (61, 50)), one, other)[0] == 0


@pytest.mark.parametrize(("thief", "faces"), [(False, 1), (True, 2)])
def test_secret_doors(thief: bool, faces: int) -> None:
    seeker = duel(a={"thief": thief}).now.being(0)
    assert best(seeker) == faces
