"""A fight's files: saves under names of their own, the quick save, and what keeps the fight safe by itself."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from game.fight.match import save_fight
from game.storage import records as storage
from game.storage.recovery import Scribe

if TYPE_CHECKING:
    from game.scenes.fight.scene import Fight


class Keeping:
    """Writes the fight's record; what the disk refuses is told in one line."""

    def __init__(self, fight: Fight) -> None:
        self.fight = fight
        self.scribe = Scribe(
            fight.match, autosave=lambda: fight.app.settings.autosave, trouble=lambda text: fight.toast(text)
        )

        self._kept: tuple[object, Path] | None = None
        """The moment last saved under a name of its own, and where."""

    def save(self, path: Path) -> bool:
        """Keep the fight in a file; whether that went well."""
        fight = self.fight
        if not fight.app.guard(lambda: save_fight(fight.match, path)):
            return False
        self.scribe.saved()
        fight.toast(f"Saved as {path.stem}.")
        return True

    def save_as_new(self) -> None:
        """Keep it under its title and the next free number; once only as long as nothing happens."""
        fight = self.fight
        now = fight.match.history.moments[-1]
        if self._kept is not None and self._kept[0] is now and self._kept[1].exists():
            fight.toast(f"Nothing has happened since it was saved as {self._kept[1].stem}.")
            return

        def call() -> None:
            path = storage.new_save(fight.match.title)
            if self.save(path):
                self._kept = (now, path)

        fight.app.guard(call)

    def quicksave(self) -> None:
        """Keep it over the last quick save."""
        self.fight.app.guard(self._quicksave)

    def _quicksave(self) -> None:
        self.save(storage.quick_save())

    def close(self) -> None:
        """The fight is left: what is not kept yet is saved by itself."""
        self.scribe.close()
