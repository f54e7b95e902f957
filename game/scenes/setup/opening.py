"""Opening and keeping: maps, prepared encounters and saved fights to choose from, and the name to save under."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import pygame

from game.maps.mapdata import OutsideProblem
from game.maps.tiled import load_map
from game.scenes.choose.mapcards import Card, Shelf
from game.scenes.dialogs import outside
from game.scenes.dialogs.lookout import Lookout
from game.scenes.dialogs.panels import Panel
from game.scenes.setup.dialogs import Searched
from game.setup import files
from game.storage import records as storage
from game.storage import saves
from game.storage.saves import Save as Kept
from game.widgets.controls import Button, Label
from game.widgets.core import Box, Space, Tip, Widget, column, row
from game.widgets.fields import Memory, TextField
from game.widgets.menu import Tile
from rules.contract.errors import BattlematError

if TYPE_CHECKING:
    from game.scenes.setup.scene import Setup

_PICTURES = (".png", ".jpg", ".jpeg", ".gif", ".bmp", ".webp")


MOST_LISTED = 100
"""Maps that are listed at a time."""
WATCHED = 0.1
"""Seconds between looks at maps that are being read."""


class Opening(Searched):
    """A list of what can be opened; a file may be dropped onto it."""

    def handle(self, event: pygame.event.Event) -> bool:
        if event.type == pygame.DROPFILE:
            self.app.pop()
            open_any(self.scene, Path(event.file))
            return True
        return super().handle(event)


# -- maps -------------------------------------------------------------------------------------------------


class Maps(Opening):
    """Every map there is, or a file by its path."""

    name = "maps"
    width = 560.0
    title = "A new encounter: on which map?"
    hint = "Search, or the path of a .tmx file"

    def __init__(self, scene: Setup) -> None:
        super().__init__(scene)
        self.shelf = Shelf(files.maps())

    def rows(self) -> Sequence[Widget]:
        if self._is_path():
            return []
        found = [path for path in self.shelf.maps if self._fits(path)]
        tiles: list[Widget] = [self._tile(path) for path in found[:MOST_LISTED]]
        if len(found) > MOST_LISTED:
            tiles.append(Label(f"and {len(found) - MOST_LISTED} more: search for them", "small", "quiet"))
        return tiles

    def _fits(self, path: Path) -> bool:
        """Whether a map's title or file is searched for."""
        card = self.shelf.cards.get(path)
        return self.typed.casefold() in f"{card.title if card is not None else ''} {path.stem}".casefold()

    def _tile(self, path: Path) -> Tile:
        """A map to take; greyed with the reason where it cannot be read."""
        card = self.shelf.cards.get(path) or Card(path.stem)
        line = card.line if path in self.shelf.cards else "is being read …"
        tip = Tip(card.why) if card.why else None
        tile = Tile(
            card.title, line, lambda size: card.picture((size * 4 // 3, size)), partial(self._take, path),
            key=f"map {path}", size=58, width=2000, tip=tip,
        )  # fmt: skip
        if card.why and not card.asks:
            tile.enabled = False
            tile.on_refused = partial(self.app.complain, card.why)
        return tile

    def update(self, dt: float) -> bool:
        if self.shelf.fresh():
            self.rebuild()
        return super().update(dt)

    def pace(self) -> float | None:
        return WATCHED if self.shelf.busy else super().pace()

    def left(self) -> None:
        super().left()
        self.shelf.close()

    def notes(self) -> Sequence[Widget]:
        if not self._is_path():
            return [Label("A file may also be dropped onto the window.", "small", "quiet")]
        path = Path(self.typed.strip()).expanduser()
        if not path.is_file():
            return [Label(f"There is no file {path}", "small", "coral")]
        try:
            loaded = load_map(path)
        except OutsideProblem:
            return [
                Label("It uses files outside its folder; you will be asked about them.", "small", "gold"),
                Button("Open it", partial(self._take, path), gold=True, key="open path"),
            ]
        except BattlematError as error:
            return [Label(str(error), "small", "coral")]
        size = f"{loaded.field.width} × {loaded.field.height} spaces"
        outside = "" if files.map_name(path) else "; it will be copied into your maps"
        return [
            Label(f"{loaded.title or path.stem}, {size}{outside}", "small", "teal"),
            Button("Open it", partial(self._take, path), gold=True, key="open path"),
        ]

    def entered_text(self) -> None:
        if self._is_path():
            self._take(Path(self.typed.strip()).expanduser())
        else:
            super().entered_text()

    def _take(self, path: Path) -> None:
        self.app.pop()
        open_map(self.scene, path)


def open_map(scene: Setup, path: Path, copied: outside.Folders = ()) -> None:
    """A new encounter on a map; where it uses files of other folders, the user is asked.

    `copied`: folders out of which such files are copied into the user's maps with it.
    """

    def call() -> None:
        try:
            scene.open_map(path, copied)
        except OutsideProblem as problem:
            again = partial(open_map, scene, path)
            copy = again if files.map_name(path) is None else None
            if not outside.ask(scene.app, problem, again, copied=copied, copy=copy):
                raise

    scene.app.guard(call)


def choose_map(scene: Setup) -> None:
    """Pick the map of a new encounter."""
    scene.app.push(Maps(scene))


# -- records ----------------------------------------------------------------------------------------------


class Records(Opening):
    """Prepared encounters and saved fights, or a file by its path. What is in each is found out meanwhile."""

    name = "records"
    width = 640.0
    title = "Edit an encounter"
    hint = "Search by title, map, rules or name, or type the path of a record (.json)"
    empty = "No encounter is prepared yet, and no fight is saved. Type the path of a record."

    def __init__(self, scene: Setup) -> None:
        super().__init__(scene)
        self.groups = {
            "Prepared encounters": files.encounters(),
            "Set aside without being saved": files.aside(),
            "Fights, from their start": storage.fights(),
        }
        self.found = {path: saves.glance(path) for paths in self.groups.values() for path in paths}
        self._lookout = Lookout(self.found, saves.prepared, self._learn)

    def _learn(self, save: Kept) -> None:
        self.found[save.path] = save
        if self.app.top is self:
            self.rebuild()

    def left(self) -> None:
        self._lookout.stop()

    def rows(self) -> Sequence[Widget]:
        if self._is_path():
            path = Path(self.typed.strip()).expanduser()
            there = path.is_file()
            return [Button(f"Open {path}", partial(self._take, path), key="open path", left=True, enabled=there)]
        found: list[Widget] = []
        for title, paths in self.groups.items():
            fitting = [self.found[path] for path in paths if self._fits(self.found[path])]
            if fitting:
                found.append(Label(title, "label!", "gold"))
            found += [self._row(save) for save in fitting]
        return found

    def _fits(self, save: Kept) -> bool:
        words = f"{save.heading} {save.path.stem} {save.told()} {' '.join(save.party)}".casefold()
        return all(word in words for word in self.typed.casefold().split())

    def _row(self, save: Kept) -> Widget:
        tip = Tip(save.told(), save.heading, save.path.name)
        take = partial(self._take, save.path)
        return Button(save.heading, take, cost=save.told(), key=str(save.path), left=True, tip=tip)

    def _take(self, path: Path) -> None:
        self.app.pop()
        self.app.guard(lambda: self.scene.open_record(path))


def choose_record(scene: Setup) -> None:
    """Pick a record to edit."""
    scene.app.push(Records(scene))


def open_any(scene: Setup, path: Path) -> None:
    """A file dropped onto the window: a map or a record; a picture is answered as a map that it isn't yet."""
    if path.suffix.lower() in (".tmx", *_PICTURES):
        open_map(scene, path)
    else:
        scene.app.guard(lambda: scene.open_record(path))


# -- saving -----------------------------------------------------------------------------------------------


class Save(Panel):
    """The name to save under; a path saves elsewhere."""

    name = "save encounter"
    width = 520.0

    def __init__(self, scene: Setup) -> None:
        super().__init__(scene.app)
        self.scene, self.memory = scene, Memory()
        draft = scene.editor.draft
        self.typed = str(scene.path) if scene.path is not None else files.slug(draft.title or scene.map_title())
        if scene.path is not None and scene.path.parent == files.encounters_folder():
            self.typed = scene.path.stem
        self._usual = self.typed

    def content(self) -> Box:
        path = files.target(self.typed)
        line = TextField("typed", self.typed, self._typed, self.memory, on_enter=self._save, quiet="A name, or a path")
        taken = path.is_file() and path != self.scene.path
        said = f"{path}" + (" — there is one already, it will be replaced" if taken else "")
        problems = [each for each in self.scene.editor.problems() if each.block]
        parts: list[Widget] = [Label("Save the encounter", "heading", "bright"), line]
        parts.append(Label(said, "small", "coral" if taken else "quiet"))
        if problems:
            count = f"{len(problems)} problem{'s' if len(problems) != 1 else ''}"
            parts.append(Label(f"It cannot be played yet ({count}), but it is kept as it is.", "small", "gold"))
        save = Button("Replace" if taken else "Save", self._save, gold=True, hint="Enter", key="save now")
        parts.append(
            row(
                Space(grow=1),
                Button("Back", self.app.pop, hint=self.app.keys.shown("back"), key="back"),
                save,
                gap=10,
            )
        )
        return column(*parts, gap=12)

    def _typed(self, text: str) -> None:
        self.typed = text
        self.rebuild()

    def _save(self) -> None:
        path, draft = files.target(self.typed), self.scene.editor.draft
        self.app.pop()
        if not draft.title and self.typed != self._usual and path.parent == files.encounters_folder():
            self.scene.editor.set_whole("title", title=self.typed.strip().removesuffix(".json"))
        self.scene.save(path)
        self.scene.refresh()


def choose_name(scene: Setup) -> None:
    """Ask for the name to save under."""
    if scene.editor.draft.pieces:
        scene.app.push(Save(scene))
    else:
        scene.toast("Nobody is on the table yet: there is nothing to save.")
