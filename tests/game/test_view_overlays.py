"""Marks on the board: every kind has a shape of its own, legal and illegal plans differ, words stay in the window."""

from __future__ import annotations

from itertools import combinations

import pygame
import pytest

from game.view import boardview as legend
from game.view import overlays, palette
from game.view.camera import Camera
from game.view.ground.tiles import GroundPlan
from game.view.overlays import Overlays, draw_overlays, draw_overlays_above
from rules.board.fixtures import Door
from rules.board.grid import Field
from rules.board.sight import Grade, SightLine, explain
from rules.contract.display import Board, FloorItem, Miniature
from rules.contract.units import Bitboard, Cell

FIELD = Field.from_rows(["." * 8] * 6)
KINDS = ("free", "step", "run", "leap", "climb", "threat")
BOARD = Board(
    (
        Miniature("hero", "Briven", "heroes", Cell(9), "warrior", active=True),
        Miniature("foe", "Grik", "monsters", Cell(13), "goblin"),
    ),
    (),
    "",
    (),
)


@pytest.fixture(autouse=True)
def window() -> None:
    pygame.display.init()
    pygame.font.init()
    pygame.display.set_mode((320, 240))


def shown(marks: Overlays, *, above: bool = False) -> pygame.Surface:
    surface = pygame.Surface((8 * 48, 6 * 48))
    surface.fill((77, 87, 99))
    camera = Camera(FIELD, surface.get_size())
    camera.set_zoom(48)
    (draw_overlays_above if above else draw_overlays)(surface, camera, marks, BOARD)
    return surface


def raw(surface: pygame.Surface) -> bytes:
    return surface.get_buffer().raw


def shape(kind: str) -> pygame.mask.Mask:
    """The strong strokes of a kind of space, whatever their colour."""
    return pygame.mask.from_surface(overlays._space(kind, 64), 60)


@pytest.mark.parametrize(("one", "other"), list(combinations(KINDS, 2)))
def test_kinds_of_spaces_differ_in_shape_not_only_in_colour(one: str, other: str) -> None:
    a, b = shape(one), shape(other)
    both = a.overlap_area(b, (0, 0))
    different = a.count() + b.count() - 2 * both
    assert different > 60


@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_marks_its_space_alone(kind: str) -> None:
    cell = 3 * 8 + 4
    marks = Overlays(threat=1 << cell) if kind == "threat" else Overlays(**{kind: (cell,)})  # type: ignore[arg-type]
    with_mark, without = shown(marks), shown(Overlays())
    changed = [
        (x, y)
        for x in range(0, with_mark.get_width(), 3)
        for y in range(0, with_mark.get_height(), 3)
        if with_mark.get_at((x, y)) != without.get_at((x, y))
    ]
    assert changed
    assert all(4 * 48 <= x < 5 * 48 and 3 * 48 <= y < 4 * 48 for x, y in changed)


def test_a_plan_that_breaks_the_rules_wears_a_cross() -> None:
    path = (Cell(10), Cell(11))
    legal, illegal = shown(Overlays(path=path)), shown(Overlays(path=path, path_ok=False))
    assert raw(legal) != raw(illegal)
    middle = (3 * 48 + 24, 48 + 24)
    coral = pygame.mask.from_threshold(illegal, palette.tone("harm"), (20, 20, 20, 255))
    teal = pygame.mask.from_threshold(legal, palette.tone("free"), (20, 20, 20, 255))
    assert coral.get_at(middle)
    assert not teal.get_at(middle)


def test_chances_are_read_over_the_foe_and_crosses_over_who_is_out_of_reach() -> None:
    nothing = shown(Overlays(), above=True)
    chance = shown(Overlays(chances={"foe": "71 %"}), above=True)
    cross = shown(Overlays(crosses={"foe": "too far"}), above=True)
    assert len({raw(nothing), raw(chance), raw(cross)}) == 3


def test_every_grade_of_sight_has_its_own_picture() -> None:
    pictures = {raw(shown(Overlays(sight=SightLine(g, (3, 3), (11, 3), None)), above=True)) for g in Grade}
    assert len(pictures) == len(Grade)


def test_what_blocks_sight_is_crossed_out() -> None:
    free = shown(Overlays(sight=SightLine(Grade.NONE, (3, 3), (11, 3), None)), above=True)
    blocked = shown(Overlays(sight=SightLine(Grade.NONE, (3, 3), (11, 3), Cell(27))), above=True)
    assert raw(free) != raw(blocked)


