"""One piece of the ground's picture: our floors and walls, the pictures of the map's layers, doors, things, light."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import NamedTuple

import pygame

from game.view import palette
from game.view.ground import tiles as groundtiles
from game.view.ground.lights import Lights
from game.view.ground.stack import Frames, LayerStack, Roofs
from game.view.ground.tiles import BURNING, FLAT_PROPS, VARIANTS, GroundPlan, chance, fade, strip, tile
from game.view.ground.walls import WallPainter
from game.view.palette import mix, shade
from rules.board.fixtures import DoorState

_SOFT = {"water": 0, "shallows": 1, "silt": 2, "mud": 3, "earth": 4, "grass": 5}
"""Grounds without a built edge: the higher one grows over the lower one."""
_BUILT = ("bridge", "wood", "tile")
"""Floors that hang over a chasm without rock beneath."""
_TURNS = {"north": 0, "east": 1, "south": 2, "west": 3}
_AROUND = (("north", 0, -1), ("east", 1, 0), ("south", 0, 1), ("west", -1, 0))
_CORNERS = ((0, -1, -1), (1, 1, -1), (2, 1, 1), (3, -1, 1))
"""Quarter turns of the corner at the upper left, and where the space beyond it lies."""
_SHAPES = 5
_SCALE = 2
"""Masks are drawn so much larger and shrunk, which softens their edges."""
_DEPTHS = (palette.rgb("#07090d"), palette.rgb("#0c121a"), palette.rgb("#1d2b3b"))
"""A chasm beside its walls, a space away, and where its mist is seen."""
_ROCK = palette.rgb("#70675a")
_CRUMBS = palette.rgb("#a39a86")


def fray(plan: GroundPlan, surface: pygame.Surface, box: pygame.Rect, column: int, row: int) -> None:
    """Draw what grows over a soft floor's space from its neighbours."""
    rank = _SOFT.get(plan.material(column, row))
    if rank is None:
        return
    over: dict[str, str] = {}
    for side, dx, dy in _AROUND:
        name = plan.material(column + dx, row + dy)
        if _SOFT.get(name, -1) > rank and plan.level(column + dx, row + dy) == plan.level(column, row):
            over[side] = name
    z = box.w
    for side, name in sorted(over.items(), key=lambda entry: _SOFT[entry[1]]):
        shape = chance(column, row, 230 + _TURNS[side]) % _SHAPES
        surface.blit(_fringe(name, chance(column, row) % VARIANTS, z, side=side, shape=shape, reach=26), box)
    for turn, dx, dy in _CORNERS:
        name = plan.material(column + dx, row + dy)
        beside = {plan.material(column + dx, row), plan.material(column, row + dy)}
        if _SOFT.get(name, -1) > rank and name not in beside:
            surface.blit(_corner(name, z, turn, chance(column, row, 240 + turn) % _SHAPES), box)


