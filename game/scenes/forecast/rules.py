"""One encounter under every ruleset: forecasts side by side, live, with one click to play any of them."""

from __future__ import annotations

from concurrent.futures import Executor
from functools import partial
from pathlib import Path

from game.app.window import wake
from game.forecast import matching as trying
from game.forecast.group_sequential import goal_of
from game.forecast.matching import LiveMatching, Matched, SideBySide, trials_under, wanted
from game.forecast.report import report
from game.forecast.session import Background
from game.scenes.base import Shell
from game.scenes.dialogs.panels import Panel
from game.setup.otherrules import Known
from game.widgets.controls import Button, Label
from game.widgets.core import Box, Scroll, Sized, Space, Tip, Widget, column, grown, row
from rules.contract.errors import BattlematError, said
from rules.contract.text import Text, joined, text
from rules.core import record as records
from rules.core.record import Record
from rules.core.registry import ruleset as ruleset_of

RUNS = 200
"""Fights under each ruleset."""
MATCH = (
    "Plays the encounter under the other rules with more or fewer of its foes, until the party's chance to win is "
    "about what it is here. That takes some hundred fights."
)
NAME, CELL = 150.0, 168.0
"""Width of the first column and of the others, at 100 %."""


class RulesetsPanel(Panel):
    """The figures of each ruleset in a column. Raises BattlematError for an encounter that cannot be translated."""

    name = "rulesets"
    width = NAME + 3 * CELL + 90

    def __init__(
        self, app: Shell, record: Record, *, beside: Path | None = None, executor: Executor | None = None,
        known: Known | None = None,
    ) -> None:  # fmt: skip
        super().__init__(app)
        self.record, self.known, self.beside, self.executor = record, known, beside, executor
        self.background = Background(partial(wake, self._news), executor=executor)
        self.matching: LiveMatching | None = None
        """While other numbers of foes are tried, so that it is as hard under the other rules as it was."""
        self.matched: dict[str, Matched] = {}
        """What came of that, by ruleset."""
        self._forecast()

    def _forecast(self) -> None:
        """Play the encounter under every ruleset, matched where it has been."""
        made = {name: found.record for name, found in self.matched.items()}
        first, *others = trials_under(self.record, wanted(self.record), beside=self.beside, known=self.known, made=made)
        self.background.start(first, RUNS)
        for trial in others:
            self.background.add(trial)

    def found(self) -> SideBySide:
        """What there is so far."""
        trials = self.background.trials
        found = [report(t, self.background.counts[n], within=goal_of(RUNS)) for n, t in enumerate(trials)]
        return trying.side_by_side(self.record, trials, found, self.known)

    def _news(self) -> None:
        if self not in self.app.scenes:
            return
        try:
            if self.matching is not None:
                self._tried(self.matching)
            elif self.background.collect():
                self.rebuild()
        except BattlematError as error:
            self.matching = None
            self.app.complain(said(error))

    def _asked(self) -> None:
        self.app.guard(self.match)

    def match(self) -> None:
        """Try by fights how many of the foes make it as hard under the other rules as it is."""
        others = [name for name in wanted(self.record) if name != self.record.ruleset]
        self.background.stop()
        self.matching = LiveMatching(
            self.record, others, partial(wake, self._news),
            beside=self.beside, known=self.known, executor=self.executor, runs=trying.RUNS,
        )  # fmt: skip
        self.rebuild()

    def _tried(self, matching: LiveMatching) -> None:
        """Something of what is tried was played; when all is, what was found is forecast as before."""
        matching.collect()
        if matching.now is None:
            self.matched, self.matching = matching.found, None
            matching.close()
            self._forecast()
        self.rebuild()

    def content(self) -> Box:
        found = self.found()
        titles, *rows = trying.table(found)
        lines: list[Widget] = [_line("", titles[1], "label!", "gold")]
        for name, cells in rows:
            quiet = name.startswith(" ")
            lines.append(_line(name.strip(), cells, "small" if quiet else "text", "quiet" if quiet else "bright"))
        least = min(under.forecast.runs for under in found.rulesets)
        many: str = text("{runs} fights", RUNS)
        if least < RUNS:
            many = text("{played} of {runs} fights", least, RUNS) if least else "Playing the first fights…"
        plays = [
            Button(text("Play {title}", under.title), partial(self._play, n), key=f"play {under.ruleset}", slim=True)
            for n, under in enumerate(found.rulesets)
        ]
        match = Button("Match by trial", self._asked, key="match", slim=True, tip=Tip(MATCH),
                       enabled=self.matching is None)  # fmt: skip
        told = "Counterparts on the same spaces. Compared is this encounter, not whose rules are harder."
        company = (
            Label(under.company, "small", "quiet", one_line=True, tip=Tip(under.company, under.title))
            for under in found.rulesets
            if under.company
        )
        return column(
            row(
                Label("Under every ruleset", "heading", "bright"), Space(grow=1), Label(many, "small", "quiet"), gap=10,
            ),
            grown(Scroll(column(*lines, gap=3), key="rows")),
            Label(told, "small", "quiet", tip=Tip(found.method)),
            *company, *self._trials(), *_left_out(found),
            row(self.leave_button(key="back"), match, Space(grow=1), *plays, gap=8),
            gap=10,
        )  # fmt: skip

    def _trials(self) -> list[Widget]:
        """What is tried, and what came of it."""
        if self.matching is not None and (now := self.matching.now) is not None:
            far = text("{played} of {runs} fights", self.matching.played, self.matching.runs)
            told = text("{title}: {now}: {far}", ruleset_of(now.ruleset).title, trying.who_meets_whom(now), far)
            return [Label(told, "small", "blue", one_line=True, tip=Tip(told, "Being tried"))]
        words = "Matched under {title}: the party won {what} % of the trials, {what2} % before."
        matched = (
            text(words, ruleset_of(name).title, f"{100 * found.chance:.0f}", f"{100 * found.wanted:.0f}")
            for name, found in self.matched.items()
        )
        return [Label(told, "small", "blue", one_line=True) for told in matched]

    def _play(self, number: int) -> None:
        record = self.background.trials[number].record
        self.app.pop()
        self.app.navigator.begin(records.document(record))

    def left(self) -> None:
        self.background.close()
        if self.matching is not None:
            self.matching.close()


def _left_out(found: SideBySide) -> list[Widget]:
    """What is not compared, where there is something: whose, and under which rules; all of it in the tooltip."""
    lines = []
    for under in found.rulesets:
        if under.left_out:
            whose = joined(", ", (line.partition(":")[0] for line in under.left_out))
            tip = Tip("\n".join(under.left_out), "Nothing stands for this")
            text = Text.of("Something of these is left out under {title}: {whose}.", title=under.title, whose=whose)
            lines.append(Label(text, "small", "coral", one_line=True, tip=tip))
    return [*lines]


def _line(name: str, cells: list[str], kind: str, tone: str) -> Widget:
    """A row of the table, its figures below each other."""
    parts: list[Widget] = [Sized(Label(name, "text" if tone != "gold" else kind, "text"), NAME)]
    parts += [Sized(Label(cell, kind, tone, one_line=True), CELL) for cell in cells]
    return row(*parts, gap=8)
