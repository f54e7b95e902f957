"""What a ruleset inherits of the contract: what all answer alike (`Base`), what those with a setup do (`Numbered`), and
what follows from the kinds of action of a small one (`Small`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from copy import copy
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Literal, Protocol, Self, TypeVar

import msgspec

from rules.board.fixtures import open_doors
from rules.board.grid import Field, Terrain
from rules.board.left import Remains
from rules.board.sight import Lamp
from rules.contract.actions import Action, Decision, Description
from rules.contract.errors import BattlematError, IllegalActionError, RecordError
from rules.contract.events import Event
from rules.contract.ruleset import Answer, Call, LegalActions, Odds, Rest, Step, Switch, Tool, Traveller
from rules.contract.text import joined, ntext
from rules.contract.units import Bitboard, Cell, CreatureIx, numbered
from rules.core import dice as rng
from rules.core import visibility
from rules.core.action_kinds import ActionKind, KindActions
from rules.core.dice import Dice
from rules.core.validate import CreatureModel, on_map
from rules.core.visibility import Body


class Setup:
    """The part of what a fight never changes that all rulesets share."""

    field: Field
    index: dict[str, CreatureIx]  # id of each creature -> its number
    throws: tuple[int | None, ...] | None
    strict_throws: bool

    def with_throws(self, throws: tuple[int | None, ...] | None, strict: bool = True) -> Self:
        """The same setup with other scripted throws; None leaves every die to the seed."""
        other = copy(self)
        other.throws, other.strict_throws = throws, strict
        return other


B = TypeVar("B", bound=msgspec.Struct)
P = TypeVar("P", bound=Setup)
G = TypeVar("G", bound=msgspec.Struct)


class Resolving(Generic[B, P, G]):
    """The part of a ruleset's `Resolution` that all of them share: a state on its way to the next one.

    What stands in the state can be asked for and set here by the same name; it is taken over when it is first asked
    for, since most actions touch little of it.
    """

    kept: ClassVar[frozenset[str]]  # the fields of the state
    dice: Dice

    def __init__(self, state: B) -> None:
        self.state = state
        self.setup: P = state.setup  # type: ignore[attr-defined]
        self.figures: list[G] = list(state.figures)  # type: ignore[attr-defined]
        self.events: list[Event] = []

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> object:
            state = self.state
            if name == "dice":
                throws = state.setup.throws if state.rng is not None else None
                value = Dice(state.rng, throws, state.throw_at, strict=state.setup.strict_throws)
            else:
                value = getattr(state, name)
            self.__dict__[name] = value
            return value

    def done(self) -> B:
        """The new state."""
        own = self.__dict__
        names = self.kept.intersection(own)
        more = {name: tuple(had) if type(had := own[name]) is list else had for name in names}
        if "dice" in own:
            more["rng"], more["throw_at"] = self.dice.rng, self.dice.at
        return msgspec.structs.replace(self.state, **more)

    def change(self, who: CreatureIx, **changes: object) -> G:
        """Replace fields of a figure."""
        figure = msgspec.structs.replace(self.figures[who], **changes)
        self.figures[who] = figure
        return figure

    def space(self, cell: Cell) -> tuple[int, int]:
        """`(column, row)` of a cell, as events name it."""
        return self.setup.field.at(cell)


def step_of(
    before: object, resolution: Resolving[Any, Any, Any], bodies: Sequence[Body], glance: visibility.Glance[Any]
) -> Step:
    """The step that was worked out; with fog each event says who may see it (`rules.core.visibility.told`)."""
    after = resolution.done()
    if not after.setup.fog:
        return Step(after, tuple(resolution.events))
    return Step(*visibility.told(before, after, resolution.events, bodies, glance))


class Thrown(Protocol):
    """What every state has: ground, and a place in the dice."""

    @property
    def terrain(self) -> Terrain: ...
    @property
    def throw_at(self) -> int: ...


class Position(Thrown, Protocol):
    """What every state of a ruleset that numbers its creatures has."""

    @property
    def doors(self) -> tuple[str, ...]: ...
    @property
    def setup(self) -> Setup: ...


T = TypeVar("T", bound=Thrown)
S = TypeVar("S", bound=Position)


class Base(Generic[T]):
    """What a ruleset answers where it has nothing of its own to say: of every kind of state with dice in it."""

    id: str
    switches: tuple[Switch, ...] = ()
    tools: tuple[Tool, ...] = ()
    calls: tuple[Call, ...] = ()
    ratings: tuple[tuple[str, int], ...] = ()
    rests: tuple[Rest, ...] = ()
    fight_turn: Literal["turn", "round"] = "turn"
    turn_minutes: int = 1

    def use_tool(self, tool: str, option: str, dice: Dice, content: Mapping[str, Any]) -> Answer:
        raise BattlematError("tool: {id} has no {tool}", self.id, repr(tool))

    def onward(self, state: T, begun: T, names: Sequence[str], rest: str, seed: int) -> tuple[Traveller, ...]:
        raise BattlematError("{id} knows no chains of fights", self.id)

    def leave(self, state: T, minutes: int) -> Remains:
        raise BattlematError("{id} knows no expeditions", self.id)

    def reseeded(self, state: T, seed: int) -> T:
        return msgspec.structs.replace(state, rng=rng.seeded(seed), throws=None)  # type: ignore[type-var]

    def thrown(self, state: T) -> int:
        return state.throw_at

    def with_throws(self, state: T, throws: tuple[int | None, ...], strict: bool) -> T:
        return msgspec.structs.replace(state, throws=throws, strict=strict)  # type: ignore[type-var]

    def terrain(self, state: T) -> Terrain:
        return state.terrain

    def sealed(self, state: T, *sides: str) -> T:
        return state

    def area(self, state: T, action: Action) -> int:
        return 0

    def lamps(self, state: T) -> tuple[Lamp, ...]:
        return ()

    def spent(self, turns: int) -> str:
        return ntext(turns, "{n} turn", "{n} turns")

    def doors(self, state: T) -> tuple[str, ...]:
        return tuple(door.state for door in state.terrain.field.doors)

    def term(self, word: str) -> tuple[str, str] | None:
        return None


class Numbered(Base[S]):
    """The part of the contract that is the same for all rulesets with a setup and one state of the doors."""

    def reseeded(self, state: S, seed: int) -> S:
        setup = state.setup if state.setup.throws is None else state.setup.with_throws(None)
        return msgspec.structs.replace(state, setup=setup, rng=rng.seeded(seed))  # type: ignore[type-var]

    def with_throws(self, state: S, throws: tuple[int | None, ...], strict: bool) -> S:
        setup = state.setup.with_throws(throws, strict)
        return msgspec.structs.replace(state, setup=setup)  # type: ignore[type-var]

    def doors(self, state: S) -> tuple[str, ...]:
        return state.doors


class SmallState(Thrown, visibility.Peopled, Protocol):
    """What the state of a small ruleset has: a struct with `rng`, `throws` and `strict` besides."""

    @property
    def blocks(self) -> Sequence[Body]: ...
    @property
    def fog(self) -> bool: ...
    @property
    def turn(self) -> CreatureIx:
        """The number of whose turn it is."""

    @property
    def actor(self) -> str:
        """Its id."""

    def up(self) -> Sequence[CreatureIx]:
        """The numbers of those who can still take part and are on the board."""

    def changed(self, who: CreatureIx, **changes: int) -> Any:
        """The same with other fields of a figure; `cell` −1 is out of sight."""


W = TypeVar("W", bound=SmallState)


class Resolution(Generic[W]):
    """An action being resolved: the state so far, and what has happened."""

    def __init__(self, state: W) -> None:
        self.state = state
        self.events: list[Event] = []


class Small(Base[W]):
    """The part of the contract that follows from a small ruleset's kinds of action and its state."""

    kinds: Mapping[str, ActionKind[Any]]

    def legal(self, state: W, decision: Decision) -> LegalActions:
        return KindActions(state, self.kinds)

    def apply(self, state: W, decision: Decision, action: Action) -> Step:
        if reason := self.legal(state, decision).refusal(action):
            raise IllegalActionError(reason)
        resolution = Resolution(state)
        self.kinds[action.do].resolve(resolution, state.turn, action)
        after, events = resolution.state, tuple(resolution.events)
        if not state.fog:
            return Step(after, events)
        return Step(after, visibility.told_of(state, after, events, state.blocks, self._glance))

    def odds(self, state: W, action: Action) -> Odds | None:
        return self.kinds[action.do].odds(state, action)

    def area(self, state: W, action: Action) -> Bitboard:
        return self.kinds[action.do].area(state, action)

    def describe(self, state: W, action: Action) -> Description:
        return self.kinds[action.do].describe(state, action)

    def sees(self, state: W, side: str) -> Bitboard:
        eyes = (i for i in state.up() if state.blocks[i].side == side)
        return visibility.in_sight(state.terrain, (state.figures[i].cell for i in eyes))

    def _glance(self, state: W, side: str, wanted: Bitboard) -> Bitboard:
        return self.sees(state, side) & wanted

    def observe(self, state: W, *sides: str) -> W:
        seen, known = 0, state
        for side in sides:
            seen |= self.sees(state, side)
        for i, (block, figure) in numbered(zip(state.blocks, state.figures, strict=True)):
            if block.side not in sides and not (figure.cell >= 0 and seen >> figure.cell & 1):
                known = known.changed(i, cell=-1)
        return msgspec.structs.replace(known, rng=None, throws=None)  # type: ignore[type-var]


