"""Walls: hatched rock, masonry with its lit face and bright rim, thin walls, doors and ledges."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Protocol

import pygame

from game.paths import asset
from game.view import palette
from game.view.camera import Camera
from game.view.ground.tiles import GroundPlan, chance, fade, prop, strip
from game.view.palette import mix, shade
from rules.board.fixtures import PORTCULLIS, Door, DoorState

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


class Toning(Protocol):
    """Lights small things that move."""

    def tone(self, picture: pygame.Surface, column: float, row: float, /) -> None:
        """Light a whole picture by what falls on one place."""


def draw_leaf(
    surface: pygame.Surface, camera: Camera, plan: GroundPlan, lights: Toning, *, door: Door, share: float
) -> None:
    """Draw a door's leaf; `share` 0 is closed, 1 open. The bars of a portcullis show ever less as they rise."""
    zoom, quarter = camera.zoom, math.pi / 2
    place, upright = middle(plan, door), stands_upright(plan, door)
    if door.kind == PORTCULLIS:
        bars = _bars(zoom, upright).copy()
        lights.tone(bars, *place)
        bars.set_alpha(round(255 * (1.0 - share)))
        surface.blit(bars, bars.get_rect(center=camera.to_screen(*place)))
        return
    x, y, length, thick = (a + (b - a) * share for a, b in zip(_CLOSED, _OPEN, strict=True))
    across, down = (x - 32) / 64, (y - 32) / 64
    if upright:  # the whole picture is turned by a quarter, clockwise
        across, down = -down, across
    hinge = pygame.Vector2(camera.to_screen(place[0] + across, place[1] + down))
    angle = quarter * share + (quarter if upright else 0.0)
    size = (max(2, round(length * zoom / 64)), max(2, round(thick * zoom / 64)))
    leaf = pygame.transform.smoothscale(_leaf(zoom), size)
    lights.tone(leaf, *place)
    turned = pygame.transform.rotate(leaf, -math.degrees(angle))
    centre = hinge + pygame.Vector2(size[0] / 2, 0).rotate_rad(angle)
    surface.blit(turned, turned.get_rect(center=(round(centre.x), round(centre.y))))


@lru_cache(maxsize=8)
def _bars(zoom: int, upright: bool) -> pygame.Surface:
    picture = pygame.image.load_sized_svg(str(asset("art", "props", "portcullis_closed.svg")), (zoom, zoom))
    return pygame.transform.rotate(picture, 90) if upright else picture


