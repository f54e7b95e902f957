"""Many fights from Python: with one process, several, or any executor that speaks `concurrent.futures`."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from pathlib import Path

from game.forecast.play import MOST_RUNS, TURN_LIMIT, Batch, Dealer, Trial, play
from game.forecast.report import Forecast, report
from rules.contract.errors import BattlematError
from rules.core.record import Record

IN_FLIGHT = 128
"""Batches given at once to an executor that somebody else brought: we don't know how many workers it has."""

Progress = Callable[[Forecast], None]


def simulate(
    record: Record,
    runs: int = 400,
    *,
    seed: int | None = None,
    executor: Executor | None = None,
    jobs: int = 1,
    on_progress: Progress | None = None,
    turn_limit: int = TURN_LIMIT,
    beside: Path | None = None,
    from_start: bool = False,
) -> Forecast:
    """Play a record's encounter so many times between computers, and say what came of it.

    From where its commands end, or `from_start`. Run n throws the dice of the n-th draw of `seed` (left out: the
    record's own), so the same seed gives the same forecast whatever `jobs` (processes of our own), `executor` (used
    instead, and left open) or order. `on_progress` gets the forecast so far after every batch; `beside` is the folder
    where the map may lie. Raises BattlematError in one line for a record that cannot be played, or `runs` out of range.
    """
    trial = Trial.of(record, seed=seed, turn_limit=turn_limit, beside=beside, from_start=from_start)
    dealer = Dealer([trial], checked(runs))
    for _ in played(dealer, executor=executor, jobs=jobs):
        if on_progress is not None:
            on_progress(report(trial, dealer.counts[0]))
    return report(trial, dealer.counts[0])


def checked(runs: int, most: int = MOST_RUNS) -> int:
    """A number of runs that can be played. Raises BattlematError."""
    if not 1 <= runs <= most:
        raise BattlematError("runs: {runs} is out of range; play 1 to {most} fights", runs, most)
    return runs


def played(dealer: Dealer, *, executor: Executor | None = None, jobs: int = 1) -> Iterator[int]:
    """Play all that a dealer has; yields the trial's number after each batch. Closing it drops what is not begun."""
    if executor is None and jobs <= 1:
        while (dealt := dealer.deal()) is not None:
            which, task = dealt
            dealer.take(which, play(task))
            yield which
        return
    with _workers(executor, jobs) as (workers, most):
        yield from _spread(dealer, workers, most)


def _spread(dealer: Dealer, workers: Executor, most: int) -> Iterator[int]:
    waiting: dict[Future[Batch], int] = {}
    try:
        while True:
            while len(waiting) < most and (dealt := dealer.deal()) is not None:
                which, task = dealt
                waiting[workers.submit(play, task)] = which
            if not waiting:
                return
            for future in wait(waiting, return_when=FIRST_COMPLETED).done:
                which = waiting.pop(future)
                dealer.take(which, future.result())
                yield which
    except BrokenProcessPool:
        raise BattlematError("forecast: a worker process ended unexpectedly; try fewer --jobs") from None
    finally:
        for future in waiting:
            future.cancel()


@contextmanager
def _workers(executor: Executor | None, jobs: int) -> Iterator[tuple[Executor, int]]:
    if executor is not None:
        yield executor, IN_FLIGHT
        return
    pool = process_pool(jobs)
    try:
        yield pool, 2 * jobs
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def process_pool(jobs: int) -> ProcessPoolExecutor:
    """Processes of our own: started afresh, as a window's threads and a fork do not go together."""
    return ProcessPoolExecutor(jobs, mp_context=multiprocessing.get_context("spawn"), initializer=work_for_parent)


def work_for_parent() -> None:
    """In a worker: Ctrl+C is the parent's to answer, and a parent that is gone, however, leaves nobody behind."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
