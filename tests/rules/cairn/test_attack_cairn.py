"""Attacks and the damage ladder (cairn.md §2.2–2.5)."""

from __future__ import annotations

from typing import Any

import pytest

from rules.cairn.state import Lasting
from tests.rules.cairn.creatures import Fight, duel, foe, pc
from tests.rules.table import dice

SWORD = ("a", "b", "sword")


def test_an_attack_always_hits_and_armor_is_taken_off_once() -> None:
    blow = duel(dice("sword 5"), b={"armor": 2}).strike(SWORD)
    assert (blow["attack"], blow["defense"], blow["damage"], blow["outcome"]) == (5, 2, 3, "hit_points")


def test_nobody_strikes_at_who_is_no_longer_in_the_fight() -> None:
    fight = Fight(pc("a"), foe("b"), foe("d", (9, 1)), throws=[])
    for gone in ({"dead": True}, {"fled": True, "cell": -1}):
        fight.change("b", **gone)
        assert "target: 'b' is not here" in fight.refusal("a", "attack", target="b", weapon="sword")


@pytest.mark.parametrize("loss", [{"lasting": (Lasting("unconscious"),)}, {"hands": (), "pack": ()}])
def test_who_can_strike_no_more_leaves_the_others_their_blows(loss: dict[str, Any]) -> None:
    fight = Fight(pc("a"), pc("c", (1, 2)), foe("b", hp_max=9), throws=dice("sword 3"))
    for who in ("a", "c"):
        fight.do(who, "attack", target="b", weapon="sword")
    fight.change("a", **loss)
    fight.half()
    assert [e["by"] for e in fight.all("attack")] == ["c"]


def test_armor_swallows_a_weak_blow() -> None:
    fight = duel(dice("sword 2"), b={"armor": 2})
    assert fight.strike(SWORD)["outcome"] == "nothing"
    assert fight.of("b")["hp"] == 4
    assert fight.used == 1


def test_nobody_has_more_than_three_armor() -> None:
    fight = duel([], a={"items": ["sword", "plate", "shield", "helmet"]})
    assert fight.of("a")["armor"] == 3


def test_a_foe_at_exactly_nought_fights_on_without_a_save() -> None:
    fight = duel(dice("sword 4, wil save 10"))
    assert fight.strike(SWORD)["outcome"] == "hit_points", "scars are for players' characters"
    assert (fight.of("b")["hp"], fight.of("b")["str"]) == (0, 10)
    assert fight.used == 2  # the lone foe's morale


def test_what_is_beyond_hit_protection_comes_off_strength_and_a_save_follows() -> None:
    fight = duel(dice("sword 7, str save 7, wil save 1"))
    assert fight.strike(SWORD)["outcome"] == "wounded"
    assert (fight.of("b")["hp"], fight.of("b")["str"]) == (0, 7)


def test_the_save_is_against_what_strength_is_left() -> None:
    fight = duel(dice("sword 7, str save 8"))
    assert fight.strike(SWORD)["outcome"] == "killed"
    assert fight.of("b")["status"] == "dead"
    assert fight.state["over"] == "heroes"


def test_strength_nought_is_death_without_a_save() -> None:
    fight = duel(dice("sword 7"), b={"strength": 3})
    assert fight.strike(SWORD)["outcome"] == "killed"
    assert fight.used == 1


@pytest.mark.parametrize(("face", "passes"), [(1, True), (20, False)])
def test_a_natural_one_passes_and_a_natural_twenty_fails(face: int, passes: bool) -> None:
    fight = duel([8, face, 1], b={"strength": 30 if face == 20 else 5})
    assert (fight.strike(SWORD)["outcome"] == "wounded") == passes


def test_a_pc_that_fails_the_save_takes_critical_damage_and_only_crawls() -> None:
    big = {"name": "club", "dice": [10], "hands": 0, "slots": 0, "natural": True}
    fight = Fight(pc("a"), pc("c", (1, 3)), foe("b", attacks=[big]), throws=dice("club 10, str save 7"))
    fight.half()
    assert fight.strike(("b", "a", "club"), side="monsters")["outcome"] == "critical"
    assert fight.of("a")["status"] == "incapacitated"
    assert "crawl" in fight.refusal("a", "attack", target="b")
    assert fight.refusal("a", "move", path=[[2, 2], [3, 3]]) == "move: path: 2 spaces of movement; 1 left"
    fight.do("a", "move", path=[[1, 2]])


