"""Threat: kept for every monster, in the order in which small samples of fights put them, growing with numbers."""

from __future__ import annotations

import pytest

from game import content
from game.forecast.threat import ThreatError, encounter, kept, main, threat_of, yardstick

FEW = 8


def test_every_monster_has_a_figure_and_nobody_else():
    assert set(kept("olde")) == set(content.monsters("olde"))
    assert all(0 <= figure <= 100 for figure in kept("olde").values())


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
