"""Exact distributions of dice. Chances are sums over the dice, never samples.

An exploding die has endless outcomes; explosions are followed until what is left out is below 2⁻⁶⁰, and that
remainder is given to the last outcome, so that every distribution sums to 1.
"""

from __future__ import annotations

from functools import lru_cache

from rules.dice import faces_of, value_of

Distribution = tuple[float, ...]
"""Chance of each total, by index (index 0 = total 0)."""

_TAIL = 2.0**-60


@lru_cache(maxsize=512)
def die(rank: int, exploding: bool) -> Distribution:
    """One die's distribution, explosions included."""
    rank = max(1, rank)
    faces = faces_of(rank)
    if faces == 1:
        return (0.0, 1.0)
    once = [0.0] * (rank + 1)
    for face in range(1, faces + 1):
        once[value_of(rank, face)] += 1.0 / faces
    if not exploding:
        return tuple(once)
    chain, weight = [0.0], 1.0
    while weight > _TAIL:
        chain += [weight * chance for chance in once[1:rank]] + [0.0]
        weight /= faces
    chain[-1] += weight
    return tuple(chain)


@lru_cache(maxsize=2048)
def dice_sum(count: int, rank: int, exploding: bool) -> Distribution:
    """The sum of several equal dice."""
    if count == 0:
        return (1.0,)
    total = die(rank, exploding)
    for _ in range(count - 1):
        total = convolve(total, die(rank, exploding))
    return total


def convolve(one: Distribution, other: Distribution) -> Distribution:
    """The distribution of a sum."""
    out = [0.0] * (len(one) + len(other) - 1)
    for i, p in enumerate(one):
        if p > 0.0:
            for j, q in enumerate(other):
                out[i + j] += p * q
    return tuple(out)


@lru_cache(maxsize=4096)
def at_least(count: int, rank: int, exploding: bool) -> Distribution:
    """Index n -> chance that the sum is n or more (index 0 = 1)."""
    dist = dice_sum(count, rank, exploding)
    tail, out = 0.0, [0.0] * (len(dist) + 1)
    for i in range(len(dist) - 1, -1, -1):
        tail += dist[i]
        out[i] = tail
    return tuple(out)


def chance_at_least(count: int, rank: int, need: int, exploding: bool = True) -> float:
    """Chance that dice alone reach `need`."""
    tails = at_least(count, rank, exploding)
    if need <= 0:
        return 1.0
    return tails[need] if need < len(tails) else 0.0


@lru_cache(maxsize=2048)
def margins(attack_rank: int, defense_rank: int) -> tuple[int, Distribution]:
    """(offset, tails): tails[m + offset] = chance that 2 attack dice − 2 defense dice ≥ m, both exploding."""
    attack = dice_sum(2, attack_rank, True)
    defense = dice_sum(2, defense_rank, True)
    offset = len(defense)
    diff = [0.0] * (len(attack) + len(defense))
    for d, q in enumerate(defense):
        if q > 0.0:
            for a, p in enumerate(attack):
                diff[a - d + offset] += p * q
    tail = 0.0
    for i in range(len(diff) - 1, -1, -1):
        tail += diff[i]
        diff[i] = tail
    return offset, tuple(diff)


def chance_margin(attack_rank: int, defense_rank: int, margin: int) -> float:
    """Chance that 2 exploding attack dice beat 2 exploding defense dice by `margin` or more."""
    offset, tails = margins(attack_rank, defense_rank)
    at = margin + offset
    if at <= 0:
        return 1.0
    return tails[at] if at < len(tails) else 0.0
