"""olde.md §4: reset, rounds, action points, order, Only."""

from __future__ import annotations

from rules.olde.actions.kind import Context
from rules.olde.actions.table import ACTION_KINDS
from tests.rules.olde.creatures import Fight, being, duel
from tests.rules.table import dice


def _points(fight):
    return [(e["by"], e["now"]) for e in fight.events if e["event"] == "points" and "roll" in e]


def test_a_fight_starts_with_a_reset_that_throws_one_finesse_die_each_in_the_records_order():
    fight = Fight(being("b", (5, 1)), being("a", (1, 1)), throws=dice("action points 3 8"))
    assert _points(fight) == [("b", 3), ("a", 8)]
    assert (fight.used, fight.acting) == (2, "a")


def test_the_action_point_die_does_not_explode():
    assert duel([]).of("a")["ap"] == 8


def test_odd_finesse_die_for_action_points_counts_its_top_face_as_the_median():
    assert duel([], a={"finesse": 7}).of("a")["ap"] == 4


def test_slowed_takes_three_off_the_die_but_leaves_one():
    slow = {"conditions": ["slowed"]}
    assert duel([], a=slow).of("a")["ap"] == 5
    assert duel([], a=slow, ap=(2, 4)).of("a")["ap"] == 1


def test_surprised_has_exactly_one_point_and_throws_no_die_but_only_in_the_first_reset():
    fight = Fight(being("a", (1, 1), surprised=True), being("b", (5, 1)), throws=dice("action points 5 7 2"))
    assert (fight.of("a")["ap"], fight.of("b")["ap"], fight.used) == (1, 5, 1)
    fight.end("b", "a")
    assert (fight.state["turn"], fight.of("a")["ap"], fight.of("b")["ap"]) == (2, 7, 2)


def test_surprised_has_one_point_even_if_slowed():
    fight = Fight(
        being("a", (1, 1), surprised=True, conditions=["slowed"]), being("b", (5, 1)), throws=dice("action points 5")
    )
    assert fight.of("a")["ap"] == 1


def test_higher_action_points_act_first():
    assert duel([], ap=(3, 5)).acting == "b"


def test_a_tie_goes_to_the_higher_finesse_stat():
    fight = Fight(being("b", (5, 1), finesse=7), being("a", (1, 1)), throws=dice("action points 3 3"))
    assert (fight.acting, fight.used) == ("a", 2)


def test_a_tie_of_finesse_is_rolled_off_with_two_exploding_dice():
    fight = duel(dice("roll-off 1 2 8 1 1"), ap=(3, 3))
    assert (fight.acting, fight.used) == ("b", 7)


def test_a_roll_off_that_stays_tied_three_times_leaves_the_records_order():
    fight = duel([1, 2, 2, 1] * 3, ap=(3, 3))
    assert (fight.acting, fight.used) == ("a", 14)


def test_a_roll_off_ends_as_soon_as_one_is_better():
    fight = duel(dice("roll-off 1 2 2 1 3 3 3 2"), ap=(3, 3))
    assert (fight.acting, fight.used) == ("a", 10)


def test_each_round_gives_everybody_one_chance():
    fight = duel([], ap=(8, 4))
    fight.do("a", "step", path=[[1, 2]])
    fight.end("a")
    assert (fight.acting, fight.state["round"]) == ("b", 1)
    fight.do("b", "step", path=[[2, 2]])
    fight.end("b")
    assert (fight.acting, fight.state["round"]) == ("a", 2)


def test_order_follows_the_current_points_of_each_round():
    fight = duel([], ap=(5, 4))
    fight.do("a", "step", path=[[1, 2], [1, 3]])
    fight.end("a", "b")
    assert fight.acting == "b", "a has 3 points left, b 4"


def test_a_pass_keeps_points_and_free_steps_for_a_later_round():
    fight = duel([], ap=(8, 4))
    fight.end("a")
    fight.do("b", "step", path=[[3, 1]])
    fight.end("b")
    assert (fight.state["round"], fight.acting) == (2, "a")
    assert (fight.of("a")["ap"], fight.of("a")["free_steps"]) == (8, 2)


def test_the_action_phase_ends_after_a_round_in_which_all_passed_and_leftovers_are_lost():
    fight = duel(dice("action points 2 3"), ap=(8, 4))
    fight.end("a", "b")
    assert fight.state["turn"] == 2
    assert (fight.of("a")["ap"], fight.of("b")["ap"]) == (2, 3)


def test_the_action_phase_ends_when_nobody_has_points():
    fight = duel(dice("action points 6 5"), ap=(2, 1))
    fight.do("a", "step", path=[[1, 2], [1, 3]])
    fight.end("a")
    fight.do("b", "step", path=[[3, 1]])
    fight.end("b")
    assert (fight.state["turn"], fight.used) == (2, 4)


