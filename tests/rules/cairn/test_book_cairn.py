"""What the rulebook has by hand is what is played: attacks, hirelings, scars, options (cairn.md §4, §5, §7)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from game.content import tables as content
from rules.cairn.combat.injury import SCARS
from rules.cairn.creation.book import Book
from rules.cairn.gear import Power, WeaponModel
from rules.cairn.ruleset import OPTIONS
from rules.cairn.statblock import StatBlock

BOOK = Path(__file__).parents[3] / "docs" / "rules" / "cairn.md"
Row = tuple[str, ...]
NUMBERS = {2: "two", 3: "three", 6: "six"}


def parts() -> Iterator[tuple[str, str]]:
    """(heading, what stands below it) of every part of the book."""
    for part in re.split(r"(?m)^#+ ", BOOK.read_text(encoding="utf-8"))[1:]:
        heading, _, text = part.partition("\n")
        yield heading, text


PARTS = dict(parts())


def rows_of(heading: str) -> list[Row]:
    """The rows of a part's first table, without its head."""
    table = re.search(r"(?m)(?:^\|.*\n?)+", PARTS[heading])
    assert table is not None, heading
    return [tuple(cell.strip() for cell in line.strip("|").split("|")) for line in table[0].splitlines()[2:]]


def notation(dice: tuple[int, ...]) -> str:
    return "+".join(f"d{die}" for die in dice)


def block_of(raw: dict[str, Any]) -> StatBlock:
    return StatBlock.model_validate({**raw, "id": "b", "side": "monsters", "at": (0, 0)})


CREATURES = {name: block_of(raw) for name, raw in content.monsters("cairn").items()}
FURTHER = {row[0]: row[1:] for row in rows_of("5.7 Further creatures")}
PAGED = [name for name, block in CREATURES.items() if block.name not in FURTHER]


def test_every_creature_has_a_page_of_its_own_or_a_row_of_the_further_ones() -> None:
    assert not [CREATURES[name].name for name in PAGED if CREATURES[name].name not in PARTS]
    assert not set(FURTHER) - {block.name for block in CREATURES.values()}
    assert len(PAGED) == 96


@pytest.mark.parametrize("name", [name for name in CREATURES if name not in PAGED])
def test_a_further_creature_has_the_books_figures(name: str) -> None:
    block = CREATURES[name]
    figures = (block.hp_max, block.armor, block.strength, block.dexterity, block.willpower)
    size = f"{block.space}×{block.space}" + (", a detachment" if block.detachment else "")
    attacks = "; ".join(map(told, block.attacks)) or "none"
    assert block.name is not None and FURTHER[block.name] == (*map(str, figures), size, str(block.speed), attacks)


def told(attack: WeaponModel) -> str:
    """An attack as the row has it: `claws d10+d10 (reach 2)`."""
    more = ["blast around it"] if attack.blast == "adjacent" else []
    more += [f"blast of radius {attack.size}"] if attack.blast == "radius" else []
    more += [f"reach {attack.reach}"] if attack.reach > 1 else []
    more += [f"range {attack.near} to {attack.far}"] if attack.far else []
    return f"{attack.name} {notation(attack.dice)}" + (f" ({', '.join(more)})" if more else "")


@pytest.mark.parametrize("name", [name for name in PAGED if CREATURES[name].attacks])
def test_a_creatures_page_says_how_far_and_how_wide_it_strikes(name: str) -> None:
    block = CREATURES[name]
    assert block.name is not None
    text = " ".join(PARTS[block.name].split())
    for attack in block.attacks:
        cone = attack.blast == "cone"
        assert not cone or f"cone of {NUMBERS[attack.size]} spaces" in text
        assert cone or not attack.far or (f"{attack.near} spaces" in text and str(attack.far) in text)
    assert ("sweep" in text) == any(a.blast == "adjacent" for a in block.attacks)
    assert (" two" in text and "reach" in text) == any(a.reach == 2 for a in block.attacks)
    assert ("ignores Armor" in text) == any(a.ignores_armor for a in block.attacks)
    assert ("straight to STR" in text) == any(a.direct for a in block.attacks)
    assert ("It is a detachment" in text or "a detachment." in text) == block.detachment


def test_hirelings_cost_and_carry_what_the_book_says() -> None:
    followers = Book(content.tables("cairn")).followers.values()
    hired = [(each.name, str(each.wage), ", ".join(each.items)) for each in followers if each.kind == "hireling"]
    assert rows_of("Hirelings") == hired


def test_called_creatures_have_the_books_figures() -> None:
    powers = [Power.model_validate(raw) for raw in content.tables("cairn")["powers"]]
    called = {
        effect.creature.name: (effect.creature, effect.rounds)
        for power in powers
        for effect in power.effects
        if effect.creature is not None
    }
    booked = {row[0].split(": ")[1].removesuffix(", a detachment"): row for row in rows_of("Called creatures")}
    assert set(booked) == set(called)
    for name, (who, rounds) in called.items():
        figures = (who.hp, who.armor, who.strength, who.dexterity, who.willpower)
        assert booked[name][1:] == (
            *map(str, figures), f"{who.attack} {notation(who.dice)}", str(rounds) if rounds else "the fight",
        )  # fmt: skip
        assert booked[name][0].endswith("a detachment") == who.detachment


def test_the_powers_of_creatures_ask_for_the_books_saves() -> None:
    powers = {raw["name"]: Power.model_validate(raw) for raw in content.tables("cairn")["powers"]}
    for names, taken_in, save, _ in rows_of("Powers of creatures"):
        for power in (powers[name] for name in names.split(", ")):
            assert save == (power.save.upper() or "–"), power.name
            assert taken_in.startswith("foes") == power.foes_only, power.name
            assert taken_in.endswith("in earshot") == (power.range == "earshot"), power.name


def test_scars_are_called_in_the_book_as_on_a_sheet() -> None:
    assert [row[:2] for row in rows_of("Scars")] == [(str(n), scar.name) for n, scar in SCARS.items()]


def test_the_book_has_every_option_and_its_default() -> None:
    """But for `strict_throws`, which is the record's and no rule."""
    assert {row[0].strip("`"): row[1] == "on" for row in rows_of("7. Options")} == {
        name: value for name, value in OPTIONS.items() if name != "strict_throws"
    }
