"""Threat: kept for every monster, in the order in which small samples of fights put them, growing with numbers."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from game import content
from game.forecast.matches import BUDGET, PARTY, crossing
from game.forecast.openground import ThreatError, encounter
from game.forecast.threat import kept, main, threat_of, yardstick

FEW = 8


def test_every_monster_has_a_figure_and_nobody_else():
    assert set(kept("olde")) == set(content.monsters("olde"))
    assert all(0 <= figure <= 100 for figure in kept("olde").values())


def test_every_monster_has_a_match_and_its_whole_number_agrees_with_it():
    """Groups whose numbers add up to a party's are a hard fight whoever they are: within a third of what fights say."""
    assert set(kept("olde", "match")) == set(content.monsters("olde"))
    for name, match in kept("olde", "match").items():
        measured, told = BUDGET / match, content.monsters("olde")[name]["threat"]
        assert 2 / 3 * measured - 0.5 <= told <= 1.5 * measured + 0.5, (
            f"{name}: {told}, fights say {measured:.1f}"
        )


@pytest.mark.parametrize("name", ["ogre", "bandit"])
def test_more_than_a_match_beats_the_party_more_often_than_less(name):
    match = kept("olde", "match")[name]
    heroes = list(content.heroes("olde"))[:PARTY]
    few, many = (max(1, round(match * part)) for part in (0.5, 1.7))
    assert threat_of("olde", heroes, (name,) * few, FEW) < threat_of("olde", heroes, (name,) * many, FEW)


@given(true=st.floats(0.2, 60), guess=st.integers(1, 60), most=st.integers(2, 54))
def test_the_number_that_is_a_match_is_found_from_any_guess(true, guess, most):
    asked = []

    def share(number):
        asked.append(number)
        return 0.3 * number / true

    assert crossing(share, 0.3, guess, most) == pytest.approx(min(most, max(1.0, true)))
    assert len(asked) == len(set(asked)) and all(1 <= number <= most for number in asked)


@pytest.mark.parametrize("ends", [(0, -1), (4, -4)])
def test_the_order_of_the_figures_is_that_of_fights(ends):
    names = list(kept("olde"))
    weak, strong = names[ends[0]], names[ends[1]]
    party = yardstick("olde")
    assert threat_of("olde", party, (weak,), FEW) < threat_of("olde", party, (strong,), FEW)


def test_threat_grows_with_the_group_and_falls_with_the_party():
    one, two = yardstick("olde")[:1], yardstick("olde")
    few, many = ("orc",), ("orc",) * 3
    assert threat_of("olde", two, few, FEW) < threat_of("olde", two, many, FEW)
    assert threat_of("olde", two, few, FEW) < threat_of("olde", one, few, FEW)


def test_the_same_fights_give_the_same_figure():
    party = yardstick("olde")
    assert threat_of("olde", party, ("goblin",), FEW) == threat_of("olde", party, ("goblin",), FEW)


def test_large_creatures_stand_apart():
    big = next(name for name, entry in content.monsters("olde").items() if entry.get("space", 1) > 1)
    record = encounter("olde", yardstick("olde"), (big, big))
    spaces = [entry["at"] for entry in record["creatures"] if entry["side"] == "monsters"]
    wide = content.template("olde", big)["space"]
    assert abs(spaces[0][0] - spaces[1][0]) >= wide or abs(spaces[0][1] - spaces[1][1]) >= wide


def test_what_cannot_be_measured_is_said_in_one_line(capsys):
    with pytest.raises(ThreatError, match="have room"):
        encounter("olde", yardstick("olde"), ("goblin",) * 99)
    assert main(["--group", "gobblin"]) == 2
    assert "gobblin" in capsys.readouterr().err
