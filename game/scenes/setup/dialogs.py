"""What opens over an encounter: lists to pick from, maps, records, the name to save under, and the ways out."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import pygame

from game import storage
from game.match import Match
from game.scenes import start
from game.scenes.choose import preview
from game.scenes.dialogs import Menu, Panel
from game.setup import files, forms
from game.tiled import load_map
from game.widgets.controls import Button, Label
from game.widgets.core import Box, Scroll, Space, Widget, column, row
from game.widgets.fields import Memory, TextField
from game.widgets.tiles import Tile
from rules.errors import BattlematError

if TYPE_CHECKING:
    from game.scenes.setup.scene import Setup


class Searched(Panel):
    """A panel with a line to type in over a list; what is typed goes there wherever the focus is."""

    width = 420.0
    title = ""
    hint = ""
    empty = "There is nothing to choose from."

    def __init__(self, scene: Setup) -> None:
        super().__init__(scene.app)
        self.scene = scene
        self.typed = ""
        self.memory = Memory()

    def rows(self) -> Sequence[Widget]:
        """The list as it fits what was typed."""
        raise NotImplementedError

    def entered_text(self) -> None:
        """Enter in the line."""
        for widget in self.rows():
            if isinstance(widget, Button | Tile):
                widget.press()
                return

    def notes(self) -> Sequence[Widget]:
        """What stands between the line and the list."""
        return ()

    def content(self) -> Box:
        line = TextField(
            "typed", self.typed, self._typed, self.memory, quiet=self.hint, on_enter=self.entered_text
        )
        rows = list(self.rows())
        if not rows and not self._is_path():
            rows = [Label("Nothing fits." if self.typed else self.empty, colour="quiet")]
        listing = Scroll(column(*rows, gap=4), height=380)
        listing.grow = 1
        back = row(*self.foot(), Space(grow=1), Button("Back", self.app.pop, hint="Esc", key="back"), gap=8)
        return column(Label(self.title, "heading", "bright"), line, *self.notes(), listing, back, gap=10)

    def foot(self) -> Sequence[Widget]:
        return ()

    def _is_path(self) -> bool:
        """Whether a file's path was typed."""
        return "/" in self.typed or "\\" in self.typed or self.typed.strip().endswith(".tmx")

    def _typed(self, text: str) -> None:
        self.typed = text
        self.rebuild()

    def handle(self, event: pygame.event.Event) -> bool:
        writes = (
            event.type == pygame.KEYDOWN
            and event.unicode
            and event.unicode.isprintable()
            and event.unicode != " "
        )
        if writes and not isinstance(self.ui.focus, TextField) and not event.mod & pygame.KMOD_CTRL:
            for widget in self.ui.ring():
                if isinstance(widget, TextField):
                    self.ui.set_focus(widget)
        return super().handle(event)


# -- one out of many --------------------------------------------------------------------------------------


class Pick(Searched):
    """A list of words to take one from."""

    name = "pick"
    hint = "Type to search"

    def __init__(
        self,
        scene: Setup,
        title: str,
        options: Sequence[str],
        take: Callable[[str], None],
        names: Sequence[str] = (),
        now: str = "",
        free: bool = False,
    ) -> None:
        super().__init__(scene)
        self.title, self.options, self.take, self.now, self.free = title, list(options), take, now, free
        self.hint = "Type to search, or something new" if free else "Type to search"
        self.names = dict(zip(self.options, names or self.options, strict=True))

    def rows(self) -> Sequence[Widget]:
        by_name = {name: option for option, name in self.names.items()}
        typed = self.typed.strip()
        if self.free and typed and typed not in by_name:
            fresh = Button(f"“{typed}”", partial(self._take, typed), key="pick typed", left=True)
            return [*self._known(by_name), fresh]
        return self._known(by_name)

    def entered_text(self) -> None:
        """Enter takes what was typed where anything may be, else the first that fits."""
        if self.free and self.typed.strip():
            self._take(self.typed.strip())
        else:
            super().entered_text()

    def _known(self, by_name: Mapping[str, str]) -> list[Widget]:
        return [
            Button(
                name[:1].upper() + name[1:],
                partial(self._take, by_name[name]),
                key=f"pick {name}",
                left=True,
                chosen=by_name[name] == self.now,
            )
            for name in forms.nearest(self.typed, list(by_name))
        ]

    def _take(self, option: str) -> None:
        self.app.pop()
        self.take(option)


def pick(
    scene: Setup,
    title: str,
    options: Sequence[str],
    take: Callable[[str], None],
    *,
    names: Sequence[str] = (),
    now: str = "",
    free: bool = False,
) -> None:
    """Let one be picked; `take` is given the option. `now` is the one that holds; `free` lets others be typed in."""
    if options or free:
        scene.app.push(Pick(scene, title, options, take, names, now, free))
    else:
        scene.toast(f"{title}: there is nothing to choose from.")


# -- maps -------------------------------------------------------------------------------------------------


class Maps(Searched):
    """Every map there is, or a file by its path."""

    name = "maps"
    width = 560.0
    title = "A new encounter: on which map?"
    hint = "Search, or the path of a .tmx file"

    def rows(self) -> Sequence[Widget]:
        if self._is_path():
            return []
        tiles: list[Widget] = []
        for path in files.maps():
            tile = _map_tile(path, partial(self._take, path))
            if tile is not None and self.typed.casefold() in f"{tile.name} {path.stem}".casefold():
                tiles.append(tile)
        return tiles

    def notes(self) -> Sequence[Widget]:
        if not self._is_path():
            return [Label("A file may also be dropped onto the window.", "small", "quiet")]
        path = Path(self.typed.strip()).expanduser()
        if not path.is_file():
            return [Label(f"There is no file {path}", "small", "coral")]
        try:
            loaded = load_map(path)
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
        self.app.guard(lambda: self.scene.open_map(path))


