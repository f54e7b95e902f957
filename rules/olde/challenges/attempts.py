"""Attempts with a skill: the check, and the help of a neighbour that it uses up (olde.md §3)."""

from __future__ import annotations

from rules.contract.actions import Adjustment
from rules.contract.events import Check
from rules.olde.challenges.checks import check_stat, skill_adjustment, skill_check, stat_rank
from rules.olde.challenges.criticals import follow
from rules.olde.combat.advantage import on_check
from rules.olde.effects.model import Effect
from rules.olde.effects.working import end
from rules.olde.state import Fighter, Figure, Resolution, Setup

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
