"""Rewinding asked for, with what it would take back; and the lines of play that were left, to be taken up again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from game.fight.history import Past
from game.fight.match import Match
from game.scenes.base import Shell
from game.scenes.dialogs.panels import Panel
from game.widgets.controls import Button, Label
from game.widgets.core import Box, Scroll, Space, Widget, column, row
from game.widgets.text import Run
from rules.core.record import Branch


class AskRewind(Panel):
    """How far to rewind: the last decision, or further back."""

    name = "rewind"
    width = 540.0

    def __init__(
        self,
        app: Shell,
        points: Sequence[Past],
        rewind: Callable[[int], None],
        *,
        counted: bool = True,
        when: Callable[[int], str] = lambda to: "",
    ) -> None:
        super().__init__(app)
        self.when = {past.to: when(past.to) for past in points}
        """For each place to go back to, its turn and round."""
        self.points, self.rewind = points, rewind
        self.counted = counted
        """Whether it says how much happened: not where some of that was hidden."""

    def content(self) -> Box:
        first, *others = self.points
        amount = _amount(first) if self.counted else "all that happened"
        told = [Run("This takes back "), Run(amount, "gold", "text!"), Run(", to before "),
                Run(first.before, "bright", "text!"), Run(".")]  # fmt: skip
        parts: list[Widget] = [
            Label("Rewind?", "heading", "bright"),
            Label(told),
            Label(_why(first), "small", "quiet"),
        ]
        if others:
            rows = [
                Button(
                    f"Before {past.before}",
                    partial(self._take, past),
                    cost=self._told(past),
                    key=f"back to {past.to}",
                )
                for past in others
            ]
            listing = Scroll(column(*rows, gap=6, pad=4), height=236)
            listing.grow = 1
            parts += [Label("Or further back", "label", "gold"), listing]
        stay = Button("Leave it as it is", self.app.pop, hint=self.app.keys.shown("back"), key="stay")
        go = Button("Rewind", partial(self._take, first), gold=True, key="rewind")
        return column(*parts, row(stay, Space(grow=1), go), gap=12)

    def build(self) -> None:
        first = not self.ui.remembers
        super().build()
        if first:
            self.ui.focus_key("rewind")

    def _told(self, past: Past) -> str:
        """`Turn 2, round 1 · takes back 4 commands and 4 dice`."""
        parts = (self.when[past.to], f"takes back {_amount(past)}" if self.counted else "")
        return " · ".join(part for part in parts if part)

    def _take(self, past: Past) -> None:
        self.app.pop()
        self.rewind(past.to)


def _amount(past: Past) -> str:
    parts = ["1 command" if past.commands == 1 else f"{past.commands} commands"]
    if past.dice:
        parts.append("1 die" if past.dice == 1 else f"{past.dice} dice")
    return " and ".join(parts)


def _why(past: Past) -> str:
    learnt = []
    if past.dice:
        learnt.append("dice were thrown")
    if past.seen:
        learnt.append(f"your side saw {_listed(past.seen)}")
    why = f"It is no mere undo, as {' and '.join(learnt)} since. " if learnt else ""
    return why + "It is noted in the log, and the line that you leave is kept under Branches."


def _listed(names: Sequence[str]) -> str:
    shown = list(names[:4]) + ([f"{len(names) - 4} more"] if len(names) > 4 else [])
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} and {shown[-1]}"


class Branches(Panel):
    """The lines that were left, and where each leaves the present one."""

    name = "branches"
    width = 560.0

    def __init__(self, app: Shell, match: Match, take: Callable[[int], None]) -> None:
        super().__init__(app)
        self.match, self.take = match, take

    def content(self) -> Box:
        lines = list(enumerate(self.match.record.branches))
        rows: list[Widget] = [
            Button(self._title(branch), partial(self._take, number), cost=self._told(branch), key=f"{number}")
            for number, branch in reversed(lines)
        ]
        if not rows:
            told = "No other line yet. A rewind keeps the line that it leaves, and lists it here."
            rows = [Label(told, colour="quiet")]
        listing = Scroll(column(*rows, gap=8, pad=4), height=330)
        listing.grow = 1
        hint = "Taking one up goes on where it ended; the present line is kept here in its place."
        back = row(Space(grow=1), Button("Back", self.app.pop, hint=self.app.keys.shown("back"), gold=not lines))
        parts: list[Widget] = [Label("Branches", "heading", "bright")]
        if lines:
            parts.append(Label(hint, "small", "quiet"))
        return column(*parts, listing, back, gap=12)

    def _title(self, branch: Branch) -> str:
        return f"With {branch.title}" if branch.title else "Another line"

    def _told(self, branch: Branch) -> str:
        """`leaves in turn 2, round 1, at command 14 of 20, and goes on for 6`."""
        history = self.match.history
        caption = self.match.ruleset.board(history.moments[branch.at].state).caption
        count = len(branch.commands)
        goes = f"{count} command{'s' if count != 1 else ''} long"
        if branch.at == history.length:
            return f"{caption}: goes on from here, {goes}"
        return f"{caption}: leaves after command {branch.at} of {history.length}, {goes}"

    def _take(self, number: int) -> None:
        self.app.pop()
        self.take(number)
