"""Fog of war, for every ruleset alike: who witnessed what happened, and how each side last saw the doors."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol, TypeVar

import msgspec

from rules.board.grid import Field, Terrain, beside
from rules.contract.events import Event
from rules.core.witness import Witnesses, witnessed


class DoorMemory(msgspec.Struct, frozen=True, gc=False):
    """How the doors stood when each side saw them last; at first, as the map says."""

    changes: tuple[int, ...]
    """How often each door has changed so far."""
    sides: tuple[tuple[str, tuple[str, ...], tuple[int, ...]], ...]
    """(side, how each door stood when it saw it last, how often that had changed by then)."""


class Body(Protocol):
    """What never changes about a creature."""

    @property
    def id(self) -> str: ...
    @property
    def side(self) -> str: ...
    @property
    def space(self) -> int: ...


class Figure(Protocol):
    """A creature's miniature."""

    @property
    def cell(self) -> int: ...


class Known(Protocol):
    """What a state of any ruleset says of the ground."""

    @property
    def figures(self) -> Sequence[Figure]: ...
    @property
    def doors(self) -> tuple[str, ...]: ...
    @property
    def terrain(self) -> Terrain: ...
    @property
    def recall(self) -> DoorMemory | None: ...


S = TypeVar("S", bound=Known)


def at_first(doors: tuple[str, ...], bodies: Sequence[Body]) -> DoorMemory | None:
    """What the sides know of the doors before the fight; None on a map without any."""
    if not doors:
        return None
    never = (0,) * len(doors)
    return DoorMemory(never, tuple((side, doors, never) for side in dict.fromkeys(b.side for b in bodies)))


def recalled(state: Known, sides: Sequence[str]) -> tuple[str, ...]:
    """The doors as these sides together know them: each as whoever of them saw it latest saw it."""
    memory = state.recall
    if memory is None:
        return state.doors
    known = [(stood, when) for side, stood, when in memory.sides if side in sides]
    if not known:
        return state.doors
    out = []
    for i in range(len(state.doors)):
        stood, _ = max(known, key=lambda each: each[1][i])
        out.append(stood[i])
    return tuple(out)


def told(
    before: S, after: S, events: Sequence[Event], bodies: Sequence[Body], sees: Callable[[S, str], int]
) -> tuple[S, tuple[Event, ...]]:
    """What came of an action, with each side's memory of the doors, and the events with `seen_by` set.

    `bodies` are those of `after`'s figures; `sees` gives the bitboard of spaces that a side sees.
    """
    number = {body.id: i for i, body in enumerate(bodies)}

    def spots(name: str) -> int:
        out, who = 0, number[name]
        for state in (before, after):
            if who < len(state.figures) and state.figures[who].cell >= 0:
                out |= state.terrain.footprint(state.figures[who].cell, bodies[who].space)
        return out

    sides = {body.id: body.side for body in bodies}
    views = {side: sees(before, side) | sees(after, side) for side in dict.fromkeys(sides.values())}
    scene = Witnesses(after.terrain, views, sides, spots, lambda name: bodies[number[name]].space)
    memory = _looked(before, after, views)
    if memory is not after.recall:
        after = msgspec.structs.replace(after, recall=memory)  # type: ignore[type-var]
    return after, witnessed(scene, events)


def _looked(before: Known, after: Known, views: dict[str, int]) -> DoorMemory | None:
    """The memory once each side has looked at the doors in its view; the same object where nothing is new."""
    memory = before.recall
    if memory is None:
        return None
    changes = memory.changes
    if after.doors != before.doors:
        moved = zip(changes, before.doors, after.doors, strict=True)
        changes = tuple(n + (old != new) for n, old, new in moved)
    elif all(stood == after.doors for _, stood, _ in memory.sides):
        return memory
    field = after.terrain.field
    sides = tuple(
        (
            side,
            *_seen(
                field,
                beside(views.get(side, 0), field.width, field.height),
                after.doors,
                changes,
                stood,
                when,
            ),
        )
        for side, stood, when in memory.sides
    )
    return DoorMemory(changes, sides)


def _seen(
    field: Field, view: int, doors: tuple[str, ...], changes: tuple[int, ...], stood: tuple[str, ...],
    when: tuple[int, ...],
) -> tuple[tuple[str, ...], tuple[int, ...]]:  # fmt: skip
    """One side's memory of the doors after a look at those in view."""
    known, latest = list(stood), list(when)
    for i, door in enumerate(field.doors):
        if view >> door.cell & 1 or (door.edge is not None and view >> door.edge & 1):
            known[i], latest[i] = doors[i], changes[i]
    return tuple(known), tuple(latest)
