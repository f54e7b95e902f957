"""Maps written for other programs: what the lines of a Universal VTT say, and what its picture shows."""

from __future__ import annotations

import base64
import io
import json
import math
from itertools import pairwise
from pathlib import Path
from typing import Any

import pygame
import pytest

from game import cli
from game.exporting.outline import Outline, outline
from game.exporting.uvtt import document
from rules.board.fixtures import Door
from rules.board.grid import EdgeWall, Field, Light
from rules.contract.units import Cell

MAPS = sorted(Path("maps").glob("*.tmx"))
CRYPT = Path("maps/crypt.tmx")


def lines(rows: list[str], *, secrets: bool = False, **more: Any) -> Outline:
    field = Field.from_rows(rows, **more)
    return outline(field, 0, (field.width, field.height), secrets=secrets)


def faces(found: Outline) -> list[tuple[tuple[float, float], ...]]:
    """Its walls without the lines through what is solid."""
    return [way for way in found.walls if all(x == int(x) and y == int(y) for x, y in way)]


def test_a_room_is_one_closed_line_around_its_floor() -> None:
    (way,) = faces(lines(["####", "#..#", "#..#", "####"]))
    assert way[0] == way[-1] and set(way) == {(1, 1), (3, 1), (3, 3), (1, 3)}


def test_a_pillar_has_a_line_of_its_own() -> None:
    assert len(faces(lines(["#####", "#...#", "#.#.#", "#...#", "#####"]))) == 2


def test_what_is_solid_has_a_line_through_its_middle_that_touches_no_floor() -> None:
    found = lines(["####", "#..#", "####"])
    spines = [way for way in found.walls if way not in faces(found)]
    assert ((0.25, 0.5), (3.75, 0.5)) in spines and ((0.25, 1.5), (0.75, 1.5)) in spines


def test_void_is_as_solid_as_rock() -> None:
    (way,) = faces(lines(["    ", " .. ", "    "]))
    assert set(way) == {(1, 1), (3, 1), (3, 2), (1, 2)}


def test_open_ground_at_the_border_of_the_map_has_no_line_there() -> None:
    assert lines(["...", "..."]).walls == ()


def test_a_door_in_a_space_hangs_across_the_way_through_it() -> None:
    (leaf,) = lines(["#####", "#.+.#", "#####"]).leaves
    assert leaf.ends == ((2.5, 1), (2.5, 2)) and leaf.upright and leaf.middle == (2.5, 1.5)
    (leaf,) = lines(["###", "#.#", "#+#", "#.#", "###"]).leaves
    assert leaf.ends == ((1, 2.5), (2, 2.5)) and not leaf.upright


def test_a_thin_door_leaves_a_gap_in_its_wall() -> None:
    wall = [EdgeWall(Cell(1 + 4 * y), Cell(2 + 4 * y)) for y in range(3)]
    found = lines(["....", "....", "...."], edges=wall, doors=[Door("d", Cell(5), Cell(6), "locked")])
    assert [leaf.ends for leaf in found.leaves] == [((2, 1), (2, 2))]
    assert sorted(faces(found)) == [((2, 0), (2, 1)), ((2, 2), (2, 3))]


def test_a_secret_door_is_wall_and_nothing_else() -> None:
    door = Door("d", Cell(7), None, "secret")
    rows = ["#####", "#...#", "#####"]
    found = lines(rows, doors=[door])
    assert not found.leaves and found.walls == lines(["#####", "#.#.#", "#####"]).walls
    assert len(lines(rows, doors=[door], secrets=True).leaves) == 1


def test_a_thin_secret_door_is_a_part_of_its_wall() -> None:
    wall = [EdgeWall(Cell(1 + 4 * y), Cell(2 + 4 * y)) for y in (0, 2)]
    found = lines(["....", "....", "...."], edges=wall, doors=[Door("d", Cell(5), Cell(6), "secret")])
    assert not found.leaves and faces(found) == [((2, 0), (2, 3))]


def test_a_window_is_a_leaf_that_keeps_nobody_from_seeing_and_a_curtain_a_line_of_sight_alone() -> None:
    window, curtain = EdgeWall(Cell(0), Cell(1), sight=False), EdgeWall(Cell(1), Cell(2), move=False)
    found = lines(["...", "..."], edges=[window, curtain])
    assert [(leaf.ends, leaf.window) for leaf in found.leaves] == [(((1, 0), (1, 1)), True)]
    assert found.veils == (((2, 0), (2, 1)),) and not found.walls
    portal = document(found, "bright", 100, b"")["portals"][0]
    assert portal["closed"] is False and portal["rotation"] == math.pi / 2


