"""Goals other than killing: how each stands, judged by who stands where, who has fallen, who has left with what.

A map's goals (`rules.board.fixtures.Goal`) belong to a side. What a ruleset keeps of them is one value, `Aims`; what it
supplies are its creatures as `Piece`s and three moments of its own (`Keeper`). On a map without goals and prisoners
there are no aims, and nothing here is asked.

Prisoners are part of it: somebody bound stands on the board, but takes no part in anything until it is freed.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from enum import StrEnum
from typing import Any, Protocol, TypeVar

import msgspec

from rules.board.bitboard import board_of
from rules.board.fixtures import Door, DoorState, Goal, GoalKind
from rules.board.grid import Field, Terrain
from rules.board.left import Fate
from rules.contract.actions import Action, Description, Offer
from rules.contract.display import Badge, Board, Miniature, Task
from rules.contract.errors import RecordError
from rules.contract.events import Challenge as Opened
from rules.contract.events import Door as DoorTold
from rules.contract.events import Event, Freed, Item, Left, Over
from rules.contract.events import Goal as Told
from rules.contract.ruleset import PARTY, LegalActions
from rules.contract.text import Creature, ntext, text
from rules.contract.units import NOWHERE, Bitboard, Cell, CreatureIx
from rules.core.action_kinds import Face
from rules.core.secrets import Stands as Fixture
from rules.explore.position import Changing, Position
from rules.explore.state import Ending

FREE, LEAVE = "free", "leave"
"""Words of the two deeds that only maps with goals or prisoners know."""
NOT_HELD = -1
_SHUT = (DoorState.CLOSED, DoorState.LOCKED, DoorState.BARRED)
_ENDED: Mapping[str, tuple[str, ...]] = {
    "open": (Fixture.OPEN, Fixture.SORTED), "disarmed": (Fixture.DISARMED,), "cleared": (Fixture.CLEARED,),
    "broken": (Fixture.OPEN, Fixture.SPRUNG, Fixture.CLEARED),
}  # fmt: skip
"""How a challenge must stand to have come to such an end."""
_USUAL = {"trap": "disarmed", "chest": "open"}


class Stands(StrEnum):
    """How a goal stands."""

    OPEN = "open"
    DONE = "done"
    FAILED = "failed"


OPEN, DONE, FAILED = Stands.OPEN, Stands.DONE, Stands.FAILED


class Aims(msgspec.Struct, frozen=True, gc=False):
    """What a state remembers of the goals of its map, and of prisoners."""

    stands: tuple[Stands, ...] = ()  # of each of the field's goals
    held: tuple[int, ...] = ()  # of each, for how many rounds its spaces were held; `NOT_HELD`: they are not
    clock: int = 0  # the round up to which these are counted
    away: int = 0  # bit i: creature i has left by an exit
    bound: tuple[tuple[CreatureIx, Cell], ...] = ()  # prisoners, and where they stand
    has: tuple[int, ...] = ()  # of each `fetch`, the number of who was last known to take the thing; −1 = nobody

    @property
    def out(self) -> int:
        """Bit i: creature i takes no part, for it has left or is bound."""
        return self.away | sum(1 << who for who, _ in self.bound)

    @property
    def spaces(self) -> Bitboard:
        """Bitboard of the spaces where prisoners stand."""
        return board_of(cell for _, cell in self.bound)


class Piece(msgspec.Struct, frozen=True, gc=False):
    """A creature as goals see it."""

    id: str
    side: str
    cells: Bitboard  # the spaces that it covers; none where it is not on the board
    up: bool  # can act
    dead: bool  # will never go anywhere again
    fallen: bool  # dead, or out of the fight by its wounds
    carries: tuple[str, ...] = ()


class Moment(msgspec.Struct, frozen=True):
    """All that decides how goals stand."""

    pieces: Sequence[Piece]
    doors: Sequence[str]
    challenges: Sequence[str]  # as `Played` ones stand; empty where a ruleset knows none
    clock: int  # rounds so far
    fighting: bool  # it has come to blows
    floor: Sequence[str] = ()  # what lies about
    events: Sequence[Event] = ()  # since it was judged last


# -- judging -----------------------------------------------------------------------------------------------


def judge(field: Field, aims: Aims, at: Moment) -> Aims:
    """How the goals stand now."""
    aims = msgspec.structs.replace(aims, has=_taken(field, aims, at))
    stands, held = list(aims.stands), list(aims.held)
    passed = max(0, at.clock - aims.clock)
    names = {goal.name: number for number, goal in enumerate(field.goals)}
    for _ in field.goals:  # one that is done may open the way for another
        before = list(stands)
        for number, goal in enumerate(field.goals):
            if stands[number] is not OPEN:
                continue
            ready = all(stands[names[need]] is DONE for need in goal.needs)
            if any(stands[names[need]] is FAILED for need in goal.needs):
                stands[number] = FAILED
            elif goal.kind == GoalKind.HOLD:
                kept = ready and _held(goal, at.pieces)
                held[number] = NOT_HELD if not kept else 0 if held[number] == NOT_HELD else held[number] + passed
                stands[number] = DONE if held[number] >= goal.rounds else OPEN
            else:
                stands[number] = _stands(field, aims, goal, at, ready=ready)
        passed = 0
        if stands == before:
            break
    return msgspec.structs.replace(aims, stands=tuple(stands), held=tuple(held), clock=at.clock)


def _held(goal: Goal, pieces: Sequence[Piece]) -> bool:
    cells = board_of(goal.cells)
    there = [piece.side == goal.side for piece in pieces if piece.up and piece.cells & cells]
    return bool(there) and all(there)


def _stands(field: Field, aims: Aims, goal: Goal, at: Moment, *, ready: bool) -> Stands:
    own = [(who, piece) for who, piece in enumerate(at.pieces) if piece.side == goal.side]
    match goal.kind:
        case GoalKind.REACH:
            done = any(piece.up and piece.cells & board_of(goal.cells) for _, piece in own)
        case GoalKind.UNSEEN:
            if at.fighting and any(piece.up and piece.side != goal.side for piece in at.pieces):
                return FAILED
            ways = board_of(goal.cells) or field.exits
            done = any((piece.up and piece.cells & ways) or aims.away >> who & 1 for who, piece in own)
        case GoalKind.FETCH:
            taker = aims.has[next(i for i, each in enumerate(field.goals) if each is goal)]
            done = any(aims.away >> who & 1 and (taker == who or goal.what in piece.carries) for who, piece in own)
        case GoalKind.OUT:
            alive = [who for who, piece in own if not piece.dead and not _is_bound(aims, who)]
            done = bool(alive) and all(aims.away >> who & 1 for who in alive)
        case GoalKind.FREE:
            prisoner = next((who for who, piece in enumerate(at.pieces) if piece.id == goal.what), None)
            if prisoner is None or at.pieces[prisoner].dead:
                return FAILED
            done = not _is_bound(aims, prisoner)
        case _:
            return _ended(field, aims, goal, at, ready=ready)
    return DONE if ready and done else OPEN


def _taken(field: Field, aims: Aims, at: Moment) -> tuple[int, ...]:
    """Who has the things that are to be carried out, as far as events tell: out of a chest, or off the floor. What a
    ruleset counts among somebody's belongings it knows by itself."""
    ids = {piece.id: who for who, piece in enumerate(at.pieces)}
    found = []
    for goal, has in zip(field.goals, aims.has, strict=True):
        for event in at.events if goal.kind == GoalKind.FETCH else ():
            match event:
                case Item(item=goal.what):
                    has = ids.get(event.by, -1) if event.how == "picked_up" else -1 if event.how in _LOST else has
                case Opened(contents=contents, by=by) if goal.what in _listed(contents):
                    has = -1 if goal.what in at.floor else ids.get(by, -1)
        found.append(has)
    return tuple(found)


