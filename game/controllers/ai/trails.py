"""Where creatures stood of late, as far as they have done nothing but walk since: who goes back there dithers.

What a side remembers of its own ways follows from its decisions alone: it is the same whether they were made here or
are taken in later, and what is asked of a past position is answered as it was then.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from rules.board.grid import Field
from rules.contract.ruleset import State
from rules.contract.units import EMPTY, NOWHERE, Bitboard, Cell


class Stand(NamedTuple):
    """One decision of a creature."""

    known: State
    """What its side knew then …"""
    fresh: State
    """… and before anybody of it had planned, where whole sides do."""
    turn: int
    cell: Cell
    """Where it stood."""
    walking: bool
    """Whether it had begun its chance elsewhere, and done nothing in it but walk."""
    acted: bool
    """Whether it did something to somebody or something, not just walk or wait."""
    sought: Cell = NOWHERE
    """Where it searched, if it did."""
    place: int = -1
    """Which of its side's decisions this is; found by `Trails.note`."""


class Moment(NamedTuple):
    """A position, nobody having planned in it yet, its turn, and where somebody stands in it."""

    fresh: State
    turn: int
    here: Cell


class Trails:
    """What one side remembers of its own ways in one fight."""

    def __init__(self) -> None:
        self._field: Field | None = None
        self._turn = 0
        self._noted = 0
        self.stands: dict[str, list[Stand]] = {}

    def note(self, creature: str, stand: Stand, field: Field) -> None:
        """Take in a decision, or what it came to after all; another fight starts with no trails."""
        if self._field is not field or stand.turn < self._turn:
            self._field, self.stands, self._noted = field, {}, 0
        self._turn = stand.turn
        stands = self.stands.setdefault(creature, [])
        if stands and stands[-1].cell == stand.cell and stands[-1].known == stand.known:
            place = stands.pop().place
        else:
            place, self._noted = self._noted, self._noted + 1
        stands.append(stand._replace(place=place))

    def until(self, creature: str, moment: Moment, *, now: bool = True) -> Trail:
        """What was behind a creature's side at a moment; `now` is false for the beginning of a chance that it is
        having."""
        stands = self.stands.get(creature, [])
        past = next((n for n, stand in enumerate(stands) if _is_at(stand, moment)), len(stands))
        before = stands[past].place if past < len(stands) else self._noted
        while not now and past and stands[past - 1].walking:
            past -= 1
        return Trail(self, stands[:past], moment, before)


def _is_at(stand: Stand, moment: Moment) -> bool:
    return stand.turn == moment.turn and stand.cell == moment.here and bool(stand.fresh == moment.fresh)


class Trail:
    """What is behind a creature and its side at one moment."""

    def __init__(self, trails: Trails, own: Sequence[Stand], moment: Moment, before: int) -> None:
        self._trails, self._own, self._moment, self._before = trails, own, moment, before

    def left(self, many: int) -> Bitboard:
        """The last spaces that it has left, `many` at most; none from before it last did anything but walk."""
        cells = EMPTY
        for stand in reversed(self._own):
            if stand.acted or cells.bit_count() == many:
                break
            if stand.cell != self._moment.here:
                cells |= 1 << stand.cell
        return cells

    def stays(self, friend: str, cell: Cell, many: int) -> bool:
        """Whether a friend who stands on a space has decided to stay there at each of its last `many` chances."""
        found = 0
        for stand in reversed(self._trails.stands.get(friend, ())):
            if stand.place < self._before and not stand.walking:
                if stand.cell != cell:
                    return False
                found += 1
                if found == many:
                    return True
        return False

    def sought(self) -> Bitboard:
        """The spaces on which its side has searched, before whatever it plans together now."""
        cells = EMPTY
        for stands in self._trails.stands.values():
            for stand in stands:
                if stand.sought >= 0 and stand.place < self._before and stand.fresh != self._moment.fresh:
                    cells |= 1 << stand.sought
        return cells


NO_TRAIL = Trail(Trails(), (), Moment(None, 0, NOWHERE), 0)
"""Nothing is behind anybody: of whoever nothing is remembered."""
