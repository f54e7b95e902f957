"""Facing and arcs: front is ahead and half right or left, sides at right angles, the rest is rear (countup.md §3)."""

from __future__ import annotations

from rules.board.grid import Field

COMPASS: tuple[tuple[int, int], ...] = (
    (0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1),
)  # fmt: skip
"""(column, row) of the eight facings, from north clockwise."""


Sizes = tuple[int, int]
"""Spaces across of two creatures, whose first spaces are those to the north-west."""


def gap(field: Field, start: int, goal: int, sizes: Sizes = (1, 1)) -> tuple[int, int]:
    """Columns and rows from the nearest space of one block to the nearest of another; 0 where they lie abreast."""
    (ax, ay), (bx, by) = field.at(start), field.at(goal)
    return _apart(ax, bx, sizes), _apart(ay, by, sizes)


def _apart(a: int, b: int, sizes: Sizes) -> int:
    if b >= a + sizes[0]:
        return b - (a + sizes[0] - 1)
    return b + sizes[1] - 1 - a if b + sizes[1] <= a else 0


def direction(field: Field, start: int, goal: int, sizes: Sizes = (1, 1)) -> int:
    """The facing from one block that looks most nearly at another, from nearest space to nearest; 0 where they meet.

    Between two facings the nearer to an orthogonal one wins: a knight's move counts as diagonal.
    """
    dx, dy = gap(field, start, goal, sizes)
    if dx == 0 and dy == 0:
        return 0
    across = 0 if 2 * abs(dx) < abs(dy) else 1 if dx > 0 else -1
    down = 0 if 2 * abs(dy) < abs(dx) else 1 if dy > 0 else -1
    return COMPASS.index((across, down))


def arc(field: Field, cell: int, facing: int, other: int, sizes: Sizes = (1, 1)) -> str:
    """`front`, `side` or `rear`: where somebody at `other` stands to somebody at `cell`."""
    turn = (direction(field, cell, other, sizes) - facing) % 8
    turn = min(turn, 8 - turn)
    return "front" if turn <= 1 else "side" if turn == 2 else "rear"
