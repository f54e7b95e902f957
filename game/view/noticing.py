"""What is watched, and where one would be noticed: a veil over the view of others, and chances on spaces and ways."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

import pygame

from game.view.camera import Camera
from game.view.fonts import render
from game.view.palette import INK, PAPER, Colour, alpha, tone
from rules.board.bitboard import cells_of

EVEN = 0.5
"""From this chance on a risk is drawn as harm."""
LEAST = 26
"""Pixels of a space below which the chances of all spaces are left out."""


def told(chance: float) -> str:
    """A chance on a space: as in `card.percent`, without the sign to save room."""
    if chance >= 1.0 or chance <= 0.0:
        return "100" if chance > 0.0 else "0"
    return "<1" if chance < 0.005 else ">99" if chance > 0.995 else f"{chance * 100:.0f}"


@lru_cache(maxsize=16)
def _veil(size: int, colour: Colour) -> pygame.Surface:
    """A space in somebody's view: a tint with a row of dots, told apart by more than its colour."""
    sheet = pygame.Surface((size, size), pygame.SRCALPHA)
    sheet.fill(alpha(colour, 26))
    for corner in ((0.25, 0.25), (0.75, 0.75)):
        at = (round(size * corner[0]), round(size * corner[1]))
        pygame.draw.circle(sheet, alpha(colour, 88), at, max(1, size // 28))
    return sheet


def draw_watched(surface: pygame.Surface, camera: Camera, cells: int) -> None:
    """The spaces in view of those who have noticed nothing yet, with their border."""
    if not cells:
        return
    veil, window, wide = _veil(camera.space_rect(0).width, tone("harm")), surface.get_rect(), camera.columns
    for cell in cells_of(cells):
        rect = camera.space_rect(cell)
        if not window.colliderect(rect):
            continue
        surface.blit(veil, rect)
        column, line = cell % wide, max(1, rect.width // 36)
        borders = (
            (cell >= wide and cells >> (cell - wide) & 1, rect.topleft, (rect.right - 1, rect.top)),
            (cells >> (cell + wide) & 1, (rect.left, rect.bottom - 1), (rect.right - 1, rect.bottom - 1)),
            (column > 0 and cells >> (cell - 1) & 1, rect.topleft, (rect.left, rect.bottom - 1)),
            (
                column < wide - 1 and cells >> (cell + 1) & 1,
                (rect.right - 1, rect.top),
                (rect.right - 1, rect.bottom - 1),
            ),
        )
        for inside, start, end in borders:
            if not inside:
                pygame.draw.line(surface, tone("harm"), start, end, line)


def draw_risks(surface: pygame.Surface, camera: Camera, risks: Mapping[int, float], *, quiet: bool = False) -> None:
    """On each space the chance to be noticed on the way there, in percent; `quiet` while one way is considered."""
    size = camera.space_rect(0).width
    if size < LEAST:
        return
    window = surface.get_rect()
    for cell, chance in risks.items():
        rect = camera.space_rect(cell)
        if chance <= 0.0 or not window.colliderect(rect):
            continue
        label = render("bold", max(10, size // 4), told(chance), tone("harm") if chance >= EVEN else PAPER)
        label.set_alpha(90 if quiet else 215)
        surface.blit(label, label.get_rect(center=rect.center))
        label.set_alpha(255)


def draw_along(surface: pygame.Surface, camera: Camera, along: Mapping[int, float]) -> None:
    """On each space of a way the chance to have been noticed by then, on a plate."""
    if not any(along.values()):
        return
    size = camera.space_rect(0).width
    for cell, chance in along.items():
        rect = camera.space_rect(cell)
        colour = tone("free") if chance <= 0.0 else tone("harm") if chance >= EVEN else PAPER
        label = render("bold", max(10, min(18, size // 4)), f"{told(chance)} %", colour)
        plate = label.get_rect(center=rect.center).inflate(size // 6, 2)
        pygame.draw.rect(surface, INK, plate, border_radius=plate.height // 2)
        pygame.draw.rect(surface, colour, plate, 1, border_radius=plate.height // 2)
        surface.blit(label, label.get_rect(center=plate.center))
