"""A fight's files: saves under names of their own, the quick save, and what keeps the fight safe by itself."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from game import storage
from game.match import save_fight
from game.recovery import Scribe

if TYPE_CHECKING:
    from game.scenes.fight import Fight


class Keeping:
    """Writes the fight's record; what the disk refuses is told in one line."""

    def __init__(self, fight: Fight) -> None:
        self.fight = fight
        self.scribe = Scribe(
            fight.match, autosave=lambda: fight.app.settings.autosave, trouble=lambda text: fight.toast(text)
        )

    def save(self, path: Path) -> None:
        """Keep the fight in a file."""
        fight = self.fight
        if fight.app.guard(lambda: save_fight(fight.match, path)):
            self.scribe.saved()
            fight.toast(f"Saved as {path.stem}.")

    def save_as_new(self) -> None:
        """Keep it under its title and the next free number."""
        fight = self.fight
        fight.app.guard(lambda: self.save(storage.new_save(fight.match.title)))

    def quicksave(self) -> None:
        """Keep it over the last quick save."""
        fight = self.fight
        fight.app.guard(lambda: self.save(storage.quick_save()))

    def close(self) -> None:
        """The fight is left: what is not kept yet is saved by itself."""
        self.scribe.close()
