"""Pages of paper in millimetres, in the fonts of the window: what maps, sheets and cards are written on."""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from enum import Enum
from typing import Literal, NamedTuple

import pygame
from fpdf import FPDF
from fpdf.enums import WrapMode

from game.app.i18n import t
from game.view import palette
from rules.contract.errors import BattlematError

Ink = tuple[int, int, int]
INK: Ink = (24, 28, 34)
SOFT: Ink = (96, 100, 108)
LINE: Ink = (178, 172, 158)
GOLD: Ink = (150, 108, 28)
SIDES: dict[str, Ink] = {"heroes": (28, 92, 150), "monsters": (166, 44, 40)}
OTHERS: tuple[Ink, ...] = ((32, 122, 74), (122, 66, 150), (150, 96, 20))
"""Colours of further sides, in the order in which they appear."""
Kind = Literal["text", "bold", "serif", "serif-bold"]
MILLIMETRES = 25.4
"""An inch."""
POINT = MILLIMETRES / 72
LEADING = 1.28
"""Height of a line as a share of the letters' size."""
MARGIN = 10.0
"""Millimetres at the edges that many printers leave white."""


class Paper(Enum):
    """A size of paper: its name and its width and height in millimetres, upright."""

    A4 = ("A4", 210.0, 297.0)
    LETTER = ("Letter", 215.9, 279.4)

    @property
    def label(self) -> str:
        return str(self.value[0])

    def size(self, across: bool = False) -> tuple[float, float]:
        """Width and height in millimetres; `across`: the long side lies down."""
        _, wide, high = self.value
        return (high, wide) if across else (wide, high)

    @classmethod
    def named(cls, name: str) -> Paper:
        """The size of a name, in any case. Raises BattlematError for a name that none has."""
        for each in cls:
            if each.label.casefold() == name.casefold():
                return each
        raise BattlematError("{name} is no size of paper: A4 or Letter", name=name)


class Box(NamedTuple):
    """A rectangle in millimetres."""

    x: float
    y: float
    wide: float
    high: float

    @property
    def right(self) -> float:
        return self.x + self.wide

    @property
    def bottom(self) -> float:
        return self.y + self.high


