"""Orders to the whole party: each is asked for the next command again and again, as things stand then, until it halts.

An order never does anything that wasn't legal for whoever does it; turns pass only where nobody of the party has
anything left to do in them, and then those who were taken out of the group wait, too.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from game.party.march import March
from game.party.table import Table, standing
from rules.board.bitboard import cells_of
from rules.board.path import UNREACHABLE
from rules.contract.actions import Action
from rules.contract.units import EMPTY, NOWHERE, Bitboard, Cell

STUCK = 2
"""Turns in which nobody did anything after which an order is given up."""


class Halt(NamedTuple):
    """An order ends: why, in a sentence; empty where it is carried out."""

    why: str = ""


class Hold(NamedTuple):
    """Nothing to do for the party at the moment: others act first."""


Next = Action | Halt | Hold


class Order:
    """What a party shall do. `names` are those who do it, the leader first."""

    def __init__(self, names: Sequence[str]) -> None:
        self.names = tuple(names)
        self._waited: dict[str, int] = {}
        """Who has let turns pass since somebody last did something, and how many."""

    def next(self, table: Table) -> Next:
        """What is done next, by how things stand."""
        if not standing(table, self.names):
            return Halt("Nobody of the party can go on.")
        if (halt := self.finished(table)) is not None:
            return halt
        if (action := self.work(table)) is not None:
            self._waited.clear()
            return action
        return self.let_pass(table)

    def finished(self, table: Table) -> Halt | None:
        """Whether all is done, before anything else is tried."""
        raise NotImplementedError

    def work(self, table: Table) -> Action | None:
        """The next useful thing that somebody can do in this turn; None where there is none."""
        raise NotImplementedError

    def let_pass(self, table: Table) -> Next:
        """Somebody lets its turn pass, so that the next one comes."""
        if not table.decisions:
            return Hold()
        for name in (*(n for n in self.names if n in table.decisions), *table.decisions):
            if (end := table.ending(name)) is not None:
                self._waited[name] = self._waited.get(name, 0) + 1
                if self._waited[name] > STUCK:
                    return Halt("Nobody of the party gets any farther.")
                return end
        return Halt("Something is to be decided first.")


class Going(Order):
    """The party goes to a space."""

    def __init__(self, names: Sequence[str], goal: Cell, manner: str, start: Cell) -> None:
        super().__init__(names)
        self.march = March(names, goal, manner, start)

    def finished(self, table: Table) -> Halt | None:
        if not self.march.leads(table):
            return Halt("No way leads there any more.")
        return Halt() if self.march.arrived(table) else None

    def work(self, table: Table) -> Action | None:
        return self.march.step(table)

    def let_pass(self, table: Table) -> Next:
        found = super().let_pass(table)
        leader = table.minis.get(self.names[0])
        there = leader is not None and leader.cell == self.march.goal
        return Halt() if there and isinstance(found, Halt) else found  # the others stand as near as they come


class Waiting(Order):
    """Everybody lets this turn pass."""

    def __init__(self, names: Sequence[str]) -> None:
        super().__init__(names)
        self._done: set[str] = set()
        self._begun = False

    def finished(self, table: Table) -> Halt | None:
        if not self._begun:  # who has had its turn already waits no more: the next one is another
            self._begun = True
            self._done |= {name for name in self.names if name not in table.decisions}
        return Halt() if all(name in self._done or name not in table.decisions for name in self.names) else None

    def work(self, table: Table) -> Action | None:
        for name in self.names:
            if name not in self._done and (end := table.ending(name)) is not None:
                self._done.add(name)
                return end
        return None


class Task(NamedTuple):
    """Something that one of the party does somewhere: a command by its word, or to be there alone."""

    who: str
    words: tuple[str, ...]
    """What is done there, whichever of these is possible first."""
    spots: Bitboard = EMPTY
    """Where it can be done from; none = where one stands."""
    target: str | None = None
    """A door, a creature or a thing that is meant; None = whatever there is."""
    often: bool = False
    """Whether it is done as long as there is any of it."""
    anyone: bool = False
    """Whether it is all the same who of the party does it."""


class Working(Order):
    """Each of the party does its tasks one after another, on its way from one to the next."""

    def __init__(self, names: Sequence[str], tasks: Sequence[Task], manner: str) -> None:
        super().__init__(names)
        self.manner = manner
        self.left: dict[str, list[Task]] = {}
        for task in tasks:
            self.left.setdefault(task.who, []).append(task)

    def finished(self, table: Table) -> Halt | None:
        for name in list(self.left):
            if not standing(table, (name,)) or not self.left[name]:
                del self.left[name]
        return None if self.left else Halt()

    def work(self, table: Table) -> Action | None:
        for name, tasks in self.left.items():
            while tasks and name in table.decisions:
                task = tasks[0]
                here = table.minis[name].cell
                if not task.spots or task.spots >> here & 1:
                    action = done_by(table, task)
                    if action is None and (task.often or not self._comes(table, task)):
                        tasks.pop(0)
                        continue
                    if action is not None and not task.often:
                        tasks.pop(0)
                    return action
                if (way := self._towards(table, name, task.spots)) is not None:
                    return way
                if not any(table.whole(here).cost(cell) < UNREACHABLE for cell in cells_of(task.spots)):
                    tasks.pop(0)  # there is no way to it any more
                    continue
                if task.anyone and (other := self._nearer(table, task)) is not None:
                    tasks.pop(0)  # in a narrow place whoever stands in the way does it
                    self.left[other] = [task._replace(who=other), *self.left.get(other, ())]
                    return self.work(table)
                break
        return None

    def _nearer(self, table: Table, task: Task) -> str | None:
        """Who of the party is nearer to where a task is done than whoever cannot get there; None where nobody is."""

        def far(name: str) -> int:
            ways = table.whole(table.minis[name].cell)
            return min(ways.cost(cell) for cell in cells_of(task.spots))

        found = [(far(name), n) for n, name in enumerate(self.names) if name in standing(table, self.names)]
        nearest_of, n = min(found)
        return self.names[n] if nearest_of < far(task.who) else None

    def _comes(self, table: Table, task: Task) -> bool:
        """Whether it may be possible in the next turn: its button is there, and only this turn is spent."""
        offers = [offer for offer in table.offers(task.who) if offer.do in task.words]
        return bool(offers) and not self._waited.get(task.who, 0)

    def _towards(self, table: Table, name: str, spots: Bitboard) -> Action | None:
        here = table.minis[name].cell
        ways = {cell: table.whole(cell) for cell in nearest(table, here, spots)}
        if not ways:
            return None

        def far(cell: Cell) -> int:
            return min(way.cost(cell) for way in ways.values())

        ends = table.moves(name, self.manner)
        best = min(ends, key=lambda cell: (far(cell), len(ends[cell].path), cell), default=NOWHERE)
        if best != NOWHERE and far(best) < far(here):
            return ends[best]
        goal = min(ways, key=lambda cell: (ways[cell].cost(here), cell))
        way = March((name,), goal, self.manner, here).way(table, here)
        door = table.door_between(here, way[0]) if way else None
        return next((a for a in table.actions(name, "open") if a.target == door), None) if door else None


def done_by(table: Table, task: Task) -> Action | None:
    """How a task is done from where one stands; None where it can't be now."""
    for word in task.words:
        found = table.actions(task.who, word)
        meant = [a for a in found if task.target is None or task.target in (a.target, a.item)]
        if meant:
            return meant[0]
    return None


