"""Reach, costs, routes and faults (olde.md §5)."""

import heapq
from itertools import pairwise
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.board.bitboard import board_of, cells_of
from rules.board.fixtures import Door
from rules.board.grid import EdgeWall, Field
from rules.board.path import UNREACHABLE, _Ways, distances, path_cost, path_fault, reach, spread, step_cost
from rules.contract.errors import BattlematError
from rules.contract.units import NOWHERE, Bitboard, Cell


def cells(field, *places):
    return [field.cell(*place) for place in places]


def test_reach_counts_diagonals_as_one():
    field = Field.from_rows(["." * 9] * 9)
    found = reach(field.terrain(), field.cell(4, 4), 3)
    assert len(cells_of(found.cells)) == 7 * 7 - 1
    assert found.cost[field.cell(7, 7)] == 3


def test_the_start_costs_nothing_and_is_no_place_to_move_to():
    found = reach(Field.from_rows(["..."]).terrain(), Cell(1), 1)
    assert found.cost == {1: 0, 0: 1, 2: 1}
    assert cells_of(found.cells) == [0, 2]
    assert found.path(Cell(1)) == ()
    assert reach(Field.from_rows(["..."]).terrain(), Cell(1), 0).cells == 0


def test_difficult_ground_takes_two_spaces_of_the_allowance():
    terrain = Field.from_rows([".~~..", "#####"]).terrain()
    assert reach(terrain, Cell(0), 5).cost == {0: 0, 1: 2, 2: 4, 3: 5}
    assert cells_of(reach(terrain, Cell(0), 3).cells) == [1]


def test_the_cheapest_way_goes_round_difficult_ground_where_that_pays():
    field = Field.from_rows(["...", "~#~", "..."])
    found = reach(field.terrain(), field.cell(0, 0), 9)
    assert found.cost[field.cell(0, 2)] == 3
    round_it = Field.from_rows([".~~~.", "....."])
    way = reach(round_it.terrain(), Cell(0), 9).path(Cell(4))
    assert way == tuple(cells(round_it, (1, 1), (2, 1), (3, 1), (4, 0)))


def test_distances_stay_right_and_few_are_remembered_however_many_are_asked():
    terrain = Field.from_rows(["...." + "#" * 36, *["#" * 40] * 27]).terrain()
    for start in range(1100):
        distances(terrain, Cell(start))
    assert len(terrain.distance_memo) <= 1024
    assert [distances(terrain, Cell(0))[cell] for cell in (0, 1, 3, 4)] == [0, 1, 3, UNREACHABLE]


def test_enemies_may_not_be_passed():
    field = Field.from_rows(["....."])
    assert cells_of(reach(field.terrain(), Cell(0), 4, blocked=Bitboard(1 << 2)).cells) == [1]


def test_enemies_do_not_make_corners():
    field = Field.from_rows(["..", ".."])
    assert cells_of(reach(field.terrain(), Cell(0), 1, blocked=Bitboard(0b0110)).cells) == [3]


def test_allies_may_be_passed_but_not_shared():
    found = reach(Field.from_rows(["....."]).terrain(), Cell(0), 4, unstoppable=Bitboard(1 << 2))
    assert cells_of(found.cells) == [1, 3, 4]
    assert found.cost[Cell(2)] == 2
    assert found.path(Cell(3)) == (1, 2, 3)


def test_a_move_may_end_in_an_enemys_space_without_passing_it():
    found = reach(Field.from_rows(["....."]).terrain(), Cell(0), 4, blocked=Bitboard(1 << 2), final=Bitboard(1 << 2))
    assert cells_of(found.cells) == [1, 2]


def test_large_creatures_are_kept_out_by_anything_in_their_space():
    field = Field.from_rows(["......"] * 2)
    enemy = 1 << field.cell(4, 1)
    assert cells_of(reach(field.terrain(), Cell(0), 5, size=2, blocked=enemy).cells) == [1, 2]
    assert cells_of(reach(field.terrain(), Cell(0), 5, size=2, unstoppable=enemy).cells) == [1, 2]


