"""Steps, and paths that somebody has chosen: what they cost, and why one is illegal."""

from __future__ import annotations

from collections.abc import Sequence

from rules.board.bitboard import Cell
from rules.board.grid import Terrain
from rules.contract.errors import BattlematError


def step_cost(terrain: Terrain, a: Cell, b: Cell, size: int = 1) -> int:
    """The cost of one legal step, 0 if there's no such step."""
    return terrain.costs(a, size).get(b, 0)


def path_cost(terrain: Terrain, start: Cell, path: Sequence[Cell], size: int = 1) -> int:
    """The cost of a path (spaces entered). Raises BattlematError that names the first bad step and why it's bad."""
    total = 0
    for i, cell in enumerate(path):
        cost = step_cost(terrain, start, cell, size)
        if not cost:
            raise BattlematError(f"path, step {i + 1}: {step_fault(terrain, start, cell, size)}")
        total += cost
        start = cell
    return total


def path_fault(terrain: Terrain, start: Cell, path: Sequence[Cell], size: int = 1) -> str | None:
    """Why a path is illegal, in one line, or None if each of its steps is legal."""
    for i, cell in enumerate(path):
        if not step_cost(terrain, start, cell, size):
            return f"path, step {i + 1}: {step_fault(terrain, start, cell, size)}"
        start = cell
    return None


def step_fault(terrain: Terrain, a: Cell, b: Cell, size: int = 1) -> str | None:
    """Why one step is illegal, or None."""
    if step_cost(terrain, a, b, size):
        return None
    field = terrain.field
    if not 0 <= b < field.width * field.height:
        return f"space {b} is not on the map"
    (ax, ay), (bx, by) = field.at(a), field.at(b)
    step = f"[{ax}, {ay}] to [{bx}, {by}]"
    if terrain.distance(a, b) != 1:
        return f"{step} is no step to an adjacent space"
    if not (field.inside(bx + size - 1, by + size - 1) and terrain.fits(b, size)):
        return f"{step}: {_room_fault(terrain, b, size)}"
    if field.level(a) != field.level(b):
        return f"{step} leads to another level; only Climb does that, by stairs or ladder"
    if ax != bx and ay != by:
        return f"{step} cuts a corner; both spaces beside a diagonal must be open"
    return f"{step} crosses a thin wall or a closed door"


_PAST = {
    "water": "deep water: Swim",
    "climb": "climbed over, not walked on: Climb",
    "rubble": "full of rubble: clear it first",
}


def _room_fault(terrain: Terrain, cell: Cell, size: int) -> str:
    field = terrain.field
    column, row = field.at(cell)
    if not field.inside(column + size - 1, row + size - 1):
        return f"no room for {size} × {size} spaces at the edge of the map"
    for space in terrain.space(cell, size):
        where = "[{}, {}]".format(*field.at(space))
        if any(
            door.edge is None and door.cell == space and not terrain.doors_open >> i & 1
            for i, door in enumerate(field.doors)
        ):
            return f"a closed door fills {where}"
        if terrain.blocked >> space & 1:
            for one in field.challenges:
                if space in one.cells and one.kind in _PAST and not one.edges:
                    return f"{where} is {_PAST[one.kind]}"
            return f"{where} is {'a void' if terrain.pits >> space & 1 else 'a wall'}"
    return f"no room for {size} × {size} spaces between thin walls or levels"
