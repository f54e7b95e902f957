"""olde.md §4 movements and §5: steps, running, climbing, leaping, falling, doors, large creatures."""

from __future__ import annotations

from typing import Any

import pytest

from rules.board.fixtures import Door
from rules.board.grid import EdgeWall, Field
from rules.contract.units import Cell, CreatureIx
from rules.olde.actions.kind import Context
from rules.olde.state import Chance
from tests.rules.olde.creatures import Fight, being, duel
from tests.rules.table import dice

FAR = being("b", (9, 3))


def _alone(throws=(8, 4), rows=None, field=None, at=(1, 1), foe=(9, 3), **says):
    return Fight(being("a", at, **says), being("b", foe), throws=throws, rows=rows, field=field)


def test_step_costs_one_a_space_up_to_three():
    fight = _alone()
    fight.do("a", "step", path=[[2, 1], [3, 1], [4, 1]])
    assert (fight.of("a")["at"], fight.of("a")["ap"]) == ([4, 1], 5)
    assert (
        _alone().refusal("a", "step", path=[[2, 1], [3, 1], [4, 1], [5, 1]])
        == "step: path: 4 spaces of movement, at most 3 now"
    )


def test_a_diagonal_costs_one():
    fight = _alone()
    fight.do("a", "step", path=[[2, 2], [3, 3]])
    assert fight.of("a")["ap"] == 6


def test_difficult_ground_costs_two():
    fight = _alone(rows=["#######", "#.~..~#", "#######"], foe=(5, 1))
    fight.do("a", "step", path=[[2, 1], [3, 1]])
    assert fight.of("a")["ap"] == 5


def test_two_difficult_spaces_are_too_far_for_a_step():
    fight = _alone(rows=["#######", "#.~~..#", "#######"], foe=(5, 1))
    assert fight.refusal("a", "step", path=[[2, 1], [3, 1]]) == "step: path: 4 spaces of movement, at most 3 now"


@pytest.mark.parametrize("rows", [["####", "#.#.", "#...", "####"], ["####", "#...", "##..", "####"]])
def test_a_diagonal_may_not_cut_a_corner(rows):
    fight = _alone(rows=[row + "." if row[0] != "#" or row != "####" else row + "#" for row in rows], foe=(4, 2))
    assert (
        fight.refusal("a", "step", path=[[2, 2]])
        == "step: path, step 1: [1, 1] to [2, 2] cuts a corner; both spaces beside a diagonal must be open"
    )


def test_a_path_must_be_of_neighbouring_open_spaces():
    fight = _alone()
    assert (
        fight.refusal("a", "step", path=[[3, 1]])
        == "step: path, step 1: [1, 1] to [3, 1] is no step to an adjacent space"
    )
    assert fight.refusal("a", "step", path=[[0, 1]]) == "step: path, step 1: [1, 1] to [0, 1]: [0, 1] is a wall"
    assert (
        fight.refusal("a", "step", path=[])
        == "step: path: needs the spaces entered, at least one, as [[column, row], ...]"
    )


def test_one_cannot_step_farther_than_the_points_reach():
    fight = _alone(throws=dice("action points 2 1"))
    assert (
        fight.refusal("a", "step", path=[[2, 1], [3, 1], [4, 1]]) == "step: path: 3 spaces of movement, at most 2 now"
    )


@pytest.mark.parametrize("spaces, cost", [(1, 1), (2, 1), (3, 2), (4, 2), (5, 3), (6, 3)])
def test_run_costs_one_for_two_spaces_and_one_defense_for_each_point(spaces, cost):
    fight = _alone()
    fight.do("a", "run", path=[[2 + i, 1] for i in range(spaces)])
    assert (fight.of("a")["ap"], fight.of("a")["temporary"]["defense"]) == (8 - cost, -cost)


def test_run_goes_no_farther_than_six():
    assert (
        _alone().refusal("a", "run", path=[[2 + i, 1] for i in range(7)])
        == "run: path: 7 spaces of movement, at most 6 now"
    )


