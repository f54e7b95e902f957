"""Pictures of foreign tiles, tile objects and image layers: loaded, tinted, turned and scaled once, then kept."""

from __future__ import annotations

import math
from collections import OrderedDict
from collections.abc import Callable, Hashable
from pathlib import Path
from typing import NamedTuple

import pygame

from game.maps.mapdata import NO_TINT, Colour, Tint
from game.view.ground import tiles as groundtiles
from game.view.ground.tiles import filled, inverse

_ADD, _SUB, _MULT = pygame.BLEND_RGB_ADD, pygame.BLEND_RGB_SUB, pygame.BLEND_RGB_MULT
_MIN, _MAX = pygame.BLEND_RGB_MIN, pygame.BLEND_RGB_MAX


def lay(surface: pygame.Surface, picture: pygame.Surface, at: tuple[int, int], blend: str = "normal") -> None:
    """Lay a picture, opaque or with its colours multiplied by its alpha, onto an opaque surface."""
    if blend == "normal":
        surface.blit(picture, at, special_flags=_flag(picture))
        return
    box = picture.get_rect(topleft=at).clip(surface.get_clip())
    if not (box.w and box.h):
        return
    part, ground = picture.subsurface(box.move(-at[0], -at[1])), surface.subsurface(box)
    if blend == "add":
        ground.blit(part, (0, 0), special_flags=_ADD)
    elif blend in ("darken", "lighten"):  # where the picture is seen through, the ground wins either way
        under = ground.copy()
        ground.blit(part, (0, 0), special_flags=_flag(part))
        ground.blit(under, (0, 0), special_flags=_MIN if blend == "darken" else _MAX)
    else:
        _MIXES[blend](ground, *_split(part))


def _flag(picture: pygame.Surface) -> int:
    return pygame.BLEND_PREMULTIPLIED if picture.get_flags() & pygame.SRCALPHA else 0


def _split(picture: pygame.Surface) -> tuple[pygame.Surface, pygame.Surface]:
    """A picture's colours (as they are over black) and its alpha, as grey."""
    colours, rest = pygame.Surface(picture.get_size()), filled(picture.get_size(), (255, 255, 255))
    colours.blit(picture, (0, 0), special_flags=_ADD)
    black = picture.copy()
    black.fill((0, 0, 0, 255), special_flags=pygame.BLEND_RGBA_MULT)
    rest.blit(black, (0, 0), special_flags=_flag(picture))
    return colours, inverse(rest)


def _mixed(picture: pygame.Surface, other: pygame.Surface, flag: int) -> pygame.Surface:
    out = picture.copy()
    out.blit(other, (0, 0), special_flags=flag)
    return out


def _finish(ground: pygame.Surface, alpha: pygame.Surface, *parts: pygame.Surface) -> None:
    """(1 - a) D, and what belongs to the rest."""
    ground.blit(inverse(alpha), (0, 0), special_flags=_MULT)
    for part in parts:
        ground.blit(part, (0, 0), special_flags=_ADD)


def _multiply(ground: pygame.Surface, colours: pygame.Surface, alpha: pygame.Surface) -> None:
    """S D."""
    _finish(ground, alpha, _mixed(colours, ground, _MULT))


def _screen(ground: pygame.Surface, colours: pygame.Surface, alpha: pygame.Surface) -> None:
    """S + D - S D."""
    ground.blit(_mixed(inverse(ground), colours, _MULT), (0, 0), special_flags=_ADD)


def _overlay(ground: pygame.Surface, colours: pygame.Surface, alpha: pygame.Surface) -> None:
    """2 S D on dark ground, 1 - 2 (1 - S) (1 - D) on light."""
    low = _mixed(ground, ground, _ADD)
    high = _mixed(ground, inverse(ground), _SUB)
    rest = _mixed(alpha, colours, _SUB)
    _finish(ground, alpha, _mixed(low, colours, _MULT), _mixed(high, rest, _MULT))


