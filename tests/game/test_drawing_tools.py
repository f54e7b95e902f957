"""Lines, rectangles, fills and chains of edges in whole numbers."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from game.maps.editing import tools
from game.maps.editing.heights import boxes

spots = st.tuples(st.integers(-30, 30), st.integers(-30, 30))


@given(spots, spots)
def test_a_line_is_the_same_in_both_directions_and_has_no_gap(a: tuple[int, int], b: tuple[int, int]) -> None:
    line = tools.line(a, b)
    assert line[0] == a and line[-1] == b and line == tools.line(b, a)[::-1]
    assert len(line) == max(abs(a[0] - b[0]), abs(a[1] - b[1])) + 1
    steps = zip(line, line[1:], strict=False)
    assert all(max(abs(x - z), abs(y - w)) == 1 for (x, y), (z, w) in steps)


@given(spots, spots)
def test_nobody_slips_diagonally_through_a_joined_line(a: tuple[int, int], b: tuple[int, int]) -> None:
    line = tools.joined_line(a, b)
    steps = zip(line, line[1:], strict=False)
    assert all(abs(x - z) + abs(y - w) == 1 for (x, y), (z, w) in steps)


@given(st.sets(st.tuples(st.integers(0, 8), st.integers(0, 8)), max_size=40))
def test_boxes_cover_each_space_once(wanted: set[tuple[int, int]]) -> None:
    covered = [(x + i, y + j) for x, y, w, h in boxes(wanted) for i in range(w) for j in range(h)]
    assert len(covered) == len(set(covered)) and set(covered) == wanted


@given(st.sets(st.tuples(st.integers(0, 6), st.integers(0, 6), st.booleans()), max_size=30))
def test_chains_run_along_each_edge_once(edges: set[tuple[int, int, bool]]) -> None:
    found = []
    for points in tools.chained(edges):
        for start, end in zip(points, points[1:], strict=False):
            assert start[0] == end[0] or start[1] == end[1]
            found += tools.edges_between(start, end)
    assert len(found) == len(set(found)) and set(found) == edges


def test_a_ring_is_one_chain() -> None:
    assert [len(points) for points in tools.chained(tools.edges_around((2, 2), (5, 4)))] == [5]


def test_a_fill_stops_at_what_is_otherwise_and_at_what_is_shut() -> None:
    wall = {tools.edge_of((2, y), (3, y)) for y in range(6)}
    filled = tools.fill(
        (0, 0), lambda spot: 0 <= spot[0] < 6 and 0 <= spot[1] < 6 and spot[1] != 4,
        lambda a, b: tools.edge_of(a, b) in wall,
    )  # fmt: skip
    assert sorted(filled) == [(x, y) for x in range(3) for y in range(4)]


def test_a_fast_brush_leaves_no_gap() -> None:
    swept = tools.swept((0, 0), (9, 4), 2)
    assert len(swept) == len(set(swept)) and (5, 2) in swept and (-1, -1) in swept
