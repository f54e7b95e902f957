"""Which spaces somebody threatens who may move first: walls count, creatures in the way don't."""

from __future__ import annotations

from functools import lru_cache

from rules.board.bitboard import cells_of
from rules.board.grid import Terrain
from rules.board.path import reach
from rules.board.sight import visible

SHOOTER = 4
"""Who strikes farther than so many spaces strikes from afar."""
PLACES = 3
"""Spaces that stand for all those that a shooter may go to."""


def struck_from(terrain: Terrain, cell: int, size: int, budget: int, limit: int) -> int:
    """Bitboard of the spaces that a creature `size` spaces wide on `cell` can strike `limit` spaces away, after so
    many spaces of movement. Who strikes from afar strikes what it sees."""
    return _struck_from(terrain, cell, size, budget, min(limit, SHOOTER + 1))


@lru_cache(maxsize=4096)
def _struck_from(terrain: Terrain, cell: int, size: int, budget: int, limit: int) -> int:
    stand = cells_of(1 << cell | (reach(terrain, cell, budget, size=size).cells if budget else 0))
    if limit > SHOOTER:
        board = visible(terrain, cell, size)
        for place in stand[:: max(1, len(stand) // PLACES)]:
            board |= visible(terrain, place, size)
        return board
    board = 0
    for place in stand:
        board |= terrain.within(place, limit, size)
    return board
