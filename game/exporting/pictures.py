"""A map as a picture, from above and evenly lit: with or without its grid, as players or as the game master know it."""

from __future__ import annotations

import io
from typing import NamedTuple

import pygame

from game.paper.boards import Boards, board_of
from game.paper.matter import Level, Matter

PIXELS = 100
"""Of a space, where the map is not too large for that."""
FEWEST, MOST = 16, 160
LARGEST = 8192
"""Pixels of a picture's side, at most."""
PATCH = 1600
"""Pixels of the side of what is drawn at once."""
LINES = (0, 0, 0, 70)


class Look(NamedTuple):
    """How a map is drawn."""

    pixels: int
    grid: bool
    secrets: bool


def fitting(level: Level, pixels: int | None = None) -> int:
    """Pixels of a space: as many as are asked for, or fewer where the picture would be too large."""
    return max(FEWEST, min(pixels or PIXELS, LARGEST // max(level.columns, level.rows)))


def picture(matter: Matter, level: Level, look: Look) -> pygame.Surface:
    """A map of an encounter, without creatures."""
    boards = Boards(matter.field, matter.loaded, board_of(matter, secrets=look.secrets))
    surface = pygame.Surface((level.columns * look.pixels, level.rows * look.pixels))
    step = max(1, PATCH // look.pixels)
    whole = pygame.Rect(0, level.top, level.columns, level.rows)
    for top in range(level.top, level.top + level.rows, step):
        for left in range(0, level.columns, step):
            spaces = pygame.Rect(left, top, step, step).clip(whole)
            at = (left * look.pixels, (top - level.top) * look.pixels)
            surface.blit(boards.picture(spaces, look.pixels), at)
    if look.grid:
        _draw_lines(surface, look.pixels)
    return surface


def _draw_lines(surface: pygame.Surface, pixels: int) -> None:
    """The lines between the spaces, and around the map."""
    wide, high = surface.get_size()
    thick = max(1, pixels // 50)
    down, across = pygame.Surface((thick, high), pygame.SRCALPHA), pygame.Surface((wide, thick), pygame.SRCALPHA)
    down.fill(LINES)
    across.fill(LINES)
    for x in range(0, wide + 1, pixels):
        surface.blit(down, (min(x, wide - thick), 0))
    for y in range(0, high + 1, pixels):
        surface.blit(across, (0, min(y, high - thick)))


def as_png(surface: pygame.Surface) -> bytes:
    """A picture as the bytes of a PNG file."""
    stream = io.BytesIO()
    pygame.image.save(surface, stream, "map.png")
    return stream.getvalue()
