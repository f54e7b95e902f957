"""The library of prepared encounters: folders, grounds, tags and notes, side by side."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from game.scenes.base import Shell
from game.scenes.library import shown
from game.scenes.library.desk import Desk
from game.widgets.controls import Button, Label
from game.widgets.core import Box, Space, Tip, column, grown, row
from game.widgets.fields import TextField
from game.widgets.figures import Live

FOLDERS, LIST = 0.21, 0.45
"""Of the width: the folders, the encounters. The chosen one has the rest."""


class Library(Desk):
    """The window of the library."""

    def build(self) -> None:
        look, (wide, _) = self.app.look, self.size
        margin, gap = look.px(10), look.px(8)
        narrow = wide / look.scale < 1000
        room, low = self.place_head(self._head(), foot := self._foot(), margin, gap)
        found = self.listed()
        middle = [self.scrolled(shown.listing(self, found), "encounters")]
        chips = shown.tags(self)
        side = column(self.scrolled(shown.folders(self, wrap=False), "folders"), pad=8, plate="panel")
        first = [chips] if chips is not None else []
        if narrow:
            first.insert(0, shown.folders(self, wrap=True))
        detail = column(self.scrolled(shown.chosen(self, self.one), f"chosen {self.at}"), pad=12, plate="panel")
        left = 0 if narrow else round(room.width * FOLDERS)
        listed = round(room.width * (0.55 if narrow else LIST)) - gap
        spans = [(side, left)] if left else []
        rest = room.width - listed - gap - (left + gap if left else 0)
        self.place_beside(room, (
            *spans, (column(*first, *middle, pad=8, plate="panel"), listed), (detail, rest),
        ), gap)  # fmt: skip
        self.ui.add(foot, low)

    def _head(self) -> Box:
        keys = self.app.keys.shown
        line = TextField("search", self.query, partial(self.search, listing="encounters"), self.memory,
                         quiet="Search: title, map, rules, names, notes, #tag", on_enter=self._first)  # fmt: skip
        return row(
            Label("Library", "heading", "bright"), grown(line),
            Button("New folder", self.new_folder, hint=keys("library_folder"), key="new folder"),
            gap=8, pad=7, plate="panel",
        )  # fmt: skip

    def _first(self) -> None:
        """Enter in the line chooses the first that fits."""
        for one in self.listed()[:1]:
            self.choose(one.path)
            self.ui.focus_key(f"encounter {one.path}")

    def _foot(self) -> Box:
        keys = self.app.keys.shown
        listed = len(self.listed())

        def how() -> str:
            return self.told or shown.count_told(listed, len(self.found), len(self.unknown))

        return row(
            self.leave_button(key="back"), Live(how, "quiet", "label", fits=True), Space(grow=1),
            Button("Undo", self.undo, hint=keys("library_undo"), key="undo", enabled=bool(self.model.done),
                   on_refused=self.undo, tip=Tip("What was done here last, as long as this window is open.")),
            gap=10, pad=7, plate="panel",
        )  # fmt: skip


# -- ways to it, for the navigator


def library(app: Shell, chosen: Path | None = None) -> None:
    """The library of prepared encounters, with one of them chosen."""
    app.push(Library(app, chosen))
