"""Text that wraps: runs of words in styles and colours, with small dice between them, laid out once and then drawn."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import NamedTuple

import pygame

from game.app.i18n import t
from game.widgets.core import Tip, Widget
from game.widgets.theme import Colour, Look


@dataclass(frozen=True)
class Run:
    """Words in one colour (a theme's name) and style (a size's name, `!` = bold)."""

    text: str
    colour: str = "text"
    style: str = "text"
    tip: Tip | None = None
    """Told when the pointer rests on it."""


@dataclass(frozen=True)
class Die:
    """A die tile between words: the face shown; gold if it exploded, faint if it was discarded."""

    face: str
    exploded: bool = False
    discarded: bool = False


Piece = Run | Die


def said(piece: Piece) -> Piece:
    """A piece in the player's language."""
    if isinstance(piece, Run) and (text := t(piece.text)) is not piece.text:
        return replace(piece, text=text)
    return piece


@lru_cache(maxsize=4096)
def rendered(font: pygame.font.Font, text: str, colour: Colour) -> pygame.Surface:
    """A piece of text as a surface, remembered."""
    return font.render(text, True, colour)


def line(look: Look, words: str, style: str, colour: str, width: int | None = None) -> pygame.Surface:
    """A line of text as a surface; with a width it is translated, and shortened where it must be."""
    font = look.font(style)
    return rendered(font, words if width is None else shortened(font, words, width), look.colour(colour))


class _Placed(NamedTuple):
    x: int
    y: int
    surface: pygame.Surface
    tip: Tip | None = None