def _map_tile(path: Path, take: Callable[[], None]) -> Tile | None:
    try:
        loaded = load_map(path)
    except (BattlematError, OSError):
        return None
    line = f"{loaded.field.width} × {loaded.field.height} spaces"
    picture = lambda size: preview(path, (size * 4 // 3, size))
    return Tile(loaded.title or path.stem, line, picture, take, key=f"map {path}", size=58, width=2000)


def choose_map(scene: Setup) -> None:
    """Pick the map of a new encounter."""
    scene.app.push(Maps(scene))


# -- records ----------------------------------------------------------------------------------------------


class Records(Searched):
    """Prepared encounters and saved fights, or a file by its path."""

    name = "records"
    width = 520.0
    title = "Edit an encounter"
    hint = "Search, or the path of a record (.json)"
    empty = "No encounter is prepared yet, and no fight is saved. Type the path of a record."

    def rows(self) -> Sequence[Widget]:
        if self._is_path():
            path = Path(self.typed.strip()).expanduser()
            there = path.is_file()
            return [
                Button(f"Open {path}", partial(self._take, path), key="open path", left=True, enabled=there)
            ]
        found: list[Widget] = []
        for title, paths in (
            ("Prepared encounters", files.encounters()),
            ("Fights, from their start", storage.fights()),
        ):
            fitting = [path for path in paths if self.typed.casefold() in path.stem.casefold()]
            if fitting:
                found.append(Label(title, "label!", "gold"))
            for path in fitting:
                found.append(
                    Button(path.stem, partial(self._take, path), cost=_when(path), key=str(path), left=True)
                )
        return found

    def _take(self, path: Path) -> None:
        self.app.pop()
        self.app.guard(lambda: self.scene.open_record(path))


def _when(path: Path) -> str:
    try:
        return time.strftime("%Y-%m-%d, %H:%M", time.localtime(path.stat().st_mtime))
    except OSError:
        return ""


def choose_record(scene: Setup) -> None:
    """Pick a record to edit."""
    scene.app.push(Records(scene))


def open_any(scene: Setup, path: Path) -> None:
    """A file dropped onto the window: a map or a record."""
    scene.app.guard(lambda: scene.open_map(path) if path.suffix == ".tmx" else scene.open_record(path))


# -- saving -----------------------------------------------------------------------------------------------


class Save(Panel):
    """The name to save under; a path saves elsewhere."""

    name = "save encounter"
    width = 520.0

    def __init__(self, scene: Setup) -> None:
        super().__init__(scene.app)
        self.scene, self.memory = scene, Memory()
        draft = scene.editor.draft
        self.typed = (
            str(scene.path) if scene.path is not None else files.slug(draft.title or scene.map_title())
        )
        if scene.path is not None and scene.path.parent == files.encounters_folder():
            self.typed = scene.path.stem
        self._usual = self.typed

    def content(self) -> Box:
        path = files.target(self.typed)
        line = TextField(
            "typed", self.typed, self._typed, self.memory, on_enter=self._save, quiet="A name, or a path"
        )
        taken = path.is_file() and path != self.scene.path
        said = f"{path}" + (" — there is one already, it will be replaced" if taken else "")
        problems = [each for each in self.scene.editor.problems() if each.block]
        parts: list[Widget] = [Label("Save the encounter", "heading", "bright"), line]
        parts.append(Label(said, "small", "coral" if taken else "quiet"))
        if problems:
            count = f"{len(problems)} problem{'s' if len(problems) != 1 else ''}"
            parts.append(
                Label(f"It cannot be played yet ({count}), but it is kept as it is.", "small", "gold")
            )
        save = Button("Replace" if taken else "Save", self._save, gold=True, hint="Enter", key="save now")
        parts.append(row(Space(grow=1), Button("Back", self.app.pop, hint="Esc", key="back"), save, gap=10))
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


# -- ways out ---------------------------------------------------------------------------------------------


def play(scene: Setup) -> None:
    """The fight over this window: leaving it by its menu comes back here."""
    from game.scenes.fight import Fight
    from game.setup import draft as drafts

    def begin() -> None:
        match = Match.from_record(drafts.to_record(scene.settled_draft()), beside=scene.beside)
        scene.app.push(Fight(scene.app, match))

    scene.app.guard(begin)


def forecast(scene: Setup) -> None:
    """How it may end, over this window."""
    from game.setup import draft as drafts

    record = drafts.to_record(scene.settled_draft())
    start.forecast(scene.app, record, scene.beside)


def leave(scene: Setup) -> None:
    """Back to the title; the draft is kept."""
    start.title(scene.app)


def menu(scene: Setup) -> None:
    """The menu of the window."""
    from game.scenes.help import Help

    app = scene.app
    app.push(
        Menu(
            app,
            "Preparing an encounter",
            [
                ("Back to the table", "Esc", lambda: None),
                ("Save", "Ctrl+S", scene.steering.save),
                ("Settings", "", lambda: start.options(app)),
                ("All keys", "Ctrl+K", lambda: app.push(Help(app, "keys"))),
                ("Leave for the title", "", partial(leave, scene)),
                ("Quit", "", app.quit),
            ],
        )
    )
