"""Lists to search over an encounter: one out of many, maps, encounters and saved fights; the name to save under."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import pygame

from game.app.i18n import t
from game.content import encounter
from game.maps.mapdata import OutsideProblem
from game.maps.tiled import load_map
from game.scenes import picturing
from game.scenes.choose.choices import WATCHED, Card, Shelf
from game.scenes.dialogs import importing, outside, packs
from game.scenes.dialogs.panels import Panel
from game.scenes.dialogs.saves import Lookout
from game.scenes.setup.workspace import Workspace
from game.setup import files, forms
from game.storage import library, saves
from game.storage import records as storage
from game.storage.saves import Save as Kept
from game.widgets.controls import Button, Label
from game.widgets.core import Box, Scroll, Space, Tip, Widget, column, grown, row
from game.widgets.fields import ChoiceField, TextField
from game.widgets.menu import Tile
from game.widgets.theme import Look
from rules.contract.errors import BattlematError
from rules.contract.text import ntext, text

LONG = 10
"""A list with more lines keeps its height while it is searched."""


Told = Callable[[str], tuple[str, str]]
"""An option -> its figures in a line, and a sentence on it."""
PICTURES = (".png", ".jpg", ".jpeg", ".webp")
"""Endings of pictures that become maps."""
_OTHERS = (".gif", ".bmp")
"""Endings of others: answered as maps that they aren't."""
MOST_LISTED = 100
"""Maps that are listed at a time."""


class Searched(Panel):
    """A panel with a line to type in over a list; what is typed goes there wherever the focus is."""

    width = 420.0
    title = ""
    hint = ""
    empty = "There is nothing to choose from."

    def __init__(self, workspace: Workspace) -> None:
        super().__init__(workspace.app)
        self.workspace = workspace
        self._most = 0

    def rows(self) -> Sequence[Widget]:
        """The list as it fits what was typed."""
        raise NotImplementedError

    def entered_text(self) -> None:
        """Enter in the line."""
        for widget in self.rows():
            if isinstance(widget, Button | Tile) and widget.enabled:
                widget.press()
                return

    def notes(self) -> Sequence[Widget]:
        """What stands between the line and the list."""
        return ()

    def content(self) -> Box:
        line = TextField("typed", self.query, self.search, self.memory, quiet=self.hint, on_enter=self.entered_text)
        rows = list(self.rows())
        self._most = max(self._most, len(rows))
        if not rows and not self._is_path():
            rows = [Label("Nothing fits." if self.query else self.empty, colour="quiet")]
        listing = grown(Scroll(column(*rows, gap=4), height=380, steady=self._most > LONG))
        back = row(Space(grow=1), self.leave_button(key="back"), gap=8)
        return column(Label(self.title, "heading", "bright"), line, *self.notes(), listing, back, gap=10)

    def _is_path(self) -> bool:
        return "/" in self.query or "\\" in self.query or self.query.strip().endswith(".tmx")

    @property
    def _path(self) -> Path:
        return Path(self.query.strip()).expanduser()

    def handle(self, event: pygame.event.Event) -> bool:
        writes = event.type == pygame.KEYDOWN and event.unicode and event.unicode.isprintable() and event.unicode != " "
        if writes and not isinstance(self.ui.focus, TextField) and not event.mod & pygame.KMOD_CTRL:
            for widget in self.ui.ring():
                if isinstance(widget, TextField):
                    self.ui.set_focus(widget)
        return super().handle(event)


# -- one out of many --------------------------------------------------------------------------------------


class ToldButton(Button):
    """A choice with its figures below its name. They are asked for when it comes into sight: a list may be long."""

    def __init__(
        self, label: str, on_press: Callable[[], None], told: Callable[[], tuple[str, str]], *, key: str, chosen: bool
    ) -> None:
        super().__init__(label, on_press, cost=" ", key=key, left=True, chosen=chosen)
        self._told: Callable[[], tuple[str, str]] | None = told

    def draw(self, surface: pygame.Surface, look: Look) -> None:
        if self._told is not None and surface.get_clip().colliderect(self.rect):
            figures, text = self._told()
            self._told = None
            self.cost, self.tip = t(figures) or " ", Tip(text, self.label) if text else None
        super().draw(surface, look)


