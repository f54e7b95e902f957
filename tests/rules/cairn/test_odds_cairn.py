"""Exact odds against every face that the dice could show, resolved by the rules themselves (cairn.md §2.2–2.4)."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from game.controllers.ai.advisors import advisor_of
from tests.rules.cairn.creatures import Fight, foe, pc

HORN = {"name": "horn", "dice": [6], "hands": 0, "slots": 0, "natural": True, "ignores_armor": True}
FIRE = {"name": "fire", "dice": [6], "hands": 0, "slots": 0, "natural": True, "blast": "adjacent"}
TARGETS: list[dict[str, Any]] = [
    {"hp_max": 4},
    {"hp_max": 0, "strength": 5},
    {"hp_max": 3, "armor": 2, "strength": 6},
    {"hp_max": 2, "unstoppable": True, "strength": 9},
    {"hp_max": 3, "detachment": True, "armor": 1},
    {"hp_max": 1, "detachment": True},
    {"hp_max": 3, "posture": "prone"},
]


def told(
    creatures: list[dict[str, Any]], deeds: list[tuple[str, str]], dice: tuple[int, ...], **options: bool
) -> tuple[Any, Any]:
    """(what the odds say of the last blow of a pool, what every throw of `dice` and the critical save come to)."""

    fight = Fight(*creatures, throws=None, **options)
    for by, weapon in deeds[:-1]:
        fight.do(by, "attack", target="b", weapon=weapon)
    by, weapon = deeds[-1]
    odds = fight.rules.odds(fight.now, fight._action(by, "attack", {"target": "b", "weapon": weapon}))
    fight.do(by, "attack", target="b", weapon=weapon)
    planned, outcomes, damages = fight.now, dict[str, float](), dict[int, float]()
    throws = [(*faces, save) for faces in product(*(range(1, die + 1) for die in dice)) for save in range(1, 21)]
    for thrown in throws:
        fight.now = fight.rules.with_throws(planned, (*thrown, 1, 1, 1, 1), True)
        blows = [e for e in fight.half() if e["event"] == "attack" and e["target"] == "b"]
        (blow,) = [e for e in blows if e["outcome"] != "scratched"]
        outcomes[blow["outcome"]] = outcomes.get(blow["outcome"], 0) + 1 / len(throws)
        damages[blow["damage"]] = damages.get(blow["damage"], 0) + 1 / len(throws)
    return odds, (outcomes, damages)


def agree(odds: Any, counted: tuple[dict[str, float], dict[int, float]]) -> None:
    outcomes, damages = counted
    assert dict(odds.damage) == pytest.approx(damages)
    assert dict(odds.outcomes) == pytest.approx(outcomes)
    assert odds.mean == pytest.approx(sum(value * chance for value, chance in damages.items()))
    assert odds.drop == pytest.approx(outcomes.get("killed", 0) + outcomes.get("critical", 0))


@pytest.mark.parametrize("target", TARGETS, ids=str)
def test_one_blow(target: dict[str, Any]) -> None:
    dice = (4,) if target.get("detachment") else (8,)
    agree(*told([pc("a"), foe("b", **target)], [("a", "sword")], dice))


@pytest.mark.parametrize("second", [HORN, FIRE], ids=["ignoring armour", "blast"])
def test_a_pool_of_two(second: dict[str, Any]) -> None:
    """Ties go to what ignores armour; a blast's die for the target joins the pool."""
    heroes = [pc("a", (1, 1), items=["dagger"]), pc("c", (3, 1), items=[], attacks=[second])]
    agree(*told([*heroes, foe("b", armor=2, hp_max=2, strength=4)], [("a", "dagger"), ("c", second["name"])], (6, 6)))


def test_with_mercy_the_fallen_are_down_not_dead() -> None:
    agree(*told([pc("a"), foe("b")], [("a", "sword")], (8,), mercy=True))


def test_a_spell_is_its_own_save_and_the_victims() -> None:
    fight = Fight(pc("a", items=["book of Sleep"], willpower=12), foe("b", willpower=7))
    action = fight._action("a", "cast", {"item": "book of Sleep", "target": "b"})
    odds = fight.rules.odds(fight.now, action)
    assert odds.hit == pytest.approx(12 / 20 * 13 / 20)
    assert advisor_of(fight.rules).promise(fight.now, action).benefit > 0


def test_the_odds_of_harm_straight_to_strength_mind_no_armour() -> None:
    """A DEX save of 8, then 1 to 4 of 3 STR: with 2 or 1 left there is a save, with none there is not."""
    gas = foe("b", (4, 1), powers=["Poison Gas"])
    fight = Fight(pc("a", armor=2, strength=3, hp_max=6, dexterity=8), gas, throws=None)
    fight.half()
    odds = fight.rules.odds(fight.now, fight._action("b", "cast", {"item": "Poison Gas"}))
    assert odds.mean == pytest.approx(12 / 20 * 2.5)
    assert odds.drop == pytest.approx(12 / 20 * (18 / 20 + 19 / 20 + 1 + 1) / 4)


def test_an_area_tells_of_each_that_it_takes_in() -> None:
    fight = Fight(pc("a", items=["fire oil"]), foe("b", (4, 1), armor=1), foe("c", (5, 1)), pc("d", (3, 2)))
    action = fight._action("a", "use", {"item": "fire oil", "at": [4, 1]})
    odds = fight.rules.odds(fight.now, action)
    assert {share.id: share.mean for share in odds.targets} == pytest.approx({"b": 2.5, "c": 3.5, "d": 3.5})
    assert odds.mean == pytest.approx(6.0)
    assert advisor_of(fight.rules).promise(fight.now, action).benefit < 0, "a friend burns too"
    assert fight.rules.area(fight.now, action).bit_count() == 9
