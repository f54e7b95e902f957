"""An encounter matched to other rules by trial, beside a window: processes play, the window asks how far it is."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor
from pathlib import Path
from typing import Any

from game.forecast.background import Background
from game.forecast.dealing import Trial
from game.forecast.matching import RUNS, Matched, chance_of, steps
from game.forecast.report import report
from rules.core.record import Record


class LiveMatching:
    """The encounter as it is, then under one ruleset after the other. Everything but `notify` is called by the window's
    thread; `notify` whenever `collect` has something to take in. Raises BattlematError as `matched` does."""

    def __init__(
        self,
        record: Record,
        goals: Sequence[str],
        notify: Callable[[], object],
        *,
        beside: Path | None = None,
        known: Mapping[str, Mapping[str, Mapping[str, Any]]] | None = None,
        executor: Executor | None = None,
        runs: int = RUNS,
    ) -> None:
        self.runs = runs
        self._beside = beside
        self._steps = steps(record, goals, runs=runs, beside=beside, known=known)
        self._background = Background(notify, executor=executor)
        self.found: dict[str, Matched] = {}
        """What has come of it, by ruleset, when all is done."""
        self.now: Record | None = None
        """What is being played; None when all is done."""
        self._play(next(self._steps))

    @property
    def played(self) -> int:
        """How many fights of what is being played are over."""
        return self._background.counts(0).number

    def collect(self) -> bool:
        """Take in what was played; whether anything has come. Raises BattlematError."""
        news = self._background.collect()
        while self.now is not None and self._background.done:
            chance = chance_of(report(self._background.trials[0], self._background.counts(0)), self.now)
            try:
                self._play(self._steps.send(chance))
            except StopIteration as end:
                self.found, self.now = end.value, None
        return news

    def close(self) -> None:
        """Nobody wants to know any more."""
        self.now = None
        self._background.close()

    def _play(self, record: Record) -> None:
        self.now = record
        self._background.start(Trial.of(record, beside=self._beside, from_start=True), self.runs)
