"""Plans on the board: a dotted way to a ghost at its end, an arrow to whom it is aimed at, the deed in a word."""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import lru_cache

import pygame

from game.view.camera import Camera
from game.view.fonts import render
from game.view.minis import portrait
from game.view.palette import INK, PAPER, Colour, alpha, side_colour, tone
from rules.board.bitboard import cells_of
from rules.contract.display import Board, Miniature, Planned

GHOST = 120
"""How opaque a ghost is, of 255."""


@lru_cache(maxsize=64)
def _ghost(art: str, side: str, size: int) -> pygame.Surface:
    picture = portrait(art, side, size).copy()
    picture.fill((255, 255, 255, GHOST), special_flags=pygame.BLEND_RGBA_MULT)
    return picture


def draw_ways(surface: pygame.Surface, camera: Camera, board: Board) -> None:
    """The ways that are planned and the ghosts at their ends; under the miniatures."""
    minis = {mini.id: mini for mini in board.miniatures}
    for plan in board.plans:
        mini = minis.get(plan.id)
        if mini is None or not plan.path:
            continue
        stops = [camera.space_rect(cell, mini.size).center for cell in (mini.cell, *plan.path)]
        _dots(surface, stops, camera.zoom, side_colour(mini.side))
        rect = camera.space_rect(plan.path[-1], mini.size)
        surface.blit(_ghost(mini.art, mini.side, rect.width), rect)


def draw_aims(surface: pygame.Surface, camera: Camera, board: Board) -> None:
    """The arrows to those whom plans are aimed at; above the miniatures."""
    minis = {mini.id: mini for mini in board.miniatures}
    for plan, mini, stands in _standing(camera, board):
        target = minis.get(plan.target or "")
        if target is not None and target.id != mini.id:
            _arrow(surface, stands, camera.space_rect(target.cell, target.size), side_colour(mini.side))


def draw_words(surface: pygame.Surface, camera: Camera, board: Board, scale: float) -> None:
    """What shall be done, in a word each; above the miniatures and all rings around them."""
    words: list[pygame.Rect] = []
    for plan, _, stands in _standing(camera, board):
        if plan.label:
            _word(surface, plan, stands, camera, scale=scale, words=words)


def _standing(camera: Camera, board: Board) -> Iterator[tuple[Planned, Miniature, pygame.Rect]]:
    """Each plan with whose it is and where that one will stand then."""
    minis = {mini.id: mini for mini in board.miniatures}
    for plan in board.plans:
        mini = minis.get(plan.id)
        if mini is not None:
            yield plan, mini, camera.space_rect(plan.path[-1] if plan.path else mini.cell, mini.size)


def _dots(surface: pygame.Surface, stops: list[tuple[int, int]], zoom: int, colour: Colour) -> None:
    """Dots at equal distances along a way, dark-rimmed so that they show on any ground."""
    gap, radius = max(5.0, zoom / 5), max(2, zoom // 20)
    ahead = gap
    for (ax, ay), (bx, by) in zip(stops, stops[1:], strict=False):
        length = math.hypot(bx - ax, by - ay)
        while ahead <= length:
            x, y = ax + (bx - ax) * ahead / length, ay + (by - ay) * ahead / length
            pygame.draw.circle(surface, INK, (x, y), radius + 1)
            pygame.draw.circle(surface, colour, (x, y), radius)
            ahead += gap
        ahead -= length


def _arrow(surface: pygame.Surface, start: pygame.Rect, goal: pygame.Rect, colour: Colour) -> None:
    """From the rim of one miniature to the rim of another."""
    (ax, ay), (bx, by) = start.center, goal.center
    length = math.hypot(bx - ax, by - ay)
    if length < 1:
        return
    dx, dy = (bx - ax) / length, (by - ay) / length
    near, far = start.width * 0.36, goal.width * 0.4
    if length <= near + far:
        near, far = length * 0.3, length * 0.3
    tip = (bx - dx * far, by - dy * far)
    tail = (ax + dx * near, ay + dy * near)
    head = max(8.0, start.width * 0.2)
    neck = (tip[0] - dx * head, tip[1] - dy * head)
    thick = max(3, start.width // 18)
    wings = [
        tip,
        (neck[0] - dy * head * 0.5, neck[1] + dx * head * 0.5),
        (neck[0] + dy * head * 0.5, neck[1] - dx * head * 0.5),
    ]
    pygame.draw.line(surface, INK, tail, neck, thick + 2)
    pygame.draw.polygon(surface, INK, wings, thick)
    pygame.draw.line(surface, colour, tail, neck, thick)
    pygame.draw.polygon(surface, colour, wings)


def _word(
    surface: pygame.Surface,
    plan: Planned,
    stands: pygame.Rect,
    camera: Camera,
    *,
    scale: float,
    words: list[pygame.Rect],
) -> None:
    """The deed on a small plate at the foot of whoever plans it; plates make room for each other."""
    text = render("bold", max(11, round(12 * scale)), plan.label, PAPER)
    box = text.get_rect(midtop=(stands.centerx, stands.bottom - camera.zoom // 8)).inflate(10, 4)
    while any(box.colliderect(other) for other in words):
        box.top += box.height + 2
    words.append(box)
    plate = pygame.Surface(box.size, pygame.SRCALPHA)
    pygame.draw.rect(plate, alpha(INK, 215), plate.get_rect(), border_radius=5)
    surface.blit(plate, box)
    surface.blit(text, text.get_rect(center=box.center))


def draw_facing(surface: pygame.Surface, camera: Camera, mini: Miniature, facing: int, struck: int = 0) -> None:
    """The arcs about somebody: ahead and half aside is front, behind is rear; between them are the sides; and the
    spaces that it can strike."""
    for cell in cells_of(struck):
        space = camera.space_rect(cell).inflate(-camera.zoom // 7, -camera.zoom // 7)
        pygame.draw.rect(
            surface, tone("aim"), space, max(1, camera.zoom // 40), border_radius=max(2, camera.zoom // 10)
        )
    rect = camera.space_rect(mini.cell, mini.size)
    reach = rect.width * 1.15
    size = round(reach * 2.2)
    sheet = pygame.Surface((size, size), pygame.SRCALPHA)
    middle = size / 2
    for turn, spread, colour in ((0, 67.5, (120, 220, 150)), (4, 67.5, (255, 110, 90))):
        ahead = math.radians(45 * (facing + turn) - 90)
        steps = 18
        rim = [
            (middle + math.cos(a) * reach, middle + math.sin(a) * reach)
            for n in range(steps + 1)
            for a in (ahead + math.radians(spread) * (2 * n / steps - 1),)
        ]
        pygame.draw.polygon(sheet, (*colour, 44), [(middle, middle), *rim])
        pygame.draw.lines(sheet, (*colour, 170), False, rim, max(2, camera.zoom // 26))
    surface.blit(sheet, sheet.get_rect(center=rect.center))
