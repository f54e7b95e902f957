"""What every widget is, and rows, columns and scroll areas that hold them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import accumulate, pairwise
from typing import TypeVar

import pygame

from game.app.i18n import t
from game.widgets.theme import Look


@dataclass(frozen=True)
class Tip:
    """What a tooltip says; `rule` is shown small at its foot. `over`: it stands above what it tells of."""

    text: str
    title: str = ""
    rule: str = ""
    over: bool = False

    def __post_init__(self) -> None:
        for name in ("text", "title"):
            object.__setattr__(self, name, t(getattr(self, name)))


class Widget:
    """A rectangle that measures itself, is placed, draws and may answer events.

    `key` names it across rebuilds, so that the focus stays where it was.
    """

    focusable = False
    lands = False
    """The focus comes here first when keys bring it to the panel."""
    restless = False
    """It may look otherwise in the next frame though nothing was done and nothing of its scene changed."""
    square: float = 0
    """Of the square (at 100 %) that it wants where it doesn't measure itself otherwise."""

    def __init__(self, *, key: str = "", tip: Tip | None = None) -> None:
        self.rect = pygame.Rect(0, 0, 0, 0)
        self.key = key
        self.tip = tip
        self.enabled = True
        self.hovered = False
        self.focused = False
        self.grow = 0
        """Share of the free length that a row or column gives it."""
        self.yields = False
        """In a row it is content with what the others leave."""

    @property
    def stops(self) -> bool:
        """Whether Tab comes to it."""
        return self.focusable and self.enabled

    def children(self) -> Sequence[Widget]:
        return ()

    def measure(self, look: Look, width: int) -> tuple[int, int]:
        """The size it wants (pixels) when at most `width` wide."""
        return (look.px(self.square), look.px(self.square))

    def place(self, look: Look, rect: pygame.Rect) -> None:
        self.rect = pygame.Rect(rect)

    def draw(self, surface: pygame.Surface, look: Look) -> None:
        for child in self.children():
            child.draw(surface, look)

    def handle(self, event: pygame.event.Event) -> bool:
        """Answer a mouse event inside it, or a key while it has the focus; True if it did."""
        return False

    def wants(self, event: pygame.event.Event) -> bool:
        """Whether a key is its own while it has the focus, whatever command that key gives at other times."""
        return False

    def write_in(self, text: str, instead: str) -> bool:
        """Take text while it has the focus, in place of what was written just now (empty: nothing); True if it did."""
        return False

    def tip_at(self, pos: tuple[int, int]) -> Tip | None:
        return self.tip

    def tip_focused(self) -> Tip | None:
        """What is told of it where keys brought the focus to it."""
        return self.tip_at(self.rect.center)

    def walk(self) -> Iterable[Widget]:
        yield self
        for child in self.children():
            yield from child.walk()

    def at(self, pos: tuple[int, int]) -> Widget | None:
        """The innermost widget under a point."""
        if not self.rect.collidepoint(pos):
            return None
        return next((found for child in reversed(self.children()) if (found := child.at(pos)) is not None), self)


class Draggable(Widget):
    """Something that a press takes hold of, and that hears of the pointer until the button is let go."""

    held = False

    def handle(self, event: pygame.event.Event) -> bool:
        if event.type == pygame.MOUSEBUTTONUP:
            held, self.held = self.held, False
            return held
        if event.type == pygame.MOUSEBUTTONDOWN and event.button == 1:
            self.held = True
        elif event.type != pygame.MOUSEMOTION or not self.held:
            return False
        self.drag(event)
        return True

    def drag(self, event: pygame.event.Event) -> None:
        """It was pressed, or the pointer has moved since."""


Grown = TypeVar("Grown", bound=Widget)
Lines = list[list[tuple[Widget, tuple[int, int]]]]
"""Rows of widgets with the sizes that they want."""


def grown(widget: Grown) -> Grown:
    """The widget, which takes what length is free in its row or column."""
    widget.grow = 1
    return widget


class Layout:
    """One placing of a panel: no widget changes meanwhile, so what a box measures for a width holds until its end."""

    current: Layout | None = None

    def __init__(self) -> None:
        self.lines: dict[tuple[Box, int], Lines] = {}

    @classmethod
    def place(cls, panel: Widget, look: Look, rect: pygame.Rect) -> None:
        """Place a panel; a box in boxes in boxes would be measured anew by each of them else."""
        before, cls.current = cls.current, cls()
        try:
            panel.place(look, rect)
        finally:
            cls.current = before


