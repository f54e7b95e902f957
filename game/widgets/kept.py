"""Panels as pictures: what stands still over a board that moves is put together once, not in every frame."""

from __future__ import annotations

import pygame

from game.widgets.core import Widget
from game.widgets.theme import Look

RIM = 12
"""Pixels around a panel that its widgets may draw on: the ring of the focus, say."""
_INVERSE = bytes(255 - value for value in range(256))


class Kept:
    """A panel as it looks now, with all that shines through it."""

    def __init__(self, surface: pygame.Surface, look: Look, panel: Widget) -> None:
        area = panel.rect.inflate(2 * RIM, 2 * RIM).clip(surface.get_rect())
        self.spot = area.topleft
        self._picture = _seen_apart(surface, look, panel, area)

    def draw(self, surface: pygame.Surface) -> None:
        """Draw the panel over what is there."""
        surface.blit(self._picture, self.spot, special_flags=pygame.BLEND_PREMULTIPLIED)


def _seen_apart(surface: pygame.Surface, look: Look, panel: Widget, area: pygame.Rect) -> pygame.Surface:
    """A panel without what lies below it: as it looks on black, and how far it covers that, which is 255 less by what
    it looks brighter on white. The surface is the paper for both and is left as it was."""
    below = surface.subsurface(area).copy()
    surface.fill((0, 0, 0), area)
    panel.draw(surface, look)
    on_black = surface.subsurface(area).copy()
    surface.fill((255, 255, 255), area)
    panel.draw(surface, look)
    brighter = surface.subsurface(area).copy()
    surface.blit(below, area)
    brighter.blit(on_black, (0, 0), special_flags=pygame.BLEND_RGB_SUB)
    pixels = bytearray(pygame.image.tobytes(on_black, "RGBA"))
    pixels[3::4] = pygame.image.tobytes(brighter, "RGBA")[1::4].translate(_INVERSE)
    picture = pygame.Surface(area.size, pygame.SRCALPHA)
    picture.blit(pygame.image.frombuffer(pixels, area.size, "RGBA"), (0, 0), special_flags=pygame.BLEND_RGBA_ADD)
    return picture
