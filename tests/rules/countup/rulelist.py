"""The rules of countup.md §1, §2, row by row: each is the name of its record in `records`."""

from __future__ import annotations

from rules.countup.combat.attack import FACTORS, INTO_MELEE
from rules.countup.combat.injury import BREAKAGE, TENACITY, TURNS
from rules.countup.statblock import SCENES
from rules.countup.state import GAITS, KNOCK

SHIELDS = {"S": "small", "M": "medium", "L": "large"}


def rows(head: str, words: str) -> set[str]:
    return {f"{head}_{word}" for word in words.split()}


RULES = {
    "0_penetration",
    # §1: the second
    *(f"1.1_initiative_{scene}" for scene in SCENES),
    "1.1_initiative_at_least_one",
    *rows("1", "longer_reach_strikes_first shorter_reach_answers equal_reach_together simultaneous_strikes"),
    *rows("1_collision", "reach initiative id"),
    *rows("1", "no_swap into_a_space_being_left contact_in_mid_path"),
    *rows("1_waiting", "strikes_on_contact holds_at_bay"),
    *rows("1", "charger_runs_on engaged_from_the_start engages_anew"),
    # §2.1: defence dice, natural results
    *rows("2.1_defence", "helpless surprised prone rear side fleeing shield no_shield"),
    *rows("2.1_defence", "four_engaged three_engaged four_but_one_held"),
    *rows("2.1", "tie bonuses no_harm_below_nought double_total_option"),
    *rows("2.1_attack", "1 1_fumble 20_critical 20_beaten 20_option"),
    *rows("2.1_defence", "1_missed 1_hit 19 19_harmless 19_knife 19_two_hands 19_too_far 20 20_beaten"),
    *rows("2.1", "natural_19_on_a_d12_and_below free_attacks_five_deep casters_have_no_hands_free"),
    # §2.2: shields
    *rows("2.2", "struck missed_by_nine missed_by_ten attack_1 defence_20 breakage_tie option_arcs"),
    *(f"2.2_breakage_{SHIELDS[size]}_{row}" for size, bounds in BREAKAGE.items() for row in range(len(bounds) + 1)),
    *rows("2.2_weapons", "crushing hacking piercing table unarmed"),
    # §2.3: knock-back
    *(f"2.3_direction_{face}" for face in TURNS),
    *(f"2.3_size_{size}" for size in KNOCK),
    *rows("2.3", "left_handed_1 left_handed_9 diagonal_blow below_a_step before_reduction into_the_shield dwarf"),
    *rows("2.3", "two_steps second_space_blocked no_space_at_all followed followed_far"),
    *rows("2.3_obstacle", "wall right wraps creature"),
    # §2.4: the threshold of pain
    *rows("2.4", "at_the_threshold over_and_held over_and_down up_again monster undead what_is_lost nought"),
    "2.4_out_cold_option",
    # §2.5: shots
    *rows("2.5_bracket", "d20 d12 d8 d4 last_bound"),
    *(f"2.5_range_size_{size}" for size in FACTORS),
    *(f"2.5_into_melee_{size}" for size in INTO_MELEE),
    *rows("2.5", "into_melee_next into_melee_15_feet into_melee_behind_a_wall hit_while_loading nocked"),
    "2.5_option_shield_in_flight",
    *rows(
        "2.5_times",
        "second_shot longbow shortbow light_crossbow heavy_crossbow sling hurled_javelin hurled_axe throwing_knife",
    ),
    *rows("2.5", "quick_aim attack_bonus tie moving_target moved_a_second_ago natural_1 natural_20 natural_12"),
    *rows("2.5_cover", "small medium large kneeling_medium kneeling_large from_behind partial minimal"),
    *rows("2.5", "strength thrown_standing thrown_at_a_run"),
    # §2.6: every manoeuvre
    *rows("2.6", "aggressive aggressive_lasts aggressive_ground_given aggressive_gives_no_ground"),
    *rows("2.6", "charge charge_too_short charge_costs_dexterity"),
    *rows("2.6_defensive", "1 2 3 4 no_penetration broken_off"),
    *rows("2.6", "withdrawal withdrawal_once approach_is_no_withdrawal"),
    *rows("2.6_flee", "struck_at followed beside_another another_far_off"),
    *rows("2.6", "full_parry full_parry_with_ground"),
    *rows("2.6_give_ground", "pressed no_room to_the_faster") | {"2.6_give_ground"},
    *rows("2.6", "hold_at_bay hold_at_bay_missed hold_at_bay_jab knock_aside_failed jab"),
    *rows("2.6_set", "against_a_charge too_late upset first_at_equal_reach"),
    *rows("2.6", "held_goes_back"),
    *rows("2.7", "drawn_on_the_way packed_at_the_end_of_the_way run_far shield_put_off"),
    *rows("2.6_option", "scamper tactical backstab backstab_level_5"),
    # §2.7: times
    *(f"2.7_{gait}" for gait in GAITS),
    *(f"2.7_{gait}_small" for gait in GAITS if gait != "crawl"),
    *rows("2.7", "mail difficult_ground draw_small draw_medium draw_large draw_hurled draw_knife draw_in_melee"),
    *rows("2.7", "ready_bow stowed shield_from_the_back kneel kneel_and_stand pick_up turn turn_and_walk turn_alone"),
    # §2.8: magic
    *rows("2.8", "casting_time harm save_tie save_failed save_by_level save_penetrates immune area points"),
    *rows("2.8_fatigue", "over walks skills") | {"2.8_fatigue"},
    *rows("2.8", "wounded_while_casting missed_while_casting option_components motion_blur cheetah_speed"),
    # §2.9: skills
    *rows("2.9", "pick_lock pick_lock_failed force force_tie"),
    *rows("2.9_opposed", "lost tie untrained band better_scene") | {"2.9_opposed"},
    *rows("2.9_difficulty", "trivial easy average difficult very_difficult"),
    *rows("2.9_secret_door", "missed thief thief_missed") | {"2.9_secret_door"},
    # §2.10: nerve
    *(f"2.10_{word}_flees" for word in TENACITY),
    *rows("2.10", "holds at_the_share"),
}
