"""What a fight will do, looked at in the real window while it is played: by mouse alone and by keys alone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.e2e.hands import Mouse
from tests.e2e.preparing import Preparing, seats
from tests.e2e.real_table import MARKS, ways

pytestmark = MARKS
ROWS = ["###########", "#....+....#", "#....#....#", "#....#....#", "###########"]


class Foreseeing(Preparing):
    """At the forecast."""

    def forecast(self, what: str, ask: Callable[[dict[str, Any]], Any] = lambda f: True) -> dict[str, Any]:
        """Wait until the forecast, on top, is so."""
        found: dict[str, Any] = self.told(what, "forecast", "forecast", lambda f: not f["failed"] and ask(f), 45)
        return found


def skirmish() -> dict[str, Any]:
    """Two against two, with a door between them."""
    strong = {"brawn": 9, "finesse": 8, "savvy": 5, "nerve": 8, "skills": {"Swords": "Master"}}
    creatures = [
        {"id": f"{side}_{n}", "name": f"{side[:-1].title()} {n}", "side": side, "at": [column, n], "size": "medium"}
        | {"controller": "human" if side == "heroes" else "ai", "weapons": ["shortsword"]}
        | strong
        for side, column in (("heroes", 2), ("monsters", 8))
        for n in (1, 2)
    ]  # fmt: skip
    return {"format": "battlemat/1", "ruleset": "olde", "options": {"gm": True}, "map": {"rows": ROWS}, "seed": 5,
            "creatures": creatures, "commands": []}  # fmt: skip


sat = seats(Foreseeing)


def wide(forecast: dict[str, Any]) -> float:
    return float(forecast["wins"][2] - forecast["wins"][1])


@ways()
@pytest.mark.timeout(240)
def test_a_prepared_encounter_is_foreseen_and_changed(
    sat: Callable[[str, str, str], Foreseeing], hand: str, size: str
) -> None:
    at = sat(hand, size, "forecast")
    at.begin()
    one, two, three = at.free(3)
    at.put("warrior", [one])
    at.put("wolf", [two, three])
    glance = at.table_("a chance at a glance", lambda t: t["glance"])
    assert glance["glance"] >= 1
    at.shot("glance")
    at.press("forecast", "ctrl+g")
    early = at.forecast("the first fights", lambda f: 0 < f["runs"] < f["wanted"])
    at.shot("live")
    at.press("pause", "p")
    at.forecast("a rest", lambda f: f["paused"])
    at.shot("paused")
    at.press("pause", "p")
    # one fight won of one has a narrower interval than one of two: only many more are sure to narrow it
    later = at.forecast("more fights", lambda f: f["runs"] >= min(f["wanted"], 16 * early["runs"]))
    assert wide(later) < wide(early)

    blood = [at.table.now()["more"]["forecast"]["blood"]]
    for side in ("heroes", "monsters", "None", ""):
        at.press(f"blood {side}", "h")
        blood.append(at.forecast("other blood", lambda f: f["blood"] != blood[-1])["blood"])
    assert set(blood) == {"", "heroes", "monsters", None}
    done = at.forecast("all fights", lambda f: f["done"])
    assert done["runs"] == done["wanted"] and done["hottest"] > 0 and 0 <= done["wiped"] <= 1
    if isinstance(at.hand, Mouse):
        at.hand.point(*done["hot"])
        at.table.await_("what is spilt there", lambda s: s["tip"] and "Hit points lost here" in s["tip"][1])
    at.press(f"creature {done['creatures'][-1]}")
    at.forecast("somebody pointed out", lambda f: f["marked"] == done["creatures"][-1])
    at.shot("done")

    less = next(key for key in done["changes"] if key.startswith("less:"))
    more = next(key for key in done["changes"] if key.startswith("more:"))
    for key in (less, more):
        at.press(f"what {key}")
    both = at.forecast("both compared", lambda f: all(f["compared"].get(k, 0) >= 50 for k in (less, more)))
    assert set(both["playing"]) == {less, more}
    at.shot("compared")
    at.press("rulesets", "r")
    at.scene("rulesets")
    at.shot("rulesets-early")
    at.table.await_("every ruleset", lambda s: min(s["more"]["rulesets"].values()) >= 40)
    at.shot("rulesets")
    at.press("back", "Escape")
    at.forecast("the forecast again")
    at.press("more", "m")
    at.forecast("twice as many", lambda f: f["wanted"] == 2 * done["wanted"])
    at.press("Back", "Escape")
    assert len(at.table_("the table as it was")["pieces"]) == 3
    at.close()


@ways()
@pytest.mark.timeout(240)
def test_a_fight_is_foreseen_from_where_it_stands(
    sat: Callable[[str, str, str], Foreseeing], hand: str, size: str
) -> None:
    at = sat(hand, size, "midway")
    at.open(record=skirmish())
    at.perform(lambda action: action.do == "free_steps")
    at.commands(1)
    at.menu("Forecast")
    at.forecast("from here on", lambda f: f["here"] and f["runs"] > 0)
    at.shot("from-here")
    at.press("start", "f")
    start = at.forecast("from the start", lambda f: not f["here"] and f["runs"] > 0)
    shut = next(key for key in start["changes"] if key.startswith(("shut:", "open:")))
    at.press(f"what {shut}")
    at.forecast("a door compared", lambda f: f["compared"].get(shut, 0) >= 20)
    at.shot("door")
    at.press("here", "f")
    at.forecast("from here again", lambda f: f["here"])
    at.press("Back", "Escape")
    at.scene("fight")
    at.commands(1)
    at.close()
