"""Which events a line of the story tells: a way walked in parts is one way, and what a deed costs beside goes with it.

The log, the recap, the replay and `battlemat replay` all tell by these lines, so that one thing is told once.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import msgspec

from game.app.i18n import t
from game.fight.match import Match
from game.storage import records as storage
from rules.contract.actions import Adjustment
from rules.contract.errors import RecordError, said
from rules.contract.events import Adjusted, Attack, Began, Condition, Event, Moved, Posture
from rules.contract.ruleset import State
from rules.contract.text import as_builtins, text, titled
from rules.core.dice import signed
from rules.core.record import Replayed
from rules.core.registry import ruleset as ruleset_of

LESSER = ("prone", "helpless", "incapacitated")
"""Conditions that nobody has to be told of who is told, too, that the same deed was the death of somebody."""
FAR = 60
"""Lines back to which a way that goes on is looked for: those of many who move in the same seconds."""


class Strand:
    """The events that a line tells, in order, each with the number of events that had happened with it."""

    def __init__(self, told: Iterable[tuple[int, Event]], *, end: int = 0, rewind: int = -1) -> None:
        self.told = list(told)
        self.rewind = rewind
        """The number of the rewind that it tells of instead, after `end` events; else −1."""
        self._end = end

    @property
    def first(self) -> int:
        """After how many events it was begun."""
        return self.told[0][0] if self.told else self._end

    @property
    def said(self) -> list[Event]:
        """What the line is about, a sentence each: one event, or a way, by each manner to go."""
        events = [event for _, event in self.told]
        main = next((event for event in events if not isinstance(event, Adjusted)), None)
        if not isinstance(main, Moved):
            return [main] if main is not None else events[:1]
        parts: list[Moved] = []
        for event in events:
            if isinstance(event, Moved) and parts and parts[-1].mode == event.mode:
                parts[-1] = _together(parts[-1], event)
            elif isinstance(event, Moved):
                parts.append(event)
        return [*parts]

    @property
    def main(self) -> Event | None:
        """The first of these; None for a rewind."""
        return next(iter(self.said), None)

    @property
    def asides(self) -> dict[str, list[Adjustment]]:
        """What the deed costs or earns beside, told at the end of its line: what it changes -> the changes."""
        said, found = self.said, dict[str, list[Adjustment]]()
        for _, event in self.told:
            if isinstance(event, Adjusted) and event not in said:
                found.setdefault(event.adjustment.to, []).append(event.adjustment)
        return found

    def about(self, creature: str) -> bool:
        """Whether it tells anything of a creature."""
        return any(creature in (getattr(e, "by", ""), getattr(e, "target", "")) for _, e in self.told)


class Storyline:
    """The lines of a story as events that were seen come in; `tell` says an event in words, if it has any."""

    def __init__(self, tell: Callable[[Event], str]) -> None:
        self.tell = tell
        self.strands: list[Strand] = []
        self._held: list[tuple[int, Event]] = []
        """What goes with the event that comes next."""

    def add(self, end: int, event: Event, following: Sequence[Event] = ()) -> int | None:
        """Take in an event, the last of `end`, with those of the same deed that follow it.

        Returns the number of the line that tells it, a new one or one that has grown; None where no line does, or
        another will.
        """
        if not self.tell(event) or _belittled(event, following):
            return None
        if isinstance(event, Adjusted):
            after = next((e for e in following if not isinstance(e, Adjusted)), None)
            if isinstance(after, Attack) and after.by == event.target:
                self._held.append((end, event))
                return None
        number = self._goes_on(event)
        if number is None:
            number = len(self.strands)
            self.strands.append(Strand(self._held))
            self._held = []
        self.strands[number].told.append((end, event))
        return number

    def note(self, end: int, rewind: int) -> None:
        """Put in a line that tells of a rewind, after so many events."""
        self.strands.append(Strand((), end=end, rewind=rewind))

    def cut(self, events: int, rewinds: int) -> list[int]:
        """Keep what tells of so many events and rewinds only. Returns the numbers of lines that tell less now."""
        self._held = []
        shorter: list[int] = []
        kept = [s for s in self.strands if s.first <= events and s.rewind < rewinds]
        for number, strand in enumerate(kept):
            told = [(end, event) for end, event in strand.told if end <= events]
            if len(told) < len(strand.told):
                strand.told = told
                shorter.append(number)
        self.strands = kept
        return shorter

    def _goes_on(self, event: Event) -> int | None:
        """The line that an event goes on with, if any."""
        last = len(self.strands) - 1
        if isinstance(event, Adjusted) and last >= 0:
            main = self.strands[last].main
            return last if isinstance(main, Moved | Attack) and main.by == event.target else None
        if not isinstance(event, Moved) or not event.path:
            return None
        for number in range(last, max(-1, last - FAR), -1):
            strand = self.strands[number]
            main = strand.main
            if main is None or (isinstance(main, Began) and main.what != "second"):
                return None  # only seconds pass while one and the same way is walked
            if strand.about(event.by):
                way = strand.said[-1]
                return number if isinstance(way, Moved) and self._continues(way, event, number == last) else None
        return None

    def _continues(self, way: Moved, more: Moved, last: bool) -> bool:
        """Whether a way goes on, and its sentence can say so: a second level climbed is not the first one again.

        In another manner it goes on only where it is the `last` thing told.
        """
        if not way.path or way.path[-1] != more.start:
            return False
        if way.mode != more.mode:
            return last
        return self.tell(_together(way, more)) not in (self.tell(way), self.tell(more))


def woven(tell: Callable[[Event], str], events: Sequence[Event]) -> list[Strand]:
    """The lines of events that were seen, taken as one deed after another."""
    line = Storyline(tell)
    for end, event in enumerate(events, 1):
        line.add(end, event, events[end:])
    return line.strands


def bare(strands: Sequence[Strand], number: int) -> bool:
    """Whether a line is a heading (`Second 3.`) under which nothing happened before the next of its kind."""
    here, after = (strands[n].main if n < len(strands) else None for n in (number, number + 1))
    return isinstance(here, Began) and isinstance(after, Began) and here.what == after.what


def aside(to: str, changes: Sequence[Adjustment]) -> str:
    """What a deed costs or earns beside: `Defense −3`."""
    return text("{to} {change}", titled(to.lower()), signed(sum(each.value for each in changes)))


def in_words(strand: Strand, tell: Callable[[Event], str]) -> str:
    """A line in the player's language, without any pictures."""
    said = [t(tell(event)) for event in strand.said]
    return " ".join([*said, *(f"{t(aside(to, changes))}." for to, changes in strand.asides.items())])


