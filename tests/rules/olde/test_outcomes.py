"""olde.md §6: critical outcomes, both columns, by the game master or a d2."""

from __future__ import annotations

from typing import Any

import pytest

from rules.contract.actions import Action
from tests.rules.olde.creatures import Fight, being, duel
from tests.rules.table import dice

LEATHER: dict[str, Any] = {"armor": "chainmail"}  # takes off 3
FENCER = {"weapons": ["shortsword"], "skills": {"Fencing": "Master"}}
KNIFE = {"weapons": ["sax"], "skills": {"Knives": "Apprentice"}}
HARDY: dict[str, Any] = {"brawn": 20}  # 23 HP, so that 11 stuns nobody


def _margin(margin: int) -> list[int]:
    """Defense and attack dice (d8, none exploding) that differ by `margin`."""
    if margin >= 0:
        attack = margin + 2
        return [1, 1, min(7, attack - 1), attack - min(7, attack - 1)]
    defense = 2 - margin
    return [min(7, defense - 1), defense - min(7, defense - 1), 1, 1]


@pytest.mark.parametrize(
    "margin, outcome",
    [
        (12, "legendary_hit"),
        (9, "legendary_hit"),
        (8, "critical_hit"),
        (6, "critical_hit"),
        (5, "solid_hit"),
        (3, "solid_hit"),
        (2, "hit"),
        (0, "hit"),
        (-1, "miss"),
        (-2, "miss"),
        (-3, "clean_miss"),
        (-5, "clean_miss"),
        (-6, "critical_miss"),
        (-8, "critical_miss"),
        (-9, "disastrous_miss"),
        (-12, "disastrous_miss"),
    ],
)
def test_outcome_by_margin(margin, outcome):
    attack = duel([*_margin(margin), 1, 1, 1, 1, 1], b=HARDY).attack()
    assert (attack["margin"], attack["outcome"]) == (margin, outcome)


# what the damage die shows, and what is sustained through chainmail (−3) by a d8 Brawn weapon
@pytest.mark.parametrize(
    "margin, die, damage", [(9, None, 13), (6, None, 7), (3, 5, 4), (3, 1, 0), (0, 5, 2), (0, 2, 0)]
)
def test_brawn_column(margin, die, damage):
    fight = duel([*_margin(margin), *([die] if die else []), 7, 7], b={**HARDY, **LEATHER})
    assert fight.attack()["damage"] == damage


# the same by a d6 Finesse weapon: armor is ignored from +6 on, and a solid hit does 2 at least
@pytest.mark.parametrize(
    "margin, die, damage", [(9, None, 6), (6, 5, 5), (6, 1, 1), (3, 6, 3), (3, 2, 2), (3, 5, 2), (0, 5, 2), (0, 2, 0)]
)
def test_finesse_column(margin, die, damage):
    fight = duel([*_margin(margin), *([die] if die else [])], a=KNIFE, b={**HARDY, **LEATHER})
    assert fight.attack(weapon="sax")["damage"] == damage


def test_maximum_damage_includes_the_dies_adjustments():
    # a warhammer in two hands needs 8: Brawn 7 is 1 short, so its maximum is 9; d7 dice, the 7 explodes
    hammer = {"brawn": 7, "weapons": ["warhammer"], "skills": {"Maces": "Apprentice"}}
    attack = duel(dice("defense 1 1, attack 6 7 3, brawn 1 1"), a=hammer, b=HARDY).attack(weapon="warhammer")
    assert (attack["attack"], attack["outcome"], attack["damage"]) == (15, "legendary_hit", 18)


def test_maximum_damage_of_an_all_out_attack_includes_its_four():
    assert duel(dice("defense 1 1, attack 4 3, brawn 1 1"), b=HARDY).attack(do="all_out_attack")["damage"] == 8 + 4 + 2


