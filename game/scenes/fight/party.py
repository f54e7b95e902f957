"""The party as one in the window: one order to everybody, done command by command until something is noticed.

What is ordered is considered first (`Foreseen`): where everybody would come to stand, what it takes, what it risks. The
record holds only the ordinary commands; taking back takes back the whole order (`Undoing.points`).
"""

from __future__ import annotations

from collections.abc import Sequence

from game.fight.seats import computers
from game.party.company import Company
from game.party.foresight import Foreseen, hazard
from game.party.looking import Looking, dark_edge, dark_in, round_of, turns_for
from game.party.march import March
from game.party.noticing import stopped_by
from game.party.orders import Going, Hold, Order, Task, Working, pace_of
from game.party.rooms import beside_door
from game.party.table import EXPLORING, Table, standing
from game.scenes.fight.deeds import Deeds
from game.scenes.fight.model import FightModel
from game.scenes.fight.quick import QUICK, Quick
from rules.board.bitboard import cells_of
from rules.board.fixtures import PORTCULLIS, DoorState
from rules.board.path import UNREACHABLE
from rules.contract.actions import Action
from rules.contract.display import Board
from rules.contract.ruleset import State
from rules.contract.text import joined, text
from rules.contract.units import EMPTY, Bitboard, Cell

DOUBLE = 0.45
"""Seconds within which a second click on the same space is one with the first."""
NOTHING = "There is nothing of the kind here."
"""What an order says that means nothing where the party is."""
IDLE = "Nothing of that is left to do from here."
"""What an order says that ends before anybody has done anything."""
RUNNING = "The party still carries out its order; Esc stops it."
FIGHTING = "That is an order for exploring."
"""What an order says while there is a fight."""
STEADY = 4
"""Pixels that the pointer may wander between the two."""
BESIDE = 4
"""Spaces from dark ground as far as a click into the dark still means it."""


