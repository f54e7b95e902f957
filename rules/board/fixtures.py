"""What stands on a map for creatures to deal with: doors, and challenges (traps, chests, obstacles)."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum

import msgspec

from rules.contract.errors import BattlematError
from rules.contract.text import joined, text
from rules.contract.units import Cell


class DoorState(StrEnum):
    """How a door stands."""

    OPEN = "open"
    CLOSED = "closed"
    LOCKED = "locked"
    SECRET = "secret"
    BARRED = "barred"


DOOR_STATES = tuple(state.value for state in DoorState)
HELD_SHUT = (DoorState.LOCKED, DoorState.BARRED)
"""A hand alone does not open these."""


class Door(msgspec.Struct, frozen=True):
    """A door that fills the space `cell`, or a thin one on the edge between `cell` and `edge`."""

    id: str
    cell: Cell
    edge: Cell | None = None
    state: str = "closed"  # `open`, `closed`, `locked`, `secret` or `barred`: how it stands at the start
    key: str = ""
    difficulty: int = 9
    kind: str = "door"  # `door`, or `portcullis`: seen and shot through, and lifted rather than opened

    @property
    def called(self) -> str:
        """Its name in an error."""
        return text("door {id}", self.id)

    @property
    def along(self) -> tuple[tuple[Cell, Cell], ...]:
        """The edge that it stands on, if it is thin."""
        return ((self.cell, self.edge),) if self.edge is not None else ()

    def check(self, size: int) -> None:
        """Raises BattlematError for what cannot be on a map of so many spaces."""
        if not 0 <= self.cell < size:
            raise BattlematError("door {id}: space {cell} is not on the map", self.id, self.cell)
        if self.state not in DOOR_STATES:
            known, state = joined(", ", DOOR_STATES), repr(self.state)
            raise BattlematError("door {id}: unknown state {what}; known are {door_states}", self.id, state, known)
        if self.kind == PORTCULLIS and self.state not in door_states(self.kind):
            raise BattlematError("door {id}: a portcullis is open or closed, not {what}", self.id, self.state)
        if self.kind not in DOOR_KINDS:
            known, kind = joined(", ", DOOR_KINDS), repr(self.kind)
            raise BattlematError("door {id}: unknown kind {kind}; known are {door_kinds}", self.id, kind, known)

    @property
    def spaces(self) -> int:
        """Bitboard of the one space, or the two, that it belongs to."""
        return 1 << self.cell | (1 << self.edge if self.edge is not None else 0)


class Challenge(msgspec.Struct, frozen=True):
    """What a map puts in somebody's way; rulesets that know challenges play it, others leave it alone."""

    id: str
    kind: str  # `trap` or `chest`; `climb` (a face, a low wall), `water` (deep) or `rubble`: ground that no walk enters
    cells: tuple[Cell, ...]  # the spaces that it covers; of a `climb` on edges, those along it
    difficulty: int = 9  # what disarming or opening it has to reach
    notice: int = 9  # what seeing it in time, or finding it, has to reach
    damage: str = ""  # dice, such as `d6` or `2d4+1`
    effect: str = ""  # a condition that it leaves
    contents: str = ""
    hidden: bool = False
    known: tuple[str, ...] = ()  # sides that know of it from the start
    key: str = ""  # of a chest: what unlocks it
    look: str = ""  # of a chest: `body`, `hoard`, `shelf` …, how it is drawn and called; empty: a chest
    edges: tuple[tuple[Cell, Cell], ...] = ()
    """`climb` alone: the edges between two spaces that it runs along, where it fills no spaces."""
    height: int = 1  # `climb` alone: the levels that one may fall there; 0 = no farther than one's own length

    @property
    def called(self) -> str:
        """Its name in an error."""
        return text("{kind} {id}", self.kind, self.id)

    @property
    def along(self) -> tuple[tuple[Cell, Cell], ...]:
        """The edges that it runs along."""
        return self.edges

    def check(self, size: int) -> None:
        """Raises BattlematError for what cannot be on a map of so many spaces."""
        if self.kind not in CHALLENGES or not all(0 <= cell < size for cell in self.cells):
            raise BattlematError("{kind} {id}: needs a known kind and spaces on the map", self.kind, self.id)


CHALLENGES = ("trap", "chest", "climb", "water", "rubble")
OBSTACLES = ("climb", "water", "rubble")
"""Challenges that stand in the way as long as nobody has got past them."""
PORTCULLIS = "portcullis"
DOOR_KINDS = ("door", PORTCULLIS)


def open_doors(doors: Iterable[str]) -> int:
    """Which doors stand open, by how each stands: bit i for the i-th."""
    return sum(1 << i for i, stands in enumerate(doors) if stands == DoorState.OPEN)


def door_states(kind: str) -> tuple[str, ...]:
    """How a door of a kind may stand: everybody sees a portcullis, and only its weight keeps it shut."""
    return (DoorState.OPEN.value, DoorState.CLOSED.value) if kind == PORTCULLIS else DOOR_STATES
