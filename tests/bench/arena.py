"""The fights that are measured: bands of the content on walled maps of any size."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from random import Random
from typing import Any

from game.content import tables as content
from rules.board import grid
from rules.board.grid import Field
from rules.contract.ruleset import Ruleset, Scenario, State
from rules.core import record as records
from rules.core.registry import ruleset

KINDS = ("olde", "cairn", "countup")
HEROES = {
    "olde": ("warrior", "templar", "ranger", "rogue"),
    "cairn": ("wolfram", "freya", "lucius", "gann"),
    "countup": ("hale", "bram", "tess", "cora"),
}
FOES = {
    "olde": ("goblin", "goblin", "goblin_archer", "orc", "wolf", "goblin_chief"),
    "cairn": ("goblin", "goblin", "bandit", "orc", "wolf", "hobgoblin"),
    "countup": ("goblin", "goblin", "bandit_archer", "orc", "wolf", "hobgoblin"),
}
ROOM = 8
"""Spaces from one inner wall to the next."""


def rules(kind: str = "olde") -> Ruleset:
    """A ruleset that is measured."""
    return ruleset(kind)


def compiled() -> bool:
    """Whether the rules that are measured were compiled: other goals hold then."""
    return not str(grid.__file__).endswith(".py")


@lru_cache(maxsize=16)
def walled(side: int) -> Field:
    """A square map of rooms: walls every eight spaces with a gap in each stretch, closed doors, rubble, pillars."""
    random = Random(side)
    rows = [["."] * side for _ in range(side)]
    for i in range(side):
        for wall in (*range(0, side, ROOM), side - 1):
            rows[i][wall] = rows[wall][i] = "#"
    for wall in range(ROOM, side - 1, ROOM):
        for start in range(0, side, ROOM):
            ahead, down = (start + random.randrange(2, ROOM - 2) for _ in range(2))
            for step in (0, 1):
                if ahead + step < side - 1:
                    rows[ahead + step][wall] = "."
                if down + step < side - 1:
                    rows[wall][down + step] = "."
    for _ in range(side * side // 40):
        x, y = random.randrange(1, side - 1), random.randrange(1, side - 1)
        if rows[y][x] == ".":
            rows[y][x] = random.choice("~~#")
    field = Field.from_rows(["".join(row) for row in rows])
    return _with_doors(field, rows)


def _with_doors(field: Field, rows: list[list[str]]) -> Field:
    """Every sixth gap has a door instead."""
    gaps = [
        (x, y)
        for y in range(1, field.height - 1)
        for x in range(1, field.width - 1)
        if rows[y][x] == "." and (x % ROOM == 0 or y % ROOM == 0)
    ]
    for x, y in gaps[::6]:
        rows[y][x] = "+"
    return Field.from_rows(["".join(row) for row in rows])


def scenario(side: int = 32, heroes: int = 4, foes: int = 6, seed: int = 1, kind: str = "olde") -> Scenario:
    """So many against so many, placed by the seed on two neighbouring quarters of the map."""
    field = walled(side)
    random = Random(seed)
    half = side // 2
    creatures: list[Mapping[str, Any]] = []
    taken = 0
    terrain = field.terrain()
    room = terrain.steps(1).fit & terrain.steps(2).fit
    for i in range(heroes + foes):
        hero = i < heroes
        names = (HEROES if hero else FOES)[kind]
        number = i if hero else i - heroes
        while True:
            x, y = random.randrange(1, half), random.randrange(1, side - 1)
            cell = field.cell(x if hero else side - 1 - x, y)
            if room >> cell & 1 and not taken >> cell & 1:
                break
        taken |= 1 << cell
        entry = content.template(kind, names[number % len(names)])
        name = f"{entry['template']} {number + 1}"
        creatures.append({**entry, "id": name, "side": "heroes" if hero else "monsters", "at": list(field.at(cell))})
    return Scenario(kind, field, tuple(creatures), seed, None, {}, content.tables(kind))


def start(side: int = 32, heroes: int = 4, foes: int = 6, seed: int = 1, kind: str = "olde") -> State:
    """The first state of such a fight."""
    return rules(kind).start(scenario(side, heroes, foes, seed, kind)).state


def rows_of(field: Field) -> list[str]:
    """The map as rows of a record."""
    symbols = {0: ".", 1: "~", 2: "#"}
    doors = {door.cell for door in field.doors}
    return [
        "".join(
            "+" if cell in doors else symbols[field.ground[cell]]
            for cell in range(y * field.width, (y + 1) * field.width)
        )
        for y in range(field.height)
    ]


def document(side: int, heroes: int, foes: int) -> dict[str, Any]:
    """The same as a record, for the window and the command line."""
    fight = scenario(side, heroes, foes)
    creatures = [{k: c[k] for k in ("id", "side", "at", "template")} | {"controller": "human"} for c in fight.creatures]
    return {
        "format": records.FORMAT, "ruleset": "olde", "map": {"rows": rows_of(fight.field)}, "seed": 1,
        "creatures": creatures, "commands": [],
    }  # fmt: skip
