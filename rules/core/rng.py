"""The generator as a value: one integer that lives inside the state (splitmix64)."""

from __future__ import annotations

_MASK = (1 << 64) - 1
_WHOLE = 1 << 64
_GAMMA = 0x9E3779B97F4A7C15


def seeded(seed: int) -> int:
    """The generator's first state for any whole number."""
    return (seed * 0xD1342543DE82EF95 + 0x2545F4914F6CDD1D) & _MASK


def draw(state: int) -> tuple[int, int]:
    """Advance once: (new state, 64 fair bits)."""
    state = (state + _GAMMA) & _MASK
    bits = state
    bits = ((bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
    bits = ((bits ^ (bits >> 27)) * 0x94D049BB133111EB) & _MASK
    return state, bits ^ (bits >> 31)


def nth(seed: int, number: int) -> int:
    """The 64 bits of draw `number` (from 0) in a seed's stream, without those before it: seeds of many runs."""
    return draw((seeded(seed) + number * _GAMMA) & _MASK)[1]


def below(state: int, limit: int) -> tuple[int, int]:
    """(new state, a fair whole number in 0..limit-1), by rejection, so that no face is favoured."""
    while True:
        state, bits = draw(state)
        pick = bits % limit
        if bits - pick <= _WHOLE - limit:  # the last, incomplete run of `limit` numbers is thrown again
            return state, pick


def shuffled(state: int, items: tuple[str, ...]) -> tuple[int, tuple[str, ...]]:
    """(new state, the items in a fair random order)."""
    rest = list(items)
    for last in range(len(rest) - 1, 0, -1):
        state, pick = below(state, last + 1)
        rest[last], rest[pick] = rest[pick], rest[last]
    return state, tuple(rest)
