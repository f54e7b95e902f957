"""Area templates on the grid: which spaces a spell covers. All is decided in integers (olde.md §9 areas)."""

from __future__ import annotations

from rules.board.bitboard import Cell, cells_of
from rules.board.grid import Terrain
from rules.board.sight import Grade, grade, visible
from rules.olde.magic.spells import Spell


def template(terrain: Terrain, spell: Spell, origin: Cell, space: int, at: Cell) -> int:
    """The bitboard of spaces that a spell covers, cast by somebody at `origin` (`space` × `space` large) at `at`.

    Areas spread from their centre (a blast's `at`, else the caster) only where it has a line of sight to.
    """
    own = terrain.footprint(origin, space)
    if spell.shape == "blast":
        return terrain.within(at, spell.size) & (visible(terrain, at) | 1 << at) & ~terrain.blocked
    if spell.shape == "wall":
        return _wall(terrain, origin, space, at, spell.size)
    if spell.shape == "one":
        return 1 << at
    near = terrain.within(origin, spell.size, space) & visible(terrain, origin, space) & ~terrain.blocked
    if spell.shape == "burst":
        return near | own
    return _ray(terrain, near & ~own, origin, space, at, line=spell.shape == "line")


def _ray(terrain: Terrain, near: int, origin: Cell, space: int, at: Cell, *, line: bool) -> int:
    """A cone (as wide as it is far) or a line (a space wide) from a creature through `at`, among the spaces `near`."""
    out = 0
    for cell in cells_of(near):
        if _in_ray(terrain, origin, space, at, cell, line=line):
            out |= 1 << cell
    return out


def _in_ray(terrain: Terrain, origin: Cell, space: int, at: Cell, cell: Cell, *, line: bool) -> bool:
    x, y = _middle(terrain, origin, space)
    gx, gy = _middle(terrain, at, 1)
    cx, cy = _middle(terrain, cell, 1)
    ax, ay, dx, dy = gx - x, gy - y, cx - x, cy - y
    ahead, aside = ax * dx + ay * dy, abs(ax * dy - ay * dx)
    # a cone opens half a space for each space ahead; a line keeps within half a space of its middle
    return ahead > 0 and (aside <= max(abs(ax), abs(ay)) * space if line else 2 * aside <= ahead)


def covers(terrain: Terrain, spell: Spell, origin: Cell, space: int, at: Cell, cell: Cell) -> bool:
    """Whether a blast, cone or line covers one open space: the same as its `template`, asked for a few spaces."""
    if spell.shape == "blast":
        near = terrain.distance(at, cell) <= spell.size
        return near and (at == cell or grade(terrain, at, cell) is not Grade.NONE)
    if terrain.distance(origin, cell, space) > spell.size or terrain.footprint(origin, space) >> cell & 1:
        return False
    if not _in_ray(terrain, origin, space, at, cell, line=spell.shape == "line"):
        return False
    return bool(visible(terrain, origin, space) >> cell & 1)


def _middle(terrain: Terrain, cell: Cell, space: int) -> tuple[int, int]:
    """The middle of a creature's spaces, in half spaces."""
    column, row = terrain.field.at(cell)
    return 2 * column + space, 2 * row + space


def _wall(terrain: Terrain, origin: Cell, space: int, at: Cell, length: int) -> int:
    """A row of spaces through `at`, across the way from the caster, up to what stands there already."""
    x, y = _middle(terrain, origin, space)
    gx, gy = _middle(terrain, at, 1)
    dx, dy = gx - x, gy - y
    if abs(dx) > 2 * abs(dy):
        step = (0, 1)
    elif abs(dy) > 2 * abs(dx):
        step = (1, 0)
    else:
        step = (1, -1) if (dx > 0) == (dy > 0) else (1, 1)
    free = terrain.everywhere & ~terrain.blocked
    if not free >> at & 1:
        return 0
    column, row = terrain.field.at(at)
    out = 1 << at
    for sign in (-1, 1):
        for far in range(1, length // 2 + 1):
            there = (column + sign * far * step[0], row + sign * far * step[1])
            if not terrain.field.inside(*there) or not free >> terrain.field.cell(*there) & 1:
                break
            out |= 1 << terrain.field.cell(*there)
    return out
