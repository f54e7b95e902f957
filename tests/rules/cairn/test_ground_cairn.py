"""Ground that powers change, and creatures that they call (cairn.md §5.5)."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from game.fight.seats import played_as
from rules.board.bitboard import cells_of
from rules.board.grid import Field
from rules.board.sight import Grade, grade
from rules.cairn.magic.ground import cone, terrain_of
from rules.cairn.state import GroundKind, Zone
from rules.contract.actions import Action
from rules.contract.units import Bitboard
from tests.rules.cairn.creatures import Fight, foe, pc
from tests.rules.cairn.test_conditions_cairn import laid as afflicted
from tests.rules.table import dice

WIDE = ["#" * 16, *["#" + "." * 14 + "#"] * 7, "#" * 16]
WALLED = ["########", "#..##..#", "#..##..#", "########"]


def scroll(name: str, *others: dict[str, Any], throws: Any = (), rows: Any = None, **says: Any) -> Fight:
    """`a` holds a scroll of the power, and no danger disturbs its reading; it stands at [1, 4] of a wide hall."""
    return Fight(
        pc("a", (1, 4), items=[f"scroll of {name}"], **says), *others, throws=throws, rows=rows or WIDE,
        cast_saves=False,
    )  # fmt: skip


def use(fight: Fight, name: str, **says: Any) -> list[dict[str, Any]]:
    fight.do("a", "use", item=f"scroll of {name}", **says)
    return fight.half()


def marks(fight: Fight) -> list[str]:
    return [mark.label for mark in fight.rules.board(fight.now).ground]


def test_fog_stops_sight_but_neighbours_find_each_other_impaired() -> None:
    fight = scroll(
        "Fog Cloud", foe("b", (13, 4)), foe("c", (8, 4)), pc("d", (7, 4), items=["sword"]), throws=dice("sword 4")
    )
    use(fight, "Fog Cloud", at=[7, 4])
    at = fight.field.cell
    assert grade(fight.now.terrain, at(1, 4), at(13, 4)) is Grade.NONE
    assert "line of sight" in fight_refusal(fight, "b", "a")
    assert marks(fight) == ["Fog"]
    fight.half("monsters")
    assert fight.strike(("d", "c", "sword"))["rolls"][0]["dice"] == "1d4"


def fight_refusal(fight: Fight, by: str, target: str) -> str:
    bow = {"name": "bow", "dice": [6], "reach": 0, "near": 16, "far": 48, "natural": True}
    other = Fight(
        foe(by, (13, 4), attacks=[bow], side="heroes", alert="ready"), pc(target, (1, 4), side="monsters"), rows=WIDE
    )
    state = msgspec.structs.replace(other.now, terrain=fight.now.terrain, zones=fight.now.zones)
    other.now = state
    return other.refusal(by, "attack", target=target, weapon="bow")


def test_a_thicket_stops_sight_and_slows() -> None:
    fight = scroll("Thicket", foe("b", (14, 4)))
    use(fight, "Thicket", at=[8, 4])
    at = fight.field.cell
    assert grade(fight.now.terrain, at(1, 4), at(14, 4)) is Grade.NONE
    assert fight.now.terrain.difficult >> at(8, 4) & 1
    assert "11 spaces" in fight.refusal("b", "move", path=[[x, 4] for x in range(13, 7, -1)])


def test_a_wall_of_ice_lets_nobody_through_and_grows_round_who_stands_there() -> None:
    fight = scroll("Elemental Wall", foe("b", (6, 4)))
    use(fight, "Elemental Wall", at=[5, 4])
    at = fight.field.cell
    assert fight.now.terrain.blocked >> at(5, 4) & 1
    assert not fight.now.terrain.blocked >> at(6, 4) & 1
    assert fight.refusal("b", "move", path=[[5, 4]]) == "move: path, step 1: [6, 4] to [5, 4]: [5, 4] is a wall"
    assert [zone["kind"] for zone in fight.all("zone")] == ["ice"]


def test_changed_ground_ends() -> None:
    fight = scroll("Elemental Wall", foe("b", (14, 1)))
    use(fight, "Elemental Wall", at=[5, 4])
    for _ in range(6):
        fight.half("monsters")
        if fight.rules.board(fight.now).ground:
            fight.half()
    assert not fight.now.terrain.blocked >> fight.field.cell(5, 4) & 1
    assert [zone.get("gained", False) for zone in fight.all("zone")][-1] is False


def test_flames_burn_who_is_in_them_and_who_crosses() -> None:
    fight = scroll(
        "Wall of Fire", foe("b", (5, 4), hp_max=9), foe("c", (5, 6), hp_max=9), throws=dice("wall of fire 3 6")
    )
    use(fight, "Wall of Fire", at=[4, 4])
    assert fight.of("b")["hp"] == 6
    fight.do("c", "move", path=[[5, 5], [6, 4]])
    fight.half("monsters")
    assert fight.of("c")["hp"] == 3


def changed(fight: Fight, kind: str) -> None:
    """The ground on [4, 1] becomes another."""
    zones = tuple(Zone(each, 1 << fight.field.cell(4, 1), 6, "b") for each in GroundKind if each == kind)
    terrain = terrain_of(fight.now.setup, fight.now.doors, zones)
    fight.now = msgspec.structs.replace(fight.now, zones=zones, terrain=terrain)


def laid(kind: str, throws: Any, *others: Any, **says: Any) -> Fight:
    """`b` two spaces from changed ground on [4, 1], and gone over it."""
    fight = Fight(pc("a", (10, 3)), foe("b", (2, 1), hp_max=9, **says), *others, throws=throws)
    changed(fight, kind)
    fight.half()
    fight.do("b", "move", path=[[3, 1], [4, 1], [5, 1], [6, 1]])
    fight.half("monsters")
    return fight


def test_flames_burn_who_passes_a_friend_in_them() -> None:
    fight = laid("fire", dice("wall of fire 4"), foe("c", (4, 1), immune=["fire"]))
    assert (fight.of("b")["hp"], fight.of("b")["at"]) == (5, [6, 1])


def test_whom_flames_lay_low_goes_no_farther_and_lies_before_the_friend_in_them() -> None:
    for friends, at in (((), [4, 1]), ((pc("c", (4, 1)),), [3, 1])):
        fight = Fight(
            pc("a", (2, 1), hp_max=1), *friends, foe("b", (10, 3)), throws=dice("wall of fire 5, str save 20")
        )
        changed(fight, "fire")
        fight.do("a", "move", path=[[3, 1], [4, 1], [5, 1], [6, 1]])
        fight.half()
        assert (fight.of("a")["at"], "critical" in fight.of("a")["conditions"]) == (at, True)


def test_caltrops_under_a_friend_are_stepped_over_with_it() -> None:
    assert laid("caltrops", [], foe("c", (4, 1))).of("b")["at"] == [6, 1]


@pytest.mark.parametrize("kind", ["slick", "ice floor"])
def test_who_slips_lies_where_it_slipped(kind: str) -> None:
    fight = laid(kind, dice("dex save 11"))
    assert (fight.of("b")["at"], fight.of("b")["posture"]) == ([4, 1], "prone")
    assert laid(kind, dice("dex save 10")).of("b")["at"] == [6, 1]


def test_who_falls_into_a_pit_loses_strength_and_lies_there() -> None:
    fight = laid("pit", dice("dex save 11, fall 4, str save 1"))
    b = fight.of("b")
    assert (b["at"], b["posture"], b["str"]) == ([4, 1], "prone", 6)


def test_spikes_hurt_and_stop() -> None:
    fight = laid("caltrops", (11, 3))
    assert (fight.of("b")["at"], fight.of("b")["hp"]) == ([4, 1], 6)
    fight = laid("caltrops", dice("dex save 10"))
    assert (fight.of("b")["at"], fight.of("b")["hp"]) == ([6, 1], 9)


def test_a_sticky_floor_holds() -> None:
    fight = laid("adhere", [])
    assert (fight.of("b")["at"], fight.of("b")["conditions"]) == ([4, 1], ["stuck"])


def test_foes_do_not_enter_a_ward_but_friends_do() -> None:
    fight = scroll("Ward", foe("b", (14, 4)), pc("d", (1, 6)))
    use(fight, "Ward", at=[7, 4])
    assert "ward" in fight.refusal("b", "move", path=[[13, 4], [12, 4], [11, 4]])
    fight.half("monsters")
    fight.do("d", "move", path=[[2, 6], [3, 6]])
    fight.half()
    assert fight.of("d")["at"] == [3, 6]


def test_a_gap_opens_a_wall_for_a_while_and_pushes_out_who_is_in_it() -> None:
    fight = Fight(pc("a", (2, 1), items=["scroll of Passage"]), foe("b", (6, 2)), rows=WALLED, cast_saves=False)
    assert "no wall" in fight.refusal("a", "use", item="scroll of Passage", at=[1, 1])
    use(fight, "Passage", at=[3, 1])
    fight.half("monsters")
    fight.do("a", "move", path=[[3, 1], [4, 1]])
    for _ in range(5):
        fight.half()
        fight.half("monsters")
    assert fight.of("a")["at"] in ([5, 1], [2, 1], [5, 2])


def test_who_is_moved_out_of_a_gap_may_stand_over_the_fallen() -> None:
    """The nearest space, and of two the first, though somebody lies there: as with all who are put somewhere."""
    fight = Fight(pc("a", (1, 1)), pc("b", (2, 1)), foe("c", (5, 1)), rows=["#######", "#..#..#", "#######"])
    zones = (Zone(GroundKind.GAP, 1 << fight.field.cell(3, 1), 1),)
    a, b, c = fight.now.figures
    a = msgspec.structs.replace(a, cell=fight.field.cell(3, 1))
    b = msgspec.structs.replace(b, critical=True, posture="prone")
    terrain = terrain_of(fight.now.setup, fight.now.doors, zones)
    fight.now = msgspec.structs.replace(fight.now, figures=(a, b, c), zones=zones, terrain=terrain)
    fight.half()
    fight.half("monsters")
    assert fight.of("a")["at"] == [2, 1]


def test_a_gap_is_opened_neither_in_a_door_nor_where_the_map_ends() -> None:
    fight = Fight(
        pc("a", (2, 1), items=["scroll of Passage"]), foe("b", (5, 1)), rows=["#######", "#..+..#", "#######"]
    )
    assert "no wall" in fight.refusal("a", "use", item="scroll of Passage", at=[3, 1])
    assert "the map ends" in fight.refusal("a", "use", item="scroll of Passage", at=[2, 0])


def test_no_hand_opens_a_gap_round_a_corner() -> None:
    rows = ["#####", "#.#.#", "###.#", "#...#", "#####"]
    fight = Fight(pc("a", (1, 1), items=["scroll of Passage"]), foe("b", (3, 1)), rows=rows)
    assert "line of sight" in fight.refusal("a", "use", item="scroll of Passage", at=[2, 2])


def test_a_gap_goes_straight_on_from_the_large() -> None:
    rows = ["#########", "#..###..#", "#..###..#", "#..###..#", "#########"]
    fight = Fight(pc("a", (1, 1), space=2, items=["scroll of Passage"]), foe("b", (7, 1)), rows=rows, cast_saves=False)
    use(fight, "Passage", at=[3, 2])
    (zone,) = fight.now.zones
    assert [fight.field.at(cell) for cell in cells_of(zone.cells)] == [(3, 2), (4, 2), (5, 2)]


def test_darkness_hides_and_impairs() -> None:
    fight = scroll("Night Sphere", foe("b", (7, 4), hp_max=9), pc("d", (1, 1), items=["bow"]), throws=dice("bow 4"))
    use(fight, "Night Sphere", at=[7, 4])
    assert fight.rules.observe(fight.now, "heroes").figures[1].cell == -1
    fight.half("monsters")
    assert fight.strike(("d", "b", "bow"))["rolls"][0]["dice"] == "1d4"


def test_a_light_put_out_can_be_lit_anew() -> None:
    fight = scroll("Snuff", foe("b", (4, 4), items=["torch"]))
    use(fight, "Snuff", at=[4, 4])
    assert "snuffed" in fight.of("b")["conditions"]
    assert not fight.rules.lamps(fight.now)
    fight.do("b", "light")
    fight.half("monsters")
    assert fight.rules.lamps(fight.now)


def test_who_was_called_is_gone_in_time_though_it_lies_and_is_mourned_by_nobody() -> None:
    """Nothing is thrown for it, and so there was no check of morale."""
    caller = foe("b", (8, 4), items=["scroll of Animate Object"])
    fight = Fight(pc("a", (1, 4)), caller, rows=WIDE, cast_saves=False, mercy=True)
    fight.half()
    fight.do("b", "use", item="scroll of Animate Object", at=[9, 4])
    fight.half("monsters")
    figures = list(fight.now.figures)
    figures[2] = msgspec.structs.replace(figures[2], critical=True, posture="prone")
    fight.now = msgspec.structs.replace(fight.now, figures=tuple(figures))
    for _ in range(6):
        fight.half()
        fight.half("monsters")
    assert fight.of("b.1")["at"] is None


def test_the_dead_are_raised_as_creatures_that_their_callers_player_plays() -> None:
    fight = scroll("Raise Dead", foe("b", (14, 4), hp_max=9), throws=[])
    assert "taken" in fight.refusal("a", "use", item="scroll of Raise Dead", at=[1, 4])
    use(fight, "Raise Dead", at=[3, 4])
    (called,) = fight.all("summoned")
    assert (called["target"], called["at"]) == ("a.1", (3, 4))
    assert played_as("a.1", {"a"}) == "a"
    fight.half("monsters")
    assert fight.waiting == ["a", "a.1", "heroes"]
    fight.do("a.1", "move", path=[[4, 4]])
    fight.half()
    assert fight.of("a.1")["at"] == [4, 4]


def test_what_is_animated_lies_still_again_when_its_time_is_over() -> None:
    fight = scroll("Animate Object", foe("b", (14, 4)))
    use(fight, "Animate Object", at=[3, 4])
    for _ in range(7):
        if "monsters" in fight.waiting:
            fight.half("monsters")
        fight.half()
    assert [event.get("gained", False) for event in fight.all("summoned")] == [True, False]
    name = fight.all("summoned")[0]["name"]
    assert [line for line in fight.story if line.startswith(name)][:1] == [f"{name} appears."]
    assert f"{name} is gone." in fight.story
    assert fight.of("a.1")["at"] is None


def test_an_item_is_dropped_and_picked_up_beside_move_and_action() -> None:
    fight = Fight(pc("a", items=["sword", "rope"]), foe("b", hp_max=9), throws=dice("sword 3"))
    fight.do("a", "drop", item="rope")
    fight.strike(("a", "b", "sword"))
    assert "rope" not in fight.of("a")["pack"]
    fight.half("monsters")
    fight.do("a", "pick_up", item="rope")
    assert "once" in fight.refusal("a", "drop", item="sword") or "one such" in fight.refusal("a", "drop", item="sword")
    fight.do("a", "move", path=[[1, 2]])
    fight.half()
    assert "rope" in fight.of("a")["pack"]


# -- how wide, how long


@pytest.mark.parametrize(("name", "kind"), [("Thicket", "thicket"), ("Ward", "ward"), ("Night Sphere", "dark")])
def test_ten_spaces_wide_is_ten_spaces_wide(name: str, kind: str) -> None:
    rows = ["." * 24] * 20
    fight = Fight(pc("a", (10, 10), items=[f"scroll of {name}"]), foe("b", (23, 0)), rows=rows, cast_saves=False)
    use(fight, name, at=[10, 10])
    (zone,) = fight.now.zones
    spaces = [fight.field.at(cell) for cell in cells_of(zone.cells)]
    assert zone.kind == kind and len(spaces) == 100
    assert {x for x, _ in spaces} == {y for _, y in spaces} == set(range(5, 15))


def test_a_long_web_is_six_spaces_long() -> None:
    foes = [foe(f"b{x}", (x, 4)) for x in (2, 7, 8)]
    fight = scroll("Long Web", *foes)
    use(fight, "Long Web", at=[4, 4])
    assert [fight.of(b["id"])["conditions"] for b in foes] == [["restrained"], ["restrained"], []]


# -- illusions, climbing, blades, tethers, dampened magic


def test_an_image_stops_sight_and_nobody_else_but_true_sight_looks_past_it() -> None:
    fight = scroll("Visual Illusion", pc("d", (1, 5), items=["bow"]), foe("b", (13, 4), hp_max=9), throws=dice("bow 3"))
    use(fight, "Visual Illusion", at=[7, 4])
    assert marks(fight) == ["Illusion"]
    fight.half("monsters")
    assert "line of sight" in fight.refusal("d", "attack", target="b", weapon="bow")
    afflicted(fight, "d", "true sight")
    fight.do("d", "attack", target="b", weapon="bow")
    fight.half()
    assert fight.of("b")["hp"] == 6
    fight.do("b", "move", path=[[x, 4] for x in range(12, 4, -1)])


def test_who_climbs_like_a_spider_minds_nothing_on_the_floor() -> None:
    fight = scroll("Spider Climb", foe("b", (13, 1), items=["caltrops"]), throws=[])
    use(fight, "Spider Climb")
    fight.half("monsters")
    fight.now = msgspec.structs.replace(fight.now, zones=(Zone(GroundKind.CALTROPS, 1 << fight.field.cell(2, 4), 0),))
    fight.do("a", "move", path=[[2, 4], [3, 4]])
    fight.half()
    assert (fight.of("a")["at"], fight.used) == ([3, 4], 0)


def test_a_blade_cuts_a_line_through_brush() -> None:
    fight = scroll("Spellsaw", foe("b", (13, 4), items=["sword"]))
    cells = sum(1 << fight.field.cell(x, y) for x in range(4, 9) for y in (3, 4, 5))
    fight.now = msgspec.structs.replace(fight.now, zones=(Zone(GroundKind.THICKET, Bitboard(cells), 0),))
    before = fight.of("b")
    use(fight, "Spellsaw", at=[5, 4])
    (left,) = fight.now.zones
    assert {fight.field.at(cell)[1] for cell in cells_of(left.cells)} == {3, 5}
    assert fight.of("b") == before


def test_those_a_tether_joins_stay_within_two_spaces() -> None:
    fight = scroll("Invisible Tether", foe("b", (5, 4)), foe("c", (6, 4)), throws=dice("str save 1"))
    use(fight, "Invisible Tether", target="b", at=[6, 4])
    assert [fight.of(name)["conditions"] for name in "bc"] == [["tethered"], ["tethered"]]
    assert "tethered" in fight.refusal("b", "move", path=[[5, 5], [4, 5], [3, 5]])
    fight.do("b", "move", path=[[5, 3], [6, 2], [7, 2]])
    assert "tethered" in fight.refusal("c", "move", path=[[7, 5]]), "b will stand elsewhere by then"
    fight.do("c", "move", path=[[7, 3], [8, 2], [9, 2]])
    fight.half("monsters")
    assert (fight.of("b")["at"], fight.of("c")["at"]) == ([7, 2], [9, 2])
    fight.half()
    fight.do("b", "break_free")
    fight.half("monsters")
    assert [fight.of(name)["conditions"] for name in "bc"] == [[], []]


def test_the_large_are_tethered_by_all_their_spaces() -> None:
    """Two spaces between the nearest of both, not from its upper left one."""
    fight = scroll("Invisible Tether", foe("b", (6, 4), space=2), foe("c", (8, 4)))
    use(fight, "Invisible Tether", target="b", at=[8, 4])
    assert "tethered" in fight.refusal("b", "move", path=[[5, 4], [4, 4]])
    assert any(each.path[-1] == fight.field.cell(5, 4) for each in legal_moves(fight, "b"))
    fight.do("b", "move", path=[[5, 4]])
    fight.half("monsters")
    assert fight.of("b")["at"] == [5, 4]


def legal_moves(fight: Fight, by: str) -> list[Action]:
    decision = next(each for each in fight.rules.decisions(fight.now) if each.by == by)
    return [action for action in fight.rules.legal(fight.now, decision) if action.do == "move"]


def test_whom_magic_took_out_of_a_tether_comes_nearer_but_goes_no_farther() -> None:
    fight = scroll("Invisible Tether", foe("b", (5, 4)), foe("c", (6, 4)))
    use(fight, "Invisible Tether", target="b", at=[6, 4])
    figures = list(fight.now.figures)
    figures[2] = msgspec.structs.replace(figures[2], cell=fight.field.cell(10, 4))
    fight.now = msgspec.structs.replace(fight.now, figures=tuple(figures))
    assert "tethered" in fight.refusal("c", "move", path=[[11, 4]])
    fight.do("c", "move", path=[[9, 4]])
    fight.half("monsters")
    assert fight.of("c")["at"] == [9, 4]


def test_a_tether_joins_only_who_is_near() -> None:
    fight = scroll("Invisible Tether", foe("b", (5, 4)), foe("c", (8, 4)))
    use(fight, "Invisible Tether", target="b", at=[8, 4])
    assert fight.of("b")["conditions"] == []


def test_two_who_cannot_abide_each_other_are_apart() -> None:
    fight = scroll("Repel", foe("b", (5, 4)), foe("c", (6, 4)), foe("d", (13, 6)))
    use(fight, "Repel", target="b", at=[6, 4])
    assert (fight.of("b")["at"], fight.of("c")["at"]) == ([3, 4], [8, 4])


def test_dampened_magic_has_half_its_force() -> None:
    fight = Fight(
        pc("a", (1, 4), items=["book of Cure Wounds"]),
        pc("d", (1, 5), items=["scroll of Magic Dampener"]),
        pc("e", (2, 5), items=["scroll of Sleep"]),
        foe("b", (5, 4)),
        rows=WIDE,
        throws=dice("cure wounds 4, wil save 20"),
        cast_saves=False,
    )
    use_by(fight, "d", "Magic Dampener")
    fight.half("monsters")
    figures = list(fight.now.figures)
    figures[0] = msgspec.structs.replace(figures[0], str_now=5)
    fight.now = msgspec.structs.replace(fight.now, figures=tuple(figures))
    fight.do("a", "cast", item="book of Cure Wounds", target="a")
    fight.do("e", "use", item="scroll of Sleep", target="b")
    fight.half()
    assert fight.of("a")["str"] == 7, "half of 4"
    (asleep,) = [each for each in fight.now.figures[3].lasting if each.name == "asleep"]
    assert asleep.rounds == 2, "half of 6, and a round is over"


def use_by(fight: Fight, by: str, name: str, **says: Any) -> list[dict[str, Any]]:
    fight.do(by, "use", item=f"scroll of {name}", **says)
    return fight.half()


def test_only_strength_gets_one_off_a_sticky_floor() -> None:
    fight = Fight(pc("a", (1, 4), strength=3, dexterity=18), foe("b", (9, 4)), rows=WIDE, throws=dice("str save 10"))
    afflicted(fight, "a", "stuck", save="str")
    assert fight.rules.odds(fight.now, fight._action("a", "break_free", {})).hit == pytest.approx(0.15)
    fight.do("a", "break_free")
    fight.half()
    assert fight.of("a")["conditions"] == ["stuck"]


@pytest.mark.parametrize(("dx", "dy"), [(1, 0), (-1, 0), (0, 1), (0, -1)], ids=["east", "west", "south", "north"])
def test_a_cone_takes_in_what_is_no_more_aside_than_ahead_whichever_way(dx: int, dy: int) -> None:
    field = Field.from_rows(["." * 9] * 9)
    found = cone(field.terrain(), field.cell(4, 4), 1, field.cell(4 + 3 * dx, 4 + 3 * dy), 2)
    ahead = [(far, aside) for far in (1, 2) for aside in range(-far, far + 1)]
    assert {field.at(cell) for cell in cells_of(found)} == {
        (4 + dx * far + dy * aside, 4 + dy * far + dx * aside) for far, aside in ahead
    }