def test_of_several_attackers_the_highest_die_counts_and_armor_only_once() -> None:
    fight = Fight(
        pc("a", (1, 1)),
        pc("c", (1, 2)),
        pc("d", (3, 2)),
        foe("b", (2, 1), armor=2, hp_max=9),
        throws=dice("sword 3 7 5"),
    )
    blow = fight.strike(("a", "b", "sword"), ("c", "b", "sword"), ("d", "b", "sword"))
    assert (blow["by"], blow["attack"], blow["damage"]) == ("c", 7, 5)
    assert [e["outcome"] for e in fight.all("attack")] == ["scratched", "hit_points", "scratched"]


def test_a_tie_of_dice_prefers_what_ignores_armor() -> None:
    keen = {"name": "horn", "dice": [8], "hands": 0, "slots": 0, "natural": True, "ignores_armor": True}
    fight = Fight(
        pc("a"),
        pc("c", (1, 2), items=[], attacks=[keen]),
        foe("b", (2, 1), armor=2, hp_max=9),
        throws=dice("sword 6, horn 6"),
    )
    assert fight.strike(("a", "b", "sword"), ("c", "b", "horn"))["damage"] == 6


def test_two_weapons_roll_both_dice_and_keep_the_higher() -> None:
    blow = duel(dice("twin daggers 2 5"), a={"items": ["twin daggers"]}, b={"hp_max": 9}).strike(
        ("a", "b", "twin daggers")
    )
    assert blow["attack"] == 5
    blow = duel(dice("sword + mace 3 6"), a={"items": ["sword", "mace"]}, b={"hp_max": 9}).strike(
        ("a", "b", "sword + mace")
    )
    assert blow["attack"] == 6


def test_unarmed_is_a_d4() -> None:
    fight = duel(dice("unarmed 4"), a={"items": []}, b={"hp_max": 9})
    assert fight.strike(("a", "b", "unarmed"))["attack"] == 4


def test_cover_impairs_to_a_d4() -> None:
    rows = ["########", "#.....##", "#..#...#", "########"]
    fight = Fight(pc("a", (1, 1), items=["bow"]), foe("b", (5, 2), hp_max=9), throws=dice("bow 4"), rows=rows)
    blow = fight.strike(("a", "b", "bow"))
    assert blow["rolls"][0]["dice"] == "1d4"
    assert any("cover" in note["because"] for note in blow["adjustments"])


def test_a_far_shot_is_impaired_and_a_farther_one_impossible() -> None:
    rows = ["#" * 60, "#" + "." * 58 + "#", "#" * 60]
    fight = Fight(pc("a", (1, 1), items=["bow"]), foe("b", (20, 1), hp_max=9), throws=dice("bow 4"), rows=rows)
    assert fight.strike(("a", "b", "bow"))["rolls"][0]["dice"] == "1d4"
    fight = Fight(pc("a", (1, 1), items=["bow"]), foe("b", (50, 1)), rows=rows)
    assert "49 spaces away" in fight.refusal("a", "attack", target="b", weapon="bow")


def test_a_helpless_target_is_struck_with_a_d12_straight_to_strength() -> None:
    fight = duel(
        [12, 1, 12, 5], b={"hp_max": 20, "strength": 15}, a={"items": ["sword", "scroll of Sleep"]}, cast_saves=False
    )
    fight.do("a", "use", item="scroll of Sleep", target="b")
    fight.half()
    assert "asleep" in fight.of("b")["conditions"]
    blow = fight.strike(SWORD)
    assert blow["rolls"][0]["dice"] == "1d12"
    assert fight.of("b")["str"] < 15


def test_impaired_and_enhanced_cancel() -> None:
    rows = ["########", "#.....##", "#..#...#", "########"]
    fight = Fight(
        pc("a", (1, 1), items=["bow"]),
        foe("b", (5, 2), hp_max=9, enhanced_by=["ranged"]),
        throws=dice("bow 6"),
        rows=rows,
    )
    assert fight.strike(("a", "b", "bow"))["rolls"][0]["dice"] == "1d6"


