"""Maps to scale: spread over pages with cut marks, for players and, with a key, for the game master."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import pygame

from game.paper.boards import Boards, board_of
from game.paper.matter import Entry, Level, Matter, key, lettered, levels
from game.paper.pages import INK, LINE, MARGIN, SOFT, Box, Ink, Pages, Paper, columns, side_ink
from rules.contract.text import text

FOOT = 9.0
"""Millimetres below a map for its name and the plan of its pages."""
PIXELS = 150
"""A space of a map to scale: 150 dots to the inch where a space is an inch."""
MARKS = 6.0
"""Millimetres around a piece of a map for its cut marks."""
WIDE = 220.0
"""Millimetres from which on there is room for three columns."""
MATERIAL: Ink = (60, 56, 50)


class Tiling(NamedTuple):
    """How a map is spread: so many spaces on a page, so many pages across and down."""

    spaces: tuple[int, int]
    pages: tuple[int, int]
    across: bool
    """The pages lie with the long side down."""


def tiling(level: Level, paper: Paper, space: float) -> Tiling:
    """The fewest pages for a map whose spaces are so many millimetres wide; upright where both ways need as many."""
    found = []
    for across in (False, True):
        wide, high = paper.size(across)
        fits = (max(1, int((wide - 2 * MARKS - 2) / space)), max(1, int((high - 2 * MARKS - FOOT - 2) / space)))
        pages = (-(-level.columns // fits[0]), -(-level.rows // fits[1]))
        found.append((pages[0] * pages[1], across, Tiling(fits, pages, across)))
    return min(found)[2]


def _void(matter: Matter, spaces: pygame.Rect) -> bool:
    """Whether there is nothing at all on these columns and rows."""
    if matter.loaded is None:
        return False
    wide = matter.field.width
    there = matter.loaded.materials
    return not any(any(there[row * wide + spaces.left : row * wide + spaces.right])
                   for row in range(spaces.top, spaces.bottom))  # fmt: skip


def to_scale(pages: Pages, matter: Matter, *, space: float, secrets: bool, grid: bool) -> None:
    """Every map of an encounter at so many millimetres a space; pages on which nothing is are left out."""
    boards = Boards(matter.field, matter.loaded, board_of(matter, secrets=secrets))
    entries = key(matter) if secrets else ()
    for level in levels(matter):
        spread = tiling(level, pages.paper, space)
        for at, spaces in _pieces(matter, level, spread):
            _piece(pages, matter, boards, _Piece(level, spread, at, spaces, space, grid), entries)


def _pieces(matter: Matter, level: Level, spread: Tiling) -> Iterator[tuple[tuple[int, int], pygame.Rect]]:
    """Which page across and down shows which columns and rows; pages on which nothing is are left out."""
    wide, high = spread.spaces
    for number in range(spread.pages[0] * spread.pages[1]):
        down, along = divmod(number, spread.pages[0])
        spaces = pygame.Rect(along * wide, level.top + down * high, wide, high)
        spaces = spaces.clip(pygame.Rect(0, level.top, level.columns, level.rows))
        if not _void(matter, spaces):
            yield (along, down), spaces


class _Piece(NamedTuple):
    """What a page shows of a map."""

    level: Level
    spread: Tiling
    at: tuple[int, int]
    spaces: pygame.Rect
    space: float
    grid: bool

    @property
    def name(self) -> str:
        """Its letter across and its number down."""
        return f"{lettered(self.at[0])}{self.at[1] + 1}"


def _piece(pages: Pages, matter: Matter, boards: Boards, piece: _Piece, entries: tuple[Entry, ...]) -> None:
    pages.begin(across=piece.spread.across)
    wide, high = pages.paper.size(piece.spread.across)
    most = piece.spread.spaces
    left = (wide - most[0] * piece.space) / 2
    top = MARKS + (high - 2 * MARKS - FOOT - most[1] * piece.space) / 2
    box = Box(left, top, piece.spaces.width * piece.space, piece.spaces.height * piece.space)
    pages.picture(boards.picture(piece.spaces, PIXELS), box)
    if piece.grid:
        _lines(pages, box, piece.space)
    marked(pages, matter, entries, (piece.spaces, box))
    pages.cut_marks(box)
    _foot(pages, matter, piece, (wide, high))


def _lines(pages: Pages, box: Box, space: float) -> None:
    """The grid over a map."""
    for number in range(round(box.wide / space) + 1):
        pages.stroke((box.x + number * space, box.y), (box.x + number * space, box.bottom), ink=MATERIAL, wide=0.12)
    for number in range(round(box.high / space) + 1):
        pages.stroke((box.x, box.y + number * space), (box.right, box.y + number * space), ink=MATERIAL, wide=0.12)


def marked(pages: Pages, matter: Matter, entries: tuple[Entry, ...], shown: tuple[pygame.Rect, Box]) -> None:
    """The discs of what stands on a piece of a map; those of one space side by side."""
    spaces, box = shown
    space = box.wide / spaces.width
    sides = matter.draft.sides()
    there: dict[int, int] = {}
    for entry in entries:
        row, column = divmod(entry.cell, matter.field.width)
        if not spaces.collidepoint(column, row):
            continue
        place = there[entry.cell] = there.get(entry.cell, -1) + 1
        radius = min(4.2, space * 0.3)
        spot = (box.x + (column - spaces.left + 0.5) * space + place * radius * 0.8,
                box.y + (row - spaces.top + 0.5) * space + place * radius * 0.8)  # fmt: skip
        pages.disc(spot, radius, side_ink(entry.side, sides), entry.mark)


def _foot(pages: Pages, matter: Matter, piece: _Piece, size: tuple[float, float]) -> None:
    """Below a piece: what it is of, which page of it, and a plan of all with this one dark."""
    across, down = piece.spread.pages
    y, side = size[1] - FOOT - 1, min(2.2, (FOOT - 1) / down)
    told = [matter.title, piece.level.title, text("page {name}", piece.name) if across * down > 1 else ""]
    words = " · ".join(dict.fromkeys(str(part) for part in told if part))
    pages.line(words, MARGIN, y + 2, size=8, ink=SOFT)
    for number in range(across * down if across * down > 1 else 0):
        row, column = divmod(number, across)
        box = Box(size[0] - MARGIN - (across - column) * side * 1.3, y + row * side, side * 1.3, side)
        pages.frame(box, fill=INK if (column, row) == piece.at else None, ink=SOFT, wide=0.1)


# -- the key ------------------------------------------------------------------------------------------------


def keyed(pages: Pages, matter: Matter) -> None:
    """Every map on a page of its own with marks on it, and what they mean."""
    boards = Boards(matter.field, matter.loaded, board_of(matter, secrets=True))
    entries = key(matter)
    for level in levels(matter):
        wide = level.columns > level.rows * 1.25
        box = pages.begin(across=wide)
        y = pages.line(matter.title, box.x, box.y, kind="serif-bold", size=17)
        if level.title and level.title != str(matter.title):
            y = pages.line(level.title, box.x, y, size=10, ink=SOFT)
        y += 2
        space = min(box.wide / level.columns, (box.bottom - y) / level.rows * (1 if wide else 0.72), 25.4)
        shown = Box(box.x, y, level.columns * space, level.rows * space)
        spaces = pygame.Rect(0, level.top, level.columns, level.rows)
        pages.picture(boards.picture(spaces, max(16, min(PIXELS, 2400 // max(level.columns, level.rows)))), shown)
        pages.frame(shown, ink=LINE)
        here = tuple(
            e for e in entries if spaces.collidepoint(e.cell % matter.field.width, e.cell // matter.field.width)
        )
        marked(pages, matter, here, (spaces, shown))
        _told(pages, matter, here, Box(box.x, shown.bottom + 4, box.wide, box.bottom - shown.bottom - 4))


def _told(pages: Pages, matter: Matter, entries: tuple[Entry, ...], box: Box) -> None:
    """What the marks mean, in columns; goes on over further pages."""
    sides = matter.draft.sides()
    if box.high < 30:
        box = pages.begin()
    places = list(columns(box, 3 if box.wide > WIDE else 2, 8))
    place = places.pop(0)
    y = place.y
    for entry in entries:
        if y + _height(pages, entry, place.wide) > place.bottom:
            if not places:
                places = list(columns(pages.begin(), 2, 8))
            place = places.pop(0)
            y = place.y
        pages.disc((place.x + 3.2, y + 2), 3, side_ink(entry.side, sides), entry.mark)
        low = pages.wrapped(entry.heading, (place.x + 8, y, place.wide - 8), kind="bold", size=9)
        low = pages.wrapped(entry.told, (place.x + 8, low, place.wide - 8), size=8.5, ink=SOFT) if entry.told else low
        y = max(low, y + 6.4) + 1.2


def _height(pages: Pages, entry: Entry, wide: float) -> float:
    """Millimetres that an entry of the key takes."""
    pages.face("bold", 9)
    lines = len(pages.broken(pages.written(entry.heading), wide - 8))
    pages.face("text", 8.5)
    told = len(pages.broken(pages.written(entry.told), wide - 8)) if entry.told else 0
    return max(6.4, 4.1 * lines + 3.9 * told) + 1.2


def sheets_of_paper(matter: Matter, paper: Paper, space: float) -> int:
    """How many pages a map to scale takes; those on which nothing is are left out."""
    return sum(1 for level in levels(matter) for _ in _pieces(matter, level, tiling(level, paper, space)))