def chasm(plan: GroundPlan, surface: pygame.Surface, box: pygame.Rect, column: int, row: int) -> None:
    """Draw a space of nothing: its depth, the cliff that falls from the north, and crumbling edges."""
    z = box.w
    small = pygame.Surface((2, 2))
    for x in (0, 1):
        for y in (0, 1):
            small.set_at((x, y), _depth(plan, column + x, row + y))
    surface.blit(pygame.transform.smoothscale(small, box.size), box)
    for above in (1, 2):
        if plan.is_floor(column, row - above):
            _falls(plan, surface, box, column=column, row=row, above=above)
            break
        if plan.material(column, row - above) != "chasm":
            break
    for dx, side in ((-1, "west"), (1, "east")):
        if plan.is_floor(column + dx, row) and plan.material(column + dx, row) not in _BUILT:
            wall = strip(box, side, max(2, round(z * (0.2 + chance(column, row, 251) % 10 / 100))))
            surface.blit(fade(wall.size, side, shade(_ROCK, -46), 235), wall)
    for side, dx, dy in _AROUND:
        name = plan.material(column + dx, row + dy)
        if not plan.is_floor(column + dx, row + dy):
            continue
        if name in _BUILT:
            pygame.draw.rect(surface, palette.rgb("#2e2014"), strip(box, side, z // 22))
        else:
            shape = chance(column, row, 260 + _TURNS[side]) % _SHAPES
            surface.blit(_crumbling(name, chance(column, row) % VARIANTS, z, side, shape), box)


def _depth(plan: GroundPlan, column: int, row: int) -> palette.Colour:
    """The colour of the dark at a corner of spaces: mist shows only far from all walls."""
    for reach, colour in ((1, _DEPTHS[0]), (2, _DEPTHS[1])):
        spots = [(x, y) for x in range(column - reach, column + reach) for y in range(row - reach, row + reach)]
        if any(plan.is_floor(x, y) or plan.is_wall(x, y) for x, y in spots):
            return colour
    return mix(_DEPTHS[1], _DEPTHS[2], chance(column, row, 252) % 100 / 100)


def _falls(plan: GroundPlan, surface: pygame.Surface, box: pygame.Rect, *, column: int, row: int, above: int) -> None:
    """The upper (`above` 1) or lower (2) half of what stands under the ground to the north."""
    z, name = box.w, plan.material(column, row - above)
    if name not in _BUILT:
        cliff = _cliff(z, chance(column, row - above, 253) % _SHAPES)
        surface.blit(cliff, box, (0, (above - 1) * z, z, z))
    elif above == 1:
        beam = pygame.Rect(box.x, box.y, z, max(2, round(z * 0.16)))
        surface.fill(palette.rgb("#3d2b1c"), beam)
        surface.blit(fade((z, round(z * 0.5)), "north", palette.VOID, 200), (box.x, beam.bottom))
        for x in (box.x + z // 8, box.right - z // 6):
            pygame.draw.line(surface, palette.rgb("#241a11"), (x, beam.y), (x, beam.bottom), max(1, z // 20))


# -- pictures, kept


@lru_cache(maxsize=64)
def _cliff(zoom: int, shape: int) -> pygame.Surface:
    """Pillars of rock, two spaces high, that are lost in the dark below."""
    picture = pygame.Surface((zoom, 2 * zoom), pygame.SRCALPHA)
    count = 5
    for n in range(count):
        left, right = n * zoom // count, (n + 1) * zoom // count
        high = zoom * (95 + chance(n, shape, 254) % 95) // 100
        tone = shade(_ROCK, chance(n, shape, 255) % 25 - 14)
        pillar = pygame.Surface((max(1, right - left), high), pygame.SRCALPHA)
        pillar.fill(tone)
        line = max(1, zoom // 40)
        pygame.draw.rect(pillar, shade(tone, 18), (0, 0, line, high))
        pygame.draw.rect(pillar, shade(tone, -30), (pillar.get_width() - line, 0, line, high))
        for k in range(3):
            y = high * (12 + chance(n, shape, 256 + k) % 70) // 100
            pygame.draw.line(pillar, shade(tone, -26), (0, y), (pillar.get_width(), y + zoom // 30), line)
            pygame.draw.line(pillar, shade(tone, 10), (0, y + line), (pillar.get_width(), y + line + zoom // 30))
        lost = pygame.Surface((1, 4), pygame.SRCALPHA)
        for k, (light, alpha) in enumerate(((235, 255), (150, 225), (80, 130), (30, 0))):
            lost.set_at((0, k), (light, light, light, alpha))
        pillar.blit(pygame.transform.smoothscale(lost, pillar.get_size()), (0, 0), special_flags=pygame.BLEND_RGBA_MULT)
        picture.blit(pillar, (left, 0))
    return picture


@lru_cache(maxsize=256)
def _edge(zoom: int, side: str, shape: int, reach: int) -> pygame.Surface:
    """A mask along one side of a space, its inner border wavering about `reach` hundredths of a space."""
    size = zoom * _SCALE
    points: list[tuple[float, float]] = [(0, 0)]
    steps = 14
    for n in range(steps + 1):
        slow = math.sin(n * 0.9 + shape * 1.7) * 0.22 + math.sin(n * 2.1 + shape) * 0.16
        fine = (chance(n, shape, 231) % 100 - 50) / 160
        points.append((size * n / steps, size * reach / 100 * (0.62 + slow + fine)))
    points.append((size, 0))
    mask = pygame.Surface((size, size), pygame.SRCALPHA)
    pygame.draw.polygon(mask, (255, 255, 255, 255), points)
    small = pygame.transform.smoothscale(mask, (zoom, zoom))
    return pygame.transform.rotate(small, -90 * _TURNS[side])


@lru_cache(maxsize=400)
def _fringe(material: str, variant: int, zoom: int, *, side: str, shape: int, reach: int) -> pygame.Surface:
    return _cut(tile(material, variant, zoom), _edge(zoom, side, shape, reach))


@lru_cache(maxsize=64)
def _corner(material: str, zoom: int, turn: int, shape: int) -> pygame.Surface:
    size = zoom * _SCALE
    mask = pygame.Surface((size, size), pygame.SRCALPHA)
    points: list[tuple[float, float]] = [(0, 0)]
    for n in range(6):
        reach = size * (0.13 + chance(n, shape, 241) % 100 / 1100)
        angle = math.pi / 2 * n / 5
        points.append((math.cos(angle) * reach, math.sin(angle) * reach))
    pygame.draw.polygon(mask, (255, 255, 255, 255), points)
    small = pygame.transform.smoothscale(mask, (zoom, zoom))
    return _cut(tile(material, shape, zoom), pygame.transform.rotate(small, -90 * turn))


@lru_cache(maxsize=256)
def _crumbling(material: str, variant: int, zoom: int, side: str, shape: int) -> pygame.Surface:
    """The broken edge of the ground, with a light rim, over the chasm beside it."""
    name = material if material in _SOFT or material in ("slate", "stone") else "earth"
    under = pygame.Surface((zoom, zoom), pygame.SRCALPHA)
    under.fill(_CRUMBS)
    picture = _cut(under, _edge(zoom, side, shape, 15))
    picture.blit(_fringe(name, variant, zoom, side=side, shape=shape, reach=10), (0, 0))
    return picture


def _cut(picture: pygame.Surface, mask: pygame.Surface) -> pygame.Surface:
    cut = pygame.Surface(mask.get_size(), pygame.SRCALPHA)
    cut.blit(picture, (0, 0))
    cut.blit(mask, (0, 0), special_flags=pygame.BLEND_RGBA_MULT)
    return cut


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
    setting: Setting, piece: pygame.Surface, zoom: int, area: pygame.Rect, *, away: tuple[int, ...], frames: Frames
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
    shown = (None, *away)
    open_air = [spot for spot in around if (cell := plan.cell(*spot)) is None or roofs.over.get(cell) in shown]
    _paint_props(plan, painter, open_air, burning=False)
    if stack is not None:
        for level in stack.roofs:
            stack.paint(piece, zoom, area, level, frames=frames, sprites=roofs.parts(level, area, away))
    if setting.lights is not None:
        setting.lights.shine(piece, zoom, left=area.x, top=area.y, columns=area.w, rows=area.h)
    _paint_props(plan, painter, open_air, burning=True)


def _paint_own(plan: GroundPlan, painter: WallPainter, around: list[Spot]) -> None:
    """Floor, shadows, rock and rims as we draw them."""
    piece = painter.surface
    floor = [spot for spot in around if plan.is_floor(*spot)]
    walls = [spot for spot in around if plan.is_wall(*spot)]
    piece.fill(palette.ROCK)
    for x, y in floor:
        material, cell = plan.material(x, y), plan.cell(x, y)
        if material == "tile":
            piece.fill(plan.background, painter.rect(x, y))
            continue
        piece.blit(tile(material, chance(x, y) % VARIANTS, painter.zoom), painter.rect(x, y))
        if cell in plan.rough and cell not in plan.pictured:
            painter.rough(x, y)
    for x, y in floor:
        fray(plan, piece, painter.rect(x, y), x, y)
    for x, y in around:
        if plan.material(x, y) == "chasm":
            chasm(plan, piece, painter.rect(x, y), x, y)
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
        stack.paint(piece, painter.zoom, area, level, frames=frames, sprites=found)
    for spot in late:
        piece.blit(own, painter.rect(*spot), painter.rect(*spot))
    for x, y in around:  # what the pictures of foreign tiles don't tell of the ground
        cell = plan.cell(x, y)
        if cell in plan.pictured:
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
        if state != DoorState.SECRET:
            painter.door(door, state)
        elif door.edge is not None:
            first, side = plan.edge(door.cell, door.edge)
            painter.thin_wall(first % plan.width, first // plan.width, side)


def _paint_props(plan: GroundPlan, painter: WallPainter, around: list[Spot], *, burning: bool) -> None:
    zoom = painter.zoom
    for x, y in around:
        for thing in plan.props_at(x, y):
            if (thing.name in BURNING) != burning:
                continue
            box, size = painter.rect(x, y), zoom
            if thing.name == "torch":
                size = zoom * 3 // 4
                box = _sconce(plan, x, y, box, size)
            picture = groundtiles.prop(thing.name, size, thing.flip, thing.turn)
            if picture is None:
                continue
            if thing.name not in FLAT_PROPS and not burning:
                shadow = pygame.Rect(0, 0, zoom * 8 // 10, zoom * 3 // 10)
                shadow.midbottom = (box.centerx + zoom // 20, box.bottom)
                painter.surface.blit(groundtiles.blob(shadow.size, 110), shadow)
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
    for dx, dy, shift_x, shift_y in ((0, -1, 0.0, -0.5), (-1, 0, -0.42, -0.1), (1, 0, 0.42, -0.1), (0, 1, 0.0, 0.3)):
        if plan.is_wall(x + dx, y + dy):
            return spot.move(round(shift_x * box.w), round(shift_y * box.w))
    return spot
