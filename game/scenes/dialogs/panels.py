"""Small panels over a scene: a message, the game's menu, the menu of what is pointed at."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import pygame

from game.maps import in_place
from game.maps.folder import reach_of, to_ask_for
from game.maps.mapdata import one_line, some
from game.scenes.base import Scene, Shell
from game.widgets import menu
from game.widgets.controls import Button, Label
from game.widgets.core import Box, Scroll, Space, Widget, column, grown, row
from game.widgets.menu import Line, Lines, MenuLine
from rules.contract.text import ntext, text

if TYPE_CHECKING:
    from game.maps.mapdata import OutsideProblem


class Panel(Scene):
    """A modal panel in the middle of the window, as high as its content and no higher than the window."""

    overlay = True
    width = 460.0
    first = ""
    """The key of what has the focus at first, where that is not the first button."""
    paged: Scroll | None = None
    """What PageUp and PageDown turn the pages of, where that is not whatever is too long for the panel."""

    def content(self) -> Box:
        raise NotImplementedError

    def build(self) -> None:
        look, (wide, high), fresh = self.app.look, self.size, not self.ui.remembers
        box = self.content()
        box.plate, box.edge = "panel", "faint"
        box.pad = max(box.pad, 20)
        width = min(look.px(self.width), wide - look.px(24))
        rect = pygame.Rect(0, 0, width, min(box.measure(look, width)[1], high - look.px(24)))
        rect.center = (wide // 2, high // 2)
        self.ui.add(box, rect, modal=True)
        if self.first and fresh:
            self.ui.focus_key(self.first)

    def handle(self, event: pygame.event.Event) -> bool:
        if event.type == pygame.MOUSEBUTTONDOWN and event.button == 3:
            return self.command("back", event)
        return super().handle(event) or self._page(event)

    def _page(self, event: pygame.event.Event) -> bool:
        step = {pygame.K_PAGEDOWN: 0.9, pygame.K_PAGEUP: -0.9}.get(event.key) if event.type == pygame.KEYDOWN else None
        scrolls = (w for panel in self.ui.live() for w in panel.walk() if isinstance(w, Scroll))
        long = self.paged or next((scroll for scroll in scrolls if scroll.total > scroll.rect.height), None)
        if step is None or long is None:
            return False
        long.scroll(int(long.rect.height * step))
        return True


class Message(Panel):
    """One line that says what went wrong (or right), and back to where the player was."""

    name = "message"

    def __init__(self, app: Shell, title: str, text: str) -> None:
        super().__init__(app)
        self.title, self.text = title, text

    def content(self) -> Box:
        foot = row(Space(grow=1), self.leave_button(gold=True))
        return column(Label(self.title, "heading", "bright"), Label(self.text), foot, gap=14)


Choice = tuple[str, str, Callable[[], None]]
"""Label, key, what it does."""


class Menu(Panel):
    """Choices below each other. One is gold, and has the keys at first."""

    name = "menu"
    width = 320.0

    def __init__(self, app: Shell, title: str, choices: Sequence[Choice], chosen: int = 0) -> None:
        super().__init__(app)
        self.title, self.choices, self.chosen = title, choices, chosen

    def content(self) -> Box:
        look, buttons = self.app.look, list[Widget]()
        for n, (label, hint, call) in enumerate(self.choices):
            gold = n == self.chosen
            buttons.append(Button(label, self.then(call), hint=hint, gold=gold, left=True, key=f"choice {n}"))
            self.first = buttons[-1].key if gold else self.first
        widest = max((button.measure(look, self.size[0])[0] for button in buttons), default=0)
        self.width = max(Menu.width, widest / look.scale + 56)  # no choice is cut while the window has room
        listing = grown(Scroll(column(*buttons, gap=10, pad=4)))
        return column(Label(self.title, "heading", "bright"), listing, gap=10)


class ContextMenu(Scene):
    """Lines beside a pixel. Arrows, Enter, a letter or a click take one; Esc or a click beside it closes it alone."""

    overlay = True
    name = "context"
    key_groups = ("general",)

    def __init__(self, app: Shell, title: str, lines: Lines, pos: tuple[int, int], about: str = "") -> None:
        super().__init__(app)
        self.title, self.lines, self.pos, self.about = title, lines, pos, about

    def build(self) -> None:
        first = not self.ui.remembers
        box = menu.menu(self.title, self.lines, self._take, self.about)
        self.ui.add(box, menu.beside(self.app.look, box, self.pos, self.size))
        if first:
            self.ui.focus_first(box)

    def draw(self, surface: pygame.Surface) -> None:
        for panel in self.ui.live():
            self.app.look.panel(surface, panel.rect, fill="night", edge="")  # it lies on other panels, too
        super().draw(surface)

    def _take(self, line: Line) -> None:
        if line.more:
            widget = next(w for w in self._shown() if w.line is line)
            self.app.push(ContextMenu(self.app, line.label, line.more, (widget.rect.right, widget.rect.top)))
            return
        while isinstance(self.app.top, ContextMenu):
            self.app.pop()
        if line.do is not None:
            line.do()

    def _shown(self) -> list[MenuLine]:
        return [w for panel in self.ui.live() for w in panel.walk() if isinstance(w, MenuLine)]

    def handle(self, event: pygame.event.Event) -> bool:
        if event.type == pygame.MOUSEBUTTONDOWN and not self.ui.over(event.pos):
            self.app.pop()
            if event.button == 3 or isinstance(self.app.top, ContextMenu):
                self.app.top.handle(event)  # a right click elsewhere opens another menu there
            return True
        if event.type == pygame.KEYDOWN and self._key(event):
            return True
        answered = self.ui.handle(event)
        if event.type == pygame.MOUSEMOTION and isinstance(self.ui.hover, MenuLine) and self.ui.hover.enabled:
            self.ui.set_focus(self.ui.hover)
        return answered

    def _key(self, event: pygame.event.Event) -> bool:
        """Right opens what a line holds, Left leaves it; a letter goes to the next line that begins with it."""
        focus = self.ui.focus
        if event.key == pygame.K_RIGHT and isinstance(focus, MenuLine) and focus.line.more:
            focus.press()
        if event.key == pygame.K_LEFT and any(isinstance(scene, ContextMenu) for scene in self.app.scenes[-2:-1]):
            self.app.pop()
        if event.key in (pygame.K_RIGHT, pygame.K_LEFT):
            return True
        if event.unicode and event.unicode.isalnum() and not event.mod & (pygame.KMOD_CTRL | pygame.KMOD_ALT):
            able = [line for line in self._shown() if line.stops]
            here = able.index(focus) if isinstance(focus, MenuLine) and focus in able else -1
            order = able[here + 1 :] + able[: here + 1]
            want = event.unicode.casefold()
            goal = next((line for line in order if line.label.casefold().startswith(want)), None)
            if goal is not None:
                self.ui.set_focus(goal)
            return True
        return False


def open_menu(app: Shell, title: str, lines: Lines, pos: tuple[int, int], about: str = "") -> None:
    """Open a menu at a pixel, with what it is `about` under its title; nothing where there is nothing to choose."""
    if any(line is not None for line in lines):
        app.push(ContextMenu(app, title, lines, pos, about))


def message(app: Shell, title: str, text: str) -> None:
    """A word over where the player is."""
    app.push(Message(app, title, text))


Folders = tuple[Path, ...]
MOST_NAMES = 4
"""Files of a folder that are named."""


class Outside(Panel):
    """Says what a map needs outside its folder; to agree to that, to copy all of it, or to leave it."""

    name = "outside"
    width = 560.0
    first = "back"

    def __init__(
        self, app: Shell, path: Path, needed: Mapping[Path, Sequence[Path]], again: Callable[[], object],
        copy: Callable[[Folders], None] | None = None,
    ) -> None:  # fmt: skip
        super().__init__(app)
        self.path, self.needed, self.again, self.copy = path, needed, again, copy

    def content(self) -> Box:
        told = "{name} uses files outside its folder. They are read only if you agree; that is remembered for this map."
        folders = []
        for folder, files in self.needed.items():
            n, where = len(files), one_line(_as_written(folder, self.path), 80)
            counted = ntext(n, "{where}: {n} file", "{where}: {n} files", where=where, n=n)
            whole, names = one_line(str(folder), 160), some((file.name for file in files), MOST_NAMES)
            lines = Label(counted, "text!", "bright"), Label(whole, "small", "quiet"), Label(names, "small")
            folders.append(column(*lines, gap=2))
        copy: Widget = Space(0)
        if self.copy is not None:
            copy = Button("Copy all into my maps", self.then(partial(self.copy, tuple(self.needed))), key="copy")
        agree = Button("Open from where they lie", self.then(self._agree), gold=True, key="agree")
        return column(
            Label("Files of other folders", "heading", "bright"),
            Label(text(told, name=one_line(self.path.name, 60))),
            grown(Scroll(column(*folders, gap=10), height=260)),
            row(self.leave_button(key="back"), Space(grow=1), copy, agree, gap=10),
            gap=12,
        )

    def _agree(self) -> None:
        if self.app.guard(partial(in_place.agree, self.path, self.needed)):
            self.again()


def ask(
    app: Shell, problem: OutsideProblem, again: Callable[[], object], *,
    copied: Folders = (), copy: Callable[[Folders], None] | None = None,
) -> bool:  # fmt: skip
    """Ask whether a map may have what it refers to; False where there is nothing to ask.

    `again` tries anew once the user has agreed. `copy` is given the folders to copy from, those of before (`copied`)
    and these.
    """
    path = problem.map
    needed = to_ask_for(path, reach_of(path, copied)) if path is not None else {}
    if path is None or not needed:
        return False
    more = None if copy is None else (lambda folders: copy((*copied, *folders)))
    app.push(Outside(app, path, needed, again, more))
    return True


def _as_written(folder: Path, path: Path) -> str:
    """A folder as it is seen from a map."""
    try:
        return Path(os.path.relpath(folder, path.absolute().parent.resolve())).as_posix()
    except ValueError:  # on another drive
        return str(folder)
