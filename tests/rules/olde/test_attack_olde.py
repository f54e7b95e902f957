"""olde.md §5 and §6: attacks, defense, reach, range, sight, gear."""

from __future__ import annotations

from typing import Any

import pytest

from rules.board.grid import Field
from tests.rules.olde.creatures import Fight, because, being, duel
from tests.rules.table import dice

BOW: dict[str, Any] = {"weapons": ["shortbow"], "skills": {"Bows": "Apprentice"}}
CORRIDOR = ["#" * 64, "#" + "." * 62 + "#", "#" * 64]


def test_the_defender_throws_first_and_equal_totals_hit():
    attack = duel(dice("defense 2 3, attack 4 1, damage 5")).attack()
    assert (attack["defense"], attack["attack"], attack["margin"]) == (5, 5, 0)
    assert (attack["outcome"], attack["damage"]) == ("hit", 5)


def test_one_less_misses_and_throws_no_damage_die():
    fight = duel(dice("defense 2 3, attack 3 1"))
    attack = fight.attack()
    assert (attack["margin"], attack["outcome"], attack["damage"]) == (-1, "miss", 0)
    assert (fight.used, fight.of("b")["hp"]) == (6, 11)


def test_attack_and_defense_dice_explode():
    attack = duel(dice("defense 8 2 1, attack 8 1 3, damage 5")).attack()
    assert (attack["defense"], attack["attack"]) == (11, 12)


def test_damage_dice_do_not_explode():
    fight = duel(dice("defense 2 3, attack 3 2, damage 8, brawn 4 5"))
    assert fight.attack()["damage"] == 8
    assert fight.used == 9  # 2 action points, 2 defense, 2 attack, damage, and the stun check of 2 dice: 8 > 11 / 2


def test_exploding_damage_is_a_house_rule_switch():
    assert duel(dice("defense 2 3, attack 3 2, damage 8 1, brawn 5 5"), exploding_damage=True).attack()["damage"] == 9


def test_an_attack_costs_two():
    fight = duel(dice("defense 1 1, attack 1 1, damage 1"))
    fight.attack()
    assert fight.of("a")["ap"] == 6


# -- adjustments ----------------------------------------------------------------------------------------


def test_weapon_skill_adjusts_the_attack():
    attack = duel(dice("defense 2 2, attack 2 2, damage 1"), a={"skills": {"Swords": "Foreman"}}).attack()
    assert (attack["attack"], because(attack, "attack")) == (6, 2)


def test_lacking_the_weapon_skill_costs_two():
    assert duel(dice("defense 2 2, attack 2 2"), a={"skills": {}}).attack()["attack"] == 2


@pytest.mark.parametrize(
    "skills, adjustment",
    [
        ({"Swords": "Journeyman"}, 1),
        ({"Swords": "Apprentice", "Shields": "Master"}, 3),
        ({"Swords": "Master", "Shields": "Journeyman"}, 3),
        ({}, -2),
    ],
)
def test_defense_uses_the_better_of_weapon_and_shield_skill_not_both(skills, adjustment):
    says: dict[str, Any] = {"skills": skills, "shield": "heater", "weapons": ["broadsword"]}
    attack = duel(dice("defense 2 2, attack 3 4, damage 1"), b=says).attack()
    assert attack["defense"] == 4 + adjustment + 2  # the heater's own bonus is 2


def test_without_a_weapon_in_hand_brawling_defends():
    assert duel([2, 2, 1, 4, 1], b={"weapons": [], "skills": {"Brawling": "Foreman"}}).attack()["defense"] == 6
    assert duel(dice("defense 2 2, attack 1 4, damage 1"), b={"weapons": [], "skills": {}}).attack()["defense"] == 2


def test_rushed_attack_costs_one_and_two_off_the_attack_and_one_off_defense():
    fight = duel(dice("defense 2 2, attack 4 2, damage 3"))
    attack = fight.attack(do="rushed_attack")
    assert (attack["attack"], fight.of("a")["ap"]) == (4, 7)
    assert fight.of("a")["temporary"]["defense"] == -1


