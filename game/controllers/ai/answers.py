"""Answers to questions that the rules put inside an action: by the position that each answer leads to."""

from __future__ import annotations

from game.controllers.ai.table import Table
from game.controllers.ai.temper import Temper
from game.controllers.ai.thinking import Option, Reason
from rules.actions import Action, Decision
from rules.errors import BattlematError
from rules.ruleset import LegalActions, Ruleset, State

LYING = 0.3
UNARMED = 0.5


def answer(
    ruleset: Ruleset, state: State, decision: Decision, legal: LegalActions, temper: Temper
) -> list[Option]:
    """The answers, best for the side first; ties in the order of the rules."""
    options = []
    for action in legal:
        reasons = _judge(ruleset, state, decision, action, temper)
        label = (action.option or action.do).replace("_", " ")
        options.append(Option(action, sum(v for _, v in reasons), tuple(reasons), (action,), -1, label))
    return [options[i] for i in sorted(range(len(options)), key=lambda i: (-options[i].score, i))]


def _judge(
    ruleset: Ruleset, state: State, decision: Decision, action: Action, temper: Temper
) -> list[Reason]:
    odds = ruleset.odds(state, action)
    if odds is not None and action.target is not None:
        foe = next((m for m in ruleset.board(state).miniatures if m.id == action.target), None)
        if foe is not None:
            share = min(1.0, odds.mean / max(1, foe.health.value))
            return [("expected effect", temper.damage * share + temper.finish * odds.drop)]
    try:
        after = ruleset.apply(state, decision, action).state
    except (BattlematError, RuntimeError):
        return [("left to the dice", -0.4)]
    return [("how both sides stand afterwards", balance(ruleset, after, decision, temper))]


def balance(ruleset: Ruleset, state: State, decision: Decision, temper: Temper) -> float:
    """What a side has, less what the others have: hit points, feet to stand on, blows to strike."""
    table = Table(ruleset, state, decision, temper)
    total = 0.0
    for mini in (*table.friends, *((table.me,) if table.me else ()), *table.foes):
        sign = 1.0 if mini.side == decision.side else -1.0
        value = mini.health.value / max(1, mini.health.maximum)
        if mini.posture != "standing":
            value -= LYING
        value += UNARMED * _armed(table, mini.id, mini.side)
        total += sign * value * table.worth(mini.id)
    return total


def _armed(table: Table, creature: str, side: str) -> float:
    """How hard somebody could hit an adversary, in parts of that adversary's hit points."""
    mini = table.everyone[creature]
    best = 0.0
    for other in table.everyone.values():
        if other.side == side or other.out or other.cell < 0:
            continue
        for cell, _ in table.terrain.neighbours(other.cell)[:1]:
            strike = table.strike(mini.id, other.id, cell, other.cell)
            if strike is not None:
                best = max(best, min(1.0, strike.mean / max(1, other.health.value)))
    return best
