"""Reach and routes: single steps, where a creature can get, what it costs, the path it takes, and whom it threatens.

Costs are in spaces of movement: 1 for a space, 2 for a difficult one, diagonals alike (olde.md §5). All functions
decide the same way on any machine: fewest cost, then fewest diagonals, then fewest turns, then DIRECTIONS' order.

    >>> from rules.board.grid import Field
    >>> field = Field.from_rows(["#####", "#..~#", "#.#.#", "#####"])
    >>> ways = reach(field.terrain(0), field.cell(1, 1), 5)
    >>> [field.at(cell) for cell in ways.path(field.cell(3, 2))], ways.cost[field.cell(3, 2)]
    ([(2, 1), (3, 1), (3, 2)], 4)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import zip_longest

import msgspec

from rules.board.bitboard import cells_of
from rules.board.grid import Ground, Terrain
from rules.board.sight import visible
from rules.contract.errors import BattlematError
from rules.contract.text import Place, text
from rules.contract.units import EMPTY, NOWHERE, Bitboard, Cell


def step_cost(terrain: Terrain, a: Cell, b: Cell, size: int = 1) -> int:
    """The cost of one legal step, 0 if there's no such step."""
    return terrain.costs(a, size).get(b, 0)


def path_cost(terrain: Terrain, start: Cell, path: Sequence[Cell], size: int = 1) -> int:
    """The cost of a path (spaces entered). Raises BattlematError that names the first bad step and why it's bad."""
    total, here = 0, start
    for cell in path:
        cost = step_cost(terrain, here, cell, size)
        if not cost:
            raise BattlematError(path_fault(terrain, start, path, size) or "")
        total, here = total + cost, cell
    return total


def path_fault(terrain: Terrain, start: Cell, path: Sequence[Cell], size: int = 1) -> str | None:
    """Why a path is illegal, in one line, or None if each of its steps is legal."""
    for i, cell in enumerate(path):
        if not step_cost(terrain, start, cell, size):
            return text("path, step {number}: {why}", i + 1, step_fault(terrain, start, cell, size) or "")
        start = cell
    return None


def step_fault(terrain: Terrain, a: Cell, b: Cell, size: int = 1) -> str | None:
    """Why one step is illegal, or None."""
    if step_cost(terrain, a, b, size):
        return None
    field = terrain.field
    if not 0 <= b < field.width * field.height:
        return text("space {b} is not on the map", b)
    (ax, ay), (bx, by) = field.at(a), field.at(b)
    step = text("{start} to {end}", Place(ax, ay), Place(bx, by))
    if terrain.distance(a, b) != 1:
        return text("{step} is no step to an adjacent space", step)
    if not (field.inside(bx + size - 1, by + size - 1) and terrain.fits(b, size)):
        return text("{step}: {why}", step, _room_fault(terrain, b, size))
    if field.level(a) != field.level(b):
        return text("{step} leads to another level; only Climb does that, by stairs or ladder", step)
    if ax != bx and ay != by:
        return text("{step} cuts a corner; both spaces beside a diagonal must be open", step)
    return text("{step} crosses a thin wall or a closed door", step)


_PAST = {
    "water": "deep water: Swim",
    "climb": "climbed over, not walked on: Climb",
    "rubble": "full of rubble: clear it first",
}


def _room_fault(terrain: Terrain, cell: Cell, size: int) -> str:
    field = terrain.field
    column, row = field.at(cell)
    if not field.inside(column + size - 1, row + size - 1):
        return text("no room for {size} × {size} spaces at the edge of the map", size)
    for space in terrain.space(cell, size):
        where = Place(*field.at(space))
        shut = (door for i, door in enumerate(field.doors) if not terrain.doors_open >> i & 1)
        if any(door.edge is None and door.cell == space for door in shut):
            return text("a closed door fills {where}", where)
        if terrain.blocked >> space & 1:
            for one in field.challenges:
                if space in one.cells and one.kind in _PAST and not one.edges:
                    return text("{where} is {past}", where, _PAST[one.kind])
            return text("{where} is {what}", where, "a void" if terrain.pits >> space & 1 else "a wall")
    return text("no room for {size} × {size} spaces between thin walls or levels", size)


UNREACHABLE = 1 << 30
"""The cost, in `distances`, of a space that can't be reached."""


