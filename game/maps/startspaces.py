"""Where sides start: on the map's Spawn spaces, or, where it draws none, in two places sensibly apart on one ground.

The same map gives the same places always; nothing is drawn by lot here.
"""

from __future__ import annotations

import functools
import itertools
import operator
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache

from game.maps.mapdata import Spawn
from rules.board.bitboard import board_of, cells_of
from rules.board.grid import Field, Terrain
from rules.board.path import spread

HEROES, MONSTERS = "heroes", "monsters"
APART = 14
"""Spaces of movement between two sides that the map gives no places: beyond the first blow, not beyond sight."""
NEAR = 6
"""How far from the end of the map heroes may begin, where there is more room."""
ROOM = 2
"""About a space so far free ground counts as room for a party."""
PASSABLE = ("open", "closed")
"""Doors that keep nobody apart."""


class Spaces:
    """A row of spaces that may be read again and again; each is worked out when it is first asked for."""

    def __init__(self, cells: Iterable[int]) -> None:
        self._known: list[int] = []
        self._more = iter(cells)

    def __iter__(self) -> Iterator[int]:
        for at in itertools.count():
            if at == len(self._known):
                for cell in self._more:
                    self._known.append(cell)
                    break
                else:
                    return
            yield self._known[at]

    def __bool__(self) -> bool:
        return next(iter(self), None) is not None


def start_spaces(
    field: Field,
    spawns: Sequence[Spawn],
    side: str,
    exits: Iterable[int] = (),
    there: Mapping[str, Sequence[int]] | None = None,
) -> Spaces:
    """The spaces on which a side starts, the best first, then all around that can be walked to.

    On its Spawn spaces in reading order; else about a place of its own. `exits`: where one leaves the map, and
    where heroes come in, if nothing else is said. `there`: where others stand already, by side. What lies around is
    walked only as far as somebody asks: on the largest maps a party must not wait for the other end.
    """
    own = _spawned(spawns, side)
    drawn = {spawn.side for spawn in spawns}
    spawns = [*spawns, *(Spawn(name, 0, tuple(cells)) for name, cells in (there or {}).items()
                         if cells and name != side and name not in drawn)]  # fmt: skip
    return Spaces(_around(field.terrain(), own) if own else _chosen(field, tuple(spawns), side, tuple(exits)))


def _spawned(spawns: Iterable[Spawn], side: str) -> tuple[int, ...]:
    return tuple(dict.fromkeys(cell for spawn in spawns if spawn.side == side for cell in spawn.cells))


def _around(terrain: Terrain, spawn: Sequence[int]) -> Iterator[int]:
    """The spawn spaces, then the spaces that can be walked to from them, nearest first."""
    yield from spawn
    seen = set(spawn)
    waiting = deque(cell for cell in spawn if terrain.fits(cell))
    while waiting:
        for cell, _ in terrain.neighbours(waiting.popleft()):
            if cell not in seen:
                seen.add(cell)
                waiting.append(cell)
                yield cell


@lru_cache(maxsize=64)
def _chosen(field: Field, spawns: tuple[Spawn, ...], side: str, exits: tuple[int, ...]) -> tuple[int, ...]:
    """A place for a side that the map gives none."""
    doors = board_of(number for number, door in enumerate(field.doors) if door.state in PASSABLE)
    terrain = field.terrain(doors)
    drawn = {spawn.side: board_of(_spawned(spawns, spawn.side)) for spawn in spawns}
    ground = _ground(terrain, [cells & ~terrain.blocked for cells in drawn.values()])
    if not ground:
        return ()
    places: dict[str, int] = {name: cells & ground for name, cells in drawn.items() if cells & ground}
    for name in dict.fromkeys((HEROES, MONSTERS, side)):
        if name not in drawn:
            others = _together(places.values())
            anchor = _away(terrain, ground, others) if others else _entrance(terrain, ground, exits)
            places[name] = 1 << anchor
    return tuple(_own_first(terrain, places, side))


def _own_first(terrain: Terrain, places: dict[str, int], side: str) -> Iterable[int]:
    """Spaces nearest to a side's own place first; those that others are nearer to come last."""
    size = terrain.field.width * terrain.field.height
    others = _together(cells for name, cells in places.items() if name != side)
    theirs = {cell: far for far, layer in enumerate(spread(terrain, others, size)) for cell in cells_of(layer)}
    late: list[int] = []
    for far, layer in enumerate(spread(terrain, places[side], size)):
        for cell in cells_of(layer):
            if far < theirs.get(cell, size):
                yield cell
            else:
                late.append(cell)
    yield from late


def _together(boards: Iterable[int]) -> int:
    return functools.reduce(operator.or_, boards, 0)


def _ground(terrain: Terrain, drawn: Iterable[int]) -> int:
    """The largest ground that hangs together (a bitboard), or that on which another side's places are."""
    size = terrain.field.width * terrain.field.height
    for cells in drawn:
        if cells:
            return sum(spread(terrain, cells & -cells, size))
    left, best = terrain.everywhere & ~terrain.blocked, 0
    while left:
        part = sum(spread(terrain, left & -left, size))
        best = max(best, part, key=int.bit_count)
        left &= ~part
    return best


def _entrance(terrain: Terrain, ground: int, exits: Iterable[int]) -> int:
    """Where heroes come in: by a way out of the map, else near an end of its ground, where there is room."""
    size = terrain.field.width * terrain.field.height
    ways = [cell for cell in exits if ground >> cell & 1]
    start = 1 << ways[0] if ways else spread(terrain, ground & -ground, size)[-1]
    layers = spread(terrain, start & -start, size)
    near = min(NEAR, len(layers) // 4)
    return _roomiest(terrain, ground, list(enumerate(layers[: near + 1])))


def _away(terrain: Terrain, ground: int, others: int) -> int:
    """A place with room at a good distance from others; as far as there is ground, where that is less."""
    layers = spread(terrain, others, terrain.field.width * terrain.field.height)
    wanted = min(APART, len(layers) - 1)
    band = range(max(wanted * 3 // 4, wanted - 3), min(len(layers), wanted + 4))
    return _roomiest(terrain, ground, [(abs(far - wanted), layers[far]) for far in band])


def _roomiest(terrain: Terrain, ground: int, layers: Sequence[tuple[int, int]]) -> int:
    """Of spaces in layers, each with its price, the one with the most room about it; among equals the cheapest."""
    found = (
        (-(terrain.within(cell, ROOM) & ground).bit_count(), price, cell)
        for price, layer in layers
        for cell in cells_of(layer & ground)
    )
    return min(found)[2]
