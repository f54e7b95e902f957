"""Corners of olde.md §§4–7 where two rules meet."""

from __future__ import annotations

from typing import Any

import pytest

from game.content import tables as content
from tests.rules.olde.creatures import GEAR, Fight, because, being, duel
from tests.rules.table import dice, position

AXE: dict[str, Any] = {"weapons": ["axe"], "skills": {"Thrown Weapons": "Apprentice"}}


def test_a_thrown_weapon_is_out_of_the_hand_so_a_critical_miss_trips_the_thrower():
    fight = Fight(being("a", **AXE), being("b", (4, 1)), throws=[8, 4, 4, 4, 1, 1])
    assert fight.attack(weapon="axe")["outcome"] == "critical_miss"
    assert (fight.of("a")["posture"], fight.used) == ("prone", 6)


def test_a_thrown_weapon_is_out_of_the_hand_so_a_disastrous_miss_cannot_break_it():
    fight = Fight(being("a", **AXE), being("b", (4, 1)), throws=[8, 4, 7, 4, 1, 1])
    assert fight.attack(weapon="axe")["outcome"] == "disastrous_miss"
    assert fight.of("a")["posture"] == "prone", "the defender does not reach the thrower"
    assert [lying.item for lying in fight.rules.board(fight.now).floor] == ["axe"]


def test_after_an_only_movement_paid_with_all_nothing_more_is_done_this_turn():
    fight = duel([], a={"posture": "prone"}, ap=(1, 1), b={"finesse": 7})
    fight.do("a", "rise")
    assert fight.refusal("a", "flop", option="prone") == "flop: an Only action took the whole turn"


def test_free_steps_need_a_point_left():
    assert "free_steps" in position("olde", "A . g", A="warrior ap=1", g="goblin").offered
    fight = position("olde", "A . g", A="warrior ap=0", g="goblin")
    assert fight.refusal("A free_steps b1") == "free_steps: free steps need at least 1 AP left"


def test_free_steps_come_first():
    fight = duel([6, 2], ap=(1, 3))
    fight.end("b")
    fight.do("a", "step", path=[[1, 2]])
    assert fight.refusal("a", "free_steps", path=[[1, 3]]) == "free_steps: free steps come before movement and action"


def test_a_spear_is_held_in_two_hands_while_the_other_is_empty():
    says: dict[str, Any] = {"brawn": 6, "weapons": ["spear"], "skills": {"Spears": "Apprentice"}}
    assert duel([1, 1, 1, 1, 2], a=says).attack(weapon="spear")["attack"] == 2
    # with a buckler it is in one hand, which needs 8: 2 short
    attack = duel([1, 1, 2, 2, 3], a={**says, "shield": "buckler"}).attack(weapon="spear")
    assert (attack["attack"], attack["damage"]) == (2, 1)


def test_the_bowman_defends_with_his_skill_at_the_bow():
    says: dict[str, Any] = {"weapons": ["shortbow"], "skills": {"Bows": "Foreman"}}
    assert duel([2, 2, 3, 3, 1], b=says).attack()["defense"] == 6


def test_a_beast_defends_with_brawling():
    says: dict[str, Any] = {"weapons": ["bite"], "skills": {"Brawling": "Journeyman"}}
    assert duel([2, 2, 3, 2, 1], b=says).attack()["defense"] == 5


def test_of_two_weapons_in_hand_the_better_skill_defends():
    says: dict[str, Any] = {
        "weapons": ["sax", "dagger"],
        "ready": ["sax", "dagger"],
        "skills": {"Knives": "Apprentice", "Fencing": "Master"},
    }
    assert duel([1, 1, 3, 2, 1], b=says).attack()["defense"] == 5


def test_maximum_damage_of_an_aimed_shot_includes_its_two():
    # legendary, Finesse: armor is ignored, maximum 6 + 2
    bow: dict[str, Any] = {"weapons": ["shortbow"], "skills": {"Bows": "Apprentice"}}
    b = being("b", (4, 1), brawn=20, armor="leather")
    fight = Fight(being("a", **bow), b, throws=[8, 4, 1, 1, 5, 4])
    assert fight.attack(weapon="shortbow", do="aimed_shot")["damage"] == 8


def test_damage_adjustments_never_heal():
    # Brawn 1 with a broadsword is 5 short in two hands: a 2 on the die is −3, so nothing
    fight = duel([1, 1, 1, 1, 2], a={"brawn": 1, "skills": {"Swords": "Legendary Master"}}, b={})
    fight = Fight(
        being("a", brawn=2, skills={"Swords": "Legendary Master"}), being("b", (2, 1)), throws=[8, 4, 1, 1, 1, 1, 2]
    )
    assert fight.attack()["damage"] == 0 and fight.of("b")["hp"] == 11


def test_a_die_of_rank_one_is_not_thrown():
    # full plate needs 12: Brawn 4 is 8 short, and Finesse d8 becomes d1, which always shows 1
    fight = Fight(being("a", brawn=4, armor="full plate"), being("b", (2, 1)), throws=dice("action points 4"))
    assert (fight.of("a")["ap"], fight.of("b")["ap"]) == (1, 4)


