"""Looking ahead: a few options are played on, each with the same dice, and held against each other by what comes of it.

What is played on is what the side knows (`ruleset.observe`) with dice of its own, made of the position: the dice to
come in the fight are in nobody's sight, whoever isn't seen takes no part, and the same position gives the same tries
on any machine. The quick mind plays everybody, by the true rules, until each creature has had one more chance; then the
position is worth what `value.py` says. How many tries there are follows from the position alone, never from a clock.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import sqrt
from typing import NamedTuple

import msgspec

from game.controllers import Controller
from game.controllers.ai.advisors import advisor_of
from game.controllers.ai.planner import GRAIN, Plan
from game.controllers.ai.position import Position, number_of
from game.controllers.ai.value import worth
from game.controllers.ai.weights import Level
from rules.contract.actions import CHANCE, Action, Decision, pending
from rules.contract.display import System
from rules.contract.errors import BattlematError
from rules.contract.ruleset import State
from rules.core.dice import nth

EXPLORE = "explore"
"""The kind of decisions before a fight and after it: nothing is looked for there."""
RESOLVE, HALVES = "resolve", 2
"""Where whole sides plan and then act, everybody has had a chance when both have."""
MOST_DECISIONS = 12
"""Decisions for each creature after which a try ends, whatever happens."""
LEAST = 3
"""Tries of an option that tell anything at all."""
LUCK = 0.01
"""The square of what a try differs by from another, for luck alone: few tries that agree are no certainty."""
OFTEN = 1 << 6
"""Seeds of one creature's chances in a try lie so far apart from the next one's."""


class Likely(NamedTuple):
    """A plan that may be the best, with its actions in order."""

    plan: Plan
    actions: tuple[Action, ...]


class Prospect(msgspec.Struct, frozen=True):
    """What came of an option's tries, beside the first option's with the same dice."""

    gain: float = 0.0  # by how much the chance to win is better, on average
    doubt: float = 0.0  # the standard error of that
    tries: int = 0
    better: int = 0  # tries that came out better than the first option's


class Foreseen(NamedTuple):
    """A plan that was played on: `gain` is what that adds to what the quick mind thinks of it."""

    likely: Likely
    prospect: Prospect
    gain: float
    incumbent: bool
    """Whether it is what the quick mind would do; its prospect is told beside the best of the others."""

    @property
    def score(self) -> float:
        return round(self.likely.plan.score + self.gain, GRAIN)


def foreseen(
    position: Position, near: Sequence[Likely], level: Level, mind: Callable[[], Controller]
) -> list[Foreseen]:
    """Some plans, best first by what came of playing them on; the first of `near` is what the quick mind would do.

    What comes out better by luck alone is no reason to do otherwise: of a gain its doubt is taken off.
    """
    w, ruleset = level, position.ruleset
    turns = w.turns.get(ruleset.id, w.turns["others"])
    trials = Trials(ruleset, position.state, position.decision, mind, turns=turns, rounds=w.rounds)
    tries = min(w.tries, turns // trials.chances)
    near = near[: max(2, tries // LEAST)]
    found = halved(trials.play, near, max(2 * LEAST, tries), w.trust)
    gains = [0.0] + [w.trust * (each.gain - w.doubt * each.doubt) for each in found[1:]]
    rival = max(range(1, len(near)), key=lambda i: (near[i].plan.score + gains[i], -i))
    found[0] = found[rival]
    out = [Foreseen(near[i], found[i], gains[i], i == 0) for i in range(len(near))]
    return sorted(out, key=lambda each: -each.score)


def may_fall(position: Position, chance: float) -> bool:
    """Whether a creature of either side may soon be felled by one blow, with some chance at least."""
    advisor, state = position.advisor, position.state
    for piece in position.pieces:
        here = 1 << piece.cell
        if not piece.out and any(
            threat.swing.drop >= chance and (threat.close | threat.later) & here
            for threat in advisor.threats(state, piece.id)
        ):
            return True
    return False


class Trials:
    """The tries of one decision: each option's on the same numbers, every number's dice the same for all.

    The fewest that tell anything go on for some `turns` chances of creatures together, so that large fights are played
    on less far: where whole sides plan, for one side's half of a round.
    """

    def __init__(self, ruleset: System, known: State, decision: Decision, mind: Callable[[], Controller],
                 *, turns: int, rounds: float = 1.0) -> None:  # fmt: skip
        self.ruleset, self.known, self.decision = ruleset, known, decision
        self._mind = mind
        pieces = advisor_of(ruleset).pieces(known)
        standing = [piece.side for piece in pieces if not piece.out]
        wanted, most = max(1, round(rounds * len(standing))), max(1, turns // (2 * LEAST))
        self.chances, self._halves = min(wanted, most), HALVES
        if wanted > most and decision.sealed and advisor_of(ruleset).sealing is not None:
            self.chances, self._halves = max(1, standing.count(decision.side)), 1
        """So many chances of creatures a try goes on for."""
        self._most = MOST_DECISIONS * max(1, len(standing))
        self._number = {piece.id: number for number, piece in enumerate(pieces, 1)}
        self._seed = number_of(decision, pieces)

    def play(self, plan: Likely, number: int) -> float:
        """One try: what the side's chance to win is after it."""
        rules, side = self.ruleset, self.decision.side
        seed, mind = nth(self._seed, number), self._mind()
        state, decision = self._dealt(self.known, seed, self.decision.by, 0), self.decision
        had = {decision.by: 1}
        chances, resolved, rest = 0, 0, list(plan.actions)
        for _ in range(self._most):
            try:
                state = rules.apply(state, decision, self._next(state, decision, rest, mind)).state
            except BattlematError:
                break  # it hung on what the side doesn't know
            resolved += decision.kind == RESOLVE
            following = pending(rules.decisions(state))
            if following is None or following.kind == EXPLORE or resolved == self._halves:
                break
            if following.by != decision.by and following.kind == CHANCE:
                chances += 1
                if chances > self.chances:
                    break
                count = had[following.by] = had.get(following.by, 0) + 1
                state = self._dealt(state, seed, following.by, count)
            decision = following
        return worth(rules, state, side)

    def _next(self, state: State, decision: Decision, rest: list[Action], mind: Controller) -> Action:
        """What is done at a decision: as planned as long as that may be done, then what the quick mind says."""
        rules = self.ruleset
        legal = rules.legal(state, decision)
        if rest:
            if decision.kind == CHANCE and decision.by == self.decision.by:
                action = rest.pop(0)
                if action in legal:
                    return action
                rest.clear()
            elif decision.kind == CHANCE:
                rest.clear()
        known = state if decision.kind == CHANCE else rules.observe(state, decision.side)  # no answer sees its dice
        return mind.choose(rules, known, decision, legal)

    def _dealt(self, state: State, seed: int, who: str, count: int) -> State:
        """The same with the dice that somebody throws in a try from its so manieth chance on."""
        stream = self._number.get(who, 0) * OFTEN + min(count, OFTEN - 1)
        return self.ruleset.reseeded(state, nth(seed, stream))


