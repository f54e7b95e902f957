"""Remembered ground: what was seen stays known, and taking back a move takes back what it showed."""

from __future__ import annotations

from typing import Any

import pytest

from game.fight.history import Knowledge
from game.fight.match import Match
from rules.contract.actions import Action

ROWS = ["###########", *["#...#.....#"] * 4, "#.........#", "###########"]
ADA: dict[str, Any] = {
    "id": "ada",
    "side": "heroes",
    "at": [1, 4],
    "controller": "human",
    "brawn": 8,
    "finesse": 8,
    "savvy": 6,
    "nerve": 6,
    "weapons": ["broadsword"],
}
BO = {**ADA, "id": "bo", "side": "monsters", "at": [9, 1], "surprised": True}
RECORD = {"format": "battlemat/1", "ruleset": "olde", "map": {"rows": ROWS}, "seed": 3, "creatures": [ADA, BO]}


def test_ground_once_seen_is_remembered_and_taken_back_with_the_move() -> None:
    match = Match.from_record(RECORD)
    cell = match.field.cell
    knowledge, states = Knowledge(match.ruleset), [match.state]
    first = knowledge.sight("heroes", states)
    assert first.now == first.ever
    assert not first.ever >> cell(9, 1) & 1
    decision = match.decision
    assert decision is not None
    match.act(decision, Action("ada", "free_steps", path=(cell(2, 5), cell(3, 5))))
    states.append(match.state)
    second = knowledge.sight("heroes", states)
    assert second.now >> cell(9, 5) & 1
    assert second.ever == first.ever | second.now
    match.act(decision, Action("ada", "step", path=(cell(4, 5), cell(5, 5), cell(6, 5))))
    states.append(match.state)
    third = knowledge.sight("heroes", states)
    assert third.ever >> cell(3, 1) & 1
    assert not third.now >> cell(3, 1) & 1
    assert knowledge.sight("heroes", states[:1]) == first


def test_a_seat_on_two_sides_knows_what_both_know() -> None:
    match = Match.from_record(RECORD)
    knowledge = Knowledge(match.ruleset)
    both = knowledge.shared(("heroes", "monsters"), [match.state])
    assert both.now == knowledge.sight("heroes", [match.state]).now | knowledge.sight("monsters", [match.state]).now


def test_looking_back_forgets_nothing_of_what_came_after(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who moves the scrubber to and fro asks the rules once for each moment."""
    match = Match.from_record(RECORD)
    decision = match.decision
    assert decision is not None
    match.act(decision, Action("ada", "free_steps", path=(match.field.cell(2, 5), match.field.cell(3, 5))))
    states = [moment.state for moment in match.history.moments]
    knowledge = Knowledge(match.ruleset)
    last = knowledge.sight("heroes", states)
    first = knowledge.sight("heroes", states[:1])
    monkeypatch.setattr(type(match.ruleset), "sees", None)
    assert knowledge.sight("heroes", states) == last and knowledge.sight("heroes", states[:1]) == first
