"""Who may see an event: those who take part, and whoever sees where it happens. For every ruleset alike."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

import msgspec

from rules.board.grid import Terrain
from rules.contract.events import Door, Event, Moved

E = TypeVar("E", bound=Event)


class Witnesses(msgspec.Struct, frozen=True):
    """What there was to see while some events happened. Spaces are bitboards."""

    terrain: Terrain
    views: Mapping[str, int]
    """Side -> all that it saw, before or after."""
    sides: Mapping[str, str]
    """Id of each creature -> its side."""
    spots: Callable[[str], int]
    """Where a creature stood, before and after."""
    size: Callable[[str], int]
    """Spaces that a creature is wide."""


def witnessed(scene: Witnesses, events: Sequence[Event]) -> tuple[Event, ...]:
    """The events with `seen_by` set; empty where everybody knows.

    A movement seen in part is told twice: whole to those who saw all of it, and to the others only as far as they
    saw it. A blow shows who struck to the side that it hit, also out of the dark.
    """
    out: list[Event] = []
    for event in events:
        names = [name for name in (getattr(event, "by", None), getattr(event, "target", None)) if name]
        if not names and not isinstance(event, Door):
            out.append(event)  # a turn begins, the fight ends: everybody knows
        elif isinstance(event, Moved):
            out += _moved(scene, event)
        else:
            knowing = _knowing(scene, event, [name for name in names if name in scene.sides])
            if event.seen_by:  # a secret of some sides stays theirs
                knowing = tuple(side for side in knowing if side in event.seen_by)
            out.append(event if len(knowing) == len(scene.views) else _seen_by(event, knowing))
    return tuple(out)


def _knowing(scene: Witnesses, event: Event, names: list[str]) -> tuple[str, ...]:
    spots = 0
    for name in names:
        spots |= scene.spots(name)
    if isinstance(event, Door):
        for door in scene.terrain.field.doors:
            if door.id == event.door:
                spots |= 1 << door.cell | (1 << door.edge if door.edge is not None else 0)
    own = {scene.sides[name] for name in names}
    return tuple(side for side, view in scene.views.items() if side in own or view & spots)


def _seen_by(event: Event, sides: tuple[str, ...]) -> Event:
    return msgspec.structs.replace(event, seen_by=sides or ("",))


def _moved(scene: Witnesses, event: Moved) -> list[Event]:
    """A movement, told to each side as far as it saw it."""
    size, field, terrain = scene.size(event.by), scene.terrain.field, scene.terrain
    route = [event.start, *event.path]
    whole: list[str] = []
    parts: dict[tuple[tuple[int, int], ...], list[str]] = {}
    for side, view in scene.views.items():
        if side == scene.sides.get(event.by):
            whole.append(side)
            continue
        known = tuple(s for s in route if terrain.footprint(field.cell(*s), size) & view)
        if len(known) == len(route):
            whole.append(side)
        elif known:
            parts.setdefault(known, []).append(side)
    if len(whole) == len(scene.views):
        return [event]
    out: list[Event] = [_seen_by(event, tuple(whole))]
    for known, sides in parts.items():
        piece = msgspec.structs.replace(event, start=known[0], path=known[1:], cost=0)
        out.append(in_part(piece, sides, whole))
    return out


def in_part(event: E, sides: Sequence[str], whole: Sequence[str]) -> E:
    """An event as what some sides saw of it; another tells it whole to others."""
    return msgspec.structs.replace(event, seen_by=tuple(sides), whole_for=tuple(whole) or ("",))