def test_paths_take_the_straight_way_and_no_needless_diagonals():
    field = Field.from_rows(["." * 7] * 7)
    found = reach(field.terrain(), field.cell(0, 3), 6)
    assert found.path(field.cell(6, 3)) == tuple(cells(field, *((x, 3) for x in range(1, 7))))
    sideways = [field.at(cell) for cell in (field.cell(0, 3), *found.path(field.cell(6, 5)))]
    diagonals = [a[0] != b[0] and a[1] != b[1] for a, b in pairwise(sideways)]
    assert sum(diagonals) == 2
    assert sum(a != b for a, b in pairwise(diagonals)) == 1


def test_fewest_diagonals_count_before_fewest_turns_and_turns_before_anything_else():
    field = Field.from_rows(["....."] * 3)
    round_one = reach(field.terrain(), field.cell(0, 2), 4, blocked=1 << field.cell(2, 2))
    assert round_one.path(field.cell(4, 2)) == tuple(cells(field, (1, 1), (2, 1), (3, 1), (4, 2)))
    beside_one = reach(field.terrain(), field.cell(0, 0), 4, blocked=1 << field.cell(1, 1))
    assert beside_one.path(field.cell(4, 1)) == tuple(cells(field, (1, 0), (2, 0), (3, 0), (4, 1)))


def test_a_space_out_of_reach_has_no_path():
    with pytest.raises(BattlematError, match=r"\[3, 0\] is out of reach"):
        reach(Field.from_rows(["...."]).terrain(), Cell(0), 2).path(Cell(3))


def test_distances_reach_everything_that_can_be_reached():
    field = Field.from_rows(["..~.#."])
    assert distances(field.terrain(), Cell(0)) == (0, 1, 3, 4, UNREACHABLE, UNREACHABLE)
    assert distances(field.terrain(), Cell(0)) is distances(field.terrain(), Cell(0))
    assert distances(field.terrain(), Cell(0), blocked=Bitboard(2)) == (0, *[UNREACHABLE] * 5)
    assert distances(field.terrain(), Cell(0))[1] == 1


def test_path_cost_adds_up_the_spaces_entered():
    field = Field.from_rows([".~.", "..."])
    assert path_cost(field.terrain(), Cell(0), cells(field, (1, 0), (2, 1), (1, 1))) == 4
    assert path_cost(field.terrain(), Cell(0), ()) == 0


ROWS = ["..#.", ".. .", "..+.", "...."]


@pytest.mark.parametrize(
    "start, path, words",
    [
        ((0, 0), [(0, 1), (2, 3)], r"step 2: \[0, 1\] to \[2, 3\] is no step to an adjacent space"),
        ((0, 0), [(0, 0)], r"step 1: .* no step to an adjacent"),
        ((1, 0), [(2, 0)], r"step 1: .*\[2, 0\] is a wall"),
        ((1, 1), [(2, 1)], r"\[2, 1\] is a void"),
        ((1, 2), [(2, 2)], r"a closed door fills \[2, 2\]"),
        ((1, 2), [(2, 3)], "cuts a corner"),
        ((0, 3), [(1, 3)], "crosses a thin wall or a closed door"),
        ((2, 3), [(3, 3)], "leads to another level"),
    ],
)
def test_the_first_bad_step_is_named_with_its_reason(start, path, words):
    levels = ["0000", "0000", "0000", "0001"]
    field = Field.from_rows(ROWS, levels=levels, doors=[Door("thin", Cell(12), Cell(13))])
    path = cells(field, *path)
    with pytest.raises(BattlematError, match=words):
        path_cost(field.terrain(), field.cell(*start), path)
    assert path_fault(field.terrain(), field.cell(*start), path) is not None


