"""What a position is worth: the same from both sides, learned, and read from a file that is judged."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import fields

from game.controllers.ai import AiController
from game.controllers.ai.value import FEATURES, Coefficients, features, load_coefficients, read_coefficients, worth
from game.paths import asset
from rules.contract.actions import pending
from rules.contract.errors import BattlematError
from rules.core.registry import ruleset
from tests.bench.bouts import BANDS, SIDES, Bout, start
from tests.bench.learning import Row, _solved, fitted, quality, rows_of


def played(kind: str, most: int, seed: int = 11) -> tuple[Any, list[Any]]:
    """Some positions of a fight of the computer with itself."""
    rules, state, player = (
        ruleset(kind),
        start(Bout(kind, "", "", next(iter(BANDS[kind])), "hall", seed)),
        AiController(),
    )
    found = [state]
    while len(found) < most and (decision := pending(rules.decisions(state))) is not None:
        action = player.choose(rules, rules.observe(state, decision.side), decision, rules.legal(state, decision))
        state = rules.apply(state, decision, action).state
        found.append(state)
    return rules, found


@pytest.mark.parametrize("kind", list(BANDS))
def test_what_one_side_has_to_hope_the_other_has_to_fear(kind: str) -> None:
    rules, states = played(kind, 60)
    for state in states[::6]:
        assert worth(rules, state, SIDES[0]) + worth(rules, state, SIDES[1]) == pytest.approx(1.0)
        mine, theirs = (features(rules, state, side) for side in SIDES)
        assert mine == pytest.approx([-each for each in theirs])


def test_a_mirrored_beginning_is_worth_a_half_but_for_who_may_act_first() -> None:
    rules, (state,) = played("cairn", 1)
    found = dict(zip(FEATURES, features(rules, state, SIDES[0]), strict=True))
    assert {name for name, amount in found.items() if abs(amount) > 1e-9} <= {"points"}


@pytest.mark.parametrize("kind", list(BANDS))
def test_every_feature_has_its_coefficient_and_every_ruleset_its_own(kind: str) -> None:
    assert tuple(field.name for field in fields(Coefficients)) == FEATURES
    learned = load_coefficients(kind)
    assert learned.value([0.0] * len(FEATURES)) == 0.5
    assert kind in read_coefficients(asset("ai", "value.toml"))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[olde\n", "value.toml: cannot be read"),
        ("[olde]\nstrenght = 1.0\n", "strenght"),
        ('[olde]\nstrength = "much"\n', "Expected `float`"),
    ],
)
def test_a_broken_file_is_refused_in_one_line(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "value.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(BattlematError) as caught:
        read_coefficients(path)
    assert said in str(caught.value) and "\n" not in str(caught.value)


def test_who_has_nobody_left_has_lost() -> None:
    rules, states = played("olde", 2000)
    last = states[-1]
    winner = rules.board(last).over
    assert winner in SIDES
    assert [worth(rules, last, side) for side in SIDES] == [float(side == winner) for side in SIDES]


def test_learning_plays_a_seed_alike_each_time_and_finds_what_decides() -> None:
    assert rows_of("olde", 600_000_003) == rows_of("olde", 600_000_003)
    blank = [0.0] * len(FEATURES)
    rows = []
    for number in range(200):
        amount = (number % 20 - 9.5) / 5
        rows.append(Row(number, (amount, *blank[1:]), amount > 0 if number % 7 else amount < 0))
    weights = fitted(rows, 1.0)
    assert weights[0] > 0.5 and max(map(abs, weights[1:])) == 0.0
    assert quality(weights, rows).loss < 0.6


def test_a_system_of_equations_is_solved() -> None:
    assert _solved([[4.0], [2.0, 5.0]], [10.0, 13.0]) == pytest.approx([1.5, 2.0])
