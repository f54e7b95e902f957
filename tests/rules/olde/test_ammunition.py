"""Arrows, bolts and stones that are counted, and what is found of them afterwards (olde.md §3, §6; R)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from game.controllers.ai.advisors import advisor_of
from rules.contract.errors import BattlematError
from rules.contract.units import Bitboard
from rules.olde.creation.camp import gather, hero_of
from tests.rules.olde.creatures import Fight, being
from tests.rules.olde.test_camp_olde import camp, hero
from tests.rules.table import dice

BOW: dict[str, Any] = {"weapons": ["shortbow", "belt knife"], "skills": {"Bows": "Apprentice", "Knives": "Apprentice"}}


def archer(throws: Sequence[int | None], left: int | None, at: tuple[int, int] = (6, 1), **says: Any) -> Fight:
    """Hero `a` shoots at `b`, five spaces away; defense and attack throws of a miss by one follow."""
    counted: dict[str, Any] = {} if left is None else {"ammunition": left}
    first = being("a", (1, 1), **{**BOW, **counted, **says})
    return Fight(first, being("b", at), throws=[8, 1, *throws])


def test_a_shot_takes_one_whether_it_hits_or_not() -> None:
    fight = archer(dice("defense 4 4, attack 4 3"), 2)
    assert fight.attack(weapon="shortbow")["outcome"] == "miss"
    assert fight.of("a")["ammunition"] == 1


def test_with_nothing_left_there_is_no_shot_but_a_knife_still_cuts() -> None:
    fight = archer([], 0)
    assert "nothing left to shoot with the shortbow" in fight.refusal("a", "attack", target="b", weapon="shortbow")
    (decision,) = fight.rules.decisions(fight.now)
    assert not any(a.do in ("attack", "aimed_shot") for a in fight.rules.legal(fight.now, decision))
    armed = archer(dice("defense 4 4, attack 4 3"), 0, at=(2, 1), ready=["belt knife"])
    assert armed.attack(weapon="belt knife")["weapon"] == "belt knife"
    assert armed.of("a")["ammunition"] == 0


def test_the_last_one_is_the_last() -> None:
    fight = archer([4, 4, 4, 3, 4, 4, 4, 3], 1)
    fight.attack(weapon="shortbow")
    fight.end("a", "b")
    assert "nothing left" in fight.refusal("a", "attack", target="b", weapon="shortbow")


def test_uncounted_shots_never_end_and_are_not_told() -> None:
    fight = archer(dice("defense 4 4, attack 4 3"), None)
    fight.attack(weapon="shortbow")
    assert "ammunition" not in fight.of("a")


def test_what_is_thrown_takes_no_arrow() -> None:
    fight = archer(dice("defense 4 4, attack 4 3"), 3, weapons=["knife"], skills={"Thrown Weapons": "Apprentice"})
    fight.attack(weapon="knife")
    assert fight.of("a")["ammunition"] == 3


def test_planners_count_on_no_shot_that_there_is_no_arrow_for() -> None:
    with_one, without = archer([], 1), archer([], 0)
    for fight, reach in ((with_one, True), (without, False)):
        found = advisor_of(fight.rules).targets(fight.now, "a", Bitboard(fight.field.cell(1, 1)))
        assert bool(found and found[0].best.points and found[0].best.weapon == "shortbow") is reach


@pytest.mark.parametrize(("throws", "found"), [((2, 3), 0), ((3, 3), 3), ((5, 5), 6), ((6, 2, 5), 9)])
def test_each_rank_of_success_turns_up_three(throws: tuple[int, ...], found: int) -> None:
    """Savvy d6 exploding, Alertness as everybody has it: 6 to 8 one rank, 9 to 11 two, 12 and 13 three."""
    (after, told), number = gather(camp(hero("ada"), throws=throws), "ada", 12)
    assert number == found
    assert told[0].check is not None and told[0].check.rating == 6
    assert after.minutes == 1


def test_no_more_are_found_than_were_shot_and_alertness_counts() -> None:
    there = camp(hero("ada", alertness="Master"), throws=(4, 5))
    assert gather(there, "ada", 4)[1] == 4


def test_while_somebody_searches_the_others_bleed_and_the_fallen_find_nothing() -> None:
    there = camp(hero("ada", 3, bleeding=True), hero("bo"), throws=(3, 3))
    (after, _), _ = gather(there, "bo", 3)
    assert hero_of(after, "ada").hp == 2
    with pytest.raises(BattlematError, match="look for nothing"):
        gather(camp(hero("ada", -2)), "ada", 3)


def test_who_has_arrows_may_shoot_though_one_like_it_without_any_was_asked_before() -> None:
    def shots(left: int) -> set[str]:
        fight = archer([], left)
        (decision,) = fight.rules.decisions(fight.now)
        return {a.do for a in fight.rules.legal(fight.now, decision)} & {"attack", "aimed_shot"}

    assert shots(0) == set()
    assert shots(3) == {"attack", "aimed_shot"}
    assert shots(0) == set()
