"""Lines of sight: grade, the deciding line, and everything that's seen from a space (olde.md §5).

Nine points of a space count: centre, four corners, four edge midpoints. A segment is obstructed where it meets the
interior of the union of blocking squares, a point where two of them touch diagonally, or a thin wall; grazing an
outer edge or corner, or the free tip of a thin wall, does not obstruct. All is decided in integers.
`sight_fan` says which parts of the plane are solid and finds all that a point sees, and this module
answers from that.

    >>> from rules.board.grid import Field
    >>> field = Field.from_rows(["#####", "#...#", "#.#.#", "#####"])
    >>> grade(field.terrain(0), field.cell(1, 1), field.cell(3, 1)).name
    'CLEAR'
    >>> grade(field.terrain(0), field.cell(1, 2), field.cell(3, 2)).name
    'MINIMAL'
"""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from rules.board.bitboard import Grade, Point, SightMemo
from rules.board.grid import Terrain, beside
from rules.board.places import GAP
from rules.board.sight_fan import glimpse, known_view, memo_of, parts_between, view
from rules.contract.units import EMPTY, Bitboard, Cell

__all__ = ["Grade", "SightLine", "explain", "grade", "visible"]

_POINTS: tuple[Point, ...] = ((1, 1), (1, 0), (2, 1), (1, 2), (0, 1), (0, 0), (2, 0), (2, 2), (0, 2))
"""The nine points of the space at (0, 0): centre, edge midpoints, corners."""
_PAIRS_KEPT = 1 << 18
_GLIMPSES = 24
"""Single lines from one space before all that it sees is found at once."""


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


def visible(terrain: Terrain, a: Cell, size: int = 1) -> Bitboard:
    """The bitboard of spaces that a creature sees at minimal or better. Remembered."""
    memo = terrain.sight or memo_of(terrain)
    found = memo.visible.get((a, size))
    if found is None:
        found = EMPTY
        for cell in terrain.space(a, size):
            found |= view(terrain, cell).minimal
        if len(memo.visible) >= 4096:
            memo.visible.clear()
        memo.visible[a, size] = found
    return found


def _pair(terrain: Terrain, memo: SightMemo, a: Cell, b: Cell) -> Grade:
    """The grade between two spaces, found and remembered both ways."""
    alone = known_view(memo, a) is None and known_view(memo, b) is None
    if alone:  # a line is found by itself until so many were that a whole view had paid
        if len(memo.glimpses) >= _PAIRS_KEPT:
            memo.glimpses.clear()
        number = memo.glimpses[a] = memo.glimpses.get(a, 0) + 1
        alone = number <= _GLIMPSES and memo.glimpses.get(b, 0) <= _GLIMPSES
    there, back = _by_glimpses(terrain, memo, a, b) if alone else _by_view(terrain, memo, a, b)
    if len(memo.pairs) >= _PAIRS_KEPT:
        memo.pairs.clear()
    memo.pairs[b, a] = back
    memo.pairs[a, b] = there
    return there


def _by_view(terrain: Terrain, memo: SightMemo, a: Cell, b: Cell) -> tuple[Grade, Grade]:
    """The grades from one space to another and back, from all that one of them sees."""
    known, other = (b, a) if b in memo.views and a not in memo.views else (a, b)
    seen = view(terrain, known)
    if seen.clear >> other & 1:
        return Grade.CLEAR, Grade.CLEAR
    if not seen.minimal >> other & 1:
        return Grade.NONE, Grade.NONE
    there = Grade.PARTIAL if seen.partial_from >> other & 1 else Grade.MINIMAL
    back = Grade.PARTIAL if seen.partial_to >> other & 1 else Grade.MINIMAL
    return (there, back) if known == a else (back, there)


def _by_glimpses(terrain: Terrain, memo: SightMemo, a: Cell, b: Cell) -> tuple[Grade, Grade]:
    """The same from nothing but the lines between the two: those of the centres first, mostly they decide."""
    if shut_off(terrain, a, b):
        return Grade.NONE, Grade.NONE
    centre, *rest = _points(terrain, a)
    clear, there = glimpse(memo, centre, b)
    if clear:
        return Grade.CLEAR, Grade.CLEAR
    _, back = glimpse(memo, _points(terrain, b)[0], a)
    if there or back or any(glimpse(memo, point, b)[1] for point in rest):
        return (Grade.PARTIAL if there else Grade.MINIMAL), (Grade.PARTIAL if back else Grade.MINIMAL)
    return Grade.NONE, Grade.NONE