class Marching:
    """What the party of whoever is at the screen is ordered, and how far it has come."""

    def __init__(self, fight: FightModel, deeds: Deeds) -> None:
        self.fight, self.deeds = fight, deeds
        self._orders: list[Order] = []
        self._began = self._done = self._events = 0
        """After how many commands the order was given, its next command was given, and how many events were looked
        at."""
        self._before: Board = fight.board
        self._broken = False
        """Whether the last order ended before it was carried out."""
        self._seat = fight.seating.at.number
        """Whose order this is."""
        self._held: dict[int, tuple[list[Order], int, int, int, Board]] = {}
        """Seat -> its order, as it stood when another seat's heroes had their turn."""
        self._runs: list[tuple[int, int, State]] = []
        """Orders that were carried out: the commands (first, end) of each, and the state that they led to."""
        self.carried_out = 0
        """How many orders have come to their end."""
        self._table: tuple[object, Table] | None = None
        self._offered: tuple[object, dict[str, Foreseen | str]] | None = None
        self._asked: tuple[int, Cell] | None = None
        """The way of which it was said that somebody is bound to notice it."""
        self._clicked: tuple[float, Cell, tuple[int, int]] | None = None
        """When a click sent the party, where to, and where the pointer was: the board may have moved under it since."""
        self._looked: list[tuple[int, int, Bitboard]] = []
        """Spaces from which nothing more was to be seen: after how many commands, by how many lights, which."""

    # -- who goes with whom

    @property
    def company(self) -> Company:
        """How the heroes of the seat at the screen go about it."""
        return self.fight.match.company(self.fight.seating.at.number)

    def keep(self, company: Company) -> None:
        """Go about it otherwise from now on."""
        self.fight.match.keep_company(self.fight.seating.at.number, company)
        self._table = self._offered = None
        self.fight.refresh()

    def ours(self) -> list[str]:
        """The creatures on the board that the seat at the screen plays."""
        seating, here = self.fight.seating, self.fight.board.miniatures
        side = self.fight.plan.decision.side if self.fight.plan is not None else ""
        away = computers(self.fight.match.record)
        mine = (mini.id for mini in here if mini.side == side and seating.seats.of(mini.id) == seating.at)
        return [name for name in mine if name not in away]

    @property
    def on(self) -> bool:
        """Whether a party explores, and whoever looks may order it about."""
        plan = self.fight.chance
        return plan is not None and plan.decision.kind == EXPLORING and plan.actor is not None

    def names(self) -> list[str]:
        """Whom an order means: the group, or whoever was taken out of it and is worked on now."""
        plan = self.fight.chance
        if plan is None:
            return []
        here = standing(self.table(), self.ours())
        by = plan.decision.by
        return [by] if by in self.company.apart or by not in here else self.company.group(here)

    def turn_apart(self, name: str) -> None:
        """Take somebody out of the group, or put them back."""
        company, ours = self.company, self.ours()
        if name not in ours or not self.on:
            return
        apart = name not in company.apart
        self.keep(company.with_apart(name, apart))
        told = "{name} is moved alone now." if apart else "{name} goes with the others again."
        self.fight.toast(text(told, name=self.fight.names.get(name, name)))

    def lead(self, name: str) -> None:
        """Let somebody go at the head."""
        if name in self.ours() and self.on:
            self.keep(self.company.led_by(name, self.ours()))
            self.fight.toast(text("{name} goes ahead.", name=self.fight.names.get(name, name)))

    # -- how they move

    def manners(self) -> list[tuple[str, str]]:
        """(word, label) of each way to move that there is."""
        plan = self.fight.chance
        offers = self.table().manners(plan.decision.by) if plan is not None and self.on else []
        return [(offer.do, offer.description.label) for offer in offers]

    @property
    def manner(self) -> str:
        """The word of the movement that the party takes."""
        words = [word for word, _ in self.manners()]
        return self.company.manner if self.company.manner in words else next(iter(words), "")

    def take_manner(self, word: str) -> None:
        """Move so from now on."""
        company = self.company
        self.keep(Company(company.order, company.apart, word))

    def next_manner(self) -> None:
        """The next of the ways to move."""
        words = [word for word, _ in self.manners()]
        if words:
            self.take_manner(words[(words.index(self.manner) + 1) % len(words)])

    # -- what is known

    def table(self) -> Table:
        """What is known where the order is given; made once for each state."""
        fight = self.fight
        if self._table is None or self._table[0] is not fight.shown:
            seats = fight.seating.seats
            ours = [d for d in fight.match.decisions if seats.answering(d) == fight.seating.at]
            made = Table(fight.ruleset, fight.shown, fight.board, fight.eyes.known(), ours)
            self._table = fight.shown, made
        return self._table[1]

    # -- going

    def leads(self, cell: Cell | None) -> Foreseen | None:
        """What a click on a space would order; None where it means nothing to the party."""
        fight, plan = self.fight, self.fight.chance
        if cell is None or plan is None or not self.on or plan.armed is not None or self.running:
            return None
        names = self.names()
        if not names:
            return None
        door = self._door_at(cell)
        if not door and not fight.eyes.known() >> cell & 1:
            return self._into_dark(cell, names)
        return self._to_door(door, names) if door else self._to_lock(cell, names) or self._to(cell, names)

    def _door_at(self, cell: Cell, stands: DoorState = DoorState.CLOSED) -> str:
        """The shut door that fills a space and that a hand opens; empty where there is none."""
        for door, now in zip(self.fight.match.field.doors, self.fight.board.doors, strict=False):
            if door.cell == cell and door.edge is None and now == stands and door.kind != PORTCULLIS:
                return door.id
        return ""

    def _to(self, cell: Cell, names: Sequence[str]) -> Foreseen | None:
        table, manner = self.table(), self.manner
        start = table.minis[names[0]].cell
        march = March(names, cell, manner, start)
        if (course := march.foresee(table)) is None or not course.legs:
            return None
        risk = hazard(table, course, manner)
        label = self._described(manner) if len(names) == 1 else text("The party: {manner}", self._described(manner))
        doors = (text("{doors} on the way", _counted(len(course.doors))),) if course.doors else ()
        said = text("{chance} to be noticed", risk.told()) if risk is not None else ""
        going = Going(names, cell, manner, start)
        cost = self.time_of(manner, course.turns)
        cost = cost if course.whole else text("about {cost}", cost)
        return Foreseen(label, (going,), cost, said, course.way, course.ends, risk, doors)

    def _to_door(self, door: str, names: Sequence[str]) -> Foreseen | None:
        table = self.table()
        spots = beside_door(table, door)
        here = table.minis[names[0]].cell
        opening = Working(names, [Task(names[0], ("open",), spots, door)], self.manner)
        near = sorted((table.whole(here).cost(cell), cell) for cell in cells_of(spots))
        if not near:
            return None
        before = None if spots >> here & 1 else self._to(near[0][1], names)
        if before is None:
            later = names[0] not in table.decisions  # its turn is spent: it opens in the next
            can = later or any(a.target == door for a in table.actions(names[0], "open"))
            cost = self.fight.ruleset.spent(1) if later else self.cost_of("open")
            return Foreseen(self._described("open"), (opening,), cost) if can else None
        label = text("{going}, then {opening}", before.label, self._described("open"))
        return before._replace(label=label, orders=(*before.orders, opening))

    def _to_lock(self, cell: Cell, names: Sequence[str]) -> Foreseen | None:
        """A locked door to which one of them has the key: the carrier goes ahead, unlocks it and opens it."""
        door, table = self._door_at(cell, DoorState.LOCKED), self.table()
        key = next((each.key for each in table.field.doors if each.id == door), "")
        carrier = next((name for name in names if key and key in table.keys(name)), None)
        if carrier is None:
            return None
        order, spots = (carrier, *(name for name in names if name != carrier)), beside_door(table, door)
        here, action = table.minis[carrier].cell, Action(carrier, "unlock", target=door)
        near = min(((table.whole(here).cost(spot), spot) for spot in cells_of(spots)), default=(UNREACHABLE, here))
        before = None if spots >> here & 1 else self._to(near[1], order)
        if before is None and not spots >> here & 1:
            return None
        price = self.fight.ruleset.describe(table.state, action)
        tasks = [Task(carrier, ("unlock",), spots, door), Task(carrier, ("open",), spots, door)]
        made = Working(order, tasks, self.manner)
        key_told = text("{name} has the key", self.fight.names.get(carrier, carrier))
        if before is None:
            return Foreseen(price.label, (made,), price.cost, ends={carrier: here}, notes=(key_told,))
        label = text("{going}, then {opening}", before.label, price.label)
        dear = price.cost != self.fight.ruleset.spent(0)
        cost = joined(" + ", (before.cost, price.cost)) if dear else before.cost
        return before._replace(label=label, orders=(*before.orders, made), cost=cost, notes=(key_told, *before.notes))

    def _described(self, word: str) -> str:
        plan = self.fight.chance
        offers = plan.offers if plan is not None else ()
        return next((o.description.label for o in offers if o.do == word), word.capitalize())

    def cost_of(self, word: str) -> str:
        """What a deed costs by its button; empty where there is none."""
        plan = self.fight.chance
        offers = plan.offers if plan is not None else ()
        return next((o.description.cost for o in offers if o.do == word), "")

    def time_of(self, word: str, turns: int) -> str:
        """What so many turns of something take; of a single one what the deed's own button says."""
        return self.cost_of(word) if turns == 1 else self.fight.ruleset.spent(turns)

    # -- looking over a room

    @property
    def looked(self) -> Bitboard:
        """Spaces from which nothing more is to be seen by the lights that burn now."""
        fight = self.fight
        lights, found = len(fight.ruleset.lamps(fight.shown)), EMPTY
        self._looked = [each for each in self._looked if each[0] <= fight.match.history.length]
        for _, burning, cells in self._looked:
            found |= cells if lights <= burning else EMPTY
        return found

    def explored(self, origin: Cell, label: str) -> Foreseen | None:
        """What looking over the ground around a space would be; None where nothing is dark there."""
        table, names, manner = self.table(), self.names(), self.manner
        here = table.minis[names[0]].cell
        way, cost = round_of(table, here, dark_in(table, origin, Bitboard(self.looked | 1 << here)))
        if not way:
            return None
        turns = turns_for(cost, pace_of(table, names, manner) or pace_of(table, table.decisions, manner))
        first = March(names, way[0], manner, here).foresee(table)
        risk = hazard(table, first, manner) if first is not None else None
        said = text("{chance} to be noticed on the first way", risk.told()) if risk is not None and risk.chance else ""
        path = first.way if first is not None else ()
        told = self.time_of(manner, turns)
        told = text("about {cost}", told) if turns > 1 else told
        notes = (text("{n} dark corners", len(way)),) if len(way) > 1 else ()
        return Foreseen(label, (Looking(names, manner, origin, self.looked),), told, said, path, notes=notes)

    def _into_dark(self, cell: Cell, names: Sequence[str]) -> Foreseen | None:
        """A click into the dark means the known ground that ends there."""
        table = self.table()
        here = table.minis[names[0]].cell
        ways, edge = table.whole(here), dark_edge(table) & ~self.looked & table.terrain.within(cell, BESIDE)
        far = [(table.terrain.distance(cell, c), ways.cost(c), c) for c in cells_of(edge)]
        near = min((each for each in far if each[1] < UNREACHABLE), default=None)
        return self.explored(near[2], "Explore there") if near is not None else None

    def click_again(self, cell: Cell | None) -> bool:
        """A second click right after one that sent the party looks over the room there; False where it was none."""
        clicked, self._clicked = self._clicked, None
        fight, history = self.fight, self.fight.match.history
        if clicked is None or fight.app.clock() - clicked[0] > DOUBLE:
            return False
        (x, y), (then_x, then_y) = fight.app.pointer, clicked[2]
        if cell != clicked[1] and max(abs(x - then_x), abs(y - then_y)) > STEADY:
            return False
        order = Looking(self.names(), self.manner, clicked[1], self.looked)
        if self._orders:
            if not isinstance(self._orders[-1], Looking):
                self._orders.append(order)
            return True
        if not self.on or not self._runs or self._runs[-1][1:] != (history.length, history.now) or self._broken:
            return False
        began, _, _ = self._runs.pop()  # both are one order, and are taken back as one
        self.give(Foreseen("Explore", (order,), ""), began)
        return True

    # -- orders by a button or a key

    def offered(self) -> dict[str, Foreseen | str]:
        """The quick orders that mean something here: what each would be, or why it can't be given."""
        if not self.on or self.running:
            return {}
        if self._offered is None or self._offered[0] is not self.table():
            table, names = self.table(), self.names()
            made = ((quick.name, quick.make(self, table, names)) for quick in QUICK)
            self._offered = table, {name: found for name, found in made if found is not None}
        return self._offered[1]

    def place_kept(self, name: str) -> bool:
        """Whether a quick order has its place even while it means nothing: so none of them moves as others come."""
        field, options = self.fight.match.field, self.fight.match.record.options
        asked = {
            "party_light": options.get("darkness"), "party_douse": options.get("darkness"),
            "party_listen": options.get("crawl"), "party_stairs": field.stairs, "party_leave": field.exits,
        }  # fmt: skip
        return bool(asked.get(name, True))

    def longest(self, quick: Quick) -> str:
        """What a quick order may say at the longest of what it takes."""
        time = self.fight.ruleset.spent(quick.turns)
        time = text("about {cost}", time) if quick.about else time
        return joined(" · ", (time, quick.odds)) if quick.odds else time

    def order(self, name: str) -> bool:
        """Give a quick order; False where it means nothing now."""
        if self.running:
            self.fight.toast(RUNNING)
            return True
        if not self.on:
            if self.fight.chance is not None:
                self.fight.toast(FIGHTING)
            return False
        found = self.offered().get(name)
        if isinstance(found, Foreseen):
            self.give(found)
        else:
            spent = any(not self.table().offers(each) for each in self.names())
            late = "Nobody who may still act in this turn can do that."
            self.fight.toast(found or (late if spent else NOTHING))
        return True

    # -- carrying it out

    @property
    def running(self) -> bool:
        """Whether an order is being carried out of whoever is at the screen."""
        return bool(self._orders) and self._seat == self.fight.seating.at.number

    def go(self, cell: Cell) -> bool:
        """Send the party to a space; False where a click there means something else."""
        found = self.leads(cell)
        if found is None:
            return False
        now = (self.fight.match.history.length, cell)
        if found.hazard is not None and found.hazard.chance >= 1.0 and self._asked != now:
            self._asked = now
            self.fight.toast("Somebody is bound to notice that. Once more goes all the same.")
        else:
            self.give(found)
            self._clicked = self.fight.app.clock(), cell, self.fight.app.pointer
        return True

    def give(self, found: Foreseen, began: int | None = None) -> None:
        """Let an order be carried out from now on; it goes on with the one that began after so many commands."""
        history = self.fight.match.history
        self._hand_on(self.fight.seating.at.number)
        self._orders, self._offered = list(found.orders), None  # what was offered is used up with it
        self._began, self._done = history.length if began is None else began, history.length
        self._events, self._before = len(history.events), self.fight.board
        self.fight.choices.course = None
        self.fight.toast_text = ""
        self.follow()

    def stop(self, why: str = "") -> bool:
        """End the order that is carried out; False if none is."""
        if not self._orders:
            return False
        self._end(why, broken=True)
        return True

    def _end(self, why: str = "", *, broken: bool = False) -> None:
        self._remember()
        self._orders, self._broken = [], broken
        self._close()
        if not broken and self.fight.match.history.length == self._began:
            why = why or IDLE
        if why:
            self.fight.toast(why)
        self._turn_to_leader()

    def _remember(self) -> None:
        """Keep in mind where nothing more was to be seen."""
        fight = self.fight
        for order in self._orders:
            if isinstance(order, Looking):
                burning = len(fight.ruleset.lamps(fight.shown))
                self._looked.append((fight.match.history.length, burning, order.done))

    def _close(self) -> None:
        history = self.fight.match.history
        self.carried_out += 1
        if history.length > self._began:
            self._runs.append((self._began, history.length, history.now))

    def _turn_to_leader(self) -> None:
        fight, decision = self.fight, self.fight.match.decision
        if fight.chance is None or decision is None or decision.kind != EXPLORING or decision.by in self.company.apart:
            fight.anew |= fight.SEEN_IN["plan"]
            return
        open_now = self.table().decisions
        first = next((name for name in self.company.group(self.ours()) if name in open_now), None)
        if first is not None and first != decision.by:
            fight.match.turn_to(first)
        fight.refresh()

    def follow(self) -> None:
        """Go on once what was done has been shown; it ends where anything is noticed or asked."""
        fight = self.fight
        self._hand_on(fight.seating.at.number)
        if not self._orders or fight.behind or fight.view.busy or self.deeds.needed is not None:
            return
        history = fight.match.history
        if history.length < self._done or fight.seating.due is not None:
            self.stop()
            return
        if (why := self._noticed()) is not None:
            self.stop(why)
        elif fight.plan is not None:
            self._next()
        elif fight.match.decision is None:
            self.stop()

    def _hand_on(self, seat: int) -> None:
        """Nobody orders another's heroes about: an order rests while another seat has its turn."""
        if seat == self._seat:
            return
        if self._orders:
            self._held[self._seat] = self._orders, self._began, self._done, self._events, self._before
        self._seat, self._orders, self._table, self._offered = seat, [], None, None
        self.fight.anew |= self.fight.SEEN_IN["plan"]
        if seat in self._held:
            self._orders, self._began, self._done, self._events, self._before = self._held.pop(seat)

    def _noticed(self) -> str | None:
        """What is a reason to stop in what happened since it was looked at last."""
        fight = self.fight
        events = fight.eyes.events(fight.match.events[self._events :])
        own = {mini.id for mini in (*self._before.miniatures, *fight.board.miniatures) if mini.side in fight.sides}
        why = stopped_by(events, self._before, fight.board, own, seeks=isinstance(self._orders[0], Working))
        self._events, self._before = len(fight.match.events), fight.board
        return why

    def _next(self) -> None:
        fight = self.fight
        if fight.chance is None or fight.chance.decision.kind != EXPLORING:
            self.stop()
            return
        while self._orders:
            found = self._orders[0].next(self.table())
            if isinstance(found, Hold):
                return
            if isinstance(found, Action):
                self._act(found)
                return
            if found.why:
                self._end(found.why, broken=True)
                return
            self._remember()
            self._orders.pop(0)
        self._end()

    def _act(self, action: Action) -> None:
        match = self.fight.match
        self._done = match.history.length
        if match.decision is None or match.decision.by != action.by:
            match.turn_to(action.by)
        if not self.deeds.act(action) and self.deeds.needed is None:
            self.stop()

    # -- taking back

    def within(self, to: int) -> bool:
        """Whether going back to so many commands would take back only a part of an order."""
        moments = self.fight.match.history.moments
        self._runs = [run for run in self._runs if run[1] >= len(moments) or moments[run[1]].state is run[2]]
        return any(first < to < end < len(moments) for first, end, _ in self._runs)


def _counted(doors: int) -> str:
    return text("{n} doors", doors) if doors > 1 else "A door"
