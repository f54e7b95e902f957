"""Where creatures stood of late, as far as they have done nothing but walk since: who goes back there dithers.

What a side remembers of its own ways follows from its decisions alone: it is the same whether they were made here or
are taken in later, and what is asked of a past position is answered as it was then.
"""

from __future__ import annotations

from typing import NamedTuple

from rules.board.grid import Field
from rules.contract.ruleset import State
from rules.contract.units import EMPTY, Bitboard, Cell


class Stand(NamedTuple):
    """One decision of a creature."""

    known: State
    """What its side knew then …"""
    fresh: State
    """… and before anybody of it had planned, where whole sides do."""
    cell: Cell
    walking: bool
    """Whether it had begun its chance elsewhere, and done nothing in it but walk."""
    acted: bool
    """Whether it did anything but walk or wait."""


class Trails:
    """What one side remembers of its own ways in one fight."""

    def __init__(self) -> None:
        self._field: Field | None = None
        self._turn = 0
        self._stands: dict[str, list[Stand]] = {}

    def note(self, creature: str, stand: Stand, field: Field, turn: int) -> None:
        """Take in a decision, or what it came to after all; another fight starts with no trails."""
        if self._field is not field or turn < self._turn:
            self._field, self._stands = field, {}
        self._turn = turn
        stands = self._stands.setdefault(creature, [])
        if stands and stands[-1].known == stand.known:
            stands.pop()
        stands.append(stand)

    def left(self, creature: str, fresh: State, here: Cell, many: int, *, begun: bool = False) -> Bitboard:
        """The last spaces that a creature had left, `many` of them at most, when it stood on `here` in a position in
        which nobody had planned yet; none from before it last did anything but walk.

        `begun`: that position is the one in which the chance began that it is having.
        """
        stands = self._stands.get(creature)
        if not stands:
            return EMPTY
        past = next((n for n, stand in enumerate(stands) if stand.fresh == fresh), len(stands))
        while begun and past and stands[past - 1].walking:
            past -= 1
        cells = EMPTY
        for stand in reversed(stands[:past]):
            if stand.acted or cells.bit_count() == many:
                break
            if stand.cell != here:
                cells |= 1 << stand.cell
        return cells
