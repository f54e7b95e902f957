"""What stands in the way on a map, as a value: where faces, deep water and rubble are (olde.md §3)."""

from __future__ import annotations

import msgspec


class Obstacles(msgspec.Struct, frozen=True):
    """The obstacles of a field, by where they are. Bitboards and tables of spaces."""

    water: int
    faces: int
    """Spaces that are climbed over."""
    rubble: int
    at: dict[int, int]
    """Space -> the number of the challenge that fills it."""
    edges: dict[tuple[int, int], int]
    """(space, space), both ways round -> the number of the challenge to climb there."""
