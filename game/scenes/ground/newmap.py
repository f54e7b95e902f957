"""The panel for a new empty map: its name, its size, and what covers it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from game.maps import limits
from game.maps.editing.kinds import KINDS, Way
from game.scenes.base import Shell
from game.scenes.dialogs.panels import Panel
from game.setup.ground import new_map
from game.widgets.controls import Button, Label
from game.widgets.core import Box, Space, Widget, column, grown, row
from game.widgets.fields import NumberField, TextField
from rules.contract.text import N, text

SIZES = ((24, 16), (30, 20), (40, 30), (60, 40), (100, 100))
LIGHTS = {"bright": N("Bright"), "dim": N("Dim"), "dark": N("Dark")}
COVERS = ("", "rockwall", "slate", "stone", "wood", "earth", "grass", "water")


class NewMap(Panel):
    """Asks for all of it; `made` gets the file, which then lies in the user's maps."""

    name = "new map"
    width = 520.0
    first = "field title"

    def __init__(self, app: Shell, made: Callable[[Path], None]) -> None:
        super().__init__(app)
        self.made = made
        self.title, self.columns, self.rows = "", 30, 20
        self.cover, self.ambient = "rockwall", "bright"

    def content(self) -> Box:
        covers: list[Widget] = []
        for name in COVERS:
            label = next((k.label for k in KINDS if k.way is Way.GROUND and k.name == name), "Nothing")
            covers.append(Button(label, partial(self._set, "cover", name), slim=True, chosen=self.cover == name,
                                 key=f"cover {name}"))  # fmt: skip
        lights: list[Widget] = [
            Button(label, partial(self._set, "ambient", word), slim=True, chosen=self.ambient == word,
                   key=f"ambient {word}") for word, label in LIGHTS.items()
        ]  # fmt: skip
        sizes: list[Widget] = [
            Button(f"{wide}×{high}", partial(self._size, wide, high), slim=True, key=f"size {wide} {high}",
                   chosen=(wide, high) == (self.columns, self.rows)) for wide, high in SIZES
        ]  # fmt: skip
        side = limits.MAX_SIDE
        return column(
            Label("A new empty map", "heading", "bright"),
            TextField("field title", self.title, partial(self._keep, "title"), self.memory, quiet="What it is called",
                      on_enter=self._make),
            row(
                grown(column(Label("Columns", "small", "quiet"), NumberField(
                    "columns", self.columns, partial(self._number, "columns"), self.memory, low=1, high=side), gap=2)),
                grown(column(Label("Rows", "small", "quiet"), NumberField(
                    "rows", self.rows, partial(self._number, "rows"), self.memory, low=1, high=side), gap=2)),
                gap=10,
            ),
            row(*sizes, gap=6, wrap=True),
            Label("Covered with", "small", "quiet"), row(*covers, gap=6, wrap=True),
            Label("Light", "small", "quiet"), row(*lights, gap=6, wrap=True),
            Label("One space is 5 feet wide. Rooms are carved with the room tool; it is saved in your maps.", "small",
                  "quiet"),
            row(Space(grow=1), self.leave_button(key="back"), Button("Make it", self._make, gold=True, key="make"),
                gap=8),
            gap=9,
        )  # fmt: skip

    def _keep(self, name: str, value: str) -> None:
        setattr(self, name, value)

    def _set(self, name: str, value: str) -> None:
        setattr(self, name, value)
        self.rebuild()

    def _number(self, name: str, value: int | None) -> None:
        setattr(self, name, value or 1)

    def _size(self, columns: int, rows: int) -> None:
        self.columns, self.rows = columns, rows
        self.rebuild()

    def _make(self) -> None:
        title = self.title.strip() or str(text("A new map"))

        def make() -> None:
            path = new_map(self.columns, self.rows, title, floor=self.cover, ambient=self.ambient)
            self.app.pop()
            self.made(path)

        self.app.guard(make, repeat=False)
