"""What one button or key orders the whole party: explore, search, listen, light, take all, rest, stairs, out, wait.

Each is considered first, as a click on the ground is (`Foreseen`): how many turns it takes, and how likely it succeeds.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple, Protocol

from game.party.foresight import Foreseen, percent
from game.party.looking import dark_edge, nearest_dark
from game.party.orders import Task, Waiting, Working, able, done_by, spread_out, turns_of, whose
from game.party.rooms import beside_door, room_of, shut_doors
from game.party.table import Table
from game.scenes.fight.model import FightModel
from game.scenes.fight.spaces import leads
from rules.board.bitboard import cells_of
from rules.board.path import UNREACHABLE
from rules.contract.actions import Action
from rules.contract.text import text
from rules.contract.units import EMPTY, Bitboard, Cell
from rules.core.fixtures.challenges import CHESTS


class Party(Protocol):
    """What an order asks of the party that it is for."""

    @property
    def fight(self) -> FightModel:
        """Where it explores."""

    @property
    def manner(self) -> str:
        """The word of the movement that it takes."""

    @property
    def looked(self) -> Bitboard:
        """Spaces from which nothing more is to be seen by the lights that burn now."""

    def explored(self, origin: Cell, label: str) -> Foreseen | None:
        """What looking over the ground around a space would be; None where nothing is dark there."""

    def time_of(self, word: str, turns: int) -> str:
        """What so many turns of something take."""

    def cost_of(self, word: str) -> str:
        """What a deed costs by its button; empty where there is none."""


class Quick(NamedTuple):
    """An order that one button or key gives."""

    name: str
    """Of the window's command, too."""
    label: str
    icon: str
    make: Callable[[Party, Table, Sequence[str]], Foreseen | str | None]
    """What it would be now; why it can't be given; None where there is nothing of the kind here."""
    further: str = ""
    """Another label that it has at times."""
    odds: str = ""
    """As long as what it risks or how likely it succeeds may get."""
    turns: int = 88
    """So many turns it takes at the most, as far as its place has room for them."""
    about: bool = False
    """Whether what it takes is only reckoned."""


def _explore(party: Party, table: Table, names: Sequence[str]) -> Foreseen | str | None:
    edge, here = dark_edge(table), table.minis[names[0]].cell
    if not edge:
        return None
    if (found := party.explored(here, "Explore")) is not None:
        return found
    origin = nearest_dark(table, here, Bitboard(party.looked | 1 << here))
    further = party.explored(origin, "Explore further") if origin is not None else None
    return further or "All that stands open here has been looked over."


def _search(party: Party, table: Table, names: Sequence[str]) -> Foreseen | str | None:
    searching = able(table, names, "search")
    if not searching:
        return None
    room = room_of(table, table.minis[names[0]].cell)
    tasks = spread_out(table, searching, room, "search", party.manner)
    if not tasks:
        return None
    chances = [table.ruleset.odds(table.state, Action(name, "search")) for name in searching]
    known = [odds.hit for odds in chances if odds is not None]
    turns = turns_of(table, tasks, party.manner)
    said = ""
    if known:
        low, high = percent(min(known)), percent(max(known))
        said = text("{low} to {high} each", low, high) if low != high else text("{low} each", low)
    cost = party.time_of("search", turns)  # a way of so many spaces takes a turn as a search does
    made = Working(names, tasks, party.manner)
    return Foreseen("Search the room", (made,), cost, said, ends=whose(table, tasks))


def _listen(party: Party, table: Table, names: Sequence[str]) -> Foreseen | str | None:
    hearing = [o for name in names for o in table.offers(name) if o.do == "listen"]
    if not hearing:
        return None
    doors = shut_doors(table, room_of(table, table.minis[names[0]].cell))
    best = _keenest(table, names, "listen")
    here = table.minis[best].cell
    spots: Bitboard = EMPTY
    for door in doors:
        spots |= beside_door(table, door)
    ways = table.whole(here)
    reached = (cell for cell in cells_of(spots) if ways.cost(cell) < UNREACHABLE)  # else it listens where it stands
    near = min(reached, key=lambda cell: (ways.cost(cell), cell), default=None)
    tasks = [Task(best, ("listen",), 1 << near if near is not None else EMPTY)]
    odds = table.ruleset.odds(table.state, next(iter(table.actions(best, "listen")), Action(best, "listen")))
    cost = party.time_of("listen", turns_of(table, tasks, party.manner))
    made = Working(names, tasks, party.manner)
    ends = {best: near} if near is not None else {}
    return Foreseen("Listen", (made,), cost, percent(odds.hit) if odds is not None else "", ends=ends)