def _together(way: Moved, more: Moved) -> Moved:
    return msgspec.structs.replace(
        way, path=way.path + more.path, cost=way.cost + more.cost, rolls=way.rolls + more.rolls
    )


def _belittled(event: Event, following: Sequence[Event]) -> bool:
    """Whether somebody's death, told by the same deed, says more."""
    who = event.target if isinstance(event, Condition) and event.gained and event.condition in LESSER else None
    who = event.by if isinstance(event, Posture) and event.posture in LESSER else who
    deaths = (e for e in following if isinstance(e, Condition) and e.gained and e.condition == "dead")
    return who is not None and any(e.target == who for e in deaths)


def run(file: Path, say: Callable[[list[str]], None], *, events: bool, state: bool) -> int:
    """Tell the story of a record, or its events or last state as JSON.

    Nothing is said before the whole record has been played, so that an error stands alone.
    """
    lines: list[str] = []
    states: list[State] = []
    story = Storyline(lambda event: rules.tell(states[-1], event))
    record = storage.read_record(file)

    def watch(stretch: Replayed) -> None:
        if state:
            return
        if events:
            lines.extend(json.dumps(as_builtins(event), ensure_ascii=False) for event in stretch.step.events)
            return
        states.append(stretch.step.state)
        seen = [event for event in stretch.step.events if not event.whole_for]
        for place, event in enumerate(seen, 1):
            number = story.add(0, event, seen[place:])
            if number is not None:
                lines[number : number + 1] = [in_words(story.strands[number], story.tell)]

    rules = ruleset_of(record.ruleset)
    try:
        match = Match.from_record(record, beside=file.parent, strict_throws=True, watch=watch)
    except RecordError as error:
        raise RecordError("{file}: {error}", str(file), said(error)) from None
    if state:
        lines.append(json.dumps(match.ruleset.summary(match.state), ensure_ascii=False))
    elif not events:
        lines = [line for number, line in enumerate(lines) if not bare(story.strands, number)]
    say(lines)
    return 0
