"""Searches for better weights of the computer, ruleset by ruleset, by CMA-ES over mirrored pairs with common dice.

    make tune [ARGS='--ruleset olde --generations 20 --pairs 20']

What is searched for are factors of the numbers of assets/ai/weights.toml, the same for all temperaments. Each
candidate of a generation fights the same pairs against the same opponents; each generation fights others. Judged is
how fights end (won or lost) and how much of both sides is left. In the end the middle of the search is held against
the file's numbers over pairs that no generation saw; only what is better there is written to assets/ai/tuned.toml. No
seed of judging (`bouts.FIRST` and beyond) is ever used here. The trace stays in docs/tuning/.
"""

from __future__ import annotations

import argparse
import csv
import json
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from pathlib import Path
from statistics import fmean
from typing import Any, NamedTuple

from game.controllers.ai import AiController, load_weights
from game.controllers.ai.factors import Factors, tuned
from tests.bench.bouts import BANDS, FIRST, MAPS, PLAYERS, Bout, fought
from tests.bench.bouts import margin as bout_margin

SEARCHED: tuple[tuple[str, str], ...] = (
    ("temperament", "damage"), ("temperament", "finish"), ("temperament", "focus"), ("temperament", "later"),
    ("temperament", "harm"), ("temperament", "death"), ("temperament", "approach"), ("temperament", "patience"),
    ("temperament", "distance"), ("temperament", "room"), ("judge", "prepared"), ("judge", "part"),
    ("judge", "fading"), ("judge", "bold"), ("position", "tomorrow"), ("position", "shared"), ("position", "again"),
    ("position", "approach"), ("position", "pinned"),
)  # fmt: skip
OPPONENTS = ("untuned", "greedy", "focus", "turtle", "kiter")
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


class Trial(NamedTuple):
    """One candidate's pair of fights."""

    bout: Bout
    factors: Factors


def factors_of(point: Sequence[float]) -> dict[str, dict[str, float]]:
    """A point of the search, in doublings, as factors."""
    found: dict[str, dict[str, float]] = {}
    for (table, number), doublings in zip(SEARCHED, point, strict=True):
        found.setdefault(table, {})[number] = round(2.0 ** max(-WIDEST, min(WIDEST, doublings)), 3)
    return found


def margin(trial: Trial) -> float:
    """How well a candidate did in a pair of fights: −1 (lost both, nothing left) to 1."""
    weights = tuned(load_weights(), trial.factors)
    players = {**PLAYERS, "candidate": lambda seed: AiController(weights=weights)}
    bouts = [trial.bout._replace(player="candidate", swapped=swapped) for swapped in (False, True)]
    return sum(bout_margin(bout, fought(bout, players)) for bout in bouts) / 2


def drawn(kind: str, generation: int, pairs: int) -> Iterator[Bout]:
    """The pairs of a generation: bands, maps and opponents in turn, on dice that no other generation throws."""
    bands = tuple(BANDS[kind])
    for number in range(pairs):
        seed = MOST_SEEDS + generation * 10_000 + number
        place = generation * pairs + number
        other, band = OPPONENTS[place % len(OPPONENTS)], bands[(place // len(OPPONENTS)) % len(bands)]
        yield Bout(kind, "candidate", other, band, MAPS[(place * 7 // 3) % len(MAPS)], seed)


def judged(pool: Executor, bouts: Sequence[Bout], candidates: Sequence[Factors]) -> list[float]:
    """The mean margin of each candidate over the same pairs."""
    trials = [Trial(bout, factors) for factors in candidates for bout in bouts]
    margins = list(pool.map(margin, trials, chunksize=4))
    many = len(bouts)
    return [fmean(margins[n * many : (n + 1) * many]) for n in range(len(candidates))]


def search(
    kind: str, pool: Executor, generations: int, pairs: int, candidates: int
) -> tuple[list[dict[str, Any]], list[float]]:
    """The trace of a search, a row for each generation, and its middle."""
    import cma

    options = {"seed": 1, "popsize": candidates, "verbose": -9, "bounds": [-WIDEST, WIDEST], "maxiter": generations}
    strategy = cma.CMAEvolutionStrategy([0.0] * len(SEARCHED), SPREAD, options)
    rows = []
    for generation in range(generations):
        points = [list(map(float, point)) for point in strategy.ask()]
        found = judged(pool, list(drawn(kind, generation, pairs)), [factors_of(point) for point in points])
        strategy.tell(points, [PLAIN * fmean(x * x for x in p) - m for p, m in zip(points, found, strict=True)])
        middle = list(map(float, strategy.mean))
        row: dict[str, Any] = {
            "generation": generation, "mean": round(fmean(found), 4), "best": round(max(found), 4),
            "sigma": round(float(strategy.sigma), 4),
        }  # fmt: skip
        names = [f"{table}.{number}" for table, number in SEARCHED]
        rows.append(row | {name: round(x, 3) for name, x in zip(names, middle, strict=True)})
        print(json.dumps({"ruleset": kind, **row}), flush=True)
    return rows, middle


def keep(kind: str, factors: Factors, path: Path = WRITTEN) -> None:
    """Write a ruleset's factors into the file, in place of those that stand there."""
    lines, inside = [], False
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            inside = line.startswith(f"[{kind}.")
        if not inside:
            lines.append(line)
    while lines and not lines[-1]:
        lines.pop()
    for table, numbers in factors.items():
        lines += ["", f"[{kind}.{table}]"] + [f"{name} = {factor}" for name, factor in numbers.items()]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8", newline="\n")


def main(arguments: Sequence[str] | None = None) -> int:
    """Search, compare, and keep what is better."""
    parser = argparse.ArgumentParser(prog="make tune", description=__doc__)
    parser.add_argument("--ruleset", action="append", choices=list(BANDS), help="only this one")
    parser.add_argument("--generations", type=int, default=20, help="steps of the search (default: 20)")
    parser.add_argument("--pairs", type=int, default=20, help="pairs of fights for each candidate (default: 20)")
    parser.add_argument("--candidates", type=int, default=10, help="candidates of a generation (default: 10)")
    parser.add_argument("--check", type=int, default=200, help="pairs to compare on in the end (default: 200)")
    parser.add_argument("--jobs", type=int, default=2, help="processes (default: 2)")
    parser.add_argument("--traces", type=Path, default=TRACES, help="folder of the traces (default: docs/tuning)")
    given = parser.parse_args(arguments)
    assert FIRST + 1_000_000 < MOST_SEEDS
    given.traces.mkdir(parents=True, exist_ok=True)
    with ProcessPoolExecutor(given.jobs) as pool:
        for kind in given.ruleset or list(BANDS):
            rows, middle = search(kind, pool, given.generations, given.pairs, given.candidates)
            with (given.traces / f"{kind}.csv").open("w", encoding="utf-8", newline="") as file:
                writer = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
                writer.writeheader()
                writer.writerows(rows)
            factors = factors_of([KEPT * doublings for doublings in middle])
            unseen = list(drawn(kind, 1000, given.check))
            before, after = judged(pool, unseen, [{}, factors])
            print(f"{kind}: {before:+.3f} as the file has it, {after:+.3f} found", flush=True)
            if after > before and given.traces == TRACES:
                keep(kind, factors)
    return 0


if __name__ == "__main__":
    sys.exit(main())
