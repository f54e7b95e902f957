"""Universal VTT: two rooms drawn by ourselves, and each way in which such files go astray."""

from __future__ import annotations

import base64
import io
import json
from pathlib import Path
from typing import Any

import pygame
import pytest

from game import cli
from game.importing import formats
from game.importing.plan import Barrier, Edge, ImportProblem, Plan, Side
from game.importing.writer import write
from game.maps.place import check_place
from game.maps.tiled import load_map
from rules.board.fixtures import DoorState


def line(*points: tuple[float, float]) -> list[dict[str, float]]:
    return [{"x": x, "y": y} for x, y in points]


def portal(*ends: tuple[float, float], closed: bool = True, **more: Any) -> dict[str, Any]:
    x, y = (sum(part) / 2 for part in zip(*ends, strict=True))
    return {"position": {"x": x, "y": y}, "bounds": line(*ends), "rotation": 0.0, "closed": closed,
            "freestanding": False, **more}  # fmt: skip


def house(by: tuple[float, float] = (0, 0), **more: Any) -> dict[str, Any]:
    """Two rooms of 3 × 4 and 4 × 4 on 10 × 6 spaces, with a door in the wall between: from (1, 1) to (8, 5)."""
    dx, dy = by
    walls = [
        line((1 + dx, 1 + dy), (8 + dx, 1 + dy), (8 + dx, 5 + dy), (1 + dx, 5 + dy), (1 + dx, 1 + dy)),
        line((4 + dx, 1 + dy), (4 + dx, 2 + dy)), line((4 + dx, 3 + dy), (4 + dx, 5 + dy)),
    ]  # fmt: skip
    return {
        "format": 0.3,
        "resolution": {"map_origin": {"x": 0, "y": 0}, "map_size": {"x": 10, "y": 6}, "pixels_per_grid": 64},
        "line_of_sight": walls, "objects_line_of_sight": [], "lights": [],
        "portals": [portal((4 + dx, 2 + dy), (4 + dx, 3 + dy))],
        "environment": {"baked_lighting": False, "ambient_light": "ffffffff"}, "image": "", **more,
    }  # fmt: skip


def plan(document: Any) -> Plan:
    return formats.of_bytes(json.dumps(document).encode(), "house.uvtt")


def picture(wide: int = 640, high: int = 384, kind: str = "png") -> str:
    board, data = pygame.Surface((wide, high)), io.BytesIO()
    board.fill((90, 140, 60))
    pygame.image.save(board, data, f"picture.{kind}")
    return base64.b64encode(data.getvalue()).decode()


def test_two_rooms_and_the_door_between_them() -> None:
    found = plan(house())
    assert (found.columns, found.rows, len(found.floor), found.areas) == (10, 6, 28, (16, 12))
    assert [door.edges for door in found.doors] == [(Edge(4, 2, Side.WEST),)]
    assert found.walls == {Edge(4, y, Side.WEST): Barrier.WALL for y in (1, 3, 4)}
    assert (found.off_grid, found.windows) == (0.0, 0)


def test_walls_doors_and_lights_lie_where_the_crop_puts_them() -> None:
    moved = house(by=(2, 1), lights=[{"position": {"x": 4.5, "y": 3.5}, "range": 4}])
    moved["resolution"]["map_origin"] = {"x": 2, "y": 1}
    found = plan(moved)
    assert (found.areas, found.doors) == (plan(house()).areas, plan(house()).doors)
    assert [(light.x, light.y, light.bright, light.dim) for light in found.lights] == [(2.5, 2.5, 2, 4)]


def test_walls_through_the_middle_of_spaces_shift_the_grid_and_it_is_said() -> None:
    found = plan(house(by=(0.5, 0.5)))
    assert (found.areas, found.off_grid) == ((16, 12), 0.0)
    assert any("shifted by half a space" in line for line in found.warnings)
    assert not any("shifted" in line for line in plan(house()).warnings)


def test_a_portal_that_is_said_to_be_open_is_a_window() -> None:
    found = plan(house(portals=[portal((4, 2), (4, 3), closed=False)]))
    assert (len(found.doors), found.windows, found.areas) == (0, 1, (16, 12))
    assert found.walls[Edge(4, 2, Side.WEST)] is Barrier.WINDOW


@pytest.mark.parametrize("ends", [((4, 3), (4, 2)), ((4.09, 2.1), (4.09, 2.9)), ((3.9, 1.7), (3.9, 2.9))])
def test_a_leaf_goes_to_the_nearest_edge_whichever_way_it_is_told(ends: Any) -> None:
    assert plan(house(portals=[portal(*ends)])).doors == plan(house()).doors


def test_a_leaf_on_a_line_of_the_grid_takes_the_edge_that_the_walls_leave_open() -> None:
    half = house(portals=[portal((4, 1.5), (4, 2.5))])
    half["line_of_sight"][1:] = [line((4, 1), (4, 1.5)), line((4, 2.5), (4, 5))]
    found = plan(half)
    assert [door.edges for door in found.doors] == [(Edge(4, 1, Side.WEST),)]
    assert found.areas == (16, 12)


