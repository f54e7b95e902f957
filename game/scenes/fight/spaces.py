"""What there is on a space, in words, as far as whoever looks knows; ways there; errands: several actions at one wish.

An errand goes up to a foe and strikes it, or up to a door and opens it, as far as the rules let both be done. Nothing
is tried out in secret: the way and what is done at its end are two commands, each as legal as if asked for alone.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import islice
from typing import NamedTuple

from game.controllers.ai.advisors import advisor_of
from game.scenes.fight.model import FightModel
from game.scenes.fight.plan import Errand, Plan
from rules.board.bitboard import board_of, cells_of
from rules.board.fixtures import PORTCULLIS, Door, DoorState
from rules.board.grid import Field, Ground, Terrain
from rules.board.path import UNREACHABLE, reach
from rules.contract.actions import Action, Decision, Description
from rules.contract.errors import BattlematError
from rules.contract.ruleset import State
from rules.contract.text import joined, text
from rules.contract.units import EMPTY, Bitboard, Cell

FAR = 80
"""Spaces of movement beyond which no way is looked for."""
MATERIALS = {
    "slate": "Slate floor", "stone": "Stone floor", "wood": "Boards", "earth": "Bare earth", "grass": "Grass",
    "mud": "Mud", "shallows": "Shallow water", "water": "Deep water", "bridge": "Bridge", "wall": "Wall",
    "rockwall": "Rock", "chasm": "Chasm", "silt": "Silt", "mossy": "Mossy flags", "tiles": "Glazed tiles",
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


def told(fight: FightModel, cell: Cell) -> Told:
    """What whoever looks knows of a space."""
    if not fight.eyes.known() >> cell & 1:
        return Told("Unknown ground", ("Nobody of yours has seen that space yet.",))
    room = fight.match.field.room(cell)
    lines: list[str] = [f"{room.name}."] if room is not None else []
    title = _ground(fight, cell)
    for door, state in doors_at(fight, cell):
        title = door_name(door) if door.edge is None else title
        lines.append(_door_line(door, state, whole=door.edge is None))
    field = fight.match.field
    if not _solid(fight, cell):
        if any(field.levels) and field.ground[cell] != Ground.VOID:
            lines.append(text("Height {cell}.", field.level(cell)))
        if field.ground[cell] == Ground.DIFFICULT:
            lines.append("Difficult ground.")
    lines += leads(field, cell)
    lines += [f"{mark.label}." for mark in fight.board.ground if mark.cells >> cell & 1 and mark.label]
    if lying := [item.item for item in fight.board.floor if item.cell == cell]:
        lines.append(text("Here lies: {lying}.", joined(", ", lying)))
    return Told(title, tuple(dict.fromkeys(lines)))


def leads(field: Field, cell: Cell) -> list[str]:
    """To which maps one may go over from a space, by what the stairs are called there and by the maps' titles."""
    ways = [(stair.name, field.part(stair.to).title) for stair in field.stairs if stair.cell == cell]
    return [
        text("{name}: this way to {map}.", name, there) if name else text("This way to {map}.", there)
        for name, there in dict.fromkeys(ways)
    ]


def _ground(fight: FightModel, cell: Cell) -> str:
    """What the ground is, and what stands on it: `Boards · Table`."""
    plan, (column, row) = fight.view.ground.plan, fight.match.field.at(cell)
    bare = "Ground" if fight.match.field.ground[cell] < Ground.BLOCKED else "No way through"
    things = [prop.name.replace("_", " ") for prop in plan.props_at(column, row)]
    shown = [f"{thing[:1].upper()}{thing[1:]}" for thing in things if not thing.startswith("door")]
    return joined(" · ", dict.fromkeys((MATERIALS.get(plan.material(column, row), bare), *shown)))


def _solid(fight: FightModel, cell: Cell) -> bool:
    """Whether a space looks as if nobody could stand there: a secret door is a wall like any other."""
    field = fight.match.field
    return field.ground[cell] == Ground.BLOCKED or fight.view.ground.plan.is_wall(*field.at(cell))


def doors_at(fight: FightModel, cell: Cell) -> Iterator[tuple[Door, str]]:
    """The doors on a space or on its edges that whoever looks knows of, and how each stands."""
    for door, state in zip(fight.match.field.doors, fight.board.doors, strict=False):
        if state != DoorState.SECRET and cell in (door.cell, door.edge):
            yield door, state


