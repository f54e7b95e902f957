"""Threat: a side's chance to lose, in points from 0 to 100, and the word for it, the same under every ruleset.

It comes from fights that were played; where none are yet, from what the creatures weigh (`game/content/weights.py`).
"""

from __future__ import annotations

from math import exp

from game.content.weights import odds
from game.forecast.report import Forecast

BANDS = ((10, "an easy fight"), (25, "a fair fight"), (50, "a hard fight"), (100, "a deadly fight"))
"""Up to which threat a fight is called so: easy is won nine times of ten, a hard one every other time at least."""
ENOUGH = 12
"""Fights from which their threat is told: one alone says 0 or 100."""


def threat_of(found: Forecast, side: str) -> float:
    """The side's chance to lose, in points, to one decimal; a fight that nobody won counts half."""
    won = found.side(side).wins.share
    lost = sum(other.wins.share for other in found.sides if other.side != side)
    return round(100.0 * (lost + (1.0 - lost - won) / 2), 1)


def estimated(ruleset: str, ours: float, theirs: float, map: str = "") -> float:
    """The threat to be expected of a group of that weight to a party of that weight on a map, in points."""
    return round(100.0 / (1.0 + exp(odds(ruleset, ours, theirs, map))), 1)


def word_for(threat: float) -> str:
    """`a hard fight`; by whole points, as they are shown."""
    return next(word for most, word in BANDS if round(threat) <= most)


def told(found: Forecast, side: str) -> str:
    """`Threat 43: a hard fight`."""
    threat = threat_of(found, side)
    return f"Threat {threat:.0f}: {word_for(threat)}"


def guessed(ruleset: str, ours: float, theirs: float, map: str = "") -> str:
    """`Threat about 43: a hard fight`; empty where a side is missing."""
    if ours <= 0 or theirs <= 0:
        return ""
    threat = estimated(ruleset, ours, theirs, map)
    return f"Threat about {threat:.0f}: {word_for(threat)}"
