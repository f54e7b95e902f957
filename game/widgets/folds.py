"""A section that folds: its heading tells in a line what is inside while it is shut."""

from __future__ import annotations

from collections.abc import Callable

import pygame

from game.app.i18n import t
from game.widgets.controls import Pressable
from game.widgets.core import Tip
from game.widgets.text import rendered, shortened
from game.widgets.theme import Look


class Fold(Pressable):
    """The heading of a section, with a wedge that points at it or down to what is open."""

    def __init__(
        self,
        title: str,
        open_: bool,
        on_turn: Callable[[], None],
        *,
        told: str = "",
        changed: bool = False,
        wrong: bool = False,
        key: str = "",
        tip: Tip | None = None,
    ) -> None:
        super().__init__(on_turn, key=key or title, tip=tip)
        self.title, self.open, self.told = t(title), open_, told
        self.changed, self.wrong = changed, wrong

    def measure(self, look: Look, width: int) -> tuple[int, int]:
        high = look.font("label!").get_linesize() + look.px(8)
        if self.told and not self.open:
            high += look.font("small").get_linesize()
        return (width, high)

    def draw(self, surface: pygame.Surface, look: Look) -> None:
        look.panel(surface, self.rect, fill="button", edge="faint" if self.hovered else "hairline", radius=6)
        if self.focused:
            ring = self.rect.inflate(look.px(4), look.px(4))
            pygame.draw.rect(surface, look.colour("gold"), ring, look.px(2), look.px(8))
        title, small, arm = look.font("label!"), look.font("small"), look.px(4)
        middle = self.rect.top + look.px(4) + title.get_linesize() // 2
        x, left = self.rect.left + look.px(14), self.rect.left + look.px(28)
        points = [(x - arm, middle - arm // 2), (x, middle + arm // 2), (x + arm, middle - arm // 2)]
        if not self.open:
            points = [(x - arm // 2, middle - arm), (x + arm // 2, middle), (x - arm // 2, middle + arm)]
        pygame.draw.lines(surface, look.colour("quiet"), False, points, look.px(2))
        ink = "coral" if self.wrong else "gold" if self.changed else "bright"
        words = rendered(title, shortened(title, self.title, self.rect.width - look.px(40)), look.colour(ink))
        surface.blit(words, words.get_rect(midleft=(left, middle)))
        if self.told and not self.open:
            told = rendered(
                small, shortened(small, self.told, self.rect.right - left - look.px(8)), look.colour("quiet")
            )
            surface.blit(told, (left, self.rect.bottom - look.px(4) - small.get_linesize()))
