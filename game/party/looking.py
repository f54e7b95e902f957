"""Looking over a room: from dark corner to dark corner by the shortest round, as far as the ground hangs together.

What is dark is told by what the party has seen alone: known ground beside spaces of which nobody has seen anything.
"""

from __future__ import annotations

from collections.abc import Sequence

from game.party.march import March
from game.party.orders import Halt, Next, Order
from game.party.table import Table, standing
from rules.board.bitboard import board_of, cells_of
from rules.board.path import UNREACHABLE, reach
from rules.contract.actions import Action
from rules.contract.units import EMPTY, NOWHERE, Bitboard, Cell

FAR = 40
"""Spaces of way as far as ground without doors is looked over by one order."""
CLOSE = 3
"""Dark spaces so near to one another are one corner: who stands at one of them sees the others."""
CORNERS = 7
"""So many corners, the nearest, are put into the best order; the others come after."""


def ground_of(table: Table, cell: Cell) -> Bitboard:
    """The known ground that hangs together with a space, up to doors, open or not; from a doorway it is both sides."""
    doors, here = EMPTY, 0
    for number, door in enumerate(table.field.doors):
        if door.edge is None:
            doors |= 1 << door.cell
            here |= (door.cell == cell) << number
    shut = table.field.terrain(here) if table.field.doors else table.terrain
    ways = reach(shut, cell, FAR, blocked=(table.barred | doors) & ~(1 << cell))
    return Bitboard((ways.cells | 1 << cell) & table.known)


def dark_edge(table: Table) -> Bitboard:
    """The known ground beside which a space lies that nobody has seen, with neither thin wall nor door between."""
    field, shut = table.field, table.field.terrain(0)
    inside = EMPTY
    for part in field.maps:
        inside |= field.spaces_of(part)
    unseen = (inside or table.terrain.everywhere) & ~table.known
    first = board_of(map(Cell, range(0, field.width * field.height, field.width)))
    last, east, south = first << (field.width - 1), shut.walls_east, shut.walls_south
    found = (unseen >> 1) & ~east & ~last | (unseen << 1) & ~(east << 1) & ~first
    found |= (unseen >> field.width) & ~south | (unseen << field.width) & ~(south << field.width)
    return Bitboard(found & table.known & table.opened.steps().fit)


def dark_in(table: Table, cell: Cell, done: Bitboard = EMPTY) -> Bitboard:
    """What is still dark of the ground around a space; `done` are spaces from which nothing more is to be seen."""
    edge = dark_edge(table) & ~done & ~table.barred
    return Bitboard(edge & ground_of(table, cell)) if edge else EMPTY


def nearest_dark(table: Table, here: Cell, done: Bitboard = EMPTY) -> Cell | None:
    """The nearest dark ground to which no shut door has to be opened; None where there is none."""
    edge = dark_edge(table) & ~done
    if not edge:
        return None
    blocked = table.barred & ~(1 << here)
    for layer in reach(table.terrain, here, 2 * len(table.field.cells), blocked=blocked).layers:
        if layer & edge:
            return cells_of(layer & edge)[0]
    return None


def corners(table: Table, here: Cell, dark: Bitboard) -> list[Cell]:
    """One space for each dark corner that a way leads to, the nearest first."""
    found, left = list[Cell](), dark
    for layer in table.whole(here).ways.layers:
        for cell in cells_of(layer & left):
            if left >> cell & 1:
                found.append(cell)
                left &= ~table.terrain.within(cell, CLOSE)
        if not left:
            break
    return found


def round_of(table: Table, here: Cell, dark: Bitboard) -> tuple[list[Cell], int]:
    """The shortest round over the dark corners, and its cost in spaces of movement; ends at the last of them."""
    found = corners(table, here, dark)
    near, rest = found[:CORNERS], found[CORNERS:]
    if not near:
        return [], 0
    far = {(a, b): table.whole(a).cost(b) for a in (here, *near) for b in near if a != b}
    # the best way to have been at some of the corners, and to stand at one of them (Held and Karp)
    best: dict[tuple[int, int], tuple[int, tuple[int, ...]]] = {
        (1 << n, n): (far.get((here, cell), 0), (n,)) for n, cell in enumerate(near)
    }
    for been in range(1, 1 << len(near)):
        for last in range(len(near)):
            if (been, last) not in best:
                continue
            cost, order = best[been, last]
            for then in range(len(near)):
                if not been >> then & 1:
                    key = been | 1 << then, then
                    made = cost + far[near[last], near[then]], (*order, then)
                    best[key] = min(best.get(key, made), made)
    cost, order = min(best[(1 << len(near)) - 1, last] for last in range(len(near)))
    way = [near[n] for n in order]
    for cell in rest:  # so many corners are a guess anyway
        cost += min(table.whole(way[-1]).cost(cell), 2 * FAR)
        way.append(cell)
    return way, cost


class Looking(Order):
    """The party looks over the ground around a space; it ends where the last corner was, closed up.

    `origin`: a space of that ground. `done`: spaces from which nothing more is to be seen, as far as that is known.
    """

    def __init__(self, names: Sequence[str], manner: str, origin: Cell, done: Bitboard = EMPTY) -> None:
        super().__init__(names)
        self.manner, self.origin, self.done = manner, origin, done
        self._march: March | None = None
        self._closing = False

    def finished(self, table: Table) -> Halt | None:
        here = self._here(table)
        self.done |= 1 << here
        if self._march is not None and self._closing:
            return Halt() if self._march.arrived(table) else None
        dark = dark_in(table, self.origin, self.done)
        if self._march is None or not dark >> self._march.goal & 1 or not self._march.leads(table):
            if self._march is not None and dark >> self._march.goal & 1:
                dark &= ~(1 << self._march.goal)  # no way leads there any more
                self.done |= 1 << self._march.goal
            way, _ = round_of(table, here, dark)
            self._closing = not way
            self._march = March(self._leading(table), way[0] if way else here, self.manner, here)
            return self.finished(table) if self._closing else None
        return None

    def work(self, table: Table) -> Action | None:
        return self._march.step(table) if self._march is not None else None

    def let_pass(self, table: Table) -> Next:
        found = super().let_pass(table)
        if not isinstance(found, Halt) or self._march is None:
            return found
        if self._closing:
            return Halt()  # the others stand as near as they come
        self.done |= 1 << self._march.goal  # nobody gets there: on to the next
        self._march = None
        self._waited.clear()
        return self.next(table)

    def _leading(self, table: Table) -> tuple[str, ...]:
        here = standing(table, self.names)
        return tuple(name for name in self.names if name in here)

    def _here(self, table: Table) -> Cell:
        found = self._leading(table)
        return table.minis[found[0]].cell if found else NOWHERE


def turns_for(cost: int, pace: int) -> int:
    """So many turns a round of that cost takes about."""
    return max(1, -(-min(cost, UNREACHABLE) // max(1, pace)))
