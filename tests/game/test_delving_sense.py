"""What the computer keeps from on an expedition: foes that nobody can fell, waiting for nothing, loot that is none."""

from __future__ import annotations

from typing import Any

import pytest

from game.controllers.ai.advisors import advisor_of
from game.controllers.ai.controller import _as_far
from game.controllers.ai.delving import aims, steps
from game.controllers.ai.delving.delve import Delve
from game.controllers.ai.delving.memory import Aim, Memory
from game.controllers.ai.delving.view import View, exploring_of, outdoes
from game.controllers.ai.factors import load_weights
from game.party.table import Table
from rules.board.path import UNREACHABLE
from rules.contract.units import Bitboard, Cell
from tests.game.test_delving_care import change, next_of, party
from tests.rules.explore.expedition import RULESETS, Expedition, creature

WEIGHTS = load_weights().delving
HALL = ["#" * 26, *["#" + "." * 24 + "#"] * 3, "#" * 26]
BULK = {"armor": 3, "hp_max": 20, "strength": 18, "detachment": True}
"""What blows of one's own do next to nothing to."""


def hall(*others: dict[str, Any], ruleset: str = "cairn", **more: Any) -> Expedition:
    heroes = [creature(ruleset, "h0", (2, 2)), creature(ruleset, "h1", (2, 1))]
    return Expedition(ruleset, [*heroes, *others], HALL, **more)


def sleeper(name: str, column: int, **more: Any) -> dict[str, Any]:
    return creature("cairn", name, (column, 2), asleep=True, **more)


def view_of(table: Expedition, memory: Memory | None = None, who: str = "h0") -> View:
    """The view of somebody who has seen all of the map."""
    now, memory = exploring_of(table.now), memory or Memory()
    assert now is not None
    seen = memory.seen = table.rules.terrain(table.now).everywhere
    board = table.rules.board(table.now)
    return View(Table(table.rules, table.now, board, seen, (table.decision(who),)), who, now, memory, WEIGHTS)


def words(table: Expedition, turns: int) -> set[str]:
    """What the computer has the heroes do while it explores."""
    for _ in range(6 * turns):
        if table.exploring:
            table.think(table.rules.decisions(table.now)[0])
    return {command.do for command in table.record.commands}


# -- foes -----------------------------------------------------------------------------------------------------


def test_who_takes_long_to_fell_counts_for_more_than_it_is_worth() -> None:
    table = hall(sleeper("gob", 10), sleeper("bulk", 20, **BULK))
    advisor = advisor_of(table.rules)
    assert advisor.endures(table.now, "gob") < WEIGHTS.endures < advisor.endures(table.now, "bulk") / 2
    view = view_of(table)
    gob, bulk = (view.table.minis[name] for name in ("gob", "bulk"))
    assert view.might([gob]) == view.power([gob]) and view.might([bulk]) > 2 * view.power([bulk])


@pytest.mark.parametrize("ruleset", ["olde", "countup"])
def test_where_nothing_tells_how_long_it_takes_all_count_as_what_they_are_worth(ruleset: str) -> None:
    table = hall(creature(ruleset, "gob", (10, 2), asleep=True), ruleset=ruleset)
    view = view_of(table)
    gob = view.table.minis["gob"]
    assert advisor_of(table.rules).endures(table.now, "gob") == 0.0 and view.might([gob]) == view.power([gob])


@pytest.mark.parametrize("mighty", [True, False])
def test_who_is_asleep_and_too_strong_is_left_alone(mighty: bool) -> None:
    table = hall(sleeper("gob", 8, **(BULK if mighty else {})))
    assert ("ambush" in words(table, 4)) is not mighty


@pytest.mark.parametrize("ruleset", RULESETS)
def test_the_mother_of_the_mere_is_left_asleep_under_all_rules(ruleset: str) -> None:
    mother = creature(ruleset, "mother", (8, 1), template="mere_mother", asleep=True)
    heroes = [creature(ruleset, f"h{number}", (2, 1 + number)) for number in range(3)]
    table = Expedition(ruleset, [*heroes, mother], HALL)
    view = view_of(table)
    lying = view.table.minis["mother"]
    assert view.might([lying], WEIGHTS.asleep) > view.power(view.party)
    assert "ambush" not in words(table, 3)


def test_who_outdoes_the_best_of_a_party_by_far_counts_for_several() -> None:
    assert outdoes(1.4, 1.0, WEIGHTS) == 1.0 and outdoes(2.0, 1.0, WEIGHTS) == 8.0


@pytest.mark.parametrize("mighty", [True, False])
def test_in_a_fight_nobody_wakes_who_is_too_strong(mighty: bool) -> None:
    """Its friend has been noticed, and is fought; the sleeper beside them lies in reach."""
    table = hall(sleeper("bulk", 4, **(BULK if mighty else {"hp_max": 4})), creature("cairn", "gob", (12, 2)))
    if table.exploring:
        table.do("h0", "shout")
    for _ in range(150):
        found = table.rules.decisions(table.now)
        if not found or table.exploring:
            break
        open_one = next((each for each in found if not each.answered), found[-1])
        table.think(open_one)
    struck = {c.target for c in table.record.commands if c.do in ("attack", "daring", "manoeuvre")}
    assert ("bulk" in struck) is not mighty and ("gob" in struck or not mighty)


def test_nothing_near_those_who_are_far_too_strong_is_worth_it() -> None:
    table, memory = hall(sleeper("gob", 20)), Memory()
    there = Cell(table.field.cell(20, 2))
    memory.feared["gob"] = there, 0.5
    assert not view_of(table, memory).dread and not view_of(table, memory).shunned
    memory.feared["gob"] = there, 50.0
    view = view_of(table, memory)
    assert view.dread >> there & 1 and view.shunned >> there & 1
    assert view.dread.bit_count() > view.shunned.bit_count()


