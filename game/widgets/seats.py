"""A seat's colour as a small disc."""

from __future__ import annotations

import pygame

from game.widgets.core import Widget
from game.widgets.theme import Look


class Swatch(Widget):
    """A disc in a colour, beside the name that it belongs to."""

    def __init__(self, colour: tuple[int, int, int], size: float = 16) -> None:
        super().__init__()
        self.colour, self.size = colour, size

    def measure(self, look: Look, width: int) -> tuple[int, int]:
        return (look.px(self.size), look.px(self.size))

    def draw(self, surface: pygame.Surface, look: Look) -> None:
        radius = min(self.rect.size) // 2
        pygame.draw.aacircle(surface, look.colour("night"), self.rect.center, radius)
        pygame.draw.aacircle(surface, self.colour, self.rect.center, radius - 1)
