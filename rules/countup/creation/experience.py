"""What an evening earns (countup.md §9.2; all of it OURS but the points that a level takes)."""

from __future__ import annotations

from collections.abc import Iterable

FOE = 10
"""Points for each point of a beaten foe's threat."""
GOAL = 100
"""Points for a goal that was reached."""
BACK = 25
"""Points for each who comes back alive."""


def shares(threats: Iterable[int], goals: int, band: int) -> int:
    """What each who comes back gets: foes and goals shared among all who went, and something for coming back.

    >>> shares((7, 7, 10), 0, 4), shares((), 2, 4), shares((7,), 0, 0)
    (85, 75, 0)
    """
    return (FOE * sum(threats) + GOAL * goals) // band + BACK if band else 0