_LOST = ("dropped", "thrown", "broken", "spent")


def _listed(contents: str) -> list[str]:
    return [word.strip() for word in contents.split(",")]


def _is_bound(aims: Aims, who: int) -> bool:
    return any(prisoner == who for prisoner, _ in aims.bound)


def _ended(field: Field, aims: Aims, goal: Goal, at: Moment, *, ready: bool) -> Stands:
    """Whether a creature has fallen, or a fixture stands as it should."""
    who = next((who for who, piece in enumerate(at.pieces) if piece.id == goal.what), None)
    if who is not None:
        if aims.away >> who & 1:
            return FAILED  # it got away
        return DONE if ready and at.pieces[who].fallen else OPEN
    for number, door in enumerate(field.doors):
        if door.id == goal.what:
            return DONE if ready and _door_so(door, at.doors[number], goal.state, at.events) else OPEN
    for number, one in enumerate(field.challenges):
        if one.id == goal.what and at.challenges:
            wanted = goal.state or _USUAL.get(one.kind, "cleared")
            return DONE if ready and at.challenges[number] in _ENDED.get(wanted, ()) else OPEN
    return OPEN


def _door_so(door: Door, stands: str, wanted: str, events: Sequence[Event]) -> bool:
    if wanted == "closed":
        return stands in _SHUT
    if wanted == "broken":
        return any(isinstance(e, DoorTold) and e.door == door.id and e.state == "broken" for e in events)
    return stands == DoorState.OPEN


