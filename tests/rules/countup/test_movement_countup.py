"""Joint movement: gaits by accumulation, sub-steps, contact, claims and swaps (countup.md §1 MOVE, §3)."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from rules.board.grid import Field
from rules.countup.combat.reach import Arc, arc, direction
from tests.rules.countup.creatures import HALL, Fight, being
from tests.rules.table import dice

LONG = ["#" * 40, "#" + "." * 38 + "#", "#" * 40]


def test_a_man_walks_five_feet_and_jogs_ten_in_a_second() -> None:
    assert _stretch("walk", 4) == [1, 1, 1, 1]
    assert _stretch("jog", 4) == [2, 2, 2, 2]


def test_small_folk_make_half_by_accumulation() -> None:
    assert _stretch("walk", 4, half=True) == [0, 1, 0, 1]
    assert _stretch("jog", 4, half=True) == [1, 1, 1, 1]


def test_one_runs_only_after_a_second_on_the_move() -> None:
    assert _stretch("run", 3)[0] == 2
    assert _stretch("run", 3)[1:] == [3, 3]
    assert _stretch("sprint", 3) == [2, 4, 2]  # the way of eight spaces ends


def test_armour_slows_all_but_the_walk() -> None:
    assert _stretch("walk", 2, armour="chain mail") == [1, 1]
    assert _stretch("jog", 4, armour="chain mail") == [1, 2, 1, 2]


def _stretch(gait: str, seconds: int, **says: Any) -> list[int]:
    """Spaces moved in each second along one way of eight; `b` is asked every second, so that time stops."""
    fight = Fight(being("a", (1, 1), **says), being("b", (38, 1)), throws=dice("initiative 1 1"), rows=LONG)
    fight.hold("b", seconds=1)
    fight.do("a", gait, path=[(x, 1) for x in range(2, 10)])
    fight.do("a", "end")
    out, place = [], 1
    for _ in range(seconds):
        now = fight.of("a")["at"][0]
        out.append(now - place)
        place = now
        if "b" in fight.waiting:
            fight.hold("b", seconds=1)
        if fight.waiting == ["a"]:
            fight.hold("a", seconds=20)
    return out


def test_who_ran_needs_a_count_to_halt() -> None:
    """Eight spaces at a jog, then runs of three; when the way ends two more spaces straight on."""
    assert _stretch("run", 5) == [2, 3, 3, 2, 0]


# -- contact, claims, swaps


def order(fight: Fight, who: str, *path: tuple[int, int], gait: str = "walk") -> None:
    fight.do(who, gait, path=list(path))
    fight.do(who, "end")


def test_movers_stop_when_they_come_into_contact() -> None:
    fight = Fight(being("a", (1, 1)), being("b", (6, 1)), throws=dice("initiative 1 1"))
    fight.hold("b", seconds=30)
    order(fight, "a", *[(x, 1) for x in range(2, 6)], gait="jog")
    assert fight.of("a")["at"] == [5, 1]


def test_of_two_who_claim_one_space_the_longer_reach_has_it() -> None:
    rows = ["#######", "#.....#", "#######"]
    fight = Fight(being("a", (1, 1)), being("ab", (3, 1), weapons=["spear"]), being("b", (5, 1)),
                  throws=dice("initiative 1 1 9"), rows=rows)  # fmt: skip
    order(fight, "a", (2, 1))
    order(fight, "ab", (2, 1))
    assert fight.of("ab")["at"] == [2, 1]
    assert fight.of("a")["at"] == [1, 1]


def test_nobody_swaps_through_another() -> None:
    rows = ["######", "#....#", "######"]
    fight = Fight(
        being("a", (1, 1)), being("ab", (2, 1)), being("b", (4, 1)), throws=dice("initiative 1 1 9"), rows=rows
    )
    assert "somebody stands" in fight.refusal("a", "walk", path=[(2, 1)])
    assert "somebody stands" in fight.refusal("ab", "walk", path=[(1, 1)])


def outcome(sequence: tuple[str, ...]) -> Any:
    """The same orders given in one sequence or another."""
    rows = ["#########", "#.......#", "#.......#", "#.......#", "#########"]
    fight = Fight(
        being("a", (1, 1)), being("aa", (1, 3), weapons=["spear"]), being("b", (7, 1)), being("ba", (7, 3)),
        throws=[1, 1, 1, 1, *[None] * 200], rows=rows,
    )  # fmt: skip
    ways = {
        "a": [(2, 2), (3, 2)],
        "aa": [(2, 2), (3, 2)],
        "b": [(6, 2), (5, 2), (4, 2)],
        "ba": [(6, 2), (5, 2), (4, 2)],
    }
    foes = {"a": "b", "aa": "ba", "b": "a", "ba": "aa"}
    for who in sequence:
        fight.do(who, "policy", option="stand")
        fight.do(who, "jog", path=list(ways[who]))
        fight.do(who, "attack", target=foes[who])
    return fight.state, [e for e in fight.events if e["event"] in ("moved", "attack", "injury")]


@pytest.mark.parametrize("sequence", list(itertools.permutations(("a", "aa", "b", "ba")))[1::3])
def test_the_order_in_which_people_declare_decides_nothing(sequence: tuple[str, ...]) -> None:
    assert outcome(sequence) == outcome(("a", "aa", "b", "ba"))


# -- facing


@pytest.mark.parametrize(
    ("goal", "facing"),
    [((3, 0), 0), ((6, 0), 1), ((6, 3), 2), ((6, 6), 3), ((3, 6), 4), ((0, 6), 5), ((0, 3), 6), ((0, 0), 7),
     ((4, 0), 0), ((5, 2), 1), ((3, 3), 0)],
)  # fmt: skip
def test_eight_directions(goal: tuple[int, int], facing: int) -> None:
    field = Field.from_rows(["......."] * 7)
    assert direction(field, field.cell(3, 3), field.cell(*goal)) == facing


def test_front_side_and_rear() -> None:
    field = Field.from_rows(["..."] * 3)
    middle = field.cell(1, 1)
    arcs = {spot: arc(field, middle, 0, field.cell(*spot)) for spot in
            [(1, 0), (0, 0), (2, 0), (0, 1), (2, 1), (0, 2), (1, 2), (2, 2)]}  # fmt: skip
    assert [spot for spot, where in arcs.items() if where is Arc.FRONT] == [(1, 0), (0, 0), (2, 0)]
    assert [spot for spot, where in arcs.items() if where is Arc.SIDE] == [(0, 1), (2, 1)]
    assert [spot for spot, where in arcs.items() if where is Arc.REAR] == [(0, 2), (1, 2), (2, 2)]


def test_one_may_turn_for_nothing() -> None:
    fight = Fight(being("a", (1, 1)), being("b", (6, 1)), throws=dice("initiative 1 1"), rows=HALL)
    assert fight.of("a")["facing"] == 2
    fight.hold("b", seconds=3)
    fight.do("a", "turn", option="6")
    fight.do("a", "full_parry")
    assert fight.of("a")["facing"] == 6
