"""A reason with its weight: words, figure, and a small bar to the right (for) or to the left (against)."""

from __future__ import annotations

import pygame

from game.widgets.core import Widget
from game.widgets.text import Block, Run, rendered
from game.widgets.theme import Look
from rules.core.figures import signed

DIGITS = 2
"""Digits of a score and of what it is made of; a reason that comes to nothing in them is none."""


class ReasonBar(Widget):
    """One addend of a score; `most` is the weight whose bar has full length."""

    BAR, FIGURE = 76, 44

    def __init__(self, text: str, value: float, most: float) -> None:
        super().__init__()
        self.text, self.value, self.most = text, value, max(most, 1e-9)

    def _block(self, look: Look, width: int) -> Block:
        return Block(look, [Run(self.text, "text", "small")], width - look.px(self.BAR + self.FIGURE + 10))

    def measure(self, look: Look, width: int) -> tuple[int, int]:
        return (width, max(self._block(look, width).size[1], look.font("small").get_linesize()) + look.px(2))

    def draw(self, surface: pygame.Surface, look: Look) -> None:
        rect = self.rect
        block = self._block(look, rect.width)
        block.draw(surface, rect.left, rect.top + (rect.height - block.size[1]) // 2)
        sign = signed(self.value, DIGITS)
        figure = rendered(look.font("small"), sign, look.colour("bright"))
        surface.blit(figure, figure.get_rect(midright=rect.midright))
        bar = pygame.Rect(0, 0, look.px(self.BAR), look.px(8))
        bar.midright = (rect.right - look.px(self.FIGURE), rect.centery)
        pygame.draw.rect(surface, look.colour("night"), bar, 0, look.px(4))
        half = bar.width // 2
        length = max(look.px(2), round(min(1.0, abs(self.value) / self.most) * half))
        full = pygame.Rect(bar.centerx if self.value > 0 else bar.centerx - length, bar.top, length, bar.height)
        pygame.draw.rect(surface, look.colour("teal" if self.value > 0 else "coral"), full, 0, look.px(2))
        top, foot = (bar.centerx, bar.top - look.px(1)), (bar.centerx, bar.bottom)
        pygame.draw.line(surface, look.colour("quiet"), top, foot)
