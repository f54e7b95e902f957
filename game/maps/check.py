"""Can a fight be played on this map? What stands in the way, in single lines."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from game.maps.lines import one_line, shown, some
from game.maps.mapdata import CheckReport, LoadedMap
from game.maps.regions import Regions
from rules.board.bitboard import cells_of, where
from rules.board.grid import Field, Ground, Terrain

NEEDED = {"heroes": 4, "monsters": 5}
"""Spaces that the start areas of these sides must offer together."""
MOST = 40
"""Problems beyond which the rest is only counted."""


class Fault(NamedTuple):
    """What stands in the way of a fight, with the mend; and what the map lacks by it, in few words."""

    text: str
    lack: str


def check_loaded(loaded: LoadedMap, templates: set[str] | None = None) -> CheckReport:
    """The verdict on a map that could be read."""
    field = loaded.field
    free = field.ground.translate(_STANDABLE)
    terrain = field.terrain((1 << len(field.doors)) - 1)
    regions = Regions(terrain)
    faults = [
        *_spawns(loaded, free),
        *_creatures(loaded, free, templates),
        *_doors(field, free),
        *_apart(loaded, free, regions),
    ]
    name = loaded.path.name
    return CheckReport(
        not faults,
        at_most(tuple(f"{name}: {fault.text}" for fault in faults)),
        tuple(one_line(note) for note in (*loaded.warnings, *_remarks(loaded, terrain, regions))),
        lacks=some(dict.fromkeys(fault.lack for fault in faults)),
    )


def at_most(lines: Sequence[str]) -> tuple[str, ...]:
    """The lines fit to be printed; of very many only the first ones, and how many more there are."""
    kept = tuple(one_line(line) for line in lines[:MOST])
    return kept if len(lines) <= MOST else (*kept, f"and {len(lines) - MOST} more problems")


_STANDABLE = bytes(kind <= Ground.DIFFICULT for kind in range(256))


def _at(field: Field, cell: int) -> str:
    column, row = field.at(cell)
    return f"column {column}, row {row}"


def _spawns(loaded: LoadedMap, free: bytes) -> Iterator[Fault]:
    field = loaded.field
    for spawn in loaded.spawns:
        room = sum(map(free.__getitem__, spawn.cells))
        if not room:
            yield Fault(
                f"object {spawn.id}: no space of this Spawn ({spawn.side}) can be stood on "
                f"({_at(field, spawn.cells[0])}); move it to open ground",
                "room for a Spawn",
            )
        elif spawn.count > room:
            yield Fault(
                f"object {spawn.id}: this Spawn ({spawn.side}) wants {spawn.count} on {room} free spaces; "
                "make it larger or lower count",
                "room for a Spawn",
            )
    for side, needed in NEEDED.items():
        room = sum(map(free.__getitem__, loaded.spawn_cells(side)))
        room += sum(creature.side == side for creature in loaded.creatures)
        if room < needed:
            yield Fault(
                f"side {side} has {room} free spaces to start on; draw Spawn objects with side = "
                f"{side} over at least {needed}",
                "a Spawn for heroes" if side == "heroes" else "a Spawn for monsters",
            )
    sides = {cell: spawn.side for spawn in loaded.spawns for cell in spawn.cells}
    for spawn in loaded.spawns:
        shared = next((cell for cell in spawn.cells if sides[cell] != spawn.side), None)
        if shared is not None:
            yield Fault(
                f"object {spawn.id}: this Spawn ({spawn.side}) overlaps one of side {sides[shared]} "
                f"at {_at(field, shared)}; move one",
                "a Spawn of each side's own",
            )


def _creatures(loaded: LoadedMap, free: bytes, templates: set[str] | None) -> Iterator[Fault]:
    field = loaded.field
    crowd = Counter(creature.cell for creature in loaded.creatures)
    for creature in loaded.creatures:
        who = f"object {creature.object_id}: Creature {shown(creature.id)}"
        if not free[creature.cell]:
            yield Fault(
                f"{who} stands in a wall or void at {_at(field, creature.cell)}; move it to open ground",
                "room for a Creature",
            )
        if crowd[creature.cell] > 1:
            yield Fault(
                f"{who} shares its space at {_at(field, creature.cell)} with another; move one",
                "room for a Creature",
            )
        if templates is not None and creature.template not in templates:
            yield Fault(
                f"{who} has template {shown(creature.template)}, which is unknown; known are {some(sorted(templates))}",
                "a known template for a Creature",
            )


def _doors(field: Field, free: bytes) -> Iterator[Fault]:
    taken: set[tuple[int, int | None]] = set()
    walls = {(wall.a, wall.b) for wall in field.edges if wall.move}
    for door in field.doors:
        which, lack = f"door {shown(door.id)}", "a free doorway"
        stuck = next((cell for cell in (door.cell, door.edge) if cell is not None and not free[cell]), None)
        if stuck is not None:
            yield Fault(
                f"{which}: a wall or void is in the way at {_at(field, stuck)}; "
                "put floor under it, or move it between two open spaces",
                lack,
            )
        if (door.cell, door.edge) in taken:
            yield Fault(f"{which}: there is another door at {_at(field, door.cell)}; remove one", lack)
        taken.add((door.cell, door.edge))
        if door.edge is not None and (door.cell, door.edge) in walls:
            yield Fault(
                f"{which}: a Wall runs through it at {_at(field, door.cell)}; leave a gap in the Wall's line",
                lack,
            )


def _apart(loaded: LoadedMap, free: bytes, regions: Regions) -> Iterator[Fault]:
    """Start spaces of different sides that no way joins, even with all doors open."""
    starts = {
        side: [cell for cell in loaded.spawn_cells(side) if free[cell]]
        for side in dict.fromkeys(spawn.side for spawn in loaded.spawns)
    }
    first = next((cells[0] for cells in starts.values() if cells), None)
    if first is None:
        return
    for side, cells in starts.items():
        lost = next((cell for cell in cells if not regions.joined(cell, first)), None)
        if lost is not None:
            yield Fault(
                f"side {side} at {_at(loaded.field, lost)} cannot be reached from the other start at "
                f"{_at(loaded.field, first)}, even with all doors open; join them",
                "a way between the sides",
            )


def _remarks(loaded: LoadedMap, terrain: Terrain, regions: Regions) -> Iterable[str]:
    field = loaded.field
    if loaded.ambient == "dark" and not field.lights:
        yield "the map is dark and has no Light; nobody will see far"
    heights = bytes(field.levels)
    walkable = where(field.ground, Ground.OPEN, Ground.DIFFICULT)
    for level in sorted(set(heights) - {0}):
        there = where(heights, level) & walkable
        if there and not there & regions.climbs:
            first = cells_of(there & -there)[0]
            yield f"nothing climbs to level {level} at {_at(field, first)}; draw Stairs or a Ladder beside it"
    heroes, monsters = loaded.spawn_cells("heroes"), loaded.spawn_cells("monsters")
    if heroes and monsters:
        nearest = min(terrain.distance(a, b) for a in heroes[:64] for b in monsters[:256])
        if nearest < 5 or nearest > 20:
            yield f"the sides start {nearest} spaces apart; 8 to 14 make a good opening"
