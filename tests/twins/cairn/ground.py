"""The ground of a sketch: ways, distances and lines of sight by brute force (cairn.md §3, olde.md §5)."""

from __future__ import annotations

from itertools import pairwise

Space = tuple[int, int]
NONE, MINIMAL, PARTIAL, CLEAR = range(4)


class Ground:
    """Rows of a sketch with its doors, which open and close."""

    def __init__(self, rows: list[str]) -> None:
        self.rows = rows
        self.width, self.height = len(rows[0]), len(rows)
        self.doors = {}
        """A drawn door's space -> `open` or `closed`."""
        for y, row in enumerate(rows):
            for x, sign in enumerate(row):
                if sign in "+'":
                    self.doors[x, y] = "closed" if sign == "+" else "open"
        self._sights: dict[object, int] = {}

    # -- what a space is

    def inside(self, space: Space) -> bool:
        return 0 <= space[0] < self.width and 0 <= space[1] < self.height

    def sign(self, space: Space) -> str:
        return self.rows[space[1]][space[0]]

    def walkable(self, space: Space) -> bool:
        """Whether somebody may stand there: floor, rough ground, an open door."""
        if not self.inside(space) or self.sign(space) in "# ":
            return False
        return self.doors.get(space) != "closed"

    def rough(self, space: Space) -> bool:
        return self.sign(space) == "~"

    def opaque(self, space: Space) -> bool:
        return self.inside(space) and (self.sign(space) in "# " or self.doors.get(space) == "closed")

    # -- steps

    def fits(self, at: Space, size: int) -> bool:
        """Whether a creature of so many spaces each way may stand with its upper left space there."""
        return all(self.walkable(space) for space in covered(at, size))

    def step(self, start: Space, end: Space, size: int) -> bool:
        """Whether the ground lets a creature step so: to a neighbour, and round no corner."""
        dx, dy = end[0] - start[0], end[1] - start[1]
        if max(abs(dx), abs(dy)) != 1 or not self.fits(end, size):
            return False
        if dx and dy:
            return self.fits((end[0], start[1]), size) and self.fits((start[0], end[1]), size)
        return True

    def price(self, at: Space, size: int) -> int:
        return 2 if any(self.rough(space) for space in covered(at, size)) else 1

    # -- sight

    def sight(self, here: list[Space], there: list[Space]) -> int:
        """The best grade between any two of the spaces that two creatures cover."""
        return max(self.grade(a, b) for a in here for b in there)

    def grade(self, a: Space, b: Space) -> int:
        """How one space is seen from another: by the nine points of each, corners, middles of edges, centre."""
        shut = tuple(sorted(space for space, how in self.doors.items() if how == "closed"))
        key = (a, b, shut)
        if key not in self._sights:
            self._sights[key] = self._grade(a, b)
        return self._sights[key]

    def _grade(self, a: Space, b: Space) -> int:
        # All points are counted in halves of a space, so that corners, middles and centres are whole numbers.
        from_points = [(2 * a[0] + x, 2 * a[1] + y) for x in range(3) for y in range(3)]
        to_points = [(2 * b[0] + x, 2 * b[1] + y) for x in range(3) for y in range(3)]
        centre = from_points[4]
        if not self._barred(centre, to_points[4]):
            return CLEAR
        if any(not self._barred(centre, q) for q in to_points):
            return PARTIAL
        if any(not self._barred(p, q) for p in from_points for q in to_points):
            return MINIMAL
        return NONE

    def _barred(self, p: Space, q: Space) -> bool:
        """Whether a segment meets the inside of what blocks, or a point where two blocks touch by their corners.

        It is looked at where it crosses a line of the grid, at its ends, and once between every two of these points.
        """
        (px, py), (dx, dy) = p, (q[0] - p[0], q[1] - p[1])
        parts = (
            2 * max(1, abs(dx)) * max(1, abs(dy))
        )  # of the segment: all crossings and middles are whole ones
        times = {0, parts}
        for start, way in ((px, dx), (py, dy)):
            for line in range(min(start, start + way), max(start, start + way) + 1):
                if way and line % 2 == 0:
                    times.add(parts * (line - start) // way)
        marks = sorted(times)
        marks += [(s + t) // 2 for s, t in pairwise(marks)]
        return any(self._stops(px * parts + dx * t, py * parts + dy * t, 2 * parts) for t in marks)

    def _stops(self, x: int, y: int, unit: int) -> bool:
        """Whether a point, in parts of a space of which there are `unit`, stops sight."""
        columns = [x // unit] if x % unit else [x // unit - 1, x // unit]
        rows = [y // unit] if y % unit else [y // unit - 1, y // unit]
        blocked = [[self.opaque((c, r)) for c in columns] for r in rows]
        if all(all(line) for line in blocked):
            return True
        if len(columns) == 2 and len(rows) == 2:
            (nw, ne), (sw, se) = blocked
            return (nw and se) or (ne and sw)
        return False


def covered(at: Space, size: int) -> list[Space]:
    """The spaces that a creature covers, row by row."""
    return [(at[0] + dx, at[1] + dy) for dy in range(size) for dx in range(size)]


def apart(here: list[Space], there: list[Space]) -> int:
    """The distance between the nearest two spaces, a diagonal counting one."""
    return min(max(abs(a[0] - b[0]), abs(a[1] - b[1])) for a in here for b in there)
