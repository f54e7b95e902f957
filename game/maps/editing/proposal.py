"""Walls that somebody proposes for a map: found, not drawn; whoever draws takes them or sends them away."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

from game.maps.editing.document import Spot
from game.maps.editing.tools import Edge
from game.maps.proposing.keeping import gathered
from game.maps.proposing.reasons import Reason
from game.maps.proposing.words import Stops


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
    reasons: tuple[Reason, ...] = ()
    """By what they were found, where that can be told apart: each can be left out."""
    away: frozenset[str] = frozenset()
    """The keys of those that are left out."""
    mended: Mapping[Spot, bool] = field(default_factory=dict)
    """Spaces that somebody has put in (or taken out) by hand."""

    @classmethod
    def of(cls, level: int, reasons: Sequence[Reason], away: Collection[str] | None = None) -> Proposal:
        """The proposal of some reasons; what is not sure is left out at first."""
        left = frozenset(each.key for each in reasons if not each.sure) if away is None else frozenset(away)
        return cls(level, (), "", reasons=tuple(reasons), away=left).gathered()

    def gathered(self) -> Proposal:
        """The same with the spaces and edges of those reasons that are not left out, and what was mended."""
        if not self.reasons:
            spots = {*self.spots, *(spot for spot, put in self.mended.items() if put)}
            return replace(self, spots=frozenset(s for s in spots if self.mended.get(s, True)))
        taken, edges = gathered([each for each in self.reasons if each.key not in self.away])
        spots = {spot for each in taken.values() for spot in each} | {s for s, put in self.mended.items() if put}
        return replace(self, spots=frozenset(s for s in spots if self.mended.get(s, True)), edges=frozenset(edges))

    def turned(self, key: str, take: bool) -> Proposal:
        """With a reason taken or left out."""
        return replace(self, away=self.away - {key} if take else self.away | {key}).gathered()

    def mend(self, spots: Collection[Spot], put: bool) -> Proposal:
        """With spaces put in or taken out by hand."""
        return replace(self, mended={**self.mended, **dict.fromkeys(spots, put)}).gathered()

    def by_stops(self) -> dict[Stops, Collection[Spot]]:
        """Its spaces by how they stop: what was put in by hand is wall."""
        taken, _ = gathered([each for each in self.reasons if each.key not in self.away])
        there = frozenset(self.spots)
        gaps = frozenset(taken.get(Stops.GAP, ())) & there - {s for s, put in self.mended.items() if put}
        return {Stops.WALL: there - gaps, Stops.GAP: gaps}
