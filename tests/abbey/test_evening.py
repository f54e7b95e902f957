"""An evening in the abbey: the same whenever it is played, told line by line, and a stall is one."""

from __future__ import annotations

import msgspec
import pytest

from rules.core.registry import RULESETS
from tests.abbey.play import Evening, play, told

FEW = 12
"""Commands: enough for the first steps, or the first blow."""


@pytest.mark.parametrize("ruleset", RULESETS)
def test_an_evening_begins_under_every_ruleset_and_is_the_same_twice(ruleset):
    first, again = (play("drowned_abbey", ruleset, 3, most=FEW) for _ in range(2))
    assert first.record.commands == again.record.commands
    assert first.evening.commands == FEW and first.evening.outcome == "broken off"
    assert not first.evening.refused and not first.evening.error
    assert first.record.commands[0].do in ("sneak", "walk", "ambush")


def test_the_report_names_outcomes_deaths_and_what_came_to_no_end():
    won = Evening("olde", 1, outcome="won", heroes=4, alive=3, deaths=["Nave"], goals={"Free Joss": "done"})
    lost = msgspec.structs.replace(won, seed=2, outcome="stalled", alive=0, deaths=["Nave", "Choir"], last="Choir")
    lines = told([won, lost])
    assert lines[0] == "olde: 2 evenings; 1 won, 1 stalled"
    assert "  alive: 1.5 of 4.0" in lines and "  fell in: Nave 2, Choir 1" in lines
    assert any("seed 2: stalled in Choir" in line for line in lines)
