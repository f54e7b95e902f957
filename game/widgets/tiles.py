"""Tiles to choose from: a picture with a name, chosen or counted."""

from __future__ import annotations

from collections.abc import Callable

import pygame

from game.widgets.controls import Pressable
from game.widgets.core import Tip
from game.widgets.figures import Portrait
from game.widgets.text import rendered, shortened
from game.widgets.theme import Look

FAINT = 80
"""Of 255: how much is seen of the picture of what can't be chosen."""
LARGE = 80
"""From this height of the picture on the words are larger, too."""
LESS_KEYS = (pygame.K_MINUS, pygame.K_KP_MINUS, pygame.K_BACKSPACE, pygame.K_DELETE)


class Tile(Pressable):
    """A picture beside a name and a second line. `count` is shown when above 1; a right click (or −) takes one away."""

    def __init__(
        self,
        name: str,
        line: str,
        picture: Portrait,
        on_press: Callable[[], None],
        *,
        chosen: bool = False,
        count: int = 0,
        on_less: Callable[[], None] | None = None,
        tip: Tip | None = None,
        key: str = "",
        size: float = 44,
        width: float = 190,
    ) -> None:
        super().__init__(on_press, key=key or name, tip=tip)
        self.name, self.line, self.picture = name, line, picture
        self.chosen, self.count, self.on_less = chosen, count, on_less
        self.size, self.width = size, width

    def measure(self, look: Look, width: int) -> tuple[int, int]:
        return (min(look.px(self.width), width), look.px(self.size + 12))

    def handle(self, event: pygame.event.Event) -> bool:
        if self.on_less is not None:
            if event.type == pygame.MOUSEBUTTONDOWN and event.button == 3:
                self.on_less()
                return True
            if event.type == pygame.KEYDOWN and event.key in LESS_KEYS:
                self.on_less()
                return True
        return super().handle(event)

    def draw(self, surface: pygame.Surface, look: Look) -> None:
        self.plate(surface, look, chosen=self.chosen or self.count > 0)
        side = look.px(self.size)
        image = self.picture(side)
        if not self.enabled:
            image = image.copy()
            image.set_alpha(FAINT)
        box = pygame.Rect(self.rect.left + look.px(6), self.rect.centery - side // 2, image.get_width(), side)
        surface.blit(image, image.get_rect(center=box.center))
        left = box.right + look.px(9)
        badge = (
            rendered(look.font("heading"), f"×{self.count}", look.colour("gold"))
            if self.count > 0 and self.on_less
            else None
        )
        room = self.rect.right - left - look.px(8) - (badge.get_width() + look.px(4) if badge else 0)
        large = self.size >= LARGE
        bold, small = look.font("heading" if large else "text!"), look.font("text" if large else "small")
        total = bold.get_linesize() + (small.get_linesize() if self.line else 0)
        top = self.rect.centery - total // 2
        ink = "bright" if self.enabled else "faint"
        surface.blit(rendered(bold, shortened(bold, self.name, room), look.colour(ink)), (left, top))
        line = shortened(small, self.line, room)
        if line:
            surface.blit(rendered(small, line, look.colour("quiet")), (left, top + bold.get_linesize()))
        if badge is not None:
            surface.blit(badge, badge.get_rect(midright=(self.rect.right - look.px(8), self.rect.centery)))
