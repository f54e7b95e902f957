"""olde.md §1: dice."""

from __future__ import annotations

import pytest

from rules.contract.errors import BattlematError, ThrowError
from rules.core.dice import Dice, draw, faces_of, modified, nth, parse, roll, seeded, value_of


def _roll(count, rank, faces, **more):
    dice = Dice(1, tuple(faces))
    rolled = roll(dice, "test", count, rank, **more)
    assert dice.at == len(faces), "not every scripted throw was used"
    return rolled


def test_an_exploding_die_is_thrown_again_and_added_until_it_does_not():
    assert _roll(2, 4, [2, 4, 4, 1]).total == 11  # the example of the core rules, without its +1


def test_a_dies_explosions_come_directly_after_it_before_the_next_die():
    rolled = _roll(2, 6, [6, 6, 2, 5])
    assert [(t["face"] if isinstance(t, dict) else t.face) for t in rolled.throws] == [6, 6, 2, 5]
    assert rolled.total == 19


def test_without_the_mark_a_die_does_not_explode():
    assert _roll(1, 8, [8], exploding=False).total == 8


@pytest.mark.parametrize("rank", [5, 7, 9, 11])
def test_an_odd_die_is_thrown_on_the_next_even_one_whose_top_face_counts_as_the_median(rank):
    assert faces_of(rank) == rank + 1
    assert value_of(rank, rank + 1) == (rank + 1) // 2
    assert _roll(1, rank, [rank + 1]).total == (rank + 1) // 2
    assert _roll(1, rank, [rank, 2]).total == rank + 2


def test_d7_on_a_d8():
    assert _roll(1, 7, [8]).total == 4
    assert _roll(1, 7, [7, 8]).total == 11


@pytest.mark.parametrize("rank", [2, 3])
def test_d2_and_d3_are_fair_and_explode_on_their_top(rank):
    assert faces_of(rank) == rank
    assert _roll(1, rank, [rank, 1]).total == rank + 1


def test_even_rank_above_twelve_is_a_fair_die():
    assert faces_of(14) == 14
    assert _roll(1, 14, [14, 14, 3]).total == 31


def test_d1_shows_one_and_never_explodes():
    assert _roll(1, 1, []).total == 1


def test_a_rank_modified_below_one_stays_one():
    assert modified(3, -5) == 1


@pytest.mark.parametrize("advantage, total", [(1, 13), (-1, 5)])
def test_advantage_keeps_the_better_of_two_full_sets_disadvantage_the_worse(advantage, total):
    # first set 2 + 3, second set 6 + 5 exploding to 6 + 2 + 5; adjustments after
    assert _roll(2, 6, [2, 3, 6, 2, 5], advantage=advantage).total == total


@pytest.mark.parametrize("rank, face", [(8, 9), (8, 0), (7, 9), (2, 3), (3, 4)])
def test_a_scripted_face_that_the_die_has_not_is_an_error(rank, face):
    with pytest.raises(ThrowError):
        roll(Dice(1, (face,)), "test", 1, rank)


def test_a_script_that_runs_out_is_an_error_and_null_is_thrown_by_the_seed():
    with pytest.raises(ThrowError):
        roll(Dice(1, (3,)), "test", 2, 6)
    assert 4 <= roll(Dice(1, (3, None)), "test", 2, 6, exploding=False).total <= 9


def test_declarations():
    e = parse("2d8!")
    assert (e.count, e.rank, e.exploding, e.adjustment) == (2, 8, True, 0)
    e = parse("1d12!-1")
    assert (e.count, e.rank, e.exploding, e.adjustment) == (1, 12, True, -1)


@pytest.mark.parametrize("text", ["", "d", "2d", "2x6", "2d8+", "0d6", "d0", "2d8+1!"])
def test_what_is_no_declaration_is_refused(text):
    with pytest.raises(BattlematError):
        parse(text)


def test_a_declaration_rolls_with_its_own_adjustment_itemised():
    from rules.core.dice import Dice, roll_expression

    rolled = roll_expression(Dice(None, (4, 2, 1)), "x", "2d4!+1")
    assert [t.face for t in rolled.throws] == [4, 2, 1]
    assert (rolled.dice, rolled.total) == ("2d4!", 8)
    assert [(a.value, a.because) for a in rolled.adjustments] == [(1, "in the declaration")]


@pytest.mark.parametrize("seed", [0, 7, -3])
def test_any_draw_of_a_seeds_stream_is_known_without_those_before_it(seed):
    state, drawn = seeded(seed), []
    for _ in range(5):
        state, bits = draw(state)
        drawn.append(bits)
    assert [nth(seed, number) for number in range(5)] == drawn
