"""How far a noise carries: around corners and through doors, by spaces (olde.md §8 noise)."""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum

from rules.board.bitboard import cells_of
from rules.board.grid import DIRECTIONS, Terrain
from rules.board.path import spread
from rules.contract.units import EMPTY, NOWHERE, Bitboard, Cell

MUFFLED = 6
"""Spaces for which a closed door counts (R)."""


class Loudness(IntEnum):
    """Spaces as far as a noise carries in the open (R)."""

    QUIET = 4
    VOICES = 8
    DOOR = 12
    FIGHT = 20
    ALARM = 28


class Heard:
    """Where a noise is heard, and how far off it seems there."""

    def __init__(self, layers: Sequence[Bitboard]) -> None:
        self.layers = layers

    def distance(self, cells: Bitboard) -> int | None:
        """Spaces that it came to the nearest of some spaces (a bitboard); None where it isn't heard."""
        return next((far for far, layer in enumerate(self.layers) if layer & cells), None)


def carried(terrain: Terrain, source: Cell, loudness: int) -> Heard:
    """Where a noise from a space is heard. Remembered with the ground."""
    known: dict[tuple[Cell, int], Heard] = terrain.memo.setdefault("noises", {})
    found = known.get((source, loudness))
    if found is None:
        if len(known) >= _KEPT:
            known.clear()
        found = known[source, loudness] = Heard(_layers(terrain, source, loudness))
    return found


_KEPT = 256
"""So many noises are remembered for a ground."""


def _layers(terrain: Terrain, source: Cell, loudness: int) -> list[Bitboard]:
    """One board of spaces for each distance: door after door, the nearest first, from its far side on."""
    layers = [EMPTY] * (loudness + 1)
    reached, starts = EMPTY, {0: 1 << source}
    ahead = _closed(terrain)
    while starts:
        begin = min(starts)
        sources = starts.pop(begin) & ~reached
        if not sources:
            continue
        for far, board in enumerate(spread(terrain, sources, loudness - begin), begin):
            new = board & ~reached
            layers[far] |= new
            reached |= new
            for sides, door in ahead:
                if new & sides and far + MUFFLED <= loudness:
                    beyond = (sides | door) & ~reached
                    starts[far + MUFFLED] = starts.get(far + MUFFLED, EMPTY) | beyond
    return _first(layers)


def _first(layers: list[Bitboard]) -> list[Bitboard]:
    """The same with each space where it was reached first only."""
    before = EMPTY
    for far, board in enumerate(layers):
        layers[far] = board & ~before
        before |= board
    return layers


def _closed(terrain: Terrain) -> list[tuple[Bitboard, Bitboard]]:
    """(the spaces beside it, those that it fills) of each door that stands closed."""
    field, found = terrain.field, list[tuple[Bitboard, Bitboard]]()
    for number, door in enumerate(field.doors):
        if terrain.doors_open >> number & 1:
            continue
        if door.edge is not None:
            found.append((1 << door.cell | 1 << door.edge, EMPTY))
            continue
        beside = EMPTY
        column, row = field.at(door.cell)
        for x, y in DIRECTIONS[:4]:
            if field.inside(column + x, row + y):
                beside |= 1 << field.cell(column + x, row + y)
        found.append((beside & ~terrain.blocked, 1 << door.cell))
    return found


def nearest(cells: Bitboard) -> Cell:
    """The first of some spaces (a bitboard), `NOWHERE` of none."""
    return next(iter(cells_of(cells)), NOWHERE)