@dataclass(frozen=True)
class Question:
    """One out of many words: `take` is given the option that is picked."""

    title: str
    options: Sequence[str]
    take: Callable[[str], None]
    names: Sequence[str] = ()
    """What the options are called, where that is something else."""
    now: str = ""
    """The one that holds."""
    free: bool = False
    """Whether others may be typed in."""
    told: Told | None = None
    """The figures of an option and a sentence on it, either of them empty."""


class Pick(Searched):
    """A list of words to take one from."""

    name = "pick"

    def __init__(self, workspace: Workspace, asked: Question) -> None:
        super().__init__(workspace)
        self.asked, self.title = asked, asked.title
        self.hint = "Type to search, or something new" if asked.free else "Type to search"
        self.options = dict(zip(asked.names or asked.options, asked.options, strict=True))
        """Its name -> the option."""

    def rows(self) -> Sequence[Widget]:
        known = [self._line(name, self.options[name]) for name in forms.nearest(self.query, list(self.options))]
        typed = self.query.strip()
        if self.asked.free and typed and typed not in self.options:
            known.append(Button(f"“{typed}”", self._taking(typed), key="pick typed", left=True))
        return known

    def entered_text(self) -> None:
        """Enter takes what was typed where anything may be, else the first that fits."""
        if self.asked.free and self.query.strip():
            self._taking(self.query.strip())()
        else:
            super().entered_text()

    def _line(self, name: str, option: str) -> Button:
        label, take, key = name[:1].upper() + name[1:], self._taking(option), f"pick {name}"
        chosen = option == self.asked.now
        if self.asked.told is None or not option:
            return Button(label, take, key=key, left=True, chosen=chosen)
        return ToldButton(label, take, partial(self.asked.told, option), key=key, chosen=chosen)

    def _taking(self, option: str) -> Callable[[], None]:
        return self.then(partial(self.asked.take, option))


def pick(workspace: Workspace, asked: Question) -> None:
    """Let one be picked."""
    if asked.options or asked.free:
        workspace.app.push(Pick(workspace, asked))
    else:
        workspace.toast(text("{title}: there is nothing to choose from.", asked.title))


def choice(
    workspace: Workspace, key: str, asked: Question, *, wrong: bool = False, tip: Tip | None = None
) -> ChoiceField:
    """A field that holds one of the options, and lists them all."""
    return ChoiceField(
        key, asked.now, asked.options, asked.take, partial(pick, workspace, asked),
        names=asked.names, wrong=wrong, tip=tip,
    )  # fmt: skip


class Opening(Searched):
    """A list of what can be opened; a file may be dropped onto it."""

    def handle(self, event: pygame.event.Event) -> bool:
        if event.type == pygame.DROPFILE:
            self.app.pop()
            open_any(self.workspace, Path(event.file))
            return True
        return super().handle(event)


# -- maps -------------------------------------------------------------------------------------------------


