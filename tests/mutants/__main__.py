"""`python -m tests.mutants [--count 300] [--seed 1] [--jobs 2] [--only rules/cairn] [--budget 15]`; `make mutants`.

Draws small errors in the functions of `rules/`, tries each against the tests that run its line, and prints a table by
folder and each that no test notices. Exit status 1 if fewer than nine of ten are noticed (docs/testing.md).
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
import tomllib
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import hypothesis
import msgspec  # noqa: F401 - imported here, the forked needn't
import pydantic  # noqa: F401

from tests.mutants.covering import Known, Layout, covering
from tests.mutants.operators import Mutant, mutants
from tests.mutants.trying import Fate, Verdict, attempt, steady

ROOT = Path(__file__).parents[2]
TESTS = ("tests/rules", "tests/gate", "tests/twins")
WANTED = 0.9
JUDGED = Path(__file__).with_name("judged.toml")


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.mutants")
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--only", default="", metavar="PATH", help="a folder or module, rules/cairn")
    parser.add_argument(
        "--budget", type=float, default=15.0, help="seconds of the processor that each lot of tests is tried for"
    )
    parser.add_argument("--afresh", action="store_true", help="see again which tests run which lines")
    parser.add_argument("--list", action="store_true", help="print the sample, and try nothing")
    parser.add_argument("--root", type=Path, default=ROOT, help=argparse.SUPPRESS)
    parser.add_argument("--source", default="rules", help=argparse.SUPPRESS)
    parser.add_argument("--tests", nargs="+", default=TESTS, help=argparse.SUPPRESS)
    options = parser.parse_args()
    layout = Layout(options.root.resolve(), options.source, tuple(options.tests))
    drawn = sample(layout, options.count, options.seed, options.only)
    if options.list:
        for mutant in drawn:
            print(told(mutant))
        return 0
    os.chdir(layout.root)
    hypothesis.settings.register_profile(
        "mutants",
        derandomize=True,
        deadline=None,
        database=None,
        suppress_health_check=list(hypothesis.HealthCheck),
        phases=(hypothesis.Phase.explicit, hypothesis.Phase.generate),  # that it fails is enough
    )
    began = time.monotonic()
    verdicts = sorted(tried(layout, drawn, options), key=lambda v: (v.mutant.path, v.mutant.first))
    known = judged(JUDGED)
    killed = report(verdicts, known, time.monotonic() - began)
    for where, line, change in gone(layout, known):
        print(f"{JUDGED.name}: no longer there: {where}: {line}: {change}", file=sys.stderr)
    return 0 if killed >= WANTED * len(verdicts) else 1


def sample(layout: Layout, count: int, seed: int, only: str) -> list[Mutant]:
    """So many mutants, at most one of each line, by the ranks of the seed: a change elsewhere leaves them."""
    everything = (
        mutant for path in layout.modules() if path.startswith(only) for mutant in mutants(layout.read(path), path)
    )
    chosen: dict[tuple[str, int], Mutant] = {}
    for mutant in sorted(everything, key=lambda mutant: mutant.rank(seed)):
        chosen.setdefault((mutant.path, mutant.first), mutant)
    return list(chosen.values())[:count]


def tried(layout: Layout, drawn: list[Mutant], options: argparse.Namespace) -> Iterator[Verdict]:
    """Each with its fate, as they come."""
    known = covering(layout, options.jobs, options.afresh)
    lines = known.by_line()
    in_file: dict[str, list[Known]] = {}
    for test in sorted(known.tests, key=lambda test: test.cost):
        in_file.setdefault(test.file, []).append(test)
    killers = remembered(layout)
    with ProcessPoolExecutor(options.jobs, mp_context=get_context("fork")) as pool:
        waiting: list[Future[Verdict]] = []
        for mutant in drawn:
            found = {
                t.id: t for line in range(mutant.first, mutant.last + 1) for t in lines.get((mutant.path, line), ())
            }
            tests = sorted(found.values(), key=lambda test: test.cost)
            files = dict.fromkeys(test.file for test in tests)
            neighbours = [test for file in files for test in in_file[file] if test.id not in found]
            if tests and not waiting:
                assert steady(layout, mutant, tests), "the tests fail where nothing is changed"
            waiting.append(
                pool.submit(attempt, layout, mutant, tests, neighbours, options.budget, killers.get(mutant.key, ""))
            )
        for number, future in enumerate(waiting, 1):
            verdict = future.result()
            if not verdict.fate.killed:
                print(f"{number}: {verdict.fate.value} {told(verdict.mutant)}", file=sys.stderr, flush=True)
            elif number % 20 == 0:
                print(f"{number} ...", file=sys.stderr, flush=True)
            if verdict.fate is Fate.KILLED:
                killers[verdict.mutant.key] = verdict.by
                layout.killers.write_text(json.dumps(killers, indent=0), encoding="utf-8")
            yield verdict


def remembered(layout: Layout) -> dict[str, str]:
    """Which test killed which mutant before: the first to be tried."""
    kept: dict[str, str] = json.loads(layout.killers.read_text(encoding="utf-8")) if layout.killers.exists() else {}
    return kept


def told(mutant: Mutant) -> str:
    return f"{mutant.path}:{mutant.first} {mutant.function}\n    {mutant.line}\n  - {mutant.old}\n  + {mutant.new}"


def judged(path: Path) -> dict[tuple[str, str, str], str]:
    """Why mutants are no errors, by function, line and change."""
    entries = tomllib.loads(path.read_text(encoding="utf-8"))["same"] if path.exists() else []
    return {(each["in"], each["line"], each["change"]): each["because"] for each in entries}


def gone(layout: Layout, known: dict[tuple[str, str, str], str]) -> list[tuple[str, str, str]]:
    """Judgements of which the line is no longer there."""
    paths = {where.split()[0] for where, _, _ in known} & set(layout.modules())
    there = {_named(mutant) for path in paths for mutant in mutants(layout.read(path), path)}
    return sorted(known.keys() - there)


def report(verdicts: list[Verdict], known: dict[tuple[str, str, str], str], seconds: float) -> int:
    """Print the table and the survivors; the number of the killed."""
    everywhere: dict[str, Counter[str]] = {}
    for verdict in verdicts:
        counts = everywhere.setdefault(str(Path(verdict.mutant.path).parent), Counter())
        counts["mutants"] += 1
        counts[verdict.fate.value] += 1
        counts["same"] += not verdict.fate.killed and reason(verdict.mutant, known) is not None
    columns = ("mutants", *(fate.value for fate in Fate), "same")
    print(f"{'folder':<24}", *(f"{name:>10}" for name in columns))
    for folder, counts in [*everywhere.items(), ("all", sum(everywhere.values(), Counter()))]:
        print(f"{folder:<24}", *(f"{counts[name]:>10}" for name in columns))
    for verdict in verdicts:
        if not verdict.fate.killed:
            because = reason(verdict.mutant, known)
            print(f"\n{verdict.fate.value}, {verdict.tried} tests: {told(verdict.mutant)}")
            print(f"    the same: {because}" if because else "    to be judged")
    killed = [verdict for verdict in verdicts if verdict.fate.killed]
    by = Counter(verdict.by.split("::")[0].split("/test_")[0] for verdict in killed)
    print(
        f"\n{len(killed)} of {len(verdicts)} killed ({len(killed) / max(1, len(verdicts)):.1%}), {seconds / 60:.1f} min"
    )
    print("by", ", ".join(f"{folder} {count}" for folder, count in by.most_common()))
    return len(killed)


def reason(mutant: Mutant, known: dict[tuple[str, str, str], str]) -> str | None:
    """Why that mutant is no error, if somebody judged so."""
    return known.get(_named(mutant))


def _named(mutant: Mutant) -> tuple[str, str, str]:
    return f"{mutant.path} {mutant.function}", mutant.line, f"{mutant.old} -> {mutant.new}"


if __name__ == "__main__":
    raise SystemExit(main())
