"""What there is on a space, in words, as far as whoever looks knows; and why no way leads there."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from rules.board.grid import Door, Ground, Terrain
from rules.board.path import UNREACHABLE, reach

if TYPE_CHECKING:
    from game.scenes.fight.plan import Plan
    from game.scenes.fight.scene import Fight

FAR = 80
"""Spaces of movement beyond which no way is looked for."""
MATERIALS = {
    "slate": "Slate floor", "stone": "Stone floor", "wood": "Boards", "earth": "Bare earth", "grass": "Grass",
    "mud": "Mud", "shallows": "Shallow water", "water": "Deep water", "bridge": "Bridge", "wall": "Wall",
    "rockwall": "Rock", "chasm": "Chasm",
}  # fmt: skip
"""What the ground is called by what it is made of."""
STATES = {
    "open": "It stands open.", "closed": "It is closed.", "locked": "It is locked.", "barred": "It is barred.",
}  # fmt: skip
RAISED, LOWERED = "It is raised.", "It is down: it is seen and shot through."
_UNNAMED = re.compile(r"door[ _]?\d+(?:,\d+)*", re.IGNORECASE)
"""A door's id that is no name."""


class Told(NamedTuple):
    """A space in words: what it is, and what else is to be said of it."""

    title: str
    lines: tuple[str, ...] = ()


def told(fight: Fight, cell: int) -> Told:
    """What whoever looks knows of a space."""
    if not fight.eyes.known() >> cell & 1:
        return Told("Unknown ground", ("Nobody of yours has seen that space yet.",))
    lines: list[str] = []
    title = _ground(fight, cell)
    for door, state in doors_at(fight, cell):
        if door.edge is None:
            title = door_name(door)
        lines.append(_door_line(door, state, whole=door.edge is None))
    field = fight.match.field
    if not _solid(fight, cell):
        if any(field.levels) and field.ground[cell] != Ground.VOID:
            lines.append(f"Height {field.level(cell)}.")
        if field.ground[cell] == Ground.DIFFICULT:
            lines.append("Difficult ground.")
    lines += [f"{mark.label}." for mark in fight.board.ground if mark.cells >> cell & 1 and mark.label]
    lying = [item.item for item in fight.board.floor if item.cell == cell]
    if lying:
        lines.append(f"Here lies: {', '.join(lying)}.")
    return Told(title, tuple(dict.fromkeys(lines)))


def _ground(fight: Fight, cell: int) -> str:
    """What the ground is, and what stands on it: `Boards · Table`."""
    plan = fight.view.ground.plan
    column, row = fight.match.field.at(cell)
    kind = fight.match.field.ground[cell]
    named = MATERIALS.get(plan.material(column, row))
    if named is None:
        named = "Ground" if kind < Ground.BLOCKED else "No way through"
    things = [prop.name.replace("_", " ") for prop in plan.props_at(column, row)]
    shown = [f"{thing[:1].upper()}{thing[1:]}" for thing in things if not thing.startswith("door")]
    return " · ".join(dict.fromkeys((named, *shown)))


def _solid(fight: Fight, cell: int) -> bool:
    """Whether a space looks as if nobody could stand there: a secret door is a wall like any other."""
    if fight.match.field.ground[cell] == Ground.BLOCKED:
        return True
    return fight.view.ground.plan.is_wall(*fight.match.field.at(cell))


def doors_at(fight: Fight, cell: int) -> Iterator[tuple[Door, str]]:
    """The doors on a space or on its edges that whoever looks knows of, and how each stands."""
    for door, state in zip(fight.match.field.doors, fight.board.doors, strict=False):
        if state != "secret" and cell in (door.cell, door.edge):
            yield door, state


def door_name(door: Door) -> str:
    """What a door is called."""
    if _UNNAMED.fullmatch(door.id):
        return "Portcullis" if door.kind == "portcullis" else "Door"
    return door.id[:1].upper() + door.id[1:].replace("_", " ")


def _door_line(door: Door, state: str, *, whole: bool) -> str:
    """How a door stands; with its name where it stands on an edge of the space."""
    if door.kind == "portcullis":
        text = RAISED if state == "open" else LOWERED
    else:
        text = STATES.get(state, "")
    return text if whole else f"{door_name(door)}: {text}"


# -- ways


def route(
    plan: Plan, stops: Sequence[int], terrain: Terrain | None = None, *, past_foes: bool = False
) -> tuple[int, ...]:
    """The cheapest way over these spaces, on known ground and round foes; empty where none leads there."""
    actor = plan.actor
    if actor is None:
        return ()
    terrain = terrain if terrain is not None else plan.ruleset.terrain(plan.state)
    foes = 0
    for mini in plan.board.miniatures:
        if mini.side != plan.decision.side and not mini.out and not past_foes:
            foes |= terrain.footprint(mini.cell, mini.size)
    path: list[int] = []
    for start, goal in zip(stops, stops[1:], strict=False):
        if start == goal:
            continue
        closed = (foes & ~(1 << goal)) | ~plan.known & terrain.everywhere
        way = reach(terrain, start, FAR, size=actor.size, blocked=closed)
        if way.cost.get(goal, UNREACHABLE) >= UNREACHABLE:
            return ()
        path += way.path(goal)
    return tuple(path)


def why_no_way(fight: Fight, plan: Plan, cell: int) -> str:
    """Why whoever decides can't go to a space: it is unknown, solid, too far, or something stands in the way."""
    if not plan.known >> cell & 1:
        return "Nobody of yours has seen that space yet."
    if plan.actor is None:
        return ""
    if fight.match.field.ground[cell] == Ground.VOID:
        return "There is no ground to stand on."
    if _solid(fight, cell):
        return "Nobody can stand there."
    stops = [plan.actor.cell, cell]
    if path := route(plan, stops):
        return plan.why_not_there(path)
    if shut := _shut(fight, plan, cell):
        return shut
    if path := route(plan, stops, past_foes=True):
        inside = set(path)
        in_way = next(
            (m.name for m in plan.board.miniatures if m.cell in inside and plan.is_foe(m.id) and not m.out),
            "",
        )
        if in_way:
            return f"{in_way} stands in the way."
    return "No way leads there on foot."


def _shut(fight: Fight, plan: Plan, cell: int) -> str:
    """The first shut door on the way that would lead to a space if all doors stood open; empty where none would."""
    assert plan.actor is not None
    terrain = plan.ruleset.terrain(plan.state)
    doors = terrain.field.doors
    known = sum(1 << n for n, state in enumerate(plan.board.doors) if state != "secret")
    path = route(plan, [plan.actor.cell, cell], terrain.field.terrain(known | terrain.doors_open))
    steps = list(zip((plan.actor.cell, *path), path, strict=False))
    for before, after in steps:
        for number, (door, state) in enumerate(zip(doors, plan.board.doors, strict=False)):
            here = {door.cell, door.edge} == {before, after} if door.edge is not None else door.cell == after
            if here and state not in ("open", "secret") and not terrain.doors_open >> number & 1:
                return f"The way there is shut. {door_name(door)}: {_door_line(door, state, whole=True)}"
    return ""
