"""What was reckoned before decides nothing: figures that planners are given are the same in any order of asking."""

from __future__ import annotations

from typing import Any

import pytest

from game.controllers.ai.advisors import advisor_of
from game.controllers.ai.advisors.cairn import prospect
from tests.rules.cairn.creatures import Fight, foe, pc


def swings(weapon: str, **target: Any) -> Any:
    fight = Fight(pc("a", items=[weapon]), foe("b", hp_max=9, **target))
    return advisor_of(fight.rules).targets(fight.now, "a", fight.now.terrain.everywhere)


def anew() -> None:
    prospect._known.clear()
    prospect._pools.clear()


@pytest.mark.parametrize("target", [{}, {"impaired_by": ["mundane"]}], ids=["plain", "hardly hurt"])
@pytest.mark.parametrize("weapon, before", [("sword", "dagger"), ("dagger", "sword"), ("axe", "halberd")])
def test_a_daring_blow_is_worth_the_same_whatever_was_asked_before(
    weapon: str, before: str, target: dict[str, Any]
) -> None:
    anew()
    alone = swings(weapon, **target)
    assert any(place.swings for one in alone for place in one.vantages)
    anew()
    swings(before, **target)
    assert swings(weapon, **target) == alone
