"""Free lines made walls of a grid: drawn walls lie anywhere, ours along the edges between spaces or filling them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from game.importing.plan import Barrier, Edge, ImportProblem, Side, Space, around, connected

MOST_LINES = 200_000
LONGEST = 2_000_000
"""Spaces that all lines together are long at most."""
NEAR = 0.1
"""Spaces by which a line may be off the grid and still lie on it."""
STRAIGHT = 0.05
"""Spaces by which a line may lean and still be upright or level."""
THICK = 0.15
"""A wall this close to the middle of a space fills it."""
SNAP = 0.75
"""Spaces from its own place to the edge on which a door is put, at most."""
SMALL = 3
"""Fewer spaces than these, walled in and without a door, are no room."""
STRONGEST = (Barrier.WALL, Barrier.WINDOW, Barrier.CURTAIN)


class Line(NamedTuple):
    """A piece of wall between two points, in spaces."""

    x1: float
    y1: float
    x2: float
    y2: float
    barrier: Barrier = Barrier.WALL

    @property
    def long(self) -> float:
        return math.hypot(self.x2 - self.x1, self.y2 - self.y1)


class Leaf(NamedTuple):
    """A door or window between two points, in spaces."""

    x1: float
    y1: float
    x2: float
    y2: float

    @property
    def middle(self) -> tuple[float, float]:
        return (self.x1 + self.x2) / 2, (self.y1 + self.y2) / 2


@dataclass
class Grid:
    """What lines make of a grid."""

    columns: int
    rows: int
    walls: dict[Edge, Barrier] = field(default_factory=dict)
    solid: set[Space] = field(default_factory=set)
    """Spaces that a wall fills."""

    def put(self, edge: Edge, barrier: Barrier) -> None:
        """Something on an edge; of two the stronger stays."""
        there = self.walls.get(edge)
        if there is None or STRONGEST.index(barrier) < STRONGEST.index(there):
            self.walls[edge] = barrier


def clipped(lines: Iterable[Line], columns: int, rows: int) -> list[Line]:
    """The parts of lines that lie on the map; those at its very border stay."""
    found = []
    for line in lines:
        start, end = 0.0, 1.0
        across, down = line.x2 - line.x1, line.y2 - line.y1
        for way, room in ((-across, line.x1), (across, columns - line.x1), (-down, line.y1), (down, rows - line.y1)):
            if way == 0:
                if room < 0:
                    start = 2.0
            elif way < 0:
                start = max(start, room / way)
            else:
                end = min(end, room / way)
        if start <= end:
            found.append(
                Line(line.x1 + across * start, line.y1 + down * start, line.x1 + across * end, line.y1 + down * end,
                     line.barrier)
            )  # fmt: skip
    return found


def phase(lines: Sequence[Line]) -> tuple[bool, bool]:
    """Whether upright lines, and level ones, lie in the middle of spaces rather than between them."""
    upright = [(line.x1, line.long) for line in lines if abs(line.x1 - line.x2) <= STRAIGHT < line.long]
    level = [(line.y1, line.long) for line in lines if abs(line.y1 - line.y2) <= STRAIGHT < line.long]
    return _halved(upright), _halved(level)


def _halved(places: Sequence[tuple[float, float]]) -> bool:
    """Whether more than half of a length lies on halves."""
    half = sum(long for place, long in places if abs(place % 1 - 0.5) <= NEAR)
    return half > sum(long for _, long in places) - half


def off_grid(lines: Sequence[Line]) -> float:
    """The share of the length of lines that does not lie on lines of the grid."""
    total = on = 0.0
    for line in lines:
        total += line.long
        for first, last in ((line.x1, line.x2), (line.y1, line.y2)):
            if abs(first - last) <= STRAIGHT and abs(first - round(first)) <= NEAR:
                on += line.long
                break
    return round(1 - on / total, 3) if total > 0 else 0.0


def rasterised(lines: Sequence[Line], columns: int, rows: int, name: str) -> Grid:
    """Walls of the grid: an edge has one where a line runs between the middles of its two spaces.

    Raises ImportProblem for lines that are too long together.
    """
    if sum(line.long for line in lines) > LONGEST:
        raise ImportProblem("{name}: its walls are longer than a map can hold; draw fewer of them twice", name)
    grid = Grid(columns, rows)
    for line in lines:
        _crossed(grid, line)
        if line.barrier is Barrier.WALL:
            _filled(grid, line)
    return grid


def _crossed(grid: Grid, line: Line) -> None:
    """Put a line on every edge whose two spaces it parts."""
    for level in (True, False):  # middles of rows first, then of columns
        x1, y1, x2, y2 = line[:4] if level else (line.y1, line.x1, line.y2, line.x2)
        low, high = min(y1, y2), max(y1, y2)
        most, wide = (grid.rows, grid.columns) if level else (grid.columns, grid.rows)
        for row in range(max(0, math.ceil(low - 0.5)), min(most, math.ceil(high - 0.5))):
            at = x1 + (x2 - x1) * (row + 0.5 - y1) / (y2 - y1)
            column = math.floor(at + 0.5)
            if 0 < column < wide:
                grid.put(Edge(column, row, Side.WEST) if level else Edge(row, column, Side.NORTH), line.barrier)


def _filled(grid: Grid, line: Line) -> None:
    """Fill the spaces through whose middle a line goes."""
    steps = max(1, math.ceil(line.long / 0.5))
    for step in range(steps + 1):
        share = step / steps
        column = math.floor(line.x1 + (line.x2 - line.x1) * share)
        row = math.floor(line.y1 + (line.y2 - line.y1) * share)
        if 0 <= column < grid.columns and 0 <= row < grid.rows and (column, row) not in grid.solid:
            if _distance(line, column + 0.5, row + 0.5) <= THICK:
                grid.solid.add((column, row))


def _distance(line: Line, x: float, y: float) -> float:
    """From a point to a line."""
    across, down = line.x2 - line.x1, line.y2 - line.y1
    square = across * across + down * down
    share = 0.0 if square == 0 else max(0.0, min(1.0, ((x - line.x1) * across + (y - line.y1) * down) / square))
    return math.hypot(x - line.x1 - share * across, y - line.y1 - share * down)


def edges_of(leaf: Leaf, grid: Grid) -> tuple[Edge, ...]:
    """The edges on which a leaf stands: the nearest ones along it, as many as it is wide; none too far from any.

    Of two that are equally near, it takes the one in which the walls leave a gap.
    """
    (x, y), across, down = leaf.middle, abs(leaf.x2 - leaf.x1), abs(leaf.y2 - leaf.y1)
    level = across >= down
    along, line = (x, round(y)) if level else (y, round(x))
    wide = max(1, math.floor(max(across, down) + 0.5)) if max(across, down) > 1.5 else 1
    found: list[tuple[int, float, int, tuple[Edge, ...]]] = []
    most = grid.columns if level else grid.rows
    for first in (math.floor(along - wide / 2), math.floor(along - wide / 2) + 1):
        if first < 0 or first + wide > most:
            continue  # one that stands out of the map would not fit on it; of a broken file it may be endless
        edges = tuple(
            Edge(first + n, line, Side.NORTH) if level else Edge(line, first + n, Side.WEST) for n in range(wide)
        )
        middle = (first + wide / 2, float(line))
        off = math.hypot(middle[0] - along, middle[1] - (y if level else x))
        gaps = sum(edge in grid.walls for edge in edges)
        if off <= SNAP + 1e-9 and all(_inside(edge, grid) for edge in edges):
            found.append((round(off * 1000) // 50, float(gaps), first, edges))
    return min(found)[3] if found else ()


def _inside(edge: Edge, grid: Grid) -> bool:
    """Whether there are spaces of the map on both sides of an edge."""
    spaces = ((edge.x, edge.y), edge.beyond)
    return all(0 <= x < grid.columns and 0 <= y < grid.rows for x, y in spaces)


class Ground(NamedTuple):
    """Which spaces are floor."""

    floor: frozenset[Space]
    void: int
    """Spaces that are reached only from outside, and are no part of the map."""
    filled: int
    """Spaces of nooks that are no rooms."""


def ground(grid: Grid, doors: Iterable[Edge], lit: Iterable[Space], border: Iterable[Edge] = ()) -> Ground:
    """The floor that walls leave: without what lies outside of them, and without walled nooks.

    What is reached from the border of the map lies outside, unless a door opens there or something shines there; where
    nothing else would be left, all of it is floor. `border`: walls along the map's end.
    """
    spaces = {(x, y) for x in range(grid.columns) for y in range(grid.rows)} - grid.solid
    doors, lit = set(doors), set(lit)
    shut = {edge for edge, barrier in grid.walls.items() if not barrier.way} | doors | set(border)
    beside = {space for edge in doors for space in ((edge.x, edge.y), edge.beyond)}
    areas = connected(spaces, shut)
    kept, void, filled = [], 0, 0
    for area in areas:
        used = not (beside.isdisjoint(area) and lit.isdisjoint(area))
        if not used and _open(area, shut, grid):
            void += len(area)
        elif len(area) < SMALL and beside.isdisjoint(area):
            filled += len(area)
        else:
            kept.append(area)
    if not kept:
        return Ground(frozenset(spaces), 0, 0)
    return Ground(frozenset().union(*kept), void, filled)


def _open(area: Iterable[Space], shut: set[Edge], grid: Grid) -> bool:
    """Whether an area is open to the outside at the map's border, where no wall runs along it."""
    for space in area:
        for there, edge in around(space):
            outside = not (0 <= there[0] < grid.columns and 0 <= there[1] < grid.rows)
            if outside and edge not in shut:
                return True
    return False


def border_walls(lines: Iterable[Line], grid: Grid) -> set[Edge]:
    """Edges at the map's border along which walls run: they keep the outside out, and are no walls of the map."""
    found = set()
    for line in lines:
        if line.barrier is Barrier.CURTAIN:
            continue
        for level in (True, False):
            x1, y1, x2, y2 = line[:4] if level else (line.y1, line.x1, line.y2, line.x2)
            wide, most = (grid.columns, grid.rows) if level else (grid.rows, grid.columns)
            if abs(x1 - x2) > STRAIGHT or min(abs(x1), abs(x1 - wide)) > 0.5:
                continue
            at = 0 if abs(x1) <= 0.5 else wide
            for row in range(max(0, math.ceil(min(y1, y2) - 0.5)), min(most, math.ceil(max(y1, y2) - 0.5))):
                found.add(Edge(at, row, Side.WEST) if level else Edge(row, at, Side.NORTH))
    return found
