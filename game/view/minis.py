"""Miniatures on round bases: side ring and pattern, figure, hit-point arc, point pips, badges; all cached per look."""

from __future__ import annotations

import colorsys
import io
import math
import re
from collections import Counter
from functools import lru_cache

import pygame

from game.paths import asset
from game.storage import tokens
from game.view.palette import GOLD, INK, PAPER, PIP, PIP_SPENT, WATER, Colour, health_colour, mix, rgb, shade, side_look
from rules.contract.display import Miniature

DYES: dict[str, Colour] = {
    "crimson": rgb("#c43d33"), "amber": rgb("#d98b2b"), "gold": rgb("#e0b93f"), "moss": rgb("#6f9a3c"),
    "teal": rgb("#2f9c8c"), "sky": rgb("#4a90d9"), "indigo": rgb("#5a58c8"), "violet": rgb("#9450b8"),
    "rose": rgb("#d0619a"), "umber": rgb("#8a5a3a"), "slate": rgb("#66778c"), "bone": rgb("#d8d2c0"),
}  # fmt: skip
"""Name -> colour, for cloth and rims; files of heroes name them."""
_FILL = re.compile(r'fill="(#[0-9a-fA-F]{6})"')
_SKIN = (0.05, 0.125)
"""Hues of skin, leather, wood and brass: dyed only where there is nothing else."""
_GREY, _STEEL = 0.15, 0.34
"""Strengths up to which a colour is grey; for the blues of steel and bone more."""


def parts(art: str) -> tuple[str, str, str]:
    """A miniature's name as its drawing (a token's: the one instead of it), its dye and its rim; empty where it has
    none."""
    _, art = tokens.parts(art)
    drawing, _, rest = art.partition("~")
    cloth, _, ring = rest.partition("~")
    return drawing, cloth if cloth in DYES else "", ring if ring in DYES else ""


def _hls(colour: str) -> tuple[float, float, float]:
    red, green, blue = (channel / 255 for channel in rgb(colour))
    return colorsys.rgb_to_hls(red, green, blue)


def _vivid(fill: str) -> bool:
    hue, light, strength = _hls(fill)
    return 0.08 < light < 0.9 and strength > (_STEEL if 0.5 < hue < 0.65 and light > 0.25 else _GREY)


def _near(one: float, other: float) -> bool:
    return min(abs(one - other), 1 - abs(one - other)) < 0.06


def cloth_of(source: str) -> tuple[str, ...]:
    """The fills of a drawing that are its cloth: the hue of most fills that are neither grey nor skin."""
    fills = Counter(_FILL.findall(source))
    vivid = [fill for fill in fills if _vivid(fill)]
    cloth = [fill for fill in vivid if not _SKIN[0] < _hls(fill)[0] < _SKIN[1]] or vivid
    if not cloth:
        return ()
    best = max(cloth, key=lambda fill: sum(fills[o] for o in cloth if _near(_hls(fill)[0], _hls(o)[0])))
    return tuple(fill for fill in cloth if _near(_hls(best)[0], _hls(fill)[0]))


def dyed_source(source: str, dye: Colour) -> str:
    """An SVG whose cloth has the dye's hue and strength; lights and shades stay as far apart as they were."""
    cloth = cloth_of(source)
    if not cloth:
        return source
    hue, light, strength = colorsys.rgb_to_hls(*(channel / 255 for channel in dye))
    middle = sum(_hls(fill)[1] for fill in cloth) / len(cloth)

    def dyed(found: re.Match[str]) -> str:
        fill = found.group(1)
        if fill not in cloth:
            return found.group(0)
        shade = max(0.06, min(0.94, light + _hls(fill)[1] - middle))
        red, green, blue = (round(255 * c) for c in colorsys.hls_to_rgb(hue, shade, strength))
        return f'fill="#{red:02x}{green:02x}{blue:02x}"'

    return _FILL.sub(dyed, source)


OVERSAMPLE = 3
"""Bases are drawn so many times larger and then smoothed down."""
RING = 0.432
"""Outer radius of the side's ring, a share of the width: inside the hit-point arc, so that neither hides the other."""
SECOND, GAP = 0.6, 0.06
"""Of two pools the one beneath has so much of the arc; radians between them."""
GUARD: Colour = (150, 205, 255)
"""The pool that goes first: what protects, not what bleeds."""
_ARC = (math.radians(222), math.radians(-42))
"""The hit-point arc runs from lower left over the top to lower right, counter-clockwise angles."""


@lru_cache(maxsize=768)
def svg(kind: str, name: str, size: int, dye: str = "") -> pygame.Surface | None:
    """A drawing of assets/art/<kind>/<name>.svg, `size` pixels wide, in a dye; None if there is none of that name."""
    path = asset("art", kind, f"{name}.svg")
    if not path.is_file():
        return None
    source = path.read_text(encoding="utf-8")
    file = io.BytesIO((dyed_source(source, DYES[dye]) if dye else source).encode())
    picture = pygame.image.load_sized_svg(file, (size, size))
    return picture.convert_alpha() if pygame.display.get_surface() else picture


