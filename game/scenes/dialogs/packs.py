"""Packs in the settings: what is there, a switch for each, added by dropping or by path, removed with a way back."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from game.content.packs import shelf, unpack
from game.content.packs.shelf import Pack
from game.scenes.base import Shell
from game.scenes.dialogs.panels import message
from game.setup import bestiary
from game.storage import library
from game.storage.library import Deleted
from game.view import minis
from game.widgets.controls import Button, Label, Toggle
from game.widgets.core import Space, Widget, column, grown, row
from game.widgets.fields import Memory, TextField
from rules.contract.text import joined, text

is_pack = unpack.is_pack
"""Whether a file or a folder means to be one."""


class PacksPage:
    """The page's state: what was typed, what was removed."""

    def __init__(self, app: Shell, changed: Callable[[], None]) -> None:
        self.app, self.changed = app, changed
        self.typed = ""
        self.removed: list[tuple[str, Deleted]] = []

    def widgets(self, memory: Memory) -> list[Widget]:
        """All packs with their switches, and the ways to more."""
        found = shelf.packs()
        parts: list[Widget] = [self._pack(pack) for pack in found]
        if not found:
            parts.append(
                Label("No packs yet: drop a folder or a zip onto the window, or type its path.", colour="quiet")
            )
        line = TextField("pack path", self.typed, self._type, memory, quiet="The path of a pack", on_enter=self._add)
        parts.append(
            row(grown(line), Button("Add", self._add, key="add pack", enabled=bool(self.typed.strip())), gap=8)
        )
        if self.removed:
            name, _ = self.removed[-1]
            parts.append(Button(text("Bring back {name}", name), self._back, key="bring back", left=True, slim=True))
        told = "Creatures, gear, spells, themes, maps, tokens: data only. Records say which packs they need."
        return [*parts, Label(told, "small", "quiet")]

    def _pack(self, pack: Pack) -> Widget:
        title = text("{title} {version}", pack.manifest.title, pack.manifest.version) if pack.manifest else pack.id
        toggle = Toggle(title, pack.on, partial(self._switch, pack), flush=True)
        toggle.key = "pack " + pack.id
        what = shelf.told(pack.folder)
        by = pack.manifest.author if pack.manifest else ""
        told = joined(" · ", (part for part in (by, what) if part)) if pack.manifest else pack.wrong
        away = Button("Remove", partial(self._remove, pack), key=f"remove {pack.id}", quiet=True, slim=True)
        under = Label(told, "small", "quiet" if pack.manifest else "coral")
        return column(toggle, row(grown(under), Space(4), away), gap=0)

    def _type(self, words: str) -> None:
        self.typed = words
        self.changed()

    def _add(self) -> None:
        if self.typed.strip():
            add(self.app, Path(self.typed.strip()).expanduser())
            self.typed = ""
            self.changed()

    def _switch(self, pack: Pack, on: bool) -> None:
        self.app.guard(lambda: shelf.switch(pack.id, on=on))
        renewed()
        self.changed()

    def _remove(self, pack: Pack) -> None:
        def call() -> None:
            self.removed.append((pack.manifest.title if pack.manifest else pack.id, shelf.remove(pack.id)))

        self.app.guard(call)
        renewed()
        self.changed()

    def _back(self) -> None:
        _, gone = self.removed.pop()
        self.app.guard(lambda: library.restore(gone))
        renewed()
        self.changed()


def add(app: Shell, path: Path) -> None:
    """Take a pack in and say what is in it; what is wrong with it becomes a message."""
    found: list[Pack] = []
    if app.guard(lambda: found.append(shelf.add(path))):
        renewed()
        what = shelf.told(found[0].folder)
        manifest = found[0].manifest
        title = manifest.title if manifest is not None else found[0].id
        message(app, title, text("The pack is added and switched on: {what}.", what))


def renewed() -> None:
    """Whatever was read of content and pictures is read anew."""
    bestiary.forget()
    minis.forget()