def _hard_light(ground: pygame.Surface, colours: pygame.Surface, alpha: pygame.Surface) -> None:
    """The same the other way round: 2 S D where the picture is dark, 1 - 2 (1 - S) (1 - D) where it is light."""
    low = _mixed(_mixed(colours, colours, _ADD), alpha, _MIN)
    high = _mixed(colours, _mixed(alpha, colours, _SUB), _SUB)
    _finish(ground, alpha, _mixed(low, ground, _MULT), _mixed(high, inverse(ground), _MULT))


def _difference(ground: pygame.Surface, colours: pygame.Surface, alpha: pygame.Surface) -> None:
    """|S - D|."""
    under = _mixed(ground, alpha, _MULT)
    _finish(ground, alpha, _mixed(colours, under, _SUB), _mixed(under, colours, _SUB))


def _exclusion(ground: pygame.Surface, colours: pygame.Surface, alpha: pygame.Surface) -> None:
    """S (1 - D) + D (1 - S)."""
    one = _mixed(inverse(ground), colours, _MULT)
    other = _mixed(_mixed(alpha, colours, _SUB), ground, _MULT)
    _finish(ground, alpha, one, other)


_MIXES: dict[str, Callable[[pygame.Surface, pygame.Surface, pygame.Surface], None]] = {
    "multiply": _multiply, "screen": _screen, "overlay": _overlay, "hard-light": _hard_light,
    "difference": _difference, "exclusion": _exclusion,
}  # fmt: skip


Size = tuple[int, int]

_SHEET_PIXELS = 72_000_000
"""Pixels of decoded files that are kept: more than the loader lets one map have."""
_NATIVE_PIXELS, _SCALED_PIXELS = 24_000_000, 8_000_000
"""Pixels of single pictures that are kept, at their own size and at that on the screen."""
_WHOLE = 512 * 512
"""A picture larger than this many pixels on the screen is drawn in parts, as they are needed."""
_COARSE = 32
"""Pixels of a picture that are drawn so large are drawn as rectangles."""
_PATTERN = 256
"""Pictures that repeat themselves are put together to patterns of at least this size."""
_FINE = (9, 7, 5, 3)
"""Turned pictures are turned so much larger; of the many pixels for one the middle one is taken."""
_TURNED = 1024
"""Longest side of a picture while it is turned, in pixels."""


class Look(NamedTuple):
    """What a picture is cut from, and what was done to it: all but its size.

    `name` is a prop or floor of our own instead of a file (`path` None; `variant` tells floors apart). `stamp` tells a
    changed file from what it was. The flips are diagonal, horizontal, vertical; `repeats` make a pattern of it.
    """

    path: Path | None
    rect: tuple[int, int, int, int] = (0, 0, 0, 0)
    key: Colour | None = None
    flips: tuple[bool, bool, bool] = (False, False, False)
    tint: Tint = NO_TINT
    opacity: int = 255
    name: str = ""
    variant: int = -1
    stamp: int = 0
    repeats: tuple[int, int] = (1, 1)


class _Shelf:
    """Surfaces by a key; the oldest go when there are too many pixels."""

    def __init__(self, pixels: int) -> None:
        self._most, self._pixels = pixels, 0
        self._kept: OrderedDict[Hashable, pygame.Surface | None] = OrderedDict()

    def get(self, key: Hashable, make: Callable[[], pygame.Surface | None]) -> pygame.Surface | None:
        if key in self._kept:
            self._kept.move_to_end(key)
            return self._kept[key]
        made = self._kept[key] = make()
        self._pixels += _area(made)
        while self._pixels > self._most and len(self._kept) > 1:
            self._pixels -= _area(self._kept.popitem(last=False)[1])
        return made


def _area(surface: pygame.Surface | None) -> int:
    return surface.get_width() * surface.get_height() if surface is not None else 0


_sheets, _natives, _scaled = _Shelf(_SHEET_PIXELS), _Shelf(_NATIVE_PIXELS), _Shelf(_SCALED_PIXELS)


