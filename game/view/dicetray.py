"""Dice that tumble and settle on exactly what was thrown: bone tiles, an exploded one in gold."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import pygame

from game.view.fonts import render
from game.view.palette import BONE, CORAL, GOLD, HAIRLINE, INK, PANEL, PAPER, TEXT, Colour, alpha
from rules.events import Roll, Throw

TILE = 30
PAD = 12
_ANCHORS = ((1, 0), (0, 0), (2, 0), (1, 1), (0, 1), (2, 1))
"""Left, middle or right of the free part; at its bottom or top: the places to stand at, the best first."""


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

    def size(self) -> tuple[int, int]:
        """Width and height in pixels, the same from the first tumble to the verdict."""
        panels = [_row_picture(row, _settled(row)) for row in self.rows]
        verdict = render("bold", 16, self.verdict, GOLD)
        width = max(verdict.get_width(), *(panel.get_width() for panel in panels))
        height = sum(panel.get_height() + 4 for panel in panels) + verdict.get_height() + 2
        return width + 2 * PAD, height + 2 * PAD - 4

    def place(self, free: pygame.Rect, clear: Sequence[pygame.Rect]) -> pygame.Rect:
        """Where in `free` it hides the least of `clear`, the spaces of whoever the throw is about."""
        width, height = self.size()
        inner = free.inflate(-24, -24)
        x, y = (
            (inner.left, inner.centerx - width // 2, inner.right - width),
            (inner.bottom - height, inner.top),
        )
        spots = [pygame.Rect(x[i], y[k], width, height) for i, k in _ANCHORS]
        return min(spots, key=lambda spot: sum(_common(spot, rect) for rect in clear))

    def draw(self, surface: pygame.Surface, box: pygame.Rect, share: float) -> None:
        """Draw it into `box` (of its `size`); `share` 0..1 of the tumbling is over."""
        panels = [_row_picture(row, _tumble(row, share)) for row in self.rows]
        verdict = render("bold", 16, self.verdict, GOLD)
        box = box.clamp(surface.get_rect())
        surface.blit(_panel(box.size), box)
        y = box.top + PAD
        for picture in panels:
            surface.blit(picture, (box.left + PAD, y))
            y += picture.get_height() + 4
        if share >= 1:
            surface.blit(verdict, verdict.get_rect(midtop=(box.centerx, y - 2)))


def trays_of(rolls: Sequence[Roll], verdict: str) -> Tray | None:
    """The tray of an event's rolls; None if no die was thrown."""
    rows = tuple(
        Row(r.label, r.throws, sum(a.value for a in r.adjustments), r.total) for r in rolls if r.throws
    )
    return Tray(rows, verdict) if rows else None


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


@lru_cache(maxsize=256)
def _row_picture(row: Row, faces: tuple[int, ...]) -> pygame.Surface:
    settled = faces == _settled(row)
    label = render("text", 14, row.label.capitalize(), TEXT)
    tail = ""
    if settled:
        tail = f"{row.plus:+d} = {row.total}" if row.plus else f"= {row.total}"
    total = render("bold", 16, tail.replace("-", "−"), PAPER)
    tiles = len(faces) * (TILE + 5)
    width = max(78, label.get_width() + 10) + tiles + total.get_width() + 8
    picture = pygame.Surface((width, TILE + 2), pygame.SRCALPHA)
    picture.blit(label, label.get_rect(midleft=(0, TILE // 2)))
    x = max(78, label.get_width() + 10)
    for face, throw in zip(faces, row.throws, strict=True):
        picture.blit(tile(face, settled and throw.exploded), (x, 0))
        x += TILE + 5
    picture.blit(total, total.get_rect(midleft=(x + 4, TILE // 2)))
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
def _panel(size: tuple[int, int]) -> pygame.Surface:
    picture = pygame.Surface(size, pygame.SRCALPHA)
    pygame.draw.rect(picture, alpha(PANEL, 235), picture.get_rect(), border_radius=10)
    pygame.draw.rect(picture, HAIRLINE, picture.get_rect(), 1, border_radius=10)
    return picture
