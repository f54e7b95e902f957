"""What a map has for creatures to deal with: doors, challenges (traps, chests, obstacles), and what is to be done."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import StrEnum
from functools import lru_cache

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
    look: str = ""  # of a chest: how it is drawn, one of LOOKS; empty: a chest
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


class GoalKind(StrEnum):
    """What is to be done."""

    REACH = "reach"  # one of the side stands on its spaces
    FETCH = "fetch"  # a thing is carried out by an exit
    FREE = "free"  # a prisoner is unbound
    HOLD = "hold"  # the side keeps its spaces for so many rounds on end
    END = "end"  # a creature falls, or a fixture stands so in the end
    UNSEEN = "unseen"  # one of the side gets to its spaces (none: away) before any foe has noticed the side
    OUT = "out"  # all of the side who live leave


GOAL_KINDS = tuple(kind.value for kind in GoalKind)
ENDINGS = ("open", "closed", "broken", "disarmed", "cleared")
"""How a fixture may have to stand in the end."""


class Goal(msgspec.Struct, frozen=True):
    """Something to be done on a map beside killing, by one side."""

    name: str
    kind: str  # a `GoalKind`
    what: str = ""  # `fetch`: an item's name; `free`: a creature's id; `end`: a creature's id, a door or a challenge
    cells: tuple[Cell, ...] = ()  # where it counts: `reach`, `hold`, `unseen`
    rounds: int = 0  # `hold` alone
    text: str = ""  # what it is called on screen; empty: by its kind
    optional: bool = False  # an evening is won without it
    needs: tuple[str, ...] = ()  # names of goals that must be done before this one counts
    side: str = "heroes"  # whose it is
    state: str = ""  # `end` of a fixture: one of `ENDINGS`; empty: a door open, a trap disarmed, an obstacle cleared

    @property
    def called(self) -> str:
        """Its name in an error."""
        return text("goal {name}", self.name)

    def check(self, size: int) -> None:
        """Raises BattlematError for what nobody could do on a map of so many spaces."""
        if self.kind not in GOAL_KINDS:
            known, kind = joined(", ", GOAL_KINDS), repr(self.kind)
            raise BattlematError("goal {name}: unknown kind {kind}; known are {goal_kinds}", self.name, kind, known)
        if not all(0 <= cell < size for cell in self.cells):
            raise BattlematError("goal {name}: its spaces must be on the map", self.name)
        if self.kind in _WHERE and not self.cells:
            raise BattlematError("goal {name}: {kind} needs spaces where it counts", self.name, self.kind)
        if self.kind in _WHAT and not self.what:
            raise BattlematError("goal {name}: {kind} needs `what`: whom, or which thing", self.name, self.kind)
        if self.kind == GoalKind.HOLD and self.rounds < 1:
            raise BattlematError("goal {name}: hold needs `rounds`, 1 or more", self.name)
        if self.state and self.state not in ENDINGS:
            known, state = joined(", ", ENDINGS), repr(self.state)
            raise BattlematError("goal {name}: unknown state {what}; known are {endings}", self.name, state, known)


_WHERE = (GoalKind.REACH, GoalKind.HOLD)
_WHAT = (GoalKind.FETCH, GoalKind.FREE, GoalKind.END)


def check_goals(goals: Iterable[Goal], size: int) -> None:
    """Raises BattlematError where one is none, or two share a name."""
    goals = tuple(goals)
    names = [goal.name for goal in goals]
    for number, goal in enumerate(goals):
        goal.check(size)
        if goal.name in names[:number]:
            raise BattlematError("goal {name}: there are two of this name; give each its own", goal.name)


def check_needs(goals: Sequence[Goal]) -> None:
    """Raises BattlematError where one needs another that there isn't: of a place, that may be on another map."""
    names = [goal.name for goal in goals]
    for goal in goals:
        missing = next((need for need in goal.needs if need not in names or need == goal.name), None)
        if missing is not None:
            known = joined(", ", (name for name in names if name != goal.name)) or "none"
            wrong = "goal {name}: needs {missing}, which is no other goal; there are {known}"
            raise BattlematError(wrong, goal.name, repr(missing), known)


CHALLENGES = ("trap", "chest", "climb", "water", "rubble")
LOOKS = ("chest", "body", "hoard", "shelf", "sack", "altar", "sarcophagus", "barrel", "crate", "reliquary", "grave")
"""What a chest may look like; anything else looks like a chest."""
OBSTACLES = ("climb", "water", "rubble")
"""Challenges that stand in the way as long as nobody has got past them."""
PORTCULLIS = "portcullis"
DOOR_KINDS = ("door", PORTCULLIS)


def open_doors(doors: Iterable[str]) -> int:
    """Which doors stand open, by how each stands: bit i for the i-th."""
    return _opened(tuple(doors))


@lru_cache(maxsize=256)
def _opened(doors: tuple[str, ...]) -> int:
    return sum(1 << i for i, stands in enumerate(doors) if stands == DoorState.OPEN)


def door_states(kind: str) -> tuple[str, ...]:
    """How a door of a kind may stand: everybody sees a portcullis, and only its weight keeps it shut."""
    return (DoorState.OPEN.value, DoorState.CLOSED.value) if kind == PORTCULLIS else DOOR_STATES