def door_name(door: Door) -> str:
    """What a door is called."""
    if _UNNAMED.fullmatch(door.id):
        return "Portcullis" if door.kind == PORTCULLIS else "Door"
    return door.id[:1].upper() + door.id[1:].replace("_", " ")


def _door_line(door: Door, state: str, *, whole: bool) -> str:
    """How a door stands; with its name where it stands on an edge of the space."""
    told = STATES.get(state, "") if door.kind != PORTCULLIS else RAISED if state == DoorState.OPEN else LOWERED
    return told if whole else text("{door}: {text}", door=door_name(door), text=told)


# -- ways


def route(
    plan: Plan, stops: Sequence[Cell], terrain: Terrain | None = None, *, past_foes: bool = False
) -> tuple[Cell, ...]:
    """The cheapest way over these spaces, on known ground and round foes; empty where none leads there."""
    actor = plan.actor
    if actor is None:
        return ()
    terrain = terrain if terrain is not None else plan.ruleset.terrain(plan.state)
    foes = EMPTY
    for mini in plan.board.miniatures:
        if mini.side != plan.decision.side and not mini.out and not past_foes:
            foes |= terrain.footprint(mini.cell, mini.size)
    path: list[Cell] = []
    for start, goal in zip(stops, stops[1:], strict=False):
        if start == goal:
            continue
        closed = (foes & ~(1 << goal)) | ~plan.known & terrain.everywhere
        way = reach(terrain, start, FAR, size=actor.size, blocked=closed)
        if way.cost.get(goal, UNREACHABLE) >= UNREACHABLE:
            return ()
        path += way.path(goal)
    return tuple(path)


def why_no_way(fight: FightModel, plan: Plan, cell: Cell) -> str:
    """Why whoever decides can't go to a space: it is unknown, solid, too far, or something stands in the way."""
    if not plan.known >> cell & 1:
        return "Nobody of yours has seen that space yet."
    if plan.start is None:
        return ""
    if fight.match.field.ground[cell] == Ground.VOID:
        return "There is no ground to stand on."
    if _solid(fight, cell):
        return "Nobody can stand there."
    stops = [plan.start, cell]
    if path := route(plan, stops):
        return plan.why_not_there(path)
    if shut := _shut(fight, plan, cell):
        return shut
    if path := route(plan, stops, past_foes=True):
        inside = set(path)
        foes = (m.name for m in plan.board.miniatures if m.cell in inside and plan.is_foe(m.id) and not m.out)
        if in_way := next(foes, ""):
            return text("{in_way} stands in the way.", in_way)
    return "No way leads there on foot."


def _shut(fight: FightModel, plan: Plan, cell: Cell) -> str:
    """The first shut door on the way that would lead to a space if all doors stood open; empty where none would."""
    assert plan.start is not None
    terrain = plan.ruleset.terrain(plan.state)
    doors = terrain.field.doors
    known = sum(1 << n for n, state in enumerate(plan.board.doors) if state != DoorState.SECRET)
    path = route(plan, [plan.start, cell], terrain.field.terrain(known | terrain.doors_open))
    for before, after in zip((plan.start, *path), path, strict=False):
        for number, (door, state) in enumerate(zip(doors, plan.board.doors, strict=False)):
            here = {door.cell, door.edge} == {before, after} if door.edge is not None else door.cell == after
            if here and state not in ("open", "secret") and not terrain.doors_open >> number & 1:
                how = _door_line(door, state, whole=True)
                return text("The way there is shut. {door}: {what}", door_name(door), how)
    return ""


TRIED = 10
"""So many ends of ways are tried for an errand."""
Lead = Callable[[Cell], tuple[Action, ...]]
"""The actions by which one gets to a space."""


# -- errands


def to_foe(plan: Plan, target: str) -> Errand | None:
    """The cheapest way after which a foe can be struck in the same chance, and the blow; None where there is none."""
    by, mini = plan.decision.by, plan.minis.get(target)
    if plan.actor is None or plan.is_question or mini is None or mini.out or not plan.is_foe(target):
        return None
    state, advisor = _dry(plan), advisor_of(plan.ruleset)
    ways = advisor.outlook(state, by).ways
    reachable = from_where = EMPTY
    for way in ways:
        reachable |= way.cells
    aimed = next((t for t in advisor.targets(state, by, reachable) if t.id == target), None)
    for vantage in aimed.vantages if aimed is not None else ():
        from_where |= vantage.cells
    leads = ((way.cells, partial(advisor.route, state, by, way)) for way in ways)
    return next(_errands(plan, state, leads, from_where, target), None)


