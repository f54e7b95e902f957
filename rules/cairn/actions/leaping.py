"""Leaping over a gap, with the option `hurdles` (cairn.md §2.14 Gaps)."""

from __future__ import annotations

from collections.abc import Iterator

from rules.cairn import trials
from rules.cairn.actions.context import CairnKind, Context, Phase, save_odds
from rules.cairn.movement import leap
from rules.cairn.state import Resolution
from rules.contract.actions import Action
from rules.contract.ruleset import Odds
from rules.contract.text import text
from rules.contract.units import CreatureIx
from rules.core.action_kinds import Face
from rules.core.fixtures import leaps


class Leap(CairnKind):
    """Over one or two spaces in a straight line, by a DEX save. It takes the action."""

    do = "leap"
    face = Face("Leap", "Move", "action", "space", "leap", "shift+8", "over 1 or 2 spaces, by a DEX save")
    phase = Phase.RISK
    rank = 2

    def why_not(self, context: Context) -> str | None:
        if reason := context.action_open() or (None if context.budget else "cannot move"):
            return reason
        if context.being.space > 1:
            return "too large to leap"
        return "stand up first" if context.standing_cost() else None

    def why_not_this(self, context: Context, action: Action) -> str | None:
        goal = action.at
        reason = leaps.why_not_onto(context.terrain, context.stand, goal)
        if reason or goal is None:
            return reason
        foes, allies = context.crowd()
        if (foes | allies) >> goal & 1:
            return text("at: {space} is taken", context.name(goal))
        return leaps.why_barred(context.terrain.field, context.stand, goal, foes)

    def candidates(self, context: Context) -> Iterator[Action]:
        for goal in leaps.over_gaps(context.terrain, context.stand):
            yield Action(context.being.id, self.do, at=goal)

    def odds(self, context: Context, action: Action) -> Odds | None:
        over = leaps.gap(context.terrain.field, context.stand, action.at) if action.at is not None else None
        if over is None:
            return None
        terms = trials.terms_of(context.state, context.figure, self.do, leaps.DIFFICULTY[len(over)])
        told = trials.note(terms, "failed: one falls in, or lies at the edge of what has no floor")
        return save_odds(terms.chance, ("across", "falls short"), terms.dice, told)

    def resolve(self, resolution: Resolution, who: CreatureIx, action: Action) -> None:
        """If one got to the edge, and is able to."""
        context = Context(resolution.done(), who)
        goal, here = action.at, context.figure.cell
        if goal is None or not context.budget or context.figure.prone:
            return
        if leaps.why_no_ground(context.terrain, here, goal) is None:
            leap(resolution, who, goal, leaps.gap(context.terrain.field, here, goal) or ())


LEAP = Leap()