def test_ranged_weapons_use_the_finesse_column():
    bow: dict[str, Any] = {"weapons": ["shortbow"], "skills": {"Bows": "Apprentice"}}
    b = being("b", (4, 1), **HARDY, **LEATHER)
    assert Fight(being("a", **bow), b, throws=[8, 4, *_margin(9)]).attack(weapon="shortbow")["damage"] == 6


def test_of_a_weapon_with_two_skills_the_mode_counts_that_serves_best():
    # a shortsword fenced: Finesse dice and the Finesse column, armor ignored at +6
    attack = duel(dice("defense 1 1, attack 2 3, damage 4"), a=FENCER, b={**HARDY, **LEATHER}).attack(
        weapon="shortsword"
    )
    assert (attack["attack"], attack["outcome"], attack["damage"]) == (8, "critical_hit", 4)


def test_the_better_die_goes_before_a_little_more_skill():
    """Swords at d5 and +1 against fencing at d11 and 0: whoever holds a shortsword fences."""
    skills = {"Swords": "Journeyman", "Fencing": "Apprentice"}
    quick: dict[str, Any] = {"brawn": 6, "finesse": 11, "skills": skills, "weapons": ["shortsword"]}
    strong = {**quick, "brawn": 10, "finesse": 6}
    for hero, ap, declared in ((quick, 8, "2d11!"), (strong, 6, "2d10!")):
        fight = duel([], a=hero, ap=(ap, 4))
        odds = fight.rules.odds(fight.now, Action("a", "attack", target="b", weapon="shortsword"))
        assert odds is not None and odds.attack_dice == declared


def test_a_clean_miss_makes_the_attacker_stumble():
    fight = duel(_margin(-3))
    fight.attack()
    assert fight.of("a")["temporary"]["defense"] == -2
    fight = duel(_margin(-2))
    fight.attack()
    assert fight.of("a")["temporary"]["defense"] == 0


def test_critical_miss_by_the_die_one_drops_the_weapon():
    fight = duel([*_margin(-6), 1])
    fight.attack()
    assert fight.of("a")["weapons"] == [] and fight.of("a")["posture"] == "standing"
    (lying,) = fight.rules.board(fight.now).floor
    assert lying.item == "broadsword" and fight.of("a")["dropped"] == ["broadsword"]


def test_critical_miss_by_the_die_two_falls_prone():
    fight = duel([*_margin(-6), 2])
    fight.attack()
    assert fight.of("a")["posture"] == "prone" and fight.of("a")["weapons"] == ["broadsword"]


def test_disastrous_miss_by_the_die_one_breaks_the_weapon():
    fight = duel([*_margin(-9), 1])
    fight.attack()
    assert fight.of("a")["weapons"] == [] and fight.of("a")["dropped"] == []
    assert fight.rules.board(fight.now).floor == ()


def test_disastrous_miss_by_the_die_two_lets_the_defender_inflict_its_damage():
    fight = duel([*_margin(-9), 2, 5], a={"armor": "leather"})
    fight.attack()
    assert fight.of("a")["hp"] == 11 - (5 - 1)


def test_the_defenders_own_brawn_shortage_lessens_what_it_strikes_back_with():
    fight = duel(
        dice("defense 7 4, attack 1 1, which outcome 2, damage 5"), b={"brawn": 4}
    )  # a broadsword in two hands: 2 short
    fight.attack()
    assert fight.of("a")["hp"] == 11 - 3


def test_a_stunning_blow_struck_back_is_checked():
    fight = duel([*_margin(-9), 2, 6, 2, 3])
    fight.attack()
    assert "stunned" in str(fight.of("a")["conditions"])
    assert fight.acting == "b", "a stunned character's chance is over"


def test_with_the_option_gm_the_game_master_chooses():
    fight = duel(_margin(-6), gm=True)
    fight.attack()
    (decision,) = fight.rules.decisions(fight.now)
    assert (decision.by, decision.kind) == ("gm", "choose")
    options = {action.option for action in fight.rules.legal(fight.now, decision)}
    assert len(options) == 2
    fight.do("gm", "choose", option="fall_prone")
    assert fight.of("a")["posture"] == "prone" and fight.acting == "a"


