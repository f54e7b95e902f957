"""Measuring: CPU time in turns of a few tenths of a second, so that all share the machine's weather; medians."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterable
from statistics import median
from time import process_time, process_time_ns
from typing import TypeVar

T = TypeVar("T")
Work = Callable[[float], tuple[int, float]]
"""Given CPU seconds, works about so long and tells (things done, CPU seconds taken)."""


def _empty() -> int:
    start = process_time_ns()
    (lambda: None)()
    return process_time_ns() - start


_OWN = min(_empty() for _ in range(500))
"""Nanoseconds of measuring nothing."""


def rates(works: dict[str, Work], seconds: float, slices: int = 6) -> dict[str, float]:
    """Things done per CPU second, each work in turn, slice by slice."""
    done = dict.fromkeys(works, 0)
    taken = dict.fromkeys(works, 0.0)
    for _ in range(slices):
        for name, work in works.items():
            count, time = work(seconds / slices)
            done[name] += count
            taken[name] += time
    return {name: done[name] / taken[name] for name in works}


def repeated(once: Callable[[], int]) -> Work:
    """Work that does `once` (which tells how many things it did) until the time is up."""

    def work(seconds: float) -> tuple[int, float]:
        start = process_time()
        count = 0
        while (spent := process_time() - start) < seconds:
            count += once()
        return count, spent

    return work


def timed(found: list[float], call: Callable[[], T]) -> T:
    """What the call gives; its microseconds, the clock's own cost taken off, go to `found`."""
    start = process_time_ns()
    result = call()
    found.append(max(0, process_time_ns() - start - _OWN) / 1000)
    return result


def times(calls: Iterable[Callable[[], object]]) -> list[float]:
    """CPU microseconds of each call, the clock's own cost taken off; the collector of garbage rests meanwhile."""
    out: list[float] = []
    gc.collect()
    gc.disable()
    try:
        for call in calls:
            timed(out, call)
    finally:
        gc.enable()
    return out


def each(count: int, call: Callable[..., object], *args: object, rounds: int = 9) -> float:
    """Microseconds of one of `count` calls made in a row: the median of some rounds."""
    found = []
    for _ in range(rounds):
        start = process_time_ns()
        for _ in range(count):
            call(*args)
        found.append((process_time_ns() - start) / count / 1000)
    return median(found)


def percentile(values: list[float], part: float) -> float:
    """The value below which this part of all lies."""
    return sorted(values)[min(len(values) - 1, int(len(values) * part))]
