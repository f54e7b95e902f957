"""Dyes: the cloth of a miniature's drawing in another colour, and a rim of its own on the base."""

from __future__ import annotations

import colorsys
import io
import re
from collections import Counter
from functools import lru_cache

import pygame

from game.paths import asset
from game.view.palette import Colour, rgb

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
    """A miniature's name as its drawing, its dye and its rim; empty where it has none."""
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


@lru_cache(maxsize=256)
def dyed(drawing: str, dye: str, size: int) -> pygame.Surface | None:
    """A miniature's drawing in a dye, `size` pixels wide; None if there is none of that name."""
    path = asset("art", "minis", f"{drawing}.svg")
    if not path.is_file():
        return None
    source = dyed_source(path.read_text(encoding="utf-8"), DYES[dye])
    picture = pygame.image.load_sized_svg(io.BytesIO(source.encode()), (size, size))
    return picture.convert_alpha() if pygame.display.get_surface() else picture
