"""What a map is for programs that know lines alone: walls, doors, windows and lights, in spaces from its corner."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from rules.board.fixtures import Door, DoorState
from rules.board.grid import Field, Ground, Light
from rules.contract.units import Cell

Point = tuple[float, float]
"""Spaces to the right and down from the upper left corner of the map."""
Node = tuple[int, int]
Line = tuple[Node, Node]
"""The border of one space, from a corner to the next, to the right or down."""
Way = tuple[Point, ...]
"""Points of a line; a closed one ends where it begins."""


class Leaf(NamedTuple):
    """A door, or a window where it is none: the ends of its leaf."""

    ends: tuple[Point, Point]
    window: bool = False

    @property
    def middle(self) -> Point:
        (ax, ay), (bx, by) = self.ends
        return (ax + bx) / 2, (ay + by) / 2

    @property
    def upright(self) -> bool:
        """It stands in the way of whoever goes to the right or left."""
        return self.ends[0][0] == self.ends[1][0]


class Lamp(NamedTuple):
    """A light, its radii in spaces."""

    at: Point
    bright: int
    dim: int


class Outline(NamedTuple):
    """A map in lines. `walls` keep from going and seeing, `veils` from seeing alone."""

    columns: int
    rows: int
    walls: tuple[Way, ...]
    veils: tuple[Way, ...]
    leaves: tuple[Leaf, ...]
    lamps: tuple[Lamp, ...]


class _Level:
    """One map of a field: its first column and some rows, spaces counted from its own corner."""

    def __init__(self, field: Field, top: int, size: Node, secrets: bool) -> None:
        self.field, self.top, (self.columns, self.rows) = field, top, size
        self.hidden = frozenset(
            number for number, door in enumerate(field.doors) if door.state == DoorState.SECRET and not secrets
        )
        self._walled = {door.cell for number, door in enumerate(field.doors)
                        if number in self.hidden and door.edge is None}  # fmt: skip

    def cell(self, x: int, y: int) -> Cell:
        return Cell((y + self.top) * self.field.width + x)

    def at(self, cell: Cell) -> Node:
        row, column = divmod(cell, self.field.width)
        return column, row - self.top

    def inside(self, x: int, y: int) -> bool:
        return 0 <= x < self.columns and 0 <= y < self.rows

    def solid(self, x: int, y: int) -> bool:
        """Nobody goes there, and nobody sees through it: rock, a wall, nothing at all."""
        cell = self.cell(x, y)
        return cell in self._walled or bool(self.field.ground[cell] >= Ground.BLOCKED and self.field.opaque >> cell & 1)

    def veiled(self, x: int, y: int) -> bool:
        """Nobody sees through it, but one may go there."""
        return not self.solid(x, y) and bool(self.field.opaque >> self.cell(x, y) & 1)

    def doors(self) -> Iterator[tuple[int, Door]]:
        for number, door in enumerate(self.field.doors):
            if self.inside(*self.at(door.cell)):
                yield number, door


def outline(field: Field, top: int, size: Node, *, secrets: bool) -> Outline:
    """So many columns and rows of a field from a row on. Without `secrets` a secret door is wall and nothing else."""
    level = _Level(field, top, size, secrets)
    spaces = [(x, y) for y in range(level.rows) for x in range(level.columns)]
    walls = {line for x, y in spaces for line in _borders(level, x, y, level.solid)}
    veils = {line for x, y in spaces for line in _borders(level, x, y, level.veiled)}
    doors = list(level.doors())
    thin = {_between(level, door.cell, door.edge): number for number, door in doors if door.edge is not None}
    leaves = [Leaf(_leaf(level, door)) for number, door in doors if number not in level.hidden]
    for edge in field.edges:
        if not level.inside(*level.at(edge.a)) or (line := _between(level, edge.a, edge.b)) in thin:
            continue
        if edge.move and edge.sight:
            walls.add(line)
        elif edge.move:
            leaves.append(Leaf(line, window=True))
        elif edge.sight:
            veils.add(line)
    walls |= {line for line, number in thin.items() if number in level.hidden}
    walls -= {line for line, number in thin.items() if number not in level.hidden}
    return Outline(
        level.columns, level.rows, (*_merged(walls), *_spines(level)), tuple(_merged(veils)), tuple(leaves),
        tuple(_lamps(level, field.lights)),
    )  # fmt: skip


def _borders(level: _Level, x: int, y: int, kind: Callable[[int, int], bool]) -> Iterator[Line]:
    """The borders between a space and those to its right and below, where one of the two is of a kind."""
    here = kind(x, y)
    if x + 1 < level.columns and kind(x + 1, y) != here:
        yield (x + 1, y), (x + 1, y + 1)
    if y + 1 < level.rows and kind(x, y + 1) != here:
        yield (x, y + 1), (x + 1, y + 1)


def _between(level: _Level, a: Cell, b: Cell | None) -> Line:
    """The border between two neighbours."""
    (ax, ay), (bx, by) = level.at(a), level.at(a if b is None else b)
    x, y = max(ax, bx), max(ay, by)
    return ((x, y), (x, y + 1)) if ax != bx else ((x, y), (x + 1, y))


def _leaf(level: _Level, door: Door) -> tuple[Point, Point]:
    """The leaf of a door: on its edge, or through the middle of its space, across the way that leads through it."""
    if door.edge is not None:
        return _between(level, door.cell, door.edge)
    x, y = level.at(door.cell)

    def open_ground(dx: int, dy: int) -> bool:
        return level.inside(x + dx, y + dy) and not level.solid(x + dx, y + dy)

    beside, along = open_ground(-1, 0) + open_ground(1, 0), open_ground(0, -1) + open_ground(0, 1)
    return ((x + 0.5, y), (x + 0.5, y + 1)) if beside > along else ((x, y + 0.5), (x + 1, y + 0.5))


def _lamps(level: _Level, lights: Iterable[Light]) -> Iterator[Lamp]:
    for light in lights:
        x, y = level.at(light.cell)
        if level.inside(x, y):
            yield Lamp((x + 0.5, y + 0.5), light.bright, max(light.bright, light.dim))


def _spines(level: _Level) -> Iterator[Way]:
    """Lines through the middle of all that is solid, row by row, where nobody is who could see them.

    Whoever reads lines alone knows by them that it is no room.
    """
    for y in range(level.rows):
        start = 0
        for x in range(level.columns + 1):
            if x < level.columns and level.solid(x, y):
                continue
            if x > start:
                yield (start + 0.25, y + 0.5), (x - 0.25, y + 0.5)
            start = x + 1


# -- borders put together into long lines


def _merged(lines: Iterable[Line]) -> Iterator[Way]:
    """Borders as few lines: each goes on at its end for as long as there is one way on, straight parts as one."""
    ways: dict[Node, set[Node]] = defaultdict(set)
    for a, b in lines:
        ways[a].add(b)
        ways[b].add(a)
    ends = sorted(node for node, nexts in ways.items() if len(nexts) != 2)
    for start in (*ends, *sorted(ways)):
        while ways[start]:
            yield tuple((float(x), float(y)) for x, y in _straight(_walk(ways, start)))


def _walk(ways: dict[Node, set[Node]], start: Node) -> list[Node]:
    """From a corner on, each border taken away as it is walked, until a crossing, an end or the start again."""
    found = [start]
    while True:
        here = found[-1]
        there = min(ways[here], key=lambda node: _turn(found, node))
        ways[here].discard(there)
        ways[there].discard(here)
        found.append(there)
        if there == start or len(ways[there]) != 1:  # where it came from is taken away: one way on is no crossing
            return found


def _turn(found: list[Node], node: Node) -> tuple[bool, Node]:
    """Straight on before round a corner."""
    if len(found) < 2:
        return False, node
    (ax, ay), (bx, by) = found[-2], found[-1]
    return (bx - ax, by - ay) != (node[0] - bx, node[1] - by), node


def _straight(nodes: list[Node]) -> list[Node]:
    """Without the corners at which a line goes straight on."""
    found = nodes[:1]
    for before, here, after in zip(nodes, nodes[1:], nodes[2:], strict=False):
        if (here[0] - before[0], here[1] - before[1]) != (after[0] - here[0], after[1] - here[1]):
            found.append(here)
    return [*found, nodes[-1]]
