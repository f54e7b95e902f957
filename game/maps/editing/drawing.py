"""Grounds, heights and things on a document: by the map's own tiles where it has such, else by ours.

A map without our tiles gets them in layers of their own: `Battlemat ground` under all others, so that its pictures stay
what is seen while the rules read what was drawn, and `Things` over the tile layers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence

from game.maps.editing.document import Document, Spot
from game.maps.editing.kinds import Kind, Way, kind
from game.maps.editing.layers import TileLayer
from game.maps.editing.pen import Pen
from game.maps.editing.xmltree import Node
from game.maps.terrain import MOVES
from game.maps.tilesets import GID_MASK

OWN_GROUND = "Battlemat ground"
THINGS = "Things"
_SAYS = ("material", "prop", "move", "sight", "level", "light", "climb")
_USUAL: Mapping[str, object] = {"move": "open", "sight": "open", "level": 0, "light": 0, "climb": False}


def meaning(says: Mapping[str, object]) -> dict[str, object]:
    """What a tile says, without what is so anyway and what means nothing to us."""
    return {name: says[name] for name in _SAYS if says.get(name) not in (None, "", _USUAL.get(name))}


def role(node: Node) -> str:
    """`ground`, `decor` or `roof`: what the tiles of a layer are for."""
    told = node.find("properties")
    said = (each.get("value") for each in told.children("property") if each.get("name") == "role") if told else ()
    return next((word for word in said if word), "ground")


def grounds(document: Document) -> list[TileLayer]:
    """The tile layers whose tiles mean something, in draw order."""
    return [layer for layer in document.tile_layers() if role(layer.node) == "ground"]


class Look:
    """What tiles of a document say, each looked up once."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._known: dict[int, dict[str, object]] = {0: {}}

    def says(self, number: int) -> dict[str, object]:
        """By its number in the map; nothing for none, or one that says nothing."""
        plain = number & GID_MASK
        if plain not in self._known:
            self._known[plain] = meaning(self._document.says(plain))
        return self._known[plain]


def number_of(pen: Pen, wanted: Kind) -> int:
    """The number of a kind's tile; where the map has none such our tileset is added. 0 if that has none, either."""
    want = dict(wanted.tile)
    for _ in range(2):
        found = next((number for number, says in pen.document.tiles() if meaning(says) == want), 0)
        if found or any(each.name == "battlemat" for each in pen.document.tilesets):
            return found
        pen.do(*pen.document.new_tileset())
    return 0


def used(document: Document, layer: TileLayer) -> set[int]:
    """The numbers of the tiles on a layer, without flags."""
    return {number & GID_MASK for block in layer.blocks() for number in set(block.numbers)} - {0}


def ground_layer(pen: Pen, look: Look) -> TileLayer:
    """Where grounds are drawn: the first layer that has such tiles, else an empty one, else one of our own."""
    document = pen.document
    there = [(layer, used(document, layer)) for layer in grounds(document)]
    for layer, numbers in there:
        if any("material" in look.says(number) for number in numbers):
            return layer
    if not any(numbers for _, numbers in there) and there:
        return there[0][0]
    name = OWN_GROUND if there else "Ground"
    return document.tile_layer(pen.layer("layer", name, lowest=True, says=_ROLE))


def things_layer(pen: Pen, look: Look, ground: TileLayer) -> TileLayer:
    """Where things are drawn: the first other layer that has such tiles, else an empty one, else a new one."""
    document = pen.document
    there = [(layer, used(document, layer)) for layer in grounds(document) if layer.node is not ground.node]
    for layer, numbers in there:
        if any("prop" in look.says(number) for number in numbers):
            return layer
    empty = next((layer for layer, numbers in there if not numbers and layer.name == THINGS), None)
    return empty or document.tile_layer(pen.layer("layer", THINGS, says=_ROLE))


_ROLE = '\n  <properties>\n   <property name="role" propertytype="Role" value="ground"/>\n  </properties>'


def inside(document: Document, spots: Iterable[Spot]) -> list[Spot]:
    """Those spaces that lie on the map, none twice."""
    wide, high = document.size
    return [spot for spot in dict.fromkeys(spots) if 0 <= spot[0] < wide and 0 <= spot[1] < high]


def paint(pen: Pen, wanted: Kind, spots: Collection[Spot]) -> int:
    """Draw a ground or a thing on spaces; how many look or mean otherwise now."""
    spots = inside(pen.document, spots)
    number = number_of(pen, wanted)
    if not number or not spots:
        return 0
    look = Look(pen.document)
    ground = ground_layer(pen, look)
    if wanted.way is Way.THING:
        layer = things_layer(pen, look, ground)
        return pen.tiles(layer, dict.fromkeys(spots, number))
    return pen.tiles(ground, dict.fromkeys(spots, number)) + _clear(pen, look, wanted, ground, spots)


