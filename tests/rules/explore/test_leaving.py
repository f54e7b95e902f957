"""Leaving an expedition by an exit: what was to be done counts, whatever came before."""

from __future__ import annotations

import pytest

from tests.rules.explore.expedition import RULESETS, Expedition, creature


@pytest.mark.parametrize("ruleset", RULESETS)
def test_who_leaves_after_a_fight_has_carried_out_what_it_has(ruleset: str) -> None:
    """Leaving an exploration counts the same, whether there was a fight before or not."""
    table = Expedition(ruleset, [creature(ruleset, "h0", (9, 2)),
                                 creature(ruleset, "gob", (16, 2), hp=1, surprised=True)],
                       exits=[[x, y] for x in range(8, 22) for y in (1, 2, 3)],
                       goals=[{"name": "home", "kind": "out"}])  # fmt: skip
    table.do("h0", "ambush")
    table.play()
    assert table.began[-1] == "exploration"
    table.do("h0", "leave")
    assert [(goal["goal"], goal["state"]) for goal in table.told("goal")] == [("home", "done")]
