"""The dice that are thrown before anybody may act: those of who throws real ones are asked for first."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from game.handdice import Face, attempt_opening
from game.seats import Seats
from rules.board import Board
from rules.errors import ThrowNeeded

if TYPE_CHECKING:
    from game.app import App
    from game.match import Match


class Opening:
    """A fight about to begin. Once no die is wanting any more, `go` gets it; called off, nothing has begun."""

    may_cancel = True

    def __init__(self, app: App, match: Match, go: Callable[[Match], None]) -> None:
        self.app, self.match, self.go = app, match, go
        self.seats = Seats(match.record)
        self.board: Board = match.board()
        self.needed: ThrowNeeded | None = None
        self.typed: list[Face] = []
        self.asked: list[ThrowNeeded] = []

    def begin(self) -> None:
        """Ask for the first die, or begin at once where none is to be thrown by hand."""
        from game.scenes.dicedialog import DiceDialog

        found = attempt_opening(self.match, self.typed, self.seats.throws_own)
        was_open, self.needed = self.needed is not None, found.needed
        if self.needed is None:
            if was_open:
                self.app.pop()
            self.go(self.match.begun_with(found.throws) if any(self.typed) else self.match)
        elif not was_open:
            self.app.push(DiceDialog(self.app, self))

    def put(self, face: Face) -> None:
        """The die shows this; None: the computer throws it."""
        if self.needed is not None:
            self.asked.append(self.needed)
            self.typed.append(face)
            self.app.guard(self.begin)

    def take_back(self) -> bool:
        """Take back the last face; False if there is none."""
        if not self.typed:
            return False
        self.typed.pop()
        self.asked.pop()
        self.app.guard(self.begin)
        return True

    def call_off(self) -> None:
        """The fight does not begin."""
        self.needed = None
        self.app.pop()


def opened(app: App, match: Match, go: Callable[[Match], None]) -> None:
    """Hand a match to `go`, after asking for the dice of its opening that are thrown by hand."""
    fresh = not match.record.commands and match.record.throws is None
    if fresh and any(seat.own_dice for seat in Seats(match.record).seats):
        Opening(app, match, go).begin()
    else:
        go(match)