def _keenest(table: Table, names: Sequence[str], word: str) -> str:
    """Who does something likeliest, the first in marching order among equals."""

    def chance(name: str) -> float:
        odds = table.ruleset.odds(table.state, next(iter(table.actions(name, word)), Action(name, word)))
        return odds.hit if odds is not None else 0.0

    hearing = [name for name in names if table.offer(name, word) is not None] or list(names[:1])
    return max(hearing, key=chance)


def _everybody(label: str, *words: str, first: bool = False) -> Callable[..., Foreseen | str | None]:
    """An order to do something where each stands: everybody who can, or the `first` who can."""

    def make(party: Party, table: Table, names: Sequence[str]) -> Foreseen | str | None:
        for word in words:
            ready = [name for name in names if table.offer(name, word) is not None]
            if ready:
                tasks = [Task(name, (word,)) for name in (ready[:1] if first else able(table, names, word))]
                odds = table.ruleset.odds(table.state, table.actions(ready[0], word)[0])
                said = text("{chance} unnoticed", percent(odds.hit)) if odds is not None else ""
                return Foreseen(label, (Working(names, tasks, party.manner),), party.cost_of(word), said)
        return None

    return make


_KINDLE = _everybody("Light", "light", first=True)


def _light(party: Party, table: Table, names: Sequence[str]) -> Foreseen | str | None:
    """A light is lit; where none burns and none can be, why not."""
    found = _KINDLE(party, table, names)
    burns = any(table.offer(name, "douse") is not None for name in names)
    if found is not None or burns or not party.fight.match.record.options.get("darkness"):
        return found
    if any(name not in table.decisions for name in names):
        return "Nobody who may still act in this turn can do that."
    refused = (o.refused for name in names for o in table.offers(name) if o.do == "light" and o.refused)
    return next((text("Light: {why}", why) for why in refused), None)


_RESTS = ("rest", "meal")
_RESTING = _everybody("Rest", *_RESTS)


def _rest(party: Party, table: Table, names: Sequence[str]) -> Foreseen | str | None:
    """Everybody rests who can; where nobody can though somebody is hurt, why not."""
    found = _RESTING(party, table, names)
    hurt = [name for name in names if table.minis[name].life < table.minis[name].most]
    if found is not None or not hurt:
        return found
    refused = [(n, o.refused) for n in hurt for o in table.offers(n) if o.do in _RESTS and o.refused is not None]
    return next((text("Rest, {name}: {why}", name=table.minis[n].name, why=why) for n, why in refused), None)


def _loot(party: Party, table: Table, names: Sequence[str]) -> Foreseen | str | None:
    words = ("open_chest", "loot", "sort", "take_key", "pick_up")
    offered = {offer.do for name in names for offer in table.offers(name)}
    if not offered & set(words):
        return None
    room = room_of(table, table.minis[names[0]].cell)
    spots, shut = [item.cell for item in table.board.floor if room >> item.cell & 1], False
    for mark in table.board.ground:
        if mark.kind in CHESTS:
            near: Bitboard = EMPTY
            for cell in cells_of(mark.cells):
                near |= table.terrain.within(cell, 1)
            if mark.locked:
                shut |= bool(near & room)
                continue
            spots += [cell for cell in cells_of(mark.cells) if near & room][:1]
    spots += [m.cell for m in table.board.miniatures if m.out and m.cell >= 0 and room >> m.cell & 1]
    locked = "What is left here is locked: break it open, or find its key" if shut else None
    if not spots:
        return locked
    at = {name: table.minis[name].cell for name in names}
    tasks: list[Task] = []
    for cell in dict.fromkeys(spots):
        around = (table.terrain.within(cell, 1) & table.known & ~table.barred) | 1 << cell
        beside = [name for name in names if around >> table.minis[name].cell & 1 and name in table.decisions]
        if beside and all(done_by(table, Task(name, words)) is None for name in beside):
            around = 1 << cell & table.known & ~table.barred  # it can't be reached from beside it, or there is nothing
            if not around or any(table.minis[name].cell == cell for name in beside):
                continue
        who = min(names, key=lambda name: (table.whole(at[name]).cost(cell), names.index(name)))
        tasks.append(Task(who, words, around, often=True, anyone=True))
        at[who] = cell
    if not tasks:
        return locked
    cost = party.time_of(party.manner, turns_of(table, tasks, party.manner))
    return Foreseen("Take all", (Working(names, tasks, party.manner),), cost)


