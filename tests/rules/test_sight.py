"""Lines of sight: the examples and the words of olde.md §5, and a brute force in fractions."""

from fractions import Fraction
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.board import sight_fan
from rules.board.bitboard import cells_of
from rules.board.fixtures import Door
from rules.board.grid import EdgeWall, Field
from rules.board.sight import Grade, _by_glimpses, _by_view, explain, grade, visible
from rules.board.sight_fan import memo_of, view
from rules.contract.units import Bitboard, Cell
from tests.rules.sight_by_fractions import Judge


def scene(*rows, **parts):
    """A field from rows with an A and a T in them, and their spaces."""
    joined = "".join(rows)
    field = Field.from_rows([row.replace("A", ".").replace("T", ".") for row in rows], **parts)
    return field.terrain(), joined.index("A"), joined.index("T")


@pytest.mark.parametrize(
    "rows, expected",
    [
        (["A....", "..#.T"], Grade.PARTIAL),
        (["A....", "..#.T", "....."], Grade.PARTIAL),
        ([".....", "A.#.T", "....."], Grade.MINIMAL),
        ([".#.", "A#T", "..."], Grade.MINIMAL),
        (["A#", "#T"], Grade.NONE),
        (["A#", ".T"], Grade.CLEAR),
        (["A.T"], Grade.CLEAR),
        (["AT"], Grade.CLEAR),
        (["###", "A#T", "###"], Grade.NONE),
        (["A T"], Grade.MINIMAL),
        (["# #", "A T", "# #"], Grade.NONE),
        (["#+#", "A+T", "#+#"], Grade.NONE),
        (["#'#", "A'T", "#'#"], Grade.CLEAR),
        (["A.....T", "..~~~.."], Grade.CLEAR),
    ],
)
def test_the_rules_examples(rows, expected):
    terrain, a, t = scene(*rows)
    assert grade(terrain, a, t) is expected
    assert explain(terrain, a, t).grade is expected


def test_partial_need_not_be_symmetric():
    terrain, a, t = scene("A#..", "...T")
    assert grade(terrain, a, t) is Grade.MINIMAL
    assert grade(terrain, t, a) is Grade.PARTIAL


def test_a_space_sees_itself():
    terrain, a, _ = scene("A#", "#T")
    assert grade(terrain, a, a) is Grade.CLEAR


def test_who_stands_inside_something_opaque_is_seen_at_its_rim_only():
    field = Field.from_rows(["...", "..."])
    hidden = Field(width=3, height=2, ground=field.ground, opaque=Bitboard(1 << 1))
    assert grade(hidden.terrain(), Cell(0), Cell(1)) is Grade.PARTIAL
    assert grade(hidden.terrain(), Cell(1), Cell(0)) is Grade.MINIMAL


def test_the_seam_of_a_wall_is_solid():
    # the only line from A's upper edge to T's runs along the seam between the two rows of wall
    terrain, a, t = scene("##.##", "..#..", "A.#.T", "..#..", "..#..")
    assert grade(terrain, a, t) is Grade.NONE


# ------------------------------------------------------------------------------- thin walls and doors


def walled(rows, *pairs):
    width = len(rows[0])
    return scene(*rows, edges=[EdgeWall(y * width + x, v * width + u) for x, y, u, v in pairs])


def test_a_thin_wall_between_two_spaces_leaves_its_free_tips_to_look_past():
    assert grade(*walled(["....", ".AT.", "...."], (1, 1, 2, 1))) is Grade.PARTIAL


def test_a_thin_wall_three_spaces_long_hides_what_is_right_behind_it():
    assert grade(*walled(["....", ".AT.", "...."], (1, 0, 2, 0), (1, 1, 2, 1), (1, 2, 2, 2))) is Grade.NONE


def test_a_thin_wall_that_ends_at_the_maps_end_has_no_tip_there():
    assert grade(*walled(["AT"], (0, 0, 1, 0))) is Grade.NONE
    assert grade(*walled(["AT", ".."], (0, 0, 1, 0))) is Grade.PARTIAL


