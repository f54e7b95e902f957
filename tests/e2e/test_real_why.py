"""Why the computer did that, in the real window: from the log and by key, its options, and why not a space."""

from __future__ import annotations

from typing import Any

import pytest

from tests.e2e.hands import Hand, Keyboard, Mouse, Table
from tests.e2e.people import HANDS, SIZES, Book, Opened, closed, marks, opened, shot, words
from tests.game.player import arena

pytestmark = marks()
__all__ = ["opened"]


def after_theirs(table: Table, hand: Hand) -> Book:
    """End chances until the computer has decided twice."""
    book = Book(table, hand)
    for _ in range(6):
        _, plan = book.decision()
        if sum(c["by"] == "gob" for c in table.fight()["commands"]) >= 2:
            return book
        if plan.is_question:
            known = len(table.fight()["commands"])
            hand.perform(plan, plan.offers[0].actions[0])
            table.await_("it", lambda s, n=known: len(s["fight"]["commands"]) > n)
        else:
            book.ends()
    raise AssertionError("the goblin does nothing")


def spot(status: dict[str, Any], cell: int) -> tuple[int, int]:
    """The pixel in the middle of a space of the explained board."""
    board, wide = status["watching"], len(status["fight"]["start"]["map"]["rows"][0])
    left, top = board["origin"]
    row, column = divmod(cell, wide)
    return left + round((column + 0.5) * board["zoom"]), top + round((row + 0.5) * board["zoom"])


@pytest.mark.long
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("hand", list(HANDS))
def test_a_line_of_the_log_is_asked_then_options_spaces_and_other_deeds(opened: Opened, hand: str, size: str) -> None:
    table = opened("--size", size, record=arena(gob_at=(6, 3)))
    hands = HANDS[hand](table)
    after_theirs(table, hands)
    asks = table.fight()["table"]["asks"]
    assert asks, "lines of the log can be asked"
    shot(table, f"why-log-{hand}")
    if isinstance(hands, Mouse):
        left, top, wide, high = asks[0][1]
        hands.click(left + wide // 2, top + high // 2)
    else:
        assert isinstance(hands, Keyboard)
        reach_log(table, hands)
        for _ in range(12):
            if table.fight()["table"]["cursor"] == asks[0][0]:
                break
            hands.type("Left")
        shot(table, f"why-line-{hand}")
        hands.type("ctrl+i")
    status = table.await_("the answer", lambda s: s["scene"] == "why" and s)
    first = status["why"]["number"]
    assert table.fight()["commands"][first]["by"] == "gob" and status["why"]["options"] >= 2
    shot(table, f"why-open-{hand}")

    chosen = status["why"]["chosen"]
    other = 1 if chosen == 0 else 0
    if isinstance(hands, Keyboard):
        for _ in range(other - chosen if other > chosen else status["why"]["options"] - chosen + other):
            hands.type("Tab")
    else:
        hands.press(f"option {other + 1}")
    table.await_("another option", lambda s: s["why"]["chosen"] == other)
    shot(table, f"why-option-{hand}")

    cell = 2 * 10 + 4
    if isinstance(hands, Keyboard):
        for _ in range(30):
            here = table.now()["watching"]["hovered"]
            if here == cell:
                break
            if here is None:
                hands.type("Left")
                continue
            (y, x), (b, a) = divmod(here, 10), divmod(cell, 10)
            hands.type("Left" if x > a else "Right" if x < a else "Up" if y > b else "Down")
        hands.type("Return")
    else:
        hands.click(*spot(table.now(), cell))
    status = table.await_("why not", lambda s: s["why"]["asked"] == cell and s)
    assert status["why"]["answer"] and status["why"]["answer"] in words(status)
    shot(table, f"why-not-{hand}")

    hands.type("Next") if isinstance(hands, Keyboard) else hands.press("later")
    later = table.await_("a later deed", lambda s: s["why"]["number"] > first and s["why"])
    assert later["asked"] is None
    hands.type("Prior") if isinstance(hands, Keyboard) else hands.press("earlier")
    table.await_("the earlier deed", lambda s: s["why"]["number"] == first)
    hands.type("Escape") if isinstance(hands, Keyboard) else hands.press("leave")
    table.await_("the fight", lambda s: s["scene"] == "fight")
    closed(table)


def reach_log(table: Table, hands: Keyboard) -> None:
    """Bring the keys to the log: F6 goes among the panels, Tab on from there."""
    hands.type("F6")
    for _ in range(60):
        if any(w["focused"] and w["key"] == "story" for w in table.now()["widgets"]):
            return
        hands.type("Tab")
    raise AssertionError("no key comes to the log")
