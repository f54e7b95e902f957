"""Powers and things against natures, in danger, and as often as their text allows (cairn.md §2.10, §5.5, §5.6)."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from rules.board.grid import Field
from rules.cairn.state import Lying
from tests.rules.cairn.creatures import Fight, foe, pc
from tests.rules.cairn.test_conditions_cairn import laid
from tests.rules.cairn.test_rulings_cairn import beast
from tests.rules.table import dice

WIDE = ["." * 14] * 6


# -- what is no magic


def thrown_at(name: str, *throws: int | None, item: str = "fire oil", **says: Any) -> Fight:
    """`a` throws fire oil at a creature of the bestiary."""
    fight = Fight(pc("a", (1, 1), items=[item]), beast(name, "b", (4, 1), **says), throws=throws, rows=WIDE)
    fight.do("a", "use", item=item, at=[4, 1])
    return fight


@pytest.mark.parametrize("name", ["ghost", "shadow"])
def test_burning_oil_is_no_magic(name: str) -> None:
    fight = thrown_at(name)
    assert fight.rules.odds(fight.now, fight._action("a", "use", {"item": "fire oil", "at": [4, 1]})).mean == 0
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
        pc("a", (1, 1), items=["trap"]),
        beast(name, "b", (4, 1), strength=9),
        throws=dice("trap 5, str save 1"),
        rows=WIDE,
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
        pc("a", (1, 1), items=[item]),
        foe("b", (4, 1), hp_max=9),
        throws=dice("wall of fire 4"),
        rows=WIDE,
        cast_saves=False,
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
    fight = Fight(
        pc("a", items=["scroll of Sleep"]), foe("b", (4, 1)), throws=dice("wil save 20, the spell turns 3, str save 1")
    )
    fight.do("a", "use", item="scroll of Sleep", target="b")
    fight.half()
    assert (fight.of("a")["str"], fight.of("a")["fatigue"], fight.of("a")["pack"]) == (7, 1, [])


def test_a_detachment_that_the_blood_routs_leaves_no_area_behind() -> None:
    """A natural 20 over a scroll of an area, and a failed STR save: it is gone before its casting is told."""
    mass = foe("b", (4, 1), detachment=True, items=["scroll of Earthquake"])
    fight = Fight(
        pc("a"), mass, foe("c", (6, 3)), throws=dice("wil save 20, the spell turns 4, str save 20, wil save 1")
    )
    fight.half()
    fight.do("b", "use", item="scroll of Earthquake")
    events = fight.half("monsters")
    (cast,) = [event for event in events if event["event"] == "cast"]
    assert (cast["success"], cast.get("cells", ())) == (False, ())
    assert [e["condition"] for e in events if e["event"] == "condition"] == ["fatigue", "routed"]
    assert fight.of("b")["at"] is None


@pytest.mark.parametrize("item", ["skull whistle", "healing salve", "net"])
def test_neither_relics_nor_plain_things_ask_for_it(item: str) -> None:
    fight = Fight(pc("a", items=[item], hp_max=9), foe("b", (2, 1)), throws=[1, 1, 1])
    aim: dict[str, Any] = {} if item == "skull whistle" else {"target": "a" if item == "healing salve" else "b"}
    fight.do("a", "use", item=item, **aim)
    fight.half()
    assert not any("danger" in check["what"] for check in fight.all("check"))


# -- as often as one likes


@pytest.mark.parametrize(("name", "power"), [("banshee", "Wail"), ("sphinx", "Roar"), ("mind_lasher", "Mind Blast")])
def test_what_names_no_limit_works_at_every_action(name: str, power: str) -> None:
    fight = Fight(pc("a", willpower=19), beast(name, "b", (6, 1)), throws=dice("wil save 1 1 1"), rows=WIDE)
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


# -- relics

HALL = ["#########", "#.......#", "#########"]


def barred() -> Fight:
    """`a` has let the Wonder Bar go in the corridor between itself and `b`."""
    fight = Fight(
        pc("a", (2, 1), items=["wonder bar", "bow"]), foe("b", (6, 1), hp_max=9), rows=HALL, throws=dice("bow 4")
    )
    fight.do("a", "use", item="wonder bar", at=[3, 1])
    fight.half()
    return fight


def test_a_wonder_bar_stays_where_it_is_and_nobody_gets_past() -> None:
    fight = barred()
    assert [mark.kind for mark in fight.rules.board(fight.now).ground] == ["pane"]
    assert fight.state["floor"] == [{"item": "wonder bar", "at": [3, 1]}]
    assert (
        fight.refusal("b", "move", path=[[5, 1], [4, 1], [3, 1]])
        == "move: path, step 3: [4, 1] to [3, 1]: [3, 1] is a wall"
    )
    fight.half("monsters")
    fight.do("a", "attack", target="b", weapon="bow")
    fight.half()
    assert fight.of("b")["hp"] == 5, "one sees and shoots past it"


def test_whoever_is_beside_it_takes_it_up() -> None:
    fight = barred()
    fight.do("b", "move", path=[[5, 1], [4, 1]])
    fight.do("b", "pick_up", item="wonder bar")
    fight.half("monsters")
    assert (fight.now.zones, fight.of("b")["pack"], fight.state["floor"]) == ((), ["wonder bar"], [])
    fight.do("a", "move", path=[[3, 1]])


def test_what_else_lies_beside_a_wonder_bar_is_taken_up_without_it() -> None:
    fight = barred()
    floor = (Lying("rope", fight.field.cell(3, 1)), *fight.now.floor)
    fight.now = msgspec.structs.replace(fight.now, floor=floor)
    fight.do("b", "move", path=[[5, 1], [4, 1]])
    fight.do("b", "pick_up", item="rope")
    fight.half("monsters")
    assert "rope" in fight.of("b")["pack"]
    assert [zone.kind for zone in fight.now.zones] == ["bar"]


def test_where_somebody_stands_there_is_no_room_for_it() -> None:
    fight = Fight(pc("a", (2, 1), items=["wonder bar"]), foe("b", (3, 1)), rows=HALL)
    assert "taken" in fight.refusal("a", "use", item="wonder bar", at=[3, 1])


def test_who_comes_to_stand_there_first_leaves_it_no_room() -> None:
    fight = Fight(pc("a", (2, 1), items=["wonder bar"]), pc("c", (5, 1)), foe("b", (7, 1)), rows=HALL)
    fight.do("a", "use", item="wonder bar", at=[3, 1])
    fight.do("c", "move", path=[[4, 1], [3, 1]])
    fight.half()
    assert (fight.of("c")["at"], fight.now.zones) == ([3, 1], ())
    assert "wonder bar" in fight.of("a")["hands"] + fight.of("a")["pack"]
    assert any("there is no room for it" in line for line in fight.story)


PROMISE = "parliament's promise"


def test_parliaments_promise_sees_in_the_dark() -> None:
    dark = msgspec.structs.replace(Field.from_rows(["." * 14] * 3), ambient="dark")
    for items, die in (([PROMISE, "bow"], "1d6"), (["bow"], "1d4")):
        fight = Fight(
            pc("a", (1, 1), items=items), foe("b", (5, 1), hp_max=9), field=dark, throws=dice("bow 3"), darkness=True
        )
        assert fight.of("a")["armor"] == len(items) - 1
        blow = fight.strike(("a", "b", "bow"))
        assert blow["rolls"][0]["dice"] == die


def test_who_wears_it_cannot_speak_until_it_is_ruined() -> None:
    fight = Fight(pc("a", items=[PROMISE, "book of Sleep", "scroll of Sleep"]), foe("b", (4, 1)))
    assert "voice" in fight.refusal("a", "cast", item="book of Sleep", target="b")
    laid(fight, "a", f"ruined: {PROMISE}")
    fight.do("a", "cast", item="book of Sleep", target="b")


# -- a full pack


@pytest.mark.parametrize(
    ("items", "dropped"),
    [
        (["rope", "book of Sleep"], ["rope"]),
        (["rope", "book of Sleep", "leather"], ["rope"]),
        (["book of Sleep", "leather"], []),
    ],
)
def test_fatigue_pushes_out_neither_the_book_that_is_read_nor_what_is_worn(
    items: list[str], dropped: list[str]
) -> None:
    full = pc("a", items=items, fatigue=10 - len(items))
    fight = Fight(full, foe("b", (4, 1)), throws=dice("wil save 20, the spell turns 1, str save 1"))
    fight.do("a", "cast", item="book of Sleep", target="b")
    fight.half()
    assert [lying["item"] for lying in fight.state["floor"]] == dropped
    assert "book of Sleep" not in (*fight.of("a")["hands"], *fight.of("a")["pack"]), "a 20 costs the book"
