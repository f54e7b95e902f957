"""The way of a party: turn by turn the leader goes ahead as far as all can follow, the others close up behind.

In a corridor they go in file, in marching order; where there is room they stand around the leader. The same plan is
shown before the click and followed afterwards: what is done is asked anew of the rules before each command.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from game.party.table import Table, crowd
from rules.board.bitboard import board_of, cells_of, first_of
from rules.board.path import UNREACHABLE, reach
from rules.contract.actions import Action
from rules.contract.units import NOWHERE, Bitboard, Cell

NARROW = 3
"""So many free spaces around somebody, or fewer, make a corridor."""
AHEAD = 3
"""So many spaces farther off counts a place that lies beyond the leader, seen from where it set out."""
LAG = 2
"""Turns that those behind may need to come up to the leader, before it waits."""
LONGEST = 120
"""Turns after which a way is no longer foreseen."""


class Leg(NamedTuple):
    """What one of the party goes in one turn."""

    turn: int
    """From 0."""
    who: str
    path: tuple[Cell, ...]


class Course(NamedTuple):
    """A way of the whole party, foreseen."""

    way: tuple[Cell, ...]
    """The leader's spaces, in order, the start left out."""
    legs: tuple[Leg, ...]
    ends: Mapping[str, Cell]
    """Where everybody would stand in the end."""
    turns: int
    doors: tuple[str, ...]
    """The doors that are opened on the way."""
    whole: bool = True
    """Whether it was foreseen exactly; else, where some have to make way for others, it takes about as many turns."""


