"""Which spaces a spell works on: around a goal, a square, or a ball of fire's skips (countup.md §5.4)."""

from __future__ import annotations

from rules.board.bitboard import Cell
from rules.board.grid import Terrain
from rules.board.sight import visible
from rules.countup.magic.model import Spell

STRIDE = 2
"""Spaces from one skip to the next."""


def area_of(terrain: Terrain, spell: Spell, origin: Cell, goal: Cell) -> int:
    """Bitboard of what a spell works on, cast from one space at another; walls are no part of it."""
    if spell.square:
        return _square(terrain, spell, origin, goal) & ~terrain.field.opaque
    cells = 0
    for centre in _skips(terrain, spell.skips, origin, goal):
        cells |= terrain.within(centre, spell.radius) & (visible(terrain, centre) | 1 << centre)
    return cells & ~terrain.field.opaque


def _square(terrain: Terrain, spell: Spell, origin: Cell, goal: Cell) -> int:
    """So many spaces each way: away from the caster, or back where that would be beyond the spell's range (R)."""
    field = terrain.field
    (ox, oy), (x, y) = field.at(origin), field.at(goal)
    across, down = (1 if x >= ox else -1), (1 if y >= oy else -1)
    away = terrain.distance(origin, goal) + spell.square - 1 <= spell.reach
    if not away:
        across, down = (-across if x != ox else across), (-down if y != oy else down)
    cells = 0
    for i in range(spell.square):
        for j in range(spell.square):
            if field.inside(x + i * across, y + j * down):
                cells |= 1 << field.cell(x + i * across, y + j * down)
    return cells & (visible(terrain, goal) | 1 << goal) & ~(1 << origin)


def _skips(terrain: Terrain, skips: int, origin: Cell, goal: Cell) -> list[Cell]:
    """Where something comes down that skips straight on, away from its caster, until something solid stops it (R)."""
    field = terrain.field
    (ox, oy), (x, y) = field.at(origin), field.at(goal)
    dx, dy = x - ox, y - oy
    most = max(abs(dx), abs(dy))
    out = [goal]
    for n in range(1, skips if most else 1):
        there = (_nearest(STRIDE * n * dx, most) + x, _nearest(STRIDE * n * dy, most) + y)
        if not field.inside(*there):
            break
        seen = visible(terrain, out[-1]) & ~terrain.opaque  # a wall or a shut door is seen, and stops it
        if not seen >> field.cell(*there) & 1:
            break
        out.append(field.cell(*there))
    return out


def _nearest(part: int, whole: int) -> int:
    """`part / whole` to the nearest whole number, halves towards nought."""
    size = (2 * abs(part) + whole - 1) // (2 * whole)
    return size if part >= 0 else -size