def shut_off(terrain: Terrain, a: Cell, b: Cell) -> bool:
    """Whether blocking squares alone leave no way for any line between two spaces: a quick look, not the last word.

    A free line passes from one open space to the next, sideways at corners, through none but those that it touches and
    never back, unless it runs along a row or column.
    """
    width, opaque = terrain.field.width, terrain.opaque
    (ay, ax), (by, bx) = divmod(a, width), divmod(b, width)
    along = (ax == bx and ax in (0, width - 1)) or (ay == by and ay in (0, terrain.field.height - 1))
    if a == b or along or (opaque >> a | opaque >> b) & 1:
        return False  # lines along the map's own edge graze what is beside them
    open_ground = _touched(terrain, ax, ay, bx, by) & ~opaque
    first, last = terrain.column, terrain.column << width - 1
    right, left, down, up = bx > ax - 2, bx < ax + 2, by > ay - 2, by < ay + 2
    goal, found, front = 1 << b, 1 << a, 1 << a
    while front:
        grown = front
        if right:
            grown |= (front & ~last) << 1
        if left:
            grown |= (front & ~first) >> 1
        if down:
            grown |= front << width
        if up:
            grown |= front >> width
        front = grown & open_ground & ~found
        found |= front
        if front & goal:
            return False
    return True


def _touched(terrain: Terrain, ax: int, ay: int, bx: int, by: int) -> Bitboard:
    """The spaces that lines between two spaces may touch, and a few more."""
    width, height = terrain.field.width, terrain.field.height
    if ay > by:
        ax, ay, bx, by = bx, by, ax, ay
    down, across, board = by - ay, bx - ax, EMPTY
    for row in range(max(0, ay - 1), min(height, by + 2)):
        if down:
            ends = (max(0, row - 1 - ay) * across, min(down, row + 1 - ay) * across)
            first, last = ax + min(ends) // down - 1, ax - (-max(ends) // down) + 1
        else:
            first, last = min(ax, bx) - 1, max(ax, bx) + 1
        first, last = max(0, first), min(width - 1, last)
        board |= ((2 << last - first) - 1) << row * width + first
    return board


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
    start, end = next(line for line in lines if not any(memo.lines[y] >> x & 1 for x, y in parts_between(*line)))
    return SightLine(found, start, end, blocker)


def _points(terrain: Terrain, cell: Cell) -> list[Point]:
    column, row = terrain.field.at(cell)
    return [(2 * column + x, 2 * row + y) for x, y in _POINTS]


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


ARM = 1
"""Spaces around a creature in which it notices others even in the dark."""

Lamp = tuple[Cell, int, int]
"""A carried light: where its bearer stands, how many spaces wide it is, and the radius in spaces."""


def dark(terrain: Terrain) -> bool:
    """Whether light matters on this map at all."""
    return terrain.field.ambient == "dark"


def lit(terrain: Terrain, lamps: tuple[Lamp, ...] = ()) -> Bitboard:
    """The bitboard of lit spaces. Remembered with the terrain."""
    if not dark(terrain):
        return terrain.everywhere
    found = terrain.lit_memo.get(lamps)
    return found if found is not None else _light(terrain, lamps, terrain.lit_memo, dim=True)


def lit_brightly(terrain: Terrain, lamps: tuple[Lamp, ...] = ()) -> Bitboard:
    """The same where dim light is no light: the map's own lights to their lesser radius alone; on a dim map, too.
    Remembered."""
    if terrain.field.ambient == "bright":
        return terrain.everywhere
    memo: dict[tuple[Lamp, ...], Bitboard] = terrain.memo.setdefault("lit brightly", {})
    found = memo.get(lamps)
    return found if found is not None else _light(terrain, lamps, memo, dim=False)


def _light(terrain: Terrain, lamps: tuple[Lamp, ...], memo: dict[tuple[Lamp, ...], Bitboard], *, dim: bool) -> Bitboard:
    """Where the map's lights, with their dim light or without, and some lamps shine."""
    found = memo.get(())
    if found is None:
        field = terrain.field
        found = field.daylight if dim else field.daylight & ~field.twilight
        for light in field.lights:
            found |= _shine(terrain, light.cell, 1, max(light.bright, light.dim) if dim else light.bright)
        memo[()] = found
    for cell, size, radius in lamps:
        found |= _shine(terrain, cell, size, radius)
    if len(memo) >= 1024:
        memo.clear()
    memo[lamps] = found
    return found