def halved(
    play: Callable[[Likely, int], float], plans: Sequence[Likely], budget: int, trust: float
) -> list[Prospect]:  # fmt: skip
    """What becomes of some options in so many tries, by sequential halving: those that come out worse get no more.

    The first option always stays, as what the others are held against. `trust` is what a win for certain counts in
    the quick mind's scores.
    """
    found: list[list[float]] = [[] for _ in plans]
    alive = list(range(len(plans)))
    stages = max(1, (len(plans) - 1).bit_length())
    for stage in range(stages):
        each = max(1, budget // (stages * len(alive)))
        for which in alive:
            begun = len(found[which])
            found[which] += [play(plans[which], number) for number in range(begun, begun + each)]
        if stage < stages - 1:
            by_worth = sorted(alive[1:], key=lambda i: -(plans[i].plan.score + trust * _mean(found[i])))
            alive = [0, *sorted(by_worth[: max(1, len(alive) // 2 - 1)])]
    return [_held(found[0], other) for other in found]


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def _held(first: Sequence[float], other: Sequence[float]) -> Prospect:
    """An option's tries beside the first option's, number by number."""
    differences = [theirs - mine for mine, theirs in zip(first, other, strict=False)]
    many = len(differences)
    mean = _mean(differences)
    spread = sum([(each - mean) ** 2 for each in differences])
    return Prospect(mean, sqrt(spread + LUCK) / many, many, sum(each > 0.0 for each in differences))
