"""Floors: slabs, planks, earth, grass and water as small pictures, a few of each kind per zoom."""

from __future__ import annotations

import math
from functools import lru_cache
from pathlib import Path

import pygame

from game.paths import asset
from game.view import palette
from game.view.ground.plan import chance
from game.view.palette import Colour, mix, shade

VARIANTS = 16
_BASE: dict[str, Colour] = {
    "slate": palette.SLATE,
    "stone": palette.rgb("#6a6a66"),
    "wood": palette.rgb("#775839"),
    "bridge": palette.rgb("#7a5a3c"),
    "earth": palette.rgb("#6a5b48"),
    "grass": palette.rgb("#597050"),
    "mud": palette.rgb("#5a4c3e"),
    "shallows": palette.rgb("#3f6273"),
    "water": palette.WATER,
}


@lru_cache(maxsize=500)
def tile(material: str, variant: int, zoom: int) -> pygame.Surface:
    """One space of a floor; not to be drawn upon."""
    surface = pygame.Surface((zoom, zoom))
    base = _BASE.get(material, palette.SLATE)
    if material in ("slate", "stone"):
        _slab(surface, base, variant, zoom, split=material == "stone")
    elif material in ("wood", "bridge"):
        _planks(surface, base, variant, zoom, across=material == "bridge")
    elif material in ("water", "shallows"):
        _water(surface, base, variant, zoom)
    else:
        _soil(surface, base, variant, zoom, grass=material == "grass", wet=material == "mud")
    return surface


def _line(zoom: int, share: float) -> int:
    return max(1, round(zoom * share))


def _wash(surface: pygame.Surface, rect: pygame.Rect, base: Colour, seed: int, spread: int) -> None:
    """Fill with a colour that drifts softly from corner to corner."""
    small = pygame.Surface((2, 2))
    for x in (0, 1):
        for y in (0, 1):
            drift = chance(x, y, seed) % (2 * spread + 1) - spread + (2 if x + y == 0 else -2 if x + y == 2 else 0)
            small.set_at((x, y), shade(base, drift))
    surface.blit(pygame.transform.smoothscale(small, rect.size), rect)


def _slab(surface: pygame.Surface, base: Colour, variant: int, zoom: int, *, split: bool) -> None:
    surface.fill(shade(base, -33))
    gap = _line(zoom, 0.03)
    whole = pygame.Rect(0, 0, zoom - gap + (gap > 1), zoom - gap + (gap > 1))
    parts = [whole]
    if split:
        half = zoom * (40 + chance(variant, 1) % 20) // 100
        if variant % 2:
            parts = [
                pygame.Rect(0, 0, half, whole.h),
                pygame.Rect(half + gap, 0, whole.w - half - gap, whole.h),
            ]
        else:
            parts = [
                pygame.Rect(0, 0, whole.w, half),
                pygame.Rect(0, half + gap, whole.w, whole.h - half - gap),
            ]
    for n, part in enumerate(parts):
        colour = shade(base, chance(variant, n, 3) % 17 - 8)
        _wash(surface, part, colour, variant * 7 + n, 3)
        _bevel(surface, part, colour, zoom)
    if zoom >= 24:
        _specks(surface, base, variant, zoom)
        if variant % 3 == 0:
            _crack(surface, shade(base, -34), shade(base, 14), variant, zoom)


def _bevel(surface: pygame.Surface, rect: pygame.Rect, colour: Colour, zoom: int) -> None:
    line = _line(zoom, 0.022)
    light, dark = shade(colour, 27), shade(colour, -20)
    pygame.draw.rect(surface, light, (rect.x, rect.y, rect.w, line))
    pygame.draw.rect(surface, mix(colour, light, 0.6), (rect.x, rect.y, line, rect.h))
    pygame.draw.rect(surface, dark, (rect.x, rect.bottom - line, rect.w, line))
    pygame.draw.rect(surface, dark, (rect.right - line, rect.y, line, rect.h))


