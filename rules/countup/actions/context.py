"""A creature's situation while it decides, and what an order is to a window (countup.md §1 DECLARE)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from rules.board.grid import Terrain
from rules.board.path import Reach, reach
from rules.contract.actions import Action
from rules.core.action_kinds import ActionKind, Face
from rules.countup.combat.reach import in_contact
from rules.countup.state import CountState, Figure, Order, in_hand, present
from rules.countup.visibility import sees

AHEAD = 8
"""Spaces that are thought of at once: a way is offered for as many whole seconds as that takes."""


class Context:
    """A creature's situation while it decides, read once."""

    def __init__(self, state: CountState, who: int) -> None:
        self.state = state
        self.setup = state.setup
        self.who = who
        self.being = state.setup.beings[who]
        self.figure: Figure = state.figures[who]
        self.order: Order = self._order()
        self.terrain: Terrain = state.terrain

    @property
    def actor(self) -> str:
        return self.being.id

    def _order(self) -> Order:
        order = self.figure.order
        return order if order is not None and not order.done else Order()

    @property
    def place(self) -> int:
        """Where it will stand after the movement it has ordered."""
        return self.order.path[-1] if self.order.path else self.figure.cell

    @property
    def weapon(self) -> str:
        return in_hand(self.setup, self.who, self.figure)

    def names(self) -> list[str]:
        """What it can strike with as it is."""
        if self.being.sequence:
            return [self.weapon]
        held = [self.figure.hand] if self.figure.hand else []
        return [*held, *(w.name for w in self.being.natural)] or ["unarmed"]

    def crowd(self) -> int:
        """Bitboard of all others whom its side sees: the way leads around them. In fog nobody knows of the rest; who
        stands unseen in the way stops a movement on the space before."""
        board, side = 0, self.being.side
        hidden = self.setup.fog and not self.state.viewer
        seen = sees(self.state, side) if hidden else 0
        for i, other in enumerate(self.state.figures):
            if i == self.who or not present(other):
                continue
            spaces = self.terrain.footprint(other.cell, self.setup.beings[i].space)
            if not hidden or self.setup.beings[i].side == side or spaces & seen:
                board |= spaces
        return board

    def ways(self, limit: int = AHEAD) -> Reach:
        return reach(self.terrain, self.figure.cell, limit, size=self.being.space, blocked=self.crowd())

    def others(self) -> Iterator[int]:
        for i, other in enumerate(self.state.figures):
            if i != self.who and present(other):
                yield i

    def foes(self) -> Iterator[str]:
        """The ids of everybody of another side on the board."""
        for other in self.others():
            if self.setup.beings[other].side != self.being.side:
                yield self.setup.beings[other].id

    def find(self, name: str | None) -> int | None:
        """The number of a creature on the board by its id, or None."""
        who = self.setup.index.get(name or "")
        return who if who is not None and present(self.state.figures[who]) else None

    def engaged(self) -> bool:
        """Whether somebody whom it has met still reaches it, or is reached."""
        return any(in_contact(self.state, self.who, other) for other in self.figure.contacts)

    def action_open(self) -> str | None:
        if self.order.action is not None:
            return f"{self.order.action.do} is ordered already (order anew, by clear, to change it)"
        return None

    def begun(self) -> bool:
        """Whether anything is ordered that may be taken back."""
        return bool(self.order.path or self.order.action or self.order.facing >= 0)

    def name(self, cell: int) -> str:
        column, row = self.terrain.field.at(cell)
        return f"[{column}, {row}]"


class Intent(Protocol):
    """One kind of thing to order."""

    face: Face

    def refusal(self, context: Context, action: Action) -> str | None: ...

    def instances(self, context: Context) -> Iterator[Action]: ...

    def why_not(self, context: Context) -> str | None: ...


class Act(ActionKind[Context]):
    """What takes the one action of an order, and nothing else."""

    def why_not(self, context: Context) -> str | None:
        return context.action_open()
