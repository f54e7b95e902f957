"""Maps of other programs taken into the player's own maps."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import NamedTuple

from game.importing.command import LOST, counts
from game.importing.formats import read
from game.importing.plan import Plan
from game.importing.writer import write
from game.setup.files import brought_in, slug
from rules.contract.text import joined


class Kept(NamedTuple):
    """A map that was made of another program's file."""

    map: Path
    plan: Plan
    lost: bool
    """Its picture is broken."""

    def told(self) -> list[str]:
        """What is in it, in a line, and each warning in one of its own."""
        warnings = [*self.plan.warnings, *([LOST] if self.lost else [])]
        return [joined(", ", counts(self.plan)), *warnings]


def kept(path: Path) -> Kept:
    """Import a file into the player's maps; the very same is there only once. Raises BattlematError in one line."""
    plan = read(path)
    with tempfile.TemporaryDirectory(prefix="battlemat-import-") as folder:
        made = write(plan, Path(folder) / f"{slug(path.stem) or 'map'}.tmx")
        return Kept(brought_in(made.map), plan, made.lost)
