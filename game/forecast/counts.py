"""What many fights are counted for: whole numbers only, so that parts add up to the same whole in any order."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import sqrt
from operator import add, or_
from typing import TypeVar

import msgspec
from msgspec.structs import astuple

K = TypeVar("K")
V = TypeVar("V")


class Sum(msgspec.Struct, frozen=True):
    """A figure summed over fights, and its squares."""

    total: int = 0
    squares: int = 0

    @classmethod
    def of(cls, value: int) -> Sum:
        """One fight's figure."""
        return cls(value, value * value)

    @classmethod
    def over(cls, spread: Mapping[int, int]) -> Sum:
        """The sum of a figure that is so much (first) in so many fights (second)."""
        return cls(sum(n * times for n, times in spread.items()), sum(n * n * times for n, times in spread.items()))

    def __add__(self, other: Sum) -> Sum:
        return Sum(self.total + other.total, self.squares + other.squares)


class CreatureCounts(msgspec.Struct, frozen=True):
    """One creature over many fights; the first three count fights."""

    fell: int = 0
    """Went down at some time, or was down from the beginning."""
    out: int = 0
    """Could take no more part when the fight ended."""
    dead: int = 0
    dealt: Sum = Sum()
    """Damage that others lost by it."""
    taken: Sum = Sum()
    felled: Sum = Sum()
    """Creatures that it brought down."""
    left: Sum = Sum()
    """Hit points left at the end; below 0 counts as 0."""

    def __add__(self, other: CreatureCounts) -> CreatureCounts:
        return CreatureCounts(*map(add, astuple(self), astuple(other)))


class Counts(msgspec.Struct, frozen=True):
    """Many fights. Which runs these were is kept as bitboards of run numbers, so that none can be counted twice."""

    runs: int = 0
    """Bit n: run n was played."""
    won: Mapping[str, int] = {}
    """Side -> bitboard of the runs that it won; the side "" won those that left nobody."""
    undecided: int = 0
    """Bitboard of the runs that hit the turn limit."""
    turns: Mapping[int, int] = {}
    """Turns that a fight took -> fights."""
    losses: Mapping[str, Mapping[int, int]] = {}
    """Side -> how many of it were out at the end -> fights."""
    creatures: Mapping[str, CreatureCounts] = {}
    spilt: Mapping[str, Mapping[int, int]] = {}
    """Side -> space -> damage that creatures of that side took there."""

    @property
    def number(self) -> int:
        """How many fights."""
        return self.runs.bit_count()

    def wins(self, side: str) -> int:
        """How many fights a side won."""
        return self.won.get(side, 0).bit_count()

    def __add__(self, other: Counts) -> Counts:
        """Both together. Raises ValueError if a run is in both."""
        if self.runs & other.runs:
            raise ValueError("counts: a run is in both parts")
        return Counts(
            self.runs | other.runs, _added(self.won, other.won, or_), self.undecided | other.undecided,
            _added(self.turns, other.turns, add), _added(self.losses, other.losses, _numbers),
            _added(self.creatures, other.creatures, add), _added(self.spilt, other.spilt, _numbers),
        )  # fmt: skip


def _added(one: Mapping[K, V], other: Mapping[K, V], together: Callable[[V, V], V]) -> dict[K, V]:
    """What stands in either; what stands in both, together."""
    return {**one, **{key: together(one[key], value) if key in one else value for key, value in other.items()}}


def _numbers(one: Mapping[int, int], other: Mapping[int, int]) -> Mapping[int, int]:
    return _added(one, other, add)


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
    return (0.0 if count == 0 else max(0.0, middle - half), 1.0 if count == runs else min(1.0, middle + half))


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
    agree = 0.0  # the pairs' correlation, with Newcombe's correction towards none
    if margins := (both + first) * (second + neither) * (both + second) * (first + neither):
        excess = float(both * neither - first * second)
        agree = (max(0.0, excess - runs / 2) if excess > 0 else excess) / sqrt(margins)
    spans = ((other - low_other, high_one - one), (one - low_one, high_other - other))
    low, high = (sqrt(max(0.0, down * down - 2 * agree * down * up + up * up)) for down, up in spans)
    difference = other - one
    return difference, max(-1.0, difference - low), min(1.0, difference + high)