def test_running_costs_defense_when_attacked():
    fight = Fight(being("a"), being("b", (5, 1)), throws=dice("action points 8 7, defense 3 3, attack 2 2, damage 1"))
    fight.do("a", "run", path=[[2, 1], [3, 1], [4, 1]])
    fight.end("a")
    assert fight.attack("b", "a")["defense"] == 4


def test_allies_are_passed_but_not_shared():
    ally = being("b", (2, 1), side="heroes", finesse=2)
    fight = Fight(being("a"), ally, being("c", (9, 3)), rows=None, throws=dice("action points 8 1 4"))
    assert (
        fight.refusal("a", "step", path=[[2, 1]])
        == "step: path, step 1: [2, 1] is an ally's; allies may be passed, not shared"
    )
    fight.do("a", "step", path=[[2, 1], [3, 1]])
    assert fight.of("a")["at"] == [3, 1]


def test_enemies_are_not_passed_but_a_move_may_end_in_ones_space():
    fight = duel([])
    assert (
        fight.refusal("a", "step", path=[[2, 1], [3, 1]])
        == "step: path, step 1: [2, 1] is an enemy's; one may only end there, one pair a space"
    )
    fight.do("a", "step", path=[[2, 1]])
    assert fight.of("a")["at"] == fight.of("b")["at"] == [2, 1]


def test_at_most_one_pair_shares_a_space():
    third = being("c", (2, 1), side="heroes", finesse=2)
    fight = Fight(being("a"), being("b", (2, 1)), third, throws=dice("action points 8 4 1"))
    assert (
        fight.refusal("a", "step", path=[[2, 1]])
        == "step: path, step 1: [2, 1] is an enemy's; one may only end there, one pair a space"
    )


def test_the_fallen_can_be_walked_over():
    fight = Fight(being("a"), being("b", (2, 1), hp=0), being("c", (9, 3)), throws=dice("action points 8 4"))
    fight.do("a", "step", path=[[2, 1], [3, 1]])
    assert fight.of("a")["at"] == [3, 1]


# -- posture --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("posture", ["sitting", "kneeling", "prone"])
def test_drop_costs_one_and_an_action_may_follow(posture):
    fight = duel(dice("defense 1 1, attack 3 1, damage 1"))
    fight.do("a", "drop", option=posture)
    assert (fight.of("a")["posture"], fight.of("a")["ap"]) == (posture, 7)
    fight.attack()
    assert fight.of("a")["ap"] == 5


def test_flop_is_free_after_any_movement():
    fight = _alone()
    fight.do("a", "step", path=[[2, 1], [3, 1], [4, 1]])
    fight.do("a", "flop", option="prone")
    assert (fight.of("a")["posture"], fight.of("a")["ap"]) == ("prone", 5)


def test_to_what_one_drops_must_be_a_lower_posture():
    assert (
        _alone().refusal("a", "drop", option="standing")
        == "drop: option: 'standing' is none of sitting, kneeling, prone"
    )
    assert (
        _alone().refusal("a", "drop", option="upside down")
        == "drop: option: 'upside down' is none of sitting, kneeling, prone"
    )


@pytest.mark.parametrize("posture", ["sitting", "kneeling", "prone"])
def test_who_does_not_stand_has_no_free_steps_and_rises_before_moving(posture):
    fight = _alone(posture=posture)
    assert fight.refusal("a", "free_steps", path=[[2, 1]]) == f"free_steps: {posture}: Rise first"
    assert fight.refusal("a", "step", path=[[2, 1]]) == f"step: {posture}: Rise first"
    assert fight.refusal("a", "run", path=[[2, 1]]) == f"run: {posture}: Rise first"
    fight.do("a", "rise")
    assert (fight.of("a")["posture"], fight.of("a")["ap"]) == ("standing", 6)
    assert fight.refusal("a", "step", path=[[2, 1]]) == "step: one movement a round"


def test_who_stands_cannot_rise():
    assert _alone().refusal("a", "rise") == "rise: standing already"


