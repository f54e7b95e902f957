"""Scenes of Foundry: the same two rooms as its versions told them over the years."""

from __future__ import annotations

import json
from typing import Any

import pytest

from game.importing import formats
from game.importing.plan import Barrier, Edge, ImportProblem, Plan, Side
from rules.board.fixtures import DoorState

PIXELS = 50
"""Of a space; the padding, a quarter of 500 × 300 up to whole spaces, is 150 on the left and 100 on top."""


def wall(x1: float, y1: float, x2: float, y2: float, **said: Any) -> dict[str, Any]:
    """A wall between corners of spaces, in pixels with the padding."""
    return {"c": [x1 * PIXELS + 150, y1 * PIXELS + 100, x2 * PIXELS + 150, y2 * PIXELS + 100], "door": 0, "ds": 0,
            "dir": 0, **said}  # fmt: skip


OLD, NEW = {"move": 1, "sense": 1}, {"move": 20, "sight": 20, "light": 20, "sound": 20}


def rooms(kind: dict[str, int], **door: Any) -> list[dict[str, Any]]:
    return [
        wall(1, 1, 8, 1, **kind), wall(8, 1, 8, 5, **kind), wall(8, 5, 1, 5, **kind), wall(1, 5, 1, 1, **kind),
        wall(4, 1, 4, 2, **kind), wall(4, 3, 4, 5, **kind), wall(4, 2, 4, 3, **{**kind, "door": 1, **door}),
    ]  # fmt: skip


def scene(walls: list[dict[str, Any]], **said: Any) -> dict[str, Any]:
    """Version 10 and later."""
    return {"name": "The house", "width": 500, "height": 300, "padding": 0.25,
            "grid": {"type": 1, "size": PIXELS, "distance": 5, "units": "ft"},
            "background": {"offsetX": 0, "offsetY": 0}, "walls": walls, "lights": [], "notes": [], **said}  # fmt: skip


def old(walls: list[dict[str, Any]], **said: Any) -> dict[str, Any]:
    """Version 8."""
    return {"name": "The house", "width": 500, "height": 300, "padding": 0.25, "grid": PIXELS, "gridType": 1,
            "gridDistance": 10, "shiftX": 0, "shiftY": 0, "walls": walls, "lights": [], **said}  # fmt: skip


def plan(document: Any) -> Plan:
    return formats.of_bytes(json.dumps(document).encode(), "house.json")


@pytest.mark.parametrize("document", [scene(rooms(NEW)), old(rooms(OLD))])
def test_two_rooms_and_the_door_between_them(document: Any) -> None:
    found = plan(document)
    assert (found.format, found.columns, found.rows, found.areas, found.title) == (
        "foundry",
        10,
        6,
        (16, 12),
        "The house",
    )
    assert [door.edges for door in found.doors] == [(Edge(4, 2, Side.WEST),)]
    assert found.off_grid == 0.0


def test_a_scene_moved_against_its_grid_is_read_as_it_lies() -> None:
    moved = rooms(NEW)
    for each in moved:
        each["c"] = [value - 10 for value in each["c"]]
    assert plan(scene(moved, background={"offsetX": 10, "offsetY": 10})).areas == (16, 12)


@pytest.mark.parametrize(
    ("door", "state"),
    [({"ds": 0}, DoorState.CLOSED), ({"ds": 1}, DoorState.OPEN), ({"ds": 2}, DoorState.LOCKED),
     ({"door": 2}, DoorState.SECRET), ({"door": 2, "ds": 1}, DoorState.OPEN)],
)  # fmt: skip
def test_a_door_stands_as_the_scene_has_it(door: dict[str, int], state: DoorState) -> None:
    assert [each.state for each in plan(scene(rooms(NEW, **door))).doors] == [state]


