"""What a side knows, in the real window: remembered ground, doors, darkness and light, the game master's view."""

from __future__ import annotations

from typing import Any

import pytest

from game.content import encounter
from game.fight.match import Match
from game.fight.viewing import Eyes
from rules.contract.units import Cell
from tests.e2e.hands import Hand, Keyboard, Mouse, Table
from tests.e2e.people import HANDS, SIZES, Book, Opened, closed, marks, opened, shot
from tests.game.hotseat_table import being

pytestmark = [*marks(), pytest.mark.long]
__all__ = ["opened"]
ROWS = [
    "####################",
    "#......#...........#",
    "#......#...........#",
    "#......+...........#",
    "#......#...........#",
    "#......#...........#",
    "####################",
]
ROW = len(ROWS[0])


def alone(**more: Any) -> dict[str, Any]:
    """Ada and a beast of the computer's, a closed door between them."""
    return {
        "format": "battlemat/1", "ruleset": "olde", "options": {"fog": True, "darkness": False}, "map": {"rows": ROWS},
        "seed": 11, "commands": [],
        "creatures": [
            being("Ada", "heroes", (5, 3), art="warrior", finesse=10),
            being("Zugg", "beasts", (17, 2), art="goblin", controller="ai", surprised=True, finesse=2),
        ], **more,
    }  # fmt: skip


def ground(table: Table) -> tuple[int, int]:
    """The bitboards of what is seen now, and of what was ever seen."""
    told = table.fight()["table"]
    return int(told["now"], 16), int(told["ever"], 16)


def through(table: Table, hand: Hand, book: Book, wanted: Any) -> None:
    """End chances until something is legal, then do it."""
    for _ in range(12):
        _, plan = book.decision()
        if any(wanted(a) for offer in plan.offers for a in offer.actions):
            book.does(wanted)
            return
        if plan.is_question:
            known = len(table.fight()["commands"])
            hand.perform(plan, plan.offers[0].actions[0])
            table.await_("it", lambda s, n=known: len(s["fight"]["commands"]) > n)
        else:
            book.ends()
    raise AssertionError("it never became legal")


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("hand", list(HANDS))
def test_a_door_opened_and_closed_shows_and_hides_and_ground_is_remembered(
    opened: Opened, hand: str, size: str
) -> None:
    table = opened("--size", size, record=alone())
    hands = HANDS[hand](table)
    book = Book(table, hands)
    match, _ = book.decision()
    behind = 3 * ROW + 9
    now, ever = ground(table)
    assert not ever >> behind & 1 and "zugg" not in table.fight()["table"]["minis"]
    assert not leaks_alone(table, match)
    shot(table, f"fog-closed-{hand}")

    through(
        table, hands, book, lambda a: a.do in ("step", "run", "free_steps") and a.path and a.path[-1] == 3 * ROW + 6
    )
    through(table, hands, book, lambda a: a.do == "open")
    table.await_("the door to be open", lambda s: "open" in s["fight"]["table"]["doors"])
    now, ever = ground(table)
    assert now >> behind & 1
    shot(table, f"fog-open-{hand}")
    assert not leaks_alone(table, book.follow(table.fight()))

    through(table, hands, book, lambda a: a.do == "close")
    table.await_("the door to be closed", lambda s: "open" not in s["fight"]["table"]["doors"])
    now, ever = ground(table)
    assert not now >> behind & 1 and ever >> behind & 1, "it is remembered, not seen"
    shot(table, f"fog-remembered-{hand}")
    assert not leaks_alone(table, book.follow(table.fight()))

    hands.type("ctrl+g") if isinstance(hands, Keyboard) else hands.press("see all")
    table.await_("everybody to be seen", lambda s: "zugg" in s["fight"]["table"]["minis"])
    assert table.fight()["table"]["now"] is None
    shot(table, f"fog-master-{hand}")
    hands.type("ctrl+g") if isinstance(hands, Keyboard) else hands.press("see all")
    table.await_("the fog to be back", lambda s: s["fight"]["table"]["now"] is not None)
    closed(table)


def leaks_alone(table: Table, match: Match) -> list[str]:
    """Who is drawn, or stands in the order, and is not known to the heroes."""
    known = {mini.id: mini.cell for mini in Eyes(match, ("heroes",)).board().miniatures}
    told = table.fight()["table"]
    return [n for n, cell in told["minis"].items() if known.get(n) != cell] + [
        n for n in told["order"] if n not in known
    ]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("hand", list(HANDS))
def test_a_locked_door_says_its_chance_and_is_forced(opened: Opened, hand: str, size: str) -> None:
    record = alone(map={"rows": ROWS, "doors": {"door 7,3": "locked"}})
    record["creatures"][0]["at"] = [6, 3]
    record["creatures"][0]["skills"] = {"Swords": "Journeyman", "Burst": "Master"}
    table = opened("--size", size, record=record)
    hands = HANDS[hand](table)
    book = Book(table, hands)
    _, plan = book.decision()
    assert not any(a.do == "open" for offer in plan.offers for a in offer.actions)
    door = 3 * ROW + 7
    if isinstance(hands, Keyboard):
        hands.type("Right")
        table.await_("the cursor on the door", lambda s: s["fight"]["cell"] == door)
        table.await_("its card", lambda s: s["fight"]["table"]["card"])
        shot(table, f"locked-pointed-{hand}")
        hands.type("Return")
    else:
        assert isinstance(hands, Mouse)
        x, y = hands.bring(plan, Cell(door))
        hands.point(x, y)
        table.await_("its card", lambda s: s["fight"]["table"]["card"])
        shot(table, f"locked-pointed-{hand}")
        hands.click(x, y)
    done = table.await_("the deed", lambda s: s["fight"]["commands"] and s["fight"]["commands"][0])
    assert done["target"] == "door 7,3"
    shot(table, f"locked-forced-{hand}")
    closed(table)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("hand", list(HANDS))
def test_the_crypt_in_fog_and_darkness(opened: Opened, hand: str, size: str) -> None:
    """The shipped map with its lamps; the heroes carry lights. In the dark less is seen, with a light more."""
    record = encounter.surprise("crypt", ["warrior", "priest", "ranger", "wizard"], 7)
    seen = {}
    for dark, light in ((False, 0), (True, 0), (True, 5)):
        record["options"] = {**record.get("options", {}), "fog": True, "darkness": dark}
        record["creatures"] = [{**c, "light": light} if c["side"] == "heroes" else c for c in record["creatures"]]
        sight = Eyes(Match.from_record(record), ("heroes",)).sight()
        assert sight is not None
        seen[dark, light] = sight.now
    assert seen[True, 0] & ~seen[False, 0] == 0 and seen[True, 0] != seen[False, 0]
    assert seen[True, 5] & ~seen[True, 0]
    table = opened("--size", size, record=record)
    hands = HANDS[hand](table)
    book = Book(table, hands)
    match, _ = book.decision()
    assert ground(table)[0] == seen[True, 5], "the window shows just that"
    shot(table, f"crypt-first-{hand}")
    for number in range(10):
        match, plan = book.decision()
        assert not leaks_alone(table, match)
        before = len(match.record.commands)
        hands.perform(plan, book.counselled())
        table.await_("it", lambda s, n=before: len(s["fight"]["commands"]) > n)
        if number % 4 == 3:
            shot(table, f"crypt-{number}-{hand}")
    closed(table)