def test_all_out_attack_adds_to_attack_and_damage_and_costs_three_off_defense():
    fight = duel(dice("defense 2 2, attack 1 2, damage 3, brawn 4 5"))
    attack = fight.attack(do="all_out_attack")
    assert (attack["attack"], attack["damage"]) == (5, 7)
    assert fight.of("a")["temporary"]["defense"] == -3


def test_aimed_shot_adds_two_and_two_and_costs_two_off_defense():
    fight = Fight(
        being("a", (1, 1), **BOW),
        being("b", (4, 1)),
        throws=dice("action points 8 4, defense 2 2, attack 1 2, damage 2"),
    )
    attack = fight.attack(do="aimed_shot", weapon="shortbow")
    assert (attack["attack"], attack["damage"], fight.of("a")["ap"]) == (5, 4, 5)
    assert fight.of("a")["temporary"]["defense"] == -2


def test_temporary_defense_adds_up_counts_and_ends_in_the_next_reset():
    fight = duel(dice("defense 1 1, attack 2 2, damage 1, defense 4 4, attack 2 2, action points 3 2"), ap=(8, 7))
    fight.attack(do="rushed_attack")
    fight.end("a")
    attack = fight.attack("b", "a")
    assert (attack["defense"], because(attack, "defense")) == (7, -1)
    fight.end("b", "a", "b")
    assert (fight.state["turn"], fight.of("a")["temporary"]["defense"]) == (2, 0)


def test_all_out_is_for_melee_and_aimed_for_ranged_weapons():
    fight = Fight(being("a", (1, 1), **BOW), being("b", (4, 1)), throws=dice("action points 8 4"))
    assert (
        fight.refusal("a", "all_out_attack", target="b", weapon="shortbow")
        == "all_out_attack: target: All-Out Attack is for melee"
    )
    assert (
        duel([]).refusal("a", "aimed_shot", target="b", weapon="broadsword")
        == "aimed_shot: target: Aimed Shot is for ranged weapons"
    )


def test_the_advanced_actions_can_be_switched_off():
    fight = duel([], advanced=False)
    for do in ("rushed_attack", "all_out_attack"):
        name = {"rushed_attack": "Rushed Attack", "all_out_attack": "All-Out Attack"}[do]
        why = f"{do}: {name} is an advanced action, and this fight is played without them"
        assert fight.refusal("a", do, target="b", weapon="broadsword") == why
    assert (
        fight.refusal("a", "run", path=[[1, 2]])
        == "run: Run is an advanced movement, and this fight is played without them"
    )


def test_shield_block_gives_two_against_melee_only():
    shield: dict[str, Any] = {"shield": "heater", "skills": {"Swords": "Apprentice", "Shields": "Journeyman"}}
    fight = duel([2, 2, 4, 3], b=shield, ap=(4, 8))
    fight.do("b", "shield_block")
    assert fight.of("b")["ap"] == 6
    fight.end("b")
    assert fight.attack()["defense"] == 4 + 1 + 2 + 2
    bowman = being("a", (1, 1), **BOW)
    fight = Fight(bowman, being("b", (4, 1), **shield), throws=[4, 8, 2, 2, 4, 3, 1])
    fight.do("b", "shield_block")
    fight.end("b")
    assert fight.attack(weapon="shortbow")["defense"] == 4 + 1 + 2


def test_shield_block_needs_a_readied_shield_and_a_journeyman():
    shield = {"shield": "heater", "skills": {"Swords": "Apprentice", "Shields": "Apprentice"}}
    assert duel([], a=shield).refusal("a", "shield_block") == "shield_block: needs Shields at Journeyman"
    shield["skills"] = {"Shields": "Journeyman"}
    assert (
        duel([], a={**shield, "ready": ["broadsword"]}).refusal("a", "shield_block")
        == "shield_block: needs a shield in hand"
    )
    assert (
        duel([], a={"skills": {"Shields": "Journeyman"}}).refusal("a", "shield_block")
        == "shield_block: needs a shield in hand"
    )


