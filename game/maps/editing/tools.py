"""Shapes in whole numbers: lines, rectangles, fills, and edges along the lines between spaces. No float decides."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

Spot = tuple[int, int]
"""Column and row."""
Edge = tuple[int, int, bool]
"""Column and row of a space, and whether it is its west edge (else its north one)."""
MOST_FILLED = 512 * 512


def line(start: Spot, end: Spot) -> list[Spot]:
    """The spaces of a straight line, its ends with them, none twice; the same ones in both directions."""
    (x1, y1), (x2, y2) = (start, end) if start <= end else (end, start)
    dx, dy, step = x2 - x1, abs(y2 - y1), 1 if y2 >= y1 else -1
    long = max(dx, dy)
    found = []
    for n in range(long + 1):  # rounded half up, in whole numbers
        across = (2 * n * dx + long) // (2 * long) if long else 0
        down = (2 * n * dy + long) // (2 * long) if long else 0
        found.append((x1 + across, y1 + step * down))
    return found if start <= end else found[::-1]


def joined_line(start: Spot, end: Spot) -> list[Spot]:
    """The same, with a space more at each diagonal step, so that nobody slips through between."""
    found: list[Spot] = []
    for spot in line(start, end):
        if found and spot[0] != found[-1][0] and spot[1] != found[-1][1]:
            found.append((spot[0], found[-1][1]))
        found.append(spot)
    return found


def rectangle(start: Spot, end: Spot) -> list[Spot]:
    """All spaces between two corners."""
    (left, right), (top, bottom) = sorted((start[0], end[0])), sorted((start[1], end[1]))
    return [(x, y) for y in range(top, bottom + 1) for x in range(left, right + 1)]


def frame(start: Spot, end: Spot) -> list[Spot]:
    """The spaces at the border of a rectangle."""
    (left, right), (top, bottom) = sorted((start[0], end[0])), sorted((start[1], end[1]))
    return [(x, y) for x, y in rectangle(start, end) if x in (left, right) or y in (top, bottom)]


def brush(spot: Spot, size: int) -> list[Spot]:
    """A square of so many spaces a side about one; an even one reaches one farther up and left."""
    left, top = spot[0] - size // 2, spot[1] - size // 2
    return [(x, y) for y in range(top, top + size) for x in range(left, left + size)]


def swept(start: Spot, end: Spot, size: int) -> list[Spot]:
    """What a brush covers on its way, none twice: a fast hand leaves no gaps."""
    return list(dict.fromkeys(each for spot in line(start, end) for each in brush(spot, size)))


def fill(start: Spot, alike: Callable[[Spot], bool], shut: Callable[[Spot, Spot], bool]) -> list[Spot]:
    """The spaces that hang together with one: neighbours by a side that are alike, with nothing shut between."""
    if not alike(start):
        return []
    found, seen = [start], {start}
    for x, y in found:
        for beside in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)):
            if beside not in seen and alike(beside) and not shut((x, y), beside):
                seen.add(beside)
                found.append(beside)
                if len(found) >= MOST_FILLED:
                    return found
    return found


# -- edges


def edges_between(start: Spot, end: Spot) -> list[Edge]:
    """The edges from one corner of spaces to another: first along the longer way, then along the shorter."""
    (x1, y1), (x2, y2) = start, end
    across = [(x, y1 if abs(x2 - x1) >= abs(y2 - y1) else y2, False) for x in range(min(x1, x2), max(x1, x2))]
    down = [(x2 if abs(x2 - x1) >= abs(y2 - y1) else x1, y, True) for y in range(min(y1, y2), max(y1, y2))]
    return [*across, *down]


def edges_around(start: Spot, end: Spot) -> list[Edge]:
    """The edges around a rectangle of spaces."""
    (left, right), (top, bottom) = sorted((start[0], end[0])), sorted((start[1], end[1]))
    across = [(x, y, False) for y in (top, bottom + 1) for x in range(left, right + 1)]
    down = [(x, y, True) for x in (left, right + 1) for y in range(top, bottom + 1)]
    return [*across, *down]


def ends(edge: Edge) -> tuple[Spot, Spot]:
    """The corners that an edge joins, the upper or left one first."""
    x, y, west = edge
    return ((x, y), (x, y + 1)) if west else ((x, y), (x + 1, y))


def edge_of(a: Spot, b: Spot) -> Edge:
    """The edge between two neighbouring spaces."""
    x, y = max(a[0], b[0]), max(a[1], b[1])
    return x, y, a[0] != b[0]


def beside(edge: Edge) -> tuple[Spot, Spot]:
    """The two spaces of an edge."""
    x, y, west = edge
    return ((x - 1, y), (x, y)) if west else ((x, y - 1), (x, y))


def chained(edges: Iterable[Edge]) -> Iterator[list[Spot]]:
    """Edges as lines of corners: each as long as it goes, straight parts as one, in a fixed order."""
    left = dict.fromkeys(sorted(set(edges), key=lambda edge: (edge[1], edge[0], edge[2])))
    at: dict[Spot, list[Edge]] = {}
    for edge in left:
        for corner in ends(edge):
            at.setdefault(corner, []).append(edge)
    while left:
        # best from an end or a crossing; a ring begins anywhere
        first = next((e for e in left if any(_open(at, left, c) != 2 for c in ends(e))), next(iter(left)))
        one, other = ends(first)
        here = one if _open(at, left, one) != 2 or _open(at, left, other) == 2 else other
        points = [here]
        while (way := next((e for e in at[here] if e in left), None)) is not None:
            del left[way]
            one, other = ends(way)
            here = other if one == here else one
            if len(points) > 1 and _straight(points[-2], points[-1], here):
                points[-1] = here
            else:
                points.append(here)
        yield points


def _open(at: dict[Spot, list[Edge]], left: dict[Edge, None], corner: Spot) -> int:
    return sum(edge in left for edge in at[corner])


def _straight(a: Spot, b: Spot, c: Spot) -> bool:
    return (a[0] == b[0] == c[0]) or (a[1] == b[1] == c[1])
