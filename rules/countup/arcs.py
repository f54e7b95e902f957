"""Facing and arcs: front is ahead and half right or left, sides at right angles, the rest is rear (countup.md §3)."""

from __future__ import annotations

from rules.grid import Field

COMPASS: tuple[tuple[int, int], ...] = (
    (0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1),
)  # fmt: skip
"""(column, row) of the eight facings, from north clockwise."""


def direction(field: Field, start: int, goal: int) -> int:
    """The facing from one space that looks most nearly at another; 0 where they are the same.

    Between two facings the nearer to an orthogonal one wins: a knight's move counts as diagonal.
    """
    (ax, ay), (bx, by) = field.at(start), field.at(goal)
    dx, dy = bx - ax, by - ay
    if dx == 0 and dy == 0:
        return 0
    across = 0 if 2 * abs(dx) < abs(dy) else 1 if dx > 0 else -1
    down = 0 if 2 * abs(dy) < abs(dx) else 1 if dy > 0 else -1
    return COMPASS.index((across, down))


def arc(field: Field, cell: int, facing: int, other: int) -> str:
    """`front`, `side` or `rear`: where somebody at `other` stands to somebody at `cell`."""
    turn = (direction(field, cell, other) - facing) % 8
    turn = min(turn, 8 - turn)
    return "front" if turn <= 1 else "side" if turn == 2 else "rear"
