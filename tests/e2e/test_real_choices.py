"""What is chosen from in the real window: the right button's menu, what it takes back first, the bar's further list,
and the ways on under a board on which the fight is over."""

from __future__ import annotations

from typing import Any

import pytest

from game.scenes.fight.plan import Plan
from tests.e2e.hands import Keyboard
from tests.e2e.real_table import MARKS, Sat, Sitting, party, ways
from tests.e2e.screen import ROOT
from tests.game.player import arena

pytestmark = [*MARKS, pytest.mark.timeout(300)]
GOB = (2, 1)
FREE = (1, 3)


def pixel(at: Sitting, spot: tuple[int, int]) -> tuple[int, int]:
    fight = at.table.await_("a board at rest", lambda s: not s["fight"]["gliding"] and s["fight"])
    (left, top), zoom = fight["origin"], fight["zoom"]
    return left + round((spot[0] + 0.5) * zoom), top + round((spot[1] + 0.5) * zoom)


def asked(at: Sitting, spot: tuple[int, int], *keys: str) -> list[dict[str, Any]]:
    """Open the menu of a space, or of who stands there; its lines."""
    at.match()  # somebody is asked for a decision
    if isinstance(at.hand, Keyboard):
        at.hand.type(*keys, "shift+F10")
    else:
        at.click(pixel(at, spot), 3)
    lines: list[dict[str, Any]] = at.scene("context")["widgets"]
    left, top, wide, high = at.table.now()["panels"][-1]
    across, down = at.table.now()["size"]
    assert left >= 0 and top >= 0 and left + wide <= across and top + high <= down, "it lies in the window"
    return lines


@ways(("mouse", "1280x720"))
def test_what_can_be_done_with_a_foe_or_a_space_stands_in_a_menu_there(sat: Sat, hand: str, size: str) -> None:
    at = sat(hand, size)
    at.settings(end_by_itself=False)
    at.open(record=arena(title="The Hall"))
    at.commands(0)
    lines = asked(at, GOB, "Tab")
    at.shot("a-foe")
    assert any("%" in line["cost"] and line["enabled"] for line in lines), "a blow with its price and chance"
    at.hand.type("Escape") if isinstance(at.hand, Keyboard) else at.click(pixel(at, (0, 4)))
    at.scene("fight")
    assert at.commands(0) == [], "a click beside the menu closes it and does nothing else"

    lines = asked(at, FREE, "Left", "Down", "Down")  # the keys point at the foe still
    at.shot("a-space")
    way = next(line for line in lines if line["enabled"] and "step" in line["label"].lower())
    at.hand.press(way["key"])
    assert at.commands(1)[0]["do"] == "free_steps"
    assert at.commands(1)[0]["path"][-1] == list(FREE)
    at.do("undo", "ctrl+z")
    at.commands(0)

    lines = asked(at, GOB, "Tab")
    blow = next(line for line in lines if "%" in line["cost"] and line["enabled"])
    at.hand.press(blow["key"])
    assert at.commands(1)[0]["target"] == "gob"
    at.close()


@ways()
def test_what_is_pending_is_taken_back_before_any_menu_opens(sat: Sat, hand: str, size: str) -> None:
    at = sat(hand, size)
    at.settings(end_by_itself=False)
    at.open(record=arena(title="The Hall"))
    match = at.match()
    assert match.decision is not None
    legal = match.legal(match.decision)
    plan = Plan(match.ruleset, match.state, match.decision, legal, board=match.board(), field=match.field)
    offer = next(o for o in plan.offers if o.description.needs == "creature" and o.actions)
    at.hand.arm(plan, offer)
    at.shot("armed")
    at.hand.type("Escape") if isinstance(at.hand, Keyboard) else at.click(pixel(at, (4, 3)), 3)
    at.table.await_("it to be taken back", lambda s: s["fight"]["armed"] is None)
    assert at.table.now()["scene"] == "fight", "and nothing else came of it"
    at.hand.type("Escape") if isinstance(at.hand, Keyboard) else at.click(pixel(at, (4, 3)), 3)
    at.scene("menu" if at.keys else "context")
    at.close()


@ways()
def test_a_fight_that_is_over_leads_on_from_its_board(sat: Sat, hand: str, size: str) -> None:
    at = sat(hand, size)
    at.open("play", str(ROOT / "tests" / "playthroughs" / "victory_behind_two_doors.json"))
    at.scene("summary")
    at.hand.type("Escape") if isinstance(at.hand, Keyboard) else at.hand.press("Look at the board")
    at.scene("fight")
    at.shot("the-board")
    at.do("summary", "Return")
    at.scene("summary")
    at.shot("the-summary")
    at.hand.type("Escape") if isinstance(at.hand, Keyboard) else at.hand.press("Look at the board")
    at.scene("fight")
    if isinstance(at.hand, Keyboard):
        for _ in range(6):  # from panel to panel; Tab goes from creature to creature
            if any(w["focused"] and w["key"] == "summary" for w in at.table.now()["widgets"]):
                break
            at.hand.type("F6")
    at.hand.press("next")
    at.table.await_("the next fight", lambda s: s["more"].get("choose"))
    at.shot("next-fight")
    at.close()


@ways()
def test_every_deed_of_the_further_list_can_be_seen_and_left(sat: Sat, hand: str, size: str) -> None:
    at = sat(hand, size)
    at.open(record=party("crypt"))
    at.match()
    at.shot("bar")
    at.do("more", "m")
    at.table.await_("the list", lambda s: sum(w["key"].startswith("offer ") for w in s["widgets"]) > 6)
    at.shot("more")
    across, down = at.table.now()["size"]
    for left, top, wide, high in at.table.now()["panels"]:
        assert left >= 0 and top >= 0 and left + wide <= across and top + high <= down
    at.hand.type("Escape") if isinstance(at.hand, Keyboard) else at.click(at.bare(), 3)
    at.table.await_("the fight alone", lambda s: s["scene"] == "fight" and not s["modal"])
    at.shot("closed")
    at.close()
