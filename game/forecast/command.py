"""`battlemat simulate`: the forecast on the command line."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

from game import storage
from game.forecast import intervals
from game.forecast.dealing import TURN_LIMIT, Dealer, Trial
from game.forecast.report import report
from game.forecast.simulate import checked, played
from game.forecast.text import comparison_lines, lines
from game.forecast.whatif import Variant, chosen, compared, trials_of, variants
from rules.errors import BattlematError, RecordError
from rules.record import Record

EVERY, LIST = "all", "list"
MOST_JOBS = 256
MOST_TURNS = 10_000
FEW = 4
"""Fights per process below which starting processes takes longer than it saves."""


class Bar(Protocol):
    """How far it is."""

    def show(self, done: int, words: str) -> None: ...


def run(options: argparse.Namespace) -> list[str]:
    """Play and give the lines to print. Ctrl+C gives what there is so far. Raises BattlematError in one line."""

    options.jobs = _within("jobs", options.jobs, MOST_JOBS, min(os.cpu_count() or 1, MOST_JOBS))
    options.turns = _within("turns", options.turns, MOST_TURNS, TURN_LIMIT)
    record = storage.read_record(options.record)
    try:
        if options.what_if is None:
            return _forecast(record, options)
        return _comparison(record, options)
    except RecordError as error:
        raise RecordError(f"{options.record}: {error}") from None


def _within(name: str, value: int | None, most: int, default: int) -> int:
    if value is None:
        return default
    if not 1 <= value <= most:
        raise BattlematError(f"{name}: {value} is out of range; give 1 to {most}")
    return value


def _forecast(record: Record, options: argparse.Namespace) -> list[str]:
    trial = Trial.of(
        record,
        seed=options.seed,
        turn_limit=options.turns,
        beside=options.record.parent,
        from_start=options.from_start,
    )
    dealer = Dealer([trial], checked(options.runs))
    _play(dealer, options)
    found = report(trial, dealer.counts[0])
    return [_json(found.model_dump(mode="json"))] if options.json else lines(found)


def _comparison(record: Record, options: argparse.Namespace) -> list[str]:
    beside = options.record.parent
    known = variants(record, beside=beside)
    if options.what_if == [LIST]:
        wide = max((len(variant.key) for variant in known), default=0)
        return [f"{variant.key:<{wide}}  {variant.label}" for variant in known]
    picked = _picked(known, options.what_if)
    trials = trials_of(record, picked, seed=options.seed, turn_limit=options.turns, beside=beside)
    dealer = Dealer(trials, checked(options.runs))
    _play(dealer, options)
    base, *others = (report(trial, counts) for trial, counts in zip(trials, dealer.counts, strict=True))
    found = compared(base, zip(picked, others, strict=True))
    return [_json(found.model_dump(mode="json"))] if options.json else comparison_lines(found)


def _picked(known: tuple[Variant, ...], wanted: list[str]) -> list[Variant]:
    return list(known) if wanted == [EVERY] else chosen(known, dict.fromkeys(wanted))


def _play(dealer: Dealer, options: argparse.Namespace) -> None:
    """Play all runs, or as many as there were until Ctrl+C."""

    total = dealer.runs * len(dealer.trials)
    jobs = options.jobs if total >= FEW * options.jobs else 1
    with _bar(total) as bar:
        try:
            for _ in played(dealer, jobs=jobs):
                bar.show(sum(counts.number for counts in dealer.counts), _so_far(dealer))
        except KeyboardInterrupt:
            print("battlemat: stopped; this is what there is so far", file=sys.stderr)


def _so_far(dealer: Dealer) -> str:

    counts, board = dealer.counts[0], dealer.trials[0].board
    side = board.miniatures[0].side
    low, high = intervals.wilson(counts.wins(side), counts.number)
    return f"{side} win {100 * low:.0f}–{100 * high:.0f} %"


class _Silent:
    def show(self, done: int, words: str) -> None:
        pass


@contextmanager
def _bar(total: int) -> Iterator[Bar]:
    """A progress bar on the error stream if it is a terminal, else nothing."""
    if not sys.stderr.isatty():
        yield _Silent()
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (
        TextColumn("fights"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        TextColumn("{task.description}"),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("", total=total)

        class Drawn:
            def show(self, done: int, words: str) -> None:
                progress.update(task, completed=done, description=words)

        yield Drawn()


def _json(data: object) -> str:
    return json.dumps(data, ensure_ascii=False)
