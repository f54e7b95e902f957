"""A place of several maps on one sheet (docs/record.md, docs/maps.md): where they lie, what crosses between them."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from rules.board import sight
from rules.board.bitboard import cells_of
from rules.board.fixtures import Challenge, Door, Goal
from rules.board.grid import EdgeWall, Field, Ground, Light
from rules.board.places import GAP, Part, Room, Stair
from rules.board.sheet import Cut, Sheet, joined_field
from rules.contract.errors import BattlematError
from rules.contract.units import EMPTY, Bitboard, Cell

TOP = Field.from_rows(["....", ".+..", "...."], title="Church")
CELLAR = Field.from_rows(["..", ".+", "..", ".."], title="Crypt")


def place(*fields: Field, stairs: tuple[Stair, ...] = ()) -> Field:
    return joined_field([field.title.lower() or f"map {n}" for n, field in enumerate(fields)], fields, stairs)


def spots(field: Field, board: Bitboard) -> set[tuple[int, int]]:
    return {field.at(cell) for cell in cells_of(board)}


def test_maps_lie_below_one_another_with_void_between() -> None:
    field = place(TOP, CELLAR)
    assert [(p.name, p.title, p.top, p.rows, p.columns) for p in field.maps] == [
        ("church", "Church", 0, 3, 4), ("crypt", "Crypt", 3 + GAP, 4, 2),
    ]  # fmt: skip
    assert (field.width, field.height) == (4, 3 + GAP + 4)
    between = {field.ground[field.cell(x, y)] for x in range(4) for y in range(3, 3 + GAP)}
    beside = {field.ground[field.cell(x, y)] for x in (2, 3) for y in range(3 + GAP, field.height)}
    assert between == beside == {Ground.VOID}
    assert field.part(field.cell(1, 1)).name == "church" and field.part(field.cell(1, 3 + GAP)).name == "crypt"
    assert spots(field, field.spaces_of(field.maps[1])) == {(x, y) for x in (0, 1) for y in range(28, 32)}


def test_a_single_map_is_one_part_of_itself() -> None:
    assert TOP.maps == () and TOP.part(Cell(5)) == Part("", "Church", 0, 3, 4)


def test_doors_of_one_name_get_the_name_of_their_map() -> None:
    field = place(TOP, CELLAR)
    assert [(door.id, field.at(door.cell)) for door in field.doors] == [
        ("door 1,1", (1, 1)), ("door 1,1 (Crypt)", (1, 29)),
    ]  # fmt: skip


def test_a_third_door_of_one_name_in_maps_of_one_title_gets_a_number() -> None:
    field = joined_field(["a", "b", "c"], [TOP, TOP, TOP])
    assert [door.id for door in field.doors] == ["door 1,1", "door 1,1 (Church)", "door 1,1 (Church, 2)"]


def test_everything_on_a_map_is_moved_with_it() -> None:
    thing = replace(
        CELLAR, climbs=Bitboard(1), exits=Bitboard(2), edges=(EdgeWall(Cell(0), Cell(2)),), lights=(Light(Cell(3), 2),),
        challenges=(Challenge("pit", "climb", (Cell(4), Cell(6)), edges=((Cell(4), Cell(6)),)),),
        rooms=(Room("Vault", Bitboard(0b1100)),), safe=Bitboard(1 << 7), levels=(0, 0, 1, 1, 0, 0, 0, 0),
        doors=(Door("thin", Cell(5), Cell(7)),),
    )  # fmt: skip
    field = place(TOP, thing)
    at = field.cell
    assert spots(field, field.climbs) == {(0, 28)} and spots(field, field.exits) == {(1, 28)}
    assert field.edges == (EdgeWall(at(0, 28), at(0, 29)),) and field.lights == (Light(at(1, 29), 2),)
    assert field.challenges[0].cells == (at(0, 30), at(0, 31)) == field.challenges[0].edges[0]
    assert spots(field, field.rooms[0].cells) == {(0, 29), (1, 29)} and spots(field, field.safe) == {(1, 31)}
    assert [field.level(at(0, y)) for y in (28, 29, 30)] == [0, 1, 0] and field.level(at(0, 1)) == 0
    assert (field.doors[1].cell, field.doors[1].edge) == (at(1, 30), at(1, 31))


def test_nobody_walks_or_sees_from_map_to_map_not_even_along_the_edge() -> None:
    field = place(Field.from_rows(["...", "..."]), Field.from_rows(["...", "..."]))
    terrain = field.terrain()
    for column in range(3):
        here, there = field.cell(column, 1), field.cell(column, 2 + GAP)
        assert sight.grade(terrain, here, there) == sight.Grade.NONE == sight.grade(terrain, there, here)
        seen = spots(field, sight.visible(terrain, here))
        assert {(x, y) for x in range(3) for y in (0, 1)} <= seen and all(y <= 3 for _, y in seen)


def test_the_two_ends_of_one_map_see_each_other_along_its_edge_as_ever() -> None:
    rows = [".##", "...", ".##", "..."]
    alone, field = Field.from_rows(rows), place(TOP, Field.from_rows(rows))
    a, b = alone.cell(0, 0), alone.cell(0, 3)
    down = 3 + GAP
    assert sight.grade(alone.terrain(), a, b) == sight.grade(
        field.terrain(), field.cell(0, down), field.cell(0, down + 3)
    )


@given(st.data())
def test_on_the_sheet_each_map_sees_and_walks_as_it_does_alone(data: Any) -> None:
    rows = st.lists(st.text("..#~+'", min_size=5, max_size=5), min_size=3, max_size=4)
    alone = Field.from_rows(data.draw(rows))
    field = place(TOP, alone, CELLAR)
    cut = Cut(field, field.maps[1])
    cell = Cell(data.draw(st.integers(0, alone.width * alone.height - 1)))
    there = field.cell(*(alone.at(cell)[0], alone.at(cell)[1] + field.maps[1].top))
    assert cut.cell(there) == cell
    seen = sight.visible(alone.terrain(), cell)
    assert cut.board(sight.visible(field.terrain(), there)) == seen
    ways = {cut.cell(goal): cost for goal, cost in field.terrain().neighbours(there)}
    assert ways == dict(alone.terrain().neighbours(cell))


def test_a_map_cut_out_again_is_the_map_that_was_put_in() -> None:
    field = place(TOP, CELLAR)
    cut = Cut(field, field.maps[1])
    assert cut.doors == (1,)
    door = replace(CELLAR.doors[0], id="door 1,1 (Crypt)")
    assert cut.field == replace(CELLAR, doors=(door,))


def test_stairs_are_no_exits() -> None:
    top = replace(TOP, exits=Bitboard(0b11))
    assert place(top, CELLAR, stairs=(Stair(Cell(0), Cell(4 * 28)),)).exits == 0b10


@pytest.mark.parametrize(
    "ambients, whole, lit, brightly",
    [
        (("bright", "bright"), "bright", {0, 1}, {0, 1}),
        (("bright", "dark"), "dark", {0}, {0}),
        (("dim", "dark"), "dark", {0}, set()),
        (("bright", "dim"), "dim", {0, 1}, {0}),
    ],
)
def test_each_map_is_as_light_as_it_is_alone(
    ambients: tuple[str, str], whole: str, lit: set[int], brightly: set[int]
) -> None:
    field = place(*(replace(each, ambient=how) for each, how in zip((TOP, CELLAR), ambients, strict=True)))
    assert field.ambient == whole
    terrain = field.terrain()
    for number, part in enumerate(field.maps):
        own = field.spaces_of(part)
        assert sight.lit(terrain) & own == (own if number in lit else EMPTY)
        assert sight.lit_brightly(terrain) & own == (own if number in brightly else EMPTY)


def test_a_light_in_the_dark_map_shines_there_beside_the_other_maps_day() -> None:
    dark = replace(CELLAR, ambient="dark", lights=(Light(Cell(0), 1),))
    field = place(TOP, dark)
    lit = sight.lit(field.terrain())
    assert spots(field, lit & field.spaces_of(field.maps[1])) >= {(0, 28), (1, 28), (0, 29)}
    assert not lit >> field.cell(0, 31) & 1


@pytest.mark.parametrize(
    "sizes, words",
    [
        ([], "0 maps"),
        ([("a", 2, 2)] * 13, "13 maps"),
        ([("a", 2, 2), ("a", 2, 2)], "comes twice"),
        ([("a", 2, 300), ("b", 2, 300)], "625 rows"),
    ],
)
def test_what_is_no_place_is_said_in_one_line(sizes: list[tuple[str, int, int]], words: str) -> None:
    with pytest.raises(BattlematError, match=words):
        Sheet(sizes)


def test_parts_that_overlap_and_stairs_off_the_field_are_refused() -> None:
    for wrong in (
        {"maps": (Part("a", "", 0, 2, 4), Part("b", "", 1, 2, 4))}, {"maps": (Part("a", "", 0, 4, 4),)},
        {"maps": (Part("a", "", 0, 3, 5),)}, {"stairs": (Stair(Cell(0), Cell(12)),)},
        {"stairs": (Stair(Cell(0), Cell(1), "rope"),)},
    ):  # fmt: skip
        with pytest.raises(BattlematError):
            replace(TOP, **wrong)


def test_the_smallest_room_about_a_space_is_the_one_it_is_in() -> None:
    field = replace(
        TOP, rooms=(Room("Nave", Bitboard(0xFFF)), Room("Niche", Bitboard(0b11)), Room("Font", Bitboard(0b1100)))
    )
    assert [getattr(field.room(Cell(cell)), "name", None) for cell in (0, 2, 8)] == ["Niche", "Font", "Nave"]
    assert TOP.room(Cell(0)) is None


def test_goals_go_with_their_map_and_keep_to_what_they_name() -> None:
    goals = (
        Goal("gate", "end", "door 1,1"), Goal("relic", "fetch", "silver cross", needs=("gate", "oath")),
        Goal("font", "reach", cells=(Cell(3),)),
    )  # fmt: skip
    above = replace(TOP, goals=(Goal("gate", "end", "door 1,1"), Goal("oath", "out")))
    found = place(above, replace(CELLAR, goals=goals)).goals
    assert [(goal.name, goal.what, goal.needs) for goal in found] == [
        ("gate", "door 1,1", ()), ("oath", "", ()), ("gate (Crypt)", "door 1,1 (Crypt)", ()),
        ("relic", "silver cross", ("gate (Crypt)", "oath")), ("font", "", ()),
    ]  # fmt: skip
    assert found[-1].cells == (4 * 29 + 1,)


@pytest.mark.parametrize(
    "titles, whole, parts",
    [
        (("The Abbey: Church", "The Abbey: Crypt"), "The Abbey", ["Church", "Crypt"]),
        (("The Abbey: Church", "The Mill: Crypt"), "The Abbey: Church", ["The Abbey: Church", "The Mill: Crypt"]),
        (("Church", "Crypt"), "Church", ["Church", "Crypt"]),
        (("The Abbey: Church", "The Abbey"), "The Abbey: Church", ["The Abbey: Church", "The Abbey"]),
    ],
)
def test_what_titles_have_alike_is_the_places(titles: tuple[str, str], whole: str, parts: list[str]) -> None:
    field = joined_field(["a", "b"], [replace(TOP, title=title) for title in titles])
    assert field.title == whole and [part.title for part in field.maps] == parts


def test_a_space_is_called_by_its_columns_and_rows_on_its_own_map() -> None:
    field = place(TOP, CELLAR)
    assert field.words(1, 2) == "column 2, row 3" and field.words(1, 29) == "column 2, row 2"
    assert field.on_map(1, 29) and not field.on_map(3, 29) and not field.on_map(1, 10) and not field.on_map(1, 40)
    assert TOP.on_map(3, 2) and not TOP.on_map(4, 2) and TOP.words(0, 0) == "column 1, row 1"