def winner(field: Field, aims: Aims, pieces: Sequence[Piece]) -> str | None:
    """The side whose evening is won: all that has to be done is, and it has left by an exit, where there is one."""
    for side in dict.fromkeys(goal.side for goal in field.goals):
        if not achieved(field, aims, side):
            continue
        left = any(aims.away >> who & 1 for who, piece in enumerate(pieces) if piece.side == side)
        still = any(piece.side == side and piece.up and piece.cells for piece in pieces)
        if not field.exits or (left and not still):
            return side
    return None


def achieved(field: Field, aims: Aims, side: str) -> bool:
    """Whether a side has done all that it had to do; a side with nothing but what it may leave has not."""
    pairs = zip(field.goals, aims.stands, strict=True)
    needed = [stands is DONE for goal, stands in pairs if goal.side == side and not goal.optional]
    return bool(needed) and all(needed)


# -- kept by a ruleset -------------------------------------------------------------------------------------


class At(Position, Protocol):
    """A ruleset's state, or its resolution under way, as far as goals ask."""

    @property
    def aims(self) -> Aims | None: ...


class Resolving(Changing, At, Protocol):
    """A ruleset's action being resolved."""

    aims: Aims | None


F = TypeVar("F", bound=msgspec.Struct)


class Keeper(Protocol):
    """What a ruleset says of its own creatures and its own time where goals are kept."""

    def moment(self, at: Any) -> Moment:
        """Its creatures, doors and time as they are."""

    def bodies(self, at: Any) -> Sequence[Any]:
        """What never changes about the creatures: id, name, side, space."""

    def spend(self, resolution: Any, who: CreatureIx, what: str) -> None:
        """What freeing somebody or leaving takes of somebody's time; who leaves is off the board by then."""

    def depart(self, resolution: Any, who: CreatureIx) -> None:
        """Somebody is off the board from now on."""

    def join(self, resolution: Any, who: CreatureIx, cell: Cell) -> None:
        """Somebody who was bound stands on the board from now on."""

    def end(self, resolution: Any, side: str) -> None:
        """It is over, whatever was going on."""

    def over(self, at: Any) -> bool:
        """Whether it is over by the ruleset's own ends."""

    def hindered(self, state: Any, who: CreatureIx, what: str) -> str | None:
        """Why somebody may neither free anybody nor leave now, by its own rules; None if it may."""

    def price(self, state: Any, what: str) -> str | None:
        """What freeing somebody takes, told as its other actions are now; None for what the button says itself."""


