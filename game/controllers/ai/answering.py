"""Answers to what a fight asks between chances: whether to yield, to strike back, to give ground."""

from __future__ import annotations

from collections.abc import Sequence

from game.controllers.ai.advisors import advisor_of
from game.controllers.ai.advisors.planning import Piece
from game.controllers.ai.factors import load_weights
from game.controllers.ai.thinking import Option, Reason
from game.controllers.ai.weights import AnswersWeights, Temper
from rules.contract.actions import Action, Decision
from rules.contract.display import System
from rules.contract.errors import BattlematError
from rules.contract.ruleset import LegalActions, State
from rules.contract.units import EMPTY, NOWHERE


def answer(
    ruleset: System, state: State, decision: Decision, legal: LegalActions, temper: Temper,
    *, weights: AnswersWeights | None = None,
) -> list[Option]:  # fmt: skip
    """The answers, best for the side first; ties in the order of the rules."""
    weights = weights or load_weights().answers
    options = []
    for action in legal:
        reasons = _judge(ruleset, state, decision, action, temper, weights=weights)
        label = (action.option or action.do).replace("_", " ")
        options.append(
            Option(action, sum(v for _, v in reasons), tuple(reasons), plan=(action,), cell=NOWHERE, label=label)
        )
    return [options[i] for i in sorted(range(len(options)), key=lambda i: (-options[i].score, i))]


def _judge(
    ruleset: System, state: State, decision: Decision, action: Action, temper: Temper, *, weights: AnswersWeights
) -> list[Reason]:
    odds = ruleset.odds(state, action)
    if odds is not None and action.target is not None:
        foe = next((p for p in advisor_of(ruleset).pieces(state) if p.id == action.target), None)
        if foe is not None:
            share = min(1.0, odds.mean / max(1, foe.health))
            return [("expected effect", temper.damage * share + temper.finish * odds.drop)]
    if odds is not None:
        benefit, cost = advisor_of(ruleset).promise(state, action)
        if benefit or cost or not odds.damage:  # dice to come are counted in
            promise = [("what the answer promises", benefit)]
            return promise + [("what it may cost oneself", -temper.dread * cost)] * bool(cost)
    try:
        after = ruleset.apply(state, decision, action).state
    except (BattlematError, RuntimeError):
        return [("left to the dice", -weights.dice)]
    return [("how both sides stand afterwards", balance(ruleset, after, decision, weights))]


def balance(ruleset: System, state: State, decision: Decision, weights: AnswersWeights) -> float:
    """What a side has, less what the others have: hit points, feet to stand on, blows to strike."""
    pieces = [piece for piece in advisor_of(ruleset).pieces(state) if not piece.dead]
    total = 0.0
    for piece in pieces:
        value = piece.health / piece.most
        if not piece.out:
            value += weights.unarmed * _armed(ruleset, state, piece, pieces)
            value -= 0.0 if piece.ready else weights.lying
        total += (value if piece.side == decision.side else -value) * piece.value
    return total


def _armed(ruleset: System, state: State, piece: Piece, others: Sequence[Piece]) -> float:
    """How hard somebody could hit an adversary, in parts of that adversary's hit points."""
    health = {other.id: other.health for other in others}
    known = [(t.best.mean, health[t.id]) for t in advisor_of(ruleset).targets(state, piece.id, EMPTY) if t.id in health]
    return max((min(1.0, mean / max(1, most)) for mean, most in known), default=0.0)
