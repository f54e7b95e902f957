"""Intervals at 95 %: of shares, of means, and of the difference between two shares of the same runs."""

from __future__ import annotations

from math import sqrt

CONFIDENCE = 0.95
Z = 1.959963984540054
"""The standard normal's quantile for `CONFIDENCE`, both tails."""

_FEW = (12.706204736, 4.302652730, 3.182446305, 2.776445105, 2.570581836)
"""Student's t for one to five degrees of freedom, where the expansion in `student` is too coarse."""


def wilson(count: int, runs: int) -> tuple[float, float]:
    """Wilson's score interval of a share: honest for few runs and near 0 or 1, where the simple one is not.

    (0, 1) for no runs at all: nothing is known yet.
    """
    if runs == 0:
        return 0.0, 1.0
    share, square = count / runs, Z * Z
    middle = (share + square / (2 * runs)) / (1 + square / runs)
    half = Z * sqrt(share * (1 - share) / runs + square / (4 * runs * runs)) / (1 + square / runs)
    return (
        0.0 if count == 0 else max(0.0, middle - half),
        1.0 if count == runs else min(1.0, middle + half),
    )


def student(freedom: int) -> float:
    """Student's t for so many degrees of freedom (≥ 1): the normal quantile widened for few runs."""
    if freedom <= len(_FEW):
        return _FEW[freedom - 1]
    z, n = Z, freedom  # Cornish and Fisher's expansion
    return (
        z
        + (z**3 + z) / (4 * n)
        + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * n**2)
        + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * n**3)
        + (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / (92160 * n**4)
    )


def mean_interval(total: int, squares: int, runs: int) -> tuple[float, float] | None:
    """Student's interval of a mean from the sum and the sum of squares; None for fewer than two runs."""
    if runs < 2:
        return None
    mean = total / runs
    spread = max(0, squares * runs - total * total)  # exact in whole numbers: n² times the variance
    half = student(runs - 1) * sqrt(spread / (runs * (runs - 1)) / runs)
    return mean - half, mean + half


def paired_difference(both: int, first: int, second: int, neither: int) -> tuple[float, float, float]:
    """How much larger the second share is than the first, with its interval, when both count the same runs.

    `first` and `second` count the runs that only the one or the other won. Newcombe's interval for paired differences
    (1998, his method 10): Wilson's bounds of both shares, drawn together by how much the pairs agree.
    """
    runs = both + first + second + neither
    if runs == 0:
        return 0.0, -1.0, 1.0
    one, other = (both + first) / runs, (both + second) / runs
    (low_one, high_one), (low_other, high_other) = wilson(both + first, runs), wilson(both + second, runs)
    agree = _agreement(both, first, second, neither, runs)
    down, up = other - low_other, high_one - one
    low = sqrt(max(0.0, down * down - 2 * agree * down * up + up * up))
    down, up = one - low_one, high_other - other
    high = sqrt(max(0.0, down * down - 2 * agree * down * up + up * up))
    difference = other - one
    return difference, max(-1.0, difference - low), min(1.0, difference + high)


def _agreement(both: int, first: int, second: int, neither: int, runs: int) -> float:
    """The pairs' correlation, with Newcombe's correction towards none."""
    margins = (both + first) * (second + neither) * (both + second) * (first + neither)
    if margins == 0:
        return 0.0
    excess = float(both * neither - first * second)
    if excess > 0:
        excess = max(0.0, excess - runs / 2)
    return excess / sqrt(margins)
