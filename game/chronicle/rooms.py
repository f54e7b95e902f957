"""What is told of rooms: how they came there, what was found, forced and sprung there, and who came to harm."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from game.chronicle.episodes import RESTS, TURNS, Beat, Episode
from game.chronicle.naming import Cast, Place, listed
from game.chronicle.notes import DOWN, LAID_LOW, SCAR, STABLE, Fate, did, goal_said
from game.chronicle.things import definite, things
from game.chronicle.words import NOISES, Chooser
from game.content import tables as content
from game.fight.match import Match
from rules.contract.events import (
    FELLED,
    Challenge,
    Condition,
    Door,
    Event,
    Freed,
    Goal,
    Healing,
    Injury,
    Item,
    Left,
    Noise,
    Note,
)
from rules.core.secrets import Stands
from rules.explore.goals import Stands as GoalStands

TALKS = ("parley", "bribe")
"""Commands that are words, and not blows."""
SOON = 40
"""So many of the events that follow something belong to it still."""
HOUR, LONG = 45, 100
"""Minutes from which on their going by is told of an evening, and of a room."""
PLAIN = ("weapons", "armor", "armour", "shields")
"""Tables of what every foe carries: not worth a sentence."""
MANY = 4
"""Rooms passed through of which as many are named."""


def minutes_of(match: Match, episode: Episode) -> int:
    """How long an exploration took."""
    return match.ruleset.turn_minutes * sum(map(episode.passed, TURNS))


class RoomTeller:
    """Tells of an exploration."""

    def __init__(
        self, match: Match, cast: Cast, say: Chooser, ours: frozenset[str], *,
        fallen: set[str], fates: dict[str, Fate],
    ) -> None:  # fmt: skip
        self.match, self.cast, self.say, self.ours = match, cast, say, ours
        self.fallen, self.fates = fallen, fates
        tables = content.tables(match.ruleset.id)
        self._fell_at: dict[str, int] = {}
        """Who fell while they explored, and by which command."""
        self._plain = {str(entry.get("name")) for kind in PLAIN for entry in tables.get(kind, ())}
        self._part, self._parts = 0, {0}  # the map of the place where they are, and those that were told of
        self._place: Place | None = None
        """Where they were told to be last."""
        self._told_rooms: list[Place] = []
        """Rooms that were named once: to these one comes back."""
        self._passed: list[Place] = []
        """Rooms come through since then in which nothing happened."""
        self._door: tuple[str, str] | None = None
        """The door that was opened last since they came to a room, and by whom."""
        self._told_of: set[str] = set()
        """Traps of which it was told at once that they were made harmless."""
        self._chests: Counter[str] = Counter()
        """Things that were told to lie in chests, and are not told of again when they are taken."""

    def tell(self, episode: Episode, *, first: bool) -> list[str]:
        """The sentences of an episode; none where nothing worth telling happened."""
        self.cast.meet(())
        door = self._door
        happened = self._happened(episode)
        if (minutes := minutes_of(self.match, episode)) >= LONG:
            happened.append(self.say.count("hours", (minutes + 30) // 60))
        told: list[str] = []
        if episode.place is not None and not first:
            told = self.arrival(episode.place, again=episode.again, door=door, needed=bool(happened))
        if first and episode.place is not None:
            self.here(episode.place)
        return [*told, *happened] if happened else told

    def arrival(
        self, place: Place, *, again: bool, door: tuple[str, str] | None = None, needed: bool = True
    ) -> list[str]:
        """That they came to a room; nothing where it need not be told yet, for it may be passed by."""
        if place is self._place:
            self._passed.clear()
            return []
        level, back = self._level(place, needed=needed)
        if not needed and not level:
            if place.name and place not in self._passed and not again:
                self._passed.append(place)
            return []
        passed = [other.said for other in self._passed if other is not place][-MANY:]
        known = again and any(place is other for other in self._told_rooms)
        self.here(place)
        if back:
            return level
        if known:
            return [*level, self.say.say("came back", place=place.again)]
        if passed:
            return [*level, self.say.say("came by way", places=listed(passed), place=place.said)]
        if door is not None and not level:
            return [self.say.say("came by door", by=self.cast.called(door[1]), door=door[0], place=place.said)]
        return [*level, self.say.say("came into", place=place.said)]

    def here(self, place: Place) -> None:
        """A fight has told where they are."""
        self._place = place
        self._told_rooms += [place, *self._passed]
        self._passed.clear()

    def _level(self, place: Place, *, needed: bool) -> tuple[list[str], bool]:
        """That they have come to another level, with what is to be told of it once; whether they know it already."""
        maps = self.match.field.maps
        if not maps:
            return [], False
        row = ((place.cells & -place.cells).bit_length() - 1) // self.match.field.width
        number = max((n for n, part in enumerate(maps) if part.top <= row), default=0)
        if number == self._part or (number in self._parts and not needed):
            return [], False  # who only passes through a level that they know is not followed up and down
        self._part, known = number, number in self._parts
        self._parts.add(number)
        title = maps[number].title.rpartition(": ")[2]
        level = title[:1].lower() + title[1:] if title.startswith("The ") else title
        if known:
            return [self.say.say("level back", level=level)], True
        told = [self.say.say("level", level=level)]
        return ([*told, maps[number].story] if maps[number].story else told), False

    def worth_telling(self, item: str) -> bool:
        """Whether a thing is more than what every foe carries: no plain weapon, shield or armour."""
        return item not in self._plain

    def _happened(self, episode: Episode) -> list[str]:
        told: list[str] = []
        heard, taken = set[str](), list[str]()
        self._door = None
        for number, beat in enumerate(episode.beats):
            event = beat.event
            if isinstance(event, Item) and event.how == "picked_up" and self.cast.side(event.by) in self.ours:
                if self._chests[event.item] > 0:
                    self._chests[event.item] -= 1
                elif self.worth_telling(event.item):
                    taken.append(event.item)
                continue
            for said in self._one(beat, [b.event for b in episode.beats[number + 1 : number + SOON]], heard, episode):
                if not told or said != told[-1]:
                    told.append(said)
        if taken:
            told.append(self.say.say("picked up", things=things(taken)))
        return told

    def _one(self, beat: Beat, after: Sequence[Event], heard: set[str], episode: Episode) -> list[str]:
        """What is said of one thing that happened; nothing of what needs no words."""
        event, say, cast = beat.event, self.say, self.cast
        match event:
            case Door(by=by) if by and cast.side(by) in self.ours:
                return self._opened(event, by)
            case Challenge(by=by) if cast.side(by) in self.ours:
                return self._challenge(event, after)
            case Freed(by=by, target=target):
                return [say.say("freed", by=cast.called(by), target=cast.called(target))]
            case Goal(goal=name, state=GoalStands.DONE, side=side) if side in self.ours:
                return [say.say("goal done", goal=goal_said(self.match, name))]
            case Left(by=by) if cast.side(by) in self.ours:
                return [say.say("left", by=cast.called(by))]
            case Noise(by="", what=what) if not heard:
                heard.add(str(what))
                return [say.say("heard", noise=NOISES.get(str(what), str(what)))]
            case Injury(target=target, because=because, by=by):
                if event.amount > 0:
                    self._hurt(target, by or "", because, episode)
                return self._fell(target, beat.frame) if event.status in DOWN else []
            case Condition(target=target, condition=condition, gained=True):
                return self._condition(target, condition, beat.frame)
            case Condition(target=target, condition=condition) if condition in LAID_LOW:
                self.risen(target)
            case Healing(what="hp", target=target, now=now, amount=amount) if now > 0 >= now - amount:
                self.risen(target)
            case Note(by=by) if by and did(self.match, beat) in TALKS:
                return self._talked(beat, by)
        if (rest := did(self.match, beat)) in RESTS and rest not in heard:
            heard.add(rest)
            return [say.say("ate" if rest == "meal" else "rested")]
        return []

    def _talked(self, beat: Beat, by: str) -> list[str]:
        """Who was spoken to, and let them be; that words did not help is told by what comes of it."""
        if self.cast.side(by) in self.ours:
            return []
        command = self.match.record.commands[beat.frame - 1]
        kind = "won over" if command.do == "parley" else "bought off"
        return [self.say.say(kind, by=self.cast.called(command.by), target=self.cast.crowd([by], plain=True))]

    def _hurt(self, target: str, by: str, because: str, episode: Episode) -> None:
        if self.cast.side(target) in self.ours and target not in self.fallen:
            self.fates[target] = Fate(episode.place.said if episode.place is not None else "", by, because)

    def risen(self, target: str) -> None:
        """Somebody is up again: whoever falls later falls anew, to somebody else perhaps."""
        self.fallen.discard(target)
        self._fell_at.pop(target, None)
        self.fates.pop(target, None)

    def _condition(self, target: str, condition: str, frame: int) -> list[str]:
        own = self.cast.side(target) in self.ours
        if condition == "dead" and target in self.fallen:
            if self._fell_at.get(target) == frame:
                return []  # it died of the blow itself, as told
            return [self.say.say("bled", target=self.cast.called(target))] if own else []
        if condition == STABLE and own:
            return [self.say.say("will live", target=self.cast.called(target))]
        if condition.startswith(SCAR) and own:
            return [self.say.say("scarred", target=self.cast.called(target))]
        return self._fell(target, frame) if condition in FELLED else []

    def _fell(self, target: str, frame: int) -> list[str]:
        if target in self.fallen:
            return []
        self.fallen.add(target)
        self._fell_at[target] = frame
        own = self.cast.side(target) in self.ours
        return [self.say.say("came to harm" if own else "went down", target=self.cast.called(target))]

    def _opened(self, event: Door, by: str) -> list[str]:
        """Who opens a door goes in: that is told with the arrival. What had to be forced is told by itself."""
        door = definite("door" if event.door.startswith("door ") else event.door)
        kind = {"broken": "broke door", "locked": "locked door"}.get(event.state, "")
        if event.state == "open":
            self._door = (door, by)
        return [self.say.say(kind, by=self.cast.called(by), door=door)] if kind else []

    def _trap(self, event: Challenge, after: Sequence[Event]) -> list[str]:
        """A trap was noticed; where somebody sets to work on it at once, both in one sentence."""
        who, what = self.cast.called(event.by), definite(event.challenge)
        done = (e.by for e in after if isinstance(e, Challenge) and e.challenge == event.challenge
                and e.state == Stands.DISARMED)  # fmt: skip
        if (other := next(done, "")) == "":
            return [self.say.say("trap seen", by=who, what=what)]
        self._told_of.add(event.challenge)
        if other == event.by:
            return [self.say.say("trap taken apart alone", by=who, what=what)]
        return [self.say.say("trap taken apart", by=who, what=what, other=self.cast.called(other))]

    def _challenge(self, event: Challenge, after: Sequence[Event]) -> list[str]:
        who, say = self.cast.called(event.by), self.say
        what = definite(event.challenge)
        hurt = any(isinstance(e, Injury) and e.target == event.by and e.because == event.challenge for e in after[:7])
        match event.kind, event.state:
            case "door", Stands.FOUND:
                return [say.say("secret", by=who)]
            case "trap", Stands.FOUND:
                return self._trap(event, after)
            case "chest", Stands.FOUND:
                return [say.say("chest found", by=who, what=what)]
            case _, Stands.SPRUNG:
                return [say.say("trap hurt" if hurt else "trap sprung", by=who, what=what)]
            case _, Stands.DISARMED if event.challenge in self._told_of:
                return []
            case _, Stands.DISARMED:
                return [say.say("disarmed", by=who)]
            case "chest", Stands.OPEN:
                trap = [say.say("chest hurt", by=who)] if hurt else []
                if not event.contents:
                    return [say.say("chest", by=who, what=what), *trap]
                inside = event.contents.split(", ")
                self._chests.update(inside)
                return [say.say("chest with", by=who, what=what, contents=things(inside)), *trap]
            case "rubble", _:
                return [say.say("cleared", by=who, what=what)]
        return []
