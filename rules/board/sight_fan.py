"""Everything that one point of the lattice sees, by a sweep of lines away from it, exact in integers.

Upwards and downwards alike, the sweep keeps the free *directions* of the point. A direction is its slope t = columns
per row; solid parts (the lattice) take open, closed or half-open intervals of slopes away. A slope n/d is
written as the integer 2·⌊n·2²²/d⌋: a map has at most 1025 lines, so unequal slopes differ by more than 2⁻²¹ and their
integers keep order and difference. An open end lies one beside its slope, in the gap between two written slopes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from operator import or_

from rules.board.bitboard import Fan, Point, SightMemo, View, Zones, cells_of, set_bits
from rules.board.grid import Field, Terrain
from rules.contract.units import EMPTY, Bitboard, Cell


def memo_of(terrain: Terrain) -> SightMemo:
    """The terrain's memory of sight, made on first use."""
    if terrain.sight is None:
        field = terrain.field
        size, shared = (field.width, field.height), field.sights
        if shared.zones is None:
            shared.zones = _zones(field)
        terrain.sight = SightMemo(terrain.doors_open, solid_parts(terrain), size, shared, shared.zones)
    return terrain.sight


_ABOUT = 2
"""Half spaces around a door's square or edge in which other parts may be solid with it open than closed: itself with
the seams, corners and tips beside it, and on the lines next to these what a row of squares hides (`SightMemo.bare`)."""


def _zones(field: Field) -> Zones:
    """Where each door might make a difference."""
    lines: list[list[tuple[int, int]]] = [[] for _ in range(2 * field.height + 1)]
    for number, door in enumerate(field.doors):
        (a, b), (c, d) = field.at(door.cell), field.at(door.cell if door.edge is None else door.edge)
        x, y = a + c + 1, b + d + 1  # the middle of the square, or of the edge
        places = (1 << x + _ABOUT + 1) - (1 << max(0, x - _ABOUT))
        for line in range(max(0, y - _ABOUT), min(len(lines), y + _ABOUT + 1)):
            lines[line].append((1 << number, places))
    return tuple(map(tuple, lines))


