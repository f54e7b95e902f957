"""Places on a map: who can stand where, and how a space is called in words for people."""

from __future__ import annotations

from rules.board.grid import Field, Terrain, place_words

Spot = tuple[int, int]
"""Column and row, from 0."""


def named(spot: Spot) -> str:
    """A space in words."""
    return place_words(*spot)


def hindrance(ground: Field, terrain: Terrain, spot: Spot, size: int) -> str:
    """What stands in the way of somebody of that size on a space (`in a wall …`); empty where they can stand."""
    column, row = spot
    if not (ground.inside(column, row) and ground.inside(column + size - 1, row + size - 1)):
        return f"off the map of {ground.width} × {ground.height} spaces"
    if terrain.fits(ground.cell(column, row), size):
        return ""
    if size > 1:
        return f"without room for {size} × {size} spaces"
    shut = any(door.cell == ground.cell(column, row) and door.edge is None for door in ground.doors)
    return f"in a {'closed door' if shut else 'wall or chasm'}"


def refusal(ground: Field, terrain: Terrain, spot: Spot, size: int) -> str:
    """The same with the space's name."""
    why = hindrance(ground, terrain, spot, size)
    return f"{why} at {named(spot)}" if why else ""
