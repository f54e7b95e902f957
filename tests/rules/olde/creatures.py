"""Dungeons of Olde at the table: plain creatures, a duel, and what its tests ask most."""

from __future__ import annotations

from typing import Any

from game.content import tables as content
from tests.rules import table

GEAR = content.tables("olde")
HALL = list(table.Fight.rows)


def being(id: str, at: tuple[int, int] = (1, 1), side: str | None = None, **says: Any) -> dict[str, Any]:
    """A creature: all dice d8 but Savvy and Nerve d6, 11 HP, a broadsword and Swords as Apprentice."""
    block: dict[str, Any] = {
        "id": id, "side": side or ("heroes" if id < "b" else "monsters"), "at": list(at), "controller": "ai",
        "brawn": 8, "finesse": 8, "savvy": 6, "nerve": 6, "size": "medium",
        "skills": {"Swords": "Apprentice"}, "weapons": ["broadsword"],
    }  # fmt: skip
    return {**block, **says}


class Fight(table.Fight):
    """A fight under Dungeons of Olde."""

    ruleset = "olde"

    def attack(
        self, by: str = "a", target: str = "b", weapon: str = "broadsword", do: str = "attack"
    ) -> dict[str, Any]:
        """The attack event of an attack."""
        return self.last("attack", self.do(by, do, target=target, weapon=weapon))

    @property
    def acting(self) -> str | None:
        return self.state["acting"]


def duel(throws: Any, a: Any = None, b: Any = None, ap: tuple[int, ...] = (8, 4), **more: Any) -> Fight:
    """Hero `a` at [1, 1] and monster `b` beside it; `ap` are their first throws."""
    first, second = being("a", (1, 1), **(a or {})), being("b", (2, 1), **(b or {}))
    return Fight(first, second, throws=[*ap, *throws], **more)


def because(event: dict[str, Any], to: str) -> int:
    """The sum of an attack's itemised adjustments to `attack`, `defense` or `damage`."""
    return sum(item["value"] for item in event.get("adjustments", ()) if item["to"] == to)
