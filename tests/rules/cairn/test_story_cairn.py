"""What the story says: who did what, what it cost, what is left; each word of it after the die that decides it."""

from __future__ import annotations

from typing import Any

import pytest

from tests.rules.cairn.creatures import Fight, duel, foe, pc
from tests.rules.cairn.test_conditions_cairn import laid, rounds
from tests.rules.cairn.test_rulings_cairn import beast


def told(fight: Fight, side: str = "heroes") -> list[str]:
    """The lines of a side's half."""
    step = fight.rules.apply(fight.now, fight._decision(side), fight._action(side, "resolve", {}))
    fight.now = step.state
    return [line for event in step.events if (line := fight.rules.tell(fight.now, event))]


def test_a_blow_tells_its_die_then_what_is_left() -> None:
    fight = duel([3], b={"hp_max": 9, "armor": 1})
    fight.do("a", "attack", target="b", weapon="sword")
    assert told(fight)[:2] == [
        "a strikes at b with sword (1d8): 3 less Armor 1.",
        "b loses 2 Hit Protection and has 7 left.",
    ]


def test_a_wound_tells_both_and_the_end_only_after_its_save() -> None:
    fight = duel([7, 20], b={"hp_max": 4})
    fight.do("a", "attack", target="b", weapon="sword")
    lines = told(fight)
    assert lines[:4] == [
        "a strikes at b with sword (1d8): 7.",
        "b loses 4 Hit Protection and 3 STR and has 7 STR left.",
        "b, STR save: critical damage: 20 against 7, failed.",
        "b is dead (critical damage).",
    ]
    assert not any("killing" in line for line in lines)


@pytest.mark.parametrize(
    ("name", "power", "line"),
    [
        ("storm_giant", {"item": "Thunderclap", "target": "a"}, "a loses 8 STR and has 10 left."),
        ("goblin", {"item": "fire oil", "at": [1, 1]}, "a loses 6 Hit Protection and has 3 left (Fire Oil)."),
    ],
)
def test_the_harm_of_powers_and_things_is_told(name: str, power: dict[str, Any], line: str) -> None:
    victim = pc("a", (1, 1), hp_max=9, strength=18, items=["plate"])
    giant = beast(name, "b", (4, 1), items=["fire oil"])
    fight = Fight(victim if name != "goblin" else {**victim, "items": []}, giant, rows=["." * 14] * 6, throws=[6, 1])
    fight.half()
    fight.do("b", "cast" if name == "storm_giant" else "use", **power)
    assert line in told(fight, "monsters")


def test_several_of_a_name_are_told_apart() -> None:
    fight = Fight(pc("a", name="Ada"), *(beast("goblin", f"g{i}", (2 + i, 1)) for i in range(5)), throws=[1])
    names = [mini.name for mini in fight.rules.board(fight.now).miniatures]
    assert names == ["Ada", "Goblin 1", "Goblin 2", "Goblin 3", "Goblin 4", "Goblin 5"]


def test_who_is_called_by_a_name_of_its_own_keeps_it() -> None:
    goblins = [{**beast("goblin", "g0", (2, 1)), "name": "Goblin 1"}, beast("goblin", "g1", (3, 1)),
               beast("goblin", "g2", (4, 1))]  # fmt: skip
    fight = Fight(pc("a"), *goblins)
    assert [mini.name for mini in fight.rules.board(fight.now).miniatures] == ["a", "Goblin 1", "Goblin 2", "Goblin 3"]


def test_many_strike_and_one_strikes() -> None:
    fight = Fight(pc("a", hp_max=20), beast("killer_bees", "b", (2, 1)), throws=[3], rows=["." * 14] * 6)
    fight.half()
    fight.do("b", "attack", target="a", weapon="sting")
    assert told(fight, "monsters")[0] == "Killer Bees strike at a with sting (1d12): 3."


def test_stingers_are_had() -> None:
    sting = {"name": "sting", "dice": [6], "hands": 0, "slots": 0, "natural": True,
             "rider": {"kind": "engulf", "on": "wound", "name": "stingers", "dice": [4]}}  # fmt: skip
    fight = Fight(pc("a", hp_max=0, name="Ada"), foe("b", attacks=[sting]), throws=[2, 1, 1, 1])
    fight.half()
    fight.do("b", "attack", target="a", weapon="sting")
    lines = told(fight, "monsters")
    assert "Ada has stingers in the flesh." in lines
    assert not any("is stingers" in line for line in lines)


def test_the_end_says_how_long_the_dying_have() -> None:
    fight = Fight(pc("a", name="Ada"), pc("c", (1, 2)), foe("b", strength=1), throws=[8])
    laid(fight, "a", "bleeding out", rounds=350)
    fight.do("c", "attack", target="b", weapon="sword")
    lines = told(fight)
    assert lines[-2:] == ["Ada: dead within 58 minutes unless somebody helps.", "The fight is over: heroes win."]


def test_the_end_says_nothing_of_those_whose_clock_is_stopped() -> None:
    fight = Fight(pc("a", name="Ada"), pc("c", (1, 2), items=["sword", "bandages"]), foe("b", strength=1), throws=[8])
    laid(fight, "a", "out", rounds=350, then="dead")
    fight.do("c", "bandage", target="a")
    fight.do("c", "move", path=[[2, 2]])
    rounds(fight)
    fight.do("c", "attack", target="b", weapon="sword")
    assert told(fight)[-2:] == ["b is dead (sword).", "The fight is over: heroes win."]
