"""Blows by the second: dice, states of defence, natural results, shields, knock-back, pain.

The rules are those of countup.md §2.1, §2.2, §2.3, §2.4.
"""

from __future__ import annotations

from typing import Any

import pytest

from rules.contract.errors import BattlematError
from rules.contract.units import CreatureIx
from rules.core.dice import Dice
from rules.countup.combat.injury import BREAKAGE
from rules.countup.penetration import Die, die_chances, parse, roll, weights
from tests.rules.countup.creatures import Fight, being, duel, struck
from tests.rules.table import dice

MEDIUM: dict[str, Any] = {"shield": "medium shield"}


def first(fight: Fight) -> dict[str, Any]:
    """The first attack."""
    return fight.all("attack")[0]


def until(*throws: int | None, **more: Any) -> Fight:
    """A strike whose throws run out right after it: what came of it."""
    return struck(*throws, *[None] * 80, **more)


# -- dice


def test_the_highest_face_is_thrown_again_and_adds_one_less() -> None:
    assert roll(Dice(None, (8, 8, 3)), "", parse("d8p")[0]).total == 8 + 7 + 2


def test_beyond_a_d20_comes_a_d6_and_beyond_a_d100_a_d20() -> None:
    assert roll(Dice(None, (20, 6, 4)), "", parse("d20p")[0]).total == 20 + 5 + 3
    assert roll(Dice(None, (100, 20, 7)), "", parse("d100p")[0]).total == 100 + 19 + 6


def test_a_flat_number_within_a_component_stops_at_nought() -> None:
    unarmed = (Die(1, 4, True, -2), Die(1, 4, True, -2))
    assert roll(Dice(None, (1, 3)), "", unarmed).total == 1


def test_plain_dice_do_not_penetrate() -> None:
    assert roll(Dice(None, (8,)), "", parse("d8")[0]).total == 8


def test_declarations_are_read_and_others_refused() -> None:
    assert parse("2d8p+2") == ((Die(2, 8),), 2)
    assert parse("d8p+d10p+3") == ((Die(1, 8), Die(1, 10)), 3)
    for text in ("", "8", "dp", "d1p", "2d8p-d4"):
        with pytest.raises(BattlematError):
            parse(text)


def test_chances_are_exact_and_sum_to_one() -> None:
    for faces in (3, 4, 6, 8, 10, 12, 20, 100):
        table = die_chances(faces)
        assert sum(chance for _, chance in table) == 1
        assert dict(table)[1] * faces == 1
    assert dict(die_chances(6)).get(6) == dict(die_chances(6))[7]
    known, whole = weights(parse("2d8p")[0])
    assert sum(weight for _, weight in known) == whole


# -- the blow


def test_attack_beats_defence_and_a_tie_is_the_defenders() -> None:
    """Without a shield the defence is a d20p less 4."""
    assert first(until(10, 7, 3, 4))["outcome"] == "hit"
    assert first(until(10, 6))["outcome"] == "miss"


def test_damage_is_dice_and_strength_less_reduction() -> None:
    fight = until(10, 15, 3, 4, a={"damage": 2}, b={"reduction": 4})
    assert (first(fight)["damage"], fight.all("injury")[0]["hp"]) == (5, 35)


def test_the_next_blow_comes_after_the_weapons_speed() -> None:
    """A longsword: speed 10. The first blow at 1 misses, the second at 11 kills."""
    fight = struck(*dice("defence 10, attack 2, defence 10, attack 15, damage 6 5"), b={"hp_max": 11})
    assert fight.state["over"] == "heroes"
    assert fight.second == 11


@pytest.mark.parametrize(("armour", "speed"), [("chain mail", 12), ("leather", 10)])
def test_armour_slows_the_weapon(armour: str, speed: int) -> None:
    from rules.countup.combat.attack import speed_of

    fight = duel(a={"armour": armour})
    weapon = fight.now.setup.armoury.weapons["longsword"]
    assert speed_of(fight.now, CreatureIx(0), weapon) == speed


def test_nobody_acts_before_the_own_initiative_and_defends_with_a_bare_d8() -> None:
    fight = duel(8, 7, *[None] * 60, init=(1, 12), b={"defence": 9})
    assert fight.waiting == ["a"]
    fight.do("a", "attack", target="b")
    blow = first(fight)
    assert blow["rolls"][0]["dice"] == "d8p"
    assert not [x for x in blow["adjustments"] if x["to"] == "defence"]