def _errands(
    plan: Plan, state: State, leads: Iterable[tuple[Bitboard, Lead]], spots: Bitboard, target: str
) -> Iterator[Errand]:
    """What can be done to somebody or something at the ends of ways that lie on these spots, a few of them tried."""
    ends = ((lead, cell) for cells, lead in leads for cell in _nearest(plan, cells & spots & plan.known))
    found = (_tried(plan, state, lead(cell), target) for lead, cell in islice(ends, TRIED))
    return (errand for errand in found if errand is not None)


def _nearest(plan: Plan, cells: Bitboard) -> list[Cell]:
    """A few spaces, those nearest to whoever decides first."""
    assert plan.start is not None
    column, row = plan.field.at(plan.start)

    def away(cell: Cell) -> tuple[int, int, int]:
        x, y = plan.field.at(cell)
        return (max(abs(x - column), abs(y - row)), abs(x - column) + abs(y - row), cell)

    return sorted(cells_of(cells), key=away)[:3]


def to_door(plan: Plan, name: str) -> Errand | None:
    """The first way after which something can be done to a door without dice, and that; None where there is none."""
    door = next((d for d in plan.field.doors if d.id == name), None)
    if door is None or plan.actor is None or plan.is_question:
        return None
    state = _dry(plan)
    terrain = plan.ruleset.terrain(plan.state)
    spots = [door.cell] if door.edge is None else [door.cell, door.edge]
    near = board_of(cell for spot in spots for cell in cells_of(terrain.within(spot, 1)))
    found = _errands(plan, state, _ways(plan, state), near, name)
    return next((errand for errand in found if errand.there.odds(errand.deed) is None), None)


def through_door(fight: FightModel, plan: Plan, cell: Cell) -> Errand | None:
    """The way up to a shut door on a space or on its edge, and opening it; None where there is none."""
    found = (to_door(plan, door.id) for door, state in doors_at(fight, cell) if state != DoorState.OPEN)
    return next((errand for errand in found if errand is not None), None)


def _ways(plan: Plan, state: State) -> Iterator[tuple[Bitboard, Lead]]:
    """Where whoever decides could end, cheapest first, and how it gets there: all movements of a chance put together,
    else one by one where the rules don't think in chances."""
    by, advisor = plan.decision.by, advisor_of(plan.ruleset)
    ways = advisor.outlook(state, by).ways
    for way in ways:
        yield way.cells, partial(advisor.route, state, by, way)
    for offer in plan.offers if not ways else ():
        if offer.description.needs == "path" and offer.actions:
            moves = plan.moves(offer)
            yield board_of(moves), lambda cell, moves=moves: (moves[cell],)  # type: ignore[misc]


def _dry(plan: Plan) -> State:
    """The position as it is known, without any dice: what throws some can't be planned ahead."""
    sides = {mini.side for mini in plan.board.miniatures} | {plan.decision.side}
    return plan.ruleset.observe(plan.state, *sorted(sides))


def _tried(plan: Plan, state: State, way: tuple[Action, ...], target: str) -> Errand | None:
    """A way and what can be done to somebody or something at its end, if all is legal and the way needs no dice."""
    decision: Decision | None = plan.decision
    if not way:
        return None
    told: list[Description] = []
    for action in way:
        if decision is None or action not in plan.ruleset.legal(state, decision):
            return None
        told.append(plan.ruleset.describe(state, action))  # a later step of the way costs what it costs from there
        try:
            state = plan.ruleset.apply(state, decision, action).state
        except BattlematError:
            return None
        decision = next((d for d in plan.ruleset.decisions(state) if d.by == plan.decision.by), None)
        if decision is not None and decision.kind != plan.decision.kind:
            return None
    if decision is None:
        return None
    rules, legal = plan.ruleset, plan.ruleset.legal(state, decision)
    there = Plan(rules, state, decision, legal, board=rules.board(state), field=plan.field, known=plan.known)
    deed = there.strike(target) if target in there.minis else there.on_door(target)
    return Errand(target, (*way, deed), there, (*told, there.describe(deed))) if deed is not None else None
