"""The ground under fog of war and by carried lights: what is unknown is dark, what is remembered has no colours."""

from __future__ import annotations

import pygame
import pytest

from game.fight.history import Sight
from game.view.camera import Camera
from game.view.ground.lights import UNKNOWN, Glow
from game.view.ground.picture import GroundPicture
from rules.board.grid import Field, beside
from rules.contract.units import Bitboard, Cell

ROWS = ["############", "#..........#", "#..........#", "#..........#", "#..........#", "############"]


@pytest.fixture
def picture() -> GroundPicture:
    pygame.init()
    pygame.display.set_mode((64, 64))
    return GroundPicture(Field.from_rows(ROWS), None)


def drawn(picture: GroundPicture) -> tuple[pygame.Surface, Camera]:
    surface = pygame.Surface((900, 500))
    camera = Camera(picture.plan.field, surface.get_size())
    camera.fit()
    camera.arrive()
    while True:
        picture.draw(surface, camera)
        if not picture.pending:
            return surface, camera


def column(x: int) -> Bitboard:
    return Bitboard(sum(1 << 12 * y + x for y in range(1, 5)))


def colour(surface: pygame.Surface, camera: Camera, cell: int) -> tuple[int, ...]:
    box = camera.space_rect(cell)
    return pygame.transform.average_color(surface, box.inflate(-box.w // 2, -box.h // 2))[:3]


def test_unknown_is_dark_remembered_is_grey_and_dim_seen_is_as_it_is(picture: GroundPicture) -> None:
    plain, camera = drawn(picture)
    seen = sum(column(x) for x in range(1, 4))
    picture.see(Sight(Bitboard(seen), Bitboard(seen | sum(column(x) for x in range(4, 8)))))
    veiled, camera = drawn(picture)
    at, past, gone = 12 * 2 + 2, 12 * 2 + 6, 12 * 2 + 10
    assert colour(veiled, camera, at) == colour(plain, camera, at)
    red, green, blue = colour(veiled, camera, past)
    assert 0 < red < colour(plain, camera, past)[0] * 0.6 and red <= green <= blue
    assert max(abs(a - b) for a, b in zip(colour(veiled, camera, gone), UNKNOWN, strict=True)) <= 2


def test_nothing_shows_beyond_the_last_space_that_is_known(picture: GroundPicture) -> None:
    seen = sum(column(x) for x in range(1, 5))
    picture.see(Sight(Bitboard(seen), Bitboard(seen)))
    veiled, camera = drawn(picture)
    for row in range(1, 5):
        box = camera.space_rect(12 * row + 5)
        for x in range(box.left, box.right):
            shade = veiled.get_at((x, box.centery))[:3]
            edge = 24 if x < box.left + box.w // 8 else 4
            assert max(abs(a - b) for a, b in zip(shade, UNKNOWN, strict=True)) <= edge, (x - box.left, shade)


def test_walls_beside_seen_floor_are_seen(picture: GroundPicture) -> None:
    picture.see(Sight(column(1) | column(2), column(1) | column(2)))
    veiled, camera = drawn(picture)
    assert sum(colour(veiled, camera, 12 * 2)) > sum(UNKNOWN) + 6


@pytest.mark.parametrize("lit", [False, True])
def test_a_wall_looks_the_same_whatever_nobody_has_seen_behind_it(lit: bool) -> None:
    """A room of three columns is seen; behind its walls there is rock, or rooms on every side of it."""
    rooms = [
        "##########",
        "#........#",
        "#.#####..#",
        "#.#...#..#",
        "#.#...#..#",
        "#.#####..#",
        "#........#",
        "##########",
    ]
    rock = [
        "##########",
        "##########",
        "##########",
        "###...####",
        "###...####",
        "##########",
        "##########",
        "##########",
    ]
    pygame.init()
    pygame.display.set_mode((64, 64))
    seen = sum(1 << 10 * y + x for y in (3, 4) for x in (3, 4, 5))
    shots = []
    for rows in (rooms, rock):
        picture = GroundPicture(Field.from_rows(rows), None)
        picture.see(Sight(Bitboard(seen), Bitboard(seen)))
        if lit:
            picture.shine((Glow(Cell(34), 1, 6, Bitboard(seen)),))
        shots.append(drawn(picture)[0])
    one, other = (pygame.image.tobytes(shot, "RGB") for shot in shots)
    worst = max(abs(a - b) for a, b in zip(one, other, strict=True))
    assert worst <= 6, f"a pixel differs by {worst}"


def test_all_is_shown_again_to_who_sees_all(picture: GroundPicture) -> None:
    plain, _ = drawn(picture)
    picture.see(Sight(column(3), column(3)))
    drawn(picture)
    picture.see(None)
    again, _ = drawn(picture)
    assert pygame.image.tobytes(plain, "RGB") == pygame.image.tobytes(again, "RGB")


def test_only_pieces_that_changed_are_dressed_anew(picture: GroundPicture) -> None:
    left = column(1) | column(2)
    picture.see(Sight(left, left))
    drawn(picture)
    before = dict(picture._dressed)
    picture.see(Sight(left, left | column(10)))
    drawn(picture)
    kept = [key for key, piece in picture._dressed.items() if before.get(key) is piece]
    assert kept and len(kept) < len(before)


def test_a_carried_light_warms_where_it_falls_and_moves(picture: GroundPicture) -> None:
    plain, camera = drawn(picture)
    here, there = 12 * 2 + 2, 12 * 2 + 9
    cells = sum(column(x) for x in range(1, 5))
    picture.shine((Glow(Cell(here), 1, 3, Bitboard(cells)),))
    lit, _ = drawn(picture)
    assert sum(colour(lit, camera, here)) > sum(colour(plain, camera, here)) + 30
    assert colour(lit, camera, there) == colour(plain, camera, there)
    picture.shine((Glow(Cell(there), 1, 3, Bitboard(sum(column(x) for x in range(6, 11)))),))
    lit, _ = drawn(picture)
    assert colour(lit, camera, here) == colour(plain, camera, here)
    assert sum(colour(lit, camera, there)) > sum(colour(plain, camera, there)) + 30
    picture.shine(())
    out, _ = drawn(picture)
    assert pygame.image.tobytes(plain, "RGB") == pygame.image.tobytes(out, "RGB")


def test_beside_stays_on_the_map() -> None:
    assert beside(Bitboard(1), 4, 3) == 0b0011_0011
    assert beside(Bitboard(1 << 3), 4, 3) == 0b1100_1100
    assert beside(Bitboard(1 << 11), 4, 3) == 0b1100_1100_0000


def test_nobody_sees_another_ones_ground_even_for_a_frame(picture: GroundPicture) -> None:
    left, right = column(1) | column(2), column(9) | column(10)
    picture.see(Sight(left, left))
    drawn(picture)
    picture.see(Sight(right, right))
    assert not picture._dressed
    drawn(picture)
    picture.see(Sight(right | left, right | left))
    assert picture._dressed, "what was known still is: it may be dressed anew a frame later"


def test_a_door_is_never_shown_as_another_one_knew_it_even_for_a_frame(monkeypatch: pytest.MonkeyPatch) -> None:
    from game.view.ground import picture as ground

    field = Field.from_rows(["#######", "#..+..#", "#######"])
    ground_picture = GroundPicture(field, None)
    ground_picture.see(Sight(Bitboard((1 << 21) - 1), Bitboard((1 << 21) - 1)))
    closed, camera = drawn(ground_picture)
    closed = closed.copy()
    ground_picture.set_doors(("open",))
    assert pygame.image.tobytes(drawn(ground_picture)[0], "RGB") != pygame.image.tobytes(closed, "RGB")
    monkeypatch.setattr(ground, "BUDGET", -1.0)  # as on a machine with no time at all
    ground_picture.forget()
    ground_picture.set_doors(("closed",))
    first = pygame.Surface(closed.get_size())
    ground_picture.draw(first, camera)
    assert pygame.image.tobytes(first, "RGB") == pygame.image.tobytes(closed, "RGB")
