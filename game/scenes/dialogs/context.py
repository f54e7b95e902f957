"""The menu of what is pointed at: opened by a right click (or a key) over a scene, closed by anything else."""

from __future__ import annotations

import pygame

from game.scenes.base import Scene, Shell
from game.widgets import menu
from game.widgets.menu import Line, Lines, MenuLine


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
            self.dirty = True
        return answered

    def _key(self, event: pygame.event.Event) -> bool:
        """Right opens what a line holds, Left leaves it; a letter goes to the next line that begins with it."""
        focus = self.ui.focus
        if event.key == pygame.K_RIGHT:
            if isinstance(focus, MenuLine) and focus.line.more:
                focus.press()
            return True
        if event.key == pygame.K_LEFT:
            if len(self.app.scenes) > 1 and isinstance(self.app.scenes[-2], ContextMenu):
                self.app.pop()
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
