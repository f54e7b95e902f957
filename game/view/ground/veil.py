"""Fog of war and carried light over the ground: small pictures of the map, stretched over it piece by piece.

Ground that nobody has seen is dark, ground that is only remembered has lost its colours, what is seen is as it is.
The edges are soft, and fall within what is seen: nothing beyond shows.
"""

from __future__ import annotations

from typing import NamedTuple

import pygame

from game.fight.visibility import Sight
from game.view.ground.lights import light_pool
from game.view.ground.plan import GroundPlan
from rules.board.bitboard import cells_of
from rules.board.grid import Ground, beside

GRAIN = 4
"""Pixels of a mask for each space."""
UNKNOWN = (8, 10, 14)
MEMORY = (104, 110, 128)
"""What is left of remembered ground, after its colours."""
WARM = (255, 214, 158)
"""What a carried light gives back to the colours of dark ground."""
EMBER = (46, 29, 9)
"""What it lights even of the darkest ground."""
WHITE = (255, 255, 255)


class Glow(NamedTuple):
    """A carried light: where, how wide its bearer is, its radius in spaces, and the spaces it can shine upon."""

    cell: int
    size: int
    radius: int
    cells: int


class Veil:
    """What lies over the ground of a map. Plain (`bare`) as long as nothing is hidden and nobody carries light."""

    def __init__(self, plan: GroundPlan) -> None:
        self.plan = plan
        self.sight: Sight | None = None
        self.glows: tuple[Glow, ...] = ()
        self._solid: int | None = None
        self._now: pygame.Surface | None = None
        self._past: pygame.Surface | None = None
        self._gone: pygame.Surface | None = None
        self._light: pygame.Surface | None = None

    @property
    def bare(self) -> bool:
        """Whether the ground is shown as it is."""
        return self.sight is None and not self.glows

    @property
    def seen(self) -> int:
        """Bitboard of what was seen so far; -1 = everything."""
        return -1 if self.sight is None else self.sight.ever

    @property
    def known(self) -> int:
        """Bitboard of what was seen so far, walls and doors included; -1 = everything."""
        return -1 if self.sight is None else self._with_walls(self.sight.ever)

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
        self._past = _inverse(shown)
        self._past.blit(_filled(self._past.get_size(), MEMORY), (0, 0), special_flags=pygame.BLEND_RGB_MULT)
        self._past.blit(known, (0, 0), special_flags=pygame.BLEND_RGB_MULT)
        self._gone = _inverse(known)
        self._gone.blit(_filled(self._gone.get_size(), UNKNOWN), (0, 0), special_flags=pygame.BLEND_RGB_MULT)
        if old is None:
            return None
        changed = (now ^ self._with_walls(old.now)) | (ever ^ self._with_walls(old.ever))
        return _boxes(beside(changed, width, height), width)

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

    def _with_walls(self, cells: int) -> int:
        """Floor that is seen, and the walls and doors that stand beside it."""
        solid = self._rock()
        for door in self.plan.field.doors:
            solid |= 1 << door.cell
        return cells | beside(cells & ~solid, self.plan.width, self.plan.height) & solid

    def _rock(self) -> int:
        """The bitboard of what is solid."""
        if self._solid is None:
            ground = self.plan.field.ground
            self._solid = sum(1 << cell for cell, kind in enumerate(ground) if kind == Ground.BLOCKED)
        return self._solid

    def _mask(self, cells: int) -> pygame.Surface:
        """White where a space is among them, black elsewhere, soft in between on the inner side of the border.

        Of what is solid the outer half is black: there rim and face are drawn that tell of a room behind.
        """
        whole = self._grained(cells)
        mask = _shrunk(whole)
        hidden = _shrunk(mask)  # the spaces beside what is solid stay as they are
        hidden.blit(self._grained(cells & ~self._rock()), (0, 0), special_flags=pygame.BLEND_RGB_MAX)
        mask.blit(hidden, (0, 0), special_flags=pygame.BLEND_RGB_MIN)
        soft = pygame.transform.box_blur(mask, 1)
        whole.blit(hidden, (0, 0), special_flags=pygame.BLEND_RGB_MIN)
        soft.blit(whole, (0, 0), special_flags=pygame.BLEND_RGB_MIN)
        return soft

    def _grained(self, cells: int) -> pygame.Surface:
        """White where a space is among them, black elsewhere, a space wider than the map on each side."""
        plan = self.plan
        small = pygame.Surface((plan.width + 2, plan.height + 2))
        small.fill((0, 0, 0))
        for cell in cells_of(cells):
            small.set_at((cell % plan.width + 1, cell // plan.width + 1), WHITE)
        return pygame.transform.scale(small, (small.get_width() * GRAIN, small.get_height() * GRAIN))

    def _lamplight(self) -> pygame.Surface:
        """All carried lights together; where several fall they add up softly."""
        plan = self.plan
        light = pygame.Surface(((plan.width + 2) * GRAIN, (plan.height + 2) * GRAIN))
        light.fill((0, 0, 0))
        for glow in self.glows:
            reach = glow.radius
            pool = light_pool(reach, max(1, reach // 2), GRAIN).copy()
            side = 2 * (reach + 1) + 1
            lit = self._with_walls(glow.cells)
            column, row = glow.cell % plan.width, glow.cell // plan.width
            mask = pygame.Surface((side, side))
            mask.fill((0, 0, 0))
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


def _inverse(mask: pygame.Surface) -> pygame.Surface:
    out = _filled(mask.get_size(), WHITE)
    out.blit(mask, (0, 0), special_flags=pygame.BLEND_RGB_SUB)
    return out


def _filled(size: tuple[int, int], colour: tuple[int, int, int]) -> pygame.Surface:
    picture = pygame.Surface(size)
    picture.fill(colour)
    return picture


def _boxes(cells: int, width: int) -> list[pygame.Rect]:
    """Rows of spaces as rectangles of columns and rows."""
    found: dict[int, tuple[int, int]] = {}
    for cell in cells_of(cells):
        column, row = cell % width, cell // width
        low, high = found.get(row, (column, column))
        found[row] = (min(low, column), max(high, column))
    return [pygame.Rect(low, row, high - low + 1, 1) for row, (low, high) in found.items()]
