"""Lasting conditions may modify the rank of a stat's die: an illness, say (olde.md §1, seeds' example)."""

from __future__ import annotations

from typing import Any

import pytest

from rules.contract.actions import Action
from tests.rules.olde.creatures import Fight, because, being, duel
from tests.rules.table import dice

ILL: dict[str, Any] = {"modified": {"brawn": -2}}


def test_an_ill_hero_attacks_with_smaller_dice_and_keeps_its_stat() -> None:
    """Brawn 8 throws d6s: the 6 explodes, and hit points, minimums and grips go by the stat."""
    fight = duel(dice("defense 4 4, attack 6 1 3, damage 1"), a=ILL)
    attack = fight.attack()
    assert attack["rolls"][1]["dice"] == "2d6!" and attack["attack"] == 6 + 1 + 3
    assert fight.of("a")["hp"] == 11 and because(attack, "attack") == 0


def test_the_odds_are_of_the_dice_that_are_thrown() -> None:
    sick, weak = duel([], a=ILL), duel([], a={"brawn": 6, "hp": 9})
    blow = Action("a", "attack", target="b", weapon="broadsword")
    one, other = (fight.rules.odds(fight.now, blow) for fight in (sick, weak))
    assert one is not None and other is not None
    assert one.attack_dice == other.attack_dice == "2d6!"


def test_a_finesse_die_is_lowered_by_illness_and_armor_together() -> None:
    says: dict[str, Any] = {"modified": {"finesse": -2}, "brawn": 7, "armor": "chainmail", "weapons": []}
    fight = Fight(being("a", **says), being("b", (5, 1)), throws=dice("action points 5 4"))
    assert fight.of("a")["ap"] == 5, "d5: 8, less 2 for the illness, less 1 for the mail"
    assert fight.now.setup.fighters[0].finesse_rank == 5


@pytest.mark.parametrize(("rank", "thrown"), [(-20, 1), (2, 10)])
def test_a_rank_never_falls_below_one(rank: int, thrown: int) -> None:
    fight = duel([], a={"modified": {"brawn": rank}})
    odds = fight.rules.odds(fight.now, Action("a", "attack", target="b", weapon="broadsword"))
    assert odds is not None and odds.attack_dice == f"2d{thrown}!"


def test_checks_and_unarmed_blows_go_by_the_modified_die() -> None:
    fight = duel(dice("defense 2 2, attack 4 4, damage 3"), a={**ILL, "weapons": []})
    attack = fight.attack(weapon="unarmed")
    assert attack["rolls"][2]["dice"] == "1d6" and attack["damage"] == 2
    fight = duel(dice("endure (nerve) 1 1"), a={**ILL, "nerve": 7})
    fight.do("gm", "check", target="a", option="Endure", rating=3)
    assert fight.last("check")["roll"]["dice"] == "2d7!", "Nerve is the better as the dice are now"


def test_long_things_that_come_to_hand_are_clubs_and_staves_have_a_weapon() -> None:
    fight = duel(
        dice("defense 2 2, attack 4 3, damage 3"), a={"weapons": ["chair leg"], "skills": {"Maces": "Apprentice"}}
    )
    assert fight.attack(weapon="chair leg")["damage"] == 3 + 2
    staff = {"weapons": ["quarterstaff"], "skills": {"Quarterstaff": "Apprentice"}}
    attack = duel(dice("defense 2 2, attack 4 4, damage 4"), a=staff).attack(weapon="quarterstaff")
    assert (attack["attack"], because(attack, "attack")) == (8, 0)
