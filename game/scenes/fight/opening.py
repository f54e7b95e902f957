"""The dice that are thrown before anybody may act: those of who throws real ones are asked for first."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from game.fight.match import Face, attempt_opening
from game.fight.seats import Seat, Seats
from game.fight.viewing import fogged
from game.scenes.base import Shell
from rules.contract.display import Board
from rules.contract.errors import ThrowNeeded

if TYPE_CHECKING:
    from game.fight.match import Match
    from game.scenes.base import Scene


class Opening:
    """A fight about to begin. Once no die is wanting any more, `go` gets it; called off, nothing has begun.

    Nothing of what lies below is shown meanwhile: it may be the table on which the fight was prepared. Seats that keep
    secrets throw one after another, each alone at the screen.
    """

    may_cancel = True
    covers = True

    def __init__(self, app: Shell, match: Match, go: Callable[[Match], None]) -> None:
        self.app, self.match, self.go = app, match, go
        self.seats = Seats(match.record)
        self._secrets = fogged(match) and self.seats.keep_secrets
        self._at: Seat | None = None
        """Who was let look."""
        self._shown: Scene | None = None
        self.board: Board = match.board()
        self.needed: ThrowNeeded | None = None
        self.typed: list[Face] = []
        self.asked: list[ThrowNeeded] = []

    def begin(self) -> None:
        """Ask for the first die, or begin at once where none is to be thrown by hand."""
        found = attempt_opening(self.match, self.typed, self.seats.throws_own)
        self.needed = found.needed
        if self.needed is None:
            self._show(None)
            self.go(self.match.begun_with(found.throws) if any(self.typed) else self.match)
        else:
            self._ask(self.seats.of(self.needed.by))

    def _ask(self, seat: Seat | None) -> None:
        """Ask a seat for the die that is needed, once its player is at the screen."""
        from game.scenes.fight.dicedialog import DiceDialog
        from game.scenes.fight.handover import CoverOnce

        if self._secrets and seat is not None and seat != self._at:

            def ready() -> None:
                self._at = seat
                self._show(DiceDialog(self.app, self))

            self._show(CoverOnce(self.app, seat, "throws the dice next", ready, self.call_off))
        elif not isinstance(self._shown, DiceDialog):
            self._show(DiceDialog(self.app, self))

    def _show(self, scene: Scene | None) -> None:
        """Show this in place of what was shown for the opening."""
        if self._shown is not None:
            self.app.pop()
        self._shown = scene
        if scene is not None:
            self.app.push(scene)

    @property
    def told(self) -> list[tuple[ThrowNeeded, Face]]:
        """The dice that were answered, with their faces: those of others only where there are no secrets."""
        given = list(zip(self.asked, self.typed, strict=True))
        return [(n, face) for n, face in given if not self._secrets or self.seats.of(n.by) == self._at]

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
        self._show(None)


def opened(app: Shell, match: Match, go: Callable[[Match], None]) -> None:
    """Hand a match to `go`, after asking for the dice of its opening that are thrown by hand."""
    fresh = not match.record.commands and match.record.throws is None
    if fresh and any(seat.own_dice for seat in Seats(match.record).seats):
        Opening(app, match, go).begin()
    else:
        go(match)