# -- heights --------------------------------------------------------------------------------------------


def _heights(climb: bool = True) -> Field:
    """Floor at level 0 in columns 1 to 3, a ledge at level 1 in columns 4 to 10; stairs at [4, 1]."""
    rows = ["############", "#..........#", "#..........#", "#..........#", "############"]
    levels = ["0" * 4 + "1" * 8] * 5
    return Field.from_rows(rows, levels=levels, climbs=[Cell(12 + 4)] if climb else [])


def test_climb_costs_two_and_changes_one_level_by_stairs():
    fight = _alone(field=_heights(), at=(3, 1))
    assert (
        fight.refusal("a", "step", path=[[4, 1]])
        == "step: path, step 1: [3, 1] to [4, 1] leads to another level; only Climb does that, by stairs or ladder"
    )
    fight.do("a", "climb", at=[4, 1])
    assert (fight.of("a")["at"], fight.of("a")["ap"]) == ([4, 1], 6)
    assert fight.refusal("a", "step", path=[[5, 1]]) == "step: one movement a round"


def test_without_stairs_there_is_no_climbing():
    assert (
        _alone(field=_heights(climb=False), at=(3, 1)).refusal("a", "climb", at=[4, 1])
        == "climb: no stairs or ladder here"
    )
    assert _alone().refusal("a", "climb", at=[2, 1]) == "climb: no stairs or ladder here"


def _chasm(width: int, deep: int = 0) -> Field:
    """A hall with a chasm of voids (or of a lower floor) across it, from column 3 on."""
    gap = " " * width if not deep else "." * width
    rows = ["############", *["#.." + gap + "." * (8 - width) + "#"] * 3, "############"]
    levels = [("1" * 3 + "0" * width + "1" * (9 - width)) if deep else "0" * 12] * 5
    return Field.from_rows(rows, levels=levels)


@pytest.mark.parametrize("width, faces", [(1, [3, 3]), (2, [5, 7])])
def test_leap_over_one_space_is_easy_over_two_hard(width, faces):
    fight = _alone(throws=[8, 4, *faces], field=_chasm(width), at=(2, 1))
    fight.do("a", "leap", at=[3 + width, 1])
    assert (fight.of("a")["at"], fight.of("a")["ap"], fight.of("a")["posture"]) == ([3 + width, 1], 7, "standing")


@pytest.mark.parametrize("width, faces", [(1, [3, 2]), (2, [4, 7])])
def test_a_leap_just_failed_ends_at_the_edge(width, faces):
    fight = _alone(throws=[8, 4, *faces], field=_chasm(width), at=(2, 1))
    fight.do("a", "leap", at=[3 + width, 1])
    assert fight.of("a")["at"] in ([2, 1], [3 + width, 1]) and fight.of("a")["posture"] == "standing"


def test_a_leap_failed_by_two_ranks_ends_prone():
    fight = _alone(throws=dice("action points 8 4, leap (brawn) 1 2"), field=_chasm(1), at=(2, 1))
    fight.do("a", "leap", at=[4, 1])
    assert fight.of("a")["posture"] == "prone"


def test_a_fall_costs_a_d6_for_each_level_and_armor_does_not_help():
    fight = _alone(
        throws=dice("action points 8 4, leap (brawn) 1 2, fall 5"), field=_chasm(1, deep=1), at=(2, 1), armor="leather"
    )
    fight.do("a", "leap", at=[4, 1])
    assert (fight.of("a")["at"], fight.of("a")["hp"], fight.of("a")["posture"]) == ([3, 1], 6, "prone")


def test_whoever_falls_short_above_somebody_lies_at_the_edge_unhurt():
    """Nobody could lie where somebody is already, so there is no fall."""
    fight = Fight(
        being("a", (2, 1)), being("aa", (3, 1)), being("b", (10, 3)), field=_chasm(1, deep=1),
        throws=dice("action points 8 4 2, leap (brawn) 1 2"),
    )  # fmt: skip
    fight.do("a", "leap", at=[4, 1])
    assert (fight.of("a")["at"], fight.of("a")["hp"], fight.of("a")["posture"]) == ([2, 1], 11, "prone")


