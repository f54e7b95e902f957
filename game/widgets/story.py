"""The combat log: appending is O(1), only the lines in sight are laid out and drawn."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

import pygame

from game.app.i18n import t
from game.widgets.controls import PRESS_KEYS, draw_wedge
from game.widgets.core import Tip, Widget, draw_bar
from game.widgets.text import Block, Piece, line
from game.widgets.theme import Look
from rules.contract.text import ntext

LAID = 96
"""Entries whose layout is remembered: some more than a window shows."""


@dataclass
class Entry:
    """A sentence, and the rolls behind it, shown when it is unfolded."""

    pieces: Sequence[Piece]
    details: Sequence[Sequence[Piece]] = ()
    heading: bool = False
    folded: bool = True
    asks: bool = False
    """It has a mark that asks for more about it."""
    by: str = ""
    """Whose deed it tells, where it tells one."""
    series: str = ""
    """Headings of the same series are shown only where something else follows them, or nothing yet."""
    height: int = field(default=0, compare=False)


class Story(Widget):
    """The log's lines. New ones keep the end in sight unless the reader looks at older ones.

    Then a button that says how many are new leads back to the end, and from the end on it follows again.
    """

    focusable = True
    lands = True

    def __init__(self, *, key: str = "story") -> None:
        super().__init__(key=key)
        self.entries: list[Entry] = []
        self._tops: list[int] = []
        self._total = 0
        self._offset = 0
        self._follow = True
        self.unread = 0
        """Lines that have come since the reader left the end."""
        self._laid_for: tuple[int, float] = (0, 0.0)
        self._look: Look | None = None
        self.on_ask: Callable[[int], None] | None = None
        """Hears the number of a line whose mark was clicked."""
        self.ask_tip: Tip | None = None
        self.folds = 0
        """How often a line was folded or unfolded."""
        self.cursor: int | None = None
        """The line picked by keys."""
        self._laid: dict[int, tuple[Entry, bool, tuple[Block, list[Block]]]] = {}

    # -- content

    def append(self, entry: Entry) -> None:
        """Add a line at the end; lays out this line only."""
        self.entries.append(entry)
        self._append_laid(entry)
        if self._follow:
            self._offset = self._bottom()
        else:
            self.unread += 1

    def extend(self, entries: Iterable[Entry]) -> None:
        for entry in entries:
            self.append(entry)

    def clear(self) -> None:
        self.entries.clear()
        self._tops.clear()
        self._total = self._offset = self.unread = 0
        self._follow = True

    def replace(self, number: int, entry: Entry) -> None:
        """Put another line in a line's place, as folded as that was."""
        entry.folded = self.entries[number].folded
        self.entries[number] = entry
        self._relay(number)

    def cut(self, count: int) -> None:
        """Keep only the first `count` lines."""
        if count < len(self.entries):
            self._total = self._tops[count]
            del self.entries[count:], self._tops[count:]
            if count and not self.entries[-1].height:
                self._relay(count - 1)  # a heading that the next one of its series had hidden
            self._offset = min(self._offset, self._bottom())
            self._heed_end()

    def _append_laid(self, entry: Entry) -> None:
        number = len(self._tops)
        above = self.entries[number - 1] if number else None
        if above is not None and entry.series and above.series == entry.series:
            self._total -= above.height
            above.height = 0
        self._tops.append(self._total)
        if self._look is not None:
            entry.height = self._height(entry)
            self._total += entry.height

    def _relay(self, start: int = 0) -> None:
        """Heights again from one entry on (another width or scale, or one was folded)."""
        self._total = self._tops[start] if start < len(self._tops) else 0
        del self._tops[start:]
        for entry in self.entries[start:]:
            self._append_laid(entry)
        self._offset = self._bottom() if self._follow else min(self._offset, self._bottom())

    def _bottom(self) -> int:
        return max(0, self._total - self.rect.height)

    # -- layout

    def measure(self, look: Look, width: int) -> tuple[int, int]:
        return (width, look.px(200))

    def place(self, look: Look, rect: pygame.Rect) -> None:
        super().place(look, rect)
        if look is not self._look:
            self._laid.clear()
        self._look = look
        if self._laid_for != (rect.width, look.scale):
            self._laid_for = (rect.width, look.scale)
            self._laid.clear()
            self._relay()
        self._offset = self._bottom() if self._follow else min(self._offset, self._bottom())
        self._heed_end()

    def _blocks(self, entry: Entry) -> tuple[Block, list[Block]]:
        """The entry laid out; those looked at lately are remembered."""
        assert self._look is not None
        kept = self._laid.get(id(entry))
        if kept is not None and kept[0] is entry and kept[1] == entry.folded:
            return kept[2]
        if len(self._laid) >= LAID:
            del self._laid[next(iter(self._laid))]
        look, width = self._look, self._laid_for[0] - self._look.px(10)
        signs = (0, 18, 32)[bool(entry.details) + bool(entry.asks)]
        story = Block(look, entry.pieces, width - look.px(signs))
        details = [] if entry.folded else [Block(look, d, width - look.px(20)) for d in entry.details]
        self._laid[id(entry)] = (entry, entry.folded, (story, details))
        return story, details

    def _height(self, entry: Entry) -> int:
        assert self._look is not None
        story, details = self._blocks(entry)
        high = story.size[1] + self._look.px(7 if not entry.heading else 9)
        if details:
            high += sum(block.size[1] + self._look.px(3) for block in details) + self._look.px(16)
        return high

    # -- events

    def handle(self, event: pygame.event.Event) -> bool:
        if self._look is None:
            return False
        if event.type == pygame.MOUSEWHEEL:
            self._scroll(-event.y * self._look.px(48))
            return True
        if event.type == pygame.MOUSEBUTTONDOWN and event.button == 1:
            index = self._index(event.pos)
            entry = self.entries[index] if 0 <= index < len(self.entries) else None
            only_asks = entry is not None and entry.asks and not entry.details
            if (newest := self.newest) is not None and newest.collidepoint(event.pos):
                self._scroll(self._total)
            elif self.on_ask is not None and (only_asks or self._on_mark(event.pos)):
                self.on_ask(index)
            else:
                self.toggle(index)
            return True
        if event.type == pygame.KEYDOWN:
            page = self.rect.height - self._look.px(30)
            step = {
                pygame.K_UP: -self._look.px(40),
                pygame.K_DOWN: self._look.px(40),
                pygame.K_PAGEUP: -page,
                pygame.K_PAGEDOWN: page,
                pygame.K_HOME: -self._total,
                pygame.K_END: self._total,
            }.get(event.key)
            if step is None:
                return self._pick(event.key)
            self._scroll(step)
            return True
        return False

    def _pick(self, key: int) -> bool:
        """Left and Right pick a line that has more to it; Enter and Space unfold it, or ask about it."""
        if key in (pygame.K_LEFT, pygame.K_RIGHT):
            lines = [n for n, entry in enumerate(self.entries) if entry.details or entry.asks]
            here = len(self.entries) if self.cursor is None else self.cursor
            after = [n for n in lines if n > here] if key == pygame.K_RIGHT else [n for n in lines if n < here][::-1]
            if after:
                self.cursor = after[0]
                top, bottom = self._tops[after[0]], self._tops[after[0]] + self.entries[after[0]].height
                self._scroll(min(0, top - self._offset) + max(0, bottom - self._offset - self.rect.height))
            return True
        if key not in PRESS_KEYS or self.cursor is None or self.cursor >= len(self.entries):
            return False
        if self.entries[self.cursor].details:
            self.toggle(self.cursor)
        elif self.on_ask is not None:
            self.on_ask(self.cursor)
        return True

    def _index(self, pos: tuple[int, int]) -> int:
        return bisect_right(self._tops, pos[1] - self.rect.top + self._offset) - 1

    def mark(self, index: int) -> pygame.Rect:
        """Where the mark of a line is, in the window."""
        assert self._look is not None
        entry, look = self.entries[index], self._look
        top = self.rect.top + self._tops[index] - self._offset + look.px(1)
        right = self.rect.right - look.px(6 if not entry.details or not entry.folded else 22)
        return pygame.Rect(right - look.px(15), top, look.px(15), look.px(15))

    def _on_mark(self, pos: tuple[int, int]) -> bool:
        index = self._index(pos)
        return 0 <= index < len(self.entries) and self.entries[index].asks and self.mark(index).collidepoint(pos)

    def tip_at(self, pos: tuple[int, int]) -> Tip | None:
        if self._look is None or not self.rect.collidepoint(pos):
            return self.tip
        if (newest := self.newest) is not None and newest.collidepoint(pos):
            return Tip("Back to the newest line; the log follows again from there.", "Newest (End)")
        if self._on_mark(pos):
            return self.ask_tip
        index = self._index(pos)
        return self._tip_in(index, pos) if 0 <= index < len(self.entries) else self.tip

    def _tip_in(self, index: int, pos: tuple[int, int]) -> Tip | None:
        """What is told of the words of a line, or of its rolls."""
        assert self._look is not None
        look = self._look
        story, details = self._blocks(self.entries[index])
        left, top = self.rect.left, self.rect.top + self._tops[index] - self._offset
        if (tip := story.tip_at(pos[0] - left, pos[1] - top)) is not None:
            return tip
        y = top + story.size[1] + look.px(9)
        for block in details:
            if (tip := block.tip_at(pos[0] - left - look.px(10), pos[1] - y)) is not None:
                return tip
            y += block.size[1] + look.px(3)
        return self.tip

    def toggle(self, index: int) -> None:
        """Fold or unfold the rolls of one entry."""
        if 0 <= index < len(self.entries) and self.entries[index].details:
            self.folds += 1
            self.entries[index].folded = not self.entries[index].folded
            self._follow = False
            self._relay(index)
            # down as far as it needs if it ends below the window, and no farther than its own beginning
            end = self._tops[index] + self.entries[index].height
            self._offset = max(self._offset, min(end - self.rect.height, self._tops[index], self._bottom()))
            self._heed_end()

    def _scroll(self, pixels: int) -> None:
        self._offset = max(0, min(self._offset + pixels, self._bottom()))
        self._heed_end()

    def _heed_end(self) -> None:
        """Whoever has come to the end follows it."""
        self._follow = self._offset >= self._bottom()
        if self._follow:
            self.unread = 0

    @property
    def newest(self) -> pygame.Rect | None:
        """Where the button is that leads to the end; None where the end is in sight."""
        if self._follow or self._look is None or self._offset >= self._bottom():
            return None
        look = self._look
        wide, high = look.font("small").size(t(self._newest_words))
        box = pygame.Rect(0, 0, min(wide + look.px(34), self.rect.width), high + look.px(8))
        box.midbottom = (self.rect.centerx, self.rect.bottom - look.px(3))
        return box

    @property
    def _newest_words(self) -> str:
        return ntext(self.unread, "{n} new line", "{n} new lines") if self.unread else "Newest"

    # -- drawing

    def draw(self, surface: pygame.Surface, look: Look) -> None:
        before = surface.get_clip()
        edge = look.px(6)  # beside the lines there is room for the mark of the one picked by keys
        around = pygame.Rect(self.rect.left - edge, self.rect.top, self.rect.width + edge, self.rect.height)
        surface.set_clip(around.clip(before))
        if self.focused:
            surface.fill(look.colour("golddeep")[:3], (around.left, around.top, look.px(2), around.height))
        first = max(0, bisect_right(self._tops, self._offset) - 1)
        for index in range(first, len(self.entries)):
            top = self.rect.top + self._tops[index] - self._offset
            if top > self.rect.bottom:
                break
            entry = self.entries[index]
            if not entry.height:
                continue
            self._draw_entry(surface, look, entry, top)
            if self.focused and index == self.cursor:
                surface.fill(look.colour("gold")[:3], (around.left, top, look.px(4), entry.height - look.px(4)))
            if entry.asks:
                box, sign = self.mark(index), line(look, "?", "small", "gold")
                pygame.draw.circle(surface, look.colour("faint"), box.center, box.width // 2, max(1, look.px(1)))
                surface.blit(sign, sign.get_rect(center=box.center))
        surface.set_clip(before)
        draw_bar(surface, look, self.rect, self._total, self._offset, colour="gold" if self.focused else "faint")
        if (newest := self.newest) is not None:
            look.panel(surface, newest, fill="raised", edge="gold", radius=newest.height)
            words = line(look, t(self._newest_words), "small", "gold")
            surface.blit(words, words.get_rect(midleft=(newest.left + look.px(11), newest.centery)))
            draw_wedge(surface, look, (newest.right - look.px(15), newest.centery), "gold")

    def _draw_entry(self, surface: pygame.Surface, look: Look, entry: Entry, top: int) -> None:
        story, details = self._blocks(entry)
        left = self.rect.left
        story.draw(surface, left, top)
        y = top + story.size[1]
        if entry.details and entry.folded:
            mark, x = look.px(3), self.rect.right - look.px(14)
            for dx in (-2, 0, 2):
                spot = (x + dx * mark, top + look.px(9))
                pygame.draw.aacircle(surface, look.colour("gold"), spot, max(1, mark // 2))
        if details:
            inner = sum(block.size[1] + look.px(3) for block in details)
            box = pygame.Rect(left, y + look.px(4), self.rect.width - look.px(8), inner + look.px(8))
            look.panel(surface, box, fill="raised", edge="", radius=4)
            surface.fill(look.colour("gold")[:3], (left, box.top, look.px(2), box.height))
            y = box.top + look.px(5)
            for block in details:
                block.draw(surface, left + look.px(10), y)
                y += block.size[1] + look.px(3)
