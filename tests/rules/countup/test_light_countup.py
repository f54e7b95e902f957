"""Light on maps and by spells, and what the want of it costs (countup.md §3, §5.4)."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from rules.board.grid import Field, Light
from rules.contract.units import Cell, CreatureIx
from rules.countup.visibility import level, penalties
from tests.rules.countup.creatures import HALL, Fight, being
from tests.rules.table import dice


def lit_hall(ambient: str, *lights: Light, b: Any = None) -> Fight:
    """`a` looks at `b`, ten spaces off."""
    field = msgspec.structs.replace(Field.from_rows(HALL), ambient=ambient, lights=lights)
    return Fight(
        being("a", (1, 1)), being("b", (11, 1), **(b or {})), throws=dice("initiative 1 1"), field=field, darkness=True
    )


def test_a_dim_map_is_dim_where_no_light_shines() -> None:
    """§3: dim −4 to the attack, −2 to the defence; a lamp beside the target makes it bright."""
    assert penalties(lit_hall("dim").now, CreatureIx(0), CreatureIx(1)) == (-4, -2)
    assert penalties(lit_hall("dim", Light(Cell(11 + 22), 1)).now, CreatureIx(0), CreatureIx(1)) == (0, -2)


@pytest.mark.parametrize("kinds", [("light", "dark"), ("dark", "light")])
def test_a_veil_of_darkness_drowns_a_light_by_spell_whichever_came_first(kinds: tuple[str, str]) -> None:
    fight = lit_hall("dark")
    cell = fight.field.cell(11, 1)
    fight.now = msgspec.structs.replace(fight.now, zones=tuple((kind, 1 << cell, 99) for kind in kinds))
    assert level(fight.now, cell).name == "DARK"


def test_a_veil_of_darkness_is_dark_on_a_bright_map() -> None:
    fight = lit_hall("bright")
    veil = ("dark", 1 << fight.field.cell(11, 1), 99)
    fight.now = msgspec.structs.replace(fight.now, zones=(veil,))
    assert penalties(fight.now, CreatureIx(0), CreatureIx(1)) == (-8, 0)


def test_of_who_covers_several_spaces_the_lightest_counts() -> None:
    """A lamp lights the lower row of an ogre's four spaces, not the upper left."""
    fight = lit_hall("dark", Light(Cell(11 + 2 * 22), 0), b={"size": "L", "space": 2})
    assert penalties(fight.now, CreatureIx(0), CreatureIx(1)) == (0, -4)


@pytest.mark.parametrize(("carried", "levels"), [({"light": 2}, ["BRIGHT", "DIM", "DIM", "DARK"]), ({}, ["DARK"] * 4)])
def test_a_light_that_is_carried_is_bright_so_far_and_dim_twice_as_far(carried: Any, levels: list[str]) -> None:
    fight = lit_hall("dark", b=carried)
    assert [level(fight.now, fight.field.cell(11 + n, 1)).name for n in (2, 3, 4, 5)] == levels


def test_a_side_sees_what_the_light_that_it_carries_shows() -> None:
    fight = lit_hall("dark", b={"light": 2})
    seen = fight.rules.sees(fight.now, "monsters")
    assert [bool(seen >> fight.field.cell(11 + n, 1) & 1) for n in (1, 4, 5)] == [True, True, False]
