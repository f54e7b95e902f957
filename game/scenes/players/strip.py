"""What may lie over the board of the players' window: whose turn it is, and what creatures are called."""

from __future__ import annotations

import pygame

from game.view import minis
from game.view.boardview import BoardView, placed
from game.view.palette import GOLD, INK, MUTED, PANEL, PAPER, alpha, render, side_colour
from rules.contract.display import Board

MOST = 16
"""So many portraits at most; the rest is told by a number."""


def in_order(board: Board) -> list[tuple[str, bool, bool]]:
    """Who acts in which order: (id, whether it is their turn, whether they are done with it)."""
    if board.order:
        return [(turn.id, turn.active, turn.done) for turn in board.order]
    there = {mini.id: mini for mini in board.miniatures if not mini.out}
    slots = sorted((slot for slot in board.timeline if slot.kind != "effect" and slot.id in there), key=lambda s: s.at)
    return [(name, there[name].active, False) for name in dict.fromkeys(slot.id for slot in slots)]


def draw_order(surface: pygame.Surface, board: Board, high: int) -> None:
    """The order of play at the top of the window, whoever acts larger than the rest, and what time it is."""
    order, there = in_order(board), {mini.id: mini for mini in board.miniatures}
    order = [turn for turn in order if turn[0] in there]
    caption = board.banner or board.caption
    size, gap = round(high * 0.62), max(4, high // 12)
    words = render("bold", max(12, high // 4), caption, PAPER)
    room = surface.get_width() - words.get_width() - 6 * gap
    most = max(1, min(MOST, (room - size) // (size + gap)))
    if len(order) > most:
        first = next((n for n, turn in enumerate(order) if turn[1]), 0)
        start = max(0, min(first - 1, len(order) - most))
        order = order[start : start + most]
    wide = words.get_width() + 2 * gap + sum(size + gap for _ in order)
    plate = pygame.Surface((wide + 2 * gap, size + 2 * gap), pygame.SRCALPHA)
    pygame.draw.rect(plate, alpha(PANEL, 225), plate.get_rect(), border_radius=gap)
    rect = plate.get_rect(midtop=(surface.get_width() // 2, gap // 2))
    surface.blit(plate, rect)
    surface.blit(words, words.get_rect(midleft=(rect.left + gap, rect.centery)))
    left = rect.left + 3 * gap + words.get_width()
    for name, active, done in order:
        mini = there[name]
        box = pygame.Rect(left, rect.top + gap, size, size)
        face = minis.portrait(mini.art, mini.side, size)
        if done or mini.out:
            face = face.copy()
            face.set_alpha(95)
        surface.blit(face, face.get_rect(center=box.center))
        ring = GOLD if active else side_colour(mini.side)
        pygame.draw.rect(surface, ring, box.inflate(4, 4), max(2, size // (12 if active else 24)), border_radius=4)
        left += size + gap


def draw_names(surface: pygame.Surface, view: BoardView, board: Board, scale: float) -> None:
    """What those who are shown are called, each below its miniature."""
    window, camera = surface.get_clip(), view.camera
    shown = [(mini, camera.space_rect(mini.cell, mini.size)) for mini in board.miniatures if camera.shows(mini.cell)]
    shown = [(mini, rect) for mini, rect in shown if mini.cell >= 0 and window.colliderect(rect)]
    size = max(11, round(13 * scale))
    words = [render("bold", size, mini.name, MUTED if mini.out else PAPER) for mini, _ in shown]
    sizes = [(word.get_width() + size, word.get_height() + size // 3) for word in words]
    boxes = placed(zip(sizes, (rect for _, rect in shown), strict=True), window)
    for (mini, _), word, box in zip(shown, words, boxes, strict=True):
        pygame.draw.rect(surface, INK, box, border_radius=box.height // 2)
        pygame.draw.rect(surface, side_colour(mini.side), box, max(1, size // 10), border_radius=box.height // 2)
        surface.blit(word, word.get_rect(center=box.center))
