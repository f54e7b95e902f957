"""Who keeps peace with the party on an expedition looks on, and stops nobody on its way."""

from __future__ import annotations

import msgspec
import pytest

from rules.explore.state import Attitude
from tests.rules.explore.expedition import RULESETS, Expedition, creature


@pytest.mark.parametrize("ruleset", RULESETS)
def test_who_walks_past_somebody_at_peace_is_not_stopped(ruleset: str) -> None:
    table = Expedition(ruleset, [creature(ruleset, "h0", (6, 2)), creature(ruleset, "gob", (18, 2))])
    assert table.exploring
    now = table.now.explore
    calm = tuple(Attitude.WARY if i else each for i, each in enumerate(now.attitude))
    table.now = msgspec.structs.replace(table.now, explore=msgspec.structs.replace(now, attitude=calm))
    legal = table.rules.legal(table.now, table.decision("h0"))
    table.do("h0", "open", target=next(legal.worded("open")).target)
    if not any(each.do == "walk" for each in table.rules.legal(table.now, table.decision("h0"))):
        table.wait()
    table.do("h0", "walk", path=[[7, 2], [8, 2], [9, 2], [10, 2]])
    assert table.at("h0") == (10, 2) and table.exploring
