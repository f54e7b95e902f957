"""Can a fight be played on this map? What stands in the way, in single lines."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from game.mapdata import CheckReport, LoadedMap
from game.maps_in.limits import shown
from rules.grid import Field, Ground, Terrain

NEEDED = {"heroes": 4, "monsters": 5}
"""Spaces that the start areas of these sides must offer together."""


def check_loaded(loaded: LoadedMap, templates: set[str] | None = None) -> CheckReport:
    """The verdict on a map that could be read."""
    field = loaded.field
    problems = [*_spawns(loaded), *_creatures(loaded, templates), *_doors(loaded)]
    everything_open = field.terrain((1 << len(field.doors)) - 1)
    if not problems:
        problems += _apart(loaded, everything_open)
    name = loaded.path.name
    notes = [each.removeprefix(f"{name}: ") for each in loaded.warnings]
    notes += _remarks(loaded, everything_open)
    return CheckReport(not problems, tuple(f"{name}: {each}" for each in problems), tuple(notes))


def _at(field: Field, cell: int) -> str:
    column, row = field.at(cell)
    return f"column {column}, row {row}"


def _standable(field: Field) -> int:
    """The bitboard of spaces where somebody can stand once all doors are open."""
    return sum(1 << cell for cell, ground in enumerate(field.ground) if ground <= Ground.DIFFICULT)


def _spawns(loaded: LoadedMap) -> Iterable[str]:
    field = loaded.field
    free = _standable(field)
    for spawn in loaded.spawns:
        open_cells = [cell for cell in spawn.cells if free >> cell & 1]
        if not open_cells:
            yield (
                f"object {spawn.id}: no space of this Spawn ({spawn.side}) can be stood on "
                f"({_at(field, spawn.cells[0])}); move it to open ground"
            )
        elif spawn.count > len(open_cells):
            yield (
                f"object {spawn.id}: this Spawn ({spawn.side}) wants {spawn.count} on {len(open_cells)} free spaces; "
                "make it larger or lower count"
            )
    for side, needed in NEEDED.items():
        cells = [cell for cell in loaded.spawn_cells(side) if free >> cell & 1]
        standing = sum(creature.side == side for creature in loaded.creatures)
        if len(cells) + standing < needed:
            yield (
                f"side {side} has {len(cells) + standing} free spaces to start on; draw Spawn objects with side = "
                f"{side} over at least {needed}"
            )
    sides = {cell: spawn for spawn in loaded.spawns for cell in spawn.cells}
    for spawn in loaded.spawns:
        shared = [cell for cell in spawn.cells if sides[cell].side != spawn.side]
        if shared:
            yield (
                f"object {spawn.id}: this Spawn ({spawn.side}) overlaps one of side {sides[shared[0]].side} "
                f"at {_at(field, shared[0])}; move one"
            )


def _creatures(loaded: LoadedMap, templates: set[str] | None) -> Iterable[str]:
    field = loaded.field
    free = _standable(field)
    crowd = Counter(creature.cell for creature in loaded.creatures)
    for creature in loaded.creatures:
        where = f"object {creature.object_id}: Creature {shown(creature.id)}"
        if not free >> creature.cell & 1:
            yield f"{where} stands in a wall or void at {_at(field, creature.cell)}; move it to open ground"
        if crowd[creature.cell] > 1:
            yield f"{where} shares its space at {_at(field, creature.cell)} with another; move one"
        if templates is not None and creature.template not in templates:
            yield f"{where} has template {shown(creature.template)}, which is unknown; {_known(templates)}"


def _known(templates: set[str]) -> str:
    names = sorted(templates)
    return f"known are {', '.join(names[:12])}{' …' if len(names) > 12 else ''}"


def _doors(loaded: LoadedMap) -> Iterable[str]:
    field = loaded.field
    free = _standable(field)
    taken: set[tuple[int, int | None]] = set()
    for door in field.doors:
        sides = (door.cell,) if door.edge is None else (door.cell, door.edge)
        stuck = [cell for cell in sides if not free >> cell & 1]
        if stuck:
            yield (
                f"door {shown(door.id)}: a wall or void is in the way at {_at(field, stuck[0])}; "
                "put floor under it, or move it between two open spaces"
            )
        if (door.cell, door.edge) in taken:
            yield f"door {shown(door.id)}: there is another door at {_at(field, door.cell)}; remove one"
        taken.add((door.cell, door.edge))
    walls = {(wall.a, wall.b) for wall in field.edges if wall.move}
    for door in field.doors:
        if door.edge is not None and (door.cell, door.edge) in walls:
            yield (
                f"door {shown(door.id)}: a Wall runs through it at {_at(field, door.cell)}; "
                "leave a gap in the Wall's line"
            )


def reachable(terrain: Terrain, start: int) -> set[int]:
    """The spaces that a creature of size 1 can come to by steps and climbing (leaps aside)."""
    seen, front = {start}, [start]
    while front:
        cell = front.pop()
        nexts = [to for to, _ in terrain.neighbours(cell)]
        nexts += terrain.climbs_from(cell)
        fresh = [to for to in nexts if to not in seen]
        seen.update(fresh)
        front += fresh
    return seen


def _apart(loaded: LoadedMap, terrain: Terrain) -> Iterable[str]:
    """Start spaces of different sides that no way joins, even with all doors open."""
    free = _standable(loaded.field)
    starts = {
        side: [cell for cell in loaded.spawn_cells(side) if free >> cell & 1]
        for side in dict.fromkeys(spawn.side for spawn in loaded.spawns)
    }
    first = next((cells for cells in starts.values() if cells), None)
    if first is None:
        return
    there = reachable(terrain, first[0])
    for side, cells in starts.items():
        lost = [cell for cell in cells if cell not in there]
        if lost:
            yield (
                f"side {side} at {_at(loaded.field, lost[0])} cannot be reached from the other start at "
                f"{_at(loaded.field, first[0])}, even with all doors open; join them"
            )


def _remarks(loaded: LoadedMap, terrain: Terrain) -> Iterable[str]:
    field = loaded.field
    if loaded.ambient == "dark" and not field.lights:
        yield "the map is dark and has no Light; nobody will see far"
    for level in sorted({each for each in field.levels if each}):
        cells = [
            i for i, each in enumerate(field.levels) if each == level and field.ground[i] <= Ground.DIFFICULT
        ]
        if cells and not any(terrain.climbs_from(cell) for cell in cells):
            yield f"nothing climbs to level {level} at {_at(field, cells[0])}; draw Stairs or a Ladder beside it"
    heroes, monsters = loaded.spawn_cells("heroes"), loaded.spawn_cells("monsters")
    if heroes and monsters:
        nearest = min(terrain.distance(a, b) for a in heroes[:64] for b in monsters[:256])
        if nearest < 5 or nearest > 20:
            yield f"the sides start {nearest} spaces apart; 8 to 14 make a good opening"
