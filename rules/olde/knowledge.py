"""What a side sees, what it therefore knows of the fight, and which events it witnesses (olde.md §5)."""

from __future__ import annotations

import msgspec

from rules.events import Door, Event, Moved
from rules.light import ARM, Lamp, dark, lit, seen_from
from rules.olde.magic_ground import in_magic_light
from rules.olde.magic_ground import lamps as magic_lamps
from rules.olde.state import OldeState
from rules.sight import Grade, grade, visible


def lamps(state: OldeState) -> tuple[Lamp, ...]:
    """The lights that creatures carry and that spells have made; a fallen bearer's burns on where it lies."""
    return tuple(
        (figure.cell, fighter.space, fighter.light)
        for fighter, figure in zip(state.setup.fighters, state.figures, strict=True)
        if fighter.light and figure.cell >= 0
    ) + magic_lamps(state.zones)


def sees(state: OldeState, side: str) -> int:
    """The bitboard of spaces that the living of a side see now, each with its own eyes."""
    setup, terrain = state.setup, state.terrain
    burning = lamps(state) if setup.darkness else ()
    seen = 0
    for fighter, figure in zip(setup.fighters, state.figures, strict=True):
        if fighter.side == side and figure.cell >= 0 and figure.hp > -fighter.hp_max:
            if setup.darkness:
                seen |= seen_from(terrain, figure.cell, fighter.space, burning, fighter.dark_sight)
            else:
                seen |= visible(terrain, figure.cell, fighter.space)
                seen |= terrain.footprint(figure.cell, fighter.space)
    return seen


def sight(state: OldeState, by: int, start: int, target: int, goal: int) -> Grade:
    """The line of sight of `by` standing at cell `start` to `target` standing at `goal`: none where it is dark, and
    one grade better where a spell sheds light (magic.md light)."""
    setup, terrain = state.setup, state.terrain
    fighter, foe = setup.fighters[by], setup.fighters[target]
    found = grade(terrain, start, goal, fighter.space, foe.space)
    if state.zones and found in (Grade.PARTIAL, Grade.MINIMAL):
        if in_magic_light(state, terrain.footprint(goal, foe.space)):
            found = Grade(found + 1)
    if not setup.darkness or found is Grade.NONE or fighter.dark_sight or not dark(terrain):
        return found
    if terrain.distance(start, goal, fighter.space, foe.space) <= ARM:
        return found
    return found if terrain.footprint(goal, foe.space) & lit(terrain, lamps(state)) else Grade.NONE


def observe(state: OldeState, side: str) -> OldeState:
    """The state as `side` knows it: its own creatures and all that one of them sees; the rest leaves the board."""
    seen, terrain = sees(state, side), state.terrain
    known = []
    for fighter, figure in zip(state.setup.fighters, state.figures, strict=True):
        here = fighter.side == side or (
            figure.cell >= 0 and bool(terrain.footprint(figure.cell, fighter.space) & seen)
        )
        known.append(figure if here else msgspec.structs.replace(figure, cell=-1))
    floor = tuple(lying for lying in state.floor if seen >> lying.cell & 1)
    return msgspec.structs.replace(
        state, figures=tuple(known), rng=None, throw_at=0, floor=floor, viewer=side
    )


def witnessed(before: OldeState, after: OldeState, events: list[Event]) -> tuple[Event, ...]:
    """The events with `seen_by` set: who takes part knows, and who sees where it happens.

    A movement seen in part is told twice: whole to those who saw all of it, and to the others only as far as they
    saw it. A blow shows who struck to the side that it hit, also out of the dark.
    """
    sides = tuple(dict.fromkeys(fighter.side for fighter in after.setup.fighters))
    views = {side: sees(before, side) | sees(after, side) for side in sides}
    out: list[Event] = []
    for event in events:
        names = _concerned(event)
        if not names and not isinstance(event, Door):
            out.append(event)  # a turn begins, the fight ends: everybody knows
            continue
        if isinstance(event, Moved):
            out += _moved(after, event, views)
            continue
        knowing = _knowing(before, after, event, names, views)
        out.append(event if len(knowing) == len(sides) else _seen_by(event, knowing))
    return tuple(out)


def _concerned(event: Event) -> tuple[str, ...]:
    return tuple(name for name in (getattr(event, "by", None), getattr(event, "target", None)) if name)


def _knowing(before: OldeState, after: OldeState, event: Event, names: tuple[str, ...],
             views: dict[str, int]) -> tuple[str, ...]:  # fmt: skip
    setup = after.setup
    fighters = [setup.index[name] for name in names if name in setup.index]
    spots = 0
    for who in fighters:
        for state in (before, after):
            if who < len(state.figures) and state.figures[who].cell >= 0:
                spots |= state.terrain.footprint(state.figures[who].cell, setup.fighters[who].space)
    if isinstance(event, Door):
        for door in setup.field.doors:
            if door.id == event.door:
                spots |= 1 << door.cell | (1 << door.edge if door.edge is not None else 0)
    own = {setup.fighters[who].side for who in fighters}
    return tuple(side for side, view in views.items() if side in own or view & spots)


def _seen_by(event: Event, sides: tuple[str, ...]) -> Event:
    return msgspec.structs.replace(event, seen_by=sides or ("",))


def _moved(after: OldeState, event: Moved, views: dict[str, int]) -> list[Event]:
    """A movement, told to each side as far as it saw it."""
    setup = after.setup
    who = setup.index[event.by]
    size, field, terrain = setup.fighters[who].space, setup.field, after.terrain
    route = [event.start, *event.path]
    whole: list[str] = []
    parts: dict[tuple[tuple[int, int], ...], list[str]] = {}
    for side, view in views.items():
        if side == setup.fighters[who].side:
            whole.append(side)
            continue
        known = tuple(s for s in route if terrain.footprint(field.cell(*s), size) & view)
        if len(known) == len(route):
            whole.append(side)
        elif known:
            parts.setdefault(known, []).append(side)
    if len(whole) == len(views):
        return [event]
    out: list[Event] = [_seen_by(event, tuple(whole))]
    for known, sides in parts.items():
        piece = msgspec.structs.replace(event, start=known[0], path=known[1:], cost=0)
        out.append(_seen_by(piece, tuple(sides)))
    return out
