"""The colours of the inked tabletop, and the colour and ring pattern of each side."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, lru_cache
from importlib import import_module
from typing import NamedTuple

import pygame

from game.app.i18n import t


class Scheme(NamedTuple):
    """Colours as `#rrggbb`."""

    sides: tuple[str, ...]
    """Heroes, monsters, then further sides."""
    good: str
    """Health: much of it left,"""
    worn: str
    """less,"""
    grave: str
    """little."""
    free: str
    """Spaces and ways that cost nothing; what is allowed."""
    way: str
    """Spaces that cost something."""
    harm: str
    """What threatens, hurts or is not allowed."""
    aim: str
    """What is aimed at or selected."""
    panels: Mapping[str, str] | None
    """Colours of the theme that give way besides those that have a meaning; None: none does."""
    strength: float = 1.0
    """How much stronger than usual marks on the floor are drawn."""

    @property
    def theme(self) -> Mapping[str, str]:
        """Colours of the theme that give way: the scheme's meanings are carried into the panels."""
        if self.panels is None:
            return {}
        meant = {panel: getattr(self, word) for panel, word in _MEANT.items()}
        sides = zip(("heroes", "monsters", "third", "fourth"), self.sides, strict=False)
        return {**meant, **dict(sides), **self.panels}


_MEANT = {"green": "good", "amber": "worn", "red": "grave", "teal": "free", "blue": "way", "coral": "harm"}
"""Colour of the theme -> the meaning of a scheme that it has."""
SCHEMES: dict[str, Scheme] = {
    # the sides' colours are those of Okabe and Ito
    "normal": Scheme(
        ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#f0e442", "#56b4e9", "#e69f00"), good="#4fd07a", worn="#f0b444",
        grave="#f06050", free="#5fe0cf", way="#8fc8e8", harm="#ff9d76", aim="#e8c66a", panels=None,
    ),
    # few red or green cones: blue against yellow, and light against dark
    "red-green": Scheme(
        ("#1f6fd6", "#f0a000", "#123a8c", "#fff3b0", "#7a5c00", "#a8d0ff", "#9a948a"), good="#5ab4ff", worn="#ffe14d",
        grave="#d8632a", free="#ffe45c", way="#5aa2ff", harm="#e0701c", aim="#ffffff", panels={},
    ),
    # few blue cones: red against cyan, and light against dark
    "blue-yellow": Scheme(
        ("#00989a", "#e0334c", "#0d5b60", "#ffb3bd", "#7c1024", "#a6f5f0", "#8d8d8d"), good="#35d6c8", worn="#ffc4cb",
        grave="#e0334c", free="#5ff0e0", way="#9db2bd", harm="#ff5a6e", aim="#ffffff", panels={},
    ),
    "high contrast": Scheme(
        ("#2f9bff", "#ff7a00", "#00d68a", "#ff9de0", "#ffff3c", "#a6e3ff", "#c09000"), good="#2dff85", worn="#ffd400",
        grave="#ff4d3d", free="#00ffd5", way="#ffffff", harm="#ff6a4d", aim="#ffff00", strength=1.7,
        panels={
            "night": "#000000", "panel": "#000000", "raised": "#0d1218", "button": "#151d27", "hover": "#33475c",
            "hairline": "#8fa0b2", "text": "#ffffff", "quiet": "#d5dee8", "faint": "#aab8c6", "bright": "#ffffff",
            "gold": "#ffdc4a",
        },
    ),
}  # fmt: skip
"""Name of a palette (`Settings.palette`) -> its colours."""
PATTERNS = ("plain", "dashed", "dotted", "double", "dashed", "dotted", "double")
"""The rings of the same sides, in every scheme."""


Colour = tuple[int, int, int]
ColourA = tuple[int, int, int, int]


def rgb(text: str) -> Colour:
    """`#rrggbb` as three channels."""
    return int(text[1:3], 16), int(text[3:5], 16), int(text[5:7], 16)


def mix(one: Colour, other: Colour, share: float) -> Colour:
    """`share` of `other` (0..1), the rest of `one`."""
    return (
        round(one[0] + (other[0] - one[0]) * share),
        round(one[1] + (other[1] - one[1]) * share),
        round(one[2] + (other[2] - one[2]) * share),
    )


def shade(colour: Colour, by: int) -> Colour:
    """Every channel `by` lighter (or darker, if negative), kept within 0..255."""
    red, green, blue = (max(0, min(255, channel + by)) for channel in colour)
    return red, green, blue


