"""Ways: back from the point that holds one, with deeds at their end, for whole seconds (countup.md §2.6, §3, §4)."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from rules.countup.manners import Stance
from tests.rules.countup.creatures import Fight, being, changed
from tests.rules.table import dice

LONG = ["#" * 60, *["#" + "." * 58 + "#"] * 5, "#" * 60]


def held(*throws: int | None, at: tuple[int, int] = (8, 3), weapon: str = "spear", **b: Any) -> Fight:
    """`a` stands at [5, 3] and holds `b` at bay; both stand firm."""
    fight = Fight(being("a", (5, 3), weapons=[weapon]), being("b", at, weapons=["dagger"], **b),
                  throws=[1, 1, 2, 15, *throws, *[None] * 60], rows=LONG)  # fmt: skip
    for who in ("a", "b"):
        fight.do(who, "policy", option="stand")
    fight.do("a", "hold_at_bay", target="b")
    fight.hold("b", seconds=1)
    assert "held at bay" in fight.of("b")["conditions"]
    return fight


# -- held at bay


def test_who_is_held_may_go_back_and_is_held_no_more() -> None:
    fight = held()
    fight.do("b", "walk", path=[(9, 3)])
    fight.do("b", "end")
    fight.until("b")
    assert fight.of("b")["at"] == [9, 3]
    freed = [e for e in fight.all("condition") if e["condition"] == "held at bay" and not e["gained"]]
    assert freed[0]["because"] == "goes back"


def test_who_is_held_within_the_point_is_free_by_a_step_back_though_the_weapon_still_reaches() -> None:
    fight = held(at=(7, 3))
    fight.do("b", "walk", path=[(8, 3)])
    fight.do("b", "end")
    fight.until("b")
    assert "held at bay" not in fight.of("b")["conditions"]


@pytest.mark.parametrize("path", [[(7, 3)], [(9, 3), (8, 3), (7, 3)]])
def test_who_is_held_does_not_come_nearer(path: list[tuple[int, int]]) -> None:
    assert "back or aside only" in held().refusal("b", "walk", path=path)


def test_a_step_aside_leaves_one_held() -> None:
    fight = held()
    fight.do("b", "walk", path=[(8, 2)])
    fight.do("b", "end")
    fight.until("b")
    assert fight.of("b")["at"] == [8, 2]
    assert "held at bay" in fight.of("b")["conditions"]


def test_who_is_held_may_flee() -> None:
    fight = held()
    fight.do("b", "flee", path=[(9, 3), (10, 3), (11, 3), (12, 3)])
    fight.do("a", "choose", option="strike")
    assert fight.of("b")["at"] == [10, 3]
    assert "held at bay" not in fight.of("b")["conditions"]


def test_ground_given_frees_from_the_point_as_a_step_back_does() -> None:
    """He is struck again in second 13."""
    fight = held(15, 2)
    fight.do("b", "policy", option="yield")
    fight.until("a", 14)
    assert [m["mode"] for m in fight.all("moved")] == ["gives_ground"]
    freed = [e for e in fight.all("condition") if e["condition"] == "held at bay" and not e["gained"]]
    assert freed[0]["because"] == "goes back"


def test_the_legal_ways_of_the_held_lead_back_or_aside_only() -> None:
    fight = held()
    ends = {fight.field.at(action.path[-1]) for action in fight.rules.legal(fight.now, fight._decision("b"))
            if action.do == "walk"}  # fmt: skip
    assert (9, 3) in ends
    assert (8, 2) in ends
    assert not any(x <= 7 for x, _ in ends)


# -- a deed at the end of a way


def alone(**a: Any) -> Fight:
    """`a` has the hall to itself; `b` waits far off."""
    fight = Fight(being("a", (2, 3), **a), being("b", (55, 3)), throws=[1, 1, *[None] * 60], rows=LONG)
    fight.hold("b", seconds=60)
    return fight


def test_a_dagger_is_drawn_on_the_way() -> None:
    fight = alone(weapons=["mace", "dagger"])
    fight.do("a", "walk", path=[(3, 3), (4, 3)])
    fight.do("a", "ready", weapon="dagger")
    assert fight.of("a")["weapon"] == "dagger"
    assert (fight.of("a")["at"], fight.second) == ([4, 3], 3)


def test_a_packed_weapon_is_taken_out_at_the_end_of_the_way() -> None:
    fight = alone(weapons=["mace", "dagger"], stowed=["dagger"])
    fight.do("a", "walk", path=[(3, 3), (4, 3)])
    fight.do("a", "ready", weapon="dagger")
    assert (fight.of("a")["at"], fight.of("a")["weapon"], fight.second) == ([4, 3], "dagger", 3 + 5)


def test_to_kneel_takes_a_second() -> None:
    fight = alone()
    second = fight.second
    fight.do("a", "kneel")
    assert (fight.of("a")["conditions"], fight.now.figures[0].busy) == (["kneeling"], second + 1)


def test_one_kneels_where_the_way_ends() -> None:
    fight = alone()
    fight.do("a", "walk", path=[(3, 3), (4, 3)])
    fight.do("a", "kneel")
    assert (fight.of("a")["at"], fight.of("a")["conditions"], fight.second) == ([4, 3], ["kneeling"], 4)


def test_one_picks_up_what_lies_where_the_way_ends() -> None:
    fight = alone()
    fight.now = msgspec.structs.replace(fight.now, floor=(("dagger", fight.field.cell(6, 3)),))
    assert "does not lie within reach" in fight.refusal("a", "pick_up", item="dagger")
    fight.do("a", "walk", path=[(3, 3), (4, 3), (5, 3)])
    fight.do("a", "pick_up", item="dagger")
    assert (fight.of("a")["at"], fight.state["floor"]) == ([5, 3], [])


def test_one_opens_the_door_that_the_way_leads_to() -> None:
    rows = ["##########", "#....+...#", "##########"]
    fight = Fight(being("a", (1, 1)), being("b", (8, 1)), throws=dice("initiative 1 1"), rows=rows)
    fight.hold("b", seconds=60)
    fight.do("a", "walk", path=[(2, 1), (3, 1), (4, 1)])
    fight.do("a", "open", target="door 5,1")
    assert fight.now.doors == ("open",)
    assert (fight.of("a")["at"], fight.second) == ([4, 1], 5)


def test_a_spell_is_begun_where_the_way_ends_and_reaches_from_there() -> None:
    fight = Fight(
        being("a", (2, 3), weapons=["staff"], spells=["Doze"], spell_points=140, level=1),
        being("b", (14, 3)), throws=[1, 1, *[None] * 60], rows=LONG,
    )  # fmt: skip
    fight.hold("b", seconds=60)
    assert "reaches 40 ft, not 60" in fight.refusal("a", "cast", item="Doze", at=(14, 3))
    fight.do("a", "walk", path=[(3, 3), (4, 3), (5, 3), (6, 3)])
    fight.do("a", "cast", item="Doze", at=(14, 3))
    begun = [(second, note["text"]) for second, note in fight.told("note")]
    assert begun[0] == (5, "begins Doze")
    assert fight.of("a")["at"] == [6, 3]


def test_a_spear_is_set_where_the_way_ends() -> None:
    fight = alone(weapons=["spear"])
    fight.do("a", "walk", path=[(3, 3), (4, 3)])
    fight.do("a", "set")
    assert fight.of("a")["at"] == [4, 3]
    assert fight.now.figures[0].set_since == 3


def test_contact_on_the_way_calls_the_deed_off() -> None:
    fight = Fight(being("a", (2, 3)), being("b", (5, 3)), throws=[1, 1, *[None] * 20], rows=LONG)
    fight.hold("b", seconds=60)
    fight.do("a", "walk", path=[(3, 3), (4, 3), (4, 2), (4, 1)])
    fight.do("a", "kneel")
    fight.until("a")
    assert (fight.of("a")["at"], fight.of("a")["conditions"]) == ([4, 3], [])


def test_who_lies_gets_up_before_he_goes() -> None:
    fight = alone()
    changed(fight, "a", prone=True)
    fight.do("a", "walk", path=[(3, 3)])
    fight.do("a", "stand")
    assert (fight.of("a")["at"], fight.of("a")["posture"], fight.second) == ([3, 3], "standing", 3)


# -- whole seconds


def strides(gait: str, spaces: int, seconds: int, **a: Any) -> list[int]:
    """Spaces made in each second along one way."""
    fight = alone(**a)
    fight.do("a", gait, path=[(x, 3) for x in range(3, 3 + spaces)])
    fight.do("a", "end")
    fight.until("a")
    return [len(moved["path"]) for moved in fight.all("moved")][:seconds]


def test_a_long_run_loses_nothing_of_a_second() -> None:
    assert strides("run", 20, 7) == [2, 3, 3, 3, 3, 3, 3]
    assert strides("sprint", 10, 3) == [2, 4, 4]


@pytest.mark.parametrize(("gait", "spaces"), [("walk", 8), ("jog", 8), ("run", 8), ("sprint", 10)])
def test_ways_are_offered_for_whole_seconds(gait: str, spaces: int) -> None:
    fight = alone()
    moves = fight.rules.legal(fight.now, fight._decision("a")).moves(gait)
    assert max(len(action.path) for action in moves.values()) == spaces


# -- set


def spear() -> Fight:
    fight = Fight(being("a", (5, 3), weapons=["spear"]), being("b", (30, 3)), throws=[1, 1, *[None] * 60], rows=LONG)
    fight.hold("b", seconds=60)
    fight.do("a", "set")
    return fight


@pytest.mark.parametrize(
    "change",
    [{"prone": True, "stance": Stance.NONE}, {"held_by": 1, "stance": Stance.NONE}, {"effects": (("bound", 12),)}],
    ids=["down", "held", "bound"],
)
def test_a_weapon_is_set_anew_after_whatever_has_upset_it(change: dict[str, Any]) -> None:
    """Its bearer's order is gone with it, and whatever he does before he sets it again."""
    fight = changed(spear(), "a", order=None, **change)
    fight.hold("a", seconds=1)
    fight = changed(fight, "a", prone=False, held_by=-1, effects=())
    begun = fight.second
    fight.do("a", "set")
    assert fight.now.figures[0].set_since == begun


def test_a_weapon_is_set_anew_where_its_bearer_was_moved_to() -> None:
    """Knocked back a space in second 10: set from 11 on, by the same order."""
    fight = changed(spear(), "a", moved=10)
    fight.do("a", "set")
    assert fight.now.figures[0].set_since == 11


def test_a_weapon_stays_set_for_who_says_so_again() -> None:
    fight = spear()
    fight.do("a", "set")
    assert fight.now.figures[0].set_since == 1


def test_a_walk_ends_a_weapons_being_set() -> None:
    fight = spear()
    fight.do("a", "walk", path=[(6, 3)])
    fight.do("a", "end")
    assert "set" not in fight.of("a")["conditions"]
    assert fight.now.figures[0].set_since == -1


def test_nobody_sets_a_weapon_lying() -> None:
    fight = changed(spear(), "a", prone=True)
    assert "prone" in fight.refusal("a", "set")
