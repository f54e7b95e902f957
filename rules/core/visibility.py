"""Fog of war, for every ruleset alike: who witnessed what happened, and how each side last saw the doors."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Protocol, TypeVar

import msgspec

from rules.board.bitboard import union
from rules.board.grid import Terrain, beside
from rules.board.sight import visible
from rules.contract.events import Door, Event, Moved, Noise
from rules.contract.units import EMPTY, Bitboard, Cell

E = TypeVar("E", bound=Event)


class Witnesses(msgspec.Struct, frozen=True):
    """What there was to see while some events happened. Spaces are bitboards."""

    terrain: Terrain
    all: tuple[str, ...]  # the sides
    saw: Callable[[str, Bitboard], Bitboard]  # (side, some spaces) -> those of them that it saw, before or after
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
            out.append(event if len(knowing) == len(scene.all) else _seen_by(event, knowing))
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
    return tuple(side for side in scene.all if side in own or scene.saw(side, Bitboard(spots)))


def _seen_by(event: Event, sides: tuple[str, ...]) -> Event:
    return msgspec.structs.replace(event, seen_by=sides or ("",))


def _heard(scene: Witnesses, event: Noise) -> list[Event]:
    """A noise: whole to those who see its maker, without the maker's name to those who only hear it."""
    seeing = _knowing(scene, event, [event.by] if event.by in scene.sides else [])
    hearing = dict.fromkeys(scene.sides[name] for name, _ in event.heard if name in scene.sides)
    others = [side for side in scene.all if side in hearing and side not in seeing]
    whole = event if len(seeing) == len(scene.all) else _seen_by(event, seeing)
    return [whole, in_part(msgspec.structs.replace(event, by=""), others, seeing)] if others else [whole]


def _moved(scene: Witnesses, event: Moved) -> list[Event]:
    """A movement, told to each side as far as it saw it."""
    size, field, terrain = scene.size(event.by), scene.terrain.field, scene.terrain
    route = (event.start, *event.path)
    parts: dict[tuple[tuple[int, int], ...], list[str]] = {(): []}
    there = [terrain.footprint(field.cell(*space), size) for space in route]
    everywhere = Bitboard(union(there))
    for side in scene.all:
        known = route
        if side != scene.sides.get(event.by):
            seen = scene.saw(side, everywhere)
            known = tuple(space for space, board in zip(route, there, strict=True) if board & seen)
        parts.setdefault(known, []).append(side)
    del parts[()]
    whole = parts.pop(route, [])
    if len(whole) == len(scene.all):
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


Glance = Callable[[P, str, Bitboard], Bitboard]
"""(state, side, some spaces) -> those of them that the side sees."""


def told(
    before: S, after: S, events: Sequence[Event], bodies: Sequence[Body], glance: Glance[S]
) -> tuple[S, tuple[Event, ...]]:
    """What came of an action, with each side's memory of the doors, and the events with `seen_by` set.

    `bodies` are those of `after`'s figures.
    """
    scene = _scene(before, after, bodies, glance)
    memory, looks = after.recall, scene.saw  # as before, but for a side that came to be meanwhile
    looked_from: tuple[object, object] = before.terrain.memo.get("looked from", (None, None))
    if looked_from[0] is memory and looked_from[1] == before.doors == after.doors:
        looks = partial(glance, after)  # when it came to stand as before this, they looked around already
    memory = _looked(before, after, looks)
    if memory is not before.recall:
        after.terrain.memo["looked from"] = memory, after.doors
    if memory is not after.recall:
        after = msgspec.structs.replace(after, recall=memory)  # type: ignore[type-var]
    return after, witnessed(scene, events)


def told_of(
    before: P, after: P, events: Sequence[Event], bodies: Sequence[Body], glance: Glance[P]
) -> tuple[Event, ...]:
    """The events with `seen_by` set, where doors stay as they are and nobody has to remember them."""
    return witnessed(_scene(before, after, bodies, glance), events)


def _scene(before: P, after: P, bodies: Sequence[Body], glance: Glance[P]) -> Witnesses:
    number = {body.id: i for i, body in enumerate(bodies)}

    def spots(name: str) -> Bitboard:
        out, who = EMPTY, number[name]
        for state in (before, after):
            if who < len(state.figures) and state.figures[who].cell >= 0:
                out |= state.terrain.footprint(state.figures[who].cell, bodies[who].space)
        return out

    seen: dict[tuple[str, Bitboard], Bitboard] = {}

    def saw(side: str, wanted: Bitboard) -> Bitboard:
        found = seen.get((side, wanted)) if wanted else EMPTY
        if found is None:
            found = glance(before, side, wanted)
            if found != wanted:
                found |= glance(after, side, wanted)
            seen[side, wanted] = found
        return found

    sides = {body.id: body.side for body in bodies}
    every = tuple(dict.fromkeys(sides.values()))
    return Witnesses(after.terrain, every, saw, sides, spots, lambda name: bodies[number[name]].space)


def _looked(before: Known, after: Known, saw: Callable[[str, Bitboard], Bitboard]) -> DoorMemory | None:
    """The memory once each side has looked at the doors in its view; the same object where nothing is new."""
    memory = after.recall
    if memory is None:
        return None
    changes = memory.changes
    if after.doors != before.doors:
        moved = zip(changes, before.doors, after.doors, strict=True)
        changes = tuple(n + (old != new) for n, old, new in moved)
    elif all(stood == after.doors for _, stood, _ in memory.sides):
        return memory
    seen, about = [], _about_doors(after.terrain)
    for side, stood, when in memory.sides:
        news = [i for i, now in enumerate(after.doors) if stood[i] != now or when[i] != changes[i]]
        wanted = Bitboard(union(about[i] for i in news))
        view = saw(side, wanted)
        if view:
            new = {i for i in news if view & about[i]}
            stood = tuple([after.doors[i] if i in new else old for i, old in enumerate(stood)])
            when = tuple([changes[i] if i in new else old for i, old in enumerate(when)])
        seen.append((side, stood, when))
    return DoorMemory(changes, tuple(seen))


def _about_doors(terrain: Terrain) -> tuple[Bitboard, ...]:
    """For each door the spaces from whose sight one tells how it stands: its own and those beside it. Remembered."""
    known: tuple[Bitboard, ...] | None = terrain.memo.get("about doors")
    if known is None:
        field = terrain.field
        known = tuple(beside(Bitboard(door.spaces), field.width, field.height) for door in field.doors)
        terrain.memo["about doors"] = known
    return known
