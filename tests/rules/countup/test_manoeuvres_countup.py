"""Every manoeuvre (countup.md §2.6)."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from rules.contract.units import CreatureIx
from rules.countup.combat.attack import defence_of
from rules.countup.manners import Stance
from tests.rules.countup.creatures import Fight, being, changed, duel, struck
from tests.rules.table import dice

LONG = ["#" * 30, "#" + "." * 28 + "#", "#" + "." * 28 + "#", "#" * 30]


def first(fight: Fight) -> dict[str, Any]:
    return fight.all("attack")[0]


def total(blow: dict[str, Any], to: str) -> int:
    """The sum of a blow's adjustments."""
    return sum(x["value"] for x in blow["adjustments"] if x["to"] == to)


def test_an_aggressive_attack_has_five_more_and_leaves_two_less_to_defend() -> None:
    fight = duel(15, 2, 10, 2, *[None] * 60)
    fight.do("a", "policy", option="stand")
    fight.do("b", "policy", option="stand")
    fight.do("b", "hold", option="2")
    fight.do("a", "attack", target="b", option="aggressive")
    assert total(first(fight), "attack") == 5
    fight.do("b", "attack", target="a")
    reply = next(x for x in fight.all("attack") if x["by"] == "b")
    assert total(reply, "defence") == -2 - 4


def test_fighting_defensively_trades_two_for_one_and_does_not_penetrate() -> None:
    fight = struck(5, 20, 1, 8, 8, 8, 8, *[None] * 60, option="defensive 2")
    assert total(first(fight), "attack") == -4
    assert first(fight)["damage"] == 32  # a critical hit: four dice, none thrown again


def test_a_jab_is_quicker_half_as_hard_and_does_not_penetrate() -> None:
    fight = struck(
        *dice("defence 10, attack 15, damage 8 5, defence 10, attack 15, damage 8 5"), b={"hp_max": 12}, option="jab"
    )
    assert first(fight)["damage"] == (8 + 5) // 2
    assert fight.second == 9  # the second jab, 8 seconds after the first
    assert fight.state["over"] == "heroes"


def test_only_some_weapons_jab() -> None:
    fight = duel(a={"weapons": ["mace"]})
    assert "cannot jab" in fight.refusal("a", "attack", target="b", option="jab")


def test_a_full_parry_takes_the_place_of_the_blow_and_gives_five() -> None:
    fight = duel(10, 2, *[None] * 60)
    fight.do("a", "policy", option="stand")
    fight.do("a", "full_parry")
    fight.do("b", "attack", target="a")
    assert first(fight)["by"] == "b"
    assert total(first(fight), "defence") == 5 - 4
    assert fight.now.figures[0].due >= 11


def test_a_parry_needs_a_blow_that_is_due() -> None:
    fight = duel(10, 2, *[None] * 60)
    fight.do("a", "policy", option="stand")
    fight.do("b", "policy", option="stand")
    fight.hold("b", seconds=2)
    fight.do("a", "attack", target="b")
    fight.hold("b", seconds=2)
    while "a" not in fight.waiting and fight.waiting:
        fight.hold(fight.waiting[0], seconds=2)
        if fight.second > 8:
            break
    assert fight.now.figures[0].due == 11


def test_giving_ground_adds_five_and_costs_one_on_the_next_attack() -> None:
    fight = duel(10, 6, *[None] * 60)
    fight.do("b", "hold", option="30")
    fight.do("a", "attack", target="b")
    assert fight.state["phase"] == "strike"
    fight.do("b", "choose", option="yield")
    assert total(first(fight), "defence") == 5 - 4
    assert any(e["mode"] == "gives_ground" for e in fight.all("moved"))
    assert fight.now.figures[1].penalty == 1


def test_who_has_nobody_free_behind_stands() -> None:
    rows = ["#####", "#..##", "#####"]
    fight = duel(10, 2, *[None] * 40, rows=rows)
    fight.hold("b", seconds=5)
    fight.do("a", "attack", target="b")
    assert fight.state["phase"] == "declare"


def test_a_policy_answers_for_one() -> None:
    fight = duel(10, 2, *[None] * 60)
    fight.do("b", "policy", option="yield")
    fight.do("b", "hold", option="3")
    fight.do("a", "attack", target="b")
    assert any(e["mode"] == "gives_ground" for e in fight.all("moved"))