def test_leap_reaches_over_no_more_than_two_spaces():
    assert (
        _alone(field=_chasm(3), at=(2, 1)).refusal("a", "leap", at=[6, 1])
        == "leap: at: a leap goes over 1 or 2 spaces in a straight line"
    )


def test_leap_uses_the_skill():
    fight = _alone(
        throws=dice("action points 8 4, leap (brawn) 2 2"), field=_chasm(1), at=(2, 1), skills={"Leap": "Foreman"}
    )
    fight.do("a", "leap", at=[4, 1])
    assert fight.of("a")["at"] == [4, 1]


# -- doors ----------------------------------------------------------------------------------------------

DOORWAY = ["########", "#..+...#", "########"]


def test_a_closed_door_stops_movement_and_sight_until_it_is_opened():
    fight = _alone(rows=DOORWAY, at=(2, 1), foe=(4, 1))
    assert (
        fight.refusal("a", "step", path=[[3, 1]]) == "step: path, step 1: [2, 1] to [3, 1]: a closed door fills [3, 1]"
    )
    (door,) = fight.field.doors
    fight.do("a", "open", target=door.id)
    assert fight.of("a")["ap"] == 7
    fight.end("a", "b")
    fight.do("a", "step", path=[[3, 1]])


def test_opening_counts_as_the_movement_or_the_action_but_leaves_the_other():
    fight = _alone(rows=DOORWAY, at=(1, 1), foe=(6, 1))
    (door,) = fight.field.doors
    fight.do("a", "step", path=[[2, 1]])
    fight.do("a", "open", target=door.id)
    assert fight.of("a")["ap"] == 6


def test_a_door_is_opened_from_beside_it():
    fight = _alone(rows=DOORWAY, at=(1, 1), foe=(6, 1))
    (door,) = fight.field.doors
    assert (
        fight.refusal("a", "open", target=door.id)
        == "open: target: needs a door beside one, by its id or by its space in at"
    )


def test_a_door_cannot_close_on_somebody():
    fight = _alone(rows=["########", "#..'...#", "########"], at=(2, 1), foe=(3, 1))
    (door,) = fight.field.doors
    assert fight.refusal("a", "close", target=door.id) == "close: target: somebody stands in the doorway"


@pytest.mark.parametrize("faces, state", [([4, 5], "open"), ([4, 4], "locked")])
def test_a_locked_door_is_forced_or_picked_against_its_difficulty(faces, state):
    field = Field.from_rows(
        ["#######", "#.....#", "#######"], doors=[Door("gate", Cell(7 + 3), state="locked", difficulty=9)]
    )
    says: dict[str, Any] = {"skills": {"Burst": "Apprentice", "Disable": "Apprentice"}}
    fight = _alone(throws=[8, 4, *faces], field=field, at=(2, 1), foe=(5, 1), **says)
    assert fight.refusal("a", "open", target="gate") == "open: target: the door is locked"
    fight.do("a", "force", target="gate", option="Burst")
    assert fight.of("a")["ap"] == 5
    assert (fight.rules.board(fight.now).doors[0] in ("open", "broken")) is (state == "open")


def test_a_thin_wall_stops_a_step():
    field = Field.from_rows(["#####", "#...#", "#...#", "#####"], edges=[EdgeWall(Cell(5 + 1), Cell(5 + 2))])
    fight = _alone(field=field, foe=(3, 2))
    assert (
        fight.refusal("a", "step", path=[[2, 1]])
        == "step: path, step 1: [1, 1] to [2, 1] crosses a thin wall or a closed door"
    )
    assert (
        fight.refusal("a", "step", path=[[2, 2]])
        == "step: path, step 1: [1, 1] to [2, 2] cuts a corner; both spaces beside a diagonal must be open"
    )
    fight.do("a", "step", path=[[1, 2]])


