"""How dangerous the fight is that is being chosen: by fights that the computer plays meanwhile, until then roughly."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pygame

from game.forecast import danger
from game.forecast.report import Forecast
from game.scenes.forecastglance import Glance
from game.widgets.core import Tip
from game.widgets.figures import Live
from game.widgets.text import rendered, shortened
from game.widgets.theme import Look
from game.words import t

ENOUGH = 12
"""Fights from which their figure is told: one alone says anything from 0 to 100."""
ROUGH = ((0.6, "an easy fight"), (0.9, "a fair fight"), (1.15, "a hard fight"), (99.0, "a deadly fight"))
"""Up to which share of the party's worth the foes' is called so."""


def worth_of(entry: Mapping[str, Any]) -> int:
    """A stat block's rough threat."""
    return int(entry.get("threat", 1))


def weighed(ours: int, theirs: int) -> str:
    """How dangerous it is, roughly: by the sums of what creatures are worth; empty where one side is missing."""
    if not ours or not theirs:
        return ""
    word = next(word for limit, word in ROUGH if theirs / ours <= limit)
    return f"Threat {theirs} against {ours}: {word}"


class Verdict(Live):
    """How dangerous the fight is: by what the computer has played in the meantime, until then roughly."""

    def __init__(self, glance: Glance, worth: tuple[int, int]) -> None:
        super().__init__(lambda: "")
        self.glance = glance
        self.rough = weighed(*worth)

    @property
    def said(self) -> str:
        """`Threat 43: a hard fight`; before enough fights were played `Threat 24 against 24: a hard fight`."""
        found = self.found
        return self.rough if found is None else danger.told(found, self.glance.side)

    @property
    def found(self) -> Forecast | None:
        """What the fights came to, once there are enough of them."""
        found = self.glance.forecast
        return found if found is not None and found.runs >= ENOUGH else None

    def measure(self, look: Look, width: int) -> tuple[int, int]:
        font = look.font("label")
        return (min(width, font.size(t(self.rough))[0] + look.px(8)), font.get_linesize())

    def tip_at(self, pos: tuple[int, int]) -> Tip | None:
        found = self.found
        if found is None:
            return Tip(
                "By the creatures' rough worth, added up; fights that the computer plays will say more.",
                "Threat",
            )
        return Tip(
            f"From {found.runs} fights that the computer has played: half for the hit points that they cost the party, "
            "half for the fights that it loses. 0 is harmless, 100 certain death.",
            "Threat",
        )

    def draw(self, surface: pygame.Surface, look: Look) -> None:
        font, known = look.font("label"), self.found is not None
        text = rendered(
            font, shortened(font, t(self.said), self.rect.width), look.colour("bright" if known else "quiet")
        )
        surface.blit(text, text.get_rect(midright=self.rect.midright))