def test_two_thin_walls_that_meet_close_the_corner():
    rows = ["....", ".A..", "..T.", "...."]
    assert grade(*walled(rows)) is Grade.CLEAR
    assert grade(*walled(rows, (1, 1, 2, 1))) is Grade.CLEAR  # centre to centre touches only its tip
    assert grade(*walled(rows, (1, 1, 2, 1), (1, 1, 1, 2))) is Grade.MINIMAL


def test_a_thin_wall_that_meets_a_square_closes_the_corner():
    rows = ["....", ".A..", ".#T.", "...."]
    assert grade(*walled(rows)) is Grade.CLEAR  # grazing the square's corner
    assert grade(*walled(rows, (1, 1, 1, 2))) is Grade.CLEAR  # the wall runs along the square
    assert grade(*walled(rows, (1, 1, 2, 1))) < Grade.CLEAR  # the wall goes on from the square's corner


def test_a_line_along_a_thin_wall_is_obstructed():
    field = Field.from_rows(["...", "..."], edges=[EdgeWall(Cell(1), Cell(4))])
    line = memo_of(field.terrain()).lines[2]
    assert [x for x in range(7) if line >> x & 1] == [3]


def test_a_ground_forgets_views_before_they_fill_the_memory(monkeypatch):
    terrain = Field.from_rows(["....", ".#..", "...."]).terrain()
    whole = [view(terrain, Cell(cell)) for cell in range(12)]
    memo = memo_of(terrain)
    memo.views.clear()
    monkeypatch.setattr(sight_fan, "_FANS_KEPT", 3 * 12 * 4)  # bits of three views
    for cell in (*range(12), *range(12)):
        assert view(terrain, Cell(cell)) == whole[cell]
        assert len(memo.views) <= 4


def test_a_thin_door_stops_sight_until_it_opens():
    door = Door("gate", Cell(1), Cell(2))
    field = Field.from_rows(["#####", ".....", "#####"], doors=[Door("gate", Cell(6), Cell(7))])
    assert door.state == "closed"
    assert grade(field.terrain(), Cell(5), Cell(8)) is Grade.NONE
    assert grade(field.terrain(1), Cell(5), Cell(8)) is Grade.CLEAR


def test_a_thin_wall_may_leave_sight_free():
    field = Field.from_rows(["..."], edges=[EdgeWall(Cell(0), Cell(1), sight=False)])
    assert grade(field.terrain(), Cell(0), Cell(2)) is Grade.CLEAR


# --------------------------------------------------------------------------------- large, far, whole


def test_large_creatures_see_and_are_seen_by_their_best_space():
    field = Field.from_rows(["....", "##.#", "##.."])
    terrain = field.terrain()
    a, t = field.cell(0, 0), field.cell(2, 2)
    assert grade(terrain, a, t) < Grade.CLEAR
    wide = Field.from_rows(["....", "..##", "..#."])
    assert grade(wide.terrain(), Cell(0), Cell(3)) is Grade.CLEAR
    assert grade(wide.terrain(), wide.cell(0, 1), Cell(3), 2) is max(
        grade(wide.terrain(), cell, Cell(3)) for cell in wide.terrain().space(wide.cell(0, 1), 2)
    )
    ground = wide.terrain()
    each = [visible(ground, Cell(cell)) for cell in (4, 5, 8, 9)]
    assert visible(ground, Cell(4), 2) == each[0] | each[1] | each[2] | each[3]


def test_in_the_open_everything_is_seen():
    field = Field.from_rows(["." * 40] * 30)
    assert visible(field.terrain(), Cell(17)) == field.terrain().everywhere
    assert grade(field.terrain(), Cell(0), Cell(40 * 30 - 1)) is Grade.CLEAR


def test_the_widest_map_keeps_slopes_apart():
    # a gap one space high, seen along the whole width of the largest map
    rows = ["." * 512, "." * 255 + "#" + "." * 256, "." * 512]
    terrain = Field.from_rows(rows).terrain()
    judge = Judge(terrain)
    for a, b in (((0, 1), (511, 1)), ((0, 0), (511, 2)), ((1, 2), (511, 0)), ((0, 0), (510, 1))):
        cells = [terrain.field.cell(*place) for place in (a, b)]
        assert grade(terrain, *cells) == judge.grade(a, b)


