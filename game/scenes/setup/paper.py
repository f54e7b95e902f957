"""Printing what is on the table: which parts, on which paper, and where the file lies."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from game import paths
from game.app.progress import Loading
from game.paper.matter import Matter
from game.paper.pages import Paper
from game.paper.printing import OF_A_MAP, Order, Part, expected, write
from game.scenes.base import Shell
from game.scenes.dialogs.panels import Message, Panel
from game.scenes.setup.workspace import Workspace
from game.setup.files import slug
from game.widgets.controls import Button, Label, Toggle
from game.widgets.core import Box, Scroll, Space, Tip, Widget, column, grown, row
from rules.contract.text import ntext, text

LABELS = {
    Part.MAP: ("Map to scale, for the players", "Without what is hidden; over several pages, with cut marks."),
    Part.SECRETS: ("Map to scale, with its secrets", "With everything, and marks for creatures, notes and the like."),
    Part.KEY: ("Map on a page, with its key", "What stands where, and what the map's notes say."),
    Part.SHEET: ("Sheet of the encounter", "The order of play, stat blocks, boxes for hit points, the forecast."),
    Part.CARDS: ("Cards of the creatures", "Nine on a page, the size of playing cards."),
    Part.HEROES: ("Sheets of the heroes", "Two on a page."),
}  # fmt: skip
SPACES = ((25.4, "1 inch"), (25.0, "25 mm"), (20.0, "20 mm"), (12.7, "½ inch"))
"""Widths of a space in millimetres, as people say them."""


class PrintDialog(Panel):
    """What shall be printed; says how many pages that is."""

    name = "print"
    width = 520.0
    first = "print"

    def __init__(self, app: Shell, workspace: Workspace, matter: Matter) -> None:
        super().__init__(app)
        self.workspace, self.matter = workspace, matter
        peopled = bool(matter.draft.pieces) and not workspace.why_not_play()
        self.unready = "" if peopled else workspace.why_not_play() or "Nobody is on the table yet."
        """Why there is neither sheet nor cards."""
        self.parts = {part: part in (Part.MAP, Part.KEY) or (peopled and part is not Part.SECRETS) for part in Part}
        self.paper, self.space, self.grid = Paper.A4, SPACES[0][0], True

    def order(self) -> Order:
        """What is chosen."""
        parts = tuple(part for part in Part if self.parts[part] and (part in OF_A_MAP or not self.unready))
        glance = self.workspace.glance.forecast
        return Order(parts, self.paper, self.space, self.grid, glance if glance is not None and glance.runs else None)

    def content(self) -> Box:
        order = self.order()
        pages = expected(self.matter, order) if order.parts else 0
        told = ntext(pages, "{n} page of {paper}", "about {n} pages of {paper}", paper=order.paper.label)
        foot = row(
            Label(told if pages else "Nothing is chosen.", "label", "quiet"), Space(grow=1),
            self.leave_button(),
            Button("Write PDF", self.write, gold=True, key="print", enabled=pages > 0),
            gap=10,
        )  # fmt: skip
        parts = column(
            *(self._part(part) for part in Part if part in OF_A_MAP or not self.unready), *self._why(), gap=2
        )
        return column(
            Label("Print", "heading", "bright"), grown(Scroll(column(parts, Space(height=6), *self._choices(), gap=8))),
            foot, gap=12,
        )  # fmt: skip

    def _part(self, part: Part) -> Widget:
        label, told = LABELS[part]
        return Toggle(label, self.parts[part], partial(self._take, part), tip=Tip(told))

    def _why(self) -> list[Widget]:
        """Why there is no more to print than the map."""
        told = "No sheet, cards or heroes yet: {why}"
        return [Label(text(told, self.unready), "label", "quiet")] if self.unready else []

    def _choices(self) -> list[Widget]:
        papers = [
            Button(paper.label, partial(self._set, "paper", paper), slim=True, chosen=paper is self.paper,
                   key=f"paper {paper.label}")
            for paper in Paper
        ]  # fmt: skip
        spaces = [
            Button(words, partial(self._set, "space", space), slim=True, chosen=space == self.space,
                   key=f"space {words}")
            for space, words in SPACES
        ]  # fmt: skip
        return [
            row(Label("Paper", "label!", "gold"), *papers, gap=6, wrap=True),
            row(Label("A space is", "label!", "gold"), *spaces, gap=6, wrap=True),
            Toggle("Lines between the spaces", self.grid, partial(self._set, "grid")),
        ]

    def _take(self, part: Part, on: bool) -> None:
        self.parts[part] = on
        self.rebuild()

    def _set(self, name: str, value: object) -> None:
        setattr(self, name, value)
        self.rebuild()

    def write(self) -> None:
        """Write it, and say where it lies."""
        order, path = self.order(), free_path(self.matter.title)
        watch = Loading(self.app, lambda done, total: text("Printing: page {done} of {total}", done + 1, total))
        done: list[int] = []
        self.app.guard(lambda: done.append(write(self.matter, order, path, watch)))
        if done:
            self.app.pop()
            self.app.push(Message(self.app, "Printed", text("It lies in {path}", str(path))))


def free_path(title: str) -> Path:
    """A name in the player's folder of prints that no file has."""
    folder, name = paths.user_folder("prints"), slug(str(title)) or "encounter"
    numbers: Callable[[int], Path] = lambda n: folder / (f"{name}.pdf" if n == 1 else f"{name}_{n}.pdf")
    return next(numbers(n) for n in range(1, 10_000) if not numbers(n).exists())


def choose(workspace: Workspace) -> None:
    """Ask what of the table shall be printed."""
    workspace.end_drawing()
    matter = Matter(workspace.settled_draft(), workspace.editor.ground, workspace.loaded, workspace.beside)
    workspace.app.push(PrintDialog(workspace.app, workspace, matter))
