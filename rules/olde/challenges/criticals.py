"""Critical outcomes of checks outside of blows, one table for every challenge (R; the seeds have them for attacks).

Two ranks of failure are each challenge's own mishap: one falls, goes under, sets the trap off. From three ranks on,
either way, this table adds what stays until the coming reset. No character points: those are for blows.
"""

from __future__ import annotations

from typing import NamedTuple

from rules.contract.actions import Adjustment
from rules.contract.events import Adjusted
from rules.contract.text import text
from rules.core import odds as dist
from rules.olde.combat.injury import lie_down
from rules.olde.conditions import PRONE
from rules.olde.effects.model import Effect, Lasting
from rules.olde.effects.working import lay
from rules.olde.state import STANDING, Resolution, Setup

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


def notes(
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
            (text("{chance} % critical success: +1 or +2 on checks until the reset", chance=f"{well * 100:.0f}"), RULE)
        )
    if badly > 0.0005:
        told.append(
            (
                text(
                    "{chance} % critical failure: −1 or −2 on checks, Defense −2 until the reset",
                    chance=f"{badly * 100:.0f}",
                ),
                RULE,
            )
        )
    return tuple(told)
