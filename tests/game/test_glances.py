"""Who looks at a few spaces sees of them what they see anyway (`glance` beside `sees`), on an evening in the abbey."""

from __future__ import annotations

import importlib
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from game.content import adventures
from game.controllers.ai import AiController
from game.fight.match import Match
from rules.contract.actions import pending
from rules.contract.units import Bitboard

STEPS = 150
RULESETS = ("olde", "cairn", "countup")


def evening(ruleset: str, seed: int) -> Match:
    """The abbey's first hours, the computer on both sides."""
    match = Match.from_record(adventures.begun(adventures.adventure("drowned_abbey"), seed, ruleset=ruleset))
    players: dict[str, AiController] = {}
    rules = match.ruleset
    for _ in range(STEPS):
        decision = pending(rules.decisions(match.state))
        if decision is None:
            break
        player = players.setdefault(decision.side, AiController())
        known = rules.observe(match.state, decision.side)
        match.act(decision, player.choose(rules, known, decision, rules.legal(match.state, decision)))
    return match


@pytest.mark.parametrize("ruleset", RULESETS)
def test_a_glance_at_some_spaces_is_the_whole_view_of_them(ruleset: str) -> None:
    """At all moments, of every side: where creatures stand, beside them, at doors and anywhere."""
    match, random = evening(ruleset, 7), Random(7)
    knowledge = importlib.import_module(f"rules.{ruleset}.visibility")
    doors = [door.cell for door in match.field.doors]
    seen = missed = 0
    for moment in match.history.moments[::3]:
        state: Any = moment.state
        stand = [figure.cell for figure in state.figures if figure.cell >= 0]
        spots = [*random.sample(stand, 3), random.choice(doors), random.choice(stand) + random.choice((-1, 1))]
        spots.append(random.randrange(match.field.width * match.field.height))
        for side in ("heroes", "monsters"):
            for cells in ([spots[0]], spots[1:3], spots):
                wanted = Bitboard(sum({1 << cell for cell in cells}))
                nobody_has_looked = replace(state, figures=(*state.figures,))
                found = knowledge.glance(nobody_has_looked, side, wanted)
                assert found == knowledge.sees(state, side) & wanted
                seen, missed = seen + bool(found), missed + (found != wanted)
    assert min(seen, missed) > 20, "both came about"
