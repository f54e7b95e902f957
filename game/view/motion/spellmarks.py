"""What spells put on the ground and in the air: walls, panes, hedges and lights; sparks in flight and flashes."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache, partial

import pygame

from game.view.camera import Camera
from game.view.motion.pictures import Motion, Place, eased
from game.view.palette import AMBER, FACE, GOLD, INK, MUTED, PAPER, RIM, TEAL, Colour, alpha, mix, shade
from rules.board.bitboard import cells_of
from rules.contract.display import Board, GroundMark
from rules.contract.units import Cell
from rules.core.fixtures.challenges import CHESTS

_EARTH = (96, 82, 66)
_WAVE = (196, 226, 238)


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
            start, end = foot - across * unit * 0.13, foot + across * unit * 0.13
            pygame.draw.line(surface, INK, start, end, max(4, unit // 9))
            pygame.draw.line(surface, AMBER, start, end, max(2, unit // 18))


def _waves(sheet: pygame.Surface, unit: int, turn: int) -> None:
    """Two long ripples: deep, and moving."""
    for n in range(2):
        y = unit * (0.34 + 0.34 * n) + turn * unit * 0.03
        left = unit * (0.16 + 0.12 * ((n + turn) % 2))
        waves = [math.sin(step * 0.85 + turn) * unit * 0.035 for step in range(13)]
        points = [(left + unit * 0.045 * step, y + wave) for step, wave in enumerate(waves)]
        pygame.draw.lines(sheet, alpha(_WAVE, 120), False, points, max(2, unit // 30))


def _coping(sheet: pygame.Surface, unit: int, turn: int) -> None:
    """Two chevrons: over it one climbs."""
    width = max(2, unit // 16)
    for n in range(2):
        y = unit * (0.56 - 0.2 * n)
        points = [(unit * 0.32, y), (unit * 0.5, y - unit * 0.16), (unit * 0.68, y)]
        pygame.draw.lines(sheet, INK, False, points, width + 3)
        pygame.draw.lines(sheet, AMBER, False, points, width)


def _rubble_stones(sheet: pygame.Surface, unit: int, turn: int) -> None:
    """Big stones, one on the other."""
    line = max(1, unit // 30)
    for x, y, w, h, tone in ((0.08, 0.5, 0.42, 0.4, -10), (0.5, 0.46, 0.42, 0.44, 4), (0.26, 0.14, 0.46, 0.4, 12)):
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


_THORN = (92, 122, 62)
_PANE = (150, 214, 230)


def draw_ground_marks(
    surface: pygame.Surface, camera: Camera, board: Board, hidden: Callable[[Cell], bool] = lambda cell: False
) -> None:
    """Everything of the board's ground that the map doesn't show, lights first, but for spaces that are `hidden`."""
    window = surface.get_rect()
    unit = camera.space_rect(0).width
    for mark in sorted(board.ground, key=lambda mark: mark.kind != "light"):
        if mark.kind == "ledge":
            draw_ledge(surface, camera, mark)
            continue
        if mark.kind in CHESTS:  # game.view.chests draws them
            continue
        shown = [cell for cell in cells_of(mark.cells) if not hidden(cell)]
        for cell in shown:
            rect = camera.space_rect(cell)
            if window.colliderect(rect):
                surface.blit(_picture(mark.kind, unit, cell % 3), rect)
        for cell in shown if mark.kind == "light" else ():  # its rim, as far as its spaces are shown
            for ends in camera.borders(mark.cells, cell, camera.space_rect(cell)):
                pygame.draw.line(surface, alpha(AMBER, 255), *ends, max(1, unit // 40))


@lru_cache(maxsize=64)
def _picture(kind: str, unit: int, turn: int) -> pygame.Surface:
    """The mark of one space; `turn` tells neighbours apart."""
    sheet = pygame.Surface((unit, unit), pygame.SRCALPHA)
    _PAINTERS.get(kind, _briars)(sheet, unit, turn)
    return sheet


def _light(sheet: pygame.Surface, unit: int, turn: int) -> None:
    sheet.fill(alpha(AMBER, 30))


def _haze(sheet: pygame.Surface, unit: int, turn: int, *, tone: tuple[int, int, int, int]) -> None:
    """Two soft swathes, so that haze is told from shade."""
    sheet.fill(tone)
    for n in range(2):
        box = pygame.Rect(0, 0, int(unit * 0.7), int(unit * 0.26))
        box.center = (int(unit * (0.34 + 0.3 * ((n + turn) % 2))), int(unit * (0.3 + 0.4 * n)))
        pygame.draw.ellipse(sheet, (*tone[:3], min(255, tone[3] + 26)), box)


def _flames(sheet: pygame.Surface, unit: int, turn: int) -> None:
    """Three tongues, bright at the root."""
    for n in range(3):
        x, height = unit * (0.2 + 0.3 * n), unit * (0.62 + 0.16 * ((n + turn) % 3))
        for width, tone in ((0.17, (214, 74, 36)), (0.1, (246, 170, 60)), (0.05, (255, 232, 150))):
            tip = (x, unit * 0.96 - height * (0.6 + 2.2 * width))
            foot = unit * 0.96
            points = [(x - unit * width, foot), tip, (x + unit * width, foot)]
            pygame.draw.polygon(sheet, alpha(tone, 210), points)


def _puddles(sheet: pygame.Surface, unit: int, turn: int) -> None:
    """Something that shines on the floor."""
    for n, (x, y, w) in enumerate(((0.36, 0.34, 0.52), (0.64, 0.68, 0.44))):
        box = pygame.Rect(0, 0, int(unit * w), int(unit * w * 0.5))
        box.center = (int(unit * x) + turn * unit // 24, int(unit * y))
        pygame.draw.ellipse(sheet, alpha(_PANE, 70), box)
        shine = box.inflate(-unit // 8, -unit // 10)
        pygame.draw.arc(sheet, alpha(PAPER, 170), shine, 1.2 + n, 2.8 + n, max(1, unit // 30))


def _spikes(sheet: pygame.Surface, unit: int, turn: int) -> None:
    """Small four-pointed irons."""
    arm, width = unit * 0.1, max(1, unit // 28)
    for n in range(4):
        x, y = unit * (0.26 + 0.48 * (n % 2)) + turn * unit * 0.03, unit * (0.28 + 0.44 * (n // 2))
        for tone, wide in ((INK, width + 2), (RIM, width)):
            for dx, dy in ((-1, 0.7), (1, 0.7), (0, -1)):
                pygame.draw.line(sheet, tone, (x, y), (x + dx * arm, y + dy * arm), wide)


def _hollow(sheet: pygame.Surface, unit: int, turn: int, *, depth: int) -> None:
    """Darker towards the middle."""
    for step in range(5):
        box = sheet.get_rect().inflate(-unit * step // 8, -unit * step // 8)
        pygame.draw.rect(sheet, (8, 8, 12, depth * (step + 3) // 8), box, border_radius=max(2, unit // 8))


def _runes(sheet: pygame.Surface, unit: int, turn: int) -> None:
    """A pale sign in a ring."""
    sheet.fill(alpha(TEAL, 22))
    centre, width = (unit // 2, unit // 2), max(1, unit // 30)
    pygame.draw.circle(sheet, alpha(TEAL, 150), centre, int(unit * 0.26), width)
    for n in range(3):
        angle = math.tau * (n + turn / 3) / 3
        end = (centre[0] + math.cos(angle) * unit * 0.26, centre[1] + math.sin(angle) * unit * 0.26)
        pygame.draw.line(sheet, alpha(TEAL, 150), centre, end, width)


def _stones(sheet: pygame.Surface, unit: int, turn: int) -> None:
    """Rough blocks in two courses, light from above."""
    line, half = max(1, unit // 28), unit // 2
    split = (unit * (2 + turn)) // 6
    for top, cuts in ((0, (0, split, unit)), (half, (0, unit - split, unit))):
        for left, right in zip(cuts, cuts[1:], strict=False):
            box = pygame.Rect(left, top, right - left, half + unit % 2).inflate(-line, -line)
            tone = shade(FACE, 6 if (left + top) % 3 else -8)
            pygame.draw.rect(sheet, tone, box, border_radius=max(2, unit // 12))
            pygame.draw.line(sheet, mix(tone, RIM, 0.5), box.topleft, (box.right - 1, box.top), line)
            pygame.draw.rect(sheet, INK, box, line, border_radius=max(2, unit // 12))


def _trap(sheet: pygame.Surface, unit: int, turn: int, *, tone: Colour) -> None:
    """Teeth; pale where it is done with."""
    box, line = sheet.get_rect().inflate(-unit // 4, -unit // 4), max(1, unit // 26)
    pygame.draw.rect(sheet, alpha(tone, 60), box, border_radius=max(2, unit // 10))
    pygame.draw.rect(sheet, tone, box, line, border_radius=max(2, unit // 10))
    step = box.width / 4
    for n in range(4):
        left = box.left + n * step
        points = [(left, box.bottom - line), (left + step / 2, box.centery), (left + step, box.bottom - line)]
        pygame.draw.polygon(sheet, tone, points)


def _pane(sheet: pygame.Surface, unit: int, turn: int) -> None:
    """Something like glass: a pale sheen, a firm rim, two glints."""
    box = sheet.get_rect().inflate(-max(2, unit // 12), -max(2, unit // 12))
    pygame.draw.rect(sheet, alpha(_PANE, 52), box, border_radius=max(2, unit // 8))
    pygame.draw.rect(sheet, alpha(_PANE, 220), box, max(1, unit // 22), border_radius=max(2, unit // 8))
    for shift in (0.28, 0.42):
        start = (box.left + unit * shift, box.bottom - unit * 0.2)
        end = (start[0] + unit * 0.26, start[1] - unit * 0.34)
        pygame.draw.line(sheet, alpha(PAPER, 170), start, end, max(1, unit // 26))


def _briars(sheet: pygame.Surface, unit: int, turn: int) -> None:
    """Three tangled stems with thorns."""
    width = max(2, unit // 16)
    for n in range(3):
        base = (0.22 + 0.28 * n) * unit
        sways = [math.sin(step * 0.9 + n * 2 + turn) * unit * 0.14 for step in range(9)]
        points = [(base + sway, unit * (0.04 + 0.115 * step)) for step, sway in enumerate(sways)]
        pygame.draw.lines(sheet, INK, False, points, width + 2)
        pygame.draw.lines(sheet, _THORN, False, points, width)
        for step in range(1, 8, 2):
            x, y = points[step]
            side = unit * (0.1 if (step + n) % 4 == 1 else -0.1)
            pygame.draw.line(sheet, shade(_THORN, 40), (x, y), (x + side, y - unit * 0.06), max(1, width // 2))


_PAINTERS: dict[str, Callable[[pygame.Surface, int, int], None]] = {
    "light": _light, "wall": _stones, "pane": _pane, "fire": _flames, "slick": _puddles, "spikes": _spikes,
    "ward": _runes, "water": _waves, "climb": _coping, "rubble": _rubble_stones, "cleared": _trodden,
    "fog": partial(_haze, tone=(206, 212, 218, 150)), "dark": partial(_haze, tone=(10, 10, 20, 170)),
    "pit": partial(_hollow, depth=200), "gap": partial(_hollow, depth=90),
    "trap": partial(_trap, tone=AMBER), "trap_done": partial(_trap, tone=MUTED),
}  # fmt: skip
"""Kind of a mark -> what draws it on a sheet of so many pixels, told a turn; what isn't here is overgrown."""


