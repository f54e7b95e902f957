"""Light: soft amber pools over a cool darkness: a small picture of the map, stretched over the ground."""

from __future__ import annotations

from functools import lru_cache

import pygame

from game.view.ground.plan import GroundPlan, chance
from rules.board.bitboard import cells_of
from rules.board.grid import Light, Terrain
from rules.board.sight import visible

_DARK = {"bright": (246, 247, 250), "dim": (176, 183, 204), "dark": (110, 124, 160)}
"""What is left of the ground's colours where no light falls."""
_LIT = {"bright": (255, 250, 238), "dim": (255, 240, 216), "dark": (255, 236, 208)}
_GLOW = {"bright": (34, 22, 6), "dim": (70, 43, 14), "dark": (84, 51, 17)}
"""What a flame adds right beside it."""
_EDGE = {"bright": 0.8, "dim": 0.62, "dark": 0.55}
"""How dark the map's border is beside its middle."""

_WHITE = (255, 255, 255)


def reach_of(light: Light) -> int:
    """Spaces beyond which a light changes nothing."""
    return max(light.bright, light.dim) + 1


class Lights:
    """The light on a map with certain doors open: a tint that multiplies the ground, and a glow added to it.

    With `border` the map's edge falls back into the dark; fog of war goes without, as that would tell where it is.
    """

    def __init__(
        self,
        plan: GroundPlan,
        terrain: Terrain,
        seen: dict[Light, int] | None = None,
        *,
        border: bool = True,
    ) -> None:
        self.plan = plan
        self.seen = dict(seen or {})
        """What each light shines upon; give the entries that still hold to save working them out."""
        most = max(plan.width, plan.height)
        self.scale = 8 if most <= 96 else 4 if most <= 200 else 2
        size = ((plan.width + 2) * self.scale, (plan.height + 2) * self.scale)
        unlit = pygame.Surface(size)
        unlit.fill((255, 255, 255))
        for light in plan.field.lights:
            if light not in self.seen:
                self.seen[light] = visible(terrain, light.cell)
            self._take(unlit, light.cell, light.bright, light.dim, self.seen[light])
        light_map = pygame.Surface(size)
        light_map.fill((255, 255, 255))
        light_map.blit(unlit, (0, 0), special_flags=pygame.BLEND_RGB_SUB)
        self.tint = _tinted(light_map, _LIT[plan.ambient])
        self.tint.blit(_tinted(unlit, _DARK[plan.ambient]), (0, 0), special_flags=pygame.BLEND_RGB_ADD)
        self.glow = _tinted(light_map, _GLOW[plan.ambient])
        self.glow.blit(light_map, (0, 0), special_flags=pygame.BLEND_RGB_MULT)
        self._dull_rock(size)
        self._stain()
        if border:
            self._darken_border(size)

    def _take(self, unlit: pygame.Surface, cell: int, bright: int, dim: int, seen: int) -> None:
        """Take from the darkness what one light gives: screens add up softly and never burn out."""
        reach = max(bright, dim) + 1
        row, column = divmod(cell, self.plan.width)
        side = 2 * reach + 1
        pool = light_pool(max(bright, dim), bright, self.scale).copy()
        mask = pygame.Surface((side, side))
        near = [(c % self.plan.width, c // self.plan.width) for c in cells_of(seen | 1 << cell)]
        for x, y in near:
            if abs(x - column) <= reach and abs(y - row) <= reach:
                self._light_up(mask, x, y, x - column + reach, y - row + reach)
        soft = pygame.transform.smoothscale(mask, pool.get_size())
        pool.blit(soft, (0, 0), special_flags=pygame.BLEND_RGB_MULT)
        shadow = pygame.Surface(pool.get_size())
        shadow.fill((255, 255, 255))
        shadow.blit(pool, (0, 0), special_flags=pygame.BLEND_RGB_SUB)
        at = ((column + 1 - reach) * self.scale, (row + 1 - reach) * self.scale)
        unlit.blit(shadow, at, special_flags=pygame.BLEND_RGB_MULT)

    def _light_up(self, mask: pygame.Surface, column: int, row: int, x: int, y: int) -> None:
        """A lit space, and the walls beside it, which catch the light too."""
        mask.set_at((x, y), _WHITE)
        if self.plan.is_floor(column, row):
            for dx, dy in ((-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1)):
                if self.plan.is_wall(column + dx, row + dy):
                    mask.fill(_WHITE, (x + dx, y + dy, 1, 1))

    def _dull_rock(self, size: tuple[int, int]) -> None:
        """Rock takes less of the glow than floor does."""
        plan = self.plan
        small = pygame.Surface((plan.width + 2, plan.height + 2))
        small.fill((255, 255, 255))
        for row in range(plan.height):
            for column in range(plan.width):
                if plan.is_wall(column, row):
                    small.set_at((column + 1, row + 1), (96, 100, 110))
        self.glow.blit(pygame.transform.scale(small, size), (0, 0), special_flags=pygame.BLEND_RGB_MULT)

    def _stain(self) -> None:
        """Drifting stains, each of two spaces whatever the map's size."""
        columns, rows = self.plan.width // 2 + 3, self.plan.height // 2 + 3
        stains = pygame.Surface((columns, rows))
        for y in range(rows):
            for x in range(columns):
                value = 255 - chance(x, y, 201) % 34
                stains.set_at((x, y), (value, value, min(255, value + 3)))
        size = ((columns - 1) * 2 * self.scale, (rows - 1) * 2 * self.scale)
        large = pygame.transform.smoothscale(stains, size)
        self.tint.blit(large, (0, 0), special_flags=pygame.BLEND_RGB_MULT)

    def _darken_border(self, size: tuple[int, int]) -> None:
        """The border of the map falls back into the dark."""
        plan = self.plan
        vignette = pygame.Surface((7, 7))
        for y in range(7):
            for x in range(7):
                far, near = max(abs(x - 3), abs(y - 3)), min(abs(x - 3), abs(y - 3))
                edge = _EDGE[plan.ambient]
                value = 255 if far < 3 else round(255 * (edge if near == 3 else (1 + edge) / 2))
                vignette.set_at((x, y), (value, value, min(255, value + 8)))
        soft = pygame.transform.smoothscale(vignette, size)
        self.tint.blit(soft, (0, 0), special_flags=pygame.BLEND_RGB_MULT)

    def tone(self, picture: pygame.Surface, column: float, row: float) -> None:
        """Light something small that moves: the whole picture by what falls on one place."""
        spot = (round((column + 1) * self.scale), round((row + 1) * self.scale))
        picture.fill(self.tint.get_at(spot), special_flags=pygame.BLEND_RGB_MULT)
        picture.fill(self.glow.get_at(spot), special_flags=pygame.BLEND_RGB_ADD)

    def shine(self, surface: pygame.Surface, zoom: int, left: int, top: int, columns: int, rows: int) -> None:
        """Light a piece of the ground whose upper left pixel belongs to `left`, `top`."""
        s, half = (
            self.scale,
            self.scale // 2,
        )  # half a space more on each side, so that pieces blend into each other
        area = pygame.Rect(left * s + half, top * s + half, (columns + 1) * s, (rows + 1) * s)
        size = ((columns + 1) * zoom, (rows + 1) * zoom)
        for picture, flag in ((self.tint, pygame.BLEND_RGB_MULT), (self.glow, pygame.BLEND_RGB_ADD)):
            large = pygame.transform.smoothscale(picture.subsurface(area), size)
            surface.blit(large, (-(zoom // 2), -(zoom // 2)), special_flags=flag)


def _tinted(picture: pygame.Surface, colour: tuple[int, int, int]) -> pygame.Surface:
    tinted = pygame.Surface(picture.get_size())
    tinted.fill(colour)
    tinted.blit(picture, (0, 0), special_flags=pygame.BLEND_RGB_MULT)
    return tinted


@lru_cache(maxsize=64)
def light_pool(reach: int, bright: int, scale: int) -> pygame.Surface:
    """A round pool of white light: full within a part of the bright radius, gone half a space beyond its reach."""
    side = (2 * (reach + 1) + 1) * scale
    pool = pygame.Surface((side, side))
    middle, end = side / 2, (reach + 0.5) * scale
    for radius in range(int(end), 0, -1):
        t = radius / end
        value = round(245 * (1 - t) ** 1.7 * (1 - 0.25 * t))
        pygame.draw.circle(pool, (value, value, value), (middle, middle), radius)
    return pool