FIXTURES = "Keys, obstacles, treasure"
"""The label of the switch `fixtures`, which all rulesets have."""
HURDLES = "Rubble and gaps"
SLEEPERS = "Sleepers lie"
SLEEPERS_TOLD = "On an expedition a fight is over after two turns in which nobody strikes, if all its foes sleep."
HURDLES_TOLD = "Rubble bars the way until it is cleared, and gaps are leapt; with keys, obstacles, treasure."
"""The switch `hurdles`, where a ruleset has not always had them."""


def options_of(ruleset: str, defaults: Mapping[str, bool], given: Mapping[str, Any]) -> dict[str, bool]:
    """All switches of a record. Raises RecordError for one that the ruleset has not, or that is no switch."""
    options = dict(defaults)
    for name, value in given.items():
        if name not in defaults:
            wrong = "options: {name} is no option of {ruleset}; there are {defaults}"
            raise RecordError(wrong, repr(name), ruleset, joined(", ", defaults))
        if not isinstance(value, bool):
            raise RecordError("options.{name}: needs true or false, got {value}", name, repr(value))
        options[name] = value
    return options


def check_ids(blocks: Sequence[CreatureModel], sides: Collection[str] = ()) -> None:
    """Raises RecordError where two creatures share an id, or one has the game master's or one of these `sides`'."""
    seen: dict[str, int] = {}
    for i, block in enumerate(blocks):
        if block.id in seen:
            wrong = "creatures[{i}]: id {id} is taken by creatures[{seen}]; ids differ"
            raise RecordError(wrong, i, repr(block.id), seen[block.id])
        if block.id in sides:
            raise RecordError("creatures[{i}]: id {id} is kept for the side of that name", i, repr(block.id))
        if block.id == "gm":
            raise RecordError("creatures[{i}]: id 'gm' is kept for the game master", i)
        seen[block.id] = i