def _flood(
    terrain: Terrain, start: Cell, budget: int, size: int, *, closed: Bitboard, final: Bitboard
) -> list[Bitboard]:
    """Bitboards of the spaces whose cheapest cost is exactly 0, 1, 2 … `budget`; ends early once all are found."""
    width, height = terrain.field.width, terrain.field.height
    rows = 2 * budget + 1
    if rows * 2 > height:
        steps = terrain.steps(size)
        boards = [*(starts for starts, _ in steps.moves), steps.difficult, closed, final]
        return _spread(boards, 1 << start, budget, width)
    # only the rows within the budget matter: cut them out, since the boards' length is what costs time
    base = max(0, start // width - budget) * width
    mask = (1 << rows * width) - 1
    key = ("rows", size, base, rows)
    ground: tuple[Bitboard, ...] | None = terrain.memo.get(key)
    if ground is None:
        steps = terrain.steps(size)
        boards = [*(starts for starts, _ in steps.moves), steps.difficult]
        ground = terrain.memo[key] = tuple([board >> base & mask for board in boards])
    layers = _spread([*ground, closed >> base & mask, final >> base & mask], 1 << start - base, budget, width)
    return [layer << base for layer in layers]


def _spread(boards: Sequence[Bitboard], sources: Bitboard, budget: int, width: int) -> list[Bitboard]:
    """The layers of `_flood`. `boards`: starts of steps in the order of DIRECTIONS, difficult, closed, final."""
    north, east, south, west, ne, se, sw, nw, hard, closed, final = boards
    closed |= sources
    layers = [sources]
    pending = EMPTY
    for _ in range(budget):
        front = layers[-1] & ~final if final else layers[-1]
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


def spread(terrain: Terrain, sources: Bitboard, budget: int, *, blocked: Bitboard = EMPTY) -> list[Bitboard]:
    """Bitboards of the spaces that are exactly 0, 1, 2 … `budget` spaces of movement from the nearest of `sources`
    (a bitboard), for creatures of one space; ends early once all are found."""
    steps = terrain.steps()
    boards = [starts for starts, _ in steps.moves] + [steps.difficult, blocked, EMPTY]
    return _spread(boards, sources, budget, terrain.field.width)


_Came = tuple[int, int, int, Cell]
"""How a space is entered: diagonals and turns on the way, direction of the last step, the space before."""
_NO_WAY: _Came = (1 << 30, 0, 0, NOWHERE)

RINGS = (6, 9, 16)
"""Floods up to these budgets are remembered with the terrain: nobody moves farther in one go than the last says, and
most not even as far as the first (olde.md §4, cairn.md §2.7, countup.md §3)."""
_KEPT = (2048, 1024, 256)
"""How many of each with nobody in the way, at most; of those with somebody half as many."""
_KIN = 12
"""Terrains of one field, the latest, from which others may borrow."""


class _Ways:
    """The flood from one space and the cheapest ways in it; movements of smaller budgets share it.

    `bare`: the same flood with nobody in the way. Most ways are the same in both, and are taken from there.
    """

    __slots__ = (
        "terrain", "start", "size", "layers", "within", "final", "bare", "_cost", "_came", "_grown", "_paths",
        "_ascending", "_changed",
    )  # fmt: skip

    def __init__(
        self, terrain: Terrain, start: Cell, budget: int, size: int, *, closed: Bitboard, final: Bitboard,
        bare: _Ways | None = None,
    ) -> None:  # fmt: skip
        self.terrain = terrain
        self.start = start
        self.size = size
        self.final = final
        self.bare = bare
        self.layers = _flood(terrain, start, budget, size, closed=closed, final=final)
        within, board = [], EMPTY
        for layer in self.layers:
            board |= layer
            within.append(board)
        self.within = within
        """Bitboards of the spaces whose cost is at most 0, 1, 2 …"""
        self._cost: dict[Cell, int] = {}
        self._came: dict[Cell, _Came] = {start: (0, -1, -1, start)}
        self._grown = 0
        """Ways to spaces of at most this cost are known."""
        self._paths: dict[Cell, tuple[Cell, ...]] = {start: ()}
        self._ascending: dict[int, list[tuple[Cell, ...]]] = {}
        self._changed = EMPTY
        """The spaces that are entered or left otherwise than in `bare`, as far as is known."""

    def _grow(self, budget: int) -> None:
        """Find how each space of at most this cost is entered.

        Cheap spaces come first: all ways to a space are known before it is left.
        """
        layers, came = self.layers, self._came
        if not self._cost:
            self._cost = {cell: cost for cost, layer in enumerate(layers) for cell in cells_of(layer)}
        cost, directed, size = self._cost, self.terrain.directed, self.size
        while self._grown < min(budget, len(layers) - 1):
            spent = self._grown
            for cell in cells_of(layers[spent] & ~self.final):
                diagonals, turns, heading, _ = came[cell]
                for there, step, direction in directed(cell, size):
                    if cost.get(there) == spent + step:
                        way = (diagonals + (direction >> 2), turns + (direction != heading), direction, cell)
                        known = came.get(there)
                        if known is None or way < known:
                            came[there] = way
            self._grown = spent + 1
            for cell in cells_of(layers[spent + 1]):
                self._paths[cell] = (*self._paths[came[cell][3]], cell)

    def _grow_from(self, bare: _Ways, budget: int) -> None:
        """The same, where only what lies behind whoever stands in the way is looked at: of all other spaces the ways
        are those of the bare flood."""
        bare.paths(budget)
        layers, width = self.layers, self.terrain.field.width
        if not self._grown:
            self._changed = self._moved()
        moved, changed, own = self._moved(), self._changed, self._paths
        for cost in range(self._grown + 1, min(budget, len(layers) - 1) + 1):
            around = changed | changed >> 1 | changed << 1
            around |= around >> width | around << width
            for cell in cells_of(layers[cost] & around):
                way = self._entered(cell, cost)
                if moved >> cell & 1 or changed >> way[3] & 1 or way != bare._came[cell]:
                    changed |= 1 << cell
                    self._came[cell] = way
                    own[cell] = (*(own[way[3]] if way[3] in own else bare._paths[way[3]]), cell)
            self._grown = cost
        self._changed = changed
        self._paths = {**bare._paths, **own}

    def _moved(self) -> Bitboard:
        """The spaces that cost otherwise than in the bare flood, or can't be left as there."""
        assert self.bare is not None
        moved = self.within[-1] & self.final
        for own, other in zip_longest(self.layers, self.bare.layers, fillvalue=EMPTY):
            moved |= own ^ other
        return moved

    def _entered(self, cell: Cell, cost: int) -> _Came:
        """How a space of this cost is entered best, from spaces whose ways are known."""
        assert self.bare is not None
        terrain, came, base = self.terrain, self._came, self.bare._came
        step = 2 if terrain.steps(self.size).difficult >> cell & 1 else 1
        before, best = self.layers[cost - step] & ~self.final, _NO_WAY
        for there, _, back in terrain.directed(cell, self.size):  # each step may be taken back as well
            if before >> there & 1:
                diagonals, turns, heading, _ = came[there] if there in came else base[there]
                direction = back ^ 2
                way = (diagonals + (direction >> 2), turns + (direction != heading), direction, there)
                if way < best:
                    best = way
        return best

    def paths(self, budget: int) -> dict[Cell, tuple[Cell, ...]]:
        """The cheapest path to each space of at most this cost, in any order; others may be in it."""
        if self._grown < min(budget, len(self.layers) - 1):
            if self.bare is None:
                self._grow(budget)
            else:
                self._grow_from(self.bare, budget)
        return self._paths

    def ascending(self, budget: int) -> list[tuple[Cell, ...]]:
        """The cheapest paths to all spaces of at most this cost but the start, by ascending space."""
        found = self._ascending.get(budget)
        if found is None:
            paths = self.paths(budget)
            cells = self.within[min(budget, len(self.within) - 1)] & ~(1 << self.start)
            found = self._ascending[budget] = [paths[cell] for cell in cells_of(cells)]
        return found


def _ways(terrain: Terrain, start: Cell, budget: int, size: int, *, blocked: Bitboard, final: Bitboard) -> _Ways:
    """The flood for a budget; near ones remembered, those alike but for what stands too far off to matter included."""
    final &= ~(1 << start)  # who already shares an enemy's space may leave it
    closed = terrain.touching(blocked, size) & ~final if blocked else EMPTY
    ring = 0 if budget <= RINGS[0] else 1 if budget <= RINGS[1] else 2
    if budget > RINGS[ring]:
        return _Ways(terrain, start, budget, size, closed=closed, final=final)
    shelves = terrain.ways_memo
    bare: _Ways | None = shelves[ring].get((start, size, EMPTY, EMPTY)) if ring in shelves else None
    if bare is None:
        bare = _remembered(terrain, ring, start, size)
    if closed or final:
        touched = bare.within[-1]
        closed &= touched
        final &= touched
        if closed or final:
            found: _Ways | None = shelves[~ring].get((start, size, closed, final)) if ~ring in shelves else None
            return found or _remembered(terrain, ring, start, size, bare=bare, closed=closed, final=final)
    return bare


def _remembered(
    terrain: Terrain, ring: int, start: Cell, size: int, *,
    bare: _Ways | None = None, closed: Bitboard = EMPTY, final: Bitboard = EMPTY,
) -> _Ways:  # fmt: skip
    """A flood that this terrain hasn't seen yet; with other doors open it may have been, and they may be far off."""
    key, shelf = (start, size, closed, final), ring if bare is None else ~ring
    ways: _Ways | None = None
    kin = terrain.field.known_terrains
    if len(kin) > 1:
        here = _ground_near(terrain, start, size, RINGS[ring])
        for other in kin[-_KIN:]:
            known: _Ways | None = other.ways_memo.get(shelf, {}).get(key)
            if known is not None and _ground_near(other, start, size, RINGS[ring]) == here:
                ways = known
                break
    if ways is None:
        ways = _Ways(terrain, start, RINGS[ring], size, closed=closed, final=final, bare=bare)
    memo = terrain.ways_memo.setdefault(shelf, {})
    if len(memo) >= (_KEPT[ring] if bare is None else _KEPT[ring] // 2):
        del memo[next(iter(memo))]
    memo[key] = ways
    return ways


def _ground_near(terrain: Terrain, start: Cell, size: int, budget: int) -> list[Bitboard]:
    """All that a near flood from a space asks of the ground: steps and difficult spaces no farther than it goes."""
    steps, near = terrain.steps(size), terrain.within(start, budget)
    return [starts & near for starts, _ in steps.moves] + [steps.difficult & near]


@dataclass(slots=True, eq=False)
class Reach:
    """Where a move can get: `cells` (bitboard where it may end, the start left out), costs and paths."""

    cells: Bitboard
    budget: int
    _ways: _Ways

    @property
    def layers(self) -> list[Bitboard]:
        """Bitboards of the spaces whose cheapest cost is exactly 0, 1, 2 …, also those only passed."""
        return self._ways.layers[: self.budget + 1]

    @property
    def cost(self) -> dict[Cell, int]:
        """Cost of every space reached, in ascending cost, also those only passed; the start costs 0."""
        return {cell: cost for cost, layer in enumerate(self.layers) for cell in cells_of(layer)}

    def within(self, budget: int) -> Bitboard:
        """Those of `cells` that cost at most so much."""
        within = self._ways.within
        return self.cells & (within[budget] if budget < len(within) else within[-1])

    def path(self, cell: Cell) -> tuple[Cell, ...]:
        """The cheapest path, the start left out: fewest diagonals, then fewest turns among the cheapest.

        Paths agree with each other: the path to a space on it is its beginning. Raises BattlematError if the space
        was not reached.
        """
        self._check(cell)
        return self._ways.paths(self.budget)[cell]

    def paths(self) -> list[tuple[Cell, ...]]:
        """The paths to all of `cells`, in ascending order of the spaces."""
        ways, cells = self._ways, self.cells
        if cells.bit_count() == ways.within[min(self.budget, len(ways.within) - 1)].bit_count() - 1:
            return ways.ascending(self.budget)
        known = ways.paths(self.budget)
        return [known[cell] for cell in cells_of(cells)]

    def route(self, cell: Cell) -> tuple[Cell, ...]:
        """The same path as `path` gives, for one space only: looks at nothing but the spaces on its cheapest ways."""
        cost = self._check(cell)
        came = self._ways_to(cell, cost)
        path: list[Cell] = []
        while cell != self._ways.start:
            path.append(cell)
            cell = came[cell][3]
        path.reverse()
        return tuple(path)

    def _check(self, cell: Cell) -> int:
        """The cost of a space. Raises BattlematError if it was not reached."""
        for cost, layer in enumerate(self.layers):
            if cell >= 0 and layer >> cell & 1:
                return cost
        where = "[{}, {}]".format(*self._ways.terrain.field.at(cell))
        raise BattlematError("path: {where} is out of reach", where)

    def _ways_to(self, goal: Cell, cost: int) -> dict[Cell, _Came]:
        """`_Ways.came` over the spaces on a cheapest way to `goal`: what leads to one of them is one of them."""
        ways, layers = self._ways, self._ways.layers
        directed, size = ways.terrain.directed, ways.size
        hard = ways.terrain.steps(size).difficult
        ring: dict[int, list[Cell]] = {cost: [goal]}
        known = {goal}
        for spent in range(cost, 0, -1):
            for cell in ring.get(spent, ()):
                before = spent - (2 if hard >> cell & 1 else 1)
                if before < 0:
                    continue
                layer = layers[before] & ~ways.final
                for there, _, _ in directed(cell, size):
                    if layer >> there & 1 and there not in known:
                        known.add(there)
                        ring.setdefault(before, []).append(there)
        came: dict[Cell, _Came] = {ways.start: (0, -1, -1, ways.start)}
        for spent in range(cost):
            for cell in sorted(ring.get(spent, ())):
                diagonals, turns, heading, _ = came[cell]
                for there, step, direction in directed(cell, size):
                    if there in known and spent + step <= cost and layers[spent + step] >> there & 1:
                        way = (diagonals + (direction >> 2), turns + (direction != heading), direction, cell)
                        if there not in came or way < came[there]:
                            came[there] = way
        return came


def reach(
    terrain: Terrain, start: Cell, budget: int, *, size: int = 1, blocked: Bitboard = EMPTY,
    unstoppable: Bitboard = EMPTY, final: Bitboard = EMPTY,
) -> Reach:  # fmt: skip
    """Where a creature of size × size spaces can get for `budget` spaces of movement.

    Bitboards of single spaces: `blocked` can't be entered (enemies), `unstoppable` may be passed but not ended on
    (allies), `final` may be entered only as the last space, even where `blocked` (for a creature larger than one space
    `final` holds upper left spaces). Costs and paths are found when asked for.
    """
    ways = _ways(terrain, start, budget, size, blocked=blocked, final=final)
    within = ways.within
    cells = (within[budget] if budget < len(within) else within[-1]) & ~(1 << start)
    if unstoppable:
        cells &= ~(terrain.touching(unstoppable, size) if size > 1 else unstoppable)
    return Reach(cells, budget, ways)


def distances(terrain: Terrain, start: Cell, size: int = 1, blocked: Bitboard = EMPTY) -> tuple[int, ...]:
    """The cost from `start` to every space of the map, UNREACHABLE where there's no way.

    Remembered with the terrain when nothing is `blocked` besides it.
    """
    key = (start, size)
    if not blocked and key in terrain.distance_memo:
        return terrain.distance_memo[key]
    count = terrain.field.width * terrain.field.height
    costs = [UNREACHABLE] * count
    closed = terrain.touching(blocked, size) if blocked else EMPTY
    for cost, layer in enumerate(_flood(terrain, start, 2 * count, size, closed=closed, final=EMPTY)):
        for cell in cells_of(layer):
            costs[cell] = cost
    result = tuple(costs)
    if not blocked:
        if len(terrain.distance_memo) >= 1024:
            terrain.distance_memo.clear()
        terrain.distance_memo[key] = result
    return result


SHOOTER = 4
"""Who strikes farther than so many spaces strikes from afar."""
PLACES = 3
"""Spaces that stand for all those that a shooter may go to."""


def struck_from(terrain: Terrain, cell: Cell, size: int, budget: int, limit: int) -> Bitboard:
    """Bitboard of the spaces that a creature `size` spaces wide on `cell` can strike `limit` spaces away, after so
    many spaces of movement. Who strikes from afar strikes what it sees."""
    key = ("struck from", cell, size, budget, min(limit, SHOOTER + 1))
    found: Bitboard | None = terrain.memo.get(key)
    if found is None:
        stand = cells_of(1 << cell | (reach(terrain, cell, budget, size=size).cells if budget else 0))
        if limit > SHOOTER:
            found = visible(terrain, cell, size)
            for place in stand[:: max(1, len(stand) // PLACES)]:
                found |= visible(terrain, place, size)
        else:
            found = EMPTY
            for place in stand:
                found |= terrain.within(place, limit, size)
        terrain.memo[key] = found
    return found


_OPEN = bytes.maketrans(bytes((Ground.DIFFICULT, Ground.VOID)), bytes((Ground.OPEN, Ground.OPEN)))


def flown(terrain: Terrain) -> Terrain:
    """The same ground for a flyer. Remembered."""
    found: Terrain | None = terrain.memo.get("flown")
    if found is None:
        field = terrain.field
        open_air = msgspec.structs.replace(field, ground=bytes(field.ground).translate(_OPEN))
        found = terrain.memo["flown"] = open_air.terrain(terrain.doors_open)
    return found