def begun(field: Field, blocks: Sequence[Any], cells: Sequence[Cell]) -> Aims | None:
    """The aims at the start; None where there is nothing to be kept. Raises RecordError for a goal about nobody."""
    bound = tuple((CreatureIx(i), cell) for i, (b, cell) in enumerate(zip(blocks, cells, strict=True)) if b.prisoner)
    if not field.goals and not bound:
        return None
    ids, stands = [block.id for block in blocks], tuple(Stands(each or OPEN) for each in field.left.goals)
    stands = stands or (OPEN,) * len(field.goals)
    gone = sum(1 << who for who, name in enumerate(ids) if field.left.fate(name) == Fate.GONE)
    things = [*(door.id for door in field.doors), *(one.id for one in field.challenges)]
    prisoners = [ids[who] for who, _ in bound]
    for goal, stood in zip(field.goals, stands, strict=True):
        if stood is not OPEN:
            continue  # it was settled on an earlier evening
        if goal.kind == GoalKind.END and goal.what not in (*ids, *things):
            raise RecordError("goal {name}: nothing and nobody here is called {what}", goal.name, repr(goal.what))
        freed = bool(field.left.goals) and goal.what in ids  # before what the goal needs was done
        if goal.kind == GoalKind.FREE and goal.what not in prisoners and not freed:
            raise RecordError("goal {name}: no prisoner is called {what}", goal.name, repr(goal.what))
        if goal.kind in (GoalKind.FETCH, GoalKind.OUT) and not field.exits:
            raise RecordError("goal {name}: the map has no exit to leave by", goal.name)
    count = len(field.goals)
    return Aims(stands, (NOT_HELD,) * count, away=gone, bound=bound, has=(-1,) * count)


def about(field: Field, ids: Container[str]) -> Field:
    """A drawn map without the goals about creatures that are not among `ids`, or about an exit that there is none of:
    whoever plays on it with foes of their own, or on one level of a place, has other business there (ours)."""
    things = {*(door.id for door in field.doors), *(one.id for one in field.challenges)}
    kept = [
        goal for goal in field.goals
        if goal.kind not in (GoalKind.END, GoalKind.FREE) or goal.what in ids or goal.what in things
        if field.exits or goal.kind not in (GoalKind.FETCH, GoalKind.OUT)
    ]  # fmt: skip
    if len(kept) == len(field.goals):
        return field
    names = {goal.name for goal in kept}
    goals = tuple(
        msgspec.structs.replace(goal, needs=tuple(need for need in goal.needs if need in names)) for goal in kept
    )
    return msgspec.structs.replace(field, goals=goals)


def placed(field: Field, blocks: Sequence[Any], figures: Sequence[F]) -> tuple[Aims | None, tuple[F, ...]]:
    """The aims at the start, and the figures with those who are bound, or come later, off the board. Raises RecordError
    as `begun`."""
    aims = begun(field, blocks, [figure.cell for figure in figures])  # type: ignore[attr-defined]
    off = {who for who, _ in aims.bound} if aims is not None else set()
    if field.left.again:
        off |= {CreatureIx(who) for who, block in enumerate(blocks) if field.left.fate(block.id) == Fate.GONE}
    if field.arrivals:
        off |= {CreatureIx(who) for who, block in enumerate(blocks) if field.awaited(block.id)}
    return aims, tuple(msgspec.structs.replace(f, cell=NOWHERE) if i in off else f for i, f in enumerate(figures))


