"""What stands on a map under Cairn with `fixtures`: keys, locks, chests, traps, taking along (cairn.md §2.14)."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from rules.board.fixtures import Challenge
from rules.board.grid import Field
from tests.rules.cairn.creatures import Fight, foe, pc

ROWS = ["#######", "#..+..#", "#.....#", "#######"]


def field(*challenges: Challenge, **door: Any) -> Field:
    found = Field.from_rows(ROWS)
    doors = tuple(msgspec.structs.replace(each, **door) for each in found.doors)
    return msgspec.structs.replace(found, doors=doors, challenges=challenges)


def chest(contents: str = "", cell: int = 7 + 1, **more: Any) -> Challenge:
    return Challenge("coffer", "chest", (cell,), contents=contents, **{"difficulty": 0, **more})  # type: ignore[arg-type]


def trap(**more: Any) -> Challenge:
    return Challenge("slab", "trap", (7 + 2,), **{"known": ("heroes",), "hidden": True, **more})  # type: ignore[arg-type]


def at(place: tuple[int, int], ground: Field, throws: Any = (), **says: Any) -> Fight:
    return Fight(pc("a", place, **says), foe("b", (5, 2)), field=ground, throws=throws, fixtures=True)


def turn(fight: Fight, **says: Any) -> None:
    """The hero does something, and the half is over."""
    fight.do("a", **says)
    fight.half()


# -- doors


@pytest.mark.parametrize(("do", "before", "after"), [("unlock", "locked", "closed"), ("lock", "closed", "locked")])
def test_its_key_turns_a_doors_lock(do: str, before: str, after: str) -> None:
    fight = at((2, 1), field(state=before, key="iron key"), carries="iron key")
    turn(fight, do=do, target="door 3,1")
    assert fight.now.doors == (after,)


def test_nobody_turns_a_lock_without_its_key() -> None:
    ground = field(state="locked", key="iron key")
    assert "carries no key" in at((2, 1), ground).refusal("a", "unlock", target="door 3,1")
    other = msgspec.structs.replace(ground, challenges=(chest(key="brass key", cell=7 + 5),))
    assert "needs the iron key" in at((2, 1), other, carries="brass key").refusal("a", "unlock", target="door 3,1")


def test_a_key_fills_no_slot_and_is_no_thing_in_the_pack() -> None:
    fight = at((2, 1), field(key="iron key"), carries="iron key, 99 coins")
    figure = fight.now.figures[0]
    assert (figure.keys, figure.purse, figure.pack) == (("iron key",), 99, ())


def test_without_the_option_there_are_no_keys() -> None:
    fight = Fight(pc("a", (2, 1)), foe("b", (5, 2)), field=field(state="locked", key="iron key"))
    assert "is no action" in fight.refusal("a", "unlock", target="door 3,1")


@pytest.mark.parametrize(("face", "stands"), [(14, "closed"), (15, "locked")])
def test_a_lock_is_picked_with_tools_by_dexterity(face: int, stands: str) -> None:
    says = {"items": ["sword", "torch"], "dexterity": 14}
    fight = at((2, 1), field(state="locked"), [face], **says)
    assert "carries no thieving tools" in fight.refusal("a", "pick_lock", target="door 3,1")
    fight.change("a", pack=("thieving tools",))
    odds = fight.rules.odds(fight.now, fight._action("a", "pick_lock", {"target": "door 3,1"}))
    assert odds is not None and odds.hit == pytest.approx(0.7)
    turn(fight, do="pick_lock", target="door 3,1")
    assert fight.now.doors == (stands,)


@pytest.mark.parametrize(
    ("difficulty", "tool", "chance"), [(5, "", 1.0), (10, "", 0.6), (11, "", 0.3), (13, "crowbar", 0.6)]
)
def test_what_is_hard_takes_the_right_tool(difficulty: int, tool: str, chance: float) -> None:
    fight = at((2, 1), field(state="barred", difficulty=difficulty), strength=12)
    fight.change("a", pack=(tool,) if tool else ())
    odds = fight.rules.odds(fight.now, fight._action("a", "force", {"target": "door 3,1"}))
    assert odds is not None and odds.hit == pytest.approx(chance)


def test_what_is_easy_takes_no_die() -> None:
    fight = at((2, 1), field(state="locked", difficulty=5))
    turn(fight, do="force", target="door 3,1")
    assert fight.now.doors == ("open",) and fight.used == 0


# -- chests and traps


def test_a_chest_without_a_lock_is_opened_by_hand_and_its_contents_lie_there() -> None:
    fight = at((2, 1), field(chest("12 coins, torch, letter")))
    assert fight.refusal("a", "tackle", item="coffer").endswith("no locked chest beside")
    turn(fight, do="open_chest", item="coffer")
    told = fight.last("challenge")
    assert (told["state"], told["contents"], told["how"]) == ("open", "12 coins, torch, letter", "hand")
    assert [lying.item for lying in fight.now.floor] == ["12 coins", "torch", "letter"]
    fight.half("monsters")
    assert "no chest beside" in fight.refusal("a", "open_chest", item="coffer")


def test_a_chests_key_opens_it() -> None:
    ground = field(chest("torch", key="brass key", difficulty=9))
    assert "no chest beside" in at((2, 1), ground).refusal("a", "open_chest", item="coffer")
    fight = at((2, 1), ground, carries="brass key")
    turn(fight, do="open_chest", item="coffer")
    assert fight.last("challenge")["how"] == "key" and fight.used == 0


def test_a_chest_out_of_reach_is_left_alone() -> None:
    assert "no chest beside" in at((5, 1), field(chest())).refusal("a", "open_chest", item="coffer")


@pytest.mark.parametrize(("face", "stands"), [(10, "disarmed"), (11, "sprung")])
def test_a_known_trap_is_disarmed_or_goes_off(face: int, stands: str) -> None:
    fight = at((1, 1), field(trap()), [face, *([3, 1] if stands == "sprung" else [])])
    turn(fight, do="tackle", item="slab", option="disarm")
    assert fight.now.challenges == (stands,)
    assert fight.now.figures[0].str_now == (10 if stands == "disarmed" else 7)


def test_nobody_disarms_a_trap_of_which_its_side_knows_nothing() -> None:
    fight = at((1, 1), field(trap(known=("monsters",))))
    assert "no locked chest beside" in fight.refusal("a", "tackle", item="slab")


def test_a_hidden_chest_is_found_by_searching_and_only_by_ones_own_side() -> None:
    fight = at((2, 1), field(chest(hidden=True)))
    assert "no chest beside" in fight.refusal("a", "open_chest", item="coffer")
    turn(fight, do="search")
    assert fight.last("challenge")["seen_by"] == ("heroes",)
    mine, theirs = (fight.rules.observe(fight.now, side) for side in ("heroes", "monsters"))
    assert [mark.label for mark in fight.rules.board(mine).ground] == ["coffer"]
    assert [mark.label for mark in fight.rules.board(theirs).ground] == []


# -- obstacles

WIDE = ["##########", "#........#", "##########"]


def ground(*challenges: Challenge, levels: list[str] | None = None, climbs: tuple[int, ...] = ()) -> Field:
    found = Field.from_rows(WIDE, levels=levels, climbs=climbs)  # type: ignore[arg-type]
    return msgspec.structs.replace(found, challenges=challenges)


def water(*columns: int, difficulty: int = 9) -> Challenge:
    return Challenge("canal", "water", tuple(10 + x for x in columns), difficulty)  # type: ignore[arg-type]


def crossing(
    field: Field, throws: Any = (), at: tuple[int, int] = (1, 1), *, fixtures: bool = True, **says: Any
) -> Fight:
    return Fight(pc("a", at, **says), foe("b", (8, 1)), field=field, throws=throws, fixtures=fixtures)


def cell_of(fight: Fight) -> tuple[int, int]:
    return fight.field.at(fight.now.figures[0].cell)


@pytest.mark.parametrize(
    ("faces", "ends", "strength"), [([10, 10], 4, 10), ([11], 1, 10), ([10, 11, 3, 1], 2, 7), ([10, 20, 4, 2], 2, 6)]
)
def test_each_space_of_deep_water_is_swum_by_a_save(faces: list[int], ends: int, strength: int) -> None:
    fight = crossing(ground(water(2, 3)), faces)
    action = fight._action("a", "move", {"path": [[2, 1], [3, 1], [4, 1]]})
    assert fight.rules.odds(fight.now, action).hit == pytest.approx(0.25)
    turn(fight, do="move", path=[[2, 1], [3, 1], [4, 1]])
    assert cell_of(fight) == (ends, 1) and fight.now.figures[0].str_now == strength
    assert fight.used == len(faces)


def test_shallow_water_and_flyers_need_no_save() -> None:
    turn(shallow := crossing(ground(water(2, difficulty=5))), do="move", path=[[2, 1], [3, 1]])
    turn(flyer := crossing(ground(water(2)), flies=True), do="move", path=[[2, 1], [3, 1]])
    assert cell_of(shallow) == cell_of(flyer) == (3, 1)


@pytest.mark.parametrize(("faces", "ends", "hp"), [([12], 3, 6), ([13, 4], 1, 2)])
def test_a_face_is_climbed_by_the_better_of_two_saves_or_one_falls(faces: list[int], ends: int, hp: int) -> None:
    face = Challenge("face", "climb", (12,), 9, height=1)  # type: ignore[arg-type]
    fight = crossing(ground(face), faces, dexterity=12)
    assert "path" in fight.refusal("a", "move", path=[[2, 1]])
    assert fight.rules.odds(fight.now, fight._action("a", "climb", {"at": [3, 1]})).hit == pytest.approx(0.6)
    turn(fight, do="climb", at=[3, 1])
    assert cell_of(fight) == (ends, 1) and fight.now.figures[0].hp == hp
    assert (fight.now.figures[0].posture == "prone") == (ends == 1)


@pytest.mark.parametrize("fixtures", [True, False])
def test_stairs_lead_to_another_height_without_a_save_or_an_option(fixtures: bool) -> None:
    stairs = ground(levels=["0000000000", "0001111111", "0000000000"], climbs=(12,))
    fight = crossing(stairs, at=(2, 1), fixtures=fixtures)
    assert "another level" in fight.refusal("a", "move", path=[[3, 1]])
    assert ("face or wall" in fight.hint("climb")) == fixtures
    turn(fight, do="climb", at=[3, 1])
    assert cell_of(fight) == (3, 1) and fight.used == 0


def test_without_the_option_no_face_is_climbed_and_where_no_stairs_are_nothing() -> None:
    face = Challenge("face", "climb", (12,), 9, height=1)  # type: ignore[arg-type]
    stairs = {"levels": ["0000000000", "0000000001", "0000000000"], "climbs": (18,)}
    fight = crossing(ground(face, **stairs), fixtures=False)  # type: ignore[arg-type]
    assert "nothing to climb beside" in fight.refusal("a", "climb", at=[3, 1])
    assert "no action" in crossing(ground(face), fixtures=False).refusal("a", "climb", at=[3, 1])


def test_a_ledge_is_crossed_where_it_runs() -> None:
    edges = ((12, 13), (13, 12))
    ledge = Challenge("ledge", "climb", (12, 13), 9, edges=edges[:1], height=1)  # type: ignore[arg-type]
    fight = crossing(ground(ledge, levels=["0" * 10, "0001111111", "0" * 10]), [5], at=(2, 1))
    turn(fight, do="climb", at=[3, 1])
    assert cell_of(fight) == (3, 1)


# -- taking along


def test_all_that_there_are_slots_for_is_taken_and_the_last_stays_free() -> None:
    fight = at((2, 1), field(chest("120 coins, torch, rope, sword, mace", difficulty=0)), items=["dagger"] * 6)
    fight.do("a", "open_chest", item="coffer")
    fight.half()
    fight.half("monsters")
    turn(fight, do="loot")
    figure = fight.now.figures[0]
    assert figure.purse == 120 and {"sword", "mace"} <= set(figure.pack)
    assert [lying.item for lying in fight.now.floor] == ["torch", "rope"]
    assert any("no slot for torch, rope" in note["text"] for note in fight.all("note"))


def test_what_the_fallen_carry_is_taken() -> None:
    ground = field(key="iron key")
    fight = Fight(
        pc("a", (2, 1)), foe("b", (5, 2), mindless=True),
        foe("c", (1, 1), carries="7 coins, iron key, silver ring", mindless=True), field=ground,
        fixtures=True,
    )  # fmt: skip
    assert "nothing lies within reach" in fight.refusal("a", "loot")
    fight.change("c", dead=True)
    fight.do("a", "loot")
    fight.half()
    figure, corpse = fight.now.figures[0], fight.now.figures[2]
    assert (figure.purse, figure.keys, figure.pack) == (7, ("iron key",), ("silver ring",))
    assert (corpse.purse, corpse.keys, corpse.pack) == (0, (), ())


def test_with_no_slot_free_nothing_more_is_picked_up() -> None:
    fight = at((2, 1), field(chest("torch")), items=["dagger"] * 10)
    fight.do("a", "open_chest", item="coffer")
    fight.half()
    fight.half("monsters")
    assert "no slot is free" in fight.refusal("a", "pick_up", item="torch")
