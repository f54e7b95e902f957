"""Rules that an independent second reading found otherwise than the sheet has them, one small case each."""

from typing import Any

import pytest
from msgspec import structs

from rules.contract.units import CreatureIx, Seconds
from rules.countup.combat.attack import defence_of, engaged
from rules.countup.manners import Stance
from rules.countup.spells import area_of
from rules.countup.state import FOOT, Task
from tests.rules.countup.creatures import Fight, being, changed, duel
from tests.rules.table import dice


def test_what_is_drawn_away_from_a_melee_does_not_make_one_due_sooner() -> None:
    """§2.7, B32: attack in 1 (due 11), the foe dies, a dagger comes to hand: still due in 11."""
    fight = Fight(
        being("a", (1, 1), weapons=["longsword", "dagger"]),
        being("b", (2, 1), hp_max=5),
        being("c", (20, 5)),
        throws=dice("initiative 1 1 1, defence 2, attack 15, damage 5 6"),
    )
    fight.do("b", "policy", option="stand")
    fight.hold("b", "c", seconds=20)
    fight.do("a", "attack", target="b")
    assert (fight.now.second, fight.now.figures[0].due) == (2, 11)
    fight.do("a", "ready", weapon="dagger")
    assert (fight.now.figures[0].hand, fight.now.figures[0].due) == ("dagger", 11)


def test_contact_stops_also_whom_somebody_comes_up_to() -> None:
    """§1 MOVE: the halberd's second space reaches a in the second sub-step; a's own step is in the fourth."""
    fight = Fight(being("a", (3, 3)), being("b", (6, 3), weapons=["halberd"]), throws=dice("initiative 1 1"))
    fight.do("b", "jog", path=[(5, 3), (4, 3)])
    fight.do("b", "end")
    fight.do("a", "walk", path=[(2, 3)])
    fight.do("a", "end")
    assert [fight.field.at(figure.cell) for figure in fight.now.figures] == [(3, 3), (5, 3)]


def test_a_fist_reaches_no_foe_from_whom_ground_was_given() -> None:
    """§2.1: a natural 19 earns a blow with the fist within 5 ft; ten are too far."""
    fight = Fight(being("a", (5, 3)), being("b", (6, 3)), throws=dice("initiative 1 1, defence 19, attack 10"))
    fight.do("b", "policy", option="yield")
    fight.hold("b")
    fight.do("a", "attack", target="b")
    assert fight.field.at(fight.now.figures[1].cell) == (7, 3)
    assert [event["by"] for event in fight.all("attack")] == ["a"]


def test_nobody_strikes_at_itself() -> None:
    fight = Fight(being("a", (5, 3)), being("b", (6, 3)), throws=dice("initiative 1 1"))
    assert "itself" in fight.refusal("a", "attack", target="a")


def test_a_lesser_defensive_fight_does_not_pay_off_a_dearer_one() -> None:
    """§2.6: `defensive 4` is broken off in second 2; the attack that pends keeps its −8, be it `defensive 1`."""
    fight = Fight(
        being("a", (5, 3)),
        being("b", (6, 3)),
        throws=dice("initiative 1 1, defence 10, attack 9, defence 10, attack 9"),
    )
    fight.do("b", "policy", option="yield")
    fight.hold("b", seconds=2)
    fight.do("a", "attack", target="b", option="defensive 4")
    fight.do("a", "hold", option="1")
    fight.hold("b", seconds=9)
    fight.do("a", "walk", path=[(6, 3)])
    fight.do("a", "attack", target="b", option="defensive 1")
    fight.hold("b", seconds=9)
    assert [event["attack"] for event in fight.all("attack")] == [1, 1]


def test_a_free_blow_a_second_later_is_struck_with_what_is_in_hand_by_then() -> None:
    """§2.1: the free attack that a defence's natural 1 gives; the sword was changed for the dagger meanwhile."""
    fight = Fight(
        being("a", (5, 3), weapons=["longsword", "dagger"]), being("b", (6, 3)),
        throws=dice("initiative 1 1, defence 1, attack 15, damage 5 6, defence 2, attack 15, damage 3 2"),
    )  # fmt: skip
    fight.do("b", "policy", option="yield")
    fight.hold("b", seconds=9)
    fight.do("a", "attack", target="b")
    fight.do("a", "walk", path=[(6, 3)])
    fight.do("a", "ready", weapon="dagger")
    assert [event["weapon"] for event in fight.all("attack")] == ["longsword", "dagger"]