def alpha(colour: Colour, value: int) -> ColourA:
    """The colour with an alpha channel of 0..255."""
    return (*colour, value)


# ground
VOID = rgb("#07090d")
ROCK = rgb("#171c24")
RIM = rgb("#b6c2cf")
FACE = rgb("#6d7884")
SLATE = rgb("#4d5763")
WATER = rgb("#2b4a5c")
AMBER = rgb("#ffb45a")

# panels and text
INK = rgb("#0d1117")
PANEL = rgb("#10141b")
HAIRLINE = rgb("#333c48")
PAPER = rgb("#f2e9d8")
TEXT = rgb("#dfe5ea")
MUTED = rgb("#9aa6b2")
GOLD = rgb("#e8c66a")
CORAL = rgb("#ff9d76")
TEAL = rgb("#5fe0cf")
BONE = rgb("#f2e9d8")

# points
PIP = rgb("#f6d98b")
PIP_SPENT = rgb("#343b46")
MANA = rgb("#7fa8ff")
FAITH = rgb("#f3dd8a")


# seats: the colours of Okabe and Ito, which eyes of every kind tell apart
SEATS = ("#56b4e9", "#e69f00", "#009e73", "#cc79a7", "#f0e442", "#0072b2", "#d55e00", "#c8ccd2")


def seat_colour(number: int) -> Colour:
    """The colour of a seat, by its number in the record."""
    return rgb(SEATS[number % len(SEATS)])


class SideLook(NamedTuple):
    """How a side's bases are ringed: never by colour alone."""

    colour: Colour
    pattern: str
    """`plain`, `dashed`, `dotted` or `double`."""


_now: Scheme = SCHEMES["normal"]


def use(palette: str) -> None:
    """Show everything in another of the `SCHEMES` from now on; pictures that were kept are the caller's to drop."""
    global _now
    _now = SCHEMES[palette]


def tone(word: str) -> Colour:
    """A colour by what it means: `good`, `worn`, `grave`, `free`, `way`, `harm` or `aim`."""
    return rgb(getattr(_now, word))


def mark(colour: Colour, value: int) -> ColourA:
    """The colour of a mark on the floor with its alpha at the palette's strength."""
    return alpha(colour, min(255, round(value * _now.strength)))


def side_look(side: str) -> SideLook:
    """Ring colour and pattern of a side; sides beyond heroes and monsters are told by their name alone."""
    number = {"heroes": 0, "monsters": 1}.get(side)
    if number is None:
        number = 2 + sum(ord(letter) * (place + 1) for place, letter in enumerate(side)) % (len(PATTERNS) - 2)
    return SideLook(rgb(_now.sides[number]), PATTERNS[number])


def side_colour(side: str) -> Colour:
    """Ring colour of a side."""
    return side_look(side).colour


def health_colour(share: float) -> Colour:
    """Green, amber or red (or the palette's like) for a share of hit points from 0 to 1."""
    return tone("good" if share > 0.6 else "worn" if share > 0.3 else "grave")


_FACES = {
    "text": ("font_lato", "Lato"),
    "bold": ("font_lato", "LatoBold"),
    "serif": ("font_source_serif_pro", "SourceSerifPro"),
    "serif-bold": ("font_source_serif_pro", "SourceSerifProSemibold"),
}


@cache
def face(kind: str, *, truetype: bool = False) -> str | None:
    """The path of a face; None (pygame's own font) where the package is missing. `truetype`: for files of other
    programs, which take nothing else."""
    package, name = _FACES[kind]
    try:
        found = import_module(package)
        if package == "font_lato":
            return str(found.font_files[name])
        # The package's TrueType files give quotation marks and the ellipsis half their width.
        return str((None if truetype else found.font_files_otf.get(name)) or found.font_files_ttf[name])
    except (ImportError, KeyError, AttributeError):
        return None


@cache
def font(kind: str, size: int) -> pygame.font.Font:
    """A font: `kind` is `text`, `bold`, `serif` or `serif-bold`; `size` in pixels, at least 6."""
    if not pygame.font.get_init():
        pygame.font.init()
    return pygame.font.Font(face(kind), max(6, size))


@lru_cache(maxsize=2048)
def render(kind: str, size: int, text: str, colour: tuple[int, int, int]) -> pygame.Surface:
    """A line of text as a surface with alpha, cached; not to be drawn upon."""
    return font(kind, size).render(t(text), True, colour)


def forget() -> None:
    """Drop all cached fonts: needed after `pygame.font.quit()`."""
    font.cache_clear()
    render.cache_clear()
