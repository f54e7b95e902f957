"""A character sheet to print: A5 on white, drawn once and written as PNG or as a one-page PDF.

The PDF holds the same drawing at 300 dpi.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

import pygame
from fpdf import FPDF

from game.app.i18n import t
from game.characters.files import load
from game.characters.heroes import Hero, art
from game.characters.pages import Printed
from game.characters.roster import roster
from game.view import palette as fonts
from game.view.minis import portrait
from rules.contract.errors import BattlematError, said
from rules.contract.text import Text

SIZE = (874, 1240)
"""A5, portrait, at 150 dpi."""
PAPER, INK, SOFT, LINE, GOLD = (253, 251, 245), (24, 28, 34), (96, 100, 108), (196, 190, 176), (150, 108, 28)
MARGIN = 56
FITS = (1.0, 0.9, 0.8, 0.7, 0.6)
"""Sizes of text that are tried until all of a hero is on the page."""
LEAST_STORY = 150
"""Pixels that are left for the story at the least."""


class _Page(NamedTuple):
    """A surface with lengths in pixels at 150 dpi."""

    surface: pygame.Surface
    times: int
    fit: float = 1.0
    """Share of the usual size that text in columns has, so that the page holds everything."""

    def font(self, kind: str, size: int) -> pygame.font.Font:
        return fonts.font(kind, size * self.times)

    def write(self, text: str, x: int, y: int, *, kind: str = "text", size: int = 21, ink: tuple[int, int, int] = INK,
               right: bool = False, centre: bool = False) -> int:  # fmt: skip
        """A line of text at a point; gives the y below it."""
        picture = self.font(kind, size).render(t(text), True, ink)
        left = x * self.times
        left -= picture.get_width() if right else picture.get_width() // 2 if centre else 0
        self.surface.blit(picture, (left, y * self.times))
        return y + round(size * 1.34)

    def wrapped(self, text: str, x: int, y: int, wide: int, *, kind: str = "text", size: int = 19,
                ink: tuple[int, int, int] = INK) -> int:  # fmt: skip
        """Text broken at a width; gives the y below it."""
        font, line = self.font(kind, size), ""
        for word in t(text).split():
            more = f"{line} {word}".strip()
            if line and font.size(more)[0] > wide * self.times:
                y = self.write(line, x, y, kind=kind, size=size, ink=ink)
                more = word
            line = more
        return self.write(line, x, y, kind=kind, size=size, ink=ink) if line else y

    def rule(self, y: int, x: int = MARGIN, wide: int = SIZE[0] - 2 * MARGIN) -> int:
        """A hair line; gives the y below it."""
        n = self.times
        pygame.draw.line(self.surface, LINE, (x * n, y * n), ((x + wide) * n, y * n), max(1, n))
        return y + 12

    def box(self, x: int, y: int, wide: int, high: int) -> None:
        n = self.times
        pygame.draw.rect(self.surface, LINE, (x * n, y * n, wide * n, high * n), 2 * n, 9 * n)


def draw(hero: Hero, times: int = 1) -> pygame.Surface:
    """The sheet, `times` as fine as 150 dpi."""
    pygame.font.init()
    surface = pygame.Surface((SIZE[0] * times, SIZE[1] * times))
    surface.fill(PAPER)
    shown = roster(hero.ruleset).printed(hero)
    for fit in FITS:
        surface.fill(PAPER)
        if _written(_Page(surface, times, fit), hero, shown) < SIZE[1] - LEAST_STORY:
            break
    return surface


def _written(page: _Page, hero: Hero, shown: Printed) -> int:
    """Write everything on a page; gives the y where the story begins."""
    y = _head(page, hero, shown)
    y = _tiles(page, shown, y)
    half = (SIZE[0] - 2 * MARGIN - 30) // 2
    low = _column(page, MARGIN, y, half, heading=shown.left[0], lines=shown.left[1])
    low = max(low, _column(page, MARGIN + half + 30, y, half, heading=shown.right[0], lines=shown.right[1]))
    for heading, lines in shown.wide:
        low = _column(page, MARGIN, low + 10, SIZE[0] - 2 * MARGIN, heading=heading, lines=lines)
    _notes(page, shown, low + 10)
    return low + 10


def _head(page: _Page, hero: Hero, shown: Printed) -> int:
    side = 150
    face = portrait(art(hero.looks), "heroes", side * page.times)
    page.surface.blit(face, ((SIZE[0] - MARGIN - side) * page.times, 44 * page.times))
    size, wide = 52, (SIZE[0] - 2 * MARGIN - side - 20) * page.times
    while size > 26 and page.font("serif-bold", size).size(hero.name)[0] > wide:
        size -= 4
    y = page.write(hero.name, MARGIN, 58, kind="serif-bold", size=size)
    for line in shown.lines:
        y = page.write(line, MARGIN, y, size=22, ink=SOFT)
    return 210


def _tiles(page: _Page, shown: Printed, y: int) -> int:
    gap, count = 10, len(shown.tiles)
    wide = (SIZE[0] - 2 * MARGIN - gap * (count - 1)) // count
    for number, (name, value, under) in enumerate(shown.tiles):
        x = MARGIN + number * (wide + gap)
        page.box(x, y, wide, 116)
        middle = x + wide // 2
        page.write(name, middle, y + 8, size=17, ink=SOFT, centre=True)
        page.write(value, middle, y + 28, kind="serif-bold", size=40, centre=True)
        page.write(under, middle, y + 84, size=17, ink=GOLD if under.startswith("d") else SOFT, centre=True)
    return y + 136


def _column(page: _Page, x: int, y: int, wide: int, *, heading: str, lines: Sequence[tuple[str, str]]) -> int:
    y = page.write(heading, x, y, kind="serif-bold", size=round(25 * page.fit), ink=GOLD)
    y = page.rule(y, x, wide)
    size = round(19 * page.fit)
    for name, text in lines:
        indent = page.font("bold", size).size(f"{name}  ")[0] // page.times if name else 0
        if name:
            page.write(name, x, y, kind="bold", size=size)
        y = page.wrapped(text or "·", x + indent, y, wide - indent, size=size, ink=INK if text else PAPER)
    return y


def _notes(page: _Page, shown: Printed, y: int) -> None:
    """Fights told, then lines to write on down to the foot."""
    y = page.write("Story", MARGIN, y, kind="serif-bold", size=round(25 * page.fit), ink=GOLD)
    y = page.rule(y)
    for told in shown.story:
        if y > SIZE[1] - LEAST_STORY // 2:
            break
        y = page.write(told, MARGIN, y, size=round(19 * page.fit))
    y += 22
    while y < SIZE[1] - MARGIN:
        page.rule(y)
        y += 34


# -- files -------------------------------------------------------------------------------------------------


def write(hero: Hero, path: Path) -> None:
    """Write the sheet as `.png` or `.pdf`, by the path's ending. Raises BattlematError."""
    kind = path.suffix.lower()
    if kind not in (".png", ".pdf"):
        raise BattlematError("{path}: sheets are written as .png or .pdf", path=str(path))
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if kind == ".png":
            pygame.image.save(draw(hero), str(path))
        else:
            path.write_bytes(pdf(draw(hero, 2)))
    except (OSError, pygame.error) as error:
        raise BattlematError("{path}: cannot be written: {error}", path=str(path), error=said(error)) from None


def pdf(picture: pygame.Surface) -> bytes:
    """A PDF of one A5 page with a picture all over it."""
    page, data = FPDF(unit="mm", format=(148, 210)), io.BytesIO()
    page.set_auto_page_break(False)
    page.add_page()
    pygame.image.save(picture, data, "sheet.png")
    page.image(data, 0, 0, page.w, page.h)
    return bytes(page.output())


def run(file: Path, sheet: Path | None, say: Callable[[list[str]], None]) -> int:
    """Judge a hero; 0 if it is legal, 2 if not. Raises HeroError for a file that is none."""
    hero = load(file)
    if sheet is not None:
        write(hero, sheet)
    rules = roster(hero.ruleset)
    wrong = rules.faults(hero)
    say([*rules.told(hero), *(Text.of("not legal: {fault}", fault=fault) for fault in wrong)])
    return 2 if wrong else 0
