"""The computer's manoeuvres: for each a position where it is clearly right, and one where it is clearly wrong."""

from __future__ import annotations

from typing import Any

import pytest

from game.controllers.ai import AiController
from rules.actions import Action
from tests.rules.countup.table import Fight, being, changed

LANE = ["#" * 40, *["#" + "." * 38 + "#"] * 5, "#" * 40]
PLATE = {"armour": "plate mail", "reduction": 20}
"""Nothing comes through it."""


def table(*creatures: dict[str, Any], rows: Any = LANE) -> Fight:
    return Fight(*creatures, throws=[*[1] * len(creatures), *[None] * 400], rows=rows)


def met(fight: Fight) -> Fight:
    """After a second in which everybody waits: who stands beside somebody is in contact."""
    for who in list(fight.waiting):
        fight.hold(who, seconds=1)
    return fight


def chosen(fight: Fight, by: str, temperament: str = "cunning") -> Action:
    """What the computer does there."""
    rules = fight.rules
    decision = next(d for d in rules.decisions(fight.now) if d.by == by)
    known = rules.observe(fight.now, decision.side)
    return AiController(temperament).choose(rules, known, decision, rules.legal(fight.now, decision))


def manner(fight: Fight, by: str = "a", temperament: str = "cunning") -> str:
    action = chosen(fight, by, temperament)
    return (action.option or action.do) if action.do == "attack" else action.do


# -- aggressive, jab ------------------------------------------------------------------------------------


def test_aggressive_at_one_who_is_hard_to_hit_and_harmless() -> None:
    harmless = being("b", (2, 1), defence=8, damage=-15)
    assert manner(met(table(being("a", (1, 1)), harmless))) == "aggressive"


def test_not_aggressive_among_three_that_kill() -> None:
    foes = [being(f"b{n}", at, damage=12, attack=8) for n, at in enumerate([(3, 2), (2, 3), (1, 2)])]
    assert manner(met(table(being("a", (2, 2), hp_max=20), *foes))) != "aggressive"


def test_quick_jabs_at_one_whom_any_wound_fells_among_his_copies() -> None:
    fight = met(table(being("a", (1, 1), attack=15, weapons=["dagger"]), being("b", (2, 1), hp=1)))
    assert manner(changed(fight, "b", images=3)) == "jab"


def test_no_jab_at_one_who_stands_many_wounds() -> None:
    assert manner(met(table(being("a", (1, 1)), being("b", (2, 1), hp_max=90)))) != "jab"


# -- parries --------------------------------------------------------------------------------------------


def test_a_full_parry_where_one_can_do_nothing_and_much_is_done_to_one() -> None:
    foe = being("b", (2, 1), damage=12, attack=5, **PLATE)
    assert manner(met(table(being("a", (1, 1), hp_max=20), foe))) == "full_parry"


def test_no_full_parry_before_one_who_is_nearly_done() -> None:
    foe = being("b", (2, 1), hp=2, defence=-4)
    assert manner(met(table(being("a", (1, 1)), foe))) not in ("full_parry", "defensive 4")


def test_defensively_where_blows_hit_anyway_and_the_foes_are_deadly() -> None:
    """Ten more to attack than the foe can defend: what a defensive fight takes is nothing, what it gives is much."""
    foe = being("b", (2, 1), damage=14, attack=2, defence=-14, hp_max=200)
    assert manner(met(table(being("a", (1, 1), attack=6, hp_max=25), foe))).startswith("defensive")


def test_not_defensively_against_the_harmless() -> None:
    foe = being("b", (2, 1), damage=-20)
    assert not manner(met(table(being("a", (1, 1)), foe))).startswith("defensive")


# -- charges --------------------------------------------------------------------------------------------


def test_a_charge_along_a_straight_way() -> None:
    fight = table(being("a", (1, 1), weapons=["mace"]), being("b", (8, 1), weapons=["dagger"]))
    fight.hold("b", seconds=9)
    run = chosen(fight, "a", "brute")
    assert (run.do, len(run.path)) == ("run", 6)
    step = fight.rules.apply(fight.now, fight._decision("a"), run)
    fight.now = step.state
    assert manner(fight, "a", "brute") == "charge"


@pytest.mark.parametrize("at", [(4, 1), (8, 4)])
def test_no_charge_from_too_near_or_round_a_corner(at: tuple[int, int]) -> None:
    fight = table(being("a", (1, 1)), being("b", at, weapons=["dagger"]))
    action = chosen(fight, "a", "brute")
    assert not (action.do == "run" and fight.rules.legal(fight.now, fight._decision("a")) is None)
    fight.hold("b", seconds=9)
    fight.now = fight.rules.apply(fight.now, fight._decision("a"), action).state
    if "a" in fight.waiting:
        assert manner(fight, "a", "brute") != "charge"


