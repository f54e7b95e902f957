"""Lines of sight by brute force: every segment is cut into points, each a pair of fractions, and each point is judged.

Slow, plain and independent of rules.board.sight: it shares no code with it and follows the words of olde.md §5.
"""

from fractions import Fraction
from itertools import pairwise

from rules.board.grid import Terrain
from rules.contract.units import Cell

HALF = Fraction(1, 2)
OFFSETS = [(x * HALF, y * HALF) for x in range(3) for y in range(3)]


class Judge:
    def __init__(self, terrain: Terrain) -> None:
        field = terrain.field
        self.width, self.height = field.width, field.height
        self.blocking = {field.at(Cell(c)) for c in range(self.width * self.height) if terrain.opaque >> c & 1}
        thin = [(wall.a, wall.b) for wall in field.edges if wall.sight]
        for i, door in enumerate(field.doors):
            if door.edge is not None and not terrain.doors_open >> i & 1:
                thin.append((door.cell, door.edge))
        # each thin wall as its two ends, with the two squares beside it
        self.walls = {}
        for a, b in thin:
            (ax, ay), (bx, by) = sorted((field.at(a), field.at(b)))
            ends = ((bx, by), (bx, by + 1)) if bx > ax else ((bx, by), (bx + 1, by))
            self.walls[ends] = {(ax, ay), (bx, by)}

    def squares_at(self, x, y):
        """The squares (of an endless plane) whose closed square holds the point."""
        columns = {x.__floor__(), x.__ceil__() - 1}
        rows = {y.__floor__(), y.__ceil__() - 1}
        return {(c, r) for c in columns for r in rows}

    def off_map(self, square):
        return not (0 <= square[0] < self.width and 0 <= square[1] < self.height)

    def stops(self, x, y):
        around = self.squares_at(x, y)
        blocking = around & self.blocking
        if blocking == around:
            return True  # the interior of the union
        for (x0, y0), (x1, y1) in self.walls:
            if (x0 == x1 == x and y0 < y < y1) or (y0 == y1 == y and x0 < x < x1):
                return True  # the inside of a thin wall
        if len(around) < 4:
            return False
        if any(a[0] != b[0] and a[1] != b[1] for a in blocking for b in blocking):
            return True  # two squares touch diagonally
        here = [beside for ends, beside in self.walls.items() if (x, y) in ends and not beside <= self.blocking]
        if len(here) > 1:
            return True  # two thin walls meet
        full = blocking | {square for square in around if self.off_map(square)}
        return bool(here) and self.meets_a_square(here[0], full)

    def meets_a_square(self, beside, full):
        """Whether a wall's tip touches a full square that's not one body with a square the wall runs along."""
        body = beside & full
        for _ in range(4):
            body |= {s for s in full if any(abs(s[0] - b[0]) + abs(s[1] - b[1]) == 1 for b in body)}
        return bool(full - body)

    def obstructed(self, p, q):
        times = {Fraction(0), Fraction(1)}
        for a, b in zip(p, q, strict=True):
            if a != b:
                low, high = min(a, b), max(a, b)
                times |= {(line - a) / (b - a) for line in range(low.__ceil__(), high.__floor__() + 1)}
        ordered = sorted(times)
        ordered += [(s + t) / 2 for s, t in pairwise(ordered)]
        return any(self.stops(*(a + (b - a) * t for a, b in zip(p, q, strict=True))) for t in ordered)

    def grade(self, a, b):
        """0 none, 1 minimal, 2 partial, 3 clear, between two spaces given as (column, row)."""
        centre_a, centre_b = (a[0] + HALF, a[1] + HALF), (b[0] + HALF, b[1] + HALF)
        points_a = [(a[0] + x, a[1] + y) for x, y in OFFSETS]
        points_b = [(b[0] + x, b[1] + y) for x, y in OFFSETS]
        if not self.obstructed(centre_a, centre_b):
            return 3
        if not all(self.obstructed(centre_a, q) for q in points_b):
            return 2
        if not all(self.obstructed(p, q) for p in points_a for q in points_b):
            return 1
        return 0
