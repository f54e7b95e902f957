"""Chances on spaces: short figures, never 0 or 100 unless it is just that; nothing drawn where nobody watches."""

from __future__ import annotations

import pygame
import pytest

from game.view.camera import Camera
from game.view.overlays import chance_label, draw_along, draw_risks, draw_watched
from rules.board.grid import Field


@pytest.mark.parametrize(
    ("chance", "text"), [(0.0, "0"), (0.001, "<1"), (0.194, "19"), (0.5, "50"), (0.999, ">99"), (1.0, "100")]
)
def test_a_chance_in_short(chance: float, text: str) -> None:
    assert chance_label(chance) == text


def drawn(**marks: object) -> bool:
    """Whether anything is drawn on an empty surface."""
    surface = pygame.Surface((640, 480))
    camera = Camera(Field.from_rows(["....", "....", "...."]), surface.get_size())
    blank = surface.copy()
    draw_watched(surface, camera, int(marks.get("watched", 0)))  # type: ignore[call-overload]
    draw_risks(surface, camera, marks.get("risks", {}))  # type: ignore[arg-type]
    draw_along(surface, camera, marks.get("along", {}))  # type: ignore[arg-type]
    return pygame.image.tobytes(surface, "RGB") != pygame.image.tobytes(blank, "RGB")


def test_where_nobody_watches_nothing_is_drawn() -> None:
    assert not drawn()
    assert not drawn(risks={1: 0.0}, along={1: 0.0, 2: 0.0})


def test_what_is_watched_and_risked_is_drawn() -> None:
    assert drawn(watched=0b110)
    assert drawn(risks={1: 0.2})
    assert drawn(along={1: 0.0, 2: 0.3})
