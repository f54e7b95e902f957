"""Fights between computers end, on every map: a sample; `make endings` plays two thousand."""

from __future__ import annotations

import pytest

from tests.bench.endings import fights, play


@pytest.mark.parametrize("map, seed", list(fights(12, first=40)))
def test_a_fight_on_a_shipped_map_ends(map, seed):
    ending = play(map, seed)
    assert ending.winner is not None, ending


@pytest.mark.parametrize("kind", ["cairn", "countup"])
@pytest.mark.parametrize("map, seed", list(fights(3, first=21)))
def test_a_fight_under_other_rules_ends(kind, map, seed):
    ending = play(map, seed, kind=kind)
    assert ending.winner is not None, ending


def test_healers_are_done_one_day():
    ending = play("tavern", 24, kind="countup")
    assert ending.winner is not None, ending


def test_a_stand_off_below_a_height_ends():
    """Heroes nearly dead wait at the ladder's foot, an ogre too large for it waits above: nobody may wait for ever."""
    ending = play("ruined_bridge", 542)
    assert ending.winner is not None, ending


def test_hard_ground_all_round_stops_nobody():
    """A rogue in hard ground once planned only ways that its one free step could not begin, and a rat waited for it."""
    ending = play("goblin_warren", 5851)
    assert ending.winner is not None, ending
