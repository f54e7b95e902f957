"""Spaces, terrain and single steps (olde.md §5, record.md)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.board.bitboard import board_of, cells_of
from rules.board.fixtures import Door
from rules.board.grid import EdgeWall, Field, Ground, Light, beside, place_words
from rules.contract.errors import BattlematError
from rules.contract.units import Bitboard, Cell

ROWS = ["#####", "#.~.#", "#+#'#", "#. .#", "#####"]


def at(field, *places):
    return {field.cell(*place) for place in places}


def steps_from(field, column, row, size=1):
    return {field.at(cell): cost for cell, cost in field.terrain().neighbours(field.cell(column, row), size)}


def test_rows_map_their_symbols():
    field = Field.from_rows(ROWS, title="hall", lights=[Light(Cell(6), 3)])
    assert (field.width, field.height, field.title, field.lights) == (5, 5, "hall", (Light(Cell(6), 3),))
    kinds = [field.ground[field.cell(*place)] for place in ((0, 0), (1, 1), (2, 1), (1, 2), (3, 2), (2, 3))]
    assert kinds == [Ground.BLOCKED, Ground.OPEN, Ground.DIFFICULT, Ground.OPEN, Ground.OPEN, Ground.VOID]
    assert [(field.at(door.cell), door.state) for door in field.doors] == [((1, 2), "closed"), ((3, 2), "open")]
    assert field.doors_open == 0b10
    assert field.at(field.cell(3, 4)) == (3, 4)
    assert field.inside(4, 4) and not field.inside(5, 0) and not field.inside(0, -1)


@pytest.mark.parametrize(
    "rows, words",
    [
        ([], "empty"),
        ([""], "empty"),
        (["...", ".."], "row 1 has 2 columns, row 0 has 3"),
        (["..", ".x"], "row 1, column 1: unknown symbol 'x'"),
        (["." * 513], "at most 512 × 512"),
        (["."] * 513, "at most 512 × 512"),
    ],
)
def test_bad_rows_get_one_clear_line(rows, words):
    with pytest.raises(BattlematError, match=words) as caught:
        Field.from_rows(rows)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "parts, words",
    [
        ({"edges": [EdgeWall(Cell(0), Cell(5))]}, "share no edge"),
        ({"edges": [EdgeWall(Cell(3), Cell(4))]}, "share no edge"),  # the end of one row and the start of the next
        ({"edges": [EdgeWall(Cell(0), Cell(99))]}, "not between two spaces"),
        ({"doors": [Door("gate", Cell(0), Cell(2))]}, "door gate: .*share no edge"),
        ({"doors": [Door("gate", Cell(12))]}, "door gate: space 12 is not on the map"),
        ({"doors": [Door("gate", Cell(0), state="ajar")]}, "door gate: unknown state 'ajar'"),
        ({"levels": ["0000"]}, "1 rows where the map has 3"),
        ({"levels": ["0000", "000", "0000"]}, "row 1 has 3 columns"),
        ({"levels": ["0000", "0a00", "0000"]}, "row 1, column 1: 'a' is no digit"),
    ],
)
def test_parts_that_do_not_fit_the_map_are_refused(parts, words):
    with pytest.raises(BattlematError, match=words):
        Field.from_rows(["....", "....", "...."], **parts)


def test_a_field_checks_its_own_sizes():
    with pytest.raises(BattlematError, match="3 spaces of ground where 4 belong"):
        Field(width=2, height=2, ground=b"\0\0\0")
    with pytest.raises(BattlematError, match="ground 9 is unknown"):
        Field(width=2, height=1, ground=b"\0\x09")
    with pytest.raises(BattlematError, match="not on the map: columns 0 to 4"):
        Field.from_rows(ROWS).cell(5, 0)


def test_walls_voids_and_closed_doors_block_movement_and_sight():
    field = Field.from_rows(ROWS)
    terrain = field.terrain()
    door = at(field, (1, 2))
    assert board_of(door) & terrain.blocked and board_of(door) & terrain.opaque
    assert terrain.pits == board_of(at(field, (2, 3)))
    assert terrain.blocked == terrain.opaque
    opened = field.terrain(0b11)
    assert terrain.blocked ^ opened.blocked == board_of(door) == terrain.opaque ^ opened.opaque


def test_a_terrain_is_remembered_per_set_of_open_doors():
    field = Field.from_rows(ROWS)
    assert field.terrain() is field.terrain(0b10)
    assert field.terrain(0b11) is not field.terrain(0b10)
    assert field.terrain(0b11).doors_open == 0b11


def test_steps_come_in_a_fixed_order_and_diagonals_cost_one():
    field = Field.from_rows(["...", "...", "..."])
    order = [field.at(cell) for cell, _ in field.terrain().neighbours(Cell(4))]
    assert order == [(1, 0), (2, 1), (1, 2), (0, 1), (2, 0), (2, 2), (0, 2), (0, 0)]
    assert all(cost == 1 for _, cost in field.terrain().neighbours(Cell(4)))


def test_no_step_leaves_the_map_or_wraps_round_it():
    field = Field.from_rows(["...", "...", "..."])
    assert steps_from(field, 2, 1).keys() == {(2, 0), (2, 2), (1, 1), (1, 0), (1, 2)}
    assert steps_from(field, 0, 0).keys() == {(1, 0), (0, 1), (1, 1)}


def test_difficult_ground_costs_two_to_enter():
    field = Field.from_rows(["..~"])
    assert steps_from(field, 1, 0) == {(0, 0): 1, (2, 0): 2}
    assert steps_from(field, 2, 0) == {(1, 0): 1}


@pytest.mark.parametrize("rows", [[".#", ".."], ["..", "#."], [". ", ".."], [".+", ".."]])
def test_a_diagonal_cuts_no_corner_of_wall_void_or_door(rows):
    field = Field.from_rows(rows)
    assert (1, 1) not in steps_from(field, 0, 0)
    assert (0, 0) not in steps_from(field, 1, 1)


def test_an_open_door_leaves_its_corners_free():
    assert (1, 1) in steps_from(Field.from_rows([".'", ".."]), 0, 0)


@pytest.mark.parametrize("wall", [(0, 1), (1, 3), (2, 3), (0, 2)])
def test_a_thin_wall_stops_steps_across_it_and_diagonals_round_it(wall):
    field = Field.from_rows(["..", ".."], edges=[EdgeWall(*wall)])
    terrain = field.terrain()
    legal = {(a, b) for a in range(4) for b, _ in terrain.neighbours(Cell(a))}
    across = {wall, wall[::-1]}
    orthogonal = {(0, 1), (1, 0), (2, 3), (3, 2), (0, 2), (2, 0), (1, 3), (3, 1)}
    assert legal == orthogonal - across


def test_a_thin_wall_may_stop_sight_only():
    field = Field.from_rows(["..", ".."], edges=[EdgeWall(Cell(0), Cell(1), move=False)])
    assert len(steps_from(field, 0, 0)) == 3


def test_a_thin_door_is_a_wall_until_it_opens():
    field = Field.from_rows(["..", ".."], doors=[Door("gate", Cell(0), Cell(1), state="locked")])
    assert [cell for cell, _ in field.terrain().neighbours(Cell(0))] == [2]
    assert [cell for cell, _ in field.terrain(1).neighbours(Cell(0))] == [1, 2, 3]


def test_a_field_one_column_wide_tells_south_from_east():
    field = Field.from_rows([".", ".", "."], edges=[EdgeWall(Cell(1), Cell(0))])
    assert [cell for cell, _ in field.terrain().neighbours(Cell(1))] == [2]


def test_another_level_is_no_step_and_a_ledge_is_a_corner():
    field = Field.from_rows(["...", "..."], levels=["001", "000"])
    assert steps_from(field, 1, 0).keys() == {(0, 0), (0, 1), (1, 1)}
    assert (2, 0) not in steps_from(field, 1, 1)


def test_stairs_join_levels_both_ways_but_not_two_at_once():
    field = Field.from_rows(["....", "...."], levels=["0012", "0012"], climbs=[Cell(1), Cell(2), Cell(6)])
    terrain = field.terrain()
    assert terrain.climbs_from(Cell(1)) == (2, 6)
    assert terrain.climbs_from(Cell(2)) == (3, 1, 7, 5)
    assert terrain.climbs_from(Cell(0)) == ()
    two = Field.from_rows([".."], levels=["02"], climbs=[Cell(0)]).terrain()
    assert two.climbs_from(Cell(0)) == ()


def test_a_thin_wall_or_a_corner_stops_a_climb():
    walled = Field.from_rows(["..", ".."], levels=["01", "01"], climbs=[Cell(0)], edges=[EdgeWall(Cell(0), Cell(1))])
    assert walled.terrain().climbs_from(Cell(0)) == ()
    rows, levels = ["..", ".."], ["00", "11"]
    south = Field.from_rows(rows, levels=levels, climbs=[Cell(0), Cell(1)], edges=[EdgeWall(Cell(0), Cell(2))])
    assert (south.terrain().climbs_from(Cell(0)), south.terrain().climbs_from(Cell(1))) == ((), (3,))
    cornered = Field.from_rows([".#", ".."], levels=["01", "01"], climbs=[Cell(0)])
    assert cornered.terrain().climbs_from(Cell(0)) == ()
    free = Field.from_rows(["..", ".."], levels=["01", "01"], climbs=[Cell(0)])
    assert free.terrain().climbs_from(Cell(0)) == (1, 3)
    assert free.terrain().climbs_from(Cell(2)) == ()  # a ledge without stairs


def test_large_creatures_need_all_their_spaces_on_one_level_without_walls_between():
    field = Field.from_rows(["....", "....", "..#."])
    terrain = field.terrain()
    assert terrain.fits(Cell(0), 2) and not terrain.fits(Cell(5), 2) and not terrain.fits(Cell(3), 2)
    assert terrain.space(Cell(1), 2) == (1, 2, 5, 6)
    assert terrain.footprint(Cell(1), 2) == board_of((Cell(1), Cell(2), Cell(5), Cell(6)))
    with pytest.raises(BattlematError, match="leaves the map"):
        terrain.space(Cell(3), 2)
    assert not Field.from_rows(["..", ".."], edges=[EdgeWall(Cell(0), Cell(1))]).terrain().fits(Cell(0), 2)
    assert not Field.from_rows(["..", ".."], levels=["00", "01"]).terrain().fits(Cell(0), 2)


def test_large_creatures_cut_no_corner_as_a_block_and_slow_down_on_any_difficult_space():
    assert (1, 1) not in steps_from(Field.from_rows(["..#", "...", "..."]), 0, 0, 2)
    assert (1, 1) in steps_from(Field.from_rows(["...", "...", "..."]), 0, 0, 2)
    assert steps_from(Field.from_rows(["..~.", "...."]), 0, 0, 2) == {(1, 0): 2}


def test_a_thin_wall_stops_a_block_that_would_be_cut_by_it():
    field = Field.from_rows(["....", "...."], edges=[EdgeWall(Cell(5), Cell(6))])
    assert steps_from(field, 0, 0, 2) == {}


@pytest.mark.parametrize(
    "b, sizes, spaces",
    [((3, 1), (1, 1), 3), ((0, 0), (1, 1), 0), ((3, 4), (1, 1), 4), ((3, 0), (2, 1), 2), ((1, 1), (2, 2), 0)],
)
def test_distance_counts_diagonals_as_one_from_the_nearest_spaces(b, sizes, spaces):
    field = Field.from_rows(["......"] * 6)
    here, there = field.cell(0, 0), field.cell(*b)
    assert field.terrain().distance(here, there, *sizes) == spaces
    assert field.terrain().distance(there, here, *sizes[::-1]) == spaces


def test_touching_names_where_a_large_creature_would_cover_a_space():
    terrain = Field.from_rows(["...", "...", "..."]).terrain()
    assert cells_of(terrain.touching(Bitboard(1 << 4), 2)) == [0, 1, 3, 4]
    assert terrain.touching(Bitboard(1 << 4)) == 1 << 4


@pytest.mark.parametrize("cell, spaces, size", [(0, 0, 1), (0, 2, 1), (23, 1, 1), (8, 1, 2), (14, 9, 1), (9, 0, 2)])
def test_within_are_the_spaces_at_no_greater_distance(cell, spaces, size):
    terrain = Field.from_rows(["......"] * 4).terrain()
    near = {other for other in range(24) if terrain.distance(cell, Cell(other), size) <= spaces}
    assert cells_of(terrain.within(cell, spaces, size)) == sorted(near)
    assert terrain.within(cell, -1, size) == 0


@given(st.sets(st.integers(0, 700)))
def test_boards_and_spaces_are_two_forms_of_one_set(cells):
    assert cells_of(board_of(cells)) == sorted(cells)


# ------------------------------------------------------- against the words of the rule, step by step


@st.composite
def fields(draw, symbols="...~#"):
    width, height = draw(st.integers(1, 6)), draw(st.integers(1, 6))
    rows = [draw(st.text(symbols, min_size=width, max_size=width)) for _ in range(height)]
    digits = [draw(st.text("0001", min_size=width, max_size=width)) for _ in range(height)]
    pairs = [(c, c + 1) for c in range(width * height) if (c + 1) % width]
    pairs += [(c + width, c) for c in range(width * (height - 1))]
    edges = draw(st.lists(st.sampled_from(pairs), unique=True, max_size=6)) if pairs else []
    levels = digits if draw(st.booleans()) else None
    return Field.from_rows(rows, levels=levels, edges=[EdgeWall(*pair) for pair in edges])


def has_room(field, places):
    walls = {frozenset((wall.a, wall.b)) for wall in field.edges}
    if not all(field.inside(*place) for place in places):
        return False
    cells = [field.cell(*place) for place in places]
    return (
        all(field.ground[c] < Ground.BLOCKED for c in cells)
        and len({field.level(c) for c in cells}) == 1
        and not any(frozenset((a, b)) in walls for a in cells for b in cells)
    )


def block(x, y, size):
    return [(x + i, y + j) for i in range(size) for j in range(size)]


def can_step(field, x, y, dx, dy, size):
    """An orthogonal step sweeps two blocks that must be room together; a diagonal is two such, both ways round."""
    if dx and dy:
        return all(
            can_step(field, x, y, i, j, size) and can_step(field, x + i, y + j, dx - i, dy - j, size)
            for i, j in ((dx, 0), (0, dy))
        )
    return has_room(field, block(x, y, size) + block(x + dx, y + dy, size))


@given(fields(), st.integers(1, 3))
def test_neighbours_are_just_the_legal_steps(field, size):
    terrain = field.terrain()
    for cell in range(field.width * field.height):
        x, y = field.at(cell)
        assert terrain.fits(cell, size) == has_room(field, block(x, y, size))
        expected = {}
        for dx, dy in [(i, j) for i in (-1, 0, 1) for j in (-1, 0, 1) if i or j]:
            if can_step(field, x, y, dx, dy, size):
                entered = [field.ground[field.cell(*place)] for place in block(x + dx, y + dy, size)]
                expected[field.cell(x + dx, y + dy)] = 2 if Ground.DIFFICULT in entered else 1
        assert dict(terrain.neighbours(cell, size)) == expected


def test_people_count_columns_and_rows_from_one() -> None:
    assert place_words(0, 4) == "column 1, row 5"


def test_beside_are_the_spaces_that_touch_one_and_none_beyond_the_edge() -> None:
    field = Field.from_rows(["....", "....", "...."])
    for cell in range(12):
        x, y = field.at(Cell(cell))
        around = {(x + dx, y + dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1)}
        inside = {field.cell(*place) for place in around if field.inside(*place)}
        assert beside(board_of([Cell(cell)]), 4, 3) == board_of(inside)