CLOSEST = 4
"""So many spots are looked at from which a task could be done."""


def able(table: Table, names: Iterable[str], word: str) -> list[str]:
    """Those of some who may do something by its word, in this turn or, where their turn is spent, in the next."""
    found = [name for name in names if name not in table.decisions or table.offer(name, word) is not None]
    return found if any(name in table.decisions for name in found) else []


def nearest(table: Table, here: Cell, spots: Bitboard) -> list[Cell]:
    """A few of some spaces, the nearest by way first."""
    ways, taken = table.whole(here), table.barred
    for mini in table.board.miniatures:
        if not mini.out and mini.cell >= 0 and mini.cell != here:
            taken |= table.terrain.footprint(mini.cell, mini.size)
    free = spots & ~taken or spots
    found = sorted((ways.cost(cell), cell) for cell in cells_of(free))
    return [cell for cost, cell in found[:CLOSEST] if cost < UNREACHABLE]


WALKED = 4
"""So many spaces more of ground to search are worth a turn's way."""


def spread_out(table: Table, names: Sequence[str], room: Bitboard, word: str, manner: str) -> list[Task]:
    """Who searches where, so that a room is searched whole as soon as may be: greedily, most ground first."""
    reach_of = {name: _reach(table, name, word) for name in names}
    at = {name: table.minis[name].cell for name in names}
    load = dict.fromkeys(names, 0)
    pace = pace_of(table, table.decisions, manner) or 1
    left, tasks = room & ~table.barred, list[Task]()
    places = list(cells_of(room & ~table.barred))
    while left and len(tasks) < 4 * len(names):
        free = min(names, key=lambda name: (load[name], names.index(name)))
        ways, span = table.whole(at[free]), reach_of[free]

        worth: list[tuple[int, int, Cell]] = []
        for cell in places:
            gain = (table.terrain.within(cell, span) & left).bit_count()
            if gain and ways.cost(cell) < UNREACHABLE:
                turns = -(-ways.cost(cell) // pace)
                worth.append((WALKED * turns - gain, turns, cell))
        if not worth:
            break
        *_, best = min(worth)
        tasks.append(Task(free, (word,), 1 << best, anyone=True))
        load[free] += 1 + -(-ways.cost(best) // pace)
        at[free] = best
        left &= ~table.terrain.within(best, span)
    idle = (name for name in names if tasks and not load[name] and room >> at[name] & 1)
    return [*tasks, *(Task(name, (word,), 1 << at[name], anyone=True) for name in idle)]  # four see more than three


USUAL = 2
"""Spaces around oneself that are searched where the rules don't say how far."""


def _reach(table: Table, name: str, word: str) -> int:
    """How many spaces around itself somebody searches."""
    action = next(iter(table.actions(name, word)), Action(name, word))
    cells = table.ruleset.area(table.state, action)
    here = table.minis[name].cell
    return max((table.terrain.distance(here, cell) for cell in cells_of(cells)), default=USUAL)


def pace_of(table: Table, names: Iterable[str], manner: str) -> int:
    """The most spaces that one of some goes in a turn; 0 where nobody's decision is open."""
    return max((len(a.path) for name in names for a in table.moves(name, manner).values()), default=0)


def turns_of(table: Table, tasks: Sequence[Task], manner: str) -> int:
    """So many turns some tasks take at least, ways included."""
    most = 0
    usual = pace_of(table, table.decisions, manner)
    for name in dict.fromkeys(task.who for task in tasks):
        here, turns = table.minis[name].cell, 0
        pace = pace_of(table, (name,), manner) or usual or 1
        for task in (each for each in tasks if each.who == name):
            if task.spots and not task.spots >> here & 1:
                ways = table.whole(here)
                there = min(cells_of(task.spots), key=lambda cell: (ways.cost(cell), cell))
                turns += -(-min(ways.cost(there), 999) // pace)
                here = there
            turns += 1
        most = max(most, turns)
    return most


def whose(table: Table, tasks: Sequence[Task]) -> Mapping[str, Cell]:
    """Where everybody would stand for its last task."""
    found: dict[str, Cell] = {}
    for task in tasks:
        if task.spots:
            found[task.who] = next(iter(cells_of(task.spots)))
    return found
