"""Statistics of paired fights: the same dice twice, the second time with the players' sides swapped.

A pair is one draw: what a map, a band or lucky dice give to one player, they give to the other in the second fight.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import comb
from random import Random
from typing import NamedTuple

DRAWS = 2000
"""Resamples of a bootstrap."""
TAIL = 0.025


class Pair(NamedTuple):
    """Two fights as the first player sees them: 1 won, −1 lost, 0 broken off."""

    first: int
    second: int

    @property
    def won(self) -> int:
        return (self.first == 1) + (self.second == 1)

    @property
    def lost(self) -> int:
        return (self.first == -1) + (self.second == -1)


class Verdict(NamedTuple):
    """What pairs came to; shares are of fights, those broken off count as not won."""

    pairs: int
    won: float
    low: float
    high: float
    better: int
    """Pairs of which the first player won more fights than it lost."""
    worse: int
    chance: float
    """Of pairs so one-sided, or more, between players of the same strength (sign test)."""
    open: int
    """Fights broken off."""


def verdict(pairs: Sequence[Pair], seed: int = 1) -> Verdict:
    """All figures of some pairs. Raises ValueError if there is none."""
    if not pairs:
        raise ValueError("there is no pair")
    low, high = bootstrap([pair.won / 2 for pair in pairs], seed)
    better = sum(pair.won > pair.lost for pair in pairs)
    worse = sum(pair.won < pair.lost for pair in pairs)
    won = sum(pair.won for pair in pairs)
    open = 2 * len(pairs) - won - sum(pair.lost for pair in pairs)
    return Verdict(
        len(pairs), won / (2 * len(pairs)), low, high, better, worse, sign_test(better, worse), open,
    )  # fmt: skip


def sign_test(better: int, worse: int) -> float:
    """The two-sided chance of so uneven a split, or a more uneven one, of as many fair coins; 1 of none."""
    coins, fewer = better + worse, min(better, worse)
    tail = sum(comb(coins, n) for n in range(fewer + 1))
    return min(1.0, 2 * tail / 2**coins)


def bootstrap(values: Sequence[float], seed: int = 1) -> tuple[float, float]:
    """The interval at 95 % of a mean, by drawing as many values again and again (percentiles)."""
    random, many = Random(seed), len(values)
    means = sorted(sum(random.choices(values, k=many)) / many for _ in range(DRAWS))
    return means[int(TAIL * DRAWS)], means[-1 - int(TAIL * DRAWS)]
