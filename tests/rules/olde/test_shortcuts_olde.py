"""What is remembered or skipped for speed gives what the plain rule gives."""

from __future__ import annotations

import random
from typing import Any

import pytest

from game.fight.match import Match
from rules.board.grid import Field
from rules.contract.actions import Action
from rules.core.fixtures import leaps
from rules.olde.actions.kind import Context
from rules.olde.actions.movement import Leap
from rules.olde.actions.table import ACTION_KINDS, ChanceActions
from rules.olde.combat.weapons import PLAIN, usable, wielded
from rules.olde.ruleset import Olde
from rules.olde.state import Resolution
from tests.rules.olde.creatures import Fight, being
from tests.rules.olde.test_random_fights import record, wanderings

BLOWS = ("attack", "rushed_attack", "all_out_attack", "aimed_shot")


def positions(seed: int):
    """Positions of a random fight in which somebody has its chance, each with its legal actions."""
    match = Match.from_record(record(seed, seed))
    for _, legal, _ in wanderings(match, random.Random(seed), 60):
        if isinstance(legal, ChanceActions):
            yield match.state, legal


@pytest.mark.parametrize("seed", range(6))
def test_deeds_that_a_chance_has_closed_would_have_offered_nothing(seed):
    for state, legal in positions(seed):
        context = Context(state, state.chance)
        asked = [action for deed in ACTION_KINDS.values() for action in deed.instances(context)]
        assert list(legal) == asked


@pytest.mark.parametrize("seed", range(6))
def test_blows_listed_are_exactly_those_not_refused(seed):
    for state, legal in positions(seed):
        context = legal.context
        listed = [action for action in legal if action.do in BLOWS]
        wanted = [
            action
            for do in BLOWS
            for fighter in state.setup.fighters
            for name in wielded(context)
            if (action := Action(context.fighter.id, do, target=fighter.id, weapon=name)) in legal
        ]
        assert listed == wanted


@pytest.mark.parametrize("seed", range(6))
def test_leaps_listed_are_all_that_no_walk_replaces(seed):
    leap = ACTION_KINDS["leap"]
    assert isinstance(leap, Leap)
    for _, legal in positions(seed):
        context = legal.context
        if leap.why_not(context):
            continue
        tried = [
            Action(context.fighter.id, "leap", at=goal) for goal in leaps._goals(context.terrain, context.figure.cell)
        ]
        goals = [action.at for action in tried if leap.why_not_this(context, action) is None]
        assert [action.at for action in leap.instances(context)] == goals


@pytest.mark.parametrize("seed", range(4))
def test_paths_listed_cost_what_their_steps_cost(seed):
    for _, legal in positions(seed):
        context = legal.context
        for action in legal:
            if action.path:
                at, total = context.figure.cell, 0
                for cell in action.path:
                    total += dict(context.terrain.neighbours(at, context.fighter.space))[cell]
                    at = cell
                kind: Any = ACTION_KINDS[action.do]
                assert kind.spaces(context, action.path) == total
                assert total <= kind.budget(context)


@pytest.mark.parametrize("seed", range(4))
def test_an_action_that_touches_nothing_leaves_the_state_as_it_is(seed):
    for state, _ in positions(seed):
        resolution = Resolution(state)
        assert resolution.done() == state
        assert (resolution.turn, resolution.floor, resolution.doors) == (state.turn, state.floor, state.doors)
        assert resolution.done() == state


def test_dice_once_thrown_are_gone_from_the_state():
    fight = Fight(being("a"), being("b", at=(3, 1)))
    resolution = Resolution(fight.now)
    resolution.dice.throw(8)
    assert resolution.done().rng != fight.now.rng


def test_what_a_hand_reaches_is_remembered_by_what_is_in_it():
    fight = Fight(being("a", weapons=["broadsword", "hunting bow"]), being("b", at=(3, 1)))
    context = Context(fight.now, fight.now.chance)
    name = context.fighter.id
    before = usable(context, PLAIN)
    held = {name for name, _ in before.weapons}
    fight.do(name, "ready", items=("hunting bow",) if "hunting bow" in context.figure.pack else ())
    after = usable(Context(fight.now, fight.now.chance), PLAIN)
    assert {name for name, _ in after.weapons} != held
    assert usable(context, PLAIN) == before


def test_doors_beside_are_found_again_after_others_have_opened():
    rows = ["#######", "#..+..#", "#.....#", "#..+..#", "#######"]
    fight = Fight(being("a", at=(2, 1)), being("b", at=(5, 3)), field=Field.from_rows(rows))
    rules, state = Olde(), fight.now
    for _ in range(4):
        (decision,) = rules.decisions(state)
        legal = rules.legal(state, decision)
        assert isinstance(legal, ChanceActions)
        context = legal.context
        beside = [
            door.id
            for door in state.setup.field.doors
            if state.terrain.distance(context.figure.cell, door.cell, context.fighter.space) == 1
        ]
        offered = [action.target for action in legal if action.do in ("open", "close")]
        assert set(offered) <= set(beside)
        doors = [action for action in legal if action.do == "open"]
        state = rules.apply(state, decision, doors[0] if doors else Action(decision.by, "end")).state


def test_what_one_ruleset_remembers_no_other_sees():
    fight, other = Fight(being("a"), being("b", at=(2, 1))), Olde()
    list(fight.rules.legal(fight.now, fight.rules.decisions(fight.now)[0]))
    assert fight.now.setup.memory is fight.rules.memory
    assert fight.rules.memory.table("usable") and not other.memory.table("usable")
