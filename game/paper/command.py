"""`battlemat print`: an encounter or a map as a PDF."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable
from pathlib import Path

from game.forecast.play import MOST_RUNS, Dealer, Trial
from game.forecast.report import Forecast, report
from game.forecast.simulate import played
from game.paper import matter as matters
from game.paper.pages import Paper
from game.paper.printing import OF_A_MAP, Order, Part, write
from game.setup.draft import to_record
from rules.contract.errors import BattlematError
from rules.contract.text import text

SPACES = (5.0, 100.0)
"""Millimetres of a space at least and at most."""


def run(options: argparse.Namespace, say: Callable[[list[str]], None]) -> int:
    """Write the PDF and say where; 0. Raises BattlematError in one line."""
    matter = matters.read(options.file, options.rules)
    parts = _parts(options.parts) or (tuple(Part) if matter.draft.pieces else OF_A_MAP)
    low, high = SPACES
    if not low <= options.space <= high:
        raise BattlematError("--space {space}: a space is 5 to 100 millimetres wide", f"{options.space:g}")
    foretold = _forecast(matter, options.forecast) if options.forecast and Part.SHEET in parts else None
    order = Order(parts, Paper.named(options.paper), options.space, not options.no_grid, foretold)
    out: Path = options.out if options.out is not None else Path(f"{options.file.stem}.pdf")
    if out.suffix.lower() != ".pdf":
        raise BattlematError("{out}: what is printed is written as .pdf", str(out))
    size = write(matter, order, out)
    say([text("{out}: {kilobytes} kB", str(out), -(-size // 1024))])
    return 0


def _parts(words: str) -> tuple[Part, ...]:
    """Names with commas between as parts. Raises BattlematError for one that is none."""
    found = []
    for word in filter(None, (each.strip().lower() for each in words.split(","))):
        if word not in set(Part):
            raise BattlematError("{word} is nothing that can be printed: {parts}", word, ", ".join(Part))
        found.append(Part(word))
    return tuple(found)


def _forecast(matter: matters.Matter, runs: int) -> Forecast:
    """The encounter, fought so many times by the computer."""
    record = to_record(matter.draft)
    trial = Trial.of(record, beside=matter.beside)
    if not 1 <= runs <= MOST_RUNS:
        raise BattlematError("--forecast {runs}: 1 to {most} fights", runs, MOST_RUNS)
    dealer = Dealer([trial], runs)
    for _ in played(dealer, jobs=os.cpu_count() or 1):
        pass
    return report(trial, dealer.counts[0])
