"""What Cairn accepts in a record (tests/recordpage/test_record_page.py)."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from rules.board.fixtures import Challenge
from rules.board.grid import Field
from rules.cairn.actions.legal import ACTION_KINDS
from rules.cairn.conditions import BLEEDING_OUT
from rules.cairn.explore.kinds import EXPLORING
from rules.cairn.gear import Rider, WeaponModel
from rules.cairn.ruleset import OPTIONS
from rules.cairn.statblock import StatBlock
from rules.cairn.state import CairnState, Choice, Lying
from rules.contract.units import CreatureIx
from tests.recordpage import expeditions
from tests.recordpage.accepts import Accepts, taken
from tests.rules.cairn.creatures import Fight, foe, pc
from tests.rules.cairn.test_conditions_cairn import laid

ROWS = ["##########", "#..+.'...#", "#..+.....#", "#........#", "##########"]
"""A locked door, an open one beside it, a closed one below."""


def accepts() -> Accepts:
    """Everything by the code itself: commands by what is legal in positions in which every kind of deed is."""
    commands = taken(Fight(pc("a"), foe("b")).rules, positions())
    missing = {*ACTION_KINDS, *EXPLORING} - set(commands)
    assert not missing, f"no position shows {sorted(missing)}"
    return Accepts(commands, OPTIONS, {"": StatBlock, "attacks": WeaponModel, "attacks.rider": Rider})


def positions() -> Iterator[CairnState]:
    """A crowded room: doors of all kinds, things on the floor, books with every kind of aim, the held and the hurt."""
    fight = _room()
    yield fight.now
    for condition in ("restrained", "panicked", "snuffed"):
        yield laid(_room(), "a", condition).now
        yield laid(_room(), "c", condition).now
    fallen = laid(_room(), "c", BLEEDING_OUT.name, rounds=9)
    who = fallen.now.setup.index
    for name, change in (("a", {"posture": "prone"}), ("c", {"critical": True, "posture": "prone"})):
        figures = list(fallen.now.figures)
        figures[who[name]] = msgspec.structs.replace(figures[who[name]], **change)
        fallen.now = msgspec.structs.replace(fallen.now, figures=tuple(figures))
    yield fallen.now
    planned = _room()
    planned.do("a", "end")
    yield planned.now
    yield _full().now
    asked = _room().now
    yield msgspec.structs.replace(asked, choices=(Choice("gm", "sundered", ("arm", "leg"), CreatureIx(0)),))
    ravine = Field.from_rows(["#########", "#. .....#", "#########"])
    yield Fight(pc("a", (1, 1)), foe("b", (7, 1)), field=ravine, throws=[], fixtures=True, hurdles=True).now
    yield from expeditions.positions("cairn", items=["torch"], hp=1)
    yield from expeditions.fights("cairn")


def _full() -> Fight:
    """Keys, tools, chests, a trap and a face, with everything that stands on the map dealt with."""
    field = Field.from_rows(["######", "#+++.#", "#....#", "######"])
    doors = tuple(
        msgspec.structs.replace(door, state=state, key="iron key")
        for door, state in zip(field.doors, ("locked", "closed", "locked"), strict=True)
    )
    cell = field.cell
    things = (
        Challenge("chest", "chest", (cell(1, 2),), 0), Challenge("slab", "trap", (cell(3, 2),), known=("heroes",)),
        Challenge("ledge", "climb", (cell(2, 2), cell(3, 2)), edges=((cell(2, 2), cell(3, 2)),)),
    )  # fmt: skip
    field = msgspec.structs.replace(field, doors=doors, challenges=things)
    hero = pc("a", (2, 2), items=["sword", "thieving tools"], carries="iron key")
    fight = Fight(hero, foe("b", (4, 1)), field=field, throws=[], fixtures=True)
    fight.now = msgspec.structs.replace(fight.now, floor=(Lying("12 coins", cell(2, 2)),))
    return fight


def _room() -> Fight:
    field = Field.from_rows(ROWS)
    first, *others = field.doors
    keyed = [msgspec.structs.replace(each, key="iron key") for each in (first, *others)]
    doors = (msgspec.structs.replace(keyed[0], state="locked"), *keyed[1:])
    challenges = (
        Challenge("chest", "chest", (field.cell(4, 3),)),
        Challenge("box", "chest", (field.cell(4, 3),), difficulty=0),
        Challenge("ledge", "climb", (field.cell(5, 1),)),
    )
    field = msgspec.structs.replace(field, doors=doors, challenges=challenges)
    books = ["book of Sleep", "book of Shuffle", "book of Knock", "scroll of Web", "herbs"]
    fight = Fight(
        pc("a", (4, 1), items=["sword", "bandages", "torch", "thieving tools", *books], carries="iron key"),
        pc("c", (4, 2), items=["sword", "torch"]),
        foe("b", (5, 2), powers=["Stone Gaze"]),
        field=field,
        throws=[],
        fixtures=True,
    )
    lying = (Lying("dagger", fight.field.cell(4, 1)),)
    fight.now = msgspec.structs.replace(fight.now, floor=lying, round=2)  # the panicked plan from the second on
    return fight
