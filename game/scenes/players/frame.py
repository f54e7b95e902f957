"""The frame on the main window's board that shows what the players' window shows, with a tab to take it by."""

from __future__ import annotations

import pygame

from game.view.camera import Camera
from game.view.palette import CORAL, GOLD, INK, MUTED, Colour, render

LINE = 3
TAB = (6, 3)
"""Pixels around the words of the tab at 100 %."""


def frame_on(main: Camera, shown: Camera) -> pygame.Rect | None:
    """The part of the main window that lies under the players' view; None where that is on another map."""
    if main.level != shown.level:
        return None
    left, top, wide, high = shown.frame_of_view
    corner = main.to_screen(left, top)
    return pygame.Rect(corner, (round(wide * main.zoom), round(high * main.zoom)))


def tab_of(frame: pygame.Rect | None, main: Camera, words: pygame.Surface, scale: float) -> pygame.Rect:
    """Where the frame is taken by: at its upper left corner, kept in the free part of the main window."""
    pad = round(TAB[0] * scale), round(TAB[1] * scale)
    tab = words.get_rect().inflate(2 * pad[0], 2 * pad[1])
    tab.topleft = frame.topleft if frame is not None else main.free.topleft
    return tab.clamp(main.free)


def draw_frame(
    surface: pygame.Surface, main: Camera, shown: Camera, *, told: str, dark: bool, scale: float
) -> pygame.Rect:
    """Draw the frame with its tab, which says `told`; where that tab is."""
    colour = MUTED if dark else GOLD
    frame = frame_on(main, shown)
    line = max(2, round(LINE * scale))
    if frame is not None:
        _dashes(surface, frame, colour, line)
    words = render("bold", round(13 * scale), told, INK)
    tab = tab_of(frame, main, words, scale)
    pygame.draw.rect(surface, CORAL if dark else GOLD, tab, border_radius=round(4 * scale))
    pygame.draw.rect(surface, INK, tab, 1, border_radius=round(4 * scale))
    surface.blit(words, words.get_rect(center=tab.center))
    return tab


def _dashes(surface: pygame.Surface, frame: pygame.Rect, colour: Colour, line: int) -> None:
    """A dashed rectangle with firm corners; only what is in the window is drawn, however large it is."""
    window = surface.get_rect()
    dash, arm = 12, 26
    for y in (frame.top, frame.bottom - line):
        if window.top - line < y < window.bottom:
            for x in range(max(frame.left, window.left - dash), min(frame.right, window.right), 2 * dash):
                bar = pygame.Rect(x, y, min(dash, frame.right - x), line)
                surface.fill(INK, bar.inflate(2, 2))
                surface.fill(colour, bar)
    for x in (frame.left, frame.right - line):
        if window.left - line < x < window.right:
            for y in range(max(frame.top, window.top - dash), min(frame.bottom, window.bottom), 2 * dash):
                bar = pygame.Rect(x, y, line, min(dash, frame.bottom - y))
                surface.fill(INK, bar.inflate(2, 2))
                surface.fill(colour, bar)
    for x, ways in ((frame.left, 1), (frame.right - line, -1)):
        for y, down in ((frame.top, 1), (frame.bottom - line, -1)):
            across = pygame.Rect(x if ways > 0 else x - arm + line, y, arm, line)
            along = pygame.Rect(x, y if down > 0 else y - arm + line, line, arm)
            for bar in (across, along):
                if window.colliderect(bar):
                    surface.fill(colour, bar)
