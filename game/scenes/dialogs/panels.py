"""Small panels over a scene: a message, the game's menu, the menu of what is pointed at."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pygame

from game.controllers.human import Stroke, stroke
from game.scenes.base import Scene, Shell
from game.widgets import menu
from game.widgets.controls import Button, Label
from game.widgets.core import Box, Scroll, Space, Widget, column, grown, row
from game.widgets.menu import Line, Lines, MenuLine
from rules.contract.errors import BattlematError


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


def _named(hint: str) -> Stroke:
    """The key that a hint names; none where it names none."""
    try:
        return stroke(hint)
    except BattlematError:
        return Stroke(-1)


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

    def handle(self, event: pygame.event.Event) -> bool:
        """The key that stands beside a choice takes it."""
        if event.type == pygame.KEYDOWN and event.key != pygame.K_ESCAPE:
            for _, hint, call in self.choices:
                if hint and _named(hint).matches(event.key, event.mod):
                    self.then(call)()
                    return True
        return super().handle(event)


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