def test_the_game_masters_answer_must_be_one_of_the_two():
    fight = duel(_margin(-6), gm=True)
    fight.attack()
    assert (
        fight.refusal("gm", "choose", option="weapon_breaks")
        == "option: 'weapon_breaks' is none of drop_weapon, fall_prone"
    )
    assert fight.refusal("a", "end") == "do: a question stands open, choose one of drop_weapon, fall_prone"


@pytest.mark.parametrize("margin", [-6, -9])
def test_who_has_nothing_to_drop_or_break_gets_the_other_outcome_without_a_die(margin):
    says: dict[str, Any] = {"weapons": [], "skills": {"Brawling": "Apprentice"}}
    fight = duel([*_margin(margin), *([4] if margin == -9 else [])], a=says)
    fight.attack(weapon="unarmed")
    if margin == -6:
        assert fight.of("a")["posture"] == "prone"
    else:
        assert fight.of("a")["hp"] == 7
    assert fight.used == 2 + 4 + (margin == -9)


def test_a_natural_weapon_cannot_be_dropped():
    says: dict[str, Any] = {"weapons": ["bite"], "skills": {"Brawling": "Apprentice"}}
    fight = duel(_margin(-6), a=says)
    fight.attack(weapon="bite")
    assert fight.of("a")["posture"] == "prone"


def test_where_the_defender_cannot_reach_the_weapon_breaks_without_a_die():
    bow: dict[str, Any] = {"weapons": ["shortbow"], "skills": {"Bows": "Apprentice"}}
    fight = Fight(being("a", **bow), being("b", (5, 1)), throws=[8, 4, *_margin(-9)])
    fight.attack(weapon="shortbow")
    assert fight.of("a")["weapons"] == []


def test_the_defender_strikes_back_only_if_it_reaches_with_what_it_holds():
    # b holds a bow and stands two spaces from a's greatsword; the fists reach only one
    long: dict[str, Any] = {"weapons": ["greatsword"], "brawn": 10}
    b = being("b", (3, 1), weapons=["shortbow"], skills={"Bows": "Apprentice", "Brawling": "Apprentice"})
    fight = Fight(being("a", **long), b, throws=dice("action points 8 4, defense 7 4, attack 1 1"))
    fight.attack(weapon="greatsword")
    assert fight.of("a")["weapons"] == [] and fight.of("a")["hp"] == 13


def test_where_neither_is_possible_the_attacker_falls_prone():
    # an incapacitated defender throws nothing and cannot strike back, and teeth do not break
    says: dict[str, Any] = {"weapons": ["bite"], "skills": {}, "armor": "plate-and-mail"}
    fight = Fight(
        being("a", **says), being("b", (2, 1), hp=0), being("c", (6, 1)), throws=dice("action points 4 2, attack 1 1")
    )
    attack = fight.attack(weapon="bite")
    # 2 − 2 for Brawling untrained − 3 for the armor = −3 against Easy (6)
    assert (attack["margin"], attack["outcome"]) == (-9, "disastrous_miss")
    assert fight.of("a")["posture"] == "prone"


@pytest.mark.parametrize("margin, cp", [(9, 2), (6, 1), (3, 0), (0, 0)])
def test_character_points_for_a_heros_hits(margin, cp):
    fight = duel([*_margin(margin), 1, 1, 1], b=HARDY)
    fight.attack()
    assert (fight.of("a")["cp"], fight.of("b")["cp"]) == (cp, 0)


@pytest.mark.parametrize("margin, cp", [(-6, 1), (-9, 2), (-3, 0)])
def test_character_points_for_a_heros_defense(margin, cp):
    fight = duel([*_margin(margin), 1, 1, 1], ap=(4, 8))
    fight.attack("b", "a")
    assert (fight.of("a")["cp"], fight.of("b")["cp"]) == (cp, 0)
