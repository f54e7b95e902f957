"""What the player has been shown of the match: the log, and the board and state as far as the animation has come."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from game.fight.storyline import Strand
from game.scenes.fight.panels import narrate
from game.scenes.fight.panels.chronicle import Chronicle
from game.widgets.core import Tip
from game.widgets.story import Entry, Story
from rules.contract.display import Board
from rules.contract.events import Attack, Began, Event, Moved
from rules.contract.ruleset import State
from rules.core.record import Rewind

if TYPE_CHECKING:
    from game.scenes.fight.scene import Fight


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
        self._chronicle = Chronicle(
            self.story, lambda event: fight.ruleset.tell(fight.shown, event), self._entry, self._mark
        )

    @property
    def behind(self) -> bool:
        """Whether the player has not yet seen all that happened."""
        return self._behind

    def begin(self) -> None:
        """Tell the whole match at once: a fight was opened, or others look at it now."""
        self.fight.view.skip()  # what is still to be told goes on lines that are there
        self._chronicle.clear()
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
        self._chronicle.cut(same, noted)
        self._told = 0
        for note in notes[noted:]:
            self._chronicle.tell(self._seen(events[same : note.at], same))
            told = narrate.rewound(note.rewind, whole=fight.seating.open_book)
            self._chronicle.note(told, note.at, noted)
            same, noted = max(same, note.at), noted + 1
        self._chronicle.tell(self._seen(events[same:], same))
        self._events, self._notes = list(events), notes
        fight.view.set_board(fight.board)
        self.catch_up()

    def _rewinds(self) -> list[_Note]:
        """The rewinds that were logged, each after as many events as there were where it led back to."""
        match = self.fight.match
        return [_Note(match.history.moments[r.at].events, r.model_copy()) for r in match.record.rewinds]

    def _seen(self, events: Sequence[Event], first: int) -> list[tuple[int, int, Event]]:
        """Those that were witnessed, each with the number of events that had happened with it, and of commands."""
        history, eyes = self.fight.match.history, self.fight.eyes
        return [
            (end, history.frame_of(end), event) for end, event in enumerate(events, first + 1) if eyes.witnesses(event)
        ]

    def _entry(self, strand: Strand) -> Entry:
        fight = self.fight
        return narrate.entry(fight.ruleset, fight.shown, strand, fight.names)

    def _mark(self, line: Entry, strand: Strand) -> None:
        """The first line of each deed of the computer's asks why it did that."""
        if not self.fight.seating.open_book:
            return
        match = self.fight.match
        frame = match.history.frame_of(strand.first)
        if not frame or frame == self._told or match.history.moments[frame].side:
            return
        if line.by and line.by == match.record.commands[frame - 1].by:
            line.asks, self._told = True, frame

    def tell(self, events: Sequence[Event], before: Board, after: Board) -> None:
        """Show what happened; the log gets each line when the board has come to it."""
        fight = self.fight
        seen = self._seen(events, len(self._events))
        self._events += events
        changes = self._chronicle.changes(seen)
        shown = [event for _, _, event in seen]
        self._behind = True
        self.seen = bool(shown)
        fight.show_cells(self._stage(shown, before))

        def reached(index: int) -> None:
            changes[index]()
            fight.dirty = True
            if isinstance(shown[index], Began):
                fight.moment.hear(shown[index : index + 2])

        fight.view.play(shown, before, after, reached)
        if fight.app.settings.speed == 0:
            fight.view.skip()
        if not fight.view.busy:
            self.catch_up()

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
        self.catch_up()
        return True

    def catch_up(self) -> None:
        """Panels and log show how the match stands, for whoever looks now."""
        self._behind = False
        self.state, self.board = self.fight.shown, self.fight.board

    def _ask(self, line: int) -> None:
        """Why the computer did what a line tells."""
        self._explain(self.fight.match.history.frame_of(self._chronicle.strand(line).first) - 1)

    def may_ask(self, creature: str) -> bool:
        """Whether the computer has decided something for somebody, and may be asked about it."""
        from game.fight.advice import explainable

        fight = self.fight
        if not fight.seating.open_book:
            return False
        made = explainable(fight.match, fight.seating.seats.played)
        return any(fight.match.record.commands[number].by == creature for number in made)

    def why(self, creature: str | None = None) -> None:
        """Why the computer did what it did last with a creature; left out: what the line of the log that is picked by

        keys tells, else what it did last with whoever is selected, or with anybody.
        """
        from game.scenes.replay.why import latest_of

        fight, line = self.fight, self.story.cursor
        picked = creature is None and fight.ui.focus is self.story
        if picked and line is not None and line < len(self.story.entries) and self.story.entries[line].asks:
            self._ask(line)
            return
        marked = [n for n, entry in enumerate(self.story.entries) if entry.asks]
        whose = creature or fight.selected
        lines = [n for n in marked if self.story.entries[n].by == whose] or (marked if creature is None else [])
        if lines:  # what is told last, not the end of a chance after it, of which nothing is told
            self._ask(lines[-1])
            return
        number = latest_of(fight.match, whose)
        if not fight.seating.open_book:
            fight.toast("What the computer thinks stays hidden in the fog.")
        elif number is None:
            fight.toast("The computer has decided nothing yet.")
        else:
            self._explain(number)

    def _explain(self, number: int) -> None:
        from game.scenes.replay.why import open_why

        fight = self.fight
        fight.view.skip()
        open_why(fight.app, fight.match, number, fight)

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
