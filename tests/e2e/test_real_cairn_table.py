"""Around a fight under Cairn, in the real window: one click to other rules, and the dice thrown at the table."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.e2e.preparing import Preparing, seats
from tests.e2e.real_table import MARKS, ways
from tests.e2e.test_real_cairn import ambush

pytestmark = MARKS
Sat = Callable[[str, str, str], Preparing]


sat = seats(Preparing)


@ways()
@pytest.mark.timeout(240)
def test_one_encounter_is_weighed_under_all_rules_and_played_under_others_by_one_press(
    sat: Sat, hand: str, size: str
) -> None:
    at = sat(hand, size, "rulesets")
    at.open(record=ambush("heroes"))
    at.menu("Forecast")
    at.table.await_("a forecast", lambda s: (s["more"].get("forecast") or {}).get("runs"))
    at.press("rulesets", "r")
    at.scene("rulesets")
    at.table.await_("every ruleset", lambda s: min(s["more"]["rulesets"].values()) >= 5, 120)
    at.shot("side-by-side")
    for rules in ("olde", "countup", "cairn"):
        at.press(f"play {rules}")
        fight = at.scene("fight")["fight"]
        assert fight["start"]["ruleset"] == rules and fight["commands"] == []
        at.shot(rules)
        if rules != "cairn":
            at.menu("Forecast")
            at.press("rulesets", "r")
            at.scene("rulesets")
            at.table.await_("all of them", lambda s: len(s["more"]["rulesets"]) == 3)
    at.close()


@ways()
@pytest.mark.timeout(240)
def test_a_character_is_thrown_at_the_table_and_put_down(sat: Sat, hand: str, size: str) -> None:
    at = sat(hand, size, "at-the-table")
    at.begin()
    at.choose("ruleset", "Cairn")
    at.press("tools")
    at.scene("tools")
    at.shot("tools")
    for use, told in (("use reaction", 1), ("use fate", 1), ("use character", 8)):
        at.press(use)
        at.table.await_(f"what came of {use}", lambda s, n=told: s["scene"] == "tools" and len(s["texts"]) > n)
        at.shot(use.replace(" ", "-"))
    at.press("put 1")
    table = at.table_("somebody on the table", lambda table: len(table["pieces"]) == 1)
    assert table["pieces"][0]["side"] == "heroes" and len(table["selected"]) == 1
    at.shot("put-down")
    at.do("Undo", "ctrl+z")
    at.table_("nobody again", lambda table: not table["pieces"])
    at.close()
