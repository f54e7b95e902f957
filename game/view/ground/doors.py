"""Doors that swing: the leaf turns about its hinge while the ground shows only the frame."""

from __future__ import annotations

import math
from functools import lru_cache

import pygame

from game.paths import asset
from game.view.camera import Camera
from game.view.ground.lights import Lights
from game.view.ground.plan import GroundPlan
from rules.board.grid import Door

OPENING, CLOSING = "opening", "closing"
"""States that only the picture knows: the leaf is on its way. Light falls through a door that opens already."""
_CLOSED = (1.0, 31.0, 62.0, 22.0)
_OPEN = (10.5, 22.0, 41.0, 13.0)
"""Hinge (x, y), length and thickness of the leaf as the pictures of doors have it, in 64ths of a space."""


def is_open(state: str) -> bool:
    """Whether a state lets sight and steps through."""
    return state.startswith("open")


def stands_upright(plan: GroundPlan, door: Door) -> bool:
    """Whether a closed door's leaf runs from north to south."""
    row, column = divmod(door.cell, plan.width)
    if door.edge is not None:
        return door.edge // plan.width == row
    return plan.is_wall(column, row - 1) and plan.is_wall(column, row + 1)


def middle(plan: GroundPlan, door: Door) -> tuple[float, float]:
    """Column and row of a door's middle."""
    row, column = divmod(door.cell, plan.width)
    x, y = column + 0.5, row + 0.5
    if door.edge is not None:
        other_row, other_column = divmod(door.edge, plan.width)
        x, y = x + (other_column - column) / 2, y + (other_row - row) / 2
    return x, y


def draw_leaf(
    surface: pygame.Surface, camera: Camera, plan: GroundPlan, lights: Lights, door: Door, share: float
) -> None:
    """Draw a door's leaf; `share` 0 is closed, 1 open. The bars of a portcullis show ever less as they rise."""
    if door.kind == "portcullis":
        _draw_bars(surface, camera, plan, lights, door, share)
        return
    zoom, quarter = camera.zoom, math.pi / 2
    x, y, length, thick = (a + (b - a) * share for a, b in zip(_CLOSED, _OPEN, strict=True))
    upright = stands_upright(plan, door)
    across, down = (x - 32) / 64, (y - 32) / 64
    if upright:  # the whole picture is turned by a quarter, clockwise
        across, down = -down, across
    place = middle(plan, door)
    hinge = pygame.Vector2(camera.to_screen(place[0] + across, place[1] + down))
    angle = quarter * share + (quarter if upright else 0.0)
    size = (max(2, round(length * zoom / 64)), max(2, round(thick * zoom / 64)))
    leaf = pygame.transform.smoothscale(_leaf(zoom), size)
    lights.tone(leaf, *place)
    turned = pygame.transform.rotate(leaf, -math.degrees(angle))
    centre = hinge + pygame.Vector2(size[0] / 2, 0).rotate_rad(angle)
    surface.blit(turned, turned.get_rect(center=(round(centre.x), round(centre.y))))


def _draw_bars(
    surface: pygame.Surface, camera: Camera, plan: GroundPlan, lights: Lights, door: Door, share: float
) -> None:
    place, zoom = middle(plan, door), camera.zoom
    bars = _bars(zoom, stands_upright(plan, door)).copy()
    lights.tone(bars, *place)
    bars.set_alpha(round(255 * (1.0 - share)))
    x, y = camera.to_screen(place[0], place[1])
    surface.blit(bars, bars.get_rect(center=(round(x), round(y))))


@lru_cache(maxsize=8)
def _bars(zoom: int, upright: bool) -> pygame.Surface:
    picture = pygame.image.load_sized_svg(str(asset("art", "props", "portcullis_closed.svg")), (zoom, zoom))
    return pygame.transform.rotate(picture, 90) if upright else picture


@lru_cache(maxsize=8)
def _leaf(zoom: int) -> pygame.Surface:
    return pygame.image.load_sized_svg(str(asset("art", "doors", "door_leaf.svg")), (zoom, max(2, zoom * 22 // 62)))
