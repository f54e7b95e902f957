"""Keys of doors: locking, unlocking, taking them from the fallen and out of chests (R)."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from game.controllers.ai.advisors import advisor_of
from game.controllers.ai.advisors.planning import Pass
from rules.board.fixtures import Challenge
from rules.board.grid import Field
from tests.rules.olde.creatures import Fight, being

ROWS = ["#######", "#..+..#", "#######"]
AP = [8, 6]


def cellar(state: str = "locked", **more: Any) -> Field:
    """A corridor with a door that the iron key fits."""
    field = Field.from_rows(ROWS)
    door = msgspec.structs.replace(field.doors[0], state=state, key="iron key")
    return msgspec.structs.replace(field, doors=(door,), **more)


def at_the_door(state: str = "locked", keys: tuple[str, ...] = ("iron key",), **more: Any) -> Fight:
    return Fight(
        being("a", (2, 1), keys=keys), being("b", (5, 1), surprised=True), field=cellar(state, **more), throws=AP
    )


def test_who_has_the_key_unlocks_for_one_ap_and_may_act_after_it() -> None:
    fight = at_the_door()
    before = fight.of("a")["ap"]
    fight.do("a", "unlock")
    assert fight.now.doors == ("closed",)
    assert fight.of("a")["ap"] == before - 1
    fight.do("a", "open")
    assert fight.now.doors == ("open",)


def test_a_closed_door_is_locked_and_stays_so_for_who_has_no_key() -> None:
    fight = Fight(
        being("a", (2, 1), keys=("iron key",)), being("b", (4, 1), surprised=True), field=cellar("closed"), throws=AP
    )
    fight.do("a", "lock")
    assert fight.now.doors == ("locked",)
    fight.end("a")
    assert "the door is locked" in fight.refusal("b", "open", target="door 3,1")
    assert "needs the iron key" in fight.refusal("b", "unlock", target="door 3,1")


@pytest.mark.parametrize(
    ("state", "keys", "do", "why"),
    [
        ("locked", (), "unlock", "needs the iron key"),
        ("locked", ("brass key",), "unlock", "needs the iron key"),
        ("closed", ("iron key",), "unlock", "the door is closed"),
        ("locked", ("iron key",), "lock", "the door is locked"),
    ],
)
def test_the_wrong_key_and_the_wrong_door_are_refused(state: str, keys: tuple[str, ...], do: str, why: str) -> None:
    fight = at_the_door(state, keys)
    assert why in fight.refusal("a", do, target="door 3,1")


def test_a_door_without_a_key_has_no_lock_to_turn() -> None:
    field = Field.from_rows(ROWS)
    fight = Fight(being("a", (2, 1), keys=("iron key",)), being("b", (5, 1), surprised=True), field=field, throws=AP)
    assert "no key fits" in fight.refusal("a", "lock", target="door 3,1")
    (decision,) = fight.rules.decisions(fight.now)
    refused = {offer.do: offer.refused for offer in fight.rules.legal(fight.now, decision).offers()}
    assert refused["lock"] == "no closed door beside" and refused["unlock"] == "no locked door beside"
    assert refused["take_key"] == "nobody who lies beside has a key"


def test_who_has_no_key_is_told_so_by_the_buttons() -> None:
    fight = Fight(being("a", (2, 1)), being("b", (5, 1), surprised=True), field=cellar(), throws=AP)
    (decision,) = fight.rules.decisions(fight.now)
    refused = {offer.do: offer.refused for offer in fight.rules.legal(fight.now, decision).offers()}
    assert refused["lock"] == refused["unlock"] == "carries no key"


def test_the_fallen_hold_on_to_no_key() -> None:
    fight = Fight(
        being("a", (1, 1)), being("b", (2, 1), hp=0, keys=("iron key",)), being("c", (5, 1), surprised=True),
        field=cellar(), throws=AP,
    )  # fmt: skip
    fight.do("a", "take_key")
    assert fight.now.figures[0].keys == ("iron key",) and fight.now.figures[1].keys == ()
    assert fight.last("item") == {**fight.last("item"), "by": "a", "item": "iron key", "how": "picked_up"}


def test_who_stands_gives_no_key_away() -> None:
    fight = Fight(being("a", (1, 1)), being("b", (2, 1), surprised=True, keys=("iron key",)), field=cellar(), throws=AP)
    assert "nobody who lies beside has a key" in fight.refusal("a", "take_key")


def test_a_chest_gives_its_key_to_whoever_opens_it() -> None:
    chest = Challenge("box", "chest", (Field.from_rows(ROWS).cell(1, 1),), 3, contents="iron key")
    fight = Fight(
        being("a", (2, 1)), being("b", (5, 1), surprised=True),
        field=cellar(challenges=(chest,)), throws=[8, 6, 5, 5],
    )  # fmt: skip
    fight.do("a", "tackle", item="box", option="Burst")
    assert fight.now.figures[0].keys == ("iron key",)


def test_a_key_is_told_of_in_words() -> None:
    fight = at_the_door()
    step = fight.rules.apply(fight.now, fight.rules.decisions(fight.now)[0], fight._action("a", "unlock", {}))
    assert any("the door is closed" in fight.rules.tell(step.state, event) for event in step.events)


def test_planners_are_told_that_a_key_opens_the_way() -> None:
    fight = at_the_door()
    found = [
        m
        for m in advisor_of(fight.rules).measures(fight.now, fight.rules.decisions(fight.now)[0])
        if m.action.do == "unlock"
    ]
    assert [(type(m), m.chance) for m in found] == [(Pass, 1.0)]
