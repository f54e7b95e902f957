"""What shows which weights mislead the computer: options played to the end, laid on the addends of their scores."""

from __future__ import annotations

from random import Random

import pytest

from tests.bench import regret, tuning
from tests.bench.bouts import BANDS, FIRST, Bout
from tests.bench.regret import Tried

BOUT = Bout("olde", "shipping", "greedy", next(iter(BANDS["olde"])), "hall", regret.FIRST_SEED)


def made(many: int = 400) -> list[list[Tried]]:
    """Choices of which `good` says what comes of them, `fear` the opposite, and `noise` nothing."""
    random, found = Random(1), []
    for _ in range(many):
        pair = []
        for chosen in (True, False):
            good, fear, noise = (random.uniform(-1.0, 1.0) for _ in range(3))
            came = tuple(0.5 * good - 0.5 * fear + random.gauss(0.0, 0.05) for _ in range(4))
            pair.append(
                Tried("strike" if chosen else "wait", "a", chosen, {"good": good, "fear": fear, "noise": noise}, came)
            )
        found.append(pair)
    return found


def test_it_tells_what_helps_what_misleads_and_what_says_nothing() -> None:
    factors = {name: (factor, error) for name, factor, error, _ in regret.factors(made())}
    assert factors["good"][0] > 1.0 > abs(factors["noise"][0]) and factors["fear"][0] < 0.0
    assert factors["fear"][0] == pytest.approx(-factors["good"][0], rel=0.1)
    assert abs(factors["noise"][0]) < 3 * factors["noise"][1]


def test_choices_are_held_against_each_other_try_by_try() -> None:
    chosen, other = Tried("strike", "a", True, {}, (0.0, 0.5)), Tried("wait", None, False, {}, (1.0, 0.0))
    assert list(regret.held([[other, chosen]])) == [(chosen, other, 0.25)]


def test_the_same_fight_tells_the_same() -> None:
    first, again = (regret.decisions(BOUT, share=0.15, tries=1, turns=1) for _ in range(2))
    assert first == again and first
    for tried in first:
        assert sum(each.chosen for each in tried) <= 1 < len(tried)
        assert all(-1.0 <= each.came[0] <= 1.0 for each in tried)


def test_its_fights_are_nobody_elses() -> None:
    assert FIRST + 1_000_000 < tuning.MOST_SEEDS + 1001 * 10_000 < regret.FIRST_SEED < 600_000_000
