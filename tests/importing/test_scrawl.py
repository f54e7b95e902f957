"""Dungeon Scrawl: a counting house drawn by ourselves, in its archive and out of it."""

from __future__ import annotations

import copy
import io
import json
import struct
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from game.importing import formats, loose
from game.importing.plan import Barrier, Edge, ImportProblem, Plan, Side
from game.importing.writer import write
from game.maps.place import check_place

SAMPLE = Path("tests/importing/samples/scrawl_counting_house.json")
HOUSE = json.loads(SAMPLE.read_text())


def archive(content: bytes, name: str = "map", kind: int = zipfile.ZIP_DEFLATED) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", kind) as out:
        out.writestr(name, content)
    return stream.getvalue()


def plan(document: Any = HOUSE) -> Plan:
    return formats.of_bytes(archive(json.dumps(document).encode()), "house.ds")


def changed(change: Callable[[dict[str, Any], dict[str, Any]], None]) -> Plan:
    """The house with its nodes and shapes changed."""
    document = copy.deepcopy(HOUSE)
    change(document["state"]["document"]["nodes"], document["data"]["geometry"])
    return plan(document)


def test_the_floor_is_where_the_middles_of_spaces_lie_in_a_polygon_and_in_no_hole() -> None:
    found = plan()
    assert (found.format, found.columns, found.rows, len(found.floor)) == ("dungeonscrawl", 8, 7, 34)
    assert (2, 2) not in found.floor and (0, 0) in found.floor and found.off_grid == 0


def test_the_map_is_shifted_from_wherever_it_was_drawn() -> None:
    far = json.loads(json.dumps(HOUSE))
    for shape in far["data"]["geometry"].values():
        for ring in [*(ring for polygon in shape["polygons"] for ring in polygon), *shape["polylines"]]:
            for point in ring:
                point[0] += 36 * 1000
    far["state"]["document"]["nodes"]["l1"]["transform"][4] += 36 * 1000
    assert plan(far) == plan()


def test_the_size_of_a_space_is_the_pages() -> None:
    def double(nodes: dict[str, Any], _: dict[str, Any]) -> None:
        nodes["p1"]["grid"]["cellDiameter"] = 18

    assert (changed(double).columns, changed(double).rows) == (16, 14)


def test_doors_stand_on_the_edges_of_their_leaves_and_part_rooms() -> None:
    found = plan()
    assert {door.edges for door in found.doors} == {(Edge(5, 1, Side.WEST),), (Edge(1, 4, Side.NORTH),)}
    assert found.areas == (19, 12, 3)


def test_strokes_are_walls() -> None:
    walls = plan().walls
    assert {edge for edge, barrier in walls.items() if barrier is Barrier.WALL} == {
        Edge(5, y, Side.WEST) for y in (0, 2, 3)
    }


def test_a_light_shines_from_its_place_as_far_as_it_says() -> None:
    (light,) = plan().lights
    assert (light.x, light.y, light.bright, light.dim) == (2.5, 1.5, 2, 4)


def test_only_the_page_that_is_open_counts_and_what_is_hidden_does_not() -> None:
    assert plan().columns == 8 and any("1 further page" in line for line in plan().warnings)

    def show(nodes: dict[str, Any], _: dict[str, Any]) -> None:
        nodes["g5"]["visible"] = True

    assert changed(show).columns == 30

    def hide(nodes: dict[str, Any], _: dict[str, Any]) -> None:
        nodes["t1"]["visible"] = False

    with pytest.raises(ImportProblem, match="no floor"):
        changed(hide)


def test_a_cave_is_off_the_grid_and_says_so() -> None:
    def bend(_: dict[str, Any], shapes: dict[str, Any]) -> None:
        shapes["a"] = {"polygons": [[[[0, 0], [200, 20], [220, 190], [10, 170]]]], "polylines": []}

    found = changed(bend)
    assert found.off_grid > 0.9 and any("look at the map" in line for line in found.warnings)


def test_drawings_of_the_old_kind_are_read_as_they_are() -> None:
    square = [[[[0, 0], [72, 0], [72, 108], [0, 108]]]]
    shape = {"shapeMemory": [[], square, []], "currentShapeIndex": 1}
    old = {"version": 1, "layerController": {"config": {"gridCellSize": 36}, "layers": [{"shape": shape}, {}]}}
    found = formats.of_bytes(json.dumps(old).encode(), "old.ds")
    assert (found.columns, found.rows, found.areas) == (2, 3, (6,))


def test_the_map_is_fit_to_play(tmp_path: Path) -> None:
    write(plan(), tmp_path / "house.tmx")
    assert check_place(tmp_path / "house.tmx").fit


# -- archives that mean no good


def refused(source: bytes, said: str) -> None:
    with pytest.raises(ImportProblem, match=said) as problem:
        formats.of_bytes(source, "bad.ds")
    assert "\n" not in str(problem.value)


def test_archives_of_other_things_give_one_line() -> None:
    refused(archive(b"{}", "other"), "without a `map`")
    refused(archive(b"{}"), "no drawing of Dungeon Scrawl")
    refused(archive(b"{nonsense"), "cannot be read as JSON")
    refused(b"PK\x03\x04" + bytes(60), "broken archive")
    refused(archive(b"{}")[:-8], "broken archive")


def test_a_bomb_is_not_unpacked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loose, "LARGEST", 1000)
    refused(archive(b"0" * 2000), "holds more than")


def test_an_archive_that_lies_about_its_size_is_not_unpacked_either(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loose, "LARGEST", 2000)
    source = bytearray(archive(b"0" * 5000))
    for mark, at in ((b"PK\x01\x02", 24), (b"PK\x03\x04", 22)):
        struct.pack_into("<I", source, source.find(mark) + at, 100)
    refused(bytes(source), "broken archive|holds more than")


def test_an_archive_of_many_files_is_not_opened() -> None:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as out:
        for number in range(3000):
            out.writestr(f"{number}", b"")
    refused(stream.getvalue(), "one of many files")


def test_an_archive_under_a_password_gives_one_line() -> None:
    source = bytearray(archive(b"{}", kind=zipfile.ZIP_STORED))
    for mark, at in ((b"PK\x01\x02", 8), (b"PK\x03\x04", 6)):
        source[source.find(mark) + at] |= 1
    refused(bytes(source), "broken archive")


def test_parts_that_cannot_be_read_are_left_out_and_told() -> None:
    def spoil(nodes: dict[str, Any], shapes: dict[str, Any]) -> None:
        nodes["l1"]["transform"] = [1, 2]
        nodes["g2"]["parentId"] = "g2"
        shapes["a"]["polygons"].append([[[0, "x"], None, [1e400, 2]]])
        shapes["c"]["polygons"] = "none"

    found = changed(spoil)
    assert not found.lights and len(found.warnings) >= 2


def test_too_large_a_drawing_gives_one_line() -> None:
    def stretch(_: dict[str, Any], shapes: dict[str, Any]) -> None:
        shapes["a"]["polygons"].append([[[0, 0], [900_000, 0], [900_000, 900_000]]])

    with pytest.raises(ImportProblem, match="1 to 512 each way"):
        changed(stretch)
