"""Treasure under Olde with `fixtures`: chests opened by hand and key, hoards drawn, things taken along (olde.md §8)."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from rules.board.fixtures import Challenge
from rules.board.grid import Field
from tests.rules.olde.creatures import Fight, being

ROWS = ["########", "#......#", "#......#", "########"]


def field(contents: str = "", **more: Any) -> Field:
    chest = Challenge("coffer", "chest", (9,), contents=contents, **{"difficulty": 0, **more})  # type: ignore[arg-type]
    return msgspec.structs.replace(Field.from_rows(ROWS), challenges=(chest,))


def at(place: tuple[int, int], ground: Field, *throws: int, fixtures: bool = True, **says: Any) -> Fight:
    """`a` somewhere with 6 AP, `b` far off with 1."""
    return Fight(being("a", place, **says), being("b", (6, 2)), field=ground, throws=[6, 1, *throws], fixtures=fixtures)


def test_a_chest_without_a_lock_is_opened_and_its_contents_are_taken() -> None:
    fight = at((2, 1), field("120 coins, letter, dagger, healing draught"))
    fight.do("a", "open_chest", item="coffer")
    assert (fight.last("challenge")["how"], fight.now.figures[0].ap) == ("hand", 5)
    fight.end("a")
    fight.end("b")
    fight.do("a", "loot")
    figure = fight.now.figures[0]
    assert (figure.purse, figure.goods, figure.items) == (120, ("letter",), ("healing draught",))
    assert "dagger" in figure.hands + figure.pack and fight.now.floor == ()


def test_a_chests_key_opens_it() -> None:
    ground = field("torch", key="brass key", difficulty=9)
    assert "no chest beside" in at((2, 1), ground).refusal("a", "open_chest", item="coffer")
    fight = at((2, 1), ground, carries="brass key")
    fight.do("a", "open_chest", item="coffer")
    assert fight.last("challenge")["how"] == "key" and fight.used == 2


def test_a_chest_out_of_reach_is_left_alone() -> None:
    assert "no chest beside" in at((5, 1), field()).refusal("a", "open_chest", item="coffer")


def test_what_is_more_than_one_can_carry_stays() -> None:
    goods = [{"name": "anvil", "worth": 20, "load": 90}, {"name": "icon", "worth": 60, "load": 5}]
    fight = Fight(
        being("a", (2, 1)), being("b", (6, 2)), field=field("anvil, icon"), throws=[6, 1], fixtures=True,
        tables={"goods": goods},
    )  # fmt: skip
    fight.do("a", "open_chest", item="coffer")
    fight.end("a")
    fight.end("b")
    assert "more than one can carry" in fight.refusal("a", "pick_up", item="anvil")
    fight.do("a", "loot")
    assert fight.now.figures[0].goods == ("icon",) and [each.item for each in fight.now.floor] == ["anvil"]


def test_the_fallen_are_relieved_of_what_they_have() -> None:
    fight = Fight(
        being("a", (2, 1)), being("b", (6, 2)), being("c", (1, 1), side="monsters", carries="7 coins, silver ring"),
        field=field(), throws=[6, 1, 1], fixtures=True,
    )  # fmt: skip
    assert "nothing lies within reach" in fight.refusal("a", "loot")
    fight.change("c", hp=0)
    fight.do("a", "loot")
    figure, corpse = fight.now.figures[0], fight.now.figures[2]
    assert figure.purse == 7 and "silver ring" in figure.goods and (corpse.purse, corpse.goods) == (0, ())


def test_a_hoard_is_drawn_by_the_fights_dice_when_it_is_opened() -> None:
    table = {"name": "crypt 1", "theme": "crypt", "tier": 1, "worth": 9, "coins": "2d6", "finds": 2,
             "things": ["candle", "comb"], "goods": ["ring"]}  # fmt: skip
    fight = Fight(
        being("a", (2, 1)), being("b", (6, 2)), field=field("treasure:crypt:1, letter"), fixtures=True,
        throws=[6, 1, 3, 4, 2, 2, 5], tables={"treasure": [table], "goods": [{"name": "ring", "worth": 9}]},
    )  # fmt: skip
    fight.do("a", "open_chest", item="coffer")
    told = fight.last("challenge")
    assert told["contents"] == "7 coins, comb, ring, letter"
    assert [roll["total"] for roll in told["rolls"]] == [7, 2, 2, 5]
    assert [each.item for each in fight.now.floor] == ["7 coins", "comb", "ring", "letter"]


@pytest.mark.parametrize(
    ("hoard", "why"),
    [("moon:1", "there is no theme moon, only crypt"), ("crypt:9", "there is no tier 9 of crypt, only 1")],
)
def test_a_hoard_that_no_table_has_is_refused_before_the_fight(hoard: str, why: str) -> None:
    with pytest.raises(Exception, match=f"map: chest 'coffer': treasure:{hoard}: {why}"):
        at((2, 1), field(f"treasure:{hoard}"))


def test_without_the_option_a_chest_is_as_it_was() -> None:
    fight = at((2, 1), field("crypt treasure", difficulty=9), fixtures=False)
    assert "is no action" in fight.refusal("a", "open_chest", item="coffer")
    assert "is no action" in fight.refusal("a", "loot")
