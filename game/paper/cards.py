"""Cards of creatures to cut out, nine on a page, the size of playing cards; and heroes' sheets, two on a page."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

import pygame

from game.characters import files as heroes
from game.characters.paper import SIZE, draw
from game.characters.roster import roster
from game.content.encounter import HEROES
from game.paper.matter import Matter
from game.paper.pages import GOLD, LINE, MARGIN, SOFT, Box, Ink, Pages, side_ink
from game.paper.sheets import Block, Fighter, about, blocks, figures, lines, pools
from game.setup.draft import to_record
from game.view.minis import portrait
from rules.contract.display import Sheet
from rules.contract.errors import BattlematError
from rules.contract.text import Text

CARD = (63.0, 88.0)
"""Millimetres."""
ACROSS, DOWN = 3, 3
INNER = 3.2
"""Millimetres within a card's edge."""
FACE = 20.0
SIZES = (10.0, 9.5, 9.0, 8.5, 8.0, 7.5, 7.0, 6.5, 6.0, 5.5, 5.0)
"""Points of the words that are tried until all of them are on the card."""
DOTS = 240
"""Pixels of a face."""


def cards(pages: Pages, matter: Matter, there: Sequence[Fighter]) -> None:
    """A card for each kind of creature, with all who are of it."""
    sides = matter.draft.sides()
    page: Box | None = None
    for number, block in enumerate(blocks(tuple(there))):
        place = number % (ACROSS * DOWN)
        if place == 0 or page is None:
            pages.begin()
            wide, high = pages.paper.size()
            page = Box((wide - ACROSS * CARD[0]) / 2, (high - DOWN * CARD[1]) / 2, ACROSS * CARD[0], DOWN * CARD[1])
            pages.cut_marks(page, off=1, long=3.5)
            _between(pages, page)
        down, across = divmod(place, ACROSS)
        box = Box(page.x + across * CARD[0], page.y + down * CARD[1], *CARD)
        _card(pages, matter, block, (box, side_ink(block.side, sides)))


def _between(pages: Pages, page: Box) -> None:
    """Cut marks where cards meet at the edge of all."""
    for number in range(1, ACROSS):
        x = page.x + number * CARD[0]
        pages.stroke((x, page.y - 4.5), (x, page.y - 1))
        pages.stroke((x, page.bottom + 1), (x, page.bottom + 4.5))
    for number in range(1, DOWN):
        y = page.y + number * CARD[1]
        pages.stroke((page.x - 4.5, y), (page.x - 1, y))
        pages.stroke((page.right + 1, y), (page.right + 4.5, y))


def _card(pages: Pages, matter: Matter, block: Block, place: tuple[Box, Ink]) -> None:
    box, ink = place
    pages.frame(box, ink=LINE, wide=0.15)
    pages.frame(Box(box.x + 1.4, box.y + 1.4, box.wide - 2.8, box.high - 2.8), ink=ink, wide=0.5, corner=2.4)
    inner = Box(box.x + INNER, box.y + INNER, box.wide - 2 * INNER, box.high - 2 * INNER)
    pages.picture(portrait(block.sheet.art, block.side, DOTS), Box(inner.right - FACE, inner.y, FACE, FACE), fine=True)
    beside = inner.wide - FACE - 1.5
    size = pages.fitting(block.kind, beside, kind="serif-bold", size=13, least=7)
    y = pages.wrapped(block.kind, (inner.x, inner.y, beside), kind="serif-bold", size=size, ink=ink)
    y = pages.wrapped(about(matter, block), (inner.x, y, beside), size=7, ink=SOFT)
    y = pages.wrapped(_ways(block), (inner.x, y + 0.4, beside), size=7, kind="bold", ink=GOLD)
    y = max(y, inner.y + FACE) + 0.8
    pages.stroke((inner.x, y), (inner.right, y), ink=ink, wide=0.25)
    foot = 5.0 if pools(block.sheet) else 0.0
    for size in SIZES:
        low = pages.measured(lambda size=size: _words(pages, block.sheet, inner, y + 1, size))  # type: ignore[misc]
        if low <= inner.bottom - foot:
            break
    _words(pages, block.sheet, inner, y + 1, size)
    _foot(pages, block.sheet, Box(inner.x, inner.bottom - foot + 1, inner.wide, foot))


def _ways(block: Block) -> str:
    """Who is of this kind, by number."""
    return ", ".join(fighter.number for fighter in block.fighters)


def _words(pages: Pages, sheet: Sheet, inner: Box, y: float, size: float) -> float:
    """What it has and can; gives the y below."""
    y = pages.wrapped(figures(sheet), (inner.x, y, inner.wide), kind="bold", size=size) + 0.4
    for words in lines(sheet):
        y = pages.wrapped(words, (inner.x, y, inner.wide), size=size) + 0.25
    return y


def _foot(pages: Pages, sheet: Sheet, box: Box) -> None:
    """Room to write what is left of each pool."""
    x = box.x
    for bar in pools(sheet)[:3]:
        said = Text.of("{label} ____ / {most}", label=bar.label, most=bar.maximum)
        pages.line(said, x, box.y, size=7, ink=SOFT)
        x += box.wide / min(3, len(pools(sheet)))


# -- heroes ------------------------------------------------------------------------------------------------


def heroes_of(matter: Matter) -> list[pygame.Surface]:
    """The sheets of the heroes on the table, the player's own and ready ones, as pictures."""
    rules, record = roster(matter.draft.ruleset), to_record(matter.draft)
    found = []
    for piece in matter.draft.pieces:
        if piece.side != HEROES:
            continue
        own = heroes.find(str(piece.entry.get("template", "")))
        with suppress(BattlematError, KeyError):
            hero = own if own is not None else rules.taken_up(record, "printed", piece.id)
            found.append(draw(hero, 2))
    return found


def sheets(pages: Pages, matter: Matter) -> int:
    """Two heroes' sheets on each page, to be cut or folded in the middle; gives how many there were."""
    found = heroes_of(matter)
    wide, high = pages.paper.size(across=True)
    side = min((wide - 2 * MARGIN) / 2, (high - 2 * MARGIN) * SIZE[0] / SIZE[1])
    tall = side * SIZE[1] / SIZE[0]
    for number, picture in enumerate(found):
        if number % 2 == 0:
            pages.begin(across=True)
            pages.stroke((wide / 2, MARGIN / 2), (wide / 2, MARGIN))
            pages.stroke((wide / 2, high - MARGIN), (wide / 2, high - MARGIN / 2))
        left = wide / 2 + (number % 2 - 1) * wide / 2 + (wide / 2 - side) / 2
        pages.picture(picture, Box(left, (high - tall) / 2, side, tall))
    return len(found)