class Maps(Opening):
    """Every map there is, or a file by its path."""

    name = "maps"
    width = 560.0
    title = "A new encounter: on which map?"
    hint = "Search, or the path of a .tmx file"

    def __init__(self, workspace: Workspace) -> None:
        super().__init__(workspace)
        self.shelf = Shelf(encounter.offered_maps())

    def rows(self) -> Sequence[Widget]:
        if self._is_path():
            return []
        found = [path for path in self.shelf.maps if self._fits(path)]
        tiles: list[Widget] = [self._tile(path) for path in found[:MOST_LISTED]]
        if (more := len(found) - MOST_LISTED) > 0:
            tiles.append(Label(text("and {what} more: search for them", more), "small", "quiet"))
        return tiles

    def _fits(self, path: Path) -> bool:
        """Whether a map's title or file is searched for."""
        card = self.shelf.cards.get(path)
        return self.query.casefold() in f"{card.title if card is not None else ''} {path.stem}".casefold()

    def _tile(self, path: Path) -> Tile:
        """A map to take; greyed with the reason where it cannot be read."""
        card = self.shelf.cards.get(path) or Card(path.stem)
        return Tile(
            card.title, card.line if path in self.shelf.cards else "is being read …",
            lambda size: card.picture((size * 4 // 3, size)), self._taking(path),
            key=f"map {path}", size=58, width=2000, tip=Tip(card.why) if card.why else None,
            enabled=card.asks or not card.why, on_refused=partial(self.app.complain, card.why),
        )  # fmt: skip

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
        path = self._path
        opening = Button("Open it", self._taking(path), gold=True, key="open path")
        if not path.is_file():
            return [Label(text("There is no file {path}", str(path)), "small", "coral")]
        try:
            loaded = load_map(path)
        except OutsideProblem:
            told = "It uses files outside its folder; you will be asked about them."
            return [Label(told, "small", "gold"), opening]
        except BattlematError as error:
            return [Label(str(error), "small", "coral")]
        size = text("{width} × {height} spaces", loaded.field.width, loaded.field.height)
        outside = "" if encounter.map_name(path) else "; it will be copied into your maps"
        return [
            Label(text("{what}, {size}{outside}", loaded.title or path.stem, size, outside), "small", "teal"),
            opening,
        ]

    def entered_text(self) -> None:
        if self._is_path():
            self._taking(self._path)()
        else:
            super().entered_text()

    def _taking(self, path: Path) -> Callable[[], None]:
        return self.then(partial(open_map, self.workspace, path))


def open_map(workspace: Workspace, path: Path, copied: outside.Folders = ()) -> None:
    """A new encounter on a map; where it uses files of other folders, the user is asked.

    `copied`: folders out of which such files are copied into the user's maps with it.
    """

    def call() -> None:
        try:
            workspace.open_map(path, copied)
        except OutsideProblem as problem:
            again = partial(open_map, workspace, path)
            copy = again if encounter.map_name(path) is None else None
            if not outside.ask(workspace.app, problem, again, copied=copied, copy=copy):
                raise

    workspace.app.guard(call)


def choose_map(workspace: Workspace) -> None:
    """Pick the map of a new encounter."""
    workspace.app.push(Maps(workspace))


# -- records ----------------------------------------------------------------------------------------------


class Records(Opening):
    """Prepared encounters and saved fights, or a file by its path. What is in each is found out meanwhile."""

    name = "records"
    width = 640.0
    title = "Edit an encounter"
    hint = "Search by title, map, rules or name, or type the path of a record (.json)"
    empty = "No encounter is prepared yet, and no fight is saved. Type the path of a record."

    def __init__(self, workspace: Workspace) -> None:
        super().__init__(workspace)
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
            there = self._path.is_file()
            call = self._taking(self._path)
            return [Button(text("Open {path}", str(self._path)), call, key="open path", left=True, enabled=there)]
        found: list[Widget] = []
        for title, paths in self.groups.items():
            fitting = [self.found[path] for path in paths if self._fits(self.found[path])]
            if fitting:
                found.append(Label(title, "label!", "gold"))
            found += [self._row(save) for save in fitting]
        return found

    def notes(self) -> Sequence[Widget]:
        hint = self.app.keys.shown("setup_library")
        go = self.then(self.app.navigator.library)
        return [Button("The library: folders, tags, notes", go, hint=hint, key="library", left=True, quiet=True)]

    def _fits(self, save: Kept) -> bool:
        folder = library.folder_of(save.path)
        words = f"{save.heading} {save.path.stem} {folder} {save.told()} {' '.join(save.party)}".casefold()
        return all(word in words for word in self.query.casefold().split())

    def _row(self, save: Kept) -> Widget:
        tip = Tip(save.told(), save.heading, save.path.name)
        take = self._taking(save.path)
        return Button(save.heading, take, cost=save.told(), key=str(save.path), left=True, tip=tip)

    def _taking(self, path: Path) -> Callable[[], None]:
        return self.then(partial(self.app.guard, lambda: self.workspace.open_record(path)))


def choose_record(workspace: Workspace) -> None:
    """Pick a record to edit."""
    workspace.app.push(Records(workspace))


def open_any(workspace: Workspace, path: Path) -> None:
    """A file dropped onto the window: a map, also of another program, a picture that shall be one, or a record."""
    if packs.is_pack(path):
        packs.add(workspace.app, path)
        workspace.refresh()
    elif path.suffix.lower() in PICTURES:
        picturing.picture(workspace.app, path, partial(open_map, workspace))
    elif importing.importable(path):
        importing.bring(workspace.app, path, partial(open_map, workspace))
    elif path.suffix.lower() in (".tmx", *_OTHERS):
        open_map(workspace, path)
    else:
        workspace.app.guard(lambda: workspace.open_record(path))


# -- saving -----------------------------------------------------------------------------------------------


class Save(Panel):
    """The name to save under; a path saves elsewhere."""

    name = "save encounter"
    width = 520.0

    def __init__(self, workspace: Workspace) -> None:
        super().__init__(workspace.app)
        self.workspace = workspace
        self.query = files.slug(workspace.editor.draft.title or workspace.map_title())
        self.folder = ""
        """Of the library, in which it is saved."""
        if workspace.path is not None:
            own = workspace.path.is_relative_to(files.encounters_folder())
            self.query = workspace.path.stem if own else str(workspace.path)
            self.folder = library.folder_of(workspace.path)
        self._usual = self.query

    def content(self) -> Box:
        path = files.target(self.query, self.folder)
        line = TextField("typed", self.query, self.search, self.memory, on_enter=self._save, quiet="A name, or a path")
        taken = path.is_file() and path != self.workspace.path
        said = f"{path}" + (" — there is one already, it will be replaced" if taken else "")
        parts: list[Widget] = [Label("Save the encounter", "heading", "bright"), line, self._folders()]
        parts.append(Label(said, "small", "coral" if taken else "quiet"))
        if problems := sum(each.block for each in self.workspace.editor.problems()):
            count = ntext(problems, "{n} problem", "{n} problems")
            told = text("It cannot be played yet ({count}), but it is kept as it is.", count)
            parts.append(Label(told, "small", "gold"))
        save = Button("Replace" if taken else "Save", self._save, gold=True, hint="Enter", key="save now")
        return column(*parts, row(Space(grow=1), self.leave_button(key="back"), save, gap=10), gap=12)

    def _folders(self) -> Widget:
        """The folder, to be changed; a path needs none."""
        if "/" in self.query or "\\" in self.query:
            return Space()
        names = [folder or "All encounters" for folder in library.folders()]
        asked = Question("Folder", library.folders(), self._into, names, now=self.folder, free=True)
        return row(Label("Folder", "small", "quiet"), grown(choice(self.workspace, "folder", asked)), gap=8)

    def _into(self, folder: str) -> None:
        def check() -> None:
            library.place(folder)
            self.folder = folder

        self.app.guard(check)
        self.rebuild()

    def _save(self) -> None:
        path, draft = files.target(self.query, self.folder), self.workspace.editor.draft
        self.app.pop()
        if not draft.title and self.query != self._usual and path.is_relative_to(files.encounters_folder()):
            self.workspace.editor.set_whole("title", title=self.query.strip().removesuffix(".json"))
        self.workspace.save(path)
        self.workspace.refresh()


def choose_name(workspace: Workspace) -> None:
    """Ask for the name to save under."""
    if workspace.editor.draft.pieces:
        workspace.app.push(Save(workspace))
    else:
        workspace.toast("Nobody is on the table yet: there is nothing to save.")