def follow(resolution: Any, keeper: Keeper) -> None:
    """After an action: judge, tell what has changed, and end an evening that is won. Call it where there are aims."""
    aims, field = resolution.aims, resolution.setup.field
    slipped = next((e for e in resolution.events if isinstance(e, Over) and e.because in LEFT), None)
    moment = keeper.moment(resolution)
    if slipped is not None:  # all who could walk stood on an exit, or the expedition was given up
        parted = slipped.because == Ending.GAVE_UP
        own = ((i, p) for i, p in enumerate(moment.pieces) if p.side == PARTY and p.up)
        gone = sum(1 << i for i, p in own if not parted or p.cells & field.exits)
        aims = msgspec.structs.replace(aims, away=aims.away | gone)
    now = judge(field, aims, msgspec.structs.replace(moment, events=tuple(resolution.events)))
    news = [told(goal, after) for goal, before, after in zip(field.goals, aims.stands, now.stands, strict=True)
            if before is not after]  # fmt: skip
    resolution.aims = now
    over = next((i for i, event in enumerate(resolution.events) if isinstance(event, Over)), None)
    if over is None:
        resolution.events += news
    else:
        resolution.events[over:over] = news
    side = winner(field, now, moment.pieces) if field.goals else None
    if side is None or slipped is not None:
        return
    if over is None and not keeper.over(resolution):
        keeper.end(resolution, side)
        resolution.events.append(Over(winner=side, because=Ending.GOALS))
    elif over is not None:
        resolution.winner = side
        resolution.events = [Over(winner=side, because=Ending.GOALS) if isinstance(e, Over) else e
                             for e in resolution.events]  # fmt: skip


LEFT = (Ending.SLIPPED_PAST, Ending.OUT_AGAIN, Ending.GAVE_UP)
"""Why it is over where the party has left an exploration, without a fight or after some, or has given up."""


def told(goal: Goal, stands: Stands) -> Told:
    """The event of a goal that stands otherwise from now on: its own side's."""
    return Told(goal=goal.name, state=stands.value, kind=goal.kind, side=goal.side, seen_by=(goal.side,))


# -- the two deeds -----------------------------------------------------------------------------------------

FACES: Mapping[str, Face] = {
    FREE: Face("Free", "Act", "all that is left", "creature", "help", "f", "somebody bound beside one"),
    LEAVE: Face("Leave", "Act", "for good", "none", "door", "shift+q", "by an exit, with all that one carries"),
}


class Deeds:
    """A decision's legal actions with the two deeds among them: somebody bound is freed, an exit is taken."""

    def __init__(self, inner: LegalActions, state: Any, actor: str, keeper: Keeper, *, leaving: bool) -> None:
        self.inner, self.state, self.keeper, self.actor = inner, state, keeper, actor
        self.words = (FREE, LEAVE) if leaving and state.setup.field.exits else (FREE,)

    def __iter__(self) -> Iterator[Action]:
        yield from self.inner
        for word in self.words:
            yield from self.instances(word)

    def instances(self, word: str) -> Iterator[Action]:
        """The legal ones of one of the two."""
        state, bodies = self.state, self.keeper.bodies(self.state)
        targets = [bodies[who].id for who, _ in state.aims.bound] if word == FREE else [None]
        for target in targets:
            action = Action(self.actor, word, target=target)
            if self._why_not(action) is None:
                yield action

    def __contains__(self, action: object) -> bool:
        return isinstance(action, Action) and self.refusal(action) is None

    def refusal(self, action: Action) -> str | None:
        """Why an action is illegal now and what would be legal, in one line."""
        if action.do not in self.words:
            return self.inner.refusal(action)
        if action.by != self.actor:
            return text("by: {actor} decides now, not {by}", self.actor, action.by)
        return self._why_not(action)

    def _why_not(self, action: Action) -> str | None:
        state, keeper = self.state, self.keeper
        who = state.setup.index[self.actor]
        body, figure = keeper.bodies(state)[who], state.figures[who]
        reason = keeper.hindered(state, who, action.do)
        if reason is not None:
            return reason
        here = state.terrain.footprint(figure.cell, body.space)
        if action.do == LEAVE:
            return None if here & state.setup.field.exits else text("{name} does not stand at an exit", body.name)
        place = next((cell for i, cell in state.aims.bound if keeper.bodies(state)[i].id == action.target), None)
        if place is None:
            return text("target: nobody bound is called {target}", repr(action.target))
        near = state.terrain.distance(figure.cell, place, body.space, 1) <= 1
        return None if near else text("target: {target} is not adjacent", action.target or "")

    def worded(self, do: str) -> Iterator[Action]:
        return self.instances(do) if do in self.words else self.inner.worded(do)

    def moves(self, do: str) -> Mapping[Cell, Action]:
        return {} if do in self.words else self.inner.moves(do)

    def offers(self) -> tuple[Offer, ...]:
        """The buttons of both after the others; that of freeing only where somebody is bound."""
        own = []
        for word in self.words:
            actions = tuple(self.instances(word))
            if word == FREE and not self.state.aims.bound and not actions:
                continue
            who = self.state.setup.index[self.actor]
            hindered = self.keeper.hindered(self.state, who, word)
            refused = None if actions else hindered or _NOWHERE[word]
            own.append(Offer(word, describe(word, self.keeper.price(self.state, word)), actions, refused))
        return (*self.inner.offers(), *own)


