"""What Dungeons of Olde accept in a record (tests/recordpage/test_record_page.py)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from rules.board.bitboard import board_of
from rules.board.fixtures import Challenge, Door
from rules.board.grid import Field
from rules.contract.units import Cell, CreatureIx
from rules.olde.actions.calls import CALLS
from rules.olde.actions.table import ALL_KINDS
from rules.olde.explore.kinds import CRAWLING
from rules.olde.ruleset import OPTIONS
from rules.olde.statblock import StatBlock
from rules.olde.state import Lying, OldeState, Question
from rules.olde.traits import TraitModel
from tests.recordpage import expeditions
from tests.recordpage.accepts import Accepts, taken
from tests.rules.olde.creatures import Fight, being, duel
from tests.rules.olde.exploring import Exploration

ROWS = ["############", "#..........#", "#.. .......#", "#....~.....#", "############"]
"""A hall with a gap of one space at [3, 2]."""
MAGE: dict[str, Any] = {
    "spells": ["ember bolt", "fire blast", "wall of stone", "light"],
    "blessings": ["mend wounds", "bless"],
    "items": ["healing draught", "scroll of sleep", "scroll of fire blast"],
    "skills": {"Literacy": "Apprentice", "Swords": "Apprentice", "Shields": "Journeyman"},
}


def accepts() -> Accepts:
    """Everything by the code itself: commands by what is legal in positions in which every kind of deed is."""
    commands = taken(duel([]).rules, positions())
    for do, call in CALLS.items():
        fields = {"target", "option"}
        fields |= (
            {"rating", "advantage"} if call.rated else {"against", "resists", "advantage"} if call.opposed else set()
        )
        commands[do] = frozenset(fields)
    missing = {*ALL_KINDS, *CRAWLING} - set(commands)
    assert not missing, f"no position shows {sorted(missing)}"
    return Accepts(commands, OPTIONS, {"": StatBlock, "traits": TraitModel})


def positions() -> Iterator[OldeState]:
    """A hall full of things to do, the same from the floor, in the water, behind a shield, and being explored."""
    yield _hall(a=MAGE).now
    yield _hall(a={"weapons": ["longbow"], "shield": None, "posture": "prone"}).now
    yield _hall(a={"weapons": ["broadsword"], "shield": "roundel", "skills": MAGE["skills"]}).now
    fired = _hall(a={"weapons": ["crossbow"]}).now
    yield _with(fired, 0, unset=("crossbow",))
    yield _with(_hall().now, 1, stunned=6, ap=0)
    yield _hall(a={"traits": [{"name": "call for help"}]}, aa={"asleep": True}).now
    yield _hall(a={"weapons": ["broadsword", "dagger"]}).now
    stairs = Field.from_rows(["#####", "#...#", "#####"], levels=["00000", "00110", "00000"], climbs=(Cell(6), Cell(7)))
    yield Fight(being("a", (1, 1)), being("b", (3, 1)), throws=[8, 4], field=stairs).now
    asked = _hall(gm=True).now
    yield msgspec.structs.replace(
        asked, question=Question("gm", "critical_miss", ("drop_weapon", "fall_prone"), CreatureIx(0), CreatureIx(2))
    )
    yield _full().now
    yield from _explored()
    yield from expeditions.positions("olde")
    yield from expeditions.fights("olde")


def _full() -> Fight:
    """A chest, and coins on the floor, where everything may be taken along."""
    field = Field.from_rows(["######", "#....#", "######"])
    chest = Challenge("chest", "chest", (field.cell(2, 1),), 0)
    field = msgspec.structs.replace(field, challenges=(chest,))
    fight = Fight(being("a", (1, 1)), being("b", (4, 1)), throws=[8, 4], field=field, fixtures=True)
    fight.now = msgspec.structs.replace(fight.now, floor=(Lying("12 coins", field.cell(1, 1), -1),))
    return fight


def _ground() -> Field:
    field = Field.from_rows(ROWS)
    at = field.cell
    doors = (
        Door("shut", at(1, 2), None, "closed", "iron key", 9),
        Door("open", at(1, 1), None, "open", "iron key", 9),
        Door("locked", at(2, 3), None, "locked", "iron key", 9),
        Door("secret", at(9, 1), None, "secret", "", 9),
    )
    challenges = (
        Challenge("iron chest", "chest", (at(1, 3),), contents="a ring"),
        Challenge("pool", "water", (at(3, 1),)),
        Challenge("ledge", "climb", (at(3, 3),), difficulty=9),
    )
    return msgspec.structs.replace(field, doors=doors, challenges=challenges)


def _hall(a: Any = None, aa: Any = None, **options: Any) -> Fight:
    crew = (
        being("a", (2, 2), **{"mana": 1, "faith": 1, "keys": ["iron key"], **(a or {})}),
        being("aa", (2, 1), "heroes", **(aa or {"hp": 8, "conditions": ["bleeding"]})),
        being("b", (4, 2)),
        being("c", (2, 2), "monsters", hp=-2, keys=["brass key"]),
    )
    fight = Fight(*crew, throws=[1, 1, 8, *[1] * 20], field=_ground(), strict_throws=False, **options)
    fallen = (Lying("dagger", fight.field.cell(2, 2), 2),)
    fight.now = msgspec.structs.replace(fight.now, floor=fallen)
    return fight


def _with(state: OldeState, who: int, **changes: Any) -> OldeState:
    figures = list(state.figures)
    figures[who] = msgspec.structs.replace(figures[who], **changes)
    return msgspec.structs.replace(state, figures=tuple(figures))


def _explored() -> Iterator[OldeState]:
    hurt: dict[str, Any] = {"hp": 5, "mana": 1, "faith": 1, "light": 4, **MAGE}
    crew = being("a", (2, 2), **hurt), being("aa", (2, 1), "heroes", hp=3), being("z", (10, 3), "monsters")
    field = _ground()
    field = msgspec.structs.replace(field, exits=board_of((field.cell(2, 2), field.cell(2, 1))))
    explored = Exploration(*crew, field=field)
    yield msgspec.structs.replace(explored.now, challenges=("open", *explored.now.challenges[1:]))
    explored.do("a", "douse")
    yield explored.now