def test_armor_and_shield_shortages_add_up_on_brawn_attacks():
    # scale needs 9 (2 short), heater needs 8 (1 short), the broadsword in one hand 8 (1 short): −4
    says: dict[str, Any] = {"brawn": 7, "armor": "scale", "shield": "heater"}
    attack = duel([1, 1, 3, 3, 2], a=says, ap=(6, 4)).attack()
    assert (attack["attack"], because(attack, "attack")) == (2, -4)


def test_an_adjacent_shot_in_the_way_of_reach_is_still_a_ranged_attack():
    # prone defenders are harder to hit by missiles (+3), also beside the bowman (−2)
    bow: dict[str, Any] = {"weapons": ["shortbow"], "skills": {"Bows": "Apprentice"}}
    attack = duel([1, 1, 4, 4, 1], a=bow, b={"posture": "prone"}).attack(weapon="shortbow")
    assert (attack["attack"], attack["defense"]) == (6, 5)


@pytest.mark.parametrize("posture", ["sitting", "prone"])
def test_the_stunned_may_be_guided_to_sit_or_lie(posture):
    b, c = being("b", (2, 1), side="heroes"), being("c", (3, 1))
    fight = Fight(being("a"), b, c, throws=[4, 3, 7, 1, 1, 1, 1, 6, 1, 2])
    fight.attack("c", "b")
    fight.end("c")
    fight.do("a", "guide", target="b", option=posture)
    assert (fight.of("b")["posture"], fight.of("a")["ap"]) == (posture, 2)


def test_a_stunned_character_is_guided_once_a_round():
    b, c = being("b", (2, 1), side="heroes"), being("c", (3, 1), finesse=12)
    d = being("d", (1, 2), side="heroes")
    fight = Fight(being("a"), b, c, d, throws=[5, 3, 12, 4, 1, 1, 1, 1, 6, 1, 2])
    fight.attack("c", "b")
    fight.end("c")
    fight.do("a", "guide", target="b", option="sitting")
    fight.end("a")
    assert fight.refusal("d", "guide", target="b", at=[2, 2]) == "guide: target: guided in this round already"


def test_bleeding_and_dying_both_take_their_point():
    fight = Fight(
        being("a"), being("b", (5, 1), hp=0, conditions=["bleeding"]), being("c", (7, 1)), throws=[1, 1, 8, 4]
    )
    assert fight.of("b")["hp"] == -2


def test_the_first_listed_mode_is_not_forced_where_only_the_other_reaches():
    # a spear two spaces off is used in the hand, five spaces off it is thrown
    says: dict[str, Any] = {"weapons": ["spear"], "skills": {"Spears": "Apprentice", "Thrown Weapons": "Apprentice"}}
    fight = Fight(being("a", **says), being("b", (3, 1)), throws=[8, 4, 1, 1, 1, 1, 1])
    fight.attack(weapon="spear")
    assert fight.of("a")["weapons"] == ["spear"]
    fight = Fight(being("a", **says), being("b", (6, 1)), throws=[8, 4, 1, 1, 1, 1, 1])
    fight.attack(weapon="spear")
    assert fight.of("a")["weapons"] == []


def test_a_broken_weapon_is_gone_from_all_of_the_fight():
    fight = duel([7, 4, 1, 1, 1])
    fight.attack()
    fight.end("a", "b")
    assert (
        fight.refusal("a", "attack", target="b", weapon="broadsword")
        == "attack: weapon: 'broadsword' is not in hand; in hand: unarmed"
    )
    assert fight.refusal("a", "ready", items=("broadsword",)) == "ready: carries nothing that could be readied"
    assert fight.refusal("a", "pick_up", item="broadsword") == "pick_up: nothing lies here or beside"


def test_the_disarmed_fight_on_with_their_fists():
    fight = duel([4, 4, 1, 1, 1, 1, 1, 2, 3, 3])
    fight.attack()
    fight.end("a", "b")
    assert fight.attack(weapon="unarmed")["outcome"] == "hit"


def test_the_house_weapons_are_natural_and_nothing_else_is():
    natural = [weapon["name"] for weapon in GEAR["weapons"] if weapon.get("natural")]
    assert natural[:4] == ["fangs", "bite", "claws", "huge fists"]
    monsters = {weapon for entry in content.monsters("olde").values() for weapon in entry["weapons"]}
    heroes = {weapon for entry in content.heroes("olde").values() for weapon in entry["weapons"]}
    assert set(natural) <= monsters
    assert not set(natural) & heroes


def test_without_anybody_to_fight_the_fight_is_over_at_once():
    fight = Fight(being("a"), being("b", (5, 1), side="heroes"), throws=[])
    assert fight.state["over"] == "heroes"


def test_three_sides_fight_until_one_is_left():
    c = being("c", (9, 3), side="beasts", finesse=2)
    fight = Fight(being("a"), being("b", (2, 1), hp=1), c, throws=[8, 4, 1, 1, 1, 1, 1, 5])
    fight.attack()
    assert fight.state["over"] is None


def test_a_tie_between_three_of_one_finesse_is_rolled_off_and_the_best_goes_on():
    fight = Fight(being("a"), being("b", (5, 1)), being("c", (9, 3)), throws=[3, 3, 3, 1, 2, 5, 5, 2, 2])
    assert (fight.acting, fight.used) == ("b", 9)
