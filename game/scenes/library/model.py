"""What is done in the library, each with its way back; whoever names an encounter by its file hears where it went."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from game.app.i18n import t
from game.setup import chains, files
from game.storage import library
from game.storage import records as storage
from game.storage.files import write_whole
from game.storage.library import About, LibraryProblem
from rules.contract.errors import BattlematError
from rules.contract.text import text

Moved = Callable[[Path, Path | None], None]
"""An encounter's file before -> where it is now; None: in the bin."""


class Done(NamedTuple):
    """Something that can be taken back."""

    told: str
    back: Callable[[], Path | None]
    """Takes it back, and returns the encounter that it was done to."""


class Model:
    """The library's files, and what was done to them in this window. All raise BattlematError in one line."""

    def __init__(self, moved: Moved) -> None:
        self._moved = moved
        self.done: list[Done] = []

    def undo(self) -> tuple[str, Path | None]:
        """Take back what was done last; what that was, and to which encounter. Raises LibraryProblem for nothing."""
        if not self.done:
            raise LibraryProblem("Nothing was done here that could be taken back.")
        last = self.done.pop()
        return last.told, last.back()

    # -- encounters

    def rename(self, path: Path, title: str) -> Path:
        """Another title, and a file called like it."""
        before = path.read_bytes()
        goal = path.with_name(f"{files.slug(title) or path.stem}{library.RECORD}")
        if goal != path and goal.exists():
            goal = library.free(goal)
        with suppress(BattlematError):  # one that cannot be read keeps what it says, and gets another file's name
            storage.write_record(storage.read_record(path).model_copy(update={"title": title.strip()}), path)
        try:
            home = library.rename(path, goal.stem)
        except BattlematError:
            write_whole(path, before)
            raise
        self._went([(path, home)])

        def back() -> Path:
            write_whole(home, before)
            again = library.rename(home, path.stem)
            self._went([(home, again)])
            return again

        self.done.append(Done(text("It is called again as before: {name}", path.stem), back))
        return home

    def duplicate(self, path: Path) -> Path:
        """A copy beside it that says so in its title."""
        copy = library.duplicate(path)
        with suppress(BattlematError):
            record = storage.read_record(copy)
            if record.title:
                said = t(text("{title} (copy)", record.title))
                storage.write_record(record.model_copy(update={"title": said}), copy)

        def back() -> Path:
            library.delete(copy)
            self._went([(copy, None)])
            return path

        self.done.append(Done(text("The copy {name} is in the bin", copy.stem), back))
        return copy

    def move(self, path: Path, folder: str) -> Path:
        """Into another folder, which is made where it isn't there."""
        before = library.folder_of(path)
        home = library.move(path, folder)
        if home == path:
            return home
        self._went([(path, home)])

        def back() -> Path:
            again = library.move(home, before)
            self._went([(home, again)])
            return again

        self.done.append(Done(text("{name} is back where it was", path.stem), back))
        return home

    def delete(self, path: Path) -> None:
        """Into the bin: an encounter, or a folder with all in it."""
        inside = sorted(path.rglob(f"*{library.RECORD}")) if path.is_dir() else [path]
        gone = library.delete(path)
        self._went([(each, None) for each in inside])
        folder = gone.bin.is_dir()

        def back() -> Path | None:
            home = library.restore(gone)
            return None if folder else home

        self.done.append(Done(text("{name} is back", path.stem), back))

    def note(self, path: Path, said: About) -> None:
        """Tags and notes; what is typed in a row is taken back at once."""
        before = library.about(path)
        library.note(path, said)
        told = text("Tags and notes of {name} are as before", path.stem)
        if not (self.done and self.done[-1].told == told):

            def back() -> Path:
                library.note(path, before)
                return path

            self.done.append(Done(told, back))

    # -- folders

    def make_folder(self, folder: str) -> str:
        """A new one; its name, whole."""
        home = library.make_folder(folder)
        self.done.append(Done(text("The folder {name} is gone again", home.name), lambda: _gone(home)))
        return home.relative_to(library.root()).as_posix()

    def rename_folder(self, folder: str, name: str) -> str:
        """Under another name where it lies; its new one, whole."""
        before = library.place(folder)
        new = library.rename_folder(folder, name)
        self._shifted(before, library.place(new))

        def back() -> None:
            library.rename_folder(new, before.name)
            self._shifted(library.place(new), before)

        self.done.append(Done(text("The folder {name} is called so again", before.name), back))
        return new

    def _shifted(self, before: Path, after: Path) -> None:
        inside = sorted(after.rglob(f"*{library.RECORD}"))
        self._went((before / each.relative_to(after), each) for each in inside)

    def _went(self, ways: Iterable[tuple[Path, Path | None]]) -> None:
        """Encounters lie elsewhere now: chains and whoever works on one follow."""
        for before, after in ways:
            if after is not None:
                chains.follow(before, after)
            self._moved(before, after)


def _gone(home: Path) -> None:
    """A new folder away again, if it is still empty; else it stays."""
    with suppress(OSError):
        home.rmdir()
