"""A party that explores a place by what it has seen: room by room, down the stairs, after its goals, and out again.

It knows what its side knows and gives only legal orders; fights are the computer's own. It is careful: it sneaks, rests
where rest is to be had, and turns back when too many are hurt.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from game.controllers.ai.delving import hostile
from game.party.table import Table, standing
from rules.board.bitboard import board_of, cells_of, first_of
from rules.board.fixtures import HELD_SHUT, DoorState
from rules.contract.actions import Action, Decision
from rules.contract.display import Miniature, System
from rules.contract.ruleset import PARTY as HEROES
from rules.contract.ruleset import State
from rules.contract.units import EMPTY, Bitboard, Cell

AT_ONCE = (
    "rise",
    "stand",
    "free",
    "first_aid",
    "bind",
    "bandage",
    "steady",
    "take_key",
    "open_chest",
    "loot",
    "sort",
    "pick_up",
)
"""Words of what is done as soon as it can be, a few times for each thing that is meant."""
CHESTS = ("chest", "body", "hoard", "shelf", "chest_done")
"""Marks of what may hold something; some rulesets draw an unlocked chest as done with."""
WAYS_ON = ("unlock", "pick_lock", "tackle", "force", "force_chest")
"""Words of what is tried at what is held shut, in this order."""
RESTS = ("rest", "camp", "meal")
HURT, WORST = 0.7, 0.45
"""Of its hit points a party rests below the first share, and goes home below the second if no rest is to be had."""
NICKED = 0.8
"""Whoever has less than this share of its own is healed, and rests where that gives something back."""
TRIES, RESTED = 4, 12
"""How often the same is tried, and how often somebody rests on one evening."""
APART = 7
"""Spaces of way that the party's last may be behind its first."""
STRIKE, ODDS = 5, 1.2
"""From how near and with how much more life than theirs it falls upon those whom it sees and who keep still."""
STALE = 60
"""Turns without anything new after which a party gives up and goes home."""