@pytest.mark.parametrize("home", [True, False])
def test_past_those_who_are_feared_one_goes_only_where_no_other_way_leads_home(home: bool) -> None:
    """Its ground lies across the whole hall, wider than a turn's way."""
    table, memory = hall(exits=[[24, 2]]), Memory()
    memory.feared["gob"] = Cell(table.field.cell(9, 2)), 50.0
    if home:
        memory.go_home("late")
    view = view_of(table, memory)
    there = view.land(view.exits, anyhow=True)
    assert view.land(view.exits).cost(view.me.cell) == UNREACHABLE
    step = steps._step(view, there, there.cost(view.me.cell))
    assert (step is not None) is home


def test_whoever_stood_against_the_party_in_a_fight_is_feared_until_it_falls() -> None:
    table, delve = hall(creature("cairn", "gob", (8, 2))), Delve(WEIGHTS)
    assert not table.exploring
    delve.fights(table.rules, table.now, "heroes")
    assert delve.memory.feared["gob"][0] == table.field.cell(*(table.at("gob") or (0, 0)))
    change(table, "gob", dead=True)
    delve.fights(table.rules, table.now, "heroes")
    assert "gob" not in delve.memory.feared


# -- time -----------------------------------------------------------------------------------------------------


def test_where_nobody_does_anything_nobody_waits() -> None:
    table, delve = hall(), Delve(WEIGHTS)
    table.wait(3)
    view = view_of(table, delve.memory)
    delve.memory.stirred = view.now.minute - 1
    assert not delve._stands_still(view)
    delve.memory.stirred = view.now.minute - 2
    assert delve._stands_still(view)


def test_kinds_of_bodies_that_had_nothing_are_not_turned_over_again() -> None:
    table, delve = hall(creature("cairn", "gob", (4, 2)), creature("cairn", "far", (5, 3))), Delve(WEIGHTS)
    for name in ("gob", "far"):
        change(table, name, dead=True)
    view = view_of(table, delve.memory)
    assert {aim.key for aim in aims.aims_of(view)} >= {("body", "gob"), ("body", "far")}
    delve.memory.looted = view.now.minute
    delve._turned_over(view, "gob")
    assert not delve.memory.empty
    delve.memory.looted = view.now.minute - 5
    delve._turned_over(view, "gob")
    assert not [aim for aim in aims.aims_of(view) if aim.key[0] == "body"]


def test_who_knows_no_way_home_tries_again_what_was_given_up() -> None:
    table, delve = hall(exits=[[1, 2]]), Delve(WEIGHTS)
    delve.memory.go_home("late")
    view = view_of(table, delve.memory)
    delve.memory.give_up(("out",), Bitboard(view.exits))
    delve._choose(view)
    assert delve.memory.pursuit.aim is not None and delve.memory.pursuit.aim.key == ("out",)


@pytest.mark.parametrize("bearer", ["h0", "h1"])
def test_who_has_the_key_is_let_up_to_the_door(bearer: str) -> None:
    table = hall()
    change(table, bearer, keys=("brass key",))
    view = view_of(table)
    spot = Bitboard(1 << view.me.cell)
    aim = Aim("a door to which there is a key", ("door", "oak", "brass key"), spot, words=("unlock",), target="oak")
    found = [action for _, action in steps._makes_room(view, aim)]
    assert bool(found) is (bearer == "h1") and all(not spot >> action.path[-1] & 1 for action in found)


@pytest.mark.parametrize(("column", "waits"), [(2, True), (20, False)], ids=["behind", "ahead"])
def test_the_first_waits_for_those_behind_and_for_nobody_who_made_way(column: int, waits: bool) -> None:
    heroes = [creature("cairn", "h0", (12, 2)), creature("cairn", "h1", (column, 2))]
    table = Expedition("cairn", heroes, HALL)
    view = view_of(table)
    view.memory.pursuit.goal = Cell(table.field.cell(24, 2))
    assert steps._waits(view) is waits


def test_where_a_door_has_fallen_shut_unseen_one_goes_as_far_as_the_way_is_open() -> None:
    table = hall()
    legal = table.rules.legal(table.now, table.decision("h0"))
    open_way = table.action("h0", "walk", path=[(3, 2), (4, 2)])
    assert _as_far(open_way, legal) == open_way
    into_the_wall = table.action("h0", "walk", path=[(3, 3), (4, 4), (5, 3)])
    assert _as_far(into_the_wall, legal) == table.action("h0", "walk", path=[(3, 3)])
    assert _as_far(table.action("h0", "walk", path=[(2, 4)]), legal) is None


# -- things ---------------------------------------------------------------------------------------------------


def test_what_is_drunk_is_kept_for_the_badly_hurt() -> None:
    for strength, wanted in ((8, False), (4, True)):
        table = party(items=["sword", "healing salve"])
        change(table, "h1", hp=1, str_now=strength, str_max=10, hp_max=4)
        assert (("use", "healing salve", "h1") in next_of(table, "h0")) is wanted


@pytest.mark.parametrize("full", [True, False])
def test_a_full_pack_takes_no_loot(full: bool) -> None:
    dead = creature("cairn", "gob", (10, 2), items=["spear", "rope"])
    table = Expedition("cairn", [creature("cairn", "h0", (9, 2), items=["sword"]), {**dead, "asleep": True}])
    change(table, "gob", dead=True)
    if full:
        change(table, "h0", fatigue=7)
    assert ("loot" in words(table, 3)) is not full
