"""What is shown of a fight: the whole truth, or what some sides know of it. The one seam between match and window.

Everything that the window draws, tells or sounds comes from here, so that nothing else has to know who is looking.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from game.fight.history import Sight
from game.fight.match import Match
from game.fight.seats import Seats
from rules.contract.actions import Action, Decision
from rules.contract.display import Board
from rules.contract.events import Attack, Began, Chance, Condition, Event, Injury, Moved, Note
from rules.contract.ruleset import PARTY, State
from rules.contract.text import text
from rules.contract.units import EMPTY, Bitboard

ASLEEP = "asleep"
"""What every ruleset calls the condition of sleepers."""
WHOLE = ~EMPTY
"""In place of a bitboard: every space."""


def fogged(match: Match) -> bool:
    """Whether the fight has fog of war."""
    default = any(switch.default for switch in match.ruleset.switches if switch.name == "fog")
    return bool(match.record.options.get("fog", default))


class Eyes:
    """Who looks: `sides` whose knowledge is put together, or None for whoever sees all.

    `own` are the sides whose sealed plans are shown although everything else is; None = everybody's.
    """

    def __init__(self, match: Match, sides: Sequence[str] | None = None, own: Collection[str] | None = None) -> None:
        self.match = match
        self.sides: tuple[str, ...] | None = None
        self.own: frozenset[str] | None = None
        self._knowledge = match.history.knowledge
        self._fog = fogged(match)
        self.turn(sides, own)

    def turn(self, sides: Sequence[str] | None, own: Collection[str] | None = None) -> None:
        """Look with the eyes of others from now on."""
        self.sides = None if sides is None else tuple(sides)
        self.own = None if own is None else frozenset(own)

    def state(self, number: int = -1) -> State:
        """The state after a number of commands (-1: the present one), as it is known: what chances are counted by."""
        state = self._table(number)
        sealed = self.sides is None and self.own is not None
        return self.match.ruleset.sealed(state, *sorted(self.own or ())) if sealed else state

    def _table(self, number: int) -> State:
        """The same with what everybody means to do: a board also shows who has planned already."""
        state = self.match.history.moments[number].state
        return state if self.sides is None else self.match.ruleset.observe(state, *self.sides)

    def sight(self, number: int = -1) -> Sight | None:
        """The ground that is seen, and that was seen so far; None = all of it."""
        if self.sides is None:
            return None
        moments = self.match.history.moments
        states = [moment.state for moment in moments[: len(moments) if number == -1 else number + 1]]
        return self._knowledge.shared(self.sides, states)

    def known(self, number: int = -1) -> Bitboard:
        """Bitboard of the ground that is known; all bits set where everything is."""
        sight = self.sight(number)
        return WHOLE if sight is None else sight.ever

    def board(self, number: int = -1) -> Board:
        """The board as it is known: marks on the ground where they are seen, no sealed plans of others."""
        board = own_plans(self.match.history.board(self._table(number)), self.own)
        if board.due and self.own is not None:  # a wave is nobody's business but of those whose it is
            board = replace(board, due=tuple(each for each in board.due if each.mini.side in self.own))
        sight = self.sight(number)
        if sight is None:
            return board
        there, now = {mini.id for mini in board.miniatures}, sight.now
        ground = tuple(replace(mark, cells=mark.cells & now) for mark in board.ground if mark.cells & now)
        return replace(board, order=tuple(turn for turn in board.order if turn.id in there), ground=ground)

    def events(self, events: Iterable[Event]) -> list[Event]:
        """Those of the events that were witnessed, in order."""
        return [event for _, event in self.placed(events)]

    def placed(self, events: Iterable[Event], first: int = 0) -> list[tuple[int, Event]]:
        """The same, each with its place among all, counted from `first`.

        Somebody unseen who is alarmed isn't named as it wakes.
        """
        every = list(events)
        return [
            (place, event) for place, event in enumerate(every, first)
            if self.witnesses(event)
            and not (isinstance(event, Condition) and self._woke_unseen(event, every[place - first + 1 :][:1]))
        ]  # fmt: skip

    def _woke_unseen(self, event: Condition, after: Sequence[Event]) -> bool:
        """Whether somebody wakes of whom these sides are told next only as of somebody unseen."""
        if event.gained or event.condition != ASLEEP:
            return False
        return any(isinstance(e, Note) and e.by == event.target and not self.witnesses(e) for e in after)

    def witnesses(self, event: Event) -> bool:
        """Whether an event was seen; what another event tells whole is not told in part, too."""
        if self.sides is not None:
            seen = not event.seen_by or any(side in event.seen_by for side in self.sides)
            return seen and not any(side in event.whole_for for side in self.sides)
        if event.whole_for or self._fog or self.own is None or not event.seen_by:
            return not event.whole_for
        # what others found out for themselves: without fog nothing else is kept from anybody
        return not self.own.isdisjoint(event.seen_by)


def own_plans(board: Board, sides: Collection[str] | None) -> Board:
    """A board with nobody's sealed plans but those of these sides (None = everybody's): who means to look elsewhere

    is shown as it will.
    """
    if not board.plans:
        return board
    own = {mini.id for mini in board.miniatures if sides is None or mini.side in sides}
    plans = tuple(plan for plan in board.plans if plan.open or plan.id in own)
    turned = {plan.id: plan.facing for plan in plans if plan.facing is not None}
    minis = tuple(replace(mini, facing=turned[mini.id]) if mini.id in turned else mini
                  for mini in board.miniatures)  # fmt: skip
    return replace(board, plans=plans, miniatures=minis)


def possible(match: Match, decision: Decision, action: Action, sides: Sequence[str] = ()) -> Action | None:
    """As much of an action, legal by what `sides` (the decider's own) know, as the whole truth allows; None = nothing.

    Who stands unseen in the way stops a movement on the space before: the longest part of the path that is legal and
    meets nobody unseen is walked. This binds people and computers alike.
    """
    legal = match.legal(decision)
    clear = len(action.path)
    if action.path:
        rules, state = match.ruleset, match.state
        known = {mini.id for mini in rules.board(match.observe(*(sides or (decision.side,)))).miniatures}
        terrain, minis, unseen = rules.terrain(state), rules.board(state).miniatures, EMPTY
        wide = next((mini.size for mini in minis if mini.id == decision.by), 1)
        for mini in minis:
            if mini.id not in known and not mini.out:
                unseen |= terrain.footprint(mini.cell, mini.size)
        met = (n for n, cell in enumerate(action.path) if terrain.footprint(cell, wide) & unseen)
        clear = next(met, clear)
    for length in range(clear, 0, -1):
        part = replace(action, path=action.path[:length])
        if part in legal:
            return part
    return action if not action.path and action in legal else None


FALLEN = ("incapacitated", "dead")
GREAT = ("critical_hit", "legendary_hit")
"""Outcomes of attacks that stand out."""


class Mark(NamedTuple):
    """A blow on the scrubber."""

    at: int
    """After this many commands it is seen."""
    kind: str
    """`hit`, `critical` or `fall`."""
    side: str
    """Whose blow it was; of a fall, who fell."""
    text: str


class View(NamedTuple):
    """Whose view of a fight's past may be shown: these sides' together, or everything (None)."""

    label: str
    sides: tuple[str, ...] | None


def views_of_file(match: Match) -> list[View]:
    """The views of a saved fight: the players' sides first, and the game master's view of everything."""
    if not fogged(match):
        return [View("Everything", None)]
    played = {side for side, controller in Seats(match.record).creatures.values() if controller == "human"}
    sides = each_side(match)
    own = [view for view in sides if view.sides and view.sides[0] in played]
    return [*own, View("Everything", None), *(view for view in sides if view not in own)]


def each_side(match: Match) -> list[View]:
    """The view of each side by itself."""
    sides = dict.fromkeys(side for side, _ in Seats(match.record).creatures.values())
    return [View(listed_view((side,)), (side,)) for side in sides]


def listed_view(sides: tuple[str, ...]) -> str:
    """`Heroes and watch`."""
    return " and ".join(side.replace("_", " ") for side in sides).capitalize()


class Reel(NamedTuple):
    """A fight's past as it is to be shown: whose views there are, and what may be done from it."""

    views: Sequence[View]
    own: Collection[str]
    """The sides whose sealed plans are shown."""
    span: tuple[int, int] | None = None
    """The frames that are shown, at once and once; None: all, to look around in."""
    may_branch: Callable[[int], bool] = lambda frame: True
    """Whether one may play on from a frame."""
    play_on: Callable[[int | None], None] | None = None
    """Back to the fight that is being played, from a frame or as it stands (None); a saved one is opened instead."""


class Part(NamedTuple):
    """A part of an evening on the scrubber: a fight, the time after it, a room that was come to."""

    at: int
    kind: str
    """`fight`, `quiet` or `room`."""
    label: str


class Parting:
    """Cuts an evening into its parts, frame by frame."""

    def __init__(self, match: Match) -> None:
        self.field = match.field
        self.heroes = frozenset(str(c.get("id")) for c in match.record.creatures if c.get("side") == PARTY)
        self.fights = self.truces = 0
        self._rooms = set[str]()

    def take(self, frame: int, events: Iterable[Event]) -> list[Part]:
        """The parts that begin with what was seen in a frame."""
        found: list[Part] = []
        for event in events:
            if isinstance(event, Began) and event.what == "fight":
                self.fights += 1
                found.append(Part(frame, "fight", text("Fight {number}", self.fights)))
            elif isinstance(event, Began) and event.what == "truce":
                self.truces += 1
                found.append(Part(frame, "quiet", "Quiet"))
            elif isinstance(event, Moved) and event.path and self.field.rooms and event.by in self.heroes:
                cell = self.field.cell(*event.path[-1])
                room = next((room.name for room in self.field.rooms if room.cells >> cell & 1), "")
                if room and room not in self._rooms:
                    self._rooms.add(room)
                    found.append(Part(frame, "room", room))
        return found


class Film:
    """What was seen of a fight. `length` is the number of its commands; frame 0 is the start.

    `own` are the sides whose sealed plans it shows while the fight goes on; None = everybody's.
    """

    def __init__(self, match: Match, sides: Sequence[str] | None = None, own: Collection[str] | None = None) -> None:
        self.match = match
        self.length = match.history.length
        self.own = own if match.decision is not None else None
        self.eyes = Eyes(match, sides, self.own)
        self._ends = [moment.events for moment in match.history.moments]
        self._all = tuple(match.events)
        self.frames: list[int] = []
        """The frames that are shown: in fog only those in which something was seen to happen, and both ends."""
        self.turns: list[int] = []
        """Frames in which a turn of the whole table begins."""
        self.chances: list[int] = []
        """Frames in which somebody's chance begins."""
        self.marks: list[Mark] = []
        self.parts: list[Part] = []
        """The parts of an evening, where it has several: fights, the times between them, rooms that were come to."""
        self.turn(sides)

    def turn(self, sides: Sequence[str] | None) -> None:
        """Look with the eyes of others from now on; None = of whoever sees everything."""
        self.eyes.turn(sides, self.own)
        self.frames, self.turns, self.chances, self.marks, self.parts = [], [0], [0], [], []
        out: set[str] = set()
        names: dict[str, tuple[str, str]] = {}
        parting = Parting(self.match)
        for frame in range(self.length + 1):
            events = self.events(frame)
            if events or sides is None or frame in (0, self.length):
                self.frames.append(frame)
            self.parts += parting.take(frame, events)
            if not frame:
                continue
            if any(isinstance(event, Began) and event.what == "turn" for event in events):
                self.turns.append(frame)
            if any(isinstance(event, Chance) for event in events):
                self.chances.append(frame)
            if blows := [event for event in events if isinstance(event, Attack | Injury)]:
                if not {name for blow in blows for name in (blow.by, blow.target) if name} <= names.keys():
                    names |= {mini.id: (mini.name, mini.side) for mini in self.eyes.board(frame).miniatures}
                self.marks += _blows(blows, frame, names, out)
        if parting.fights and parting.truces:
            self.turns = sorted({*self.turns, *(part.at for part in self.parts)})
        elif not any(part.kind == "room" for part in self.parts):
            self.parts = []  # it is one fight, whatever came before it

    def events(self, frame: int) -> list[Event]:
        """What was seen to happen by the command that led to a frame (frame 0: at the start)."""
        first = self._ends[frame - 1] if frame else 0
        return self.eyes.events(self._all[first : self._ends[frame]])

    def neighbour(self, frames: Sequence[int], frame: int, by: int) -> int:
        """The nearest of some frames before (`by` < 0) or after a frame; else the film's first or last."""
        if by > 0:
            return next((f for f in frames if f > frame), self.length)
        return next((f for f in reversed(frames) if f < frame), 0)


def _blows(
    events: Sequence[Attack | Injury], frame: int, names: dict[str, tuple[str, str]], out: set[str]
) -> list[Mark]:
    """The marks of one command: hits, great hits, and who fell."""
    found: list[Mark] = []
    struck = False
    for event in events:
        target, side = names.get(event.target, ("", ""))
        by, doer = names.get(event.by or "", ("", side if isinstance(event, Injury) else ""))
        if isinstance(event, Attack):
            struck = True
            if event.margin >= 0:
                what = text(
                    "{by} on {target}: {what}, {damage}", by, target, event.outcome.replace("_", " "), event.damage
                )
                found.append(Mark(frame, "critical" if event.outcome in GREAT else "hit", doer, what))
            continue
        if event.amount and not struck:
            loss = text("{target} loses {amount}", target, event.amount)
            found.append(Mark(frame, "hit", doer, text("{by}: {loss}", by, loss) if by else loss))
        if event.status in FALLEN and event.target not in out:
            out.add(event.target)
            found.append(Mark(frame, "fall", side, text("{target} falls", target)))
        elif event.status not in FALLEN:
            out.discard(event.target)
    return found


def last_of_others(match: Match, own: Sequence[bool]) -> tuple[int, int]:
    """Frames (first, last) of the latest stretch that somebody else played; equal where there was none.

    `own[n]` says whether frame `n` was led to by a decision of whoever asks.
    """
    last = next((n for n in range(match.history.length, 0, -1) if not own[n]), 0)
    return next((n for n in range(last, 0, -1) if own[n]), 0), last
