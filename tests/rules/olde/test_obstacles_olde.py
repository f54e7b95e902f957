"""Climbing, swimming, portcullises and rubble (olde.md §3 scaling, §4 climb, §5 heights)."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from rules.board.bitboard import cells_of
from rules.board.fixtures import Challenge, Door
from rules.board.grid import Field
from rules.board.path import reach
from rules.board.sight import Grade, grade
from rules.contract import events
from rules.contract.errors import BattlematError, RecordError
from rules.contract.units import Cell
from rules.core import record as records
from rules.core.fixtures.obstacles import laid
from rules.core.ground import field_of
from rules.olde.display import board
from tests.rules.olde.creatures import Fight, being
from tests.rules.table import dice

HALL = ["############", "#..........#", "#..........#", "#..........#", "############"]
COLUMN: list[Any] = [(4, 1), (4, 2), (4, 3)]
"""A line of spaces that parts the hall in two."""


def field(*challenges, doors=(), levels=None, rows=HALL):
    bare = Field.from_rows(rows, levels=levels)
    made = tuple(
        msgspec.structs.replace(c, cells=tuple(bare.cell(*space) for space in c.cells),
                                edges=tuple((bare.cell(*a), bare.cell(*b)) for a, b in c.edges))
        for c in challenges
    )  # fmt: skip
    gates = tuple(msgspec.structs.replace(d, cell=bare.cell(*d.cell)) for d in doors)
    return msgspec.structs.replace(bare, challenges=made, doors=(*bare.doors, *gates))


def wall(**says):
    return Challenge("low wall", "climb", tuple(COLUMN), **{"difficulty": 9, "height": 0, **says})


def cliff(**says):
    edges = tuple(((4, y), (5, y)) for y in (1, 2, 3))
    return Challenge("cliff", "climb", (), **{"difficulty": 9, "edges": edges, **says})


CLIFF = ["000000000000", "000001111111", "000001111111", "000001111111", "000000000000"]


def water(*spaces, **says):
    return Challenge("sluice", "water", tuple(spaces or COLUMN), **{"difficulty": 6, **says})


def rubble(*spaces, **says):
    return Challenge("fallen stones", "rubble", tuple(spaces or COLUMN), **{"difficulty": 9, **says})


def gate(state="closed"):
    at: Any = (4, 2)
    return Door("gate", at, None, state, "", 9, "portcullis")


def fight(*challenges, throws=(), a=None, b=None, ap=(8, 4), at=(3, 2), more=(), doors=(), levels=None, rows=HALL, **o):
    """A hero beside what stands in the way, a foe far beyond."""
    ground = field(*challenges, doors=doors, levels=levels, rows=rows)
    hero, foe = being("a", at, **(a or {})), being("b", (10, 2), **(b or {}))
    return Fight(hero, foe, *more, throws=[*ap, *throws], field=ground, **o)


def odds(table, by, do, **says):
    found = table.rules.odds(table.now, table._action(by, do, says))
    assert found is not None
    assert sum(p for _, p in found.outcomes) == pytest.approx(1.0)
    return found


# -- the ground


@pytest.mark.parametrize("obstacle", [wall(), water(), rubble()])
def test_no_walk_enters_an_obstacle(obstacle):
    ground = laid(field(obstacle)).terrain()
    start = 2 * 12 + 3
    assert max(cell % 12 for cell in cells_of(reach(ground, Cell(start), 20).cells)) == 3


@pytest.mark.parametrize(("obstacle", "why"), [(wall(), "climbed over, not walked on"), (rubble(), "clear it first")])
def test_a_step_into_an_obstacle_is_refused_with_what_would_get_past(obstacle, why):
    assert why in fight(obstacle, throws=[]).refusal("a", "step", path=[(4, 2)])


@pytest.mark.parametrize("cell", [-1, 60])
def test_an_obstacle_off_the_map_is_refused(cell):
    with pytest.raises(BattlematError, match="sluice"):
        msgspec.structs.replace(Field.from_rows(HALL), challenges=(Challenge("sluice", "water", (cell,)),))


def test_one_sees_over_what_the_map_does_not_say_is_a_wall():
    ground = laid(field(wall())).terrain()
    assert grade(ground, Cell(2 * 12 + 3), Cell(2 * 12 + 6), 1, 1) is Grade.CLEAR


def test_a_map_without_obstacles_is_played_on_as_it_is():
    plain = Field.from_rows(HALL)
    assert laid(plain) is plain
    assert Fight(being("a"), being("b", (3, 1)), throws=dice("action points 8 4")).now.setup.obstacles is None


def test_planners_know_the_ways_past():
    ground = laid(field(water()))
    assert {(p.a, p.b) for p in ground.passages} >= {(2 * 12 + 4, 2 * 12 + 3), (2 * 12 + 4, 2 * 12 + 5)}


# -- climbing


def test_a_low_wall_is_climbed_to_the_space_beyond_for_2_ap():
    table = fight(wall(), throws=dice("climb (brawn) 5 6"))
    table.do("a", "climb", at=(5, 2))
    assert table.of("a")["at"] == [5, 2]
    assert table.of("a")["ap"] == 6


@pytest.mark.parametrize(("faces", "posture"), [((5, 5), "standing"), ((4, 3), "prone")])
def test_failing_stays_and_by_two_ranks_falls(faces, posture):
    """9 − 2 untrained: 8 is one rank short, 5 is two; a low wall hurts nobody."""
    table = fight(wall(), throws=faces)
    table.do("a", "climb", at=(5, 2))
    assert table.of("a")["at"] == [3, 2]
    assert table.of("a")["posture"] == posture
    assert table.of("a")["hp"] == 11


def test_a_fall_from_a_face_costs_d6_a_level_and_armor_is_no_help():
    table = fight(cliff(), throws=dice("climb (brawn) 1 2, fall 5"), at=(4, 2), levels=CLIFF, a={"armor": "leather"})
    table.do("a", "climb", at=(5, 2))
    assert table.of("a")["hp"] == 11 - 5
    assert table.of("a")["posture"] == "prone"
    assert table.of("a")["at"] == [4, 2]


def test_whoever_falls_climbing_down_lands_below():
    table = fight(cliff(), throws=dice("climb (brawn) 1 2, fall 5"), at=(5, 2), levels=CLIFF)
    table.do("a", "climb", at=(4, 2))
    assert table.of("a")["at"] == [4, 2]
    assert table.of("a")["hp"] == 6


def test_a_climb_needs_ground_beyond_that_is_free():
    table = fight(wall(), throws=[], more=(being("c", (5, 2)),), ap=(8, 4, 3))
    assert "taken" in table.refusal("a", "climb", at=(5, 2))


def test_who_is_too_large_finds_no_hold_and_who_flies_needs_none():
    table = fight(wall(), at=(2, 2), a={"space": 2})
    assert "too large" in table.refusal("a", "climb", at=(5, 2))
    flyer = fight(cliff(), at=(4, 2), levels=CLIFF, a={"traits": [{"name": "flyer"}]})
    assert flyer.rules.odds(flyer.now, flyer._action("a", "climb", {"at": (5, 2)})) is None
    flyer.do("a", "climb", at=(5, 2))
    assert flyer.of("a")["at"] == [5, 2]


def test_the_odds_of_a_climb():
    found = odds(fight(wall()), "a", "climb", at=(5, 2))
    assert [name for name, _ in found.outcomes] == ["gets over", "stays", "falls"]
    trained = odds(fight(wall(), a={"skills": {"Climb": "Master"}}), "a", "climb", at=(5, 2))
    assert trained.hit > found.hit


# -- swimming

WIDE = [(x, y) for x in (4, 5, 6) for y in (1, 2, 3)]


def test_each_rank_of_success_swims_a_space():
    """6: 5 + 5 − 2 = 8, one rank; 6 + 5 − 2 = 9, two."""
    for faces, end in (((5, 5), [4, 2]), ((6, 5), [5, 2])):
        table = fight(water(*WIDE), throws=faces)
        told = table.do("a", "swim", path=[(4, 2), (5, 2), (6, 2)])
        assert table.of("a")["at"] == end
        assert table.last("moved", told)["mode"] == "swim"
        assert table.of("a")["posture"] == "swimming"


def test_a_swim_goes_no_farther_than_it_was_aimed_and_ends_ashore_on_ones_feet():
    table = fight(water(), throws=dice("swim (brawn) 7 7"), a={"skills": {"Swim": "Master"}})
    table.do("a", "swim", path=[(4, 2), (5, 2)])
    assert table.of("a")["at"] == [5, 2]
    assert table.of("a")["posture"] == "standing"


def test_failing_makes_no_way():
    table = fight(water(), throws=dice("swim (brawn) 4 3"))
    table.do("a", "swim", path=[(4, 2)])
    assert table.of("a")["at"] == [3, 2]
    assert table.of("a")["posture"] == "standing"


def test_failing_by_two_ranks_goes_under_until_a_check_succeeds():
    """1 + 2 − 2 = 1 against 6. In the reset d3 (a 2), then 4 + 4 − 2 comes up; armor is no help."""
    table = fight(
        water(),
        throws=dice("swim (brawn) 1 2, drowning 2, swim (brawn) 4 4, action points 7 5"),
        a={"armor": "leather"},
    )
    table.do("a", "swim", path=[(4, 2)])
    assert table.of("a")["at"] == [4, 2]
    assert table.of("a")["conditions"] == ["submerged"]
    assert "submerged" in table.refusal("a", "attack", target="b", weapon="broadsword")
    while table.now.turn == 1:
        table.end(table.acting)
    assert table.of("a")["hp"] == 9
    assert table.of("a")["conditions"] == []


def test_who_cannot_act_in_the_water_drowns():
    """Dying costs 1, the water a 3."""
    table = fight(
        water(),
        throws=dice("swim (brawn) 5 5, drowning 3, action points 4 2"),
        ap=(8, 4, 2),
        more=(being("aa", (1, 1)),),
    )
    table.do("a", "swim", path=[(4, 2)])
    table.end("a")
    down = msgspec.structs.replace(table.now.figures[0], hp=-2, dying=True, ap=0, posture="prone")
    table.now = msgspec.structs.replace(table.now, figures=(down, *table.now.figures[1:]))
    while table.now.turn == 1:
        table.end(table.acting)
    assert table.of("a")["hp"] == -2 - 1 - 3


def test_in_the_water_one_only_swims_and_strikes_badly():
    table = Fight(
        being("a", (3, 2)), being("b", (5, 2)), throws=dice("action points 8 4, swim (brawn) 5 5"), field=field(water())
    )
    table.do("a", "swim", path=[(4, 2)])
    table.end("a", "b")
    blow = table.rules.odds(table.now, table._action("a", "attack", {"target": "b", "weapon": "broadsword"}))
    assert any(item.because == "swimming" and item.value == -3 for item in blow.adjustments)


def test_a_swimmer_takes_no_step_and_cannot_rise():
    table = fight(water(), throws=dice("swim (brawn) 5 5"), ap=(8, 1))
    table.do("a", "swim", path=[(4, 2)])
    table.end("a", "b")
    assert "deep water" in table.refusal("a", "step", path=[(5, 2)])
    assert "deep water" in table.refusal("a", "rise")
    assert "deep water" in table.refusal("a", "drop", option="prone")


def test_heavy_armor_burdens_a_swimmer():
    light = odds(fight(water()), "a", "swim", path=[(4, 2)])
    heavy = odds(fight(water(), a={"armor": "full plate"}, ap=(4, 3)), "a", "swim", path=[(4, 2)])
    assert heavy.hit < light.hit
    assert any("too heavy" in item.because for item in heavy.adjustments)


def test_a_swim_is_aimed_through_water_only():
    table = fight(water(), throws=[])
    assert "at least one" in table.refusal("a", "swim")
    assert "no deep water beside" in fight(water(), at=(2, 2), throws=[]).refusal("a", "swim", path=[(3, 2)])
    assert "walked to" in table.refusal("a", "swim", path=[(2, 2)])
    assert "ashore" in table.refusal("a", "swim", path=[(4, 2), (5, 2), (6, 2)])
    assert "at most 3" in table.refusal("a", "swim", path=[(4, 2), (4, 1), (4, 2), (4, 3)])
    goals = {action.path[-1] % 12 for action in table.rules.legal(table.now, table.rules.decisions(table.now)[0])
             if action.do == "swim"}  # fmt: skip
    assert goals == {4, 5}


def test_a_swim_ends_in_nobodys_space():
    table = fight(water(), throws=[], ap=(8, 4, 1), more=(being("aa", (5, 2)),))
    assert "an ally's" in table.refusal("a", "swim", path=[(4, 2), (5, 2)])
    table = fight(water(), throws=[], ap=(8, 4, 1), more=(being("c", (5, 2)),))
    assert "an enemy's" in table.refusal("a", "swim", path=[(4, 2), (5, 2)])


def test_whoever_fails_a_leap_over_water_falls_in():
    table = fight(water(), throws=dice("leap (brawn) 1 1"))
    table.do("a", "leap", at=(5, 2))
    assert table.of("a")["at"] == [4, 2]
    assert table.of("a")["posture"] == "swimming"


def test_whoever_fails_a_leap_over_a_swimmer_falls_prone_at_the_edge():
    """Nobody could lie where somebody is already."""
    table = fight(water(), throws=dice("leap (brawn) 1 1"), ap=(8, 4, 1), more=(being("aa", (3, 1)),))
    table.change("aa", cell=table.field.cell(4, 2), posture="swimming")
    table.do("a", "leap", at=(5, 2))
    assert (table.of("a")["at"], table.of("a")["posture"]) == ([3, 2], "prone")
    assert (table.of("aa")["at"], table.of("aa")["posture"]) == ([4, 2], "swimming")


def test_the_odds_of_a_swim_name_each_space():
    found = odds(fight(water(*WIDE)), "a", "swim", path=[(4, 2), (5, 2), (6, 2)])
    assert [name for name, _ in found.outcomes] == ["swims 3", "swims 2", "swims 1", "makes no way", "goes under"]


# -- portcullis

BARS = ["############", "#...#......#", "#..........#", "#...#......#", "############"]


def bars(throws=(), state="closed", **more):
    return fight(throws=throws, doors=(gate(state),), rows=BARS, **more)


def test_one_sees_and_shoots_through_a_portcullis_but_does_not_pass():
    table = bars()
    assert grade(table.now.terrain, Cell(2 * 12 + 3), Cell(2 * 12 + 6), 1, 1) is Grade.CLEAR
    assert table.refusal("a", "step", path=[(4, 2)])
    assert "lifted" in table.refusal("a", "open", target="gate")


def test_a_portcullis_is_lifted_by_lift_shift_alone():
    table = bars(throws=dice("lift/shift (brawn) 6 6"))
    assert "Lift/Shift" in table.refusal("a", "force", target="gate", option="Burst")
    table.do("a", "force", target="gate", option="Lift/Shift")
    assert table.now.doors == ("open",)
    assert table.now.held == ()


def test_one_rank_only_holds_it_up_for_a_turn():
    table = bars(throws=dice("lift/shift (brawn) 5 4, action points 8 4 8 4"))
    table.do("a", "force", target="gate")
    assert table.now.held == ((0, 2),)
    while table.now.turn == 1:
        table.end(table.acting)
    assert table.now.doors == ("open",)
    while table.now.turn == 2:
        table.end(table.acting)
    assert table.now.doors == ("closed",)
    assert table.rules.tell(table.now, events.Door(door="gate", state="closed")) == "The portcullis crashes down."


def test_a_portcullis_waits_for_whoever_stands_under_it():
    table = bars(throws=dice("lift/shift (brawn) 5 4, action points 8 4 8 4 8 4"))
    table.do("a", "force", target="gate")
    while table.now.turn == 1:
        table.end(table.acting)
    table.do("a", "step", path=[(4, 2)])
    while table.now.turn == 2:
        table.end(table.acting)
    assert table.now.doors == ("open",)
    table.do("a", "step", path=[(5, 2)])
    while table.now.turn == 3:
        table.end(table.acting)
    assert table.now.doors == ("closed",)


def test_the_odds_of_lifting():
    found = odds(bars(), "a", "force", target="gate", option="Lift/Shift")
    assert [name for name, _ in found.outcomes] == ["stays up", "held up for a turn", "does not move"]


def test_a_neighbour_helps_to_lift():
    helper = being("aa", (3, 1), side="heroes", finesse=9)
    table = bars(more=(helper,), ap=(3, 3, 8), throws=dice("lift/shift (brawn) 7 4"))
    table.do("aa", "assist", target="a", option="Lift/Shift")
    assert [e["name"] for e in table.of("a")["effects"]] == ["help with Lift/Shift"]


# -- rubble


def test_each_rank_of_success_clears_a_space_the_nearest_first():
    """9: 7 + 7 − 2 untrained in Burst = 12, two ranks."""
    table = fight(rubble(), throws=dice("burst (brawn) 7 7"))
    table.do("a", "tackle", item="fallen stones", option="Burst")
    assert table.now.cleared == 1 << 2 * 12 + 4 | 1 << 1 * 12 + 4
    assert table.now.challenges == ("set",)
    table.end("a", "b")
    table.do("a", "step", path=[(4, 2)])
    assert table.of("a")["ap"] == 8 - 3 - 2  # what was cleared is difficult ground


def test_what_is_cleared_lies_nearest_to_who_clears_it():
    table = fight(rubble(), throws=dice("burst (brawn) 7 7"), at=(3, 3))
    table.do("a", "tackle", item="fallen stones", option="Burst")
    assert table.now.cleared == 1 << 3 * 12 + 4 | 1 << 2 * 12 + 4


def test_rubble_that_is_gone_is_done_with():
    table = fight(rubble((4, 2)), throws=dice("lift/shift (brawn) 7 7"))
    table.do("a", "tackle", item="fallen stones", option="Lift/Shift")
    assert table.now.challenges == ("cleared",)
    assert [mark.kind for mark in board(table.now).ground] == ["cleared"]


def test_the_odds_of_clearing():
    found = odds(fight(rubble()), "a", "tackle", item="fallen stones", option="Burst")
    assert [name for name, _ in found.outcomes] == ["clears 3", "clears 2", "clears 1", "holds"]


# -- records


def source(**says):
    return {
        "format": "battlemat/1", "ruleset": "olde", "map": {"rows": HALL, "challenges": [says]},
        "creatures": [being("a"), being("b", (8, 2))], "commands": [],
    }  # fmt: skip


def ground_of(**says):
    return field_of(records.read(source(**says)).map)


def test_a_record_in_rows_places_obstacles():
    assert ground_of(id="wall", kind="climb", at=[[4, 2]], height=0).challenges[0].height == 0
    edge = ground_of(id="ledge", kind="climb", edges=[[[4, 2], [5, 2]]]).challenges[0]
    assert edge.edges == ((28, 29),)
    assert edge.cells == (28, 29)
    assert ground_of(id="bars", kind="portcullis", at=[[4, 2]]).doors[0].kind == "portcullis"


@pytest.mark.parametrize(
    "says", [{"kind": "water"}, {"kind": "water", "edges": [[[4, 2], [5, 2]]]}, {"kind": "climb", "at": [[40, 2]]}]
)
def test_a_faulty_obstacle_is_named(says):
    with pytest.raises(RecordError, match=r"map\.challenges\.0"):
        ground_of(id="x", **says)
