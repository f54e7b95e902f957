"""The computer does what players do: drawn fights, counted (tests/bench/silly.py)."""

from __future__ import annotations

from tests.bench.endings import fights
from tests.bench.silly import report


def test_the_computer_neither_paces_nor_swaps_nor_cowers() -> None:
    found = report(list(fights(10, first=100)))
    assert found["returns"] <= 250
    assert found["swaps"] <= 40
    assert found["at_friends"] <= 150
    assert found["defensive 4"] <= 0.1 * found["blows"]
    assert found["presses"] > 0
    assert found["stalled"] == 0
