"""Ways over the ground: plain ones, and ones that count closed doors and ladders as passable at a price."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache, reduce
from operator import or_
from typing import Protocol

from game.controllers.ai.factors import load_weights
from rules.board.bitboard import board_of, cells_of, first_of
from rules.board.fixtures import HELD_SHUT, PORTCULLIS, DoorState
from rules.board.grid import DIRECTIONS, Terrain, beside
from rules.board.path import UNREACHABLE, spread
from rules.contract.units import EMPTY, Bitboard, Cell

KEPT_LAYERS = 32
"""So many layers around each goal are remembered; who is farther off is found by a flood of its own."""
AT_ONCE = 8
"""So many are put together at once."""
KEPT_BITS = 1 << 28
"""Bits of layers that a terrain keeps before it starts afresh."""

_MEMO_SIZE = 256
_memo: dict[tuple[int, tuple[str, ...], tuple[int, ...], int, int], tuple[Terrain, Prices]] = {}


class Gaps(Protocol):
    """How far every space of a map is from the nearest of some goals, in spaces of movement."""

    def gap(self, cell: Cell) -> int:
        """UNREACHABLE where there is no way."""
        ...

    def nearest(self, cells: Bitboard) -> Bitboard:
        """Those of some spaces (bitboards) that are nearest to a goal."""
        ...

    def farthest(self, cells: Bitboard) -> Bitboard:
        """Those of some spaces that are farthest from any goal."""
        ...


class Plain:
    """Gaps over open ground, as layers: the spaces that are 0, 1, 2 … from the nearest goal."""

    __slots__ = ("_floods", "_found", "_goals", "_layers", "_terrain", "_whole")

    def __init__(self, terrain: Terrain, floods: list[list[Bitboard]], goals: Bitboard) -> None:
        self._terrain = terrain
        self._goals = goals
        self._floods = floods  # the layers around each goal, as far as they are kept
        self._layers: list[Bitboard] = []
        self._found: dict[Cell, int] = {}
        self._whole = False

    def _more(self) -> bool:
        """Put the next layers together; False if there are none."""
        layers = self._layers
        near = len(layers)
        if self._whole:
            return False
        if near < KEPT_LAYERS:
            for cost in range(near, near + AT_ONCE):
                board = EMPTY
                for flood in self._floods:
                    if cost < len(flood):
                        board |= flood[cost]
                if not board:
                    self._whole = True
                    break
                layers.append(board)
        else:
            field = self._terrain.field
            layers[:] = spread(self._terrain, self._goals, 2 * field.width * field.height)
            self._whole = True
        return len(layers) > near

    def gap(self, cell: Cell) -> int:
        found = self._found.get(cell)
        if found is None:
            found = self._found[cell] = self._gap(1 << cell)
        return found

    def _gap(self, bit: int) -> int:
        near, layers = 0, self._layers
        while True:
            for cost in range(near, len(layers)):
                if layers[cost] & bit:
                    return cost
            near = len(layers)
            if not self._more():
                return UNREACHABLE

    def nearest(self, cells: Bitboard) -> Bitboard:
        near, layers = 0, self._layers
        while True:
            for cost in range(near, len(layers)):
                if layers[cost] & cells:
                    return layers[cost] & cells
            near = len(layers)
            if not self._more():
                return cells

    def farthest(self, cells: Bitboard) -> Bitboard:
        rest, near, layers = cells, 0, self._layers
        while True:
            for cost in range(near, len(layers)):
                if not rest & ~layers[cost]:
                    return rest
                rest &= ~layers[cost]
            near = len(layers)
            if not self._more():
                return rest


class Priced:
    """Gaps where doors and ladders count as passable at a price; see `far`."""

    __slots__ = ("_prices",)

    def __init__(self, prices: Prices) -> None:
        self._prices = prices

    def gap(self, cell: Cell) -> int:
        return self._prices[cell]

    def nearest(self, cells: Bitboard) -> Bitboard:
        found = next((layer & cells for layer in self._prices.ascending() if layer & cells), cells)
        return found & -found

    def farthest(self, cells: Bitboard) -> Bitboard:
        found = cells & ~self._prices.ground()
        if not found:
            found = next(layer & cells for layer in reversed(self._prices.layers()) if layer & cells)
        return found & -found


class Prices:
    """The price from every space to the nearest of some goals, found outwards and only as far as anybody asks.

    The spaces of one price are a bitboard: a step in a direction moves them all at once.
    """

    def __init__(
        self, terrain: Terrain, doors: Sequence[str], goals: Sequence[Cell], size: int, taken: Bitboard = EMPTY
    ) -> None:
        field = terrain.field
        wide = terrain.doors_open | sum(1 << i for i, state in enumerate(doors) if state != DoorState.SECRET)
        roomy = field.terrain(wide) if wide != terrain.doors_open else terrain
        now, then = terrain.steps(size).moves, roomy.steps(size).moves
        self._terrain = terrain
        self._size = size
        self._difficult = roomy.steps(size).difficult
        self._open = [(all_of & free, shift) for (all_of, shift), (free, _) in zip(then, now, strict=True)]
        doorways = [(all_of & ~free, shift) for (all_of, shift), (free, _) in zip(then, now, strict=True)]
        self._shut = [(starts, shift) for starts, shift in doorways if starts]  # steps that a shut door hinders
        self._doorways = EMPTY
        for starts, _ in self._shut:
            self._doorways |= starts
        self._locked = _locked_cells(terrain, doors)
        self._climbs = _climbing(terrain, size)
        self._past, self._passages = _ways_past(terrain, size)
        self._taken = taken
        self._waiting: dict[int, Bitboard] = {0: board_of(goals)}
        """Price -> spaces that can be come to at that price, cheaper ways not left out."""
        self._ground = EMPTY
        self._layers: list[Bitboard] = []
        self._table: dict[int, int] = {}
        self._tabled = 0

    def __getitem__(self, cell: Cell) -> int:
        """UNREACHABLE where there is no way at all."""
        table = self._table
        while (price := table.get(cell)) is None:
            if self._tabled == len(self._layers) and not self._grow():
                return UNREACHABLE
            for here in cells_of(self._layers[self._tabled]):
                table[here] = self._tabled
            self._tabled += 1
        return price

    def ascending(self) -> Iterator[int]:
        """Bitboards of the spaces of price 0, 1, 2 …"""
        price = 0
        while price < len(self._layers) or self._grow():
            yield self._layers[price]
            price += 1

    def layers(self) -> list[Bitboard]:
        """The same, all of them."""
        while self._grow():
            pass
        return self._layers

    def ground(self) -> Bitboard:
        """All spaces from which there is a way, the goals among them."""
        self.layers()
        return self._ground

    def _grow(self) -> bool:
        """Find the spaces of the next price; False if nothing is left."""
        waiting, price = self._waiting, len(self._layers)
        if not waiting:
            return False
        layer = waiting.pop(price, EMPTY) & ~self._ground
        self._layers.append(layer)
        if layer:
            self._ground |= layer
            board = EMPTY
            for starts, shift in self._open:
                moved = layer & starts
                board |= moved << shift if shift > 0 else moved >> -shift
            self._enter(board, price)
            if layer & self._doorways:
                self._through_doors(layer, price)
            for cell in cells_of(layer & self._climbs):
                ends = board_of(self._terrain.climbs_from(cell, self._size))
                self._wait(ends, price + load_weights().routes.climb_price)
            for cell in cells_of(layer & self._past):
                for there, dear in self._passages[cell]:
                    if not self._taken >> cell & 1 or self._terrain.distance(cell, there) <= 1:
                        self._wait(1 << there, price + dear)
        return True

    def _enter(self, board: Bitboard, price: int) -> None:
        """Spaces are come to from ones of that price, difficult ones for one more."""
        self._wait(board & ~self._difficult, price + 1)
        self._wait(board & self._difficult, price + 2)

    def _through_doors(self, layer: Bitboard, price: int) -> None:
        """A door that fills a space is entered and left: half the price each way."""
        w = load_weights().routes
        for starts, shift in self._shut:
            for here, locked in ((starts & ~self._locked, self._locked), (starts & self._locked, ~EMPTY)):
                moved = layer & here
                board = moved << shift if shift > 0 else moved >> -shift
                self._enter(board & ~locked, price + w.door_price // 2 + 1)
                self._enter(board & locked, price + w.lock_price // 2 + 1)

    def _wait(self, board: Bitboard, price: int) -> None:
        board &= ~self._ground
        if board:
            self._waiting[price] = self._waiting.get(price, EMPTY) | board


def plain(terrain: Terrain, goals: Sequence[tuple[Cell, int]]) -> Plain:
    """Gaps for creatures of one space from (space, size) of each goal, closed doors being walls. Those asked for last
    are kept: foes mostly stand where they stood."""
    known: Plain
    key, (kept, known) = tuple(goals), terrain.memo.get("plain", (None, None))
    if kept == key:
        return known
    floods, board, memo = [], EMPTY, terrain.memo.setdefault("floods", {})
    for goal in goals:
        flood = memo.get(goal)
        if flood is None:
            field = terrain.field
            if len(memo) * KEPT_LAYERS * field.width * field.height > KEPT_BITS:
                memo.clear()
            flood = memo[goal] = spread(terrain, terrain.footprint(*goal), KEPT_LAYERS - 1)
        floods.append(flood)
        board |= flood[0]
    known = Plain(terrain, floods, board)
    terrain.memo["plain"] = key, known
    return known


@lru_cache(maxsize=64)
def advance(terrain: Terrain, walkers: Bitboard, others: Bitboard, budget: int) -> Bitboard:
    """The spaces that some creatures of one space (a bitboard) can come to strike on foot, others being in the way."""
    board = EMPTY
    for layer in spread(terrain, walkers, budget, blocked=others & ~walkers):
        board |= layer
    width, everywhere = terrain.field.width, terrain.everywhere
    column = everywhere // ((1 << width) - 1)
    board |= (board & ~(column << (width - 1))) << 1 | (board & ~column) >> 1
    return board | (board << width & everywhere) | board >> width


def far(
    terrain: Terrain, doors: Sequence[str], goals: Sequence[Cell], size: int = 1, taken: Bitboard = EMPTY
) -> Prices:
    """The price from every space to the nearest of `goals`, UNREACHABLE where there is no way at all.

    `doors` holds each door's state in the field's order; secret ones count as walls. `taken`: spaces (a bitboard) on
    which nobody has room to land who gets over an obstacle. Remembered.
    """
    taken = taken if terrain.field.passages else EMPTY
    key = (id(terrain), tuple(doors), tuple(goals), size, taken)
    found = _memo.get(key)
    if found is not None and found[0] is terrain:
        return found[1]
    if len(_memo) >= _MEMO_SIZE:
        _memo.clear()
    prices = Prices(terrain, doors, goals, size, taken)
    _memo[key] = (terrain, prices)
    return prices


def _ways_past(terrain: Terrain, size: int) -> tuple[Bitboard, dict[Cell, list[tuple[Cell, int]]]]:
    """(spaces beside obstacles that can be got past, where they lead to at what price). Remembered."""
    if not terrain.field.passages:
        return EMPTY, {}
    found: tuple[Bitboard, dict[Cell, list[tuple[Cell, int]]]] | None = terrain.memo.get(("passages", size > 1))
    if found is None:
        ways: dict[Cell, list[tuple[Cell, int]]] = {}
        for passage in terrain.field.passages:
            if size == 1 or passage.wide:
                ways.setdefault(passage.a, []).append((passage.b, passage.price))
                ways.setdefault(passage.b, []).append((passage.a, passage.price))
        found = terrain.memo["passages", size > 1] = (board_of(ways), ways)
    return found


def _locked_cells(terrain: Terrain, doors: Sequence[str]) -> Bitboard:
    cells = EMPTY
    for door, state in zip(terrain.field.doors, doors, strict=False):
        if state in HELD_SHUT or (door.kind == PORTCULLIS and state == DoorState.CLOSED):
            cells |= 1 << door.cell
            if door.edge is not None:
                cells |= 1 << door.edge
    return cells


def _climbing(terrain: Terrain, size: int) -> Bitboard:
    """The spaces from which a creature can climb anywhere. Remembered."""
    field = terrain.field
    if not field.climbs or not field.levels:
        return EMPTY
    key = ("climbing", size)
    found: Bitboard | None = terrain.memo.get(key)
    if found is None:
        fit = cells_of(terrain.steps(size).fit)
        found = terrain.memo[key] = board_of(cell for cell in fit if terrain.climbs_from(cell, size))
    return found


def around(terrain: Terrain, cell: Cell, span: int, size: int) -> list[Cell]:
    """The spaces from which a creature of `size` touches or overlaps one of `span` at `cell`, where it has room."""
    if size == 1 and span == 1:
        return [cell]
    field, (column, row) = terrain.field, terrain.field.at(cell)
    places = ((x, y) for y in range(row - 1, row + span + 1) for x in range(column - 1, column + span + 1))
    board = board_of(field.cell(x, y) for x, y in places if field.inside(x, y))
    return cells_of(terrain.touching(board, size) & terrain.steps(size).fit) or [cell]


def narrow(terrain: Terrain) -> int:
    """The spaces where one creature stops everybody else: its open neighbours fall apart without it. Remembered."""
    found: int | None = terrain.memo.get("narrow")
    if found is None:
        found = terrain.memo["narrow"] = _narrow(terrain)
    return found


def _narrow(terrain: Terrain) -> int:
    """All spaces at once: a bitboard per direction says where the neighbour there is open, another where one can walk
    to it from the first open neighbour without leaving them."""
    moves = terrain.steps(1).moves
    links = [
        (one, other, _shifted(moves[step][0], -moves[one][1]) & moves[one][0] & moves[other][0])
        for one, other, step in _RING
    ]
    joined, begun = [], 0
    for is_open, _ in moves:
        joined.append(is_open & ~begun)
        begun |= is_open
    grown = True
    while grown:
        grown = False
        for one, other, link in links:
            more = joined[one] & link & ~joined[other]
            if more:
                joined[other] |= more
                grown = True
    return reduce(or_, (is_open & ~there for (is_open, _), there in zip(moves, joined, strict=True)), 0)


def _shifted(board: Bitboard, shift: int) -> int:
    return board << shift if shift > 0 else board >> -shift


_RING = [
    (one, other, DIRECTIONS.index((x - a, y - b)))
    for one, (a, b) in enumerate(DIRECTIONS)
    for other, (x, y) in enumerate(DIRECTIONS)
    if (x - a, y - b) in DIRECTIONS
]
"""(neighbour, another, the direction from the one to the other) for neighbours side by side."""


THICK = 3
"""Spaces to ground beyond from which a search may find what joins it: two that are searched, and the door's own."""


