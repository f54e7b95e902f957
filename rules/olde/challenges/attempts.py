"""Attempts with a skill: the check, the help that it uses up, critical outcomes, exact odds (olde.md §3).

Two ranks of failure are each challenge's own mishap: one falls, goes under, sets the trap off. From three ranks on,
either way, a table adds what stays until the coming reset (R). No character points: those are for blows.
"""

from __future__ import annotations

from typing import NamedTuple

import msgspec

from rules.contract.actions import Adjustment
from rules.contract.events import Adjusted, Check
from rules.contract.ruleset import Odds
from rules.contract.text import text
from rules.core import odds as dist
from rules.core.dice import notation
from rules.olde.actions.kind import Context
from rules.olde.challenges.checks import check_stat, skill_adjustment, skill_check, skill_terms, stat_rank
from rules.olde.combat.attack import TWICE, on_check
from rules.olde.combat.outcomes import lie_down
from rules.olde.conditions import PRONE, end, lay
from rules.olde.effects import Effect, Lasting
from rules.olde.state import STANDING, Fighter, Figure, Resolution, Setup

RULE = "olde.md §3 critical outcomes"


class Outcome(NamedTuple):
    """What a check far over or far below its rating leaves, until the coming reset."""

    name: str
    effect: str
    """Name of what stays on whoever tried."""
    checks: int
    """Added to its checks."""
    defense: int = 0
    prone: bool = False


TABLE = {
    4: Outcome("legendary success", "inspired", 2),
    3: Outcome("critical success", "inspired", 1),
    -3: Outcome("critical failure", "shaken", -1, -2),
    -4: Outcome("disastrous failure", "shaken", -2, -2, prone=True),
}
"""Ranks of success or failure (4 and −4: or more) -> what follows."""
MARGINS = {3: 6, 4: 9}
"""Ranks -> the margin from which one has them; failures alike."""


def outcome_of(ranks: int) -> Outcome | None:
    """What so many ranks of success (positive) or failure lead to beside the success or failure itself."""
    return TABLE.get(max(-4, min(4, ranks)))


def follow(resolution: Resolution, who: int, ranks: int) -> None:
    """Let the critical outcome of somebody's check take hold, where the fight is played with them."""
    outcome = outcome_of(ranks) if resolution.setup.criticals else None
    if outcome is None or resolution.figures[who].hp <= 0:
        return
    lay(resolution, who, Effect(outcome.effect, who, 1, 0, Lasting(1, checks=outcome.checks, rule=RULE)))
    if outcome.defense:
        figure = resolution.figures[who]
        resolution.change(who, temp_defense=figure.temp_defense + outcome.defense)
        penalty = Adjustment("defense", outcome.defense, outcome.name, RULE)
        resolution.events.append(Adjusted(target=resolution.fighter(who).id, adjustment=penalty))
    if outcome.prone and resolution.figures[who].posture == STANDING:
        lie_down(resolution, who, PRONE.name, outcome.name)


def critical_notes(
    setup: Setup, rank: int, adjustments: tuple[Adjustment, ...], rating: int, advantage: int = 0
) -> tuple[tuple[str, str], ...]:
    """The chances of critical outcomes of a check of two exploding dice, for whoever looks at its odds."""
    if not setup.criticals:
        return ()
    need = rating - sum(a.value for a in adjustments)
    well = dist.chance_at_least(2, rank, need + MARGINS[3], True, advantage)
    badly = 1.0 - dist.chance_at_least(2, rank, need - MARGINS[3] + 1, True, advantage)
    return margins_told(well, badly)


def margins_told(well: float, badly: float) -> tuple[tuple[str, str], ...]:
    """The two chances as notes; none for what cannot happen."""
    told = []
    if well > 0.0005:
        told.append(
            (text("{chance} % critical success: +1 or +2 on checks until the reset", f"{well * 100:.0f}"), RULE)
        )
    if badly > 0.0005:
        told.append(
            (
                text(
                    "{chance} % critical failure: −1 or −2 on checks, Defense −2 until the reset", f"{badly * 100:.0f}"
                ),
                RULE,
            )
        )
    return tuple(told)


HELPED = "help with "


def helps_with(figure: Figure, skill: str) -> list[Effect]:
    """The help of neighbours that waits for somebody's next check with a skill."""
    return [effect for effect in figure.effects if effect.name == HELPED + skill]


def help_of(setup: Setup, figure: Figure, skill: str) -> tuple[int, tuple[Adjustment, ...]]:
    """(advantage, adjustments): what a neighbour's help does for the next check with a skill."""
    return on_check(setup, helps_with(figure, skill))


def attempt(resolution: Resolution, who: int, skill: str, rating: int, what: str) -> bool:
    """A check with a skill; what a neighbour's help adds is used up by it."""
    fighter = resolution.fighter(who)
    helps = helps_with(resolution.figures[who], skill)
    favour, extra = on_check(resolution.setup, helps)
    result = skill_check(resolution, who, skill, rating, extra, advantage=favour)
    resolution.events.append(result.event(fighter.id, what))
    for helping in helps:
        end(resolution, who, helping, "used")
    follow(resolution, who, result.ranks)
    return result.success


def best_skill(fighter: Fighter, skills: tuple[str, ...]) -> str:
    """The skill most likely to succeed: by die rank plus adjustment, the first on a tie."""
    return max(skills, key=lambda s: stat_rank(fighter, check_stat(fighter, s)) + skill_adjustment(fighter, s))


def ranks_made(resolution: Resolution) -> int:
    """Ranks of success or failure of the check just made."""
    return next((e.ranks for e in reversed(resolution.events) if isinstance(e, Check)), 0)


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
            defense_dice=text("CR {rating}", rating),
            notes=(note,),
        )

    def with_criticals(self, setup: Setup, rating: int, odds: Odds) -> Odds:
        """A card with the chances of critical outcomes told, where the fight is played with them."""
        more = critical_notes(setup, self.rank, self.adjustments, rating, self.advantage)
        return msgspec.structs.replace(odds, notes=(*odds.notes, *more)) if more else odds


def terms_of(context: Context, skill: str) -> Terms:
    """A check by whoever acts, alone."""
    return Terms(*skill_terms(context.setup, context.fighter, context.figure, skill))


def terms_helped(context: Context, skill: str) -> Terms:
    """A check by whoever acts, a neighbour's help included."""
    rank, adjustments = skill_terms(context.setup, context.fighter, context.figure, skill)
    favour, helped = help_of(context.setup, context.figure, skill)
    return Terms(rank, adjustments + helped, favour)