# ------------------------------------------------------------------------------------------- explain


def test_the_deciding_line_is_free_and_the_blocker_stands_between_the_centres():
    terrain, a, t = scene("A....", "..#.T")
    line = explain(terrain, a, t)
    assert line.start == (1, 1)
    assert line.blocker == 7
    judge = Judge(terrain)
    assert not judge.obstructed(*(tuple(Fraction(n, 2) for n in point) for point in (line.start, line.end)))


def test_nothing_blocks_a_clear_line_and_a_thin_wall_is_no_space():
    assert explain(*scene("A.T")).blocker is None
    terrain, a, t = walled(["AT"], (0, 0, 1, 0))
    line = explain(terrain, a, t)
    assert (line.grade, line.start, line.end, line.blocker) == (Grade.NONE, (1, 1), (3, 1), None)


def test_behind_a_thin_wall_the_space_that_it_covers_is_the_blocker():
    terrain, a, t = walled(["T#A"], (1, 0, 2, 0))
    assert explain(terrain, a, t).blocker == 1


def test_between_diagonal_walls_one_of_them_is_the_blocker():
    assert explain(*scene("A#", "#T")).blocker in (1, 2)


# ---------------------------------------------------------------------------- brute force in fractions


@st.composite
def fields(draw):
    width, height = draw(st.integers(1, 6)), draw(st.integers(1, 6))
    rows = [draw(st.text("...#", min_size=width, max_size=width)) for _ in range(height)]
    count = width * height
    pairs = [(c, c + 1) for c in range(count) if (c + 1) % width] + [(c, c + width) for c in range(count - width)]
    walls = draw(st.lists(st.sampled_from(pairs), unique=True, max_size=6)) if pairs else []
    return Field.from_rows(rows, edges=[EdgeWall(*pair) for pair in walls])


@given(fields())
@settings(deadline=None, max_examples=60)
def test_the_solid_parts_are_those_of_the_rule(field):
    terrain = field.terrain()
    judge, lines = Judge(terrain), memo_of(terrain).lines
    for y in range(2 * field.height + 1):
        for x in range(2 * field.width + 1):
            assert bool(lines[y] >> x & 1) == judge.stops(Fraction(x, 2), Fraction(y, 2))


@given(fields(), st.data())
@settings(deadline=None, max_examples=120)
def test_grades_and_views_agree_with_fractions(field, data):
    places = st.integers(0, field.width * field.height - 1)
    a, b = data.draw(places), data.draw(places)
    terrain = field.terrain()
    expected = Judge(terrain).grade(field.at(a), field.at(b))
    assert grade(terrain, a, b) == expected
    seen = view(terrain, a)
    graded = 3 if seen.clear >> b & 1 else 2 if seen.partial_from >> b & 1 else seen.minimal >> b & 1
    assert graded == expected
    assert visible(terrain, a) >> b & 1 == (expected > 0)


@given(fields(), st.data())
def test_clear_and_minimal_are_symmetric_and_a_line_explained_agrees(field, data):
    places = st.integers(0, field.width * field.height - 1)
    a, b = data.draw(places), data.draw(places)
    terrain = field.terrain()
    there, back = grade(terrain, a, b), grade(terrain, b, a)
    assert (there is Grade.CLEAR) == (back is Grade.CLEAR)
    assert (there is Grade.NONE) == (back is Grade.NONE)
    line = explain(terrain, a, b)
    assert line.grade is there
    assert (there is Grade.NONE) == Judge(terrain).obstructed(
        *(tuple(Fraction(n, 2) for n in point) for point in (line.start, line.end))
    )


@given(fields())
@settings(max_examples=40)
def test_views_agree_among_themselves(field):
    terrain = field.terrain()
    views = [view(terrain, Cell(cell)) for cell in range(field.width * field.height)]
    for a, seen in enumerate(views):
        assert seen.clear & ~seen.partial_from == 0 == seen.partial_from & ~seen.minimal
        for b in cells_of(terrain.everywhere):
            assert seen.minimal >> b & 1 == views[b].minimal >> a & 1
            assert seen.partial_from >> b & 1 == views[b].partial_to >> a & 1


