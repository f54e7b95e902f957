"""What each side has found of what a map hides: side -> a bitboard of secrets. For rulesets that search.

Secrets are numbered: the field's doors first, then whatever else a ruleset hides.
"""

from __future__ import annotations

from collections.abc import Sequence

Found = tuple[tuple[str, int], ...]


def none_found(doors: Sequence[str], sides: Sequence[str]) -> Found:
    """What is known before the fight; empty on a map without secret doors."""
    return tuple((side, 0) for side in dict.fromkeys(sides)) if "secret" in doors else ()


def bits_of(found: Found, sides: Sequence[str]) -> int:
    """What these sides together know."""
    bits = 0
    for side, known in found:
        if side in sides:
            bits |= known
    return bits


def with_secret(found: Found, side: str, secret: int) -> Found:
    """One secret more is known to a side."""
    return tuple((each, bits | 1 << secret if each == side else bits) for each, bits in found)


def doors_known(doors: tuple[str, ...], found: Found, sides: Sequence[str]) -> tuple[str, ...]:
    """The doors, the secret ones that these sides have found as closed."""
    if not found or "secret" not in doors:
        return doors
    bits = bits_of(found, sides)
    return tuple("closed" if state == "secret" and bits >> i & 1 else state for i, state in enumerate(doors))