def told_apart(names: Sequence[str]) -> tuple[str, ...]:
    """The same names, those that several have with a number behind: five Goblins are `Goblin 1` to `Goblin 5`."""
    taken, count = set(names), dict.fromkeys(names, 0)
    found = []
    for name in names:
        if names.count(name) > 1:
            count[name] += 1
            while f"{name} {count[name]}" in taken:
                count[name] += 1
            name = f"{name} {count[name]}"
            taken.add(name)
        found.append(name)
    return tuple(found)


def doors_at_first(field: Field) -> tuple[tuple[str, ...], Terrain]:
    """How each door of the map stands, and the ground with those open that are."""
    doors = tuple(door.state for door in field.doors)
    return doors, field.terrain(open_doors(doors))


_PLACE = "at"
"""The field of a stat block with a creature's space."""


def place_creature(
    field: Field, terrain: Terrain, where: str, at: tuple[int, int], space: int, *,
    who: str = "", others: Iterable[tuple[str, Cell, int]] = (),
) -> Cell:  # fmt: skip
    """The cell of a creature so many spaces wide. Raises RecordError where nobody can stand, or where one of the
    `others` (id, cell, space) does; whoever takes no space since an earlier evening or comes later, `who` or another,
    stands in nobody's way."""
    (column, row), cell = at, on_map(field, at, joined(": ", (where, _PLACE)))
    if field.left.aside(who):
        return cell
    if not field.inside(column + space - 1, row + space - 1) or not terrain.fits(cell, space):
        wrong = "{where}: at: nobody can stand on [{column}, {row}]; a free space is needed"
        raise RecordError(wrong, where, column, row)
    if field.awaited(who):
        return cell
    own = terrain.footprint(cell, space)
    for name, there, size in others:
        if terrain.footprint(there, size) & own and not field.left.aside(name) and not field.awaited(name):
            raise taken(where, at, name)
    return cell


def taken(where: str, at: tuple[int, int], by: str) -> RecordError:
    """The refusal of a space on which somebody stands."""
    return RecordError("{where}: at: [{at}, {at2}] is taken by {by}", where, at[0], at[1], by)


def at_most(where: str, name: str, given: int | None, top: int) -> int:
    """What a pool begins with: all of it unless said otherwise. Raises RecordError above the maximum."""
    if given is not None and given > top:
        raise RecordError("{where}: {name}: {given} is above the maximum of {top}", where, name, given, top)
    return top if given is None else given
