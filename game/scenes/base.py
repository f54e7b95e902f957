"""What every screen is: widgets of its own, answers to events, time that passes, and drawing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import pygame

from game.controllers.human import FIGHT_GROUPS
from game.widgets.ui import Ui

if TYPE_CHECKING:
    from game.app.loop import App
    from game.fight.match import Match


class Scene:
    """A screen. `overlay` ones are drawn over the one below, which keeps its state."""

    overlay = False
    name = ""
    key_groups: Sequence[str] = FIGHT_GROUPS
    """The groups of the table of keys whose commands it answers to."""

    def __init__(self, app: App) -> None:
        self.app = app
        self.ui = Ui(app.look)
        self.dirty = True
        self.laid_for = (0, 0)

    @property
    def size(self) -> tuple[int, int]:
        return self.app.surface.get_size()

    def build(self) -> None:
        """Make the widgets for the window as it is now."""

    def rebuild(self) -> None:
        """Make the widgets again, keeping the focus."""
        self.ui.look = self.app.look
        self.ui.clear()
        self.laid_for = self.size
        self.build()
        self.ui.finish()
        self.dirty = True

    def entered(self) -> None:
        """It became the topmost scene (again)."""
        self.rebuild()

    def covered(self, scene: Scene) -> None:
        """Another scene is put over it."""

    def left(self) -> None:
        """It was taken away."""

    def fail(self) -> Match | None:
        """The program fails: let go of what others shall find; the fight that goes into the report, if there is one."""
        return None

    def handle(self, event: pygame.event.Event) -> bool:
        """Answer an event; True if it was."""
        return self.ui.handle(event)

    def command(self, name: str, event: pygame.event.Event) -> bool:
        """A key's command; True if it was answered."""
        if name == "back":
            self.app.pop()
            return True
        return False

    def update(self, dt: float) -> bool:
        """Let `dt` seconds pass; True if it must be drawn again."""
        return self.ui.update(dt)

    def pace(self) -> float | None:
        """Seconds until it wants `update` although nothing happens; None = never."""
        return 0.05 if self.ui.waiting else None

    def draw(self, surface: pygame.Surface) -> None:
        self.ui.draw(surface)