def test_no_charge_into_a_weapon_that_is_set() -> None:
    fight = table(being("a", (1, 1)), being("b", (8, 1), weapons=["spear"]))
    assert chosen(fight, "a", "brute").do == "run"
    changed(fight, "b", stance="set", set_since=-4, until=1 << 30)
    assert chosen(fight, "a", "brute").do != "run"


# -- reach ----------------------------------------------------------------------------------------------


def test_a_spear_is_set_against_one_who_comes_running_from_afar() -> None:
    fight = table(being("a", (1, 1), weapons=["spear"]), being("b", (20, 1)))
    changed(fight, "b", gait="run", moved=fight.second, heading=6, straight=60)
    assert chosen(fight, "a").do == "set"


@pytest.mark.parametrize(("at", "gait"), [((20, 1), ""), ((6, 1), "run")])
def test_a_spear_is_not_set_against_one_who_stands_or_is_there_sooner(at: tuple[int, int], gait: str) -> None:
    fight = table(being("a", (1, 1), weapons=["spear"]), being("b", at))
    if gait:
        changed(fight, "b", gait=gait, moved=fight.second, heading=6)
    assert chosen(fight, "a").do != "set"


def test_a_foe_at_the_point_is_held_at_bay() -> None:
    fight = met(
        table(being("a", (1, 1), weapons=["spear"]), being("b", (4, 1), weapons=["dagger"], damage=6))
    )
    action = chosen(fight, "a")
    assert (action.do, action.option) == ("hold_at_bay", "jab")


def test_a_foe_who_is_held_already_is_simply_struck() -> None:
    fight = met(table(being("a", (1, 1), weapons=["spear"]), being("b", (4, 1), weapons=["dagger"])))
    changed(fight, "b", held_by=0)
    assert chosen(fight, "a").do == "attack"


def test_a_helpless_foe_at_the_point_is_struck_with_all_there_is() -> None:
    fight = met(table(being("a", (1, 1), weapons=["spear"]), being("b", (4, 1), weapons=["dagger"])))
    changed(fight, "b", helpless=40)
    assert chosen(fight, "a").do == "attack"


def test_who_is_held_at_bay_knocks_the_weapon_aside() -> None:
    fight = met(table(being("a", (1, 1), weapons=["spear"]), being("b", (3, 1), weapons=["dagger"])))
    changed(fight, "b", held_by=0)
    assert chosen(fight, "b").do == "knock_aside"
    changed(fight, "b", held_by=-1)
    assert chosen(fight, "b").do != "knock_aside"


# -- ground, flight, face -------------------------------------------------------------------------------


def struck_at(a: dict[str, Any], b: dict[str, Any]) -> str:
    """What `b` answers to `a`'s blow."""
    fight = table(being("a", (5, 3), **a), being("b", (6, 3), **b))
    fight.hold("b", seconds=30)
    fight.do("a", "attack", target="b")
    action = chosen(fight, "b")
    assert action.do == "choose"
    return action.option or ""


def test_ground_is_given_to_a_blow_that_may_kill() -> None:
    assert struck_at({"damage": 9, "attack": 2}, {"hp_max": 12}) == "yield"


def test_no_ground_is_given_to_a_blow_that_does_nothing() -> None:
    assert struck_at({}, PLATE) == "stand"


def fleeing(a: dict[str, Any], b: dict[str, Any]) -> str:
    """What `b` answers to `a`'s flight."""
    fight = met(table(being("a", (5, 3), **a), being("b", (6, 3), **b)))
    fight.hold("b", seconds=5)
    fight.do("a", "flee", path=[(4, 3), (3, 3), (2, 3), (1, 3)])
    return chosen(fight, "b").option or ""


def test_a_free_blow_at_the_fleeing_or_at_his_heels_where_it_does_nothing() -> None:
    assert fleeing({"hp_max": 9}, {"damage": 4}) == "strike"
    assert fleeing(PLATE, {}) == "follow"


def test_one_turns_round_to_those_behind_before_anything_else() -> None:
    foes = [being(f"b{n}", at, damage=9, attack=5) for n, at in enumerate([(1, 1), (1, 2), (1, 3)])]
    fight = met(table(being("a", (2, 2), facing=2, hp_max=25, weapons=["longbow"]), *foes))
    turn = chosen(fight, "a")
    assert (turn.do, turn.option) == ("turn", "6")
    changed(fight, "a", facing=6)
    assert chosen(fight, "a").do != "turn"
