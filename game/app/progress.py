"""What takes a while says so: a line with a bar at the foot of the window, over whatever stands there."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pygame

from game.app.i18n import t
from game.widgets.text import line
from rules.contract.text import text

if TYPE_CHECKING:
    from game.scenes.base import Shell

AFTER = 0.2
"""Seconds before anything is shown: what is done by then is no wait."""
OFTEN = 0.05
"""Seconds between two pictures."""


def _loading(done: int, total: int) -> str:
    return text("Loading: {done} of {total} commands", done, total)


class Loading:
    """A fight is being loaded, or what `words` say. Call it with (commands played, of how many) now and then; it draws
    by itself where that takes long, and lets the system see that the window lives. What is pressed meanwhile stays in
    the queue."""

    def __init__(self, app: Shell, words: Callable[[int, int], str] = _loading) -> None:
        self._app, self._words = app, words
        self._began = self._shown = app.clock()
        self.pictures = 0
        """How often it was drawn."""

    def __call__(self, done: int, total: int) -> None:
        now = self._app.clock()
        if now - self._began < AFTER or now - self._shown < OFTEN:
            return
        self._shown = now
        self._draw(max(0, done), total)
        pygame.display.flip()
        pygame.event.pump()
        self._app.top.dirty = True  # should loading fail, the line goes again

    def _draw(self, done: int, total: int) -> None:
        look, surface = self._app.look, self._app.surface
        words = line(look, t(self._words(done, total)), "text", "bright")
        pad, bar = look.px(14), look.px(4)
        wide = max(look.px(320), words.get_width() + 2 * pad)
        plate = pygame.Rect(0, 0, wide, words.get_height() + bar + 3 * pad)
        plate.midbottom = surface.get_width() // 2, surface.get_height() - look.px(36)
        surface.blit(look.plate(plate), plate)
        surface.blit(words, words.get_rect(midtop=(plate.centerx, plate.top + pad)))
        track = pygame.Rect(plate.left + pad, plate.bottom - pad - bar, plate.width - 2 * pad, bar)
        pygame.draw.rect(surface, look.colour("faint"), track, 0, look.px(2))
        pygame.draw.rect(surface, look.colour("gold"), (*track.topleft, track.width * done // max(1, total), bar), 0,
                         look.px(2))  # fmt: skip
        self.pictures += 1
