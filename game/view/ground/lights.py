"""Light: soft amber pools over a cool darkness: a small picture of the map, stretched over the ground."""

from __future__ import annotations

from functools import cached_property, lru_cache
from typing import NamedTuple

import pygame

from game.fight.history import Sight
from game.view.ground.tiles import GroundPlan, chance, filled, inverse
from rules.board.bitboard import board_of, cells_of
from rules.board.grid import Ground, Light, Terrain, beside
from rules.board.sight import visible
from rules.contract.units import EMPTY, Bitboard, Cell

_DARK = {"bright": (246, 247, 250), "dim": (176, 183, 204), "dark": (110, 124, 160)}
"""What is left of the ground's colours where no light falls."""
_LIT = {"bright": (255, 250, 238), "dim": (255, 240, 216), "dark": (255, 236, 208)}
_GLOW = {"bright": (34, 22, 6), "dim": (70, 43, 14), "dark": (84, 51, 17)}
"""What a flame adds right beside it."""
_EDGE = {"bright": 0.8, "dim": 0.62, "dark": 0.55}
"""How dark the map's border is beside its middle."""

WHITE = (255, 255, 255)


def reach_of(light: Light) -> int:
    """Spaces beyond which a light changes nothing."""
    return max(light.bright, light.dim) + 1