@pytest.mark.parametrize(("says", "dice"), [({}, "d20p−4"), (MEDIUM, "d20p+6"), ({"facing": 2}, "d8p")])
def test_the_defence_die_follows_the_state(says: dict[str, Any], dice: str) -> None:
    assert first(until(8, 2, b=says))["rolls"][0]["dice"] == dice


def test_a_crowd_of_four_reduces_the_die_to_a_d12() -> None:
    others = [being(name, at) for name, at in (("a", (1, 1)), ("aa", (1, 2)), ("ab", (1, 3)), ("ac", (2, 1)))]
    fight = Fight(*others, being("b", (2, 2), facing=7), throws=[1, 1, 1, 1, 12, *[None] * 90])
    fight.hold("aa", "ab", "ac", seconds=30)
    fight.do("a", "attack", target="b")
    assert first(fight)["rolls"][0]["dice"] == "d8p"  # surprised comes before
    fight = Fight(*others, being("b", (2, 2), facing=7), throws=[1, 1, 1, 1, 1, *[None] * 90])
    fight.do("b", "policy", option="stand")
    fight.hold("aa", "ab", "ac", "b", seconds=30)
    fight.do("a", "attack", target="b")
    assert first(fight)["rolls"][0]["dice"] == "d12p"


# -- natural results


def test_a_natural_one_misses_and_may_be_a_fumble() -> None:
    fight = until(10, 1, 9, 12, 3, 3)
    assert first(fight)["outcome"] == "fumble"
    assert fight.all("attack")[1]["by"] == "b"
    assert fight.all("attack")[1]["action"] == "free"


def test_a_natural_twenty_that_hits_does_the_dice_twice() -> None:
    fight = until(5, 20, 3, 2, 3, 4, 5, a={"damage": 2})
    assert first(fight)["outcome"] == "critical_hit"
    assert first(fight)["damage"] == 2 + 3 + 4 + 5 + 2


def test_a_natural_twenty_alone_does_not_hit() -> None:
    assert first(until(20, 6, 5, 20, 1, b=MEDIUM))["outcome"] in ("miss", "shield_struck")


def test_a_perfect_defence_earns_a_free_blow() -> None:
    fight = until(20, 1, 10, 9, 12, 4, 4)
    assert [x["by"] for x in fight.all("attack")[:2]] == ["a", "b"]
    assert fight.all("attack")[1]["action"] == "free"


def test_a_near_perfect_one_a_blow_with_the_fist_that_ignores_armour() -> None:
    fight = until(19, 10, 9, 12, 4, 2, 3, a={"reduction": 5})
    blow = fight.all("attack")[1]
    assert (blow["by"], blow["weapon"]) == ("b", "unarmed")
    assert blow["damage"] == (4 + 1 - 2) + (3 - 2)


def test_with_a_knife_in_hand_the_knife_is_used() -> None:
    fight = until(19, 10, 9, 12, 3, 3, b={"weapons": ["dagger"]})
    assert fight.all("attack")[1]["weapon"] == "dagger"


def test_a_defenders_natural_one_gives_a_free_blow_in_the_next_second() -> None:
    fight = until(1, 10, 3, 4, 10, 2)
    assert [x.get("action", "attack") for x in fight.all("attack")[:2]] == ["attack", "free"]
    assert fight.all("attack")[1]["by"] == "a"


# -- shields


def test_a_near_miss_strikes_the_shield() -> None:
    fight = until(10, 7, 5, b=MEDIUM)
    assert first(fight)["outcome"] == "shield_struck"
    assert first(fight)["damage"] == 0


def test_ten_or_more_below_is_a_clean_miss() -> None:
    assert first(until(10, 6, b=MEDIUM))["outcome"] == "miss"


def test_what_the_shield_does_not_stop_goes_to_the_body() -> None:
    fight = until(10, 7, 7, b={**MEDIUM, "reduction": 1}, a={"damage": 4})
    assert first(fight)["damage"] == 7 + 4 - 6 - 1


@pytest.mark.parametrize(
    ("size", "raw", "favour"), [("S", 8, 6), ("S", 12, 0), ("S", 16, -6), ("M", 12, 6), ("M", 18, 0), ("L", 24, -6)]
)
def test_breakage_goes_by_the_rows_of_the_table(size: str, raw: int, favour: int) -> None:
    low, even, high, _ = BREAKAGE[size]
    assert favour == (6 if low <= raw < even else 0 if even <= raw < high else -6)


@pytest.mark.parametrize(("holds", "tries", "broken"), [(10, 17, True), (10, 16, False)])
def test_a_shield_breaks_by_an_opposed_plain_d20(holds: int, tries: int, broken: bool) -> None:
    """Raw 12 on a medium shield: the defender has +6, a tie holds."""
    fight = until(10, 7, 7, holds, tries, b=MEDIUM, a={"damage": 5})
    assert (fight.of("b")["shield"] is None) == broken


