"""Real dice at the real window: the dialog that asks for each face, answered by mouse alone and by keys alone."""

from __future__ import annotations

from typing import Any

import pytest

from rules.contract.actions import Action
from tests.e2e.hands import Hand, Keyboard, Table
from tests.e2e.people import HANDS, SIZES, Book, Opened, closed, marks, opened, shot, words
from tests.game.hotseat_table import being

pytestmark = marks()
__all__ = ["opened"]
each = pytest.mark.parametrize(
    "hand, size",
    [
        pytest.param(hand, size, marks=[] if (hand, size) == ("keys", SIZES[0]) else pytest.mark.long)
        for size in SIZES
        for hand in HANDS
    ],
)


def duel(own: tuple[str, ...], **more: Any) -> dict[str, Any]:
    """Ada beside a surprised beast, in the open; the seats of `own` throw real dice."""
    seats: list[dict[str, Any]] = [
        {"name": "Ann", "plays": ["heroes"]},
        {"name": "Ben", "colour": 1, "plays": ["beasts"]},
    ]
    seats = [{**seat, "own_dice": seat["name"] in own} for seat in seats]
    creatures = [
        being("Ada", "heroes", (1, 1), finesse=9, art="warrior"),
        being("Zugg", "beasts", (2, 1), surprised=True, art="goblin"),
    ]
    return {
        "format": "battlemat/1", "ruleset": "olde", "seed": 5, "seats": seats, "creatures": creatures, "commands": [],
        "map": {"rows": ["##########", "#........#", "#........#", "##########"]}, **more,
    }  # fmt: skip


def die(table: Table) -> dict[str, Any]:
    """The die that is asked for; an empty one once the fight goes on."""
    status = table.await_("a die or the fight", lambda s: s["scene"] in ("dice", "fight") and s)
    return status["more"]["die"] or {} if status["scene"] == "dice" else {}


def face(table: Table, hand: Hand, number: int) -> None:
    """Say what the die shows."""
    if isinstance(hand, Keyboard):
        faces = die(table)["faces"]
        hand.type(*str(number), *(["Return"] if number * 10 <= faces else []))
    else:
        hand.press(f"face {number}")


def leave(table: Table, hand: Hand) -> None:
    """Leave a die to the computer."""
    hand.type("t") if isinstance(hand, Keyboard) else hand.press("for me")


def answered(table: Table, hand: Hand, number: int) -> None:
    """Answer dice with a face as long as any is asked for."""
    for _ in range(30):
        wanted = die(table)
        if not wanted:
            return
        before = table.now()["more"]["faces"]
        face(table, hand, min(number, wanted["faces"]))
        table.await_("the answer to be taken", lambda s, b=before: s["scene"] == "fight" or s["more"]["faces"] != b)
    raise AssertionError(f"the dice never end: {die(table)}, {table.now()['more']['faces']}")


@each
def test_faces_are_given_taken_back_left_and_called_off(opened: Opened, hand: str, size: str) -> None:
    table = opened("--size", size, record=duel(("Ann",)))
    hands = HANDS[hand](table)
    book = Book(table, hands)
    answered(table, hands, 4)  # the opening's, if there are any
    before = len(table.fight()["commands"])
    strike(table, hands, book)
    assert die(table)["by"] == "ada"
    shot(table, f"dice-first-{hand}")
    assert "Ada" in words(table.now()) and "Ann" in words(table.now())

    face(table, hands, 3)
    table.await_("one face", lambda s: s["more"]["faces"] == [3])
    shot(table, f"dice-second-{hand}")
    hands.type("BackSpace") if isinstance(hands, Keyboard) else hands.press("take back")
    table.await_("no face", lambda s: s["more"]["faces"] == [])
    if isinstance(hands, Keyboard):
        hands.type("9")
        assert "1 to 6" in words(table.now())
        shot(table, f"dice-wrong-{hand}")

    hands.type("Escape") if isinstance(hands, Keyboard) else hands.press("cancel")
    table.await_("the fight", lambda s: s["scene"] == "fight")
    assert len(table.fight()["commands"]) == before, "called off: nothing has happened"

    strike(table, hands, book)
    face(table, hands, 5)
    leave(table, hands)
    answered(table, hands, 2)
    fight = table.await_("the blow", lambda s: len(s["fight"]["commands"]) == before + 1 and s["fight"])
    throws = fight["table"]["throws"]
    assert 5 in throws and None in throws
    shot(table, f"dice-done-{hand}")
    record = table.saved()
    assert record["throws"] == throws
    closed(table)


def strike(table: Table, hand: Hand, book: Book) -> Action:
    """Begin the blow; the dialog opens."""
    _, plan = book.decision()
    action: Action = next(a for offer in plan.offers for a in offer.actions if a.do == "attack")
    hand.perform(plan, action)
    table.await_("the dialog", lambda s: s["scene"] == "dice")
    return action


@pytest.mark.long
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("hand", list(HANDS))
def test_the_computers_blow_asks_the_defender_and_is_on_its_way(opened: Opened, hand: str, size: str) -> None:
    record = duel(("Ann",))
    record["seats"] = record["seats"][:1]
    for creature in record["creatures"]:
        creature["surprised"] = creature["id"] == "ada"
        creature["controller"] = "human" if creature["id"] == "ada" else "ai"
    table = opened("--size", size, record=record)
    hands = HANDS[hand](table)
    book = Book(table, hands)
    for _ in range(60):
        status = (
            table.await_(
                "a die or a decision", lambda s: s["scene"] == "dice" or (s["scene"] == "fight" and s["fight"]["asked"])
            )
            and table.now()
        )
        if status["scene"] == "dice":
            if status["more"]["die"]["label"] == "defense":
                break
            before = status["more"]["faces"]
            leave(table, hands)
            table.await_("it", lambda s, b=before: s["scene"] == "fight" or s["more"]["faces"] != b)
        else:
            match, plan = book.decision()
            if plan.is_question:
                known = len(match.record.commands)
                hands.perform(plan, plan.offers[0].actions[0])
                table.await_("it", lambda s, n=known: len(s["fight"]["commands"]) > n)
            else:
                book.ends()
    commands = len(table.fight()["commands"])
    shot(table, f"dice-defence-{hand}")
    if isinstance(hands, Keyboard):
        hands.type("Escape")
    else:
        hands.press("cancel")
    assert "on its way" in words(table.now()) and table.now()["scene"] == "dice"
    shot(table, f"dice-refused-{hand}")
    answered(table, hands, 6)
    table.await_("the blow", lambda s: len(s["fight"]["commands"]) > commands)
    closed(table)
