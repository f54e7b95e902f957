"""Fields to fill in: a line of text, a figure to step or type, and a choice out of several."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence

import pygame

from game.view.minis import icon
from game.widgets.controls import PRESS_KEYS, Pressable, draw_wedge
from game.widgets.core import Draggable, Tip, Widget
from game.widgets.text import line, rendered
from game.widgets.theme import Look
from rules.core.dice import plain

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


class Boxed(Widget):
    """A box on a panel; `wrong` ones have a coral edge, `quiet` text is what holds if nothing is said."""

    fill = "night"
    wrong, quiet = False, ""

    def measure(self, look: Look, width: int) -> tuple[int, int]:
        return (min(width, look.px(LEAST)), look.font("text").get_linesize() + look.px(10))

    def box(self, surface: pygame.Surface, look: Look) -> None:
        edge = "coral" if self.wrong else "gold" if self.focused else "faint" if self.hovered else "hairline"
        look.panel(surface, self.rect, fill=self.fill, edge=edge, radius=6)

    def write(
        self, surface: pygame.Surface, look: Look, text: str, rect: pygame.Rect, *, centred: bool = False
    ) -> None:
        """The value, or what holds without one, into a part of the box."""
        image = line(look, text or self.quiet, "text", "bright" if text else "faint", rect.width)
        surface.blit(image, image.get_rect(center=rect.center) if centred else image.get_rect(midleft=rect.midleft))


class Field(Boxed):
    """A box to which letters and digits belong while it has the focus."""

    focusable = True

    def __init__(
        self, key: str, memory: Memory, *, wrong: bool = False, quiet: str = "", tip: Tip | None = None
    ) -> None:
        super().__init__(key=key, tip=tip)
        self.memory, self.wrong, self.quiet = memory, wrong, quiet


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
        self._set(goal if self.high is None else min(goal, max(self.high, value)))

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
        ink, arm, thick = look.colour("quiet"), look.px(4), look.px(2)
        minus, plus, y = self.rect.left + high // 2, self.rect.right - high // 2, self.rect.centery
        pygame.draw.line(surface, ink, (minus - arm, y), (minus + arm, y), thick)
        pygame.draw.line(surface, ink, (plus - arm, y), (plus + arm, y), thick)
        pygame.draw.line(surface, ink, (plus, y - arm), (plus, y + arm), thick)


class ChoiceField(Boxed, Pressable):
    """One out of several: left and right take the next, Enter or a click lists them all."""

    fill = "button"

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
        self.box(surface, look)
        room = pygame.Rect(self.rect.left + look.px(8), self.rect.top, self.rect.width - look.px(30), self.rect.height)
        self.write(surface, look, self.names.get(self.value, self.value), room)
        draw_wedge(surface, look, (self.rect.right - look.px(12), self.rect.centery))


class Mark(Pressable):
    """A small button that is only a sign: `back` to what was, or `away` with it."""

    square, radius = 24, 6

    def __init__(self, sign: str, on_press: Callable[[], None], *, key: str, tip: Tip) -> None:
        super().__init__(on_press, key=key, tip=tip)
        self.sign = sign

    def draw(self, surface: pygame.Surface, look: Look) -> None:
        if self.hovered or self.focused:
            self.plate(surface, look)
        ink, (x, y), arm, thick = look.colour("quiet"), self.rect.center, look.px(4), look.px(2)
        if self.sign == "away":
            pygame.draw.line(surface, ink, (x - arm, y - arm), (x + arm, y + arm), thick)
            pygame.draw.line(surface, ink, (x - arm, y + arm), (x + arm, y - arm), thick)
        elif (picture := icon("back", look.px(16), look.colour("gold")[:3])) is not None:
            surface.blit(picture, picture.get_rect(center=(x, y)))


def types(widget: Widget | None) -> bool:
    """Whether letters and digits belong to a widget while it has the focus."""
    return isinstance(widget, Field)


__all__ = ["PRESS_KEYS", "VARIOUS", "ChoiceField", "Field", "Mark", "Memory", "NumberField", "types"]


AT_ONCE = 400
"""Milliseconds between clicks that count together: two take a word, three the line."""
NEAR = 4
"""Pixels that such clicks may lie apart."""
CHORDS = {pygame.K_a: "all", pygame.K_c: "copy", pygame.K_INSERT: "copy", pygame.K_x: "cut", pygame.K_v: "paste"}
"""What a key does with Ctrl."""


class TextField(Field, Draggable):
    """A line of text with a caret."""

    def __init__(
        self,
        key: str,
        value: str,
        on_change: Callable[[str], None],
        memory: Memory,
        *,
        wrong: bool = False,
        quiet: str = "",
        tip: Tip | None = None,
        most: int = 400,
        on_enter: Callable[[], None] | None = None,
        letters: Callable[[str], bool] = str.isprintable,
    ) -> None:
        super().__init__(key, memory, wrong=wrong, quiet=quiet, tip=tip)
        self.value, self.on_change, self.most, self.on_enter = value, on_change, most, on_enter
        self.letters = letters
        """Which may be written."""
        self._look: Look | None = None

    # -- caret and selection

    @property
    def caret(self) -> int:
        return max(0, min(self.memory.carets.get(self.key, len(self.value)), len(self.value)))

    @caret.setter
    def caret(self, place: int) -> None:
        self.memory.carets[self.key] = max(0, min(place, len(self.value)))

    @property
    def selection(self) -> tuple[int, int]:
        """Where it begins and ends; both at the caret where nothing is selected."""
        mark = max(0, min(self.memory.marks.get(self.key, self.caret), len(self.value)))
        return min(mark, self.caret), max(mark, self.caret)

    @property
    def selected(self) -> str:
        """What is selected; empty if nothing is."""
        first, last = self.selection
        return self.value[first:last]

    def select(self, first: int, last: int) -> None:
        """Select from one place to another, where the caret then stands."""
        self.memory.marks[self.key] = first
        self.caret = last

    def _go(self, place: int, *, select: bool) -> None:
        """Move the caret; what lies between is selected, or nothing is any more."""
        if select:
            self.memory.marks.setdefault(self.key, self.caret)
        else:
            self.memory.marks.pop(self.key, None)
        self.caret = place

    # -- events

    def wants(self, event: pygame.event.Event) -> bool:
        if event.type != pygame.KEYDOWN:
            return False
        if _ctrl(event):
            return event.key in CHORDS or event.key in MOVES or event.key in (pygame.K_BACKSPACE, pygame.K_DELETE)
        return event.key in MOVES or bool(
            event.mod & pygame.KMOD_SHIFT and event.key in (pygame.K_INSERT, pygame.K_DELETE)
        )

    def handle(self, event: pygame.event.Event) -> bool:
        if event.type in (pygame.MOUSEBUTTONDOWN, pygame.MOUSEMOTION, pygame.MOUSEBUTTONUP):
            return super().handle(event)
        if event.type != pygame.KEYDOWN:
            return False
        shift = bool(event.mod & pygame.KMOD_SHIFT)
        if event.key in MOVES:
            self._move(event.key, words=_ctrl(event), select=shift)
        elif _ctrl(event):
            return self._chord(event.key)
        elif shift and event.key == pygame.K_INSERT:
            self.paste()
        elif shift and event.key == pygame.K_DELETE:
            self.cut()
        elif event.key in (pygame.K_BACKSPACE, pygame.K_DELETE):
            self._erase(-1 if event.key == pygame.K_BACKSPACE else 1)
        elif event.key in (pygame.K_RETURN, pygame.K_KP_ENTER) and self.on_enter is not None:
            self.on_enter()
        elif event.unicode and event.unicode.isprintable():
            self._insert(event.unicode)
        else:
            return False
        return True

    def _move(self, key: int, *, words: bool, select: bool) -> None:
        first, last = self.selection
        if key in (pygame.K_HOME, pygame.K_END):
            self._go(0 if key == pygame.K_HOME else len(self.value), select=select)
        elif first != last and not select and not words:
            self._go(first if key == pygame.K_LEFT else last, select=False)
        else:
            by = -1 if key == pygame.K_LEFT else 1
            self._go(word_end(self.value, self.caret, by) if words else self.caret + by, select=select)

    def _chord(self, key: int) -> bool:
        if key in (pygame.K_BACKSPACE, pygame.K_DELETE):
            by = -1 if key == pygame.K_BACKSPACE else 1
            if not self.selected:
                self.select(self.caret, word_end(self.value, self.caret, by))
            self._erase(by)
            return True
        if key not in CHORDS:
            return False
        {"all": self.select_all, "copy": self.copy, "cut": self.cut, "paste": self.paste}[CHORDS[key]]()
        return True

    # -- the clipboard

    def select_all(self) -> None:
        self.select(0, len(self.value))

    def copy(self) -> bool:
        """What is selected into the clipboard; False where nothing is, or the system has no clipboard."""
        if not self.selected:
            return False
        try:
            pygame.scrap.put_text(self.selected)
        except pygame.error:
            return False
        return True

    def cut(self) -> None:
        if self.copy():
            self._erase(-1)

    def paste(self) -> None:
        with contextlib.suppress(pygame.error):  # a system without a clipboard has nothing to paste
            self._insert("".join(filter(str.isprintable, pygame.scrap.get_text().replace("\n", " "))))

    # -- writing

    def write_in(self, text: str, instead: str) -> bool:
        start = self.caret - len(instead)
        if start < 0 or self.value[start : self.caret] != instead:
            return False  # its key was a command, not a letter
        first, last = self.selection
        if first != last and not instead:
            start = first
        fresh = "".join(filter(self.letters, text))[: self.most - len(self.value) + last - start]
        self._set(self.value[:start] + fresh + self.value[last:], start + len(fresh))
        return True

    def _insert(self, text: str) -> None:
        first, last = self.selection
        text = "".join(filter(self.letters, text))[: self.most - len(self.value) + last - first]
        if text:
            self._set(self.value[:first] + text + self.value[last:], first + len(text))

    def _erase(self, by: int) -> None:
        """What is selected, else the letter before the caret (-1) or behind it (1)."""
        first, last = self.selection
        if first == last:
            first, last = max(0, min(first, first + by)), max(last, last + by)
        if self.value[first:last]:
            self._set(self.value[:first] + self.value[last:], first)

    def _set(self, value: str, caret: int) -> None:
        self.value = value
        self._go(caret, select=False)
        self.on_change(value)

    # -- the mouse

    def drag(self, event: pygame.event.Event) -> None:
        """A click puts the caret, two take the word, three the line; with Shift it reaches from where it was."""
        x, now = event.pos[0], pygame.time.get_ticks()
        place = self._place(x)
        if event.type == pygame.MOUSEMOTION:
            self._go(place, select=True)
            return
        key, at, when, count = self.memory.clicks
        again = key == self.key and abs(at - x) <= NEAR and now - when <= AT_ONCE
        count = count % 3 + 1 if again else 1
        self.memory.clicks = (self.key, x, now, count)
        self.held = count == 1
        if count == 2:
            self.select(*word_at(self.value, place))
        elif count == 3:
            self.select_all()
        else:
            shift = getattr(event, "mod", 0) & pygame.KMOD_SHIFT
            self._go(place, select=bool(shift and self.focused))

    def _place(self, x: int) -> int:
        """The place between letters that is nearest to a pixel."""
        if self._look is None:
            return self.caret
        font = self._look.font("text")
        want = x - self.rect.left - self._look.px(8) + self.memory.lefts.get(self.key, 0)
        widths = [abs(font.size(self.value[:n])[0] - want) for n in range(len(self.value) + 1)]
        return widths.index(min(widths))

    # -- drawing

    def draw(self, surface: pygame.Surface, look: Look) -> None:
        self._look = look
        self.box(surface, look)
        inner = self.rect.inflate(-2 * look.px(8), 0)
        if not self.focused:
            self.memory.lefts.pop(self.key, None)
            self.write(surface, look, self.value, inner)
            return
        font = look.font("text")
        caret = font.size(self.value[: self.caret])[0]
        left = self.memory.lefts.get(self.key, 0)
        most = max(0, font.size(self.value)[0] + look.px(2) - inner.width)
        left = self.memory.lefts[self.key] = max(0, min(left, caret, most), caret - inner.width + look.px(2))
        before = surface.get_clip()
        surface.set_clip(inner.clip(before))
        first, last = self.selection
        if first != last:
            start, end = font.size(self.value[:first])[0], font.size(self.value[:last])[0]
            band = pygame.Rect(inner.left - left + start, 0, end - start, font.get_linesize() + look.px(2))
            band.centery = inner.centery
            look.panel(surface, band, fill="golddeep", edge="gold", radius=3)
        image = rendered(font, self.value or self.quiet, look.colour("bright" if self.value else "faint"))
        surface.blit(image, image.get_rect(midleft=(inner.left - left, inner.centery)))
        stroke = pygame.Rect(inner.left - left + caret, 0, look.px(1), font.get_height())
        stroke.centery = inner.centery
        surface.set_clip(inner.inflate(look.px(4), 0).clip(before))
        surface.fill(look.colour("gold")[:3], stroke)
        surface.set_clip(before)


MOVES = (pygame.K_LEFT, pygame.K_RIGHT, pygame.K_HOME, pygame.K_END)


def _ctrl(event: pygame.event.Event) -> bool:
    """Whether Ctrl makes a key a command; with Alt, too, it is how some keyboards write a letter."""
    return bool(event.mod & pygame.KMOD_CTRL) and not event.mod & pygame.KMOD_ALT


def word_end(text: str, place: int, by: int) -> int:
    """Where the next word ends (1) or the one before begins (-1), from a place between letters."""
    for inside in (False, True):
        while by > 0 and place < len(text) and text[place].isalnum() == inside:
            place += 1
        while by < 0 and place > 0 and text[place - 1].isalnum() == inside:
            place -= 1
    return place


def word_at(text: str, place: int) -> tuple[int, int]:
    """The word about a place, or the run of other signs."""
    if not text:
        return 0, 0
    kind = text[min(place, len(text) - 1)].isalnum()
    if not kind and place > 0 and text[place - 1].isalnum():
        kind, place = True, place - 1
    first = last = min(place, len(text) - 1)
    while first > 0 and text[first - 1].isalnum() == kind:
        first -= 1
    while last < len(text) and text[last].isalnum() == kind:
        last += 1
    return first, last
