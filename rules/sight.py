"""Lines of sight: grade, the deciding line, and everything that's seen from a space (olde.md §5).

Nine points of a space count: centre, four corners, four edge midpoints. A segment is obstructed where it meets the
interior of the union of blocking squares, a point where two of them touch diagonally, or a thin wall; grazing an
outer edge or corner, or the free tip of a thin wall, does not obstruct. All is decided in integers.
`rules.sightmasks` says which parts of the plane are solid, this module tests segments against them, and
`rules.sightfan` finds all that a point sees.
"""

from __future__ import annotations

from functools import lru_cache

import msgspec

from rules.grid import Cell, Terrain
from rules.sightfan import view
from rules.sightmasks import Grade, Point, SightMemo, memo_of, parts_between

__all__ = ["Grade", "SightLine", "explain", "grade", "visible"]

_POINTS: tuple[Point, ...] = ((1, 1), (1, 0), (2, 1), (1, 2), (0, 1), (0, 0), (2, 0), (2, 2), (0, 2))
"""The nine points of the space at (0, 0): centre, edge midpoints, corners."""
_FAR = 24
"""Pairs further apart are answered from all that one of them sees: their segments are many and long."""
_PAIRS_KEPT = 1 << 18


class SightLine(msgspec.Struct, frozen=True):
    """A grade and the line that decides it; points are (x, y) in half spaces from the map's upper left corner.

    With a grade above NONE the line is an unobstructed one; with NONE it joins the centres of the nearest spaces.
    `blocker` is the blocking space that the line between the centres meets first, None if it's a thin wall or nothing.
    """

    grade: Grade
    start: Point
    end: Point
    blocker: Cell | None


def grade(terrain: Terrain, a: Cell, b: Cell, size_a: int = 1, size_b: int = 1) -> Grade:
    """How well a creature at `a` sees one at `b`; large ones from and to their best-seen spaces."""
    if size_a == 1 and size_b == 1:
        memo = terrain.sight or memo_of(terrain)
        found = memo.pairs.get((a, b))
        return found if found is not None else _pair(terrain, memo, a, b)
    best = Grade.NONE
    for one in terrain.space(a, size_a):
        for other in terrain.space(b, size_b):
            best = max(best, grade(terrain, one, other))
            if best is Grade.CLEAR:
                return best
    return best


def visible(terrain: Terrain, a: Cell, size: int = 1) -> int:
    """The bitboard of spaces that a creature sees at minimal or better. Remembered."""
    memo = terrain.sight or memo_of(terrain)
    found = memo.visible.get((a, size))
    if found is None:
        found = 0
        for cell in terrain.space(a, size):
            found |= view(terrain, cell).minimal
        if len(memo.visible) >= 4096:
            memo.visible.clear()
        memo.visible[a, size] = found
    return found


def _pair(terrain: Terrain, memo: SightMemo, a: Cell, b: Cell) -> Grade:
    """The grade between two spaces, found and remembered both ways."""
    if b < a:
        _pair(terrain, memo, b, a)
        return memo.pairs[a, b]
    width = terrain.field.width
    (ay, ax), (by, bx) = divmod(a, width), divmod(b, width)
    if a in memo.views or b in memo.views or by - ay > _FAR or abs(bx - ax) > _FAR:
        there, back = _grades_from_view(terrain, memo, a, b)
    else:
        there, back = _grades_from_segments(memo, ax, ay, bx, by)
    if len(memo.pairs) >= _PAIRS_KEPT:
        memo.pairs.clear()
    memo.pairs[b, a] = back
    memo.pairs[a, b] = there
    return there


def _grades_from_view(terrain: Terrain, memo: SightMemo, a: Cell, b: Cell) -> tuple[Grade, Grade]:
    swapped = a not in memo.views and b in memo.views
    if swapped:
        a, b = b, a
    seen = view(terrain, a)
    if seen.clear >> b & 1:
        return Grade.CLEAR, Grade.CLEAR
    if not seen.minimal >> b & 1:
        return Grade.NONE, Grade.NONE
    there = Grade.PARTIAL if seen.partial_from >> b & 1 else Grade.MINIMAL
    back = Grade.PARTIAL if seen.partial_to >> b & 1 else Grade.MINIMAL
    return (back, there) if swapped else (there, back)


