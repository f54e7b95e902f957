"""Pictures of imported maps: measured by their headers before anything is decoded, and laid upon the grid."""

from __future__ import annotations

import io

import pygame

from game.importing.loose import Parts
from game.importing.plan import Picture, Plan
from game.maps.folder import size_of
from game.maps.limits import MAX_IMAGE_PIXELS, MAX_IMAGE_SIDE
from rules.contract.text import text

MOST_SIDE = 16_384
"""Pixels of a side that are decoded at most …"""
MOST_PIXELS = 100_000_000
"""… and of a whole picture."""
LEAST, MOST = 16, 128
"""Pixels of a space of a map that is written, at least and at most."""


def embedded(data: bytes, parts: Parts, size: tuple[float, float]) -> Picture | None:
    """A picture that lies over so many spaces; None with a warning where it is none, or too large."""
    kind, measured = size_of(data)
    if measured is None or kind not in ("PNG", "JPG", "WebP"):
        parts.tell("its picture is no PNG, JPEG or WebP: the map is drawn with our own tiles")
        return None
    wide, high = measured
    if not (0 < wide <= MOST_SIDE and 0 < high <= MOST_SIDE and wide * high <= MOST_PIXELS):
        wrong = "its picture is {wide} × {high} pixels large, too much to decode: the map is drawn with our own tiles"
        parts.tell(text(wrong, wide, high))
        return None
    return Picture(data, kind, 0.0, 0.0, *size)


def tile_of(plan: Plan) -> int:
    """Pixels of a space of the map that is written: as the picture has them, as far as a map may hold them."""
    if plan.picture is None:
        return 64
    _, measured = size_of(plan.picture.data)
    wide = 0 if measured is None else measured[0] / plan.picture.columns
    side = max(LEAST, min(MOST, round(wide)))
    while side > LEAST and (
        max(plan.columns, plan.rows) * side > MAX_IMAGE_SIDE or plan.columns * plan.rows * side**2 > MAX_IMAGE_PIXELS
    ):
        side -= 1
    return side


def laid(plan: Plan, side: int) -> bytes | None:
    """The picture as a PNG that covers exactly the map's spaces of so many pixels; None where it can't be decoded."""
    shown = plan.picture
    if shown is None or max(plan.columns, plan.rows) * side > MAX_IMAGE_SIDE:
        return None
    try:
        found = pygame.image.load(io.BytesIO(shown.data), f"picture.{shown.kind.lower()}")
        size = max(1, round(shown.columns * side)), max(1, round(shown.rows * side))
        found = pygame.transform.smoothscale(_whole(found), size)
    except (pygame.error, ValueError, MemoryError):
        return None
    board = pygame.Surface((plan.columns * side, plan.rows * side), pygame.SRCALPHA)
    board.blit(found, (round(shown.x * side), round(shown.y * side)))
    data = io.BytesIO()
    pygame.image.save(board, data, "picture.png")
    return data.getvalue()


def _whole(picture: pygame.Surface) -> pygame.Surface:
    """A picture of 32 bits, as scaling needs it."""
    board = pygame.Surface(picture.get_size(), pygame.SRCALPHA)
    board.blit(picture, (0, 0))
    return board
