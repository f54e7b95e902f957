"""Fights between computers end, on every map: a sample; `make endings` plays two thousand."""

from __future__ import annotations

import pytest

from tests.bench.endings import fights, play


@pytest.mark.parametrize("map, seed", list(fights(12, first=40)))
def test_a_fight_on_a_shipped_map_ends(map, seed):
    ending = play(map, seed)
    assert ending.winner is not None, ending
