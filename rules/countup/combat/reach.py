"""Facing and arcs; who reaches whom, who stands where to whom, and who is engaged (countup.md §2.1, §3)."""

from __future__ import annotations

from enum import IntEnum, auto
from functools import lru_cache

from rules.board.grid import Field
from rules.board.sight import Grade
from rules.contract.units import EMPTY, Bitboard, Cell, CreatureIx
from rules.countup.gear import Weapon
from rules.countup.state import Position

COMPASS: tuple[tuple[int, int], ...] = (
    (0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1),
)  # fmt: skip
"""(column, row) of the eight facings, from north clockwise."""


def ahead(field: Field, cell: Cell, facing: int, steps: int) -> list[Cell]:
    """So many spaces straight on from one, as far as the map goes."""
    (x, y), (dx, dy) = field.at(cell), COMPASS[facing % 8]
    there = ((x + step * dx, y + step * dy) for step in range(1, steps + 1))
    return [field.cell(*at) for at in there if field.inside(*at)]


Sizes = tuple[int, int]
"""Spaces across of two creatures, whose first spaces are those to the north-west."""


def gap(field: Field, start: Cell, goal: Cell, sizes: Sizes = (1, 1)) -> tuple[int, int]:
    """Columns and rows from the nearest space of one block to the nearest of another; 0 where they lie abreast."""
    return _gap(field.width, start, goal, sizes)


def _gap(width: int, start: int, goal: int, sizes: Sizes) -> tuple[int, int]:
    (ay, ax), (by, bx) = divmod(start, width), divmod(goal, width)
    return _apart(ax, bx, sizes), _apart(ay, by, sizes)


def _apart(a: int, b: int, sizes: Sizes) -> int:
    if b >= a + sizes[0]:
        return b - (a + sizes[0] - 1)
    return b + sizes[1] - 1 - a if b + sizes[1] <= a else 0


def direction(field: Field, start: Cell, goal: Cell, sizes: Sizes = (1, 1)) -> int:
    """The facing from one block that looks most nearly at another, from nearest space to nearest; 0 where they meet.

    Between two facings the nearer to an orthogonal one wins: a knight's move counts as diagonal.
    """
    return _direction(field.width, start, goal, sizes)


@lru_cache(maxsize=1 << 14)
def _direction(width: int, start: int, goal: int, sizes: tuple[int, int]) -> int:
    return _facing(*_gap(width, start, goal, sizes))


def _facing(dx: int, dy: int) -> int:
    """The facing that looks most nearly so many columns and rows away."""
    if dx == 0 and dy == 0:
        return 0
    across = 0 if 2 * abs(dx) < abs(dy) else 1 if dx > 0 else -1
    down = 0 if 2 * abs(dy) < abs(dx) else 1 if dy > 0 else -1
    return COMPASS.index((across, down))


def bearing(state: Position, who: CreatureIx, other: CreatureIx) -> int:
    """The facing with which one creature looks at another."""
    setup, figures = state.setup, state.figures
    return direction(setup.field, figures[who].cell, figures[other].cell, setup.sizes(who, other))


class Arc(IntEnum):
    """Where somebody stands to somebody who faces one way (countup.md §3)."""

    FRONT = auto()
    SIDE = auto()
    REAR = auto()


ARCS = (Arc.FRONT, Arc.FRONT, Arc.SIDE, Arc.REAR, Arc.REAR, Arc.REAR, Arc.SIDE, Arc.FRONT)
"""Where somebody stands, by how many eighths to the right of one's face he is."""


def arc(field: Field, cell: Cell, facing: int, other: Cell, sizes: Sizes = (1, 1)) -> Arc:
    """Where somebody at `other` stands to somebody at `cell`."""
    return ARCS[(direction(field, cell, other, sizes) - facing) % 8]


def towards(state: Position, who: CreatureIx, other: CreatureIx) -> Arc:
    """Where one creature stands to another, from block to block (countup.md §3)."""
    setup, figure = state.setup, state.figures[who]
    return arc(setup.field, figure.cell, figure.facing, state.figures[other].cell, setup.sizes(who, other))