class Block:
    """Pieces laid out to a width: `size` in pixels, drawn at a point."""

    def __init__(self, look: Look, pieces: Iterable[Piece], width: int, *, centred: bool = False) -> None:
        self.placed: list[_Placed] = []
        self._picture: pygame.Surface | None = None
        self._drawn = 0
        y = widest = 0
        width, least = max(width, 1), look.font("small").get_linesize()
        for parts in _lines(look, pieces, width):
            height = max((part.get_height() for part, _ in parts), default=least)
            total = sum(part.get_width() for part, _ in parts)
            x = (width - total) // 2 if centred else 0
            for part, tip in parts:
                self.placed.append(_Placed(x, y + (height - part.get_height()) // 2, part, tip))
                x += part.get_width()
            widest = max(widest, total)
            y += height + (look.px(2) if height > least else 0)
        self.size = (widest, y)

    @classmethod
    def of(cls, look: Look, pieces: tuple[Piece, ...], width: int, *, centred: bool = False) -> Block:
        """The same; how it was laid out is remembered where no piece has anything else to tell.

        Whether it is drawn from one picture hangs on its own frames, not on those of others that say the same.
        """
        if any(isinstance(piece, Run) and piece.tip is not None for piece in pieces):
            return cls(look, pieces, width, centred=centred)
        key = (pieces, width, centred)
        found: Block | None = look.laid.get(key)
        if found is None:
            if len(look.laid) > 1000:
                look.laid.clear()
            found = look.laid[key] = cls(look, pieces, width, centred=centred)
        same = cls.__new__(cls)
        same.placed, same.size, same._picture, same._drawn = found.placed, found.size, None, 0
        return same

    def draw(self, surface: pygame.Surface, x: int, y: int) -> None:
        """Draw it; what is drawn again and again becomes one picture."""
        if self._picture is None and self._drawn > 1 and len(self.placed) > 2:
            wide = max(piece.x + piece.surface.get_width() for piece in self.placed)
            high = max(piece.y + piece.surface.get_height() for piece in self.placed)
            self._picture = pygame.Surface((wide, high), pygame.SRCALPHA)
            self._picture.blits([(piece.surface, (piece.x, piece.y)) for piece in self.placed], False)
        self._drawn += 1
        if self._picture is not None:
            surface.blit(self._picture, (x, y))
            return
        for piece in self.placed:
            surface.blit(piece.surface, (x + piece.x, y + piece.y))

    def tip_at(self, x: int, y: int) -> Tip | None:
        """What is told at a point of the block."""
        for piece in self.placed:
            if piece.tip is not None and piece.surface.get_rect(topleft=(piece.x, piece.y)).collidepoint(x, y):
                return piece.tip
        return None


_Unit = list[tuple[pygame.Surface, Tip | None]]
_Part = tuple[str, pygame.Surface | None, Tip | None]


def _lines(look: Look, pieces: Iterable[Piece], width: int) -> list[_Unit]:
    """What stands on each line of a width."""
    lines: list[_Unit] = [[]]
    used = 0
    for glue, unit, wide in _units(_parts(look, pieces, width), width):
        if glue == "break" or (used + wide > width and lines[-1]):
            lines.append([])
            used = 0
        if unit and (glue != "space" or lines[-1]):
            lines[-1] += unit
            used += wide
    return lines


def _units(parts: Iterable[_Part], width: int) -> Iterable[tuple[str, _Unit, int]]:
    """What stays on one line, and how wide it is: a word where runs meet in it, too (a name and its comma), if a line
    has room for it."""
    word: _Unit = []
    held = 0
    for glue, part, tip in parts:
        wide = 0 if part is None else part.get_width()
        if word and (glue != "word" or held + wide > width):
            yield "word", word, held
            word, held = [], 0
        if glue == "word" and part is not None:
            word.append((part, tip))
            held += wide
        else:
            yield glue, [] if part is None else [(part, tip)], wide
    if word:
        yield "word", word, held


def _parts(look: Look, pieces: Iterable[Piece], width: int) -> Iterable[_Part]:
    for piece in pieces:
        if isinstance(piece, Die):
            yield "die", die_tile(look, piece), None
            continue
        font, colour = look.font(piece.style), look.colour(piece.colour)
        for number, paragraph in enumerate(piece.text.split("\n")):
            if number:
                yield "break", None, None
            for place, word in enumerate(paragraph.split(" ")):
                if place:
                    yield "space", rendered(font, " ", colour), piece.tip
                while word and rendered(font, word, colour).get_width() > width:
                    # wider than the line it is broken where it must be, so that nothing is ever cut off
                    count = 1
                    while count < len(word) and font.size(word[: count + 1])[0] <= width:
                        count += 1
                    yield "word", rendered(font, word[:count], colour), piece.tip
                    word = word[count:]
                if word:
                    yield "word", rendered(font, word, colour), piece.tip


def die_tile(look: Look, die: Die) -> pygame.Surface:
    """A bone-coloured tile with its face; an exploded one is gold, a discarded one faint."""
    fill, ink = look.colour("gold" if die.exploded else "bone"), look.colour("boneink")
    return _tile(look.px(18), look.px(3), die, font=look.font("text!"), fill=fill, ink=ink)


@lru_cache(maxsize=512)
def _tile(size: int, gap: int, die: Die, *, font: pygame.font.Font, fill: Colour, ink: Colour) -> pygame.Surface:
    face = font.render(die.face, True, ink)
    width = max(size, face.get_width() + gap * 2)
    tile = pygame.Surface((width + gap, size + gap // 2), pygame.SRCALPHA)
    pygame.draw.rect(tile, fill, (0, 0, width, size), 0, max(2, size // 5))
    tile.blit(face, ((width - face.get_width()) // 2, (size - face.get_height()) // 2))
    if die.discarded:
        tile.set_alpha(110)
    return tile


def shortened(font: pygame.font.Font, text: str, width: int) -> str:
    """Text that fits a width, with an ellipsis where something was left out (its tooltip then says all)."""
    return _fitted(font, t(text), width)


@lru_cache(maxsize=2048)
def _fitted(font: pygame.font.Font, text: str, width: int) -> str:
    if font.size(text)[0] <= width:
        return text
    while text and font.size(text + "…")[0] > width:
        text = text[:-1]
    return text.rstrip() + "…"


def called(font: pygame.font.Font, name: str, width: int) -> str:
    """A creature's name in a width: its number stays, else later words go before letters do.

    No short word in lower case is left at its end: *Wrecker at* is nobody's name.
    """
    words = name.split()
    if font.size(name)[0] <= width or len(words) < 2:
        return shortened(font, name, width)
    if words[-1].isdigit():
        tail = " " + words[-1]
        return shortened(font, " ".join(words[:-1]), width - font.size(tail)[0]) + tail
    while len(words := words[:-1]) > 1 and len(words[-1]) < 4 and words[-1].islower():
        pass
    return called(font, " ".join(words), width)


def in_lines(font: pygame.font.Font, name: str, width: int) -> tuple[str, ...]:
    """A creature's name in one line, or in two where one is too short for it; what these do not hold goes as usual."""
    words = name.split()
    if font.size(name)[0] <= width or len(words) < 2:
        return (called(font, name, width),)
    fitting = (n for n in range(len(words) - 1, 0, -1) if font.size(" ".join(words[:n]))[0] <= width)
    first = next(fitting, 0)
    if not first:
        return (called(font, name, width),)
    least = first
    while least > 1 and len(words[least - 1]) < 4 and words[least - 1].islower():
        least -= 1  # *at the gate* stays together, where there is room for it
    if font.size(" ".join(words[least:]))[0] <= width or font.size(" ".join(words[first:]))[0] > width:
        first = least
    return (" ".join(words[:first]), called(font, " ".join(words[first:]), width))


def forget() -> None:
    """Drop remembered pieces of text: needed after `pygame.quit()`."""
    rendered.cache_clear()
    _fitted.cache_clear()
    _tile.cache_clear()


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
            if not fitting:  # what is left, by how wide each would like to be, so that few lines are broken
                whole = sum(natural[n] for n in open_ones)
                least = min(look.px(LEAST), share)
                for n in open_ones:
                    found[n] = max(least, room * natural[n] // whole)
                return found
            for n in fitting:
                found[n] = natural[n]
                room -= natural[n]
                open_ones.remove(n)
        return found

    def _natural(self, look: Look, column: int) -> int:
        cells = [("small" if number == 0 else "text", row) for number, row in enumerate([self.head, *self.rows])]
        return 2 + max((look.width(t(row[column]), s) for s, row in cells if column < len(row)), default=0)

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
                    cells.append((x, Block.of(look, (said(Run(word, colour, style)),), max(1, wide))))
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
