"""A fight's files: saves under names of their own, the quick save, and autosaves that take turns."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from game.match import save_fight
from game.storage import fights_folder
from rules.errors import BattlematError

if TYPE_CHECKING:
    from game.scenes.fight import Fight

AUTOSAVES = 3
"""How many autosaves take turns."""


class Keeping:
    """Writes the fight's record; what the disk refuses is told in one line."""

    def __init__(self, fight: Fight) -> None:
        self.fight = fight
        self._saves = 0

    def save(self, path: Path) -> None:
        """Keep the fight in a file."""
        fight = self.fight
        if fight.app.guard(lambda: save_fight(fight.match, path)):
            fight.toast(f"Saved as {path.stem}.")

    def save_as_new(self) -> None:
        """Keep it under the map's name and the next free number."""
        folder = fights_folder()
        title = (self.fight.match.field.title or "fight").lower().replace(" ", "-")
        safe = "".join(letter for letter in title if letter.isalnum() or letter == "-") or "fight"
        number = 1
        while (folder / f"{safe}-{number}.json").exists():
            number += 1
        self.save(folder / f"{safe}-{number}.json")

    def quicksave(self) -> None:
        """Keep it over the last quick save."""
        self.save(fights_folder() / "quick.json")

    def autosave(self) -> None:
        """Keep it over the oldest autosave, if the settings want that."""
        if not self.fight.app.settings.autosave:
            return
        self._saves += 1
        try:
            save_fight(self.fight.match, fights_folder() / f"auto-{self._saves % AUTOSAVES + 1}.json")
        except (BattlematError, OSError) as error:
            self.fight.toast(f"No autosave: {error}")
