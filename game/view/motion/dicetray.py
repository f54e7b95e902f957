"""Dice that tumble and settle on exactly what was thrown: bone tiles, an exploded one in gold."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import pygame

from game.view.fonts import render
from game.view.palette import BONE, CORAL, GOLD, HAIRLINE, INK, PANEL, PAPER, TEXT, Colour, alpha
from rules.contract.events import Roll, Throw
from rules.core.figures import plain, signed

TILE = 30
PAD = 12
MARGIN = 12
"""Pixels between the tray and the panels, where there is so much room."""
STRIDE = 24
"""Pixels between the places that are tried for the tray."""


@dataclass(frozen=True)
class Row:
    """One roll: what it is for, its dice, its adjustments and total."""

    label: str
    throws: tuple[Throw, ...]
    plus: int
    total: int


@dataclass(frozen=True)
class Tray:
    """All rolls of one event, with the word that sums them up."""

    rows: tuple[Row, ...]
    verdict: str
    title: str = ""
    """Who throws, and at whom: the log may be folded."""

    def size(self, scale: float = 1.0) -> tuple[int, int]:
        """Width and height in pixels, the same from the first tumble to the verdict."""
        panels = [_row_picture(row, _settled(row), scale) for row in self.rows]
        verdict = _verdict(self.verdict, scale)
        title = self._head(scale)
        width = max(verdict.get_width(), *(panel.get_width() for panel in panels))
        gap, pad = round(4 * scale), round(PAD * scale)
        height = sum(panel.get_height() + gap for panel in panels) + verdict.get_height()
        if title is not None:
            width, height = max(width, title.get_width()), height + title.get_height() + gap
        return width + 2 * pad, height + 2 * pad - gap

    def place(
        self,
        free: pygame.Rect,
        clear: Sequence[pygame.Rect],
        others: Sequence[pygame.Rect] = (),
        scale: float = 1.0,
    ) -> pygame.Rect:
        """Where in `free` it hides the least of `clear`, whoever the throw is about, then of the others."""
        width, height = self.size(scale)
        inner = free.inflate(-2 * MARGIN, -2 * MARGIN)
        lefts = [inner.centerx - width // 2, inner.left, inner.right - width]
        tops = [inner.bottom - height, inner.top]
        spots = [pygame.Rect(x, y, width, height) for y in tops for x in lefts]
        spots += [
            pygame.Rect(x, y, width, height)
            for y in range(inner.top, inner.bottom - height, STRIDE)
            for x in range(inner.left, inner.right - width, STRIDE)
        ]

        def hidden(spot: pygame.Rect) -> int:
            return 8 * sum(_common(spot, r) for r in clear) + sum(_common(spot, r) for r in others)

        return min(spots, key=hidden)

    def fitted(
        self,
        free: pygame.Rect,
        clear: Sequence[pygame.Rect],
        others: Sequence[pygame.Rect],
        scale: float,
    ) -> tuple[pygame.Rect, float]:
        """A place and a scale: the one asked for, or as near below it as hides nobody it is about.

        It always lies in `free`: where it must hide somebody, it is as small as can still be read.
        """
        for share in (1.0, 0.85, 0.7, 0.55):
            box = self.place(free, clear, others, scale * share)
            if free.contains(box) and box.collidelist(list(clear)) < 0:
                return box, scale * share
        for share in (0.55, 0.4):
            box = self.place(free, clear, others, scale * share)
            if free.contains(box):
                break
        return box.clamp(free), scale * share

    def draw(self, surface: pygame.Surface, box: pygame.Rect, share: float, scale: float = 1.0) -> None:
        """Draw it into `box` (of its `size`); `share` 0..1 of the tumbling is over."""
        panels = [_row_picture(row, _tumble(row, share), scale) for row in self.rows]
        verdict = _verdict(self.verdict, scale)
        pad = round(PAD * scale)
        box = box.clamp(surface.get_rect())
        surface.blit(_panel(box.size, round(10 * scale)), box)
        y = box.top + pad
        if (title := self._head(scale)) is not None:
            surface.blit(title, (box.left + pad, y))
            y += title.get_height() + round(4 * scale)
        for picture in panels:
            surface.blit(picture, (box.left + pad, y))
            y += picture.get_height() + round(4 * scale)
        if share >= 1:
            surface.blit(verdict, verdict.get_rect(midtop=(box.centerx, y - round(2 * scale))))

    def _head(self, scale: float) -> pygame.Surface | None:
        return render("bold", round(14 * scale), self.title, PAPER) if self.title else None


def trays_of(rolls: Sequence[Roll], verdict: str, title: str = "") -> Tray | None:
    """The tray of an event's rolls; None if no die was thrown."""
    rows = tuple(Row(r.label, r.throws, sum(a.value for a in r.adjustments), r.total) for r in rolls if r.throws)
    return Tray(rows, verdict, title) if rows else None


