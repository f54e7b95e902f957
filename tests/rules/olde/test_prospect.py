"""What a planner asks in bulk agrees with what single actions say: legality, odds, costs."""

from __future__ import annotations

from random import Random
from typing import Any

import msgspec
import pytest

from game.controllers.ai.advisors import advisor_of
from game.controllers.ai.advisors.planning import Pass
from rules.board.bitboard import cells_of
from rules.board.grid import Field
from rules.contract.units import EMPTY
from tests.game.ai_table import RULES, fight, piece, turn_to
from tests.rules.olde.creatures import Fight, being

GROUND = """
##############
#.....#......#
#..~~.+..~...#
#.....#..~...#
###.#####.####
#.........~..#
#....#.......#
##############
"""
HEROES = ("warrior", "ranger", "rogue", "priest")
FOES = ("orc", "goblin", "goblin_archer", "wolf", "skeleton", "ogre")


def _position(number: int) -> Any:
    """Bands drawn by a number, standing anywhere; somebody is at the beginning of its chance."""
    random = Random(number)
    field = Field.from_rows(GROUND.split())
    room = field.terrain().steps(2).fit
    cells = [c for c in cells_of(room) if c % 2 and c // field.width % 2]
    random.shuffle(cells)
    names = [*random.sample(HEROES, 2), *random.sample(FOES, 3)]
    pieces = [
        piece(name, field.at(cells[i]), "heroes" if i < 2 else "monsters", f"p{i}") for i, name in enumerate(names)
    ]
    state = fight(field, *pieces, seed=number)
    return turn_to(state, f"p{random.randrange(5)}", random.randrange(1, 6))


def _asked(state: Any) -> tuple[Any, Any, str]:
    decision = RULES.decisions(state)[0]
    return decision, RULES.legal(state, decision), decision.by


@pytest.mark.parametrize("number", range(12))
def test_ways_end_exactly_where_movements_do(number):
    state = _position(number)
    _, legal, me = _asked(state)
    ways = advisor_of(RULES).outlook(state, me).ways
    for do in ("free_steps", "step", "run"):
        alone = EMPTY
        for way in ways:
            if way.do == (do,):
                alone |= way.cells
        singles = set(legal.moves(do))
        assert set(cells_of(alone)) <= singles
        if not state.figures[state.setup.index[me]].free:
            assert set(cells_of(alone)) == singles


@pytest.mark.parametrize("number", range(12))
def test_every_route_can_be_walked_and_costs_what_its_way_says(number):
    state = _position(number)
    decision, _, me = _asked(state)
    who = state.setup.index[me]
    for way in advisor_of(RULES).outlook(state, me).ways:
        for cell in cells_of(way.cells)[::3]:
            moves = advisor_of(RULES).route(state, me, way, cell)
            now, asked = state, decision
            for move in moves:
                assert RULES.legal(now, asked).refusal(move) is None, (way.do, move)
                now = RULES.apply(now, asked, move).state
                asked = RULES.decisions(now)[0]
            if moves:
                assert now.figures[who].cell == cell
                spent = state.figures[who].ap - now.figures[who].ap
                assert spent <= way.points + 1, "free steps may have to stop one space early"


@pytest.mark.parametrize("number", range(12))
def test_swings_are_legal_where_they_are_offered_and_have_the_odds_of_the_attack(number):
    state = _position(number)
    decision, _, me = _asked(state)
    who = state.setup.index[me]
    seen = 0
    for target in advisor_of(RULES).targets(state, me, state.terrain.everywhere):
        for vantage in target.vantages:
            for cell in cells_of(vantage.cells)[:: max(1, vantage.cells.bit_count() // 4)]:
                if not state.terrain.fits(cell, state.setup.fighters[who].space):
                    continue
                there = msgspec.structs.replace(
                    state,
                    figures=tuple(
                        msgspec.structs.replace(f, cell=cell) if i == who else f for i, f in enumerate(state.figures)
                    ),
                )
                for swing in vantage.swings:
                    if swing.points > state.figures[who].ap:
                        continue
                    action = advisor_of(RULES).outlook(state, me).end
                    action = msgspec.structs.replace(action, do=swing.do, target=target.id, weapon=swing.weapon)
                    assert RULES.legal(there, decision).refusal(action) is None, (swing, cell)
                    odds = RULES.odds(there, action)
                    assert odds is not None
                    assert odds.mean == pytest.approx(swing.mean)
                    assert odds.drop == pytest.approx(swing.drop)
                    assert odds.stun == pytest.approx(swing.stun)
                    seen += 1
    assert seen or state.figures[who].ap < 1 or not advisor_of(RULES).targets(state, me, state.terrain.everywhere)


@pytest.mark.parametrize("number", range(12))
def test_who_can_strike_in_its_next_chance_is_told_as_a_menace_there(number):
    """Whoever could strike from where it stands is among the threats, with that space."""
    state = _position(number)
    _, _, me = _asked(state)
    here = state.figures[state.setup.index[me]].cell
    footprint = state.terrain.footprint(here, state.setup.fighters[state.setup.index[me]].space)
    told = {menace.by: menace for menace in advisor_of(RULES).threats(state, me)}
    for piece_ in advisor_of(RULES).pieces(state):
        if piece_.side == state.setup.fighters[state.setup.index[me]].side or piece_.points < 2:
            continue
        fresh = turn_to(state, piece_.id, piece_.points)
        for target in advisor_of(RULES).targets(fresh, piece_.id, 1 << piece_.cell):
            if target.id == me and target.vantages:
                assert told[piece_.id].now & footprint


@pytest.mark.parametrize("number", range(12))
def test_measures_are_legal_and_cost_what_they_say(number):
    state = _position(number)
    decision, legal, _ = _asked(state)
    for measure in advisor_of(RULES).measures(state, decision):
        assert legal.refusal(measure.action) is None, measure
        assert measure.points == RULES.describe(state, measure.action).points
        assert 0.0 <= measure.chance <= 1.0


def test_a_leap_is_offered_where_walking_round_takes_long():
    field = Field.from_rows(["##########", "#... ....#", "#... ....#", "#### #####", "##########"])
    state = fight(field, piece("warrior", (3, 1), "heroes"), piece("orc", (7, 2), "monsters"))
    state = turn_to(state, "warrior", 3)
    found = advisor_of(RULES).measures(state, RULES.decisions(state)[0])
    leap = next(m for m in found if isinstance(m, Pass) and m.cell >= 0)
    assert leap.action.do == "leap" and 0.0 < leap.chance < 1.0 and leap.risk < 1.0 - leap.chance


def test_every_way_that_is_offered_can_be_walked_also_out_of_hard_ground() -> None:
    """One free step carries nowhere where all ground about is hard: then it is not counted in."""
    rows = ["#########", "#~~~~~~~#", "#~~~~~~~#", "#~~~~~~~#", "#########"]
    fight = Fight(being("a", (4, 2), size="small"), being("b", (7, 3), surprised=True), rows=rows, throws=[8, 8])
    context = advisor_of(fight.rules).outlook(fight.now, "a")
    assert context.ways and all(way.do[0] != "free_steps" for way in context.ways)
    (decision,) = fight.rules.decisions(fight.now)
    legal = fight.rules.legal(fight.now, decision)
    for way in context.ways:
        for cell in cells_of(way.cells):
            actions = advisor_of(fight.rules).route(fight.now, "a", way, cell)
            assert actions and actions[0] in legal
