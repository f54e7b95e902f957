"""A table to explore at: several decisions open at once, each hero by its id."""

from __future__ import annotations

from typing import Any

from rules.contract.actions import Decision
from rules.contract.ruleset import Odds
from rules.contract.text import as_builtins
from tests.rules.olde.creatures import Fight, being

ROWS = [
    "####################",
    "#.....#............#",
    "#.....#............#",
    "#.....+............#",
    "#..................#",
    "####################",
]
"""A room on the left, a hall on the right; a door and an opening between them."""


class Exploration(Fight):
    """A fight that begins with exploration; the faces are Sneak of whoever sneaks, then Alertness of each watcher."""

    def __init__(self, *creatures: dict[str, Any], **more: Any) -> None:
        super().__init__(*creatures, **{"rows": ROWS, "explore": True, "strict_throws": False, **more})

    def decision(self, by: str) -> Decision:
        """Whose minute it is; for the game master, who has none, the first that is open."""
        found = self.rules.decisions(self.now)
        return next((d for d in found if d.by == by), found[0])

    def do(self, by: str, do: str, **says: Any) -> list[dict[str, Any]]:
        action = self._action(by, do, says)
        step = self.rules.apply(self.now, self.decision(by), action)
        self.now, events = step.state, [as_builtins(event) for event in step.events]
        self.events += events
        return events

    def refusal(self, by: str, do: str | None = None, **says: Any) -> str:
        assert do is not None
        reason = self.rules.legal(self.now, self.decision(by)).refusal(self._action(by, do, says))
        assert reason is not None, f"{by} {do} {says} is legal"
        return reason

    def odds(self, by: str, do: str, **says: Any) -> Odds:
        found = self.rules.odds(self.now, self._action(by, do, says))
        assert found is not None
        return found

    @property
    def minute(self) -> int:
        return self.now.explore.minute

    @property
    def unaware(self) -> list[str]:
        """Who was caught unaware by the fight."""
        return self.state["exploration"]["unaware"]

    @property
    def open(self) -> list[str]:
        """Who may still act in this minute."""
        return [d.by for d in self.rules.decisions(self.now)]


def hero(id: str = "a", at: tuple[int, int] = (1, 1), **says: Any) -> dict[str, Any]:
    """Finesse d8, Sneak as Apprentice, so that its total is what its dice show."""
    return being(id, at, "heroes", skills={"Swords": "Apprentice", "Sneak": "Apprentice"}, **says)


def watcher(id: str = "z", at: tuple[int, int] = (12, 4), **says: Any) -> dict[str, Any]:
    """Savvy d6; everybody has Alertness as Apprentice, so that its total is what its dice show, distance aside."""
    return being(id, at, "monsters", **says)