def charge(*throws: int | None, a: Any = None, b: Any = None) -> Fight:
    """`a` runs 40 ft at `b` and strikes."""
    runner, foe = being("a", (1, 1), **(a or {})), being("b", (11, 1), **(b or {}))
    fight = Fight(runner, foe, throws=[1, 1, *throws, *[None] * 80], rows=LONG)
    fight.do("b", "policy", option="stand")
    fight.do("b", "hold", option="60")
    fight.do("a", "run", path=[[x, 1] for x in range(2, 10)])
    fight.do("a", "end")
    while fight.waiting and not fight.all("attack") and fight.second < 12:
        who = fight.waiting[0]
        if who == "b":
            fight.hold("b", seconds=30)
        elif fight.of("a")["at"][0] < 10:
            x = fight.of("a")["at"][0]
            fight.do("a", "run", path=[[x + 1, 1]] if x < 10 else [])
            fight.do("a", "attack", target="b", option="charge")
        else:
            fight.do("a", "attack", target="b", option="charge")
    return fight


def test_a_charge_after_twenty_feet_has_four_more_and_twice_the_knock_back() -> None:
    fight = charge(10, 15, 7, 3, 5)
    assert total(first(fight), "attack") == 4
    moved = next(e for e in fight.all("moved") if e["mode"] == "knocked_back")
    assert len(moved["path"]) == 1  # 10 raw, 20 counted


def test_a_charge_that_is_spent_is_a_plain_attack_from_then_on() -> None:
    fight = charge(10, 2, b={"hp_max": 200})
    order = fight.now.figures[0].order
    assert order is not None and order.action is not None
    assert (order.action.do, order.action.target, order.action.option) == ("attack", "b", None)
    struck_once = len(fight.all("attack"))
    while len(fight.all("attack")) == struck_once:
        fight.hold(fight.waiting[0], seconds=9)
    assert total(fight.blow, "attack") == 0, "no +4 any more"


def test_without_a_run_there_is_no_charge() -> None:
    assert "20 ft" in duel().refusal("a", "attack", target="b", option="charge")


@pytest.mark.parametrize(("stance", "costs"), [(Stance.CHARGING, [-3]), (Stance.NONE, [])])
def test_a_charging_fighter_loses_the_defence_of_dexterity(stance: Stance, costs: list[int]) -> None:
    fight = changed(duel(a={"dexterity": 3}), "a", stance=stance, until=5)
    guard = defence_of(fight.now, CreatureIx(0), CreatureIx(1))
    assert [x.value for x in guard.adjustments if x.because == "charging"] == costs


def test_dexterity_is_lost_for_five_seconds_after_the_blow_of_a_charge() -> None:
    fight = charge(10, 2, a={"dexterity": 3}, b={"hp_max": 40})
    struck = fight.told("attack")[0][0]
    while fight.second < struck + 8:
        guard = defence_of(fight.now, CreatureIx(0), CreatureIx(1))
        lost = [x.value for x in guard.adjustments if x.because == "charging"]
        assert lost == ([-3] if fight.second < struck + 5 else []), fight.second - struck
        fight.hold(fight.waiting[0], seconds=1)


def test_a_spear_set_for_three_seconds_strikes_first_and_twice_as_hard() -> None:
    spear = being("b", (14, 1), weapons=["spear"])
    fight = Fight(being("a", (1, 1)), spear, throws=[1, 1, 5, 15, 1, 2, 3, 4, *[None] * 60], rows=LONG)
    fight.do("a", "policy", option="stand")
    fight.do("b", "set")
    fight.do("a", "run", path=[[x, 1] for x in range(2, 10)])
    fight.do("a", "end")
    while fight.waiting and not fight.all("attack") and fight.second < 12:
        who = fight.waiting[0]
        if who == "a":
            x = fight.of("a")["at"][0]
            fight.do("a", "run", path=[[c, 1] for c in range(x + 1, 14)])
            fight.do("a", "end")
        else:
            fight.do("b", "set")
    blow = first(fight)
    assert (blow["by"], blow["action"]) == ("b", "set")
    assert blow["damage"] == 1 + 2 + 3 + 4 + 3
    assert "held at bay" in fight.of("a")["conditions"]


