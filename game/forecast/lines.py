"""What the forecasts of encounters and of chains print alike."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from game.forecast.report import Mean

WIDTH = 100
BAR = 30
FEW = 4
"""Fights per process below which starting processes takes longer than it saves."""
INTERRUPTED = 130
"""Exit status after Ctrl+C; what there was until then has been printed."""

Show = Callable[[int, str], None]
"""Told how many fights are played, and in words what came of them so far."""


def percent(share: float) -> str:
    """`63.2 %`."""
    return f"{100 * share:.1f} %"


def mean(found: Mean) -> str:
    """`1.2 (0.9 to 1.5)`."""
    if found.low is None or found.high is None:
        return f"{found.mean:.1f}"
    return f"{found.mean:.1f} ({found.low:.1f} to {found.high:.1f})"


@contextmanager
def progress(total: int) -> Iterator[Show]:
    """A progress bar on the error stream if that is a terminal, else nothing."""
    if not sys.stderr.isatty():
        yield lambda done, words: None
        return
    from rich.console import Console  # start-up time: only a terminal shows it
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    words = TextColumn("{task.description}")
    columns = (TextColumn("fights"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(), words)
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("", total=total)
        yield lambda done, words: progress.update(task, completed=done, description=words)
