"""Miniatures and marks say what they say by shape as well as by colour."""

from __future__ import annotations

import pygame
import pytest

from game.view import minis, overlays
from game.view.camera import Camera
from game.view.overlays import Overlays, draw_overlays, draw_overlays_above
from game.view.palette import GOOD, GRAVE, side_colour, side_look
from rules.board import Bar, Board, Miniature
from rules.grid import Field
from rules.sight import explain

FIELD = Field.from_rows(["######", "#....#", "#.#..#", "######"])


@pytest.fixture
def window() -> pygame.Surface:
    pygame.display.init()
    pygame.font.init()
    surface = pygame.display.set_mode((480, 320))
    surface.fill((70, 80, 90))
    return surface


def mini(**changes: object) -> Miniature:
    given: dict[str, object] = {"id": "a", "name": "Ann", "side": "heroes", "cell": 7, "art": "warrior"}
    return Miniature(**(given | changes))  # type: ignore[arg-type]


def count(surface: pygame.Surface, colour: tuple[int, int, int]) -> int:
    """Pixels of about this colour."""
    return pygame.mask.from_threshold(surface, colour, (24, 24, 24, 255)).count()


def drawn(window: pygame.Surface, size: int = 96, **changes: object) -> pygame.Surface:
    window.fill((70, 80, 90))
    minis.draw_miniature(window, mini(**changes), pygame.Rect(40, 40, size, size))
    return window


@pytest.mark.parametrize("size", [32, 64, 128])
def test_the_side_is_seen_at_full_health(window: pygame.Surface, size: int) -> None:
    full = Bar("Hit points", 9, 9)
    for side, other in (("heroes", "monsters"), ("monsters", "heroes")):
        picture = drawn(window, size, side=side, health=full, art="skeleton")
        assert count(picture, side_colour(side)) > size
        assert count(picture, side_colour(other)) < size // 8 + 1


def test_patterns_differ_where_colours_might_be_confused() -> None:
    assert side_look("heroes").pattern != side_look("monsters").pattern
    assert side_look("bandits") == side_look("bandits")


def test_the_arc_shows_health_by_length_and_colour(window: pygame.Surface) -> None:
    hale = count(drawn(window, health=Bar("Hit points", 9, 9)), GOOD)
    worn = count(drawn(window, health=Bar("Hit points", 7, 9)), GOOD)
    assert hale > worn > 0
    near_death = drawn(window, health=Bar("Hit points", 2, 9))
    assert count(near_death, GOOD) == 0
    assert count(near_death, GRAVE) > 0


def test_the_fallen_look_otherwise_and_the_dead_show_no_arc(window: pygame.Surface) -> None:
    stands = pygame.image.tobytes(drawn(window), "RGB")
    lies = pygame.image.tobytes(drawn(window, out=True), "RGB")
    assert stands != lies
    assert count(drawn(window, out=True, dead=True), GOOD) == 0


def test_an_unknown_figure_still_has_a_face() -> None:
    assert minis.figure("no-such-drawing", "monsters", 64) is not None
    assert minis.portrait("no-such-drawing", "heroes", 40).get_size() == (40, 40)


def test_movements_differ_in_shape_not_only_in_colour() -> None:
    shapes = {
        kind: pygame.mask.from_surface(overlays._space(kind, 64), 60).count()
        for kind in ("free", "step", "run", "leap", "climb", "threat")
    }
    assert len(set(shapes.values())) == len(shapes)


def test_every_mark_can_be_drawn_at_every_zoom(window: pygame.Surface) -> None:
    camera = Camera(FIELD, (480, 320))
    ann, foe = mini(active=True), mini(id="b", name="Bo", side="monsters", cell=10)
    table = Board((ann, foe), (), "", ())
    terrain = FIELD.terrain()
    marks = Overlays(
        free=(8,), step=(9,), run=(13,), leap=(15,), climb=(16,), path=(8, 9), path_ok=False,
        reach=1 << 8 | 1 << 9, threat=1 << 13, sight=explain(terrain, 13, 15), ruler=(7, 16),
        chances={"b": "71 %"}, crosses={"a": "yourself"}, hover=0, selected="b", legend=True,
    )  # fmt: skip
    for zoom in (16, 48, 160):
        camera.set_zoom(zoom)
        blank = pygame.image.tobytes(window, "RGB")
        draw_overlays(window, camera, marks, table)
        below = pygame.image.tobytes(window, "RGB")
        draw_overlays_above(window, camera, marks, table)
        assert len({blank, below, pygame.image.tobytes(window, "RGB")}) == 3


def test_reach_is_outlined_once_around_and_not_at_map_edges_inside(window: pygame.Surface) -> None:
    """The bit before column 0 is the row above's last space: no neighbour of it."""
    camera = Camera(FIELD, (480, 320))
    camera.set_zoom(40)
    window.fill((0, 0, 0))
    overlays._outline(window, camera, 1 << 6 | 1 << 5, overlays.GOLD)  # column 0 of row 1, column 5 of row 0
    left = camera.space_rect(6)
    assert any(window.get_at((left.left, y))[:3] != (0, 0, 0) for y in range(left.top + 2, left.bottom - 2))
