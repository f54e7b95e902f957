"""Anything legal may be done among obstacles: nothing breaks, odds add up, and who is in the water swims or lies."""

from __future__ import annotations

from random import Random

import pytest

from game.controllers.ai.advisors import advisor_of
from rules.core import record as records
from rules.core.ground import field_of
from rules.olde import Olde
from rules.olde.challenges.state import in_water
from tests.game.ai_table import doable
from tests.rules.olde.creatures import GEAR, being

ROWS = [
    "##############",
    "#............#",
    "#............#",
    "#............#",
    "#............#",
    "#.....########",
    "#............#",
    "##############",
]
CHALLENGES = [
    {"id": "pool", "kind": "water", "at": [[x, y] for x in (3, 4) for y in (1, 2, 3, 4)], "difficulty": 9},
    {"id": "wall", "kind": "climb", "at": [[7, y] for y in (1, 2, 3)], "height": 0},
    {"id": "ledge", "kind": "climb", "edges": [[[9, y], [10, y]] for y in (1, 2, 3, 4)], "height": 2},
    {"id": "stones", "kind": "rubble", "at": [[7, 4], [2, 6], [3, 6]], "difficulty": 6},
    {"id": "bars", "kind": "portcullis", "at": [[6, 6]], "difficulty": 6},
    {"id": "pit", "kind": "trap", "at": [[5, 5]], "damage": "d6"},
]  # fmt: skip
WANTED = ("swim", "climb", "tackle", "force", "leap", "rise", "close")


def begun(seed):
    creatures = [
        being("a", (2, 2)), being("aa", (5, 3), side="heroes", armor="chainmail", skills={"Swim": "Master"}),
        being("ab", (1, 3), side="heroes", space=2), being("b", (6, 2)), being("bb", (8, 3), side="monsters"),
        being("bc", (9, 2), side="monsters", traits=[{"name": "flyer"}]), being("bd", (1, 6), side="monsters"),
    ]  # fmt: skip
    document = {
        "format": "battlemat/1", "ruleset": "olde", "seed": seed, "map": {"rows": ROWS, "challenges": CHALLENGES},
        "options": {"fog": bool(seed % 2)}, "creatures": creatures,
    }  # fmt: skip
    record = records.read(document)
    return Olde().start(records.scenario(record, field_of(record.map), lambda name: {}, GEAR)).state


def held(state):
    """Who is in the water swims or lies in it, and nobody swims ashore."""
    for fighter, figure in zip(state.setup.fighters, state.figures, strict=True):
        if figure.cell >= 0 and figure.hp > 0:
            wet = in_water(state.setup, fighter, figure)
            assert figure.posture in ("swimming", "prone") if wet else figure.posture != "swimming"
            assert wet or state.terrain.fits(figure.cell, fighter.space) or fighter.traits.listed


@pytest.mark.parametrize("seed", range(6))
def test_whatever_is_legal_works_out(seed):
    rules, random, state = Olde(), Random(seed), begun(seed)
    done = set()
    for count in range(160):
        open_now = rules.decisions(state)
        if not open_now:
            break
        legal = rules.legal(state, open_now[0])
        actions = list(legal)
        wanted = [action for action in actions if action.do in WANTED]
        action = random.choice(wanted if wanted and random.random() < 0.8 else actions)
        if count % 5 == 0:
            for each in random.sample(actions, min(5, len(actions))):
                assert each in legal
                odds = rules.odds(state, each)
                assert odds is None or sum(p for _, p in odds.outcomes) == pytest.approx(1.0)
                assert odds is None or all(p >= 0.0 for _, p in odds.outcomes)
            known = rules.observe(state, open_now[0].side)
            assert all(doable(known, open_now[0], each) for each in advisor_of(rules).measures(known, open_now[0]))
        done.add(action.do)
        step = rules.apply(state, open_now[0], action)
        assert all(isinstance(rules.tell(step.state, event), str) for event in step.events)
        state = step.state
        held(state)
    assert done & {"swim", "climb", "tackle", "force"}
