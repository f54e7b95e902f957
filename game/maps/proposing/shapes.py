"""Collision shapes as spaces and edges: of tiles, turned as the tile is, and of objects."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from game.maps.editing import tools
from game.maps.editing.document import Spot
from game.maps.editing.tools import Edge

Points = Sequence[tuple[float, float]]
"""The corners of a shape."""
GRAIN = 8
"""Samples along a side of a tile."""
MOST = 0.5
"""A space is stopped from this share of it on …"""
THIN, LONG = 0.3, 0.75
"""… and an edge where a strip no wider than that lies along it, over so much of its length."""
STEP = 0.25
"""Spaces between two looks at a slanting line."""
ROUND = 24
"""Corners of a circle."""
BUDGET = 400_000
"""Spaces that all shapes of a map are held against."""

Side = tuple[int, int, bool]


def inside(x: float, y: float, points: Points) -> bool:
    """Whether a point lies in a shape."""
    found, last = False, points[-1]
    for here in points:
        if (here[1] > y) != (last[1] > y):
            across = (last[0] - here[0]) * (y - here[1]) / (last[1] - here[1]) + here[0]
            found ^= x < across
        last = here
    return found


def ellipse(x: float, y: float, wide: float, high: float) -> Points:
    """The corners of an ellipse in a box."""
    turns = (math.tau * n / ROUND for n in range(ROUND))
    return [(x + wide * (1 + math.cos(turn)) / 2, y + high * (1 + math.sin(turn)) / 2) for turn in turns]


def turned(points: Points, flags: int) -> Points:
    """The shape on a unit tile as the tile lies: mirrored along the diagonal, across and down, in this order."""
    found = [(y, x) if flags & 1 << 29 else (x, y) for x, y in points]
    found = [(1 - x, y) if flags & 1 << 31 else (x, y) for x, y in found]
    return [(x, 1 - y) if flags & 1 << 30 else (x, y) for x, y in found]


def of_tile(shapes: Iterable[Points]) -> tuple[bool, tuple[Side, ...]]:
    """(whether a unit tile with such shapes is stopped, else the edges of its space (0, 0) along which strips lie)."""
    known = [shape for shape in shapes if len(shape) > 2]
    marks = [
        [any(inside((x + 0.5) / GRAIN, (y + 0.5) / GRAIN, each) for each in known) for x in range(GRAIN)]
        for y in range(GRAIN)
    ]
    share = sum(map(sum, marks)) / GRAIN**2
    if share >= MOST:
        return True, ()
    columns = list(zip(*marks, strict=True))
    sides: list[Side] = []
    for line, edge in (
        (marks[0], (0, 0, False)), (marks[-1], (0, 1, False)), (columns[0], (0, 0, True)), (columns[-1], (1, 0, True)),
    ):  # fmt: skip
        if sum(line) >= LONG * GRAIN:
            sides.append(edge)
    return False, tuple(sides)


def spots_in(points: Points, size: tuple[int, int], budget: list[int]) -> set[Spot]:
    """The spaces of a map that a shape covers by half or more; `budget` is what is left, and is used up."""
    left, right = (f(x for x, _ in points) for f in (min, max))
    top, bottom = (f(y for _, y in points) for f in (min, max))
    columns = range(max(0, math.floor(left)), min(size[0], math.ceil(right)))
    rows = range(max(0, math.floor(top)), min(size[1], math.ceil(bottom)))
    budget[0] -= len(columns) * len(rows)
    if budget[0] < 0:
        return set()
    grain = (0.125, 0.375, 0.625, 0.875)
    return {
        (column, row) for row in rows for column in columns
        if sum(inside(column + x, row + y, points) for x in grain for y in grain) >= 8
    }  # fmt: skip


def thin(points: Points) -> Points | None:
    """The middle line of a box that is thin and long; None for any other shape."""
    (left, right), (top, bottom) = ((min(axis), max(axis)) for axis in zip(*points, strict=True))
    wide, high = right - left, bottom - top
    if wide <= THIN < LONG <= high:
        return [((left + right) / 2, top), ((left + right) / 2, bottom)]
    if high <= THIN < LONG <= wide:
        return [(left, (top + bottom) / 2), (right, (top + bottom) / 2)]
    return None


def edges_along(points: Points, budget: list[int]) -> set[Edge]:
    """The edges between spaces along a line: slanting parts become steps."""
    corners: list[Spot] = []
    for (x1, y1), (x2, y2) in zip(points, points[1:], strict=False):
        count = max(1, math.ceil(max(abs(x2 - x1), abs(y2 - y1)) / STEP))
        budget[0] -= count
        if budget[0] < 0:
            return set()
        for n in range(count + 1):
            corner = (round(x1 + (x2 - x1) * n / count), round(y1 + (y2 - y1) * n / count))
            if not corners or corners[-1] != corner:
                corners.append(corner)
    found: set[Edge] = set()
    for start, end in zip(corners, corners[1:], strict=False):
        bend = (end[0], start[1])
        for a, b in ((start, bend), (bend, end)):
            if a != b:
                found.update(tools.edges_between(a, b))
    return found