def _grades_from_segments(memo: SightMemo, ax: int, ay: int, bx: int, by: int) -> tuple[Grade, Grade]:
    """Both grades between two spaces, the first not below the second (ay <= by)."""
    left = min(ax, bx)
    columns, rows = 2 * abs(bx - ax) + 3, 2 * (by - ay) + 3
    mask, shift = (1 << columns) - 1, 2 * left
    window = 0
    for line in memo.lines[2 * by + 2 : 2 * ay - 1 if ay else None : -1]:
        window = window << columns | (line >> shift & mask)
    if not window:
        return Grade.CLEAR, Grade.CLEAR
    across = bx - ax
    if not window & _segments(across, rows, 0)[0]:
        return Grade.CLEAR, Grade.CLEAR
    there = any(not window & segment for segment in _segments(across, rows, 1))
    back = any(not window & segment for segment in _segments(across, rows, 2))
    if there or back or any(not window & segment for segment in _segments(across, rows, 3)):
        return (
            Grade.PARTIAL if there else Grade.MINIMAL,
            Grade.PARTIAL if back else Grade.MINIMAL,
        )
    return Grade.NONE, Grade.NONE


@lru_cache(maxsize=8192)
def _segments(across: int, rows: int, kind: int) -> tuple[int, ...]:
    """The parts met by segments between two spaces, as bitboards over the window around both.

    `across`: columns from the first to the second; `rows`: lattice lines of the window. Kinds: 0 centre to centre,
    1 from the first's centre, 2 to the second's centre, 3 the others; shortest first, as they are the likeliest.
    """
    columns = 2 * abs(across) + 3
    first, second = (max(0, -2 * across), 0), (max(0, 2 * across), rows - 3)
    starts = _POINTS[:1] if kind in (0, 1) else _POINTS[1:]
    ends = _POINTS[:1] if kind in (0, 2) else _POINTS[1:]
    lines = [
        ((first[0] + sx, first[1] + sy), (second[0] + ex, second[1] + ey))
        for sx, sy in starts
        for ex, ey in ends
    ]
    lines.sort(key=_length)
    return tuple(sum(1 << (y * columns + x) for x, y in parts_between(p, q)) for p, q in lines)


def _length(line: tuple[Point, Point]) -> int:
    (px, py), (qx, qy) = line
    return (qx - px) ** 2 + (qy - py) ** 2


def explain(terrain: Terrain, a: Cell, b: Cell, size_a: int = 1, size_b: int = 1) -> SightLine:
    """The grade from `a` to `b` with the line that decides it, for an overlay or a story. Not for hot paths."""
    pairs = [(one, other) for one in terrain.space(a, size_a) for other in terrain.space(b, size_b)]
    one, other = min(pairs, key=lambda pair: (-grade(terrain, *pair), terrain.distance(*pair)))
    found = grade(terrain, one, other)
    memo = memo_of(terrain)
    from_points, to_points = _points(terrain, one), _points(terrain, other)
    centres = (from_points[0], to_points[0])
    blocker = None if found is Grade.CLEAR else _blocker(terrain, memo, *centres)
    if found in (Grade.NONE, Grade.CLEAR):
        return SightLine(found, *centres, blocker)
    starts = from_points[:1] if found is Grade.PARTIAL else from_points
    lines = sorted(((p, q) for p in starts for q in to_points), key=_length)
    start, end = next(line for line in lines if not _obstructed(memo, *line))
    return SightLine(found, start, end, blocker)


def _points(terrain: Terrain, cell: Cell) -> list[Point]:
    column, row = terrain.field.at(cell)
    return [(2 * column + x, 2 * row + y) for x, y in _POINTS]


def _obstructed(memo: SightMemo, p: Point, q: Point) -> bool:
    return any(memo.lines[y] >> x & 1 for x, y in parts_between(p, q))


def _blocker(terrain: Terrain, memo: SightMemo, p: Point, q: Point) -> Cell | None:
    """The first blocking space at a solid part of the line, None where it's a thin wall or nothing at all."""
    field = terrain.field
    for x, y in parts_between(p, q):
        if memo.lines[y] >> x & 1:
            for column in dict.fromkeys((x // 2, (x - 1) // 2)):
                for row in dict.fromkeys((y // 2, (y - 1) // 2)):
                    if field.inside(column, row) and terrain.opaque >> field.cell(column, row) & 1:
                        return field.cell(column, row)
            return None
    return None