# -- reach and range ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "weapon, legal",
    [("broadsword", [1]), ("shortsword", [0, 1]), ("greatsword", [1, 2]), ("pike", [1, 2, 3]), ("rapier", [1, 2])],
)
def test_reach(weapon, legal):
    for distance in range(5):
        a = being("a", (1, 1), weapons=[weapon], brawn=12)
        fight = Fight(a, being("b", (1 + distance, 1)), throws=[8, 4, 1, 1, 7, 7, 1, 1, 1])
        if distance in legal:
            assert fight.attack(weapon=weapon)["attack"] > 0
        else:
            reach = f"{legal[0]} to {legal[-1]}" if len(legal) > 1 else f"{legal[0]}"
            why = f"attack: target: {distance} spaces away; {weapon} reaches {reach}"
            assert fight.refusal("a", "attack", target="b", weapon=weapon) == why.replace(" 1 spaces", " 1 space")


def test_reach_counts_diagonals_as_one():
    fight = Fight(being("a", (1, 1)), being("b", (2, 2)), throws=[8, 4, 1, 1, 1, 1, 1])
    assert fight.attack()["outcome"] == "hit"


@pytest.mark.parametrize(
    "distance, penalty", [(2, 0), (6, 0), (7, -2), (12, -2), (13, -4), (24, -4), (25, -6), (48, -6)]
)
def test_range_costs_two_for_every_doubling(distance, penalty):
    a, b = being("a", (1, 1), **BOW), being("b", (1 + distance, 1))
    fight = Fight(a, b, rows=CORRIDOR, throws=[8, 4, 7, 5, 7, 7, 1])
    assert fight.attack(weapon="shortbow")["attack"] == 14 + penalty


def test_no_shot_beyond_base_times_limit():
    fight = Fight(being("a", (1, 1), **BOW), being("b", (50, 1)), rows=CORRIDOR, throws=[8, 4])
    assert (
        fight.refusal("a", "attack", target="b", weapon="shortbow")
        == "attack: target: 49 spaces away; shortbow reaches 1 to 48"
    )


def test_no_shot_in_the_same_space():
    fight = Fight(being("a", (1, 1), **BOW), being("b", (1, 1)), throws=[8, 4])
    assert (
        fight.refusal("a", "attack", target="b", weapon="shortbow")
        == "attack: target: 0 spaces away; shortbow reaches 1 to 48"
    )


def test_a_shot_at_an_adjacent_target_costs_two_unless_it_is_motionless():
    assert duel([2, 2, 3, 3, 1], a=BOW).attack(weapon="shortbow")["attack"] == 4
    third = being("c", (5, 1), side="monsters", finesse=2)
    fight = Fight(being("a", (1, 1), **BOW), being("b", (2, 1), hp=0), third, throws=[8, 1, 3, 3, 1])
    attack = fight.attack(weapon="shortbow")
    assert (attack["attack"], attack["defense"]) == (6, 6)


def test_thrown_weapon_leaves_the_hand_and_lies_by_the_target():
    says: dict[str, Any] = {"weapons": ["axe"], "skills": {"Thrown Weapons": "Apprentice"}}
    fight = Fight(being("a", (1, 1), **says), being("b", (4, 1)), throws=[8, 4, 1, 1, 1, 1, 2])
    assert fight.attack(weapon="axe")["damage"] == 2
    assert fight.of("a")["weapons"] == []
    (lying,) = fight.rules.board(fight.now).floor
    column, row = fight.field.at(lying.cell)
    assert lying.item == "axe" and max(abs(column - 4), abs(row - 1)) <= 1


