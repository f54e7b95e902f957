"""Powers and things against natures, in danger, and as often as their text allows (cairn.md §2.10, §5.5, §5.6)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.rules.cairn.table import Fight, foe, pc
from tests.rules.cairn.test_conditions_cairn import laid
from tests.rules.cairn.test_rulings_cairn import beast

WIDE = ["." * 14] * 6


# -- what is no magic


def thrown_at(name: str, *throws: int, item: str = "fire oil", **says: Any) -> Fight:
    """`a` throws fire oil at a creature of the bestiary."""
    fight = Fight(pc("a", (1, 1), items=[item]), beast(name, "b", (4, 1), **says), throws=throws, rows=WIDE)
    fight.do("a", "use", item=item, at=[4, 1])
    return fight


@pytest.mark.parametrize("name", ["ghost", "shadow"])
def test_burning_oil_is_no_magic(name: str) -> None:
    fight = thrown_at(name)
    assert (
        fight.rules.odds(fight.now, fight._action("a", "use", {"item": "fire oil", "at": [4, 1]})).mean == 0
    )
    before = fight.of("b")["hp"]
    fight.half()
    assert (fight.of("b")["hp"], fight.used) == (before, 0)


@pytest.mark.parametrize(("name", "die"), [("goblin", "1d6"), ("werewolf", "1d4"), ("aranea", "1d12")])
def test_the_dice_of_things_go_by_their_victims_nature(name: str, die: str) -> None:
    fight = thrown_at(name, 3)
    fight.half()
    (hurt,) = fight.all("injury")
    assert [roll["dice"] for roll in hurt["rolls"]] == [die]


@pytest.mark.parametrize(("name", "lost"), [("shadow", 0), ("ghost", 0), ("goblin", 5)])
def test_a_trap_is_no_magic(name: str, lost: int) -> None:
    fight = Fight(
        pc("a", (1, 1), items=["trap"]), beast(name, "b", (4, 1), strength=9), throws=[5, 1], rows=WIDE
    )
    fight.do("a", "use", item="trap", at=[2, 1])
    fight.half()
    fight.do("b", "move", path=[[3, 1], [2, 1]])
    fight.half("monsters")
    assert (fight.of("b")["str"], fight.of("b")["at"]) == (9 - lost, [2, 1])
    assert not fight.rules.board(fight.now).ground, "it has closed all the same"


@pytest.mark.parametrize(("item", "lost"), [("fire oil", 0), ("scroll of Wall of Fire", 4)])
def test_a_shield_keeps_off_what_is_no_magic_alone(item: str, lost: int) -> None:
    fight = Fight(
        pc("a", (1, 1), items=[item]), foe("b", (4, 1), hp_max=9), throws=[4], rows=WIDE, cast_saves=False
    )
    laid(fight, "b", "shielded", rounds=9)
    fight.do("a", "use", item=item, at=[4, 1])
    fight.half()
    assert fight.of("b")["hp"] == 9 - lost


# -- casting in danger


@pytest.mark.parametrize(("face", "asleep", "fatigue"), [(10, True, 0), (11, False, 1)])
def test_a_scroll_read_in_danger_asks_for_the_same_save(face: int, asleep: bool, fatigue: int) -> None:
    fight = Fight(pc("a", items=["scroll of Sleep"]), foe("b", (4, 1)), throws=[face, 20][: 1 + asleep])
    action = fight._action("a", "use", {"item": "scroll of Sleep", "target": "b"})
    assert fight.rules.odds(fight.now, action).hit == pytest.approx(0.5 * 0.5)
    fight.do("a", "use", item="scroll of Sleep", target="b")
    fight.half()
    assert ("asleep" in fight.of("b")["conditions"]) == asleep
    assert (fight.of("a")["fatigue"], fight.of("a")["hands"], fight.of("a")["pack"]) == (fatigue, [], [])


def test_a_natural_twenty_over_a_scroll_costs_blood() -> None:
    fight = Fight(pc("a", items=["scroll of Sleep"]), foe("b", (4, 1)), throws=[20, 3, 1])
    fight.do("a", "use", item="scroll of Sleep", target="b")
    fight.half()
    assert (fight.of("a")["str"], fight.of("a")["fatigue"], fight.of("a")["pack"]) == (7, 1, [])


@pytest.mark.parametrize("item", ["skull whistle", "healing salve", "net"])
def test_neither_relics_nor_plain_things_ask_for_it(item: str) -> None:
    fight = Fight(pc("a", items=[item], hp_max=9), foe("b", (2, 1)), throws=[1, 1, 1])
    aim = {} if item == "skull whistle" else {"target": "a" if item == "healing salve" else "b"}
    fight.do("a", "use", item=item, **aim)
    fight.half()
    assert not any("danger" in check["what"] for check in fight.all("check"))


# -- as often as one likes


@pytest.mark.parametrize(
    ("name", "power"), [("banshee", "Wail"), ("sphinx", "Roar"), ("mind_lasher", "Mind Blast")]
)
def test_what_names_no_limit_works_at_every_action(name: str, power: str) -> None:
    fight = Fight(pc("a", willpower=19), beast(name, "b", (6, 1)), throws=[1, 1, 1], rows=WIDE)
    for _ in range(3):
        fight.half()
        fight.do("b", "cast", item=power)
        fight.half("monsters")
    assert fight.used == 3


def test_a_ward_once_a_day_is_used_up() -> None:
    fight = Fight(pc("a"), beast("acolyte", "b", (6, 1)), rows=WIDE)
    fight.half()
    fight.do("b", "cast", item="Ward", at=[6, 1])
    fight.half("monsters")
    fight.half()
    assert "used up" in fight.refusal("b", "cast", item="Ward", at=[6, 1])