def test_without_points_there_is_no_chance():
    fight = duel([], ap=(8, 1))
    fight.do("a", "step", path=[[1, 2]])
    fight.end("a")
    fight.do("b", "step", path=[[3, 1]])
    fight.end("b")
    assert fight.acting == "a"
    fight.do("a", "step", path=[[1, 1]])
    fight.end("a")
    assert (fight.acting, fight.state["round"]) == ("a", 3)


def test_at_most_three_points_in_a_round():
    fight = duel([], ap=(8, 4))
    fight.do("a", "step", path=[[1, 2], [1, 3]])
    assert "3" in fight.refusal("a", "attack", target="b", weapon="broadsword")
    fight = duel(dice("defense 2 2, attack 2 2, damage 1"), ap=(8, 4))
    fight.do("a", "step", path=[[1, 2]])
    fight.attack()
    assert fight.of("a")["ap"] == 5


def test_one_movement_and_one_action_in_a_chance():
    fight = duel(dice("defense 2 2, attack 2 2, damage 1"))
    fight.do("a", "step", path=[[1, 2]])
    assert fight.refusal("a", "step", path=[[1, 3]]) == "step: one movement a round"
    fight.attack()
    assert fight.refusal("a", "rushed_attack", target="b", weapon="broadsword") == "rushed_attack: one action a round"


def test_movement_comes_before_the_action_not_after():
    fight = duel(dice("defense 2 2, attack 2 2, damage 1"))
    fight.attack()
    assert fight.refusal("a", "step", path=[[1, 2]]) == "step: movement comes before the action"
    assert fight.refusal("a", "free_steps", path=[[1, 2]]) == "free_steps: free steps come before movement and action"


def test_free_steps_come_first_once_a_turn_all_at_once_and_cost_nothing():
    fight = duel([])
    fight.do("a", "free_steps", path=[[1, 2]])
    assert (fight.of("a")["ap"], fight.of("a")["free_steps"]) == (8, 0)
    assert fight.refusal("a", "free_steps", path=[[1, 3]]) == "free_steps: free steps are used up for this turn"
    fight.do("a", "step", path=[[1, 3]])
    fight.end("a", "b")
    assert fight.state["round"] == 2
    assert fight.refusal("a", "free_steps", path=[[1, 2]]) == "free_steps: free steps are used up for this turn"


def test_free_steps_may_not_follow_a_movement():
    fight = duel([])
    fight.do("a", "step", path=[[1, 2]])
    assert fight.refusal("a", "free_steps", path=[[1, 3]]) == "free_steps: free steps come before movement and action"


def test_free_steps_reach_as_far_as_the_size_allows():
    fight = duel([])
    assert (
        fight.refusal("a", "free_steps", path=[[1, 2], [1, 3], [2, 3]])
        == "free_steps: path: 3 spaces of movement, at most 2 now"
    )
    small = duel([], a={"size": "small"})
    assert (
        small.refusal("a", "free_steps", path=[[1, 2], [1, 3]])
        == "free_steps: path: 2 spaces of movement, at most 1 now"
    )
    small.do("a", "free_steps", path=[[1, 2]])


def test_difficult_ground_costs_free_steps_twice():
    rows = ["#####", "#.~.#", "#~..#", "#####"]
    fight = Fight(being("a", (1, 1), size="small"), being("b", (3, 2)), rows=rows, throws=dice("action points 8 4"))
    assert fight.refusal("a", "free_steps", path=[[2, 1]]) == "free_steps: path: 2 spaces of movement, at most 1 now"
    fight = Fight(being("a", (1, 1)), being("b", (3, 2)), rows=rows, throws=dice("action points 8 4"))
    fight.do("a", "free_steps", path=[[2, 1]])


def test_free_steps_are_restored_by_the_reset():
    fight = duel(dice("action points 8 4"))
    fight.do("a", "free_steps", path=[[1, 2]])
    fight.end("a", "b", "a")
    if fight.state["turn"] == 1:
        fight.end("b")
    assert (fight.state["turn"], fight.of("a")["free_steps"]) == (2, 2)


def test_only_costs_the_full_price_where_it_can_be_paid():
    fight = duel(dice("defense 2 2, attack 1 2, damage 1"))
    fight.attack(do="all_out_attack")
    assert fight.of("a")["ap"] == 5


def test_only_may_be_paid_with_all_that_a_poor_turn_began_with():
    fight = duel(dice("defense 2 2, attack 1 2, damage 1"), ap=(2, 1))
    fight.attack(do="all_out_attack")
    assert fight.of("a")["ap"] == 0


def test_free_steps_may_come_before_an_only_action():
    fight = duel(dice("defense 2 2, attack 1 2, damage 1"), ap=(1, 1), b={"finesse": 7})
    fight.do("a", "free_steps", path=[[1, 2]])
    fight.attack(do="all_out_attack")
    assert fight.of("a")["ap"] == 0


