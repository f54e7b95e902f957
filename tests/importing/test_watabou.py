"""One-page dungeons by Watabou: a cellar drawn by ourselves, and each thing in which such files surprise."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from game.importing import formats
from game.importing.frame import framed
from game.importing.plan import DoorKind, ImportProblem, Plan, Space
from game.importing.writer import write
from game.maps.place import check_place
from game.maps.tiled import load_map
from rules.board.fixtures import DoorState

SAMPLE = Path("tests/importing/samples/watabou_cellar.json")
CORNER = (-6, -1)
"""Its upper left corner, in its own numbers."""


def cellar(**more: Any) -> Plan:
    document = {**json.loads(SAMPLE.read_text()), **more}
    return formats.of_bytes(json.dumps(document).encode(), "cellar.json")


def at(x: int, y: int) -> Space:
    """A place in the file's own numbers."""
    return x - CORNER[0], y - CORNER[1]


def test_the_floor_is_all_rectangles_shifted_to_the_corner() -> None:
    plan = cellar()
    assert (plan.format, plan.columns, plan.rows, len(plan.floor)) == ("watabou", 19, 9, 86)
    assert at(0, 0) in plan.floor and at(-1, 0) not in plan.floor
    assert plan.title == "The Salt Cellar" and plan.story.startswith("Three brothers")


def test_a_round_room_has_its_corners_cut() -> None:
    plan = cellar()
    assert {at(4, 0), at(8, 0), at(4, 4), at(8, 4)}.isdisjoint(plan.floor)
    assert {at(5, 0), at(4, 1), at(8, 3)} <= plan.floor


def test_the_larger_a_round_room_the_more_is_cut() -> None:
    for side, left in ((3, 9), (5, 21), (7, 37)):
        plan = cellar(rects=[{"x": 0, "y": 0, "w": side, "h": side, "rotunda": True}], doors=[], notes=[])
        assert len(plan.floor) == left


def test_a_corner_at_a_door_is_not_cut() -> None:
    rects = [{"x": 0, "y": 0, "w": 5, "h": 5, "rotunda": True}, {"x": 0, "y": 5, "w": 1, "h": 1}]
    plan = cellar(rects=rects, doors=[{"x": 0, "y": 5, "dir": {"x": 0, "y": 1}, "type": 1}], notes=[])
    assert (0, 4) in plan.floor


def test_rooms_are_counted_with_every_door_shut_and_openings_join() -> None:
    assert cellar().areas == (28, 21, 10, 9, 6, 6)


@pytest.mark.parametrize(
    "spot, state, kind",
    [
        ((3, 2), DoorState.CLOSED, DoorKind.DOOR),
        ((9, 2), DoorState.SECRET, DoorKind.DOOR),
        ((11, 4), DoorState.CLOSED, DoorKind.PORTCULLIS),
        ((-3, 3), DoorState.CLOSED, DoorKind.DOOR),
        ((-5, 1), DoorState.CLOSED, DoorKind.DOOR),
    ],
)
def test_a_door_fills_its_space_and_stands_as_its_type_says(spot: Space, state: DoorState, kind: DoorKind) -> None:
    (door,) = [door for door in cellar().doors if door.space == at(*spot)]
    assert (door.state, door.kind, door.edges) == (state, kind, ())


@pytest.mark.parametrize("kind", [0, 2, 3, 8, 9])
def test_a_mere_opening_is_no_door(kind: int) -> None:
    plan = cellar(doors=[{"x": 3, "y": 2, "dir": {"x": 1, "y": 0}, "type": kind}])
    assert not plan.doors and at(3, 2) in plan.floor


def test_heroes_come_in_by_the_outer_entrance_and_stairs_lead_out() -> None:
    plan = cellar()
    ways = {way.spaces[0]: way.arrival for way in plan.exits}
    assert ways == {at(0, 0): True, at(-5, 5): False, at(11, 7): False}
    assert {flight.spaces[0] for flight in plan.stairs} == {at(-5, 5), at(0, 5), at(11, 7)}


def test_a_portcullis_may_hang_before_stairs_on_one_place() -> None:
    here = [door for door in cellar().doors if door.space == at(11, 7)]
    assert [door.kind for door in here] == [DoorKind.PORTCULLIS]


def test_notes_lie_in_their_rooms_and_are_the_game_masters() -> None:
    first, second = cellar().notes
    assert (first.x, first.y, first.title) == (6.5, 4, "1") and second.secret and first.text.startswith("Sacks")


def test_water_outside_of_the_floor_is_none() -> None:
    assert cellar().water == {at(5, 2), at(6, 2)}


def test_columns_stand_between_spaces_and_block_none() -> None:
    plan = cellar()
    assert not plan.pillars and any("3 columns" in line for line in plan.warnings)


def test_the_map_has_walls_all_around_where_its_floor_reaches_the_border(tmp_path: Path) -> None:
    plan = framed(cellar())
    assert (plan.columns, plan.rows) == (21, 11) and plan.areas == cellar().areas
    assert all(0 < x < 20 and 0 < y < 10 for x, y in plan.floor)
    write(cellar(), tmp_path / "cellar.tmx")
    assert check_place(tmp_path / "cellar.tmx").fit
    loaded = load_map(tmp_path / "cellar.tmx")
    assert sorted(door.state for door in loaded.field.doors) == ["closed"] * 5 + ["secret"]
    assert [note.name for note in loaded.notes] == ["1", "2"] and loaded.field.exits.bit_count() == 3


@pytest.mark.parametrize(
    "rects, said",
    [
        ([], "no rectangles of floor"),
        ([{"x": 0, "y": 0, "w": 1, "h": 1}, {"x": 10**6, "y": 0, "w": 1, "h": 1}], "1 to 512 each way"),
        ([{"x": 0, "y": 0, "w": 10**9, "h": 1}], "no rectangles of floor"),
        ([{"x": 0, "y": 0, "w": 512, "h": 512}] * 20, "over each other"),
        ([{"x": "a", "y": None, "w": -1, "h": []}, 7], "no rectangles of floor"),
    ],
)
def test_what_is_no_floor_gives_one_line(rects: list[Any], said: str) -> None:
    with pytest.raises(ImportProblem, match=said):
        cellar(rects=rects, doors=[])


def test_what_is_broken_in_a_part_leaves_that_part_out() -> None:
    document = json.loads(SAMPLE.read_text())
    plan = cellar(doors=[*document["doors"], {"x": 1}, 3], notes=[{"pos": {"x": 1e300, "y": 2}, "text": "x"}])
    assert len(plan.doors) == 6 and not plan.notes
    assert any("2 doors could not be read" in line for line in plan.warnings)
