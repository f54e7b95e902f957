"""A table to try Cairn at: a small fight with scripted throws, driven in the words of a record."""

from __future__ import annotations

from typing import Any

from game.content import tables as content
from rules.board.grid import Field
from rules.cairn import Cairn
from rules.contract.actions import Action
from rules.contract.scenario import Scenario
from rules.contract.text import as_builtins

TABLES = content.tables("cairn")
HALL = ["############", "#..........#", "#..........#", "#..........#", "############"]


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


class Fight:
    """A fight; `throws` are all its faces in order. Spaces are `[column, row]`, as in records."""

    def __init__(self, *creatures: dict[str, Any], throws: Any = (), rows: Any = None, **more: Any) -> None:
        self.field: Field = more.pop("field", None) or Field.from_rows(rows or HALL)
        self.rules = Cairn()
        scripted = None if throws is None else tuple(throws)
        tables = {**TABLES, **more.pop("tables", {})}
        step = self.rules.start(Scenario("cairn", self.field, creatures, 1, scripted, more, tables))
        self.now, self.events = step.state, [as_builtins(event) for event in step.events]

    def _action(self, by: str, do: str, says: dict[str, Any]) -> Action:
        if "path" in says:
            says["path"] = tuple(self.field.cell(*space) for space in says["path"])
        if "at" in says:
            says["at"] = self.field.cell(*says["at"])
        return Action(by, do, **says)

    def _decision(self, by: str) -> Any:
        open_now = self.rules.decisions(self.now)
        return next((d for d in open_now if d.by == by), open_now[0])

    def do(self, by: str, do: str, **says: Any) -> list[dict[str, Any]]:
        """Do it and give the events; it must be legal."""
        step = self.rules.apply(self.now, self._decision(by), self._action(by, do, says))
        self.now, events = step.state, [as_builtins(event) for event in step.events]
        self.events += events
        return events

    def refusal(self, by: str, do: str, **says: Any) -> str:
        """Why it is illegal now; it must be, and must be said in one line."""
        reason = self.rules.legal(self.now, self._decision(by)).refusal(self._action(by, do, says))
        assert reason is not None, f"{by} {do} {says} is legal"
        assert "\n" not in reason
        return reason

    def half(self, side: str = "heroes") -> list[dict[str, Any]]:
        """A side resolves."""
        return self.do(side, "resolve")

    def strike(self, *pairs: tuple[str, str, str], side: str = "heroes") -> dict[str, Any]:
        """Each (attacker, target, weapon) is planned, the side resolves; the attack that counted."""
        for by, target, weapon in pairs:
            self.do(by, "attack", target=target, weapon=weapon)
        events = self.half(side)
        return next(e for e in events if e["event"] == "attack" and e["outcome"] != "scratched")

    def all(self, kind: str) -> list[dict[str, Any]]:
        """All events of a kind so far."""
        return [event for event in self.events if event["event"] == kind]

    def of(self, id: str) -> dict[str, Any]:
        """A creature as `--state` shows it."""
        return self.state["creatures"][id]

    @property
    def state(self) -> dict[str, Any]:
        return as_builtins(dict(self.rules.summary(self.now)))

    @property
    def used(self) -> int:
        """Scripted throws used so far."""
        return self.now.throw_at

    @property
    def waiting(self) -> list[str]:
        """Who has a decision open, in order."""
        return [d.by for d in self.rules.decisions(self.now)]


def duel(throws: Any, a: Any = None, b: Any = None, **more: Any) -> Fight:
    """PC `a` at [1, 1] and foe `b` beside it."""
    return Fight(pc("a", (1, 1), **(a or {})), foe("b", (2, 1), **(b or {})), throws=throws, **more)
