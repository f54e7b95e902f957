"""Light: which spaces are lit, by the map's own lights and by those that creatures carry.

Only a map whose `ambient` is dark knows darkness; elsewhere every space counts as lit. A light shines as far as its
greater radius and only where its space has a line of sight to; closed doors stop it.
"""

from __future__ import annotations

from rules.board.bitboard import Cell
from rules.board.grid import Terrain
from rules.board.sight import visible

ARM = 1
"""Spaces around a creature in which it notices others even in the dark."""

Lamp = tuple[Cell, int, int]
"""A carried light: where its bearer stands, how many spaces wide it is, and the radius in spaces."""


def dark(terrain: Terrain) -> bool:
    """Whether light matters on this map at all."""
    return terrain.field.ambient == "dark"


def lit(terrain: Terrain, lamps: tuple[Lamp, ...] = ()) -> int:
    """The bitboard of lit spaces. Remembered with the terrain."""
    if not dark(terrain):
        return terrain.everywhere
    memo = terrain.lit_memo
    found = memo.get(lamps)
    if found is None:
        found = memo.get(())
        if found is None:
            found = 0
            for light in terrain.field.lights:
                found |= _shine(terrain, light.cell, 1, max(light.bright, light.dim))
            memo[()] = found
        for cell, size, radius in lamps:
            found |= _shine(terrain, cell, size, radius)
        if len(memo) >= 1024:
            memo.clear()
        memo[lamps] = found
    return found


def lit_brightly(terrain: Terrain, lamps: tuple[Lamp, ...] = ()) -> int:
    """The same where dim light is no light: the map's own lights to their lesser radius alone; on a dim map, too.
    Remembered."""
    if terrain.field.ambient == "bright":
        return terrain.everywhere
    memo = terrain.memo.setdefault("lit brightly", {})
    found: int | None = memo.get(lamps)
    if found is None:
        found = 0
        for light in terrain.field.lights:
            found |= _shine(terrain, light.cell, 1, light.bright)
        for cell, size, radius in lamps:
            found |= _shine(terrain, cell, size, radius)
        if len(memo) >= 1024:
            memo.clear()
        memo[lamps] = found
    return found


def _shine(terrain: Terrain, cell: Cell, size: int, radius: int) -> int:
    own = terrain.footprint(cell, size)
    return (visible(terrain, cell, size) & terrain.within(cell, radius, size)) | own


def seen_from(terrain: Terrain, cell: Cell, size: int, lamps: tuple[Lamp, ...], dark_sight: bool) -> int:
    """The bitboard of spaces in which a creature would see somebody stand: in its line of sight, and lit or within
    arm's reach; one that sees in the dark needs no light."""
    seen = visible(terrain, cell, size) | terrain.footprint(cell, size)
    if dark_sight or not dark(terrain):
        return seen
    return seen & (lit(terrain, lamps) | terrain.within(cell, ARM, size))
