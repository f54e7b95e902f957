"""Regions of a map agree with going from space to space, whatever walls, ledges, doors and ladders there are."""

from __future__ import annotations

from itertools import compress

import pytest
from hypothesis import given
from hypothesis import strategies as some

from game.maps.tiled import around, climbing
from rules.board.bitboard import board_of, cells_of, where
from rules.board.fixtures import Door
from rules.board.grid import EdgeWall, Field, Ground, Terrain
from rules.contract.units import Cell


def reachable(terrain: Terrain, start: int) -> set[int]:
    """The spaces that a creature of size 1 can come to by steps and climbing, one by one."""
    seen, front = {start}, [start]
    while front:
        cell = front.pop()
        for to in (*(to for to, _ in terrain.neighbours(Cell(cell))), *terrain.climbs_from(Cell(cell))):
            if to not in seen:
                seen.add(to)
                front.append(to)
    return seen


@some.composite
def fields(draw: some.DrawFn) -> Field:
    width, height = draw(some.integers(1, 7)), draw(some.integers(1, 6))
    size = width * height
    numbers = some.integers(0, size - 1)

    def edges() -> list[tuple[int, int]]:
        found = []
        for cell, across in draw(some.lists(some.tuples(numbers, some.booleans()), max_size=12)):
            other = cell + 1 if across else cell + width
            if other < size and (not across or other % width):
                found.append((cell, other))
        return found

    return Field(
        width,
        height,
        bytes(draw(some.lists(some.sampled_from([0, 0, 0, 1, 2, 3]), min_size=size, max_size=size))),
        levels=tuple(draw(some.lists(some.sampled_from([0, 0, 1, 2]), min_size=size, max_size=size))),
        climbs=board_of(draw(some.lists(numbers.map(Cell), max_size=8))),
        edges=tuple(EdgeWall(Cell(a), Cell(b)) for a, b in edges()),
        doors=tuple(Door(f"d{i}", Cell(a), Cell(b)) for i, (a, b) in enumerate(edges()[:3])),
    )


@given(fields(), some.booleans())
def test_regions_are_what_steps_and_climbs_join(field: Field, open_doors: bool) -> None:
    terrain = field.terrain((1 << len(field.doors)) - 1 if open_doors else 0)
    pairs = [(cell, cell + shift) for shift, board in climbing(terrain) for cell in cells_of(board)]
    for cell in range(field.width * field.height):
        there = reachable(terrain, cell) if terrain.fits(Cell(cell)) else set()
        assert set(compress(range(len(field.ground)), around(terrain, Cell(cell)))) == there
        assert {one + other - cell for one, other in pairs if cell in (one, other)} == set(
            terrain.climbs_from(Cell(cell))
        )


@given(some.lists(some.integers(0, 20_000), max_size=60))
def test_a_board_holds_the_cells_it_is_made_of(cells: list[Cell]) -> None:
    assert cells_of(board_of(cells)) == sorted(set(cells))


@pytest.mark.parametrize("size", [0, 1, 9, 5000])
def test_a_board_of_kinds_holds_the_spaces_of_these_kinds(size: int) -> None:
    kinds = bytes(i % 4 for i in range(size))
    wanted = [i for i in range(size) if i % 4 in (Ground.DIFFICULT, Ground.VOID)]
    assert cells_of(where(kinds, Ground.DIFFICULT, Ground.VOID)) == wanted
