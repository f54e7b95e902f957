"""Count-Up at the table: plain fighters, a duel, and what its tests ask most."""

from __future__ import annotations

from typing import Any

from game.content import tables as content
from rules.countup.state import Gait
from tests.rules import table

TABLES = content.tables("countup")
HALL = ["#" * 22, *["#" + "." * 20 + "#"] * 5, "#" * 22]


def being(id: str, at: tuple[int, int] = (1, 1), **says: Any) -> dict[str, Any]:
    """No bonuses at all, 40 HP, a longsword, no shield; no threshold of pain."""
    block: dict[str, Any] = {
        "id": id, "side": "heroes" if id < "b" else "monsters", "at": list(at), "hp_max": 40, "pain": 0,
        "weapons": ["longsword"],
    }  # fmt: skip
    return {**block, **says}


class Fight(table.Fight):
    """A fight under Count-Up; the first throws are for initiative. `lines`: the story after the start."""

    ruleset = "countup"
    rows = HALL

    def __init__(self, *creatures: dict[str, Any], throws: Any = (), **more: Any) -> None:
        super().__init__(*creatures, throws=throws, **more)
        self._begun = len(self.story)

    @property
    def lines(self) -> list[str]:
        return self.story[self._begun :]

    def hold(self, *ids: str, seconds: int = 10) -> None:
        """These wait."""
        for who in ids:
            self.do(who, "hold", option=str(seconds))

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
        return self.last("attack")

    @property
    def second(self) -> int:
        return self.now.second


def changed(fight: Fight, by: str, **changes: Any) -> Fight:
    """With something about a creature set by hand; its gait by its word."""
    if "gait" in changes:
        changes["gait"] = Gait(changes["gait"])
    fight.change(by, **changes)
    return fight


def duel(*throws: int | None, a: Any = None, b: Any = None, init: tuple[int, int] = (1, 1), **more: Any) -> Fight:
    """`a` at [1, 1] and `b` beside it; both may act from the first second on; `b` waits, `a` may strike."""
    first, second = being("a", (1, 1), **(a or {})), being("b", (2, 1), **(b or {}))
    return Fight(first, second, throws=[*init, *throws], **more)


def struck(*throws: int | None, a: Any = None, b: Any = None, option: str | None = None, **more: Any) -> Fight:
    """`a` strikes at `b`, which stands firm: the throws are defence, attack, damage and what follows."""
    fight = duel(*throws, a=a, b=b, **more)
    fight.do("b", "policy", option="stand")
    fight.do("b", "hold", option="30")
    fight.do("a", "attack", target="b", option=option) if option else fight.do("a", "attack", target="b")
    return fight
