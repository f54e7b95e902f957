"""The forecast of a chain that is looked at while it grows."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor
from typing import Any

from game.forecast.chains import ChainCounts, ChainDealer, ChainForecast, ChainTrial, play_chain, report
from game.forecast.play import MOST_RUNS
from game.forecast.session import BATCH_SECONDS, RUNS, Background


class ChainSession(Background):
    """A live forecast of one chain, played in the background."""

    work = staticmethod(play_chain)

    def __init__(self, notify: Callable[[], object], *, executor: Executor | None = None) -> None:
        super().__init__(notify, executor=executor)
        self.chain: ChainDealer | None = None
        self.found: ChainForecast | None = None

    def foresee(self, trial: ChainTrial) -> None:
        """Play this chain, and nothing that was asked for before."""
        self._waiting = {}
        self.seconds = 0.0
        self.chain = ChainDealer(trial, RUNS, seconds=BATCH_SECONDS)
        self.found = report(trial, ChainCounts())
        self._deal()

    def stop(self) -> None:
        """Begin nothing more."""
        super().stop()
        self.chain = None

    def deal(self) -> Any:
        """The next batch; None if all is dealt, or no chain is there."""
        return None if self.chain is None else self.chain.deal()

    def take(self, which: int, batch: Any) -> None:
        """Add a batch that came back."""
        if self.chain is not None:
            self.chain.take(which, batch)
            self.found = report(self.chain.trial, self.chain.counts)

    def more(self) -> None:
        """Twice as many runs."""
        if self.chain is not None:
            self.chain.runs = min(MOST_RUNS, 2 * self.chain.runs)
            self._deal()

    @property
    def done(self) -> bool:
        """Whether every run has come back."""
        return self.chain is None or self.chain.counts.number >= self.chain.runs

    @property
    def wanted(self) -> int:
        """How many runs there are to be."""
        return 0 if self.chain is None else self.chain.runs
