"""One piece of the ground's picture: our floors and walls, the pictures of the map's layers, doors, things, light."""

from __future__ import annotations

from typing import NamedTuple

import pygame

from game.view import palette
from game.view.ground import edges as groundedges
from game.view.ground import tiles as groundtiles
from game.view.ground.lights import Lights
from game.view.ground.plan import BURNING, FLAT_PROPS, GroundPlan, chance
from game.view.ground.roofs import Roofs
from game.view.ground.stack import Frames, LayerStack
from game.view.ground.walls import WallPainter

Spot = tuple[int, int]


class Setting(NamedTuple):
    """What a piece is painted from."""

    plan: GroundPlan
    doors: tuple[str, ...]
    lights: Lights | None
    """None: as if there were neither light nor dark."""
    stack: LayerStack | None
    roofs: Roofs


def paint(
    setting: Setting,
    piece: pygame.Surface,
    zoom: int,
    area: pygame.Rect,
    away: tuple[int, ...],
    frames: Frames,
) -> None:
    """Draw a piece, `area` in columns and rows, without the roofs that are `away`."""
    plan, stack, roofs = setting.plan, setting.stack, setting.roofs
    painter = WallPainter(plan, piece, zoom, area.x, area.y)
    around = [(x, y) for y in range(area.y - 1, area.bottom + 1) for x in range(area.x - 1, area.right + 1)]
    if not plan.plain or plan.hidden:
        _paint_own(plan, painter, around)
    if stack is not None:
        _paint_layers(setting, painter, area, around, frames)
    _paint_edges(setting, painter, around)
    roofed = [spot for spot in around if _roofed(setting, spot, away)]
    open_air = [spot for spot in around if spot not in roofed] if roofed else around
    _paint_props(plan, painter, open_air, burning=False)
    if stack is not None:
        for level in stack.roofs:
            stack.paint(piece, zoom, area, level, frames, roofs.parts(level, area, away))
    if setting.lights is not None:
        setting.lights.shine(piece, zoom, area.x, area.y, area.w, area.h)
    _paint_props(plan, painter, open_air, burning=True)


def _roofed(setting: Setting, spot: Spot, away: tuple[int, ...]) -> bool:
    """Whether a roof hides a space."""
    cell = setting.plan.cell(*spot)
    roof = setting.roofs.over.get(cell) if cell is not None else None
    return roof is not None and roof not in away


def _paint_own(plan: GroundPlan, painter: WallPainter, around: list[Spot]) -> None:
    """Floor, shadows, rock and rims as we draw them."""
    piece = painter.surface
    floor = [spot for spot in around if plan.is_floor(*spot)]
    walls = [spot for spot in around if plan.is_wall(*spot)]
    piece.fill(palette.ROCK)
    for x, y in floor:
        _paint_floor(plan, painter, x, y)
    for x, y in floor:
        groundedges.fray(plan, piece, painter.rect(x, y), x, y)
    for x, y in around:
        if plan.material(x, y) == "chasm":
            groundedges.chasm(plan, piece, painter.rect(x, y), x, y)
    for x, y in floor:
        if plan.material(x, y) != "tile":
            painter.shade_floor(x, y)
        if plan.cell(x, y) not in plan.pictured:
            painter.shade_ledges(x, y)
    for x, y in walls:
        painter.rock(x, y)
    for x, y in walls:
        painter.hatch(x, y)
    for x, y in walls:
        painter.faces(x, y)


def _paint_floor(plan: GroundPlan, painter: WallPainter, x: int, y: int) -> None:
    box = painter.rect(x, y)
    material = plan.material(x, y)
    if material == "tile":
        painter.surface.fill(plan.background, box)
        return
    painter.surface.blit(groundtiles.tile(material, chance(x, y) % groundtiles.VARIANTS, painter.zoom), box)
    cell = plan.cell(x, y)
    if cell in plan.rough and cell not in plan.pictured:
        painter.rough(x, y)