class Explorer:
    """One party on one evening. It remembers what was seen and what was tried."""

    def __init__(self, ruleset: System) -> None:
        self.ruleset = ruleset
        self.known: Bitboard = EMPTY
        self.dull: Bitboard = EMPTY
        """Spaces where the party was for nothing."""
        self.seen_stairs: set[Cell] = set()
        """Stairs that were taken already."""
        self.tried: dict[tuple[str, ...], int] = {}
        self.searched: set[int] = set()
        self.rested = 0
        self.homeward = ""
        """Why the party goes home although not all is done; empty while it does not."""
        self.stale = 0
        self.level: int | None = None
        """The map of the place on which the party wants to be."""
        self._grown = 0
        self._turn = ""
        self.went_home: set[Cell] = set()
        self._goal: Cell | None = None
        self._asked: object = None
        self._waited = 0
        """Turns in which the first has waited for the others."""
        self.visited: dict[Cell, int] = {}
        """Chests where somebody was, by their space, and how often."""

    def look(self, state: State) -> None:
        """Take in what the party sees now."""
        self.known |= self.ruleset.sees(state, HEROES)

    def choose(self, state: State, decisions: Sequence[Decision]) -> tuple[Decision, Action]:
        """The next thing that somebody of the party does in this turn of exploration."""
        table = Table(self.ruleset, state, self.ruleset.board(state), self.known, decisions)
        names = standing(table, tuple(table.decisions))
        for name in names:
            for order in (self._at_once, self._strike, self._leave, self._heal, self._rest, self._go, self._way_on):
                action = order(table, name)
                if action is not None:
                    self._note(action)
                    return table.decisions[name], action
        name = names[0] if names else next(iter(table.decisions))
        self._turn_passes(table.board.banner)
        ending = table.ending(name)
        return table.decisions[name], ending if ending is not None else next(iter(table.legal(name)))

    # -- what it remembers

    def _note(self, action: Action) -> None:
        key = (action.by, action.do, str(action.target), str(action.item))
        if action.do not in ("walk", "sneak", "end", "stairs"):
            self.tried[key] = self.tried.get(key, 0) + 1

    def _turn_passes(self, banner: str) -> None:
        """Count the turns in which nothing new came."""
        if banner == self._turn:
            return
        self._turn = banner
        size = self.known.bit_count() + len(self.tried) + len(self.seen_stairs)
        self.stale = self.stale + 1 if size == self._grown else 0
        self._grown = size
        if self.stale > STALE:
            self.homeward = self.homeward or "nothing new was found"

    def _often(self, action: Action) -> int:
        return self.tried.get((action.by, action.do, str(action.target), str(action.item)), 0)

    # -- what it does, the first that can be done before all others

    def _at_once(self, table: Table, name: str) -> Action | None:
        for word in AT_ONCE:
            for action in table.actions(name, word):
                if self._often(action) < 2 or word in ("rise", "stand"):
                    return action
        return None

    def _strike(self, table: Table, name: str) -> Action | None:
        """Who sleeps or looks elsewhere, near by and weaker, is fallen upon before it is the other way round."""
        sees = self.ruleset.sees(table.state, HEROES)
        foes = [m for m in table.minis.values() if hostile(table.state, m, HEROES) and sees >> m.cell & 1]
        up = party(table)
        near = any(table.terrain.distance(m.cell, foe.cell, 1, foe.size) <= STRIKE for foe in foes for m in up)
        strength = sum(m.life for m in up) / max(1, sum(foe.life for foe in foes))
        if not near or strength < ODDS or health(table, [m.id for m in up]) < WORST or self._home(table):
            return None
        return next(iter(table.actions(name, "ambush")), None)

    def _heal(self, table: Table, name: str) -> Action | None:
        """Spells, salves and draughts for who is hurt, who needs it most first."""
        best: tuple[float, Action] | None = None
        for action in (*table.actions(name, "cast"), *table.actions(name, "use")):
            patient = table.minis.get(action.target or name)
            if (
                patient is None
                or patient.side != HEROES
                or bound(patient)
                or patient.dead
                or patient.life >= NICKED * patient.most
            ):
                continue
            odds = self.ruleset.odds(table.state, action)
            share = patient.life / max(1, patient.most)
            if (
                odds is not None
                and odds.healing > 0
                and self._often(action) < RESTED
                and (best is None or share < best[0])
            ):
                best = share, action
        return best[1] if best is not None else None

    def _leave(self, table: Table, name: str) -> Action | None:
        if not self._home(table):
            return None
        return next(iter(table.actions(name, "leave")), None)

    def _home(self, table: Table) -> bool:
        """Whether it goes home: all is done that must be, or it is too badly hurt, or gets nowhere any more."""
        done = [task for task in table.board.goals if not task.optional]
        carried = all(task.state == "done" or (task.kind == "fetch" and self._carries(table)) for task in done)
        return bool(self.homeward) or (bool(done) and carried)

    def _carries(self, table: Table) -> bool:
        taken = (key for key in self.tried if key[1] in ("loot", "pick_up", "sort"))
        return any("reliquary" in part or "Ark of" in part for key in taken for part in key[2:])

    def _rest(self, table: Table, name: str) -> Action | None:
        up = party(table)
        share = health(table, [mini.id for mini in up])
        down = [m for m in table.minis.values() if m.side == HEROES and not bound(m) and (m.out or m.dead)]
        if len(down) >= 2 and not self._fallen(table):
            self.homeward = self.homeward or "two are down"
        own = table.minis[name]
        if own.life < NICKED * own.most and self._quiet(table):
            for action in table.actions(name, "rest"):
                if self._often(action) < 4 * RESTED:
                    return action
        if share >= HURT or not self._quiet(table):
            return None
        for word in RESTS:
            for action in table.actions(name, word):
                if self._often(action) < RESTED:
                    return action
        if self.rested > TRIES and share < WORST:
            self.homeward = self.homeward or "too badly hurt"
        self.rested += 1
        return None

    def _quiet(self, table: Table) -> bool:
        """Whether nobody is in sight who would disturb a rest."""
        sees = self.ruleset.sees(table.state, HEROES)
        return not any(hostile(table.state, m, HEROES) and sees >> m.cell & 1 for m in table.minis.values())

    def _go(self, table: Table, name: str) -> Action | None:
        """A step on the way to what is new, or home; stairs taken where they lead on."""
        here = table.minis[name].cell
        leader = next(iter(standing(table, tuple(n for n in table.minis if table.minis[n].side == HEROES))), name)
        if self.level is None:
            self.level = level(table, here)
        for action in table.actions(name, "open"):
            if not self._home(table) and self._often(action) < 1:
                return action
        for word in WAYS_ON if not self._home(table) or self._goal is None else ():
            for action in table.actions(name, word):
                if self._often(action) < TRIES:
                    return action
        if (stairs := self._stairs(table, name)) is not None:
            return stairs
        if level(table, here) != self.level:
            goal = self._after(table, here)
        elif level(table, table.minis[leader].cell) != self.level:
            return None  # those who are there wait for the others
        else:
            goal = self._target(table, leader)
            if name == leader and self._behind(table, here):
                return None  # it waits for the others
            if goal is not None and self._home(table) and table.field.exits >> goal & 1:
                goal = self._own_exit(table, here)
        if goal is None:
            return None
        ways = table.whole(goal)
        manner = "sneak" if table.moves(name, "sneak") else "walk"
        ends = table.moves(name, manner)
        best = min(ends, key=lambda cell: (ways.cost(cell), len(ends[cell].path), cell), default=None)
        if best is not None and ways.cost(best) < ways.cost(here):
            return ends[best]
        for action in table.actions(name, "open"):
            if self._often(action) < TRIES:
                return action
        return None

    def _behind(self, table: Table, here: Cell) -> bool:
        """Whether somebody of the party on this level is far behind and can come."""
        if self._home(table):
            return False
        ways = table.spread(here)
        costs = [ways.cost(mini.cell) for mini in party(table) if level(table, mini.cell) == level(table, here)]
        self._waited = self._waited + 1 if any(APART < cost < 1000 for cost in costs) else 0
        return 0 < self._waited <= 3

    def _own_exit(self, table: Table, here: Cell) -> Cell | None:
        """A space of the exits on which nobody else stands."""
        if table.field.exits >> here & 1:
            return None
        free = table.field.exits & ~board_of(mini.cell for mini in party(table))
        found = nearest(table.whole(here).ways.layers, free, 0)
        return found[1] if found is not None else None

    def _stairs(self, table: Table, name: str) -> Action | None:
        """Over to the level on which the party wants to be; whoever stands where it wants to go on decides that."""
        here = table.minis[name].cell
        for action in table.actions(name, "stairs"):
            for way in (each for each in table.field.stairs if each.cell == here):
                there = level(table, way.to)
                if here == self._goal and level(table, here) == self.level:
                    self.level, self._goal = there, None
                    self.seen_stairs |= {way.cell, way.to}
                    if self._home(table):
                        self.went_home.add(way.to)
                if there == self.level != level(table, here):
                    return action
        return None

    def _after(self, table: Table, here: Cell) -> Cell | None:
        """The nearest stairs to where the others are."""
        ways = board_of(each.cell for each in table.field.stairs if level(table, each.to) == self.level) & self.known
        found = nearest(table.whole(here).ways.layers, ways, 0)
        return found[1] if found is not None else None

    def _target(self, table: Table, leader: str) -> Cell | None:
        """Where the party wants to go: exits on the way home, else the nearest ground that may hide something new."""
        here = table.minis[leader].cell
        if here == self._goal:
            self.dull |= 1 << here  # nothing more is to be had here than there was
            for mini in self._fallen(table):
                if table.terrain.distance(here, mini.cell) <= 1:  # whoever could help has had the chance
                    key = (leader, "bind", mini.id, "")
                    self.tried[key] = self.tried.get(key, 0) + 1
        asked = (here, self.known, len(self.seen_stairs), self._home(table), table.terrain.doors_open,
                 len(self._fallen(table)))  # fmt: skip
        if asked != self._asked:
            layers = table.whole(here).ways.layers
            found = [nearest(layers, cells, worse) for worse, cells in self._places(table)]
            self._asked, self._goal = asked, min((each for each in found if each is not None), default=(0, None))[1]
        return self._goal

    def _fallen(self, table: Table) -> list[Miniature]:
        """Friends who lie there, live, and have not been seen to often enough."""
        care: dict[str, int] = {}
        for (_, word, target, _), times in self.tried.items():
            if word in ("bind", "first_aid", "cast", "use"):
                care[target] = care.get(target, 0) + times
        lying = [mini for mini in table.minis.values() if mini.side == HEROES and mini.out and mini.cell >= 0]
        return [mini for mini in lying if not mini.dead and not bound(mini) and care.get(mini.id, 0) < TRIES]

    def _places(self, table: Table) -> Iterator[tuple[int, Bitboard]]:
        """Spaces to go to, and how many spaces of way they are worse than others."""
        stairs = board_of(each.cell for each in table.field.stairs) & self.known
        for mini in self._fallen(table):
            yield -60, table.terrain.within(mini.cell, 1) & ~table.terrain.blocked & ~self.dull
        if self._home(table):
            yield 0, table.field.exits
            yield 400, stairs & ~board_of(self.went_home)
            yield 900, frontier(table, self.known) & ~self.dull  # no known way leads home: another is looked for
            return
        for mini in table.minis.values():
            if bound(mini) and mini.cell >= 0 and self.known >> mini.cell & 1:
                yield -40, table.terrain.within(mini.cell, 1) & ~table.terrain.blocked
        for mark in table.board.ground:
            if mark.kind in CHESTS and mark.cells & self.known:
                spots: Bitboard = EMPTY
                for cell in cells_of(mark.cells):
                    spots |= table.terrain.within(cell, 1)
                yield 0, spots & ~table.terrain.blocked & ~self.dull
        for door, stands in zip(table.field.doors, table.board.doors, strict=True):
            if stands in HELD_SHUT and door.spaces & self.known:
                spots = EMPTY
                for cell in cells_of(Bitboard(door.spaces)):
                    spots |= table.terrain.within(cell, 1)
                yield 10, spots & self.known & ~table.terrain.blocked & ~self.dull
        yield 2, frontier(table, self.known) & ~self.dull
        yield 12, stairs & ~board_of(self.seen_stairs)

    def _way_on(self, table: Table, name: str) -> Action | None:
        """A search where nothing is left to go to."""
        if self._target(table, name) is not None:
            return None
        for action in table.actions(name, "search"):
            key = table.minis[name].cell // 3
            if key not in self.searched:
                self.searched.add(key)
                return action
        return None


