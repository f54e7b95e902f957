"""Small panels of the library: a name to type, a folder to choose."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from game.scenes.base import Shell
from game.scenes.dialogs.panels import Panel
from game.storage import library
from game.widgets.controls import Button, Label
from game.widgets.core import Box, Scroll, Space, Widget, column, grown, row
from game.widgets.fields import TextField
from rules.contract.text import text

WHOLE = "All encounters"
"""What the library itself is called among its folders."""
STEP = 18
"""Pixels (at 100 %) by which a folder stands in under the one that it is in."""


def short(folder: str) -> str:
    """A folder's own name."""
    return folder.rsplit("/", 1)[-1] if folder else WHOLE


class Name(Panel):
    """A name to type."""

    name = "library name"
    width = 460.0
    first = "typed"

    def __init__(self, app: Shell, title: str, now: str, take: Callable[[str], None], label: str = "Rename") -> None:
        super().__init__(app)
        self.title, self.query, self.take, self.label = title, now, take, label

    def content(self) -> Box:
        line = TextField("typed", self.query, self.search, self.memory, on_enter=self._take, most=library.MOST_NAME)
        take = Button(self.label, self._take, gold=True, hint="Enter", key="take name")
        foot = row(Space(grow=1), self.leave_button(key="back"), take, gap=10)
        return column(Label(self.title, "heading", "bright"), line, foot, gap=12)

    def _take(self) -> None:
        if self.query.strip():
            self.then(partial(self.take, self.query.strip()))()


class Folders(Panel):
    """The folders to choose one of, or a new one by its name."""

    name = "library folders"
    width = 460.0
    first = "typed"

    def __init__(self, app: Shell, title: str, now: str, take: Callable[[str], None]) -> None:
        super().__init__(app)
        self.title, self.now, self.take = title, now, take

    def content(self) -> Box:
        line = TextField("typed", self.query, self.search, self.memory, on_enter=self._enter,
                         quiet="Search, or the name of a new folder")  # fmt: skip
        listing = grown(Scroll(column(*self._rows(), gap=4), height=320))
        foot = row(Space(grow=1), self.leave_button(key="back"))
        return column(Label(self.title, "heading", "bright"), line, listing, foot, gap=10)

    def _fitting(self) -> Sequence[str]:
        words = self.query.casefold().split()
        return [each for each in library.folders() if all(word in each.casefold() for word in words)]

    def _rows(self) -> Sequence[Widget]:
        rows: list[Widget] = []
        for folder in self._fitting():
            button = Button(short(folder), self._taking(folder), key=f"into {folder}", left=True,
                            chosen=folder == self.now)  # fmt: skip
            rows.append(row(Space(STEP * folder.count("/")), grown(button), gap=0) if "/" in folder else button)
        typed = self.query.strip().strip("/")
        if typed and typed not in library.folders():
            rows.append(Button(text("New folder: {name}", typed), self._taking(typed), key="into new", left=True))
        return rows

    def _taking(self, folder: str) -> Callable[[], None]:
        return self.then(partial(self.take, folder))

    def _enter(self) -> None:
        """The first that fits, else the new one."""
        typed = self.query.strip().strip("/")
        if typed:
            self._taking(next(iter(self._fitting()), typed))()
