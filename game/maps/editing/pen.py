"""A stroke being made: each edit is done at once, so that the next one sees it, and all of it can be given up."""

from __future__ import annotations

from collections.abc import Mapping

from game.maps.editing.document import Document, Spot, opened
from game.maps.editing.layers import TileLayer
from game.maps.editing.strokes import Edit, Pieces, Stroke, Tags, Tiles
from game.maps.editing.xmltree import Node, Piece, element
from game.maps.mapdata import LoadedMap, MapProblem


class Pen:
    """Draws on a document. `stroke` is what was drawn so far; `lift` reads the map, and gives up what makes it
    unreadable."""

    def __init__(self, document: Document, what: str = "") -> None:
        self.document, self.what = document, what
        self._edits: list[Edit] = []
        self._frame = document.origin, document.size
        self._sure = 0
        """How many of the edits led to a map that could be read."""

    @property
    def stroke(self) -> Stroke:
        """All that was drawn."""
        return Stroke(self.what, tuple(self._edits))

    def do(self, *edits: Edit) -> None:
        """Further edits."""
        for edit in edits:
            self.document.do(edit)
            self._edits.append(edit)

    def give_up(self, first: int = 0) -> None:
        """Take back what was drawn, from an edit on."""
        for edit in reversed(self._edits[first:]):
            self.document.do(edit.inverse())
        del self._edits[first:]
        self._sure = min(self._sure, first)

    def lift(self) -> LoadedMap:
        """The map as it is played now. Raises MapProblem where it could not be read; what was drawn since it last
        could is taken back."""
        try:
            loaded = self.document.read()
            if (self.document.origin, self.document.size) != self._frame:  # all that counts spaces would be elsewhere
                raise MapProblem("That would move the border of the map, which ends where its last tiles lie.")
        except MapProblem:
            self.give_up(self._sure)
            raise
        self._sure = len(self._edits)
        return loaded

    # -- tiles

    def tiles(self, layer: TileLayer, tiles: Mapping[Spot, int]) -> int:
        """Other tiles on spaces of the map, by their numbers; how many of them changed."""
        right, down = self.document.shift(layer.node)
        there = {(x + right, y + down): number for (x, y), number in tiles.items()}
        wanted = {spot: number for spot, number in there.items() if layer.get(*spot) != number}
        if not layer.infinite:
            wide, high = int(self.document.root.get("width", "0")), int(self.document.root.get("height", "0"))
            wanted = {spot: n for spot, n in wanted.items() if 0 <= spot[0] < wide and 0 <= spot[1] < high}
        if wanted:
            self.do(*self.document.room_for(layer, [spot for spot, number in wanted.items() if number]))
            cells = tuple((x, y, layer.get(x, y), number) for (x, y), number in wanted.items() if layer.has(x, y))
            self.do(Tiles(layer, cells))
        return len(wanted)

    def tile(self, layer: TileLayer, spot: Spot) -> int:
        """The number of a tile with its flags; 0 for none."""
        right, down = self.document.shift(layer.node)
        return layer.get(spot[0] + right, spot[1] + down)

    # -- elements

    def layer(self, tag: str, name: str, *, lowest: bool = False, says: str = "") -> Node:
        """A new layer."""
        node, edits = self.document.new_layer(tag, name, lowest=lowest, says=says)
        self.do(*edits)
        return node

    def add(self, parent: Node, text: str) -> Node:
        """A new element at the end of another, laid out as those before it."""
        if not parent.tail:
            self.do(opened(parent))
        node = element(text)
        at = len(parent.inside)
        while at and isinstance(parent.inside[at - 1], str):
            at -= 1
        fresh = at == 0
        before = "\n  " if fresh or not parent.inside[:at] else _gap(parent.inside[:at])
        pieces: tuple[Piece, ...] = (before, node)
        if at == len(parent.inside):
            pieces = (*pieces, "\n ")
        self.do(Pieces(parent, at, (), pieces))
        return node

    def take(self, parent: Node, node: Node) -> None:
        """Take an element away, with the white space before it."""
        at = next(n for n, each in enumerate(parent.inside) if each is node)
        start = at
        if at and isinstance(before := parent.inside[at - 1], str) and not before.strip():
            start = at - 1
        self.do(Pieces(parent, start, tuple(parent.inside[start : at + 1]), ()))

    def put(self, parent: Node, old: Node, text: str) -> Node:
        """Another element in the place of one."""
        at, node = next(n for n, each in enumerate(parent.inside) if each is old), element(text)
        self.do(Pieces(parent, at, (old,), (node,)))
        return node

    def say(self, node: Node, **attributes: str | None) -> None:
        """Other attributes of an element; None takes one out."""
        head = node.headed(**attributes)
        if head != node.head:
            self.do(Tags(node, (node.head, node.tail), (head, node.tail)))


def _gap(inside: list[Piece]) -> str:
    """The white space before the last element."""
    last = len(inside) - 1
    before = inside[last - 1] if last else ""
    return before if isinstance(before, str) and before and not before.strip() else "\n  "
