"""Rubble and gaps under Cairn with `hurdles` (cairn.md §2.14): cleared stone by stone, leapt by a DEX save."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from rules.board.fixtures import Challenge
from rules.board.grid import Field
from rules.contract.units import Cell
from tests.rules.cairn.creatures import Fight, foe, pc

HALL = ["#########", "#.......#", "#########"]
RAVINE = ["#########", "#. .....#", "#########"]
CHASM = ["#########", "#.  ....#", "#########"]


def rubble(*columns: int, difficulty: int = 9) -> Challenge:
    return Challenge("stones", "rubble", tuple(9 + c for c in columns), difficulty, difficulty)


def at(rows: list[str], *challenges: Challenge, throws: Any = (), levels: Any = None, **says: Any) -> Fight:
    field = msgspec.structs.replace(Field.from_rows(rows, levels=levels), challenges=challenges)
    options = {"fixtures": True, "hurdles": True}
    return Fight(pc("a", (1, 1), **says), foe("b", (7, 1)), field=field, throws=throws, **options)


def turn(fight: Fight, **says: Any) -> list[dict[str, Any]]:
    fight.do("a", **says)
    return fight.half()


def where(fight: Fight) -> tuple[int, int]:
    return fight.field.at(fight.now.figures[0].cell)


def test_nobody_walks_over_rubble_and_each_success_clears_the_nearest_space() -> None:
    fight = at(HALL, rubble(2, 3), throws=[10])
    assert "path" in fight.refusal("a", "move", path=[(2, 1)])
    events = turn(fight, do="tackle", item="stones")
    assert fight.now.cleared == 1 << 11 and fight.now.challenges == ("set",)
    told = next(e for e in events if e["event"] == "challenge")
    assert (told["state"], told["at"]) == ("cleared", (2, 1))


def test_a_failed_save_moves_no_stone() -> None:
    fight = at(HALL, rubble(2), throws=[11])
    turn(fight, do="tackle", item="stones")
    assert not fight.now.cleared and fight.now.challenges == ("set",)


def test_what_is_cleared_is_difficult_ground() -> None:
    fight = at(HALL, rubble(2, difficulty=5))
    turn(fight, do="tackle", item="stones")
    assert fight.now.challenges == ("cleared",)
    assert fight.now.terrain.difficult >> 11 & 1 and not fight.now.terrain.blocked >> 11 & 1


@pytest.mark.parametrize(("hurdles", "fixtures"), [(False, True), (True, False)])
def test_without_the_option_rubble_is_rough_and_nobody_leaps(hurdles: bool, fixtures: bool) -> None:
    field = msgspec.structs.replace(Field.from_rows(HALL), challenges=(rubble(2),))
    fight = Fight(pc("a", (1, 1)), foe("b", (7, 1)), field=field, hurdles=hurdles, fixtures=fixtures)
    assert fight.now.terrain.difficult >> 11 & 1
    assert "is no action" in fight.refusal("a", "leap", at=(3, 1))


@pytest.mark.parametrize(("face", "column", "prone"), [(10, 3, False), (11, 1, True)])
def test_a_gap_is_leapt_by_dexterity_or_one_lies_at_the_edge(face: int, column: int, prone: bool) -> None:
    fight = at(RAVINE, throws=[face])
    turn(fight, do="leap", at=(3, 1))
    assert (where(fight), fight.now.figures[0].prone) == ((column, 1), prone)


@pytest.mark.parametrize(("tool", "chance"), [("", 0.25), ("pole", 0.5)])
def test_two_spaces_are_hard_and_want_a_pole_or_a_rope(tool: str, chance: float) -> None:
    fight = at(CHASM, items=["sword", *([tool] if tool else [])])
    odds = fight.rules.odds(fight.now, fight._action("a", "leap", {"at": (4, 1)}))
    assert odds is not None and odds.hit == pytest.approx(chance)


@pytest.mark.parametrize(("climbs", "column"), [((Cell(9 + 2), Cell(9 + 1)), 2), ((), 1)])
def test_who_falls_short_falls_as_far_as_the_gap_is_deep_and_stays_if_a_way_leads_out(
    climbs: tuple[Cell, ...], column: int
) -> None:
    field = Field.from_rows(HALL, levels=["1" * 9, "110111111", "1" * 9], climbs=climbs)
    fight = Fight(pc("a", (1, 1)), foe("b", (7, 1)), field=field, throws=[11, 4], fixtures=True, hurdles=True)
    turn(fight, do="leap", at=(3, 1))
    assert where(fight) == (column, 1) and fight.now.figures[0].prone
    assert fight.now.figures[0].hp == 2  # d6 for a level


@pytest.mark.parametrize(
    ("at_", "reason"), [((5, 1), "1 or 2 spaces"), ((2, 1), "1 or 2 spaces"), ((7, 1), "1 or 2 spaces")]
)
def test_a_leap_goes_over_one_or_two_spaces(at_: tuple[int, int], reason: str) -> None:
    assert reason in at(CHASM).refusal("a", "leap", at=at_)


def test_nobody_leaps_over_a_foe_or_onto_somebody() -> None:
    field = Field.from_rows(["#####", "#...#", "#####"])
    fight = Fight(pc("a", (1, 1)), foe("b", (2, 1)), field=field, fixtures=True, hurdles=True)
    assert "in the way" in fight.refusal("a", "leap", at=(3, 1))
    ditch = Field.from_rows(["#####", "#...#", "#####"], levels=["22222", "22022", "22222"])
    onto = Fight(pc("a", (1, 1)), foe("b", (3, 1)), field=ditch, fixtures=True, hurdles=True)
    assert "taken" in onto.refusal("a", "leap", at=(3, 1))
