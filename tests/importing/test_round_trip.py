"""Our own maps written as Universal VTT and imported again: the same rooms, doors, windows and lights."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from game.exporting import order as orders
from game.exporting.outline import Outline, outline
from game.exporting.uvtt import document
from game.importing import formats
from game.importing.plan import Edge, Plan, Side, Space, connected
from game.maps.tiled import load_map
from rules.board.fixtures import Door, DoorState
from rules.board.grid import Field, Ground
from rules.contract.units import Cell

MAPS = sorted(Path("maps").glob("*.tmx"))
LEAST = 3


def edge(field: Field, a: Cell, b: Cell) -> Edge:
    """The edge between two neighbours."""
    (ax, ay), (bx, by) = field.at(a), field.at(b)
    return Edge(max(ax, bx), max(ay, by), Side.WEST if ax != bx else Side.NORTH)


def shown(field: Field) -> list[Door]:
    return [door for door in field.doors if door.state != DoorState.SECRET]


def rooms(field: Field) -> set[frozenset[Space]]:
    """What hangs together of what one sees into, every door shut; a door's own space is no part of it."""
    doors = {door.cell for door in field.doors if door.edge is None}
    seen = (cell for cell in field.cells if not (field.ground[cell] >= Ground.BLOCKED and field.opaque >> cell & 1))
    shut = {edge(field, wall.a, wall.b) for wall in field.edges if wall.move}
    shut |= {edge(field, door.cell, door.edge) for door in field.doors if door.edge is not None}
    found = connected((field.at(cell) for cell in seen if cell not in doors), shut)
    return {room for room in found if len(room) >= LEAST}


def imported_rooms(plan: Plan, field: Field) -> set[frozenset[Space]]:
    doors = {field.at(door.cell) for door in field.doors if door.edge is None}
    shut = {there for there, barrier in plan.walls.items() if not barrier.way}
    shut |= {there for door in plan.doors for there in door.edges}
    return {room for room in connected(plan.floor - doors, shut) if len(room) >= LEAST}


def again(found: Outline, ambient: str) -> Plan:
    return formats.of_bytes(json.dumps(document(found, ambient, 64, b"")).encode(), "again.uvtt")


def on_its_place(field: Field, door: Door) -> Callable[[Edge], bool]:
    if door.edge is not None:
        here = edge(field, door.cell, door.edge)
        return lambda there: there == here
    return lambda there: field.at(door.cell) in ((there.x, there.y), there.beyond)


@pytest.mark.parametrize("path", MAPS, ids=lambda path: path.stem)
def test_a_map_comes_back_with_its_rooms_doors_and_lights(path: Path) -> None:
    field = load_map(path).field
    plan = again(outline(field, 0, (field.width, field.height), secrets=False), field.ambient)
    assert (plan.columns, plan.rows, plan.ambient) == (field.width, field.height, field.ambient)
    assert imported_rooms(plan, field) == rooms(field)
    doors = [there for door in plan.doors for there in door.edges]
    assert len(doors) == len(shown(field)) and all(any(map(on_its_place(field, door), doors)) for door in shown(field))
    assert plan.windows == sum(wall.move and not wall.sight for wall in field.edges)
    assert Counter(light.dim for light in plan.lights) == Counter(
        max(light.bright, light.dim) for light in field.lights
    )
    for light in field.lights:
        x, y = field.at(light.cell)
        assert any(abs(each.x - x - 0.5) <= 0.7 and abs(each.y - y - 0.5) <= 0.7 for each in plan.lights)
    assert not any("shifted" in line or "outside" in line for line in plan.warnings)


@pytest.mark.parametrize("path", MAPS, ids=lambda path: path.stem)
def test_with_its_secrets_every_door_comes_back(path: Path) -> None:
    field = load_map(path).field
    plan = again(outline(field, 0, (field.width, field.height), secrets=True), field.ambient)
    assert sum(len(door.edges) for door in plan.doors) == len(field.doors)
    assert imported_rooms(plan, field) == rooms(field)


def test_the_files_of_a_place_are_those_of_its_maps(tmp_path: Path) -> None:
    matter = orders.read(Path("maps/drowned_cloister.tmx"))
    for path in orders.write(matter, orders.Order(pixels=16), tmp_path / "place.uvtt"):
        field = load_map(Path("maps") / f"{path.stem.removeprefix('place-')}.tmx").field
        plan = formats.read(path)
        assert plan.picture is not None and imported_rooms(plan, field) == rooms(field)
