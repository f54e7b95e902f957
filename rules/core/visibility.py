"""Fog of war, for every ruleset alike: who witnessed what happened, and how each side last saw the doors."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Protocol, TypeVar

import msgspec

from rules.board.grid import Terrain, beside
from rules.board.sight import visible
from rules.contract.events import Door, Event, Moved, Noise
from rules.contract.units import EMPTY, Bitboard, Cell

E = TypeVar("E", bound=Event)


class Witnesses(msgspec.Struct, frozen=True):
    """What there was to see while some events happened. Spaces are bitboards."""

    terrain: Terrain
    views: Mapping[str, Bitboard]  # side -> all that it saw, before or after
    sides: Mapping[str, str]  # id of each creature -> its side
    spots: Callable[[str], Bitboard]  # where a creature stood, before and after
    size: Callable[[str], int]  # spaces that a creature is wide


def in_sight(terrain: Terrain, eyes: Iterable[Cell]) -> Bitboard:
    """Bitboard of the spaces that are seen from some spaces, these among them."""
    seen = EMPTY
    for cell in eyes:
        seen |= visible(terrain, cell, 1) | 1 << cell
    return seen


def witnessed(scene: Witnesses, events: Sequence[Event]) -> tuple[Event, ...]:
    """The events with `seen_by` set; empty where everybody knows.

    A movement seen in part is told twice: whole to those who saw all of it, and to the others only as far as they
    saw it. A blow shows who struck to the side that it hit, also out of the dark.
    """
    out: list[Event] = []
    for event in events:
        if isinstance(event, Noise):
            out += _heard(scene, event)
            continue
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
                spots |= door.spaces
    own = {scene.sides[name] for name in names}
    return tuple(side for side, view in scene.views.items() if side in own or view & spots)


def _seen_by(event: Event, sides: tuple[str, ...]) -> Event:
    return msgspec.structs.replace(event, seen_by=sides or ("",))


def _heard(scene: Witnesses, event: Noise) -> list[Event]:
    """A noise: whole to those who see its maker, without the maker's name to those who only hear it."""
    seeing = _knowing(scene, event, [event.by] if event.by in scene.sides else [])
    hearing = dict.fromkeys(scene.sides[name] for name, _ in event.heard if name in scene.sides)
    others = [side for side in scene.views if side in hearing and side not in seeing]
    whole = event if len(seeing) == len(scene.views) else _seen_by(event, seeing)
    return [whole, in_part(msgspec.structs.replace(event, by=""), others, seeing)] if others else [whole]


def _moved(scene: Witnesses, event: Moved) -> list[Event]:
    """A movement, told to each side as far as it saw it."""
    size, field, terrain = scene.size(event.by), scene.terrain.field, scene.terrain
    route = (event.start, *event.path)
    parts: dict[tuple[tuple[int, int], ...], list[str]] = {(): []}
    for side, view in scene.views.items():
        own = side == scene.sides.get(event.by)
        known = tuple(s for s in route if own or terrain.footprint(field.cell(*s), size) & view)
        parts.setdefault(known, []).append(side)
    del parts[()]
    whole = parts.pop(route, [])
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


class DoorMemory(msgspec.Struct, frozen=True, gc=False):
    """How the doors stood when each side saw them last; at first, as the map says."""

    changes: tuple[int, ...]  # how often each door has changed so far
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
    def cell(self) -> Cell: ...


class Peopled(Protocol):
    """What a state of any ruleset says of the ground and of who stands there."""

    @property
    def figures(self) -> Sequence[Figure]: ...
    @property
    def terrain(self) -> Terrain: ...


class Known(Peopled, Protocol):
    """The same with the doors and what the sides know of them."""

    @property
    def doors(self) -> tuple[str, ...]: ...
    @property
    def recall(self) -> DoorMemory | None: ...


P = TypeVar("P", bound=Peopled)
S = TypeVar("S", bound=Known)


