"""Draws from a name: the same on every machine, under every Python, whatever the program does with chance."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from typing import TypeVar

T = TypeVar("T")
_MASK = (1 << 64) - 1


class Lot:
    """A stream of draws (splitmix64), begun by a name such as `olde random 17`."""

    def __init__(self, name: str) -> None:
        self._state = int.from_bytes(sha256(name.encode()).digest()[:8], "big")

    def below(self, limit: int) -> int:
        """A whole number from 0 to limit − 1."""
        self._state = (self._state + 0x9E3779B97F4A7C15) & _MASK
        bits = self._state
        bits = ((bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
        bits = ((bits ^ (bits >> 27)) * 0x94D049BB133111EB) & _MASK
        return ((bits ^ (bits >> 31)) * limit) >> 64

    def between(self, least: int, most: int) -> int:
        """A whole number from least to most."""
        return least + self.below(most - least + 1)

    def chance(self, percent: int) -> bool:
        """Yes, so many times in a hundred."""
        return self.below(100) < percent

    def pick(self, things: Sequence[T]) -> T:
        """One of them."""
        return things[self.below(len(things))]

    def shuffled(self, things: Sequence[T]) -> list[T]:
        """All of them, in a drawn order."""
        rest = list(things)
        for last in range(len(rest) - 1, 0, -1):
            other = self.below(last + 1)
            rest[last], rest[other] = rest[other], rest[last]
        return rest

    def some(self, things: Sequence[T], least: int, most: int) -> list[T]:
        """So many different ones of them, as far as there are."""
        return self.shuffled(things)[: self.between(least, most)]