def _shine(terrain: Terrain, cell: Cell, size: int, radius: int) -> Bitboard:
    own = terrain.footprint(cell, size)
    return (visible(terrain, cell, size) & terrain.within(cell, radius, size)) | own


def lit_among(terrain: Terrain, lamps: tuple[Lamp, ...], wanted: Bitboard) -> Bitboard:
    """Those of some spaces that are lit: as `lit` has it, but no lamp shines farther than it is asked for."""
    found = terrain.lit_memo.get(lamps)
    if found is not None:
        return found & wanted
    found = lit(terrain) & wanted
    for cell, size, radius in lamps:
        near = wanted & ~found & terrain.within(cell, radius, size)
        if near:
            found |= near & (visible(terrain, cell, size) | terrain.footprint(cell, size))
    return found


class Spots:
    """Some spaces at which creatures look: whether they are lit is found out once, when it first matters."""

    __slots__ = ("_beside", "_lit", "burning", "end", "first", "shade", "terrain", "wanted")

    def __init__(
        self, terrain: Terrain, wanted: Bitboard, *, shade: bool, burning: Callable[[], tuple[Lamp, ...]]
    ) -> None:
        """`shade`: whether eyes need light here, on a dark map; `burning`: the lamps, should it come to them."""
        self.terrain, self.wanted, self.burning = terrain, wanted, burning
        self.shade = shade and dark(terrain)
        self._lit: Bitboard | None = None
        self._beside: Bitboard | None = None
        self.first, self.end = on_their_maps(terrain, wanted)
        """Between these two lies whoever may see one of them at all: nobody sees from map to map of a place."""

    def lit(self) -> Bitboard:
        """Those of them that are lit."""
        if self._lit is None:
            self._lit = lit_among(self.terrain, self.burning(), self.wanted)
        return self._lit

    def beside(self) -> Bitboard:
        """They, and all spaces at arm's reach of one of them."""
        if self._beside is None:
            self._beside = beside(self.wanted, self.terrain.field.width, self.terrain.field.height)
        return self._beside

    def seen_from(self, cell: Cell, size: int, *, dark_sight: bool, left: Bitboard) -> Bitboard:
        """Those of them, out of `left`, in which a creature would see somebody stand: as `seen_from` has it, but for
        eyes that the light leaves nothing to look at no view is made."""
        if not self.first <= cell < self.end:
            return EMPTY
        terrain = self.terrain
        if self.shade and not dark_sight and size == 1 and not self.lit() and not self.beside() >> cell & 1:
            return EMPTY
        own = left & terrain.footprint(cell, size)
        left &= ~own
        if left and self.shade and not dark_sight:
            left &= self.lit() | terrain.within(cell, ARM, size)
        return own | left & visible(terrain, cell, size) if left else own


def on_their_maps(terrain: Terrain, wanted: Bitboard) -> tuple[int, int]:
    """The first cell of the map on which the first of some spaces lies, and the end of that with the last; with half of
    the void about them. Nobody sees from map to map of a place, and whoever is on another is `GAP` spaces off."""
    field = terrain.field
    if not field.maps or not wanted:
        return 0, field.width * field.height
    low, high = ((wanted & -wanted).bit_length() - 1) // field.width, (wanted.bit_length() - 1) // field.width
    tops = [part.top - GAP // 2 for part in field.maps[1:]]
    first = max((top for top in tops if top <= low), default=0)
    end = min((top for top in tops if top > high), default=field.height)
    return first * field.width, end * field.width


def seen_from(terrain: Terrain, cell: Cell, size: int, lamps: tuple[Lamp, ...], dark_sight: bool) -> Bitboard:
    """The bitboard of spaces in which a creature would see somebody stand: in its line of sight, and lit or within
    arm's reach; one that sees in the dark needs no light."""
    seen = visible(terrain, cell, size) | terrain.footprint(cell, size)
    if dark_sight or not dark(terrain):
        return seen
    return seen & (lit(terrain, lamps) | terrain.within(cell, ARM, size))
