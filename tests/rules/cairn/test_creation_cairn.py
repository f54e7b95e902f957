"""Characters and hirelings by the book, reactions, the Die of Fate (cairn.md §1, §5.3, §5.4)."""

from __future__ import annotations

from typing import Any

import pytest

from game.content import tables as content
from rules.cairn import Cairn
from rules.cairn.creation.book import Book
from rules.cairn.creation.characters import Making, Scores, roll_background, roll_scores, scores_of, swapped
from rules.cairn.creation.followers import block, follower, throw
from rules.cairn.creation.tools import block as character
from rules.cairn.statblock import StatBlock
from rules.contract.errors import BattlematError
from rules.core.dice import Dice
from rules.core.validate import creature
from tests.rules import table
from tests.rules.cairn.creatures import Fight, foe

BOOK = Book(content.tables("cairn"))
BACKGROUNDS = BOOK.backgrounds


def making(background: str = "Marchguard", **says: Any) -> Making:
    plain: dict[str, Any] = {"thrown": (7, 12, 15), "hp": 2, "age": 31, "gold": 9, "bonds": (3,)}
    return Making(background=background, **{**plain, **says})


def dice(*faces: int | None) -> Dice:
    return Dice(1, faces)


def test_three_dice_for_each_attribute_in_order_then_hit_protection_age_and_gold() -> None:
    thrown = roll_scores(dice(1, 2, 3, 4, 5, 6, 6, 6, 6, 4, 13, 8, 1, 2, 3))
    assert scores_of(thrown) == Scores(6, 15, 18, 4, 31, 6)


def test_a_hireling_throws_attributes_and_hit_protection_alone() -> None:
    thrown = roll_scores(dice(3, 3, 3, 4, 4, 4, 2, 2, 2, 5), hireling=True)
    assert scores_of(thrown) == Scores(9, 12, 6, 5)


def test_two_attributes_may_be_swapped_once() -> None:
    made = character(swapped(making(), "strength", "willpower"), BOOK)
    assert (made["strength"], made["dexterity"], made["willpower"]) == (15, 12, 7)
    with pytest.raises(BattlematError, match="two different"):
        swapped(making(), "strength", "strength")


def test_there_are_twenty_backgrounds_and_a_die_picks_one() -> None:
    assert len(BACKGROUNDS) == 20
    assert roll_background(dice(4), BOOK)[1] == "Bonekeeper"


@pytest.mark.parametrize("name", list(BACKGROUNDS))
def test_who_is_made_can_be_played(name: str) -> None:
    made = character(making(name), BOOK)
    fight = Fight({**made, "id": "a", "side": "heroes", "at": [1, 1], "alert": "ready"}, foe("b"))
    assert fight.of("a")["hp"] == 2
    fight.do("a", "attack", target="b")


@pytest.mark.parametrize("kind", list(BOOK.followers))
def test_hirelings_and_beasts_fight_but_take_no_scars(kind: str) -> None:
    hired = block(follower(BOOK, kind), Scores(9, 9, 9, 6), "Bo")
    armor = {"armor": 0, "items": [i for i in hired["items"] if i not in ("shield", "gambeson", "chainmail", "helmet")]}
    fight = Fight({**hired, **armor, "id": "a", "side": "heroes", "at": [1, 1]}, foe("b"), throws=table.dice("claws 6"))
    fight.half()
    fight.strike(("b", "a", "claws"), side="monsters")
    assert fight.of("a")["hp"] == 0 and fight.of("a")["scars"] == []


def test_a_beast_is_as_its_kind_and_a_hireling_is_thrown() -> None:
    assert throw(dice(), follower(BOOK, "Mule"))[1] == Scores(12, 8, 8, 3)
    assert throw(dice(3, 3, 3, 4, 4, 4, 2, 2, 2, 5), follower(BOOK, "Scholar"))[1] == Scores(9, 12, 6, 5)


def test_nobody_hires_a_dragon() -> None:
    with pytest.raises(BattlematError, match="Bodyguard"):
        follower(BOOK, "dragon")


def test_two_dice_say_how_strangers_take_it() -> None:
    throws = [(max(1, total - 6), min(6, total - 1)) for total in range(2, 13)]
    words = [tool("reaction", *faces).told for faces in throws]
    kinds = ["hostile"] + ["wary"] * 3 + ["curious"] * 3 + ["kind"] * 3 + ["helpful"]
    assert words == [f"They are {kind}." for kind in kinds]


