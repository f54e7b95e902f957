"""Where one ground meets another: soil frays into its neighbour, and cliffs fall into the dark."""

from __future__ import annotations

import math
from functools import lru_cache

import pygame

from game.view import palette
from game.view.ground.plan import GroundPlan, chance
from game.view.ground.tiles import VARIANTS, fade, tile
from game.view.palette import mix, shade

_SOFT = {"water": 0, "shallows": 1, "mud": 2, "earth": 3, "grass": 4}
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
        surface.blit(_fringe(name, chance(column, row) % VARIANTS, z, side, shape, 26), box)
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
            _falls(plan, surface, box, column, row, above)
            break
        if plan.material(column, row - above) != "chasm":
            break
    for dx, side in ((-1, "west"), (1, "east")):
        if plan.is_floor(column + dx, row) and plan.material(column + dx, row) not in _BUILT:
            wide = max(2, round(z * (0.2 + chance(column, row, 251) % 10 / 100)))
            wall = pygame.Rect(box.x if dx < 0 else box.right - wide, box.y, wide, z)
            surface.blit(fade(wall.size, side, shade(_ROCK, -46), 235), wall)
    for side, dx, dy in _AROUND:
        name = plan.material(column + dx, row + dy)
        if not plan.is_floor(column + dx, row + dy):
            continue
        if name in _BUILT:
            line = max(1, z // 22)
            edge = {
                "north": (box.x, box.y, z, line), "south": (box.x, box.bottom - line, z, line),
                "west": (box.x, box.y, line, z), "east": (box.right - line, box.y, line, z),
            }[side]  # fmt: skip
            pygame.draw.rect(surface, palette.rgb("#2e2014"), edge)
            continue
        shape = chance(column, row, 260 + _TURNS[side]) % _SHAPES
        surface.blit(_crumbling(name, chance(column, row) % VARIANTS, z, side, shape), box)


def _depth(plan: GroundPlan, column: int, row: int) -> palette.Colour:
    """The colour of the dark at a corner of spaces: mist shows only far from all walls."""
    for reach, colour in ((1, _DEPTHS[0]), (2, _DEPTHS[1])):
        spots = [(x, y) for x in range(column - reach, column + reach) for y in range(row - reach, row + reach)]
        if any(plan.is_floor(x, y) or plan.is_wall(x, y) for x, y in spots):
            return colour
    return mix(_DEPTHS[1], _DEPTHS[2], chance(column, row, 252) % 100 / 100)


def _falls(plan: GroundPlan, surface: pygame.Surface, box: pygame.Rect, column: int, row: int, above: int) -> None:
    """The upper (`above` 1) or lower (2) half of what stands under the ground to the north."""
    z, name = box.w, plan.material(column, row - above)
    if name in _BUILT:
        if above == 1:
            beam = pygame.Rect(box.x, box.y, z, max(2, round(z * 0.16)))
            surface.fill(palette.rgb("#3d2b1c"), beam)
            surface.blit(fade((z, round(z * 0.5)), "north", palette.VOID, 200), (box.x, beam.bottom))
            for x in (box.x + z // 8, box.right - z // 6):
                pygame.draw.line(surface, palette.rgb("#241a11"), (x, beam.y), (x, beam.bottom), max(1, z // 20))
        return
    cliff = _cliff(z, chance(column, row - above, 253) % _SHAPES)
    surface.blit(cliff, box, (0, (above - 1) * z, z, z))


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
        pillar.blit(
            pygame.transform.smoothscale(lost, pillar.get_size()),
            (0, 0),
            special_flags=pygame.BLEND_RGBA_MULT,
        )
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
def _fringe(material: str, variant: int, zoom: int, side: str, shape: int, reach: int) -> pygame.Surface:
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
    picture.blit(_fringe(name, variant, zoom, side, shape, 10), (0, 0))
    return picture


def _cut(picture: pygame.Surface, mask: pygame.Surface) -> pygame.Surface:
    cut = pygame.Surface(mask.get_size(), pygame.SRCALPHA)
    cut.blit(picture, (0, 0))
    cut.blit(mask, (0, 0), special_flags=pygame.BLEND_RGBA_MULT)
    return cut
