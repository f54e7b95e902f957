"""The moment in which everything changes, told large over the board for a while: an exploration becomes a fight."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import pygame

from game.widgets.controls import Label
from game.widgets.core import column
from rules.contract.events import Began, Event, Note

if TYPE_CHECKING:
    from game.scenes.fight.scene import Fight

LASTS = 2.6
"""Seconds for which it is shown; any press ends it."""
FADES = 0.5
"""The last seconds of these, in which it fades."""
WIDE = 520


class Moment:
    """What is told large, and for how long still. It lies over the board and takes no input."""

    def __init__(self, fight: Fight) -> None:
        self.fight = fight
        self.title = self.text = ""
        self.left = 0.0

    def hear(self, events: Sequence[Event]) -> None:
        """Take in what is shown now: a fight that begins after something else is worth it."""
        for number, event in enumerate(events):
            if isinstance(event, Began) and event.what == "fight":
                told = events[number + 1] if number + 1 < len(events) else None
                self.title = "Danger!"
                self.text = told.text if isinstance(told, Note) else ""
                self.left = LASTS
                self.fight.app.sounds.play("danger")

    def arrive(self, events: Sequence[Event]) -> None:
        """Take in how a match begins: an exploration that ends before its first minute is worth it, too."""
        if events and isinstance(events[0], Began) and events[0].what != "fight":
            self.hear(events)

    def update(self, dt: float) -> bool:
        """After time has passed; True while it has to be drawn anew."""
        if self.left <= 0.0:
            return False
        before, self.left = self.left, max(0.0, self.left - dt)
        return self.left < FADES or before == LASTS

    def end(self) -> bool:
        """Somebody does something: it has been read. False if nothing was shown."""
        if not self.left:
            return False
        self.left = 0.0
        self.fight.dirty = True
        return True

    def draw(self, surface: pygame.Surface) -> None:
        """A plate in the upper third of the free part of the window."""
        if self.left <= 0.0:
            return
        fight = self.fight
        look, wide = fight.app.look, fight.size[0]
        parts = [Label(self.title, "title", "coral", centred=True)]
        if self.text:
            parts.append(Label(self.text, "label", "bright", centred=True))
        box = column(*parts, gap=4, pad=16, plate="panel", edge="coral")
        width = min(look.px(WIDE), wide - 20)
        height = box.measure(look, width)[1]
        rect = pygame.Rect(0, 0, width, height)
        free = fight.camera.free
        rect.midtop = (free.centerx, free.top + max(4, free.height // 8))
        rect.clamp_ip(pygame.Rect(4, 4, wide - 8, fight.size[1] - 8))
        sheet = pygame.Surface(surface.get_size(), pygame.SRCALPHA)
        look.panel(sheet, rect, fill="night", edge="coral")
        box.place(look, rect)
        box.draw(sheet, look)
        sheet.set_alpha(round(255 * min(1.0, self.left / FADES)))
        surface.blit(sheet, (0, 0))
