"""An encounter matched to other rules by trial, beside a window: processes play, the window asks how far it is."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor
from pathlib import Path
from typing import Any

from game.forecast.background import Background
from game.forecast.dealing import Trial
from game.forecast.matching import RUNS, Matched, Search, chance_of, choices, party
from game.forecast.report import report
from rules.record import Record


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
        party(record)
        self.record, self.runs = record, runs
        self._beside, self._known = beside, known or {}
        self._goals = list(goals)
        self._wanted: float | None = None
        self._search: Search | None = None
        self.found: dict[str, Matched] = {}
        """What has come of it, by ruleset."""
        self.now: Record | None = record
        """What is being played; None when all is done."""
        self._background = Background(notify, executor=executor)
        self._play(record)

    @property
    def played(self) -> int:
        """How many fights of what is being played are over."""
        return self._background.counts(0).number

    def collect(self) -> bool:
        """Take in what was played; whether anything has come. Raises BattlematError."""
        news = self._background.collect()
        while self.now is not None and self._background.done:
            self._take(chance_of(report(self._background.trials[0], self._background.counts(0)), self.now))
        return news

    def close(self) -> None:
        """Nobody wants to know any more."""
        self.now = None
        self._background.close()

    def _play(self, record: Record) -> None:
        self.now = record
        self._background.start(Trial.of(record, beside=self._beside, from_start=True), self.runs)

    def _take(self, chance: float) -> None:
        """What has been played to its end gave the party this chance: on to the next."""
        if self._wanted is None:
            self._wanted = chance
        elif self._search is not None:
            self._search.take(chance)
        if self._search is not None and self._search.now is None:
            self.found[self._goals.pop(0)] = self._search.found()
            self._search = None
        if self._search is None and self._goals:
            goal = self._goals[0]
            there = choices(self.record, goal, beside=self._beside, known=self._known.get(goal))
            self._search = Search(there, self._wanted, self.runs)
        following = self._search.now if self._search is not None else None
        if following is None:
            self.now = None
        else:
            self._play(following)
