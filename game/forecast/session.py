"""A forecast that is looked at while it grows: the encounter, the changes compared with it, how far they are."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import Executor, Future
from concurrent.futures.process import BrokenProcessPool
from itertools import islice
from multiprocessing import active_children
from pathlib import Path
from queue import SimpleQueue
from threading import Thread
from time import monotonic
from typing import Any
from weakref import WeakSet

from game.app.window import at_end
from game.forecast.counts import Counts
from game.forecast.group_sequential import needed
from game.forecast.play import MOST_RUNS, WITHIN, Batch, Dealer, Task, Trial, play
from game.forecast.report import Forecast, report
from game.forecast.simulate import Difference, Variant, differences, process_pool, variants
from rules.contract.errors import BattlematError, said
from rules.contract.text import text
from rules.core.record import Record

BATCH_SECONDS = 0.25
"""How long a batch takes: short, so that figures move and nobody waits long for a worker to stop."""
FIRST = "first fight of a forecast"
"""The name of the thread in which it is played."""
FIRST_SECONDS = 1.5
"""How long the first fight may be played in the window's own process, where everything is at hand: by then the others
have begun."""
AHEAD = 2
"""Batches given to each worker at once, so that none is idle while the window draws."""


class _Pool:
    """The processes that all forecasts of a window share: made for the first, then kept
    until nobody wants what they play, or the window closes."""

    def __init__(self) -> None:
        self.workers = max(1, (os.cpu_count() or 2) - 1)
        self.users: WeakSet[Background] = WeakSet()
        """Whoever has let them play something."""
        self._pool: Executor | None = None

    def executor(self) -> Executor:
        """The processes."""
        if self._pool is None:
            self._pool = process_pool(self.workers)
            at_end(self.close)
        return self._pool

    def close(self, *, broken: bool = False) -> None:
        """Nobody waits for a fight that is still being played: the processes end at once; the next makes others.

        `broken`: one of them is gone, and with it the pool.
        """
        pool, self._pool = self._pool, None
        if pool is not None:
            pool.shutdown(wait=False, cancel_futures=not broken)
            for process in () if broken else active_children():
                process.terminate()


_shared = _Pool()


class Background(Dealer):
    """Plays trials in other processes, live. Everything but `notify` is called by one thread, the window's.

    `notify` is called, from another thread, whenever `collect` has something to take in. An `executor` given is used
    instead of processes of our own and left open.
    """

    work: Callable[[Any], Any] = staticmethod(play)
    """What a process does with a batch."""

    def __init__(self, notify: Callable[[], object], *, executor: Executor | None = None) -> None:
        super().__init__([], 0, seconds=BATCH_SECONDS)
        self._notify = notify
        self._jobs = _shared.workers
        self._given = executor
        self._waiting: dict[Future[Batch], int] = {}
        """What is being played, to the number of its trial. What nobody wants any more is forgotten, not cancelled: a
        pool whose processes end just then would stumble over that, and each worker plays but a batch for nothing."""
        self._back: SimpleQueue[Future[Batch]] = SimpleQueue()
        self._first: Future[Batch] | None = None
        """The first fight, played in this process."""
        self.paused = False
        self.seconds = 0.0
        """Working time of the workers that went into the runs so far."""

    def start(self, trial: Trial, runs: int, *, within: float | None = None) -> None:
        """Play this one so many times, or until enough is known, and nothing that was asked for before.

        With processes of our own the first fight is played in this one, too: they take a second to begin.
        """
        self._waiting = {}
        super().__init__([], runs, within=within, seconds=BATCH_SECONDS)
        self.seconds = 0.0
        self.add(trial)
        if self._given is None and not self.paused:
            self._play_first(trial)

    def add(self, trial: Trial) -> int:
        """Play one more beside it, as often; its number (the first has 0)."""
        number = super().add(trial)
        self._deal()
        return number

    def hold(self, which: int, held: bool) -> None:
        """Play no more of a trial for now, or go on with it."""
        (self.held.add if held else self.held.discard)(which)
        self._deal()

    def more(self) -> None:
        """Let each trial have twice as many runs as it would have had."""
        had = self.runs
        if self.within is not None:
            had = self.counts[0].number if 0 in self.known else needed(0.5, self.within)
        self.on_to(2 * had)
        self._deal()

    def pause(self, paused: bool) -> None:
        """Begin no more batches, or go on."""
        self.paused = paused
        self._deal()

    def collect(self) -> bool:
        """Take in what came back and deal out more; True if there was anything new. Raises what a worker raised."""
        news = False
        while not self._back.empty():  # nobody else takes from it
            future = self._back.get()
            which = self._waiting.pop(future, None)
            if which is None or future.cancelled():
                continue  # of something that was asked for before
            try:
                batch = future.result()
            except BrokenProcessPool:
                self._failed()
                raise BattlematError("forecast: a worker process ended unexpectedly; nothing else is lost") from None
            except Exception as error:  # a fault in a worker must not take the window with it
                self._failed()
                why = text("{name}: {error}", type(error).__name__, said(error))
                raise BattlematError("forecast: a fight could not be played to its end ({why})", why) from error
            self.take(which, batch)
            self.seconds += 0.0 if future is self._first else batch.seconds
            news = True
        self._deal()
        return news

    def play_now(self, batches: int) -> None:
        """Play so many batches at once, in this process."""
        for which, task in islice(iter(self.deal, None), batches):
            self.take(which, play(task))

    def stop(self) -> None:
        """Begin nothing more; what is being played now is left to end."""
        self._waiting = {}
        self.runs = 0

    def close(self) -> None:
        """Nobody wants to know any more: what is being played ends at once, unless others wait for the processes."""
        playing = self._given is None and any(future.running() for future in self._waiting)
        self.stop()
        if playing and not any(user._waiting for user in _shared.users):
            _shared.close()

    def _deal(self) -> None:
        while not self.paused and len(self._waiting) < AHEAD * self._jobs and (dealt := self.deal()):
            which, task = dealt
            if self._given is None:
                _shared.users.add(self)
            future = (self._given or _shared.executor()).submit(self.work, task)
            self._waiting[future] = which
            future.add_done_callback(self._came_back)

    def _play_first(self, trial: Trial) -> None:
        """Play the first fight here, beside the window; if that takes long, or fails, a process will tell as well."""
        future = self._first = Future[Batch]()
        self._waiting[future] = 0
        future.add_done_callback(self._came_back)
        task = Task(trial.encounter, trial.seed, 0, 1, trial.turn_limit)
        until, waiting = monotonic() + FIRST_SECONDS, self._waiting

        def look() -> None:
            try:
                batch = play(task, lambda: future in waiting and waiting is self._waiting and monotonic() < until)
            except Exception:  # whatever it is, the processes come upon it, too
                future.cancel()
            else:
                future.set_result(batch)

        Thread(target=look, name=FIRST, daemon=True).start()

    def _came_back(self, future: Future[Batch]) -> None:
        self._back.put(future)
        self._notify()

    def _failed(self) -> None:
        """Play no more of this; whoever asks next gets fresh processes."""
        self.stop()
        if self._given is None:
            _shared.close(broken=True)


RUNS = 400
"""Fights of a chain at first."""


class Session(Background):
    """Live forecasts of one encounter, played in the background."""

    def __init__(
        self, record: Record, notify: Callable[[], object], *, beside: Path | None = None, from_start: bool = False,
        executor: Executor | None = None,
    ) -> None:  # fmt: skip
        super().__init__(notify, executor=executor)
        self.record = record.model_copy(deep=True)
        self.beside = beside
        self.here = bool(record.commands) and not from_start
        self._begin()

    def _begin(self) -> None:
        """Play the encounter anew. Raises BattlematError for one that cannot be played."""
        trial = Trial.of(self.record, beside=self.beside, from_start=not self.here)
        self.variants: tuple[Variant, ...] = () if self.here else variants(self.record, beside=self.beside)
        self._numbers: dict[str, int] = {}
        self._found: dict[str, Forecast] = {}
        self.base = report(trial, Counts(), within=WITHIN)
        self.start(trial, MOST_RUNS, within=WITHIN)

    def turn(self, here: bool) -> None:
        """From where the commands end, or from the start; what was counted the other way is dropped."""
        if here != self.here and self.record.commands:
            self.here = here
            self._begin()

    # -- what is compared

    def playing(self, key: str) -> bool:
        """Whether a variant is being compared."""
        return key in self._numbers and self._numbers[key] not in self.held

    def toggle(self, key: str) -> None:
        """Compare a variant, or let it rest (what was counted stays). Raises BattlematError where it cannot be."""
        if key in self._numbers:
            self.hold(self._numbers[key], self.playing(key))
            return
        variant = next(v for v in self.variants if v.key == key)
        trial = Trial.of(variant.change(self.record), seed=self.trials[0].seed, beside=self.beside, from_start=True)
        self._numbers[key] = self.add(trial)
        self._found[key] = report(trial, Counts(), within=WITHIN)

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

    def wanted(self, number: int = 0) -> int:
        """About how many fights of a trial it takes: until enough is known, as far as can be told."""
        counts = self.counts[number]
        if number in self.known:
            return counts.number
        if self.within is None:
            return self.runs
        return max(counts.number + 1, self._likely(number, self.within))

    def seconds_left(self) -> float | None:
        """About how long it still takes; None where nothing has come back yet."""
        counted = [self.counts[n].number for n in range(len(self.trials))]
        resting = self.held | self.known
        left = sum(max(1, self.wanted(n) - number) for n, number in enumerate(counted) if n not in resting)
        return self.seconds / sum(counted) * left / self._jobs if self.seconds else None

    def collect(self) -> bool:
        """Take in what came back; True if a figure changed. Raises BattlematError if the workers failed."""
        news = super().collect()
        if news:
            self._retell()
        return news

    def play_now(self, batches: int) -> None:
        """Play a few batches at once, in this process, before anything is shown."""
        super().play_now(batches)
        self._retell()

    def _retell(self) -> None:
        self.base = self._fresh(0, self.base)
        for key, number in self._numbers.items():
            self._found[key] = self._fresh(number, self._found[key])

    def _fresh(self, number: int, old: Forecast) -> Forecast:
        counts = self.counts[number]
        return old if counts is old.counts else report(self.trials[number], counts, within=WITHIN)