class Box(Widget):
    """A row or a column of widgets, with an optional plate behind it.

    In a column they are as wide as it is unless aligned otherwise; with `wrap` a row breaks into lines.
    """

    def __init__(
        self,
        *content: Widget,
        across: bool = False,
        gap: float = 8,
        pad: float = 0,
        plate: str = "",
        edge: str = "hairline",
        align: str = "start",
        key: str = "",
        tip: Tip | None = None,
        wrap: bool = False,
    ) -> None:
        super().__init__(key=key, tip=tip)
        self.content = list(content)
        self.across = across
        self.gap = gap
        self.pad = pad
        self.plate = plate
        self.edge = edge
        self.align = align
        """Across the run: `start`, `centre`, `end` or `stretch`."""
        self.wrap = wrap

    def children(self) -> Sequence[Widget]:
        return self.content

    def measure(self, look: Look, width: int) -> tuple[int, int]:
        gap, pad = look.px(self.gap), look.px(self.pad)
        lines = self._lines(look, width - 2 * pad)
        wide = max((sum(w for _, (w, _) in line) + gap * (len(line) - 1) for line in lines), default=0)
        high = sum(max(h for _, (_, h) in line) for line in lines) + gap * max(0, len(lines) - 1)
        return (wide + 2 * pad, high + 2 * pad)

    def _lines(self, look: Look, inner: int) -> Lines:
        """Its rows, each with the sizes that its widgets want: of a column each is a row of its own."""
        if (layout := Layout.current) is None:
            return self._measured(look, inner)
        if (found := layout.lines.get((self, inner))) is None:
            found = layout.lines[self, inner] = self._measured(look, inner)
        return found

    def _measured(self, look: Look, inner: int) -> Lines:
        gap, used = look.px(self.gap), 0
        if not self.across:
            return [[(child, child.measure(look, inner))] for child in self.content]
        if not self.wrap:
            sizes: dict[Widget, tuple[int, int]] = {}
            for child in sorted(self.content, key=lambda child: child.yields):
                sizes[child] = child.measure(look, max(1, inner - used))
                used += sizes[child][0] + gap
            return [[(child, sizes[child]) for child in self.content]] if self.content else []
        lines: Lines = [[]]
        for child in self.content:
            size = child.measure(look, inner)
            if lines[-1] and used + size[0] > inner:
                lines.append([])
                used = 0
            lines[-1].append((child, size))
            used += size[0] + gap
        return [line for line in lines if line]

    def place(self, look: Look, rect: pygame.Rect) -> None:
        self.rect = pygame.Rect(rect)
        pad = look.px(self.pad)
        inner = self.rect.inflate(-2 * pad, -2 * pad)
        if not self.across:
            self._place_column(look, inner)
            return
        top = inner.top
        for line in self._lines(look, inner.width):
            high = max(h for _, (_, h) in line) if self.wrap else inner.height
            self._place_row(look, line, pygame.Rect(inner.left, top, inner.width, high))
            top += high + look.px(self.gap)

    def _place_row(self, look: Look, line: list[tuple[Widget, tuple[int, int]]], box: pygame.Rect) -> None:
        gap = look.px(self.gap)
        spare = box.width - sum(w for _, (w, _) in line) - gap * (len(line) - 1)
        shares = sum(child.grow for child, _ in line)
        x = box.left
        for child, (wide, high) in line:
            if shares and child.grow:
                wide += max(0, spare) * child.grow // shares
            high = box.height if self.align == "stretch" else min(high, box.height)
            y = box.top + {"centre": (box.height - high) // 2, "end": box.height - high}.get(self.align, 0)
            child.place(look, pygame.Rect(x, y, wide, high))
            x += wide + gap

    def _place_column(self, look: Look, box: pygame.Rect) -> None:
        gap = look.px(self.gap)
        sizes = [found for line in self._lines(look, box.width) for found in line]
        spare = box.height - sum(h for _, (_, h) in sizes) - gap * max(0, len(sizes) - 1)
        shares = sum(child.grow for child, _ in sizes)
        y = box.top
        for child, (wide, high) in sizes:
            if shares and child.grow:
                high += spare * child.grow // shares
            wide = box.width if self.align in ("start", "stretch") else min(wide, box.width)
            x = box.left + {"centre": (box.width - wide) // 2, "end": box.width - wide}.get(self.align, 0)
            child.place(look, pygame.Rect(x, y, wide, max(0, high)))
            y += high + gap

    def draw(self, surface: pygame.Surface, look: Look) -> None:
        if self.plate:
            look.panel(surface, self.rect, fill=self.plate, edge=self.edge)
        super().draw(surface, look)


column = Box
"""Widgets below each other."""
row = partial(Box, across=True, align="centre")
"""Widgets beside each other."""


class Space(Widget):
    """Emptiness: fixed, or growing."""

    def __init__(self, width: float = 0, height: float = 0, *, grow: int = 0) -> None:
        super().__init__()
        self.size = (width, height)
        self.grow = grow

    def measure(self, look: Look, width: int) -> tuple[int, int]:
        return (look.px(self.size[0]), look.px(self.size[1]))


class Sized(Widget):
    """A widget held to a width and height (at 100 %; None = as it likes)."""

    def __init__(self, child: Widget, width: float | None = None, height: float | None = None) -> None:
        super().__init__(key=child.key)
        self.child = child
        self.size = (width, height)

    def children(self) -> Sequence[Widget]:
        return (self.child,)

    def measure(self, look: Look, width: int) -> tuple[int, int]:
        wide = width if self.size[0] is None else min(width, look.px(self.size[0]))
        own = self.child.measure(look, wide)
        return (own[0] if self.size[0] is None else wide, own[1] if self.size[1] is None else look.px(self.size[1]))

    def place(self, look: Look, rect: pygame.Rect) -> None:
        self.rect = pygame.Rect(rect)
        self.child.place(look, rect)


class Split(Widget):
    """Widgets beside each other, each with its share of the width whatever it holds, all as high as the highest."""

    def __init__(self, *content: tuple[Widget, float], gap: float = 8) -> None:
        super().__init__()
        self.content = content
        self.gap = gap

    def children(self) -> Sequence[Widget]:
        return [child for child, _ in self.content]

    def _spans(self, look: Look, width: int) -> list[tuple[int, int]]:
        """Where each begins, and how wide it is."""
        gap, total = look.px(self.gap), sum(share for _, share in self.content)
        room = width - gap * (len(self.content) - 1)
        before = accumulate((share for _, share in self.content), initial=0.0)
        ends = pairwise(round(room * shares / total) for shares in before)
        return [(left + gap * number, right - left) for number, (left, right) in enumerate(ends)]

    def measure(self, look: Look, width: int) -> tuple[int, int]:
        spans = self._spans(look, width)
        sizes = [child.measure(look, wide) for (child, _), (_, wide) in zip(self.content, spans, strict=True)]
        return (width, max((high for _, high in sizes), default=0))

    def place(self, look: Look, rect: pygame.Rect) -> None:
        self.rect = pygame.Rect(rect)
        for (child, _), (left, wide) in zip(self.content, self._spans(look, rect.width), strict=True):
            child.place(look, pygame.Rect(rect.left + left, rect.top, wide, rect.height))


FOCUS_RING = 4
"""Pixels at 100 % that the ring of a focus takes around a widget."""


class Scroll(Widget):
    """A window on something taller; wheel, and a slim bar that shows where one is. `offset` is in pixels."""

    def __init__(self, child: Widget, *, height: float | None = None, key: str = "", steady: bool = False) -> None:
        super().__init__(key=key)
        self.child = child
        self.height = height
        self.steady = steady
        """As high as `height` however little there is, so that nothing moves while it changes."""
        self.offset = 0
        self.total = 0
        self.on_scroll: Callable[[int], None] | None = None
        self._look: Look | None = None

    def children(self) -> Sequence[Widget]:
        return (self.child,)

    def measure(self, look: Look, width: int) -> tuple[int, int]:
        wide, high = self.child.measure(look, width - look.px(8))
        if self.height is not None:
            high = look.px(self.height) if self.steady else min(high, look.px(self.height))
        return (wide + look.px(8), high)

    def place(self, look: Look, rect: pygame.Rect) -> None:
        self.rect = pygame.Rect(rect)
        self._look = look
        inner = self.rect.width - look.px(8)
        self.total = self.child.measure(look, inner)[1]
        self.offset = max(0, min(self.offset, self.total - self.rect.height))
        self.child.place(look, pygame.Rect(rect.left, rect.top - self.offset, inner, max(self.total, rect.height)))

    def scroll(self, pixels: int) -> bool:
        """Move by so many pixels; False at the end."""
        goal = max(0, min(self.offset + pixels, self.total - self.rect.height))
        if goal == self.offset or self._look is None:
            return False
        self.offset = goal
        Layout.place(self, self._look, self.rect)
        if self.on_scroll:
            self.on_scroll(goal)
        return True

    def show(self, widget: Widget) -> None:
        """Scroll until a widget inside is seen, with the ring that it has as the focus."""
        ring = self._look.px(FOCUS_RING) if self._look is not None else 0
        if (above := widget.rect.top - ring - self.rect.top) < 0:
            self.scroll(above)
        elif (below := widget.rect.bottom + ring - self.rect.bottom) > 0:
            self.scroll(below)

    def handle(self, event: pygame.event.Event) -> bool:
        if event.type == pygame.MOUSEWHEEL and self._look is not None:
            self.scroll(-event.y * self._look.px(48))
            return True
        return False

    def draw(self, surface: pygame.Surface, look: Look) -> None:
        before, ring = surface.get_clip(), look.px(FOCUS_RING)  # which is seen where nothing is scrolled away
        above = 0 if self.offset else ring
        below = 0 if self.offset < self.total - self.rect.height else ring
        shown = self.rect.inflate(2 * ring, above + below)
        shown.top = self.rect.top - above
        surface.set_clip(shown.clip(before))
        self.child.draw(surface, look)
        surface.set_clip(before)
        draw_bar(surface, look, self.rect, self.total, self.offset)


def draw_bar(
    surface: pygame.Surface, look: Look, rect: pygame.Rect, total: int, offset: int, *, colour: str = "faint"
) -> None:
    """The slim bar of an area in which `offset` pixels of a `total` are scrolled away; none where all is seen."""
    if total > rect.height > 0:
        high = max(look.px(20), rect.height * rect.height // total)
        top = rect.top + (rect.height - high) * offset // (total - rect.height)
        bar = pygame.Rect(rect.right - look.px(4), top, look.px(4), high)
        pygame.draw.rect(surface, look.colour(colour), bar, 0, look.px(2))
