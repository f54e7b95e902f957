"""A table to try rules at: a small fight with scripted throws, driven in the words of a record."""

from __future__ import annotations

from typing import Any

from game.content import tables as content
from rules.board.grid import Field
from rules.contract.actions import Action
from rules.contract.ruleset import Step
from rules.contract.scenario import Scenario
from rules.contract.text import as_builtins
from rules.olde import Olde

GEAR = content.tables("olde")
HALL = ["############", "#..........#", "#..........#", "#..........#", "############"]


def being(id: str, at: tuple[int, int] = (1, 1), side: str | None = None, **says: Any) -> dict[str, Any]:
    """A creature: all dice d8 but Savvy and Nerve d6, 11 HP, a broadsword and Swords as Apprentice."""
    block: dict[str, Any] = {
        "id": id, "side": side or ("heroes" if id < "b" else "monsters"), "at": list(at), "controller": "ai",
        "brawn": 8, "finesse": 8, "savvy": 6, "nerve": 6, "size": "medium",
        "skills": {"Swords": "Apprentice"}, "weapons": ["broadsword"],
    }  # fmt: skip
    return {**block, **says}


class Fight:
    """A fight; `throws` are all its faces in order. Spaces are `[column, row]`, as in records."""

    def __init__(self, *creatures: dict[str, Any], throws: Any = None, rows: Any = None, **more: Any) -> None:
        self.field: Field = more.pop("field", None) or Field.from_rows(rows or HALL)
        gear = more.pop("gear", GEAR)
        self.rules = Olde()
        scripted = None if throws is None else tuple(throws)
        scenario = Scenario("olde", self.field, creatures, 1, scripted, more, gear)
        step = self.rules.start(scenario)
        self.now, self.events = step.state, [as_builtins(event) for event in step.events]
        self.story = self._told(step)
        """Every line of the story so far."""

    def _told(self, step: Step) -> list[str]:
        return [line for event in step.events if (line := self.rules.tell(step.state, event))]

    def _action(self, by: str, do: str, says: dict[str, Any]) -> Action:
        if "path" in says:
            says["path"] = tuple(self.field.cell(*space) for space in says["path"])
        if "at" in says:
            says["at"] = self.field.cell(*says["at"])
        return Action(by, do, **says)

    def do(self, by: str, do: str, **says: Any) -> list[dict[str, Any]]:
        """Do it and give the events; it must be legal."""
        (decision,) = self.rules.decisions(self.now)
        step = self.rules.apply(self.now, decision, self._action(by, do, says))
        self.now, events = step.state, [as_builtins(event) for event in step.events]
        self.events += events
        self.story += self._told(step)
        return events

    def end(self, *ids: str) -> None:
        """These end their chances, one after another."""
        for who in ids:
            self.do(who, "end")

    def refusal(self, by: str, do: str, **says: Any) -> str:
        """Why it is illegal now; it must be, and must be said in one line."""
        (decision,) = self.rules.decisions(self.now)
        reason = self.rules.legal(self.now, decision).refusal(self._action(by, do, says))
        assert reason is not None, f"{by} {do} {says} is legal"
        assert "\n" not in reason
        return reason

    def attack(
        self, by: str = "a", target: str = "b", weapon: str = "broadsword", do: str = "attack"
    ) -> dict[str, Any]:
        """The attack event of an attack."""
        return self.last("attack", self.do(by, do, target=target, weapon=weapon))

    def last(self, kind: str, events: list[dict[str, Any]] | None = None) -> dict[str, Any]:
        """The last event of a kind."""
        return [event for event in (self.events if events is None else events) if event["event"] == kind][-1]

    def of(self, id: str) -> dict[str, Any]:
        """A creature as `--state` shows it."""
        return self.state["creatures"][id]

    @property
    def state(self) -> dict[str, Any]:
        return as_builtins(dict(self.rules.summary(self.now)))

    @property
    def acting(self) -> str | None:
        return self.state["acting"]

    @property
    def used(self) -> int:
        """Scripted throws used so far."""
        return self.now.throw_at


def duel(throws: Any, a: Any = None, b: Any = None, ap: tuple[int, int] = (8, 4), **more: Any) -> Fight:
    """Hero `a` at [1, 1] and monster `b` beside it; `ap` are their first throws."""
    first, second = being("a", (1, 1), **(a or {})), being("b", (2, 1), **(b or {}))
    return Fight(first, second, throws=[*ap, *throws], **more)


def because(event: dict[str, Any], to: str) -> int:
    """The sum of an attack's itemised adjustments to `attack`, `defense` or `damage`."""
    return sum(item["value"] for item in event.get("adjustments", ()) if item["to"] == to)
