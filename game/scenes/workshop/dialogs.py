"""Where a file to import is named."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from game.scenes.base import Shell
from game.scenes.dialogs.panels import Panel
from game.widgets.controls import Button, Label
from game.widgets.core import Box, Space, column, row
from game.widgets.fields import Memory, TextField
from rules.contract.errors import BattlematError


class ImportDialog(Panel):
    """A line for a path; Enter takes the file."""

    name = "import"
    width = 560.0

    def __init__(self, app: Shell, take: Callable[[Path], None]) -> None:
        super().__init__(app)
        self.take, self.typed, self.memory, self.fault = take, "", Memory(), ""

    def content(self) -> Box:
        line = TextField("path", self.typed, self._typed, self.memory, quiet="path of a .json or .toml file",
                         on_enter=self._go)  # fmt: skip
        return column(
            Label("Import a hero", "heading", "bright"),
            Label("Type or paste (Ctrl+V) a path, or drop the file onto the workshop.", colour="quiet"),
            line,
            *([Label(self.fault, "text", "coral")] if self.fault else []),
            row(Button("Back", self.app.pop, hint="Esc"), Space(grow=1), Button("Import", self._go, gold=True)),
            gap=12,
        )

    def _typed(self, text: str) -> None:
        self.typed = text

    def _go(self) -> None:
        if not self.typed.strip():
            self._fail("Which file? Type or paste its path.")
            return
        path = Path(self.typed.strip().strip('"').removeprefix("file://")).expanduser()
        try:
            self.take(path)
        except BattlematError as error:
            self._fail(str(error))
        else:
            self.app.pop()

    def _fail(self, why: str) -> None:
        """Say why not; what was typed stays, to be put right."""
        self.fault = why
        self.rebuild()
        self.ui.focus_key("path")
