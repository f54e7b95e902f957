"""The threat of the fight that is being chosen: by fights that the computer plays meanwhile, until then by weights."""

from __future__ import annotations

import pygame

from game.app.i18n import t
from game.forecast import threat as danger
from game.forecast.report import Forecast
from game.scenes.forecast.glance import Glance
from game.widgets.core import Tip
from game.widgets.figures import Live
from game.widgets.text import rendered, shortened
from game.widgets.theme import Look


class Verdict(Live):
    """The threat of the fight: by what the computer has played in the meantime, until then estimated by weights."""

    def __init__(self, glance: Glance, rough: str) -> None:
        """`rough`: the estimate by weights; empty where a side is missing."""
        super().__init__(lambda: "")
        self.glance = glance
        self.rough = rough

    @property
    def said(self) -> str:
        """`Threat 43: a hard fight`; before enough fights were played `Threat about 43: a hard fight`."""
        found = self.found
        return self.rough if found is None else danger.told(found, self.glance.side)

    @property
    def found(self) -> Forecast | None:
        """What the fights came to, once there are enough of them."""
        found = self.glance.forecast
        return found if found is not None and found.runs >= danger.ENOUGH else None

    def measure(self, look: Look, width: int) -> tuple[int, int]:
        font = look.font("label")
        return (min(width, font.size(t(self.rough))[0] + look.px(8)), font.get_linesize())

    def tip_at(self, pos: tuple[int, int]) -> Tip | None:
        found = self.found
        if found is None:
            return Tip(
                "The party's chance to lose, in points: an estimate, by what both sides weigh. Fights that the "
                "computer plays will say more.",
                "Threat",
            )
        return Tip(
            f"The party's chance to lose, in points, from {found.runs} fights that the computer has played: up to 10 "
            "is easy, up to 25 fair, up to 50 hard, more is deadly.",
            "Threat",
        )

    def draw(self, surface: pygame.Surface, look: Look) -> None:
        font, known = look.font("label"), self.found is not None
        text = rendered(
            font, shortened(font, t(self.said), self.rect.width), look.colour("bright" if known else "quiet")
        )
        surface.blit(text, text.get_rect(midright=self.rect.midright))
