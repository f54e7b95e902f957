"""Skirmishers keep away: with somebody beside them they step back before they shoot."""

from __future__ import annotations

from game.content import tables as content
from game.controllers.ai.advisors import advisor_of
from game.controllers.ai.controller import AiController
from rules.board.grid import Field
from rules.contract.ruleset import Scenario
from rules.olde import Olde

OPEN = ["." * 24] * 12


def test_a_skirmisher_steps_back_from_who_stands_beside_it_and_shoots() -> None:
    entries = []
    for template, side, at in (("goblin_skirmisher", "monsters", [12, 6]), ("warrior", "heroes", [11, 6])):
        block = {k: v for k, v in content.template("olde", template).items() if k != "template"}
        entries.append({**block, "id": side[0], "side": side, "at": at, "controller": "ai"})
    entries[0]["ready"] = ["sling"]
    rules, field = Olde(), Field.from_rows(OPEN)
    step = rules.start(Scenario("olde", field, tuple(entries), 1, (8, 2), {}, content.tables("olde")))
    state, mind, deeds = rules.reseeded(step.state, 1), AiController(), []
    while (decision := rules.decisions(state)[0]).by == "m":
        action = mind.choose(rules, state, decision, rules.legal(state, decision))
        deeds.append(action.do)
        state = rules.apply(state, decision, action).state
    me, foe = (piece.cell for piece in advisor_of(rules).pieces(state))
    assert state.terrain.distance(me, foe) >= 3
    assert deeds[0] in ("free_steps", "step", "run")
    assert {"attack", "aimed_shot", "rushed_attack"} & set(deeds)