@pytest.mark.parametrize("distance, penalty", [(4, 0), (5, -2), (8, -2)])
def test_thrown_range(distance, penalty):
    says: dict[str, Any] = {"weapons": ["knife"], "skills": {"Thrown Weapons": "Apprentice"}}
    fight = Fight(being("a", (1, 1), **says), being("b", (1 + distance, 1)), throws=[8, 4, 1, 1, 3, 3, 2])
    assert fight.attack(weapon="knife")["attack"] == 6 + penalty


def test_no_throw_beyond_the_limit():
    says: dict[str, Any] = {"weapons": ["knife"], "skills": {"Thrown Weapons": "Apprentice"}}
    fight = Fight(being("a", (1, 1), **says), being("b", (10, 1)), throws=[8, 4])
    assert (
        fight.refusal("a", "attack", target="b", weapon="knife")
        == "attack: target: 9 spaces away; knife reaches 1 to 8"
    )


@pytest.mark.parametrize("brawn, cost", [(8, 1), (7, 3)])
def test_a_crossbow_must_be_reset_for_one_or_three(brawn, cost):
    says: dict[str, Any] = {"weapons": ["crossbow"], "skills": {"Crossbows": "Apprentice"}, "brawn": brawn}
    fight = Fight(being("a", (1, 1), **says), being("b", (5, 1)), throws=[8, 1, 1, 1, 1, 1, 1])
    fight.attack(weapon="crossbow")
    fight.end("a", "b")
    assert (
        fight.refusal("a", "attack", target="b", weapon="crossbow")
        == "attack: weapon: the crossbow must be reset first"
    )
    before = fight.of("a")["ap"]
    fight.do("a", "reset_crossbow")
    assert fight.of("a")["ap"] == before - cost


def test_a_crossbow_shoots_again_once_reset():
    says: dict[str, Any] = {"weapons": ["crossbow"], "skills": {"Crossbows": "Apprentice"}}
    fight = Fight(being("a", (1, 1), **says), being("b", (5, 1)), throws=[8, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1])
    fight.attack(weapon="crossbow")
    fight.end("a", "b")
    fight.do("a", "reset_crossbow")
    fight.end("a", "b")
    assert fight.attack(weapon="crossbow")["outcome"] == "hit"


# -- Brawn minimums -------------------------------------------------------------------------------------


def test_each_point_of_brawn_short_costs_one_attack_and_one_damage():
    # a broadsword in two hands needs 6: Brawn 4 is 2 short
    attack = duel([1, 1, 3, 3, 3], a={"brawn": 4}).attack()
    assert (attack["attack"], attack["damage"]) == (4, 1)


def test_no_bonus_for_brawn_above_the_minimum():
    attack = duel([1, 1, 1, 1, 3], a={"brawn": 12}).attack()
    assert (attack["attack"], attack["damage"]) == (2, 3)


def test_with_the_other_hand_full_the_one_handed_minimum_counts():
    # one-handed the broadsword needs 8: Brawn 7 is 1 short; the buckler needs 6
    attack = duel([1, 1, 2, 2, 3], a={"brawn": 7, "shield": "buckler"}).attack()
    assert (attack["attack"], attack["damage"]) == (3, 2)
    attack = duel([1, 1, 2, 2, 3], a={"brawn": 7}).attack()
    assert (attack["attack"], attack["damage"]) == (4, 3)


def test_a_fencing_weapon_has_no_two_handed_grip():
    says: dict[str, Any] = {"brawn": 6, "weapons": ["rapier"], "skills": {"Fencing": "Apprentice"}}
    attack = duel([1, 1, 3, 3, 5], a=says).attack(weapon="rapier")
    assert (attack["attack"], because(attack, "damage")) == (4, -2)


def test_heavy_armor_modifies_the_finesse_die_and_adjusts_brawn_checks():
    # scale needs 9; Brawn 7 is 2 short: Finesse d6 for action points and defense, −2 on Brawn attacks
    scale = {"armor": "scale", "brawn": 7, "weapons": ["shortsword"]}
    fight = duel([1, 1, 3, 2, 1], a=scale, ap=(6, 4))
    attack = fight.attack(weapon="shortsword")
    assert (fight.of("a")["ap"], attack["attack"]) == (4, 3)
    assert [roll["dice"] for roll in attack["rolls"]][:2] == ["2d8!", "2d7!"]
    fight = duel([6, 1, 1, 4, 3], b=scale, ap=(8, 4))
    assert fight.attack()["defense"] == 6 + 1 + 1, "the d6 exploded"


