"""The camera: what matters is in the open, nothing is lost, and no more void is shown than need be."""

from __future__ import annotations

import pygame
import pytest

from game.view.camera import BORDER, FARTHEST, Camera
from rules.board.grid import Field

FIELD = Field.from_rows(["." * 40] * 30)
FREE = pygame.Rect(280, 90, 680, 500)


@pytest.fixture
def camera() -> Camera:
    camera = Camera(FIELD, (1280, 720))
    camera.free = FREE
    camera.set_zoom(48)
    return camera


def settled(camera: Camera) -> Camera:
    while camera.update(1 / 60):
        pass
    return camera


@pytest.mark.parametrize("spot", [(0, 0), (39, 0), (0, 29), (39, 29), (20, 15)])
def test_what_is_shown_stands_in_the_free_part(camera: Camera, spot: tuple[int, int]) -> None:
    camera.show([spot])
    assert FREE.contains(settled(camera).space_rect(spot))


def test_what_is_seen_already_moves_nothing(camera: Camera) -> None:
    camera.show([(20, 15)])
    before = settled(camera).origin
    camera.show([(21, 15)])
    assert settled(camera).origin == before


def test_a_glide_is_off_when_what_is_asked_for_then_is_seen_from_here(camera: Camera) -> None:
    camera.show([(10, 10)])
    settled(camera)
    camera.show([(30, 20)])
    camera.show([(10, 10)])
    assert FREE.contains(settled(camera).space_rect((10, 10)))


def test_where_not_all_fit_the_first_ones_do(camera: Camera) -> None:
    camera.show([(20, 15), (22, 15), (39, 15)])
    settled(camera)
    assert FREE.contains(camera.space_rect((20, 15)))
    assert FREE.contains(camera.space_rect((22, 15)))


def test_showing_something_fills_the_free_part_with_map(camera: Camera) -> None:
    camera.pan(-4000, -4000)
    camera.show([(38, 28)])
    corner = settled(camera).space_rect((39, 29))
    slack = round(BORDER * camera.zoom) + 1
    assert FREE.right - corner.right <= slack
    assert FREE.bottom - corner.bottom <= slack


def test_the_map_cannot_be_lost(camera: Camera) -> None:
    for dx, dy in ((9000, 0), (-9000, 0), (0, 9000), (0, -9000)):
        camera.pan(dx, dy)
        whole = camera.space_rect(0).union(camera.space_rect((39, 29)))
        assert whole.inflate(2, 2).collidepoint(FREE.center)


def test_zooming_keeps_what_lies_under_the_pointer(camera: Camera) -> None:
    for factor in (1.3, 1.3, 1 / 1.6):
        under = camera.to_cell((500, 300))
        camera.zoom_at((500, 300), factor)
        assert camera.to_cell((500, 300)) == under


def test_everything_is_shown_at_a_key_and_at_the_next_what_was_seen_before(camera: Camera) -> None:
    camera.pan(-300, -200)
    before = (*camera.origin, camera.zoom)
    camera.show_all()
    assert FREE.contains(camera.space_rect(0).union(camera.space_rect((39, 29))))
    camera.show_all()
    assert (*camera.origin, camera.zoom) == before
    camera.show_all()
    camera.pan(60, 0)
    camera.show_all()
    assert camera.zoom < 48, "who has looked elsewhere meanwhile is shown everything again"


def test_what_does_not_fit_is_shown_from_farther_away_and_then_from_as_near_as_before(camera: Camera) -> None:
    far = [(5, 5), (25, 20)]
    camera.frame(far)
    settled(camera)
    assert camera.zoom < 48 and all(FREE.contains(camera.space_rect(spot)) for spot in far)
    camera.frame([(5, 5), (6, 6)])
    assert camera.zoom == 48
    settled(camera)
    assert FREE.contains(camera.space_rect((5, 5)))


def test_nobody_is_shown_from_so_far_away_that_no_face_is_told_from_another(camera: Camera) -> None:
    camera.frame([(1, 1), (39, 29)])
    settled(camera)
    assert camera.zoom == FARTHEST and FREE.contains(camera.space_rect((1, 1)))


def test_a_zoom_of_the_players_own_is_what_the_camera_comes_back_to(camera: Camera) -> None:
    camera.zoom_at(FREE.center, 0.75)
    camera.frame([(5, 5), (25, 20)])
    camera.frame([(5, 5), (6, 6)])
    assert camera.zoom == 36


def test_a_window_that_grows_and_shrinks_keeps_what_was_in_the_middle_in_the_free_part(camera: Camera) -> None:
    before, size = camera.centre_of_view, camera.viewport.size
    for _ in range(3):
        camera.resize((size[0] * 3 // 2, size[1] * 3 // 2))
        camera.resize(size)
    assert camera.centre_of_view == pytest.approx(before, abs=0.1)
    assert camera.free.width < camera.viewport.width, "what panels cover stays covered meanwhile"
