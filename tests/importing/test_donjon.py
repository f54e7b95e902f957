"""Dungeons by donjon: a toll house drawn by ourselves, as numbers and as a table."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest

from game.importing import donjontext, formats
from game.importing.plan import DoorKind, ImportProblem, Plan, Space
from game.importing.writer import write
from game.maps.place import check_place
from game.maps.tiled import load_map
from rules.board.fixtures import DoorState

SAMPLE = Path("tests/importing/samples/donjon_keep.json")
TABLE = Path("tests/importing/samples/donjon_keep.txt")
KEEP = json.loads(SAMPLE.read_text())
MARGIN = 1


def keep(**more: Any) -> Plan:
    return formats.of_bytes(json.dumps({**copy.deepcopy(KEEP), **more}).encode(), "keep.json")


def at(column: int, row: int) -> Space:
    """A place as rooms and doors are counted."""
    return column + MARGIN, row + MARGIN


def test_the_map_is_as_large_as_its_cells_and_one_cell_is_one_space() -> None:
    plan = keep()
    assert (plan.format, plan.columns, plan.rows, len(plan.floor)) == ("donjon", 11, 11, 39)
    assert plan.areas == (11, 9, 9, 6) and plan.title == "The Toll House" and plan.ambient == "dark"


@pytest.mark.parametrize(
    "spot, state, kind",
    [
        ((4, 2), DoorState.LOCKED, DoorKind.DOOR),  # trapped, and its words say that it is locked
        ((2, 4), DoorState.SECRET, DoorKind.DOOR),
        ((6, 4), DoorState.CLOSED, DoorKind.PORTCULLIS),
        ((4, 5), DoorState.LOCKED, DoorKind.DOOR),
    ],
)
def test_a_door_is_a_cell_and_stands_as_its_bit_says(spot: Space, state: DoorState, kind: DoorKind) -> None:
    (door,) = [door for door in keep().doors if door.space == at(*spot)]
    assert (door.state, door.kind) == (state, kind)


def test_a_door_that_two_rooms_tell_of_is_one() -> None:
    plan = keep()
    assert len(plan.doors) == 4 and [note.title for note in plan.notes].count("Trapped door") == 1


def test_a_trapped_door_that_is_not_locked_is_closed() -> None:
    rooms = copy.deepcopy(KEEP["rooms"])
    for room in rooms[1:]:
        for doors in room["doors"].values():
            for door in doors:
                door["desc"] = "Unlocked Oak Door"
    (door,) = [door for door in keep(rooms=rooms).doors if door.space == at(4, 2)]
    assert door.state is DoorState.CLOSED


def test_an_archway_and_an_opening_are_floor_and_no_doors() -> None:
    plan = keep()
    assert {at(1, 0), at(6, 8)} <= plan.floor
    assert not {at(1, 0), at(6, 8)} & {door.space for door in plan.doors}


def test_what_rooms_hold_is_told_to_the_game_master_alone() -> None:
    plan = keep()
    assert all(note.secret for note in plan.notes)
    told = {note.title: note for note in plan.notes}
    first, second = told["Room 1: Two toll keepers"], told["Room 2: A snare"]
    assert first.text.splitlines() == ["2 x Toll keeper", "Treasure: 9 copper", "A barrier lies across the floor"]
    assert (int(first.x), int(first.y)) == at(2, 2) and "12 silver" in second.text and "Snare" in second.text
    assert told["Secret door"].text.splitlines()[-1] == "Behind the ledgers"
    assert "2: Three geese" in told["About this place"].text


def test_marks_in_corridors_are_counted_from_the_maps_own_corner() -> None:
    (note,) = [note for note in keep().notes if note.title == "a"]
    assert (int(note.x), int(note.y)) == at(7, 5) and note.text.startswith("A plank")


def test_the_way_in_is_the_outermost_floor_before_it() -> None:
    (way,) = keep().exits
    assert way.arrival and way.spaces == ((2, 0),)


def test_stairs_are_where_the_list_says_or_else_the_numbers() -> None:
    (flight,), (again,) = keep().stairs, keep(stairs=None).stairs
    assert flight.spaces == again.spaces == (at(6, 7),)


def test_stairs_up_are_the_way_in_where_there_is_no_other() -> None:
    (way,) = keep(egress=None, stairs=[{"row": 7, "col": 6, "dir": "north", "key": "up"}]).exits
    assert way.arrival and way.spaces == (at(6, 7),)


def test_without_a_margin_rooms_are_counted_from_the_corner() -> None:
    cells = [row[1:-1] for row in KEEP["cells"][1:-1]]
    settings = {key: value for key, value in KEEP["settings"].items() if key != "bleed"}
    plan = keep(cells=cells, settings=settings, corridor_features=None)
    assert plan.columns == 9 and {door.space for door in plan.doors} == {(4, 2), (2, 4), (6, 4), (4, 5)}
    assert next((note.x, note.y) for note in plan.notes if note.title.startswith("Room 1")) == (2.5, 2.5)


def test_the_margin_is_measured_where_the_settings_say_another() -> None:
    assert keep(settings={**KEEP["settings"], "bleed": 4}).doors == keep().doors
    (note,) = [n for n in keep(settings={**KEEP["settings"], "bleed": 4}).notes if n.title.startswith("Room 3")]
    assert (int(note.x), int(note.y)) == at(2, 6)


def test_what_bits_mean_is_read_from_the_file() -> None:
    bits = {**KEEP["cell_bit"], "door": KEEP["cell_bit"]["locked"], "locked": KEEP["cell_bit"]["door"]}
    (door,) = [door for door in keep(cell_bit=bits, rooms=[None]).doors if door.space == at(4, 5)]
    assert door.state is DoorState.CLOSED


def test_a_room_of_odd_shape_has_its_note_on_its_own_floor() -> None:
    cells = copy.deepcopy(KEEP["cells"])
    cells[3][3] = 16  # the middle of room 1
    (note,) = [note for note in keep(cells=cells).notes if note.title.startswith("Room 1")]
    spot = (int(note.x), int(note.y))
    assert spot in keep(cells=cells).floor and max(abs(spot[0] - 3), abs(spot[1] - 3)) == 1


def test_the_light_is_as_it_is_described() -> None:
    for told, light in (("Bright (lamps)", "bright"), ("Shadowy (fungus)", "dim"), ("Dark", "dark"), (None, "dark")):
        assert keep(details={"illumination": told}).ambient == light


@pytest.mark.parametrize(
    "cells, said",
    [
        ([], "1 to 512 each way"),
        ([[0, 16], [0, 0]], "none of its cells"),
        ([[4] * 513], "1 to 512 each way"),
        ([[4]] * 600, "1 to 512 each way"),
        ([5, "x"], "1 to 512 each way"),
        ([[True, None, "4", 4.0, -4, 10**30]], "none of its cells"),
    ],
)
def test_cells_that_are_no_map_give_one_line(cells: list[Any], said: str) -> None:
    with pytest.raises(ImportProblem, match=said):
        keep(cells=cells)


def test_ragged_rows_end_in_rock() -> None:
    plan = keep(cells=[[4, 4, 4], [4], [4, 4]], rooms=[None, 7, {"id": 1}], settings=None, egress=None, stairs=None)
    assert plan.columns == 3 and len(plan.floor) == 6 and any("2 rooms" in line for line in plan.warnings)


# -- as a table


def table(text: str | None = None) -> Plan:
    return formats.of_bytes(TABLE.read_bytes() if text is None else text.encode(), "keep.txt")


def test_a_table_has_a_word_for_each_space() -> None:
    plan = table()
    assert (plan.format, plan.columns, plan.rows, plan.areas) == ("donjon-tsv", 9, 6, (9, 9, 9))
    assert {(door.space, door.state, door.kind) for door in plan.doors} == {
        ((3, 0), DoorState.CLOSED, DoorKind.DOOR), ((4, 2), DoorState.CLOSED, DoorKind.DOOR),
        ((3, 4), DoorState.SECRET, DoorKind.DOOR), ((6, 4), DoorState.CLOSED, DoorKind.PORTCULLIS),
    }  # fmt: skip


def test_stairs_of_a_table_lie_over_two_spaces() -> None:
    assert {flight.spaces[0] for flight in table().stairs} == {(0, 5), (1, 5), (7, 5), (8, 5)}
    (way,) = table().exits
    assert way.arrival and way.spaces == ((0, 5), (1, 5))


def test_lines_of_a_table_may_end_early_and_with_carriage_returns() -> None:
    assert b"\r\n" in TABLE.read_bytes() and table("F\tF\tF\r\nF\n\tF\n\n").columns == 3


def test_words_that_are_none_of_a_table_are_rock_and_told() -> None:
    plan = table("F\tF\tF\nF\tXX\tF\n")
    assert len(plan.floor) == 5 and any("1 space could not be read" in line for line in plan.warnings)


@pytest.mark.parametrize("text", ["", "hello world", "name\tage\nAda\t36\n", "\t\t\t\n", "F" * 9])
def test_other_texts_are_no_tables(text: str) -> None:
    assert not donjontext.fits(text.encode())
    with pytest.raises(ImportProblem):
        table(text)


def test_a_table_beyond_the_size_of_a_map_gives_one_line() -> None:
    with pytest.raises(ImportProblem, match="1 to 512 each way"):
        table("F\t" * 600)
    with pytest.raises(ImportProblem, match="1 to 512 each way"):
        table("F\tF\n" * 600)


def test_both_are_fit_to_play(tmp_path: Path) -> None:
    for plan, name in ((keep(), "a.tmx"), (table(), "b.tmx")):
        write(plan, tmp_path / name)
        assert check_place(tmp_path / name).fit
    loaded = load_map(tmp_path / "a.tmx")
    assert all(note.properties["gm_only"] is True for note in loaded.notes) and len(loaded.notes) == 7
    assert [each.kind for each in loaded.others] == ["Stairs"]
