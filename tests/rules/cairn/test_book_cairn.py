"""The rulebook's tables say what is played: creatures, gear, hirelings, scars (cairn.md §4, §5, §7)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from game import content
from rules.cairn.creation import HIRES
from rules.cairn.gear import ArmourModel, GearModel, WeaponModel
from rules.cairn.powers import PowerModel
from rules.cairn.ruleset import OPTIONS
from rules.cairn.statblock import StatBlock
from rules.cairn.terms import SCARS

BOOK = Path(__file__).parents[3] / "docs" / "rules" / "cairn.md"
Row = tuple[str, ...]


def tables() -> Iterator[tuple[str, list[Row]]]:
    """(heading, rows without the head) of every table of the book."""
    heading, rows = "", list[Row]()
    for line in [*BOOK.read_text(encoding="utf-8").splitlines(), ""]:
        if line.startswith("|"):
            rows.append(tuple(cell.strip() for cell in line.strip("|").split("|")))
            continue
        if rows:
            yield heading, rows[2:]
            rows = []
        if line.startswith("#"):
            heading = line.lstrip("# ")


def rows_of(heading: str, number: int = 0) -> list[Row]:
    return [rows for there, rows in tables() if there == heading][number]


def notation(dice: tuple[int, ...]) -> str:
    return "+".join(f"d{die}" for die in dice)


def block_of(raw: dict[str, Any]) -> StatBlock:
    return StatBlock.model_validate({**raw, "id": "b", "side": "monsters", "at": (0, 0)})


def told(block: StatBlock) -> list[str]:
    """A creature's figures as the book has them, but for what it says of its attacks in brackets."""
    size = f"{block.space}×{block.space}" + (", a detachment" if block.detachment else "")
    attacks = [f"{each.name} {notation(each.dice)}" for each in block.attacks] or ["none"]
    figures = (block.hp_max, block.armor, block.strength, block.dexterity, block.willpower)
    return [*map(str, figures), size, str(block.speed), *attacks]


def read(row: Row) -> list[str]:
    return [*row[:-1], *(attack.partition(" (")[0] for attack in row[-1].split("; "))]


CREATURES = content.monsters("cairn")
BOOKED = {heading: rows[0] for heading, rows in tables()} | {
    name: tuple(row) for name, *row in rows_of("5.7 Further creatures")
}


@pytest.mark.parametrize("template", CREATURES)
def test_a_creatures_figures_in_the_book_are_those_it_fights_with(template: str) -> None:
    block = block_of(CREATURES[template])
    assert read(BOOKED[block.name]) == told(block)


@pytest.mark.parametrize("template", [name for name, raw in CREATURES.items() if raw.get("attacks")])
def test_the_book_says_how_far_and_how_wide_an_attack_goes(template: str) -> None:
    block = block_of(CREATURES[template])
    for attack, words in zip(block.attacks, BOOKED[block.name][-1].split("; "), strict=True):
        assert ("cone of" in words) == (attack.blast == "cone")
        assert ("blast around" in words) == (attack.blast == "adjacent")
        assert (f"reach {attack.reach}" in words) == (attack.reach > 1)
        assert (f"range {attack.near} to {attack.far}" in words) == (
            attack.far > 0 and attack.blast != "cone"
        )
        assert ("ignores Armor" in words, "straight to STR" in words) == (attack.ignores_armor, attack.direct)


def test_the_table_of_weapons_is_the_contents() -> None:
    models = [WeaponModel.model_validate(raw) for raw in content.tables("cairn")["weapons"]]
    assert rows_of("5.1 Weapons") == [
        (w.name, notation(w.dice), *(str(n) for n in (w.hands, w.slots, w.reach, w.near or "–", w.far or "–", w.cost)))
        for w in models
    ]  # fmt: skip


def test_the_table_of_armour_is_the_contents() -> None:
    models = [ArmourModel.model_validate(raw) for raw in content.tables("cairn")["armour"]]
    assert rows_of("5.2 Armour") == [
        (
            a.name,
            "+" * a.stacks + str(a.armor),
            str(a.hands),
            str(a.slots),
            "yes" if a.metal else "no",
            str(a.cost),
        )
        for a in models
    ]


def test_the_table_of_gear_is_the_contents() -> None:
    models = [GearModel.model_validate(raw) for raw in content.tables("cairn")["gear"]]
    assert rows_of("5.3 Gear") == [
        (g.name, str(g.slots), str(g.charges or "–"), str(g.cost)) for g in models if g.kind == "gear"
    ]


def test_hirelings_cost_and_carry_what_the_book_says() -> None:
    assert rows_of("Hirelings") == [(h.name, str(h.cost), ", ".join(h.items)) for h in HIRES.values()]


def test_called_creatures_have_the_books_figures() -> None:
    powers = [PowerModel.model_validate(raw) for raw in content.tables("cairn")["powers"]]
    called = {
        effect.creature.name: (effect.creature, effect.rounds)
        for power in powers
        for effect in power.effects
        if effect.creature is not None
    }
    booked = {
        row[0].split(": ")[1].removesuffix(", a detachment"): row for row in rows_of("Called creatures")
    }
    assert set(booked) == set(called)
    for name, (who, rounds) in called.items():
        figures = (who.hp, who.armor, who.strength, who.dexterity, who.willpower)
        assert booked[name][1:] == (
            *map(str, figures), f"{who.attack} {notation(who.dice)}", str(rounds) if rounds else "the fight",
        )  # fmt: skip
        assert booked[name][0].endswith("a detachment") == who.detachment


def test_the_powers_of_creatures_ask_for_the_books_saves() -> None:
    powers = {raw["name"]: PowerModel.model_validate(raw) for raw in content.tables("cairn")["powers"]}
    for names, taken_in, save, _ in rows_of("Powers of creatures"):
        for power in (powers[name] for name in names.split(", ")):
            assert save == (power.save.upper() or "–"), power.name
            assert taken_in.startswith("foes") == power.foes_only, power.name
            assert taken_in.endswith("in earshot") == (power.range == "earshot"), power.name


def test_scars_are_called_in_the_book_as_on_a_sheet() -> None:
    assert [row[:2] for row in rows_of("Scars")] == [(str(n), name) for n, (name, _) in SCARS.items()]


def test_the_book_has_every_option_and_its_default() -> None:
    """But for `strict_throws`, which is the record's and no rule."""
    assert {row[0].strip("`"): row[1] == "on" for row in rows_of("7. Options")} == {
        name: value for name, value in OPTIONS.items() if name != "strict_throws"
    }
