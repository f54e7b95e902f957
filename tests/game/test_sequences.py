"""Confidence sequences: they hold at every look at once, and forecasts stop by them."""

from __future__ import annotations

from collections.abc import Callable
from math import sqrt
from random import Random

import pytest

from game.forecast import counts as intervals
from game.forecast import group_sequential, sequences
from game.forecast.group_sequential import LOOK
from game.forecast.play import Dealer, Task, Trial, play
from game.forecast.report import reports
from game.forecast.simulate import differences, simulate
from rules.contract.errors import BattlematError
from tests.game.test_forecast import AtOnce, duel

LOOKS = 400


Interval = Callable[[int, int], tuple[float, float]]


def missed(chance: float, interval: Interval) -> float:
    """The exact chance that a look after some run finds the true share outside.

    Bounds rise with the count (tested below), so only the outermost of the counts at a look can lie outside.
    """
    alive, gone = {0: 1.0}, 0.0
    for n in range(1, LOOKS + 1):
        grown: dict[int, float] = {}
        for s, weight in alive.items():
            grown[s] = grown.get(s, 0.0) + weight * (1 - chance)
            grown[s + 1] = grown.get(s + 1, 0.0) + weight * chance
        for outermost in (min, max):
            while grown and not holds(interval(outermost(grown), n), chance):
                gone += grown.pop(outermost(grown))
        alive = grown
    return gone


def holds(bounds: tuple[float, float], chance: float) -> bool:
    return bounds[0] <= chance <= bounds[1]


@pytest.mark.parametrize("chance", [0.02, 0.1, 0.3, 0.5, 0.77])
def test_whoever_looks_after_every_fight_is_misled_one_time_in_twenty_at_most(chance: float) -> None:
    assert missed(chance, sequences.share) <= 0.05


def test_wilsons_interval_misleads_whoever_looks_after_every_fight() -> None:
    """So that the test above is known to be able to fail."""
    assert missed(0.5, intervals.wilson) > 0.2


@pytest.mark.parametrize("interval", [sequences.share, intervals.wilson], ids=["sequence", "wilson"])
@pytest.mark.parametrize("runs", [1, 2, 3, 19, 60, 173, LOOKS])
def test_bounds_rise_with_the_count(interval: Interval, runs: int) -> None:
    found = [interval(count, runs) for count in range(runs + 1)]
    assert found == sorted(found) and [high for _, high in found] == sorted(high for _, high in found)


def test_bounds_hold_the_share_narrow_with_runs_and_turn_round() -> None:
    assert sequences.share(0, 0) == (0.0, 1.0)
    for runs in (1, 7, 60, 400):
        for won in range(0, runs + 1, max(1, runs // 13)):
            low, high = sequences.share(won, runs)
            assert 0 <= low <= won / runs <= high <= 1
            assert sequences.share(runs - won, runs) == pytest.approx((1 - high, 1 - low))
    widths = [high - low for low, high in (sequences.share(n // 2, n) for n in (30, 100, 300, 1000))]
    assert widths == sorted(widths, reverse=True) and widths[-1] < 0.1


def test_sequences_of_means_and_differences_hold_at_every_look() -> None:
    random, fights, outside, unequal = Random(5), 300, 0, 0
    for _ in range(fights):
        total = squares = first = second = 0
        mean_missed = difference_missed = False
        for n in range(1, 301):
            value = random.randint(0, 9)
            total, squares = total + value, squares + value * value
            pair = random.random()
            first, second = first + (pair < 0.1), second + (0.1 <= pair < 0.2)
            if n >= 20:
                low, high = sequences.mean(total, squares, n) or (0.0, 0.0)
                mean_missed |= not low <= 4.5 <= high
                _, down, up = sequences.difference(first, second, n)
                difference_missed |= not down <= 0 <= up
        outside, unequal = outside + mean_missed, unequal + difference_missed
    most = fights * 0.05 + 3 * sqrt(fights * 0.05 * 0.95)
    assert outside <= most and unequal <= most


def test_pairs_that_agree_tell_more_than_pairs_that_do_not() -> None:
    _, low, high = sequences.difference(0, 20, 100)
    _, wide_low, wide_high = sequences.difference(30, 50, 100)
    assert high - low < wide_high - wide_low and low > 0 > wide_low
    assert sequences.difference(0, 0, 0) == (0.0, -1.0, 1.0)


def test_a_forecast_stops_when_it_knows_enough_whoever_plays() -> None:
    found = simulate(duel(), within=0.2, seed=3)
    wins = found.sides[0].wins
    assert found.intervals == "sequence" and found.runs % LOOK == 0
    assert max(wins.high - wins.share, wins.share - wins.low) <= 0.2
    assert simulate(duel(), within=0.2, seed=3, executor=AtOnce()) == found
    assert simulate(duel(), within=0.2, seed=3, jobs=2) == found
    before = simulate(duel(), found.runs - LOOK, seed=3).counts
    share = before.wins("heroes") / before.number
    low, high = group_sequential.share(before.won["heroes"], before.number, 0.2)
    assert max(high - share, share - low) > 0.2, "one look earlier it did not know enough"


def test_batches_that_come_back_in_any_order_stop_at_the_same_fight() -> None:
    trial = Trial.of(duel(), seed=3)
    wanted = simulate(duel(), within=0.2, seed=3)
    for seed in range(3):
        dealer, random = Dealer([trial], 2000, within=0.2, seconds=0.02), Random(seed)
        waiting: list[tuple[int, Task]] = []
        while True:
            while len(waiting) < 9 and (dealt := dealer.deal()) is not None:
                waiting.append(dealt)
            if not waiting:
                break
            which, task = waiting.pop(random.randrange(len(waiting)))
            dealer.take(which, play(task))
        assert dealer.done and reports(dealer) == [wanted]


def test_more_fights_go_on_from_those_that_were_known() -> None:
    dealer = Dealer([Trial.of(duel(), seed=3)], 2000, within=0.25)
    while (dealt := dealer.deal()) is not None:
        dealer.take(dealt[0], play(dealt[1]))
    known = dealer.counts[0].number
    dealer.on_to(2 * known)
    assert not dealer.done
    while (dealt := dealer.deal()) is not None:
        dealer.take(dealt[0], play(dealt[1]))
    assert dealer.counts[0] == simulate(duel(), 2 * known, seed=3).counts


def test_differences_of_what_is_watched_are_sequences() -> None:
    one, other = simulate(duel(), within=0.3, seed=3), simulate(duel(), within=0.3, seed=3)
    [same, *_] = differences(one, other)
    assert (same.share, same.clear) == (0.0, False) and same.low < 0 < same.high


@pytest.mark.parametrize("within", [0.001, 0.7, -1.0])
def test_how_narrow_it_may_be_asked_for_is_said(within: float) -> None:
    with pytest.raises(BattlematError, match="ask for ±1 to ±50"):
        simulate(duel(), within=within)
