"""Leaving an expedition by an exit: what was to be done counts, whatever came before."""

from __future__ import annotations

import pytest

from rules.explore.crawl import Crawl
from tests.rules.explore.expedition import RULESETS, Expedition, creature


@pytest.mark.parametrize("ruleset", RULESETS)
def test_who_leaves_after_a_fight_has_carried_out_what_it_has(ruleset: str) -> None:
    """Leaving an exploration counts the same, whether there was a fight before or not."""
    table = Expedition(ruleset, [creature(ruleset, "h0", (9, 2)),
                                 creature(ruleset, "gob", (16, 2), hp=1, surprised=True)],
                       exits=[[x, y] for x in range(8, 22) for y in (1, 2, 3)],
                       goals=[{"name": "home", "kind": "out"}])  # fmt: skip
    table.do("h0", "ambush")
    table.play()
    assert table.began[-1] == "exploration"
    table.do("h0", "leave")
    assert [(goal["goal"], goal["state"]) for goal in table.told("goal")] == [("home", "done")]


@pytest.mark.parametrize("ruleset", RULESETS)
@pytest.mark.parametrize(("exit_at", "winner"), [((1, 1), "heroes"), ((3, 3), "monsters")])
def test_an_expedition_may_be_given_up_and_only_who_stands_at_an_exit_has_left(
    ruleset: str, exit_at: tuple[int, int], winner: str
) -> None:
    heroes = [creature(ruleset, "h0", (1, 1)), creature(ruleset, "h1", (3, 1))]
    table = Expedition(ruleset, [*heroes, creature(ruleset, "gob", (27, 2), asleep=True)], exits=[list(exit_at)],
                       goals=[{"name": "home", "kind": "out"}])  # fmt: skip
    assert table.rules.describe(table.now, table.action("h1", "surrender")).final
    table.do("h1", "surrender")
    over = table.told("over")
    assert [(each["winner"], each["because"]) for each in over] == [(winner, "gave up")]
    away = table.now.aims.away
    assert away == (1 << table.now.setup.index["h0"] if winner == "heroes" else 0)
    assert not table.told("goal"), "not everybody is out"


def test_before_a_single_fight_there_is_no_expedition_to_give_up() -> None:
    for ruleset in RULESETS:
        table = Expedition(ruleset, [creature(ruleset, "h0", (1, 1)), creature(ruleset, "gob", (27, 2), asleep=True)],
                           options={"crawl": False, "explore": True})  # fmt: skip
        assert table.refusal("h0", "surrender") is not None


@pytest.mark.parametrize("ruleset", RULESETS)
def test_to_strike_where_it_comes_to_no_fight_takes_the_turn(ruleset: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever keeps those in sight out of a fight: what is done changes something, so that nobody does it for ever."""
    table = Expedition(ruleset, [creature(ruleset, "h0", (9, 2)), creature(ruleset, "gob", (16, 2), surprised=True)])
    monkeypatch.setattr(Crawl, "_anybody", lambda self, resolution: False)
    minute = table.now.explore.minute
    table.do("h0", "ambush")
    assert table.exploring and table.now.explore.minute == minute + 1
