"""Who keeps peace with the party on an expedition looks on, and stops nobody on its way."""

from __future__ import annotations

import msgspec
import pytest

from rules.explore.state import Attitude
from tests.rules.explore.expedition import RULESETS, Expedition, creature


@pytest.mark.parametrize("ruleset", RULESETS)
def test_who_walks_past_somebody_at_peace_is_not_stopped(ruleset: str) -> None:
    table = Expedition(ruleset, [creature(ruleset, "h0", (9, 2)), creature(ruleset, "gob", (18, 2))])
    now = table.now.explore
    calm = tuple(Attitude.WARY if i else each for i, each in enumerate(now.attitude))
    table.now = msgspec.structs.replace(table.now, explore=msgspec.structs.replace(now, attitude=calm))
    assert table.exploring
    table.do("h0", "walk", path=[[10, 2], [11, 2], [12, 2]])
    assert table.at("h0") == (12, 2) and table.exploring