@lru_cache(maxsize=512)
def icon(name: str, size: int, colour: Colour) -> pygame.Surface | None:
    """An icon in one colour."""
    picture = svg("icons", name, size)
    if picture is None:
        return None
    tinted = picture.copy()
    tinted.fill((*colour, 255), special_flags=pygame.BLEND_RGBA_MULT)
    return tinted


@lru_cache(maxsize=256)
def token(art: str, size: int) -> pygame.Surface | None:
    """The token that a miniature's name names, `size` pixels wide; None where it names none, or nobody has it."""
    name, _ = tokens.parts(art)
    path = tokens.file_of(name) if name else None
    if path is None:
        return None
    try:
        picture = pygame.image.load(str(path))
    except (pygame.error, OSError):
        return None
    picture = picture.convert_alpha() if pygame.display.get_surface() else picture
    return pygame.transform.smoothscale(picture, (size, size))


def figure(art: str, side: str, size: int) -> pygame.Surface | None:
    """A creature's figure in its dye, or the generic one of its side."""
    drawing, dye, _ = parts(art)
    unknown = "unknown_hero" if side == "heroes" else "unknown_monster"
    return svg("minis", drawing, size, dye) or svg("minis", unknown, size)


_STROKES = {"plain": (1, 1.0), "dashed": (14, 0.62), "dotted": (26, 0.42)}
"""Pattern of a ring -> how many strokes it has, and how much of its part each takes."""


def _ring(surface: pygame.Surface, centre: float, radius: float, *, width: float, colour: Colour, pattern: str) -> None:
    if pattern == "double":
        for inner in (radius, radius - width * 0.75):
            _arc(surface, centre, inner, width=max(1.0, width * 0.34), colour=colour, start=0.0, end=math.tau)
        return
    pygame.draw.circle(surface, mix(colour, INK, 0.62), (centre, centre), radius, max(1, round(width)))
    count, share = _STROKES[pattern]
    for i in range(count):
        start = math.tau * i / count
        _arc(surface, centre, radius, width=width, colour=colour, start=start, end=start + math.tau / count * share)


def _arc(
    surface: pygame.Surface, centre: float, radius: float, *, width: float, colour: Colour, start: float, end: float
) -> None:
    """A stroke along a circle as a polygon: pygame's own arcs leave holes."""
    steps = max(3, round(abs(end - start) * radius / 3))
    outer, inner = [], []
    for i in range(steps + 1):
        angle = start + (end - start) * i / steps
        x, y = math.cos(angle), -math.sin(angle)
        outer.append((centre + x * radius, centre + y * radius))
        inner.append((centre + x * (radius - width), centre + y * (radius - width)))
    pygame.draw.polygon(surface, colour, outer + inner[::-1])


@lru_cache(maxsize=256)
def _base(art: str, side: str, size: int, out: bool, dead: bool) -> pygame.Surface:
    """Shadow, disc, ring and figure in a square of `size` pixels."""
    big = size * OVERSAMPLE
    sheet = pygame.Surface((big, big), pygame.SRCALPHA)
    middle, radius = big / 2, big * RING
    below = (middle + big * 0.015, middle + big * 0.035)
    for i in range(6):
        pygame.draw.circle(sheet, (0, 0, 0, 18 + 12 * i), below, radius * (1.07 - i * 0.02))
    pygame.draw.circle(sheet, shade(INK, 4), (middle, middle), big * 0.472)
    colour, pattern = side_look(side)
    share = max(0.06, min(0.085, 2.2 / size))  # the ring's, of the width: never under two pixels
    _ring(sheet, middle, radius, width=big * share, colour=colour, pattern=pattern)
    inner = radius - big * (share + 0.008)
    for i in range(16):  # the disc: lighter where the torchlight falls, upper left
        tone = mix((24, 30, 39), (52, 63, 76), i / 15)
        off = big * 0.006 * i
        pygame.draw.circle(sheet, tone, (middle - off * 0.7, middle - off), inner - off * 1.3)
    if rim := parts(art)[2]:
        _ring(sheet, middle, inner - big * 0.004, width=max(2.0, big * 0.028), colour=DYES[rim], pattern="plain")
    ready = pygame.transform.smoothscale(sheet, (size, size))
    whole = token(art, max(8, round(2 * inner / OVERSAMPLE)))
    picture = whole if whole is not None else figure(art, side, max(8, round(size * 0.86)))
    if picture is not None:
        if out:
            picture = pygame.transform.rotozoom(picture, 78, 1.0)  # smooth, unlike rotate
        place = picture.get_rect(center=(size / 2, size * (0.5 if out or whole is not None else 0.485)))
        ready.blit(picture, place)
    if out:
        veil = pygame.Surface(ready.get_size(), pygame.SRCALPHA)
        veil.fill((96, 100, 112, 255) if dead else (164, 156, 162, 255))
        ready.blit(veil, (0, 0), special_flags=pygame.BLEND_RGBA_MULT)
    return ready


