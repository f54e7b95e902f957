"""First strikes fall by reach in the second of contact only; later ones together (countup.md §1 STRIKE, B18, B33)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.rules.countup.creatures import Fight, being
from tests.rules.table import dice


def meeting(*throws: int | None, gap: int, **b: Any) -> Fight:
    """`a` with a longsword (3½ ft) and `b` with a dagger; `gap` spaces between them, `b` comes."""
    fight = Fight(being("a", (1, 1), hp_max=5), being("b", (2 + gap, 1), weapons=["dagger"], hp_max=5, **b),
                  throws=[1, 1, *throws])  # fmt: skip
    fight.do("a", "policy", option="stand")
    fight.do("b", "policy", option="stand")
    return fight


def test_the_longer_reach_kills_before_the_shorter_strikes() -> None:
    fight = meeting(2, 15, 5, 6, gap=1)
    fight.do("a", "walk", path=[[2, 1]])
    fight.do("a", "attack", target="b")
    fight.do("b", "hold", option="1")
    while not fight.all("attack") and fight.waiting:
        fight.hold(fight.waiting[0], seconds=1)
    assert [blow["by"] for blow in fight.all("attack")] == ["a"]
    assert fight.state["over"] == "heroes"
    assert fight.story[-1] == "The fight is over: heroes win."


def test_whoever_has_met_before_may_kill_and_be_killed_in_one_second() -> None:
    fight = meeting(2, 15, 5, 6, 2, 15, 3, 3, gap=0)
    fight.hold("a", seconds=1)
    fight.hold("b", seconds=1)  # they are in contact from the first second on
    fight.do("a", "attack", target="b")
    fight.do("b", "attack", target="a")
    assert [blow["by"] for blow in fight.all("attack")] == ["a", "b"]
    assert fight.of("a")["status"] == fight.of("b")["status"] == "dead"
    assert fight.state["over"] == "nobody"
    assert fight.story[-1] == "The fight is over: nobody is left standing."


def test_ground_is_asked_for_in_the_order_in_which_blows_of_first_contact_fall() -> None:
    """`b` comes upon a dagger and a longsword at once: the longer reach strikes first, though its owner is second."""
    fight = Fight(
        being("a", (3, 1), weapons=["dagger"]), being("aa", (3, 3)), being("b", (5, 2)),
        throws=dice("initiative 1 1 1"),
    )  # fmt: skip
    fight.do("a", "attack", target="b")
    fight.do("aa", "attack", target="b")
    fight.do("b", "walk", path=[(4, 2)])
    fight.do("b", "end")
    assert [question["about"] for question in fight.all("question")] == ["aa", "a"]


@pytest.mark.parametrize("seconds", [1, 7])
def test_moved_tells_where_somebody_was_in_that_second(seconds: int) -> None:
    fight = Fight(being("a", (1, 1)), being("b", (20, 5)), throws=dice("initiative 1 1"))
    fight.hold("b", seconds=60)
    fight.do("a", "hold", option=str(seconds))
    fight.do("a", "walk", path=[[2, 1], [3, 1], [4, 1]])
    fight.do("a", "end")
    moves = fight.all("moved")
    assert [tuple(m["start"]) for m in moves] == [(1, 1), (2, 1), (3, 1)]
