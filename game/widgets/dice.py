"""A die drawn large, by its shape."""

from __future__ import annotations

import math

import pygame

from game.widgets.core import Widget
from game.widgets.theme import Look

_CORNERS = {4: 3, 6: 4, 8: 4, 10: 4, 12: 5, 20: 6}
"""Corners of the outline of the dice that are sold everywhere; others are drawn round."""


class DieFigure(Widget):
    """A die of so many faces, with what it shows (the faces' number while it shows nothing)."""

    def __init__(self, faces: int, shown: str = "", size: float = 78) -> None:
        super().__init__()
        self.faces, self.shown, self.size = faces, shown, size

    def measure(self, look: Look, width: int) -> tuple[int, int]:
        return (look.px(self.size), look.px(self.size))

    def outline(self, middle: tuple[int, int], radius: float) -> list[tuple[float, float]]:
        """The corners of the die as one sees it from above."""
        x, y = middle
        if self.faces == 6:
            side = radius * 0.8
            return [(x - side, y - side), (x + side, y - side), (x + side, y + side), (x - side, y + side)]
        if self.faces == 10:
            return [(x, y - radius), (x + radius * 0.86, y + radius * 0.12), (x, y + radius),
                    (x - radius * 0.86, y + radius * 0.12)]  # fmt: skip
        count = _CORNERS.get(self.faces, 12)
        return [
            (x + radius * math.sin(math.tau * k / count), y - radius * math.cos(math.tau * k / count))
            for k in range(count)
        ]

    def draw(self, surface: pygame.Surface, look: Look) -> None:
        middle, radius = self.rect.center, look.px(self.size) * 0.48
        corners = self.outline(middle, radius)
        pygame.draw.polygon(surface, look.colour("raised"), corners)
        edges = list(zip(corners, corners[1:] + corners[:1], strict=True))
        inner = [(middle[0] + (px - middle[0]) * 0.62, middle[1] + (py - middle[1]) * 0.62) for px, py in corners]
        if self.faces in (8, 12, 20):
            pygame.draw.aalines(surface, look.colour("faint"), True, inner)
            for corner, near in zip(corners, inner, strict=True):
                pygame.draw.aaline(surface, look.colour("faint"), corner, near)
        for start, end in edges:
            pygame.draw.line(surface, look.colour("gold"), start, end, look.px(2))
        font = look.font("figure" if self.shown else "heading")
        text = font.render(self.shown or f"d{self.faces}", True, look.colour("bright" if self.shown else "gold"))
        drop = round(radius * 0.12) if self.faces == 4 else 0
        surface.blit(text, text.get_rect(center=(middle[0], middle[1] + drop)))
