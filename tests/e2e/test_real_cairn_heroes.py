"""Heroes of Cairn in the real window: made, dressed, hired for and rested, by mouse alone and by keys alone."""

from __future__ import annotations

import pytest

from tests.e2e.preparing import seats
from tests.e2e.real_table import MARKS, ways
from tests.e2e.test_real_heroes import AtTheBench, Sat, camp

pytestmark = [*MARKS, pytest.mark.timeout(600)]
sat = seats(AtTheBench)


@ways()
def test_a_character_from_the_dice_to_a_night_at_an_inn(sat: Sat, hand: str, size: str) -> None:
    at = sat(hand, size, "cairn")
    at.open()
    at.scene("title")
    at.hand.press("Heroes")
    at.bench("an empty bench")
    at.press("new")
    at.press("rules cairn")
    at.shot("backgrounds")
    at.press("begin Marchguard")
    at.bench("a hero of Cairn", lambda b: b["hero"] and b["hero"]["ruleset"] == "cairn")
    at.page("Background")
    at.pressed("table 0 4", lambda h: h["making"]["rows"][0] == 4)
    at.shot("background")
    at.page("Scores")
    at.pressed("throw scores")
    at.press("swap strength")
    at.pressed("swap willpower", lambda h: h["making"]["swap"] == ["strength", "willpower"])
    at.shot("scores")
    at.page("Gear")
    sold = at.hero()["gold"]
    at.pressed("sell 0", lambda h: h["gold"] > sold)
    at.press("undo", "ctrl+z")
    at.press("market hirelings")
    at.shot("hirelings")
    at.pressed("market keepsakes")
    at.press("buy chalk")
    at.bench("chalk", lambda b: "chalk" in b["hero"]["items"] or b["refused"])
    at.page("Life")
    at.shot("life")
    at.press("camp")
    camp(at, "a camp")
    at.press("moments")
    camp(at, "quiet moments", lambda c: c["story"])
    at.press("night")
    camp(at, "a night", lambda c: "A night goes by." in c["story"])
    at.shot("camp")
    at.press("leave")
    at.bench("the workshop", lambda b: b["hero"]["days"] == 1)
    at.close()
