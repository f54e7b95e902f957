"""Reach and routes: where a creature can get, what it costs, the path it takes and whether a path is legal.

Costs are in spaces of movement: 1 for a space, 2 for a difficult one, diagonals alike (olde.md §5). All functions
decide the same way on any machine: fewest cost, then fewest diagonals, then fewest turns, then DIRECTIONS' order.
"""

from __future__ import annotations

from collections.abc import Sequence

from rules.errors import BattlematError
from rules.grid import Cell, Terrain, cells_of

UNREACHABLE = 1 << 30
"""The cost, in `distances`, of a space that can't be reached."""


def _flood(terrain: Terrain, start: Cell, budget: int, size: int, shut: int, final: int) -> list[int]:
    """Bitboards of the spaces whose cheapest cost is exactly 0, 1, 2 … `budget`; ends early once all are found."""
    steps = terrain.steps(size)
    closed = (terrain.touching(shut, size) & ~final) | 1 << start
    hard = steps.difficult
    (north, up), (east, _), (south, down), (west, _), (ne, n_e), (se, s_e), (sw, s_w), (nw, n_w) = steps.moves
    up, n_e, n_w = -up, -n_e, -n_w
    layers = [1 << start]
    pending = 0
    for _ in range(budget):
        front = layers[-1] & ~final if final else layers[-1]
        stepped = (
            (front & north) >> up
            | (front & east) << 1
            | (front & south) << down
            | (front & west) >> 1
            | (front & ne) >> n_e
            | (front & se) << s_e
            | (front & sw) << s_w
            | (front & nw) >> n_w
        )
        if hard:
            layer = ((stepped & ~hard) | pending) & ~closed
            pending = stepped & hard
            if not (layer or pending):
                break
        else:
            layer = stepped & ~closed
            if not layer:
                break
        closed |= layer
        layers.append(layer)
    return layers


def reach_cells(
    terrain: Terrain,
    start: Cell,
    budget: int,
    *,
    size: int = 1,
    blocked: int = 0,
    unstoppable: int = 0,
    final: int = 0,
) -> int:
    """The bitboard of spaces where a move may end: `reach` without costs and paths."""
    cells = 0
    for layer in _flood(terrain, start, budget, size, blocked, final):
        cells |= layer
    cells &= ~(1 << start)
    return cells & ~terrain.touching(unstoppable, size) if unstoppable else cells


class Reach:
    """Where a move can get: `cells` (bitboard where it may end, the start left out), costs and paths."""

    __slots__ = ("terrain", "start", "size", "cells", "_layers", "_cost", "_diagonals")

    def __init__(self, terrain: Terrain, start: Cell, size: int, cells: int, layers: list[int]) -> None:
        self.terrain = terrain
        self.start = start
        self.size = size
        self.cells = cells
        self._layers = layers
        self._cost: dict[Cell, int] | None = None
        self._diagonals: dict[Cell, int] = {start: 0}

    @property
    def cost(self) -> dict[Cell, int]:
        """Cost of every space reached, in ascending cost, also those only passed; the start costs 0."""
        if self._cost is None:
            self._cost = {cell: cost for cost, layer in enumerate(self._layers) for cell in cells_of(layer)}
        return self._cost

    def path(self, cell: Cell) -> tuple[Cell, ...]:
        """The cheapest path, the start left out: fewest diagonals, then fewest turns among the cheapest.

        Raises BattlematError if the space was not reached.
        """
        if cell not in self.cost:
            column, row = self.terrain.field.at(cell)
            raise BattlematError(f"path: [{column}, {row}] is out of reach")
        path: list[Cell] = []
        heading = 0
        while cell != self.start:
            path.append(cell)
            best = self._fewest_diagonals(cell)
            before = [p for p, diagonals in self._before(cell) if self._fewest_diagonals(p) + diagonals == best]
            straight = cell - heading
            came = straight if straight in before else before[0]
            heading = cell - came
            cell = came
        return tuple(reversed(path))

    def _before(self, cell: Cell) -> list[tuple[Cell, int]]:
        """(space, 1 if diagonal) from which this one is reached at its cheapest, in the order of DIRECTIONS."""
        steps, cost = self.terrain.steps(self.size), self.cost
        wanted = cost[cell] - (2 if steps.difficult >> cell & 1 else 1)
        if wanted < 0:
            return []
        layer = self._layers[wanted]
        found = []
        for i, (starts, shift) in enumerate(steps.moves):
            origin = cell - shift
            if origin >= 0 and (layer & starts) >> origin & 1:
                found.append((origin, i >> 2))
        return found

    def _fewest_diagonals(self, cell: Cell) -> int:
        """Fewest diagonal steps on any cheapest path from the start; filled in from the near end, without recursion."""
        known = self._diagonals
        todo = [cell]
        while todo:
            last = todo[-1]
            before = self._before(last) if last not in known else []
            missing = [p for p, _ in before if p not in known]
            if missing:
                todo.extend(missing)
                continue
            todo.pop()
            if last not in known:
                known[last] = min(known[p] + diagonal for p, diagonal in before)
        return known[cell]


def reach(
    terrain: Terrain,
    start: Cell,
    budget: int,
    *,
    size: int = 1,
    blocked: int = 0,
    unstoppable: int = 0,
    final: int = 0,
) -> Reach:
    """Where a creature of size × size spaces can get for `budget` spaces of movement.

    Bitboards of single spaces: `blocked` can't be entered (enemies), `unstoppable` may be passed but not ended on
    (allies), `final` may be entered only as the last space, even where `blocked` (for a creature larger than one space
    `final` holds upper left spaces).
    """
    layers = _flood(terrain, start, budget, size, blocked, final)
    cells = 0
    for layer in layers:
        cells |= layer
    cells &= ~(1 << start)
    if unstoppable:
        cells &= ~terrain.touching(unstoppable, size)
    return Reach(terrain, start, size, cells, layers)


def distances(terrain: Terrain, start: Cell, size: int = 1, blocked: int = 0) -> tuple[int, ...]:
    """The cost from `start` to every space of the map, UNREACHABLE where there's no way.

    Remembered with the terrain when nothing is `blocked` besides it.
    """
    key = (start, size)
    if not blocked and key in terrain.distance_memo:
        return terrain.distance_memo[key]
    count = terrain.field.width * terrain.field.height
    costs = [UNREACHABLE] * count
    for cost, layer in enumerate(_flood(terrain, start, 2 * count, size, blocked, 0)):
        for cell in cells_of(layer):
            costs[cell] = cost
    result = tuple(costs)
    if not blocked:
        if len(terrain.distance_memo) >= 1024:
            terrain.distance_memo.clear()
        terrain.distance_memo[key] = result
    return result


def step_cost(terrain: Terrain, a: Cell, b: Cell, size: int = 1) -> int:
    """The cost of one legal step, 0 if there's no such step."""
    for cell, cost in terrain.neighbours(a, size):
        if cell == b:
            return cost
    return 0


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
            return f"{where} is {'a void' if terrain.pits >> space & 1 else 'a wall'}"
    return f"no room for {size} × {size} spaces between thin walls or levels"