def stamp(path: Path) -> int:
    """When a file was changed; 0 if it is gone."""
    try:
        return path.stat().st_mtime_ns
    except OSError:
        return 0


# -- making


def _load(path: Path) -> pygame.Surface | None:
    try:
        return pygame.image.load(str(path))
    except (pygame.error, OSError):
        return None


def native(look: Look) -> pygame.Surface | None:
    """A picture at its own size, opaque or with its colours multiplied by its alpha; None if its file fails."""
    return _natives.get(look, lambda: _native(look))


def _native(look: Look) -> pygame.Surface | None:
    if look.repeats != (1, 1):
        return _pattern(look)
    picture = _cut(look)
    if picture is None:
        return None
    if look.tint != NO_TINT:
        picture = _tinted(picture, look.tint)
    opaque = pygame.mask.from_surface(picture, 254).count() == _area(picture)
    diagonal, horizontal, vertical = look.flips
    if diagonal:
        picture = pygame.transform.flip(pygame.transform.rotate(picture, -90), True, False)
    if horizontal or vertical:
        picture = pygame.transform.flip(picture, horizontal, vertical)
    if opaque and look.opacity == 255:
        plain = pygame.Surface(picture.get_size())
        plain.blit(picture, (0, 0))
        return plain
    picture = picture.premul_alpha()
    if look.opacity < 255:
        picture.fill((look.opacity,) * 4, special_flags=pygame.BLEND_RGBA_MULT)
    return picture


def _cut(look: Look) -> pygame.Surface | None:
    """The part of the file that is wanted, with an alpha channel."""
    if look.path is None:  # a floor or prop as we draw it
        side = max(look.rect[2:])
        floor = look.variant >= 0
        own = groundtiles.tile(look.name, look.variant, side) if floor else groundtiles.prop(look.name, side)
        return None if own is None else _with_alpha(own)
    path = look.path
    sheet = _sheets.get((path, look.stamp), lambda: _load(path))
    if sheet is None:
        return None
    area = pygame.Rect(look.rect).clip(sheet.get_rect())
    if area.width < 1 or area.height < 1:
        return None
    picture = _with_alpha(sheet.subsurface(area))
    if look.key is not None:
        whole, none = (*look.key, 255), (0, 0, 0, 0)
        pygame.transform.threshold(picture, picture, whole, threshold=none, set_color=none, inverse_set=True)
    return picture


def _with_alpha(source: pygame.Surface) -> pygame.Surface:
    picture = pygame.Surface(source.get_size(), pygame.SRCALPHA, 32)
    picture.blit(source, (0, 0))
    return picture


def _tinted(picture: pygame.Surface, tint: Tint) -> pygame.Surface:
    """Its colours multiplied as Tiled does it: what is seen through in part is lightened by as much before."""
    out = pygame.Surface(picture.get_size(), pygame.SRCALPHA, 32)
    out.fill((255, 255, 255))
    out.blit(picture, (0, 0))
    out.fill((*tint[:3], 255), special_flags=pygame.BLEND_RGBA_MULT)
    picture.fill((255, 255, 255, 0), special_flags=pygame.BLEND_RGBA_ADD)
    picture.fill((255, 255, 255, tint[3]), special_flags=pygame.BLEND_RGBA_MULT)
    out.blit(picture, (0, 0), special_flags=pygame.BLEND_RGBA_MULT)
    return out


def _pattern(look: Look) -> pygame.Surface | None:
    one = native(look._replace(repeats=(1, 1)))
    if one is None:
        return None
    wide, high = one.get_size()
    out = pygame.Surface((wide * look.repeats[0], high * look.repeats[1]), one.get_flags() & pygame.SRCALPHA, one)
    out.blits([(one, (x, y)) for x in range(0, out.get_width(), wide) for y in range(0, out.get_height(), high)])
    return out


