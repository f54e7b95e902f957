"""A part of a map, copied: its tiles layer by layer and the objects that lie in it, to be put down elsewhere."""

from __future__ import annotations

from dataclasses import dataclass

from game.maps.editing import things, tools
from game.maps.editing.document import Document, Spot
from game.maps.editing.drawing import inside
from game.maps.editing.pen import Pen
from game.maps.editing.xmltree import element, told


@dataclass(frozen=True)
class Part:
    """What was copied; `size` in columns and rows."""

    size: Spot
    tiles: tuple[tuple[str, tuple[tuple[Spot, int], ...]], ...]
    """By the id of the layer: where in the part, and which tile, 0 for none."""
    objects: tuple[tuple[str, str, Spot], ...]
    """The name of the layer, the element's text, and the space of the part's corner."""


def copied(document: Document, start: Spot, end: Spot) -> Part:
    """The part between two spaces."""
    spots = inside(document, tools.rectangle(start, end))
    left, top = min(start[0], end[0]), min(start[1], end[1])
    tiles = []
    for layer in document.tile_layers():
        right, down = document.shift(layer.node)
        own = tuple(((x - left, y - top), layer.get(x + right, y + down)) for x, y in spots)
        tiles.append((layer.node.get("id"), own))
    there = set(spots)
    objects = []
    for thing in things.all_of(document):
        covered = set(thing.spots) or {spot for edge in thing.edges for spot in tools.beside(edge) if spot in there}
        whole = covered <= there and covered and all(set(tools.beside(edge)) & there for edge in thing.edges)
        if whole and thing.shape not in ("Creature", "Patrol"):
            node, layer_node = things.node_of(document, thing)
            objects.append((layer_node.get("name"), told(node), (left, top)))
    size = abs(start[0] - end[0]) + 1, abs(start[1] - end[1]) + 1
    return Part(size, tuple(tiles), tuple(objects))


def put_down(pen: Pen, part: Part, corner: Spot) -> None:
    """Put a copied part down, its upper left space there. What hangs over the map's border falls."""
    document = pen.document
    known = {layer.node.get("id"): layer for layer in document.tile_layers()}
    for home, tiles in part.tiles:
        if (layer := known.get(home)) is not None:
            there = {(corner[0] + x, corner[1] + y): tile for (x, y), tile in tiles}
            fitting = {spot: there[spot] for spot in inside(document, there)}
            pen.tiles(layer, fitting)
    side, (wide, high) = document.side, document.size
    for name, text, (left, top) in part.objects:
        columns, rows = corner[0] - left, corner[1] - top
        group = next((place.node for place in document.layers()
                      if place.node.tag == "objectgroup" and place.node.get("name") == name), None)  # fmt: skip
        node = element(text)
        if group is None:
            continue
        x, y = float(node.get("x", "0")) + columns * side, float(node.get("y", "0")) + rows * side
        right, down = document.pixels(group)
        if not (0 <= x - right < wide * side and 0 <= y - down < high * side):
            continue
        number, taken = document.object_numbers(1)
        pen.do(taken)
        node.head = node.headed(id=str(number), x=things.figure(x), y=things.figure(y))
        pen.add(group, told(node))
