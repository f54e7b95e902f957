"""The course of a fight, saves, movement, morale, retreat, casting (cairn.md §1, §2.6–2.13)."""

from __future__ import annotations

import msgspec
import pytest

from game.controllers.ai.advisors import advisor_of
from rules.board.fixtures import Challenge
from rules.board.grid import EdgeWall, Field
from rules.cairn.state import Lying
from rules.contract.actions import Action
from tests.rules.cairn.creatures import Fight, duel, foe, pc
from tests.rules.table import dice

BACK = ["############", "#..........#", "#####.######", "#..........#", "############"]


def test_pcs_who_were_not_ready_save_or_lose_the_first_round() -> None:
    fight = Fight(
        pc("a", alert="normal"), pc("c", (1, 2), alert="normal"), foe("b", (9, 1)), throws=dice("dex save 10 11")
    )
    assert fight.waiting == ["a", "heroes"]
    fight.half()
    fight.half("monsters")
    assert fight.waiting == ["a", "c", "heroes"]


def test_who_is_late_stands_in_the_order_of_play_as_done() -> None:
    fight = Fight(pc("a", alert="normal"), pc("b", (1, 2)), foe("c", (9, 1)), throws=dice("dex save 11"))
    order = {turn.id: (turn.active, turn.done) for turn in fight.rules.board(fight.now).order}
    assert order == {"a": (False, True), "b": (True, False), "c": (False, False)}


def test_foes_and_the_ready_do_not_save() -> None:
    assert duel([]).used == 0


def test_plans_are_made_in_any_order_changed_and_sealed() -> None:
    fight = Fight(pc("a", (1, 1)), pc("c", (1, 3)), foe("b", (9, 1)))
    fight.do("c", "move", path=[[2, 3]])
    fight.do("a", "move", path=[[2, 1]])
    fight.do("a", "clear")
    fight.do("a", "move", path=[[2, 2]])
    assert fight.of("a")["planned"]
    hidden = fight.rules.observe(fight.now, "monsters")
    assert all(plan is None for plan in hidden.plans)
    events = fight.half()
    assert [(e["by"], e["path"][-1]) for e in events if e["event"] == "moved"] == [("c", (2, 3)), ("a", (2, 2))]


def test_one_move_and_one_action_in_either_order() -> None:
    fight = duel(dice("sword 3"), b={"hp_max": 9})
    fight.do("a", "attack", target="b", weapon="sword")
    fight.do("a", "move", path=[[1, 2]])
    events = fight.half()
    assert [e["event"] for e in events if e["event"] in ("attack", "moved")] == ["attack", "moved"]
    fight = Fight(pc("a", (1, 1)), foe("b", (4, 1), hp_max=9), throws=dice("sword 3"))
    fight.do("a", "move", path=[[2, 1], [3, 1]])
    fight.do("a", "attack", target="b", weapon="sword")
    assert "one action" in fight.refusal("a", "dash", path=[[3, 2]])
    events = fight.half()
    assert [e["event"] for e in events if e["event"] in ("attack", "moved")] == ["moved", "attack"]


def test_a_move_is_eight_spaces_and_a_dash_eight_more_for_the_action() -> None:
    rows = ["#" * 22, "#" + "." * 20 + "#", "#" * 22]
    fight = Fight(pc("a", (1, 1)), foe("b", (20, 1)), rows=rows)
    assert "9 spaces" in fight.refusal("a", "move", path=[[x, 1] for x in range(2, 11)])
    fight.do("a", "move", path=[[x, 1] for x in range(2, 10)])
    fight.do("a", "dash", path=[[x, 1] for x in range(10, 18)])
    fight.half()
    assert fight.of("a")["at"] == [17, 1]


def test_no_corner_is_cut_and_foes_are_not_passed() -> None:
    fight = Fight(pc("a", (4, 1)), foe("b", (5, 2)), rows=BACK)
    assert (
        fight.refusal("a", "move", path=[[5, 2], [5, 3]])
        == "move: path, step 1: [4, 1] to [5, 2] cuts a corner; both spaces beside a diagonal must be open"
    )
    assert fight.refusal("a", "move", path=[[5, 1], [4, 2]]) == "move: path, step 2: [5, 1] to [4, 2]: [4, 2] is a wall"


def test_allies_are_passed_but_nobody_shares_a_space() -> None:
    fight = Fight(pc("a", (1, 1)), pc("c", (2, 1)), foe("b", (9, 1)))
    fight.do("a", "move", path=[[2, 1], [3, 1]])
    assert fight.refusal("c", "move", path=[[3, 1]]) == "move: path: [3, 1] is taken by an ally"


