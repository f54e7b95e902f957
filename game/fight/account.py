"""What an evening came to: how long it took, its fights, who left."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from rules.contract.events import EXPLORATION, FIGHT, Began, Event, Left
from rules.contract.text import joined, ntext, text

UNITS = ("minute", "dungeon turn", "turn")
"""What turns of exploration are called."""
HOUR = 60
"""Minutes of an hour."""


def spent(minutes: int) -> str:
    """Time as one says it: `40 minutes`, `2 h 5 min`."""
    hours, rest = divmod(minutes, HOUR)
    if not hours:
        return ntext(minutes, "{n} minute", "{n} minutes")
    return text("{hours} h {minutes} min", hours=hours, minutes=rest) if rest else ntext(hours, "{n} hour", "{n} hours")


def in_short(time: str, fights: int) -> str:
    """`43 minutes · 3 fights`."""
    return joined(" · ", (time, ntext(fights, "{n} fight", "{n} fights") if fights else "not one fight"))


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
        words = {
            "minute": spent(self.turns),
            "dungeon turn": ntext(self.turns, "{n} dungeon turn", "{n} dungeon turns"),
            "turn": ntext(self.turns, "{n} turn of exploration", "{n} turns of exploration"),
        }
        return in_short(words[self.unit], self.fights)


def account(events: Iterable[Event]) -> Account:
    """Count an evening."""
    turns, unit, fights, exploring, left = 0, "minute", 0, False, set[str]()
    for event in events:
        if isinstance(event, Left):
            left.add(event.by)
        elif not isinstance(event, Began):
            continue
        elif event.what in (EXPLORATION, FIGHT):
            exploring = event.what == EXPLORATION
            fights += not exploring
            turns += exploring
        elif exploring and event.what in UNITS:
            turns, unit = turns + 1, event.what
    return Account(turns, unit, fights, frozenset(left))