def in_reach(state: Position, by: CreatureIx, target: CreatureIx, weapon: Weapon) -> bool:
    """Whether a melee weapon reaches a target: distance, a line, and nobody of man's size between (countup.md §3)."""
    distance = state.distance(by, target)
    return 0 < distance <= weapon.squares and _reaches(state, by, target, weapon, distance)  # rules out most


def _reaches(state: Position, by: CreatureIx, target: CreatureIx, weapon: Weapon, distance: int) -> bool:
    """The same of somebody who is near enough."""
    if not (state.figures[by].present and state.figures[target].present) or (weapon.only_ranged and not weapon.knife):
        return False
    if state.sight(by, target) is Grade.NONE:
        return False
    return distance == 1 or not _between(state, by, target)


def in_contact(state: Position, one: CreatureIx, other: CreatureIx) -> bool:
    """Whether the weapon in one's hand reaches the other, or the other's reaches him (countup.md §1 CONTACT)."""
    apart = state.distance(one, other)
    if not 0 < apart <= state.setup.longest:  # rules out most, at a glance
        return False
    mine = state.weapon(one)
    if apart <= mine.squares and not mine.ranged and _reaches(state, one, other, mine, apart):
        return True
    theirs = state.weapon(other)
    return apart <= theirs.squares and not theirs.ranged and _reaches(state, other, one, theirs, apart)


def _between(state: Position, by: CreatureIx, target: CreatureIx) -> bool:
    """Whether a standing enemy of man's size or more stands on the line between.

    Where the line runs between two spaces, both must be taken.
    """
    taken = EMPTY
    for other in state.foes(by):
        if other != target and not state.figures[other].prone and state.being(other).size not in ("T", "S"):
            taken |= state.footprint(other)
    if not taken:
        return False
    lines = _lines(state, state.figures[by].cell, state.figures[target].cell, state.setup.sizes(by, target))
    return all(any(taken & one and taken & other for one, other in line) for line in lines)


Line = tuple[tuple[Bitboard, Bitboard], ...]
"""The spaces that a line comes to step by step, each as a bitboard: where it runs between two, both, else one twice."""


def _lines(state: Position, here: Cell, there: Cell, sizes: Sizes) -> tuple[Line, ...]:
    """The lines between two blocks, from nearest space to nearest: several abreast where both have rows or columns in
    common. Remembered."""
    key, memo = ("lines between", here, there, sizes), state.terrain.memo
    found: tuple[Line, ...] | None = memo.get(key)
    if found is None:
        field = state.setup.field
        dx, dy = gap(field, here, there, sizes)
        (ax, ay), (bx, by_) = field.at(here), field.at(there)
        columns, rows = _ends(ax, bx, dx, sizes), _ends(ay, by_, dy, sizes)
        found = memo[key] = tuple(_line(field, (x, y), (x + dx, y + dy)) for x in columns for y in rows)
    return found


def _ends(a: int, b: int, apart: int, sizes: Sizes) -> range:
    """Where on one axis a line between two blocks may begin: at the near edge, or wherever they lie abreast."""
    if apart > 0:
        return range(a + sizes[0] - 1, a + sizes[0])
    if apart < 0:
        return range(a, a + 1)
    return range(max(a, b), min(a + sizes[0], b + sizes[1]))


def _line(field: Field, start: tuple[int, int], goal: tuple[int, int]) -> Line:
    """The steps of a line between two spaces, these left out."""
    (ax, ay), (bx, by_) = start, goal
    steps, found = max(abs(bx - ax), abs(by_ - ay)), []
    for n in range(1, steps):
        x, y = 2 * (ax * steps + n * (bx - ax)), 2 * (ay * steps + n * (by_ - ay))  # in halves of 1/steps
        low = (-(-(x - steps) // (2 * steps)), -(-(y - steps) // (2 * steps)))
        high = ((x + steps) // (2 * steps), (y + steps) // (2 * steps))
        found.append((Bitboard(1 << field.cell(*low)), Bitboard(1 << field.cell(*high))))
    return tuple(found)