def test_the_ruler_and_the_names_can_be_read() -> None:
    bare = raw(shown(Overlays(), above=True))
    assert raw(shown(Overlays(ruler=(0, 3, "3 spaces")), above=True)) != bare
    assert raw(shown(Overlays(ruler=(0, 3, "3 spaces")), above=True)) != raw(
        shown(Overlays(ruler=(0, 5, "5 spaces")), above=True)
    )


def test_reach_is_outlined_once_around_not_space_by_space() -> None:
    pair = shown(Overlays(reach=Bitboard(1 << 27 | 1 << 28)))
    between = pygame.Rect(4 * 48 - 1, 3 * 48 + 8, 2, 32)
    assert raw(pair) != raw(shown(Overlays()))
    gold = pygame.mask.from_threshold(pair, palette.tone("aim"), (8, 8, 8, 255))
    assert not any(
        gold.get_at((x, y)) for x in range(between.left, between.right) for y in range(between.top, between.bottom)
    )


def test_reach_does_not_run_on_from_a_rows_end_to_the_next_rows_start() -> None:
    split = shown(Overlays(reach=Bitboard(1 << 8 | 1 << 7)))  # column 0 of row 1, column 7 of row 0
    assert any(split.get_at((x, y))[:3] != (77, 87, 99) for x in range(3) for y in range(48 + 8, 96 - 8))


@pytest.mark.parametrize("zoom", [16, 48, 160])
def test_all_marks_at_once_can_be_drawn_at_every_zoom(zoom: int) -> None:
    surface = pygame.Surface((480, 320))
    camera = Camera(FIELD, (480, 320))
    camera.set_zoom(zoom)
    camera.centre(9)
    camera.arrive()
    marks = Overlays(
        free=(Cell(8),), step=(Cell(9),), run=(Cell(13),), leap=(Cell(15),), climb=(Cell(16),),
        path=(Cell(8), Cell(9)), path_ok=False, reach=Bitboard(1 << 8 | 1 << 9), threat=Bitboard(1 << 13),
        sight=explain(FIELD.terrain(), Cell(13), Cell(15)), ruler=(7, 16, "9 spaces"),
        chances={"foe": "71 %"}, crosses={"hero": "yourself"}, hover=0, selected="foe", legend=True,
    )  # fmt: skip
    blank = pygame.image.tobytes(surface, "RGB")
    draw_overlays(surface, camera, marks, BOARD)
    below = pygame.image.tobytes(surface, "RGB")
    draw_overlays_above(surface, camera, marks, BOARD)
    assert len({blank, below, pygame.image.tobytes(surface, "RGB")}) == 3


def test_names_of_a_crowd_do_not_cover_each_other() -> None:
    window = pygame.Rect(0, 0, 640, 480)
    crowd = [((90, 18), pygame.Rect(200 + 48 * (i % 3), 200 + 48 * (i // 3), 48, 48)) for i in range(6)]
    boxes = legend.placed(crowd, window)
    assert all(window.contains(box) for box in boxes)
    assert not [(a, b) for a, b in combinations(boxes, 2) if a.colliderect(b)]


def test_the_legend_names_creatures_known_doors_and_what_lies_about() -> None:
    doors = (Door("Gate", Cell(3), None, "locked"), Door("Niche", Cell(4), None, "secret"))
    plan = GroundPlan(Field.from_rows(["." * 8] * 6, doors=doors), None)
    table = Board(
        BOARD.miniatures, (), "", ("locked", "secret"), tuple(FloorItem(item, Cell(20)) for item in ("axe", "rope"))
    )
    told = [name.text for name in legend.names(Camera(FIELD, (320, 240)), table, plan)]
    assert told == ["Briven", "Grik", "Gate, locked", "Axe, rope"]


@pytest.mark.parametrize("floor", [(122, 84, 50), (74, 85, 96), (58, 92, 44)], ids=["boards", "slate", "grass"])
def test_threatened_ground_stands_out_of_every_floor(floor: tuple[int, int, int]) -> None:
    """A quarter of its pixels differ plainly from the floor: nobody has to look for it."""
    surface = pygame.Surface((FIELD.width * 48, FIELD.height * 48))
    camera = Camera(FIELD, surface.get_size())
    camera.set_zoom(48)
    surface.fill(floor)
    draw_overlays(surface, camera, Overlays(threat=Bitboard(1 << 13)), BOARD)
    box = camera.space_rect(13)
    pixels = [surface.get_at((x, y)) for x in range(box.left, box.right) for y in range(box.top, box.bottom)]
    plain = sum(max(abs(a - b) for a, b in zip(pixel, floor, strict=False)) >= 60 for pixel in pixels)
    assert plain >= len(pixels) / 4
    assert tuple(surface.get_at(camera.space_rect(16).center))[:3] == floor
