"""What holds something is drawn by its kind and state, and the map's own drawing of it stays as long as it is shut."""

from __future__ import annotations

import msgspec
import pygame
import pytest

from game.paths import asset
from game.view.camera import Camera
from game.view.chests import EMPTY, OPEN, SHUT, Shown, draw_chests, picture_of, shown
from rules.board.fixtures import LOOKS, Challenge
from rules.board.grid import Field
from rules.contract.display import Board, FloorItem, GroundMark
from rules.contract.units import Bitboard, Cell

FIELD = Field.from_rows(["." * 8] * 6)
HELD = msgspec.structs.replace(
    FIELD,
    challenges=(
        Challenge("coffer", "chest", (Cell(9),), 9),
        Challenge("dead man", "chest", (Cell(12),), 0, look="body"),
        Challenge("slab", "trap", (Cell(20),)),
    ),
)


@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize("stands", [SHUT, OPEN, EMPTY])
def test_every_look_has_a_picture_in_every_state(look: str, stands: str) -> None:
    assert asset("art", "props", f"{picture_of(look, (), stands)}.svg").is_file()


def test_the_states_of_a_look_are_told_apart() -> None:
    for look in LOOKS:
        names = [picture_of(look, (), stands) for stands in (SHUT, OPEN, EMPTY)]
        pictures = [pygame.image.load_sized_svg(str(asset("art", "props", f"{n}.svg")), (48, 48)) for n in names]
        assert len({pygame.image.tobytes(each, "RGBA") for each in pictures}) == 3, look


@pytest.mark.parametrize(
    ("look", "drawn", "stands", "picture"),
    [
        ("chest", (), SHUT, "chest"),
        ("", ("chest",), SHUT, ""),
        ("body", ("bones",), SHUT, ""),
        ("body", ("bones",), EMPTY, "bones_empty"),
        ("chest", ("rug", "reliquary"), OPEN, "reliquary_open"),
        ("shelf", ("rug",), SHUT, "bookshelf"),
        ("hoard", ("chest",), OPEN, "hoard_open"),
        ("urn", (), EMPTY, "chest_empty"),
    ],
)
def test_a_map_draws_what_is_shut_and_we_what_was_opened(
    look: str, drawn: tuple[str, ...], stands: str, picture: str
) -> None:
    assert picture_of(look, drawn, stands) == picture


def board(kind: str, *, label: str = "coffer", cell: int = 9, floor: tuple[FloorItem, ...] = ()) -> Board:
    mark = GroundMark(kind, label, Bitboard(1 << cell))
    return Board((), (), "", (), floor, ground=(mark,))


def found(there: Board, *, hidden: bool = False) -> list[Shown]:
    return list(shown(HELD, there, lambda cell: (), lambda cell: hidden))


def test_a_chest_is_open_as_long_as_something_of_it_lies_there_and_empty_then() -> None:
    assert found(board("chest")) == [Shown(Cell(9), "chest", SHUT, locked=True)]
    full = board("chest_done", floor=(FloorItem("12 coins", Cell(9)),))
    assert found(full) == [Shown(Cell(9), "chest_open", OPEN, locked=False)]
    elsewhere = board("chest_done", floor=(FloorItem("12 coins", Cell(10)),))
    assert found(elsewhere) == [Shown(Cell(9), "chest_empty", EMPTY, locked=False)]


def test_what_was_never_locked_shows_no_lock() -> None:
    assert found(board("chest", label="dead man", cell=12)) == [Shown(Cell(12), "body", SHUT, locked=False)]


def test_nothing_is_shown_under_a_roof_nor_of_what_is_no_chest() -> None:
    assert found(board("chest"), hidden=True) == []
    assert found(board("trap", label="slab", cell=20)) == []


def test_they_stand_on_their_spaces() -> None:
    surface = pygame.Surface((8 * 48, 6 * 48))
    camera = Camera(FIELD, surface.get_size())
    camera.set_zoom(48)
    for each in found(board("chest")):
        draw_chests(surface, camera, [each])
    changed = pygame.mask.from_threshold(surface, (0, 0, 0), (1, 1, 1))
    changed.invert()
    assert changed.count() > 400
    assert all(camera.space_rect(Cell(9)).contains(box) for box in changed.get_bounding_rects())
