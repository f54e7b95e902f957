"""Words by which makers of maps call what stops people, and what they fall into."""

from __future__ import annotations

import re
from collections.abc import Mapping
from enum import StrEnum


class Stops(StrEnum):
    """How a space would stop people."""

    WALL = "wall"
    """Neither way nor sight."""
    GAP = "gap"
    """No way, but one sees over it, and may leap."""


def _listed(line: str) -> frozenset[str]:
    return frozenset(line.split())


WALLS = _listed(
    "wall walls collision collisions collide collides collider colliders collidable solid solids block blocks blocked "
    "blocking blocker blockers obstacle obstacles obstruction obstructions impassable unwalkable nowalk barrier "
    "barriers boundary boundaries bounds rock rocks cliff cliffs fence fences mur murs wand wände mauer mauern pared "
    "paredes muro muri hitbox hitboxes bloqueo colision kollision hindernis obstaculo"
)
GAPS = _listed("water lake river sea ocean lava pit pits hole holes chasm abyss void wasser eau agua fluss fleuve")
NOT = _listed("floor ground shadow shadows decor decoration decorations roof top above")
"""Words beside which the others say nothing: `wall shadows`, `water decor`."""
YES = _listed(
    "solid collides collide collision collidable collisions blocked blocks blocking block wall iswall obstacle "
    "impassable unwalkable isblocked issolid hascollision"
)
"""Properties that say so where they are true (or name a way of stopping) …"""
NO = _listed("walkable passable iswalkable ispassable canwalk pass passage")
"""… and those that say so where they are false."""
_TRUE, _FALSE = ("true", "1", "yes", "full", "solid", "all"), ("false", "0", "no", "none", "")


def words(name: str) -> set[str]:
    """The words of a name: `WallTiles_2` has wall, walls and tiles' own."""
    parted = re.sub(r"([a-zäöüéàó])([A-Z])", r"\1 \2", name)
    found = re.findall(r"[^\W\d_]+", parted.casefold())
    return {*found, "".join(found)}


def stops(name: str) -> Stops | None:
    """What a name says; None for one that says nothing of it."""
    found = words(name)
    if found & NOT:
        return None
    return Stops.WALL if found & WALLS else Stops.GAP if found & GAPS else None


def said(properties: Mapping[str, object]) -> str:
    """The property by which something stops people, with its value; empty where none does."""
    for name, value in properties.items():
        word, told = re.sub(r"[^a-z]", "", name.casefold()), str(value).casefold()
        if (word in YES and told in _TRUE) or (word in NO and told in _FALSE and told):
            return f"{name} = {str(value).lower() if isinstance(value, bool) else value}"
    return ""
