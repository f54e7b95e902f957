"""Ground and doors that spells have changed: soap, smoke, doors, a ball of fire before a door (countup.md §5.4)."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from rules.board.grid import Field
from rules.contract.units import CreatureIx, Seconds
from rules.countup.combat.attack import crowd_of
from rules.countup.spells import area_of
from rules.countup.state import PreparedAttack, Task
from tests.rules.countup.creatures import Fight, being, changed
from tests.rules.countup.test_missiles_countup import mage
from tests.rules.table import dice

GATE = ["##########", "#...+....#", "#...#....#", "##########"]
DOOR = (4, 1)


def gate(state: str) -> Field:
    field = Field.from_rows(GATE)
    return msgspec.structs.replace(field, doors=(msgspec.structs.replace(field.doors[0], state=state),))


def with_zone(fight: Fight, kind: str, *spaces: tuple[int, int]) -> Fight:
    cells = sum(1 << fight.field.cell(*space) for space in spaces)
    fight.now = msgspec.structs.replace(fight.now, zones=((kind, cells, 99),))
    return fight


def test_the_large_slip_with_any_of_their_spaces() -> None:
    """An ogre's south-eastern space comes onto soap: 1 + 0 against 10, and it lies."""
    fight = Fight(
        being("a", (2, 2), size="L", space=2), being("b", (18, 5)), throws=dice("initiative 1 1, dodge save 1")
    )
    with_zone(fight, "slippery", (4, 3))
    fight.hold("b")
    fight.do("a", "walk", path=[(3, 2)])
    fight.do("a", "end")
    assert fight.now.figures[0].prone


def test_a_fall_on_soap_breaks_work_off() -> None:
    caster = {**mage("Slippery Surface"), "at": [1, 1]}
    fight = Fight(caster, being("b", (5, 1)), throws=dice("initiative 1 1, spell 20 1, dodge save 1"))
    fight = changed(fight, "b", task=Task("search", -1, Seconds(60)), busy=60)
    fight.do("a", "cast", item="Slippery Surface", at=(5, 1))
    fight.until("b", 4)
    assert fight.now.figures[1].prone
    assert fight.now.figures[1].task is None


def shooter(**says: Any) -> Fight:
    return Fight(being("a", (1, 2), weapons=["longbow"]), being("b", (10, 2), size="L", space=2, **says),
                 throws=dice("initiative 1 1"))  # fmt: skip


def test_who_is_half_in_smoke_is_seen() -> None:
    """Smoke about the upper left of an ogre's four spaces leaves the lower ones in sight."""
    fight = with_zone(shooter(), "smoke", (10, 2))
    fight.do("a", "shoot", target="b")
    whole = with_zone(shooter(), "smoke", (10, 2), (11, 2), (10, 3), (11, 3))
    assert "smoke" in whole.refusal("a", "shoot", target="b")


def test_a_missed_shot_finds_nobody_in_smoke() -> None:
    """B12: the next nearest to whom the shooter has a line; smoke leaves it none."""
    fight = Fight(being("a", (1, 1), weapons=["longbow"]), being("b", (8, 1)), being("ab", (9, 1)),
                  being("bc", (8, 3)), throws=[1] * 4)  # fmt: skip
    blow = PreparedAttack(CreatureIx(0), CreatureIx(1), fight.now.weapon(0))
    assert crowd_of(fight.now, blow) == [1, 2, 3]
    with_zone(fight, "smoke", (8, 3))
    assert crowd_of(fight.now, blow) == [1, 2]


@pytest.mark.parametrize("state", ["closed", "locked", "barred"])
def test_a_spell_keeps_a_door_shut_as_it_stands(state: str) -> None:
    """Bar Portal on a door that is shut already: no lock springs open, and nobody opens it."""
    fight = Fight(
        {**mage("Bar Portal"), "at": [3, 1]}, being("b", (8, 2)), field=gate(state), throws=dice("initiative 1 1")
    )
    fight.hold("b", seconds=60)
    fight.do("a", "cast", item="Bar Portal", at=DOOR)
    assert fight.now.doors == (state,)
    assert [kind for kind, _, _ in fight.now.zones] == ["barred"]


@pytest.mark.parametrize("spell", ["Bar Portal", "Bash Door"])
def test_no_spell_is_aimed_at_a_secret_door_that_nobody_found(spell: str) -> None:
    fight = Fight(
        {**mage(spell), "at": [3, 1]}, being("b", (8, 2)), field=gate("secret"), throws=dice("initiative 1 1")
    )
    assert fight.refusal("a", "cast", item=spell, at=DOOR) == "cast: at: no door is there"
    decision = next(d for d in fight.rules.decisions(fight.now) if d.by == "a")
    assert not [action for action in fight.rules.legal(fight.now, decision) if action.do == "cast"]


def test_a_shut_door_stops_a_ball_of_fire() -> None:
    """Skipping Betty: from the third space every two; the door in the fifth is as solid as a wall."""
    rows = ["##########", "#....#...#", "#....+...#", "#....#...#", "##########"]
    fight = Fight(being("a", (1, 2)), being("b", (7, 2)), rows=rows, throws=dice("initiative 1 1"))
    ball = fight.now.setup.armoury.spells["Skipping Betty Fireball"]
    burnt = area_of(fight.now.terrain, ball, fight.field.cell(1, 2), fight.field.cell(3, 2))
    assert burnt >> fight.field.cell(4, 2) & 1
    assert not burnt >> fight.field.cell(7, 2) & 1
