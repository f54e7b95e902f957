"""Watchers who walk a round: a way of up to 6 spaces a minute from one way point to the next, over and over (R).

When a minute is over each takes the way that everybody who sees it can tell; who comes into its view by that may be
noticed, whoever is hidden by one attempt more.
"""

from __future__ import annotations

from functools import lru_cache

import msgspec

from rules.board.grid import Field, Terrain
from rules.board.path import UNREACHABLE, reach
from rules.contract.errors import RecordError
from rules.contract.events import Moved
from rules.olde.explore.model import put
from rules.olde.explore.notice import HIDDEN, STILL, Sense, looks, sense_of
from rules.olde.explore.state import ROUND, up
from rules.olde.state import OldeState, Work

TILE = 6
"""Spaces of movement in a minute."""


def check(field: Field, where: str, points: tuple[tuple[int, int], ...]) -> None:
    """Refuse way points off the map. Raises RecordError."""
    for number, (column, row) in enumerate(points):
        if not field.inside(column, row):
            size = f"{field.width} × {field.height}"
            raise RecordError(f"{where}: patrol[{number}]: [{column}, {row}] is off the map of {size} spaces")


def walkers(state: OldeState) -> list[int]:
    """Those who walk a round and can."""
    exploring = state.explore
    if exploring is None:
        return []
    return [
        i
        for i, (fighter, figure) in enumerate(zip(state.setup.fighters, state.figures, strict=True))
        if fighter.patrol
        and not exploring.hides[i]
        and up(figure)
        and figure.posture == "standing"
        and looks(state, i)
    ]


def coming(state: OldeState, who: int) -> tuple[tuple[int, ...], int]:
    """(spaces that a walker enters when this minute is over, the number of the way point that it goes to)."""
    exploring, fighter, figure = state.explore, state.setup.fighters[who], state.figures[who]
    assert exploring is not None
    points = [state.setup.field.cell(*point) for point in fighter.patrol]
    leg = exploring.leg[who] % len(points)
    for _ in points:
        if points[leg] != figure.cell:
            break
        leg = (leg + 1) % len(points)
    else:
        return (), leg
    others = 0
    for i, other in enumerate(state.figures):
        if i != who and other.cell >= 0 and other.hp > 0:
            others |= state.terrain.footprint(other.cell, state.setup.fighters[i].space)
    return _way(state.terrain, figure.cell, points[leg], fighter.space, others), leg


@lru_cache(maxsize=512)
def _way(terrain: Terrain, start: int, goal: int, size: int, others: int) -> tuple[int, ...]:
    """As much of the cheapest way as a minute allows; empty where none leads there past others (a bitboard)."""
    ways = reach(terrain, start, ROUND, size=size, blocked=others)
    if ways.cost.get(goal, UNREACHABLE) >= UNREACHABLE:
        return ()
    path, at, left = ways.path(goal), start, TILE
    for step, cell in enumerate(path):
        left -= terrain.costs(at, size)[cell]
        if left < 0:
            return path[:step]
        at = cell
    return path


def walk(work: Work, who: int) -> bool:
    """A walker takes its way; False where it stays. Everybody it sees then is new to it."""
    state = work.done()
    way, leg = coming(state, who)
    explore = work.explore
    assert explore is not None
    if not way:
        return False
    start, name = work.figures[who].cell, work.fighter(who).id
    work.change(who, cell=way[-1])
    path = tuple(map(work.space, way))
    work.events.append(Moved(by=name, mode="walk", start=work.space(start), path=path))
    tried = tuple(bits & ~(1 << who) for bits in explore.tried)
    work.explore = msgspec.structs.replace(explore, leg=put(explore.leg, who, leg), tried=tried)
    return True


def attempts(state: OldeState, hero: int, cell: int, *, hidden: bool) -> list[Sense]:
    """How walkers might notice a hero who stands on `cell` when this minute is over."""
    found = []
    for who in walkers(state):
        way, _ = coming(state, who)
        if way:
            figures = list(state.figures)
            figures[who] = msgspec.structs.replace(figures[who], cell=way[-1])
            there = msgspec.structs.replace(state, figures=tuple(figures))
            sense = sense_of(there, who, hero, (cell,), HIDDEN if hidden else STILL)
            if sense is not None:
                found.append(sense)
    return found
