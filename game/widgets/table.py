"""Tables: columns as wide as their words need, the long ones wrapped, a rule under the head."""

from __future__ import annotations

from collections.abc import Sequence

import pygame

from game.widgets.core import Widget
from game.widgets.text import Block, Run, said
from game.widgets.theme import Look

GAP, LINE = 14, 4
"""Between columns, and between rows, at 100 %."""
LEAST = 44
"""Width below which no column is pressed, at 100 %."""


class Table(Widget):
    """Rows of words under a head; rows that are short are filled up with nothing."""

    def __init__(self, head: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
        super().__init__()
        self.columns = max([len(head), *(len(row) for row in rows)])
        self.head, self.rows = list(head), [list(row) for row in rows]
        self._laid: tuple[int, float, list[tuple[int, list[tuple[int, Block]]]]] | None = None

    def widths(self, look: Look, width: int) -> list[int]:
        """The width of each column, in pixels: its own if there is room, else a fair part of what is left."""
        natural = [self._natural(look, n) for n in range(self.columns)]
        room = max(self.columns, width - look.px(GAP) * (self.columns - 1))
        if sum(natural) <= room:
            return natural
        found = [0] * self.columns
        open_ones = list(range(self.columns))
        while open_ones:
            share = room // len(open_ones)
            fitting = [n for n in open_ones if natural[n] <= share]
            if not fitting:
                return self._shared(look, natural, found, open_ones, room)
            for n in fitting:
                found[n] = natural[n]
                room -= natural[n]
                open_ones.remove(n)
        return found

    @staticmethod
    def _shared(look: Look, natural: list[int], found: list[int], ones: list[int], room: int) -> list[int]:
        """What is left goes to the wide columns, by how wide each would like to be, so that few lines are broken."""
        whole = sum(natural[n] for n in ones)
        least = min(look.px(LEAST), room // len(ones))
        for n in ones:
            found[n] = max(least, room * natural[n] // whole)
        return found

    def _natural(self, look: Look, column: int) -> int:
        words = [self.head[column]] if column < len(self.head) else []
        widest = max((look.font("small").size(_said(w))[0] for w in words), default=0)
        for row in self.rows:
            if column < len(row):
                widest = max(widest, look.font("text").size(_said(row[column]))[0])
        return widest + 2

    def _blocks(self, look: Look, width: int) -> list[tuple[int, list[tuple[int, Block]]]]:
        if self._laid is None or self._laid[:2] != (width, look.scale):
            widths = self.widths(look, width)
            out = []
            for number, row in enumerate([self.head, *self.rows]):
                style, ink = ("small", "gold") if number == 0 else ("text", "text")
                x, cells = 0, []
                for n, wide in enumerate(widths):
                    word = row[n] if n < len(row) else ""
                    colour = "bright" if number and n == 0 else ink
                    cells.append((x, Block(look, [said(Run(word, colour, style))], max(1, wide))))
                    x += wide + look.px(GAP)
                out.append((max(block.size[1] for _, block in cells), cells))
            self._laid = (width, look.scale, out)
        return self._laid[2]

    def measure(self, look: Look, width: int) -> tuple[int, int]:
        rows = self._blocks(look, width)
        return (width, sum(high + look.px(LINE) for high, _ in rows) + look.px(LINE))

    def draw(self, surface: pygame.Surface, look: Look) -> None:
        y = self.rect.top
        clip = surface.get_clip()
        for number, (high, cells) in enumerate(self._blocks(look, self.rect.width)):
            if y + high >= clip.top and y <= clip.bottom:
                for x, block in cells:
                    block.draw(surface, self.rect.left + x, y)
            y += high + look.px(LINE)
            ink = look.colour("faint" if number == 0 else "hairline")
            line = y - look.px(LINE) // 2
            pygame.draw.line(surface, ink[:3], (self.rect.left, line), (self.rect.right - 1, line))
            y += look.px(LINE) // 2 if number == 0 else 0


def _said(word: str) -> str:
    piece = said(Run(word))
    return piece.text if isinstance(piece, Run) else word
