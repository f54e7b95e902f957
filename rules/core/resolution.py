"""What is being resolved, in every ruleset: a mutable copy of the figures, the dice in hand, the events so far."""

from __future__ import annotations

from typing import Generic, Protocol, TypeVar

import msgspec

from rules.board.grid import Field
from rules.contract.events import Event
from rules.core.dice import Dice


class Placed(Protocol):
    """What doesn't change in a fight."""

    @property
    def field(self) -> Field: ...


S = TypeVar("S", bound=Placed)
F = TypeVar("F", bound=msgspec.Struct)


class Resolving(Generic[S, F]):
    """The part of a ruleset's `Resolution` that all of them share."""

    __slots__ = ()

    setup: S
    figures: list[F]
    dice: Dice
    events: list[Event]

    def change(self, who: int, **changes: object) -> F:
        """Replace fields of a figure."""
        figure = msgspec.structs.replace(self.figures[who], **changes)
        self.figures[who] = figure
        return figure

    def space(self, cell: int) -> tuple[int, int]:
        """`(column, row)` of a cell, as events name it."""
        return self.setup.field.at(cell)
