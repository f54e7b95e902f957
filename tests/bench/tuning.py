"""Searches for better weights of the computer, ruleset by ruleset, by CMA-ES over mirrored pairs with common dice.

    make tune [ARGS='--ruleset olde --tables own --generations 20 --pairs 20']

What is searched for are factors of the numbers of assets/ai/weights.toml as they are under a ruleset, the same for all
temperaments, and of the tables that are the ruleset's own. Each candidate of a generation fights the same pairs against
the same opponents; each generation fights others. Judged is how fights end (won or lost) and how much of both sides is
left. In the end the middle of the search is held against the file's numbers over pairs that no generation saw; only
what is better there is written to assets/ai/tuned.toml. No seed of judging (`bouts.FIRST` and beyond) is ever used
here. The trace stays in docs/tuning/. Each candidate plays in a process of its own, as a ruleset's advisor goes by the
numbers that are in force there.
"""

from __future__ import annotations

import argparse
import csv
import json
import multiprocessing
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from statistics import fmean
from typing import Any, NamedTuple

from game.controllers.ai.factors import Factors, load_factors, trying
from tests.bench.bouts import BANDS, FIRST, MAPS, Bout, fought
from tests.bench.bouts import margin as bout_margin

Number = tuple[str, str]
"""A table, and a number of it."""
COMMON: tuple[Number, ...] = (
    ("temperament", "damage"), ("temperament", "finish"), ("temperament", "focus"), ("temperament", "later"),
    ("temperament", "harm"), ("temperament", "death"), ("temperament", "approach"), ("temperament", "patience"),
    ("temperament", "distance"), ("temperament", "room"), ("judge", "prepared"), ("judge", "part"),
    ("judge", "fading"), ("judge", "bold"), ("position", "tomorrow"), ("position", "shared"), ("position", "again"),
    ("position", "approach"), ("position", "pinned"),
)  # fmt: skip
"""What is searched for under every ruleset."""
OWN: dict[str, tuple[Number, ...]] = {
    "olde": (
        ("measures", "nearer"), ("measures", "aloof"), ("measures", "frightening"), ("places", "together"),
        ("places", "fright"), ("places", "likely"), ("reactions", "point"), ("reactions", "parry_price"),
        ("magic", "thrift"), ("magic", "spent"),
    ),
    "cairn": (
        ("manoeuvres", "grip"), ("manoeuvres", "back"), ("manoeuvres", "stare"), ("manoeuvres", "comes"),
        ("powers", "hindrance"), ("powers", "help"), ("places", "frail"), ("places", "timid"), ("places", "beside"),
        ("floor", "floored"), ("floor", "elsewhere"),
    ),
    "countup": (
        ("manoeuvres", "better"), ("manoeuvres", "bold"), ("manoeuvres", "driven"), ("manoeuvres", "held"),
        ("manoeuvres", "eager"), ("answers", "step"), ("answers", "outreached"), ("answers", "stands"),
        ("answers", "yields"), ("places", "longer"), ("places", "shorter"), ("places", "settled"), ("places", "second"),
        ("places", "early"), ("places", "care"), ("places", "chosen"), ("places", "heart"),
    ),
}  # fmt: skip
"""What is searched for of a ruleset's own tables."""
OPPONENTS = ("greedy", "focus", "turtle", "kiter")
"""Players who ask no advisor, so that nothing that is tried changes them."""
SPREAD = 0.5
"""How far the first candidates lie apart, in doublings."""
WIDEST = 2.0
"""The most doublings or halvings of a number."""
MOST_SEEDS = 400_000_000
"""Seeds of tuning begin here: far from those of judging."""
PLAIN = 0.01
"""What each square of doublings costs, on average: a number is left alone that decides nothing."""
KEPT = 0.5
"""This part of the way to the middle of the search is gone, in doublings: farther off is luck, and temperaments would
lose their character."""
TRACES = Path("docs/tuning")
WRITTEN = Path("assets/ai/tuned.toml")


def searched(kind: str, tables: str = "all") -> tuple[Number, ...]:
    """What is searched for under a ruleset: of all tables, of those in `common`, or of its `own`."""
    return {"all": (*COMMON, *OWN[kind]), "common": COMMON, "own": OWN[kind]}[tables]


def factors_of(numbers: Sequence[Number], point: Sequence[float]) -> dict[str, dict[str, float]]:
    """A point of the search, in doublings, as factors."""
    found: dict[str, dict[str, float]] = {}
    for (table, number), doublings in zip(numbers, point, strict=True):
        found.setdefault(table, {})[number] = round(2.0 ** max(-WIDEST, min(WIDEST, doublings)), 3)
    return found


def times(before: Factors, found: Factors) -> dict[str, dict[str, float]]:
    """The file's factors, each as many times as was found."""
    whole = {table: dict(numbers) for table, numbers in before.items()}
    for table, numbers in found.items():
        own = whole.setdefault(table, {})
        own |= {name: round(own.get(name, 1.0) * factor, 3) for name, factor in numbers.items()}
    return whole


class Trial(NamedTuple):
    """A candidate, and the pairs of fights that it is judged by."""

    factors: Factors
    bouts: tuple[Bout, ...]


def margins(trial: Trial) -> list[float]:
    """How well a candidate did in each pair of fights: −1 (lost both, nothing left) to 1."""
    kind = trial.bouts[0].ruleset
    with trying(kind, times(load_factors().get(kind, {}), trial.factors)):
        return [
            sum(bout_margin(bout, fought(bout)) for bout in (pair, pair._replace(swapped=True))) / 2
            for pair in trial.bouts
        ]


Mapped = Callable[[Callable[[Trial], list[float]], Iterable[Trial]], Iterable[list[float]]]


