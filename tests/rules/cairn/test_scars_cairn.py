"""Each row of the scar table: a PC's HP taken to exactly 0 by a blow that cost as many (cairn.md §4)."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from tests.rules.cairn.creatures import Fight, foe, pc
from tests.rules.table import dice

CLAW = {"name": "claw", "dice": [20], "hands": 0, "slots": 0, "natural": True}


def scarred(row: int, *throws: int | None, gm: bool = False, **says: Any) -> Fight:
    """`a` loses its last `row` HP at a blow; `throws` are what the scar asks for."""
    fight = Fight(
        pc("a", hp_max=max(row, 1), **says), pc("c", (1, 3)), foe("b", attacks=[CLAW]), throws=[row, *throws], gm=gm
    )
    fight.half()
    assert fight.strike(("b", "a", "claw"), side="monsters")["outcome"] == "scar"
    assert fight.of("a")["scars"] == [min(12, row)]
    return fight


def figure(fight: Fight) -> Any:
    return fight.now.figures[0]


def test_one_is_a_lasting_scar_and_may_raise_hit_protection() -> None:
    fight = scarred(1, 3, 5)
    assert figure(fight).hp_max == 5
    assert fight.of("a")["hp"] == 0
    assert any("eye" in e["text"] for e in fight.all("note"))


@pytest.mark.parametrize(("thrown", "top"), [(1, 2), (6, 6)])
def test_two_rattles(thrown: int, top: int) -> None:
    assert figure(scarred(2, thrown)).hp_max == top


def test_three_knocks_flat_and_costs_the_next_turn() -> None:
    fight = scarred(3)
    assert fight.of("a")["posture"] == "prone"
    assert "deprived" in fight.of("a")["conditions"]
    assert fight.used == 1


@pytest.mark.parametrize(("bone", "move"), [(1, 2), (2, 2), (3, 8), (6, 8)])
def test_four_breaks_a_bone_and_a_leg_slows(bone: int, move: int) -> None:
    fight = scarred(4, bone)
    reachable = fight.rules.legal(fight.now, fight._decision("a")).moves("move")
    far = max(fight.field.at(cell)[0] for cell in reachable)
    assert far == 1 + move


def test_four_an_arm_leaves_one_hand() -> None:
    fight = scarred(4, 4, items=["long sword"])
    assert figure(fight).one_armed
    assert "not at hand" in fight.refusal("a", "attack", target="b", weapon="long sword")


def test_five_is_an_infection() -> None:
    assert "infected" in scarred(5).of("a")["conditions"]


@pytest.mark.parametrize(("pick", "key"), [(1, "str"), (2, "str"), (3, "dex"), (4, "dex"), (5, "wil"), (6, "wil")])
def test_six_may_raise_an_attribute(pick: int, key: str) -> None:
    fight = scarred(6, pick, 6, 5, 4)
    assert fight.of("a")[key] == 15


def test_six_keeps_the_attribute_where_the_throw_is_lower() -> None:
    assert scarred(6, 1, 1, 2, 3).of("a")["str"] == 10


def test_seven_hamstrings() -> None:
    assert figure(scarred(7)).lame


@pytest.mark.parametrize(("face", "top"), [(10, 13), (11, 10)])
def test_eight_deafens_and_may_strengthen_the_will(face: int, top: int) -> None:
    fight = scarred(8, face, *([3] if face == 10 else []))
    assert "deaf" in fight.of("a")["conditions"]
    assert figure(fight).wil_max == top


def test_nine_may_raise_the_greatest_will() -> None:
    assert figure(scarred(9, 6, 6, 1)).wil_max == 13


@pytest.mark.parametrize(("limb", "leg"), [(1, False), (2, True)])
def test_ten_costs_a_limb_and_may_strengthen_the_will(limb: int, leg: bool) -> None:
    fight = scarred(10, limb, 5, 6)
    assert (figure(fight).lame, figure(fight).one_armed) == (leg, not leg)
    assert figure(fight).wil_max == 16


def test_ten_asks_the_game_master_which() -> None:
    fight = scarred(10, 20, gm=True)
    assert fight.waiting == ["gm"]
    fight.do("gm", "choose", option="leg")
    assert figure(fight).lame
    assert fight.state["round"] == 2


def test_eleven_takes_out_of_the_fight() -> None:
    fight = scarred(11)
    assert fight.of("a")["status"] == "incapacitated"
    assert "a" not in fight.waiting


def test_twelve_dooms_and_the_next_failed_save_kills() -> None:
    fight = scarred(12, 5, 15)
    assert "doomed" in fight.of("a")["conditions"]
    fight.half()
    fight.strike(("b", "a", "claw"), side="monsters")
    assert fight.of("a")["status"] == "dead"


def test_twelve_lifted_by_a_passed_save_may_raise_hit_protection() -> None:
    fight = scarred(12, 5, 2, 6, 6, 6)
    fight.half()
    fight.strike(("b", "a", "claw"), side="monsters")
    assert figure(fight).hp_max == 18
    assert "doomed" not in fight.of("a")["conditions"]


def test_more_than_twelve_is_twelve() -> None:
    assert scarred(15).of("a")["scars"] == [12]


def test_a_blow_below_nought_leaves_no_scar() -> None:
    fight = Fight(pc("a", hp_max=3), pc("c", (1, 3)), foe("b", attacks=[CLAW]), throws=dice("claw 5, str save 1"))
    fight.half()
    fight.strike(("b", "a", "claw"), side="monsters")
    assert fight.of("a")["scars"] == []


def test_foes_have_no_scars() -> None:
    fight = Fight(pc("a"), foe("b"), foe("d", (9, 1)), throws=dice("sword 4"))
    fight.strike(("a", "b", "sword"))
    assert fight.of("b")["scars"] == []


def test_scars_stand_on_the_sheet_by_their_names() -> None:
    fight = Fight(pc("a"), foe("b"))
    figure = msgspec.structs.replace(fight.now.figures[0], scars=(4, 12))
    fight.now = msgspec.structs.replace(fight.now, figures=(figure, *fight.now.figures[1:]))
    lines = [line.text for line in fight.rules.sheet(fight.now, "a").lines]
    assert lines[:2] == ["Broken bone", "Doomed"]
