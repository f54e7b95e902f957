"""What is told of rooms: who came in, what was opened, found and sprung there, and how much time went by."""

from __future__ import annotations

from game.chronicle.episodes import RESTS, Beat, Episode
from game.chronicle.naming import Cast, Place
from game.chronicle.words import NOISES, Chooser
from game.fight.match import Match
from rules.contract.events import Challenge, Check, Door, Event, Freed, Goal, Injury, Item, Left, Noise
from rules.contract.text import text
from rules.core.secrets import Stands

TURN = 10
"""Minutes of a dungeon turn."""
LONG, HOUR = 10, 45
"""Minutes from which on their going by is worth a sentence, and from which on hours are counted."""


class RoomTeller:
    """Tells of an exploration."""

    def __init__(self, match: Match, cast: Cast, say: Chooser, ours: frozenset[str], *, fallen: set[str]) -> None:
        self.match, self.cast, self.say, self.ours = match, cast, say, ours
        self.fallen = fallen
        self._part, self._parts = 0, {0}  # the map of the place where they are, and those that were told of
        self._place: Place | None = None
        """Where they were told to be last."""

    def tell(self, episode: Episode, *, first: bool) -> list[str]:
        """The sentences of an episode; none where nothing worth telling happened."""
        told: list[str] = []
        happened = self._happened(episode)
        if episode.place is not None:
            kind = "came back" if episode.again else "came into"
            if not first and episode.place is not self._place:
                told += self._level(episode)
                told.append(self.say.say(kind, place=episode.place.again if episode.again else episode.place.said))
        told += happened
        minutes = episode.passed("minute") + TURN * episode.passed("dungeon turn")
        if minutes >= LONG and told:
            hours = (minutes + 30) // 60
            told.append(self.say.count("hours", hours) if minutes >= HOUR else self.say.count("minutes", minutes))
        if not happened and episode.again:
            return []
        self._place = episode.place
        return told

    def _level(self, episode: Episode) -> list[str]:
        """That they have come to another level, where the place has several; what is to be told of it, once."""
        maps, place = self.match.field.maps, episode.place
        if not maps or place is None:
            return []
        row = ((place.cells & -place.cells).bit_length() - 1) // self.match.field.width
        number = max((n for n, part in enumerate(maps) if part.top <= row), default=0)
        if number == self._part:
            return []
        self._part, known = number, number in self._parts
        self._parts.add(number)
        title = maps[number].title.rpartition(": ")[2]
        told = [self.say.say("level", level=title[:1].lower() + title[1:] if title.startswith("The ") else title)]
        return [*told, maps[number].story] if maps[number].story and not known else told

    def _happened(self, episode: Episode) -> list[str]:
        told: list[str] = []
        heard = dict[str, int]()
        for number, beat in enumerate(episode.beats):
            said = self._one(beat, episode.events[number + 1 : number + 6], heard)
            if said and (not told or said != told[-1]):
                told.append(said)
        return told

    def _one(self, beat: Beat, after: list[Event], heard: dict[str, int]) -> str:
        """One thing that happened; empty for what needs no words."""
        event, say, cast = beat.event, self.say, self.cast
        match event:
            case Door(by=by) if by and cast.side(by) in self.ours:
                return self._door(event, by)
            case Challenge(by=by) if cast.side(by) in self.ours:
                return self._challenge(event)
            case Item(how="picked_up", by=by, item=item) if cast.side(by) in self.ours:
                return say.say("picked up", by=cast.called(by), item=item)
            case Freed(by=by, target=target):
                return say.say("freed", by=cast.called(by), target=cast.called(target))
            case Goal(goal=name, state="done", side=side) if side in self.ours:
                return say.say("goal done", goal=self._goal(name))
            case Left(by=by) if cast.side(by) in self.ours:
                return say.say("left", by=cast.called(by))
            case Noise(by="", what=what) if heard.setdefault(str(what), 0) < 1:
                heard[str(what)] += 1
                return say.say("heard", noise=NOISES.get(str(what), str(what)))
            case Injury(target=target, status="dead" | "incapacitated") if target not in self.fallen:
                self.fallen.add(target)
                return say.say("hero down alone" if cast.side(target) in self.ours else "went down",
                               target=cast.called(target))  # fmt: skip
            case Check(by=by, success=False) if cast.side(by) in self.ours and self._did(beat) == "search":
                found = any(isinstance(e, Challenge) and e.state == Stands.FOUND for e in after)
                return "" if found else say.say("searched in vain")
        if (rest := self._did(beat)) in RESTS and not heard.setdefault(rest, 0):
            heard[rest] = 1
            return say.say("ate" if self._did(beat) == "meal" else "rested")
        return ""

    def _did(self, beat: Beat) -> str:
        """The word of the command that led to something."""
        return self.match.record.commands[beat.frame - 1].do if beat.frame else ""

    def _goal(self, name: str) -> str:
        goals = self.match.ruleset.board(self.match.state).goals
        return next((goal.label for goal in goals if goal.name == name), name)

    def _door(self, event: Door, by: str) -> str:
        who = self.cast.called(by)
        plain = event.door.startswith("door ")
        if event.state == "open":
            if plain:
                return self.say.say("opened door", by=who)
            return self.say.say("opened named", by=who, door=definite(event.door))
        if event.state == "broken":
            return self.say.say("broke door", by=who)
        if event.state == "locked":
            return self.say.say("locked door", by=who)
        return self.say.say("closed door", by=who) if event.state == "closed" else ""

    def _challenge(self, event: Challenge) -> str:
        who, what = self.cast.called(event.by), definite(event.challenge)
        fields = {"by": who, "what": what}
        match event.kind, event.state:
            case "door", Stands.FOUND:
                return self.say.say("secret", **fields)
            case "trap", Stands.FOUND:
                return self.say.say("trap seen", **fields)
            case _, Stands.FOUND:
                return self.say.say("chest found", **fields)
            case _, Stands.SPRUNG:
                return self.say.say("trap sprung", **fields)
            case _, Stands.DISARMED:
                return self.say.say("disarmed", **fields)
            case "chest", Stands.OPEN:
                if event.contents:
                    return self.say.say("chest with", **fields, contents=event.contents)
                return self.say.say("chest", **fields)
            case "rubble", _:
                return self.say.say("cleared", **fields)
        return ""


def definite(name: str) -> str:
    """A thing of the map within a sentence: `the Hall gate`."""
    if name[:4].lower() in ("the ", "a ", "an "):
        return name[:1].lower() + name[1:]
    return text("the {thing}", thing=name)
