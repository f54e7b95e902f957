"""Lists to choose from: encounters for a chain, and the chains that there are."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import NamedTuple

from game.scenes.base import Shell
from game.scenes.dialogs.panels import Panel
from game.setup import chains, files
from game.storage import records as storage
from game.widgets.controls import Button, Label
from game.widgets.core import Box, Scroll, Space, Widget, column, grown, row
from game.widgets.fields import TextField
from rules.contract.errors import BattlematError
from rules.contract.text import joined, text
from rules.core.registry import ruleset as ruleset_of

MOST = 100
"""Files that are listed at a time."""


class Found(NamedTuple):
    """A file that may be chosen."""

    path: Path
    title: str
    line: str


class Listed(Panel):
    """Files to choose one of, with a line to search them or to type a path in."""

    name = "chain list"
    key_groups = ("general",)
    width = 480.0
    first = "typed"
    heading = ""
    empty = ""

    def __init__(self, app: Shell, take: Callable[[Path], None]) -> None:
        super().__init__(app)
        self.take = take
        self.found = self.look()

    def look(self) -> Sequence[Found]:
        """What there is."""
        raise NotImplementedError

    def content(self) -> Box:
        words = self.query.casefold().split()
        fitting = [each for each in self.found if all(w in f"{each.title} {each.line}".casefold() for w in words)]
        line = TextField("typed", self.query, self.search, self.memory, quiet="Search, or a path", on_enter=self._enter)
        rows: list[Widget] = [
            Button(joined(" · ", (each.title, each.line)), self.then(partial(self.take, each.path)), left=True,
                   key=f"file {each.path.name}")
            for each in fitting[:MOST]
        ] or [Label("Nothing fits." if self.found else self.empty, colour="quiet")]  # fmt: skip
        listing = grown(Scroll(column(*rows, gap=4), height=360))
        return column(Label(self.heading, "heading", "bright"), line, listing,
                      row(Space(grow=1), self.leave_button(key="back")), gap=10)  # fmt: skip

    def _enter(self) -> None:
        """Enter in the line: the path that was typed, else the first that fits."""
        if "/" in self.query or "\\" in self.query:
            self.then(partial(self.take, Path(self.query.strip()).expanduser()))()
            return
        button = next((w for panel in self.ui.live() for w in panel.walk() if w.key.startswith("file ")), None)
        if isinstance(button, Button):
            button.press()


class Encounters(Listed):
    """Prepared encounters, of one ruleset where that is settled."""

    heading = "Add an encounter"
    empty = "There is no prepared encounter yet: save one under Prepare an encounter."

    def __init__(self, app: Shell, take: Callable[[Path], None], ruleset: str = "") -> None:
        self.ruleset = ruleset
        super().__init__(app, take)

    def look(self) -> Sequence[Found]:
        found = []
        for path in files.encounters()[: 3 * MOST]:
            with suppress(BattlematError):
                record = storage.read_record(path)
                if self.ruleset in ("", record.ruleset):
                    found.append(Found(path, record.title or path.stem, ruleset_of(record.ruleset).title))
        return found


class Chains(Listed):
    """The player's chains."""

    heading = "Open a chain"
    empty = "There is no chain yet."

    def look(self) -> Sequence[Found]:
        found = []
        for path in chains.chains()[:MOST]:
            with suppress(BattlematError):
                chain = chains.load(path)
                found.append(Found(path, chain.title or path.stem, text("{n} fights", len(chain.fights))))
        return found
