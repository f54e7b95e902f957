"""Skills, opposed checks, secret doors (countup.md §2.9)."""

from __future__ import annotations

from fractions import Fraction

import pytest

from rules.contract.errors import BattlematError
from rules.core.dice import Dice
from rules.countup.skills import (
    DIFFICULTY,
    best,
    chance,
    check,
    difficulty_of,
    harder,
    hindrances,
    mastery,
    opposed,
    opposed_chance,
    skill_of,
    untrainable,
)
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


@pytest.mark.parametrize("difficulty", DIFFICULTY)
@pytest.mark.parametrize("skill", [0, 1, 35, 60, 100])
def test_the_chance_of_a_check_is_that_of_its_die(skill: int, difficulty: str) -> None:
    wins = sum(check(Dice(None, (face,)), skill, difficulty).total <= skill for face in range(1, 101))
    assert chance(skill, difficulty) == Fraction(wins, 100)


@pytest.mark.parametrize(("first", "second"), [(40, 40), (40, 12), (5, 90), (10, 100), (100, 1)])
def test_the_chance_of_an_opposed_check_counts_no_tie(first: int, second: int) -> None:
    pairs = [(a + first, b + second) for a in range(1, 101) for b in range(1, 101)]
    wins, ties = sum(a > b for a, b in pairs), sum(a == b for a, b in pairs)
    assert opposed_chance(first, second) == Fraction(wins, len(pairs) - ties)


def test_a_thing_on_a_map_has_a_difficulty_in_words() -> None:
    assert [difficulty_of(n) for n in (0, 3, 6, 9, 12, 13)] == ["trivial", *DIFFICULTY]
    assert (harder("average"), harder("very difficult"), harder("easy", -3)) == (
        "difficult",
        "very difficult",
        "trivial",
    )


def test_who_never_learnt_it_goes_by_an_ability_of_ten_or_may_not_try() -> None:
    one = duel(a={"skills": {"lock picking": 40}}).now.being(0)
    assert [skill_of(one, name) for name in ("listening", "first aid", "lock picking")] == [10, 0, 40]
    assert untrainable(one, "listening") is None and "untrained" in (untrainable(one, "first aid") or "")


def test_armour_load_light_and_fatigue_hinder() -> None:
    one = duel(a={"armour": "chain mail", "load": "heavy"}).now.being(0)
    assert [a.value for a in hindrances(one, "sneaking", tired=True)] == [-20, -20, -30]
    assert [a.value for a in hindrances(one, "observation", blindness=-4)] == [-20]
    assert hindrances(one, "lock picking") == ()
