"""What is planned and what comes of it when it is done: hands, doors, aid, hiding, retreat, harm (cairn.md §2)."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from rules.board.fixtures import Challenge
from rules.board.grid import Field
from rules.cairn.state import Lasting
from rules.contract.units import CreatureIx
from tests.rules.cairn.creatures import Fight, duel, foe, pc
from tests.rules.table import dice

GATE = ["#######", "#..'..#", "#..#..#", "#######"]
"""A room with an open door at [3, 1]."""
ROOTED = Lasting("rooted", 6)
GRIP = Lasting("restrained", save="str", by="b")


def become(fight: Fight, name: str, *conditions: Lasting, **changes: Any) -> None:
    """Something befalls a creature: conditions that it gets, figures that change."""
    who = fight.now.setup.index[name]
    before = fight.now.figures[who]
    figure = msgspec.structs.replace(before, lasting=(*before.lasting, *conditions), **changes)
    figures = (*fight.now.figures[:who], figure, *fight.now.figures[who + 1 :])
    fight.now = msgspec.structs.replace(fight.now, figures=figures)


# -- doors


def test_nobody_plans_to_close_a_door_on_itself() -> None:
    fight = Fight(pc("a", (2, 1)), foe("b", (5, 2)), rows=GATE)
    fight.do("a", "move", path=[(3, 1)])
    assert "doorway" in fight.refusal("a", "close", target="door 3,1")


def test_who_leaves_the_doorway_first_may_close_it() -> None:
    fight = Fight(pc("a", (3, 1)), foe("b", (5, 2)), rows=GATE)
    fight.do("a", "move", path=[(2, 1)])
    fight.do("a", "close", target="door 3,1")
    fight.half()
    assert fight.now.doors == ("closed",)


def test_a_door_does_not_close_on_who_has_come_to_stand_in_it() -> None:
    fight = Fight(pc("a", (2, 1)), pc("c", (1, 1)), foe("b", (5, 2)), rows=GATE)
    fight.do("a", "close", target="door 3,1")
    fight.do("c", "move", path=[(2, 1), (3, 1)])
    fight.half()
    assert fight.now.doors == ("open",) and fight.of("c")["at"] == [3, 1]


@pytest.mark.parametrize(("do", "state"), [("open", "closed"), ("force", "locked")])
def test_a_door_is_out_of_reach_of_who_did_not_get_to_it(do: str, state: str) -> None:
    field = Field.from_rows(["########", "#....+.#", "########"])
    field = msgspec.structs.replace(field, doors=(msgspec.structs.replace(field.doors[0], state=state),))
    fight = Fight(pc("a", (1, 1)), foe("b", (6, 1)), field=field, throws=[1])
    fight.do("a", "move", path=[(2, 1), (3, 1), (4, 1)])
    fight.do("a", do, target="door 5,1")
    become(fight, "a", ROOTED)
    fight.half()
    assert fight.now.doors == (state,)


def test_a_chest_is_out_of_reach_of_who_did_not_get_to_it() -> None:
    field = Field.from_rows(["########", "#......#", "########"])
    chest = Challenge(id="chest 6,1", kind="chest", cells=(field.cell(6, 1),), contents="rope")
    fight = Fight(
        pc("a", (1, 1)), foe("b", (1, 1)) | {"at": [2, 1]}, throws=[1],
        field=msgspec.structs.replace(field, challenges=(chest,)),
    )  # fmt: skip
    become(fight, "b", cell=field.cell(6, 1))
    fight.do("a", "move", path=[(2, 1), (3, 1), (4, 1), (5, 1)])
    fight.do("a", "tackle", item="chest 6,1")
    become(fight, "a", ROOTED)
    fight.half()
    assert fight.now.challenges == ("locked",)


# -- aid


def test_bandages_are_not_used_on_who_is_out_of_reach_by_then() -> None:
    fight = Fight(pc("a", (1, 1), items=["bandages"]), pc("c", (5, 1)), foe("b", (9, 3)), throws=[])
    become(fight, "c", Lasting("bleeding out", 360, then="dead"), critical=True, posture="prone")
    fight.do("a", "move", path=[(2, 1), (3, 1), (4, 1)])
    fight.do("a", "bandage", target="c")
    become(fight, "a", ROOTED)
    fight.half()
    assert "stable" not in fight.of("c")["conditions"]
    assert not fight.now.figures[0].used


def test_help_does_not_reach_between_two_walls() -> None:
    rows = ["#####", "#.#.#", "##..#", "#...#", "#####"]
    fight = Fight(pc("a", (2, 2)), pc("c", (3, 2)), foe("b", (1, 3)), rows=rows, throws=[])
    become(fight, "c", Lasting("restrained"))
    fight.do("a", "help", target="c")
    become(fight, "c", cell=fight.field.cell(1, 1))
    fight.half()
    assert "restrained" in fight.of("c")["conditions"]


def test_the_pacified_help_their_friends_and_harm_nobody() -> None:
    fight = Fight(pc("a", (1, 1)), pc("c", (2, 1)), foe("b", (1, 2)), throws=[])
    become(fight, "a", Lasting("pacified", 6))
    become(fight, "c", Lasting("restrained"))
    assert "pacified" in fight.refusal("a", "attack", target="b", weapon="sword")
    assert "pacified" in fight.refusal("a", "manoeuvre", target="b", option="trip")
    fight.do("a", "help", target="c")
    fight.half()
    assert "restrained" not in fight.of("c")["conditions"]


def test_smoke_holds_no_bandages_but_can_look_away() -> None:
    fight = Fight(
        pc("a", (1, 1), items=["bandages"]), pc("c", (2, 1)), foe("b", (9, 3), powers=["Dread Gaze"]), throws=[]
    )
    become(fight, "a", Lasting("smoke", 6))
    become(fight, "c", Lasting("bleeding out", 360, then="dead"), critical=True, posture="prone")
    assert "smoke" in fight.refusal("a", "bandage", target="c")
    fight.do("a", "avert")


# -- who hides shows itself by what it does


def test_a_lurker_that_wrestles_is_seen() -> None:
    fight = duel(dice("str save 20"), a={"lurks": True})
    fight.do("a", "manoeuvre", target="b", option="trip")
    fight.half()
    assert "invisible" not in fight.of("a")["conditions"]


def test_a_lurker_that_opens_a_door_is_seen() -> None:
    rows = ["#####", "#.+.#", "#####"]
    fight = Fight(pc("a", (1, 1), lurks=True), foe("b", (3, 1)), rows=rows)
    fight.do("a", "open", target="door 2,1")
    fight.half()
    assert "invisible" not in fight.of("a")["conditions"]


def test_a_book_that_fizzles_shows_its_reader() -> None:
    fight = duel(dice("wil save 19"), a={"lurks": True, "items": ["book of Sleep"]})
    fight.do("a", "cast", item="book of Sleep", target="b")
    fight.half()
    assert "invisible" not in fight.of("a")["conditions"]


# -- retreat


def test_who_is_not_seen_to_go_needs_no_save() -> None:
    fight = Fight(pc("a", (0, 0), lurks=True), foe("b", (3, 0)), rows=["....", "...."], throws=[])
    fight.do("a", "retreat")
    fight.half()
    assert fight.of("a")["status"] == "fled"


def test_the_large_are_at_the_edge_with_any_of_their_spaces() -> None:
    rows = ["######", "###...", "####..", "######"]
    fight = Fight(pc("a", (4, 1), space=2), foe("b", (3, 1)), rows=rows, throws=[])
    fight.do("a", "retreat")


def test_the_large_are_out_of_sight_only_with_all_of_their_spaces() -> None:
    rows = ["############", "#...########", "#...########", "#..........#", "############"]
    fight = Fight(pc("a", (1, 1), space=3), foe("b", (10, 3)), rows=rows, throws=[])
    assert "no safe place" in fight.refusal("a", "retreat")


def test_getting_up_takes_from_the_way_of_a_retreat() -> None:
    rows = ["############", "#..........#", "#.##########", "#.##########", "############"]
    fight = Fight(pc("a", (9, 1), speed=5), foe("b", (10, 1)), rows=rows, throws=[])
    become(fight, "a", posture="prone")  # the niche is nine spaces off
    assert "no safe place" in fight.refusal("a", "retreat")
    become(fight, "a", posture="standing")
    fight.do("a", "retreat")


def test_nobody_gets_up_beside_retreating_which_takes_the_whole_turn() -> None:
    fight = Fight(pc("a", (0, 0)), foe("b", (3, 0)), rows=["....", "...."], throws=[])
    become(fight, "a", posture="prone")
    fight.do("a", "retreat")
    assert "whole turn" in fight.refusal("a", "stand")


# -- who lies there


def test_who_is_held_after_it_planned_to_get_up_stays_down() -> None:
    fight = duel(dice("str save 20"))
    become(fight, "a", posture="prone")
    fight.do("a", "manoeuvre", target="b", option="grapple")
    fight.do("a", "stand")
    fight.half()
    assert fight.of("a")["posture"] == "prone" and "restrained" in fight.of("a")["conditions"]


@pytest.mark.parametrize("changes", [{"wil_now": 0}, {"dex_now": 0}, {}])
def test_the_delirious_paralysed_and_asleep_do_not_crawl(changes: dict[str, int]) -> None:
    fight = Fight(pc("a", (1, 1)), pc("c", (5, 1)), foe("b", (9, 3)))
    asleep = [] if changes else [Lasting("asleep", 3)]
    become(fight, "c", *asleep, critical=True, posture="prone", **changes)
    assert fight.waiting == ["a", "heroes"]


def test_a_broken_leg_makes_nobody_faster() -> None:
    fight = Fight(pc("a", (1, 1), speed=1), foe("b", (9, 3)))
    become(fight, "a", lame=True)
    assert "1 left" in fight.refusal("a", "move", path=[(2, 1), (3, 1)])


# -- what is struck with, and what it does


def test_a_dagger_is_one_of_two_weapons_at_once() -> None:
    fight = duel(dice("sword + dagger 3 6"), a={"items": ["sword", "dagger"]}, b={"hp_max": 9})
    fight.strike(("a", "b", "sword + dagger"))
    assert fight.of("b")["hp"] == 3


def test_a_blow_is_lost_with_what_it_was_to_be_struck_with() -> None:
    fight = duel([])
    fight.do("a", "attack", target="b", weapon="sword")
    become(fight, "a", hands=())
    fight.half()
    assert not fight.all("attack") and fight.of("b")["status"] == "healthy"


def test_no_sweep_goes_between_two_walls() -> None:
    rows = ["######", "#.#..#", "##...#", "######"]
    sweep = {"name": "sweep", "dice": [6], "hands": 0, "natural": True, "blast": "adjacent"}
    fight = Fight(
        pc("a", (1, 1)), pc("c", (3, 2)), foe("b", (2, 2), attacks=[sweep]), rows=rows, throws=dice("sweep 3")
    )
    fight.half()
    fight.do("b", "attack", target="c", weapon="sweep")
    fight.half("monsters")
    assert fight.of("a")["hp"] == 6 and fight.of("c")["hp"] == 3


def test_any_harm_breaks_light_sleep() -> None:
    fight = Fight(
        pc("a", (1, 1), items=["fire oil"]),
        foe("b", (4, 1), hp_max=9, strength=20),
        throws=dice("fire oil 3, str save 5"),
    )
    become(fight, "b", Lasting("asleep", 6))
    fight.do("a", "use", item="fire oil", at=(4, 1))
    fight.half()
    assert "asleep" not in fight.of("b")["conditions"]


PHOENIX: dict[str, Any] = {"bursts": [6], "hp_max": 0, "strength": 1, "mindless": True}


@pytest.mark.parametrize(
    ("nature", "dice"),
    [({"immune": ["mundane"]}, []), ({"enhanced_by": ["fire"]}, ["1d12"]), ({"impaired_by": ["mundane"]}, ["1d4"])],
)
def test_a_burst_of_flames_minds_the_nature_of_whom_it_takes_in(nature: dict[str, Any], dice: list[str]) -> None:
    near = foe("c", (3, 1), hp_max=30, mindless=True, **nature)
    fight = Fight(pc("a", (1, 1)), foe("b", (2, 1), **PHOENIX), near, throws=[8, 2, *[4 for _ in dice], 1])
    become(fight, "a", Lasting("shielded", 6))
    fight.strike(("a", "b", "sword"))
    burnt = [injury for injury in fight.all("injury") if injury["target"] == "c"]
    assert [roll["dice"] for injury in burnt for roll in injury["rolls"]] == dice


@pytest.mark.parametrize(("armor", "left"), [(0, 4), (2, 6), (3, 7)])
def test_armour_counts_against_flames(armor: int, left: int) -> None:
    near = foe("c", (3, 1), hp_max=9, armor=armor, mindless=True)
    fight = Fight(pc("a", (1, 1)), foe("b", (2, 1), **PHOENIX), near, throws=dice("sword 8, flames 2 5"))
    fight.strike(("a", "b", "sword"))
    assert fight.of("c")["hp"] == left


def test_flames_go_straight_to_the_str_of_the_unaware() -> None:
    near = foe("c", (3, 1), hp_max=9, strength=12, alert="unaware", mindless=True)
    fight = Fight(pc("a", (1, 1)), foe("b", (2, 1), **PHOENIX), near, throws=dice("sword 8, flames 2 5, str save 2"))
    fight.strike(("a", "b", "sword"))
    assert (fight.of("c")["hp"], fight.of("c")["str"]) == (9, 7)


def test_a_shield_against_ordinary_blows_keeps_flames_off() -> None:
    fight = Fight(pc("a", (1, 1)), pc("c", (3, 1)), foe("b", (2, 1), **PHOENIX), throws=[8, 2])
    become(fight, "a", Lasting("shielded", 6))
    become(fight, "c", Lasting("shielded", 6))
    fight.strike(("a", "b", "sword"))
    assert (fight.of("a")["hp"], fight.of("c")["hp"]) == (6, 6)


def test_the_last_foe_saves_anew_that_has_fed_and_comes_to_nought_again() -> None:
    bite = {"name": "bite", "dice": [10], "hands": 0, "natural": True, "feeds": 6}
    fight = duel(
        dice("sword 6, wil save 1, bite 9, sword 6, wil save 1"), a={"hp_max": 20}, b={"hp_max": 6, "attacks": [bite]}
    )
    fight.strike(("a", "b", "sword"))
    fight.strike(("b", "a", "bite"), side="monsters")
    fight.strike(("a", "b", "sword"))
    saves = [check for check in fight.all("check") if "morale" in check["what"]]
    assert len(saves) == 2


# -- powers


def test_a_salve_does_not_reach_a_friend_who_went_away() -> None:
    fight = Fight(pc("a", (1, 1), items=["healing salve"]), pc("c", (2, 1)), foe("b", (9, 3)), throws=[])
    become(fight, "c", str_now=5)
    fight.do("a", "use", item="healing salve", target="c")
    fight.do("c", "move", path=[(3, 1), (4, 1)])
    fight.half()
    assert fight.of("c")["str"] == 5 and fight.of("a")["pack"] == ["healing salve"]


def test_what_is_thrown_on_the_floor_is_thrown_no_farther_than_it_goes() -> None:
    fight = Fight(pc("a", (1, 1), items=["fire oil"]), foe("b", (10, 1)), throws=[])
    fight.do("a", "move", path=[(2, 1), (3, 1)])
    fight.do("a", "use", item="fire oil", at=(10, 1))
    become(fight, "a", ROOTED)
    fight.half()
    assert fight.of("a")["pack"] == ["fire oil"]


def test_two_of_a_kind_last_twice_as_long() -> None:
    fight = duel([], a={"items": ["herbs", "herbs"], "strength": 10})
    for left in (["herbs"], []):
        fight.do("a", "use", item="herbs", target="a")
        fight.half()
        assert fight.of("a")["pack"] == left
        fight.half("monsters")


def test_two_rolls_of_bandages_are_used_up_one_after_the_other() -> None:
    fight = Fight(pc("a", (1, 1), items=["bandages", "bandages"]), pc("c", (2, 1)), foe("b", (9, 3)), throws=[])
    for use in range(1, 7):
        become(fight, "c", Lasting("bleeding out", 360, then="dead"), critical=True, stable=False, posture="prone")
        fight.do("a", "bandage", target="c")
        fight.half()
        fight.half("monsters")
        assert len(fight.of("a")["pack"]) == 2 - use // 3


def test_nobody_helps_itself() -> None:
    fight = duel([])
    become(fight, "a", GRIP)
    assert "break free" in fight.refusal("a", "help", target="a")


def test_a_power_held_ready_meets_a_foe_that_friends_push_within_reach() -> None:
    fight = Fight(
        pc("c", (9, 1), items=["net"]), pc("a", (6, 1)), foe("b", (7, 1)), throws=dice("str save 1, dex save 19")
    )
    fight.do("c", "ready", item="net", option="comes")
    fight.do("a", "manoeuvre", target="b", option="shove")
    fight.half()
    assert "restrained" in fight.of("b")["conditions"]


def test_the_frenzied_charge() -> None:
    charge = {"name": "charge", "dice": [12], "hands": 0, "natural": True, "run": 3}
    fight = Fight(pc("a", (1, 1), hp_max=20), foe("b", (8, 1), attacks=[charge]), throws=dice("charge 9"))
    fight.half()
    become(fight, "b", Lasting("frenzied", 2))
    fight.half("monsters")
    assert fight.of("a")["hp"] == 11


def test_getting_up_belongs_to_the_first_of_the_frightened_ones_moves() -> None:
    row = "." * 30
    fight = Fight(pc("a", (0, 0)), foe("b", (1, 0), speed=4), rows=[row, row], throws=[])
    fight.half()
    become(fight, "b", Lasting("frightened", 2, by="a"), posture="prone")
    fight.half("monsters")
    assert fight.of("b")["at"][0] == 7


def test_what_is_called_comes_beside_who_has_come_to_stand_there() -> None:
    fight = Fight(pc("a", (1, 1), items=["homunculus"]), pc("c", (4, 1)), foe("b", (9, 3)), throws=[])
    fight.do("c", "move", path=[(3, 1), (2, 1)])
    become(fight, "c", ROOTED)
    fight.do("a", "use", item="homunculus", at=(2, 2))
    become(fight, "c", cell=fight.field.cell(2, 2))
    fight.half()
    assert fight.of("a.1")["at"] != fight.of("c")["at"]


# -- ground and shots


def test_a_trap_is_impaired_against_what_ordinary_harm_hardly_hurts() -> None:
    fight = Fight(
        pc("a", (1, 1), items=["trap"]),
        foe("b", (6, 1), impaired_by=["mundane"], hp_max=9, strength=12),
        throws=dice("trap 4, str save 1"),
    )
    fight.do("a", "use", item="trap", at=(2, 1))
    fight.half()
    fight.do("b", "move", path=[(5, 1), (4, 1), (3, 1), (2, 1)])
    fight.half("monsters")
    assert [roll["dice"] for injury in fight.all("injury") for roll in injury["rolls"]] == ["1d4"]


def test_fire_goes_straight_to_the_str_of_the_unaware() -> None:
    fight = Fight(
        pc("a", (1, 1), items=["fire oil"]),
        foe("b", (6, 1), hp_max=9, strength=12, alert="unaware"),
        throws=dice("fire oil 4, str save 1"),
    )
    odds = fight.rules.odds(fight.now, fight._action("a", "use", {"item": "fire oil", "at": (6, 1)}))
    fight.do("a", "use", item="fire oil", at=(6, 1))
    fight.half()
    assert (fight.of("b")["hp"], fight.of("b")["str"]) == (9, 8)
    assert odds is not None


def test_who_stands_over_the_fallen_may_shoot_them() -> None:
    last = foe("c", (9, 3), mindless=True)
    fight = Fight(pc("a", (1, 1), items=["bow"]), foe("b", (3, 1)), last, throws=dice("bow 3, str save 1"), mercy=True)
    become(fight, "b", critical=True, posture="prone", hp=0)
    fight.do("a", "move", path=[(2, 1), (3, 1)])
    assert "hand to hand" in fight.refusal("a", "daring", target="b", weapon="bow")
    fight.do("a", "attack", target="b", weapon="bow")
    fight.half()
    assert fight.of("b")["str"] == 7


def test_fog_shows_no_neighbour_through_a_wall() -> None:
    from rules.cairn.state import GroundKind, Zone
    from rules.cairn.visibility import eyes

    rows = ["#####", "#.#.#", "##..#", "#...#", "#####"]
    fight = Fight(pc("a", (1, 1)), foe("b", (2, 2)), rows=rows)
    fog = Zone(GroundKind.FOG, 1 << fight.field.cell(3, 3), 6)
    fight.now = msgspec.structs.replace(fight.now, zones=(fog,))
    assert not eyes(fight.now, CreatureIx(0)) >> fight.field.cell(2, 2) & 1


# -- light


def dim(fight: Fight) -> Fight:
    """The same fight on a dark map."""
    field = msgspec.structs.replace(fight.field, ambient="dark")
    fight.now.setup.field = field
    fight.now = msgspec.structs.replace(fight.now, terrain=field.terrain(fight.now.terrain.doors_open))
    return fight


def shot(**says: Any) -> list[str]:
    """The die of a shot in the dark over four spaces, with the option `darkness`."""
    archer = pc("a", (1, 1), items=["bow", *says.pop("carried", [])], **says.pop("archer", {}))
    fight = dim(Fight(archer, foe("b", (6, 1), hp_max=20, **says), throws=dice("bow 1"), darkness=True))
    fight.strike(("a", "b", "bow"))
    return [roll["dice"] for attack in fight.all("attack") for roll in attack["rolls"]]


def test_light_goes_with_what_sheds_it() -> None:
    assert shot() == ["1d4"]
    assert shot(carried=["torch"]) == ["1d6"]
    fight = dim(
        Fight(pc("a", (1, 1), items=["bow", "torch"]), foe("b", (6, 1), hp_max=20), throws=dice("bow 1"), darkness=True)
    )
    fight.do("a", "drop", item="torch")
    fight.do("a", "attack", target="b", weapon="bow")
    fight.half()
    assert fight.all("attack")[0]["rolls"][0]["dice"] == "1d4"


def test_the_large_stand_in_light_with_any_of_their_spaces() -> None:
    torch = pc("c", (18, 1), items=["torch"])  # eight spaces from the large one's farther column
    large = foe("b", (9, 1), space=2, hp_max=20)
    fight = Fight(
        pc("a", (1, 1), items=["bow"]), torch, large, throws=dice("bow 1"), darkness=True, rows=["." * 20] * 4
    )
    dim(fight).strike(("a", "b", "bow"))
    assert fight.all("attack")[0]["rolls"][0]["dice"] == "1d6"


def test_elastic_arms_reach_farther_also_where_they_wait() -> None:
    fight = Fight(pc("a", (1, 1)), foe("b", (6, 1)), throws=dice("sword 3"))
    become(fight, "a", Lasting("elastic", 6))
    fight.do("a", "ready", weapon="sword", option="comes")
    fight.half()
    fight.do("b", "move", path=[(5, 1), (4, 1), (3, 1)])
    fight.half("monsters")
    assert fight.of("b")["hp"] == 1
