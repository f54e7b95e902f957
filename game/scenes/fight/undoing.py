"""Taking back in a fight: undo and redo, the rewind that asks first, and the branches (game.fight.history says why)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING

from game.fight.history import Past
from game.fight.seats import Seat
from game.scenes.fight.plan import Plan
from game.view.minis import icon
from game.widgets.controls import Pressable
from game.widgets.core import Tip, Widget
from game.widgets.figures import IconButton

if TYPE_CHECKING:
    from game.scenes.fight.scene import Fight

MOST_POINTS = 24
"""How many places to go back to the rewind offers."""


class Undoing:
    """What the keys and buttons of taking back do. Only the record is rewound; the board then shows what it says."""

    def __init__(self, fight: Fight) -> None:
        self.fight = fight
        self._known: tuple[object, Seat, Past | None] | None = None

    # -- what could be taken back

    def points(self) -> Iterator[Past]:
        """Where one could go back to, the latest first: where a person had a choice, and not only the end."""
        history = self.fight.match.history
        for to in history.points():
            if not self.fight.seating.may_take_back(to):
                return
            if self.a_choice(to):
                yield history.look_back(to)

    def a_choice(self, to: int) -> bool:
        """Whether the command after so many was a choice, and not the only thing left to do."""
        fight = self.fight
        if fight.match.record.commands[to].do != "end" or not fight.ends_chances:
            return True
        state = fight.match.history.moments[to].state
        for decision in fight.ruleset.decisions(state):
            legal = fight.ruleset.legal(state, decision)
            plan = Plan(fight.ruleset, state, decision, legal, fight.ruleset.board(state), fight.match.field)
            if not plan.only_end:
                return True
        return False

    def latest(self) -> Past | None:
        """What an undo would take back now; None if nothing can be."""
        moment, seat = self.fight.match.history.moments[-1], self.fight.seating.at
        if self._known is None or self._known[0] is not moment or self._known[1] != seat:
            self._known = (moment, seat, next(self.points(), None))
        return self._known[2]

    # -- doing it

    def undo(self) -> None:
        """Take back the last decision if that is free, else ask whether to rewind."""
        past = self.latest()
        if past is None:
            self.fight.toast("There is nothing to take back.")
        elif past.free:
            self._change(lambda: self.fight.match.undo(past.to), f"Taken back: {past.before}.")
        else:
            self.ask()

    def redo(self) -> None:
        """Do again what was taken back last."""
        if not self.fight.match.history.can_redo:
            self.fight.toast("There is nothing to do again.")
            return
        self._change(self.fight.match.redo, "Done again.")

    def ask(self) -> None:
        """Ask how far to rewind."""
        from game.scenes.fight.branches import AskRewind

        if self._covered:
            return
        found = [past for past, _ in zip(self.points(), range(MOST_POINTS), strict=False)]
        if found:
            counted = self.fight.seating.views() is None
            asked = self.fight.match.history.length
            ask = partial(AskRewind, counted=counted, when=self._when)
            self.fight.app.push(ask(self.fight.app, found, lambda to: self.rewind(to, asked)))
        else:
            self.fight.toast("There is nothing to take back.")

    @property
    def _covered(self) -> bool:
        """Whether the screen has gone to another seat since it was asked: the dialog closed, and the handover came."""
        from game.scenes.fight.handover import Handover

        return isinstance(self.fight.app.top, Handover)

    def _when(self, to: int) -> str:
        """The turn and round after so many commands."""
        return self.fight.ruleset.board(self.fight.match.history.moments[to].state).caption

    def rewind(self, to: int, asked: int | None = None) -> None:
        """Go back although something was learnt; asks anew if more has happened than the `asked` commands."""
        if self._covered:
            return
        if asked is not None and asked != self.fight.match.history.length:
            self.ask()
            return
        self._change(lambda: self.fight.match.rewind(to), "Rewound; what was left is kept under Branches.")

    @property
    def open_lines(self) -> bool:
        """Whether whoever looks may know the lines that were left: everybody's decisions are in them."""
        seating = self.fight.seating
        return not seating.secrets or seating.open_book

    def branches(self) -> None:
        """The list of the lines that were left."""
        from game.scenes.fight.branches import Branches

        if self._covered:
            return
        if not self.open_lines:
            self.fight.toast("Branches stay closed while seats keep secrets from each other.")
            return
        asked = self.fight.match.history.length
        take = partial(self._switch, asked=asked)
        self.fight.app.push(Branches(self.fight.app, self.fight.match, take))

    def _switch(self, number: int, asked: int | None = None) -> None:
        """Take up a branch; shows the list anew if more has happened than the `asked` commands."""
        if self._covered:
            return
        if asked is not None and asked != self.fight.match.history.length:
            self.branches()
            return

        def call() -> None:
            branches = self.fight.match.record.branches
            known = len(branches)
            self._change(lambda: self.fight.match.switch(number))
            kept = len(branches) == known  # else the line before was the beginning of this one
            told = "The other line was taken up; the one before is kept under Branches."
            self.fight.toast(told if kept else "The other line was taken up: it goes on from the one before.")

        self.fight.app.guard(call)

    def _change(self, call: Callable[[], None], text: str = "") -> None:
        """Change the past, whatever is still being shown, and show the fight as its record then has it, at once.

        Raises BattlematError where the history refuses; then only what was being shown has come to its end.
        """
        fight = self.fight
        fight.view.animator.clear()  # while the history still has it; and nothing of it stays on the table
        call()
        fight.moment.end()
        fight.pacing.begin_anew()
        fight.look()
        fight.telling.change_past()
        fight.refresh()
        fight.toast(text)

    def again(self) -> None:
        """Show the last enemy turn again."""
        from game.scenes.replay import ways as replaying

        replaying.again(self.fight.app, self.fight)

    # -- buttons

    def buttons(self) -> list[Widget]:
        """The branches where there are any, undo, redo and again, for the log's head.

        The branches come first: the others stay under the pointer when that button appears.
        """
        fight = self.fight
        past, keys = self.latest(), fight.app.keys
        amount = fight.seating.told(past) if past is not None else ""
        told = "Nothing to take back." if past is None else f"Takes back {amount}."
        if past is not None and not past.free:
            told = f"Asks first: it would take back {amount}."
        found: list[Widget] = []
        if (count := len(fight.match.record.branches)) and self.open_lines:
            lines = "1 line was left" if count == 1 else f"{count} lines were left"
            tip = Tip(f"{lines} by rewinding.", f"Branches ({keys.shown('branches')})")
            found.append(self._button("branch", self.branches, tip))
        found.append(self._button("undo", self.undo, Tip(told, f"Undo ({keys.shown('undo')})"), past is not None))
        again = fight.match.history.can_redo
        text = "What was taken back last." if again else "Nothing was taken back."
        found.append(self._button("redo", self.redo, Tip(text, f"Redo ({keys.shown('redo')})"), again))
        told = "What your side saw since your last decision, once more."
        tip = Tip(told, f"Again ({keys.shown('again')})")
        found.append(self._button("again", self.again, tip))
        return found

    @staticmethod
    def _button(name: str, call: Callable[[], None], tip: Tip, enabled: bool = True) -> Pressable:
        button = IconButton(partial(icon, name), call, key=name, tip=tip)
        button.enabled = enabled
        button.on_refused = call  # says why not
        return button