class Lights:
    """The light on a map with certain doors open: a tint that multiplies the ground, and a glow added to it.

    With `border` the map's edge falls back into the dark; fog of war goes without, as that would tell where it is.
    """

    def __init__(
        self, plan: GroundPlan, terrain: Terrain, seen: dict[Light, Bitboard] | None = None, *, border: bool = True
    ) -> None:
        self.plan = plan
        self.seen = dict(seen or {})
        """What each light shines upon; give the entries that still hold to save working them out."""
        most = max(plan.width, plan.height)
        self.scale = 8 if most <= 96 else 4 if most <= 200 else 2
        size = ((plan.width + 2) * self.scale, (plan.height + 2) * self.scale)
        unlit = filled(size, WHITE)
        for light in plan.field.lights:
            if light not in self.seen:
                self.seen[light] = visible(terrain, light.cell)
            self._take(unlit, light.cell, light.bright, light.dim, self.seen[light])
        light_map = inverse(unlit)
        self.tint = _tinted(light_map, _LIT[plan.ambient])
        unlit.blit(self._darkness(size), (0, 0), special_flags=pygame.BLEND_RGB_MULT)
        self.tint.blit(unlit, (0, 0), special_flags=pygame.BLEND_RGB_ADD)
        self.glow = _tinted(light_map, _GLOW[plan.ambient])
        self.glow.blit(light_map, (0, 0), special_flags=pygame.BLEND_RGB_MULT)
        self._dull_rock(size)
        self._stain()
        if border:
            self._darken_border(size)

    def _darkness(self, size: tuple[int, int]) -> pygame.Surface:
        """What is left of the ground's colours without light: all alike, but for dark spaces of a brighter map."""
        plan, field = self.plan, self.plan.field
        if plan.ambient == field.ambient or not field.daylight:
            return filled(size, _DARK[plan.ambient])
        small = filled((plan.width + 2, plan.height + 2), _DARK[plan.ambient])
        for cell in cells_of(((1 << plan.width * plan.height) - 1) & ~field.daylight):
            small.set_at((cell % plan.width + 1, cell // plan.width + 1), _DARK[field.ambient])
        return pygame.transform.smoothscale(small, size)

    def _take(self, unlit: pygame.Surface, cell: Cell, bright: int, dim: int, seen: Bitboard) -> None:
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
        at = ((column + 1 - reach) * self.scale, (row + 1 - reach) * self.scale)
        unlit.blit(inverse(pool), at, special_flags=pygame.BLEND_RGB_MULT)

    def _light_up(self, mask: pygame.Surface, column: int, row: int, x: int, y: int) -> None:
        """A lit space, and the walls beside it, which catch the light too."""
        mask.set_at((x, y), WHITE)
        if self.plan.is_floor(column, row):
            for dx, dy in ((-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1)):
                if self.plan.is_wall(column + dx, row + dy):
                    mask.fill(WHITE, (x + dx, y + dy, 1, 1))

    def _dull_rock(self, size: tuple[int, int]) -> None:
        """Rock takes less of the glow than floor does."""
        plan = self.plan
        small = filled((plan.width + 2, plan.height + 2), WHITE)
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

    def shine(self, surface: pygame.Surface, zoom: int, *, left: int, top: int, columns: int, rows: int) -> None:
        """Light a piece of the ground whose upper left pixel belongs to `left`, `top`."""
        s, half = (self.scale, self.scale // 2)  # half a space more on each side, so that pieces blend into each other
        area = pygame.Rect(left * s + half, top * s + half, (columns + 1) * s, (rows + 1) * s)
        size = ((columns + 1) * zoom, (rows + 1) * zoom)
        for picture, flag in ((self.tint, pygame.BLEND_RGB_MULT), (self.glow, pygame.BLEND_RGB_ADD)):
            large = pygame.transform.smoothscale(picture.subsurface(area), size)
            surface.blit(large, (-(zoom // 2), -(zoom // 2)), special_flags=flag)


def _tinted(picture: pygame.Surface, colour: tuple[int, int, int]) -> pygame.Surface:
    tinted = filled(picture.get_size(), colour)
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


GRAIN = 4
"""Pixels of a mask for each space."""
UNKNOWN = (8, 10, 14)
MEMORY = (104, 110, 128)
"""What is left of remembered ground, after its colours."""
WARM = (255, 214, 158)
"""What a carried light gives back to the colours of dark ground."""
EMBER = (46, 29, 9)
"""What it lights even of the darkest ground."""


class Glow(NamedTuple):
    """A carried light: where, how wide its bearer is, its radius in spaces, and the spaces it can shine upon."""

    cell: Cell
    size: int
    radius: int
    cells: Bitboard


class Veil:
    """What lies over the ground of a map. Plain (`bare`) as long as nothing is hidden and nobody carries light."""

    def __init__(self, plan: GroundPlan) -> None:
        self.plan = plan
        self.sight: Sight | None = None
        self.glows: tuple[Glow, ...] = ()
        self._now: pygame.Surface | None = None
        self._past: pygame.Surface | None = None
        self._gone: pygame.Surface | None = None
        self._light: pygame.Surface | None = None

    @property
    def bare(self) -> bool:
        """Whether the ground is shown as it is."""
        return self.sight is None and not self.glows

    @property
    def seen(self) -> Bitboard:
        """Bitboard of what was seen so far; -1 = everything."""
        return ~EMPTY if self.sight is None else self.sight.ever

    @property
    def known(self) -> Bitboard:
        """Bitboard of what was seen so far, walls and doors included; -1 = everything."""
        return ~EMPTY if self.sight is None else self._with_walls(self.sight.ever)

    # -- taking in

    def see(self, sight: Sight | None) -> list[pygame.Rect] | None:
        """Take in what is seen; the columns and rows that look different now, None = everywhere."""
        old = self.sight
        if sight == old:
            return []
        self.sight = sight
        if sight is None:
            self._now = self._past = self._gone = None
            return None
        width, height = self.plan.width, self.plan.height
        now, ever = self._with_walls(sight.now), self._with_walls(sight.ever)
        shown, known = self._mask(now), self._mask(ever)
        self._now = shown
        self._past = _tinted(inverse(shown), MEMORY)
        self._past.blit(known, (0, 0), special_flags=pygame.BLEND_RGB_MULT)
        self._gone = _tinted(inverse(known), UNKNOWN)
        if old is None:
            return None
        changed = (now ^ self._with_walls(old.now)) | (ever ^ self._with_walls(old.ever))
        return _boxes(beside(changed, width, height), width)

    def again(self) -> list[pygame.Rect] | None:
        """The same once more, after a secret door was found; as `see`."""
        sight, self.sight = self.sight, None
        return [] if sight is None else self.see(sight)

    def shine(self, glows: tuple[Glow, ...]) -> list[pygame.Rect]:
        """Take in the carried lights; the columns and rows that look different now."""
        if glows == self.glows:
            return []
        moved = set(glows) ^ set(self.glows)
        self.glows = glows
        self._light = self._lamplight() if glows else None
        found = []
        for glow in moved:
            column, row, reach = glow.cell % self.plan.width, glow.cell // self.plan.width, glow.radius + 2
            found.append(pygame.Rect(column - reach, row - reach, 2 * reach + glow.size, 2 * reach + glow.size))
        return found

    def _with_walls(self, cells: Bitboard) -> Bitboard:
        """Floor that is seen, and the walls and doors that stand beside it."""
        solid = self._rock
        for door in self.plan.field.doors:
            solid |= 1 << door.cell
        return cells | beside(cells & ~solid, self.plan.width, self.plan.height) & solid

    @cached_property
    def _rock(self) -> int:
        """The bitboard of what is solid."""
        return sum(1 << cell for cell, kind in enumerate(self.plan.field.ground) if kind == Ground.BLOCKED)

    def _mask(self, cells: Bitboard) -> pygame.Surface:
        """White where a space is among them, black elsewhere, soft in between on the inner side of the border.

        Of what is solid the outer half is black: there rim and face are drawn that tell of a room behind.
        """
        whole = self._grained(cells)
        mask = _shrunk(whole)
        hidden = _shrunk(mask)  # the spaces beside what is solid stay as they are
        secret = board_of(self.plan.hidden)  # a door that nobody found looks like the wall around it
        hidden.blit(self._grained(cells & ~(self._rock | secret)), (0, 0), special_flags=pygame.BLEND_RGB_MAX)
        mask.blit(hidden, (0, 0), special_flags=pygame.BLEND_RGB_MIN)
        soft = pygame.transform.box_blur(mask, 1)
        whole.blit(hidden, (0, 0), special_flags=pygame.BLEND_RGB_MIN)
        soft.blit(whole, (0, 0), special_flags=pygame.BLEND_RGB_MIN)
        return soft

    def _grained(self, cells: Bitboard) -> pygame.Surface:
        """White where a space is among them, black elsewhere, a space wider than the map on each side."""
        plan = self.plan
        small = pygame.Surface((plan.width + 2, plan.height + 2))
        for cell in cells_of(cells):
            small.set_at((cell % plan.width + 1, cell // plan.width + 1), WHITE)
        return pygame.transform.scale(small, (small.get_width() * GRAIN, small.get_height() * GRAIN))

    def _lamplight(self) -> pygame.Surface:
        """All carried lights together; where several fall they add up softly."""
        plan = self.plan
        light = pygame.Surface(((plan.width + 2) * GRAIN, (plan.height + 2) * GRAIN))
        for glow in self.glows:
            reach = glow.radius
            pool = light_pool(reach, max(1, reach // 2), GRAIN).copy()
            side = 2 * (reach + 1) + 1
            lit = self._with_walls(glow.cells)
            column, row = glow.cell % plan.width, glow.cell // plan.width
            mask = pygame.Surface((side, side))
            for y in range(max(0, row - reach - 1), min(plan.height, row + reach + 2)):
                for x in range(max(0, column - reach - 1), min(plan.width, column + reach + 2)):
                    if lit >> (y * plan.width + x) & 1:
                        mask.set_at((x - column + reach + 1, y - row + reach + 1), WHITE)
            soft = pygame.transform.smoothscale(mask, pool.get_size())
            pool.blit(soft, (0, 0), special_flags=pygame.BLEND_RGB_MULT)
            half = (glow.size - 1) * GRAIN // 2
            at = ((column - reach) * GRAIN + half, (row - reach) * GRAIN + half)
            light.blit(pool, at, special_flags=pygame.BLEND_RGB_MAX)
        light.fill(WARM, special_flags=pygame.BLEND_RGB_MULT)
        return light

    # -- drawing

    def dressed(self, piece: pygame.Surface, zoom: int, area: pygame.Rect) -> pygame.Surface:
        """A piece of the ground, `area` in columns and rows, as it lies under the veil."""
        shown = piece.copy()
        if self._light is not None and not _all(b"\0", self._light, area):
            gain = self._part(self._light, zoom, area)
            warmed = piece.copy()
            warmed.fill(EMBER, special_flags=pygame.BLEND_RGB_ADD)
            gain.blit(warmed, (0, 0), special_flags=pygame.BLEND_RGB_MULT)
            shown.blit(gain, (0, 0), special_flags=pygame.BLEND_RGB_ADD)
        if self._now is None or self._past is None or self._gone is None or _all(b"\xff", self._now, area):
            return shown
        memory = pygame.transform.grayscale(piece)
        memory.blit(self._part(self._past, zoom, area), (0, 0), special_flags=pygame.BLEND_RGB_MULT)
        shown.blit(self._part(self._now, zoom, area), (0, 0), special_flags=pygame.BLEND_RGB_MULT)
        shown.blit(memory, (0, 0), special_flags=pygame.BLEND_RGB_ADD)
        shown.blit(self._part(self._gone, zoom, area), (0, 0), special_flags=pygame.BLEND_RGB_ADD)
        return shown

    def _part(self, picture: pygame.Surface, zoom: int, area: pygame.Rect) -> pygame.Surface:
        """What of a small picture lies over a piece, in the piece's pixels."""
        half = GRAIN // 2
        box = pygame.Rect(area.x * GRAIN + half, area.y * GRAIN + half, (area.w + 1) * GRAIN, (area.h + 1) * GRAIN)
        large = pygame.transform.smoothscale(picture.subsurface(box), ((area.w + 1) * zoom, (area.h + 1) * zoom))
        return large.subsurface((zoom // 2, zoom // 2, area.w * zoom, area.h * zoom))


def _all(value: bytes, mask: pygame.Surface, area: pygame.Rect) -> bool:
    """Whether a small picture is nothing but black or white over a piece and just beside it."""
    box = pygame.Rect(area.x * GRAIN, area.y * GRAIN, (area.w + 2) * GRAIN, (area.h + 2) * GRAIN)
    return not pygame.image.tobytes(mask.subsurface(box), "RGB").strip(value)


def _shrunk(mask: pygame.Surface) -> pygame.Surface:
    """A mask with a grain less of white on each side, corners included."""
    out = mask.copy()
    for across in (-1, 0, 1):
        for down in (-1, 0, 1):
            out.blit(mask, (across, down), special_flags=pygame.BLEND_RGB_MIN)
    return out


def _boxes(cells: Bitboard, width: int) -> list[pygame.Rect]:
    """Rows of spaces as rectangles of columns and rows."""
    found: dict[int, tuple[int, int]] = {}
    for cell in cells_of(cells):
        column, row = cell % width, cell // width
        low, high = found.get(row, (column, column))
        found[row] = (min(low, column), max(high, column))
    return [pygame.Rect(low, row, high - low + 1, 1) for row, (low, high) in found.items()]
