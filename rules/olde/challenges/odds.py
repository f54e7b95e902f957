"""Exact odds of what a check with a skill decides (olde.md §3)."""

from __future__ import annotations

from typing import NamedTuple

import msgspec

from rules.contract.actions import Adjustment
from rules.contract.ruleset import Odds
from rules.contract.text import text
from rules.core import odds as dist
from rules.core.dice import notation
from rules.olde.actions.context import Context
from rules.olde.challenges import criticals
from rules.olde.challenges.attempts import help_of
from rules.olde.challenges.checks import skill_terms
from rules.olde.combat.chances import TWICE
from rules.olde.state import Setup

Outcomes = tuple[tuple[str, float], ...]


class Terms(NamedTuple):
    """What a check is thrown with: rank of its two dice, adjustments, advantage (+1) or disadvantage (−1)."""

    rank: int
    adjustments: tuple[Adjustment, ...]
    advantage: int = 0

    @property
    def plus(self) -> int:
        return sum(a.value for a in self.adjustments)

    def chance(self, rating: int) -> float:
        """That the check reaches a rating."""
        return dist.chance_at_least(2, self.rank, rating - self.plus, True, self.advantage)

    def no_mishap(self, rating: int) -> float:
        """That the check fails by one rank at most."""
        return self.chance(rating - 2)

    def odds(self, rating: int, outcomes: Outcomes, note: tuple[str, str]) -> Odds:
        """The card of a check against a rating; the first outcome is success."""
        return Odds(
            hit=outcomes[0][1],
            outcomes=outcomes,
            damage=(),
            mean=0.0,
            drop=0.0,
            adjustments=self.adjustments,
            attack_dice=notation(2, self.rank, True) + TWICE[self.advantage],
            defense_dice=text("CR {rating}", rating=rating),
            notes=(note,),
        )

    def with_criticals(self, setup: Setup, rating: int, odds: Odds) -> Odds:
        """A card with the chances of critical outcomes told, where the fight is played with them."""
        more = criticals.notes(setup, self.rank, self.adjustments, rating, self.advantage)
        return msgspec.structs.replace(odds, notes=(*odds.notes, *more)) if more else odds


def terms_of(context: Context, skill: str) -> Terms:
    """A check by whoever acts, alone."""
    return Terms(*skill_terms(context.setup, context.fighter, context.figure, skill))


def terms_helped(context: Context, skill: str) -> Terms:
    """A check by whoever acts, a neighbour's help included."""
    rank, adjustments = skill_terms(context.setup, context.fighter, context.figure, skill)
    favour, helped = help_of(context.setup, context.figure, skill)
    return Terms(rank, adjustments + helped, favour)