LOOKS_KEPT = 4
"""Moments whose looks are kept for each side: those before and after a deed, as they are and as they are known."""
Look = tuple[Sequence[object], object, object, Bitboard]
"""What a side saw, with what that hung on: figures and ground themselves, what else, and the spaces."""
Looks = dict[str, list[Look]]
"""What each side saw at the latest moments."""


def looked(looks: Looks, side: str, figures: Sequence[object], terrain: object, rest: object) -> Bitboard | None:
    """What a side saw with these very figures on this very ground and all else alike; None where it isn't kept."""
    for known in looks.get(side, ()):
        if known[0] is figures and known[1] is terrain and known[2] == rest:
            return known[3]
    return None


def keep_look(looks: Looks, side: str, look: Look) -> None:
    """Keep what a side sees; figures that may still change are no key."""
    if isinstance(look[0], tuple):
        kept = looks.setdefault(side, [])
        kept.insert(0, look)
        del kept[LOOKS_KEPT:]


def at_first(
    doors: tuple[str, ...], bodies: Sequence[Body], left: Sequence[tuple[str, tuple[str, ...]]] = ()
) -> DoorMemory | None:
    """What the sides know of the doors before the fight; None on a map without any. `left`: how a side saw last, on an
    earlier evening, those that stand otherwise by now."""
    if not doors:
        return None
    never, known = (0,) * len(doors), dict(left)

    def recalls(side: str) -> tuple[str, ...]:
        return tuple(then or now for then, now in zip(known[side], doors, strict=True)) if side in known else doors

    return DoorMemory(never, tuple((side, recalls(side), never) for side in dict.fromkeys(b.side for b in bodies)))


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
    before: S, after: S, events: Sequence[Event], bodies: Sequence[Body], sees: Callable[[S, str], Bitboard]
) -> tuple[S, tuple[Event, ...]]:
    """What came of an action, with each side's memory of the doors, and the events with `seen_by` set.

    `bodies` are those of `after`'s figures; `sees` gives the bitboard of spaces that a side sees.
    """
    scene = _scene(before, after, bodies, sees)
    memory = _looked(before, after, scene.views)
    if memory is not after.recall:
        after = msgspec.structs.replace(after, recall=memory)  # type: ignore[type-var]
    return after, witnessed(scene, events)


def told_of(
    before: P, after: P, events: Sequence[Event], bodies: Sequence[Body], sees: Callable[[P, str], Bitboard]
) -> tuple[Event, ...]:
    """The events with `seen_by` set, where doors stay as they are and nobody has to remember them."""
    return witnessed(_scene(before, after, bodies, sees), events)


def _scene(before: P, after: P, bodies: Sequence[Body], sees: Callable[[P, str], Bitboard]) -> Witnesses:
    number = {body.id: i for i, body in enumerate(bodies)}

    def spots(name: str) -> Bitboard:
        out, who = EMPTY, number[name]
        for state in (before, after):
            if who < len(state.figures) and state.figures[who].cell >= 0:
                out |= state.terrain.footprint(state.figures[who].cell, bodies[who].space)
        return out

    sides = {body.id: body.side for body in bodies}
    views = {side: sees(before, side) | sees(after, side) for side in dict.fromkeys(sides.values())}
    return Witnesses(after.terrain, views, sides, spots, lambda name: bodies[number[name]].space)


def _looked(before: Known, after: Known, views: Mapping[str, Bitboard]) -> DoorMemory | None:
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
    field, seen = after.terrain.field, []
    for side, stood, when in memory.sides:
        view = beside(views.get(side, EMPTY), field.width, field.height)
        looked = [bool(view & door.spaces) for door in field.doors]
        known = tuple(now if look else old for look, now, old in zip(looked, after.doors, stood, strict=True))
        latest = tuple(now if look else old for look, now, old in zip(looked, changes, when, strict=True))
        seen.append((side, known, latest))
    return DoorMemory(changes, tuple(seen))
