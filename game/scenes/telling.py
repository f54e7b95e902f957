"""What the player has been shown of the match: the log, and the board and state as far as the animation has come."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from game.scenes import narrate
from game.widgets.story import Entry, Story
from rules.board import Board
from rules.events import Attack, Event, Moved
from rules.ruleset import State

if TYPE_CHECKING:
    from game.scenes.fight import Fight


class Telling:
    """Lets the log, the sheet and the order of play wait for the dice; never the rules.

    `board` and `state` are what panels show: those before the latest action until its animation has ended.
    """

    def __init__(self, fight: Fight) -> None:
        self.fight = fight
        self.story = Story()
        self.state: State = fight.match.state
        self.board: Board = fight.board
        self._behind = False

    @property
    def behind(self) -> bool:
        """Whether the player has not yet seen all that happened."""
        return self._behind

    def begin(self) -> None:
        """Tell the whole match at once: a fight was opened, or its past has changed."""
        fight = self.fight
        fight.view.skip()
        self.story.clear()
        self.story.extend(self._past())
        fight.view.set_board(fight.board)
        self._catch_up()

    def _past(self) -> list[Entry]:
        """The whole log: what happened, and where the fight was rewound."""
        match, found, first = self.fight.match, list[Entry](), 0
        notes: dict[int, list[Entry]] = {}
        for rewind in match.record.rewinds:
            notes.setdefault(rewind.at, []).append(narrate.rewound(rewind))
        for number, moment in enumerate(match.history.moments):
            found += self._entries(match.events[first : moment.events])
            found += notes.get(number, ())
            first = moment.events
        return found

    def tell(self, events: Sequence[Event], before: Board, after: Board) -> None:
        """Show what happened; the log gets each line when the board has come to it."""
        fight = self.fight
        seen = [e for e in events if not e.seen_by or fight.sides.intersection(e.seen_by)]
        lines = [self._entries([event]) for event in seen]
        self._behind = True
        fight.show_cells(self._stage(seen, before))
        fight.view.play(seen, before, after, lambda index: self._reached(lines[index]))
        if fight.app.settings.speed == 0:
            fight.view.skip()
        if not fight.view.busy:
            self._catch_up()

    def _reached(self, lines: Sequence[Entry]) -> None:
        self.story.extend(lines)
        self.fight.dirty = True

    def update(self) -> bool:
        """After time has passed: True if the animation has just ended and panels must be made anew."""
        if not self._behind or self.fight.view.busy:
            return False
        self._catch_up()
        return True

    def _catch_up(self) -> None:
        self._behind = False
        self.state, self.board = self.fight.match.state, self.fight.board

    def _entries(self, events: Sequence[Event]) -> list[Entry]:
        fight = self.fight
        return narrate.entries(fight.ruleset, fight.match.state, events, fight.sides, fight.names)

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
