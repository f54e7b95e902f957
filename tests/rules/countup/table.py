"""A table to try Count-Up at: a small fight with scripted throws, driven in the words of a record."""

from __future__ import annotations

from typing import Any

import msgspec

from game.content import tables as content
from rules.board.grid import Field
from rules.contract.actions import Action
from rules.contract.scenario import Scenario
from rules.contract.text import as_builtins
from rules.countup import CountUp

TABLES = content.tables("countup")
HALL = ["#" * 22, *["#" + "." * 20 + "#"] * 5, "#" * 22]


def being(id: str, at: tuple[int, int] = (1, 1), **says: Any) -> dict[str, Any]:
    """No bonuses at all, 40 HP, a longsword, no shield; no threshold of pain."""
    block: dict[str, Any] = {
        "id": id, "side": "heroes" if id < "b" else "monsters", "at": list(at), "hp_max": 40, "pain": 0,
        "weapons": ["longsword"],
    }  # fmt: skip
    return {**block, **says}


class Fight:
    """A fight; `throws` are all its faces in order, initiative first. `lines`: the story after the start."""

    def __init__(self, *creatures: dict[str, Any], throws: Any = (), rows: Any = None, **more: Any) -> None:
        self.field: Field = more.pop("field", None) or Field.from_rows(rows or HALL)
        self.rules = CountUp()
        scripted = None if throws is None else tuple(throws)
        step = self.rules.start(Scenario("countup", self.field, creatures, 1, scripted, more, TABLES))
        self.now, self.events = step.state, [as_builtins(event) for event in step.events]
        self.lines: list[str] = []

    def _action(self, by: str, do: str, says: dict[str, Any]) -> Action:
        if "path" in says:
            says["path"] = tuple(self.field.cell(*space) for space in says["path"])
        if "at" in says:
            says["at"] = self.field.cell(*says["at"])
        return Action(by, do, **says)

    def _decision(self, by: str) -> Any:
        return next(d for d in self.rules.decisions(self.now) if d.by == by)

    def do(self, by: str, do: str, **says: Any) -> list[dict[str, Any]]:
        """Do it and give the events; it must be legal."""
        step = self.rules.apply(self.now, self._decision(by), self._action(by, do, says))
        self.now, events = step.state, [as_builtins(event) for event in step.events]
        self.events += events
        self.lines += [self.rules.tell(self.now, event) for event in step.events]
        return events

    def refusal(self, by: str, do: str, **says: Any) -> str:
        """Why it is illegal now; it must be, and must be said in one line."""
        reason = self.rules.legal(self.now, self._decision(by)).refusal(self._action(by, do, says))
        assert reason is not None, f"{by} {do} {says} is legal"
        assert "\n" not in reason
        return reason

    def hold(self, *ids: str, seconds: int = 10) -> None:
        """These wait."""
        for who in ids:
            self.do(who, "hold", option=str(seconds))

    def all(self, kind: str) -> list[dict[str, Any]]:
        """All events of a kind so far."""
        return [event for event in self.events if event["event"] == kind]

    def told(self, kind: str) -> list[tuple[int, dict[str, Any]]]:
        """(second, event) of all events of a kind so far."""
        found, second = [], 0
        for event in self.events:
            if event["event"] == "began" and event["what"] == "second":
                second = event["number"]
            if event["event"] == kind:
                found.append((second, event))
        return found

    def until(self, who: str, seconds: int = 60) -> None:
        """Everybody else waits until this one is asked, or so many seconds are over."""
        while who not in self.waiting and self.waiting and self.second < seconds:
            self.hold(self.waiting[0], seconds=1)

    @property
    def blow(self) -> dict[str, Any]:
        """The last attack."""
        return self.all("attack")[-1]

    def of(self, id: str) -> dict[str, Any]:
        """A creature as `--state` shows it."""
        return self.state["creatures"][id]

    @property
    def state(self) -> dict[str, Any]:
        return as_builtins(dict(self.rules.summary(self.now)))

    @property
    def second(self) -> int:
        return self.now.second

    @property
    def used(self) -> int:
        """Scripted throws used so far."""
        return self.now.throw_at

    @property
    def waiting(self) -> list[str]:
        """Who has a decision open, in order."""
        return [d.by for d in self.rules.decisions(self.now)]


def changed(fight: Fight, by: str, **changes: Any) -> Fight:
    """With something about a creature set by hand."""
    who = fight.now.setup.index[by]
    figures = list(fight.now.figures)
    figures[who] = msgspec.structs.replace(figures[who], **changes)
    fight.now = msgspec.structs.replace(fight.now, figures=tuple(figures))
    return fight


def duel(*throws: int, a: Any = None, b: Any = None, init: tuple[int, int] = (1, 1), **more: Any) -> Fight:
    """`a` at [1, 1] and `b` beside it; both may act from the first second on; `b` waits, `a` may strike."""
    first, second = being("a", (1, 1), **(a or {})), being("b", (2, 1), **(b or {}))
    return Fight(first, second, throws=[*init, *throws], **more)


def struck(*throws: int, a: Any = None, b: Any = None, option: str | None = None, **more: Any) -> Fight:
    """`a` strikes at `b`, which stands firm: the throws are defence, attack, damage and what follows."""
    fight = duel(*throws, a=a, b=b, **more)
    fight.do("b", "policy", option="stand")
    fight.do("b", "hold", option="30")
    fight.do("a", "attack", target="b", option=option) if option else fight.do("a", "attack", target="b")
    return fight