def test_a_foe_killed_in_the_partys_half_does_not_act() -> None:
    fight = Fight(pc("a"), foe("b"), foe("d", (9, 1)), throws=[8, 20, 1, 1])
    fight.strike(("a", "b", "sword"))
    assert fight.waiting == ["d", "monsters"]


def test_one_sides_blows_are_not_retargeted_when_the_target_falls() -> None:
    fight = Fight(
        pc("a"),
        pc("c", (1, 2)),
        foe("b"),
        foe("d", (3, 1), hp_max=9),
        throws=dice("sword 8 1, str save 20, wil save 1"),
    )
    fight.strike(("a", "b", "sword"), ("c", "b", "sword"))
    assert fight.of("d")["hp"] == 9


# -- morale


def test_the_first_casualty_and_half_at_once_make_one_roll_each() -> None:
    fight = Fight(pc("a"), foe("b"), foe("d", (9, 1)), throws=dice("sword 8, str save 20, wil save 15"))
    fight.strike(("a", "b", "sword"))
    assert fight.used == 3
    assert fight.state["over"] == "heroes"
    assert fight.of("d")["status"] == "fled"


def test_a_leader_rolls_for_all() -> None:
    foes = [foe("b"), foe("d", (9, 1), leader=True, willpower=14), foe("e", (9, 3), willpower=2), foe("f", (9, 2))]
    fight = Fight(pc("a"), *foes, throws=dice("sword 8, str save 20, wil save 14"))
    fight.strike(("a", "b", "sword"))
    assert {fight.of(name)["status"] for name in ("d", "e", "f")} == {"healthy"}


def test_the_mindless_never_run() -> None:
    fight = Fight(pc("a"), foe("b"), foe("d", (9, 1), mindless=True), throws=dice("sword 8, str save 20"))
    fight.strike(("a", "b", "sword"))
    assert fight.used == 2
    assert fight.state["over"] is None


def test_a_lone_foe_at_nought_saves_once() -> None:
    fight = duel([4, 3, 1, 1, 1])
    fight.strike(("a", "b", "sword"))
    assert [e["what"] for e in fight.all("check")] == ["WIL save: morale, alone at 0 HP"]


def test_pcs_have_no_morale() -> None:
    claw = {"name": "claw", "dice": [20], "hands": 0, "slots": 0, "natural": True}
    fight = Fight(pc("a"), pc("c", (1, 3)), foe("b", attacks=[claw]), throws=dice("claw 20"))
    fight.half()
    fight.strike(("b", "a", "claw"), side="monsters")
    assert fight.of("a")["status"] == "dead"
    assert fight.of("c")["status"] == "healthy"


# -- helping, retreat, manoeuvres, readiness


def critical() -> Fight:
    claw = {"name": "claw", "dice": [10], "hands": 0, "slots": 0, "natural": True}
    friend = pc("c", (1, 2), items=["bandages"])
    fight = Fight(pc("a"), friend, foe("b", attacks=[claw]), throws=dice("claw 10, str save 20"))
    fight.half()
    fight.strike(("b", "a", "claw"), side="monsters")
    return fight


def test_bandages_stop_the_clock_but_the_patient_stays_out() -> None:
    fight = critical()
    fight.do("c", "bandage", target="a")
    fight.half()
    assert "stable" in fight.of("a")["conditions"]
    assert fight.of("a")["status"] == "incapacitated"
    fight.half("monsters")
    assert "no critical damage" in fight.refusal("c", "bandage", target="a")


def test_bandages_last_three_uses() -> None:
    fight = critical()
    a, c, b = fight.now.figures
    used = msgspec.structs.replace(c, used=(("bandages", 2),))
    fight.now = msgspec.structs.replace(fight.now, figures=(a, used, b))
    fight.do("c", "bandage", target="a")
    fight.half()
    assert "bandages" not in fight.of("c")["pack"] + fight.of("c")["hands"]


def test_retreat_takes_the_turn_and_a_save_while_foes_watch() -> None:
    rows = ["......", "......"]
    fight = Fight(pc("a", (0, 0)), pc("c", (0, 1)), foe("b", (4, 0)), throws=dice("dex save 11 5"), rows=rows)
    fight.do("a", "retreat")
    assert "whole turn" in fight.refusal("a", "move", path=[[1, 0]])
    fight.do("c", "retreat")
    fight.half()
    assert fight.of("a")["status"] == "healthy"
    assert fight.of("c")["status"] == "fled"


