"""Dice thrown by hand in a fight: asks for each face before anything is applied, and can be called off until then."""

from __future__ import annotations

from typing import TYPE_CHECKING

from game.fight.match import Face, attempt
from game.fight.seats import Seats
from game.scenes.fight.plan import plain
from rules.contract.actions import Action, Decision
from rules.contract.display import Board
from rules.contract.errors import BattlematError, ThrowNeeded

if TYPE_CHECKING:
    from game.scenes.fight.scene import Fight


class Throwing:
    """An action under way to being done: `needed` is the die that is asked for now.

    The dice of a creature that whoever looks cannot see are the computer's: asking for them would give it away.
    """

    def __init__(self, fight: Fight) -> None:
        self.fight = fight
        self.needed: ThrowNeeded | None = None
        self.typed: list[Face] = []
        self.asked: list[ThrowNeeded] = []
        """The dice that the typed faces answered."""
        self._deed: tuple[Decision, Action] | None = None

    @property
    def open(self) -> bool:
        """Whether a die is being asked for."""
        return self.needed is not None

    @property
    def seats(self) -> Seats:
        """Who plays whom."""
        return self.fight.seating.seats

    @property
    def board(self) -> Board:
        """Where everybody stands, as it is shown."""
        return self.fight.board

    covers = False
    """The board is seen while its dice are asked for."""

    @property
    def told(self) -> list[tuple[ThrowNeeded, Face]]:
        """The dice that were answered, with their faces."""
        return list(zip(self.asked, self.typed, strict=True))

    @property
    def may_cancel(self) -> bool:
        """Whether the action may be called off: one's own may, the computer's is on its way."""
        deed = self._deed
        return deed is not None and self.seats.answering(deed[0]) is not None

    def begin(self, decision: Decision, action: Action) -> bool:
        """Do an action, after asking for the faces it needs; False where the rules refuse it."""
        if not any(seat.own_dice for seat in self.seats.seats):
            return self.fight.carry_out(decision, action)
        self._deed, self.typed, self.asked = (decision, action), [], []
        return self._go()

    def _own(self, creature: str) -> bool:
        return self.seats.throws_own(creature) and creature in self.fight.names

    def _go(self) -> bool:
        from game.scenes.fight.dicedialog import DiceDialog

        fight, deed, was_open = self.fight, self._deed, self.open
        assert deed is not None
        try:
            found = attempt(fight.match, *deed, self.typed, self._own)
        except BattlematError as error:
            self.call_off()
            fight.toast(plain(str(error)))
            return False
        self.needed = found.needed
        if self.needed is not None:
            if not was_open:
                fight.app.push(DiceDialog(fight.app, self))
            return True
        if was_open:
            fight.app.pop()
        typed = bool(self.typed) or fight.match.record.throws is not None
        self._deed = None
        return fight.carry_out(*deed, found.throws if typed else None)

    def put(self, face: Face) -> None:
        """The die shows this; None: the computer throws it."""
        if self.needed is not None:
            self.asked.append(self.needed)
            self.typed.append(face)
            self._go()

    def take_back(self) -> bool:
        """Take back the last face; False if there is none."""
        if not self.typed:
            return False
        self.typed.pop()
        self.asked.pop()
        self._go()
        return True

    def call_off(self) -> None:
        """Leave the action undone: nothing has happened."""
        was_open, self.needed, self._deed = self.open, None, None
        if was_open:
            self.fight.app.pop()
