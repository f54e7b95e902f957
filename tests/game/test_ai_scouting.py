"""The computer explores without an expedition: it finds its foe and strikes, under every ruleset and on every map."""

from __future__ import annotations

from typing import Any

import pytest

from game.content import encounter
from game.controllers.ai import AiController
from game.fight.match import Match
from rules.contract.actions import Action

RULESETS = ("olde", "cairn", "countup")
MANY = 1500


def exploration(ruleset: str, map: str, seed: int) -> Match:
    record: dict[str, Any] = encounter.surprise(map, None, seed, ruleset=ruleset)
    record["options"] = {**record.get("options", {}), "explore": True}
    return Match.from_record(record)


def play(match: Match, decisions: int, *, until: str = "") -> list[Action]:
    """What was done until the end, or until the first decision of a kind."""
    computer, done = AiController(), list[Action]()
    for _ in range(decisions):
        decision = match.decision
        if decision is None or decision.kind == until:
            break
        seen = match.observe(decision.side)
        done.append(computer.choose(match.ruleset, seen, decision, match.legal(decision)))
        match.act(decision, done[-1])
    return done


@pytest.mark.parametrize("map", sorted(path.stem for path in encounter.single_maps()))
@pytest.mark.parametrize("ruleset", RULESETS)
def test_an_exploration_between_computers_comes_to_a_fight_and_to_an_end(ruleset: str, map: str) -> None:
    for seed in (1, 2):
        match = exploration(ruleset, map, seed)
        play(match, MANY)
        assert match.decision is None, (seed, "goes on")


HEROES = {"olde": "warrior", "cairn": "freya", "countup": "bram"}


@pytest.mark.parametrize("ruleset", RULESETS)
def test_heroes_who_see_no_foe_go_to_look_for_it(ruleset: str) -> None:
    record: dict[str, Any] = encounter.make_encounter("crypt", [HEROES[ruleset]], ["skeleton"], 7, ruleset=ruleset)
    record["creatures"][0]["at"], record["creatures"][1]["at"] = [17, 21], [27, 19]
    record["options"] = {"explore": True}
    match = Match.from_record(record)
    assert match.decision is not None and match.decision.kind == "explore"
    assert any(action.path for action in play(match, 8))
