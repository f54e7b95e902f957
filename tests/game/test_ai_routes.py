"""Prices of ways against a search that anybody would write first, on ground with doors of all kinds and ladders."""

from __future__ import annotations

import heapq
from random import Random
from typing import Any

import pytest

from game.controllers.ai import load_weights, routes, searching
from game.controllers.ai.routes import narrow
from rules.board.bitboard import cells_of
from rules.board.grid import Field, Terrain
from rules.board.path import UNREACHABLE
from rules.contract.units import Bitboard, Cell

STATES = ("open", "closed", "locked", "barred", "secret")


def ground(random: Random) -> Terrain:
    """Rooms with doors, difficult ground, heights with ladders."""
    width, height = random.randrange(5, 16), random.randrange(5, 16)
    rows = [[random.choice("......~#+") for _ in range(width)] for _ in range(height)]
    levels = ["".join(random.choice("0001") for _ in range(width)) for _ in range(height)]
    climbs = random.sample(range(width * height), 6)
    tall: dict[str, Any] = {"levels": levels, "climbs": climbs} if random.random() < 0.5 else {}
    field = Field.from_rows(["".join(row) for row in rows], **tall)
    return field.terrain(random.getrandbits(max(1, len(field.doors))) & ((1 << len(field.doors)) - 1))


def by_hand(terrain: Terrain, doors: list[str], goals: list[Cell], size: int) -> list[int]:
    """Dijkstra's, step by step."""
    wide = terrain.doors_open
    locked = set()
    for i, state in enumerate(doors):
        wide |= (state != "secret") << i
        if state in ("locked", "barred"):
            locked.add(terrain.field.doors[i].cell)
    roomy = terrain.field.terrain(wide)
    found = [UNREACHABLE] * (terrain.field.width * terrain.field.height)
    queue = [(0, goal) for goal in goals]
    while queue:
        price, cell = heapq.heappop(queue)
        if price >= found[cell]:
            continue
        found[cell] = price
        now = terrain.neighbours(Cell(cell), size)
        for other, cost in roomy.neighbours(Cell(cell), size):
            if (other, cost) not in now:
                cost += 7 if {cell, other} & locked else 2
            heapq.heappush(queue, (price + cost, other))
        for other in terrain.climbs_from(Cell(cell), size):
            heapq.heappush(queue, (price + load_weights().routes.climb_price, other))
    return found


@pytest.mark.parametrize("seed", range(60))
def test_prices_are_those_of_a_search_step_by_step(seed: int) -> None:
    random = Random(seed)
    terrain, size = ground(random), random.choice((1, 1, 2))
    cells = terrain.field.cells
    opened = terrain.doors_open
    doors = ["open" if opened >> i & 1 else random.choice(STATES) for i in range(len(terrain.field.doors))]
    goals = random.sample(cells, random.randrange(1, 4))
    right = by_hand(terrain, doors, goals, size)
    prices = routes.far(terrain, tuple(doors), goals, size)
    asked = random.sample(cells, len(cells))
    assert [prices[Cell(cell)] for cell in asked] == [right[cell] for cell in asked]
    priced = routes.Priced(routes.far(terrain, tuple(doors), goals, size))
    some = random.getrandbits(len(cells)) | 1
    assert priced.nearest(Bitboard(some)) == 1 << min(cells_of(Bitboard(some)), key=right.__getitem__)
    assert priced.farthest(Bitboard(some)) == 1 << max(cells_of(Bitboard(some)), key=right.__getitem__)


@pytest.mark.parametrize("seed", range(20))
def test_posts_are_each_the_farthest_from_those_before(seed: int) -> None:
    random = Random(seed)
    terrain = ground(random)
    doors = ["open" if terrain.doors_open >> i & 1 else "closed" for i in range(len(terrain.field.doors))]
    start = random.choice(cells_of(terrain.steps().fit))
    posts, _ = searching.posts_of(terrain, tuple(doors), start, 1)
    all_of = [c for c, p in enumerate(by_hand(terrain, doors, [start], 1)) if p < UNREACHABLE]
    walked = [cell for cell in all_of if terrain.fits(Cell(cell))]
    assert posts[0] == walked[0]
    for number in range(1, len(posts)):
        gaps = by_hand(terrain, doors, list(posts[:number]), 1)
        assert posts[number] == max(walked, key=lambda c, gaps=gaps: (gaps[c], -c))


def falls_apart(terrain: Terrain, cell: Cell) -> bool:
    """Whether some open neighbours of a space lose each other when one may only walk among them."""
    around = [there for there, _ in terrain.neighbours(cell)]
    waiting = around[:1]
    for here in waiting:
        waiting += [there for there, _ in terrain.neighbours(here) if there in around and there not in waiting]
    return len(waiting) < len(around)


@pytest.mark.parametrize("seed", range(30))
def test_narrow_spaces_are_those_whose_neighbours_fall_apart(seed: int) -> None:
    terrain = ground(Random(seed))
    right = [cell for cell in cells_of(terrain.steps().fit) if falls_apart(terrain, cell)]
    assert cells_of(Bitboard(narrow(terrain))) == right
