"""Colours that mean something, in schemes for different eyes: sides, health, marks on the board, tones of the panels.

Every scheme keeps the patterns: rings, hatching, dots and signs say the same without any colour. How far apart the
colours stay for eyes without one kind of cone is measured in tests/game/test_palettes.py.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple


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
    theme: Mapping[str, str]
    """Colours of the theme that give way."""
    strength: float = 1.0
    """How much stronger than usual marks on the floor are drawn."""


def _theme(scheme: Scheme, **more: str) -> Scheme:
    """The scheme with its meanings carried into the panels."""
    own = {
        "green": scheme.good,
        "amber": scheme.worn,
        "red": scheme.grave,
        "teal": scheme.free,
        "blue": scheme.way,
        "coral": scheme.harm,
        "heroes": scheme.sides[0],
        "monsters": scheme.sides[1],
        "third": scheme.sides[2],
        "fourth": scheme.sides[3],
    }
    return scheme._replace(theme=own | more)


SCHEMES: dict[str, Scheme] = {
    # the sides' colours are those of Okabe and Ito
    "normal": Scheme(
        ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#f0e442", "#56b4e9", "#e69f00"),
        good="#4fd07a",
        worn="#f0b444",
        grave="#f06050",
        free="#5fe0cf",
        way="#8fc8e8",
        harm="#ff9d76",
        aim="#e8c66a",
        theme={},
    ),
    # few red or green cones: blue against yellow, and light against dark
    "red-green": _theme(
        Scheme(
            ("#1f6fd6", "#f0a000", "#123a8c", "#fff3b0", "#7a5c00", "#a8d0ff", "#9a948a"),
            good="#5ab4ff",
            worn="#ffe14d",
            grave="#d8632a",
            free="#ffe45c",
            way="#5aa2ff",
            harm="#e0701c",
            aim="#ffffff",
            theme={},
        )
    ),
    # few blue cones: red against cyan, and light against dark
    "blue-yellow": _theme(
        Scheme(
            ("#00989a", "#e0334c", "#0d5b60", "#ffb3bd", "#7c1024", "#a6f5f0", "#8d8d8d"),
            good="#35d6c8",
            worn="#ffc4cb",
            grave="#e0334c",
            free="#5ff0e0",
            way="#9db2bd",
            harm="#ff5a6e",
            aim="#ffffff",
            theme={},
        )
    ),
    "high contrast": _theme(
        Scheme(
            ("#2f9bff", "#ff7a00", "#00d68a", "#ff9de0", "#ffff3c", "#a6e3ff", "#c09000"),
            good="#2dff85",
            worn="#ffd400",
            grave="#ff4d3d",
            free="#00ffd5",
            way="#ffffff",
            harm="#ff6a4d",
            aim="#ffff00",
            theme={},
            strength=1.7,
        ),
        night="#000000",
        panel="#000000",
        raised="#0d1218",
        button="#151d27",
        hover="#33475c",
        hairline="#8fa0b2",
        text="#ffffff",
        quiet="#d5dee8",
        faint="#aab8c6",
        bright="#ffffff",
        gold="#ffdc4a",
    ),
}
"""Name of a palette (`Settings.palette`) -> its colours."""
PATTERNS = ("plain", "dashed", "dotted", "double", "dashed", "dotted", "double")
"""The rings of the same sides, in every scheme."""
