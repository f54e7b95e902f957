"""The panel that asks whether a map may have what it refers to outside its folder."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path

from game.maps import in_place
from game.maps.folder import reach_of, to_ask_for
from game.maps.mapdata import OutsideProblem, some
from game.maps.words import one_line
from game.scenes.base import Shell
from game.scenes.dialogs.panels import Panel
from game.widgets.controls import Button, Label
from game.widgets.core import Box, Scroll, Space, Widget, column, grown, row
from rules.contract.text import ntext, text

Folders = tuple[Path, ...]
MOST_NAMES = 4
"""Files of a folder that are named."""


class Outside(Panel):
    """Says what a map needs outside its folder; to agree to that, to copy all of it, or to leave it."""

    name = "outside"
    width = 560.0
    first = "back"

    def __init__(
        self, app: Shell, path: Path, needed: Mapping[Path, Sequence[Path]], again: Callable[[], object],
        copy: Callable[[Folders], None] | None = None,
    ) -> None:  # fmt: skip
        super().__init__(app)
        self.path, self.needed, self.again, self.copy = path, needed, again, copy

    def content(self) -> Box:
        told = "{name} uses files outside its folder. They are read only if you agree; that is remembered for this map."
        folders = []
        for folder, files in self.needed.items():
            n, where = len(files), one_line(_as_written(folder, self.path), 80)
            counted = ntext(n, "{where}: {n} file", "{where}: {n} files", where=where, n=n)
            whole, names = one_line(str(folder), 160), some((file.name for file in files), MOST_NAMES)
            lines = Label(counted, "text!", "bright"), Label(whole, "small", "quiet"), Label(names, "small")
            folders.append(column(*lines, gap=2))
        copy: Widget = Space(0)
        if self.copy is not None:
            copy = Button("Copy all into my maps", self.then(partial(self.copy, tuple(self.needed))), key="copy")
        agree = Button("Open from where they lie", self.then(self._agree), gold=True, key="agree")
        return column(
            Label("Files of other folders", "heading", "bright"),
            Label(text(told, name=one_line(self.path.name, 60))),
            grown(Scroll(column(*folders, gap=10), height=260)),
            row(self.leave_button(key="back"), Space(grow=1), copy, agree, gap=10),
            gap=12,
        )

    def _agree(self) -> None:
        if self.app.guard(partial(in_place.agree, self.path, self.needed)):
            self.again()


def ask(
    app: Shell, problem: OutsideProblem, again: Callable[[], object], *,
    copied: Folders = (), copy: Callable[[Folders], None] | None = None,
) -> bool:  # fmt: skip
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
