"""A small ruleset out of a table of kinds of action: one creature decides at a time, and the state is its situation.

What is left to such a ruleset is its state, its kinds, how a fight begins, who decides, and what windows show.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Generic, Protocol, TypeVar

import msgspec

from rules.board.grid import Terrain
from rules.contract.actions import Action, Decision, Description
from rules.contract.errors import IllegalActionError
from rules.contract.events import Event
from rules.contract.ruleset import LegalActions, Odds, Step
from rules.core import visibility
from rules.core.action_kinds import ActionKind, KindActions
from rules.core.base_ruleset import Base
from rules.core.visibility import Body, Figure


class SmallState(Protocol):
    """What the state of a small ruleset has: a struct with `rng`, `throws` and `strict` besides."""

    @property
    def blocks(self) -> Sequence[Body]: ...
    @property
    def figures(self) -> Sequence[Figure]: ...
    @property
    def terrain(self) -> Terrain: ...
    @property
    def throw_at(self) -> int: ...
    @property
    def fog(self) -> bool: ...
    @property
    def turn(self) -> int:
        """The number of whose turn it is."""

    @property
    def actor(self) -> str:
        """Its id."""

    def up(self) -> Sequence[int]:
        """The numbers of those who can still take part and are on the board."""

    def changed(self, who: int, **changes: int) -> Any:
        """The same with other fields of a figure; `cell` −1 is out of sight."""


S = TypeVar("S", bound=SmallState)


class Resolution(Generic[S]):
    """An action being resolved: the state so far, and what has happened."""

    def __init__(self, state: S) -> None:
        self.state = state
        self.events: list[Event] = []


class Small(Base[S]):
    """The part of the contract that follows from a small ruleset's kinds of action and its state."""

    kinds: Mapping[str, ActionKind[Any]]

    def legal(self, state: S, decision: Decision) -> LegalActions:
        return KindActions(state, self.kinds)

    def apply(self, state: S, decision: Decision, action: Action) -> Step:
        if reason := self.legal(state, decision).refusal(action):
            raise IllegalActionError(reason)
        resolution = Resolution(state)
        self.kinds[action.do].resolve(resolution, state.turn, action)
        after, events = resolution.state, tuple(resolution.events)
        if not state.fog:
            return Step(after, events)
        return Step(after, visibility.told_of(state, after, events, state.blocks, self.sees))

    def odds(self, state: S, action: Action) -> Odds | None:
        return self.kinds[action.do].odds(state, action)

    def area(self, state: S, action: Action) -> int:
        return self.kinds[action.do].area(state, action)

    def describe(self, state: S, action: Action) -> Description:
        return self.kinds[action.do].describe(state, action)

    def sees(self, state: S, side: str) -> int:
        eyes = (i for i in state.up() if state.blocks[i].side == side)
        return visibility.in_sight(state.terrain, (state.figures[i].cell for i in eyes))

    def observe(self, state: S, *sides: str) -> S:
        seen, known = 0, state
        for side in sides:
            seen |= self.sees(state, side)
        for i, (block, figure) in enumerate(zip(state.blocks, state.figures, strict=True)):
            if block.side not in sides and not (figure.cell >= 0 and seen >> figure.cell & 1):
                known = known.changed(i, cell=-1)
        return msgspec.structs.replace(known, rng=None, throws=None)  # type: ignore[type-var]