def _resized(picture: pygame.Surface, size: Size) -> pygame.Surface:
    """Larger pixel by pixel, all of them as large as each other; smaller softly."""
    if picture.get_size() == size:
        return picture
    (wide, high), size = picture.get_size(), (max(1, size[0]), max(1, size[1]))
    if size[0] > wide or size[1] > high:
        times = -(-size[0] // wide), -(-size[1] // high)
        picture = pygame.transform.scale(picture, (wide * times[0], high * times[1]))
    return picture if picture.get_size() == size else pygame.transform.smoothscale(picture, size)


def _stretched(picture: pygame.Surface, size: Size) -> pygame.Surface:
    """Made larger or a little smaller softly, pixels flowing into their neighbours."""
    old, size = picture.get_size(), (max(1, size[0]), max(1, size[1]))
    if old == size:
        return picture
    if 2 * size[0] < old[0] or 2 * size[1] < old[1]:
        less = tuple(new if 2 * new < was else was for new, was in zip(size, old, strict=True))
        picture = pygame.transform.smoothscale(picture, less)
    return _flowing(_flowing(picture, size[0], upright=False), size[1], upright=True)


def _flowing(picture: pygame.Surface, size: int, *, upright: bool) -> pygame.Surface:
    """Its columns (`upright`: rows) drawn out to so many: each the mean of the two that lie nearest."""
    wide, high = picture.get_size()
    old, across = (high, wide) if upright else (wide, high)
    if old == size:
        return picture
    line = (1, size) if upright else (size, 1)
    shares = pygame.Surface(line, pygame.SRCALPHA, 32)
    rests = shares.copy()
    firsts: list[tuple[pygame.Surface, tuple[int, int], tuple[int, int, int, int]]] = []
    seconds = firsts.copy()
    for n in range(size):
        place = (n + 0.5) * old / size - 0.5
        share = round(255 * (place - math.floor(place)))
        at = (0, n) if upright else (n, 0)
        shares.set_at(at, (share,) * 4)
        rests.set_at(at, (255 - share,) * 4)
        for found, k in ((firsts, math.floor(place)), (seconds, math.floor(place) + 1)):
            k = min(old - 1, max(0, k))
            found.append((picture, at, (0, k, across, 1) if upright else (k, 0, 1, across)))
    out = pygame.Surface((across, size) if upright else (size, across), pygame.SRCALPHA, 32)
    other = out.copy()
    for surface, lines, weights in ((out, firsts, rests), (other, seconds, shares)):
        surface.blits(lines)
        weights = pygame.transform.scale(weights, surface.get_size())
        surface.blit(weights, (0, 0), special_flags=pygame.BLEND_RGBA_MULT)
    out.blit(other, (0, 0), special_flags=pygame.BLEND_RGBA_ADD)
    return out


# -- drawing


def draw(surface: pygame.Surface, look: Look, box: pygame.Rect, blend: str = "normal", *, soft: bool = False) -> None:
    """Draw a picture stretched over a box of the surface's pixels; pixel by pixel, or `soft`."""
    if box.w * box.h > _WHOLE:
        if (whole := native(look)) is not None:
            _draw_part(surface, whole, box, blend)
        return

    def make() -> pygame.Surface | None:
        own = look._replace(rect=(0, 0, *box.size)) if look.path is None else look
        found = native(own)
        if found is None:
            return None
        return _stretched(found, box.size) if soft else _resized(found, box.size)

    picture = _scaled.get((look, box.size, soft), make)
    if picture is not None:
        lay(surface, picture, box.topleft, blend)


def _draw_part(surface: pygame.Surface, picture: pygame.Surface, box: pygame.Rect, blend: str) -> None:
    """Draw what the surface shows of a picture stretched over a large box."""
    shown = box.clip(surface.get_rect())
    if not (shown.w and shown.h):
        return
    wide, high = picture.get_size()
    left, right = _span(shown.left - box.left, shown.right - box.left, box.w, wide)
    top, bottom = _span(shown.top - box.top, shown.bottom - box.top, box.h, high)
    xs = [box.left + n * box.w // wide for n in (left, right)]
    ys = [box.top + n * box.h // high for n in (top, bottom)]
    part = picture.subsurface((left, top, right - left, bottom - top))
    if max(box.w // wide, box.h // high) > _COARSE:
        part, xs, ys = _coarse(part, shown, xs, ys), [shown.left, shown.right], [shown.top, shown.bottom]
    else:
        part = _resized(part, (xs[1] - xs[0], ys[1] - ys[0]))
    lay(surface, part, (xs[0], ys[0]), blend)


def _span(low: int, high: int, size: int, pixels: int) -> tuple[int, int]:
    """The pixels of a picture, stretched over `size`, that lie between two places."""
    return low * pixels // size, min(pixels, -(-high * pixels // size))


def _coarse(part: pygame.Surface, shown: pygame.Rect, xs: list[int], ys: list[int]) -> pygame.Surface:
    """The few pixels of a part as rectangles on a picture of what is shown."""
    out = pygame.Surface(shown.size, part.get_flags() & pygame.SRCALPHA, part)
    wide, high = part.get_size()
    for n in range(wide):
        left, right = (xs[0] + k * (xs[1] - xs[0]) // wide - shown.left for k in (n, n + 1))
        for m in range(high):
            top, bottom = (ys[0] + k * (ys[1] - ys[0]) // high - shown.top for k in (m, m + 1))
            out.fill(part.get_at((n, m)), (left, top, right - left, bottom - top))
    return out


def draw_turned(
    surface: pygame.Surface, look: Look, size: tuple[float, float], middle: tuple[float, float], *, angle: float,
    blend: str = "normal",
) -> None:  # fmt: skip
    """Draw a picture of a size turned clockwise about its middle, all in the surface's pixels."""
    longest = max(size)
    fine = next((n for n in _FINE if longest * n <= _TURNED), 1)
    small = min(1.0, _TURNED / longest)  # what is monstrous is turned small and stretched
    inside = max(1, round(size[0] * small)), max(1, round(size[1] * small))

    def make() -> pygame.Surface | None:
        found = native(look._replace(rect=(0, 0, *inside)) if look.path is None else look)
        return None if found is None else _turned(found, inside, fine, angle)

    picture = _scaled.get((look, inside, angle), make)
    if picture is None:
        return
    wide, high = picture.get_width() / fine / small, picture.get_height() / fine / small
    left, top = middle[0] - wide / 2, middle[1] - high / 2
    if small < 1:
        box = pygame.Rect(round(left), round(top), max(1, round(wide)), max(1, round(high)))
        _draw_part(surface, picture, box, blend)
    else:
        at = math.floor(left), math.floor(top)
        lay(surface, _picked(picture, (left - at[0], top - at[1]), fine), at, blend)


def _turned(picture: pygame.Surface, size: Size, fine: int, angle: float) -> pygame.Surface:
    """A picture at a size, `fine` times larger, turned clockwise; nothing shows beside it."""
    large = _stretched(picture, (size[0] * fine, size[1] * fine))
    # the rim gives what lies beside the turned picture its colour: none
    rimmed = pygame.Surface((large.get_width() + 2, large.get_height() + 2), pygame.SRCALPHA, 32)
    rimmed.blit(large, (1, 1))
    return pygame.transform.rotate(rimmed, -angle)


def _picked(picture: pygame.Surface, shift: tuple[float, float], fine: int) -> pygame.Surface:
    """Of a picture drawn `fine` times too large, `shift` pixels from a whole one, what lies in pixels' middles."""
    wide, high = (-(-each // fine) + 2 for each in picture.get_size())
    canvas = pygame.Surface((wide * fine, high * fine), pygame.SRCALPHA, 32)
    canvas.blit(picture, (round(shift[0] * fine), round(shift[1] * fine)))
    return pygame.transform.scale(canvas, (wide, high))  # it takes middles


def pattern_of(size: Size, across: bool, down: bool) -> tuple[int, int]:
    """How often a picture of that size is put side by side, so that a pattern is drawn rather than many pictures."""
    return (-(-_PATTERN // max(1, size[0])) if across else 1, -(-_PATTERN // max(1, size[1])) if down else 1)