def meant(legal: LegalActions, action: Action) -> bool:
    """Whether an action is one of the two deeds at this decision."""
    return isinstance(legal, Deeds) and action.do in legal.words


def deed(aims: Aims | None, action: Action, *, exploring: bool = False) -> bool:
    """Whether an action's button is that of one of the two deeds."""
    return aims is not None and (action.do == FREE or (action.do == LEAVE and not exploring))


_NOWHERE = {FREE: "nobody bound is beside one", LEAVE: "no exit is here"}


def describe(do: str, price: str | None) -> Description:
    """The button of one of the two deeds, by what its ruleset says that it takes (`Keeper.price`)."""
    return FACES[do].described(price, rank=2)


def carry_out(resolution: Any, keeper: Keeper, action: Action) -> None:
    """Do one of the two deeds: a legal one."""
    setup, aims = resolution.setup, resolution.aims
    who = setup.index[action.by]
    if action.do == LEAVE:
        resolution.events.append(Left(by=action.by, at=resolution.space(resolution.figures[who].cell)))
        keeper.depart(resolution, who)
        resolution.aims = msgspec.structs.replace(aims, away=aims.away | 1 << who)
    else:
        target = setup.index[action.target or ""]
        cell = next(cell for prisoner, cell in aims.bound if prisoner == target)
        bound = tuple(each for each in aims.bound if each[0] != target)
        resolution.aims = msgspec.structs.replace(aims, bound=bound)
        keeper.join(resolution, target, cell)
        resolution.events.append(Freed(by=action.by, target=action.target or ""))
    keeper.spend(resolution, who, action.do)


# -- what is shown of it -----------------------------------------------------------------------------------


def known(aims: Aims, sides: Sequence[str], field: Field, seen: int) -> Aims:
    """The aims as some sides know them: no prisoner whom they don't see, and nothing of others' goals."""
    bound = tuple((who, cell) for who, cell in aims.bound if seen >> cell & 1)
    own = [goal.side in sides for goal in field.goals]
    stands = tuple(stands if mine else OPEN for stands, mine in zip(aims.stands, own, strict=True))
    held = tuple(count if mine else NOT_HELD for count, mine in zip(aims.held, own, strict=True))
    return msgspec.structs.replace(aims, bound=bound, stands=stands, held=held)


def label(goal: Goal, named: Callable[[str], str]) -> str:
    """What a goal is called: in the map's own words, or by its kind."""
    if goal.text:
        return goal.text
    match goal.kind:
        case GoalKind.FETCH:
            return text("Carry out: {what}", goal.what)
        case GoalKind.FREE:
            return text("Free {name}", named(goal.what))
        case GoalKind.END:
            return text("Put an end to {name}", named(goal.what))
        case GoalKind.HOLD:
            return ntext(goal.rounds, "Hold the marked ground for {n} round", "Hold the marked ground for {n} rounds")
        case GoalKind.REACH:
            return "Get to the marked spaces"
        case GoalKind.UNSEEN:
            return "Get there unseen" if goal.cells else "Get away unseen"
        case _:
            return "Get everybody out"