def rows_of(field):
    symbols = "".join(".~# "[kind] for kind in field.ground)
    return [symbols[y * field.width : (y + 1) * field.width] for y in range(field.height)]


def test_what_is_remembered_across_doors_is_what_would_be_found_anew():
    """Drawn maps with doors of both kinds: views found with other doors open are borrowed only where they hold."""
    random = Random(11)
    for _ in range(25):
        width, height = random.randint(4, 12), random.randint(4, 10)
        rows = ["".join(random.choice("......##+") for _ in range(width)) for _ in range(height)]
        thin = [Door(f"thin {c}", Cell(c), Cell(c + 1)) for c in range(width * height - 1) if (c + 1) % width]
        doors = random.sample(thin, 2)
        field = Field.from_rows(rows, doors=doors)
        for _ in range(4):
            opened = random.randrange(1 << len(field.doors))
            terrain = field.terrain(opened)
            fresh = Field.from_rows(rows, doors=doors).terrain(opened)
            for cell in random.sample(range(width * height), 4):
                assert view(terrain, Cell(cell)) == view(fresh, Cell(cell))


def test_a_door_changes_the_ground_for_eyes_only_where_the_field_says_that_it_may():
    """Drawn maps: with one door otherwise no part of the lattice differs, for looks either way, but about that door."""
    random = Random(5)
    for _ in range(40):
        width, height = random.randint(3, 12), random.randint(3, 10)
        rows = ["".join(random.choice("......##+ ") for _ in range(width)) for _ in range(height)]
        across = [(Cell(c), Cell(c + 1)) for c in range(width * height) if (c + 1) % width]
        down = [(Cell(c), Cell(c + width)) for c in range(width * height - width)]
        edges = random.sample([*across, *down], 8)
        doors = [Door(f"thin {number}", *edge) for number, edge in enumerate(edges[:3])]
        field = Field.from_rows(rows, doors=doors, edges=[EdgeWall(*edge) for edge in edges[3:]])
        opened = random.randrange(1 << len(field.doors))
        memo = memo_of(field.terrain(opened))
        for door in range(len(field.doors)):
            other = memo_of(field.terrain(opened ^ 1 << door))
            for y in range(2 * height + 1):
                changed = memo.lines[y] ^ other.lines[y]
                changed |= memo.bare[1][y] ^ other.bare[1][y] | memo.bare[-1][y] ^ other.bare[-1][y]
                about = sum(places for bit, places in memo.zones[y] if bit == 1 << door)
                assert not changed & ~about


def test_a_door_out_of_sight_makes_no_view_anew():
    """Two rooms side by side, a door in each: whoever is in one doesn't look around anew for the other's door."""
    field = Field.from_rows(["############", "#..+....#..+", "#..#....#..#", "############"])
    here, there = (view(field.terrain(opened), field.cell(1, 1)) for opened in (0b00, 0b10))
    assert there is here
    assert view(field.terrain(0b01), field.cell(1, 1)).minimal != here.minimal


def test_a_single_line_is_graded_as_a_whole_view_grades_it():
    """Drawn maps of all kinds, borders and thin walls included: both ways to a grade agree on every pair of spaces."""
    random = Random(17)
    for _ in range(12):
        width, height = random.randint(2, 9), random.randint(2, 8)
        rows = ["".join(random.choice("......## +") for _ in range(width)) for _ in range(height)]
        thin = [
            EdgeWall(Cell(c), Cell(c + 1)) for c in range(width * height) if (c + 1) % width and random.random() < 0.1
        ]
        terrain = Field.from_rows(rows, edges=thin).terrain()
        memo = memo_of(terrain)
        for a in range(width * height):
            for b in range(width * height):
                assert _by_glimpses(terrain, memo, Cell(a), Cell(b)) == _by_view(terrain, memo, Cell(a), Cell(b))
