"""Confidence sequences: intervals that hold at 95 % for all numbers of fights at once, so that one may look at them
after each fight. How narrow they will be at any number plays no part (for what does: `group_sequential`).

An interval for a fixed number of fights (`counts.wilson`) does not: who looks often and stops when it pleases is misled
far oftener than one time in twenty.
"""

from __future__ import annotations

from functools import lru_cache
from math import lgamma, log, sqrt

ALPHA = 0.05
LIMIT = log(1 / ALPHA)
PRIOR = 40.0
"""What the mixture weighs, in fights: smaller is narrower at first, larger later. With this it is within 3 % of the
narrowest there is at the thousand fights that ±5 points take where all is open, and useful from thirty on."""
HALVINGS = 34
"""Of the search for a bound: more digits than are ever shown."""


@lru_cache(maxsize=4096)
def share(count: int, runs: int) -> tuple[float, float]:
    """The bounds of a share that came to `count` of so many runs; (0, 1) for none at all.

    All chances p of which a bettor against p, whose stakes are a beta mixture about p, has not come to 1 ÷ 0.05 times
    what it had (Ville's inequality; Robbins 1970): exact, not only for many runs.
    """
    if runs == 0:
        return 0.0, 1.0
    found = count / runs
    low = 0.0 if count == 0 else _bound(count, runs, outside=0.0, inside=found)
    return low, 1.0 if count == runs else _bound(count, runs, outside=1.0, inside=found)


def _bound(count: int, runs: int, *, outside: float, inside: float) -> float:
    for _ in range(HALVINGS):
        middle = (outside + inside) / 2
        if _wealth(count, runs, middle) < LIMIT:
            inside = middle
        else:
            outside = middle
    return inside


def _wealth(count: int, runs: int, chance: float) -> float:
    """The logarithm of what the bettor against a chance has for each unit staked."""
    a, b, missed = PRIOR * chance, PRIOR * (1 - chance), runs - count
    if a <= 0.0 or b <= 0.0:
        return LIMIT
    grown = lgamma(a + count) - lgamma(a) + lgamma(b + missed) - lgamma(b) + lgamma(PRIOR) - lgamma(PRIOR + runs)
    return grown - count * log(chance) - missed * log(1 - chance)


def mean(total: int, squares: int, runs: int) -> tuple[float, float] | None:
    """The bounds of a mean from the sum and the sum of squares; None for fewer than two runs.

    Robbins' normal mixture with the variance found so far: it holds for many runs (Waudby-Smith et al. 2024).
    """
    if runs < 2:
        return None
    middle, spread = total / runs, max(0, squares * runs - total * total) / (runs * (runs - 1))
    half = sqrt(spread) * _width(runs)
    return middle - half, middle + half


def difference(first: int, second: int, runs: int) -> tuple[float, float, float]:
    """How much larger the second share is than the first, with its bounds, over the same runs.

    `first` and `second` count the runs that only the one or the other won: pairs that agree add nothing to the width.
    One pair of each kind is counted beside them, so that few that all agree prove nothing.
    """
    if runs == 0:
        return 0.0, -1.0, 1.0
    middle, seen = (second - first) / runs, runs + 2
    half = sqrt(max(0.0, (first + second + 2) / seen - middle * middle)) * _width(runs)
    return middle, max(-1.0, middle - half), min(1.0, middle + half)


def _width(runs: int) -> float:
    """Half an interval's width for a standard deviation of 1."""
    return sqrt((runs + PRIOR) / (runs * runs) * (2 * LIMIT + log(1 + runs / PRIOR)))
