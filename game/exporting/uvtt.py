"""Universal VTT 0.3: a map with its picture, walls, doors and lights in one JSON document."""

from __future__ import annotations

import base64
import math
from typing import Any

from game.exporting.outline import Leaf, Outline, Point

FORMAT = 0.3
"""Some programs refuse anything else."""
AMBIENT = {"bright": "ffffffff", "dim": "ff808080", "dark": "ff000000"}
"""Light where none shines, as opacity, red, green and blue."""
FLAME = "ffffd9a0"
"""The colour of a light."""


def document(found: Outline, ambient: str, pixels: int, png: bytes) -> dict[str, Any]:
    """The document of a map whose picture has so many pixels for a space."""
    return {
        "format": FORMAT,
        "resolution": {
            "map_origin": _point((0, 0)), "map_size": _point((found.columns, found.rows)), "pixels_per_grid": pixels,
        },
        "line_of_sight": [[_point(each) for each in way] for way in found.walls],
        "objects_line_of_sight": [[_point(each) for each in way] for way in found.veils],
        "portals": [_portal(leaf) for leaf in found.leaves],
        "environment": {"baked_lighting": False, "ambient_light": AMBIENT[ambient]},
        "lights": [
            {"position": _point(lamp.at), "range": lamp.dim, "intensity": 1, "color": FLAME, "shadows": True}
            for lamp in found.lamps
        ],
        "image": base64.b64encode(png).decode("ascii"),
    }  # fmt: skip


def _point(at: Point) -> dict[str, float]:
    return {"x": _plain(at[0]), "y": _plain(at[1])}


def _plain(number: float) -> float:
    return int(number) if number == int(number) else number


def _portal(leaf: Leaf) -> dict[str, Any]:
    """A door is closed, however it stands: what is not closed is a window to those who read it."""
    return {
        "position": _point(leaf.middle), "bounds": [_point(end) for end in leaf.ends],
        "rotation": math.pi / 2 if leaf.upright else 0, "closed": not leaf.window, "freestanding": False,
    }  # fmt: skip
