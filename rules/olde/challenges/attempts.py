"""Attempts with a skill: the check, the help that it uses up, critical outcomes, exact odds (olde.md §3).

Two ranks of failure are each challenge's own mishap: one falls, goes under, sets the trap off. From three ranks on,
either way, a table adds what stays until the coming reset (R). No character points: those are for blows.
"""

from __future__ import annotations

from typing import NamedTuple

from rules.contract.actions import Adjustment
from rules.contract.events import Check
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
from rules.olde.state import STANDING, Fighter, Figure, Resolution, Setup, expose

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
        expose(resolution, who, outcome.defense, outcome.name, RULE)
    if outcome.prone and resolution.figures[who].posture == STANDING:
        lie_down(resolution, who, PRONE.name, outcome.name)


def margins_told(well: float, badly: float) -> tuple[tuple[str, str], ...]:
    """The chances of critical outcomes as notes; none for what cannot happen."""
    told = (
        (well, "{chance} % critical success: +1 or +2 on checks until the reset"),
        (badly, "{chance} % critical failure: −1 or −2 on checks, Defense −2 until the reset"),
    )
    return tuple((text(template, f"{chance * 100:.0f}"), RULE) for chance, template in told if chance > 0.0005)


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
    criticals: bool = False
    """Whether it may have a critical outcome."""

    @property
    def plus(self) -> int:
        return sum(a.value for a in self.adjustments)

    def chance(self, rating: int) -> float:
        """That the check reaches a rating."""
        return dist.chance_at_least(2, self.rank, rating - self.plus, True, self.advantage)

    def no_mishap(self, rating: int) -> float:
        """That the check fails by one rank at most."""
        return self.chance(rating - 2)

    def scaled(self, rating: int, most: int) -> list[tuple[int, float]]:
        """(ranks of success, the chance of so many) from `most`, which stands for more as well, down to one."""
        reached = [self.chance(rating + 3 * k) for k in range(most)]
        return [(most, reached[-1]), *((k, reached[k - 1] - reached[k]) for k in range(most - 1, 0, -1))]

    def odds(self, rating: int, outcomes: Outcomes, note: tuple[str, str]) -> Odds:
        """The card of a check against a rating; the first outcome is success. Chances of critical outcomes are told."""
        notes: tuple[tuple[str, str], ...] = (note,)
        if self.criticals:
            notes += margins_told(self.chance(rating + MARGINS[3]), 1.0 - self.chance(rating - MARGINS[3] + 1))
        dice = notation(2, self.rank, True) + TWICE[self.advantage]
        against = text("CR {rating}", rating)
        return Odds(
            outcomes[0][1], outcomes, adjustments=self.adjustments, attack_dice=dice, defense_dice=against, notes=notes
        )


def terms_of(context: Context, skill: str, *, critical: bool = False) -> Terms:
    """A check by whoever acts, alone; `critical`: with the outcomes that the fight may be played with."""
    rank, adjustments = skill_terms(context.setup, context.fighter, context.figure, skill)
    return Terms(rank, adjustments, criticals=critical and context.setup.criticals)


def terms_helped(context: Context, skill: str) -> Terms:
    """A check by whoever acts, a neighbour's help included."""
    alone = terms_of(context, skill, critical=True)
    favour, helped = help_of(context.setup, context.figure, skill)
    return alone._replace(adjustments=alone.adjustments + helped, advantage=favour)
