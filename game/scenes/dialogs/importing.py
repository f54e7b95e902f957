"""Maps of other programs, dropped on the window: they become maps of the player's own, and what is in them is told."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from game.importing.formats import importable
from game.importing.shelf import kept
from game.scenes.base import Shell
from game.scenes.dialogs.panels import Panel
from game.widgets.controls import Label
from game.widgets.core import Box, Scroll, Space, column, grown, row

__all__ = ["bring", "importable"]


class Imported(Panel):
    """What came of a file: how much of what, and what one should look at."""

    name = "imported"
    width = 560.0
    first = "fine"

    def __init__(self, app: Shell, title: str, told: list[str]) -> None:
        super().__init__(app)
        self.title, self.told = title, told

    def content(self) -> Box:
        lines = [Label(self.told[0], "label", "bright"), *(Label(line) for line in self.told[1:])]
        foot = row(Space(grow=1), self.leave_button("Look at it", key="fine", gold=True))
        return column(Label(self.title, "heading", "bright"), grown(Scroll(column(*lines, gap=8))), foot, gap=14)


def bring(app: Shell, path: Path, take: Callable[[Path], None]) -> None:
    """Import a file, have its map taken, and tell what is in it; an error becomes a message."""

    def call() -> None:
        found = kept(path)
        take(found.map)
        app.push(Imported(app, path.name, found.told()))

    app.guard(call)
