"""The shapes that magic takes on the grid, all in integers: a class each, with its spaces and its words (olde.md §9).

To add one: a class here, named in `SHAPES`. A spell asks its own shape; nobody else spells one's name.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import msgspec

from rules.board.bitboard import Cell, cells_of
from rules.board.grid import Terrain
from rules.board.sight import Grade, grade, visible


class Caster(msgspec.Struct, frozen=True):
    """Where a spell comes from: the cell and the size of whoever casts it, on what ground."""

    terrain: Terrain
    cell: Cell
    space: int

    @property
    def own(self) -> int:
        """The bitboard of the spaces it stands on."""
        return self.terrain.footprint(self.cell, self.space)

    def around(self, size: int) -> int:
        """The open spaces so near that it has a line of sight to."""
        terrain = self.terrain
        return terrain.within(self.cell, size, self.space) & visible(terrain, self.cell, self.space) & ~terrain.blocked


class Shape(msgspec.Struct, frozen=True):
    """What a spell covers. By itself: the one space or creature that it is aimed at."""

    name: str = "one"
    words: str = ""
    """What it covers, `{n}` being its size."""
    least: int = 0
    most: int = 0
    """Sizes that it may have."""
    area: bool = True
    """Whether it covers more than what it is aimed at."""
    placed: bool = True
    """Whether it is aimed at a space."""
    ranged: bool = True
    """Whether that space may lie far off."""
    spares_caster: bool = False
    """Whether its caster stands outside of it, unless it is for friends."""

    def cells(self, caster: Caster, size: int, at: Cell) -> int:
        """The bitboard of spaces that it covers, aimed at `at`; only where there is a line of sight to."""
        return 1 << at

    def covers(self, caster: Caster, size: int, at: Cell, cell: Cell) -> bool:
        """Whether it covers one open space: the same as its `cells`, asked for a few spaces."""
        return bool(self.cells(caster, size, at) >> cell & 1)

    def aims(self, caster: Caster, size: int, foes: list[Cell]) -> int:
        """The bitboard of spaces that it may be aimed at to catch any of these, as far as that is easily told."""
        terrain, found = caster.terrain, 0
        for foe in foes:
            found |= terrain.within(foe, 1)
        return found & ~caster.own


class Burst(Shape, frozen=True):
    """Around the caster."""

    def cells(self, caster: Caster, size: int, at: Cell) -> int:
        return caster.around(size) | caster.own


class Blast(Shape, frozen=True):
    """Around the place that it is aimed at."""

    def cells(self, caster: Caster, size: int, at: Cell) -> int:
        terrain = caster.terrain
        return terrain.within(at, size) & (visible(terrain, at) | 1 << at) & ~terrain.blocked

    def covers(self, caster: Caster, size: int, at: Cell, cell: Cell) -> bool:
        near = caster.terrain.distance(at, cell) <= size
        return near and (at == cell or grade(caster.terrain, at, cell) is not Grade.NONE)

    def aims(self, caster: Caster, size: int, foes: list[Cell]) -> int:
        terrain, found = caster.terrain, 0
        for foe in foes:
            found |= terrain.within(foe, size)
        found &= visible(terrain, caster.cell, caster.space) | caster.own
        return found & ~terrain.blocked


class Ray(Shape, frozen=True):
    """From the caster through the space that it is aimed at."""

    def cells(self, caster: Caster, size: int, at: Cell) -> int:
        out = 0
        for cell in cells_of(caster.around(size) & ~caster.own):
            if self.holds(*_bearing(caster, at, cell)):
                out |= 1 << cell
        return out

    def covers(self, caster: Caster, size: int, at: Cell, cell: Cell) -> bool:
        terrain = caster.terrain
        if terrain.distance(caster.cell, cell, caster.space) > size or caster.own >> cell & 1:
            return False
        if not self.holds(*_bearing(caster, at, cell)):
            return False
        return bool(visible(terrain, caster.cell, caster.space) >> cell & 1)

    def holds(self, ahead: int, aside: int, width: int) -> bool:
        """Whether a space lies in it, so far ahead and aside; `width`: of whoever casts it, by the same measure."""
        raise NotImplementedError(self.name)


class Cone(Ray, frozen=True):
    """As wide as it is far: it opens half a space for each space ahead."""

    def holds(self, ahead: int, aside: int, width: int) -> bool:
        return ahead > 0 and 2 * aside <= ahead


class Bolt(Ray, frozen=True):
    """As wide as its caster: it keeps within half a space of its middle."""

    def holds(self, ahead: int, aside: int, width: int) -> bool:
        return ahead > 0 and aside <= width


class Wall(Shape, frozen=True):
    """A row of spaces through where it is aimed at, across the way from the caster, up to what stands there already."""

    def cells(self, caster: Caster, size: int, at: Cell) -> int:
        terrain = caster.terrain
        x, y = _middle(terrain, caster.cell, caster.space)
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
            for far in range(1, size // 2 + 1):
                there = (column + sign * far * step[0], row + sign * far * step[1])
                if not terrain.field.inside(*there) or not free >> terrain.field.cell(*there) & 1:
                    break
                out |= 1 << terrain.field.cell(*there)
        return out


def _bearing(caster: Caster, at: Cell, cell: Cell) -> tuple[int, int, int]:
    """(how far ahead a space lies, how far aside, half the caster's width), all in one measure of the way to `at`."""
    x, y = _middle(caster.terrain, caster.cell, caster.space)
    gx, gy = _middle(caster.terrain, at, 1)
    cx, cy = _middle(caster.terrain, cell, 1)
    ax, ay, dx, dy = gx - x, gy - y, cx - x, cy - y
    return ax * dx + ay * dy, abs(ax * dy - ay * dx), max(abs(ax), abs(ay)) * caster.space


def _middle(terrain: Terrain, cell: Cell, space: int) -> tuple[int, int]:
    """The middle of a creature's spaces, in half spaces."""
    column, row = terrain.field.at(cell)
    return 2 * column + space, 2 * row + space


ONE = Shape(area=False, placed=False)
BURST = Burst("burst", "within {n} of oneself", 1, 12, placed=False, spares_caster=True)
BLAST = Blast("blast", "within {n} of a space", 0, 12)
CONE = Cone("cone", "a cone of {n}", 2, 12, ranged=False)
LINE = Bolt("line", "a line of {n}", 2, 20, ranged=False)
WALL = Wall("wall", "across the way, {n} long", 1, 9)
SHAPES: Mapping[str, Shape] = MappingProxyType({shape.name: shape for shape in (ONE, BURST, BLAST, CONE, LINE, WALL)})
