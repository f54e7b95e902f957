"""The smallest ruleset brings no advisor, and is played all the same: by the computer, in the window, in forecasts."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest

from game.content import tables as content
from game.controllers.ai import AiController, RandomController
from game.controllers.ai.advisors import ADVISORS, advisor_of
from game.controllers.ai.advisors.default import DefaultAdvisor
from game.fight.match import Match
from game.forecast import simulate
from rules.contract.actions import Action, pending
from rules.core import record as records
from rules.core.registry import RULESETS, ruleset
from tests.game.player import Player, cell_of, commands, fight_of

FILE = Path(__file__).parents[1] / "rules" / "example_ruleset.py"
ROWS = ["##########", "#........#", "#...#....#", "#...#....#", "#........#", "##########"]


@pytest.fixture(autouse=True)
def example(monkeypatch: pytest.MonkeyPatch) -> None:
    """The line in the registry and the folder of content that docs/rulesets.md asks for."""
    monkeypatch.setitem(RULESETS, "example", "tests.rules.example_ruleset:Example")
    monkeypatch.setitem(content.FOLDERS, "example", FILE.parent / "example_content")


def document(ann: tuple[int, int] = (1, 1), imp: tuple[int, int] = (8, 4), **more: Any) -> dict[str, Any]:
    return {
        "format": "battlemat/1", "ruleset": "example", "map": {"rows": ROWS}, "seed": 3,
        "creatures": [
            {"id": "ann", "side": "heroes", "at": list(ann), "template": "ann", "controller": "human"},
            {"id": "imp", "side": "monsters", "at": list(imp), "template": "imp"},
        ],
        **more,
    }  # fmt: skip


def played(match: Match, **sides: Any) -> str:
    """Who wins where these play for the sides."""
    rules = match.ruleset
    while (decision := pending(rules.decisions(match.state))) is not None:
        known = rules.observe(match.state, decision.side)
        legal = rules.legal(match.state, decision)
        match.act(decision, sides[decision.side].choose(rules, known, decision, legal))
    return str(rules.board(match.state).over)


def test_it_is_as_small_as_its_page_says_and_has_no_advisor_of_its_own() -> None:
    assert len(FILE.read_text(encoding="utf-8").splitlines()) < 200
    assert "example" not in ADVISORS
    assert isinstance(advisor_of(ruleset("example")), DefaultAdvisor)


def test_the_computer_walks_up_to_its_foe_and_strikes() -> None:
    match = Match.from_record(document(ann=(1, 1), imp=(4, 1)))
    decision, rules, mind = match.decision, match.ruleset, AiController()
    assert decision is not None
    walk = mind.choose(rules, match.state, decision, rules.legal(match.state, decision))
    match.act(decision, walk)
    blow = mind.choose(rules, match.state, decision, rules.legal(match.state, decision))
    assert (walk.do, blow) == ("move", Action("ann", "attack", target="imp"))


def test_the_computer_can_say_why() -> None:
    match = Match.from_record(document(ann=(3, 1), imp=(4, 1)))
    assert match.decision is not None
    legal = match.ruleset.legal(match.state, match.decision)
    best = AiController().explain(match.ruleset, match.state, match.decision, legal).best[0]
    assert best.score == pytest.approx(sum(value for _, value in best.reasons), abs=1e-6)
    assert "50% to hit Imp, 0.5 damage on average" in dict(best.reasons)


def test_the_computer_beats_chance() -> None:
    """Ann has 4 stamina and the imp 2: Ann is given to chance."""
    wins = [
        played(Match.from_record(document(seed=seed)), heroes=RandomController(seed), monsters=AiController())
        for seed in range(12)
    ]
    assert wins.count("monsters") >= 9


def test_two_computers_meet_in_the_fog_and_come_to_an_end() -> None:
    match = Match.from_record(document(options={"fog": True}))
    assert played(match, heroes=AiController(), monsters=AiController()) in ("heroes", "monsters")
    assert ruleset("example").summary(match.state)["round"] < 60


def test_forecasts_are_played_under_it() -> None:
    found = simulate(records.read(document()), 12, seed=5)
    wins = {side.side: side.wins.share for side in found.sides}
    assert sum(wins.values()) == pytest.approx(1.0) and wins["heroes"] > 0.5, "four stamina against two"


def test_the_window_plays_it(player: Player) -> None:
    fight = fight_of(player, document(ann=(1, 1), imp=(3, 1)))
    assert fight.plan is not None and [offer.do for offer in fight.plan.offers] == ["move", "attack", "end"]
    player.press("End")
    deadline = time.monotonic() + 60
    while len(commands(fight)) < 3 and time.monotonic() < deadline:  # the computer thinks beside the window
        player.turn()
    assert [command["by"] for command in commands(fight)][:3] == ["ann", "imp", "imp"], "the computer answers"
    assert cell_of(fight, "imp") != fight.match.field.cell(3, 1)
