"""The computer out of a melee: when it runs, when it backs off parrying, when it stays; by temper (countup.md §2.6)."""

from __future__ import annotations

from typing import Any

import pytest

from rules.contract.actions import Action
from tests.rules.countup.creatures import Fight, being
from tests.rules.countup.test_computer_countup import chosen, met, table

SLOW: dict[str, Any] = {"squares": [1, 1, 1, 1]}
FAST = {"squares": [3, 4, 5, 6]}


def facing(foe: dict[str, Any], me: dict[str, Any], *others: dict[str, Any]) -> Fight:
    """`b` beside `a`, both in contact."""
    return met(table(being("a", (5, 3), **foe), being("b", (6, 3), **me), *others))


def away(fight: Fight, action: Action) -> bool:
    """Whether a way leads from `a`."""
    here, there = (fight.now.figures[fight.now.setup.index[who]].cell for who in ("a", "b"))
    terrain = fight.rules.terrain(fight.now)
    return bool(action.path) and terrain.distance(action.path[-1], here) > terrain.distance(there, here)


def test_a_hurt_coward_runs_from_one_who_is_slower() -> None:
    fight = facing({"damage": -4, **SLOW}, {"hp": 12})
    flight = chosen(fight, "b", "coward")
    assert flight.do == "flee" and away(fight, flight)


def test_it_runs_from_a_foe_who_has_another_beside_him_and_can_do_nothing_about_it() -> None:
    fight = facing({"damage": 9, "attack": 2}, {"hp": 6}, being("c", (5, 4)))
    assert chosen(fight, "b", "coward").do == "flee"
    alone = facing({"damage": 9, "attack": 2}, {"hp": 6})
    assert chosen(alone, "b", "coward").do != "flee"


def test_before_one_who_is_faster_it_backs_off_and_parries() -> None:
    fight = facing(FAST, {"hp": 12})
    step = chosen(fight, "b", "coward")
    assert step.do == "walk" and away(fight, step)
    fight.now = fight.rules.apply(fight.now, fight._decision("b"), step).state
    assert chosen(fight, "b", "coward").do == "full_parry"


@pytest.mark.parametrize("pace", [SLOW, FAST])
def test_who_is_unhurt_neither_runs_nor_backs_off(pace: dict[str, Any]) -> None:
    assert chosen(facing({"damage": -4, **pace}, {}), "b", "coward").do == "attack"


@pytest.mark.parametrize("temper", ["brute", "cunning"])
def test_other_tempers_do_not_give_a_fight_up(temper: str) -> None:
    assert chosen(facing({"damage": -4, **SLOW}, {"hp": 12}), "b", temper).do not in ("flee", "walk")


def answered(temper: str, hp: int) -> str:
    """What one with sixty hit points answers to a longsword's blow."""
    strong: dict[str, Any] = {"hp_max": 60, "hp": hp, "attack": 2, "damage": -2, "weapons": ["halberd"]}
    fight = table(being("a", (5, 3), attack=4, damage=6), being("b", (6, 3), **strong))
    fight.hold("b", seconds=30)
    fight.do("a", "attack", target="b")
    return chosen(fight, "b", temper).option or ""


def test_a_brute_stands_firm_until_it_is_badly_hurt() -> None:
    assert answered("brute", 60) == "stand"
    assert answered("brute", 12) == "yield"
    assert answered("cunning", 60) == "yield", "for five points of defence, who weighs everything alike"