def solid_parts(terrain: Terrain) -> int:
    """The bitboard, over the lattice, of all parts that stop a line of sight."""
    field = terrain.field
    width, height, opaque = field.width, field.height, terrain.opaque
    stride = 2 * width + 1
    centre = [(2 * (cell // width) + 1) * stride + 2 * (cell % width) + 1 for cell in range(width * height)]
    squares = _spread(opaque, centre)
    walls = _spread(terrain.sight_east, centre) << 1 | _spread(terrain.sight_south, centre) << stride
    # a seam lies between two blocking squares; beside an edge the squares lie left and right, or above and below
    seams = (squares << 1) & (squares >> 1) | (squares << stride) & (squares >> stride)
    north_west, south_east = squares << (stride + 1), squares >> (stride + 1)
    north_east, south_west = squares << (stride - 1), squares >> (stride - 1)
    corners = (north_west & south_east) | (north_east & south_west)
    solid = squares | seams | walls | corners
    if field.maps:
        solid |= _ends_between(terrain, stride)
    walls &= ~seams
    for place in set_bits(_tips(walls, stride)):
        if _tip_is_solid(place, squares, walls, seams, stride=stride, height=height):
            solid |= 1 << place
    return solid


def _ends_between(terrain: Terrain, stride: int) -> int:
    """The field's own left and right end beside the rows between the maps of a place: nobody sees along there.

    A line that grazes a blocking square's outer edge is free otherwise, and would lead from map to map.
    """
    field, ends = terrain.field, 0
    for above, below in zip(field.maps, field.maps[1:], strict=False):
        for y in range(2 * (above.top + above.rows) + 1, 2 * below.top):
            ends |= 1 << y * stride | 1 << y * stride + stride - 1
    return ends


def _spread(board: Bitboard, centre: list[int]) -> int:
    digits = bytearray(len(centre) and centre[-1] // 8 + 1)
    for cell in cells_of(board):
        place = centre[cell]
        digits[place >> 3] |= 1 << (place & 7)
    return int.from_bytes(digits, "little")


def _tips(walls: int, stride: int) -> int:
    """Both ends of every thin wall. Points with even coordinates are corners, so an edge's ends differ by its axis."""
    tips = 0
    for place in set_bits(walls):
        x = place % stride
        tips |= (1 << (place - 1) | 1 << (place + 1)) if x & 1 else (1 << (place - stride) | 1 << (place + stride))
    return tips


def _tip_is_solid(place: int, squares: int, walls: int, seams: int, *, stride: int, height: int) -> bool:
    """Whether the things that meet at this corner are two thin walls or more than one body.

    Round the corner lie eight parts, edge and square in turn; neighbours in this ring that are both solid are one
    body. What lies outside the map counts as a blocking square here: a wall that ends at the map's end has no end.
    """
    y, x = divmod(place, stride)
    ring: list[bool] = []
    thin = 0
    for dx, dy in ((0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1)):
        if not (0 <= x + dx < stride and 0 <= y + dy <= 2 * height):
            ring.append(True)
            continue
        at = place + dy * stride + dx
        thin += walls >> at & 1
        # the map's own border lies between nothing and nothing, so it joins the outside to the outside only
        border = not (dx and dy) and ((dx == 0 and x in (0, stride - 1)) or (dy == 0 and y in (0, 2 * height)))
        ring.append(bool((squares | walls | seams) >> at & 1) or border)
    bodies = sum(ring[i] and not ring[i - 1] for i in range(8))
    return thin >= 2 or bodies >= 2


def parts_between(p: Point, q: Point) -> Iterator[Point]:
    """The parts that the segment from p to q meets, both ends included, in order from p (each named by its point)."""
    (x, y), (qx, qy) = p, q
    dx, dy = abs(qx - x), abs(qy - y)
    sx, sy = (1 if qx > x else -1), (1 if qy > y else -1)
    yield p
    if not dx and not dy:
        return
    # The parts change where the segment crosses a line of the grid, that is where a coordinate is even. Between two
    # crossings lies one part; exactly on a crossing lies an edge or a corner. Times are measured in 1 / (dx * dy).
    scale_x, scale_y = dy or 1, dx or 1
    time_x, time_y = (1 if x & 1 else 2) * scale_x, (1 if y & 1 else 2) * scale_y  # to the first line ahead
    end = dx * scale_x if dx else dy * scale_y
    while True:
        here = (_odd(x, sx) if dx else x, _odd(y, sy) if dy else y)
        if here != p:
            yield here
        time = min(time_x if dx else end, time_y if dy else end)
        if time >= end and not ((dx and time_x == end) or (dy and time_y == end)):
            return
        cross_x, cross_y = bool(dx) and time_x == time, bool(dy) and time_y == time
        x = here[0] + sx if cross_x else here[0]
        y = here[1] + sy if cross_y else here[1]
        yield (x, y)
        if time == end:
            return
        if cross_x:
            time_x += 2 * scale_x
        if cross_y:
            time_y += 2 * scale_y


def _odd(value: int, sign: int) -> int:
    """The coordinate of the part just beyond `value` in that direction."""
    return value if value & 1 else value + sign


_SCALE = 22
_ENDLESS = 1 << 40
"""Beyond every slope."""
Interval = tuple[int, int]
_FANS_KEPT = 1 << 27
"""Bits of fans, and of views, that a field remembers before it starts afresh."""
_ROW = 256
"""Bits that a row of a fan takes besides those of its places."""


def fan(memo: SightMemo, point: Point) -> Fan:
    """The points of the lattice to which the segment from `point` is unobstructed. Remembered with the field."""
    shared, opened = memo.shared, memo.doors_open
    for known in shared.fans.get(point, ()):
        if opened & known.hangs == known.opened:
            return known
    found = _make_fan(memo, point)
    shared.rows += len(found.rows)
    if shared.rows * (memo.stride + _ROW) > _FANS_KEPT:
        shared.fans.clear()
        shared.rows = len(found.rows)
    shared.fans.setdefault(point, []).append(found)
    return found


def _make_fan(memo: SightMemo, point: Point) -> Fan:
    x, y = point
    line = memo.lines[y]
    if line >> x & 1:
        hangs = memo.hanging(y, 1 << x)
        return Fan(y, (0,), hangs, memo.doors_open & hangs)
    own = _along(line, x, memo.stride)
    hangs = memo.hanging(y, own | own << 1 | own >> 1)
    below, more = _sweep(memo, x, y, 1, len(memo.lines) - 1 - y, slopes=(-_ENDLESS, _ENDLESS))
    above, others = _sweep(memo, x, y, -1, y, slopes=(-_ENDLESS, _ENDLESS))
    hangs |= more | others
    return Fan(y - len(above), (*reversed(above), own, *below), hangs, memo.doors_open & hangs)


def glimpse(memo: SightMemo, point: Point, cell: Cell) -> tuple[bool, bool]:
    """Whether a point sees the centre of a space, and whether any of its nine points: no more is looked at."""
    x, y = point
    if memo.lines[y] >> x & 1:
        return False, False
    row, column = divmod(cell, memo.stride >> 1)
    top, left = 2 * row, 2 * column
    seen: dict[int, int] = {}
    if top <= y <= top + 2:
        seen[y] = _along(memo.lines[y], x, memo.stride)
    for sign, near, far in ((1, top - y, top + 2 - y), (-1, y - top - 2, y - top)):
        if far > 0:
            near = max(near, 1)
            west, east = ((left - x) << _SCALE), ((left + 2 - x) << _SCALE)
            lo, hi = west // (near if west < 0 else far), east // (near if east > 0 else far)
            rows, _ = _sweep(memo, x, y, sign, far, slopes=(2 * lo, 2 * hi))
            seen.update((y + sign * k, row) for k, row in enumerate(rows[near - 1 :], near))
    centre = seen.get(top + 1, 0) >> left + 1 & 1
    return bool(centre), any(seen.get(line, 0) >> left & 7 for line in (top, top + 1, top + 2))


def _along(line: int, x: int, stride: int) -> int:
    """What is seen on the point's own line."""
    ahead = line >> x
    end = x + (ahead & -ahead).bit_length() - 1 if ahead else stride
    start = (line & ((1 << x) - 1)).bit_length()
    return (1 << end) - (1 << start)


def _sweep(memo: SightMemo, x: int, y: int, sign: int, count: int, *, slopes: Interval) -> tuple[list[int], int]:
    """So many lines away from the point, odd and even in turn, within these slopes: (the points seen on each, as far as
    any are free; the doors come upon).

    An odd line runs through a row of squares, which stop slopes from the even line before it to the one after it:
    they are cut out of the free slopes at once. On the odd line itself only what lies this side of it hides points.
    On even lines what its nearer row hasn't stopped already is left to be cut out (`SightMemo.bare`).
    """
    lines, about, last = memo.bare[sign], memo.about, memo.stride - 1
    rows: list[int] = []
    hangs, here, free = 0, y, [slopes]
    if y & 1:
        free = _without(free, [_shadow(left, right, x, 0, 1) for left, right in _runs(lines[y])])
    for k in range(1, count + 1 if free else 1):
        here += sign
        # all places that the free slopes may touch between the lines about this one, and a little more
        west, east = free[0][0] >> 1, (free[-1][1] >> 1) + 1
        start = x - 2 + (west * (k + 1 if west < 0 else k - 1) >> _SCALE)
        end = x + 3 + (east * (k + 1 if east > 0 else k - 1) >> _SCALE)
        window = (2 << (last if end > last else end if end > 0 else 0)) - (
            1 << (last if start > last else start if start > 0 else 0)
        )
        if k == 1 and here & 1:  # what lies behind the nearest parts in this row of squares is hidden by them
            window &= _up_to_nearest(lines[here], x)
        if about[here] & window:
            hangs |= memo.hanging(here, window if len(free) == 1 else _touching(free, x, k, last))
        runs = _runs(line) if (line := lines[here] & window) else None
        if runs and not here & 1:
            free = _without(free, [_line_shadow(left, right, x, k) for left, right in runs])
        row, kept = 0, []
        for lo, hi in free:
            first = x - (-((lo + 1) >> 1) * k >> _SCALE)
            end = x - (-((hi >> 1) + 1) * k >> _SCALE)
            if end > 0 and first <= last:  # else it is off the map from here on
                kept.append((lo, hi))
                if end > first:
                    row |= (2 << (last if end > last else end - 1)) - (1 << (first if first > 0 else 0))
        free = kept
        if runs and free and here & 1:
            shadows = []
            least, most = free[0][0], free[-1][1]
            for left, right in runs:
                lo, hi = _shadow(left, right, x, k - 1, k + 1)
                if lo <= most and hi >= least:
                    shadows.append((lo, hi))
                    row &= ~_hidden(left, right, x, k, last)
            if shadows:
                free = _without(free, shadows)
        rows.append(row)
        if not free:
            break
    return rows, hangs


def _up_to_nearest(line: int, x: int) -> int:
    """The places of a line from the last solid part before x to the first behind it, and one more on either side."""
    behind = line >> x + 1
    first = max((line & (1 << x) - 1).bit_length() - 2, 0)
    end = x + 2 + (behind & -behind).bit_length() if behind else max(line.bit_length(), x) + 2
    return (1 << end) - (1 << first)


def _touching(free: list[Interval], x: int, k: int, last: int) -> int:
    """All places that some free slopes may touch between the lines about line k, and a little more."""
    places = 0
    for lo, hi in free:
        west, east = lo >> 1, (hi >> 1) + 1
        start = x - 2 + (west * (k + 1 if west < 0 else k - 1) >> _SCALE)
        end = x + 3 + (east * (k + 1 if east > 0 else k - 1) >> _SCALE)
        places |= (2 << min(max(end, 0), last)) - (1 << min(max(start, 0), last))
    return places


def _hidden(left: int, right: int, x: int, k: int, last: int) -> int:
    """The points on odd line k that a run on it hides: those in it, those behind its sides."""
    first, end = left, right + 1
    west, east = left - (left & 1) - x, right + (right & 1) - x
    if west < 0:
        first = min(left, x + west * k // (k - 1) + 1) if k > 1 else 0
    if east > 0:
        end = max(end, x - (-east * k // (k - 1))) if k > 1 else last + 1
    return (1 << min(end, last + 1)) - (1 << max(first, 0))


def _runs(line: int) -> list[tuple[int, int]]:
    """First and last place of every run of solid parts on a line."""
    runs = []
    while line:
        low = line & -line
        rest = line + low
        runs.append((low.bit_length() - 1, (rest & -rest).bit_length() - 2))
        line &= rest
    return runs


def _line_shadow(left: int, right: int, x: int, k: int) -> Interval:
    """The slopes that a run on line k stops. Odd places are open stretches of two half spaces, even ones points."""
    open_left, open_right = left & 1, right & 1
    lo = ((((left - open_left - x) << _SCALE) // k) << 1) + open_left
    hi = ((((right + open_right - x) << _SCALE) // k) << 1) - open_right
    return lo, hi


def _shadow(left: int, right: int, x: int, near: int, far: int) -> Interval:
    """The slopes that a run stops in the open strip between two lines."""
    open_left, open_right = left & 1, right & 1
    west, east = left - open_left - x, right + open_right - x
    if west > 0:
        lo = (((west << _SCALE) // far) << 1) + 1
    elif west == 0:
        lo = open_left
    else:
        lo = (((west << _SCALE) // near) << 1) + 1 if near else -_ENDLESS
    if east < 0:
        hi = (((east << _SCALE) // far) << 1) - 1
    elif east == 0:
        hi = -open_right
    else:
        hi = (((east << _SCALE) // near) << 1) - 1 if near else _ENDLESS
    return lo, hi


def _without(free: list[Interval], shadows: list[Interval]) -> list[Interval]:
    """Free slopes less the shadows; both are in ascending order, and the shadows' ends as well as their starts."""
    left: list[Interval] = []
    first, count = 0, len(shadows)
    for lo, hi in free:
        while first < count and shadows[first][1] < lo:
            first += 1
        for i in range(first, count):
            start, end = shadows[i]
            if start > hi:
                break
            if start > lo:
                left.append((lo, start - 1))
            if end >= lo:
                lo = end + 1
                if lo > hi:
                    break
        if lo <= hi:
            left.append((lo, hi))
    return left


def view(terrain: Terrain, cell: Cell) -> View:
    """Which spaces a space sees and is seen from, at each grade. Remembered."""
    memo = memo_of(terrain)
    found = memo.views.get(cell)
    if found is None:
        most = _FANS_KEPT // (terrain.field.width * terrain.field.height * 4)
        found = known_view(memo, cell)
        if found is None:
            shared = memo.shared.views
            hangs, found = _make_view(memo, cell, terrain.field.width)
            if len(shared) > most:
                shared.clear()
            shared.setdefault(cell, []).append((hangs, memo.doors_open & hangs, found))
        if len(memo.views) > most:
            memo.views.clear()
        memo.views[cell] = found
    return found


def known_view(memo: SightMemo, cell: Cell) -> View | None:
    """All that a space sees, where that was found already, with other doors otherwise, it may be."""
    found = memo.views.get(cell)
    if found is None:
        for hangs, opened, known in memo.shared.views.get(cell, ()):
            if memo.doors_open & hangs == opened:
                return known
    return found


def _make_view(memo: SightMemo, cell: Cell, width: int) -> tuple[int, View]:
    """The doors that it hangs on, and what is seen."""
    row, column = divmod(cell, width)
    fans = [fan(memo, (x, y)) for y in range(2 * row, 2 * row + 3) for x in range(2 * column, 2 * column + 3)]
    top = min(each.first for each in fans)
    together = [0] * (max(each.first + len(each.rows) for each in fans) - top)
    hangs = 0
    for each in fans:
        start, end = each.first - top, each.first - top + len(each.rows)
        together[start:end] = map(or_, together[start:end], each.rows)
        hangs |= each.hangs
    centre, height = fans[4], len(memo.lines) >> 1
    return hangs, View(
        clear=_centres(centre.first, centre.rows, width), partial_to=_centres(top, together, width),
        partial_from=_touched(centre.first, centre.rows, width, height), minimal=_touched(top, together, width, height),
    )  # fmt: skip


def _centres(first: int, rows: Sequence[int], width: int) -> Bitboard:
    """The spaces whose centre is among the points; `first` is the line of the first row."""
    return _gather([row >> 1 for row in rows[~first & 1 :: 2]], first >> 1, width)


def _touched(first: int, rows: Sequence[int], width: int, height: int) -> Bitboard:
    """The spaces any of whose nine points is among the points."""
    top = max(first - 1 >> 1, 0)
    lines = [*[0] * (first - 2 * top), *rows, 0, 0]
    spaces = []
    for r in range(0, min(len(lines) - 2, 2 * (height - top)), 2):
        any_of = lines[r] | lines[r + 1] | lines[r + 2]
        spaces.append(any_of | any_of >> 1 | any_of >> 2)
    return _gather(spaces, top, width)


def _gather(rows: list[int], first: int, width: int) -> Bitboard:
    """The bitboard made of every second bit of each row, the first of them so many rows down."""
    if not any(rows):
        return EMPTY
    mask, wide = (1 << 2 * width) - 1, f"0{2 * width}b"
    digits = "".join([format(row & mask, wide) for row in reversed(rows)])[1::2]
    return Bitboard(int(digits, 2) << first * width)
