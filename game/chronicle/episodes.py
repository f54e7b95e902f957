"""An evening cut into episodes: rooms explored, fights, rests; out of what was seen of each command."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from game.chronicle.naming import Cast, Place, Places
from game.fight.viewing import Film
from rules.contract.events import EXPLORATION, FIGHT, TRUCE, Attack, Began, Event, Left, Moved, Over
from rules.contract.units import Cell

EXPLORING = (EXPLORATION, TRUCE)
RESTS = ("camp", "meal", "rest")
TURNS = ("minute", "dungeon turn")
"""What turns of exploration are called."""


class Beat(NamedTuple):
    """Something that was seen to happen, after so many commands."""

    frame: int
    event: Event


@dataclass
class Episode:
    """A stretch of an evening: of one kind, in one place."""

    kind: str
    """`exploration` or `fight`."""
    first: int
    place: Place | None
    again: bool = False
    """They have been here before."""
    beats: list[Beat] = field(default_factory=list)
    last: int = 0
    stages: list[tuple[int, Place]] = field(default_factory=list)
    """Of a fight: the rooms that it moved on to, with the frame of the first blow there."""

    @property
    def events(self) -> list[Event]:
        return [beat.event for beat in self.beats]

    def passed(self, what: str) -> int:
        """How many turns, rounds, seconds or minutes began in it."""
        return len({e.number for e in self.events if isinstance(e, Began) and e.what == what})


class Cutter:
    """Cuts what was seen of a fight into episodes: by what the rules say begins, and by where the party is."""

    def __init__(self, film: Film, cast: Cast, ours: frozenset[str]) -> None:
        self.film, self.cast, self.ours = film, cast, ours
        self.field = film.match.field
        self.places = Places(self.field, film.eyes.known())
        self.at: dict[str, Cell] = {mini.id: mini.cell for mini in film.eyes.board(0).miniatures}
        self.been: set[int] = set()
        self.episodes: list[Episode] = []

    def cut(self) -> list[Episode]:
        """All episodes in order; none is empty."""
        for frame in range(self.film.length + 1):
            for event in self.film.events(frame):
                self._take(frame, event)
        return [episode for episode in self.episodes if episode.beats]

    def _take(self, frame: int, event: Event) -> None:
        if isinstance(event, Began) and event.what == FIGHT:
            self._open(FIGHT, frame)
        elif isinstance(event, Began) and event.what in EXPLORING:
            self._open(EXPLORATION, frame)
        elif not self.episodes:
            self._open(FIGHT, frame)
        if isinstance(event, Moved):
            self.at[event.by] = self.field.cell(*(event.path[-1] if event.path else event.start))
        elif isinstance(event, Left):
            self.at.pop(event.by, None)
        self.episodes[-1].beats.append(Beat(frame, event))
        self.episodes[-1].last = frame
        if isinstance(event, Attack):
            self._struck(frame)
        if isinstance(event, Moved) and self.episodes[-1].kind != FIGHT and self.cast.side(event.by) in self.ours:
            self._walked(frame)

    def _walked(self, frame: int) -> None:
        """Most of them may be in another room by now."""
        here = self.party_at()
        now = self.episodes[-1].place
        if here is None or now is None or here is now or here.doorway:
            return
        self._open(EXPLORATION, frame)

    def _struck(self, frame: int) -> None:
        """A blow falls: the fight may have moved on into another room."""
        episode = self.episodes[-1]
        now = episode.stages[-1][1] if episode.stages else episode.place
        here = self.party_at(now)
        if episode.kind == FIGHT and here is not None and here is not now and here.name:
            if now is None or not now.name or not any(isinstance(e, Attack) for e in episode.events[:-1]):
                self._placed(episode, here)  # where the first blow fell; nowhere in particular is no place for it
            else:
                episode.stages.append((frame, here))
            self.been.add(id(here))

    def _placed(self, episode: Episode, here: Place) -> None:
        episode.place, episode.again = here, id(here) in self.been

    def party_at(self, before: Place | None = None) -> Place | None:
        """The room in which most of the party stand; of two with as many, the one where they were."""
        counts: dict[int, tuple[int, Place]] = {}
        for who, cell in self.at.items():
            if self.cast.side(who) in self.ours and cell >= 0:
                place = self.places.at(cell)
                counts[id(place)] = (counts.get(id(place), (0, place))[0] + 1, place)
        if not counts:
            return None
        most = max(count for count, _ in counts.values())
        before = before or (self.episodes[-1].place if self.episodes else None)
        best = [place for count, place in counts.values() if count == most]
        return before if before in best else best[0]

    def _open(self, kind: str, frame: int) -> None:
        here = self.party_at()
        again = here is not None and id(here) in self.been
        if here is not None:
            self.been.add(id(here))
        self.episodes.append(Episode(kind, frame, here, again))
        self.episodes[-1].last = frame


def over_of(episodes: list[Episode]) -> Over | None:
    """How it ended, if it has."""
    events = (event for episode in reversed(episodes) for event in reversed(episode.events))
    return next((event for event in events if isinstance(event, Over)), None)