def test_a_space_off_the_map_is_a_fault_and_no_crash():
    terrain = Field.from_rows(["..", ".."]).terrain()
    assert path_fault(terrain, Cell(0), [NOWHERE]) == "path, step 1: space -1 is not on the map"
    assert path_fault(terrain, Cell(0), [Cell(4)]) == "path, step 1: space 4 is not on the map"
    fault = path_fault(terrain, Cell(0), [Cell(1)], size=2)
    assert fault is not None and "no room for 2 × 2" in fault


def test_a_legal_path_has_no_fault():
    assert path_fault(Field.from_rows(["..."]).terrain(), Cell(0), (Cell(1), Cell(2))) is None


# ---------------------------------------------------------- against a plain search over single steps


@st.composite
def searches(draw):
    width, height = draw(st.integers(1, 9)), draw(st.integers(1, 9))
    rows = [draw(st.text("....~#", min_size=width, max_size=width)) for _ in range(height)]
    count = width * height
    pairs = [(c, c + 1) for c in range(count) if (c + 1) % width] + [(c, c + width) for c in range(count - width)]
    edges = draw(st.lists(st.sampled_from(pairs), max_size=8)) if pairs else []
    field = Field.from_rows(rows, edges=[EdgeWall(*pair) for pair in edges])
    size = draw(st.integers(1, 2))
    free = [cell for cell in range(count) if field.terrain().fits(Cell(cell), size)]
    start = draw(st.sampled_from(free or [0]))
    blocked = board_of(draw(st.sets(st.integers(0, count - 1), max_size=4)))
    budget = draw(st.integers(0, 12))
    return field.terrain(), start, budget, size, blocked


def dijkstra(terrain, start, budget, size, blocked):
    """{space: (cost, diagonals)} by the plainest search there is."""
    best = {}
    queue = [(0, 0, start)]
    while queue:
        cost, diagonals, cell = heapq.heappop(queue)
        if cell in best:
            continue
        best[cell] = (cost, diagonals)
        for there, step in terrain.neighbours(cell, size):
            if cost + step <= budget and not terrain.footprint(there, size) & blocked:
                slanted = step_is_slanted(terrain, cell, there)
                heapq.heappush(queue, (cost + step, diagonals + slanted, there))
    return best


def step_is_slanted(terrain, a, b):
    (ax, ay), (bx, by) = terrain.field.at(a), terrain.field.at(b)
    return ax != bx and ay != by


@given(searches())
def test_reach_agrees_with_a_plain_search(search):
    terrain, start, budget, size, blocked = search
    expected = dijkstra(terrain, start, budget, size, blocked)
    found = reach(terrain, start, budget, size=size, blocked=blocked)
    assert found.cost == {cell: cost for cell, (cost, _) in expected.items()}
    assert found.cells == board_of(expected) & ~(1 << start)
    assert found.paths() == [found.path(cell) for cell in cells_of(found.cells)]
    everywhere = distances(terrain, start, size, blocked)
    for cell, (cost, diagonals) in expected.items():
        path = found.path(cell)
        assert path_cost(terrain, start, path, size) == cost == everywhere[cell]
        steps = zip((start, *path), path, strict=False)
        assert sum(step_is_slanted(terrain, a, b) for a, b in steps) == diagonals


def test_the_path_to_a_space_on_a_path_is_its_beginning():
    field = Field.from_rows(["..~....", ".#...~.", "...#...", "~....#."])
    found = reach(field.terrain(), field.cell(0, 0), 20)
    for cell in cells_of(found.cells):
        path = found.path(cell)
        assert all(found.path(space) == path[: i + 1] for i, space in enumerate(path))


@given(st.integers(0, 99), st.integers(0, 8), st.integers(1, 2), st.sets(st.integers(0, 599), max_size=200))
def test_reach_on_a_high_map_sees_only_its_own_rows_and_nothing_else_changes(row, budget, size, walls):
    text = "".join("#" if i in walls else "~" if i % 7 == 3 else "." for i in range(600))
    field = Field.from_rows([text[i : i + 6] for i in range(0, 600, 6)])
    terrain, start = field.terrain(), field.cell(2, row)
    expected = dijkstra(terrain, start, budget, size, 0)
    assert reach(terrain, start, budget, size=size).cost == {cell: cost for cell, (cost, _) in expected.items()}


