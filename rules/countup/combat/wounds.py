"""Wounds as single wounds: what a fight adds, what mends them, and how long they take by themselves (countup.md §9.4).

A tuple has the hit points of each wound; one that is mended stays in its place as 0 as long as a fight lasts, so that
whoever keeps them knows which it was.
"""

from __future__ import annotations

Wounds = tuple[int, ...]


def suffered(wounds: Wounds | None, amount: int) -> Wounds | None:
    """With one wound more; None stays None: of most creatures only hit points are kept."""
    return None if wounds is None else (*wounds, amount)


def mended(wounds: Wounds | None, amount: int) -> Wounds | None:
    """With so many hit points given back: the gravest wound first, of equals the oldest (OURS)."""
    if wounds is None:
        return None
    left = list(wounds)
    while amount > 0 and any(left):
        gravest = left.index(max(left))
        given = min(amount, left[gravest])
        left[gravest] -= given
        amount -= given
    return tuple(left)


def days_to_heal(wound: int) -> int:
    """Days until a fresh wound is healed by rest alone: as many as it has hit points until the first comes back, one
    fewer for each after it.

    >>> [days_to_heal(n) for n in (1, 2, 5)]
    [1, 3, 15]
    """
    return wound * (wound + 1) // 2