def _common(one: pygame.Rect, other: pygame.Rect) -> int:
    both = one.clip(other)
    return both.width * both.height


def _settled(row: Row) -> tuple[int, ...]:
    return tuple(throw.face for throw in row.throws)


def _tumble(row: Row, share: float) -> tuple[int, ...]:
    """The faces shown now: each die settles in its turn, and turns through faces in a fixed way until then."""
    shown = []
    count = len(row.throws)
    for i, throw in enumerate(row.throws):
        settles = 0.35 + 0.6 * (i + 1) / count
        if share >= settles:
            shown.append(throw.face)
        else:
            shown.append(1 + (throw.face + round(share * 30) * (i + 3)) % max(2, throw.rank))
    return tuple(shown)


def _verdict(text: str, scale: float) -> pygame.Surface:
    return render("bold", round(16 * scale), text, GOLD)


@lru_cache(maxsize=256)
def _row_picture(row: Row, faces: tuple[int, ...], scale: float) -> pygame.Surface:
    settled = faces == _settled(row)
    side, gap = round(TILE * scale), round(5 * scale)
    label = render("text", round(14 * scale), row.label[:1].upper() + row.label[1:], TEXT)
    plus = f"{signed(row.plus)} = " if row.plus else "= "
    tail = f"{plus}{plain(row.total)}"
    total = render("bold", round(16 * scale), tail, PAPER)
    start = max(round(78 * scale), label.get_width() + 2 * gap)
    picture = pygame.Surface(
        (start + len(faces) * (side + gap) + total.get_width() + 2 * gap, side + 2), pygame.SRCALPHA
    )
    picture.blit(label, label.get_rect(midleft=(0, side // 2)))
    x = start
    for face, throw in zip(faces, row.throws, strict=True):
        picture.blit(tile(face, settled and throw.exploded, side), (x, 0))
        x += side + gap
    if settled:
        picture.blit(total, total.get_rect(midleft=(x + gap, side // 2)))
    return picture


@lru_cache(maxsize=256)
def tile(face: int, exploded: bool, size: int = TILE) -> pygame.Surface:
    """A die as a bone-coloured tile with its face; gold if it exploded."""
    colour: Colour = GOLD if exploded else BONE
    picture = pygame.Surface((size, size), pygame.SRCALPHA)
    box = picture.get_rect()
    pygame.draw.rect(picture, INK, box, border_radius=size // 5)
    pygame.draw.rect(picture, colour, box.inflate(-3, -3), border_radius=size // 6)
    pygame.draw.line(picture, alpha(PAPER, 255), (5, 3), (size - 6, 3))
    number = render("bold", round(size * 0.58), str(face), INK)
    picture.blit(number, number.get_rect(center=box.center))
    if exploded:
        pygame.draw.rect(picture, CORAL, box.inflate(-1, -1), 1, border_radius=size // 5)
    return picture


@lru_cache(maxsize=32)
def _panel(size: tuple[int, int], radius: int) -> pygame.Surface:
    picture = pygame.Surface(size, pygame.SRCALPHA)
    pygame.draw.rect(picture, alpha(PANEL, 235), picture.get_rect(), border_radius=radius)
    pygame.draw.rect(picture, HAIRLINE, picture.get_rect(), 1, border_radius=radius)
    return picture