def paint_tile(pen: Pen, number: int, spots: Collection[Spot], *, over: str = "") -> int:
    """Draw a tile of the map itself, by its number, on the layer of a name, else where grounds or things go."""
    spots, look = inside(pen.document, spots), Look(pen.document)
    layer = next((each for each in pen.document.tile_layers() if over and each.name == over), None)
    if layer is None:
        layer = ground_layer(pen, look)
        if "prop" in look.says(number) and "material" not in look.says(number):
            layer = things_layer(pen, look, layer)
    return pen.tiles(layer, dict.fromkeys(spots, number))


def _clear(pen: Pen, look: Look, wanted: Kind, ground: TileLayer, spots: Sequence[Spot]) -> int:
    """Take out of other layers what would hide a ground that was drawn, or forbid what it allows."""
    move, blind = MOVES[wanted.move], wanted.tile.get("sight") == "blocked"
    count = 0
    for layer in pen.document.tile_layers():
        there: dict[Spot, int] = {}
        rules = role(layer.node) == "ground"
        if layer.node is ground.node or role(layer.node) == "roof":
            continue
        for number, own in by_number(pen.document, layer, spots).items():
            says = look.says(number)
            stricter = MOVES[str(says.get("move", "open"))] > move or (says.get("sight") == "blocked" and not blind)
            other = rules and ("material" in says or (stricter and "prop" not in says))
            walled = blind and "prop" in says and ("move" in says or "light" not in says)  # torches hang on walls
            if other or walled:
                there.update(dict.fromkeys(own, 0))
        count += pen.tiles(layer, there) if there else 0
    return count


def by_number(document: Document, layer: TileLayer, spots: Iterable[Spot]) -> dict[int, list[Spot]]:
    """The spaces by the numbers of their tiles on a layer, those without any left out."""
    right, down = document.shift(layer.node)
    found: dict[int, list[Spot]] = {}
    for x, y in spots:
        if number := layer.get(x + right, y + down):
            found.setdefault(number, []).append((x, y))
    return found


def things_on(document: Document, spots: Iterable[Spot]) -> list[Spot]:
    """Those spaces on which a tile of a thing stands."""
    spots, look = list(spots), Look(document)
    there = [spot for layer in document.tile_layers() for number, own in by_number(document, layer, spots).items()
             if "prop" in look.says(number) and "material" not in look.says(number) for spot in own]  # fmt: skip
    return list(dict.fromkeys(there))


def erase_things(pen: Pen, spots: Collection[Spot]) -> int:
    """Take things away that stand on spaces; how many."""
    spots, look, count = inside(pen.document, spots), Look(pen.document), 0
    for layer in pen.document.tile_layers():
        there = [spot for number, own in by_number(pen.document, layer, spots).items()
                 if "prop" in look.says(number) and "material" not in look.says(number) for spot in own]  # fmt: skip
        count += pen.tiles(layer, dict.fromkeys(there, 0)) if there else 0
    return count


def erase_ground(pen: Pen, spots: Collection[Spot]) -> int:
    """Take the ground of spaces away: ours where there is any, else the topmost tile that means something."""
    spots, look = inside(pen.document, spots), Look(pen.document)
    layers, left = grounds(pen.document), dict.fromkeys(spots)
    count = 0
    for layer in layers:
        own = [spot for number, there in by_number(pen.document, layer, spots).items()
               if "material" in look.says(number) for spot in there]  # fmt: skip
        count += pen.tiles(layer, dict.fromkeys(own, 0)) if own else 0
        for spot in own:
            left.pop(spot, None)
    for layer in reversed(layers):
        there = [spot for own in by_number(pen.document, layer, left).values() for spot in own]
        count += pen.tiles(layer, dict.fromkeys(there, 0)) if there else 0
        for spot in there:
            del left[spot]
    return count


def usual_floor(document: Document, about: Iterable[Spot]) -> Kind:
    """The floor that most of some spaces have, to be drawn between them; slate where they have none of ours."""
    loaded, wide = document.read(), document.size[0]
    words = Counter(loaded.materials[y * wide + x] for x, y in inside(document, about))
    found = [name for name, _ in sorted(words.items(), key=lambda entry: (-entry[1], entry[0]))]
    return next((each for each in map(_floor, found) if each is not None), kind("slate"))


def _floor(material: str) -> Kind | None:
    try:
        found = kind(material)
    except KeyError:
        return None
    return found if found.way is Way.GROUND and found.move == "open" else None
