"""The tale itself: chapters of paragraphs, each with the moment that is worth a picture."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from game.chronicle.episodes import FIGHT, Cutter, Episode, over_of
from game.chronicle.fights import FightTeller
from game.chronicle.naming import NTH, Cast, listed
from game.chronicle.rooms import RoomTeller
from game.chronicle.words import Chooser
from game.fight.match import Match
from game.fight.seats import Seats
from game.fight.viewing import Film
from rules.contract.display import Board, Miniature, Task
from rules.contract.events import Item
from rules.contract.ruleset import PARTY
from rules.contract.text import joined, ntext, text, titled
from rules.core.fixtures.contents import coins_in


class Chapter(msgspec.Struct):
    """A stretch of the tale. `picture`: after how many commands the board is worth a picture; None = no picture."""

    heading: str
    paragraphs: list[list[str]]
    """Each a list of sentences."""
    picture: int | None = None
    caption: str = ""


class Tale(msgspec.Struct):
    """A whole chronicle."""

    title: str
    story: list[str]
    chapters: list[Chapter]
    ending: list[list[str]]
    film: Film


def written(match: Match, sides: Sequence[str] | None = None) -> Tale:
    """The chronicle of a fight as some sides know it; None = as whoever saw everything."""
    return Writer(match, sides).tale()


def party_of(match: Match, sides: Sequence[str] | None) -> frozenset[str]:
    """Whose tale it is: the sides that look; of whoever sees all the heroes, or else those whom people play."""
    if sides:
        return frozenset(sides)
    everybody = {str(creature.get("side")) for creature in match.record.creatures}
    return frozenset((PARTY,)) if PARTY in everybody else frozenset(Seats(match.record).played or everybody)


class Writer:
    """Writes a tale."""

    def __init__(self, match: Match, sides: Sequence[str] | None) -> None:
        self.match, self.film = match, Film(match, sides)
        self.ours = party_of(match, sides)
        self.cast = Cast(match)
        self.say = Chooser(match.record.seed + len(match.record.creatures))
        self.episodes = Cutter(self.film, self.cast, self.ours).cut()
        events = [event for episode in self.episodes for event in episode.events]
        ids = (getattr(event, field, None) for event in events for field in ("by", "target"))
        self.cast.meet(who for who in ids if who in self.cast.sides)
        self.fights = FightTeller(match, self.film, self.cast, self.say, self.ours)
        self.rooms = RoomTeller(match, self.cast, self.say, self.ours, fallen=self.fights.fallen)

    def tale(self) -> Tale:
        chapters: list[Chapter] = []
        for at, episode in enumerate(self.episodes):
            if episode.kind == FIGHT:
                chapters.append(self._fight(episode, at))
                continue
            told = self.rooms.tell(episode, first=at == 0)
            if not told:
                continue
            nameless = episode.place is None or not episode.place.name
            if chapters and chapters[-1].picture is None and (episode.again or nameless or len(told) < _SHORT):
                _lengthen(chapters[-1], told)
            else:
                heading = episode.place.heading if episode.place is not None else "On the way"
                chapters.append(Chapter(heading, [told]))
        title = self.match.title
        return Tale(title, self._story(), chapters, self._ending(), self.film)

    # -- before

    def _story(self) -> list[str]:
        """What the map has to say beforehand, and who set out for what."""
        told = [self.match.field.story] if self.match.field.story else []
        if self.episodes and self.episodes[0].kind != FIGHT:
            told.append(self.say.say("set out", party=listed([self.cast.whole(who) for who in self._party()])))
        goals = [goal.label for goal in self._board(0).goals if goal.side in self.ours]
        if goals:
            told.append(text("This was to be done: {goals}.", goals=joined("; ", goals)))
        return told

    def _party(self) -> list[str]:
        return [mini.id for mini in self._board(0).miniatures if mini.side in self.ours and not _bound(mini)]

    def _board(self, frame: int) -> Board:
        return self.film.eyes.board(frame)

    # -- a fight

    def _fight(self, episode: Episode, at: int) -> Chapter:
        teller = self.fights
        before = self.episodes[at - 1] if at else None
        paragraphs = teller.tell(episode, before, ended=at == len(self.episodes) - 1)
        where = episode.place
        fights = [e for e in self.episodes if e.kind == FIGHT]
        heading = "The fight"
        if where is not None and where.name:
            heading = text("The fight in {place}", place=where.said)
        elif 1 < len(fights) <= len(NTH):
            heading = text(NTH[fights.index(episode)], kind="fight")
        return Chapter(titled(heading), paragraphs, teller.decisive, teller.caption)

    # -- after

    def _ending(self) -> list[list[str]]:
        over = over_of(self.episodes)
        if over is None:
            return [[self.say.say("breaks off")], *self._goals(final=False)]
        board = self._board(self.film.length)
        state = self.match.ruleset.summary(self.match.state)
        gone = set(state.get("left", ()))
        ids = [who for who in self.cast.sides if self.cast.side(who) in self.ours and who not in state.get("bound", ())]
        dead = [m.id for m in board.miniatures if m.side in self.ours and m.out and m.id not in gone]
        alive = [who for who in ids if who not in dead]
        fought = any(episode.kind == FIGHT for episode in self.episodes)
        told = [self.say.say("slipped past")] if over.because == "slipped past" and not fought else []
        walked = gone or any(episode.kind != FIGHT for episode in self.episodes)
        there, fewer = ("came out", "came out fallen") if walked else ("still stood", "still stood fallen")
        if not alive:
            told.append(self.say.say("all fell"))
        elif dead:
            fallen = titled(self.cast.names(dead))
            told.append(self.say.say(fewer, names=self.cast.names(alive), fallen=fallen))
        elif not told:
            told.append(self.say.say(there, names=self.cast.names(alive)))
        parts = [told, *self._goals(final=True)]
        if alive and (gains := self._gains(alive)):
            parts.append(gains)
        return parts

    def _goals(self, *, final: bool) -> list[list[str]]:
        goals: Iterable[Task] = [g for g in self._board(self.film.length).goals if g.side in self.ours]
        told = [self.say.say(_GOALS[goal.state], goal=goal.label) for goal in goals if final or goal.state != "open"]
        return [list(told)] if told else []

    def _gains(self, alive: Sequence[str]) -> list[str]:
        """What those who came back had picked up and not let go of again; coins all together."""
        things: dict[str, int] = {}
        for episode in self.episodes:
            for event in episode.events:
                if isinstance(event, Item) and event.by in alive and event.how in _CHANGES:
                    things[event.item] = things.get(event.item, 0) + _CHANGES[event.how]
        coins = sum(coins_in(thing) * count for thing, count in things.items() if count > 0)
        kept = [thing for thing, count in things.items() if count > 0 and not coins_in(thing)]
        if coins:
            kept.append(ntext(coins, "a coin", "{n} coins"))
        return [self.say.say("carried", things=listed(kept))] if kept else []


_CHANGES = {"picked_up": 1, "dropped": -1, "thrown": -1, "spent": -1, "broken": -1}
"""What becomes of a thing -> how many more of it one has."""
_SHORT = 2
"""Sentences below which a room has no chapter of its own."""
_GOALS = {"done": "goal done", "failed": "goal lost", "open": "goal open"}


def _bound(mini: Miniature) -> bool:
    return any(badge.icon == "restrained" and badge.label == "Bound" for badge in mini.badges)


def _lengthen(chapter: Chapter, told: list[str]) -> None:
    """Go on with a chapter: a paragraph grows to a few sentences before the next begins."""
    if chapter.paragraphs and len(chapter.paragraphs[-1]) < _FULL:
        chapter.paragraphs[-1] += told
    else:
        chapter.paragraphs.append(told)


_FULL = 5
