"""The ground of a sketch: ways, distances and lines of sight by brute force (cairn.md §3, olde.md §5)."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

Space = tuple[int, int]
NONE, MINIMAL, PARTIAL, CLEAR = range(4)


class Ground:
    """Rows of a sketch with its doors, which open and close, and what powers have laid on it."""

    def __init__(self, rows: list[str], doors: dict[str, str], walls: list[list[Any]] | None = None) -> None:
        self.rows = rows
        self.width, self.height = len(rows[0]), len(rows)
        self.dark = False
        """Whether there is no light but what somebody carries."""
        self.doors: dict[Space, str] = {}
        """A drawn door's space -> `open`, `closed`, `locked` or `barred`."""
        self.zones: list[dict[str, Any]] = []
        """Changed ground: `kind`, `cells` (a frozenset), `rounds` (None = the whole fight), `by`, `at`."""
        for y, row in enumerate(rows):
            for x, sign in enumerate(row):
                if sign in "+'":
                    self.doors[x, y] = doors.get(f"door {x},{y}", "closed" if sign == "+" else "open")
        self.fences: set[frozenset[Space]] = set()
        """The edges that a thin wall stops movement on, each as the two spaces beside it."""
        self.screens: set[frozenset[Space]] = set()
        """The edges that a thin wall stops sight on."""
        for one, other, move, see in walls or ():
            edge = frozenset([tuple(one), tuple(other)])
            self.fences |= {edge} if move else set()
            self.screens |= {edge} if see else set()
        self._sights: dict[object, int] = {}
        self._walls: dict[object, frozenset[Space]] = {}
        self._blocks: frozenset[Space] = frozenset()
        self._segments: dict[frozenset[Space], dict[tuple[Space, Space], bool]] = {}
        self._lines: dict[tuple[Space, Space], bool] = {}
        """Which segments are barred, by their ends, with what blocks now."""

    # -- what a space is

    def inside(self, space: Space) -> bool:
        return 0 <= space[0] < self.width and 0 <= space[1] < self.height

    def inner(self, space: Space) -> bool:
        """Whether there is more of the map on all sides."""
        return 0 < space[0] < self.width - 1 and 0 < space[1] < self.height - 1

    def everywhere(self) -> list[Space]:
        return [(x, y) for y in range(self.height) for x in range(self.width)]

    def sign(self, space: Space) -> str:
        return self.rows[space[1]][space[0]]

    def changed(self, space: Space, *kinds: str) -> bool:
        """Whether changed ground of one of these kinds lies there."""
        return any(zone["kind"] in kinds and space in zone["cells"] for zone in self.zones)

    def shut(self, space: Space) -> bool:
        return self.doors.get(space, "open") != "open"

    def pit(self, space: Space) -> bool:
        """Nothing to stand on."""
        return self.sign(space) == " " and not self.changed(space, "gap", "ice", "bar")

    def walkable(self, space: Space, fly: bool = False) -> bool:
        """Whether somebody may come there: floor, rough ground, an open door; who flies, over nothing at all."""
        if not self.inside(space) or self.shut(space) or self.changed(space, "ice", "bar"):
            return False
        return self.changed(space, "gap") or self.sign(space) not in ("#" if fly else "# ")

    def wall(self, space: Space) -> bool:
        """Whether the map has a wall there that nothing has opened."""
        return self.sign(space) == "#" and not self.changed(space, "gap")

    def rough(self, space: Space) -> bool:
        return self.sign(space) == "~" or self.changed(space, "thicket", "pit")

    def opaque(self, space: Space, sharp: bool = False) -> bool:
        """Whether no sight goes through; true sight goes through what is no more than an image."""
        if not self.inside(space):
            return False
        hides = ("fog", "thicket", "ice") if sharp else ("fog", "thicket", "ice", "illusion")
        wall = self.sign(space) in "# " and not self.changed(space, "gap")
        return wall or self.shut(space) or self.changed(space, *hides)

    # -- steps

    def fits(self, at: Space, size: int, fly: bool = False) -> bool:
        """Whether a creature of so many spaces each way may be with its upper left space there: no wall goes through
        it."""
        mine = covered(at, size)
        if any(edge <= set(mine) for edge in self.fences):
            return False
        return all(self.walkable(space, fly) for space in mine)

    def step(self, start: Space, end: Space, size: int, fly: bool = False) -> bool:
        """Whether the ground lets a creature step so: to a neighbour, and round no corner."""
        dx, dy = end[0] - start[0], end[1] - start[1]
        if max(abs(dx), abs(dy)) != 1 or not self.fits(end, size, fly):
            return False
        if dx and dy:
            corners = (end[0], start[1]), (start[0], end[1])
            return all(
                self.fits(corner, size, fly) and self.unfenced(start, corner, size) and self.unfenced(corner, end, size)
                for corner in corners
            )
        return self.unfenced(start, end, size)

    def unfenced(self, start: Space, end: Space, size: int) -> bool:
        """Whether no thin wall lies across a step straight ahead."""
        dx, dy = end[0] - start[0], end[1] - start[1]
        return not any(frozenset([(x, y), (x + dx, y + dy)]) in self.fences for x, y in covered(start, size))

    def price(self, at: Space, size: int, fly: bool = False) -> int:
        return 2 if not fly and any(self.rough(space) for space in covered(at, size)) else 1

    # -- sight

    def sight(self, here: list[Space], there: list[Space], sharp: bool = False, firm: bool = False) -> int:
        """The best grade between any two of the spaces that two creatures cover."""
        return max(self.grade(a, b, sharp, firm) for a in here for b in there)

    def grade(self, a: Space, b: Space, sharp: bool = False, firm: bool = False) -> int:
        """How one space is seen from another: by the nine points of each, corners, middles of edges, centre. `firm`:
        as it were without fog and brush."""
        shut = tuple(sorted(space for space in self.doors if self.shut(space)))
        laid = tuple((zone["kind"], zone["cells"]) for zone in self.zones)
        where = (shut, laid, sharp, firm)
        if where not in self._walls:
            self._walls[where] = frozenset(
                space for space in self.everywhere() if self.opaque(space, sharp) and not (firm and self.misty(space))
            )
        key = (a, b, self._walls[where])
        if key not in self._sights:
            self._blocks = self._walls[where]
            self._lines = self._segments.setdefault(self._blocks, {})
            self._sights[key] = self._grade(a, b)
        return self._sights[key]

    def misty(self, space: Space) -> bool:
        """Whether nothing but fog or brush stops sight there."""
        wall = self.sign(space) in "# " and not self.changed(space, "gap")
        return not wall and not self.shut(space) and not self.changed(space, "ice", "illusion")

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
        """The same of either end, remembered: the corners of a space are those of its neighbours, too."""
        ends = (p, q) if p < q else (q, p)
        if ends not in self._lines:
            self._lines[ends] = self._crosses(*ends)
        return self._lines[ends]

    def _crosses(self, p: Space, q: Space) -> bool:
        """Whether a segment meets the inside of what blocks, or a point where two blocks touch by their corners.

        It is looked at where it crosses a line of the grid, at its ends, and once between every two of these points.
        """
        (px, py), (dx, dy) = p, (q[0] - p[0], q[1] - p[1])
        parts = 2 * max(1, abs(dx)) * max(1, abs(dy))  # of the segment: all crossings and middles are whole ones
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
        blocked = [[self._closed((c, r)) for c in columns] for r in rows]
        if all(all(line) for line in blocked):
            return True
        if len(columns) == 2 and len(rows) == 2:
            (nw, ne), (sw, se) = blocked
            return (nw and se) or (ne and sw) or self._meet([(c, r) for c in columns for r in rows])
        if len(columns) + len(rows) == 3:  # within an edge
            return frozenset((c, r) for c in columns for r in rows) in self.screens
        return False

    def _meet(self, around: list[Space]) -> bool:
        """Whether a thin wall that ends at a corner of four spaces leaves no free tip there: another ends there, too,
        or it meets a square that it does not run along."""
        thin = [edge for edge in self.screens if edge <= set(around) and not all(map(self._closed, edge))]
        if len(thin) != 1:
            return bool(thin)
        full = {space for space in around if not self.inside(space) or self._closed(space)}
        body = set(thin[0]) & full
        for _ in around:
            body |= {space for space in full if any(abs(space[0] - x) + abs(space[1] - y) == 1 for x, y in body)}
        return bool(full - body)

    def _closed(self, space: Space) -> bool:
        return space in self._blocks


def covered(at: Space, size: int) -> list[Space]:
    """The spaces that a creature covers, row by row."""
    return [(at[0] + dx, at[1] + dy) for dy in range(size) for dx in range(size)]


def apart(here: list[Space], there: list[Space]) -> int:
    """The distance between the nearest two spaces, a diagonal counting one."""
    return min(max(abs(a[0] - b[0]), abs(a[1] - b[1])) for a in here for b in there)
