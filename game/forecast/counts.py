"""What many fights are counted for: whole numbers only, so that parts add up to the same whole in any order."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec


class Sum(msgspec.Struct, frozen=True):
    """A figure summed over fights, and its squares."""

    total: int = 0
    squares: int = 0

    @classmethod
    def of(cls, value: int) -> Sum:
        """One fight's figure."""
        return cls(value, value * value)

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
        return CreatureCounts(
            self.fell + other.fell,
            self.out + other.out,
            self.dead + other.dead,
            self.dealt + other.dealt,
            self.taken + other.taken,
            self.felled + other.felled,
            self.left + other.left,
        )


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
            self.runs | other.runs,
            _joined(self.won, other.won),
            self.undecided | other.undecided,
            _added(self.turns, other.turns),
            _added_twice(self.losses, other.losses),
            _creatures(self.creatures, other.creatures),
            _added_twice(self.spilt, other.spilt),
        )


def _joined(one: Mapping[str, int], other: Mapping[str, int]) -> dict[str, int]:
    joined = dict(one)
    for key, runs in other.items():
        joined[key] = joined.get(key, 0) | runs
    return joined


def _added(one: Mapping[int, int], other: Mapping[int, int]) -> dict[int, int]:
    added = dict(one)
    for key, number in other.items():
        added[key] = added.get(key, 0) + number
    return added


def _added_twice(
    one: Mapping[str, Mapping[int, int]], other: Mapping[str, Mapping[int, int]]
) -> dict[str, Mapping[int, int]]:
    added = dict(one)
    for key, numbers in other.items():
        added[key] = _added(added.get(key, {}), numbers)
    return added


def _creatures(one: Mapping[str, CreatureCounts], other: Mapping[str, CreatureCounts]) -> dict[str, CreatureCounts]:
    added = dict(one)
    for key, counts in other.items():
        added[key] = added[key] + counts if key in added else counts
    return added
