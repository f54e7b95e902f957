"""Where to search when there is ground that no way leads to: a player sees it on the map, and so does the computer.

It knows no secret: it searches wherever something hidden could join its own ground to the rest.
"""

from __future__ import annotations

from collections.abc import Sequence

from game.controllers.ai import routes
from game.controllers.ai.weights import SeekingWeights, load_weights
from rules.board.grid import Terrain, beside


def weights() -> SeekingWeights:
    """The numbers of taste that count here."""
    return load_weights().seeking


THICK = 3
"""Spaces to ground beyond from which a search may find what joins it: two that are searched, and the door's own."""


def hides(terrain: Terrain) -> bool:
    """Whether a map is one on which something may be hidden."""
    field = terrain.field
    return bool(field.challenges) or any(door.state == "secret" for door in field.doors)


def places(terrain: Terrain, doors: Sequence[str], cell: int, size: int) -> int:
    """Spaces that can be come to and lie next to ground that can't (a bitboard); 0 where all can. Remembered."""
    memo: list[tuple[int, int]] = terrain.memo.setdefault(("seeking", tuple(doors), size), [])
    for ground, known in memo:
        if ground >> cell & 1:
            return known
    found = routes.far(terrain, doors, (cell,), size).ground()
    beyond = terrain.steps(1).fit & ~found
    near = beyond
    for _ in range(THICK):
        near = beside(near, terrain.field.width, terrain.field.height)
    known = near & found & terrain.steps(size).fit
    memo.append((found, known))
    return known


def post(terrain: Terrain, doors: Sequence[str], cell: int, size: int, turn: int) -> int | None:
    """Where to go and search in a turn; None where no ground is out of reach. All go round in step."""
    left, posts = places(terrain, doors, cell, size), []
    while left:
        first = left & -left
        posts.append(first.bit_length() - 1)
        left &= ~terrain.within(posts[-1], THICK)
    return posts[turn // weights().turns % len(posts)] if posts else None