def test_heavy_armor_costs_a_finesse_attack_a_rank_but_no_adjustment():
    says: dict[str, Any] = {"armor": "scale", "brawn": 7, "weapons": ["shortbow"], "skills": {"Bows": "Apprentice"}}
    fight = Fight(being("a", (1, 1), **says), being("b", (4, 1)), throws=[6, 4, 1, 1, 6, 1, 2, 1])
    assert fight.attack(weapon="shortbow")["attack"] == 9


def test_heavy_shield_costs_one_on_brawn_and_finesse_checks():
    # the kite needs 10: Brawn 8 is 2 short
    kite = {"shield": "kite"}
    assert duel([1, 1, 3, 3, 1], a=kite).attack()["attack"] == 4
    assert duel([3, 3, 1, 1], b=kite).attack()["defense"] == 6 + 3 - 2


def test_unarmed_damage_is_half_a_brawn_die_rounded_up():
    says: dict[str, Any] = {"weapons": [], "skills": {"Brawling": "Apprentice"}}
    assert duel([1, 1, 1, 1, 5], a=says).attack(weapon="unarmed")["damage"] == 3
    # Brawn 7: a d8 whose 8 counts 4
    assert duel([1, 1, 1, 1, 8], a={**says, "brawn": 7}).attack(weapon="unarmed")["damage"] == 2


def test_unarmed_reaches_the_same_space_and_the_next():
    says: dict[str, Any] = {"weapons": [], "skills": {"Brawling": "Apprentice"}}
    for distance, legal in ((0, True), (1, True), (2, False)):
        fight = Fight(being("a", (1, 1), **says), being("b", (1 + distance, 1)), throws=[8, 4, 1, 1, 1, 1, 1])
        if legal:
            assert fight.attack(weapon="unarmed")["outcome"] == "hit"
        else:
            assert (
                fight.refusal("a", "attack", target="b", weapon="unarmed")
                == "attack: target: 2 spaces away; unarmed reaches 0 to 1"
            )


def test_armor_reduces_damage_not_below_nothing():
    assert duel([1, 1, 1, 1, 5], b={"armor": "leather"}).attack()["damage"] == 4
    assert duel([1, 1, 1, 1, 2], b={"armor": "chainmail"}).attack()["damage"] == 0


def test_a_weapon_that_is_not_in_hand_cannot_attack():
    fight = duel([], a={"weapons": ["broadsword", "dagger"]})
    assert (
        fight.refusal("a", "attack", target="b", weapon="dagger")
        == "attack: weapon: 'dagger' is not in hand; Ready it first (1 AP)"
    )


def test_ready_costs_one_and_changes_what_is_in_hand():
    fight = duel([1, 1, 1, 1, 1], a={"weapons": ["broadsword", "dagger"], "skills": {"Knives": "Apprentice"}})
    fight.do("a", "ready", items=("dagger",))
    assert fight.of("a")["ap"] == 7
    fight.end("a", "b")
    assert fight.attack(weapon="dagger")["outcome"] == "hit"


def test_ready_holds_no_more_than_two_hands_can():
    fight = duel([], a={"weapons": ["shortbow", "dagger"], "shield": "buckler"})
    assert (
        fight.refusal("a", "ready", items=("shortbow", "buckler"))
        == "ready: items: shortbow, buckler need more than two hands"
    )
    assert (
        fight.refusal("a", "ready", items=("broadsword",))
        == "ready: items: 'broadsword' is not carried; carried: shortbow, dagger, buckler"
    )


