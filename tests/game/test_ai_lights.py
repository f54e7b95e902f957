"""Scouting, the computer lights what has burnt out: in the dark, with something to light it anew, unless it shows."""

from __future__ import annotations

from typing import Any

import msgspec

from game.controllers.ai.controller import AiController
from rules.board.grid import Field
from rules.contract.actions import Action
from tests.rules.olde.exploring import ROWS, Exploration, hero, watcher

GUARD = {"at": (18, 4), "surprised": True}


def table(*heroes: dict[str, Any], guard: dict[str, Any] | None = None, ambient: str = "dark") -> Exploration:
    """In the hall to the right, dark or not, somebody who looks nowhere."""
    field = msgspec.structs.replace(Field.from_rows(ROWS), ambient=ambient)
    return Exploration(*heroes, watcher(**(guard or GUARD)), throws=[], field=field, darkness=True)


def after(there: Exploration, minutes: int, *who: str) -> Exploration:
    for _ in range(minutes):
        for name in who:
            there.do(name, "end")
    return there


def chosen(there: Exploration, by: str = "a") -> Action:
    decision = there.decision(by)
    return AiController().choose(there.rules, there.now, decision, there.rules.legal(there.now, decision))


def test_a_torch_that_has_burnt_out_is_lit_anew() -> None:
    there = after(table(hero(light=3, lamp="torch")), 45, "a")
    assert chosen(there).do == "light"
    there.do("a", "light")
    assert chosen(there).do != "light"


def test_with_nothing_to_light_it_anew_one_goes_on_in_the_dark() -> None:
    there = after(table(hero(light=3, lamp="torch", spares=0)), 45, "a")
    assert chosen(there).do in ("sneak", "walk")


def test_by_daylight_and_beside_a_friends_light_nobody_wastes_a_torch() -> None:
    assert chosen(after(table(hero(light=3, lamp="torch"), ambient="bright"), 45, "a")).do != "light"
    friend = hero("b", (1, 2), light=3, lamp="lantern")
    assert chosen(after(table(hero(light=3, lamp="torch"), friend), 45, "a", "b")).do != "light"


def test_who_would_be_seen_by_it_stays_in_the_dark_until_it_has_taken_long_enough() -> None:
    there = table(hero(at=(5, 4), light=3, lamp="torch"), guard={"at": (17, 2)})
    there.do("a", "douse")
    there.do("a", "walk", path=[[6, 4], [7, 4], [8, 4]])
    assert there.minute == 2
    assert there.odds("a", "light").hit == 0.0
    assert chosen(there).do != "light"
    after(there, 39, "a")
    assert chosen(there).do == "light"
