"""The contract that every ruleset fulfils (rules.core.registry knows which there are).

The core never asks whose turn it is; it asks which decisions are open. Only actions flow in, only states and
events flow out. States are immutable values; the dice to come are an integer inside them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

import msgspec

from rules.board.grid import Field, Terrain
from rules.board.left import Remains
from rules.contract.actions import Action, Adjustment, Decision, Offer
from rules.contract.events import Event, Roll
from rules.contract.units import Bitboard, Cell
from rules.core.dice import Dice


class Tool(msgspec.Struct, frozen=True):
    """One thing to ask for. `options` are the ways to ask for it, word and label; empty = there is only one."""

    name: str
    label: str
    text: str  # one sentence: what it is for
    rule: str
    options: tuple[tuple[str, str], ...] = ()


class Call(msgspec.Struct, frozen=True):
    """A roll that the game master may call for at any time in a fight: it becomes a command of the record, by `gm`."""

    do: str
    label: str
    text: str  # one sentence: what it is
    rule: str
    words: tuple[str, ...]  # the skills and stats that it may be made with
    rated: bool = False  # it is made against a rating
    opposed: bool = False  # somebody else resists it


class Creation(msgspec.Struct, frozen=True):
    """A creature that was made: its stat block without id, side and place, and how it differs from its like."""

    label: str
    block: Mapping[str, Any]


class Answer(msgspec.Struct, frozen=True):
    """What came of it: a sentence, the dice, and the creatures of which one may be taken."""

    told: str
    rolls: tuple[Roll, ...]
    creatures: tuple[Creation, ...] = ()


NO_REST = "none"
"""Straight on from one fight to the next, under any rules."""


class Rest(msgspec.Struct, frozen=True):
    """A way to rest between two fights of a chain."""

    word: str
    label: str
    text: str  # one sentence: what it gives
    rule: str = ""


class Traveller(msgspec.Struct, frozen=True):
    """Somebody on the way from one fight to the next."""

    id: str
    kept: Mapping[str, Any]  # what lasts of it, in its ruleset's own words
    fate: str = ""  # why it can't take part: `dead`, `down` or `gone`; empty: it goes on
    life: int = 0  # what is left of all that keeps it in a fight
    most: int = 0


PARTY = "heroes"
"""The side of the players' characters (record.md)."""


class Scenario(msgspec.Struct, frozen=True):
    """A fight before its first throw.

    `creatures` are stat blocks as plain data (templates already merged in, `at` as `[column, row]`); the ruleset
    validates them. `content` holds its tables (weapons, armor, shields …) as plain data. `throws` are the faces
    of physical dice in order, `None` where the seed throws that die.
    """

    ruleset: str
    field: Field
    creatures: tuple[Mapping[str, Any], ...]
    seed: int = 0
    throws: tuple[int | None, ...] | None = None
    options: Mapping[str, Any] = {}
    content: Mapping[str, Any] = {}
    carried: Mapping[str, Mapping[str, Any]] = {}
    """Id -> how somebody came out of the last fight of a chain, in the ruleset's own words."""
    absent: tuple[str, ...] = ()
    """Ids of those of the party who could not come on from it."""


State = Any
"""A ruleset's own immutable state; opaque outside its folder."""


class Step(NamedTuple):
    """A new state and what happened on the way to it."""

    state: State
    events: tuple[Event, ...]


class LegalActions(Protocol):
    """The one source of legality for the HUD, the AI and `apply`: lazy, cheap to test, in stable order."""

    def __iter__(self) -> Iterator[Action]:
        """Every legal action; for movements one canonical action (cheapest path) per space reached."""

    def __contains__(self, action: object) -> bool:
        """True for any legal action, canonical or not (any legal path)."""

    def refusal(self, action: Action) -> str | None:
        """Why an action is illegal now and what would be legal, in one line; None if it is legal."""

    def offers(self) -> tuple[Offer, ...]:
        """The HUD's buttons, illegal ones with their reason: decisions of a kind have the same, in the same order."""

    def worded(self, do: str) -> Iterator[Action]:
        """The legal ones of a word: nothing else is looked at; none for a word that isn't of this decision."""

    def moves(self, do: str) -> Mapping[Cell, Action]:
        """For a movement: cell -> canonical action ending there; empty for anything else."""


class Share(msgspec.Struct, frozen=True):
    """What one creature has to expect of an action that works on several: its part of the `Odds`."""

    id: str
    hit: float
    damage: tuple[tuple[int, float], ...] = ()
    mean: float = 0.0
    drop: float = 0.0
    stun: float = 0.0
    healing: float = 0.0


