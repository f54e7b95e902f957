"""Group sequential bounds: they mislead one time in twenty at most however often one looks, and are narrow."""

from __future__ import annotations

from math import comb
from random import Random

import pytest

from game.forecast import group_sequential, sequences
from game.forecast.group_sequential import FIRST_LOOK, LOOK, goal_of, needed, share

FINE, COARSE = 0.05, 0.12


def spread(wins: dict[int, float], fights: int, chance: float) -> dict[int, float]:
    """How likely each number of wins is after so many more fights."""
    more = [comb(fights, n) * chance**n * (1 - chance) ** (fights - n) for n in range(fights + 1)]
    grown: dict[int, float] = {}
    for won, weight in wins.items():
        for n, each in enumerate(more) if weight > 1e-12 else ():
            grown[won + n] = grown.get(won + n, 0.0) + weight * each
    return grown


def misled(chance: float, within: float, *, fights: int) -> float:
    """The exact chance that one of the looks up to so many fights rules the true chance out.

    What a look rules out rises with the wins (tested below), so the outermost numbers of wins go first.
    """
    alive, gone, seen = {0: 1.0}, 0.0, 0
    for look in (FIRST_LOOK, *range(LOOK, fights + 1, LOOK)):
        alive, seen = spread(alive, look - seen, chance), look
        for won in sorted(alive):
            if chance <= 1 - group_sequential._low(look - won, look, within):
                break
            gone += alive.pop(won)
        for won in sorted(alive, reverse=True):
            if chance >= group_sequential._low(won, look, within):
                break
            gone += alive.pop(won)
    return gone


@pytest.mark.parametrize("chance", [0.01, 0.05, 0.11, 0.2, 0.32, 0.44, 0.5, 0.86])
def test_whoever_stops_as_soon_as_enough_is_known_is_misled_one_time_in_twenty_at_most(chance: float) -> None:
    for within in (FINE, COARSE, 0.3):
        assert misled(chance, within, fights=2 * needed(0.5, within)) <= 0.05


def test_bounds_that_were_a_tenth_nearer_would_mislead(monkeypatch: pytest.MonkeyPatch) -> None:
    """So that the test above is known to be able to fail."""
    nearer = tuple(h._replace(deviations=0.9 * h.deviations) for h in group_sequential.HORIZONS)
    monkeypatch.setattr(group_sequential, "HORIZONS", nearer)
    group_sequential._low.cache_clear()
    assert misled(0.5, FINE, fights=needed(0.5, FINE)) > 0.06
    group_sequential._low.cache_clear()


def forecast(chance: float, within: float, seed: int) -> tuple[int, int]:
    """Fights until enough is known, for one seed: by these bounds, and by a confidence sequence."""
    random, won, runs, found = Random(seed), 0, 0, [0, 0]
    while not all(found):
        for n in range(runs, runs + LOOK):
            won |= (random.random() < chance) << n
        runs += LOOK
        middle = won.bit_count() / runs
        for which, (low, high) in enumerate((share(won, runs, within), sequences.share(won.bit_count(), runs))):
            if not found[which] and max(high - middle, middle - low) <= within:
                found[which] = runs
    return found[0], found[1]


@pytest.mark.parametrize("chance", [0.5, 0.3, 0.9])
def test_enough_is_known_in_two_thirds_of_the_fights_that_a_confidence_sequence_takes(chance: float) -> None:
    ours, theirs = zip(*(forecast(chance, FINE, seed) for seed in range(12)), strict=True)
    assert sum(ours) < 0.68 * sum(theirs)
    assert sum(ours) / len(ours) == pytest.approx(needed(chance, FINE), rel=0.15)


@pytest.mark.parametrize("within", [0.01, FINE, 0.5])
@pytest.mark.parametrize("looked", [8, 16, 48, 160, 512, 1600])
def test_what_a_look_rules_out_rises_with_the_wins_and_stays_below_their_share(looked: int, within: float) -> None:
    found = [group_sequential._low(won, looked, within) for won in range(0, looked + 1, max(1, looked // 60))]
    assert found == sorted(found) and found[0] == 0.0
    assert all(low <= won / looked for low, won in zip(found, range(0, looked + 1, max(1, looked // 60)), strict=True))


def test_bounds_stay_between_looks_only_draw_together_and_turn_round() -> None:
    random, won = Random(4), 0
    assert share(0, 0, FINE) == (0.0, 1.0) == share(3, FIRST_LOOK - 1, FINE)
    before = (0.0, 1.0)
    for n in range(700):
        won |= (random.random() < 0.7) << n
        runs, middle = n + 1, won.bit_count() / (n + 1)
        low, high = share(won, runs, FINE)
        assert low <= middle <= high
        turned = share(~won & (1 << runs) - 1, runs, FINE)
        assert turned == pytest.approx((1 - high, 1 - low))
        if low < middle < high:
            assert low >= before[0] and high <= before[1]
            assert (low, high) == before or runs % LOOK == 0 or runs == FIRST_LOOK
            before = low, high
    assert before[1] - before[0] < 0.1


@pytest.mark.parametrize("runs", [60, 100, 400])
def test_of_so_many_runs_the_goal_is_met_at_their_end(runs: int) -> None:
    assert needed(0.5, goal_of(runs)) == pytest.approx(runs, abs=LOOK)