# -- things on the floor --------------------------------------------------------------------------------


def test_dropping_something_is_free_and_picking_it_up_costs_one():
    fight = duel([])
    fight.do("a", "drop_item", item="broadsword")
    assert (fight.of("a")["weapons"], fight.of("a")["ap"]) == ([], 8)
    fight.do("a", "pick_up", item="broadsword")
    assert (fight.of("a")["weapons"], fight.of("a")["ap"]) == (["broadsword"], 7)


def test_picking_up_needs_the_thing_in_ones_own_or_an_adjacent_space():
    fight = duel([])
    fight.do("a", "step", path=[[1, 2], [1, 3]])
    fight.do("a", "drop_item", item="broadsword")
    fight.end("a", "b")
    fight.do("a", "step", path=[[1, 2], [1, 1]])
    assert fight.refusal("a", "pick_up", item="broadsword") == "pick_up: nothing lies here or beside"
    assert fight.refusal("a", "pick_up", item="crown") == "pick_up: nothing lies here or beside"


def test_somebody_else_may_pick_it_up():
    fight = duel([])
    fight.do("a", "drop_item", item="broadsword")
    fight.end("a")
    fight.do("b", "drop_item", item="broadsword")
    fight.do("b", "pick_up", item="broadsword")
    assert fight.of("b")["ap"] == 3


# -- large creatures ------------------------------------------------------------------------------------


def test_a_large_creature_needs_all_its_spaces():
    rows = ["########", "#......#", "#......#", "#...#..#", "########"]
    fight = _alone(rows=rows, at=(1, 1), foe=(6, 3), space=2)
    assert (
        fight.refusal("a", "step", path=[[1, 2], [2, 2], [3, 2]])
        == "step: path, step 3: [2, 2] to [3, 2]: [4, 3] is a wall"
    )
    fight.do("a", "step", path=[[1, 2], [2, 2]])


def test_a_large_creature_squeezes_through_no_narrow_gap():
    rows = ["########", "#..#...#", "#......#", "#..#...#", "########"]
    fight = _alone(rows=rows, at=(1, 1), foe=(6, 3), space=2)
    assert fight.refusal("a", "step", path=[[2, 1]]) == "step: path, step 1: [1, 1] to [2, 1]: [3, 1] is a wall"
    assert fight.refusal("a", "step", path=[[2, 2]]) == "step: path, step 1: [1, 1] to [2, 2]: [3, 3] is a wall"


def test_reach_is_measured_from_the_nearest_space_of_a_large_creature():
    fight = Fight(
        being("a", (1, 1), space=2),
        being("b", (3, 3)),
        throws=dice("action points 8 4, defense 1 1, attack 1 1, damage 1"),
    )
    assert fight.attack()["outcome"] == "hit"
    fight = Fight(being("a", (1, 1), space=2), being("b", (4, 1)), throws=dice("action points 8 4"))
    assert (
        fight.refusal("a", "attack", target="b", weapon="broadsword")
        == "attack: target: 2 spaces away; broadsword reaches 1"
    )


def test_a_large_creature_is_reached_at_its_nearest_space():
    fight = Fight(
        being("a", (1, 1)),
        being("b", (2, 2), space=2),
        throws=dice("action points 8 4, defense 1 1, attack 1 1, damage 1"),
    )
    assert fight.attack()["outcome"] == "hit"


def test_a_large_creature_sees_from_its_best_space():
    # its upper space looks along an open row, its lower one at a wall
    rows = ["########", "#......#", "#..#...#", "#..##..#", "########"]
    says: dict[str, Any] = {"weapons": ["shortbow"], "skills": {"Bows": "Apprentice"}}
    fight = Fight(
        being("a", (1, 1), space=2, **says),
        being("b", (6, 1)),
        rows=rows,
        throws=dice("action points 8 4, defense 7 5, attack 7 7, damage 1"),
    )
    assert fight.attack(weapon="shortbow")["attack"] == 14


