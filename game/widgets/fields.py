"""Fields to fill in: a line of text, a figure to step or type, and a choice out of several."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pygame

from game.view.minis import icon
from game.widgets.controls import PRESS_KEYS, Pressable
from game.widgets.core import Tip, Widget
from game.widgets.text import rendered, shortened
from game.widgets.theme import Look
from rules.core.figures import plain

LEAST = 72
"""Width that a field wants at 100 %; in a row it grows if it is told to."""
VARIOUS = "various"
"""Shown where several things that are edited together differ."""


class Memory:
    """What fields remember while panels are made anew: where the caret stands, and which figure is being typed."""

    def __init__(self) -> None:
        self.carets: dict[str, int] = {}
        self.marks: dict[str, int] = {}
        """Where a selection began: it reaches from there to the caret."""
        self.lefts: dict[str, int] = {}
        """How many pixels of a long line lie to the left of its field."""
        self.clicks: tuple[str, int, int, int] = ("", 0, 0, 0)
        """The latest click: the field, the pixel, when (milliseconds) and how many there were at once."""
        self.typing = ""
        self.drafts: dict[str, str] = {}
        """What was typed where the value is no text, such as a blank at the end."""


class Field(Widget):
    """A box on a panel; `wrong` ones have a coral edge, `quiet` text is what holds if nothing is said."""

    focusable = True
    typed = True
    """Letters and digits belong to it while it has the focus."""

    def __init__(
        self, key: str, memory: Memory, *, wrong: bool = False, quiet: str = "", tip: Tip | None = None
    ) -> None:
        super().__init__(key=key, tip=tip)
        self.memory, self.wrong, self.quiet = memory, wrong, quiet

    def measure(self, look: Look, width: int) -> tuple[int, int]:
        return (min(width, look.px(LEAST)), look.font("text").get_linesize() + look.px(10))

    def box(self, surface: pygame.Surface, look: Look) -> None:
        edge = "coral" if self.wrong else "gold" if self.focused else "faint" if self.hovered else "hairline"
        look.panel(surface, self.rect, fill="night", edge=edge, radius=6)

    def write(
        self, surface: pygame.Surface, look: Look, text: str, rect: pygame.Rect, *, centred: bool = False
    ) -> None:
        """The value, or what holds without one, into a part of the box."""
        font = look.font("text")
        shown, ink = (text, "bright") if text else (self.quiet, "faint")
        image = rendered(font, shortened(font, shown, rect.width), look.colour(ink))
        place = image.get_rect(center=rect.center) if centred else image.get_rect(midleft=rect.midleft)
        surface.blit(image, place)


class NumberField(Field):
    """A whole number: typed, stepped by − and + or the arrows. Emptied, it is None where that may be."""

    def __init__(
        self,
        key: str,
        value: int | None,
        on_change: Callable[[int | None], None],
        memory: Memory,
        *,
        start: int = 0,
        low: int | None = None,
        high: int | None = None,
        optional: bool = False,
        shown: str = "",
        wrong: bool = False,
        quiet: str = "",
        tip: Tip | None = None,
        full: bool = False,
    ) -> None:
        super().__init__(key, memory, wrong=wrong, quiet=quiet, tip=tip)
        self.value, self.on_change, self.start = value, on_change, start
        self.low, self.high, self.optional, self.shown = low, high, optional, shown
        self.full = full
        """Empty means all there is, which is `start` now and may be another figure later: that figure is not kept."""

    def handle(self, event: pygame.event.Event) -> bool:
        if event.type == pygame.MOUSEBUTTONDOWN and event.button == 1:
            self.memory.typing = ""
            side = event.pos[0] - self.rect.left
            if side < self.rect.height:
                self._step(-1)
            elif side > self.rect.width - self.rect.height:
                self._step(1)
            return True
        if event.type != pygame.KEYDOWN or event.mod & (pygame.KMOD_CTRL | pygame.KMOD_ALT):
            return False
        if event.key in (pygame.K_LEFT, pygame.K_RIGHT) or event.unicode in ("+", "-"):
            self.memory.typing = ""
            self._step(1 if event.key == pygame.K_RIGHT or event.unicode == "+" else -1)
        elif event.unicode.isdigit() and event.unicode.isascii():
            fresh = self.memory.typing != self.key or self.value is None
            self.memory.typing = self.key
            self._set(int(event.unicode) if fresh else int(f"{self.value}{event.unicode}"[:9]))
        elif event.key in (pygame.K_BACKSPACE, pygame.K_DELETE):
            self._erase()
        else:
            self.memory.typing = ""
            return False
        return True

    def _erase(self) -> None:
        digits = "" if self.value is None else str(self.value)[:-1]
        self.memory.typing = self.key
        if digits.strip("-"):
            self._set(int(digits))
        elif self.optional:
            self._set(None)
        else:
            self.memory.typing = ""  # the next digit begins anew

    def _step(self, by: int) -> None:
        value = self.start if self.value is None else self.value
        goal = value + by
        if self.low is not None:
            goal = max(goal, min(self.low, value))
        if self.high is not None:
            goal = min(goal, max(self.high, value))
        self._set(goal)

    def _set(self, value: int | None) -> None:
        if self.full and value == self.start:
            value = None
        if value != self.value:
            self.value = value
            self.on_change(value)

    def draw(self, surface: pygame.Surface, look: Look) -> None:
        self.box(surface, look)
        text = self.shown or ("" if self.value is None else plain(self.value))
        high = self.rect.height
        self.write(surface, look, text, self.rect.inflate(-2 * high, 0), centred=True)
        ink, arm, line = look.colour("quiet"), look.px(4), look.px(2)
        for x, plus in ((self.rect.left + high // 2, False), (self.rect.right - high // 2, True)):
            y = self.rect.centery
            pygame.draw.line(surface, ink, (x - arm, y), (x + arm, y), line)
            if plus:
                pygame.draw.line(surface, ink, (x, y - arm), (x, y + arm), line)


class ChoiceField(Pressable):
    """One out of several: left and right take the next, Enter or a click lists them all."""

    def __init__(
        self,
        key: str,
        value: str,
        options: Sequence[str],
        on_change: Callable[[str], None],
        on_list: Callable[[], None],
        *,
        names: Sequence[str] = (),
        wrong: bool = False,
        quiet: str = "",
        tip: Tip | None = None,
    ) -> None:
        super().__init__(on_list, key=key, tip=tip)
        self.value, self.options, self.on_change = value, list(options), on_change
        self.names = dict(zip(options, names or options, strict=True))
        self.wrong, self.quiet = wrong, quiet

    def measure(self, look: Look, width: int) -> tuple[int, int]:
        return (min(width, look.px(LEAST)), look.font("text").get_linesize() + look.px(10))

    def handle(self, event: pygame.event.Event) -> bool:
        plain = event.type == pygame.KEYDOWN and not event.mod & (pygame.KMOD_CTRL | pygame.KMOD_ALT)
        if plain and event.key in (pygame.K_LEFT, pygame.K_RIGHT) and self.options:
            by = 1 if event.key == pygame.K_RIGHT else -1
            here = self.options.index(self.value) if self.value in self.options else (-1 if by > 0 else 0)
            self.value = self.options[(here + by) % len(self.options)]
            self.on_change(self.value)
            return True
        return super().handle(event)

    def draw(self, surface: pygame.Surface, look: Look) -> None:
        edge = "coral" if self.wrong else "gold" if self.focused else "faint" if self.hovered else "hairline"
        look.panel(surface, self.rect, fill="button", edge=edge, radius=6)
        font = look.font("text")
        text = self.names.get(self.value, self.value)
        room = self.rect.width - look.px(30)
        image = rendered(font, shortened(font, text or self.quiet, room), look.colour("bright" if text else "faint"))
        surface.blit(image, image.get_rect(midleft=(self.rect.left + look.px(8), self.rect.centery)))
        x, y, arm = self.rect.right - look.px(12), self.rect.centery, look.px(4)
        points = [(x - arm, y - arm // 2), (x, y + arm // 2), (x + arm, y - arm // 2)]
        pygame.draw.lines(surface, look.colour("quiet"), False, points, look.px(2))


class Mark(Pressable):
    """A small button that is only a sign: `back` to what was, or `away` with it."""

    def __init__(self, sign: str, on_press: Callable[[], None], *, key: str, tip: Tip) -> None:
        super().__init__(on_press, key=key, tip=tip)
        self.sign = sign

    def measure(self, look: Look, width: int) -> tuple[int, int]:
        return (look.px(24), look.px(24))

    def draw(self, surface: pygame.Surface, look: Look) -> None:
        if self.hovered or self.focused:
            self.plate(surface, look, radius=6)
        ink, (x, y), arm, line = look.colour("quiet"), self.rect.center, look.px(4), look.px(2)
        if self.sign == "away":
            pygame.draw.line(surface, ink, (x - arm, y - arm), (x + arm, y + arm), line)
            pygame.draw.line(surface, ink, (x - arm, y + arm), (x + arm, y - arm), line)
            return
        picture = icon("back", look.px(16), look.colour("gold")[:3])
        if picture is not None:
            surface.blit(picture, picture.get_rect(center=(x, y)))


def types(widget: Widget | None) -> bool:
    """Whether letters and digits belong to a widget while it has the focus."""
    return isinstance(widget, Field) and widget.typed


__all__ = [
    "PRESS_KEYS",
    "VARIOUS",
    "ChoiceField",
    "Field",
    "Mark",
    "Memory",
    "NumberField",
    "types",
]
