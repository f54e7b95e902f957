"""What the players' window has to show: a fight that is played or played again, or one that is prepared."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from msgspec.structs import replace

from game.fight.brush import Brush
from game.fight.history import Moment, Sight
from game.fight.match import Match
from game.fight.seats import heroes_of
from game.fight.viewing import Eyes, fogged
from game.view.boardview import BoardView
from rules.board.sight import Lamp
from rules.contract.display import Board
from rules.contract.events import Door, Event
from rules.contract.units import Bitboard, Cell


class Source(Protocol):
    """A scene's board, from which the players' window takes what the heroes know of it."""

    @property
    def match(self) -> Match | None:
        """The fight; None while there is none that could be shown."""

    @property
    def frame(self) -> int:
        """After how many of its commands it is shown."""

    @property
    def view(self) -> BoardView:
        """The board in the main window."""

    @property
    def keeps(self) -> bool:
        """Whether ground that is shown or hidden by hand is kept with the match."""

    @property
    def curtained(self) -> bool:
        """Whether the players' window must show nothing now: who sits at the screen may not know what heroes know."""


class Passage(NamedTuple):
    """What was seen to happen between two pictures, and when each event begins in the main window, in seconds."""

    events: Sequence[Event]
    before: Board
    starts: Sequence[float]


class Picture(NamedTuple):
    """The table as the heroes know it."""

    board: Board
    sight: Sight | None
    """The ground that is seen and remembered; None: all of it."""
    lamps: tuple[Lamp, ...]


# -- what the heroes know, with what the game master's brush has shown or hidden


class Known:
    """What the heroes know of a match, moment by moment.

    `strict`: where a fight is without fog of war, what none of them sees is left out all the same.
    """

    def __init__(self, match: Match, *, strict: bool) -> None:
        self.match, self.strict, self.sides = match, strict, heroes_of(match.record)
        self.veiled = strict or fogged(match)
        """Whether anything is kept from the heroes."""
        self.eyes = Eyes(match, self.sides if self.veiled else None, self.sides)

    def moment(self, number: int) -> Moment:
        """How the match stands after so many commands."""
        moments = self.match.history.moments
        return moments[min(number, len(moments) - 1)]

    def picture(self, number: int, brush: Brush) -> Picture:
        """The table after so many commands."""
        sight, board = self.eyes.sight(number), self.eyes.board(number)
        lamps = self.match.ruleset.lamps(self.eyes.state(number))
        if brush.shown or brush.hidden:
            whole = self.match.ruleset.terrain(self.moment(number).state).everywhere
            now, ever = (whole, whole) if sight is None else (sight.now, sight.ever)
            if sight is not None or brush.hidden:
                sight = Sight(now & ~brush.hidden, (ever | brush.shown) & ~brush.hidden)
            board = self._uncovered(board, brush.hidden)
        return Picture(board, sight, lamps)

    def passage(self, then: int, now: int, brush: Brush) -> tuple[list[Event], Board]:
        """What was witnessed between two moments, and the board before it."""
        events = self.match.events[self.moment(then).events : self.moment(now).events]
        seen, before, after = self.eyes.events(events), self.picture(then, brush), self.picture(now, brush)
        return self._told(seen, before, after), before.board

    def _uncovered(self, board: Board, hidden: Bitboard) -> Board:
        """A board without what lies on hidden ground; the heroes themselves stay."""
        if not hidden:
            return board
        width = self.match.field.width

        def clear(cell: Cell, size: int) -> bool:
            if cell < 0:
                return True
            spaces = (cell + down * width + right for down in range(size) for right in range(size))
            return not all(hidden >> space & 1 for space in spaces)

        minis = tuple(m for m in board.miniatures if m.side in self.sides or clear(m.cell, m.size))
        there = {mini.id for mini in minis}
        return replace(
            board, miniatures=minis, order=tuple(turn for turn in board.order if turn.id in there),
            floor=tuple(item for item in board.floor if not hidden >> item.cell & 1),
            ground=tuple(replace(m, cells=m.cells & ~hidden) for m in board.ground if m.cells & ~hidden),
            plans=tuple(plan for plan in board.plans if plan.id in there),
        )  # fmt: skip

    def _told(self, events: Sequence[Event], before: Picture, after: Picture) -> list[Event]:
        """Of what happened only what is about somebody, or something, that the heroes see before it or after."""
        if after.sight is None:
            return list(events)
        there = {mini.id for picture in (before, after) for mini in picture.board.miniatures}
        strangers = {str(creature.get("id")) for creature in self.match.record.creatures} - there
        ever = after.sight.ever
        doors = {door.id for door in self.match.field.doors if not ever >> door.cell & 1}

        def shown(event: Event) -> bool:
            if isinstance(event, Door) and event.door in doors:
                return False
            return all(getattr(event, word, None) not in strangers for word in ("by", "target"))

        return [event for event in events if shown(event)]