@lru_cache(maxsize=8)
def _leaf(zoom: int) -> pygame.Surface:
    return pygame.image.load_sized_svg(str(asset("art", "doors", "door_leaf.svg")), (zoom, max(2, zoom * 22 // 62)))


FACE = 0.28
"""Height of a wall's lit face, in spaces."""
SHADOW = 0.34
"""Reach of the shadow a wall throws on the floor before it, in spaces."""
_ROCK = palette.rgb("#262d38")
_STROKE = palette.rgb("#6b7888")
"""Rock and pen strokes before the light falls on them: lit dimly they are the near-black of the palette."""
_TONES = tuple(mix(_ROCK, _STROKE, 0.5 + n * 0.06) for n in range(8))
_LIP = palette.rgb("#d6cbb0")
_SIDES = ((0, -1, "north"), (0, 1, "south"), (-1, 0, "west"), (1, 0, "east"))
_INK = (4, 7, 12)
_SHADOWS = (
    (0, -1, "north", SHADOW, 165), (-1, 0, "west", 0.16, 105), (1, 0, "east", 0.16, 70), (0, 1, "south", 0.16, 60)
)  # fmt: skip
"""Where a wall stands, on which side of the floor its shadow lies, how far that reaches, and how strong it is."""


class WallPainter:
    """Draws onto one piece of the picture: `left`, `top` is the column and row of its upper left pixel."""

    def __init__(self, plan: GroundPlan, surface: pygame.Surface, zoom: int, left: int, top: int) -> None:
        self.plan, self.surface, self.zoom = plan, surface, zoom
        self.left, self.top = left, top
        self.rim = max(1, round(zoom / 30))

    def rect(self, column: int, row: int) -> pygame.Rect:
        """The pixels of a space on this piece."""
        return pygame.Rect((column - self.left) * self.zoom, (row - self.top) * self.zoom, self.zoom, self.zoom)

    # -- on the floor

    def shade_floor(self, column: int, row: int) -> None:
        """Contact shadows of the walls around a floor space."""
        box = self.rect(column, row)
        for dx, dy, side, reach, strength in _SHADOWS:
            if self.plan.is_wall(column + dx, row + dy):
                shadow = strip(box, side, round(self.zoom * reach))
                self.surface.blit(fade(shadow.size, side, _INK, strength), shadow)

    def shade_ledges(self, column: int, row: int) -> None:
        """A raised level's lip, and the shadow it throws on lower ground."""
        plan, z, box = self.plan, self.zoom, self.rect(column, row)
        here, lip = plan.level(column, row), max(1, round(z * 0.045))
        if not plan.is_floor(column, row):
            return
        if here:
            self.surface.fill((9 * min(here, 3),) * 3, box, special_flags=pygame.BLEND_RGB_ADD)
        for dx, dy, side in _SIDES:
            if not plan.is_floor(column + dx, row + dy):
                continue
            other = plan.level(column + dx, row + dy)
            if other < here:
                pygame.draw.rect(self.surface, _LIP, strip(box, side, lip))
            elif other > here and side == "north":
                self._cliff(column, row, box)
            elif other > here:
                wide = strip(box, side, round(z * (0.1 if side == "south" else 0.2)))
                self.surface.blit(fade(wide.size, side, _INK, 150), wide)
        if z >= 24 and chance(column, row, 61) % 3 == 0:
            size = max(3, z // 14)
            for n in range(min(here, 4)):  # small chevrons in the corner: one per level
                x, y = box.right - 2 * size - 2, box.bottom - size - 3 - n * size
                points = [(x - size, y + size // 2), (x, y - size // 2), (x + size, y + size // 2)]
                pygame.draw.lines(self.surface, palette.rgb("#e6dcc2"), False, points, max(1, z // 40))

    def _cliff(self, column: int, row: int, box: pygame.Rect) -> None:
        """The face of higher ground to the north, standing on this space, and its shadow."""
        z, high = self.zoom, max(2, round(self.zoom * 0.24))
        self.surface.blit(fade((z, round(z * 0.55)), "north", _INK, 190), (box.x, box.y + high - 1))
        self._gradient(palette.rgb("#7b7264"), pygame.Rect(box.x, box.y, z, high))
        for n in range(3 if z >= 24 else 0):
            x = box.x + chance(column, row, 161 + n) % z
            pygame.draw.aaline(self.surface, palette.rgb("#3f3930"), (x, box.y + 1), (x + z * 0.05, box.y + high - 1))

    def _gradient(self, tone: palette.Colour, face: pygame.Rect) -> None:
        """A face lit from above."""
        strip = pygame.Surface((1, 4))
        for n, by in enumerate((6, -4, -18, -36)):
            strip.set_at((0, n), shade(tone, by))
        self.surface.blit(pygame.transform.smoothscale(strip, face.size), face)

    def rough(self, column: int, row: int) -> None:
        """Stones strewn over difficult ground that no thing shows."""
        z, box = self.zoom, self.rect(column, row)
        for n in range(6):
            size = z * (5 + chance(column, row, 70 + n) % 7) // 100 + 1
            x = box.x + z * (14 + chance(column, row, 80 + n) % 72) // 100
            y = box.y + z * (14 + chance(column, row, 90 + n) % 72) // 100
            stone = pygame.Rect(x - size, y - size, 2 * size, round(1.6 * size))
            pygame.draw.ellipse(self.surface, palette.rgb("#232a33"), stone.move(1, 2))
            pygame.draw.ellipse(self.surface, palette.rgb("#7d8894"), stone)
            pygame.draw.ellipse(self.surface, palette.INK, stone, 1)

    # -- walls

    def rock(self, column: int, row: int) -> None:
        """The top of solid rock or masonry, hatched."""
        box = self.rect(column, row)
        tone = chance(column, row, 121) % 5 - 2
        self.surface.fill(shade(_ROCK, tone), box)

    def hatch(self, column: int, row: int) -> None:
        """A few pen strokes; drawn after all rock, for they may run over from space to space.

        They are the same whatever lies beside: it may be floor that nobody has seen.
        """
        z, box = self.zoom, self.rect(column, row)
        groups = (1 + (chance(column, row, 130) % 3 == 0)) if chance(column, row, 131) % 5 < 4 else 0
        for group in range(groups):
            salt = 140 + 10 * group
            dice = chance(column, row, salt) | chance(column, row, salt + 1) << 16
            x = box.x + z * (8 + dice % 24) / 100
            y = box.y + z * (30 + (dice >> 7) % 62) / 100
            count = 4 + (dice >> 13) % 4 if z >= 28 else 3
            slant = 0.42 + (dice >> 15) % 40 / 100
            for n in range(count):
                vary = dice >> 2 * n + 5
                tall = z * (14 + vary % 14) / 100
                start = (x + n * z * 0.065, y - vary % 9 * z / 200)
                end = (start[0] + tall * slant, start[1] - tall)
                pygame.draw.aaline(self.surface, _TONES[vary % 8], start, end, max(1, z // 52))

    def faces(self, column: int, row: int) -> None:
        """The lit face above floor to the south, and the bright rim wherever this wall meets floor."""
        plan, z, box = self.plan, self.zoom, self.rect(column, row)
        high = max(2, round(z * FACE))
        faced = plan.is_floor(column, row + 1)
        if faced:
            self._face(column, row, pygame.Rect(box.x, box.bottom - high, z, high))
        line = self.rim
        if plan.is_floor(column, row - 1):
            pygame.draw.rect(self.surface, palette.RIM, (box.x, box.y, z, line))
            self.surface.blit(fade((z, round(z * 0.2)), "north", palette.FACE, 70), (box.x, box.y + line))
        for dx, x in ((-1, box.x), (1, box.right - line)):
            if plan.is_floor(column + dx, row):
                pygame.draw.rect(self.surface, palette.RIM, (x, box.y, line, z))
            elif plan.is_wall(column + dx, row) and plan.is_floor(column + dx, row + 1) and not faced:
                pygame.draw.rect(self.surface, palette.RIM, (x, box.bottom - high, line, high))
            bend = plan.is_wall(column + dx, row) and plan.is_wall(column, row - 1)
            if bend and plan.is_floor(column + dx, row - 1):
                pygame.draw.rect(self.surface, palette.RIM, (x, box.y, line, line))

    def _face(self, column: int, row: int, face: pygame.Rect) -> None:
        z = self.zoom
        tone = shade(palette.FACE, chance(column, row, 151) % 9 - 4)
        self._gradient(tone, face)
        if z >= 24:
            joint = shade(tone, -30)
            courses = 2 if self.plan.material(column, row) == "wall" else 1
            for course in range(courses):
                y, high = face.y + face.h * course // courses, face.h // courses
                for n in range(courses):
                    x = face.x + (n * z // 2 + chance(column, row, 152 + course) % (z // 2)) % z
                    foot = (x + (0 if courses == 2 else z // 20), y + high - 1)
                    pygame.draw.line(self.surface, joint, (x, y + 2), foot)
                if course:
                    pygame.draw.line(self.surface, joint, (face.x, y), (face.right - 1, y))
        pygame.draw.rect(self.surface, palette.RIM, (face.x, face.y, face.w, self.rim))
        pygame.draw.rect(self.surface, palette.INK, (face.x, face.bottom - 1, face.w, 1))

    # -- thin walls and doors

    def thin_wall(self, column: int, row: int, side: str) -> None:
        """A wall on a space's east or south edge."""
        z, box = self.zoom, self.rect(column, row)
        wide = max(3, round(z * 0.13))
        if side == "east":
            bar = pygame.Rect(box.right - wide // 2, box.y - wide // 2, wide, z + wide)
            self.surface.blit(fade((round(z * 0.14), z), "west", _INK, 110), (bar.right, box.y))
        else:
            bar = pygame.Rect(box.x - wide // 2, box.bottom - wide // 2, z + wide, wide)
            self.surface.blit(fade((z, round(z * 0.24)), "north", _INK, 150), (box.x, bar.bottom))
        pygame.draw.rect(self.surface, palette.rgb("#2a313b"), bar)
        lit = "west" if side == "east" else "north"
        pygame.draw.rect(self.surface, palette.RIM, strip(bar, lit, self.rim - 1))
        pygame.draw.rect(self.surface, palette.FACE, strip(bar, side, self.rim - 1))

    def door(self, door: Door, state: str) -> None:
        """A door in its space or on its edge, closed, open or on its way; a lock or a bar if it has one."""
        width, z = self.plan.width, self.zoom
        row, column = divmod(door.cell, width)
        name = "door_open" if is_open(state) else "door_closed"
        if door.kind == PORTCULLIS:
            name = "portcullis_open" if is_open(state) or state == CLOSING else "portcullis_closed"
        elif state in (OPENING, CLOSING):
            name = "door_frame"
        box = self.rect(column, row)
        if door.edge is not None:
            other_row, other_column = divmod(door.edge, width)
            box = box.move((other_column - column) * z // 2, (other_row - row) * z // 2)
        picture = prop(name, z, False, 1 if stands_upright(self.plan, door) else 0)
        if picture is not None:
            self.surface.blit(picture, box)
        if state in ("locked", "barred"):
            self._lock(box, state)

    def _lock(self, box: pygame.Rect, state: str) -> None:
        z, (x, y) = self.zoom, box.center
        if state == DoorState.BARRED:
            ends = (x - z // 4, y + z // 5), (x + z // 4, y - z // 5)
            pygame.draw.line(self.surface, palette.INK, *ends, max(3, z // 9))
            pygame.draw.line(self.surface, palette.FACE, *ends, max(1, z // 16))
            return
        body = pygame.Rect(0, 0, max(4, z // 6), max(4, z // 7))
        body.center = (x, y + z // 24)
        ring = pygame.Rect(0, 0, body.w * 2 // 3, body.h)
        ring.midbottom = (body.centerx, body.y + body.h // 3)
        pygame.draw.arc(self.surface, palette.INK, ring.inflate(2, 2), 0, math.pi, max(2, z // 20))
        pygame.draw.arc(self.surface, palette.RIM, ring, 0, math.pi, max(1, z // 32))
        pygame.draw.rect(self.surface, palette.GOLD, body, 0, 2)
        pygame.draw.rect(self.surface, palette.INK, body, 1, 2)
