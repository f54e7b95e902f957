"""Attempts with a skill: the check, and the help of a neighbour that it uses up (olde.md §3)."""

from __future__ import annotations

from rules.contract.events import Check
from rules.olde.challenges.checks import check_stat, skill_adjustment, skill_check, stat_rank
from rules.olde.challenges.criticals import follow
from rules.olde.combat.advantage import on_check
from rules.olde.effects.working import end
from rules.olde.state import Fighter, Resolution

HELPED = "help with "


def attempt(resolution: Resolution, who: int, skill: str, rating: int, what: str) -> bool:
    """A check with a skill; what a neighbour's help adds is used up by it."""
    fighter = resolution.fighter(who)
    helps = [e for e in resolution.figures[who].effects if e.name == HELPED + skill]
    favour, extra = on_check(resolution.setup, helps)
    result = skill_check(
        resolution.dice, resolution.setup, fighter, resolution.figures[who], skill, rating, extra, favour
    )
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
