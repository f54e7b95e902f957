"""Who starts on a gallery, a tower or a bank comes down by its stairs or ladder, under every ruleset and no option."""

from __future__ import annotations

from pathlib import Path

import pytest

from game import paths
from game.controllers.ai import AiController
from game.fight.match import Match
from rules.contract.actions import Action, Decision
from rules.core import record as records

WHO = {"olde": ("warrior", "orc"), "cairn": ("freya", "boar"), "countup": ("hale", "orc")}
ABOVE = {"tavern": ([15, 18], [5, 4]), "old_sluice": ([5, 9], [21, 3]), "ruined_bridge": ([4, 8], [25, 3])}
"""Where a hero stands, and somebody above whom no step leads to."""


def _waits(match: Match, decision: Decision) -> Action:
    actions = list(match.legal(decision))
    return next((each for each in actions if (each.do, each.option) == ("hold", "10")), actions[-1])


@pytest.mark.parametrize("map", ABOVE)
@pytest.mark.parametrize("ruleset", WHO)
def test_it_comes_down_to_who_waits_below(ruleset: str, map: str) -> None:
    hero, foe = WHO[ruleset]
    below, above = ABOVE[map]
    creatures = [
        {"id": "h", "template": hero, "side": "heroes", "at": below, "controller": "human"},
        {"id": "m", "template": foe, "side": "monsters", "at": above, "controller": "ai"},
    ]
    raw = {"format": "battlemat/1", "ruleset": ruleset, "map": {"tmx": f"{map}.tmx"}, "seed": 5, "creatures": creatures}
    match = Match.from_record(records.read({**raw, "options": {}, "commands": []}), beside=Path(paths.shipped_maps()))
    levels, computer = match.field.levels, AiController()
    cells = {each.id: each.cell for each in match.board().miniatures}
    assert levels[cells["m"]] == levels[cells["h"]] + 1
    for _ in range(400):
        decision = match.decision
        assert decision is not None, "it came no nearer than a shot"
        known, legal = match.observe(decision.side), match.legal(decision)
        ours = decision.side == "heroes"
        match.act(decision, _waits(match, decision) if ours else computer.choose(match.ruleset, known, decision, legal))
        cells = {each.id: each.cell for each in match.board().miniatures}
        if match.field.terrain().distance(cells["m"], cells["h"]) == 1:
            return
    pytest.fail("it never came")
