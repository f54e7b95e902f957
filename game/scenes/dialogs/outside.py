"""A map that uses files of other folders: which files lie where, and whether it may have them."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from game.maps import folder as in_place
from game.maps.folder import reach_of, to_ask_for
from game.maps.mapdata import one_line, some
from game.scenes.base import Shell
from game.scenes.dialogs.panels import Panel
from game.widgets.controls import Button, Label
from game.widgets.core import Box, Scroll, Space, Widget, column, row
from rules.contract.text import ntext, text

if TYPE_CHECKING:
    from game.maps.mapdata import OutsideProblem

Folders = tuple[Path, ...]
MOST_NAMES = 4
"""Files of a folder that are named."""


class Outside(Panel):
    """Says what a map needs outside its folder; to agree to that, to copy all of it, or to leave it."""

    name = "outside"
    width = 560.0

    def __init__(
        self,
        app: Shell,
        path: Path,
        needed: Mapping[Path, Sequence[Path]],
        again: Callable[[], object],
        copy: Callable[[Folders], None] | None = None,
    ) -> None:
        super().__init__(app)
        self.path, self.needed, self.again, self.copy = path, needed, again, copy

    def content(self) -> Box:
        name = one_line(self.path.name, 60)
        told = Label(
            text(
                "{name} uses files outside its folder. They are read only if you agree; that is remembered for "
                "this map.",
                name=name,
            )
        )
        listing = Scroll(column(*self._folders(), gap=10), height=260)
        listing.grow = 1
        copy = Button("Copy all into my maps", self._copy, key="copy") if self.copy is not None else Space(0)
        foot = row(
            Button("Back", self.app.pop, hint=self.app.keys.shown("back"), key="back"),
            Space(grow=1),
            copy,
            Button("Open from where they lie", self._agree, gold=True, key="agree"),
            gap=10,
        )
        return column(Label("Files of other folders", "heading", "bright"), told, listing, foot, gap=12)

    def build(self) -> None:
        first = not self.ui.remembers
        super().build()
        if first:
            self.ui.focus_key("back")

    def _folders(self) -> list[Widget]:
        found: list[Widget] = []
        for folder, files in self.needed.items():
            n, where = len(files), one_line(_as_written(folder, self.path), 80)
            found.append(
                column(
                    Label(ntext(n, "{where}: {n} file", "{where}: {n} files", where=where, n=n), "text!", "bright"),
                    Label(one_line(str(folder), 160), "small", "quiet"),
                    Label(some((file.name for file in files), MOST_NAMES), "small"),
                    gap=2,
                )
            )
        return found

    def _agree(self) -> None:
        self.app.pop()
        if self.app.guard(partial(in_place.agree, self.path, self.needed)):
            self.again()

    def _copy(self) -> None:
        assert self.copy is not None
        self.app.pop()
        self.copy(tuple(self.needed))


def ask(
    app: Shell,
    problem: OutsideProblem,
    again: Callable[[], object],
    *,
    copied: Folders = (),
    copy: Callable[[Folders], None] | None = None,
) -> bool:
    """Ask whether a map may have what it refers to; False where there is nothing to ask.

    `again` tries anew once the user has agreed. `copy` is given the folders to copy from, those of before (`copied`)
    and these.
    """
    path = problem.map
    needed = to_ask_for(path, reach_of(path, copied)) if path is not None else {}
    if path is None or not needed:
        return False
    more = None if copy is None else (lambda folders: copy((*copied, *folders)))
    app.push(Outside(app, path, needed, again, more))
    return True


def _as_written(folder: Path, path: Path) -> str:
    """A folder as it is seen from a map."""
    try:
        return Path(os.path.relpath(folder, path.absolute().parent.resolve())).as_posix()
    except ValueError:  # on another drive
        return str(folder)
