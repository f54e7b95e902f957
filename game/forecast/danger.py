"""What a forecast says of danger: a figure from 0 to 100 and a word for it (docs/threat.md)."""

from __future__ import annotations

from game.forecast.report import Forecast

WORDS = ((15.0, "an easy fight"), (35.0, "a fair fight"), (60.0, "a hard fight"), (101.0, "a deadly fight"))
"""Up to which figure a fight is called so."""


def figure_of(found: Forecast, side: str) -> float:
    """How dangerous the others are to a side, to one decimal: half of it for the share of the side's hit points that
    the fights cost, half for the share of fights that others win."""
    own = found.side(side)
    health = sum(creature.hp_max for creature in found.creatures if creature.side == side)
    cost = min(1.0, own.damage_taken / (found.runs * max(1, health)))
    lost = sum(other.wins.share for other in found.sides if other.side != side)
    return round(50.0 * cost + 50.0 * lost, 1)


def word_for(figure: float) -> str:
    """`a hard fight`."""
    return next(word for most, word in WORDS if figure < most)


def told(found: Forecast, side: str) -> str:
    """`Threat 43: a hard fight`."""
    figure = figure_of(found, side)
    return f"Threat {figure:.0f}: {word_for(figure)}"