def hides(terrain: Terrain) -> bool:
    """Whether a map is one on which something may be hidden."""
    field = terrain.field
    return bool(field.challenges) or any(door.state == DoorState.SECRET for door in field.doors)


def search_places(terrain: Terrain, doors: Sequence[str], cell: Cell, size: int) -> Bitboard:
    """Spaces that can be come to and lie next to ground that can't (a bitboard); 0 where all can. Remembered."""
    memo: list[tuple[Bitboard, Bitboard]] = terrain.memo.setdefault(("seeking", tuple(doors), size), [])
    for ground, known in memo:
        if ground >> cell & 1:
            return known
    found = far(terrain, doors, (cell,), size).ground()
    beyond = terrain.steps(1).fit & ~found
    near = beyond
    for _ in range(THICK):
        near = beside(near, terrain.field.width, terrain.field.height)
    known = near & found & terrain.steps(size).fit
    memo.append((found, known))
    return known


def search_post(terrain: Terrain, doors: Sequence[str], cell: Cell, size: int, turn: int) -> Cell | None:
    """Where to go and search in a turn; None where no ground is out of reach. All go round in step."""
    left, posts = search_places(terrain, doors, cell, size), []
    while left:
        posts.append(first_of(left))
        left &= ~terrain.within(posts[-1], THICK)
    return posts[turn // load_weights().seeking.turns % len(posts)] if posts else None