def struck_in(fight: Fight, second: int) -> list[str]:
    """Who struck in a second."""
    return [event["by"] for told, event in fight.told("attack") if told == second]


def test_who_flees_has_no_free_blow() -> None:
    """§4: the fleeing move, and that is all; the blow at its back is a fumble, and the spear would reach back."""
    fight = Fight(being("a", (9, 3), weapons=["spear"]), being("b", (10, 3)), throws=[1, 1, 9, 1, *[None] * 20])
    fight.hold("b")
    fight.do("a", "flee", path=[(8, 3), (7, 3), (6, 3), (5, 3)])
    fight.do("b", "choose", option="strike")
    assert [event["by"] for event in fight.all("attack")] == ["b"]
    assert fight.all("attack")[0]["outcome"] == "fumble"


def test_of_two_who_run_from_each_other_neither_strikes() -> None:
    fight = Fight(being("a", (9, 3)), being("b", (10, 3)), throws=[1, 1, *[None] * 20])
    fight.do("b", "flee", path=[(11, 3), (12, 3), (13, 3), (14, 3)])
    fight.do("a", "flee", path=[(8, 3), (7, 3), (6, 3), (5, 3)])
    assert not fight.all("question")


@pytest.mark.parametrize(("hand", "strikers"), [("dagger", ["a", "b"]), ("halberd", ["a"])])
def test_no_free_blow_is_struck_with_a_weapon_that_is_still_being_drawn(hand: str, strikers: list[str]) -> None:
    """§2.7: a dagger is drawn at once, a halberd in two seconds; the fumble is in the first of them."""
    fight = Fight(
        being("a", (5, 3)), being("b", (6, 3), weapons=["longsword", "dagger", "halberd"]),
        throws=[1, 1, 10, 1, *[None] * 40],
    )  # fmt: skip
    fight.do("b", "policy", option="stand")
    fight.do("b", "ready", weapon=hand)
    fight.do("a", "attack", target="b")
    assert struck_in(fight, 1) == strikers


def test_ground_given_and_then_a_withdrawal_both_cost_the_next_attack() -> None:
    """§2.6, §4: −1 for the step back, −2 for the walk in the next second; the order of the two decides nothing."""
    fight = Fight(
        being("a", (5, 3)), being("b", (6, 3), weapons=["halberd"]), throws=[1, 1, 15, 10, 10, 10, *[None] * 40]
    )
    fight.do("b", "policy", option="yield")
    fight.hold("b", seconds=1)
    fight.do("a", "attack", target="b")
    fight.do("a", "policy", option="stand")
    fight.hold("a", seconds=9)
    fight.do("b", "walk", path=[(7, 4)])
    fight.do("b", "attack", target="a")
    blow = fight.all("attack")[1]
    assert (blow["by"], [a["value"] for a in blow["adjustments"] if a["because"] == "ground given"]) == ("b", [-3])


@pytest.mark.parametrize(
    ("says", "count"), [({}, 4), ({"stance": Stance.FLEEING}, 3), ({"busy": 2}, 3), ({"ready_at": 2}, 3)]
)
def test_a_crowd_is_made_by_those_who_could_strike_in_this_second(says: dict[str, Any], count: int) -> None:
    """B37: of four foes at one's face and sides one flees, gets up, or is still drawing a weapon."""
    foes = [being(f"b{n}", at) for n, at in enumerate([(5, 2), (6, 2), (6, 3), (4, 2)])]
    fight = Fight(being("a", (5, 3), facing=0), *foes, throws=dice("initiative 1 1 1 1 1"))
    changed(fight, "b0", **says)
    assert len(engaged(fight.now, CreatureIx(0))) == count