def tasks(state: Any, bodies: Sequence[Any]) -> tuple[Task, ...]:
    """The goals as the sides that look know them, with how far each has got."""
    aims, field = state.aims, state.setup.field
    sides = state.viewer.split("+") if state.viewer else None
    names = {body.id: Creature(body.name, body.id) for body in bodies}
    standing = dict(zip((goal.name for goal in field.goals), aims.stands, strict=True))
    found = []
    for goal, stands, held in zip(field.goals, aims.stands, aims.held, strict=True):
        if sides is not None and goal.side not in sides:
            continue
        waits = stands is OPEN and any(standing[need] is not DONE for need in goal.needs)
        found.append(Task(
            goal.name, label(goal, lambda name: names.get(name, name)), stands.value, goal.side, kind=goal.kind,
            optional=goal.optional, cells=board_of(goal.cells), waits=waits, done=max(0, held), of=goal.rounds,
        ))  # fmt: skip
    return tuple(found)


_BOUND = Badge("bound", "Bound", "A prisoner: takes no part in anything until somebody beside it frees it.")


def is_bound(mini: Miniature) -> bool:
    """Whether a miniature is a prisoner still."""
    return _BOUND in mini.badges


def shown(board: Board, state: Any, bodies: Sequence[Any], mini: Callable[[Any, CreatureIx], Miniature]) -> Board:
    """The board with goals and prisoners on it."""
    extra = []
    for who, cell in state.aims.bound:
        piece = mini(state, who)
        extra.append(msgspec.structs.replace(piece, cell=cell, badges=(*piece.badges, _BOUND), active=False))
    return msgspec.structs.replace(board, miniatures=(*board.miniatures, *extra), goals=tasks(state, bodies))


def summary(state: Any, *, over: str | None) -> dict[str, Any]:
    """What `battlemat replay --state` adds: each goal with how it stands; who won by them; who is bound, who left."""
    aims, setup = state.aims, state.setup
    ids = {who: name for name, who in setup.index.items()}
    rows = [
        {"name": goal.name, "kind": goal.kind, "side": goal.side, "state": stands.value,
         **({"optional": True} if goal.optional else {}), **({"held": max(0, held)} if goal.rounds else {})}
        for goal, stands, held in zip(setup.field.goals, aims.stands, aims.held, strict=True)
    ]  # fmt: skip
    told: dict[str, Any] = {"goals": rows} if rows else {}
    if rows and over is not None:
        sides = dict.fromkeys(goal.side for goal in setup.field.goals)
        told["achieved"] = [side for side in sides if achieved(setup.field, aims, side)]
    if aims.bound:
        told["bound"] = [ids[who] for who, _ in aims.bound]
    if aims.away:
        told["left"] = [name for who, name in sorted(ids.items()) if aims.away >> who & 1]
    return told


_SAID: Mapping[str, str] = {DONE: "Goal reached: {goal}.", FAILED: "Goal lost: {goal}."}


def tell(state: Any, bodies: Sequence[Any], event: Event) -> str | None:
    """An event of goals and prisoners in words; None for any other."""
    if not isinstance(event, (Told, Freed, Left, Over)):
        return None
    names = {body.id: Creature(body.name, body.id) for body in bodies}
    match event:
        case Over(because=Ending.GOALS):
            return "All that had to be done is done."
        case Told():
            goal = next((each for each in state.setup.field.goals if each.name == event.goal), None)
            if goal is None or event.state not in _SAID:
                return ""
            return text(_SAID[event.state], label(goal, lambda name: names.get(name, name)))
        case Freed():
            return text("{by} frees {target}.", names[event.by], names[event.target])
        case Left():
            return text("{by} leaves by the exit.", names[event.by])
        case _:
            return None


def refuge(terrain: Terrain, cell: Cell, taken: Bitboard) -> Cell:
    """The free space nearest to where a prisoner stood bound."""
    width = terrain.field.width
    free = terrain.steps().fit & ~taken
    if free >> cell & 1 or not free:
        return cell
    column, row = terrain.field.at(cell)
    spaces = (Cell(i) for i in range(width * terrain.field.height) if free >> i & 1)
    return min(spaces, key=lambda c: (max(abs(c % width - column), abs(c // width - row)), c))
