"""What an area takes in, space by space (cairn.md §3 Areas)."""

from __future__ import annotations

from typing import Any

from tests.twins.cairn.fight import Fight
from tests.twins.cairn.ground import Space, apart, covered
from tests.twins.cairn.people import Person


def struck(fight: Fight, who: Person, arm: dict[str, Any], target: Person) -> set[Space]:
    """The spaces of an attack's area: all around, a cone, a radius around the target."""
    if arm["blast"] == "adjacent":
        return adjacent(fight, who)
    if arm["blast"] == "cone":
        return cone(fight, who, target["at"], arm["size"])
    return burst(fight, target["at"], arm["size"])


def adjacent(fight: Fight, who: Person) -> set[Space]:
    """The neighbouring spaces that no wall keeps off."""
    here = fight.spaces(who)
    return {
        space for space in fight.ground.everywhere()
        if apart([space], here) == 1 and fight.view(who, here, [space])
    }  # fmt: skip


def burst(fight: Fight, centre: Space, radius: int) -> set[Space]:
    """All that the centre sees, so many spaces around."""
    ground = fight.ground
    near = {space for space in ground.everywhere() if apart([space], [centre]) <= radius}
    return {space for space in near if space == centre or ground.grade(centre, space)}


def square(fight: Fight, corner: Space, size: int) -> set[Space]:
    return {space for space in covered(corner, size) if fight.ground.inside(space)}


def wide(fight: Fight, centre: Space, size: int) -> set[Space]:
    """A square so many spaces wide around one, as far as that one sees."""
    ground, left, top = fight.ground, centre[0] - size // 2, centre[1] - size // 2
    there = {space for space in covered((left, top), size) if ground.inside(space)}
    return {space for space in there if space == centre or ground.grade(centre, space)}


def cone(fight: Fight, who: Person, goal: Space, length: int) -> set[Space]:
    """A quarter of the spaces around: straight ahead no more aside than ahead, slantwise the square between."""
    here, ground = fight.spaces(who), fight.ground
    middle = (2 * who["at"][0] + who["size"] - 1, 2 * who["at"][1] + who["size"] - 1)
    dx, dy = 2 * goal[0] - middle[0], 2 * goal[1] - middle[1]
    slantwise = 2 * min(abs(dx), abs(dy)) > max(abs(dx), abs(dy))
    taken = set()
    for space in ground.everywhere():
        ax, ay = 2 * space[0] - middle[0], 2 * space[1] - middle[1]
        if slantwise:
            inside = ax * dx >= 0 and ay * dy >= 0
        elif abs(dx) >= abs(dy):
            inside = ax * dx > 0 and abs(ay) <= abs(ax)
        else:
            inside = ay * dy > 0 and abs(ax) <= abs(ay)
        if inside and 1 <= apart([space], here) <= length and ground.sight(here, [space]):
            taken.add(space)
    return taken


def line(fight: Fight, who: Person, goal: Space, length: int) -> set[Space]:
    """From next to somebody towards a space, until something stops sight: the nearest whole spaces."""
    (sx, sy), ground = who["at"], fight.ground
    dx, dy = goal[0] - sx, goal[1] - sy
    steps = max(abs(dx), abs(dy))
    taken: set[Space] = set()
    for i in range(1, length + 1 if steps else 0):
        space = (sx + nearest(dx * i, steps), sy + nearest(dy * i, steps))
        if not ground.inside(space) or not ground.grade((sx, sy), space):
            break
        taken.add(space)
    return taken


def nearest(number: int, by: int) -> int:
    """A quotient to the nearest whole, halves away from nought."""
    whole = (2 * abs(number) + by) // (2 * by)
    return whole if number >= 0 else -whole
