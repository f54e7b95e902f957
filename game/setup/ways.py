"""Places on a map and ways over it: who can stand where; which spaces a patrol walks, and what hinders.

A way is walked over and over: after the last point comes the first again.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import lru_cache
from typing import NamedTuple

from game.setup import bestiary, trial
from game.setup.draft import Draft, Piece, Spot, spot_of
from game.setup.forms import FormField
from rules.board.grid import Field, Terrain, place_words
from rules.board.path import path_cost, reach
from rules.contract.errors import BattlematError
from rules.contract.ruleset import Scenario
from rules.contract.text import text
from rules.contract.units import Cell
from rules.core.registry import ruleset as ruleset_of


def named(spot: Spot) -> str:
    """A space in words."""
    return place_words(*spot)


def hindrance(ground: Field, terrain: Terrain, spot: Spot, size: int) -> str:
    """What stands in the way of somebody of that size on a space (`in a wall …`); empty where they can stand."""
    column, row = spot
    if not (ground.inside(column, row) and ground.inside(column + size - 1, row + size - 1)):
        return text("off the map of {width} × {height} spaces", ground.width, ground.height)
    if terrain.fits(ground.cell(column, row), size):
        return ""
    if size > 1:
        return text("without room for {size} × {size} spaces", size)
    shut = any(door.cell == ground.cell(column, row) and door.edge is None for door in ground.doors)
    return text("in a {what}", "closed door" if shut else "wall or chasm")


def refusal(ground: Field, terrain: Terrain, spot: Spot, size: int) -> str:
    """The same with the space's name."""
    why = hindrance(ground, terrain, spot, size)
    return text("{why} at {spot}", why, named(spot)) if why else ""


class Leg(NamedTuple):
    """From one point to the next: the spaces entered and what they cost; none, and `why`, where no way leads there."""

    start: Spot
    goal: Spot
    path: tuple[Cell, ...]
    cost: int
    why: str
    number: int
    """The point that it leads to, from 0."""
    kind: str
    """`to` the first point, `on` to the next, or `back` from the last to the first."""


def points(draft: Draft, piece: Piece, field: FormField) -> tuple[Spot, ...]:
    """The points of a creature's way, its template's where it says none itself; what is no place is left out."""
    found = trial.block_of(draft.ruleset, piece.entry).get(field.name)
    spots = (spot_of(each) for each in found) if isinstance(found, (list, tuple)) else ()
    return tuple(spot for spot in spots if spot is not None)


def laid(ruleset: str, ground: Field) -> Terrain:
    """The ground as the rules play it: what the map puts in the way is part of it. Remembered with the ground."""
    known: dict[str, Terrain] = ground.__dict__.setdefault("_laid_by", {})
    if ruleset in known:
        return known[ruleset]
    rules, laid = ruleset_of(ruleset), ground.terrain()
    cell = next((cell for cell in ground.cells if laid.fits(cell)), None)
    name = next(iter(bestiary.heroes(ruleset)), None)
    if cell is not None and name is not None:
        walker = {**bestiary.template(ruleset, name), "id": name, "side": "walkers", "at": list(ground.at(cell))}
        scenario = Scenario(ruleset, ground, (walker,), content=bestiary.tables(ruleset))
        with suppress(BattlematError):
            laid = rules.terrain(rules.start(scenario).state)
    return known.setdefault(ruleset, laid)


def leg(terrain: Terrain, start: Spot, goal: Spot, size: int, most: int, *, number: int, kind: str) -> Leg:
    """The way from a space to another, of at most so many spaces of movement."""
    ground = terrain.field
    path: tuple[Cell, ...] | None = None
    if why := hindrance(ground, terrain, goal, size):
        return Leg(start, goal, (), 0, text("lies {why}", why), number, kind)
    if not hindrance(ground, terrain, start, size):
        path = _path(terrain, ground.cell(*start), ground.cell(*goal), size, most)
    if path is None:
        why = text("is not reached: no way of up to {most} spaces leads there", most)
        return Leg(start, goal, (), 0, why, number, kind)
    return Leg(start, goal, path, path_cost(terrain, ground.cell(*start), path, size), "", number, kind)


@lru_cache(maxsize=2048)
def _path(terrain: Terrain, start: Cell, goal: Cell, size: int, most: int) -> tuple[Cell, ...] | None:
    """The cheapest path; None where none is short enough. Remembered: a board asks for it in every frame."""
    if start == goal:
        return ()
    ways = reach(terrain, start, most, size=size)
    return ways.route(goal) if ways.cells >> goal & 1 else None


def legs(terrain: Terrain, at: Spot | None, spots: Sequence[Spot], size: int, most: int) -> Iterator[Leg]:
    """The whole way: from where the creature stands to the first point, then round and back to it."""
    if at is not None and spots and at != spots[0]:
        yield leg(terrain, at, spots[0], size, most, number=0, kind="to")
    for number, (start, goal) in enumerate(zip(spots, spots[1:], strict=False), 1):
        yield leg(terrain, start, goal, size, most, number=number, kind="on")
    if len(spots) > 1 and spots[-1] != spots[0]:
        yield leg(terrain, spots[-1], spots[0], size, most, number=0, kind="back")


def around(found: Sequence[Leg]) -> int:
    """Spaces of movement of a whole round, without the way to its first point."""
    return sum(each.cost for each in found if each.kind != "to")
