"""Small panels over a scene: a message, and the game's menu."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import pygame

from game.scenes.base import Scene, Shell
from game.widgets.controls import Button, Label
from game.widgets.core import Box, Scroll, Space, Widget, column, row


class Panel(Scene):
    """A modal panel in the middle of the window, as high as its content and no higher than the window."""

    overlay = True
    width = 460.0

    def content(self) -> Box:
        raise NotImplementedError

    def build(self) -> None:
        look, (wide, high) = self.app.look, self.size
        box = self.content()
        box.plate, box.edge = "panel", "faint"
        box.pad = max(box.pad, 20)
        width = min(look.px(self.width), wide - look.px(24))
        rect = pygame.Rect(0, 0, width, min(box.measure(look, width)[1], high - look.px(24)))
        rect.center = (wide // 2, high // 2)
        self.ui.add(box, rect, modal=True)

    def handle(self, event: pygame.event.Event) -> bool:
        if event.type == pygame.MOUSEBUTTONDOWN and event.button == 3:
            return self.command("back", event)
        return super().handle(event) or self._page(event)

    def _page(self, event: pygame.event.Event) -> bool:
        """PageUp and PageDown turn the pages of what is too long for the panel."""
        step = {pygame.K_PAGEDOWN: 0.9, pygame.K_PAGEUP: -0.9}.get(event.key) if event.type == pygame.KEYDOWN else None
        widgets = (w for panel in self.ui.live() for w in panel.walk())
        long = next((w for w in widgets if isinstance(w, Scroll) and w.total > w.rect.height), None)
        if step is None or long is None:
            return False
        long.scroll(int(long.rect.height * step))
        self.dirty = True
        return True


class Message(Panel):
    """One line that says what went wrong (or right), and back to where the player was."""

    name = "message"

    def __init__(self, app: Shell, title: str, text: str) -> None:
        super().__init__(app)
        self.title, self.text = title, text

    def content(self) -> Box:
        button = Button("Back", self.app.pop, gold=True, hint=self.app.keys.shown("back"))
        return column(Label(self.title, "heading", "bright"), Label(self.text), row(Space(grow=1), button), gap=14)


class Menu(Panel):
    """Choices below each other; each is `(label, key hint, what it does)`. One is gold, and has the keys at first."""

    name = "menu"
    width = 320.0

    def __init__(
        self, app: Shell, title: str, choices: Sequence[tuple[str, str, Callable[[], None]]], chosen: int = 0
    ) -> None:
        super().__init__(app)
        self.title, self.choices, self.chosen = title, choices, chosen

    def build(self) -> None:
        first = not self.ui.remembers
        super().build()
        if first:
            self.ui.focus_key(f"choice {self.chosen}")

    def content(self) -> Box:
        buttons = self._buttons()
        look = self.app.look
        widest = max((button.measure(look, self.size[0])[0] for button in buttons), default=0)
        self.width = max(Menu.width, widest / look.scale + 56)  # no choice is cut while the window has room
        listing = Scroll(column(*buttons, gap=10, pad=4))
        listing.grow = 1
        return column(Label(self.title, "heading", "bright"), listing, gap=10)

    def _buttons(self) -> list[Widget]:
        return [
            Button(
                label,
                partial(self._take, call),
                hint=hint,
                gold=index == self.chosen,
                left=True,
                key=f"choice {index}",
            )
            for index, (label, hint, call) in enumerate(self.choices)
        ]

    def _take(self, call: Callable[[], None]) -> None:
        self.app.pop()
        call()
