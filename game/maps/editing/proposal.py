"""Walls that somebody proposes for a map: found, not drawn; whoever draws takes them or sends them away."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from game.maps.editing.document import Spot
from game.maps.editing.tools import Edge


@dataclass(frozen=True)
class Proposal:
    """What is shown as a tint over one map of the place until it is taken or sent away."""

    level: int
    """The map, by its number in the place; 0 for a single one."""
    spots: Collection[Spot]
    what: str
    """What they were found by, in a line."""
    wall: str = "rockwall"
    """The kind that they become (game.maps.editing.kinds)."""
    edges: Collection[Edge] = ()
    """Edges that become thin walls."""