def test_a_wide_door_stands_on_as_many_edges_as_it_is_wide() -> None:
    wide = house(portals=[portal((4, 2), (4, 4))])
    wide["line_of_sight"][1:] = [line((4, 1), (4, 2)), line((4, 4), (4, 5))]
    found = plan(wide)
    assert [door.edges for door in found.doors] == [(Edge(4, 2, Side.WEST), Edge(4, 3, Side.WEST))]
    assert found.areas == (16, 12)


def test_a_portal_without_ends_lies_by_its_place_and_turn() -> None:
    told = portal((4, 2), (4, 3), rotation=1.570796)
    del told["bounds"]
    assert plan(house(portals=[told])).doors == plan(house()).doors


def test_both_sides_of_a_thick_wall_are_one_wall() -> None:
    thick = house()
    thick["line_of_sight"] += [line((0.9, 0.9), (8.1, 0.9), (8.1, 5.1), (0.9, 5.1), (0.9, 0.9)),
                               line((4.12, 1), (4.12, 2)), line((4.12, 3), (4.12, 5))]  # fmt: skip
    assert plan(thick).areas == (16, 12)


def test_a_round_wall_is_off_the_grid_and_said_so() -> None:
    import math

    ring = [(5 + 3 * math.cos(n / 8), 3 + 2.4 * math.sin(n / 8)) for n in range(51)]
    found = plan(house(line_of_sight=[line(*ring)], portals=[]))
    assert found.off_grid > 0.9 and len(found.areas) == 1 and 12 <= found.areas[0] <= 24
    assert any("% of the walls' length" in line for line in found.warnings)


def test_what_lies_outside_of_the_walls_is_no_floor_unless_a_door_opens_there() -> None:
    assert (0, 0) not in plan(house()).floor
    entered = house()
    entered["line_of_sight"][0] = line((1, 3), (1, 5), (8, 5), (8, 1), (1, 1), (1, 2))
    entered["portals"].append(portal((1, 2), (1, 3)))
    assert plan(entered).areas == (32, 16, 12)


def test_a_map_without_walls_is_all_floor() -> None:
    assert len(plan(house(line_of_sight=[], portals=[])).floor) == 60


def test_things_that_keep_light_away_are_no_walls() -> None:
    found = plan(house(objects_line_of_sight=[line((5, 2), (6.2, 2), (6.2, 3.2), (5, 3.2))]))
    assert (found.areas, found.difficult) == ((16, 12), {(5, 2)})


@pytest.mark.parametrize("value", [1, "0.3", 1.0, None, "next"])
def test_any_number_of_the_format_is_read(value: Any) -> None:
    assert plan(house(format=value)).areas == (16, 12)


@pytest.mark.parametrize(
    ("environment", "ambient"),
    [({"baked_lighting": False, "ambient_light": "ff202020"}, "dark"), ({"ambient_light": "808080"}, "dim"),
     ({"baked_lighting": True, "ambient_light": "ff000000"}, "bright"), (None, "bright"),
     ({"ambient_light": 7}, "bright")],
)  # fmt: skip
def test_the_light_of_day_follows_its_colour_unless_it_is_painted(environment: Any, ambient: str) -> None:
    assert plan(house(environment=environment)).ambient == ambient


def test_a_light_beside_the_map_is_left_out_and_said() -> None:
    found = plan(
        house(lights=[{"position": {"x": -2, "y": 1}, "range": 3}, {"position": {"x": 2, "y": 2}, "range": 3}])
    )
    assert len(found.lights) == 1 and "1 light lies outside the map and is left out" in found.warnings


def test_parts_that_are_wrong_are_counted_and_the_rest_is_read() -> None:
    odd = house(lights=[7, {"position": {}}], portals=[{}, portal((4, 2), (4, 3))])
    odd["line_of_sight"] += ["wall", [{"x": "no", "y": 1}], [{"x": 1e300, "y": 1}, {"x": 2, "y": 1}]]
    found = plan(odd)
    assert found.areas == (16, 12)
    assert "2 lights could not be read and are left out" in found.warnings
    assert "1 door could not be read and is left out" in found.warnings


@pytest.mark.parametrize(
    ("document", "told"),
    [
        ({"resolution": {}, "line_of_sight": []}, "house.uvtt: resolution.map_size is missing; export it again"),
        (house(resolution={"map_size": {"x": 0, "y": 4}}), "house.uvtt: is 0 × 4 spaces large; 1 to 512 each way"),
        (house(resolution={"map_size": {"x": 900, "y": 4}}), "house.uvtt: is 900 × 4 spaces large"),
        ({"rooms": 3}, "house.uvtt: is JSON, but no map that can be imported"),
        ([], "house.uvtt: is JSON, but no map that can be imported"),
    ],
)
def test_what_is_no_map_gets_its_line(document: Any, told: str) -> None:
    with pytest.raises(ImportProblem, match=told.replace("(", r"\(")):
        plan(document)


