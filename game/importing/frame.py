"""A frame of rock around a plan that is drawn with our own tiles, so that there are walls where its floor ends."""

from __future__ import annotations

from dataclasses import replace

from game.importing.plan import Plan, Space
from game.maps.limits import MAX_SIDE


def framed(plan: Plan) -> Plan:
    """The plan with a space of rock more on each side that its floor reaches, as far as a map may be large.

    One with a picture stays as it is.
    """
    if plan.picture is not None:
        return plan
    west = int(any(x == 0 for x, _ in plan.floor))
    north = int(any(y == 0 for _, y in plan.floor))
    columns = plan.columns + west + any(x == plan.columns - 1 for x, _ in plan.floor)
    rows = plan.rows + north + any(y == plan.rows - 1 for _, y in plan.floor)
    if (columns, rows) == (plan.columns, plan.rows) or max(columns, rows) > MAX_SIDE:
        return plan

    def moved(space: Space) -> Space:
        return space[0] + west, space[1] + north

    def all_of(spaces: frozenset[Space]) -> frozenset[Space]:
        return frozenset(map(moved, spaces))

    return replace(
        plan, columns=columns, rows=rows, floor=all_of(plan.floor), water=all_of(plan.water),
        difficult=all_of(plan.difficult), pillars=all_of(plan.pillars),
        walls={edge._replace(x=edge.x + west, y=edge.y + north): barrier for edge, barrier in plan.walls.items()},
        doors=tuple(
            replace(door, space=None if door.space is None else moved(door.space),
                    edges=tuple(edge._replace(x=edge.x + west, y=edge.y + north) for edge in door.edges))
            for door in plan.doors
        ),
        lights=tuple(replace(light, x=light.x + west, y=light.y + north) for light in plan.lights),
        notes=tuple(replace(note, x=note.x + west, y=note.y + north) for note in plan.notes),
        exits=tuple(replace(way, spaces=tuple(map(moved, way.spaces))) for way in plan.exits),
        stairs=tuple(replace(flight, spaces=tuple(map(moved, flight.spaces))) for flight in plan.stairs),
    )  # fmt: skip
