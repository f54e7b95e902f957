"""The ground of the table as a picture."""

from __future__ import annotations

import pygame

from game.mapdata import LoadedMap
from game.view import palette
from game.view.camera import Camera
from rules.grid import Field, Ground


class GroundPicture:
    """Draws the ground."""

    def __init__(self, field: Field, loaded: LoadedMap | None) -> None:
        self.field, self.loaded = field, loaded
        self.doors: tuple[str, ...] = ()

    def set_doors(self, states: tuple[str, ...]) -> None:
        """Take in how the doors stand."""
        self.doors = states

    def draw(self, surface: pygame.Surface, camera: Camera) -> None:
        """Draw what the camera shows."""
        columns, rows = camera.seen()
        for row in rows:
            for column in columns:
                kind = self.field.ground[row * self.field.width + column]
                rect = camera.space_rect((column, row))
                surface.fill(
                    {Ground.BLOCKED: palette.ROCK, Ground.VOID: palette.VOID}.get(
                        Ground(kind), palette.SLATE
                    ),
                    rect,
                )
                pygame.draw.rect(surface, palette.ROCK, rect, 1)