# -- in the air -----------------------------------------------------------------------------------------


def draw_spell(surface: pygame.Surface, camera: Camera, motion: Motion, spot: Place, share: float) -> None:
    """A spark from the caster to what is aimed at, then a flash over the spaces of the area."""
    unit = camera.space_rect(0).width
    start = pygame.Vector2(camera.to_screen(spot[0] + spot[2] / 2, spot[1] + spot[2] / 2))
    end = pygame.Vector2(camera.to_screen(motion.target[0] + 0.5, motion.target[1] + 0.5))
    if share < 0.5:
        tip = start.lerp(end, eased(share * 2))
        for n, tone in enumerate((TEAL, GOLD, PAPER)):
            pygame.draw.circle(surface, tone, tip, max(2, unit * (0.16 - 0.045 * n)))
        return
    fade = 1.0 - (share - 0.5) * 2
    cells = motion.cells or (motion.target,)
    tint = pygame.Surface((unit, unit), pygame.SRCALPHA)
    tint.fill(alpha(mix(TEAL, PAPER, fade), round(150 * fade)))
    for column, row in cells:
        surface.blit(tint, camera.to_screen(column, row))
    radius = unit * (0.3 + 0.5 * (1 - fade))
    pygame.draw.circle(surface, alpha(PAPER, 255), end, radius, max(1, round(unit * 0.06 * fade) + 1))
