"""Exact distributions of dice. Chances are sums over the dice, never samples.

An exploding die has endless outcomes; explosions are followed until what is left out is below 2⁻⁶⁰, and that
remainder is given to the last outcome, so that every distribution sums to 1. All sums are sums of whole numbers:
ways in which the dice can fall, out of so many; only what comes out at the end is divided.

    >>> dice_sum(2, 4, False)  # 2d4: the chance of each total, from 0
    (0.0, 0.0, 0.0625, 0.125, 0.1875, 0.25, 0.1875, 0.125, 0.0625)
    >>> round(chance_margin(8, 8, 0), 4)  # 2d8! reach 2d8!
    0.5323
"""

from __future__ import annotations

from functools import lru_cache
from itertools import accumulate

from rules.core.dice import faces_of, value_of

Distribution = tuple[float, ...]
"""Chance of each total, by index (index 0 = total 0)."""

Ways = tuple[int, ...]
"""In how many ways each total comes about, by index."""

_TAIL = 60
"""Explosions are followed until 2 to this power ways are told apart."""


@lru_cache(maxsize=512)
def _die(rank: int, exploding: bool) -> Ways:
    """One die's ways, explosions included: each explosion tells all faces apart once more."""
    rank = max(1, rank)
    faces = faces_of(rank)
    if faces == 1:
        return (0, 1)
    once = [0] * (rank + 1)
    for face in range(1, faces + 1):
        once[value_of(rank, face)] += 1
    if not exploding:
        return tuple(once)
    throws = 1
    while faces**throws < 1 << _TAIL:
        throws += 1
    chain = [0]
    for throw in range(1, throws + 1):
        chain += [ways * faces ** (throws - throw) for ways in once[1:rank]] + [0]
    chain[-1] = 1
    return tuple(chain)


@lru_cache(maxsize=2048)
def _sum(count: int, rank: int, exploding: bool) -> Ways:
    """The ways of the sum of several equal dice."""
    if count == 0:
        return (1,)
    one = _die(rank, exploding)
    return one if count == 1 else _convolved(_sum(count - 1, rank, exploding), one)


def _convolved(one: Ways, other: Ways) -> Ways:
    """The ways of a sum.

    Both sides become one long number each, every entry in a drawer of its own, wide enough that no sum of products
    overflows it; then a single multiplication of whole numbers does them all.
    """
    width = (sum(one) * sum(other)).bit_length() // 8 + 1
    product = _drawers(one, width) * _drawers(other, width)
    size = len(one) + len(other) - 1
    digits = product.to_bytes(size * width, "little")
    return tuple(int.from_bytes(digits[i : i + width], "little") for i in range(0, size * width, width))


def _drawers(ways: Ways, width: int) -> int:
    return int.from_bytes(b"".join(n.to_bytes(width, "little") for n in ways), "little")


def _twice(ways: Ways, advantage: int) -> Ways:
    """The ways of the better (+1) or the worse (−1) of two sets; the set itself for 0."""
    if not advantage:
        return ways
    if advantage > 0:
        below = tuple(accumulate(ways))
        return tuple(n * n - before * before for n, before in zip(below, (0, *below), strict=False))
    above = (*_tails(ways), 0)
    return tuple(n * n - after * after for n, after in zip(above, above[1:], strict=False))


def _tails(ways: Ways) -> Ways:
    """Index n -> ways of n or more."""
    return tuple(accumulate(reversed(ways)))[::-1]


@lru_cache(maxsize=2048)
def dice_sum(count: int, rank: int, exploding: bool) -> Distribution:
    """The sum of several equal dice, explosions included."""
    ways = _sum(count, rank, exploding)
    whole = sum(ways)
    return tuple(n / whole for n in ways)


@lru_cache(maxsize=4096)
def at_least(count: int, rank: int, exploding: bool, advantage: int = 0) -> Distribution:
    """Index n -> chance that the sum is n or more (index 0 = 1); with `advantage` the better or worse of two sets."""
    tails = _tails(_twice(_sum(count, rank, exploding), advantage))
    return (*(n / tails[0] for n in tails), 0.0)


def chance_at_least(count: int, rank: int, need: int, exploding: bool = True, advantage: int = 0) -> float:
    """Chance that dice alone reach `need`; with `advantage` +1 the better, −1 the worse of two sets."""
    tails = at_least(count, rank, exploding, advantage)
    if need <= 0:
        return 1.0
    return tails[need] if need < len(tails) else 0.0


@lru_cache(maxsize=2048)
def margins(attack_rank: int, defense_rank: int, advantage: int = 0) -> tuple[int, Distribution]:
    """(offset, tails): tails[m + offset] = chance that 2 attack dice − 2 defense dice ≥ m, both exploding.

    `advantage`: the attack dice are the better (+1) or the worse (−1) of two sets.
    """
    defense = _sum(2, defense_rank, True)
    tails = _tails(_convolved(_twice(_sum(2, attack_rank, True), advantage), defense[::-1]))
    return len(defense) - 1, tuple(n / tails[0] for n in tails)


def chance_margin(attack_rank: int, defense_rank: int, margin: int, advantage: int = 0) -> float:
    """Chance that 2 exploding attack dice beat 2 exploding defense dice by `margin` or more."""
    offset, tails = margins(attack_rank, defense_rank, advantage)
    at = margin + offset
    if at <= 0:
        return 1.0
    return tails[at] if at < len(tails) else 0.0