DEN = ["##########", "#........#", "#........#", "#........#", "####.#####", "#........#", "##########"]


def _dragon(at=(1, 1), foe=(7, 1), throws=(), **says):
    """Nine spaces wide awake: as the bestiary has it, but by turns of its own."""
    big: dict[str, Any] = {
        "space": 3,
        "finesse": 8,
        "brawn": 20,
        "weapons": ["dragon tail"],
        "skills": {"Brawling": "Apprentice"},
    }
    return Fight(being("a", at, **{**big, **says}), being("b", foe), rows=DEN, throws=[8, 4, *throws])


def test_a_creature_of_nine_spaces_covers_moves_and_stops_as_a_block():
    fight = _dragon()
    mini = fight.rules.board(fight.now).miniatures[0]
    assert mini.size == 3
    cells = fight.now.terrain.footprint(mini.cell, 3)
    assert [fight.field.at(c) for c in range(70) if cells >> c & 1] == [(x, y) for y in (1, 2, 3) for x in (1, 2, 3)]
    assert (
        fight.refusal("a", "step", path=[[1, 2]]) == "step: path, step 1: [1, 1] to [1, 2]: [1, 4] is a wall"
    )  # a wall would be under its lower row
    fight.do("a", "step", path=[[2, 1], [3, 1]])
    assert fight.of("a")["at"] == [3, 1]
    assert fight.refusal("a", "step", path=[[4, 1], [5, 1]]) == "step: one movement a round"  # one movement in a chance
    blocked = _dragon(foe=(4, 2))
    assert "enem" in blocked.refusal("a", "step", path=[[2, 1], [3, 1], [4, 1]])


def test_allies_pass_through_its_nine_spaces_but_none_of_them_is_shared():
    ally = being("aa", (3, 1), "heroes", space=3)
    fight = Fight(being("a", (7, 2)), ally, being("b", (1, 5)), rows=DEN, throws=dice("action points 8 1 1"))
    for path in ([(6, 2), (5, 2)], [(6, 2), (5, 2), (4, 2)]):
        assert "shared" in fight.refusal("a", "step", path=path)


@pytest.mark.parametrize(("foe", "hits"), [((6, 1), True), ((6, 3), True), ((4, 5), True), ((7, 2), False)])
def test_a_tail_of_reach_three_is_measured_from_the_nearest_of_nine_and_sees_from_the_best(foe, hits):
    """Columns 1 to 3: as far as column 6; and through the gap in the wall below."""
    fight = _dragon(foe=foe, throws=[1, 1, 7, 7, 5])
    if hits:
        assert fight.attack(weapon="dragon tail")["outcome"] == "legendary_hit"
    else:
        assert "4 spaces away" in fight.refusal("a", "attack", target="b", weapon="dragon tail")


def test_who_shares_an_enemys_space_may_leave_it():
    fight = _alone(at=(1, 1), foe=(2, 1))
    fight.do("a", "step", path=[[2, 1]])
    fight.do("a", "end")
    fight.do("b", "step", path=[[3, 1], [4, 1]])
    assert fight.of("b")["at"] == [4, 1]


def test_ways_out_of_an_enemys_space_are_offered():
    fight = _alone(at=(2, 1), foe=(2, 1))
    decision = fight.rules.decisions(fight.now)[0]
    moves = fight.rules.legal(fight.now, decision).moves("step")
    assert fight.field.cell(3, 1) in moves
    assert fight.field.cell(5, 1) in moves


def test_who_stands_bars_the_way_though_another_has_fallen() -> None:
    fallen, standing = being("aa", (1, 3), hp=-1), being("ab", (2, 1))
    fight = Fight(being("a", (1, 1)), fallen, standing, being("b", (9, 1)), throws=None, seed=1)
    fight.change("a", ap=8)
    context = Context(fight.now, Chance(CreatureIx(0)))
    assert context.crowd.allies == 1 << fight.field.cell(2, 1)
    assert context.crowd.foes == 1 << fight.field.cell(9, 1)
