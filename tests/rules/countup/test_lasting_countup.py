"""What a fight keeps of characters that last: wounds one by one, ammunition, spells spent, coins, things; and the speed
of a class (countup.md §5.3, §9)."""

from __future__ import annotations

from typing import Any

import pytest

from rules.contract.errors import RecordError
from rules.countup.combat.attack import speed_of
from tests.rules.countup.creatures import Fight, being, duel, struck


def lasting(fight: Fight, who: str = "b") -> dict[str, Any]:
    """What the summary keeps of somebody."""
    kept: dict[str, Any] = fight.of(who)["lasting"]
    return kept


def test_of_others_the_summary_keeps_nothing() -> None:
    fight = duel()
    assert "lasting" not in fight.of("a")


def test_each_hit_is_a_wound_of_its_own() -> None:
    fight = struck(5, 15, 4, 3, *[None] * 30, b={"wounds": [5], "hp": 35})
    wounds = lasting(fight)["wounds"]
    assert wounds[:2] == [5, 7] and fight.of("b")["hp"] == 40 - sum(wounds)


def test_wounds_must_come_to_what_is_missing() -> None:
    with pytest.raises(RecordError, match=r"wounds: come to 5 hit points; hp lacks 4 of 40"):
        duel(b={"wounds": [5], "hp": 36})


def test_a_shot_takes_an_arrow_and_without_one_nothing_is_shot() -> None:
    archer = being("a", (1, 3), weapons=["longbow"], ammunition=1, wounds=[])
    fight = Fight(archer, being("b", (12, 3)), throws=[1, 1, *[None] * 30])
    fight.hold("b", seconds=60)
    fight.do("a", "shoot", target="b", option="once")
    fight.until("a", 14)
    assert lasting(fight, "a")["ammunition"] == 0
    assert "nothing is left to shoot" in fight.refusal("a", "shoot", target="b")


def test_what_is_carried_comes_through() -> None:
    fight = duel(b={"wounds": [], "items": ["rope"], "shield": "small shield"})
    kept = lasting(fight)
    assert (kept["shield"], kept["ammunition"]) == ("small shield", -1)
    assert fight.now.being(1).items == ("rope",)


def test_spent_points_and_prayers_stay_spent() -> None:
    cleric = being("a", (1, 3), spells=["Bless", "Bless", "Command"], prayed=["Bless"], spell_points=140, points=30)
    fight = Fight(cleric, being("b", (12, 3)), throws=[1, 12])
    figure = fight.now.figures[0]
    assert (figure.points, figure.prayed) == (30, ("Bless",))


@pytest.mark.parametrize(("swift", "seconds"), [(0, 10), (-1, 9), (-9, 3)])
def test_a_class_may_be_swift_with_weapons_to_the_floor_of_their_size(swift: int, seconds: int) -> None:
    now = duel(a={"speed": swift}).now
    who = now.setup.index["a"]
    assert speed_of(now, who, now.weapon(who)) == seconds
    fists = duel(a={"speed": -1, "weapons": []}).now
    assert speed_of(fists, who, fists.weapon(who)) == 10
