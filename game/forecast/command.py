"""`battlemat simulate`: the forecast on the command line."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from pydantic import BaseModel

from game.content.translation import told, translated
from game.forecast import intervals
from game.forecast.dealing import MOST_RUNS, TURN_LIMIT, Dealer, Trial
from game.forecast.matching import Try, matched, who_meets_whom
from game.forecast.report import report
from game.forecast.sidebyside import side_by_side, trials_under, wanted
from game.forecast.simulate import checked, played
from game.forecast.text import comparison_lines, lines, side_by_side_lines
from game.forecast.variants import Variant, chosen, variants
from game.forecast.whatif import compared, trials_of
from game.storage import records as storage
from rules.contract.errors import BattlematError, RecordError
from rules.core.record import Record
from rules.core.registry import ruleset as ruleset_of

EVERY, LIST = "all", "list"
MOST_JOBS = 256
MOST_TURNS = 10_000
FEW = 4
"""Fights per process below which starting processes takes longer than it saves."""
INTERRUPTED = 130
"""Exit status after Ctrl+C; what there was until then has been printed."""

Show = Callable[[int, str], None]
"""Told how many fights are played, and in words what came of them so far."""


def run(options: argparse.Namespace, tell: Callable[[list[str]], None]) -> int:
    """Play and tell the lines to print; the exit status. Raises BattlematError in one line."""
    options.jobs = _within("jobs", options.jobs, MOST_JOBS, min(os.cpu_count() or 1, MOST_JOBS))
    options.turns = _within("turns", options.turns, MOST_TURNS, TURN_LIMIT)
    record = storage.read_record(options.record)
    if options.match and not (options.compare or options.ruleset):
        raise BattlematError("match: brings an encounter to other rules; add --ruleset ID or --compare")
    try:
        if options.compare:
            return _side_by_side(record, options, tell)
        if options.ruleset:
            goal = _one(options.ruleset)
            under = _under(record, [goal], options)[goal]
            if company := told(record, under):
                print(f"battlemat: {company}", file=sys.stderr)
            record = under
        if options.keep is not None:
            return _keep(record, options, tell)
        if options.what_if is None:
            return _forecast(record, options, tell)
        return _comparison(record, options, tell)
    except RecordError as error:
        raise RecordError(f"{options.record}: {error}") from None


def _under(record: Record, goals: Sequence[str], options: argparse.Namespace) -> dict[str, Record]:
    """The encounter under each of these rulesets: by weights, or by trial."""
    beside = options.record.parent
    others = [goal for goal in goals if options.match and goal != record.ruleset]
    found = matched(record, others, seed=options.seed, jobs=options.jobs, beside=beside, told=_tried) if others else {}
    for goal, match in found.items():
        off = f"{100 * match.chance:.0f} % where {100 * match.wanted:.0f} % were wanted"
        print(f"battlemat: {ruleset_of(goal).title}: the party wins {off}", file=sys.stderr)
    return {goal: found[goal].record if goal in found else translated(record, goal, beside=beside) for goal in goals}


def _tried(each: Try) -> None:
    print(f"battlemat: {who_meets_whom(each.record)}: {100 * each.chance:.0f} %", file=sys.stderr)


def _within(name: str, value: int | None, most: int, default: int) -> int:
    if value is None:
        return default
    if not 1 <= value <= most:
        raise BattlematError(f"{name}: {value} is out of range; give 1 to {most}")
    return value


def _trial(record: Record, options: argparse.Namespace) -> Trial:
    return Trial.of(
        record,
        seed=options.seed,
        turn_limit=options.turns,
        beside=options.record.parent,
        from_start=options.from_start,
    )


def _keep(record: Record, options: argparse.Namespace, tell: Callable[[list[str]], None]) -> int:
    """Write one run as a record."""
    number, name = options.keep
    if not number.isdigit() or int(number) >= MOST_RUNS:
        raise BattlematError(f"keep: {number!r} is no run; runs go from 0 to {MOST_RUNS - 1}")
    path = Path(name)
    if path.exists():
        raise BattlematError(f"keep: {path} exists already; name a new file")
    storage.write_record(_trial(record, options).run(int(number)), path)
    tell([f"run {int(number)} written to {path}"])
    return 0


def _forecast(record: Record, options: argparse.Namespace, tell: Callable[[list[str]], None]) -> int:
    trial = _trial(record, options)
    dealer = Dealer([trial], checked(options.runs))
    status = _play(dealer, options.jobs)
    found = report(trial, dealer.counts[0])
    tell([_json(found)] if options.json else lines(found))
    return status


def _comparison(record: Record, options: argparse.Namespace, tell: Callable[[list[str]], None]) -> int:
    beside = options.record.parent
    known = variants(record, beside=beside)
    if options.what_if == [LIST]:
        wide = max((len(variant.key) for variant in known), default=0)
        tell([f"{variant.key:<{wide}}  {variant.label}" for variant in known])
        return 0
    picked = _picked(known, options.what_if)
    trials = trials_of(record, picked, seed=options.seed, turn_limit=options.turns, beside=beside)
    dealer = Dealer(trials, checked(options.runs))
    status = _play(dealer, options.jobs)
    base, *others = (report(trial, counts) for trial, counts in zip(trials, dealer.counts, strict=True))
    found = compared(base, zip(picked, others, strict=True))
    tell([_json(found)] if options.json else comparison_lines(found))
    return status


def _one(names: Sequence[str]) -> str:
    """The one ruleset that was asked for."""
    if len(set(names)) > 1:
        raise BattlematError("ruleset: several are named; add --compare to see them side by side")
    return names[0]


def _side_by_side(record: Record, options: argparse.Namespace, tell: Callable[[list[str]], None]) -> int:
    """Forecasts of all rulesets, or of the record's own and those that are named."""
    if options.what_if is not None or options.keep is not None:
        raise BattlematError("compare: shows rulesets side by side; leave --what-if and --keep out")
    beside = options.record.parent
    rulesets = wanted(record, options.ruleset or ())
    made = _under(record, rulesets, options)
    trials = trials_under(record, rulesets, seed=options.seed, turn_limit=options.turns, beside=beside, made=made)
    dealer = Dealer(trials, checked(options.runs))
    status = _play(dealer, options.jobs)
    found = side_by_side(record, trials, [report(t, c) for t, c in zip(trials, dealer.counts, strict=True)])
    tell([_json(found)] if options.json else side_by_side_lines(found))
    return status