def test_there_is_no_retreat_without_a_way_out() -> None:
    assert "no safe place" in duel([]).refusal("a", "retreat")


@pytest.mark.parametrize(("face", "down"), [(10, "b"), (11, "a")])
def test_who_fails_to_trip_is_tripped(face: int, down: str) -> None:
    fight = duel([face])
    fight.do("a", "manoeuvre", target="b", option="trip")
    fight.half()
    assert fight.of(down)["posture"] == "prone"


def test_a_grip_holds_until_broken() -> None:
    fight = duel(dice("str save 10 5"), b={"willpower": 20})
    fight.do("a", "manoeuvre", target="b", option="grapple")
    fight.half()
    assert "restrained" in fight.of("b")["conditions"]
    assert "cannot move" in fight.refusal("b", "move", path=[[3, 1]])
    fight.do("b", "break_free")
    fight.half("monsters")
    assert "restrained" not in fight.of("b")["conditions"]


def test_a_shove_moves_a_space() -> None:
    fight = duel(dice("str save 10"))
    fight.do("a", "manoeuvre", target="b", option="shove")
    fight.half()
    assert fight.of("b")["at"] == [3, 1]


def test_standing_up_takes_two_spaces_of_the_move() -> None:
    rows = ["#" * 22, "#" + "." * 20 + "#", "#" * 22]
    fight = Fight(pc("a", (1, 1), posture="prone"), foe("b", (20, 1)), rows=rows)
    assert fight.refusal("a", "move", path=[[x, 1] for x in range(2, 9)]) == "move: path: 7 spaces of movement; 6 left"
    fight.do("a", "move", path=[[x, 1] for x in range(2, 8)])
    fight.half()
    assert (fight.of("a")["at"], fight.of("a")["posture"]) == ([7, 1], "standing")


def test_a_readied_blow_meets_who_comes_near_before_they_strike() -> None:
    fight = Fight(
        pc("a", (1, 1)), foe("b", (5, 1)), foe("d", (9, 1), mindless=True), throws=dice("sword 8, str save 20")
    )
    fight.do("a", "ready", weapon="sword")
    fight.half()
    fight.do("b", "move", path=[[4, 1], [3, 1], [2, 1]])
    fight.do("b", "attack", target="a", weapon="claws")
    fight.half("monsters")
    assert [e["by"] for e in fight.all("attack")] == ["a"]
    assert fight.of("b")["status"] == "dead"


# -- casting


def test_a_book_costs_fatigue_and_in_danger_a_save() -> None:
    fight = Fight(pc("a", items=["book of Sleep"]), foe("b", (4, 1)), throws=dice("wil save 10 20"))
    fight.do("a", "cast", item="book of Sleep", target="b")
    fight.half()
    assert fight.of("a")["fatigue"] == 1
    assert "asleep" in fight.of("b")["conditions"]


def test_a_failed_casting_fizzles_and_tires_the_more() -> None:
    fight = Fight(pc("a", items=["book of Sleep"]), foe("b", (4, 1)), throws=dice("wil save 11"))
    fight.do("a", "cast", item="book of Sleep", target="b")
    fight.half()
    assert fight.of("a")["fatigue"] == 2
    assert fight.of("b")["conditions"] == []


def test_a_natural_twenty_costs_the_book_and_blood() -> None:
    fight = Fight(
        pc("a", items=["book of Sleep"]), foe("b", (4, 1)), throws=dice("wil save 20, the spell turns 4, str save 6")
    )
    fight.do("a", "cast", item="book of Sleep", target="b")
    fight.half()
    assert fight.of("a")["str"] == 6
    assert fight.of("a")["status"] == "wounded", "STR was lost: it saved (A10)"
    assert "book of Sleep" not in fight.of("a")["hands"] + fight.of("a")["pack"]


def test_without_the_option_casting_is_safe() -> None:
    fight = Fight(pc("a", items=["book of Sleep"]), foe("b", (4, 1)), throws=dice("wil save 10 20"))
    fight.do("a", "cast", item="book of Sleep", target="b")
    fight.half()
    assert "asleep" in fight.of("b")["conditions"]


def test_a_scroll_is_gone_and_costs_no_fatigue() -> None:
    fight = Fight(pc("a", items=["scroll of Push"]), foe("b", (4, 1)), throws=dice("str save 20"), cast_saves=False)
    fight.do("a", "use", item="scroll of Push", target="b")
    fight.half()
    assert fight.of("b")["at"] == [6, 1]
    assert (fight.of("a")["fatigue"], fight.of("a")["pack"]) == (0, [])


