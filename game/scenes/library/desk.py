"""What the library shows is chosen from and worked on here; how it is laid out is the scene's."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path

import pygame

from game.app.window import wake
from game.scenes.base import Scene, Shell
from game.scenes.dialogs.panels import Menu, open_menu
from game.scenes.library.dialogs import Folders, Name, short
from game.scenes.library.model import Model
from game.scenes.setup.workspace import Workspace
from game.setup import glimpse
from game.setup.glimpse import Glimpse
from game.storage import library as shelf
from game.storage.library import About
from game.widgets.fields import types
from game.widgets.menu import Line
from rules.contract.errors import BattlematError, said
from rules.contract.text import text


class Desk(Scene):
    """The encounters of the library: which are listed, which is chosen, and what is done with them."""

    name = "library"
    key_groups = ("general", "library")

    def __init__(self, app: Shell, chosen: Path | None = None) -> None:
        super().__init__(app)
        self.model = Model(self._moved)
        self.folder = shelf.folder_of(chosen) if chosen is not None else ""
        self.at: Path | None = chosen
        """The encounter that is chosen."""
        self.typed_tags: str | None = None
        """The tags of the chosen one as they are being typed."""
        self.told = ""
        self.found: dict[Path, Glimpse] = {}
        self.unknown: set[Path] = set()
        """Into which nobody has looked yet."""
        self._looking = threading.Event()
        self.refresh()

    # -- what there is

    def refresh(self, chosen: Path | None = None) -> None:
        """Look again what there is; what is known of a file that has not changed stays."""
        self._looking.set()
        before, self.found = self.found, {}
        for path in shelf.everything():
            known, fresh = before.get(path), glimpse.first_sight(path)
            same = known is not None and known.save.when == fresh.save.when and path not in self.unknown
            self.found[path] = known._replace(about=fresh.about) if known is not None and same else fresh
        self.unknown = {path for path, one in self.found.items() if one is not before.get(path)}
        self.unknown = {path for path in self.unknown if not self.found[path].names and not self.found[path].save.fault}
        if self.folder not in shelf.folders():
            self.folder = ""
        self.at = chosen if chosen is not None else self.at
        if self.at not in self.found:
            self.at = None
        self.typed_tags = None
        self._looking = stop = threading.Event()
        waiting = sorted(self.unknown, key=lambda path: (shelf.folder_of(path) != self.folder, str(path)))
        threading.Thread(target=self._look, args=(waiting, stop), name="library", daemon=True).start()

    def _look(self, waiting: Sequence[Path], stop: threading.Event) -> None:
        for path in waiting:
            if stop.is_set():
                return
            try:
                one = glimpse.look(path)
            except Exception as error:  # the list must come up whatever is in a file
                one = glimpse.first_sight(path)
                one = one._replace(save=one.save._replace(fault=text("cannot be read ({name})", type(error).__name__)))
            if not wake(partial(self._learn, one, stop)):
                return

    def _learn(self, one: Glimpse, stop: threading.Event) -> None:
        if not stop.is_set() and one.path in self.found:
            self.unknown.discard(one.path)
            self.found[one.path] = one._replace(about=self.found[one.path].about)
            if self.app.top is self:
                self.rebuild()

    def listed(self) -> list[Glimpse]:
        """What the list shows: of the folder and those within it, where something is searched for, of all."""
        if self.query.strip():
            return [one for one in self.found.values() if glimpse.fits(one, self.query)]
        inside = f"{self.folder}/" if self.folder else ""
        return [one for path, one in self.found.items() if f"{shelf.folder_of(path)}/".startswith(inside)]

    @property
    def one(self) -> Glimpse | None:
        """The chosen encounter."""
        return self.found.get(self.at) if self.at is not None else None

    def entered(self) -> None:
        self.refresh()
        super().entered()

    def left(self) -> None:
        self._looking.set()

    def _moved(self, before: Path, after: Path | None) -> None:
        """A table below on which it is edited follows."""
        for scene in self.app.scenes:
            if isinstance(scene, Workspace):
                scene.follow(before, after)

    # -- choosing

    def enter(self, folder: str) -> None:
        """Show a folder."""
        self.folder, self.query, self.offsets["encounters"] = folder, "", 0
        self.rebuild()

    def filter_by(self, tag: str) -> None:
        """Search for a tag, or no more."""
        word = f"#{tag.split(' ')[0]}"
        words = self.query.split()
        self.search(" ".join([w for w in words if w != word] if word in words else [*words, word]), "encounters")

    def press(self, path: Path) -> None:
        """A click chooses an encounter; on the chosen one it opens it."""
        if path == self.at:
            self.open()
        else:
            self.choose(path)

    def choose(self, path: Path) -> None:
        self.at, self.typed_tags, self.told = path, None, ""
        self.rebuild()

    def tagged(self, line: str) -> None:
        """Tags of the chosen one, as they are typed."""
        if self.one is not None:
            self.typed_tags = line
            self._note(self.one.about._replace(tags=shelf.typed_tags(line)))

    def noted(self, line: str) -> None:
        """Notes of the chosen one."""
        if self.one is not None:
            self._note(self.one.about._replace(notes=line))

    def _note(self, about: About) -> None:
        one = self.one
        if one is not None and self.app.guard(partial(self.model.note, one.path, about)):
            self.found[one.path] = one._replace(about=about)
            self.rebuild()

    # -- deeds

    def _do(self, call: Callable[[], Path | None], told: Callable[[], str]) -> None:
        """Do something to files, look again, and say what was done; what goes wrong is said instead."""
        found: list[Path | None] = []
        done = self.app.guard(lambda: found.append(call()))
        self.refresh(found[0] if found else None)
        self.told = told() if done else self.told
        if self.app.top is self:
            self.rebuild()

    def _chosen(self) -> Glimpse | None:
        """The chosen encounter; where none is, that is said."""
        if self.one is None:
            self.say("Choose an encounter first.")
        return self.one

    def _folder_in_focus(self) -> str:
        """The folder that has the focus; empty without one, and for the library itself."""
        focus = self.ui.focus
        return focus.key.removeprefix("folder ") if focus is not None and focus.key.startswith("folder ") else ""

    def open(self) -> None:
        """Edit it: on the table below, where there is one."""
        one = self._chosen()
        if one is None:
            return
        depth = next((n for n, scene in enumerate(self.app.scenes) if isinstance(scene, Workspace)), None)
        if depth is None:
            self.app.guard(partial(self.app.navigator.prepare, one.path))
            return
        table = self.app.scenes[depth]
        assert isinstance(table, Workspace)
        try:
            table.open_record(one.path)
        except BattlematError as error:
            self.app.complain(said(error))
        else:
            self.app.unwind(depth)

    def play(self) -> None:
        """Begin its fight."""
        one = self._chosen()
        if one is not None:
            self.app.navigator.open_file(one.path, taken_up=False)

    def rename(self) -> None:
        """The folder in focus, else the chosen encounter."""
        folder = self._folder_in_focus()
        if folder:
            self.app.push(Name(self.app, "Rename the folder", short(folder), partial(self._rename_folder, folder)))
        elif (one := self._chosen()) is not None:
            title = one.save.title
            self.app.push(Name(self.app, "Rename the encounter", title, partial(self._rename, one.path)))

    def _rename(self, path: Path, title: str) -> None:
        self._do(lambda: self.model.rename(path, title), lambda: text("Now it is called {title}.", title))

    def _rename_folder(self, folder: str, name: str) -> None:
        def call() -> None:
            new = self.model.rename_folder(folder, name)
            inside = f"{self.folder}/".startswith(f"{folder}/")
            self.folder = new + self.folder.removeprefix(folder) if inside else self.folder
            if self.at is not None and f"{shelf.folder_of(self.at)}/".startswith(f"{folder}/"):
                self.at = None

        self._do(call, lambda: text("Now it is called {title}.", name))

    def duplicate(self) -> None:
        """A copy of the chosen encounter, which is chosen then."""
        if (one := self._chosen()) is not None:
            self._do(lambda: self.model.duplicate(one.path), lambda: text("A copy of {title}.", one.save.title))

    def move(self) -> None:
        """The chosen encounter into another folder."""
        one = self._chosen()
        if one is not None and one.tied:
            self.say("Its map lies beside it: it stays in its folder.")
        elif one is not None:
            now = shelf.folder_of(one.path)
            self.app.push(Folders(self.app, text("Move {title}", one.save.title), now, partial(self._move, one.path)))

    def _move(self, path: Path, folder: str) -> None:
        self._do(
            lambda: self.model.move(path, folder), lambda: text("{name} is in {folder} now.", path.stem, short(folder))
        )

    def dropped(self, one: Glimpse, pos: tuple[int, int]) -> bool:
        """An encounter let go of at a pixel: onto a folder it moves there."""
        goals = (w for panel in self.ui.live() for w in panel.walk() if w.key.startswith("folder "))
        goal = next((w for w in goals if w.rect.collidepoint(pos)), None)
        if goal is None:
            return False
        if one.tied:
            self.say("Its map lies beside it: it stays in its folder.")
        else:
            self._move(one.path, goal.key.removeprefix("folder "))
        return True

    def delete(self) -> None:
        """The folder in focus with all in it, else the chosen encounter, into the bin."""
        folder, key = self._folder_in_focus(), self.app.keys.shown("library_undo")
        if folder:
            place = shelf.place(folder)
            self._do(lambda: self.model.delete(place), lambda: text("{name} is in the bin; {key} brings it back.",
                                                                     short(folder), key))  # fmt: skip
        elif (one := self._chosen()) is not None:
            beside = self._beside(one.path)

            def call() -> Path | None:
                self.model.delete(one.path)
                return beside

            self._do(call, lambda: text("{name} is in the bin; {key} brings it back.", one.save.title, key))

    def _beside(self, path: Path) -> Path | None:
        """What stands below one in the list, else above it."""
        order = [one.path for one in self.listed()]
        if path not in order:
            return None
        at = order.index(path)
        return next(iter([*order[at + 1 : at + 2], *order[:at][-1:]]), None)

    def new_folder(self) -> None:
        """A new folder, in the one that is shown."""
        self.app.push(Name(self.app, "A new folder", "", self._new_folder, "Make it"))

    def _new_folder(self, name: str) -> None:
        def call() -> None:
            self.folder = self.model.make_folder(f"{self.folder}/{name}" if self.folder else name)

        self._do(call, lambda: text("The folder {name} is there.", name))

    def undo(self) -> None:
        """Take back what was done last."""
        told: list[str] = []

        def call() -> Path | None:
            words, path = self.model.undo()
            told.append(words)
            return path

        self._do(call, lambda: told[0])

    def say(self, words: str) -> None:
        """Tell something at the foot."""
        self.told = words
        self.rebuild()

    # -- hands

    def context_of(self, path: Path, pos: tuple[int, int]) -> None:
        """The menu of an encounter."""
        self.choose(path)
        self.context(pos)

    def context(self, pos: tuple[int, int] | None = None) -> None:
        """The menu of the chosen encounter, at a pixel or beside it."""
        one, keys = self._chosen(), self.app.keys.shown
        if one is None:
            return
        if pos is None:
            tile = next((w for p in self.ui.live() for w in p.walk() if w.key == f"encounter {one.path}"), None)
            pos = tile.rect.center if tile is not None else (self.size[0] // 2, self.size[1] // 2)
        lines = [
            Line("Edit", self.open, keys("library_open"), key="open"),
            Line("Play", self.play, keys("library_play"), key="play"),
            None,
            Line("Rename", self.rename, keys("library_rename"), key="rename"),
            Line("Duplicate", self.duplicate, keys("library_double"), key="duplicate"),
            Line("Move", self.move, keys("library_move"), key="move"),
            None,
            Line("Delete", self.delete, keys("library_delete"), key="delete"),
        ]
        open_menu(self.app, one.save.heading, lines, pos)

    def menu(self) -> None:
        app, keys = self.app, self.app.keys.shown
        app.push(Menu(app, "The library", [
            ("Back to the library", keys("back"), lambda: None),
            ("Settings", "", lambda: app.navigator.options()),
            ("Leave", "", app.pop),
        ]))  # fmt: skip

    def commands(self) -> Mapping[str, Callable[[], object]]:
        return {
            "back": self.app.pop, "library_find": partial(self._focus, "search"), "library_folder": self.new_folder,
            "library_rename": self.rename, "library_double": self.duplicate, "library_move": self.move,
            "library_delete": self.delete, "library_undo": self.undo, "library_tags": partial(self._focus, "tags"),
            "library_notes": partial(self._focus, "notes"), "library_open": self.open, "library_play": self.play,
            "library_context": self.context,
        }  # fmt: skip

    def command(self, name: str, event: pygame.event.Event) -> bool:
        if types(self.ui.focus) and (name == "library_delete" or (name == "library_find" and event.unicode == "/")):
            return False  # it is being typed
        return super().command(name, event)

    def _focus(self, key: str) -> None:
        if key == "search" or self._chosen() is not None:
            self.ui.focus_key(key)
