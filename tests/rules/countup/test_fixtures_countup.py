"""What stands on a map under Count-Up with `fixtures`: keys, chests, traps, water, faces (countup.md §2.11)."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from rules.board.fixtures import Challenge
from rules.board.grid import Field
from tests.rules.countup.creatures import Fight, being

ROWS = ["##########", "#...+....#", "#...#....#", "##########"]
DOOR = "door 4,1"
HALL = ["############", "#..........#", "############"]


def field(*challenges: Challenge, rows: list[str] = ROWS, levels: Any = None, climbs: Any = (), **door: Any) -> Field:
    found = Field.from_rows(rows, levels=levels, climbs=climbs)
    doors = tuple(msgspec.structs.replace(each, **door) for each in found.doors)
    return msgspec.structs.replace(found, doors=doors, challenges=challenges)


def one(kind: str, *cells: int, **more: Any) -> Challenge:
    return Challenge({"chest": "coffer"}.get(kind, kind), kind, cells, **more)  # type: ignore[arg-type]


def at(
    place: tuple[int, int], ground: Field, *throws: int, b: tuple[int, int] = (8, 2), fixtures: bool = True, **says: Any
) -> Fight:
    """`a` somewhere, `b` far off, waiting; both may act at once."""
    fight = Fight(being("a", place, **says), being("b", b), field=ground, throws=[1, 1, *throws], fixtures=fixtures)
    fight.hold("b", seconds=60)
    return fight


def chance(fight: Fight, do: str, **says: Any) -> float:
    odds = fight.rules.odds(fight.now, fight._action("a", do, says))
    assert odds is not None and abs(sum(p for _, p in odds.outcomes) - 1) < 1e-9
    return float(odds.hit)


# -- doors


@pytest.mark.parametrize(("do", "before", "after"), [("unlock", "locked", "closed"), ("lock", "closed", "locked")])
def test_a_key_turns_in_two_seconds(do: str, before: str, after: str) -> None:
    fight = at((3, 1), field(state=before, key="iron key"), carries="iron key")
    fight.do("a", do, target=DOOR)
    assert fight.now.doors == (after,) and fight.second == 3


def test_nobody_turns_a_lock_without_its_key() -> None:
    fight = at((3, 1), field(state="locked", key="iron key"))
    assert "carries no key" in fight.refusal("a", "unlock", target=DOOR)


def test_a_portcullis_is_broken_up_and_not_opened() -> None:
    fight = at((3, 1), field(kind="portcullis"), 5, 15)
    assert "too heavy" in fight.refusal("a", "open", target=DOOR)
    fight.do("a", "force", target=DOOR)
    assert fight.now.doors == ("open",)


def test_without_the_option_a_portcullis_is_a_door_and_there_are_no_keys() -> None:
    fight = Fight(being("a", (3, 1)), being("b", (8, 2)), field=field(kind="portcullis"), throws=[1, 1])
    assert "is no action" in fight.refusal("a", "unlock", target=DOOR)
    fight.do("a", "open", target=DOOR)


# -- chests


def test_a_chest_is_opened_and_what_was_in_it_lies_there() -> None:
    fight = at((2, 1), field(one("chest", 11, difficulty=0, contents="120 coins, letter")))
    fight.do("a", "open_chest", item="coffer")
    told = fight.last("challenge")
    assert (told["state"], told["contents"], told["how"]) == ("open", "120 coins, letter", "hand")
    fight.do("a", "loot")
    figure = fight.now.figures[0]
    assert (figure.purse, figure.pack, fight.now.floor) == (120, ("letter",), ())


def test_a_chest_out_of_reach_is_left_alone() -> None:
    fight = at((3, 1), field(one("chest", 11, difficulty=0)))
    assert "no chest beside" in fight.refusal("a", "open_chest", item="coffer")


@pytest.mark.parametrize(("face", "stands"), [(75, "open"), (76, "locked")])
def test_a_chests_lock_is_picked_by_skill(face: int, stands: str) -> None:
    fight = at((2, 1), field(one("chest", 11, difficulty=9)), face, skills={"lock picking": 35})
    assert chance(fight, "tackle", item="coffer", option="pick") == pytest.approx(0.75)
    fight.do("a", "tackle", item="coffer", option="pick")
    assert fight.now.challenges == (stands,)


def test_who_cannot_pick_breaks_it_open() -> None:
    fight = at((2, 1), field(one("chest", 11, difficulty=9)), 10, 11)
    assert "none of force" in fight.refusal("a", "tackle", item="coffer", option="pick")
    fight.do("a", "tackle", item="coffer")
    assert fight.now.challenges == ("open",) and fight.second == 7


def test_what_is_in_a_chest_is_seen_in_time_or_goes_off() -> None:
    trapped = field(one("chest", 11, difficulty=0, contents="3 coins", damage="d6", notice=9))
    seen, unseen = at((2, 1), trapped, 50), at((2, 1), trapped, 51, 4)
    for fight, hp in ((seen, 40), (unseen, 36)):
        fight.do("a", "open_chest", item="coffer")
        assert fight.now.figures[0].hp == hp


# -- traps


@pytest.mark.parametrize(("faces", "ends", "hp", "stands"), [([50], 1, 40, "set"), ([51, 5], 2, 35, "sprung")])
def test_the_unwitting_see_a_trap_in_time_or_spring_it(faces: list[int], ends: int, hp: int, stands: str) -> None:
    trap = one("trap", 14, hidden=True, damage="d6", known=("monsters",))
    fight = at((1, 1), field(trap, rows=HALL), *faces, b=(10, 1))
    fight.do("a", "walk", path=[(2, 1), (3, 1)])
    fight.do("a", "end")
    figure = fight.now.figures[0]
    assert fight.field.at(figure.cell) == (ends, 1) and figure.hp == hp and fight.now.challenges == (stands,)


def test_who_knows_of_a_trap_walks_past_it() -> None:
    fight = at((1, 1), field(one("trap", 14, hidden=True, damage="d6", known=("heroes",)), rows=HALL), b=(10, 1))
    fight.do("a", "walk", path=[(2, 1), (3, 1)])
    fight.do("a", "end")
    assert fight.field.at(fight.now.figures[0].cell) == (3, 1) and fight.used == 2


@pytest.mark.parametrize(("face", "stands"), [(80, "disarmed"), (81, "set"), (99, "set")])
def test_a_known_trap_is_disarmed_by_skill(face: int, stands: str) -> None:
    trap = one("trap", 12, hidden=True, damage="d6", known=("heroes",), difficulty=9)
    fight = at((1, 1), field(trap), face, skills={"disarm trap": 40})
    assert chance(fight, "tackle", item="trap") == pytest.approx(0.8)
    fight.do("a", "tackle", item="trap")
    assert fight.now.challenges == (stands,) and fight.second == 22


def test_a_mishap_sets_a_trap_off() -> None:
    trap = one("trap", 12, hidden=True, damage="d6", known=("heroes",), difficulty=13)
    fight = at((1, 1), field(trap), 90, 3, skills={"disarm trap": 40})
    fight.do("a", "tackle", item="trap")
    assert fight.now.challenges == ("sprung",) and fight.now.figures[0].hp == 37


def test_the_untrained_leave_traps_alone() -> None:
    trap = one("trap", 12, hidden=True, known=("heroes",))
    assert "could do anything about" in at((1, 1), field(trap)).refusal("a", "tackle", item="trap")


def test_hidden_chests_and_traps_are_found_by_scrutiny_for_ones_own_side_alone() -> None:
    fight = at((2, 1), field(one("chest", 11, hidden=True, difficulty=0, notice=9)), 50)
    assert "no chest beside" in fight.refusal("a", "open_chest", item="coffer")
    fight.do("a", "search")
    assert {event["seen_by"] for event in fight.all("challenge")} == {("heroes",)}
    mine, theirs = (fight.rules.board(fight.rules.observe(fight.now, side)) for side in ("heroes", "monsters"))
    assert [mark.label for mark in mine.ground] == ["coffer"] and theirs.ground == ()


# -- water and faces


@pytest.mark.parametrize(("faces", "ends", "hp"), [([50, 50], 4, 40), ([51], 1, 40), ([50, 91, 3], 2, 37)])
def test_each_space_of_deep_water_is_swum_by_a_check(faces: list[int], ends: int, hp: int) -> None:
    fight = at((1, 1), field(one("water", 14, 15), rows=HALL), *faces, b=(10, 1))
    fight.do("a", "walk", path=[(2, 1), (3, 1), (4, 1)])
    fight.do("a", "end")
    figure = fight.now.figures[0]
    assert fight.field.at(figure.cell) == (ends, 1) and figure.hp == hp


@pytest.mark.parametrize(("faces", "ends", "hp"), [([50], 3, 40), ([51], 1, 40), ([91, 2], 1, 38)])
def test_a_face_is_climbed_by_a_check_and_a_mishap_is_a_fall(faces: list[int], ends: int, hp: int) -> None:
    fight = at((1, 1), field(one("climb", 14), rows=HALL), *faces, b=(10, 1))
    assert "path" in fight.refusal("a", "walk", path=[(2, 1)])
    assert chance(fight, "climb", at=(3, 1)) == pytest.approx(0.5)
    fight.do("a", "climb", at=(3, 1))
    figure = fight.now.figures[0]
    assert fight.field.at(figure.cell) == (ends, 1) and figure.hp == hp and figure.prone == (hp < 40)


@pytest.mark.parametrize("fixtures", [True, False])
def test_stairs_lead_to_another_height_without_a_check_or_an_option(fixtures: bool) -> None:
    levels = ["0" * 12, "000111111111", "0" * 12]
    fight = at((2, 1), field(rows=HALL, levels=levels, climbs=(14,)), b=(10, 1), fixtures=fixtures)
    assert ("face or wall" in fight.hint("climb")) == fixtures
    fight.do("a", "climb", at=(3, 1))
    assert fight.field.at(fight.now.figures[0].cell) == (3, 1) and fight.used == 2


def test_without_the_option_no_face_is_climbed_and_where_no_stairs_are_nothing() -> None:
    face, levels = one("climb", 14), ["0" * 12, "0" * 11 + "1", "0" * 12]
    stairs = at((1, 1), field(face, rows=HALL, levels=levels, climbs=(22,)), b=(9, 1), fixtures=False)
    assert "nothing to climb beside" in stairs.refusal("a", "climb", at=(3, 1))
    assert "is no action" in at((1, 1), field(face, rows=HALL), b=(9, 1), fixtures=False).refusal(
        "a", "climb", at=(3, 1)
    )


# -- plunder


def test_what_is_too_heavy_stays_and_is_said() -> None:
    goods = [{"name": "anvil", "worth": 20, "load": 45}, {"name": "icon", "worth": 60, "load": 5}]
    ground = field(one("chest", 11, difficulty=0, contents="anvil, icon, 10 coins"))
    fight = Fight(
        being("a", (2, 1)), being("b", (8, 2)), field=ground, throws=[1, 1], fixtures=True, tables={"goods": goods}
    )
    fight.hold("b", seconds=60)
    fight.do("a", "open_chest", item="coffer")
    fight.do("a", "loot")
    figure = fight.now.figures[0]
    assert (figure.pack, figure.purse) == (("icon",), 10)
    assert any("too heavy" in note["text"] and "anvil" in note["text"] for note in fight.all("note"))
    assert "too heavy" in fight.refusal("a", "pick_up", item="anvil")


def test_the_deads_things_are_taken_and_a_weapon_from_the_pack_is_readied() -> None:
    fight = Fight(
        being("a", (2, 1)), being("b", (8, 2)), being("c", (1, 1), side="monsters", carries="7 coins, iron key"),
        field=field(key="iron key"), throws=[1, 1, 1], fixtures=True,
    )  # fmt: skip
    fight.change("c", dead=True)
    fight.hold("b", seconds=60)
    fight.do("a", "loot")
    figure, corpse = fight.now.figures[0], fight.now.figures[2]
    assert (figure.purse, figure.keys, figure.pack) == (7, ("iron key",), ("longsword",))
    assert (corpse.purse, corpse.keys, corpse.hand) == (0, (), "")