def test_a_shield_gives_nothing_while_a_book_is_read() -> None:
    fight = Fight(
        pc("a", items=["book of Sleep", "shield"], ready=["shield"]), foe("b", (4, 1)), throws=dice("wil save 10 1")
    )
    assert fight.of("a")["armor"] == 1
    fight.do("a", "cast", item="book of Sleep", target="b")
    fight.half()
    assert fight.of("a")["armor"] == 0


def test_with_every_slot_filled_fatigue_pushes_an_item_out() -> None:
    fight = Fight(pc("a", items=["book of Sleep", "rope"], fatigue=8), foe("b", (4, 1)), throws=dice("wil save 10 1"))
    fight.do("a", "cast", item="book of Sleep", target="b")
    fight.half()
    assert fight.state["floor"] == [{"item": "rope", "at": [1, 1]}]
    assert fight.of("a")["fatigue"] == 9


def test_the_button_of_a_move_says_how_far_it_goes_and_a_way_what_it_takes() -> None:
    fight = Fight(
        pc("a"),
        pc("b", (1, 2), posture="prone"),
        foe("c", (9, 1)),
        rows=["#" * 16, *["#" + "." * 14 + "#"] * 3, "#" * 16],
    )
    costs = {}
    for by in ("a", "b"):
        decision = next(d for d in fight.rules.decisions(fight.now) if d.by == by)
        offers = fight.rules.legal(fight.now, decision).offers()
        costs[by] = next(o.description.cost for o in offers if o.do == "move")
    assert costs == {"a": "40 ft", "b": "30 ft"}
    way = Action("a", "move", path=(fight.field.cell(2, 1), fight.field.cell(3, 1)))
    assert fight.rules.describe(fight.now, way).cost == "10 of 40 ft"


# -- plans of several parts

PATH = ["#" * 22, "#" + "." * 20 + "#", "#" * 22]


def test_a_move_planned_after_a_dash_goes_on_from_its_end() -> None:
    fight = Fight(pc("a", (1, 1)), foe("b", (20, 1)), rows=PATH)
    fight.do("a", "dash", path=[[2, 1], [3, 1], [4, 1]])
    assert (
        fight.refusal("a", "move", path=[[2, 1]])
        == "move: path, step 1: [4, 1] to [2, 1] is no step to an adjacent space"
    )
    fight.do("a", "move", path=[[5, 1]])
    fight.half()
    assert fight.of("a")["at"] == [5, 1]


def test_getting_up_takes_from_the_first_movement_alone() -> None:
    fight = Fight(pc("a", (1, 1), posture="prone"), foe("b", (20, 1)), rows=PATH)
    fight.do("a", "move", path=[[x, 1] for x in range(2, 8)])
    fight.do("a", "dash", path=[[x, 1] for x in range(8, 16)])
    fight.half()
    assert fight.of("a")["at"] == [15, 1]


def test_who_plans_to_get_up_after_its_action_is_not_floored_by_it() -> None:
    fight = Fight(pc("a", posture="prone"), foe("b"), throws=dice("str save 20"))
    fight.do("a", "manoeuvre", target="b", option="trip")
    fight.do("a", "stand")
    fight.half()
    assert fight.of("a")["posture"] == "standing"


def test_nobody_plans_to_end_where_a_friend_will_have_dashed_to() -> None:
    fight = Fight(pc("a", (1, 1)), pc("c", (1, 2)), foe("b", (9, 1)))
    fight.do("a", "dash", path=[[2, 1], [3, 1]])
    assert fight.refusal("c", "move", path=[[2, 2], [3, 1]]) == "move: path: [3, 1] is taken by an ally"
    fight.do("c", "move", path=[[1, 1]])
    fight.half()
    assert fight.of("c")["at"] == [1, 1]


def test_what_is_let_go_is_struck_with_no_more() -> None:
    fight = duel([3], a={"items": ["sword", "mace"]}, b={"hp_max": 9})
    fight.do("a", "attack", target="b", weapon="sword")
    assert "needed" in fight.refusal("a", "drop", item="sword")
    fight.do("a", "clear")
    fight.do("a", "drop", item="sword")
    assert "not at hand" in fight.refusal("a", "attack", target="b", weapon="sword")
    fight.do("a", "attack", target="b", weapon="mace")


