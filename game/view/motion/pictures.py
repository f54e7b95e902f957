"""The pictures of motion: where a moving miniature is, blows, arrows, rising words and the dice on their tray."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field

import pygame

from game.view.camera import Camera
from game.view.fonts import render
from game.view.motion.dicetray import Tray
from game.view.palette import GOLD, INK, PAPER, Colour

FLOAT = 0.9
"""Seconds that a figure rises."""
WORD = 2.0
"""The same for words, which have to be read."""

Place = tuple[float, float, int]
"""Column, row and size of a miniature as it is shown."""


def eased(share: float) -> float:
    """Slow, fast, slow."""
    share = max(0.0, min(1.0, share))
    return share * share * (3 - 2 * share)


@dataclass
class Motion:
    """One stretch of time in which something moves; `start` is set when its turn comes."""

    seconds: float
    mini: str = ""
    points: tuple[tuple[float, float], ...] = ()
    kind: str = "walk"
    """`walk`, `leap`, `blow`, `shot`, `spell`, `dice`, `fall`, `door`."""
    target: tuple[float, float] = (0.0, 0.0)
    cells: tuple[tuple[float, float], ...] = ()
    """The spaces over which a spell flashes."""
    tray: Tray | None = None
    clear: tuple[Place, ...] = ()
    """Whom the dice are about; the tray stands beside them."""
    others: tuple[Place, ...] = ()
    """Who else stands there; the tray hides as few of them as it can."""
    door: str = ""
    """Which door swings."""
    placed: tuple[pygame.Rect, float] | None = None
    """Where the dice were put, and at which scale: they stay while they hide nobody and lie under no panel."""
    placed_for: tuple[object, ...] = ()
    """The free part of the window and the places that they were put there for."""
    span: tuple[int, int] = (0, 0)
    """The seconds of the rules that a clock runs from and to."""
    hurt: str = ""
    """Who is thrown back by the blow."""
    cues: tuple[tuple[float, str], ...] = ()
    """What is still to be heard of it, by the share of its time (game/view/motion/cues.py)."""
    then: list[Callable[[], None]] = field(default_factory=list)


@dataclass
class Floating:
    """A number or word that rises and fades over a space."""

    text: str
    colour: Colour
    at: tuple[float, float]
    age: float = 0.0
    large: bool = True
    line: int = 0
    """How many words stand above it."""

    @property
    def lasts(self) -> float:
        """Seconds that it is seen."""
        return FLOAT if self.large else WORD


def draw_blow(surface: pygame.Surface, camera: Camera, motion: Motion, spot: Place, share: float) -> None:
    """An arrow on its way from `spot`, or the flash where a blow lands."""
    unit = camera.space_rect(0).width
    end = camera.to_screen(motion.target[0] + 0.5, motion.target[1] + 0.5)
    if motion.kind == "shot":
        start = camera.to_screen(spot[0] + spot[2] / 2, spot[1] + spot[2] / 2)
        tip = pygame.Vector2(start).lerp(pygame.Vector2(end), eased(share))
        way = pygame.Vector2(end) - pygame.Vector2(start)
        if way.length() > 1:
            tail = tip - way.normalize() * unit * 0.5
            pygame.draw.line(surface, INK, tail, tip, max(4, unit // 12))
            pygame.draw.line(surface, PAPER, tail, tip, max(2, unit // 24))
    elif 0.4 < share < 0.75:
        radius = unit * (0.25 + (share - 0.4))
        for i in range(6):
            angle = math.tau * i / 6 + 0.4
            a = (end[0] + math.cos(angle) * radius * 0.5, end[1] + math.sin(angle) * radius * 0.5)
            b = (end[0] + math.cos(angle) * radius, end[1] + math.sin(angle) * radius)
            pygame.draw.line(surface, GOLD, a, b, max(2, unit // 20))


def draw_tray(surface: pygame.Surface, camera: Camera, motion: Motion, share: float, scale: float) -> None:
    """The dice beside those they are about; `scale` is that of the panels."""
    if motion.tray is None:
        return
    unit = camera.zoom

    def pixels(places: tuple[Place, ...]) -> list[pygame.Rect]:
        return [pygame.Rect(camera.to_screen(x, y), (unit * size, unit * size)) for x, y, size in places]

    clear, free = pixels(motion.clear), camera.free
    now = (tuple(free), tuple(map(tuple, clear)), scale)
    if motion.placed is None or (now != motion.placed_for and not _stays(motion.placed[0], free, clear)):
        motion.placed = motion.tray.fitted(free, clear, pixels(motion.others), scale)
        motion.placed_for = now
    motion.tray.draw(surface, motion.placed[0], share, motion.placed[1])


def _stays(box: pygame.Rect, free: pygame.Rect, clear: list[pygame.Rect]) -> bool:
    """Whether dice may stay where they are: no panel has come up there, nor anybody whom they are about."""
    return free.contains(box) and box.collidelist(clear) < 0


def moved(motion: Motion, column: float, row: float, share: float) -> tuple[float, float, float]:
    """(column, row, lift in its own widths) of a miniature in the midst of a motion."""
    if motion.kind == "blow":
        reach = math.sin(math.pi * max(0.0, min(1.0, share))) * 0.36
        dx, dy = motion.target[0] - column, motion.target[1] - row
        length = math.hypot(dx, dy) or 1.0
        return column + dx / length * reach, row + dy / length * reach, 0.0
    if motion.kind == "fall":
        return column, row, 0.16 * (1 - eased(share))
    if not motion.points:
        return column, row, 0.0
    legs = len(motion.points) - 1
    along = max(0.0, min(float(legs), share * legs))
    leg = min(int(along), legs - 1)
    part = along - leg
    smooth = eased(part) if legs == 1 else part
    (ax, ay), (bx, by) = motion.points[leg], motion.points[leg + 1]
    lift = math.sin(math.pi * part) * (0.45 if motion.kind == "leap" else 0.1)
    return ax + (bx - ax) * smooth, ay + (by - ay) * smooth, lift


def draw_float(surface: pygame.Surface, camera: Camera, floating: Floating, scale: float) -> None:
    """A word or number where it is on its way up."""
    unit = camera.space_rect(0).width
    least = 16 if floating.large else 13
    size = max(round(least * scale), round(unit * (0.42 if floating.large else 0.24)))
    x, y = camera.to_screen(*floating.at)
    y += floating.line * round(size * 1.15)
    y -= round(unit * 0.7 * eased(floating.age / floating.lasts))
    strength = round(255 * min(1.0, 2.2 * (1 - floating.age / floating.lasts)))
    for colour, shift in ((INK, 2), (floating.colour, 0)):
        picture = render("bold", size, floating.text, colour).copy()
        picture.set_alpha(strength)
        surface.blit(picture, picture.get_rect(center=(x + shift, y + shift)))
