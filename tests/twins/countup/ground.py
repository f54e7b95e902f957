"""The ground: rows of symbols, distances, directions and lines of sight, by brute force and in whole numbers."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

Spot = tuple[int, int]
COMPASS: tuple[Spot, ...] = ((0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1))
"""Directions from north, clockwise."""


def block(at: Spot, space: int) -> list[Spot]:
    """All spaces that somebody covers."""
    return [(at[0] + dx, at[1] + dy) for dy in range(space) for dx in range(space)]


def apart(a: Spot, sa: int, b: Spot, sb: int) -> int:
    """Spaces between two blocks: the larger of column and row difference, nearest space to nearest."""
    return min(max(abs(x - u), abs(y - v)) for x, y in block(a, sa) for u, v in block(b, sb))


def nearest_pair(a: Spot, sa: int, b: Spot, sb: int) -> tuple[int, int]:
    """The step in columns and rows from one block to another: nought where they overlap in that direction."""

    def gap(p: int, q: int) -> int:
        if q > p + sa - 1:
            return q - (p + sa - 1)
        if q + sb - 1 < p:
            return q + sb - 1 - p
        return 0

    return gap(a[0], b[0]), gap(a[1], b[1])


def bearing(dx: int, dy: int) -> int:
    """The eighth of the compass for a step: straight where the longer leg is more than twice the shorter."""
    if 2 * abs(dy) < abs(dx):
        dy = 0
    elif 2 * abs(dx) < abs(dy):
        dx = 0
    return COMPASS.index(((dx > 0) - (dx < 0), (dy > 0) - (dy < 0)))


class Ground:
    """A sketch: `#` wall, `.` floor, `~` difficult, `+` and `'` doors."""

    def __init__(self, rows: list[str]) -> None:
        self.rows = rows
        self.width, self.height = len(rows[0]), len(rows)
        self.doors: dict[Spot, str] = {
            (x, y): ("closed" if s == "+" else "open")
            for y, row in enumerate(rows)
            for x, s in enumerate(row)
            if s in "+'"
        }
        self.hardness = dict.fromkeys(self.doors, 9)
        self.secrets = False
        self.ambient = "bright"
        self.lights: list[tuple[Spot, int, int]] = []
        self.found: set[tuple[str, Spot]] = set()

    def solid(self, at: Spot) -> bool:
        """Whether nobody can stand there, nor see through."""
        x, y = at
        if not (0 <= x < self.width and 0 <= y < self.height):
            return True
        return self.rows[y][x] in "# " or self.doors.get(at, "open") != "open"

    def wall(self, at: Spot) -> bool:
        """Whether a space on the map has no floor; a door's has."""
        return self.rows[at[1]][at[0]] in "# "

    def as_known(self, spot: Spot, side: str) -> str:
        """How a door stands as far as a side knows."""
        now = self.doors.get(spot, "none")
        return "closed" if now == "secret" and (side, spot) in self.found else now

    def rough(self, at: Spot) -> bool:
        return self.rows[at[1]][at[0]] == "~"

    def stands(self, at: Spot, space: int) -> bool:
        """Whether a block fits there as far as the ground goes."""
        return not any(self.solid(c) for c in block(at, space))

    def step(self, a: Spot, b: Spot, space: int) -> bool:
        """Whether a block may step from one space to a neighbour: no corner is cut."""
        dx, dy = b[0] - a[0], b[1] - a[1]
        if max(abs(dx), abs(dy)) != 1 or not self.stands(b, space):
            return False
        return not (dx and dy) or (self.stands((a[0] + dx, a[1]), space) and self.stands((a[0], a[1] + dy), space))

    def costs(self, b: Spot, space: int) -> int:
        """Spaces of movement that entering takes."""
        return 2 if any(self.rough(c) for c in block(b, space)) else 1

    def walls(self) -> frozenset[Spot]:
        return frozenset((x, y) for y in range(self.height) for x in range(self.width) if self.solid((x, y)))

    def sight(self, a: Spot, sa: int, b: Spot, sb: int) -> int:
        """The best grade between two blocks: 3 clear, 2 partial, 1 minimal, 0 none."""
        walls = self.walls()
        return max(grade(walls, p, q) for p in block(a, sa) for q in block(b, sb))


def points(at: Spot) -> list[Spot]:
    """Centre first, then corners and edge midpoints, in halves of a space."""
    x, y = 2 * at[0], 2 * at[1]
    return [(x + 1, y + 1)] + [(x + i, y + j) for j in range(3) for i in range(3) if (i, j) != (1, 1)]


@lru_cache(maxsize=200_000)
def grade(walls: frozenset[Spot], a: Spot, b: Spot) -> int:
    """The nine-point line of sight from a space to a space (olde.md §5)."""
    here, there = points(a), points(b)
    if open_line(walls, here[0], there[0]):
        return 3
    if any(open_line(walls, here[0], q) for q in there):
        return 2
    return 1 if any(open_line(walls, p, q) for p in here for q in there) else 0


@lru_cache(maxsize=400_000)
def open_line(walls: frozenset[Spot], p: Spot, q: Spot) -> bool:
    """Whether a segment (ends in halves of a space) neither meets the interior of the union of walls nor a point where
    two of them touch diagonally. Cut at every grid line: between two cuts a piece lies in one square, or on a seam."""
    dx, dy = q[0] - p[0], q[1] - p[1]
    cuts = {Fraction(0), Fraction(1)}
    if dx:
        for line in range(min(p[0], q[0]) // 2 * 2, max(p[0], q[0]) + 1, 2):
            t = Fraction(line - p[0], dx)
            if 0 <= t <= 1:
                cuts.add(t)
    if dy:
        for line in range(min(p[1], q[1]) // 2 * 2, max(p[1], q[1]) + 1, 2):
            t = Fraction(line - p[1], dy)
            if 0 <= t <= 1:
                cuts.add(t)
    ordered = sorted(cuts)
    spots = [(p[0] + t * dx, p[1] + t * dy) for t in ordered]
    for t, u in zip(ordered, ordered[1:], strict=False):
        m = (t + u) / 2
        spots.append((p[0] + m * dx, p[1] + m * dy))
    return not any(blocked_point(walls, Fraction(x), Fraction(y)) for x, y in spots)


def blocked_point(walls: frozenset[Spot], x: Fraction, y: Fraction) -> bool:
    """Whether a point (in halves) is inside the union of walls, or where two touch diagonally (of three, two do)."""
    columns = [int(x // 2)] if x % 2 else [int(x // 2) - 1, int(x // 2)]
    rows = [int(y // 2)] if y % 2 else [int(y // 2) - 1, int(y // 2)]
    full = [(c, r) in walls for r in rows for c in columns]
    if all(full):
        return True
    if len(full) == 4:
        return (full[0] and full[3]) or (full[1] and full[2])
    return False
