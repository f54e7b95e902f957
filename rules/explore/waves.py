"""How the waves of a fight stand: who is on its way, and who waits for something (docs/record.md Waves)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rules.board.arrivals import Cause
from rules.board.grid import Field

HERE, WAITS = 0, -1
"""How a wave stands in a state's `waves`: it has come, or waits for what calls it; else when it comes, by the
ruleset's own clock."""


def at_first(field: Field, turn: int = 1) -> tuple[int, ...]:
    """How each of a field's waves stands at the beginning. `turn`: what a turn is on the ruleset's clock."""
    return tuple(begins(wave.turn, turn) if wave.cause is Cause.TURN else WAITS for wave in field.arrivals)


def begins(number: int, turn: int) -> int:
    """When a turn begins by the clock."""
    return (number - 1) * turn + 1


def waiting(at: Any) -> int:
    """Bit for each creature of whom nobody knows whether it will come: it keeps no fight going."""
    return _bits(at, lambda stands: stands == WAITS)


def coming(at: Any) -> int:
    """Bit for each creature that is on its way: a fight does not end before it has come."""
    return _bits(at, lambda stands: stands > HERE)


def to_come(at: Any) -> int:
    """Bit for each creature that has not come yet."""
    return _bits(at, lambda stands: stands != HERE)


def _bits(at: Any, wanted: Callable[[int], bool]) -> int:
    if not at.setup.field.arrivals:
        return 0
    index, out = at.setup.index, 0
    for wave, stands in zip(at.setup.field.arrivals, at.waves, strict=False):
        if wanted(stands):
            for name in wave.who:
                out |= 1 << index[name]
    return out
