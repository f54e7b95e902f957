"""Advantage and disadvantage where a table grants them: two full sets, the better or the worse kept (olde.md §1)."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from typing import Any

import msgspec
import pytest

from game.controllers.ai.advisors import advisor_of
from rules.board.fixtures import Door
from rules.board.grid import Field
from rules.contract.actions import Action
from rules.core import odds as dist
from rules.olde.combat.attack import RULE
from tests.rules.olde.creatures import Fight, being, duel
from tests.rules.table import dice

ROWS = ["######", "#....#", "#....#", "######"]


def on_a_step(throws: Sequence[int | None], a: int = 1, b: int = 0, **options: Any) -> Fight:
    """`a` at [1, 1] on storey `a`, `b` beside it on storey `b`."""
    levels = ["000000", f"0{a}{b}000", "000000", "000000"]
    field = Field.from_rows(ROWS, levels=levels)
    options = {"advantage": True, **options}
    return Fight(being("a", (1, 1)), being("b", (2, 1)), throws=[8, 4, *throws], field=field, **options)


def reasons(event: dict[str, Any]) -> list[str]:
    return [a["because"] for a in event.get("adjustments", ()) if a.get("rule") == RULE]


def test_higher_ground_keeps_the_better_of_two_sets() -> None:
    attack = on_a_step(dice("defense 3 3, attack 2 1 5 4, damage 3")).attack()
    assert (attack["defense"], attack["attack"]) == (6, 9)
    assert [throw["face"] for throw in attack["rolls"][1]["discarded"]] == [2, 1]
    assert reasons(attack) == ["advantage: higher ground"]


def test_lower_ground_keeps_the_worse() -> None:
    attack = on_a_step(dice("defense 3 3, attack 5 4 2 1"), a=0, b=1).attack()
    assert (attack["attack"], reasons(attack)) == (3, ["disadvantage: lower ground"])


def test_who_is_caught_unaware_is_attacked_with_advantage_in_the_first_turn_only() -> None:
    fight = duel(dice("defense 3 3, attack 2 1 2 2, action points 8 4"), b={"surprised": True}, ap=(8,), advantage=True)
    assert reasons(fight.attack()) == ["advantage: caught unaware"]
    while fight.state["turn"] == 1:
        fight.end(fight.acting or "")
    odds = fight.rules.odds(fight.now, Action("a", "attack", target="b", weapon="broadsword"))
    assert odds is not None and not [a for a in odds.adjustments if a.rule == RULE]


def test_advantage_and_disadvantage_cancel_each_other() -> None:
    field = Field.from_rows(ROWS, levels=["000000", "001000", "000000", "000000"])
    creatures = being("a", (1, 1)), being("b", (2, 1), surprised=True)
    attack = Fight(
        *creatures, throws=dice("action points 8, defense 3 3, attack 4 4, damage 1"), field=field, advantage=True
    ).attack()
    assert reasons(attack) == ["advantage: caught unaware", "disadvantage: lower ground"]
    assert (attack["attack"], "discarded" in attack["rolls"][1]) == (8, False)


def test_without_the_option_nobody_has_any() -> None:
    attack = on_a_step(dice("defense 3 3, attack 4 4, damage 3"), advantage=False).attack()
    assert (attack["attack"], reasons(attack)) == (8, [])


def at_a_locked_door(throws: Sequence[int | None], **options: Any) -> Fight:
    field = Field.from_rows(["#######", "#.....#", "#.....#", "#######"])
    field = msgspec.structs.replace(field, doors=(Door("gate", field.cell(3, 1), None, "locked", "", 9),))
    crew = being("a", (2, 2)), being("aa", (2, 1), "heroes"), being("b", (5, 2))
    return Fight(*crew, throws=[8, 7, 4, *throws], field=field, **options)


def test_help_gives_advantage_instead_of_its_bonus() -> None:
    """`a` helps with 5 + 6 − 2 against 8; then `aa` breaks the door with the better of 1 + 2 and 6 + 5, at −2."""
    fight = at_a_locked_door(dice("burst (brawn) 5 6 1 2 6 5"), advantage=True)
    fight.do("a", "assist", target="aa", option="Burst")
    fight.end("a")
    before = fight.rules.odds(fight.now, Action("aa", "force", target="gate", option="Burst"))
    check = fight.last("check", fight.do("aa", "force", target="gate", option="Burst"))
    assert (check["roll"]["total"], check["success"]) == (9, True)
    assert before is not None
    assert before.hit == pytest.approx(dist.chance_at_least(2, 8, 9 + 2, True, 1))
    assert before.attack_dice.endswith("the better of two")


@pytest.mark.parametrize("favour", [1, -1])
def test_the_odds_of_two_sets_are_exact(favour: int) -> None:
    """Against counting all throws of four dice that do not explode."""
    keep = max if favour > 0 else min
    sums = [keep(a + b, c + d) for a, b, c, d in product(range(1, 5), repeat=4)]
    for need in range(2, 9):
        wanted = Fraction(sum(total >= need for total in sums), len(sums))
        assert dist.chance_at_least(2, 4, need, False, favour) == pytest.approx(float(wanted), abs=1e-15)


def test_the_attack_card_counts_both_sets() -> None:
    plain, high = on_a_step([], a=0), on_a_step([])
    blow = Action("a", "attack", target="b", weapon="broadsword")
    one, two = (f.rules.odds(f.now, blow) for f in (plain, high))
    assert one is not None and two is not None
    assert two.hit > one.hit and sum(p for _, p in two.outcomes) == pytest.approx(1.0)
    offset, tails = dist.margins(8, 8, 1)
    assert two.hit == pytest.approx(tails[offset])


def test_the_computer_counts_it() -> None:
    cells = 1 << on_a_step([]).field.cell(1, 1)
    low, high = on_a_step([], a=0), on_a_step([])
    (one,), (two,) = (advisor_of(f.rules).targets(f.now, "a", cells) for f in (low, high))
    assert one.best is not None and two.best is not None and two.best.hit > one.best.hit
