"""The camera's measures and the ground's picture: rooms read at a glance, doors and light change what is drawn."""

from __future__ import annotations

import os
from pathlib import Path

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
os.environ.setdefault("SDL_AUDIODRIVER", "dummy")

import pygame
import pytest

from game.maps.mapdata import LoadedMap
from game.maps.tiled import load_map
from game.paths import shipped_maps
from game.view.camera import LEAST_ZOOM, MOST_ZOOM, Camera
from game.view.ground.picture import PIECE, GroundPicture
from game.view.ground.tiles import GroundPlan, chance
from game.view.palette import side_colour, side_look
from rules.board.fixtures import Door
from rules.board.grid import EdgeWall, Field, Light
from rules.contract.units import Cell

MAPS = sorted(path.stem for path in shipped_maps().glob("*.tmx"))
ROOM = Field.from_rows(["#######", "#.....#", "#.....#", "###+###", "#.....#", "#######"])


@pytest.fixture(autouse=True)
def window() -> pygame.Surface:
    pygame.display.init()
    return pygame.display.set_mode((640, 480))


def drawn(
    field: Field, loaded: LoadedMap | None = None, zoom: int = 32, doors: tuple[str, ...] | None = None
) -> pygame.Surface:
    """The whole map's picture."""
    surface = pygame.Surface((field.width * zoom, field.height * zoom))
    camera = Camera(field, surface.get_size())
    camera.set_zoom(zoom)
    assert camera.origin == (0, 0)
    ground = GroundPicture(field, loaded)
    if doors is not None:
        ground.set_doors(doors)
    ground.draw(surface, camera)
    return surface