@lru_cache(maxsize=1024)
def _arcs(size: int, share: int, *, pips: int, spent: int, out: bool, second: int = -1) -> pygame.Surface:
    """Hit-point arc (share in 64ths) and the pips at the foot.

    With a `second` pool (−1 = none) the arc is in two: the second from the left, the first, pale, above it.
    """
    big = size * OVERSAMPLE
    sheet = pygame.Surface((big, big), pygame.SRCALPHA)
    middle, radius, width = big / 2, big * 0.487, big * max(0.04, min(0.06, 2 / size))
    start, end = _ARC
    _arc(sheet, middle, radius + big * 0.012, width=width + big * 0.02, colour=INK, start=start, end=end)
    pools = [(start, end, share, health_colour(share / 64))]
    if second >= 0:
        parting = start + (end - start) * SECOND
        pools = [(start, parting, second, health_colour(second / 64)), (parting - GAP, end, share, GUARD)]
    for first, last, part, colour in pools:
        if part:
            reach = first + (last - first) * part / 64
            _arc(sheet, middle, radius, width=width, colour=colour, start=first, end=reach)
    if not out:
        _pips(sheet, big, pips, spent)
    return pygame.transform.smoothscale(sheet, (size, size))


@lru_cache(maxsize=128)
def _wedge(size: int, facing: int) -> pygame.Surface:
    """A notch at the rim, pointing where the miniature looks (0 = north, clockwise by eighths)."""
    big = round(size * 1.14) * OVERSAMPLE
    sheet = pygame.Surface((big, big), pygame.SRCALPHA)
    angle, middle, half = math.radians(45 * facing - 90), big / 2, math.radians(21)

    def at(turn: float, share: float) -> tuple[float, float]:
        away = size * OVERSAMPLE * share
        return (middle + math.cos(angle + turn) * away, middle + math.sin(angle + turn) * away)

    points = [at(0, 0.57), at(-half, 0.425), at(0, 0.455), at(half, 0.425)]
    pygame.draw.polygon(sheet, PAPER, points)
    pygame.draw.polygon(sheet, INK, points, max(2, big // 70))
    return pygame.transform.smoothscale(sheet, (big // OVERSAMPLE, big // OVERSAMPLE))


def _pips(sheet: pygame.Surface, big: int, pips: int, spent: int) -> None:
    count = pips + spent
    if not count:
        return
    side = big * (0.088 if count <= 5 else 0.44 / count)
    gap = side * 0.28
    left = big / 2 - (count * side + (count - 1) * gap) / 2
    top = big * 0.885
    back = pygame.Rect(left - gap, top - gap, count * (side + gap) + gap, side + 2 * gap)
    pygame.draw.rect(sheet, INK, back, border_radius=round(side * 0.5))
    for i in range(count):
        place = pygame.Rect(left + i * (side + gap), top, side, side)
        pygame.draw.rect(sheet, PIP if i < pips else PIP_SPENT, place, border_radius=max(1, round(side * 0.25)))


@lru_cache(maxsize=512)
def _badge(name: str, size: int) -> pygame.Surface:
    big = size * OVERSAMPLE
    sheet = pygame.Surface((big, big), pygame.SRCALPHA)
    good = name in ("defense_up", "stable", "plus", "shield")
    pygame.draw.circle(sheet, INK, (big / 2, big / 2), big / 2)
    pygame.draw.circle(sheet, GOLD if good else (255, 157, 118), (big / 2, big / 2), big * 0.46, max(1, big // 12))
    ready = pygame.transform.smoothscale(sheet, (size, size))
    picture = icon(name, max(6, round(size * 0.72)), PAPER)
    if picture is not None:
        ready.blit(picture, picture.get_rect(center=(size / 2, size / 2)))
    return ready


def draw_badges(surface: pygame.Surface, mini: Miniature, rect: pygame.Rect, *, left: bool = False) -> None:
    """Draw a miniature's badges, round its right shoulder, or its `left` one where somebody stands above it."""
    if mini.dead or not mini.badges:
        return
    for badge, spot in zip(mini.badges, badge_spots(rect, _unit(mini, rect)), strict=False):
        if left:
            spot.centerx = 2 * rect.centerx - spot.centerx
        surface.blit(_badge(badge.icon, spot.width), spot)


BENEATH = 0.42
"""Of a space's width, how large who lies below somebody else is shown at its foot."""


def draw_beneath(surface: pygame.Surface, mini: Miniature, space: pygame.Rect, place: int = 0) -> None:
    """Who lies on a space on which somebody stands: small, at the foot of the space, `place` from its left corner."""
    size = max(12, round(space.width * BENEATH))
    spot = pygame.Rect(space.left + place * size * 5 // 8, space.bottom - size, size, size)
    pygame.draw.circle(surface, INK, spot.center, size // 2 + 1)
    surface.blit(_base(mini.art, mini.side, size, True, mini.dead), spot.topleft)


def _unit(mini: Miniature, rect: pygame.Rect) -> int:
    """Pixels of one of its spaces."""
    return max(10, max(10, rect.width) // max(1, mini.size))


def badge_spots(rect: pygame.Rect, unit: int) -> list[pygame.Rect]:
    """Where up to four badges stand round a miniature, from its shoulder down: beside each other, however small."""
    size = max(12, round(unit * 0.27))
    apart = max(math.radians(40), 2 * math.asin(min(1.0, (size + 1) / (0.84 * max(1, rect.width)))))
    spots = [pygame.Rect(0, 0, size, size) for _ in range(4)]
    for i, spot in enumerate(spots):
        angle = math.radians(48) - apart * i
        spot.centerx = round(rect.centerx + math.cos(angle) * rect.width * 0.42)
        spot.centery = round(rect.centery - math.sin(angle) * rect.height * 0.42)
    return spots


@lru_cache(maxsize=96)
def _halo(width: int, step: int) -> pygame.Surface:
    """A slow, pale dashed halo about whoever acts."""
    size = round(width * 1.16)
    big = size * 2
    sheet = pygame.Surface((big, big), pygame.SRCALPHA)
    count, colour = 16, (255, 243, 210)
    for i in range(count):
        start = math.tau * (i + step / 24) / count
        end = start + math.tau / count * 0.58
        _arc(sheet, big / 2, big * 0.495, width=big * 0.034, colour=colour, start=start, end=end)
    return pygame.transform.smoothscale(sheet, (size, size))


@lru_cache(maxsize=32)
def _wet(size: int) -> pygame.Surface:
    """Water up to the chest of whoever swims, with a crest of foam."""
    sheet = pygame.Surface((size, size), pygame.SRCALPHA)
    pygame.draw.circle(sheet, (*WATER, 170), (size / 2, size / 2), size * 0.47)
    level = size * 0.54
    sheet.fill((0, 0, 0, 0), (0, 0, size, round(level)))
    crest = [(x, level + math.sin(x * 14 / size) * size * 0.025) for x in range(size // 24, size, max(1, size // 24))]
    crest = [(x, y) for x, y in crest if math.hypot(x - size / 2, y - size / 2) < size * 0.47]
    if len(crest) > 1:
        pygame.draw.lines(sheet, (214, 236, 244), False, crest, max(2, size // 28))
    return sheet


def draw_miniature(surface: pygame.Surface, mini: Miniature, rect: pygame.Rect, *, phase: float = 0.0) -> None:
    """Draw a miniature into the spaces it covers (`rect`); its badges, which nothing may hide, come by themselves."""
    size = max(10, rect.width)
    unit = _unit(mini, rect)
    if mini.active and not mini.out:
        halo = _halo(rect.width, round(phase * 24) % 24)
        surface.blit(halo, halo.get_rect(center=rect.center))
    surface.blit(_base(mini.art, mini.side, size, mini.out, mini.dead), rect.topleft)
    if mini.dead:
        skull = _badge("skull", max(12, round(unit * 0.27)))
        surface.blit(skull, skull.get_rect(center=(rect.centerx, rect.bottom - rect.height // 8)))
        return
    if mini.posture == "swimming":
        surface.blit(_wet(size), rect.topleft)
    top = max(1, mini.health.maximum)
    share = max(1 if mini.health.value > 0 else 0, round(64 * max(0, mini.health.value) / top))
    spent = max(0, mini.points.maximum - mini.points.value)
    second = mini.second
    beneath = -1 if second is None else round(64 * max(0, second.value) / max(1, second.maximum))
    surface.blit(_arcs(size, share, pips=mini.points.value, spent=spent, out=mini.out, second=beneath), rect.topleft)
    if mini.facing is not None and not mini.out:
        notch = _wedge(size, mini.facing)
        surface.blit(notch, notch.get_rect(center=rect.center))


@lru_cache(maxsize=256)
def portrait(art: str, side: str, size: int) -> pygame.Surface:
    """A creature in its side's ring, `size` pixels square, for chips and sheets; not to be drawn upon."""
    return _base(art, side, max(8, size), False, False)


def forget() -> None:
    """Drop every cached picture, for instance after the display changed."""
    for cached in (svg, token, icon, _base, _arcs, _badge, _halo, portrait, _wedge, _wet):
        cached.cache_clear()