@pytest.mark.parametrize(
    ("kind", "barrier"),
    [({"move": 20, "sight": 20}, Barrier.WALL), ({"move": 20, "sight": 0}, Barrier.WINDOW),
     ({"move": 20, "sight": 30}, Barrier.WINDOW), ({"move": 0, "sight": 20}, Barrier.CURTAIN),
     ({"move": 20, "sight": 10}, Barrier.WINDOW), ({"move": 0, "sight": 0}, None),
     ({"move": 1, "sense": 0}, Barrier.WINDOW)],
)  # fmt: skip
def test_a_wall_keeps_out_what_it_says(kind: dict[str, int], barrier: Barrier | None) -> None:
    found = plan(scene([*rooms(NEW), wall(6, 1, 6, 5, **kind)]))
    assert found.walls.get(Edge(6, 2, Side.WEST)) is barrier


def test_walls_that_bodies_do_not_pass_and_looks_do_are_windows() -> None:
    assert (
        plan(scene([*rooms(NEW), wall(6, 1, 6, 5, move=20, sight=0), wall(7, 1, 7, 5, move=20, sight=10)])).windows == 1
    )


def test_walls_that_limit_sight_or_work_from_one_side_are_told() -> None:
    told = plan(scene([*rooms(NEW), wall(6, 1, 6, 5, move=20, sight=10, dir=1)])).warnings
    assert "1 walls limit sight only behind a second one: they are seen through" in told
    assert "1 walls work from one side only: here they work from both" in told


def test_lights_reach_as_far_as_their_units_say() -> None:
    light = {"x": 150 + 125, "y": 100 + 75}
    new = plan(scene(rooms(NEW), lights=[{**light, "config": {"bright": 10, "dim": 20}}])).lights
    before = plan(old(rooms(OLD), lights=[{**light, "bright": 20, "dim": 40}])).lights
    assert [(each.x, each.y, each.bright, each.dim) for each in (*new, *before)] == [(2.5, 1.5, 2, 4)] * 2


def test_pins_become_notes_of_the_game_master() -> None:
    (note,) = plan(scene(rooms(NEW), notes=[{"x": 275, "y": 175, "text": "The study"}])).notes
    assert (note.x, note.y, note.title, note.secret) == (2.5, 1.5, "The study", True)


@pytest.mark.parametrize(("darkness", "ambient"), [(0, "bright"), (0.5, "dim"), (1, "dark")])
def test_darkness_is_told_by_both_kinds_of_scene(darkness: float, ambient: str) -> None:
    assert plan(old(rooms(OLD), darkness=darkness)).ambient == ambient
    assert plan(scene(rooms(NEW), environment={"darknessLevel": darkness})).ambient == ambient


def test_the_first_scene_of_a_compendium_is_read() -> None:
    lines = [{"name": "A journal"}, scene([]), scene(rooms(NEW), name="Second"), scene(rooms(NEW), name="Third")]
    found = formats.of_bytes("\n".join(json.dumps(line) for line in lines).encode(), "pack.db")
    assert (found.title, found.areas) == ("Second", (16, 12))
    assert "it has several scenes: this is Second; export the others one by one" in found.warnings


@pytest.mark.parametrize(
    ("document", "told"),
    [
        (scene([], grid={"type": 2, "size": 50}), "its grid is of hexagons"),
        (scene([], grid={"type": 1, "size": 0}), "the size of its grid is missing"),
        (scene([], width=None), "width and height are missing"),
        (scene([], width=1_000_000), "spaces large; 1 to 512 each way are needed"),
    ],
)
def test_what_is_no_scene_for_us_gets_its_line(document: Any, told: str) -> None:
    with pytest.raises(ImportProblem, match=told):
        plan(document)


def test_walls_that_are_wrong_are_counted() -> None:
    found = plan(scene([*rooms(NEW), {"c": [1, 2, 3]}, {"c": "no"}, 7]))  # type: ignore[list-item]
    assert found.areas == (16, 12) and "3 walls could not be read and are left out" in found.warnings
