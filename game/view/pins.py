"""Notes of a map: a small page pinned to the corner of a space; the game master's own have a seal."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

import pygame

from game.maps.mapdata import LoadedMap, MapObject
from game.view.camera import Camera
from game.view.palette import INK, PAPER, Colour, mix, tone

LEAST = 15
"""Pixels of a page at least, so that it is told from the ground however far away."""
LONGEST = 900
"""Letters of a note that are shown; no window holds more."""


class Pin(NamedTuple):
    """A note as it is shown."""

    cells: tuple[int, ...]
    title: str
    text: str
    secret: bool
    """For the game master alone."""

    @property
    def cell(self) -> int:
        return self.cells[0]


def pins(loaded: LoadedMap | None, known: int, *, secrets: bool) -> tuple[Pin, ...]:
    """The notes of a map on ground that is known (a bitboard, -1 = all); `secrets`: the game master's, too."""
    found = (_pin(note, known) for note in loaded.notes) if loaded is not None else ()
    return tuple(pin for pin in found if pin.cells and (pin.title or pin.text) and (secrets or not pin.secret))


def _pin(note: MapObject, known: int) -> Pin:
    """A note on those of its spaces that are known: how far the others go, nobody is told."""
    secret = note.text("gm_only").casefold() == "true" or not note.visible
    cells = tuple(cell for cell in note.cells if known >> cell & 1)
    return Pin(cells, _plain(note.name), _plain(note.text("text")), secret)


def _plain(text: str) -> str:
    """What a stranger's map says, without signs that cannot be drawn."""
    text = "".join(sign if sign.isprintable() or sign == "\n" else " " for sign in text).strip()
    return text if len(text) <= LONGEST else text[:LONGEST].rstrip() + "…"


def at(found: Iterable[Pin], cell: int | None) -> list[Pin]:
    """The notes on a space."""
    return [pin for pin in found if cell is not None and cell in pin.cells]


def rect_of(camera: Camera, pin: Pin) -> pygame.Rect:
    """Where its page is drawn."""
    space = camera.space_rect(pin.cell)
    size = max(LEAST, camera.zoom * 2 // 5)
    return pygame.Rect(space.left - size // 5, space.top - size // 5, size, size)


def draw(surface: pygame.Surface, camera: Camera, found: Iterable[Pin], hover: int | None) -> None:
    """The pages of all notes in sight."""
    window = surface.get_rect()
    for pin in found:
        rect = rect_of(camera, pin)
        if window.colliderect(rect):
            surface.blit(
                _page(rect.width, pin.secret, tone("aim") if hover in pin.cells else PAPER, tone("harm")),
                rect,
            )


@lru_cache(maxsize=64)
def _page(size: int, secret: bool, paper: Colour, seal: Colour) -> pygame.Surface:
    big = size * 4
    sheet = pygame.Surface((big, big), pygame.SRCALPHA)
    fold, edge = big // 4, max(2, big // 14)
    left, top, right, bottom = big // 8, big // 16, big * 7 // 8, big * 15 // 16
    page = [(left, top), (right - fold, top), (right, top + fold), (right, bottom), (left, bottom)]
    pygame.draw.polygon(sheet, paper, page)
    pygame.draw.polygon(sheet, mix(paper, INK, 0.35), [page[1], (right - fold, top + fold), page[2]])
    for line in range(3):
        y = top + fold + (bottom - top - fold) * (line + 1) // 4
        end = right - big // 8 - (big // 6 if line == 2 else 0)
        pygame.draw.line(sheet, mix(paper, INK, 0.7), (left + big // 8, y), (end, y), max(2, big // 18))
    pygame.draw.polygon(sheet, INK, page, edge)
    if secret:
        middle = (right - big // 10, bottom - big // 10)
        pygame.draw.circle(sheet, INK, middle, big // 5)
        pygame.draw.circle(sheet, seal, middle, big // 5 - edge)
        pygame.draw.circle(sheet, INK, middle, big // 11, max(2, big // 24))
    return pygame.transform.smoothscale(sheet, (size, size))