@given(searches())
def test_steps_that_cost_nothing_are_no_steps(search):
    terrain, start, _, size, _ = search
    legal = dict(terrain.neighbours(start, size))
    for cell in range(terrain.field.width * terrain.field.height):
        assert step_cost(terrain, start, Cell(cell), size) == legal.get(cell, 0)
        assert (path_fault(terrain, start, [Cell(cell)], size) is None) == (cell in legal)


def test_one_route_is_the_path_that_all_of_them_would_give():
    """Drawn grounds, somebody in the way: asking for one space gives what asking for all gives."""
    random = Random(7)
    for _ in range(20):
        rows = ["".join(random.choice("....~#") for _ in range(12)) for _ in range(9)]
        terrain = Field.from_rows(rows).terrain()
        start = random.randrange(12 * 9)
        if not terrain.fits(Cell(start)):
            continue
        others = board_of(random.sample(terrain.field.cells, 8)) & ~(1 << start)
        found = reach(terrain, Cell(start), 6, blocked=others, final=others & -others)
        assert all(found.route(cell) == found.path(cell) for cell in found.cost)


def test_spread_counts_from_the_nearest_source():
    terrain = Field.from_rows(["......", ".##...", "......"]).terrain()
    layers = spread(terrain, Bitboard(1 << 0 | 1 << 17), 9)
    nearest = [min(distances(terrain, Cell(0))[cell], distances(terrain, Cell(17))[cell]) for cell in range(18)]
    for cost, layer in enumerate(layers):
        assert cells_of(layer) == [cell for cell in range(18) if nearest[cell] == cost]


def test_a_door_far_off_changes_no_way_and_one_at_hand_does():
    """Ways are remembered across doors: what was found with one door open must hold with others, or be found anew."""
    rows = ["#" * 24, *("#" + "." * 7 + "+" + "." * 14 + "#" for _ in range(2)), "#" * 24]
    random = Random(3)
    field = Field.from_rows(rows)
    for _ in range(60):
        doors = random.randrange(1 << len(field.doors))
        start = field.cell(random.randrange(1, 23), 1)
        terrain, fresh = field.terrain(doors), Field.from_rows(rows).terrain(doors)
        if not terrain.fits(start):
            continue
        found, expected = reach(terrain, start, 6), reach(fresh, start, 6)
        assert found.cost == expected.cost
        assert found.paths() == expected.paths()


def test_smaller_budgets_share_the_ways_of_larger_ones():
    field = Field.from_rows(["........", "..~~.#..", "........"])
    for first, second in ((6, 3), (3, 6), (2, 5)):
        terrain, fresh = field.terrain(), Field.from_rows(["........", "..~~.#..", "........"]).terrain()
        reach(terrain, Cell(8), first).paths()
        assert reach(terrain, Cell(8), second).paths() == reach(fresh, Cell(8), second).paths()
        assert set(reach(terrain, Cell(8), first).cost) >= set(reach(terrain, Cell(8), min(first, second)).cost)


@given(searches(), st.lists(st.integers(0, 16), min_size=1, max_size=4), st.sets(st.integers(0, 80), max_size=5))
def test_ways_past_others_are_what_they_would_be_without_the_ways_over_open_ground(search, budgets, last):
    """Whoever stands in the way changes the ways behind him alone; the others are taken from the ground without him."""
    terrain, start, _, size, blocked = search
    final = board_of(cell for cell in last if terrain.fits(Cell(cell), size)) & ~(1 << start)
    fresh = _Ways(terrain, start, max(budgets), size, closed=terrain.touching(blocked, size) & ~final, final=final)
    expected = fresh.paths(max(budgets))
    for budget in budgets:
        found = reach(terrain, start, budget, size=size, blocked=blocked, final=final)
        assert found.paths() == [expected[cell] for cell in cells_of(found.cells)]
        assert [found.route(cell) for cell in cells_of(found.cells)] == found.paths()
