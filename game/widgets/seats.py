"""A seat's colour as a small disc."""

from __future__ import annotations

from collections.abc import Callable

import pygame

from game.widgets.controls import Pressable
from game.widgets.core import Tip, Widget
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


class SwatchButton(Pressable):
    """A disc of a colour that a press changes; `still` ones only show it."""

    def __init__(
        self, colour: tuple[int, int, int], on_press: Callable[[], None], *, key: str = "", tip: Tip | None = None,
        still: bool = False,
    ) -> None:  # fmt: skip
        super().__init__(on_press, key=key, tip=tip)
        self.colour = colour
        self.still = still
        self.focusable = not still

    def measure(self, look: Look, width: int) -> tuple[int, int]:
        size = look.px(18 if self.still else 28)
        return (size, size)

    def draw(self, surface: pygame.Surface, look: Look) -> None:
        radius = min(self.rect.size) // 2
        if self.focused or (self.hovered and not self.still):
            pygame.draw.aacircle(surface, look.colour("gold" if self.focused else "faint"), self.rect.center, radius)
        pygame.draw.aacircle(surface, look.colour("night"), self.rect.center, radius - look.px(2))
        pygame.draw.aacircle(surface, self.colour, self.rect.center, radius - look.px(4))
