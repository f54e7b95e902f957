"""What a soak has covered, and what it has found."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from tests.soak.encounters import Case
from tests.soak.playing import Outcome

OPTIONS = ("fog", "darkness", "explore", "reflexes", "gm")
"""Options that have a column; every ruleset has others besides."""


class Run(NamedTuple):
    """One seed's run."""

    seed: int
    ruleset: str
    map: str
    table: str
    traits: tuple[str, ...]
    steps: int
    commands: int
    over: bool
    seconds: float
    """Of the processor."""
    found: str
    """What was wrong; empty for nothing."""


def run_of(case: Case, outcome: Outcome, seconds: float) -> Run:
    """What a run covered."""
    record, settings = case["record"], case["settings"]
    traits = [name for name in OPTIONS if record["options"].get(name)]
    seats = record.get("seats", [])
    traits += ["real dice"] * any(seat.get("own_dice") for seat in seats)
    traits += ["clock"] * ("chance_seconds" in record) + ["from the editor"] * (case["through"] == "table")
    traits += [f"scale {settings['scale']}", str(settings["palette"]), "speed " + str(settings["speed"])]
    found = "" if outcome.wrong is None else f"{outcome.wrong.rule} [{outcome.wrong.sign}]"
    return Run(
        case["seed"], record["ruleset"], case["map"], case["table"], tuple(traits), len(outcome.steps),
        outcome.commands, outcome.over, seconds, found,
    )  # fmt: skip


def table(runs: Sequence[Run]) -> Iterator[str]:
    """A table of runs by ruleset, then one of the finding's kinds; lines."""
    kinds = sorted({run.ruleset for run in runs})
    yield _line("", *kinds, "all")
    for name, value in (
        ("fights", lambda run: 1),
        ("of these to their end", lambda run: int(run.over)),
        ("steps", lambda run: run.steps),
        ("commands", lambda run: run.commands),
    ):
        sums = [sum(value(run) for run in runs if run.ruleset == kind) for kind in kinds]
        yield _line(name, *sums, sum(sums))
    for words in (lambda run: [f"map {run.map}"], lambda run: [f"table {run.table}"], lambda run: run.traits):
        counts: dict[str, Counter[str]] = {kind: Counter() for kind in kinds}
        for run in runs:
            counts[run.ruleset].update(words(run))
        for word in sorted({word for count in counts.values() for word in count}):
            each = [counts[kind][word] for kind in kinds]
            yield _line(word, *each, sum(each))


def findings(runs: Sequence[Run]) -> Mapping[str, list[int]]:
    """Each kind of finding with the seeds that showed it."""
    found: dict[str, list[int]] = {}
    for run in runs:
        if run.found:
            found.setdefault(run.found, []).append(run.seed)
    return found


def _line(name: str, *cells: object) -> str:
    return f"{name:<28}" + "".join(f"{cell!s:>10}" for cell in cells)