def test_a_shield_struck_hard_enough_is_destroyed() -> None:
    fight = until(10, 7, 7, 6, 6, b=MEDIUM, a={"damage": 23})
    assert fight.of("b")["shield"] is None


# -- knock-back and pain


def test_every_fifteen_points_before_reduction_push_a_man_five_feet() -> None:
    fight = until(10, 15, 7, 6, 5, a={"damage": 3}, b={"reduction": 10})
    (moved,) = [e for e in fight.all("moved") if e["mode"] == "knocked_back"][:1]
    assert (moved["start"], moved["path"]) == ((2, 1), ((3, 1),))


@pytest.mark.parametrize(("face", "space"), [(2, (3, 2)), (7, (3, 1)), (1, (2, 2))])
def test_the_d12_turns_the_way(face: int, space: tuple[int, int]) -> None:
    fight = until(10, 15, 7, 6, face, a={"damage": 3})
    moved = next(e for e in fight.all("moved") if e["mode"] == "knocked_back")
    assert moved["path"] == (space,)


def test_where_the_way_is_blocked_the_next_in_the_cycle_is_taken() -> None:
    """To the left of the blow is the wall: left 90° goes on to right 90°."""
    fight = until(10, 15, 7, 6, 12, a={"damage": 3})
    moved = next(e for e in fight.all("moved") if e["mode"] == "knocked_back")
    assert moved["path"] == ((2, 2),)


def test_ten_feet_and_one_lies_down() -> None:
    fight = until(10, 15, 7, 6, 5, a={"damage": 18})
    assert any(e["condition"] == "prone" for e in fight.all("condition"))


def test_the_smaller_fly_farther() -> None:
    fight = until(10, 15, 5, 5, 5, b={"size": "S"})
    assert any(e["mode"] == "knocked_back" for e in fight.all("moved"))


@pytest.mark.parametrize(("face", "helpless"), [(5, False), (6, True)])
def test_a_wound_above_the_threshold_asks_for_a_trauma_roll(face: int, helpless: bool) -> None:
    fight = until(10, 15, 6, 5, face, b={"pain": 10, "trauma": 5})
    trauma = next(e for e in fight.all("check") if e["what"] == "threshold of pain")
    assert (trauma["rating"], trauma["success"]) == (5, not helpless)


def test_helplessness_lasts_five_seconds_for_every_point() -> None:
    fight = until(10, 15, 6, 5, 9, b={"pain": 10, "trauma": 5})
    gained = next(e for e in fight.all("condition") if e["condition"] == "helpless")
    assert "20 s" in gained["because"]


def test_at_nought_one_is_out_and_the_fight_over() -> None:
    fight = struck(*dice("defence 10, attack 15, damage 6 5"), b={"hp_max": 11, "size": "M"})
    assert fight.of("b")["status"] == "dead"
    assert fight.state["over"] == "heroes"


def test_two_may_kill_each_other_in_one_moment() -> None:
    fight = duel(
        *dice("defence 10, attack 15, damage 6 5, defence 10, attack 15, damage 6 5"),
        a={"hp_max": 11},
        b={"hp_max": 11},
    )
    fight.do("a", "policy", option="stand")
    fight.do("b", "policy", option="stand")
    fight.do("a", "attack", target="b")
    fight.do("b", "attack", target="a")
    assert {fight.of("a")["status"], fight.of("b")["status"]} == {"dead"}
    assert fight.state["over"] == "nobody"


def test_the_longer_reach_strikes_first_and_may_end_it() -> None:
    """A spear reaches 13 ft, a longsword 3½: on contact the spear's blow falls first."""
    spear = being("a", (1, 1), weapons=["spear"])
    fight = Fight(spear, being("b", (5, 1), hp_max=11), throws=[1, 1, 10, 15, 5, 5, 1])
    fight.do("a", "policy", option="stand")
    fight.do("b", "policy", option="stand")
    fight.do("b", "walk", path=[[4, 1], [3, 1], [2, 1]])
    fight.do("b", "attack", target="a")
    fight.do("a", "hold", option="1")
    while fight.state["over"] is None and fight.waiting:
        who = fight.waiting[0]
        legal = [a for a in fight.rules.legal(fight.now, fight._decision(who)) if a.do == "attack"]
        fight.do(who, "attack", target=legal[0].target) if legal else fight.do(who, "hold", option="1")
    assert fight.all("attack")[0]["by"] == "a"
    assert fight.of("b")["status"] == "dead"
