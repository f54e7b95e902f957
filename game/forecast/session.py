"""A forecast that is looked at while it grows: the encounter, the changes compared with it, how far they are."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor
from pathlib import Path

from game.forecast.background import Background
from game.forecast.counts import Counts
from game.forecast.dealing import MOST_RUNS, Trial
from game.forecast.report import Forecast, report
from game.forecast.variants import Variant, variants
from game.forecast.whatif import Difference, differences
from rules.core.record import Record

RUNS = 400
"""Fights at first: enough for a chance to ±5 points."""


class Session:
    """Live forecasts of one encounter. The window's thread calls everything; `notify` comes from others."""

    def __init__(
        self,
        record: Record,
        notify: Callable[[], object],
        *,
        beside: Path | None = None,
        from_start: bool = False,
        executor: Executor | None = None,
    ) -> None:
        self.record = record.model_copy(deep=True)
        self.beside = beside
        self.background = Background(notify, executor=executor)
        self.here = bool(record.commands) and not from_start
        self.base: Forecast
        self.variants: tuple[Variant, ...] = ()
        self._numbers: dict[str, int] = {}
        self._found: dict[str, Forecast] = {}
        self._begin()

    def _begin(self) -> None:
        """Play the encounter anew. Raises BattlematError for one that cannot be played."""
        trial = Trial.of(self.record, beside=self.beside, from_start=not self.here)
        self.variants = () if self.here else variants(self.record, beside=self.beside)
        self._numbers, self._found = {}, {}
        self.base = report(trial, Counts())
        self.background.start(trial, RUNS)

    @property
    def trial(self) -> Trial:
        """The encounter as it is."""
        return self.background.trials[0]

    def turn(self, here: bool) -> None:
        """From where the commands end, or from the start; what was counted the other way is dropped."""
        if here != self.here and self.record.commands:
            self.here = here
            self._begin()

    # -- what is compared

    def playing(self, key: str) -> bool:
        """Whether a variant is being compared."""
        return key in self._numbers and self._numbers[key] not in self.background.held

    def toggle(self, key: str) -> None:
        """Compare a variant, or let it rest (what was counted stays). Raises BattlematError where it cannot be."""
        if key in self._numbers:
            self.background.hold(self._numbers[key], self.playing(key))
            return
        variant = next(v for v in self.variants if v.key == key)
        trial = Trial.of(variant.change(self.record), seed=self.trial.seed, beside=self.beside, from_start=True)
        self._numbers[key] = self.background.add(trial)
        self._found[key] = report(trial, Counts())

    def forecast(self, key: str) -> Forecast | None:
        """A variant's forecast so far; None for one never compared."""
        return self._found.get(key)

    def difference(self, key: str, side: str) -> Difference | None:
        """How a side's chance changes with a variant; None before there is anything to compare."""
        found = self._found.get(key)
        if found is None or not found.counts.runs & self.base.counts.runs:
            return None
        return next((d for d in differences(self.base, found) if d.side == side), None)

    # -- how far it is

    @property
    def wanted(self) -> int:
        """Fights that each forecast is to have."""
        return self.background.runs

    @property
    def done(self) -> bool:
        """Whether all wanted fights were played."""
        return self.background.done

    @property
    def paused(self) -> bool:
        return self.background.paused

    def pause(self, paused: bool) -> None:
        """Begin no more fights, or go on."""
        self.background.pause(paused)

    def more(self) -> None:
        """Twice as many fights."""
        self.background.more(min(MOST_RUNS, 2 * self.wanted))

    def seconds_left(self) -> float | None:
        """About how long it still takes; None where nothing has come back yet."""
        bg = self.background
        played = sum(bg.counts(n).number for n in range(len(bg.trials)))
        left = sum(max(0, bg.runs - bg.counts(n).number) for n in range(len(bg.trials)) if n not in bg.held)
        return bg.seconds / played * left / bg.jobs if played else None

    def collect(self) -> bool:
        """Take in what came back; True if a figure changed. Raises BattlematError if the workers failed."""
        if not self.background.collect():
            return False
        self._retell()
        return True

    def play_now(self, batches: int) -> None:
        """Play a few batches at once, in this process, before anything is shown."""
        self.background.play_now(batches)
        self._retell()

    def close(self) -> None:
        """Play no more."""
        self.background.close()

    def _retell(self) -> None:
        self.base = self._fresh(0, self.base)
        for key, number in self._numbers.items():
            self._found[key] = self._fresh(number, self._found[key])

    def _fresh(self, number: int, old: Forecast) -> Forecast:
        counts = self.background.counts(number)
        return old if counts is old.counts else report(self.background.trials[number], counts)
