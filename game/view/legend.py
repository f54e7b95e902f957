"""The legend: who and what everything on the board is, each name where it hides no other."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import pygame

from game.view.camera import Camera
from game.view.fonts import render
from game.view.ground.doors import middle
from game.view.ground.plan import GroundPlan
from game.view.palette import GOLD, INK, MUTED, PAPER, Colour
from rules.board.bitboard import cells_of
from rules.contract.display import Board

NAMED = ("trap", "chest", "water", "climb", "ledge", "rubble")
"""Kinds of marks on the ground whose names are written."""
SIZE = 13
"""Of the letters, at 100 %."""


@dataclass(frozen=True)
class Name:
    """What is written, and the pixels of what it names."""

    text: str
    about: pygame.Rect
    colour: Colour


def names(camera: Camera, board: Board, plan: GroundPlan, known: int = -1) -> list[Name]:
    """Creatures, doors that are known (also by their ground, a bitboard), and what lies on the floor."""
    found = [
        Name(mini.name, camera.space_rect(mini.cell, mini.size), MUTED if mini.out else PAPER)
        for mini in board.miniatures
    ]
    for door, state in zip(plan.field.doors, board.doors, strict=False):
        if state != "secret" and known >> door.cell & 1:
            column, row = middle(plan, door)
            spot = pygame.Rect(camera.to_screen(column - 0.5, row - 0.5), (camera.zoom, camera.zoom))
            found.append(Name(f"{door.id}, {state}", spot, GOLD))
    for mark in board.ground:
        shown = [cell for cell in cells_of(mark.cells) if known >> cell & 1] if mark.kind in NAMED else []
        if shown:
            found.append(Name(mark.label, camera.space_rect(shown[len(shown) // 2]), GOLD))
    for cell in sorted({item.cell for item in board.floor}):
        text = ", ".join(item.item for item in board.floor if item.cell == cell)
        found.append(Name(text[:1].upper() + text[1:], camera.space_rect(cell), GOLD))
    return found


def placed(labels: Iterable[tuple[tuple[int, int], pygame.Rect]], window: pygame.Rect) -> list[pygame.Rect]:
    """A box for each (size, what it names): below it, above it or beside it, off the boxes before it."""
    boxes: list[pygame.Rect] = []
    for size, about in labels:
        box = pygame.Rect((0, 0), size)
        tried: list[pygame.Rect] = []
        for step in range(3):
            for middle_y in (about.bottom + step * size[1], about.top - step * size[1]):
                for shift in (0, size[0] // 2, -size[0] // 2):
                    box.center = (about.centerx + shift, middle_y)
                    tried.append(box.clamp(window))
        boxes.append(min(tried, key=lambda spot: sum(_common(spot, other) for other in boxes)))
    return boxes


def draw(
    surface: pygame.Surface, camera: Camera, board: Board, plan: GroundPlan, scale: float, known: int = -1
) -> None:
    """Write the names of all that the window shows."""
    window = surface.get_rect()
    shown = [name for name in names(camera, board, plan, known) if window.colliderect(name.about)]
    shown.sort(key=lambda name: (name.about.y, name.about.x))
    size = round(SIZE * min(scale, 1.5))
    words = [render("bold", size, name.text, name.colour) for name in shown]
    sizes = [(word.get_width() + size, word.get_height() + size // 3) for word in words]
    boxes = placed(zip(sizes, (name.about for name in shown), strict=True), window)
    for name, word, box in zip(shown, words, boxes, strict=True):
        pygame.draw.rect(surface, INK, box, border_radius=box.height // 2)
        pygame.draw.rect(surface, name.colour, box, max(1, size // 10), border_radius=box.height // 2)
        surface.blit(word, word.get_rect(center=box.center))


def _common(one: pygame.Rect, other: pygame.Rect) -> int:
    both = one.clip(other)
    return both.width * both.height