def test_a_longer_weapon_holds_a_foe_at_bay_until_it_is_knocked_aside() -> None:
    first_, second = being("a", (1, 1), weapons=["spear"]), being("b", (3, 1))
    fight = Fight(first_, second, throws=[1, 1, 10, 15, 2, 2, 5, 10, *[None] * 80], rows=LONG)
    fight.do("a", "policy", option="stand")
    fight.do("b", "policy", option="stand")
    fight.hold("b", seconds=1)
    fight.do("a", "hold_at_bay", target="b")
    assert "held at bay" in fight.of("b")["conditions"]
    while "b" not in fight.waiting:
        fight.hold(fight.waiting[0], seconds=1)
    assert "knock" in fight.refusal("b", "walk", path=[[2, 1]])
    assert "knock" in fight.refusal("b", "attack", target="a")
    fight.do("b", "knock_aside")
    while "b" not in fight.waiting and fight.waiting and fight.second < 6:
        fight.hold(fight.waiting[0], seconds=1)
    assert any(e["condition"] == "held at bay" and not e["gained"] for e in fight.all("condition"))


def test_nobody_is_held_by_a_weapon_that_reaches_no_farther() -> None:
    assert "reaches as far" in duel().refusal("a", "hold_at_bay", target="b")


def test_nobody_holds_the_helpless_at_bay() -> None:
    fight = duel(a={"weapons": ["spear"]})
    figures = (fight.now.figures[0], msgspec.structs.replace(fight.now.figures[1], helpless=40))
    fight.now = msgspec.structs.replace(fight.now, figures=figures)
    assert "lies helpless" in fight.refusal("a", "hold_at_bay", target="b")


def bay_at(b: dict[str, Any], due: int, **second: Any) -> Fight:
    """`a`, with a spear, means to hold `b` off by a jab, and is due in second `due`; `b` does `second` meanwhile."""
    fight = Fight(being("a", (1, 1), weapons=["spear"]), being("b", (3, 1), **b), throws=[1, 1, *[15] * 40], rows=LONG)
    figures = (msgspec.structs.replace(fight.now.figures[0], due=due), fight.now.figures[1])
    fight.now = msgspec.structs.replace(fight.now, figures=figures)
    fight.do("a", "policy", option="stand")
    fight.do("b", "policy", option="stand")
    fight.do("b", **second)
    fight.do("a", "hold_at_bay", target="b", option="jab")
    return fight


def test_who_has_got_past_the_point_meanwhile_is_not_held_and_the_holder_thinks_again() -> None:
    fight = bay_at({}, 9, do="walk", path=[[2, 1]])
    fight.do("b", "end")
    fight.hold("b", seconds=30)
    assert fight.of("b")["at"] == [2, 1]
    assert "a" in fight.waiting
    assert fight.second < 9
    assert "past the point" in fight.refusal("a", "hold_at_bay", target="b")


def test_who_takes_up_as_long_a_weapon_meanwhile_is_not_held() -> None:
    fight = bay_at({"weapons": ["dagger", "spear"]}, 2, do="ready", weapon="spear")
    while fight.second < 4 and fight.waiting:
        fight.hold(fight.waiting[0], seconds=30)
    assert "held at bay" not in fight.of("b")["conditions"]


def test_a_longer_weapon_taken_up_frees_from_a_shorter_one() -> None:
    fight = duel(a={"weapons": ["staff"]}, b={"weapons": ["dagger", "spear"]})
    held = msgspec.structs.replace(fight.now.figures[1], held_by=0, hand="dagger")
    fight.now = msgspec.structs.replace(fight.now, figures=(fight.now.figures[0], held))
    fight.hold(*fight.waiting, seconds=2)
    assert fight.now.figures[1].held_by == 0
    taken = msgspec.structs.replace(fight.now.figures[1], hand="spear")
    fight.now = msgspec.structs.replace(fight.now, figures=(fight.now.figures[0], taken))
    fight.hold(*fight.waiting, seconds=2)
    assert fight.now.figures[1].held_by == -1


def test_a_fighting_withdrawal_is_a_walk_away() -> None:
    fight = duel(*[None] * 40)
    fight.hold("b", seconds=3)
    fight.do("a", "walk", path=[[1, 2]])
    fight.do("a", "end")
    assert fight.of("a")["at"] == [1, 2]


def test_the_engaged_do_not_simply_run() -> None:
    fight = duel(10, 2, *[None] * 60)
    fight.do("a", "policy", option="stand")
    fight.do("b", "attack", target="a")
    fight.do("a", "hold", option="1")
    while "a" not in fight.waiting:
        fight.hold(fight.waiting[0], seconds=1)
    assert "engaged" in fight.refusal("a", "jog", path=[[1, 2], [1, 3]])