def test_an_aggressive_blow_costs_defence_also_after_a_fall() -> None:
    """B19: until one's own next attack. Both strike; `b` is knocked off its feet, gets up, and is no less open."""
    fight = Fight(
        being("a", (5, 3), damage=28), being("b", (6, 3), hp_max=200),
        throws=[1, 1, 15, 3, 3, 15, 1, 1, 3, *[None] * 40],
    )  # fmt: skip
    fight.do("a", "policy", option="stand")
    fight.do("b", "policy", option="stand")
    fight.do("b", "attack", target="a", option="aggressive")
    fight.do("a", "attack", target="b")
    assert fight.of("b")["posture"] == "prone"
    fight.until("b")
    assert "aggressive" in fight.of("b")["conditions"]
    fight.do("b", "stand")
    fight.until("b")
    assert fight.of("b")["posture"] != "prone"
    assert -2 in [
        a.value
        for a in defence_of(fight.now, CreatureIx(1), CreatureIx(0)).adjustments
        if a.because == "aggressive attack"
    ]
    assert "no other manoeuvre" in fight.refusal("b", "full_parry")


def test_who_flees_far_and_straight_is_still_fleeing() -> None:
    """§2.6: twenty feet straight on are a charge only for who charges; a fleer defends on d10p as long as it runs."""
    fight = Fight(being("a", (15, 3)), being("b", (16, 3), hp_max=90), throws=[1, 1, 9, 2, *[None] * 40])
    fight.hold("b", seconds=2)
    fight.do("a", "flee", path=[(x, 3) for x in range(14, 2, -1)])
    fight.do("b", "choose", option="strike")
    assert (fight.second, fight.now.figures[0].straight // FOOT) == (3, 30)
    assert "fleeing" in fight.of("a")["conditions"]
    assert "charging" not in fight.of("a")["conditions"]


@pytest.mark.parametrize("stance", [Stance.DEFENSIVE_2, Stance.PARRY])
def test_a_run_that_is_no_charge_ends_no_manoeuvre(stance: Stance) -> None:
    """§4: a defensive fight ends by choice, a parry when one is due."""
    fight = Fight(being("a", (1, 3)), being("b", (20, 3)), throws=dice("initiative 1 1"))
    changed(fight, "a", stance=stance, until=50, gait="jog")
    fight.hold("b", seconds=9)
    fight.do("a", "run", path=[(x, 3) for x in range(2, 8)])
    fight.do("a", "end")
    fight.until("b", seconds=3)
    assert fight.now.figures[0].straight // FOOT >= 20
    assert stance in fight.of("a")["conditions"]


def test_nobody_shoots_at_itself() -> None:
    fight = Fight(being("a", (5, 3), weapons=["shortbow"]), being("b", (9, 3)), throws=dice("initiative 1 1"))
    assert "itself" in fight.refusal("a", "shoot", target="a")


def test_who_is_held_at_bay_does_not_shoot() -> None:
    """§4: cannot attack, nor advance."""
    fight = Fight(
        being("a", (5, 3), weapons=["shortbow"]), being("b", (6, 3), weapons=["spear"]), throws=dice("initiative 1 1")
    )
    changed(fight, "a", held_by=1)
    assert "held at bay" in fight.refusal("a", "shoot", target="b")


@pytest.mark.parametrize(("first", "then", "second"), [("quick", None, 13), (None, "quick", 9)])
def test_who_changes_the_manner_of_a_shot_takes_its_time(first: str | None, then: str | None, second: int) -> None:
    """§2.5: a longbow is loaded and drawn in second 8; it leaves a second after that, or four later with an aim."""
    fight = Fight(
        being("a", (1, 3), weapons=["longbow"]), being("b", (12, 3)), being("c", (1, 5), hp_max=90),
        throws=[1, 1, 1, *[None] * 60],
    )  # fmt: skip
    fight.hold("b", seconds=30)
    fight.hold("c", seconds=2)
    fight.do("a", "shoot", target="b", option=first)
    order = fight.now.figures[0].order
    assert fight.second == 3 and order is not None and order.action is not None
    changed(fight, "a", order=structs.replace(order, action=structs.replace(order.action, option=then)))
    fight.hold("c", seconds=15)
    assert [told for told, _ in fight.told("attack")][:1] == [second]


@pytest.mark.parametrize(("hand", "weapon"), [("longbow", "unarmed"), ("throwing knife", "throwing knife")])
def test_a_fist_in_a_bows_stead_is_stopped_by_armour(hand: str, weapon: str) -> None:
    """§2.1: a fumble earns a weapon attack; only a near-perfect defence's blow ignores armour."""
    fight = Fight(
        being("a", (5, 3), reduction=30), being("b", (6, 3), weapons=[hand], damage=9),
        throws=[1, 1, 10, 1, 3, 17, *[3] * 4, *[None] * 20],
    )  # fmt: skip
    fight.do("b", "policy", option="stand")
    fight.hold("b")
    fight.do("a", "attack", target="b")
    blow = fight.all("attack")[1]
    assert (blow["by"], blow["weapon"], blow["action"], blow["damage"]) == ("b", weapon, "free", 0)


def test_a_free_blow_of_the_next_second_falls_to_the_fist_of_who_has_a_bow_by_then() -> None:
    """§2.1: b's natural 1 gives a a blow a second later; by then a shortbow is in hand."""
    fight = Fight(
        being("a", (5, 3), weapons=["longsword", "shortbow"]), being("b", (6, 3), weapons=["staff"]),
        throws=[1, 1, 1, 15, 5, 6, 2, 15, 3, 2, *[None] * 20],
    )  # fmt: skip
    fight.do("b", "policy", option="yield")
    fight.hold("b", seconds=9)
    fight.do("a", "attack", target="b")
    fight.do("a", "walk", path=[(6, 3)])
    fight.do("a", "ready", weapon="shortbow")
    assert [event["weapon"] for event in fight.all("attack")] == ["longsword", "unarmed"]


def test_a_free_blow_that_the_fist_has_earned_falls_with_the_fist() -> None:
    """§2.1: b's near-perfect defence, and a's natural 1 against that fist; b has its longsword in hand all the time."""
    fight = duel(*dice("defence 19, attack 10, defence 1, attack 12, damage 4 2 3, defence 10, attack 2"))
    fight.do("b", "policy", option="stand")
    fight.do("a", "policy", option="stand")
    fight.hold("b", seconds=9)
    fight.do("a", "attack", target="b")
    blows = [(second, blow["by"], blow["weapon"]) for second, blow in fight.told("attack")]
    assert blows == [(1, "a", "longsword"), (1, "b", "unarmed"), (2, "b", "unarmed")]


def test_who_has_a_bow_in_hand_strikes_at_the_fleeing_with_the_fist() -> None:
    fight = Fight(being("a", (9, 3)), being("b", (10, 3), weapons=["shortbow"]), throws=[1, 1, 9, 2, *[None] * 20])
    fight.hold("b")
    fight.do("a", "flee", path=[(8, 3), (7, 3), (6, 3), (5, 3)])
    fight.do("b", "choose", option="strike")
    assert [event["weapon"] for event in fight.all("attack")] == ["unarmed"]


def test_who_follows_a_fleer_with_a_knife_for_throwing_in_hand_does_not_stab_with_it() -> None:
    """It is a missile weapon: an attack with it is refused, and following is no way round."""
    fight = Fight(being("a", (9, 3)), being("b", (10, 3), weapons=["throwing knife"]), throws=[1, 1, *[None] * 20])
    assert "does not strike" in fight.refusal("b", "attack", target="a")
    fight.do("a", "policy", option="stand")
    fight.hold("b")
    fight.do("a", "flee", path=[(8, 3), (7, 3), (6, 3), (5, 3)])
    fight.do("b", "choose", option="follow")
    assert not fight.all("attack")


def test_nobody_holds_at_bay_whom_the_same_jab_has_felled() -> None:
    """§2.6: the helpless are held by nobody; the jab's wound of 9 is above the threshold of pain."""
    fight = Fight(
        being("a", (5, 3), weapons=["spear"], damage=9), being("b", (8, 3), pain=1, trauma=1),
        throws=[1, 1, 2, 19, 3, 4, 10, *[None] * 20],
    )  # fmt: skip
    fight.do("b", "policy", option="stand")
    fight.hold("b")
    fight.do("a", "hold_at_bay", target="b", option="jab")
    assert fight.of("b")["helpless"]
    assert "held at bay" not in fight.of("b")["conditions"]
    assert (fight.second, fight.waiting) == (2, ["a"])


@pytest.mark.parametrize(("holder", "held", "what"), [
    ({"stance": Stance.PARRY}, {}, {"holds at bay": 1}), ({"exposed": True}, {}, {"holds at bay": -6}),
    ({}, {"prone": True}, {"knock aside": -4}),
])  # fmt: skip
def test_a_weapon_is_knocked_aside_against_all_defence(
    holder: dict[str, Any], held: dict[str, Any], what: dict[str, int]
) -> None:
    """§2.6, B19, §4: the holder's shieldless defence with its manoeuvres; who lies tries it at −4."""
    fight = Fight(being("a", (5, 3)), being("b", (8, 3), weapons=["spear"]), throws=[1, 1, 10, 10, *[None] * 20])
    changed(fight, "a", held_by=1, **held)
    changed(fight, "b", until=60, **holder)
    fight.hold("b", seconds=20)
    fight.do("a", "knock_aside")
    rolls = {roll["label"]: roll["total"] - 10 for roll in fight.all("contest")[0]["rolls"]}
    assert what.items() <= rolls.items()


def test_the_small_in_mail_run_to_the_eighth_of_a_foot() -> None:
    """§3, §5.2: 15 ft, halved, three quarters: 5⅝ ft a second, nine spaces in eight seconds."""
    fight = Fight(being("a", (1, 3), half=True, armour="ring mail"), being("b", (20, 3)), throws=dice("initiative 1 1"))
    changed(fight, "a", gait="run")
    fight.hold("b", seconds=8)
    fight.do("a", "run", path=[(x, 3) for x in range(2, 18)])
    fight.do("a", "end")
    assert (fight.second, fight.of("a")["at"]) == (9, [10, 3])


def test_the_bound_give_no_ground() -> None:
    fight = Fight(being("a", (5, 3)), being("b", (6, 3)), throws=[1, 1, 3, 12, 3, 3, *[None] * 20])
    changed(fight, "b", policy="yield", effects=(("bound", 30),))
    fight.hold("b")
    fight.do("a", "attack", target="b")
    assert fight.of("b")["at"] == [6, 3]


def test_a_touch_reaches_a_large_creature_at_any_of_its_spaces() -> None:
    """§2.8: `c` covers (5, 3) to (6, 4); its farther spaces are beside `a`."""
    fight = Fight(
        being("a", (7, 4), spells=["Trivial Cure"], weapons=["staff"]), being("c", (5, 3), side="heroes", size="L"),
        being("b", (15, 3)), throws=[1, 1, 1, *[None] * 20],
    )  # fmt: skip
    fight.do("a", "cast", item="Trivial Cure", target="c")
    fight.hold("c", "b")
    assert [event["target"] for event in fight.all("cast")] == ["c"]


@pytest.mark.parametrize(("word", "says"), [("held at bay", {"held_by": 2}), ("spell fatigue", {"fatigue": 9})])
def test_who_may_not_attack_holds_nobody_at_bay(word: str, says: dict[str, Any]) -> None:
    """§4: neither held nor tired by a spell does anybody attack."""
    fight = Fight(
        being("a", (5, 3), weapons=["spear"]), being("b", (8, 3)), being("c", (3, 3)), throws=dice("initiative 1 1 1")
    )
    changed(fight, "a", **says)
    assert word in fight.refusal("a", "hold_at_bay", target="b")


def test_a_load_half_done_is_lost_with_the_hands_that_a_spell_binds() -> None:
    """§2.5: the arrow that was on its way is not on the string when the rope falls off."""
    fight = Fight(
        being("a", (3, 3), weapons=["longbow"]),
        being("b", (9, 3), spells=["Rope Charm"], spell_points=300, level=9), being("c", (15, 1)),
        throws=[1, 1, 1, 19, 2, *[None] * 20],
    )  # fmt: skip
    fight.hold("c", seconds=30)
    fight.do("a", "shoot", target="c")
    fight.do("b", "cast", item="Rope Charm", target="a")
    fight.until("b", seconds=5)
    assert "bound" in fight.of("a")["conditions"]
    assert fight.now.figures[0].nocked == ("", 0)


def test_who_is_held_at_bay_sets_no_weapon_where_it_stands() -> None:
    fight = Fight(
        being("a", (5, 3), weapons=["spear"]), being("b", (8, 3), weapons=["spear"]), throws=dice("initiative 1 1")
    )
    changed(fight, "a", held_by=1)
    assert "held at bay" in fight.refusal("a", "set")
    fight.do("a", "walk", path=[(4, 3), (3, 3)])
    fight.do("a", "set")


@pytest.mark.parametrize("effect", ["bound", "panicked", "charmed"])
def test_who_may_strike_nobody_makes_no_crowd(effect: str) -> None:
    """B37, §5.4: the bound do nothing, the panicked run, the charmed harm none of the other side."""
    foes = [being(f"b{n}", at) for n, at in enumerate([(5, 2), (6, 2), (6, 3), (4, 2)])]
    fight = Fight(being("a", (5, 3), facing=0), *foes, throws=dice("initiative 1 1 1 1 1"))
    changed(fight, "b0", effects=((effect, 30),))
    assert len(engaged(fight.now, CreatureIx(0))) == 3


@pytest.mark.parametrize("effect", ["panicked", "charmed"])
def test_a_fumble_before_who_may_strike_nobody_is_only_a_miss(effect: str) -> None:
    fight = Fight(being("a", (5, 3)), being("b", (6, 3)), throws=[1, 1, 15, 1, *[None] * 20])
    fight.do("b", "policy", option="stand")
    fight.hold("b", seconds=20)
    changed(fight, "b", effects=((effect, 30),))
    fight.do("a", "attack", target="b")
    assert (fight.all("attack")[0]["outcome"], struck_in(fight, 1)) == ("fumble", ["a"])


def test_who_stands_still_may_sprint_anew() -> None:
    """§3, an option: no longer on end than half of Constitution; a rest begins the count again."""
    fight = Fight(being("a", (1, 1), trauma=2), being("b", (20, 5)), throws=dice("initiative 1 1"), sprint_limit=True)
    fight.hold("b", seconds=30)
    fight.do("a", "sprint", path=[(x, 1) for x in range(2, 12)])
    fight.do("a", "end")
    fight.until("a", seconds=9)
    fight.do("a", "hold", option="3")
    assert fight.now.figures[0].sprinted == 0


@pytest.mark.parametrize(("weapons", "dice"), [(["dagger"], 3), ([], 2)])
def test_a_fist_from_behind_is_no_backstab(weapons: list[str], dice: int) -> None:
    """§2.6: it takes a small weapon, and the table gives bare hands no size."""
    thief = being("a", (5, 3), weapons=weapons, thief=True)
    fight = Fight(thief, being("b", (6, 3), facing=2), throws=[1, 1, 2, 15, *[2] * 4, *[None] * 20], backstab=True)
    fight.do("b", "policy", option="stand")
    fight.do("b", "turn", option="2")
    fight.hold("b")
    fight.do("a", "attack", target="b")
    assert len(fight.all("attack")[0]["rolls"][2]["throws"]) == dice


def test_whose_work_a_spell_has_ended_is_free_again() -> None:
    """Charmed at the lock: the work is lost, and so its doer need not wait for its end."""
    fight = Fight(
        being("a", (5, 3)), being("b", (9, 3), spells=["Charm"], spell_points=300), being("c", (15, 1)),
        throws=[1, 1, 1, 19, 2, *[None] * 20],
    )  # fmt: skip
    changed(fight, "a", task=Task("search", -1, Seconds(11)), busy=11)
    fight.hold("c", seconds=30)
    fight.do("b", "cast", item="Charm", target="a")
    assert "charmed" in fight.of("a")["conditions"]
    fight.until("a", seconds=9)
    assert fight.second == 3


def test_a_sequence_goes_on_though_the_order_named_its_first_attack() -> None:
    """§5.5: listed in sequence, one per speed, cycling; the claw, which cannot jab, simply strikes."""
    bite = {"name": "bite", "speed": 5, "jab": 4, "damage": "d6p", "natural": True, "hands": 0}
    claw = {"name": "claw", "speed": 3, "damage": "d4p", "natural": True, "hands": 0}
    beast = being("a", (5, 3), weapons=[], attacks=[bite, claw], sequence=["bite", "claw", "claw"])
    fight = Fight(beast, being("b", (6, 3)), throws=[1, 1, *[10, 2] * 4, *[None] * 20])
    fight.do("b", "policy", option="stand")
    fight.hold("b", seconds=12)
    fight.do("a", "attack", target="b", weapon="bite", option="jab")
    struck = [(told, event["weapon"], event.get("action", "attack")) for told, event in fight.told("attack")]
    assert struck[:4] == [(1, "bite", "jab"), (5, "claw", "attack"), (8, "claw", "attack"), (11, "bite", "jab")]


def test_who_jogs_back_from_one_blow_and_steps_from_another_has_jogged() -> None:
    """§2.6, an option: two strike at once; the second answer takes nothing from the first."""
    fight = Fight(
        being("a", (5, 3)), being("aa", (5, 4)), being("b", (6, 3)), throws=[1, 1, 1, 15, 2, 15, 2, *[None] * 20],
        scamper_back=True,
    )  # fmt: skip
    fight.hold("b")
    fight.do("a", "attack", target="b")
    fight.do("aa", "attack", target="b")
    fight.do("b", "choose", option="scamper")
    fight.do("b", "choose", option="yield")
    assert fight.now.figures[2].penalty >= 4


def test_who_could_not_run_has_nothing_to_bring_to_a_halt() -> None:
    """§3: a step south, then twice bidden to run east, where a longer weapon claims the space: it stays where it is."""
    fight = Fight(
        being("a", (5, 1)),
        being("aa", (7, 3), weapons=["halberd"]),
        being("b", (20, 5)),
        throws=dice("initiative 1 1 1"),
    )
    fight.hold("b", seconds=20)
    fight.hold("aa", seconds=1)
    fight.do("a", "walk", path=[(5, 2)])
    fight.do("a", "end")
    for space in ((6, 2), (6, 3)):
        fight.do("a", "run", path=[space])
        fight.do("a", "end")
        fight.do("aa", "jog", path=[space])
        fight.do("aa", "end")
    fight.hold("aa", "a", seconds=3)
    assert fight.field.at(fight.now.figures[0].cell) == (5, 2)


def test_a_second_on_the_spot_breaks_off_a_run() -> None:
    """§2.6: 25 ft straight on, but with a second between in which a longer weapon claims the space: no charge."""
    fight = Fight(
        being("a", (2, 2)),
        being("aa", (6, 3), weapons=["halberd"]),
        being("b", (20, 5)),
        throws=dice("initiative 1 1 1"),
    )
    fight.hold("b", seconds=20)
    fight.hold("aa", seconds=1)
    fight.do("a", "jog", path=[(3, 2), (4, 2)])
    fight.do("a", "end")
    fight.do("a", "run", path=[(5, 2)])
    fight.do("a", "end")
    fight.do("aa", "jog", path=[(5, 2), (5, 1)])
    fight.do("aa", "end")
    assert [fight.field.at(figure.cell) for figure in fight.now.figures[:2]] == [(4, 2), (5, 1)]
    fight.do("a", "run", path=[(5, 2), (6, 2), (7, 2)])
    fight.do("a", "end")
    fight.hold("aa", seconds=1)
    assert fight.field.at(fight.now.figures[0].cell) == (7, 2)
    assert fight.now.figures[0].stance != "charging"


def test_a_ball_of_fire_does_not_come_down_in_a_wall() -> None:
    """§5.4: it skips until something solid stops it: two spaces on from (19, 3) is the hall's wall, beside (20, 5)."""
    fight = Fight(being("a", (17, 1)), being("b", (10, 3)), throws=dice("initiative 1 1"))
    cell, spell = fight.field.cell, fight.now.setup.armoury.spells["Skipping Betty Fireball"]
    burnt = area_of(fight.now.terrain, spell, cell(17, 1), cell(19, 3))
    assert burnt >> cell(20, 4) & 1
    assert not burnt >> cell(20, 5) & 1
