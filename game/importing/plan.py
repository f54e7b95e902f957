"""The neutral plan of a map, in spaces: what every reader makes and the writer writes.

x goes to the right, y down; the upper left space is (0, 0), and nothing lies outside `columns` × `rows`.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import Enum, StrEnum
from typing import NamedTuple

from rules.board.fixtures import DoorState
from rules.contract.errors import BattlematError

Space = tuple[int, int]
"""Column and row."""
ROOM = 3
"""Spaces from which on what hangs together is an area."""


class ImportProblem(BattlematError):
    """A file that can't be read, in one line: what, where, why, what would be right."""


class Side(StrEnum):
    """A side of a space on which an edge lies; the others are a neighbour's."""

    NORTH = "north"
    WEST = "west"


class Edge(NamedTuple):
    """The line on a side of a space."""

    x: int
    y: int
    side: Side

    @property
    def beyond(self) -> Space:
        """The space on the other side of it."""
        return (self.x, self.y - 1) if self.side is Side.NORTH else (self.x - 1, self.y)


class Barrier(Enum):
    """What stands on an edge: whether it lets bodies through, and looks."""

    WALL = (False, False)
    WINDOW = (False, True)
    CURTAIN = (True, False)

    @property
    def way(self) -> bool:
        return self.value[0]

    @property
    def sight(self) -> bool:
        return self.value[1]


class DoorKind(StrEnum):
    """What hangs in a doorway."""

    DOOR = "door"
    PORTCULLIS = "portcullis"


@dataclass(frozen=True)
class PlanDoor:
    """A door: it fills a space, or stands on one edge or several in a row."""

    space: Space | None = None
    edges: tuple[Edge, ...] = ()
    state: DoorState = DoorState.CLOSED
    kind: DoorKind = DoorKind.DOOR
    name: str = ""


@dataclass(frozen=True)
class PlanLight:
    """Something that shines: where (in spaces, with fractions), and how far it is bright and dim, in spaces."""

    x: float
    y: float
    bright: float
    dim: float
    name: str = ""


@dataclass(frozen=True)
class PlanNote:
    """A text at a place (in spaces, with fractions)."""

    x: float
    y: float
    title: str
    text: str
    secret: bool = True
    """For the game master alone."""


@dataclass(frozen=True)
class PlanExit:
    """Spaces by which one leaves the map."""

    spaces: tuple[Space, ...]
    name: str
    arrival: bool = False
    """The heroes come in here."""


@dataclass(frozen=True)
class Picture:
    """The map's own picture, as the file had it."""

    data: bytes
    kind: str
    """`PNG`, `JPG` or `WebP`."""
    x: float = 0.0
    """Where its upper left corner lies, in spaces …"""
    y: float = 0.0
    columns: float = 0.0
    """… and how many spaces wide and high it is."""
    rows: float = 0.0


@dataclass(frozen=True)
class Plan:
    """A whole map. `off_grid`: the share of the walls' length that did not lie on lines of the grid, 0 to 1."""

    format: str
    columns: int
    rows: int
    floor: frozenset[Space]
    walls: Mapping[Edge, Barrier] = field(default_factory=dict)
    doors: tuple[PlanDoor, ...] = ()
    windows: int = 0
    lights: tuple[PlanLight, ...] = ()
    notes: tuple[PlanNote, ...] = ()
    exits: tuple[PlanExit, ...] = ()
    water: frozenset[Space] = frozenset()
    difficult: frozenset[Space] = frozenset()
    pillars: frozenset[Space] = frozenset()
    """Spaces filled by something that is floor around it, drawn as a pillar."""
    picture: Picture | None = None
    ambient: str = "bright"
    title: str = ""
    story: str = ""
    off_grid: float = 0.0
    warnings: tuple[str, ...] = ()

    @property
    def areas(self) -> tuple[int, ...]:
        """Sizes of the connected areas of three spaces or more with every door shut, the largest first."""
        shut = {edge for door in self.doors for edge in door.edges}
        shut.update(edge for edge, barrier in self.walls.items() if not barrier.way)
        filled = {door.space for door in self.doors if door.space is not None}
        sizes = (len(area) for area in connected(self.floor - filled, shut))
        return tuple(sorted((size for size in sizes if size >= ROOM), reverse=True))


def around(space: Space) -> tuple[tuple[Space, Edge], ...]:
    """The four neighbours of a space, each with the edge between."""
    x, y = space
    return (
        ((x, y - 1), Edge(x, y, Side.NORTH)),
        ((x - 1, y), Edge(x, y, Side.WEST)),
        ((x, y + 1), Edge(x, y + 1, Side.NORTH)),
        ((x + 1, y), Edge(x + 1, y, Side.WEST)),
    )


def connected(spaces: Iterable[Space], shut: Iterable[Edge]) -> list[frozenset[Space]]:
    """What hangs together side by side, across no shut edge; in reading order of their first spaces."""
    left, barred = set(spaces), set(shut)
    found = []
    for first in sorted(left, key=lambda space: (space[1], space[0])):
        if first not in left:
            continue
        left.discard(first)
        area, waiting = {first}, deque([first])
        while waiting:
            for there, edge in around(waiting.popleft()):
                if there in left and edge not in barred:
                    left.discard(there)
                    area.add(there)
                    waiting.append(there)
        found.append(frozenset(area))
    return found
