"""Hoards and goods of each ruleset: what they are said to be worth, what they name, how they are drawn."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import pytest

from game.content import tables as content
from rules.contract.errors import BattlematError
from rules.core.dice import Dice, seeded
from rules.core.fixtures.contents import coins_in, parts_of
from rules.core.fixtures.loot import Find, sort, told
from rules.core.fixtures.treasure import Treasury, worth_of
from rules.core.registry import RULESETS

THEMES = ("crypt", "abbey", "sewer", "cave", "wood", "tavern", "infirmary")


def armoury(name: str) -> Any:
    gear, tables = import_module(f"rules.{name}.gear"), content.tables(name)
    return gear.Armoury.from_tables(tables) if name == "olde" else gear.Armoury(tables)


@pytest.mark.parametrize("name", RULESETS)
def test_every_theme_has_its_three_tiers_each_worth_twice_the_last(name: str) -> None:
    tables = {(raw["theme"], raw["tier"]): raw["worth"] for raw in content.tables(name)["treasure"]}
    assert set(tables) == {(theme, tier) for theme in THEMES for tier in (1, 2, 3)}
    for theme in THEMES:
        assert 2 * tables[theme, 1] < tables[theme, 2] and 2 * tables[theme, 2] < tables[theme, 3] + 1


@pytest.mark.parametrize("name", RULESETS)
def test_a_hoard_is_worth_what_its_file_says(name: str) -> None:
    known = armoury(name)
    for raw in content.tables(name)["treasure"]:
        table = known.treasury.tables[raw["theme"], raw["tier"]]
        price = {item: known.worth(item) for item in (*table.things, *table.goods, *table.rare)}
        assert round(worth_of(table, price)) == raw["worth"], raw["name"]


@pytest.mark.parametrize("name", RULESETS)
def test_hoards_drawn_come_to_it_in_the_mean(name: str) -> None:
    known, dice = armoury(name), Dice(seeded(7))
    for theme in ("crypt", "tavern"):
        drawn = [known.treasury.draw(dice, f"treasure:{theme}:2").things for _ in range(1500)]
        mean = sum(known.worth(item) for things in drawn for item in things) / len(drawn)
        said = next(raw["worth"] for raw in content.tables(name)["treasure"] if raw["name"] == f"{theme} 2")
        assert abs(mean - said) < 0.12 * said


def test_contents_are_read_word_by_word() -> None:
    parts = parts_of("12 coins, 2d6 coins, treasure:crypt:2, silver ring")
    assert [(p.coins, p.dice, p.theme, p.tier, p.thing) for p in parts] == [
        (12, "", "", 0, ""), (0, "2d6", "", 0, ""), (0, "", "crypt", 2, ""), (0, "", "", 0, "silver ring"),
    ]  # fmt: skip
    assert (coins_in("1 coin"), coins_in("12 coins"), coins_in("coin"), coins_in("forty silver pennies")) == (
        1,
        12,
        0,
        0,
    )


@pytest.mark.parametrize("word", ["treasure:crypt", "treasure:crypt:0", "treasure:Crypt:1", "treasure:"])
def test_a_treasure_that_is_none_is_told_with_what_would_be_right(word: str) -> None:
    with pytest.raises(BattlematError, match="treasure:THEME:TIER is right"):
        parts_of(word)


def test_what_is_worth_most_for_its_weight_is_taken_first_and_what_weighs_nothing_always() -> None:
    weight, worth = {"ore": 5, "cup": 2, "gem": 0, "icon": 1}, {"ore": 50, "cup": 30, "gem": 1, "icon": 12}
    split = sort([Find(item) for item in weight], 3, weight.__getitem__, worth.__getitem__)
    assert [find.item for find in split.taken] == ["cup", "gem", "icon"] and told(split.left) == "ore"


def test_coins_are_told_together() -> None:
    assert told([Find("ring"), Find("3 coins"), Find("4 coins")]) == "7 coins, ring"


def test_an_empty_treasury_says_that_it_has_none() -> None:
    with pytest.raises(BattlematError, match="there is no theme crypt, only none"):
        Treasury({}).draw(Dice(seeded(1)), "treasure:crypt:1")
