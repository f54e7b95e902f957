"""Which spaces an object covers and along which grid lines it runs. Pixels end here."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import chain, pairwise
from typing import Any

from game.maps import limits
from game.maps.limits import Place

Points = list[tuple[float, float]]
Edge = tuple[int, int]
"""The two cells beside an edge, the smaller one first."""

_THIN = 0.4
"""An object narrower than this part of a space may lie on an edge …"""
_NEAR = 0.3
"""… if it is at most this part of a space away from the grid line."""


@dataclass(slots=True)
class Grid:
    """The map's spaces; ``side`` is a space's side in pixels. Counts spaces and edges looked at for all objects."""

    width: int
    height: int
    side: int
    looked: int = 0
    walked: int = 0
    _numbers: list[int] = field(default_factory=list)
    """Every space once, so that many objects over the same spaces share them."""

    def cell(self, x: float, y: float) -> int | None:
        """The space at a point in pixels, None outside the map."""
        column, row = math.floor(x / self.side), math.floor(y / self.side)
        if 0 <= column < self.width and 0 <= row < self.height:
            return row * self.width + column
        return None

    def outline(self, obj: Any) -> Points:
        """An object's corners or points in pixels, turned by its rotation."""
        if obj.shape in ("polygon", "polyline"):
            points = [(float(p.x), float(p.y)) for p in obj.points]
        else:
            x, y, w, h = float(obj.x), float(obj.y), float(obj.width), float(obj.height)
            points = [(x, y), (x + w, y), (x + w, y + h), (x, y + h)]
        if not obj.rotation:
            return points
        px, py = (float(part) for part in obj.pivot.split())
        sin, cos = math.sin(math.radians(obj.rotation)), math.cos(math.radians(obj.rotation))
        return [(px + cos * (x - px) - sin * (y - py), py + sin * (x - px) + cos * (y - py)) for x, y in points]

    def cells(self, obj: Any, place: Place) -> tuple[int, ...]:
        """The spaces whose centre an object covers; if it covers none, the one under its own centre."""
        outline = self.outline(obj)
        xs, ys = [x for x, _ in outline], [y for _, y in outline]
        if obj.shape == "point" or (max(xs) == min(xs) and max(ys) == min(ys)):
            spot = self.cell(*outline[0])
            return () if spot is None else (spot,)
        if obj.shape == "polyline":
            spots = (self.cell(x, y) for x, y in outline)
            return tuple(dict.fromkeys(spot for spot in spots if spot is not None))
        left, right = self._span(min(xs), max(xs), self.width)
        top, bottom = self._span(min(ys), max(ys), self.height)
        plain = obj.shape not in ("ellipse", "polygon") and not obj.rotation
        area = max(0, right - left) * max(0, bottom - top)
        self.looked += area // 4 if plain else area * max(1, len(outline) // 4)
        if self.looked > limits.MAX_COVERED:
            raise place.problem("brings all objects together beyond what can be read; make large objects smaller")
        if plain:
            every = self._every()
            rows = (row * self.width for row in range(top, bottom))
            found = tuple(chain.from_iterable(every[row + left : row + right] for row in rows))
        else:
            found = self._covered(obj, outline, range(left, right), range(top, bottom))
        if found:
            return found
        spot = self.cell((min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2)
        return () if spot is None else (spot,)

    def _every(self) -> list[int]:
        if not self._numbers:
            self._numbers = list(range(self.width * self.height))
        return self._numbers

    def _walk(self, count: int, place: Place) -> None:
        """Count edges that something runs along."""
        self.walked += count
        if self.walked > limits.MAX_EDGES:
            raise place.problem(
                f"brings all walls and doors together beyond {limits.MAX_EDGES} edges; draw shorter lines, none twice"
            )

    def _covered(self, obj: Any, outline: Points, columns: range, rows: range) -> tuple[int, ...]:
        covers = _in_ellipse if obj.shape == "ellipse" and not obj.rotation else _in_polygon
        side, every = self.side, self._every()
        return tuple(
            every[row * self.width + column]
            for row in rows
            for column in columns
            if covers((column + 0.5) * side, (row + 0.5) * side, outline)
        )

    def _span(self, low: float, high: float, size: int) -> tuple[int, int]:
        """The columns (or rows) whose centres lie between two positions in pixels."""
        first, end = math.ceil(low / self.side - 0.5), math.ceil(high / self.side - 0.5)
        return max(0, first), min(size, end)

    def thin_edges(self, obj: Any, place: Place) -> tuple[Edge, ...] | None:
        """The edges a thin object lies on, none twice; None if it is no thin object on a grid line."""
        outline = self.outline(obj)
        if obj.shape in ("polyline", "polygon"):
            return self.line_edges(outline, obj.shape == "polygon", place) or None
        xs, ys = [x / self.side for x, _ in outline], [y / self.side for _, y in outline]
        wide, high = max(xs) - min(xs), max(ys) - min(ys)
        if min(wide, high) > _THIN or max(wide, high) < _THIN:
            return None
        across = (min(xs) + max(xs)) / 2 if wide <= high else (min(ys) + max(ys)) / 2
        if abs(across - round(across)) > _NEAR:
            return None
        upright = wide <= high
        low, high = (min(ys), max(ys)) if upright else (min(xs), max(xs))
        start = round(low)
        steps = range(start, max(round(high), start + 1))
        beside = self.edge_left_of if upright else lambda line, step: self.edge_above(step, line)
        self._walk(len(steps), place)
        found = [beside(round(across), step) for step in steps]
        return tuple(edge for edge in found if edge is not None) or None

    def line_edges(self, points: Points, closed: bool, place: Place) -> tuple[Edge, ...] | None:
        """The edges along a line of points, none twice; None if a part of it leaves the grid lines."""
        snapped = []
        for x, y in points:
            column, row = round(x / self.side), round(y / self.side)
            if max(abs(x / self.side - column), abs(y / self.side - row)) > _NEAR:
                return None
            snapped.append((min(max(column, -1), self.width + 1), min(max(row, -1), self.height + 1)))
        if closed:
            snapped.append(snapped[0])
        found: dict[Edge, None] = {}
        for (x1, y1), (x2, y2) in pairwise(snapped):
            if x1 != x2 and y1 != y2:
                return None
            self._walk(abs(x1 - x2) + abs(y1 - y2), place)
            if x1 == x2:
                edges: Iterable[Edge | None] = (self.edge_left_of(x1, row) for row in range(min(y1, y2), max(y1, y2)))
            else:
                edges = (self.edge_above(column, y1) for column in range(min(x1, x2), max(x1, x2)))
            found.update((edge, None) for edge in edges if edge is not None)
        return tuple(found)

    def edge_left_of(self, column: int, row: int) -> Edge | None:
        """The edge between a space and its left neighbour, None at the map's border."""
        if not (0 < column < self.width and 0 <= row < self.height):
            return None
        cell = row * self.width + column
        return cell - 1, cell

    def edge_above(self, column: int, row: int) -> Edge | None:
        """The edge between a space and its upper neighbour, None at the map's border."""
        if not (0 <= column < self.width and 0 < row < self.height):
            return None
        cell = row * self.width + column
        return cell - self.width, cell


def _in_ellipse(x: float, y: float, outline: Points) -> bool:
    (left, top), _, (right, bottom), _ = outline
    rx, ry = (right - left) / 2, (bottom - top) / 2
    if not rx or not ry:
        return False
    return ((x - left - rx) / rx) ** 2 + ((y - top - ry) / ry) ** 2 <= 1


def _in_polygon(x: float, y: float, outline: Points) -> bool:
    inside = False
    for (x1, y1), (x2, y2) in zip(outline, [*outline[1:], outline[0]], strict=True):
        if (y1 > y) != (y2 > y) and x < (x2 - x1) * (y - y1) / (y2 - y1) + x1:
            inside = not inside
    return inside
