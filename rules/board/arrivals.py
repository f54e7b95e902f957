"""Waves: who comes into a fight later, when and where (docs/record.md Waves). Data alone: rules/explore/arriving.py
has them come."""

from __future__ import annotations

from enum import StrEnum

import msgspec

from rules.contract.units import NOWHERE, Cell


class Cause(StrEnum):
    """What makes a wave come."""

    TURN = "turn"
    NOISE = "noise"
    DOOR = "door"


class Arrival(msgspec.Struct, frozen=True):
    """A wave: creatures of the encounter that aren't there yet."""

    who: tuple[str, ...]  # ids, in the order in which they come in
    cells: tuple[Cell, ...]  # where each of them comes in, or as near as there is room
    cause: Cause
    turn: int = 0  # `TURN`: the turn with whose beginning it comes; else so many turns after what called it
    door: int = -1  # `DOOR`: the number of the door among the field's
    name: str = ""  # what it is called on screen
    sudden: bool = False  # it comes in just there, even where its foes look

    def cell_of(self, name: str) -> Cell:
        """Where somebody of it comes in; `NOWHERE` for who isn't of it."""
        return self.cells[self.who.index(name)] if name in self.who else NOWHERE
