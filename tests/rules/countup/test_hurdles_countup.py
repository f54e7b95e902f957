"""Rubble and gaps under Count-Up with `hurdles` (countup.md §2.11): broken up by strength, leapt by jumping."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from rules.board.fixtures import Challenge
from rules.board.grid import Field
from rules.contract.units import Cell
from tests.rules.countup.creatures import Fight, being

HALL = ["############", "#..........#", "############"]
RAVINE = ["############", "#. ........#", "############"]
CHASM = ["############", "#.  .......#", "############"]
OPTIONS = {"fixtures": True, "hurdles": True}


def rubble(*columns: int, difficulty: int = 9) -> Challenge:
    return Challenge("stones", "rubble", tuple(12 + c for c in columns), difficulty, difficulty)


def at(
    rows: list[str],
    *challenges: Challenge,
    throws: tuple[int, ...] = (),
    levels: Any = None,
    jumping: int = 50,
    climbs: tuple[Cell, ...] = (),
) -> Fight:
    field = msgspec.structs.replace(Field.from_rows(rows, levels=levels, climbs=climbs), challenges=challenges)
    skills = {"jumping": jumping}
    fight = Fight(
        being("a", (1, 1), skills=skills), being("b", (10, 1)), field=field, throws=[1, 1, *throws], **OPTIONS
    )
    fight.hold("b", seconds=60)
    return fight


def where(fight: Fight) -> tuple[int, int]:
    return fight.field.at(fight.now.figures[0].cell)


def test_nobody_walks_over_rubble_and_each_success_clears_the_nearest_space() -> None:
    fight = at(HALL, rubble(2, 3), throws=(5, 15))
    assert "path" in fight.refusal("a", "walk", path=[(2, 1)])
    fight.do("a", "tackle", item="stones")
    assert fight.now.cleared == 1 << 14 and fight.now.challenges == ("set",)
    assert fight.now.terrain.difficult >> 14 & 1 and not fight.now.terrain.blocked >> 14 & 1
    assert fight.now.terrain.blocked >> 15 & 1


def test_a_lower_throw_moves_no_stone() -> None:
    fight = at(HALL, rubble(2), throws=(15, 5))
    fight.do("a", "tackle", item="stones")
    assert not fight.now.cleared and fight.now.challenges == ("set",)


@pytest.mark.parametrize(("hurdles", "fixtures"), [(False, True), (True, False)])
def test_without_the_option_nobody_leaps(hurdles: bool, fixtures: bool) -> None:
    fight = Fight(
        being("a", (1, 1)),
        being("b", (10, 1)),
        field=Field.from_rows(RAVINE),
        throws=[1, 1],
        hurdles=hurdles,
        fixtures=fixtures,
    )
    assert "is no action" in fight.refusal("a", "leap", at=(3, 1))


@pytest.mark.parametrize(("face", "column", "prone"), [(40, 4, False), (90, 1, False), (100, 1, True)])
def test_a_gap_is_leapt_by_jumping_and_a_mishap_ends_at_the_edge(face: int, column: int, prone: bool) -> None:
    fight = at(CHASM, throws=(face,))
    fight.do("a", "leap", at=(4, 1))
    assert (where(fight), fight.now.figures[0].prone) == ((column, 1), prone)


def test_two_spaces_are_harder_than_one() -> None:
    def chance(rows: list[str], goal: tuple[int, int]) -> float:
        fight = at(rows, jumping=10)
        odds = fight.rules.odds(fight.now, fight._action("a", "leap", {"at": goal}))
        assert odds is not None
        return float(odds.hit)

    assert chance(CHASM, (4, 1)) < chance(RAVINE, (3, 1)) < 1


@pytest.mark.parametrize(("climbs", "column"), [((Cell(12 + 2), Cell(12 + 1)), 2), ((), 1)])
def test_a_mishap_over_a_lower_place_is_a_fall(climbs: tuple[Cell, ...], column: int) -> None:
    fight = at(HALL, levels=["1" * 12, "11" + "00" + "1" * 8, "1" * 12], climbs=climbs, throws=(100, 4))
    fight.do("a", "leap", at=(4, 1))
    assert where(fight) == (column, 1) and fight.now.figures[0].prone and fight.now.figures[0].hp == 36


def test_who_lies_on_the_floor_leaps_nowhere() -> None:
    fight = at(RAVINE)
    fight.change("a", prone=True)
    assert "stand up" in fight.refusal("a", "leap", at=(3, 1))