def _picked(known: Sequence[Variant], wanted: Sequence[str]) -> Sequence[Variant]:
    return known if list(wanted) == [EVERY] else chosen(known, dict.fromkeys(wanted))


def _play(dealer: Dealer, jobs: int) -> int:
    """Play all runs, or as many as there were until Ctrl+C; the exit status."""
    total = dealer.runs * len(dealer.trials)
    with _progress(total) as show:
        try:
            for _ in played(dealer, jobs=jobs if total >= FEW * jobs else 1):
                show(sum(counts.number for counts in dealer.counts), _so_far(dealer))
        except KeyboardInterrupt:
            print("battlemat: stopped; this is what there is so far", file=sys.stderr)
            return INTERRUPTED
    return 0


def _so_far(dealer: Dealer) -> str:
    counts, board = dealer.counts[0], dealer.trials[0].board
    side = board.miniatures[0].side
    low, high = intervals.wilson(counts.wins(side), counts.number)
    return f"{side} win {100 * low:.0f}–{100 * high:.0f} %"


@contextmanager
def _progress(total: int) -> Iterator[Show]:
    """A progress bar on the error stream if that is a terminal, else nothing."""
    if not sys.stderr.isatty():
        yield lambda done, words: None
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
        yield lambda done, words: progress.update(task, completed=done, description=words)


def _json(found: BaseModel) -> str:
    return json.dumps(found.model_dump(mode="json"), ensure_ascii=False)
