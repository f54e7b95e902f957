"""Who slept wakes when the fight begins in which it takes part (countup.md §1 Surprise)."""

from __future__ import annotations

from rules.countup.conditions import ASLEEP
from rules.countup.state import FOREVER
from tests.rules.explore.expedition import Expedition, creature


def sleeping(table: Expedition) -> list[str]:
    """Who sleeps, of those with an effect of it."""
    beings = table.now.setup.beings
    return [being.id for being, figure in zip(beings, table.now.figures, strict=True) if figure.under(ASLEEP.name)]


def begun() -> Expedition:
    foes = [creature("countup", name, at, asleep=True, duty="") for name, at in (("near", (6, 1)), ("far", (27, 2)))]
    return Expedition("countup", [creature("countup", "h0", (4, 2)), *foes])


def test_who_takes_part_in_a_fight_is_awake_and_who_is_elsewhere_sleeps_on() -> None:
    table = begun()
    assert sleeping(table) == ["near", "far"]
    table.do("h0", "ambush")
    woken = [event["target"] for event in table.told("condition") if not event["gained"]]
    assert sleeping(table) == ["far"] and woken == ["near"]
    near = table.now.figures[table.now.setup.index["near"]]
    assert near.surprised(near.init - 1) and not near.surprised(near.init)


def test_who_sleeps_on_through_minutes_and_a_fight_sleeps_without_an_end() -> None:
    table = begun()
    table.wait(3)
    table.do("h0", "ambush")
    far = table.now.figures[table.now.setup.index["far"]]
    assert (ASLEEP.name, FOREVER) in far.effects
