"""What the player has been shown of the match: the log, and the board and state as far as the animation has come."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from game.scenes import narrate
from game.widgets.core import Tip
from game.widgets.story import Entry, Story
from rules.board import Board
from rules.events import Attack, Began, Event, Moved
from rules.record import Rewind
from rules.ruleset import State

if TYPE_CHECKING:
    from game.scenes.fight import Fight


class _Note(NamedTuple):
    """A rewind in the log: after how many events it stands."""

    at: int
    rewind: Rewind


def _shared(one: Sequence[Any], two: Sequence[Any], alike: Callable[[Any, Any], bool]) -> int:
    """How many entries two lists begin alike with."""
    count = 0
    for a, b in zip(one, two, strict=False):
        if not alike(a, b):
            break
        count += 1
    return count


class Telling:
    """Lets the log, the sheet and the order of play wait for the dice; never the rules.

    `board` and `state` are what panels show: those before the latest action until its animation has ended.
    """

    def __init__(self, fight: Fight) -> None:
        self.fight = fight
        self.story = Story()
        self.story.on_ask = self._ask
        self.story.ask_tip = Tip("Why did the computer do that?")
        self.state: State = fight.shown
        self.board: Board = fight.board
        self._told = 0
        """The command at which the log asked why last."""
        self._behind = False
        self._stage_shown: tuple[tuple[int, int], ...] = ()
        self.seen = True
        """Whether anything of what happened last was seen."""
        self._events: list[Event] = []
        self._notes: list[_Note] = []
        self._marks: list[tuple[int, int]] = []
        """For each line of the log: how many events had happened with it, and the number of its rewind, else −1."""

    @property
    def behind(self) -> bool:
        """Whether the player has not yet seen all that happened."""
        return self._behind

    def begin(self) -> None:
        """Tell the whole match at once: a fight was opened, or others look at it now."""
        self.story.clear()
        self._marks.clear()
        self._events, self._notes = [], []
        self.change_past()

    def change_past(self) -> None:
        """The match's past has changed: show it as it is now; lines of the log that still hold stay as they are."""
        fight = self.fight
        fight.view.skip()
        events, notes = fight.match.events, self._rewinds()
        same = _shared(self._events, events, operator.is_)
        noted = _shared(self._notes, notes, operator.eq)
        differing = (*self._notes[noted : noted + 1], *notes[noted : noted + 1])
        same = min([same, *(note.at for note in differing)])
        self.story.cut(sum(end <= same and number < noted for end, number in self._marks))
        del self._marks[len(self.story.entries) :]
        self._told = 0
        for note in notes[noted:]:
            self._tell_events(events[same : note.at], same)
            self._append([narrate.rewound(note.rewind, whole=fight.seating.open_book)], note.at, noted)
            same, noted = max(same, note.at), noted + 1
        self._tell_events(events[same:], same)
        self._events, self._notes = list(events), notes
        fight.view.set_board(fight.board)
        self._catch_up()

    def _rewinds(self) -> list[_Note]:
        """The rewinds that were logged, each after as many events as there were where it led back to."""
        match = self.fight.match
        return [_Note(match.history.moments[r.at].events, r.model_copy()) for r in match.record.rewinds]

    def _tell_events(self, events: Sequence[Event], first: int) -> None:
        for end, event in enumerate(events, first + 1):
            if self.fight.eyes.witnesses(event):
                self._append(self._lines(event, end), end)

    def _lines(self, event: Event, end: int) -> list[Entry]:
        """What the log tells of an event, the last of `end`; made while the history still holds it."""
        lines = self._entries([event])
        if lines and self.fight.seating.open_book:
            self._mark(lines[0], self.fight.match.history.frame_of(end))
        return lines

    def _append(self, lines: Sequence[Entry], end: int, number: int = -1) -> None:
        self.story.extend(lines)
        self._marks += [(end, number)] * len(lines)

    def _mark(self, line: Entry, frame: int) -> None:
        """The first line of each deed of the computer's asks why it did that."""
        match = self.fight.match
        if not frame or frame == self._told or match.history.moments[frame].side:
            return
        if line.by and line.by == match.record.commands[frame - 1].by:
            line.asks, self._told = True, frame

    def tell(self, events: Sequence[Event], before: Board, after: Board) -> None:
        """Show what happened; the log gets each line when the board has come to it."""
        fight = self.fight
        first = len(self._events) + 1
        self._events += events
        seen = [(end, e) for end, e in enumerate(events, first) if fight.eyes.witnesses(e)]
        lines = [(self._lines(event, end), end) for end, event in seen]
        shown = [event for _, event in seen]
        self._behind = True
        self.seen = bool(shown)
        fight.show_cells(self._stage(shown, before))

        def reached(index: int) -> None:
            self._reached(*lines[index])
            if isinstance(shown[index], Began):
                fight.moment.hear(shown[index : index + 2])

        fight.view.play(shown, before, after, reached)
        if fight.app.settings.speed == 0:
            fight.view.skip()
        if not fight.view.busy:
            self._catch_up()

    def _reached(self, lines: Sequence[Entry], end: int) -> None:
        self._append(lines, end)
        self.fight.dirty = True

    def follow(self) -> None:
        """Keep the deed that is shown now in sight: of a whole side's, not all may be seen at once."""
        stage = self.fight.view.animator.stage if self._behind else ()
        if stage != self._stage_shown:
            self._stage_shown = stage
            self.fight.show_cells([self.fight.match.field.cell(*place) for place in stage])

    def update(self) -> bool:
        """After time has passed: True if the animation has just ended and panels must be made anew."""
        if not self._behind or self.fight.view.busy:
            return False
        self._catch_up()
        return True

    def _catch_up(self) -> None:
        self._behind = False
        self.state, self.board = self.fight.shown, self.fight.board

    def _ask(self, line: int) -> None:
        """Why the computer did what a line tells."""
        self._explain(self.fight.match.history.frame_of(self._marks[line][0]) - 1)

    def may_ask(self, creature: str) -> bool:
        """Whether the computer has decided something for somebody, and may be asked about it."""
        from game.counsel import explainable

        fight = self.fight
        if not fight.seating.open_book:
            return False
        made = explainable(fight.match, fight.seating.seats.played)
        return any(fight.match.record.commands[number].by == creature for number in made)

    def why(self, creature: str | None = None) -> None:
        """Why the computer did what it did last with a creature; left out: what the line of the log that is picked by

        keys tells, else what it did last with whoever is selected, or with anybody.
        """
        from game.scenes.why import latest_of

        fight, line = self.fight, self.story.cursor
        picked = creature is None and fight.ui.focus is self.story
        if picked and line is not None and line < len(self._marks) and self.story.entries[line].asks:
            self._ask(line)
            return
        number = latest_of(fight.match, creature or fight.selected)
        if not fight.seating.open_book:
            fight.toast("What the computer thinks stays hidden in the fog.")
        elif number is None:
            fight.toast("The computer has decided nothing yet.")
        else:
            self._explain(number)

    def _explain(self, number: int) -> None:
        from game.scenes.why import open_why

        fight = self.fight
        fight.view.skip()
        open_why(fight.app, fight.match, number, fight)

    def _entries(self, events: Sequence[Event]) -> list[Entry]:
        fight = self.fight
        return narrate.entries(fight.ruleset, fight.shown, events, fight.names)

    def _stage(self, events: Sequence[Event], before: Board) -> list[int]:
        """The spaces where it happens: who acts, whom it strikes, where a way ends."""
        stands = {m.id: m.cell for m in before.miniatures}
        found: list[int] = []
        for event in events:
            if isinstance(event, Attack):
                found += [stands[name] for name in (event.target, event.by) if name in stands]
            elif isinstance(event, Moved) and event.path:
                found.append(self.fight.match.field.cell(*event.path[-1]))
        return found
