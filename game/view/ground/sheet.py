"""The ground as it was laid on a window last: where only the camera has moved, all but the rims is there already."""

from __future__ import annotations

from collections.abc import Mapping

import pygame

Place = tuple[int, int]
"""Which piece: how many across and down."""
Spot = tuple[pygame.Surface, tuple[int, int]]
"""A picture and the pixel of its upper left corner."""


class Sheet:
    """What was laid, kept in a picture of the window's size. That is shifted, completed at the rims and copied to the
    screen in one go: many small pictures take several times as long, above all where their rows happen to begin at
    addresses for which SDL goes past the processor's caches."""

    def __init__(self) -> None:
        self._picture: pygame.Surface | None = None
        self._laid: Mapping[Place, pygame.Surface] = {}
        self._side = 0
        self._origin = (0, 0)
        self._area = pygame.Rect(0, 0, 0, 0)
        """The pixels that are laid."""

    def forget(self) -> None:
        """Let go of all pictures."""
        self._picture, self._laid = None, {}

    def lay(
        self, surface: pygame.Surface, origin: tuple[int, int], side: int, pieces: Mapping[Place, pygame.Surface]
    ) -> None:
        """Lay pieces, row by row and without gaps, `side` pixels apart; `origin` is where piece (0, 0) belongs.

        A piece that looks otherwise is another picture; the mapping given is not changed afterwards.
        """
        x, y = origin
        spots = [(picture, (x + i * side, y + j * side)) for (i, j), picture in pieces.items()]
        if side != self._side:  # while the zoom changes from frame to frame nothing is worth being kept
            self.forget()
            self._side = side
            surface.fblits(spots)
            return
        sheet = self._picture
        if sheet is None or sheet.get_size() != surface.get_size():
            self.forget()
            sheet = self._picture = pygame.Surface(surface.get_size())
        kept = self._shifted(sheet, origin)
        if kept and pieces is not self._laid:
            laid = self._laid
            sheet.fblits([spot for place, spot in zip(pieces, spots, strict=True) if laid.get(place) is not spot[0]])
        area = _covered(spots).clip(sheet.get_rect())
        _lay_rims(sheet, area, kept, spots)
        self._origin, self._laid, self._area = origin, pieces, area
        surface.blit(sheet, area, area)

    def _shifted(self, sheet: pygame.Surface, origin: tuple[int, int]) -> pygame.Rect:
        """Move what is laid to where it belongs now; the pixels of it that are in the window still."""
        dx, dy = origin[0] - self._origin[0], origin[1] - self._origin[1]
        kept = self._area.move(dx, dy).clip(sheet.get_rect()) if self._laid else pygame.Rect(0, 0, 0, 0)
        if kept and (dx or dy):
            sheet.scroll(dx, dy)
        return kept


def _covered(spots: list[Spot]) -> pygame.Rect:
    """The pixels of pieces that lie row by row."""
    (_, first), (picture, last) = spots[0], spots[-1]
    return pygame.Rect(first, (last[0] + picture.get_width() - first[0], last[1] + picture.get_height() - first[1]))


def _lay_rims(sheet: pygame.Surface, area: pygame.Rect, kept: pygame.Rect, spots: list[Spot]) -> None:
    """Lay the parts of an area around what is kept of it, if anything is."""
    if kept.contains(area):
        return
    if not kept:
        sheet.fblits(spots)
        return
    rims = (
        pygame.Rect(area.left, area.top, area.width, kept.top - area.top),
        pygame.Rect(area.left, kept.bottom, area.width, area.bottom - kept.bottom),
        pygame.Rect(area.left, area.top, kept.left - area.left, area.height),
        pygame.Rect(kept.right, area.top, area.right - kept.right, area.height),
    )
    for rim in rims:
        if rim.width > 0 and rim.height > 0:
            sheet.set_clip(rim)
            sheet.fblits([spot for spot in spots if rim.colliderect((spot[1], spot[0].get_size()))])
    sheet.set_clip(None)