def test_one_does_not_attack_oneself_or_the_dead():
    assert duel([]).refusal("a", "attack", target="a", weapon="broadsword") == "attack: target: nobody attacks oneself"
    fight = Fight(being("a", (1, 1)), being("b", (2, 1), hp=-11), being("c", (5, 1)), throws=[8, 4])
    assert fight.of("b")["status"] == "dead"
    assert fight.refusal("a", "attack", target="b", weapon="broadsword") == "attack: target: b is dead"


# -- line of sight --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "rows, penalty",
    [(["A....", "....T"], 0), (["A....", "..#.T"], -3), (["......", "A..#.T", "......"], -6), (["A#", ".T"], 0)],
)
def test_sight_grades_adjust_the_attack(rows, penalty):
    fight = _sighted(rows, [8, 4, 7, 5, 7, 7, 1])
    adjacent = -2 if fight.field.width == 2 else 0
    assert fight.attack(weapon="shortbow")["attack"] == 14 + penalty + adjacent


def test_without_sight_there_is_no_attack():
    assert "sight" in _sighted(["A#", "#T"], [8, 4]).refusal("a", "attack", target="b", weapon="shortbow")
    assert "sight" in _sighted(["..#..", "A.#.T", "..#.."], [8, 4]).refusal(
        "a", "attack", target="b", weapon="shortbow"
    )


def test_the_end_of_a_wall_two_high_leaves_minimal_sight():
    # two spaces apart in one row, the wall above and between them, its end at the attacker's lower edge
    fight = _sighted([".#.", "A#T", "..."], [8, 4, 1, 1, 7, 7, 1])
    assert fight.attack(weapon="shortbow")["attack"] == 14 - 6


def test_creatures_do_not_block_sight():
    a, between = being("a", (1, 1), **BOW), being("c", (2, 1), side="heroes", finesse=2)
    fight = Fight(a, between, being("b", (4, 1)), throws=[8, 1, 4, 7, 5, 7, 7, 1])
    assert fight.attack(weapon="shortbow")["attack"] == 14


def _sighted(rows, throws):
    places = {}
    for y, row in enumerate(rows):
        for x, symbol in enumerate(row):
            if symbol in "AT":
                places[symbol] = (x, y)
    field = Field.from_rows([row.replace("A", ".").replace("T", ".") for row in rows])
    return Fight(being("a", places["A"], **BOW), being("b", places["T"]), field=field, throws=throws)


# -- posture --------------------------------------------------------------------------------------------


def test_prone_costs_three_on_melee_attack_and_defense():
    assert duel([1, 1, 4, 4, 1], a={"posture": "prone"}).attack()["attack"] == 5
    assert duel([4, 4, 2, 3, 1], b={"posture": "prone"}).attack()["defense"] == 5


def test_prone_gains_three_on_defense_against_ranged():
    fight = Fight(being("a", (1, 1), **BOW), being("b", (4, 1), posture="prone"), throws=[8, 4, 2, 2, 3, 4, 1])
    assert fight.attack(weapon="shortbow")["defense"] == 7


@pytest.mark.parametrize(
    "weapon, skill, adjustment",
    [("shortbow", "Bows", -3), ("sling", "Sling", -3), ("knife", "Thrown Weapons", -3), ("crossbow", "Crossbows", 2)],
)
def test_prone_shooting(weapon, skill, adjustment):
    says: dict[str, Any] = {"posture": "prone", "weapons": [weapon], "skills": {skill: "Apprentice"}}
    fight = Fight(being("a", (1, 1), **says), being("b", (4, 1)), throws=[8, 4, 1, 1, 3, 3, 1])
    assert fight.attack(weapon=weapon)["attack"] == 6 + adjustment


def test_untrained_sling_is_unusable():
    fight = Fight(being("a", (1, 1), weapons=["sling"]), being("b", (4, 1)), throws=[8, 4])
    assert fight.refusal("a", "attack", target="b", weapon="sling") == "attack: weapon: nobody uses a sling untrained"
