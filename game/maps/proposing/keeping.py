"""What was taken of a proposal, kept in the map: a hidden layer of its own for spaces, thin walls for edges."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path

from game.maps.editing import drawing, things
from game.maps.editing.document import Document, Spot
from game.maps.editing.kinds import kind
from game.maps.editing.layers import TileLayer
from game.maps.editing.pen import Pen
from game.maps.editing.tools import Edge
from game.maps.mapdata import MapProblem
from game.maps.proposing.reasons import KEPT, Reason
from game.maps.proposing.words import Stops

KINDS = {Stops.WALL: "rockwall", Stops.GAP: "chasm"}
"""The kinds of ground (game.maps.editing.kinds) whose tiles say so to the rules."""
_ROLE = '\n  <properties>\n   <property name="role" propertytype="Role" value="ground"/>\n  </properties>'


def keep(pen: Pen, spots: dict[Stops, Collection[Spot]], edges: Collection[Edge]) -> int:
    """Write into the layer of its own what is taken, and nothing else; how many spaces and edges are new there.

    Its tiles are not drawn: the layer is hidden, and what the map shows stays as it looks. Raises MapProblem.
    """
    layer = kept_layer(pen.document)
    before = _there(pen.document, layer) if layer is not None else set()
    wanted: dict[Spot, int] = dict.fromkeys(before, 0)
    for stops in (Stops.GAP, Stops.WALL):  # where both are said nobody sees through
        number = drawing.number_of(pen, kind(KINDS[stops])) if spots.get(stops) else 0
        wanted |= dict.fromkeys(drawing.inside(pen.document, spots.get(stops, ())), number)
    if layer is None and any(wanted.values()):
        node = pen.layer("layer", KEPT, says=_ROLE)
        pen.say(node, visible="0")
        layer = pen.document.tile_layer(node)
    done = pen.tiles(layer, wanted) if layer is not None else 0
    return done + (things.draw_edges(pen, kind("thin wall"), list(edges)) if edges else 0)


def kept_layer(document: Document) -> TileLayer | None:
    """The layer of what was taken before; None where there is none."""
    return next((layer for layer in document.tile_layers() if layer.name == KEPT), None)


def _there(document: Document, layer: TileLayer) -> set[Spot]:
    right, down = document.shift(layer.node)
    return {
        (block.x + at % block.width - right, block.y + at // block.width - down)
        for block in layer.blocks() for at, number in enumerate(block.numbers) if number
    }  # fmt: skip


def gathered(reasons: Sequence[Reason]) -> tuple[dict[Stops, Collection[Spot]], set[Edge]]:
    """The spaces and edges of some reasons together; a wall where any of them says so."""
    walls = {spot for each in reasons if each.stops is Stops.WALL for spot in each.spots}
    gaps = {spot for each in reasons if each.stops is Stops.GAP for spot in each.spots} - walls
    return {Stops.WALL: walls, Stops.GAP: gaps}, {edge for each in reasons for edge in each.edges}


def write(document: Document, reasons: Sequence[Reason], goal: Path) -> None:
    """A copy of a map with what some reasons say as its walls. Raises BattlematError."""
    pen = Pen(document, KEPT)
    keep(pen, *gathered(reasons))
    pen.lift()
    if not pen.stroke:
        raise MapProblem("{name}: nothing of it says what would be walls; draw them (docs/drawing.md)", name=goal.name)
    document.save(goal)