def drawn(kind: str, generation: int, pairs: int) -> Iterator[Bout]:
    """The pairs of a generation: bands, maps and opponents in turn, on dice that no other generation throws."""
    bands = tuple(BANDS[kind])
    for number in range(pairs):
        seed = MOST_SEEDS + generation * 10_000 + number
        place = generation * pairs + number
        other, band = OPPONENTS[place % len(OPPONENTS)], bands[(place // len(OPPONENTS)) % len(bands)]
        yield Bout(kind, "shipping", other, band, MAPS[(place * 7 // 3) % len(MAPS)], seed)


def judged(mapped: Mapped, bouts: Sequence[Bout], candidates: Sequence[Factors]) -> list[float]:
    """The mean margin of each candidate over the same pairs."""
    return [fmean(found) for found in mapped(margins, [Trial(each, tuple(bouts)) for each in candidates])]


def search(
    kind: str, mapped: Mapped, numbers: Sequence[Number], generations: int, pairs: int, candidates: int
) -> tuple[list[dict[str, Any]], list[float]]:  # fmt: skip
    """The trace of a search, a row for each generation, and its middle."""
    import cma

    options = {"seed": 1, "popsize": candidates, "verbose": -9, "bounds": [-WIDEST, WIDEST], "maxiter": generations}
    strategy = cma.CMAEvolutionStrategy([0.0] * len(numbers), SPREAD, options)
    rows = []
    for generation in range(generations):
        points = [list(map(float, point)) for point in strategy.ask()]
        found = judged(mapped, list(drawn(kind, generation, pairs)), [factors_of(numbers, point) for point in points])
        strategy.tell(points, [PLAIN * fmean(x * x for x in p) - m for p, m in zip(points, found, strict=True)])
        middle = list(map(float, strategy.mean))
        row: dict[str, Any] = {
            "generation": generation, "mean": round(fmean(found), 4), "best": round(max(found), 4),
            "sigma": round(float(strategy.sigma), 4),
        }  # fmt: skip
        names = [f"{table}.{number}" for table, number in numbers]
        rows.append(row | {name: round(x, 3) for name, x in zip(names, middle, strict=True)})
        print(json.dumps({"ruleset": kind, **row}), flush=True)
    return rows, middle


def keep(kind: str, factors: Factors, path: Path = WRITTEN) -> None:
    """Write a ruleset's factors into the file: numbers that stand there are changed in their places, others added."""
    lines: list[str] = []
    table, last = "", 0
    left = {name: dict(numbers) for name, numbers in factors.items()}
    for line in (*path.read_text(encoding="utf-8").splitlines(), "[the.end]"):
        number = line.partition("=")[0].strip()
        if header := re.fullmatch(r"\[(\w+)\.(\w+)\]", line.strip()):
            lines[last:last] = _lines(left.pop(table, {}))  # before the next table's comment
            table = header[2] if header[1] == kind else ""
        elif table and number in left.get(table, {}):
            line = f"{number} = {left[table].pop(number)}"
        lines.append(line)
        last = len(lines) if line.strip() and not line.startswith("#") else last
    lines.pop()
    for name, numbers in left.items():
        lines += ["", f"[{kind}.{name}]", *_lines(numbers)]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8", newline="\n")


def _lines(numbers: Mapping[str, float]) -> list[str]:
    return [f"{name} = {factor}" for name, factor in numbers.items()]


def main(arguments: Sequence[str] | None = None) -> int:
    """Search, compare, and keep what is better."""
    parser = argparse.ArgumentParser(prog="make tune", description=__doc__)
    parser.add_argument("--ruleset", action="append", choices=list(BANDS), help="only this one")
    parser.add_argument("--tables", choices=("all", "common", "own"), default="all",
                        help="what all rulesets have in common, or what is their own (default: all)")  # fmt: skip
    parser.add_argument("--generations", type=int, default=20, help="steps of the search (default: 20)")
    parser.add_argument("--pairs", type=int, default=20, help="pairs of fights for each candidate (default: 20)")
    parser.add_argument("--candidates", type=int, default=10, help="candidates of a generation (default: 10)")
    parser.add_argument("--check", type=int, default=200, help="pairs to compare on in the end (default: 200)")
    parser.add_argument("--jobs", type=int, default=2, help="processes (default: 2)")
    parser.add_argument("--traces", type=Path, default=TRACES, help="folder of the traces (default: docs/tuning)")
    given = parser.parse_args(arguments)
    assert FIRST + 1_000_000 < MOST_SEEDS
    given.traces.mkdir(parents=True, exist_ok=True)
    with multiprocessing.get_context("fork").Pool(given.jobs, maxtasksperchild=1) as pool:
        mapped = partial(pool.imap, chunksize=1)
        for kind in given.ruleset or list(BANDS):
            numbers = searched(kind, given.tables)
            rows, middle = search(kind, mapped, numbers, given.generations, given.pairs, given.candidates)
            trace = kind if given.tables == "all" else f"{kind}-{given.tables}"
            with (given.traces / f"{trace}.csv").open("w", encoding="utf-8", newline="") as file:
                writer = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
                writer.writeheader()
                writer.writerows(rows)
            factors = factors_of(numbers, [KEPT * doublings for doublings in middle])
            unseen = list(drawn(kind, 1000, given.check))
            before, after = judged(mapped, unseen, [{}, factors])
            print(f"{kind}: {before:+.3f} as the file has it, {after:+.3f} found", flush=True)
            if after > before and given.traces == TRACES:
                keep(kind, times(load_factors().get(kind, {}), factors))
    return 0


if __name__ == "__main__":
    sys.exit(main())
