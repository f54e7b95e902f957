"""What opens over an encounter: lists to search and pick from, and the ways out."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

import pygame

from game.app.i18n import t
from game.fight.match import Match
from game.scenes.dialogs.panels import Menu, Panel
from game.setup import forms, otherrules
from game.widgets.controls import Button, Label
from game.widgets.core import Box, Scroll, Space, Tip, Widget, column, row
from game.widgets.fields import Memory, TextField
from game.widgets.menu import Tile
from game.widgets.theme import Look

if TYPE_CHECKING:
    from game.scenes.setup.scene import Setup


LONG = 10
"""A list with more lines keeps its height while it is searched."""


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
        line = TextField("typed", self.typed, self._typed, self.memory, quiet=self.hint, on_enter=self.entered_text)
        rows = list(self.rows())
        self._most = max(self._most, len(rows))
        if not rows and not self._is_path():
            rows = [Label("Nothing fits." if self.typed else self.empty, colour="quiet")]
        listing = Scroll(column(*rows, gap=4), height=380, steady=self._most > LONG)
        listing.grow = 1
        back = row(
            *self.foot(),
            Space(grow=1),
            Button("Back", self.app.pop, hint=self.app.keys.shown("back"), key="back"),
            gap=8,
        )
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
        writes = event.type == pygame.KEYDOWN and event.unicode and event.unicode.isprintable() and event.unicode != " "
        if writes and not isinstance(self.ui.focus, TextField) and not event.mod & pygame.KMOD_CTRL:
            for widget in self.ui.ring():
                if isinstance(widget, TextField):
                    self.ui.set_focus(widget)
        return super().handle(event)


# -- one out of many --------------------------------------------------------------------------------------


Told = Callable[[str], tuple[str, str]]
"""An option -> its figures in a line, and a sentence on it."""


class ToldButton(Button):
    """A choice with its figures below its name. They are asked for when it comes into sight: a list may be long."""

    def __init__(
        self,
        label: str,
        on_press: Callable[[], None],
        told: Callable[[], tuple[str, str]],
        *,
        key: str,
        chosen: bool,
    ) -> None:
        super().__init__(label, on_press, cost=" ", key=key, left=True, chosen=chosen)
        self._told: Callable[[], tuple[str, str]] | None = told

    def draw(self, surface: pygame.Surface, look: Look) -> None:
        if self._told is not None and surface.get_clip().colliderect(self.rect):
            figures, text = self._told()
            self._told = None
            self.cost, self.tip = t(figures) or " ", Tip(text, self.label) if text else None
        super().draw(surface, look)


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
        told: Told | None = None,
    ) -> None:
        super().__init__(scene)
        self.told = told
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
        return [self._line(name, by_name[name]) for name in forms.nearest(self.typed, list(by_name))]

    def _line(self, name: str, option: str) -> Button:
        label, take, key = name[:1].upper() + name[1:], partial(self._take, option), f"pick {name}"
        if self.told is None or not option:
            return Button(label, take, key=key, left=True, chosen=option == self.now)
        return ToldButton(label, take, partial(self.told, option), key=key, chosen=option == self.now)

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
    told: Told | None = None,
) -> None:
    """Let one be picked; `take` is given the option. `now` is the one that holds; `free` lets others be typed in.

    `told` gives the figures of an option and a sentence on it, either of them empty.
    """
    if options or free:
        scene.app.push(Pick(scene, title, options, take, names, now, free, told))
    else:
        scene.toast(f"{title}: there is nothing to choose from.")


# -- ways out ---------------------------------------------------------------------------------------------


def play(scene: Setup) -> None:
    """The fight over this window: leaving it by its menu comes back here."""
    from game.scenes.fight.opening import opened
    from game.scenes.fight.scene import Fight
    from game.setup import draft as drafts

    def begin() -> None:
        match = Match.from_record(drafts.to_record(scene.settled_draft()), beside=scene.beside)
        opened(scene.app, match, lambda begun: scene.app.push(Fight(scene.app, begun)))

    scene.app.guard(begin)


def forecast(scene: Setup) -> None:
    """How it may end, over this window."""
    from game.setup import draft as drafts

    record = drafts.to_record(scene.settled_draft())
    scene.app.navigator.forecast(record, scene.beside, otherrules.known_elsewhere(scene.editor.draft))


def leave(scene: Setup) -> None:
    """Back to the title; the draft is kept."""
    scene.app.navigator.title()


def menu(scene: Setup) -> None:
    """The menu of the window."""
    from game.scenes.dialogs.help import Help

    app = scene.app
    app.push(
        Menu(
            app,
            "Preparing an encounter",
            [
                ("Back to the table", app.keys.shown("back"), lambda: None),
                ("Save", app.keys.shown("setup_save"), scene.steering.save),
                ("Save under another name", app.keys.shown("setup_save_as"), scene.steering.save_as),
                ("Settings", "", lambda: app.navigator.options()),
                ("All keys", app.keys.shown("keys"), lambda: app.push(Help(app, "keys"))),
                ("Leave for the title", "", partial(leave, scene)),
                ("Quit", "", app.quit),
            ],
        )
    )
