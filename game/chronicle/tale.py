"""The tale itself: chapters of paragraphs, each with the moment that is worth a picture."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from game.chronicle.episodes import Cutter, Episode, over_of
from game.chronicle.fights import FightTeller, Size
from game.chronicle.naming import Cast, Place, listed
from game.chronicle.rooms import HOUR, RoomTeller, minutes_of
from game.chronicle.things import definite, things
from game.chronicle.words import Chooser
from game.fight.match import Match
from game.fight.seats import Seats
from game.fight.viewing import Film
from rules.contract.display import Board, Task
from rules.contract.events import FIGHT, Item
from rules.contract.ruleset import PARTY
from rules.contract.text import N, joined, text, titled
from rules.explore.goals import DONE, FAILED, OPEN, is_bound
from rules.explore.state import Ending


class Plate(msgspec.Struct, frozen=True):
    """A board that is worth a picture. `frame`: after how many commands; `after`: paragraphs that stand before it."""

    frame: int
    after: int
    caption: str = ""
    small: bool = False


class Chapter(msgspec.Struct):
    """A stretch of the tale: what happened in a room."""

    heading: str
    paragraphs: list[list[str]]
    """Each a list of sentences."""
    plates: list[Plate] = []
    place: Place | None = None

    def pages(self) -> list[tuple[list[str], list[Plate]]]:
        """Its paragraphs in order, each with the plates that stand after it."""
        last = len(self.paragraphs)
        return [(paragraph, [plate for plate in self.plates if min(max(1, plate.after), last) == number])
                for number, paragraph in enumerate(self.paragraphs, 1)]  # fmt: skip


class Tale(msgspec.Struct):
    """A whole chronicle."""

    title: str
    story: list[str]
    chapters: list[Chapter]
    ending: list[list[str]]
    film: Film

    @property
    def plates(self) -> list[Plate]:
        """All its plates as they stand in it."""
        return [plate for chapter in self.chapters for _, plates in chapter.pages() for plate in plates]


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
        self.fought = [episode for episode in self.episodes if episode.kind == FIGHT]
        self.fights = FightTeller(match, self.film, self.cast, self.say, self.ours)
        self.fights.terse = len(self.fought) > MANY
        fates, fallen = self.fights.fates, self.fights.fallen
        self.rooms = RoomTeller(match, self.cast, self.say, self.ours, fallen=fallen, fates=fates)
        self.chapters: list[Chapter] = []

    def tale(self) -> Tale:
        for at, episode in enumerate(self.episodes):
            for mini in self._board(episode.first).miniatures:
                if not mini.out:
                    self.rooms.risen(mini.id)
            if episode.kind == FIGHT:
                self._fight(episode, at)
            elif told := self.rooms.tell(episode, first=at == 0):
                _lengthen(self._chapter(episode, told), told)
        chapters = [chapter for chapter in self.chapters if any(chapter.paragraphs)]
        left = self.match.field.left
        title = text("{place}, evening {number}", self.match.title, left.evening) if left.again else self.match.title
        return Tale(title, self._story(), chapters, self._ending(), self.film)

    def _chapter(self, episode: Episode, told: Sequence[str], *, fight: bool = False) -> Chapter:
        """The chapter in which something is told: that of its room, or the last where it is too little for its own."""
        place = episode.place
        last = self.chapters[-1] if self.chapters else None
        if last is not None:
            known = any(chapter.place is place for chapter in self.chapters)
            little = len(told) < (_AGAIN if known else _SHORT) and not fight
            if place is None or not place.name or place is last.place or little:
                return last
        heading = "On the way"
        if place is not None:
            been = sum(chapter.place is place for chapter in self.chapters)
            heading = titled(text(_BACK[min(been, len(_BACK)) - 1], place=place.said)) if been else place.heading
        self.chapters.append(Chapter(heading, [], [], place))
        return self.chapters[-1]

    # -- before

    def _story(self) -> list[str]:
        """What the map has to say beforehand, and who set out for what."""
        left = self.match.field.left
        told = [self.match.field.story] if self.match.field.story and not left.again else []
        if left.again:
            told.append("The place lay as they had left it." if left.minutes < LONG else
                        "The place lay as they had left it; who lived there had had time.")  # fmt: skip
        if self.episodes and self.episodes[0].kind != FIGHT:
            told.append(self.say.say("set out", party=listed([self.cast.whole(who) for who in self._party()])))
        settled = {goal.name for goal, how in zip(self.match.field.goals, left.goals, strict=False) if how}
        goals = [g.label for g in self._board(0).goals if g.side in self.ours and g.name not in settled]
        if goals:
            told.append(text("This was to be done: {goals}.", goals=joined("; ", goals)))
        return told

    def _party(self) -> list[str]:
        minis = (mini for mini in self._board(0).miniatures if mini.side in self.ours and not is_bound(mini))
        return [mini.id for mini in minis if not self.match.field.left.fate(mini.id)]

    def _board(self, frame: int) -> Board:
        return self.film.eyes.board(frame)

    # -- a fight

    def _fight(self, episode: Episode, at: int) -> None:
        before = self.episodes[at - 1] if at else None
        alone = len(self.fought) == 1 and before is None
        chapter = self._fight_chapter(episode, alone=alone)
        arrived: list[str] = []
        if before is not None and episode.place is not None and episode.place.name:
            arrived = self.rooms.arrival(episode.place, again=episode.again) if at > 1 else []
        told = self.fights.tell(episode, before, ended=at == len(self.episodes) - 1, alone=alone)
        if (place := episode.stages[-1][1] if episode.stages else episode.place) is not None:
            self.rooms.here(place)
        small = told.size is Size.SKIRMISH
        if arrived:
            _lengthen(chapter, arrived)
        for number, paragraph in enumerate(told.paragraphs):
            if small or (arrived and not number):
                _lengthen(chapter, paragraph)
            else:
                chapter.paragraphs.append(paragraph)
        after = len(chapter.paragraphs) - (len(told.paragraphs) - 1 if alone else 0)
        if told.caption or not small:
            chapter.plates.append(Plate(told.decisive, max(1, after), told.caption, small=small))

    def _fight_chapter(self, episode: Episode, *, alone: bool) -> Chapter:
        """The chapter of its room; one of its own where there is no room and nothing went before."""
        if not alone and (self.chapters or (episode.place is not None and episode.place.name)):
            return self._chapter(episode, (), fight=True)
        where = episode.place
        heading = text("The fight in {place}", place=where.said) if where is not None and where.name else "The fight"
        self.chapters.append(Chapter(titled(heading), [], [], where))
        return self.chapters[-1]

    # -- after

    def _ending(self) -> list[list[str]]:
        over = over_of(self.episodes)
        if over is None:
            return [[self.say.say("breaks off")], *self._goals(final=False)]
        alive, hurt, dead = self.fared()
        fought = any(episode.kind == FIGHT for episode in self.episodes)
        told = [self.say.say("slipped past")] if over.because == Ending.SLIPPED_PAST and not fought else []
        walked = any(episode.kind != FIGHT for episode in self.episodes)
        there, fewer = ("came out", "came out fallen") if walked else ("still stood", "still stood fallen")
        if not alive:
            told.append(self.say.say("all fell" if walked else "all fell there"))
        elif dead:
            fallen = titled(self.cast.names(dead))
            told.append(self.say.say(fewer, names=self.cast.names(alive), fallen=fallen))
        elif not told:
            told.append(self.say.say(there, names=self.cast.names(alive)))
        if walked and hurt:
            told.append(self.say.say("carried out", names=self.cast.names(hurt)))
        if walked:
            told += [self.fate(who) for who in dead if who not in self.fights.lately]
        if (minutes := sum(minutes_of(self.match, episode) for episode in self.episodes)) >= HOUR:
            told.append(self.say.count("been away", (minutes + 30) // 60))
        parts = [told, *self._goals(final=True)]
        if alive and (gains := self._gains(alive)):
            parts.append(gains)
        return parts

    def fared(self) -> tuple[list[str], list[str], list[str]]:
        """Those of the party who came out on their feet, who were carried, and who died or lie there for dead."""
        board, state = self._board(self.film.length), self.match.ruleset.summary(self.match.state)
        gone = set(state.get("left", ()))
        before = (*state.get("bound", ()), *dict(self.match.field.left.fates))  # who lay there before isn't lost now
        ids = [who for who in self.cast.sides if self.cast.side(who) in self.ours and who not in before]
        out = [mini for mini in board.miniatures if mini.id in ids and mini.id not in gone and mini.out]
        up = [who for who in ids if who not in {mini.id for mini in out}]
        dead = [mini.id for mini in out if mini.dead or not up]
        return up, [mini.id for mini in out if mini.id not in dead], dead

    def fate(self, who: str) -> str:
        """Where one of the dead fell, and to whom or what."""
        fate = self.fights.fates.get(who)
        self.cast.meet(())
        if fate is None or not fate.where:
            return self.say.say("fell", name=self.cast.called(who))
        fields = {"name": self.cast.called(who), "place": fate.where}
        if fate.by and fate.by != who:
            return self.say.say("fate", by=self.cast.called(fate.by), **fields)
        if fate.what and fate.what not in _NO_CAUSE:
            return self.say.say("fate thing", what=definite(fate.what), **fields)
        return self.say.say("fate alone", **fields)

    def _goals(self, *, final: bool) -> list[list[str]]:
        goals: Iterable[Task] = [g for g in self._board(self.film.length).goals if g.side in self.ours]
        states: dict[str, list[str]] = {}
        for goal in goals:
            if final or goal.state != OPEN:
                states.setdefault(goal.state, []).append(goal.label)
        told = [self.say.say(kind, goals=joined("; ", states[s])) for s, kind in _GOALS.items() if s in states]
        return [told] if told else []

    def _gains(self, alive: Sequence[str]) -> list[str]:
        kept = [thing for thing in self.found(alive) if self.rooms.worth_telling(thing)]
        return [self.say.say("carried", things=things(kept))] if kept else []

    def found(self, alive: Sequence[str]) -> list[str]:
        """What those who are alive had picked up and not let go of again."""
        found: dict[str, int] = {}
        for episode in self.episodes:
            for event in episode.events:
                if isinstance(event, Item) and event.by in alive and event.how in _CHANGES:
                    found[event.item] = found.get(event.item, 0) + _CHANGES[event.how]
        return [thing for thing, count in found.items() for _ in range(count)]


_CHANGES = {"picked_up": 1, "dropped": -1, "thrown": -1, "spent": -1, "broken": -1}
"""What becomes of a thing -> how many more of it one has."""
_SHORT, _AGAIN = 2, 4
"""Sentences below which a room has no chapter of its own; the same of one to which they come back."""
_NO_CAUSE = ("bleeding out", "bleeding", "critical damage", "")
"""What is no cause to be told, for something else led to it."""
LONG = 60
"""Minutes between two evenings from which on it is told that time has passed."""
MANY = 12
"""Fights above which each is told in fewer words."""
_BACK = (N("Back in {place}"), N("{place} again"), N("{place} once more"))
"""Headings of a room that one comes back to, the first time, the second, and after that."""
_GOALS = {DONE: "goals done", FAILED: "goals lost", OPEN: "goals open"}


def _lengthen(chapter: Chapter, told: list[str]) -> None:
    """Go on with a chapter: a paragraph grows to a few sentences before the next begins."""
    if chapter.paragraphs and len(chapter.paragraphs[-1]) < _FULL:
        chapter.paragraphs[-1] += told
    else:
        chapter.paragraphs.append(told)


_FULL = 5
