"""Cairn at the table: plain people and foes, a duel, and what its tests ask most."""

from __future__ import annotations

from typing import Any

from game.content import tables as content
from tests.rules import table

TABLES = content.tables("cairn")
HALL = list(table.Fight.rows)


def pc(id: str, at: tuple[int, int] = (1, 1), *, side: str = "heroes", **says: Any) -> dict[str, Any]:
    """A player's character that was ready (no save in the first round): all scores 10, 6 HP, a sword."""
    block: dict[str, Any] = {
        "id": id, "side": side, "at": list(at), "strength": 10, "dexterity": 10, "willpower": 10, "hp_max": 6,
        "items": ["sword"], "alert": "ready",
    }  # fmt: skip
    return {**block, **says}


def foe(id: str, at: tuple[int, int] = (2, 1), **says: Any) -> dict[str, Any]:
    """A foe: all scores 10, 4 HP, claws d6."""
    claws = {"name": "claws", "dice": [6], "hands": 0, "slots": 0, "natural": True}
    block = {**pc(id, at, side="monsters"), "hp_max": 4, "items": [], "attacks": [claws], "alert": "normal"}
    return {**block, **says}


class Fight(table.Fight):
    """A fight under Cairn."""

    ruleset = "cairn"

    def __init__(self, *creatures: dict[str, Any], throws: Any = (), **more: Any) -> None:
        super().__init__(*creatures, throws=throws, **more)

    def half(self, side: str = "heroes") -> list[dict[str, Any]]:
        """A side resolves."""
        return self.do(side, "resolve")

    def strike(self, *pairs: tuple[str, str, str], side: str = "heroes") -> dict[str, Any]:
        """Each (attacker, target, weapon) is planned, the side resolves; the attack that counted."""
        for by, target, weapon in pairs:
            self.do(by, "attack", target=target, weapon=weapon)
        events = self.half(side)
        return next(e for e in events if e["event"] == "attack" and e["outcome"] != "scratched")


def duel(throws: Any, a: Any = None, b: Any = None, **more: Any) -> Fight:
    """PC `a` at [1, 1] and foe `b` beside it."""
    return Fight(pc("a", (1, 1), **(a or {})), foe("b", (2, 1), **(b or {})), throws=throws, **more)
