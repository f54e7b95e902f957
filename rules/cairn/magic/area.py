"""Areas on the grid: bursts, cones and lines as bitboards (cairn.md §3)."""

from __future__ import annotations

from rules.board.bitboard import Cell, board_of
from rules.board.grid import Terrain
from rules.board.sight import visible


def burst(terrain: Terrain, centre: Cell, radius: int) -> int:
    """All spaces within a radius that the centre sees."""
    return terrain.within(centre, radius) & (visible(terrain, centre) | 1 << centre)


def square(terrain: Terrain, corner: Cell, size: int) -> int:
    """A square of spaces whose upper left one is given, as far as the map goes."""
    x, y = terrain.field.at(corner)
    field = terrain.field
    return board_of(
        field.cell(x + dx, y + dy) for dy in range(size) for dx in range(size) if field.inside(x + dx, y + dy)
    )


def wide(terrain: Terrain, centre: Cell, size: int) -> int:
    """All spaces of a square so many spaces wide around one, as far as that one sees."""
    x, y = terrain.field.at(centre)
    left, top = x - size // 2, y - size // 2
    field = terrain.field
    cells = board_of(
        field.cell(left + dx, top + dy)
        for dy in range(size)
        for dx in range(size)
        if field.inside(left + dx, top + dy)
    )
    return cells & (visible(terrain, centre) | 1 << centre)


def cone(terrain: Terrain, start: Cell, space: int, goal: Cell, length: int) -> int:
    """A quarter of the spaces around a creature, towards `goal`, as far as it sees: in an orthogonal direction those
    no more aside than ahead, in a diagonal one the square between both axes."""
    field = terrain.field
    (sx, sy), (gx, gy) = field.at(start), field.at(goal)
    middle = (2 * sx + space - 1, 2 * sy + space - 1)
    dx, dy = 2 * gx - middle[0], 2 * gy - middle[1]
    diagonal = 2 * min(abs(dx), abs(dy)) > max(abs(dx), abs(dy))
    cells = []
    for y in range(max(0, sy - length), min(field.height, sy + space + length)):
        for x in range(max(0, sx - length), min(field.width, sx + space + length)):
            ax, ay = 2 * x - middle[0], 2 * y - middle[1]
            if diagonal:
                inside = ax * dx >= 0 and ay * dy >= 0 and (ax != 0 or ay != 0)
            elif abs(dx) >= abs(dy):
                inside = ax * dx > 0 and abs(ay) <= abs(ax)
            else:
                inside = ay * dy > 0 and abs(ax) <= abs(ay)
            if inside:
                cells.append(field.cell(x, y))
    board = board_of(cells) & terrain.within(start, length, space) & ~terrain.footprint(start, space)
    return board & visible(terrain, start, space)


def line(terrain: Terrain, start: Cell, goal: Cell, length: int) -> int:
    """The spaces from next to `start` towards `goal`, as long as nothing stops sight: Bresenham's line, extended."""
    field = terrain.field
    (sx, sy), (gx, gy) = field.at(start), field.at(goal)
    dx, dy = gx - sx, gy - sy
    steps = max(abs(dx), abs(dy))
    if steps == 0:
        return 0
    board, seen = 0, visible(terrain, start)
    for i in range(1, length + 1):
        x, y = sx + _rounded(dx * i, steps), sy + _rounded(dy * i, steps)
        if not field.inside(x, y) or not seen >> field.cell(x, y) & 1:
            break
        board |= 1 << field.cell(x, y)
    return board


def _rounded(number: int, by: int) -> int:
    """A quotient to the nearest whole, halves away from nought."""
    whole = (2 * abs(number) + by) // (2 * by)
    return whole if number >= 0 else -whole