def test_only_is_refused_to_one_who_spent_points_already():
    fight = duel([], ap=(2, 1))
    fight.do("a", "step", path=[[1, 2]])
    assert (
        fight.refusal("a", "all_out_attack", target="b", weapon="broadsword")
        == "all_out_attack: costs 3 AP, or all of fewer if none was spent this turn; 1 to spend now"
    )


def test_only_is_refused_to_one_who_began_the_turn_with_enough():
    fight = duel([], ap=(4, 1))
    fight.do("a", "step", path=[[1, 2], [2, 2]])
    fight.end("a", "b")
    assert fight.of("a")["ap"] == 2 and fight.acting == "a"
    assert (
        fight.refusal("a", "all_out_attack", target="b", weapon="broadsword")
        == "all_out_attack: costs 3 AP, or all of fewer if none was spent this turn; 2 to spend now"
    )


def test_rise_as_an_only_movement_leaves_no_action_and_no_second_movement():
    fight = duel([], a={"posture": "prone"}, ap=(1, 1), b={"finesse": 7})
    fight.do("a", "rise")
    assert (fight.of("a")["ap"], fight.of("a")["posture"]) == (0, "standing")


def test_rise_may_be_followed_by_an_action():
    fight = duel(dice("defense 2 2, attack 5 2, damage 1"), a={"posture": "prone"})
    fight.do("a", "rise")
    fight.attack(do="rushed_attack")
    assert fight.of("a")["ap"] == 5


def test_recover_a_point_of_mana_or_faith_in_each_reset_the_lower_for_the_computer():
    fight = duel([2, 3, 4, 4], a={"mana": 3, "faith": 5})
    # the first reset: the lower of both
    assert (fight.of("a")["mana"], fight.of("a")["faith"]) == (4, 5)
    fight.end("a", "b")
    assert (fight.of("a")["mana"], fight.of("a")["faith"]) == (5, 5)


def test_a_person_chooses_between_mana_and_faith():
    fight = Fight(being("a", mana=3, faith=5, controller="human"), being("b", (5, 1)), throws=dice("action points 8 4"))
    fight.do("a", "choose", option="faith")
    assert (fight.of("a")["mana"], fight.of("a")["faith"], fight.of("a")["ap"]) == (3, 6, 8)


def test_recover_gives_two_of_mana_or_faith_for_three_points():
    fight = duel([], a={"mana": 3, "faith": 9})
    assert fight.of("a")["mana"] == 4
    fight.do("a", "recover", option="mana")
    assert (fight.of("a")["mana"], fight.of("a")["ap"]) == (6, 5)


def test_recover_goes_no_higher_than_the_maximum():
    fight = duel([], a={"mana": 7})
    assert fight.of("a")["mana"] == 8
    fight.do("a", "recover", option="mana")
    assert fight.of("a")["mana"] == 9


def test_the_fight_is_over_when_one_side_has_nobody_up_and_closes_with_a_reset():
    # b has 1 HP left and bleeds nothing; a hits for 7: 1 − 7 = −6, then −1 for dying in the closing reset
    fight = duel(dice("defense 1 2, attack 2 3, damage 7"), b={"hp": 1})
    fight.attack()
    assert fight.state["over"] == "heroes"
    assert (fight.of("b")["hp"], fight.of("b")["status"]) == (-7, "incapacitated")
    assert fight.rules.decisions(fight.now) == ()
    assert fight.used == 7, "the closing reset throws no action points"


def test_a_fight_that_leaves_nobody_standing_is_won_by_nobody():
    """Both bleed: the reset fells the last of either side."""
    dying = {"hp": 1, "conditions": ["bleeding"]}
    fight = duel(dice("brawn 1 1 1 1"), a=dying, b=dying, ap=())
    assert fight.state["over"] == "nobody"


def test_another_than_the_acting_character_is_refused():
    fight = duel([])
    assert "a" in fight.refusal("b", "end")


def test_unknown_deeds_and_creatures_are_refused():
    fight = duel([])
    assert fight.refusal("a", "dance").startswith("do: 'dance' is no action; there are free_steps, step, run, ")
    assert (
        fight.refusal("a", "attack", target="nobody", weapon="broadsword")
        == "attack: target: 'nobody' is nobody here; there are a, b"
    )
    assert (
        fight.refusal("a", "attack", target="b", weapon="dagger")
        == "attack: weapon: 'dagger' is not in hand; in hand: broadsword, unarmed"
    )
    assert fight.refusal("a", "attack", weapon="broadsword") == "attack: target: None is nobody here; there are a, b"
    assert fight.refusal("a", "step") == "step: path: needs the spaces entered, at least one, as [[column, row], ...]"


def test_a_kind_of_action_is_told_by_its_button_where_no_instance_is_meant() -> None:
    fight = Fight(being("a"), being("b", (5, 1)), throws=dice("action points 8 4"))
    context = Context(fight.now, fight.now.chance)
    for kind in ACTION_KINDS.values():
        assert kind.describe(context).label == kind.face.label
