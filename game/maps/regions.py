"""Which spaces of a map hang together: whoever stands in one of them can come to all others of its region."""

from __future__ import annotations

from rules.board.bitboard import where
from rules.board.grid import Field, Terrain

EAST, SOUTH = 1, 2
"""Among the directions of `rules.board.grid`."""


class Regions:
    """The regions of a terrain for creatures of size 1, by steps and by climbing; leaps are left aside.

    A step goes round no corner that isn't free, so whatever diagonal steps join, straight ones join as well: two
    bitboards, east and south, say it all. Only climbing needs the diagonals (rules.board.terrain, `climbs_from`).
    """

    def __init__(self, terrain: Terrain) -> None:
        steps, width = terrain.steps(), terrain.field.width
        self._size = width * terrain.field.height
        self._parents: list[int] = []
        climbing = _climbing(terrain)
        self.climbs = 0
        """Bitboard of the spaces from which one can climb up or down."""
        for shift, pairs in climbing:
            self.climbs |= pairs | pairs << shift
        self._labels = self._label(steps.fit, steps.moves[EAST][0])
        for shift, pairs in ((width, steps.moves[SOUTH][0]), *climbing):
            self._unite(pairs, shift)

    def joined(self, a: int, b: int) -> bool:
        """Whether a way leads from one space to another."""
        one, other = self._labels[a], self._labels[b]
        return one >= 0 and other >= 0 and self._root(one) == self._root(other)

    def _label(self, fit: int, east: int) -> list[int]:
        """A number for each run of spaces joined eastwards; -1 where nobody can stand."""
        labels, parents, label, going = [-1] * self._size, self._parents, -1, False
        for cell, (room, on) in enumerate(zip(_flags(fit, self._size), _flags(east, self._size), strict=True)):
            if room:
                if not going:
                    label = len(parents)
                    parents.append(label)
                labels[cell] = label
            going = bool(on)
        return labels

    def _unite(self, pairs: int, shift: int) -> None:
        """Join every space of ``pairs`` with the one ``shift`` further on."""
        labels, parents, one, other = self._labels, self._parents, -1, -1
        for cell, both in enumerate(_flags(pairs, self._size)):
            if both and (labels[cell] != one or labels[cell + shift] != other):
                one, other = labels[cell], labels[cell + shift]
                if parents[one] != parents[other]:
                    first, second = self._root(one), self._root(other)
                    parents[max(first, second)] = min(first, second)

    def _root(self, label: int) -> int:
        parents = self._parents
        while parents[label] != label:
            parents[label] = parents[parents[label]]
            label = parents[label]
        return label


def _flags(board: int, size: int) -> bytes:
    """A bitboard as one 0 or 1 per space."""
    return f"{board:0{size}b}"[::-1].encode().translate(_BITS)


_BITS = bytes(each & 1 for each in range(256))


def _climbing(terrain: Terrain) -> list[tuple[int, int]]:
    """Pairs of spaces that climbing joins: how far apart they are, and the bitboard of the first ones."""
    field, width, fit = terrain.field, terrain.field.width, terrain.steps().fit
    if not field.climbs or not field.levels:
        return []
    east = fit & fit >> 1 & ~terrain.walls_east & ~(terrain.column << (width - 1))
    south = fit & fit >> width & ~terrain.walls_south
    round_corner = east & east >> width & south & south >> 1
    ways = ((1, east), (width, south), (width + 1, round_corner), (width - 1, round_corner << 1))
    heights = _heights(field)
    found = []
    for shift, pairs in ways:
        by_one = 0
        for lower, upper in zip(heights, heights[1:], strict=False):
            by_one |= lower & upper >> shift | upper & lower >> shift
        found.append((shift, pairs & by_one & (field.climbs | field.climbs >> shift)))
    return found


def _heights(field: Field) -> list[int]:
    """A bitboard of the spaces of each height, from the lowest."""
    levels = bytes(field.levels)
    return [where(levels, height) for height in range(max(levels) + 1)]