class March:
    """A party on its way to a space. `names` are the marching order, the leader first."""

    def __init__(self, names: Sequence[str], goal: Cell, manner: str, start: Cell) -> None:
        self.names, self.goal, self.manner, self.start = tuple(names), goal, manner, start
        """`start`: where the leader set out."""

    # -- where everybody stands

    def places(self, table: Table, leader: Cell, who: Sequence[str], now: Mapping[str, Cell]) -> dict[str, Cell]:
        """The spaces for those who follow while the leader is on one; who finds none stays where it is."""
        terrain, come = table.terrain, table.whole(self.start)
        standing, beyond = self._strangers(table), come.cost(leader)
        if leader != self.goal:
            standing |= 1 << self.goal  # the leader's own place
        near = [(cost, c) for cost, c in table.spread(leader).within(2 * len(who) + 3) if not standing >> c & 1]
        file = sum(terrain.distance(leader, cell) == 1 for _, cell in near) <= NARROW
        doorways = 0 if file else board_of(door.cell for door in table.field.doors if door.edge is None)

        def price(entry: tuple[int, Cell]) -> tuple[int, Cell]:
            cost, cell = entry
            ahead = AHEAD if come.cost(cell) == beyond + cost else 0
            return cost + ahead + (doorways >> cell & 1), cell

        cells = [cell for _, cell in sorted(near, key=price)[: len(who)]]
        if file:
            return dict(zip(who, cells, strict=False))
        found: dict[str, Cell] = {}
        left = list(who)
        for cell in cells:
            ways = table.spread(cell)
            name = min(left, key=lambda each: (ways.cost(now[each]), left.index(each)))
            left.remove(name)
            found[name] = cell
        return found

    def _strangers(self, table: Table) -> Bitboard:
        """Where somebody stands who isn't of the party."""
        return crowd(table, *self.names)

    def way(self, table: Table, start: Cell) -> tuple[Cell, ...]:
        """The leader's cheapest way to the goal, doors on it opened; empty where none leads there."""
        ways = table.whole(start)
        if start == self.goal or ways.cost(self.goal) >= UNREACHABLE:
            return ()
        return ways.ways.route(self.goal)

    def shut(self, table: Table, start: Cell, way: Sequence[Cell]) -> tuple[int, str]:
        """After how many spaces of a way a shut door stands, and which; (its length, "") where none does."""
        here = start
        for number, cell in enumerate(way):
            if door := table.door_between(here, cell):
                return number, door
            here = cell
        return len(way), ""

    def lined_up(self, table: Table, names: Sequence[str], now: Mapping[str, Cell], pace: int) -> list[str]:
        """The marching order of the moment: turned about where the leader stands behind the others in a narrow place
        and can't pass them."""
        start = now[names[0]]
        ways = table.spread(start)
        way = [cell for cell in self.way(table, start)[: max(1, pace)] if ways.cost(cell) <= pace]
        taken = board_of(now.values())
        if len(names) < 2 or self.goal in way or not way or not all(taken >> cell & 1 for cell in way):
            return list(names)
        back = table.whole(self.goal)
        return sorted(names, key=lambda name: (back.cost(now[name]), names.index(name)))

    # -- the next command

    def step(self, table: Table) -> Action | None:
        """The next thing that somebody of the party does on this turn; None where nobody has anything to do in it."""
        names = [name for name in self.names if name in table.minis]
        if not names:
            return None
        now = {name: table.minis[name].cell for name in names}
        names = self.lined_up(table, names, now, max((self._pace(table, name) for name in names), default=1))
        leader, followers = names[0], names[1:]
        if (done := self._lead(table, leader, followers, now)) is not None:
            return done
        places = self.places(table, now[leader], followers, now)
        for name in self._behind(table, leader, followers, now):
            if name in places and (action := self._close_up(table, name, now[name], places[name])) is not None:
                return action
        return None

    def leads(self, table: Table) -> bool:
        """Whether the leader is at the goal, or a way leads there."""
        leader = next((name for name in self.names if name in table.minis), None)
        here = table.minis[leader].cell if leader is not None else NOWHERE
        return here in (NOWHERE, self.goal) or bool(self.way(table, here))

    def _behind(self, table: Table, leader: str, followers: Sequence[str], now: Mapping[str, Cell]) -> list[str]:
        """Those who close up: whoever is nearer to the goal than a leader on its way lets it pass first."""
        back = table.whole(self.goal)
        here = back.cost(now[leader])
        return [name for name in followers if here == 0 or back.cost(now[name]) >= here or now[name] == self.goal]

    def arrived(self, table: Table) -> bool:
        """Whether the leader is there, and the others as near as they come."""
        leader = next((name for name in self.names if name in table.minis), None)
        if leader is None:
            return True
        here = table.minis[leader].cell
        if here != self.goal and self.way(table, here):
            return False
        names = [name for name in self.names if name in table.minis]
        now = {name: table.minis[name].cell for name in names}
        places = self.places(table, here, names[1:], now)
        return not any(
            now[n] != places[n] and self._gain(table, n, now[n], places[n]) for n in names[1:] if n in places
        )

    def _gain(self, table: Table, name: str, cell: Cell, place: Cell) -> bool:
        """Whether somebody is farther from its place than others who stand in the way make good."""
        cost = table.spread(place).cost(cell)
        return 1 < cost < UNREACHABLE

    def _lead(
        self, table: Table, leader: str, followers: Sequence[str], now: Mapping[str, Cell]
    ) -> Action | None:  # fmt: skip
        here = now[leader]
        way = self.way(table, here)
        if not way or leader not in table.decisions:
            return None
        clear, door = self.shut(table, here, way)
        if not clear:
            opening = [a for a in table.actions(leader, "open") if a.target == door]
            return opening[0] if opening else None
        ends = table.moves(leader, self.manner)
        pace = self._pace(table, leader)
        for length in range(min(clear, pace), 0, -1):
            if way[length - 1] == self.goal and leader != self.names[0]:
                continue  # that is the leader's own place
            if way[length - 1] in ends and self._all_follow(table, way[length - 1], followers, now, pace):
                whole = Action(leader, self.manner, path=way[:length])
                return whole if whole in table.legal(leader) else ends[way[length - 1]]
        return None

    def _all_follow(
        self, table: Table, cell: Cell, followers: Sequence[str], now: Mapping[str, Cell], pace: int
    ) -> bool:
        """Whether everybody comes as near as it can, at the leader's pace, when the leader goes to a space."""
        if not followers:
            return True
        near, back = table.whole(cell), table.whole(self.goal)
        behind = [name for name in followers if back.cost(now[name]) > back.cost(cell)]  # who is ahead needs no waiting
        apart = max((cost for name in behind if (cost := near.cost(now[name])) < UNREACHABLE), default=0)
        return apart <= LAG * pace + 2 * len(followers)

    def _close_up(self, table: Table, name: str, here: Cell, place: Cell) -> Action | None:
        """Towards a place as far as a turn leads; None where somebody is there, or comes no nearer."""
        if here == place or name not in table.decisions:
            return None
        ways = table.whole(place)
        ends = table.moves(name, self.manner)
        near = cells_of(ways.nearest(board_of(ends)))
        if not near or ways.cost(near[0]) >= ways.cost(here):
            return None
        return ends[min(near, key=lambda cell: (len(ends[cell].path), cell))]

    # -- foreseen

    def foresee(self, table: Table) -> Course | None:
        """The whole way as it would be gone if nothing came between; None where none leads there."""
        names = [name for name in self.names if name in table.minis]
        now = {name: table.minis[name].cell for name in names}
        way = self.way(table, now[names[0]])
        if not way:
            return None
        paces = {name: self._pace(table, name) for name in names}
        most = max(paces.values(), default=0)
        if not most:
            return None
        paces = {name: pace or most for name, pace in paces.items()}
        legs, doors, turn = list[Leg](), list[str](), 0
        ready = {name for name in names if name in table.decisions and table.moves(name, self.manner)}
        opened: set[str] = set()
        straight = True
        while turn < LONGEST:
            leader, *followers = self.lined_up(table, names, now, paces[names[0]])
            straight = straight and leader == names[0]
            stood, rest = now[leader], self.way(table, now[leader])
            clear = self._clear(table, stood, rest, opened, doors)
            taken = board_of(cell for name, cell in now.items() if name != leader)
            length, ways = min(clear, paces[leader], len(rest)) if leader in ready else 0, table.spread(stood)
            while length and (
                ways.cost(rest[length - 1]) > paces[leader]
                or taken >> rest[length - 1] & 1
                or (rest[length - 1] == self.goal and leader != names[0])
                or not self._all_follow(table, rest[length - 1], followers, now, paces[leader])
            ):
                length -= 1
            if length:
                legs.append(Leg(turn, leader, rest[:length]))
                stood = now[leader] = rest[length - 1]
                rest = rest[length:]
            moved = bool(length)
            places = self.places(table, stood, followers, now)
            taken = board_of(now.values())
            for name in self._behind(table, leader, followers, now):
                if name in ready and name in places and places[name] != now[name]:
                    path = self._followed(table, now[name], places[name], taken & ~(1 << now[name]), paces[name])
                    if path:
                        legs.append(Leg(turn, name, path))
                        taken = taken & ~(1 << now[name]) | 1 << path[-1]
                        now[name] = path[-1]
                        moved = True
            if not rest and not moved and leader == names[0]:
                break
            if not moved and len(ready) == len(names) and not (rest and self.shut(table, stood, rest)[0] == 0):
                break  # nobody gets any farther
            turn += 1
            ready = set(names)
        turns, whole = (legs[-1].turn if legs else 0) + 1, now[names[0]] == self.goal
        ends = now if whole else {**now, names[0]: self.goal}
        return Course(way, tuple(legs), ends, turns, tuple(dict.fromkeys(doors)), whole and straight)

    def _clear(
        self, table: Table, here: Cell, way: Sequence[Cell], opened: set[str], doors: list[str]
    ) -> int:  # fmt: skip
        """How many spaces may be gone before a shut door; one right ahead is opened now."""
        at = here
        for number, cell in enumerate(way):
            door = table.door_between(at, cell)
            if door is not None and door not in opened:
                if number:
                    return number
                opened.add(door)
                doors.append(door)
            at = cell
        return len(way)

    def _pace(self, table: Table, name: str) -> int:
        """The spaces of movement that somebody has in a turn, where its decision stands open; else 0."""
        ways = table.spread(table.minis[name].cell)
        return ways.farthest(board_of(table.moves(name, self.manner)))

    def _followed(self, table: Table, here: Cell, place: Cell, taken: Bitboard, pace: int) -> tuple[Cell, ...]:
        """The way towards a place within a turn, ended where nobody stands."""
        far = table.whole(place)
        ways = reach(table.opened, here, pace, blocked=table.barred & ~(1 << here), unstoppable=taken)
        near = far.nearest(ways.cells)
        return ways.route(best) if near and far.cost(best := first_of(near)) < far.cost(here) else ()