def _paint_layers(
    setting: Setting, painter: WallPainter, area: pygame.Rect, around: list[Spot], frames: Frames
) -> None:
    """The pictures of the map's layers, lowest first, each space of our own ground in the place of its layer."""
    plan, stack, piece = setting.plan, setting.stack, painter.surface
    assert stack is not None
    shown = [(level, found) for level in stack.levels if (found := level.over(area))]
    lowest = shown[0][0].index if shown else -1
    inside = [(x, y) for y in range(area.top, area.bottom) for x in range(area.left, area.right)]
    late = {spot: order for spot in inside if (order := plan.stratum(*spot)) > lowest} if shown else {}
    own = piece.copy() if late else piece
    if plan.plain:
        piece.fill(plan.background)
    for spot in late:
        piece.fill(plan.background, painter.rect(*spot))
    for level, found in shown:
        for spot in [spot for spot, order in late.items() if order <= level.index]:
            del late[spot]
            piece.blit(own, painter.rect(*spot), painter.rect(*spot))
        stack.paint(piece, painter.zoom, area, level, frames, found)
    for spot in late:
        piece.blit(own, painter.rect(*spot), painter.rect(*spot))
    _paint_over_pictures(plan, painter, around)


def _paint_over_pictures(plan: GroundPlan, painter: WallPainter, around: list[Spot]) -> None:
    """What the pictures of foreign tiles don't tell of the ground."""
    for x, y in around:
        cell = plan.cell(x, y)
        if cell is None or cell not in plan.pictured:
            continue
        if plan.is_floor(x, y):
            painter.shade_ledges(x, y)
        if cell in plan.rough:
            painter.rough(x, y)


def _paint_edges(setting: Setting, painter: WallPainter, around: list[Spot]) -> None:
    plan = setting.plan
    for x, y in around:
        cell = plan.cell(x, y)
        if cell is None:
            continue
        if plan.east >> cell & 1:
            painter.thin_wall(x, y, "east")
        if plan.south >> cell & 1:
            painter.thin_wall(x, y, "south")
    near = {plan.cell(x, y) for x, y in around}
    for door, state in zip(plan.field.doors, setting.doors, strict=False):
        if door.cell not in near and door.edge not in near:
            continue
        if state != "secret":
            painter.door(door, state)
        elif door.edge is not None:
            first = min(door.cell, door.edge)
            side = "south" if abs(door.edge - door.cell) == plan.width and plan.width > 1 else "east"
            painter.thin_wall(first % plan.width, first // plan.width, side)


def _paint_props(plan: GroundPlan, painter: WallPainter, around: list[Spot], *, burning: bool) -> None:
    zoom = painter.zoom
    for x, y in around:
        for thing in plan.props_at(x, y):
            if (thing.name in BURNING) != burning:
                continue
            box = painter.rect(x, y)
            size = zoom
            if thing.name == "torch":
                size = zoom * 3 // 4
                box = _sconce(plan, x, y, box, size)
            picture = groundtiles.prop(thing.name, size, thing.flip, thing.turn)
            if picture is None:
                continue
            if thing.name not in FLAT_PROPS and not burning:
                shadow = pygame.Rect(0, 0, zoom * 8 // 10, zoom * 3 // 10)
                shadow.midbottom = (box.centerx + zoom // 20, box.bottom)
                painter.surface.blit(_soft_shadow(shadow.size), shadow)
            painter.surface.blit(picture, box)
    if not burning:
        for cell in plan.climbs():
            spot = (cell % plan.width, cell // plan.width)
            picture = groundtiles.prop("stairs", zoom) if spot in around else None
            if picture is not None:
                painter.surface.blit(picture, painter.rect(*spot))


def _sconce(plan: GroundPlan, x: int, y: int, box: pygame.Rect, size: int) -> pygame.Rect:
    """Where a torch hangs: at the nearest wall, so that the space stays free for whoever stands there."""
    spot = pygame.Rect(0, 0, size, size)
    spot.center = box.center
    for dx, dy, shift_x, shift_y in (
        (0, -1, 0.0, -0.5),
        (-1, 0, -0.42, -0.1),
        (1, 0, 0.42, -0.1),
        (0, 1, 0.0, 0.3),
    ):
        if plan.is_wall(x + dx, y + dy):
            return spot.move(round(shift_x * box.w), round(shift_y * box.w))
    return spot


def _soft_shadow(size: tuple[int, int]) -> pygame.Surface:
    return groundtiles.blob(size, 110)