def brightness(surface: pygame.Surface, column: int, row: int, zoom: int = 32) -> float:
    box = pygame.Rect(column * zoom, row * zoom, zoom, zoom).inflate(-zoom // 3, -zoom // 3)
    return sum(pygame.transform.average_color(surface, box)[:3]) / 3


# ------------------------------------------------------------------------------------------------ camera


@pytest.mark.parametrize("zoom", [LEAST_ZOOM, 33, 64, MOST_ZOOM])
def test_every_space_is_found_again_under_its_own_pixels(zoom: int) -> None:
    camera = Camera(ROOM, (640, 480))
    camera.set_zoom(zoom)
    camera.pan(13, -7)
    for cell in range(ROOM.width * ROOM.height):
        box = camera.space_rect(cell)
        assert box.size == (zoom, zoom)
        assert camera.to_cell(box.topleft) == camera.to_cell((box.right - 1, box.bottom - 1)) == cell
        assert camera.to_screen(*ROOM.at(Cell(cell))) == box.topleft


def test_beside_the_map_there_is_no_space() -> None:
    camera = Camera(ROOM, (640, 480))
    camera.set_zoom(16)
    assert camera.to_cell((0, 0)) is None
    assert camera.to_cell((639, 479)) is None


def test_zooming_keeps_what_lies_under_the_pointer() -> None:
    camera = Camera(ROOM, (640, 480))
    camera.set_zoom(40)
    pointer = camera.space_rect(10).center
    for factor in (1.12, 1.12, 1.5, 0.7, 0.9):
        camera.zoom_at(pointer, factor)
        assert camera.to_cell(pointer) == 10


def test_a_turn_of_the_wheel_always_changes_the_zoom_until_its_end() -> None:
    camera = Camera(ROOM, (640, 480))
    camera.set_zoom(LEAST_ZOOM)
    zooms = [camera.zoom]
    while camera.zoom < MOST_ZOOM:
        camera.zoom_at((320, 240), 1.01)
        zooms.append(camera.zoom)
    assert zooms == sorted(set(zooms))
    camera.zoom_at((320, 240), 2.0)
    assert camera.zoom == MOST_ZOOM


def test_the_map_cannot_be_lost() -> None:
    camera = Camera(ROOM, (640, 480))
    for shift in ((9999, 0), (0, 9999), (-99999, 0), (0, -99999)):
        camera.pan(*shift)
        columns, rows = camera.seen()
        assert len(columns) and len(rows)


def test_shown_spaces_end_up_in_what_the_panels_leave_free() -> None:
    camera = Camera(Field.from_rows(["." * 40] * 30), (1280, 720))
    camera.set_zoom(48)
    camera.free = pygame.Rect(280, 90, 690, 520)
    camera.show([3 * 40 + 2, 6 * 40 + 5])
    while camera.update(0.05):
        pass
    assert camera.free.contains(camera.space_rect((2, 3)))
    assert camera.free.contains(camera.space_rect((5, 6)))


def test_where_not_all_fit_the_first_is_shown() -> None:
    camera = Camera(Field.from_rows(["." * 100] * 30), (1280, 720))
    camera.set_zoom(64)
    camera.free = pygame.Rect(280, 90, 690, 520)
    camera.show([95, 0])
    camera.arrive()
    assert camera.free.contains(camera.space_rect(95))


def test_showing_what_is_in_view_moves_nothing() -> None:
    camera = Camera(Field.from_rows(["." * 40] * 30), (1280, 720))
    before = camera.origin
    camera.show([15 * 40 + 20])
    assert not camera.moving and camera.origin == before


# ------------------------------------------------------------------------------------------------ ground


def test_floor_is_light_and_rock_is_dark_at_every_size() -> None:
    for zoom in (16, 32, 64):
        picture = drawn(ROOM, zoom=zoom)
        assert brightness(picture, 3, 2, zoom) > 2 * brightness(picture, 0, 0, zoom)


def test_a_wall_shows_a_bright_rim_where_it_meets_floor() -> None:
    picture = drawn(ROOM, zoom=64)
    edge = max(sum(picture.get_at((x, 2 * 64 + 32))[:3]) for x in range(60, 64))
    inside = sum(picture.get_at((20, 2 * 64 + 32))[:3])
    assert edge > 3 * inside


def test_the_picture_is_the_same_every_time() -> None:
    once, again = drawn(ROOM), drawn(ROOM)
    assert pygame.image.tobytes(once, "RGB") == pygame.image.tobytes(again, "RGB")
    assert len({chance(x, y) % 16 for x in range(8) for y in range(8)}) == 16


def test_pieces_fit_together_without_a_seam() -> None:
    """A piece's border looks as if the map had been drawn in one go: no column of pixels stands out."""
    field = Field.from_rows(["." * 20] * 9)
    picture = drawn(field, zoom=32)
    seam = PIECE * 32
    for x in (seam, 2 * seam):
        jumps = [abs(sum(picture.get_at((x, y))[:3]) - sum(picture.get_at((x - 32, y))[:3])) for y in range(40, 280, 7)]
        assert sum(jumps) / len(jumps) < 40


def test_an_opened_door_is_drawn_and_closed_again_looks_as_before() -> None:
    shut = drawn(ROOM)
    opened = drawn(ROOM, doors=("open",))
    back = drawn(ROOM, doors=("closed",))
    assert pygame.image.tobytes(shut, "RGB") != pygame.image.tobytes(opened, "RGB")
    assert pygame.image.tobytes(shut, "RGB") == pygame.image.tobytes(back, "RGB")


def test_a_secret_door_looks_like_wall_until_it_is_found() -> None:
    rows = ["#####", "#.#.#", "#####"]
    plain = Field.from_rows(rows)
    floor = Field.from_rows(["#####", "#...#", "#####"], doors=(Door("niche", Cell(7), state="secret"),))
    assert pygame.image.tobytes(drawn(floor), "RGB") == pygame.image.tobytes(drawn(plain), "RGB")
    found = drawn(floor, doors=("closed",))
    assert pygame.image.tobytes(found, "RGB") != pygame.image.tobytes(drawn(plain), "RGB")


def test_a_secret_thin_door_looks_like_a_thin_wall() -> None:
    rows = ["....", "...."]
    walled = Field.from_rows(rows, edges=(EdgeWall(Cell(1), Cell(2)),))
    secret = Field.from_rows(rows, doors=(Door("niche", Cell(1), edge=Cell(2), state="secret"),))
    assert pygame.image.tobytes(drawn(walled), "RGB") == pygame.image.tobytes(drawn(secret), "RGB")


def test_light_makes_its_surroundings_warm_and_stops_at_walls() -> None:
    rows = ["###########", "#....#....#", "#....#....#", "#....#....#", "###########"]
    unlit = drawn(Field.from_rows(rows))
    lit = drawn(Field.from_rows(rows, lights=(Light(Cell(24), 2, 5),)))

    def warmth(picture: pygame.Surface, column: int) -> int:
        red, _, blue, *_ = pygame.transform.average_color(picture, pygame.Rect(column * 32 + 8, 72, 16, 16))
        return red - blue

    assert warmth(lit, 2) > warmth(unlit, 2) + 5
    assert warmth(lit, 8) == warmth(unlit, 8)


@pytest.mark.parametrize("name", MAPS)
def test_every_shipped_map_can_be_read_in_its_picture(name: str) -> None:
    loaded = load_map(shipped_maps() / f"{name}.tmx")
    plan = GroundPlan(loaded.field, loaded)
    picture = drawn(loaded.field, loaded, zoom=16)
    spots = [(x, y) for y in range(plan.height) for x in range(plan.width)]
    floor = [brightness(picture, x, y, 16) for x, y in spots if plan.is_floor(x, y)]
    rest = [brightness(picture, x, y, 16) for x, y in spots if not plan.is_floor(x, y + 1) and not plan.is_floor(x, y)]
    assert sum(floor) / len(floor) > 1.5 * sum(rest) / len(rest)


def test_standing_still_draws_no_piece_again() -> None:
    camera = Camera(ROOM, (640, 480))
    ground = GroundPicture(ROOM, None)
    surface = pygame.Surface((640, 480))
    ground.draw(surface, camera)
    pieces = {key: id(piece) for key, piece in ground._pieces.items()}
    ground.draw(surface, camera)
    assert pieces and {key: id(piece) for key, piece in ground._pieces.items()} == pieces
    assert not ground.pending


def test_on_the_slowest_machine_the_ground_is_ready_one_day(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each frame overruns its time: a piece a frame is drawn all the same, until nothing has to be drawn again."""
    monkeypatch.setattr("game.view.ground.picture.BUDGET", -1.0)
    field = Field.from_rows(["." * 40] * 40)
    camera = Camera(field, (320, 240))
    camera.set_zoom(32)
    ground = GroundPicture(field, None)
    frames = 0
    while frames == 0 or ground.pending:
        ground.draw(pygame.Surface((320, 240)), camera)
        frames += 1
        assert frames < 100
    assert frames > 1, "it looks ahead beyond what is in sight"


def test_a_foreign_tilesets_own_pictures_are_shown(tmp_path: Path) -> None:
    sheet = pygame.Surface((32, 16))
    sheet.fill((200, 30, 40), (0, 0, 16, 16))
    sheet.fill((20, 60, 210), (16, 0, 16, 16))
    pygame.image.save(sheet, str(tmp_path / "sheet.png"))
    (tmp_path / "far.tmx").write_text(
        '<map version="1.10" orientation="orthogonal" width="2" height="1" tilewidth="16" tileheight="16">'
        '<tileset firstgid="1" name="far" tilewidth="16" tileheight="16" tilecount="2" columns="2">'
        '<image source="sheet.png" width="32" height="16"/></tileset>'
        '<layer id="1" name="ground" width="2" height="1"><data encoding="csv">1,2</data></layer></map>'
    )
    loaded = load_map(tmp_path / "far.tmx")
    picture = drawn(loaded.field, loaded, zoom=32)
    left, right = picture.get_at((16, 16)), picture.get_at((48, 16))
    assert left.r > 2 * left.b and right.b > 2 * right.r


def test_raised_ground_has_an_edge_and_the_smallest_map_a_picture() -> None:
    rows = ["....", "....", "...."]
    flat = drawn(Field.from_rows(rows))
    raised = drawn(Field.from_rows(rows, levels=["0000", "0110", "0000"], climbs=[Cell(4)]))
    assert pygame.image.tobytes(flat, "RGB") != pygame.image.tobytes(raised, "RGB")
    assert brightness(raised, 1, 1) > brightness(flat, 1, 1)
    assert brightness(drawn(Field.from_rows(["."])), 0, 0) > 20


# ------------------------------------------------------------------------------------------------ sides


def test_sides_differ_in_pattern_as_well_as_in_colour() -> None:
    assert side_colour("heroes") == (0x00, 0x72, 0xB2)
    assert side_colour("monsters") == (0xD5, 0x5E, 0x00)
    assert side_look("heroes").pattern != side_look("monsters").pattern
    assert {side_look(side).pattern for side in ("heroes", "monsters", "bandits", "wild")} <= {
        "plain", "dashed", "dotted", "double",
    }  # fmt: skip


def test_grass_frays_into_earth_and_built_floors_keep_their_edges() -> None:
    from game.view.ground import paint as groundedges
    from game.view.ground.tiles import GroundPlan

    plan = GroundPlan(Field.from_rows(["...", "...", "..."]), None)
    names = {(1, 1): "earth", (2, 1): "grass", (1, 0): "stone"}
    plan.material = lambda column, row: names.get((column, row), "earth")  # type: ignore[method-assign]
    picture = pygame.Surface((48, 48), pygame.SRCALPHA)
    groundedges.fray(plan, picture, picture.get_rect(), 1, 1)
    drawn = picture.get_bounding_rect()
    assert drawn.right == 48
    assert 48 - 20 < drawn.left < 48 - 4
    blank = pygame.Surface((48, 48), pygame.SRCALPHA)
    groundedges.fray(plan, blank, blank.get_rect(), 1, 0)
    assert not blank.get_bounding_rect().width


def test_a_chasm_is_darkest_at_its_walls_and_has_a_cliff_under_the_ground_to_the_north() -> None:
    from game.view.ground import paint as groundedges
    from game.view.ground.tiles import GroundPlan

    plan = GroundPlan(Field.from_rows(["." * 9] + [" " * 9] * 8), None)
    at_wall, further, far = (max(sum(groundedges._depth(plan, x, y)) for x in range(9)) for y in (1, 2, 6))
    assert at_wall < further < far
    cliff, nothing = pygame.Surface((48, 48)), pygame.Surface((48, 48))
    groundedges.chasm(plan, cliff, cliff.get_rect(), 4, 1)
    groundedges.chasm(plan, nothing, nothing.get_rect(), 4, 4)
    red = [pygame.transform.average_color(picture)[0] for picture in (cliff, nothing)]
    assert red[0] > 2 * red[1]  # rock is warm, mist is blue
