"""All that a map says, in whatever words, of what stops people: each reason with its spaces and edges."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from types import SimpleNamespace
from xml.etree.ElementTree import Element

from game.maps.editing.document import Document, Spot
from game.maps.editing.drawing import role
from game.maps.editing.layers import TileLayer
from game.maps.editing.tools import Edge
from game.maps.proposing import shapes, words
from game.maps.proposing.shapes import BUDGET, Points
from game.maps.proposing.words import Stops
from game.maps.tilesets import GID_MASK, Tile
from rules.contract.text import text

KEPT = "Walls kept"
"""The layer into which proposals that were taken go: hidden, read by the rules."""
OURS = frozenset(("move", "sight", "material", "prop", "level"))
"""What our own tiles say: such a tile needs no proposal."""


class By(StrEnum):
    """By what it was found."""

    KEPT = "kept"
    LAYER = "layer"
    PROPERTY = "property"
    CLASS = "class"
    SHAPE = "shape"
    OBJECT = "object"


@dataclass(frozen=True)
class Reason:
    """Something that a map says, with the spaces and edges that it would stop."""

    by: By
    name: str
    """The layer, property, class or tileset that says so."""
    stops: Stops
    spots: frozenset[Spot]
    edges: frozenset[Edge] = frozenset()

    @property
    def key(self) -> str:
        """What tells it from others: `layer:Walls`."""
        return f"{self.by}:{self.name}" + (":gap" if self.stops is Stops.GAP else "")

    @property
    def sure(self) -> bool:
        """Whether it is taken unless somebody says otherwise: water and holes may be walked through elsewhere."""
        return self.stops is Stops.WALL

    @property
    def told(self) -> str:
        """It in words."""
        by = {
            By.KEPT: "Kept here before", By.LAYER: "Layer {name}", By.PROPERTY: "Property {name}",
            By.CLASS: "Class {name}", By.SHAPE: "Tiles' shapes: {name}",
            By.OBJECT: "Objects: {name}",
        }[self.by]  # fmt: skip
        return text(by, name=self.name)


class _Found:
    """Reasons being gathered."""

    def __init__(self, size: tuple[int, int]) -> None:
        self.size = size
        self.spots: dict[tuple[By, str, Stops], set[Spot]] = {}
        self.edges: dict[tuple[By, str, Stops], set[Edge]] = {}

    def add(self, by: By, name: str, stops: Stops, spots: set[Spot], edges: set[Edge] | None = None) -> None:
        """One more finding."""
        key = (by, limits_of(name), stops)
        wide, high = self.size
        there = {(x, y) for x, y in spots if 0 <= x < wide and 0 <= y < high}
        along = {
            (x, y, west) for x, y, west in edges or ()
            if ((0 < x < wide and 0 <= y < high) if west else (0 <= x < wide and 0 < y < high))
        }  # fmt: skip
        if there or along:
            self.spots.setdefault(key, set()).update(there)
            self.edges.setdefault(key, set()).update(along)

    def reasons(self) -> list[Reason]:
        """All of them, the surest first."""
        order = list(By)
        keys = sorted(self.spots, key=lambda key: (order.index(key[0]), key[2] is Stops.GAP, key[1]))
        return [Reason(*key, frozenset(self.spots[key]), frozenset(self.edges[key])) for key in keys]


def limits_of(name: str) -> str:
    """A name from a file as it is shown."""
    return "".join(letter for letter in " ".join(name.split()) if letter.isprintable())[:60] or "?"


def propose(document: Document) -> list[Reason]:
    """What would be walls of a map. Raises MapProblem for one that cannot be read."""
    document.read()
    found = _Found(document.size)
    budget = [BUDGET]
    tiles = _Tiles(document)
    for layer in document.tile_layers():
        _layer(document, layer, tiles, found)
    _objects(document, found, budget)
    return found.reasons()


@dataclass(frozen=True)
class _Says:
    """What a tile says of itself: by what, in which word, how it stops, and as which part of its space."""

    by: By
    name: str
    stops: Stops
    shapes: tuple[Points, ...] = ()


class _Tiles:
    """The tiles of a map, each looked at once."""

    def __init__(self, document: Document) -> None:
        self._known: dict[int, tuple[_Says, ...]] = {}
        self._document = document

    def says(self, number: int) -> tuple[_Says, ...]:
        """What a tile says, by its number without flags."""
        if number not in self._known:
            sets = self._document.tilesets
            home = next((each for each in reversed(sets) if each.first <= number), None)
            tile = home.tiles.get(number - home.first) if home is not None else None
            found = () if tile is None or home is None else _of_tile(tile, home.name, home.size(number - home.first))
            self._known[number] = found
        return self._known[number]

    def ours(self, number: int) -> bool:
        """Whether a tile says what the rules read."""
        return bool(OURS & self._document.says(number).keys())


def _of_tile(tile: Tile, home: str, size: tuple[int, int]) -> tuple[_Says, ...]:
    if OURS & tile.properties.keys():
        return ()
    if said := words.said(tile.properties):
        return (_Says(By.PROPERTY, said, Stops.WALL),)
    if tile.kind and (stops := words.stops(tile.kind)) is not None:
        return (_Says(By.CLASS, tile.kind, stops),)
    if tile.shapes:
        wide, high = max(1, size[0]), max(1, size[1])
        unit = tuple([(x / wide, y / high) for x, y in shape] for shape in tile.shapes)
        return (_Says(By.SHAPE, home, Stops.WALL, unit),)
    return ()


def _layer(document: Document, layer: TileLayer, tiles: _Tiles, found: _Found) -> None:
    """What the name of a tile layer, its properties and its tiles say."""
    right, down = document.shift(layer.node)
    by_number: dict[int, set[Spot]] = {}
    for block in layer.blocks():
        for at, number in enumerate(block.numbers):
            if number:
                spot = (block.x + at % block.width - right, block.y + at // block.width - down)
                by_number.setdefault(number, set()).add(spot)
    mine = layer.name == KEPT
    named = None if mine else words.stops(layer.name)
    said = "" if mine else words.said(_properties(document, layer))
    shown = role(layer.node) in ("decor", "roof")
    for number, spots in sorted(by_number.items()):
        plain = number & GID_MASK
        if mine:
            gap = document.says(plain).get("move") == "gap"
            found.add(By.KEPT, layer.name, Stops.GAP if gap else Stops.WALL, spots)
        elif said or (named is not None and not shown and not tiles.ours(plain)):
            by, name = (By.PROPERTY, said) if said else (By.LAYER, layer.name)
            found.add(by, name, named or Stops.WALL, spots)
        else:
            for each in tiles.says(plain):
                _tile(each, number & ~GID_MASK, spots, found)


def _tile(each: _Says, flags: int, spots: set[Spot], found: _Found) -> None:
    if each.by is not By.SHAPE:
        found.add(each.by, each.name, each.stops, spots)
        return
    whole, sides = shapes.of_tile(shapes.turned(shape, flags) for shape in each.shapes)
    if whole:
        found.add(each.by, each.name, each.stops, spots)
    elif sides:
        found.add(each.by, each.name, each.stops, set(),
                  {(x + across, y + below, west) for x, y in spots for across, below, west in sides})  # fmt: skip


def _properties(document: Document, layer: TileLayer) -> dict[str, object]:
    found: dict[str, object] = {}
    for node in layer.node.walk():
        if node.tag == "property":
            found[node.get("name")] = node.get("value")
    return found


# -- objects


def _objects(document: Document, found: _Found, budget: list[int]) -> None:
    """What objects say: by the layer that they are on, by their class or name, by their properties."""
    side = document.side
    for layer in document.plain().findall("objectgroup"):
        on_layer = words.stops(layer.get("name", ""))
        for node in layer.findall("object"):
            kind, name = node.get("type", ""), node.get("name", "")
            if kind[:1].isupper() and kind in _classes():
                continue  # ours: the rules read it already
            said = words.said({each.get("name", ""): each.get("value", "") for each in _said(node)})
            by_word = words.stops(kind) or words.stops(name) or on_layer
            if said:
                _object(node, side, found, (By.PROPERTY, said, Stops.WALL), budget)
            elif by_word is not None:
                word = kind if words.stops(kind) else name if words.stops(name) else layer.get("name", "")
                _object(node, side, found, (By.OBJECT, word, by_word), budget)


def _classes() -> frozenset[str]:
    from game.maps.editing.things import OURS as CLASSES

    return frozenset(CLASSES)


def _said(node: Element) -> Iterator[Element]:
    yield from node.findall("properties/property")


def _object(node: Element, side: float, found: _Found, what: tuple[By, str, Stops], budget: list[int]) -> None:
    box = SimpleNamespace(**{name: _number(node, name) / side for name in ("x", "y", "width", "height")})
    line, polygon = node.find("polyline"), node.find("polygon")
    if line is not None or polygon is not None:
        points = points_of((line if line is not None else polygon).get("points", ""), box.x, box.y, side)  # type: ignore[union-attr]
    elif node.get("shape") == "point" or not (box.width or box.height):
        return
    elif node.get("shape") == "ellipse":
        points = shapes.ellipse(box.x, box.y, box.width, box.height)
    else:
        right, bottom = box.x + box.width, box.y + box.height
        points = [(box.x, box.y), (right, box.y), (right, bottom), (box.x, bottom)]
    if len(points) < 2 or not all(abs(x) < 1e5 and abs(y) < 1e5 for x, y in points):
        return
    along = points if line is not None else shapes.thin(points)
    if along is not None:
        found.add(*what, set(), shapes.edges_along(along, budget))
    elif len(points) > 2:
        found.add(*what, shapes.spots_in(points, found.size, budget))


def points_of(said: str, x: float, y: float, side: float) -> Points:
    """The corners of a polygon or line, in spaces; none where they can't be read."""
    try:
        pairs = [pair.split(",") for pair in said.split()]
        return [(x + float(a) / side, y + float(b) / side) for a, b in pairs]
    except ValueError:
        return []


def _number(node: Element, name: str) -> float:
    try:
        found = float(node.get(name, "0"))
    except ValueError:
        return 0.0
    return found if abs(found) < 1e8 else 0.0
