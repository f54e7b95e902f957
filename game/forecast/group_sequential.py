"""Group sequential bounds of a chance: they hold at every look, and are narrow where a forecast means to stop.

A confidence sequence is ready for any number of fights, and wide for that. A forecast that plays until a chance is
known to ± so many points knows beforehand about how many fights that takes. So a chance is ruled out as soon as the
wins stray farther from it than a bound that stays the same up to that number, the horizon (O'Brien and Fleming 1979):
little is lost by the early looks, and the last one is nearly as good as if it were the only one. Shorter and longer
horizons have a little of the error each, so that early figures mean something, and more fights tell more.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from math import sqrt
from typing import NamedTuple

LOOK = 16
"""The bounds are looked at, and change, after each so many fights …"""
FIRST_LOOK = 8
"""… and once before."""
CORRECTION = 0.583
"""How much nearer a bound may be, in deviations of what happens between two looks, because nobody looks there
(Siegmund 1985)."""
FEW = 4
"""It is for many looks: of horizons with no more than so many nothing is taken off, of others the less the fewer."""
HALVINGS = 24
"""Of the search for a bound: more digits than are ever shown."""


class Horizon(NamedTuple):
    """How far a bound holds, and how wide it is."""

    times: float
    """The fights that the goal takes, times this."""
    deviations: float
    """The bound, in standard deviations of the wins at the horizon."""


GOAL = 2.283
"""A normal walk strays so many deviations of its end at any time before it in 4.5 % of all cases: by reflection, twice
as often as at the end, which is twice as often as to one side."""
HORIZONS = (
    Horizon(1 / 16, 3.291), Horizon(1 / 8, 3.291), Horizon(1 / 4, 3.291), Horizon(1 / 2, 3.175), Horizon(1.0, GOAL),
    Horizon(2.0, 3.175), Horizon(4.0, 3.291), Horizon(8.0, 3.481), Horizon(16.0, 3.662),
)  # fmt: skip
"""Beside the goal's own a few tenths of a percent each, 1.5 % together. That all of them mislead one time in twenty at
most, for whatever chance and goal, is worked out exactly by the tests."""


def share(won: int, runs: int, within: float) -> tuple[float, float]:
    """The bounds of a chance that is to be known to ± `within` (a share), at 95 % for all looks together.

    `won`: bitboard of the runs in which it was so; `runs`: how many there were, from run 0 on. (0, 1) before the first
    look. What one look has ruled out stays so.
    """
    low, high = 0.0, 1.0
    for seen in [n for n in (FIRST_LOOK, *range(LOOK, runs + 1, LOOK)) if n <= runs]:
        count = (won & (1 << seen) - 1).bit_count()
        low, high = max(low, _low(count, seen, within)), min(high, 1.0 - _low(seen - count, seen, within))
    middle = won.bit_count() / runs if runs else 0.5
    return min(low, middle), max(high, middle)


def needed(chance: float, within: float) -> int:
    """About how many runs it takes until a share near `chance` is known to ± `within`: whole looks."""
    return max(1, int(_enough(chance, within) // LOOK)) * LOOK


def goal_of(runs: int) -> float:
    """How narrow a chance may be wanted of so many runs, even where all is open."""
    return GOAL / 2 / sqrt(max(LOOK, runs - LOOK))


def _enough(found: float, within: float) -> float:
    """The horizon of a goal for who finds this share: there the chances `within` beside it are ruled out."""
    down, up = max(0.0, found - within), min(1.0, found + within)
    spread = 0.25 if down < 0.5 < up else max(down * (1 - down), up * (1 - up))
    return spread * (GOAL / within) ** 2 + LOOK


@lru_cache(maxsize=1 << 16)
def _low(count: int, runs: int, within: float) -> float:
    """The highest chance that a look rules out for being too low, by itself."""
    return max(_ruled_out(count, runs, within, horizon) for horizon in HORIZONS) if count else 0.0


def _ruled_out(count: int, runs: int, within: float, horizon: Horizon) -> float:
    """The same by one horizon; 0 where it is over for all chances that the count rules out.

    If a chance is ruled out, so are all below it: the bounds rise with the chance, wherever a count can reach them.
    """
    low = _last(0.0, count / runs, lambda chance: count - runs * chance >= _bound(chance, within, horizon))
    if _end(low, within, horizon) >= runs:
        return low
    return 0.0 if low <= 0.5 - within else min(low, _last_open(runs, within, horizon))


def _bound(chance: float, within: float, horizon: Horizon) -> float:
    """How many wins more than a chance gives rule it out."""
    spread, end, wide = chance * (1 - chance), _end(chance, within, horizon), horizon.deviations
    unseen = CORRECTION * max(0.0, 1 - FEW * LOOK / end) * sqrt(LOOK * spread)
    lopsided = (1 - 2 * chance) * (wide * wide - 1) / 6  # Cornish and Fisher
    return wide * sqrt(spread * end) - unseen + lopsided


def _end(chance: float, within: float, horizon: Horizon) -> float:
    """How many runs a chance may be ruled out at for being too low."""
    return horizon.times * _enough(chance + within, within)


def _last_open(runs: int, within: float, horizon: Horizon) -> float:
    """The highest chance whose horizon lies beyond so many runs; 0 for none: up from an even chance they draw near."""
    even = max(0.0, 0.5 - within)
    if _end(even, within, horizon) < runs:
        return 0.0
    return _last(even, 1.0, lambda chance: _end(chance, within, horizon) >= runs)


def _last(low: float, high: float, holds: Callable[[float], bool]) -> float:
    """The highest chance for which something holds that holds for `low` and for all between."""
    for _ in range(HALVINGS):
        chance = (low + high) / 2
        low, high = (chance, high) if holds(chance) else (low, chance)
    return low
