"""What Count-Up accepts in a record (tests/recordpage/test_record_page.py)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from rules.board.fixtures import Challenge
from rules.board.grid import Field
from rules.contract.units import CreatureIx
from rules.countup.actions.table import ACTION_KINDS
from rules.countup.explore.kinds import EXPLORING
from rules.countup.gear import Weapon
from rules.countup.statblock import StatBlock
from rules.countup.state import OPTIONS, Choice, CountState
from tests.recordpage import expeditions
from tests.recordpage.accepts import Accepts, taken
from tests.rules.countup.creatures import Fight, being, changed

ROWS = ["##########", "#..+.'...#", "#..+.....#", "#..+.....#", "##########"]
"""A locked door, an open one beside it, a closed one and a secret one below."""


def accepts() -> Accepts:
    """Everything by the code itself: commands by what is legal in positions in which every kind of order is."""
    commands = taken(_room().rules, positions())
    commands["policy"] = frozenset({"option"})  # legal at any time, and never listed
    missing = {*ACTION_KINDS, *EXPLORING} - set(commands)
    assert not missing, f"no position shows {sorted(missing)}"
    return Accepts(commands, OPTIONS, {"": StatBlock, "attacks": Weapon})


def positions() -> Iterator[CountState]:
    """A room with doors of all kinds, a thing on the floor and a foe: from afar, engaged, held, lying, being asked."""
    yield _room(foe=(8, 3)).now
    yield _room(weapons=["longbow", "dagger"]).now
    engaged = _room(weapons=["spear", "dagger"])
    yield engaged.now
    yield changed(engaged, "a", held_by=1).now
    yield changed(_room(), "a", prone=True).now
    begun = _room(foe=(8, 3))
    begun.do("a", "walk", path=[(4, 3)])
    yield begun.now
    yield _full().now
    yield msgspec.structs.replace(
        _room().now, choices=(Choice(CreatureIx(0), "give_ground", ("stand", "yield"), CreatureIx(1)),)
    )
    ravine = Field.from_rows(["########", "#. ....#", "########"])
    leaper = being("a", (1, 1), skills={"jumping": 50})
    edge = Fight(leaper, being("b", (6, 1)), field=ravine, throws=[1, 1], fixtures=True, hurdles=True)
    yield edge.now
    yield from expeditions.positions("countup", light=8)
    yield from expeditions.fights("countup")


def _full() -> Fight:
    """Keys, chests, a trap and a ledge, with everything that stands on the map dealt with."""
    field = Field.from_rows(["########", "#++....#", "#......#", "########"])
    doors = tuple(
        msgspec.structs.replace(door, state=state, key="iron key")
        for door, state in zip(field.doors, ("locked", "closed"), strict=True)
    )
    cell = field.cell
    things = (
        Challenge("chest", "chest", (cell(1, 2),), 0), Challenge("slab", "trap", (cell(3, 2),), known=("heroes",)),
        Challenge("ledge", "climb", (cell(2, 2), cell(3, 2)), edges=((cell(2, 2), cell(3, 2)),)),
    )  # fmt: skip
    field = msgspec.structs.replace(field, doors=doors, challenges=things)
    hero = being("a", (2, 2), carries="iron key", skills={"disarm trap": 40})
    fight = Fight(hero, being("b", (6, 1)), field=field, throws=[1, 1], fixtures=True)
    fight.now = msgspec.structs.replace(fight.now, floor=(("12 coins", cell(2, 2)),))
    return fight


def _room(foe: tuple[int, int] = (5, 2), **says: object) -> Fight:
    field = Field.from_rows(ROWS)
    stands = ("locked", "open", "closed", "secret")
    doors = tuple(
        msgspec.structs.replace(door, state=state, key="iron key")
        for door, state in zip(field.doors, stands, strict=True)
    )
    challenges = (
        Challenge("chest", "chest", (field.cell(4, 1),)),
        Challenge("box", "chest", (field.cell(4, 1),), difficulty=0),
        Challenge("ledge", "climb", (field.cell(5, 1),)),
    )
    field = msgspec.structs.replace(field, doors=doors, challenges=challenges)
    spells = ["Candlelight", "Magic Projectile", "Bash Door", "Trifling Cure", "Magic Shield"]
    block: dict[str, Any] = {"spells": spells, "spell_points": 400, "skills": {"lock picking": 40}}
    block |= {"carries": "iron key", **says}
    fight = Fight(
        being("a", (4, 2), **block), being("b", foe), field=field, throws=[1, 1], tactical_move=True, fixtures=True
    )
    fight.now = msgspec.structs.replace(fight.now, floor=(("dagger", fight.field.cell(4, 2)),))
    return fight
