"""The hand of the game master: what may be done to a fight or an exploration beside the rules, as commands of a record.

Such a command is given `by` the `GAME_MASTER`, whoever has a decision open, and leaves that open where it still makes
sense. Every event that it brings is marked (`Event.hand`); what the rules make of the new state is theirs again.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Any, Protocol

import msgspec

from rules.contract.actions import Action
from rules.contract.ruleset import State, Step
from rules.contract.units import EMPTY, Bitboard, Cell

GAME_MASTER = "game master"
"""Who gives such a command (`by`), and for whose eyes alone its hidden events are (`seen_by`)."""
HIDDEN = "hidden"
"""In a command's `item`: dice and notes that are the game master's alone."""


class Deed(StrEnum):
    """What the game master's hand does: the word of the command, and what it needs."""

    ADD = "add"  # creature: the stat block of somebody new, with id, side and `at`
    REMOVE = "remove"  # target: off the board, and out of everything
    MOVE = "move"  # target, at
    SET = "set"  # target, option: the pool's name, rating: what it has from now on
    GIVE = "give"  # target, option: a condition, rating: how long, in the rules' own time (left out: until it is ended)
    TAKE = "take"  # target, option: a condition
    RAISE = "raise"  # target, rating: hit points (left out: all), at: where, if not where it lies
    SIDE = "side"  # target, option: the side on which it is from now on
    PLAYER = "player"  # target, option: `human` or `ai`
    DOOR = "door"  # target: the door's name, option: how it stands from now on
    REVEAL = "reveal"  # target: who hides, or a secret's name; or path: ground; option: the side (left out: all)
    CHECK = "check"  # target, option: with what, rating: what it must reach
    DICE = "dice"  # option: `2d6+1`, item: `hidden` where the others are not told
    NOTE = "note"  # at, option: the words (left out: the note goes), item: `hidden` where it is the game master's alone


class Pool(msgspec.Struct, frozen=True):
    """Something of a creature that has a number: what may be set, and between which bounds."""

    name: str
    label: str
    now: int
    least: int
    most: int


class Trial(msgspec.Struct, frozen=True):
    """A check that somebody may be called to: with what, and the ratings that make sense."""

    name: str
    label: str
    least: int
    most: int
    usual: int


class Lain(msgspec.Struct, frozen=True, gc=False):
    """A note that lies on a space; `hidden`: it is the game master's alone."""

    cell: Cell
    words: str
    hidden: bool = False


class Kept(msgspec.Struct, frozen=True, gc=False):
    """What a state remembers of the game master's hand that is no part of the rules."""

    notes: tuple[Lain, ...] = ()
    shown: tuple[tuple[str, Bitboard], ...] = ()  # side -> the ground that was shown to it

    def shown_to(self, side: str) -> Bitboard:
        """The ground that was shown to a side."""
        return next((cells for name, cells in self.shown if name == side), EMPTY)


NOTHING = Kept()


class Hand(Protocol):
    """What a ruleset answers about the game master's hand."""

    def refusal(self, state: State, action: Action) -> str | None:
        """Why a command makes no sense now, in one line with what would be right; None if it may be given."""

    def apply(self, state: State, action: Action) -> Step:
        """Carry a command out, and go on by the rules. Raises IllegalActionError with the reason."""

    def describe(self, action: Action) -> str:
        """What is done, in a word or two, for lists of commands."""

    def pools(self, state: State, creature: str) -> tuple[Pool, ...]:
        """What of a creature may be set; empty for nobody's id."""

    def conditions(self, state: State, creature: str) -> tuple[tuple[str, bool], ...]:
        """The conditions that may be given or taken, each with whether the creature has it."""

    def trials(self, state: State, creature: str) -> tuple[Trial, ...]:
        """The checks that a creature may be called to."""

    def hidden(self, state: State) -> tuple[tuple[str, str], ...]:
        """What could be revealed: (target, what it is)."""

    def roster(self, state: State) -> tuple[tuple[str, str, str], ...]:
        """Everybody: (id, side, controller), as it is now."""

    def kept(self, state: State) -> Kept:
        """Notes on spaces, and ground that was shown."""

    def stat_block(self, entry: Any) -> None:
        """Raises RecordError for what is no stat block of these rules."""
