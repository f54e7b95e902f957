"""A room's fight by itself: who stands there, where the heroes begin, what is counted."""

from __future__ import annotations

import pytest

from rules.contract.ruleset import PARTY
from rules.core.registry import RULESETS
from tests.abbey.rooms import ADVENTURE, NEAR, Fight, Tally, cut_out, ground, residents, tally, told


def room(name: str):
    return next(each for each in ground(ADVENTURE).rooms if each.name == name)


@pytest.mark.parametrize("ruleset", RULESETS)
def test_heroes_stand_in_the_room_near_enough_to_strike_and_nobody_of_other_levels_is_there(ruleset):
    field, record = ground(ADVENTURE), cut_out(ADVENTURE, ruleset, room("Counting House"))
    assert set(residents(field, record, room("Counting House"))) == {"captain", "mate"}
    heroes = [field.cell(*each["at"]) for each in record["creatures"] if each["side"] == PARTY]
    foes = [field.cell(*each["at"]) for each in record["creatures"] if each["id"] in ("captain", "mate")]
    assert len(heroes) == 4 and all(room("Counting House").cells >> cell & 1 for cell in heroes)
    assert all(min(field.terrain().distance(cell, foe) for foe in foes) >= 1 for cell in heroes)
    assert min(field.terrain().distance(cell, foe) for foe in foes for cell in heroes) <= NEAR
    levels = {
        next(part.name for part in reversed(field.maps) if part.top <= each["at"][1]) for each in record["creatures"]
    }
    assert len(levels) == 1


def test_a_fight_for_a_room_is_the_same_whenever_it_is_played_and_an_empty_room_has_none():
    first, again = (tally(ADVENTURE, 1, False, ("cairn", room("Penitents' Cells"))) for _ in range(2))
    assert first == again and first is not None
    assert tally(ADVENTURE, 1, False, ("cairn", room("Herb Garden"))) is None


def test_a_fight_that_begins_at_once_is_counted():
    found = tally(ADVENTURE, 1, True, ("olde", room("Cistern of the Mother")))
    assert found is not None and len(found.fights) == 1


def test_the_table_has_a_row_for_each_room_and_three_figures_for_each_ruleset():
    fights = (Fight(True, True, 0.25, 4), Fight(True, False, 1.0, 0))
    lines = told([Tally("Nave", "olde", fights), Tally("Choir", "cairn", fights[:1])])
    assert lines[0] == "| room | olde: won, left, spent | cairn: won, left, spent |"
    assert lines[2:] == ["| Nave | 50%, 2.0, 62% | – |", "| Choir | – | 100%, 4.0, 25% |"]