def test_who_lets_go_of_one_scroll_reads_the_other() -> None:
    fight = duel(dice("wil save 1 20"), a={"items": ["scroll of Sleep", "scroll of Sleep"]}, b={"willpower": 1})
    fight.do("a", "use", item="scroll of Sleep", target="b")
    fight.do("a", "drop", item="scroll of Sleep")
    fight.half()
    assert fight.all("cast")
    assert fight.of("a")["pack"] == []


# -- hands and walls


@pytest.mark.parametrize("do", ["attack", "daring"])
def test_nobody_strikes_at_itself(do: str) -> None:
    assert "itself" in duel([]).refusal("a", do, target="a", weapon="sword")


@pytest.mark.parametrize("option", ["trip", "shove", "grapple"])
def test_nobody_wrestles_with_itself(option: str) -> None:
    assert "takes two" in duel([]).refusal("a", "manoeuvre", target="a", option=option)


CORNER = ["####", "#.##", "##.#", "####"]


def test_no_hand_reaches_between_two_walls() -> None:
    fight = Fight(pc("a", (1, 1), items=["bandages"]), foe("b", (2, 2)), rows=CORNER)
    assert "not adjacent" in fight.refusal("a", "manoeuvre", target="b", option="shove")


def test_no_hand_takes_up_opens_or_breaks_open_what_lies_beyond_two_walls() -> None:
    rows = ["#####", "#.###", "##+.#", "#...#", "#####"]
    field = Field.from_rows(rows)
    chest = Challenge("chest", "chest", (field.cell(2, 2),))
    field = msgspec.structs.replace(field, challenges=(chest,))
    fight = Fight(pc("a", (1, 1)), foe("b", (3, 3)), field=field)
    fight.now = msgspec.structs.replace(fight.now, floor=(Lying("rope", field.cell(2, 2)),))
    assert "not within reach" in fight.refusal("a", "open", target="door 2,2")
    assert "within reach" in fight.refusal("a", "pick_up", item="rope")
    assert "no locked chest" in fight.refusal("a", "tackle", item="chest")


def test_no_hand_takes_anything_up_through_a_thin_wall() -> None:
    rows = ["#####", "#...#", "#...#", "#####"]
    bare = Field.from_rows(rows)
    walls = [EdgeWall(bare.cell(1, y), bare.cell(2, y)) for y in (1, 2)]
    fight = Fight(pc("a", (1, 1)), foe("b", (3, 2)), field=Field.from_rows(rows, edges=walls))
    rope = Lying("rope", bare.cell(2, 1))
    fight.now = msgspec.structs.replace(fight.now, floor=(rope,))
    assert "within reach" in fight.refusal("a", "pick_up", item="rope")
    fight.half()
    fight.do("b", "move", path=[[3, 1]])
    fight.do("b", "pick_up", item="rope")


# -- shoves of what is larger than a space


@pytest.mark.parametrize("at", [(4, 4), (5, 4)])
def test_the_large_are_shoved_straight_away_from_any_of_their_sides(at: tuple[int, int]) -> None:
    fight = Fight(pc("a", at), foe("b", (4, 2), space=2), rows=["." * 12] * 6, throws=dice("str save 10"))
    fight.do("a", "manoeuvre", target="b", option="shove")
    fight.half()
    assert fight.of("b")["at"] == [4, 1]


@pytest.mark.parametrize(("beast", "shover"), [((2, 1), (4, 1)), ((6, 1), (5, 1))])
def test_the_large_fall_over_whichever_of_their_sides_is_over_the_edge(
    beast: tuple[int, int], shover: tuple[int, int]
) -> None:
    rows = ["  ......  "] * 4
    fight = Fight(pc("a", shover), foe("b", beast, space=2), rows=rows, throws=dice("str save 10"))
    fight.do("a", "manoeuvre", target="b", option="shove")
    fight.half()
    assert [e["target"] for e in fight.all("condition") if e["condition"] == "fallen"] == ["b"]


def test_the_large_at_the_edge_of_the_map_are_weighed_for_a_shove_and_stay() -> None:
    fight = Fight(pc("a", (7, 2)), foe("b", (8, 2), space=2), rows=["." * 10] * 6, throws=dice("str save 10"))
    decision = fight._decision("a")
    assert all(each.action.option != "shove" for each in advisor_of(fight.rules).measures(fight.now, decision))
    fight.do("a", "manoeuvre", target="b", option="shove")
    fight.half()
    assert fight.of("b")["at"] == [8, 2]
