"""Explorations at random: whatever is listed is legal and can be done, windows are answered, it comes to an end."""

from __future__ import annotations

import random
from typing import Any

import pytest

from game.content import tables as content
from game.controllers.ai.advisors import advisor_of
from game.fight.match import Match
from rules.contract.actions import pending
from rules.contract.events import Began
from rules.contract.text import as_builtins
from rules.olde import Olde

ROWS = [
    "####################",
    "#.....#......~~....#",
    "#.....#......~~....#",
    "#.....+............#",
    "#..................#",
    "#######......#######",
    "####################",
]
CHALLENGES = [
    {"id": "pit", "kind": "trap", "at": [[8, 3]], "difficulty": 9, "damage": "d6"},
    {"id": "iron chest", "kind": "chest", "at": [[2, 4]], "difficulty": 6, "contents": "a ring"},
    {"id": "niche", "kind": "secret_door", "at": [[12, 5]], "difficulty": 9},
]


def begun(seed: int, **more: Any) -> Match:
    """Four heroes of the content, a watcher, a sleeper and somebody in hiding."""
    heroes = list(content.heroes("olde"))
    creatures: list[dict[str, Any]] = [
        {"id": f"h{n}", "side": "heroes", "at": [1 + n, 1 + n % 2], "template": heroes[(seed + n) % len(heroes)]}
        for n in range(4)
    ]
    for name, at, says in (
        ("goblin", [17, 1], {"savvy": 1, "surprised": True}),
        ("orc", [17, 4], {"asleep": True, "savvy": 1}),
        ("bandit", [9, 5], {"hidden": True}),
    ):
        creatures.append({"id": name, "side": "monsters", "at": at, "template": name, **says})
    return Match.from_record(
        {
            "format": "battlemat/1", "ruleset": "olde", "seed": seed, "creatures": creatures,
            "map": {"rows": ROWS, "challenges": CHALLENGES, "exits": [[1, 1], [1, 2], [1, 3], [1, 4]]},
            "options": {"explore": True, **more},
        }
    )  # fmt: skip


@pytest.mark.parametrize("seed", range(6))
def test_whatever_is_offered_can_be_done(seed: int) -> None:
    match, rules, dice = begun(seed, fog=seed % 2 == 0), Olde(), random.Random(seed)
    for number in range(120):
        state = match.state
        decision = pending(rules.decisions(state))
        if decision is None or decision.kind != "explore":
            break
        decision = dice.choice(rules.decisions(state))
        legal = rules.legal(state, decision)
        listed = list(legal)
        assert len(set(listed)) == len(listed)
        assert listed[-1].do == "end"
        tried = [a for a in listed if a.do not in ("ambush", "shout", "leave")]
        for action in dice.sample(tried, min(6, len(tried))):
            assert legal.refusal(action) is None
            odds = rules.odds(state, action)
            if odds is not None:
                assert sum(p for _, p in odds.outcomes) == pytest.approx(1.0)
                assert all(0.0 <= p <= 1.0 + 1e-9 for _, p in odds.along)
            assert rules.describe(state, action).label
        if number % 5 == 0:
            for offer in legal.offers():
                assert bool(offer.actions) != bool(offer.refused), offer.do
            board = rules.board(rules.observe(state, "heroes"))
            assert board.banner and board.watched is not None
            for mini in board.miniatures:
                assert rules.sheet(state, mini.id).bars
            for measure in advisor_of(rules).measures(state, decision):
                assert measure.action in legal
        for event in match.act(decision, dice.choice(tried)):
            assert "\n" not in rules.tell(match.state, event)
    assert match.history.length


@pytest.mark.parametrize("seed", range(3))
def test_a_record_of_it_replays_to_the_same_state(seed: int) -> None:
    match, rules, dice = begun(seed), Olde(), random.Random(seed)
    for _ in range(40):
        decision = pending(rules.decisions(match.state))
        if decision is None or decision.kind != "explore":
            break
        tried = [a for a in rules.legal(match.state, decision) if a.do not in ("ambush", "shout", "leave")]
        match.act(decision, dice.choice(tried))
    again = Match.from_record(match.record.model_copy(deep=True))
    assert as_builtins(dict(rules.summary(again.state))) == as_builtins(dict(rules.summary(match.state)))


def test_it_begins_with_an_exploration_and_the_fight_is_told_to_begin() -> None:
    match = begun(1)
    assert [e.what for e in match.events if isinstance(e, Began)][0] == "exploration"
    decision = match.decision
    assert decision is not None
    shout = next(a for a in match.legal(decision) if a.do == "shout")
    assert "fight" in [e.what for e in match.act(decision, shout) if isinstance(e, Began)]
