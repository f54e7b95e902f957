"""Where creatures stood of late, as far as they have done nothing but walk since: who goes back there dithers.

What a side remembers of its own ways follows from its decisions alone: it is the same whether they were made here or
are taken in later, and what is asked of a past position is answered as it was then.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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
    place: int = -1
    """Which of its side's decisions this is; found by `Trails.note`."""


class Trails:
    """What one side remembers of its own ways in one fight."""

    def __init__(self) -> None:
        self._field: Field | None = None
        self._turn = 0
        self._noted = 0
        self._stands: dict[str, list[Stand]] = {}

    def note(self, creature: str, stand: Stand, field: Field, turn: int) -> None:
        """Take in a decision, or what it came to after all; another fight starts with no trails."""
        if self._field is not field or turn < self._turn:
            self._field, self._stands, self._noted = field, {}, 0
        self._turn = turn
        stands = self._stands.setdefault(creature, [])
        if stands and stands[-1].known == stand.known:
            place = stands.pop().place
        else:
            place, self._noted = self._noted, self._noted + 1
        stands.append(stand._replace(place=place))

    def left(self, creature: str, fresh: State, here: Cell, many: int, *, begun: bool = False) -> Bitboard:
        """The last spaces that a creature had left, `many` of them at most, when it stood on `here` in a position in
        which nobody had planned yet; none from before it last did anything but walk.

        `begun`: that position is the one in which the chance began that it is having.
        """
        stands = self._stands.get(creature)
        if not stands:
            return EMPTY
        past = _before(stands, fresh)
        while begun and past and stands[past - 1].walking:
            past -= 1
        cells = EMPTY
        for stand in reversed(stands[:past]):
            if stand.acted or cells.bit_count() == many:
                break
            if stand.cell != here:
                cells |= 1 << stand.cell
        return cells

    def idle(self, creature: str, fresh: State, friends: Mapping[str, Cell], many: int) -> frozenset[str]:
        """Those friends of a creature (and where they are) who had decided to stay there at each of their last `many`
        chances, when it stood in a position in which nobody had planned yet."""
        own = self._stands.get(creature, [])
        past = _before(own, fresh)
        now = own[past].place if past < len(own) else self._noted
        return frozenset(name for name, cell in friends.items() if self._stays(name, cell, now, many))

    def _stays(self, creature: str, cell: Cell, before: int, many: int) -> bool:
        stands = self._stands.get(creature, [])
        last = [stand.cell for stand in stands if stand.place < before and not stand.walking][-many:]
        return len(last) == many and last.count(cell) == many


def _before(stands: Sequence[Stand], fresh: State) -> int:
    """How many of a creature's decisions were made before a position."""
    return next((n for n, stand in enumerate(stands) if stand.fresh == fresh), len(stands))
