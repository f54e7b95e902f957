"""What an evening came to: how long it took, its fights, who left."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from rules.contract.events import Began, Event, Left
from rules.contract.text import joined, ntext

UNITS = ("minute", "dungeon turn", "turn")
"""What turns of exploration are called."""


class Account(NamedTuple):
    """What an expedition came to, by the events that were seen."""

    turns: int
    unit: str
    """What its turns are called: `minute`, or `dungeon turn` or `turn` for rules with longer ones."""
    fights: int
    left: frozenset[str]
    """Ids of those who left by an exit."""

    @property
    def told(self) -> str:
        """`43 minutes · 3 fights`."""
        from game.chronicle.reckoning import spent  # late: the title counts evenings, and tells none

        words = {
            "minute": spent(self.turns),
            "dungeon turn": ntext(self.turns, "{n} dungeon turn", "{n} dungeon turns"),
            "turn": ntext(self.turns, "{n} turn of exploration", "{n} turns of exploration"),
        }
        fought = ntext(self.fights, "{n} fight", "{n} fights") if self.fights else "not one fight"
        return joined(" · ", (words[self.unit], fought))


def account(events: Iterable[Event]) -> Account:
    """Count an evening."""
    turns, unit, fights, exploring, left = 0, "minute", 0, False, set[str]()
    for event in events:
        if isinstance(event, Left):
            left.add(event.by)
        elif not isinstance(event, Began):
            continue
        elif event.what in ("exploration", "fight"):
            exploring = event.what == "exploration"
            fights += not exploring
            turns += exploring
        elif exploring and event.what in UNITS:
            turns, unit = turns + 1, event.what
    return Account(turns, unit, fights, frozenset(left))