def test_every_border_of_solid_ground_is_drawn_once() -> None:
    rows = ["##########", "#...#....#", "#.#...##.#", "##..#....#", "##########"]
    field = Field.from_rows(rows)
    borders = sum((rows[y][x] == "#") != (rows[y][x + 1] == "#") for y in range(5) for x in range(9))
    borders += sum((rows[y][x] == "#") != (rows[y + 1][x] == "#") for y in range(4) for x in range(10))
    found = faces(outline(field, 0, (10, 5), secrets=False))
    parts = [(abs(a[0] - b[0]), abs(a[1] - b[1])) for way in found for a, b in pairwise(way)]
    assert sum(across + down for across, down in parts) == borders
    assert all(across == 0 or down == 0 for across, down in parts)


def test_a_light_has_its_dim_radius() -> None:
    found = document(lines(["...", "..."], lights=[Light(Cell(4), 2, 5)]), "dark", 70, b"")
    assert found["lights"] == [
        {"position": {"x": 1.5, "y": 1.5}, "range": 5, "intensity": 1, "color": "ffffd9a0", "shadows": True}
    ]
    assert found["environment"]["ambient_light"] == "ff000000" and found["environment"]["baked_lighting"] is False


def exported(*arguments: str | Path) -> int:
    return cli.main(["export", *map(str, arguments)])


def test_the_file_is_universal_vtt_of_a_version_that_everybody_reads(tmp_path: Path) -> None:
    out = tmp_path / "crypt.dd2vtt"
    assert exported(CRYPT, "--out", out, "--pixels", "20") == 0
    found = json.loads(out.read_text())
    assert found["format"] == 0.3 and found["resolution"]["map_origin"] == {"x": 0, "y": 0}
    size = found["resolution"]["map_size"]
    picture = pygame.image.load(io.BytesIO(base64.b64decode(found["image"])), "map.png")
    assert picture.get_size() == (size["x"] * 20, size["y"] * 20) and found["resolution"]["pixels_per_grid"] == 20


def test_each_map_of_a_place_is_a_file_of_its_own(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert exported("maps/drowned_cloister.tmx", "--out", tmp_path / "place.uvtt", "--pixels", "16") == 0
    names = {"place-drowned_cloister.uvtt", "place-drowned_crypt.uvtt", "place-drowned_undercroft.uvtt"}
    assert {path.name for path in tmp_path.iterdir()} == names
    told = capsys.readouterr().out
    assert all(name in told for name in names)


def pixels(path: Path, *arguments: str) -> pygame.Surface:
    assert exported(CRYPT, "--out", path, "--pixels", "32", *arguments) == 0
    return pygame.image.load(path)


def test_a_picture_has_a_grid_unless_it_is_to_have_none(tmp_path: Path) -> None:
    lined, plain = pixels(tmp_path / "a.png"), pixels(tmp_path / "b.png", "--no-grid")
    assert lined.get_at((64, 80)) != plain.get_at((64, 80)) and lined.get_at((80, 80)) == plain.get_at((80, 80))


def test_a_picture_shows_secrets_only_if_they_are_asked_for(tmp_path: Path) -> None:
    shown, hidden = pixels(tmp_path / "a.png", "--secrets"), pixels(tmp_path / "b.png")
    assert pygame.image.tobytes(shown, "RGB") != pygame.image.tobytes(hidden, "RGB")


@pytest.mark.parametrize(
    "arguments, said",
    [
        (("maps/none.tmx",), "there is no such file"),
        ((CRYPT, "--to", "svg"), "uvtt or png is right"),
        ((CRYPT, "--out", "crypt.jpg"), "ends with"),
        ((CRYPT, "--to", "png", "--out", "crypt.uvtt"), "ends with .png"),
        ((CRYPT, "--pixels", "1000"), "16 to 160"),
    ],
)
def test_a_wrong_argument_gives_one_line(
    arguments: tuple[str | Path, ...], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert exported(*arguments) == cli.FAULT
    told = capsys.readouterr().err
    assert said in told and told.count("\n") == 1