def _specks(surface: pygame.Surface, base: Colour, variant: int, zoom: int) -> None:
    for n in range(7):
        x, y = chance(n, variant, 11) % zoom, chance(n, variant, 12) % zoom
        colour = shade(base, -9 if n % 2 else 9)
        pygame.draw.circle(surface, colour, (x, y), max(1, zoom // (48 + 20 * (n % 3))))


def _crack(surface: pygame.Surface, dark: Colour, light: Colour, variant: int, zoom: int) -> None:
    x, y = zoom * (0.2 + chance(variant, 21) % 60 / 100), zoom * (0.2 + chance(variant, 22) % 50 / 100)
    turn = chance(variant, 23) % 628 / 100
    points = [(x, y)]
    for n in range(3):
        turn += (chance(variant, n, 24) % 200 - 100) / 85
        reach = zoom * (0.09 + chance(variant, n, 25) % 12 / 100)
        x, y = x + math.cos(turn) * reach, y + math.sin(turn) * reach
        points.append((x, y))
    pygame.draw.aalines(surface, light, False, [(px + 1, py + 1) for px, py in points])
    pygame.draw.aalines(surface, dark, False, points)
    if zoom > 90:
        pygame.draw.aalines(surface, dark, False, [(px + 0.6, py) for px, py in points])


def _planks(surface: pygame.Surface, base: Colour, variant: int, zoom: int, *, across: bool) -> None:
    count, line = 4, _line(zoom, 0.02)
    surface.fill(shade(base, -42))
    for n in range(count):
        low, high = n * zoom // count, (n + 1) * zoom // count
        colour = shade(base, chance(variant, n, 31) % 19 - 9)
        box = pygame.Rect(low, 0, high - low - line, zoom) if across else pygame.Rect(0, low, zoom, high - low - line)
        pygame.draw.rect(surface, colour, box)
        pygame.draw.rect(surface, shade(colour, 12), (*box.topleft, line if across else zoom, zoom if across else line))
        if zoom >= 28:
            _grain(surface, colour, box, variant * 5 + n, across=across)
        if chance(variant, n, 32) % 3 == 0:
            at = chance(variant, n, 33) % zoom
            joint = (box.x, at, box.w, line) if across else (at, box.y, line, box.h)
            pygame.draw.rect(surface, shade(base, -38), joint)
    edge = (0, zoom - line, zoom, line) if across else (zoom - line, 0, line, zoom)
    pygame.draw.rect(surface, shade(base, -24), edge)


def _grain(surface: pygame.Surface, colour: Colour, box: pygame.Rect, seed: int, *, across: bool) -> None:
    for n in range(2):
        if across:
            x, y = box.x + box.w * (1 + n) // 3, box.y + chance(seed, n, 34) % box.h
            pygame.draw.line(surface, shade(colour, -9), (x, y), (x, min(box.bottom, y + box.h // 2)))
        else:
            x, y = box.x + chance(seed, n, 35) % box.w, box.y + box.h * (1 + n) // 3
            pygame.draw.line(surface, shade(colour, -9), (x, y), (min(box.right, x + box.w // 2), y))


def _soil(surface: pygame.Surface, base: Colour, variant: int, zoom: int, *, grass: bool, wet: bool) -> None:
    surface.fill(shade(base, chance(variant, 41) % 5 - 2))
    for n in range(5 if zoom >= 20 else 2):
        x, y = chance(variant, n, 42) % zoom, chance(variant, n, 43) % zoom
        size = zoom * (6 + chance(variant, n, 44) % 10) // 100
        box = pygame.Rect(0, 0, max(2, size * 2), max(1, size))
        box.center = (x, y)
        pygame.draw.ellipse(surface, shade(base, -5 if n % 2 else 5), box)
    if wet:
        box = pygame.Rect(0, 0, zoom * 6 // 10, zoom * 4 // 10)
        box.center = (zoom // 2 + chance(variant, 45) % 9 - 4, zoom // 2)
        pygame.draw.ellipse(surface, palette.rgb("#3a3430"), box)
        pygame.draw.arc(
            surface, palette.rgb("#7d7468"), box.inflate(-zoom // 8, -zoom // 8), 0.6, 2.2, _line(zoom, 0.02)
        )
    if grass and zoom >= 20:
        _blades(surface, base, variant, zoom)
    elif not wet and zoom >= 24:
        for n in range(4):
            x, y = chance(variant, n, 46) % zoom, chance(variant, n, 47) % zoom
            pygame.draw.circle(surface, shade(base, 16), (x, y), max(1, zoom // 40))
            pygame.draw.circle(surface, shade(base, -18), (x + 1, y + 1), max(1, zoom // 40), 1)
    _grid(surface, base, zoom)


def _blades(surface: pygame.Surface, base: Colour, variant: int, zoom: int) -> None:
    for n in range(3 + variant % 4):
        x, y = chance(variant, n, 48) % zoom, chance(variant, n, 49) % zoom
        tall = max(3, zoom * (7 + chance(variant, n, 50) % 6) // 100)
        colour = shade(base, 22 if n % 3 else -16)
        for lean in (-1, 0, 1):
            pygame.draw.aaline(surface, colour, (x + lean, y), (x + lean * tall * 0.55, y - tall))


def _grid(surface: pygame.Surface, base: Colour, zoom: int) -> None:
    """The edge of a space where no slab shows it: a thin line, so that spaces can be counted."""
    line = _line(zoom, 0.014)
    pygame.draw.rect(surface, shade(base, -13), (0, zoom - line, zoom, line))
    pygame.draw.rect(surface, shade(base, -13), (zoom - line, 0, line, zoom))


def _water(surface: pygame.Surface, base: Colour, variant: int, zoom: int) -> None:
    surface.fill(base)
    line = _line(zoom, 0.02)
    for n in range(3):
        box = pygame.Rect(0, 0, zoom * (24 + chance(variant, n, 51) % 20) // 100, max(3, zoom // 8))
        box.center = (chance(variant, n, 52) % zoom, zoom * (2 * n + 1) // 6 + chance(variant, n, 53) % 7 - 3)
        pygame.draw.arc(surface, shade(base, 24 if n % 2 else 12), box, 0.4, math.pi - 0.4, line)
    _grid(surface, base, zoom)


# -------------------------------------------------------------------------------------------- things


@lru_cache(maxsize=400)
def prop(name: str, zoom: int, flip: bool = False, turn: int = 0) -> pygame.Surface | None:
    """A thing's picture at the size of a space (clockwise quarter turns after the flip); None if there is none."""
    path = asset("art", "props", f"{name}.svg")
    if not _is_plain(name) or not path.is_file():
        return None
    picture = pygame.image.load_sized_svg(str(path), (zoom, zoom))
    if flip:
        picture = pygame.transform.flip(picture, True, False)
    return pygame.transform.rotate(picture, -90 * turn) if turn else picture


def _is_plain(name: str) -> bool:
    return name.replace("_", "").replace("-", "").isalnum()


@lru_cache(maxsize=64)
def _sheet(path: Path) -> pygame.Surface | None:
    try:
        return pygame.image.load(str(path))
    except (pygame.error, OSError):
        return None


@lru_cache(maxsize=500)
def foreign(
    path: Path, rect: tuple[int, int, int, int], flips: tuple[bool, bool, bool], size: tuple[int, int]
) -> pygame.Surface | None:
    """A foreign tileset's tile, turned (diagonal, horizontal, vertical) and scaled; None if its file fails."""
    sheet = _sheet(path)
    if sheet is None:
        return None
    area = pygame.Rect(rect).clip(sheet.get_rect())
    if area.width < 1 or area.height < 1:
        return None
    picture = sheet.subsurface(area).convert_alpha() if pygame.display.get_surface() else sheet.subsurface(area).copy()
    diagonal, horizontal, vertical = flips
    if diagonal:
        picture = pygame.transform.flip(pygame.transform.rotate(picture, -90), True, False)
    picture = pygame.transform.flip(picture, horizontal, vertical)
    small = size[0] < picture.get_width()
    return pygame.transform.smoothscale(picture, size) if small else pygame.transform.scale(picture, size)


@lru_cache(maxsize=200)
def fade(size: tuple[int, int], side: str, colour: Colour, strongest: int) -> pygame.Surface:
    """A shadow (or shine) that is strongest at one side (`north`, `west` …) and gone at the other."""
    flat = side in ("north", "south")
    strip = pygame.Surface((1, 16) if flat else (16, 1), pygame.SRCALPHA)
    for n in range(16):
        value = round(strongest * ((15 - n) / 15) ** 1.6)
        at = n if side in ("north", "west") else 15 - n
        strip.set_at((0, at) if flat else (at, 0), (*colour, value))
    return pygame.transform.smoothscale(strip, (max(1, size[0]), max(1, size[1])))


@lru_cache(maxsize=100)
def blob(size: tuple[int, int], strongest: int) -> pygame.Surface:
    """A soft oval shadow."""
    small = pygame.Surface((24, 24), pygame.SRCALPHA)
    for n in range(12, 0, -1):
        pygame.draw.circle(small, (4, 7, 12, round(strongest * (1 - n / 12) ** 0.8)), (12, 12), n)
    return pygame.transform.smoothscale(small, (max(1, size[0]), max(1, size[1])))