class Odds(msgspec.Struct, frozen=True):
    """Exact odds of an attack (or of any action with dice): never sampled.

    Probabilities are exact sums over the dice, given as floats; they decide nothing in the rules.
    """

    hit: float  # chance of hitting (of success)
    outcomes: tuple[tuple[str, float], ...]  # chance of each named outcome, best for the attacker first; they sum to 1
    damage: tuple[tuple[int, float], ...] = ()
    """Chance of each damage sustained by the target, ascending, misses counted as 0."""
    mean: float = 0.0  # mean damage sustained
    drop: float = 0.0  # chance to drop the target (leave it unable to fight)
    stun: float = 0.0
    adjustments: tuple[Adjustment, ...] = ()
    attack_dice: str = ""
    defense_dice: str = ""
    notes: tuple[tuple[str, str], ...] = ()  # further (text, rule) lines of the attack card
    healing: float = 0.0  # mean hit points given back
    targets: tuple[Share, ...] = ()
    """Each creature in the way of something that may strike several, or one; empty for a plain blow. With several,
    `damage` is empty, `mean` adds up the foes', and `drop` is how many foes it drops on average."""
    along: tuple[tuple[Cell, float], ...] = ()
    """For each space of a way the chance that it has failed by then: (cell, chance); empty where nothing threatens."""


class Switch(msgspec.Struct, frozen=True):
    """An optional rule that a record's `options` may turn on or off: what set-up windows offer."""

    name: str
    label: str
    text: str  # one sentence: what it changes
    default: bool = False  # how it stands where a record says nothing
    fresh: bool = False  # how it stands in a new fight that nobody has said anything about


class Ruleset(Protocol):
    """A system of rules: which decisions are open, what may be done with which chances, and what comes of it."""

    id: str
    title: str
    stat_block: type[Any]
    """The pydantic model of a creature; its JSON schema, of which forms are made, names what may be chosen."""
    switches: tuple[Switch, ...]  # the optional rules, in the order in which they are offered
    tools: tuple[Tool, ...]  # what can be thrown or made up outside of fights, in the order in which it is offered
    calls: tuple[Call, ...]  # what the game master may call for at any time in a fight: commands by `gm`
    ratings: tuple[tuple[str, int], ...]  # names of the ratings that a call may be made against, with their numbers
    rests: tuple[Rest, ...]  # ways to rest between two fights of a chain, the shortest first; `NO_REST` is none of them

    def start(self, scenario: Scenario) -> Step:
        """Place everybody and run up to the first decision. Raises RecordError for what cannot be placed."""

    def decisions(self, state: State) -> tuple[Decision, ...]:
        """The decisions open now, in stable order; empty = the fight is over."""

    def legal(self, state: State, decision: Decision) -> LegalActions:
        """What may be done at a decision: the only source of legality."""

    def apply(self, state: State, decision: Decision, action: Action) -> Step:
        """Resolve an action. Raises IllegalActionError with the reason; the state is never half changed."""

    def odds(self, state: State, action: Action) -> Odds | None:
        """Exact odds of an action with dice; None for one without."""

    def area(self, state: State, action: Action) -> Bitboard:
        """Bitboard of the spaces that an action works on, to be shown before; 0 for none (a plain blow)."""

    def terrain(self, state: State) -> Terrain:
        """The ground as it is now, doors included."""

    def observe(self, state: State, *sides: str) -> State:
        """What these sides know, put together: the unseen is gone from it, and no dice to come are in it."""

    def sealed(self, state: State, *sides: str) -> State:
        """The whole truth but what others than these sides mean to do and haven't shown: for tables without fog."""

    def onward(self, state: State, begun: State, names: Sequence[str], rest: str, seed: int) -> tuple[Traveller, ...]:
        """How these go on from a fight that is over, and that stood as `begun` at first, after a rest. Raises
        BattlematError for a rest that is none of `rests`, nor `NO_REST`."""

    def leave(self, state: State, minutes: int) -> Remains:
        """What is left of the place of an expedition, so many minutes after the party has gone. Raises BattlematError
        for a state of anything else."""

    def reseeded(self, state: State, seed: int) -> State:
        """The same position with other dice to come, those of `seed`; scripted throws to come are forgotten."""

    def thrown(self, state: State) -> int:
        """How many dice were thrown in the fight so far: the place of the next one in a list of throws."""

    def with_throws(self, state: State, throws: tuple[int | None, ...], strict: bool) -> State:
        """With these throws for the whole fight (None = by the seed); `strict`: ThrowNeeded for a die beyond them."""

    def use_tool(self, tool: str, option: str, dice: Dice, content: Mapping[str, Any]) -> Answer:
        """Throw for a tool by the ruleset's tables. Raises BattlematError for one that there is not."""
