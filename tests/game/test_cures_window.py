"""Whom a cure is offered for first, and what is said of who is unhurt."""

from __future__ import annotations

from typing import Any

import pygame

from game.scenes.fight.scene import Fight
from rules.contract.actions import Action
from tests.game.hotseat_table import app_at
from tests.game.player import Player, fight_of
from tests.rules.cairn.creatures import foe, pc

ROWS = ["##############", "#............#", "#............#", "##############"]


def begun(player: Player, **hurt: int) -> Fight:
    """Four heroes side by side, of whom the first has salves; these have lost STR."""
    heroes: list[dict[str, Any]] = [pc(name, (1 + n, 1), controller="human") for n, name in enumerate("abcd")]
    heroes[0] = {**heroes[0], "at": [2, 2], "items": ["sword", "healing salve"]}
    for each in heroes:
        if each["id"] in hurt:
            each["strength_now"] = 10 - hurt[each["id"]]
    fight = fight_of(player, {
        "format": "battlemat/1", "ruleset": "cairn", "seed": 2, "options": {}, "map": {"rows": ROWS}, "commands": [],
        "creatures": [*heroes, foe("f", (12, 1), controller="ai")],
    })  # fmt: skip
    player.until(lambda: fight.plan is not None and not fight.waits)
    assert fight.plan is not None and fight.planning.turn_to("a") is not None
    salve = next(o for o in fight.plan.offers if o.do == "use")
    fight.choosing.take_offer(salve)
    picks = fight.choices.picks
    if picks is not None:
        fight.choosing.take_pick(picks[1][0][2])
    return fight


def test_the_hurt_are_offered_first_and_the_worst_hurt_before_all() -> None:
    player = app_at()
    fight = begun(player, b=2, c=9)
    player.key(pygame.K_TAB)
    assert fight.pointed.aimed == "c"
    assert fight.plan is not None and fight.plan.targets() == ["c", "b", "a"]


def test_of_the_unhurt_it_says_that_they_gain_nothing() -> None:
    player = app_at()
    fight = begun(player, c=2)
    plan = fight.plan
    assert plan is not None
    hurt, unhurt = (Action("a", "use", item="healing salve", target=name) for name in "cb")
    assert plan.given_back(hurt) > 0 and not plan.in_vain(hurt)
    assert plan.in_vain(unhurt) and fight.choosing.price(unhurt).endswith("nothing to mend")
    assert " back" in fight.choosing.price(hurt)
    odds = plan.odds(unhurt)
    assert odds is not None and "nothing to mend: b gains nothing" in [said for said, _ in odds.notes]


def test_where_nobody_is_hurt_the_card_says_so_still() -> None:
    player = app_at()
    fight = begun(player)
    assert fight.plan is not None
    odds = fight.plan.odds(Action("a", "use", item="healing salve", target="b"))
    assert odds is not None and any(said.startswith("nothing to mend") for said, _ in odds.notes)
