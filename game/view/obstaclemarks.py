"""What stands in the way, drawn on the ground: deep water, faces and walls to climb, rubble and what was cleared."""

from __future__ import annotations

import math

import pygame

from game.view.camera import Camera
from game.view.palette import AMBER, FACE, INK, RIM, alpha, mix, shade
from rules.contract.display import GroundMark

KINDS = ("water", "climb", "rubble", "cleared")
_EARTH = (96, 82, 66)
_WAVE = (196, 226, 238)


def picture(sheet: pygame.Surface, unit: int, kind: str, turn: int) -> None:
    """Draw the mark of one space; `turn` tells neighbours apart."""
    if kind == "water":
        _waves(sheet, unit, turn)
    elif kind == "climb":
        _coping(sheet, unit)
    elif kind == "cleared":
        _trodden(sheet, unit, turn)
    else:
        _stones(sheet, unit)


def draw_ledge(surface: pygame.Surface, camera: Camera, mark: GroundMark) -> None:
    """Holds along the edges that can be climbed: short rungs across each, and an arrow either way."""
    unit = camera.space_rect(0).width
    for a, b in mark.edges:
        if not mark.cells >> a & 1 and not mark.cells >> b & 1:
            continue
        one, other = camera.space_rect(a), camera.space_rect(b)
        middle = pygame.Vector2(one.center).lerp(pygame.Vector2(other.center), 0.5)
        across = (pygame.Vector2(other.center) - pygame.Vector2(one.center)).normalize()
        along = pygame.Vector2(-across.y, across.x)
        for step in (-0.3, 0.0, 0.3):
            foot = middle + along * unit * step
            _rung(surface, foot - across * unit * 0.13, foot + across * unit * 0.13, unit)


def _rung(surface: pygame.Surface, start: pygame.Vector2, end: pygame.Vector2, unit: int) -> None:
    pygame.draw.line(surface, INK, start, end, max(4, unit // 9))
    pygame.draw.line(surface, AMBER, start, end, max(2, unit // 18))


def _waves(sheet: pygame.Surface, unit: int, turn: int) -> None:
    """Two long ripples: deep, and moving."""
    for n in range(2):
        y = unit * (0.34 + 0.34 * n) + turn * unit * 0.03
        left = unit * (0.16 + 0.12 * ((n + turn) % 2))
        points = []
        for step in range(13):
            points.append((left + unit * 0.045 * step, y + math.sin(step * 0.85 + turn) * unit * 0.035))
        pygame.draw.lines(sheet, alpha(_WAVE, 120), False, points, max(2, unit // 30))


def _coping(sheet: pygame.Surface, unit: int) -> None:
    """Two chevrons: over it one climbs."""
    width = max(2, unit // 16)
    for n in range(2):
        y = unit * (0.56 - 0.2 * n)
        points = [(unit * 0.32, y), (unit * 0.5, y - unit * 0.16), (unit * 0.68, y)]
        pygame.draw.lines(sheet, INK, False, points, width + 3)
        pygame.draw.lines(sheet, AMBER, False, points, width)


def _stones(sheet: pygame.Surface, unit: int) -> None:
    """Big stones, one on the other."""
    line = max(1, unit // 30)
    for x, y, w, h, tone in (
        (0.08, 0.5, 0.42, 0.4, -10),
        (0.5, 0.46, 0.42, 0.44, 4),
        (0.26, 0.14, 0.46, 0.4, 12),
    ):
        box = pygame.Rect(round(unit * x), round(unit * y), round(unit * w), round(unit * h))
        colour = shade(FACE, tone)
        pygame.draw.rect(sheet, INK, box.inflate(2 * line, 2 * line), border_radius=max(3, unit // 6))
        pygame.draw.rect(sheet, colour, box, border_radius=max(3, unit // 6))
        top = pygame.Rect(box.x + box.w // 5, box.y + line, box.w * 3 // 5, max(2, unit // 22))
        pygame.draw.rect(sheet, mix(colour, RIM, 0.5), top, border_radius=max(1, unit // 30))


def _trodden(sheet: pygame.Surface, unit: int, turn: int) -> None:
    """A way through, with pebbles at its sides."""
    sheet.fill((*_EARTH, 255))
    for n in range(7):
        x, y = (37 * n + 23 * turn) % 90 + 5, (53 * n + 11 * turn) % 80 + 8
        if 30 < x < 70 and n % 2:
            x = (x + 45) % 100
        radius = max(2, unit * (4 + n % 3) // 90)
        spot = (round(unit * x / 100), round(unit * y / 100))
        pygame.draw.circle(sheet, shade(_EARTH, -38), (spot[0], spot[1] + 1), radius + 1)
        pygame.draw.circle(sheet, shade(FACE, 16), spot, radius)
