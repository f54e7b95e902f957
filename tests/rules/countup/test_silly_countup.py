"""The computer does what players do: fights drawn once and kept, counted (tests/bench/silly.py).

What a surprise draws changes with what creatures weigh; a hunt after the last who runs counts as pacing.
"""

from __future__ import annotations

import json
from pathlib import Path

from tests.bench.silly import report

DRAWN = Path(__file__).with_name("drawn.json")


def test_the_computer_neither_paces_nor_swaps_nor_cowers() -> None:
    found = report(json.loads(DRAWN.read_text(encoding="utf-8")))
    assert found["returns"] <= 250
    assert found["swaps"] <= 40
    assert found["at_friends"] <= 150
    assert found["defensive 4"] <= 0.1 * found["blows"]
    assert found["presses"] > 0
    assert found["stalled"] == 0