def _stairs(party: Party, table: Table, names: Sequence[str]) -> Foreseen | str | None:
    """All over the stairs nearest to who leads; where some are on another map than who leads, these come after."""
    field, stairs = table.field, [each for each in table.field.stairs if table.known >> each.cell & 1]
    ahead = field.part(table.minis[names[0]].cell)
    behind = [name for name in names if field.part(table.minis[name].cell) != ahead]
    if behind:
        stairs = [each for each in stairs if field.part(each.to) == ahead]
    first = (behind or names)[0]
    ways = table.whole(table.minis[first].cell)
    near = min((each.cell for each in stairs), key=lambda cell: (ways.cost(cell), cell), default=None)
    if near is None or ways.cost(near) >= UNREACHABLE:
        return None
    going = [name for name in behind or names if table.whole(table.minis[name].cell).cost(near) < UNREACHABLE]
    tasks = [Task(name, ("stairs",), 1 << near) for name in going]
    notes = tuple(leads(field, near))
    cost = party.time_of(party.manner, turns_of(table, tasks, party.manner))
    label, made = "Come after" if behind else "Take the stairs", Working(names, tasks, party.manner)
    return Foreseen(label, (made,), cost, notes=notes)


def _leave(party: Party, table: Table, names: Sequence[str]) -> Foreseen | str | None:
    """Out by the exit, once everybody stands on one; before that all go there."""
    who = next((name for name in names if table.actions(name, "leave")), None)
    if who is None:
        return _to_exit(party, table, names) if table.field.exits & table.known else None
    return Foreseen("Leave", (Working(names, [Task(who, ("leave",))], party.manner),), "all together")


def _to_exit(party: Party, table: Table, names: Sequence[str]) -> Foreseen | str:
    """Everybody onto the nearest exit that is known: a small one has no room for the party to stand around a leader."""
    ways, exits = table.whole(table.minis[names[0]].cell), Bitboard(table.field.exits & table.known & ~table.barred)
    near = min(cells_of(exits), key=lambda cell: (ways.cost(cell), cell), default=None)
    if near is None or ways.cost(near) >= UNREACHABLE:
        return "No way leads to an exit."
    spots = Bitboard(table.terrain.within(near, len(names)) & exits)
    tasks = [Task(name, (), spots) for name in names]
    cost = party.time_of(party.manner, max(1, turns_of(table, tasks, party.manner) - 1))
    return Foreseen("To the exit", (Working(names, tasks, party.manner),), cost)


def _wait(party: Party, table: Table, names: Sequence[str]) -> Foreseen | str | None:
    word = next((end.do for name in names if (end := table.ending(name)) is not None), None)
    due = [name for name in names if table.ending(name) is not None]  # the others have had this turn
    return Foreseen("All wait", (Waiting(due),), party.cost_of(word)) if word is not None else None


QUICK = (
    Quick("party_explore", "Explore", "eye", _explore, "Explore further", "88 %", about=True),
    Quick("party_search", "Search the room", "eye", _search, odds=text("{low} to {high} each", "88 %", "88 %")),
    Quick("party_listen", "Listen", "call", _listen, odds="88 %"),
    Quick("party_light", "Light", "light", _light, turns=1),
    Quick("party_douse", "Douse", "dark", _everybody("Douse", "douse"), turns=0),
    Quick("party_loot", "Take all", "pick_up", _loot),
    Quick("party_rest", "Rest", "stable", _rest),
    Quick("party_stairs", "Take the stairs", "climb", _stairs, "Come after"),
    Quick("party_leave", "Leave", "door", _leave, "To the exit"),
    Quick("party_wait", "All wait", "hourglass", _wait, turns=1),
)  # fmt: skip
"""What one button or key orders; it is shown where it means something."""