def test_an_unaware_target_loses_strength_at_once_and_does_not_act() -> None:
    fight = duel(dice("sword 3, str save 1"), b={"alert": "unaware", "hp_max": 9})
    fight.strike(SWORD)
    assert (fight.of("b")["hp"], fight.of("b")["str"]) == (9, 7)
    assert fight.state["round"] == 2


def test_armor_still_counts_for_direct_damage() -> None:
    fight = duel(dice("sword 3, str save 1"), b={"alert": "unaware", "hp_max": 9, "armor": 2})
    fight.strike(SWORD)
    assert fight.of("b")["str"] == 9


def test_the_prone_count_as_without_hit_protection() -> None:
    fight = duel([3, 1, 1], b={"posture": "prone"})
    fight.strike(SWORD)
    assert fight.of("b")["str"] == 7


def test_a_full_pack_counts_as_without_hit_protection() -> None:
    fight = Fight(pc("a", fatigue=9), foe("b"), throws=dice("claws 3, str save 1"))
    fight.half()
    fight.strike(("b", "a", "claws"), side="monsters")
    assert fight.of("a")["str"] == 7


def test_a_blast_rolls_for_everybody_around_friends_included() -> None:
    arms = {"name": "arms", "dice": [6], "blast": "adjacent", "hands": 0, "slots": 0, "natural": True}
    fight = Fight(
        pc("a", (1, 1)),
        pc("c", (3, 1)),
        foe("b", (2, 1), attacks=[arms]),
        foe("d", (2, 2), hp_max=9),
        throws=dice("arms 2 3 1"),
    )
    fight.half()
    fight.do("b", "attack", target="a", weapon="arms")
    fight.half("monsters")
    assert [(e["target"], e["attack"]) for e in fight.all("attack")] == [("a", 2), ("c", 3), ("d", 1)]


def test_a_detachment_strikes_all_around_enhanced_and_single_blows_on_it_are_impaired() -> None:
    mob = foe("b", (2, 1), detachment=True, space=2, hp_max=9)
    fight = Fight(pc("a", (1, 1)), pc("c", (4, 1)), mob, throws=dice("sword 4, claws 2 3"))
    fight.do("a", "attack", target="b", weapon="sword")
    fight.half()
    assert fight.all("attack")[0]["rolls"][0]["dice"] == "1d4"
    fight.do("b", "attack", target="a", weapon="claws")
    fight.half("monsters")
    struck = fight.all("attack")[1:]
    assert [e["target"] for e in struck] == ["a", "c"]
    assert {e["rolls"][0]["dice"] for e in struck} == {"1d12"}


def test_a_detachment_that_takes_critical_damage_is_routed() -> None:
    fight = duel(dice("sword 4, str save 20"), b={"detachment": True, "hp_max": 1})
    fight.strike(SWORD)
    assert fight.of("b")["status"] == "fled"


def test_mercy_leaves_a_foe_with_critical_damage_alive() -> None:
    fight = duel(dice("sword 8, str save 20"), mercy=True)
    fight.strike(SWORD)
    assert fight.of("b")["status"] == "incapacitated"


def test_who_is_immune_to_the_mundane_takes_no_harm() -> None:
    fight = duel(dice("sword 8"), b={"immune": ["mundane"]})
    assert fight.strike(SWORD)["outcome"] == "nothing"


def test_silver_finds_who_fears_it() -> None:
    beast: dict[str, Any] = {"impaired_by": ["mundane"], "enhanced_by": ["silver"], "hp_max": 9}
    blow = duel(dice("sword 4"), b=beast).strike(SWORD)
    assert blow["rolls"][0]["dice"] == "1d4"
    blow = duel(dice("silver knife 6"), a={"items": ["silver knife"]}, b={**beast, "impaired_by": []}).strike(
        ("a", "b", "silver knife")
    )
    assert blow["rolls"][0]["dice"] == "1d12"


def test_a_thrown_weapon_lies_where_it_went() -> None:
    fight = Fight(pc("a", (1, 1), items=["hand axe"]), foe("b", (4, 1), hp_max=9), throws=dice("hand axe 3"))
    fight.strike(("a", "b", "hand axe"))
    assert fight.state["floor"] == [{"item": "hand axe", "at": [4, 1]}]
    assert fight.of("a")["hands"] == []