@pytest.mark.parametrize("kind", ["png", "jpg"])
def test_the_picture_lies_under_the_map_that_is_written(kind: str, tmp_path: Path) -> None:
    written = write(plan(house(image=picture(kind=kind))), tmp_path / "house.tmx")
    loaded = load_map(written.map)
    assert loaded.tile_size == (64, 64) and check_place(written.map).fit
    assert sorted(path.name for path in tmp_path.iterdir()) == ["house.ground.png", "house.picture.png", "house.tmx"]
    shown = pygame.image.load(tmp_path / "house.picture.png")
    assert shown.get_size() == (640, 384)
    red, green, blue = shown.get_at((300, 200))[:3]
    assert abs(red - 90) < 4 and abs(green - 140) < 4 and abs(blue - 60) < 4


def test_a_picture_of_another_scale_is_laid_on_the_spaces(tmp_path: Path) -> None:
    write(plan(house(image=picture(697, 418))), tmp_path / "house.tmx")  # 69.7 pixels a space
    assert pygame.image.load(tmp_path / "house.picture.png").get_size() == (700, 420)


@pytest.mark.parametrize("image", ["", "maps/house.png", base64.b64encode(b"GIF89a..").decode(), 7])
def test_without_its_picture_the_map_is_drawn_with_our_tiles(image: Any, tmp_path: Path) -> None:
    found = plan(house(image=image))
    assert found.picture is None and any("our own tiles" in line for line in found.warnings)
    assert check_place(write(found, tmp_path / "house.tmx").map).fit


def test_a_broken_picture_is_told_when_the_map_is_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "house.uvtt"
    file.write_text(json.dumps(house(image=picture()[:400])))
    assert cli.main(["import", str(file), "--out", str(tmp_path / "house.tmx")]) == 0
    assert "its picture is broken: the map is drawn with our own tiles" in capsys.readouterr().out
    assert check_place(tmp_path / "house.tmx").fit


def test_a_picture_that_says_it_is_huge_is_not_decoded() -> None:
    data = base64.b64decode(picture())
    lying = data[:16] + (60_000).to_bytes(4, "big") * 2 + data[24:]
    found = plan(house(image=base64.b64encode(lying).decode()))
    assert found.picture is None and any("60000 × 60000 pixels" in line for line in found.warnings)


def test_what_is_written_is_what_was_planned(tmp_path: Path) -> None:
    found = plan(house(lights=[{"position": {"x": 2.5, "y": 2.5}, "range": 4}], image=picture()))
    field = load_map(write(found, tmp_path / "house.tmx").map).field
    terrain = field.terrain()
    assert {(x, y) for x in range(10) for y in range(6) if terrain.fits(field.cell(x, y), 1)} == found.floor
    (door,) = field.doors
    assert (field.at(door.cell), door.state) in (((3, 2), DoorState.CLOSED), ((4, 2), DoorState.CLOSED))
    assert [(field.at(light.cell), light.bright, light.dim) for light in field.lights] == [((2, 2), 2, 4)]


def test_the_command_line_says_what_is_in_it_as_one_object(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "house.dd2vtt"
    file.write_text(json.dumps(house()))
    assert cli.main(["import", str(file), "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {
        "format": "uvtt", "size": [10, 6], "floor": 28, "areas": 2, "doors": 1, "windows": 0, "lights": 0, "notes": 0,
        "off_grid": 0.0, "warnings": ["there is no picture in it: the map is drawn with our own tiles"],
    }  # fmt: skip
    assert [path.name for path in tmp_path.iterdir()] == ["house.dd2vtt"], "nothing is written unasked"


def test_the_command_line_writes_a_map_that_is_fit_to_play(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, out = tmp_path / "house.dd2vtt", tmp_path / "made" / "two rooms.tmx"
    file.write_text(json.dumps(house(image=picture())))
    assert cli.main(["import", str(file), "--out", str(out)]) == 0
    assert "2 areas, 1 door, 0 windows, 0 lights, 0 notes; fit to play" in capsys.readouterr().out
    assert check_place(out).fit


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"", "is empty"), (b"\x00\x01map", "is no map that can be imported"), (b"{", "cannot be read as JSON"),
        (b"[" * 100_000, "cannot be read as JSON: too deeply nested"), (b'{"a": "\xff"}', "cannot be read as JSON"),
    ],
)  # fmt: skip
def test_what_cannot_be_read_gets_one_line_and_status_2(
    content: bytes, told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "odd.uvtt"
    file.write_bytes(content)
    assert cli.main(["import", str(file), "--json"]) == 2
    said = capsys.readouterr()
    assert said.out == "" and said.err.startswith("battlemat: odd.uvtt: ") and told in said.err
    assert said.err.count("\n") == 1


def test_walls_too_long_for_any_map_are_refused() -> None:
    """To and fro across the map: as hostile as small files get."""
    row = line(*((0 if n % 2 else 512, 3 + n % 5 / 7) for n in range(9_000)))
    huge = house(line_of_sight=[row], resolution={"map_size": {"x": 512, "y": 512}})
    with pytest.raises(ImportProblem, match="walls are longer than a map can hold"):
        plan(huge)
