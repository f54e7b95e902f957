"""Strokes: what is drawn at a time, as values that can be done and taken back.

A stroke belongs to the document on which it was made, and is taken back when all later ones are: so an edit names
elements by themselves. Applying its inverse leaves the file as it was before, letter by letter.
"""

from __future__ import annotations

from dataclasses import dataclass

from game.maps.editing.layers import TileLayer
from game.maps.editing.xmltree import Node, Piece


@dataclass(frozen=True)
class Pieces:
    """In an element other pieces stand at a place than before."""

    node: Node
    at: int
    out: tuple[Piece, ...]
    put: tuple[Piece, ...]

    def inverse(self) -> Pieces:
        return Pieces(self.node, self.at, self.put, self.out)

    def apply(self) -> None:
        self.node.inside[self.at : self.at + len(self.out)] = self.put


@dataclass(frozen=True)
class Tags:
    """An element has other tags: attributes, or what it holds has made it one that is closed at its end."""

    node: Node
    before: tuple[str, str]
    after: tuple[str, str]

    def inverse(self) -> Tags:
        return Tags(self.node, self.after, self.before)

    def apply(self) -> None:
        self.node.head, self.node.tail = self.after


@dataclass(frozen=True)
class Tiles:
    """Spaces of a tile layer have other tiles: column, row (as the file counts), the number before and after."""

    layer: TileLayer
    cells: tuple[tuple[int, int, int, int], ...]

    def inverse(self) -> Tiles:
        return Tiles(self.layer, tuple((x, y, after, before) for x, y, before, after in reversed(self.cells)))

    def apply(self) -> None:
        self.layer.put({(x, y): after for x, y, _, after in self.cells})


Edit = Pieces | Tags | Tiles


@dataclass(frozen=True)
class Stroke:
    """Edits in the order in which they are done; `what` names them for who takes them back."""

    what: str
    edits: tuple[Edit, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.edits)

    def inverse(self) -> Stroke:
        """What takes it back."""
        return Stroke(self.what, tuple(edit.inverse() for edit in reversed(self.edits)))

    def and_then(self, other: Stroke) -> Stroke:
        """Both as one, named as the first."""
        return Stroke(self.what, (*self.edits, *other.edits))