def fleeing(option: str, *throws: int | None) -> Fight:
    """`a` is engaged with `b`, turns and runs; `b` answers."""
    fight = duel(10, 2, *throws, *[None] * 80, a={"shield": "medium shield"}, rows=LONG)
    fight.do("a", "policy", option="stand")
    fight.do("b", "attack", target="a")
    fight.do("a", "hold", option="1")
    while "a" not in fight.waiting:
        fight.hold(fight.waiting[0], seconds=1)
    fight.do("a", "flee", path=[[1, 2], [2, 2], [3, 2], [4, 2]])
    assert fight.rules.decisions(fight.now)[0].kind == "choose"
    fight.do("b", "choose", option=option)
    return fight


def test_who_flees_has_a_d10_and_no_shield_and_may_be_struck_once() -> None:
    fight = fleeing("strike", 5, 9, 3, 3)
    blow = fight.all("attack")[1]
    assert (blow["by"], blow["action"], blow["rolls"][0]["dice"]) == ("b", "free", "d10p")
    assert fight.of("a")["at"] != [1, 1]
    assert fight.now.figures[1].no_pursuit > 0


def test_or_be_followed() -> None:
    fight = fleeing("follow")
    assert len(fight.all("attack")) == 1 or fight.all("attack")[1].get("action") != "free"
    assert any(e["by"] == "b" for e in fight.all("moved"))


def test_a_withdrawal_costs_two_on_the_next_attack_however_long_it_lasts() -> None:
    fight = duel(10, 2, *[None] * 80)
    fight.do("a", "policy", option="stand")
    fight.do("b", "attack", target="a")
    fight.do("a", "hold", option="1")
    while "a" not in fight.waiting:
        fight.hold(fight.waiting[0], seconds=1)
    fight.do("a", "walk", path=[[1, 2]])
    fight.do("a", "end")
    assert (fight.now.figures[0].penalty, fight.now.figures[0].withdrew) == (0, True)


def test_a_door_takes_a_second() -> None:
    rows = ["######", "#.+..#", "######"]
    fight = Fight(being("a", (1, 1)), being("b", (4, 1)), throws=dice("initiative 1 1"), rows=rows)
    fight.hold("b", seconds=9)
    fight.do("a", "open", target="door 2,1")
    assert fight.all("door")[0]["state"] == "open"
    assert fight.second == 2


def test_what_lies_there_can_be_picked_up() -> None:
    fight = Fight(being("a", (1, 1), weapons=[]), being("b", (9, 1)), throws=dice("initiative 1 1"))
    fight.now = msgspec.structs.replace(fight.now, floor=(("mace", fight.field.cell(2, 1)),))
    fight.hold("b", seconds=9)
    fight.do("a", "pick_up", item="mace")
    assert fight.of("a")["weapon"] == "mace"
    assert fight.state["floor"] == []


@pytest.mark.parametrize(("caster", "target", "helpless"), [(10, 9, True), (10, 12, False)])
def test_venom_asks_for_a_physical_save(caster: int, target: int, helpless: bool) -> None:
    fang = {"name": "bite", "speed": 9, "damage": "2d4p", "reach": 2.0, "kind": "P", "hands": 0, "natural": True,
            "rider": "physical: helpless 30"}  # fmt: skip
    bitten = {"weapons": [], "attacks": [fang], "level": 0}
    fight = duel(10, 15, 2, 2, caster, target, *[None] * 60, a=bitten)
    fight.do("b", "policy", option="stand")
    fight.hold("b", seconds=3)
    fight.do("a", "attack", target="b")
    assert any(e["condition"] == "helpless" for e in fight.all("condition")) == helpless


@pytest.mark.parametrize(("weapon", "seconds"), [("dagger", 0), ("longsword", 1), ("spear", 2)])
def test_drawing_takes_as_long_as_the_weapon_is_large(weapon: str, seconds: int) -> None:
    fight = Fight(
        being("a", (1, 1), weapons=["mace", weapon]), being("b", (20, 1)), throws=dice("initiative 1 1"), rows=LONG
    )
    fight.hold("b", seconds=30)
    fight.do("a", "ready", weapon=weapon)
    assert fight.of("a")["weapon"] == weapon
    assert fight.second == 1 + max(1, seconds)


def test_standing_up_takes_a_second() -> None:
    fight = Fight(being("a", (1, 1)), being("b", (20, 1)), throws=dice("initiative 1 1"), rows=LONG)
    figures = list(fight.now.figures)
    figures[0] = msgspec.structs.replace(figures[0], prone=True)
    fight.now = msgspec.structs.replace(fight.now, figures=tuple(figures))
    fight.hold("b", seconds=30)
    fight.do("a", "stand")
    assert fight.of("a")["posture"] == "standing"
    assert fight.second == 2