class Pages:
    """A document; places are millimetres from the upper left corner of a page, sizes of letters are points."""

    def __init__(self, paper: Paper, title: str, begun: Callable[[int], None] = lambda number: None) -> None:
        self.pdf = pdf = FPDF(unit="mm", format=paper.size())
        self.paper, self.begun = paper, begun
        self.measuring = False
        """What is written leaves no trace: only how far down it goes is asked."""
        pdf.set_auto_page_break(False)
        pdf.set_margin(0)
        pdf.c_margin = 0.0
        pdf.set_title(t(title))
        pdf.set_creator("Battlemat")
        pdf.set_producer("Battlemat")
        for kind in ("text", "bold", "serif", "serif-bold"):
            if (face := palette.face(kind, truetype=True)) is not None:
                pdf.add_font(kind, "", face)

    # -- pages

    def begin(self, *, across: bool = False) -> Box:
        """A new page; gives what lies within its margins."""
        self.begun(self.count)
        wide, high = self.paper.size(across)
        self.pdf.add_page(orientation="landscape" if across else "portrait", format=self.paper.size())
        return Box(MARGIN, MARGIN, wide - 2 * MARGIN, high - 2 * MARGIN)

    def measured(self, written: Callable[[], float]) -> float:
        """How far down something would be written."""
        before, self.measuring = self.measuring, True
        try:
            return written()
        finally:
            self.measuring = before

    # -- words

    def face(self, kind: Kind, size: float, ink: Ink = INK) -> None:
        """The font that is written in from now on."""
        self.pdf.set_font(kind if kind in self.pdf.fonts else "helvetica", "", size)
        self.pdf.set_text_color(*ink)

    def line(
        self, words: str, x: float, y: float, *, kind: Kind = "text", size: float = 9, ink: Ink = INK,
        right: bool = False, centre: bool = False,
    ) -> float:  # fmt: skip
        """A line of words; gives the y below it."""
        self.face(kind, size, ink)
        said, high = self.written(words), size * POINT
        wide = self.pdf.get_string_width(said)
        x -= wide if right else wide / 2 if centre else 0
        if not self.measuring:
            self.pdf.text(x, y + high * 0.92, said)
        return y + high * LEADING

    def wrapped(self, words: str, box: tuple[float, float, float], *, kind: Kind = "text", size: float = 9,
                ink: Ink = INK) -> float:  # fmt: skip
        """Words broken at a width, from (x, y, width); gives the y below them."""
        self.face(kind, size, ink)
        x, y, wide = box
        for each in self.broken(self.written(words), wide):
            y = self.line(each, x, y, kind=kind, size=size, ink=ink)
        return y

    def broken(self, said: str, wide: float) -> list[str]:
        """Words as lines no wider than so many millimetres, in the font that is set."""
        found = self.pdf.multi_cell(wide, 1, said, dry_run=True, output="LINES", wrapmode=WrapMode.WORD, align="L")
        return found if isinstance(found, list) else []

    def fitting(self, words: str, wide: float, *, kind: Kind, size: float, least: float = 5) -> float:
        """The size at which words are no wider than so many millimetres: `size`, or smaller."""
        while size > least:
            self.face(kind, size)
            if self.pdf.get_string_width(self.written(words)) <= wide:
                break
            size -= 0.5
        return size

    def written(self, words: str) -> str:
        """Words in the player's language, with those letters alone that the font has."""
        return "".join(letter if letter.isprintable() else " " for letter in t(words))

    # -- lines and pictures

    def stroke(
        self, first: tuple[float, float], last: tuple[float, float], *, ink: Ink = LINE, wide: float = 0.15
    ) -> None:
        """A straight line."""
        if self.measuring:
            return
        self.pdf.set_draw_color(*ink)
        self.pdf.set_line_width(wide)
        self.pdf.line(*first, *last)

    def frame(
        self, box: Box, *, ink: Ink = LINE, wide: float = 0.2, fill: Ink | None = None, corner: float = 0
    ) -> None:
        """A rectangle, its corners rounded by so many millimetres."""
        if self.measuring:
            return
        self.pdf.set_draw_color(*ink)
        self.pdf.set_line_width(wide)
        if fill is not None:
            self.pdf.set_fill_color(*fill)
        style = "D" if fill is None else "DF"
        self.pdf.rect(*box, style=style, round_corners=corner > 0, corner_radius=corner)

    def disc(self, middle: tuple[float, float], radius: float, fill: Ink, words: str) -> None:
        """A filled circle with a word in it."""
        if self.measuring:
            return
        self.pdf.set_draw_color(255, 255, 255)
        self.pdf.set_line_width(0.3)
        self.pdf.set_fill_color(*fill)
        self.pdf.circle(*middle, radius, style="DF")
        size = radius * (1.25 if len(words) < 3 else 0.95) / POINT
        self.line(words, middle[0], middle[1] - size * POINT * 0.58, kind="bold", size=size, ink=(255, 255, 255),
                  centre=True)  # fmt: skip

    def picture(self, surface: pygame.Surface, box: Box, *, fine: bool = False) -> None:
        """A picture stretched over a rectangle; `fine`: without loss, with what lets the paper through."""
        data = io.BytesIO()
        pygame.image.save(surface, data, "picture.png" if fine else "picture.jpg")
        self.pdf.image(data, *box)

    def cut_marks(self, box: Box, *, off: float = 1.5, long: float = 5) -> None:
        """Short lines beside the corners of what is to be cut out, none of them within it."""
        for x, out in ((box.x, -1), (box.right, 1)):
            for y, up in ((box.y, -1), (box.bottom, 1)):
                self.stroke((x + out * off, y), (x + out * (off + long), y), ink=INK)
                self.stroke((x, y + up * off), (x, y + up * (off + long)), ink=INK)

    def boxes(self, count: int, x: float, y: float, wide: float, side: float = 3.2) -> float:
        """Empty boxes to tick, in groups of five, broken at a width; gives the y below them."""
        left = x
        for number in range(count):
            if number and number % 5 == 0:
                left += side * 0.45
            if left + side > x + wide:
                left, y = x, y + side * 1.25
            self.frame(Box(left, y, side, side), ink=SOFT, wide=0.18)
            left += side * 1.12
        return y + side * 1.35

    @property
    def count(self) -> int:
        """How many there are so far."""
        return self.pdf.pages_count

    def done(self) -> bytes:
        """The file."""
        return bytes(self.pdf.output())


def columns(box: Box, count: int, gap: float) -> Sequence[Box]:
    """A rectangle as columns of the same width."""
    wide = (box.wide - gap * (count - 1)) / count
    return [Box(box.x + number * (wide + gap), box.y, wide, box.high) for number in range(count)]


def side_ink(side: str, sides: Sequence[str]) -> Ink:
    """The colour of a side among all that there are; that of what is no side is ink."""
    if side in SIDES or side not in sides:
        return SIDES.get(side, INK)
    return OTHERS[[each for each in sides if each not in SIDES].index(side) % len(OTHERS)]