def test_the_die_of_fate_is_good_from_four_on() -> None:
    told = [tool("fate", face).told for face in range(1, 7)]
    assert told == ["Fortune frowns."] * 3 + ["Fortune smiles."] * 3


# -- as tools of a table --------------------------------------------------------------------------------


def tool(name: str, *faces: int | None, option: str = "") -> Any:
    return Cairn().use_tool(name, option, dice(*faces), content.tables("cairn"))


def test_a_character_may_exchange_two_attributes_that_differ() -> None:
    made = tool("character", 1, 2, 3, 4, 5, 6, 6, 6, 3, 4, 13, 8, 1, 2, 3, 4, 1, 2)
    assert [c.label for c in made.creatures] == ["as thrown", "STR and DEX exchanged", "STR and WIL exchanged"]
    blocks = [c.block for c in made.creatures]
    assert [(b["strength"], b["dexterity"], b["willpower"]) for b in blocks] == [(6, 15, 15), (15, 6, 15), (15, 15, 6)]
    assert made.told.endswith("STR 6, DEX 15, WIL 15, 4 HP.") and len(made.rolls) == 9
    assert "31 years, 6 gold" in made.told


def test_whoever_is_made_can_stand_in_a_fight() -> None:
    for name, option in (("character", ""), ("hireling", "veteran")):
        for creation in tool(name, *[4] * 20, option=option).creatures:
            creature(StatBlock, {**creation.block, "id": "it", "side": "heroes", "at": [0, 0]}, "creatures[0]")


@pytest.mark.parametrize(("faces", "word"), [((1, 1), "hostile"), ((2, 3), "wary"), ((6, 6), "helpful")])
def test_a_reaction_is_told(faces: tuple[int, int], word: str) -> None:
    assert tool("reaction", *faces).told == f"They are {word}."


@pytest.mark.parametrize(("face", "told"), [(3, "Fortune frowns."), (4, "Fortune smiles.")])
def test_the_die_of_fate_is_told(face: int, told: str) -> None:
    assert tool("fate", face).told == told


def test_a_tool_that_there_is_not_is_refused() -> None:
    with pytest.raises(BattlematError, match="none of reaction, fate"):
        tool("oracle")
    with pytest.raises(BattlematError, match="nobody's hire"):
        tool("hireling", 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, option="wizard")


@pytest.mark.parametrize(("face", "word"), [(1, "encounter"), (2, "sign"), (3, "surroundings"), (4, "loss"),
                                            (5, "exhaustion"), (6, "quiet")])  # fmt: skip
def test_a_dungeon_event_is_told(face: int, word: str) -> None:
    assert word in tool("events", face).told


@pytest.mark.parametrize(
    ("row", "faces", "told"),
    [
        ("3", (4,), "grow by 4"), ("4", (4, 5), "HP: 9, if"), ("5", (1, 1), "HP: 2, if"),
        ("7", (6, 5, 4), "DEX: 15, if"), ("11", (1, 2), "are 3 from now on"),
    ],
)  # fmt: skip
def test_what_a_mended_scar_leaves_is_thrown_for(row: str, faces: tuple[int, ...], told: str) -> None:
    assert told in tool("scar", *faces, option=row).told


def test_a_scar_that_leaves_nothing_later_is_refused() -> None:
    with pytest.raises(BattlematError, match="row 9"):
        tool("scar", 1, option="9")


# -- hirelings' morale ------------------------------------------------------------------------------------


def guarded(face: int) -> Fight:
    """A character, who dies of one blow, and a hired guard beside it."""
    ada = {"id": "ada", "side": "heroes", "at": [1, 1], "strength": 1, "dexterity": 10, "willpower": 10, "hp_max": 0,
           "alert": "ready", "items": []}  # fmt: skip
    guard = {**ada, "id": "guard", "at": [1, 2], "pc": False, "hired": True, "strength": 10}
    fight = Fight(ada, guard, foe("b"), throws=table.dice(f"claws 6, wil save {face}"))
    fight.half()
    fight.strike(("b", "ada", "claws"), side="monsters")
    return fight


@pytest.mark.parametrize(("face", "there"), [(10, True), (11, False)])
def test_a_hireling_saves_will_when_the_party_has_its_first_casualty(face: int, there: bool) -> None:
    fight = guarded(face)
    assert (fight.of("guard")["status"] != "fled") is there
