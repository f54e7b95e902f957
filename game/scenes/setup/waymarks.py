"""Ways on the board: a line from point to point with its arrows, numbered points, and where it begins again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import pygame

from game.scenes.setup import drawing
from game.setup import forms, ways
from game.setup.draft import Piece, Spot
from game.setup.ways import Leg
from game.view.camera import Camera
from game.view.fonts import render
from game.view.palette import GOLD, INK, PAPER, Colour, alpha, mix, tone

if TYPE_CHECKING:
    from game.scenes.setup.scene import Setup

Point = tuple[int, int]
LANE = 0.1
"""How far to the right of the middle a way is drawn, in spaces."""


def draw(surface: pygame.Surface, scene: Setup) -> None:
    """Everybody's ways: faint, but for those of whoever is selected or pointed at, and the one being drawn."""
    fields, now = forms.ways(scene.ruleset), scene.drawing
    if not fields:
        return
    pointed = scene.editor.at(scene.pointing.spot) if scene.pointing.spot is not None else None
    strong = {*scene.editor.selection, pointed} if now is None else set()
    for piece in scene.editor.draft.pieces:
        for field in fields:
            if now is not None and (piece.key, field) == (now.key, now.field):
                continue
            spots = ways.points(scene.editor.draft, piece, field)
            if spots:
                _way(surface, scene, piece, drawing.walked(scene, piece, field, spots), spots,
                     faint=piece.key not in strong)  # fmt: skip
    if now is not None and (walker := now.piece) is not None:
        _way(surface, scene, walker, now.legs(), now.points, last=True)
        ahead = now.ahead(scene.pointing.spot if scene.pointing.spot is not None else scene.cursor)
        if ahead is not None and not scene.pointing.drag:
            _leg(surface, scene.camera, ahead, scene.editor.size_of(walker.entry), PAPER, 2, dotted=True)


def _way(
    surface: pygame.Surface,
    scene: Setup,
    piece: Piece,
    legs: Sequence[Leg],
    spots: Sequence[Spot],
    *,
    faint: bool = False,
    last: bool = False,
) -> None:
    camera, size = scene.camera, scene.editor.size_of(piece.entry)
    line = max(2, camera.zoom // (22 if faint else 14))
    colour = mix(GOLD, INK, 0.45) if faint else GOLD
    for leg in legs:
        _leg(surface, camera, leg, size, colour, line, dotted=leg.kind != "on")
    if faint:
        return
    radius = max(8, camera.zoom // 5)
    for number, spot in enumerate(spots):
        if spot not in spots[number + 1 :]:  # of several points on a space the last is seen
            end = last and number == len(spots) - 1
            _point(surface, camera.space_rect(spot, size).center, str(number + 1), radius, end=end)


def _leg(
    surface: pygame.Surface, camera: Camera, leg: Leg, size: int, colour: Colour, width: int, *, dotted: bool
) -> None:
    """One leg, along the spaces that are walked; where none leads, straight and coral with a cross."""
    points = [camera.space_rect(leg.start, size).center]
    if leg.why:
        points.append(camera.space_rect(leg.goal, size).center)
        _dashes(surface, points, tone("harm"), width)
        (a, b), arm = points, max(5, camera.zoom // 8)
        x, y = (a[0] + b[0]) // 2, (a[1] + b[1]) // 2
        for sign in (-1, 1):
            pygame.draw.line(surface, INK, (x - arm, y - arm * sign), (x + arm, y + arm * sign), width + 3)
        for sign in (-1, 1):
            pygame.draw.line(surface, tone("harm"), (x - arm, y - arm * sign), (x + arm, y + arm * sign), width)
        return
    points += [camera.space_rect(cell, size).center for cell in leg.path]
    if len(points) < 2:
        return
    points = _lane(points, camera.zoom * LANE)
    if dotted:
        _dashes(surface, points, colour, width)
    else:
        pygame.draw.lines(surface, INK, False, points, width + 2)
        pygame.draw.lines(surface, colour, False, points, width)
    middle = len(points) // 2
    _arrow(surface, points[middle - 1], points[middle], colour, max(7, camera.zoom // 5))


def _lane(points: Sequence[Point], off: float) -> list[Point]:
    """A line shifted to the right of where it leads, so that there and back are two lines."""
    spots = [pygame.Vector2(point) for point in points]
    found = []
    for before, here, after in zip([spots[0], *spots], spots, [*spots[1:], spots[-1]], strict=False):
        along = after - before
        unit = along.normalize() if along.length() else pygame.Vector2()
        found.append((round(here.x - unit.y * off), round(here.y + unit.x * off)))
    return found


def _dashes(surface: pygame.Surface, points: Sequence[Point], colour: Colour, width: int) -> None:
    """A dashed line along points, dashes going on round the corners."""
    dash, gap, left, on = 9.0, 7.0, 9.0, True
    for start, end in zip(points, points[1:], strict=False):
        a, b = pygame.Vector2(start), pygame.Vector2(end)
        length, at = (b - a).length(), 0.0
        unit = (b - a) / length if length else pygame.Vector2()
        while at < length:
            step = min(left, length - at)
            if on:
                pygame.draw.line(surface, INK, a + unit * at, a + unit * (at + step), width + 2)
                pygame.draw.line(surface, colour, a + unit * at, a + unit * (at + step), width)
            at, left = at + step, left - step
            if left <= 0:
                on = not on
                left = dash if on else gap


def _arrow(surface: pygame.Surface, start: Point, end: Point, colour: Colour, size: int) -> None:
    """A head halfway between two points that shows where it goes."""
    a, b = pygame.Vector2(start), pygame.Vector2(end)
    if a == b:
        return
    unit = (b - a).normalize()
    side, middle = pygame.Vector2(-unit.y, unit.x), (a + b) / 2
    corners = [middle + unit * size * 0.7, middle - unit * size * 0.5 + side * size * 0.6,
               middle - unit * size * 0.5 - side * size * 0.6]  # fmt: skip
    pygame.draw.polygon(surface, colour, corners)
    pygame.draw.polygon(surface, INK, corners, 1)


def _point(surface: pygame.Surface, middle: Point, text: str, radius: int, *, end: bool) -> None:
    """A numbered point; the last one of a way being drawn has a second ring: a click there ends it."""
    if end:
        pygame.draw.circle(surface, alpha(INK, 255), middle, radius + 5)
        pygame.draw.circle(surface, PAPER, middle, radius + 4, 2)
    pygame.draw.circle(surface, INK, middle, radius + 1)
    pygame.draw.circle(surface, GOLD, middle, radius, max(2, radius // 6))
    label = render("bold", max(11, round(radius * 1.1)), text, PAPER)
    surface.blit(label, label.get_rect(center=middle))