def bound(mini: Miniature) -> bool:
    """Whether somebody is a prisoner."""
    return any(badge.icon == "bound" for badge in mini.badges)


def party(table: Table) -> list[Miniature]:
    """The heroes who are up and free, in their order."""
    heroes = [mini for mini in table.minis.values() if mini.side == HEROES and not mini.out and mini.cell >= 0]
    return [mini for mini in heroes if not bound(mini)]


def health(table: Table, names: Sequence[str]) -> float:
    """The share of their hit points that some have, all together."""
    minis = [table.minis[name] for name in names if table.minis[name].side == HEROES]
    most = sum(mini.most for mini in minis)
    return sum(mini.life for mini in minis) / most if most else 1.0


def level(table: Table, cell: Cell) -> int:
    """The number of the map of a place on which a space lies."""
    row = cell // table.field.width
    return sum(part.top <= row for part in table.field.maps)


def nearest(layers: Sequence[Bitboard], cells: Bitboard, worse: int) -> tuple[int, Cell] | None:
    """(cost, space) of the nearest of some spaces; None where no way leads to any."""
    return next(((cost + worse, first_of(layer & cells)) for cost, layer in enumerate(layers) if layer & cells), None)


def grown(cells: Bitboard, width: int) -> Bitboard:
    """Some spaces with those beside them."""
    wide = cells | cells << 1 | cells >> 1
    return wide | wide << width | wide >> width


def frontier(table: Table, known: Bitboard) -> Bitboard:
    """Known ground from which one would see what nobody of the party has seen, and that before shut doors."""
    ground = known & ~table.barred & ~table.terrain.blocked
    shut = EMPTY
    for number, door in enumerate(table.field.doors):
        if not table.terrain.doors_open >> number & 1 and table.board.doors[number] == DoorState.CLOSED:
            shut |= 1 << door.cell & known
    unseen = table.terrain.everywhere & ~known & ~table.terrain.blocked
    return ground & grown(unseen | shut, table.field.width)
