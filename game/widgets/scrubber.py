"""A line of time: where one is, where turns begin, and marks of what happened; clicked, dragged or moved by keys."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from typing import NamedTuple

import pygame

from game.widgets.core import Tip, Widget
from game.widgets.theme import Look

NEAR = 7
"""Pixels (at 100 %) from a mark at which the pointer means it."""


class Pip(NamedTuple):
    """A mark over (`above`) or under the line: its shape by `kind`, filled or hollow."""

    at: int
    kind: str
    """`hit` (a dot), `critical` (a star) or `fall` (a cross)."""
    colour: tuple[int, int, int]
    above: bool
    filled: bool
    text: str


class Scrubber(Widget):
    """Frames from `first` to `last`; `value` is where one is. Arrows step, Home and End go to the ends."""

    focusable = True

    def __init__(
        self,
        ends: tuple[int, int],
        at: int,
        on_change: Callable[[int], None],
        *,
        ticks: Sequence[tuple[int, str]] = (),
        pips: Sequence[Pip] = (),
        tell: Callable[[int], str] | None = None,
        key: str = "scrubber",
    ) -> None:
        super().__init__(key=key)
        self.first, self.last = ends
        self.value = at
        self.on_change = on_change
        self.ticks = ticks
        """(frame, words) where a turn begins."""
        self.pips = sorted(pips, key=lambda pip: pip.at)
        self.tell = tell
        """What a frame is called, for the tooltip."""
        self._track = pygame.Rect(0, 0, 1, 1)
        self._scale = 1.0
        self._dragging = False

    def measure(self, look: Look, width: int) -> tuple[int, int]:
        return (width, look.px(62))

    def place(self, look: Look, rect: pygame.Rect) -> None:
        super().place(look, rect)
        self._scale = look.scale
        self._track = pygame.Rect(rect.left + look.px(10), rect.top + look.px(22), rect.width - look.px(20), look.px(6))

    def x_of(self, frame: int) -> int:
        """The pixel column of a frame."""
        span = max(1, self.last - self.first)
        return self._track.left + (frame - self.first) * self._track.width // span

    def spot(self, frame: int) -> tuple[int, int]:
        """Where one clicks for a frame."""
        return (self.x_of(frame), self._track.centery)

    def spot_of(self, pip: Pip) -> tuple[int, int]:
        """Where a mark is drawn and clicked."""
        track = self._track
        away = round(10 * self._scale)
        return (self.x_of(pip.at), track.top - away if pip.above else track.bottom + away)

    def _frame(self, x: int) -> int:
        span = self.last - self.first
        share = (x - self._track.left) / max(1, self._track.width)
        return self.first + max(0, min(span, round(share * span)))

    def handle(self, event: pygame.event.Event) -> bool:
        if event.type == pygame.MOUSEBUTTONDOWN and event.button == 1:
            self._dragging = True
            pip = self._pip(event.pos)
            self._go(pip.at if pip is not None else self._frame(event.pos[0]))
            return True
        if event.type == pygame.MOUSEMOTION and self._dragging:
            self._go(self._frame(event.pos[0]))
            return True
        if event.type == pygame.MOUSEBUTTONUP and self._dragging:
            self._dragging = False
            return True
        return False

    def _go(self, frame: int) -> None:
        if frame != self.value:
            self.value = frame
            self.on_change(frame)

    def _pip(self, pos: tuple[int, int]) -> Pip | None:
        """The mark under the pointer."""
        near = round(NEAR * self._scale)
        above = pos[1] < self._track.top
        if self._track.inflate(0, 4).collidepoint(pos):
            return None
        first = bisect_left(self.pips, self._frame(pos[0] - near), key=lambda pip: pip.at)
        last = bisect_right(self.pips, self._frame(pos[0] + near) + 1, key=lambda pip: pip.at)
        found = [p for p in self.pips[first:last] if p.above == above and abs(self.x_of(p.at) - pos[0]) <= near]
        return min(found, key=lambda pip: abs(self.x_of(pip.at) - pos[0]), default=None)

    def tip_at(self, pos: tuple[int, int]) -> Tip | None:
        pip = self._pip(pos)
        if pip is not None:
            same = [p.text for p in self.pips if p.at == pip.at]
            return Tip("\n".join(same), self.tell(pip.at) if self.tell else "", over=True)
        return self._tip_of(self._frame(pos[0]))

    def tip_focused(self) -> Tip | None:
        return self._tip_of(self.value)

    def _tip_of(self, frame: int) -> Tip | None:
        """What a frame is called; above the line, as its buttons are below."""
        return Tip(self.tell(frame), over=True) if self.tell else None

    def draw(self, surface: pygame.Surface, look: Look) -> None:
        track, line = self._track, look.px(1)
        if self.focused:
            pygame.draw.rect(surface, look.colour("gold"), self.rect, look.px(2), look.px(8))
        pygame.draw.rect(surface, look.colour("night"), track, 0, look.px(3))
        done = pygame.Rect(track.left, track.top, self.x_of(self.value) - track.left, track.height)
        pygame.draw.rect(surface, look.colour("golddeep"), done, 0, look.px(3))
        pygame.draw.rect(surface, look.colour("faint"), track, line, look.px(3))
        self._draw_ticks(surface, look)
        for pip in self.pips:
            draw_pip(surface, self.spot_of(pip), look.px(6), pip)
        knob = (self.x_of(self.value), track.centery)
        pygame.draw.aacircle(surface, look.colour("gold"), knob, look.px(8))
        pygame.draw.aacircle(surface, look.colour("goldink"), knob, look.px(3))

    def _draw_ticks(self, surface: pygame.Surface, look: Look) -> None:
        font = look.font("small")
        free = self.rect.left
        for frame, words in self.ticks:
            x = self.x_of(frame)
            pygame.draw.line(
                surface,
                look.colour("quiet"),
                (x, self._track.top - look.px(3)),
                (x, self._track.bottom + look.px(3)),
                look.px(1),
            )
            text = font.render(words, True, look.colour("quiet"))
            left = max(self.rect.left, min(x - text.get_width() // 2, self.rect.right - text.get_width()))
            if left >= free:
                surface.blit(text, (left, self.rect.bottom - text.get_height()))
                free = left + text.get_width() + look.px(10)


def draw_pip(surface: pygame.Surface, at: tuple[int, int], size: int, pip: Pip) -> None:
    """One mark: a dot for a hit, a star for a critical one, a cross for a fall."""
    x, y = at
    line = 0 if pip.filled else max(2, size // 3)
    if pip.kind == "hit":
        pygame.draw.circle(surface, pip.colour, at, max(3, size * 4 // 5), line)
    elif pip.kind == "critical":
        r, q = size + 1, size * 2 // 5
        points = [(x, y - r), (x + q, y - q), (x + r, y), (x + q, y + q), (x, y + r), (x - q, y + q), (x - r, y),
                  (x - q, y - q)]  # fmt: skip
        pygame.draw.polygon(surface, pip.colour, points, line)
    else:
        wide = max(2, size * 2 // 5) + (1 if pip.filled else 0)
        for lean in (-1, 1):
            pygame.draw.line(surface, pip.colour, (x - size, y - lean * size), (x + size, y + lean * size), wide)
