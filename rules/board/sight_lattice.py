"""The half-space lattice on which lines of sight are decided exactly (olde.md §5).

A space's centre, corners and edge midpoints are the points of a lattice with half a space as its unit: the space in
column c and row r has its centre at (2c + 1, 2r + 1). The plane falls into *parts*: the open square of each space, its
open edges and its corners; each part holds exactly one point of the lattice, which names it. A part is *solid* if it
stops a line of sight, so a segment between two points is obstructed exactly if it meets a solid part.

Solid are: blocking squares; edges between two blocking squares (the seam of a wall) and edges with a thin wall or a
closed thin door; corners where two blocking squares touch diagonally, where two thin walls meet, or where a thin wall
meets a blocking square (or the map's end) that it doesn't run along. The tip of a thin wall is free otherwise.
"""

from __future__ import annotations

from collections.abc import Iterator

from rules.board.bitboard import cells_of
from rules.board.grid import Terrain
from rules.board.sight_memory import Point, SightMemo


def memo_of(terrain: Terrain) -> SightMemo:
    """The terrain's memory of sight, made on first use."""
    if terrain.sight is None:
        field = terrain.field
        size = field.width, field.height
        terrain.sight = SightMemo(terrain.doors_open, solid_parts(terrain), size, field.sights)
    return terrain.sight


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
    walls &= ~seams
    for place in cells_of(_tips(walls, stride)):
        if _tip_is_solid(place, squares, walls, seams, stride, height):
            solid |= 1 << place
    return solid


def _spread(board: int, centre: list[int]) -> int:
    digits = bytearray(len(centre) and centre[-1] // 8 + 1)
    for cell in cells_of(board):
        place = centre[cell]
        digits[place >> 3] |= 1 << (place & 7)
    return int.from_bytes(digits, "little")


def _tips(walls: int, stride: int) -> int:
    """Both ends of every thin wall. Points with even coordinates are corners, so an edge's ends differ by its axis."""
    tips = 0
    for place in cells_of(walls):
        x = place % stride
        tips |= (1 << (place - 1) | 1 << (place + 1)) if x & 1 else (1 << (place - stride) | 1 << (place + stride))
    return tips


def _tip_is_solid(place: int, squares: int, walls: int, seams: int, stride: int, height: int) -> bool:
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
    time_x, time_y = _first_crossing(x, sx, dx) * scale_x, _first_crossing(y, sy, dy) * scale_y
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


def _first_crossing(value: int, sign: int, reach: int) -> int:
    """Half spaces to the first grid line strictly ahead."""
    return 1 if value & 1 else 2
