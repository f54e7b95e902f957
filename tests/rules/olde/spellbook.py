"""A mage to try spells with, at the table of table.py."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rules.olde.magic.spells import POOLS
from tests.rules.olde.creatures import Fight, being
from tests.rules.olde.test_magic_content import GRIMOIRE

HALL = ["###############", *["#.............#"] * 7, "###############"]


def mage(
    throws: Sequence[int | None],
    *spells: str,
    at: tuple[int, int] = (3, 4),
    foe: tuple[int, int] = (7, 4),
    others: tuple[dict[str, Any], ...] = (),
    b: dict[str, Any] | None = None,
    start: Sequence[int | None] | None = None,
    **says: Any,
) -> Fight:
    """Hero `a` (casting dice d8, 12 Mana, 12 Faith) and monster `b` (Brawn d20, Finesse d8, Nerve d6, 23 HP).

    `a` acts first: the first throws are the AP dice, 8 for `a`, 4 for `b`, 1 for each of the others.
    """
    known = {p.table: [n for n in spells if GRIMOIRE.spells[n].paid == p] for p in POOLS.values()}
    skills = {"Wizardry": "Apprentice", "Faith": "Apprentice", "Literacy": "Apprentice"}
    hero = being("a", at, **{"savvy": 8, "nerve": 8, "skills": skills, "weapons": [], **known, **says})
    foe_says: dict[str, Any] = {"brawn": 20, **(b or {})}
    first = start or [8, 4, *[1] * len(others)]
    return Fight(hero, being("b", foe, **foe_says), *others, throws=[*first, *throws], rows=HALL)


def cast(fight: Fight, spell: str, **says: Any) -> dict[str, Any]:
    """The cast event of a casting by `a`."""
    return fight.last("cast", fight.do("a", "cast", item=spell, **says))


def next_turn(fight: Fight) -> None:
    """Everybody ends its chances until a new turn begins."""
    turn = fight.state["turn"]
    while fight.state["turn"] == turn:
        fight.end(fight.acting or "")


def effects(fight: Fight, who: str) -> list[tuple[str, int]]:
    return [(e["name"], e["turns"]) for e in fight.of(who).get("effects", [])]
