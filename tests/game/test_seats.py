"""Seats: who plays whom, what they may know, who throws real dice."""

from __future__ import annotations

from typing import Any

import pytest

from game.fight.seats import Seats
from rules.contract.actions import Decision
from rules.contract.errors import RecordError
from rules.core import record as records
from rules.core.record import HandedModel

ROWS = ["########", "#......#", "#......#", "########"]


def table(**more: Any) -> Seats:
    creatures = [
        {"id": "ada", "side": "heroes", "at": [1, 1], "controller": "human"},
        {"id": "bo", "side": "heroes", "at": [1, 2], "controller": "human"},
        {"id": "cur", "side": "beasts", "at": [5, 1], "controller": "human"},
        {"id": "gob", "side": "monsters", "at": [5, 2], "controller": "ai"},
    ]
    record = {"format": "battlemat/1", "ruleset": "olde", "map": {"rows": ROWS}, "creatures": creatures, **more}
    return Seats(records.read(record))


def seat(name: str, *plays: str, **more: Any) -> dict[str, Any]:
    return {"name": name, "plays": list(plays), **more}


def test_without_seats_one_person_plays_all_humans() -> None:
    seats = table()
    assert not seats.shared
    assert {seats.of(name) for name in ("ada", "bo", "cur")} == {seats.seats[0]}
    assert seats.of("gob") is None
    assert seats.sides(seats.seats[0]) == ("heroes", "beasts")


def test_a_seat_may_play_a_side_or_a_single_creature() -> None:
    seats = table(seats=[seat("Anna", "heroes"), seat("Ben", "bo", "beasts")])
    anna, ben = seats.seats
    assert (seats.of("ada"), seats.of("bo"), seats.of("cur")) == (anna, ben, ben)
    assert seats.sides(anna) == ("heroes",)
    assert seats.sides(ben) == ("heroes", "beasts")


def test_prisoners_are_played_by_whoever_plays_the_heroes_and_tell_them_nothing_before() -> None:
    joss = {"id": "joss", "side": "captives", "at": [3, 1], "controller": "ai", "prisoner": True}
    ada = {"id": "ada", "side": "heroes", "at": [1, 1], "controller": "human"}
    gob = {"id": "gob", "side": "monsters", "at": [5, 2], "controller": "human"}
    seats = table(creatures=[ada, joss, gob], seats=[seat("Anna", "heroes"), seat("Ben", "monsters")])
    anna, ben = seats.seats
    assert seats.of("joss") == anna
    assert (seats.sides(anna), seats.sides(ben)) == (("heroes",), ("monsters",))
    alone = table(creatures=[{**ada, "controller": "ai"}, joss, gob], seats=[seat("Ben", "monsters")])
    assert alone.of("joss") is None, "where the computer plays the heroes it plays them too"


def test_prisoners_are_the_computers_while_all_heroes_are() -> None:
    joss = {"id": "joss", "side": "captives", "at": [3, 1], "controller": "ai", "prisoner": True}
    heroes = [
        {"id": name, "side": "heroes", "at": [1, n], "controller": "human"} for n, name in ((1, "ada"), (2, "bo"))
    ]
    given = [HandedModel(at=0, who=name, to="ai").model_dump() for name in ("ada", "bo")]
    asked = Decision("joss", "heroes", "explore", "?")
    all_given = table(creatures=[*heroes, joss], handed=given)
    assert all_given.answering(asked) is None
    assert table(creatures=[*heroes, joss], handed=given[:1]).answering(asked) is not None
    back = [*given, HandedModel(at=0, who="bo", to="human").model_dump()]
    assert table(creatures=[*heroes, joss], handed=back).answering(asked) is not None


def test_seats_on_one_side_keep_no_secrets_from_each_other() -> None:
    seats = table(seats=[seat("Anna", "ada"), seat("Ben", "bo"), seat("Cem", "beasts")])
    anna, ben, cem = seats.seats
    assert not seats.keeps_secrets(anna, ben)
    assert seats.keeps_secrets(ben, cem)


def test_the_game_masters_questions_go_to_the_seat_that_plays_gm() -> None:
    seats = table(seats=[seat("Anna", "heroes"), seat("Ben", "gm", "beasts")])
    assert seats.answering(Decision("gm", "heroes", "choose", "?")) == seats.seats[1]
    assert table().answering(Decision("gm", "heroes", "choose", "?")) == table().seats[0]


def test_real_dice_are_a_switch_of_each_seat() -> None:
    seats = table(seats=[seat("Anna", "heroes", own_dice=True), seat("Ben", "beasts")])
    assert [seats.throws_own(name) for name in ("ada", "bo", "cur", "gob", "")] == [True, True, False, False, False]


@pytest.mark.parametrize(
    ("seats", "text"),
    [
        ([seat("Anna", "heroes"), seat("Anna", "beasts")], "taken"),
        ([seat("Anna", "dragons")], "neither a side nor a creature"),
        ([seat("", "heroes")], "name"),
        ([seat(str(n)) for n in range(7)], "seats"),
        ([seat("Anna", colour=9)], "colour"),
    ],
)
def test_wrong_seats_are_refused_in_one_line(seats: list[dict[str, Any]], text: str) -> None:
    with pytest.raises(RecordError, match=text) as refused:
        table(seats=seats)
    assert "\n" not in str(refused.value)


def test_a_called_creature_sits_where_its_caller_sits() -> None:
    seats = table(seats=[seat("Ann", "ada"), seat("Bob", "heroes", own_dice=True)])
    assert [seats.of(name).name for name in ("ada", "ada.1", "ada.1.2")] == ["Ann"] * 3  # type: ignore[union-attr]
    assert seats.answering(Decision("ada.1", "heroes", "chance")) == seats.of("ada")
    assert seats.throws_own("ada.1") == seats.throws_own("ada") is False
    assert not seats.throws_own("nobody.1")


def test_a_sides_own_decision_is_the_computers_where_all_of_it_were_given_to_it() -> None:
    record = records.read({
        "format": "battlemat/1", "ruleset": "cairn", "map": {"rows": ["######", "#....#", "######"]}, "commands": [],
        "seats": [{"name": "Ann", "plays": ["heroes"]}, {"name": "Ben", "plays": ["b"]}],
        "creatures": [{"id": name, "side": "heroes", "at": [1, 1], "controller": "human"} for name in "ab"],
    })  # fmt: skip
    seats, plans = Seats(record), Decision(by="heroes", kind="resolve", side="heroes")
    asked = seats.answering(plans)
    assert asked is not None and asked.name == "Ann"
    record.handed.append(HandedModel(at=0, who="a", to="ai"))
    asked = Seats(record).answering(plans)
    assert asked is not None and asked.name == "Ben", "who still plays somebody carries it out"
    record.handed.append(HandedModel(at=0, who="b", to="ai"))
    assert Seats(record).answering(plans) is None
