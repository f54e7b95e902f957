"""Writing the map of the table for other programs: which format, with what on it, and where the files lie."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from game import paths
from game.app.progress import Loading
from game.exporting.order import ENDINGS, Form, Order, sheets, write
from game.paper.matter import Matter
from game.scenes.base import Shell
from game.scenes.dialogs.panels import Message, Panel
from game.scenes.setup.workspace import Workspace
from game.setup.files import slug
from game.widgets.controls import Button, Label, Toggle
from game.widgets.core import Box, Space, Tip, column, row
from rules.contract.text import ntext, text

LABELS = {
    Form.UVTT: ("Universal VTT", "The picture with walls, doors and lights: for Foundry, Roll20, MapTool and others."),
    Form.PNG: ("Picture", "The map from above, as a PNG."),
}


class ExportDialog(Panel):
    """What of the map shall be written; says how many files that is."""

    name = "export"
    width = 520.0
    first = "export"

    def __init__(self, app: Shell, matter: Matter) -> None:
        super().__init__(app)
        self.matter = matter
        self.form, self.secrets = Form.UVTT, False
        self.grids = {Form.UVTT: False, Form.PNG: True}
        """Other tables lay their own grid over a map."""

    def order(self) -> Order:
        """What is chosen."""
        return Order(self.form, self.grids[self.form], self.secrets)

    def content(self) -> Box:
        forms = [
            Button(label, partial(self._take, form), slim=True, chosen=form is self.form, key=f"form {form}",
                   tip=Tip(told))
            for form, (label, told) in LABELS.items()
        ]  # fmt: skip
        number = len(sheets(self.matter, self._path()))
        told = ntext(number, "{n} file", "{n} files, one for each map of the place")
        foot = row(
            Label(told, "label", "quiet"), Space(grow=1), self.leave_button(),
            Button("Write", self.write, gold=True, key="export"), gap=10,
        )  # fmt: skip
        hidden = Tip("Secret doors as doors, traps and what is hidden. Without it a secret door is wall.")
        return column(
            Label("Export the map", "heading", "bright"), row(*forms, gap=6, wrap=True),
            Label(LABELS[self.form][1], "label", "quiet"),
            Toggle("Lines between the spaces", self.grids[self.form], self._lines),
            Toggle("With its secrets", self.secrets, self._hidden, tip=hidden), foot, gap=12,
        )  # fmt: skip

    def _take(self, form: Form) -> None:
        self.form = form
        self.rebuild()

    def _lines(self, on: bool) -> None:
        self.grids[self.form] = on
        self.rebuild()

    def _hidden(self, on: bool) -> None:
        self.secrets = on
        self.rebuild()

    def _path(self) -> Path:
        """A name in the player's folder of exports that no file has, neither its own nor those of several maps."""
        folder, name = paths.user_folder("exports"), slug(str(self.matter.title)) or "map"
        for number in range(1, 10_000):
            path = folder / f"{name if number == 1 else f'{name}_{number}'}{ENDINGS[self.form][0]}"
            if not any(sheet.path.exists() for sheet in sheets(self.matter, path)):
                break
        return path

    def write(self) -> None:
        """Write it, and say where it lies."""
        watch = Loading(self.app, lambda done, total: text("Writing map {done} of {total}", done + 1, total))
        done: list[Path] = []
        self.app.guard(lambda: done.extend(write(self.matter, self.order(), self._path(), watch)))
        if done:
            self.app.pop()
            where = done[0] if len(done) == 1 else done[0].parent
            told = ntext(len(done), "It lies in {path}", "{n} files lie in {path}", path=str(where))
            self.app.push(Message(self.app, "Exported", told))


def choose(workspace: Workspace) -> None:
    """Ask what of the map shall be written."""
    workspace.end_drawing()
    matter = Matter(workspace.settled_draft(), workspace.editor.ground, workspace.loaded, workspace.beside)
    workspace.app.push(ExportDialog(workspace.app, matter))
