"""Intervals against known values; counts that add up in any order."""

from __future__ import annotations

import math
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from game.forecast import counts as intervals
from game.forecast.counts import Counts, CreatureCounts, Sum


@pytest.mark.parametrize(
    ("count", "runs", "low", "high"),
    [
        (0, 10, 0.0, 0.2775),
        (1, 10, 0.0179, 0.4042),
        (8, 10, 0.4902, 0.9433),
        (10, 10, 0.7225, 1.0),
        (81, 263, 0.2553, 0.3662),  # Newcombe (1998), table I: 0.2553 to 0.3662
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_wilson_against_published_intervals(count, runs, low, high):
    assert intervals.wilson(count, runs) == pytest.approx((low, high), abs=5e-5)


def test_nothing_is_known_before_the_first_run():
    assert intervals.wilson(0, 0) == (0.0, 1.0)
    assert intervals.mean_interval(0, 0, 1) is None
    assert intervals.paired_difference(0, 0, 0, 0) == (0.0, -1.0, 1.0)


@pytest.mark.parametrize(
    ("freedom", "quantile"),
    [(1, 12.706), (2, 4.303), (3, 3.182), (4, 2.776), (5, 2.571), (10, 2.228), (30, 2.042), (120, 1.980)],
)
def test_student_against_the_table(freedom, quantile):
    assert intervals.student(freedom) == pytest.approx(quantile, abs=2e-3)


def test_mean_interval_of_known_numbers():
    values = [3, 5, 4, 6, 2]
    low, high = intervals.mean_interval(sum(values), sum(v * v for v in values), 5)
    half = 2.776 * math.sqrt(2.5 / 5)
    assert (low, high) == pytest.approx((4 - half, 4 + half), abs=2e-3)


@given(st.integers(0, 40), st.integers(0, 40), st.integers(0, 40), st.integers(0, 40))
def test_a_paired_difference_lies_within_its_interval_and_turns_round(both, first, second, neither):
    share, low, high = intervals.paired_difference(both, first, second, neither)
    assert -1 <= low <= share + 1e-12 and share <= high + 1e-12 and high <= 1
    back = intervals.paired_difference(both, second, first, neither)
    assert back == pytest.approx((-share, -high, -low))


def test_pairs_that_agree_tell_more_than_pairs_that_do_not():
    _, low, high = intervals.paired_difference(45, 0, 10, 45)
    _, wide_low, wide_high = intervals.paired_difference(24, 21, 31, 24)
    assert high - low < wide_high - wide_low
    assert low > 0 > wide_low


def test_the_paired_interval_covers_what_it_promises():
    """All outcomes of 12 pairs with independent chances 0.6 and 0.6: the true difference 0 is in it 95 times of 100."""
    n, p = 12, 0.6
    chances = (p * p, p * (1 - p), (1 - p) * p, (1 - p) * (1 - p))
    covered = 0.0
    for a in range(n + 1):
        for b in range(n + 1 - a):
            for c in range(n + 1 - a - b):
                d = n - a - b - c
                ways = math.factorial(n) // math.prod(map(math.factorial, (a, b, c, d)))
                chance = ways * math.prod(q**k for q, k in zip(chances, (a, b, c, d), strict=True))
                _, low, high = intervals.paired_difference(a, b, c, d)
                covered += chance * (low <= 0 <= high)
    assert 0.93 < covered < 0.995


def _counts(number: int, damage: int, side: str) -> Counts:
    return Counts(
        runs=1 << number,
        won={side: 1 << number},
        turns={damage % 3 + 1: 1},
        losses={"heroes": {damage % 2: 1}},
        creatures={"ada": CreatureCounts(1, 0, 0, Sum.of(damage), Sum.of(1), Sum(), Sum.of(3))},
        spilt={"heroes": {damage % 4: damage}},
    )


some = st.lists(st.tuples(st.integers(0, 20), st.sampled_from(["heroes", "monsters", ""])), min_size=3, max_size=9)


@given(some, st.data())
def test_counts_add_up_in_any_order_and_any_parts(runs, data):
    parts = [_counts(number, damage, side) for number, (damage, side) in enumerate(runs)]
    mixed = data.draw(st.permutations(parts))
    cut = data.draw(st.integers(1, len(parts) - 1))
    whole = sum(parts[1:], parts[0])
    assert sum(mixed[1:], mixed[0]) == whole
    assert sum(mixed[1:cut], mixed[0]) + sum(mixed[cut:], Counts()) == whole
    assert whole.number == len(parts)
    assert sum(whole.wins(side) for side in ("heroes", "monsters", "")) == len(parts)


def test_no_run_is_counted_twice():
    with pytest.raises(ValueError, match="both parts"):
        _counts(3, 1, "heroes") + _counts(3, 2, "heroes")


def test_counts_travel_between_processes():
    counts = _counts(70, 5, "heroes")
    assert pickle.loads(pickle.dumps(counts)) == counts
