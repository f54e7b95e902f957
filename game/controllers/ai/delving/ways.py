"""How far it is, over known ground and by all that leads on beside steps: stairs, ladders, climbs, water to be swum.

Distances are spaces of movement from the nearest of some spaces; a way by stairs or over an obstacle counts as more.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from rules.board.bitboard import board_of, cells_of, first_of
from rules.board.grid import Terrain
from rules.board.path import UNREACHABLE
from rules.contract.units import EMPTY, Bitboard, Cell

Jumps = Mapping[Cell, tuple[tuple[Cell, int], ...]]
"""From a space: the spaces to which one gets otherwise than by a step, with their prices."""
STAIRS_PRICE, CLIMB_PRICE, EFFORT = 3, 4, 8
"""Spaces of movement that stairs and a climb count as, and how many more an obstacle than the map says."""
CROWDED = 6
"""Spaces of movement that it counts as to land where one of one's own stands, who has to make way first."""


class Land:
    """The distances of all spaces from the nearest of some."""

    __slots__ = ("layers",)

    def __init__(self, layers: list[Bitboard]) -> None:
        self.layers = layers

    def cost(self, cell: Cell) -> int:
        """Of a space; UNREACHABLE where no way leads."""
        return next((cost for cost, layer in enumerate(self.layers) if layer >> cell & 1), UNREACHABLE)

    def nearest(self, cells: Bitboard) -> tuple[int, Cell] | None:
        """(distance, space) of the nearest of some spaces, the first in order of those alike; None where no way leads
        to any."""
        return next(((cost, first_of(Bitboard(at & cells))) for cost, at in enumerate(self.layers) if at & cells), None)

    @property
    def ground(self) -> Bitboard:
        """All spaces that a way leads to."""
        found = EMPTY
        for layer in self.layers:
            found |= layer
        return found


def land(terrain: Terrain, sources: Bitboard, blocked: Bitboard, jumps: Jumps) -> Land:
    """The distances from the nearest of `sources`, around `blocked` spaces."""
    steps, width = terrain.steps(), terrain.field.width
    north, east, south, west, ne, se, sw, nw = (starts for starts, _ in steps.moves)
    hard, edges = steps.difficult, board_of(jumps)
    closed, layers, pending = blocked | sources, [sources], EMPTY
    late: dict[int, Bitboard] = {}
    while layers[-1] or pending or late:
        front, number = layers[-1], len(layers)
        if front & edges:
            for cell in cells_of(Bitboard(front & edges)):
                for there, price in jumps[cell]:
                    late[number - 1 + price] = Bitboard(late.get(number - 1 + price, EMPTY) | 1 << there)
        stepped = (
            (front & north) >> width
            | (front & east) << 1
            | (front & south) << width
            | (front & west) >> 1
            | (front & ne) >> (width - 1)
            | (front & se) << (width + 1)
            | (front & sw) << (width - 1)
            | (front & nw) >> (width + 1)
        )
        layer = Bitboard((stepped & ~hard | pending | late.pop(number, EMPTY)) & ~closed)
        pending = Bitboard(stepped & hard)
        closed |= layer
        layers.append(layer)
    return Land(layers)


def past(terrain: Terrain) -> Jumps:
    """Climbs and obstacles that can be got past, of a whole map. Remembered with the ground."""
    found: Jumps | None = terrain.memo.get("jumps of the computer")
    if found is None:
        ways: dict[Cell, list[tuple[Cell, int]]] = {}
        field = terrain.field
        if field.climbs and field.levels:
            for cell in cells_of(terrain.steps().fit):
                for there in terrain.climbs_from(cell):
                    ways.setdefault(cell, []).append((there, CLIMB_PRICE))
        for passage in field.passages:
            ways.setdefault(passage.a, []).append((passage.b, passage.price + EFFORT))
            ways.setdefault(passage.b, []).append((passage.a, passage.price + EFFORT))
        found = terrain.memo["jumps of the computer"] = {cell: tuple(there) for cell, there in ways.items()}
    return found


def jumps_of(terrain: Terrain, known: Bitboard, banned: Iterable[tuple[Cell, Cell]], crowd: Bitboard) -> Jumps:
    """All that leads on beside steps, both ends of it known, but for what is given up; where somebody stands (`crowd`)
    nobody lands."""
    given_up = set(banned)
    ways: dict[Cell, list[tuple[Cell, int]]] = {}
    for cell, leads in past(terrain).items():
        if known >> cell & 1:
            for there, price in leads:
                if known >> there & 1 and (cell, there) not in given_up:
                    ways.setdefault(cell, []).append((there, price + CROWDED * (crowd >> there & 1)))
    for stair in terrain.field.stairs:
        if known >> stair.cell & 1 and known >> stair.to & 1 and (stair.cell, stair.to) not in given_up:
            ways.setdefault(stair.cell, []).append((stair.to, STAIRS_PRICE))
    return {cell: tuple(leads) for cell, leads in ways.items()}


def beside(terrain: Terrain, cells: Bitboard) -> Bitboard:
    """Some spaces and those around them."""
    found = cells
    for cell in cells_of(cells):
        found |= terrain.within(cell, 1)
    return found


def grown(cells: Bitboard, width: int) -> Bitboard:
    """Some spaces with those beside them, walls or none between."""
    wide = cells | cells << 1 | cells >> 1
    return Bitboard(wide | wide << width | wide >> width)
