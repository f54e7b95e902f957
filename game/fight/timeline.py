"""A fight's past to be looked at: what was seen after each command, where its turns begin, where the blows fell.

A film is a look at a match's history as it was when the film was made; it changes nothing of it.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

from game.fight.match import Match
from game.fight.viewing import Eyes
from rules.contract.display import Board
from rules.contract.events import Attack, Began, Chance, Event, Injury
from rules.contract.ruleset import State

FALLEN = ("incapacitated", "dead")
GREAT = ("critical_hit", "legendary_hit")
"""Outcomes of attacks that stand out."""


class Mark(NamedTuple):
    """A blow on the scrubber."""

    at: int
    """After this many commands it is seen."""
    kind: str
    """`hit`, `critical` or `fall`."""
    side: str
    """Whose blow it was; of a fall, who fell."""
    text: str


class Film:
    """What was seen of a fight. `length` is the number of its commands; frame 0 is the start.

    `own` are the sides whose sealed plans it shows while the fight goes on; None = everybody's.
    """

    def __init__(self, match: Match, sides: Sequence[str] | None = None, own: Collection[str] | None = None) -> None:
        self.match = match
        self.length = match.history.length
        self.own = own if match.decision is not None else None
        self.eyes = Eyes(match, sides, self.own)
        self._ends = [moment.events for moment in match.history.moments]
        self._all = tuple(match.events)
        self.frames: list[int] = []
        """The frames that are shown: in fog only those in which something was seen to happen, and both ends."""
        self.turns: list[int] = []
        """Frames in which a turn of the whole table begins."""
        self.chances: list[int] = []
        """Frames in which somebody's chance begins."""
        self.marks: list[Mark] = []
        self.turn(sides)

    def turn(self, sides: Sequence[str] | None) -> None:
        """Look with the eyes of others from now on; None = of whoever sees everything."""
        self.eyes.turn(sides, self.own)
        self.frames, self.turns, self.chances, self.marks = [], [0], [0], []
        out: set[str] = set()
        names: dict[str, tuple[str, str]] = {}
        for frame in range(self.length + 1):
            events = self.events(frame)
            if events or sides is None or frame in (0, self.length):
                self.frames.append(frame)
            if any(isinstance(event, Began) and event.what == "turn" for event in events) and frame:
                self.turns.append(frame)
            if any(isinstance(event, Chance) for event in events) and frame:
                self.chances.append(frame)
            if frame and any(isinstance(event, Attack | Injury) for event in events):
                if any(name not in names for event in events for name in _named(event)):
                    board = self.eyes.board(frame)
                    names |= {mini.id: (mini.name, mini.side) for mini in board.miniatures}
                self.marks += _blows(events, frame, names, out)

    def board(self, frame: int) -> Board:
        """The board after so many commands."""
        return self.eyes.board(frame)

    def state(self, frame: int) -> State:
        """The state after so many commands, as far as it is known to who looks."""
        return self.eyes.state(frame)

    def events(self, frame: int) -> list[Event]:
        """What was seen to happen by the command that led to a frame (frame 0: at the start)."""
        first = self._ends[frame - 1] if frame else 0
        return self.eyes.events(self._all[first : self._ends[frame]])

    def caption(self, frame: int) -> str:
        """`Turn 3, round 1`."""
        return self.board(frame).caption

    def neighbour(self, frames: Sequence[int], frame: int, by: int) -> int:
        """The nearest of some frames before (`by` < 0) or after a frame; else the film's first or last."""
        if by > 0:
            return next((f for f in frames if f > frame), self.length)
        return next((f for f in reversed(frames) if f < frame), 0)


def _named(event: Event) -> list[str]:
    if isinstance(event, Attack):
        return [event.by, event.target]
    return [name for name in (event.by, event.target) if name] if isinstance(event, Injury) else []


def _blows(events: Sequence[Event], frame: int, names: dict[str, tuple[str, str]], out: set[str]) -> list[Mark]:
    """The marks of one command: hits, great hits, and who fell."""
    found: list[Mark] = []
    struck = False
    for event in events:
        if isinstance(event, Attack):
            struck = True
            if event.margin < 0:
                continue
            great = event.outcome in GREAT
            (by, side), (target, _) = names.get(event.by, ("", "")), names.get(event.target, ("", ""))
            what = event.outcome.replace("_", " ")
            found.append(Mark(frame, "critical" if great else "hit", side, f"{by} on {target}: {what}, {event.damage}"))
        elif isinstance(event, Injury):
            target, side = names.get(event.target, ("", ""))
            if event.amount and not struck:
                by, doer = names.get(event.by or "", ("", side))
                who = f"{by}: " if by else ""
                found.append(Mark(frame, "hit", doer, f"{who}{target} loses {event.amount}"))
            if event.status in FALLEN and event.target not in out:
                out.add(event.target)
                found.append(Mark(frame, "fall", side, f"{target} falls"))
            elif event.status not in FALLEN:
                out.discard(event.target)
    return found


def last_of_others(match: Match, own: Sequence[bool]) -> tuple[int, int]:
    """Frames (first, last) of the latest stretch that somebody else played; equal where there was none.

    `own[n]` says whether frame `n` was led to by a decision of whoever asks.
    """
    last = match.history.length
    while last and own[last]:
        last -= 1
    first = last
    while first and not own[first]:
        first -= 1
    return first, last
