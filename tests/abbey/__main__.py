"""`python -m tests.abbey`: play an adventure with the computer on both sides, and say what became of the parties.

    python -m tests.abbey --ruleset cairn --count 20

Evenings that stall, are broken off or end in an error are named by their seeds; `--keep FOLDER` writes their records,
to be looked at in the window. Exit status 1 where there was any of them.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import partial
from pathlib import Path

import msgspec

from rules.contract.text import as_builtins
from rules.core import record as records
from rules.core.registry import RULESETS
from tests.abbey.play import MOST, Evening, play
from tests.abbey.report import table, told

BAD = ("stalled", "broken off", "error")
Task = tuple[str, int]
"""(ruleset, seed)."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Play, report, and 1 where an evening did not come to an end."""
    parser = argparse.ArgumentParser(prog="python -m tests.abbey", description=__doc__)
    parser.add_argument("--adventure", default="drowned_abbey", metavar="ID")
    parser.add_argument("--ruleset", choices=tuple(RULESETS), help="this one alone")
    parser.add_argument("--from", dest="first", type=int, default=1, metavar="SEED")
    parser.add_argument("--count", type=int, default=10, metavar="N", help="evenings under each ruleset (10)")
    parser.add_argument("--most", type=int, default=MOST, metavar="N", help="commands of an evening")
    parser.add_argument("--jobs", type=int, default=1, metavar="N", help="evenings at a time (1)")
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="write the records of all evenings there")
    parser.add_argument("--log", type=Path, metavar="FILE", help="write evenings there; what it has isn't played again")
    parser.add_argument("--markdown", action="store_true", help="the tables that docs/abbey.md has")
    given = parser.parse_args(arguments)
    rulesets = [given.ruleset] if given.ruleset else list(RULESETS)
    tasks = [(ruleset, seed) for ruleset in rulesets for seed in range(given.first, given.first + given.count)]
    one = partial(_one, given.adventure, given.most, given.keep)
    known = _logged(given.log)
    evenings = [known[task] for task in tasks if task in known]
    tasks = [task for task in tasks if task not in known]
    for task, evening in zip(tasks, _played(one, tasks, given.jobs), strict=True):
        evenings.append(evening)
        if given.log is not None:
            with given.log.open("ab") as file:
                file.write(msgspec.json.encode(as_builtins(evening)) + b"\n")
        print(f"{task}: {evening.outcome} {evening.took:.0f} s {evening.error}".rstrip(), file=sys.stderr, flush=True)
    print("\n".join(table(evenings) if given.markdown else told(evenings)))
    return int(any(evening.outcome in BAD for evening in evenings))


def _logged(log: Path | None) -> dict[Task, Evening]:
    """The evenings that were played before."""
    lines = log.read_bytes().splitlines() if log is not None and log.exists() else []
    evenings = [msgspec.json.decode(line, type=Evening) for line in lines]
    return {(each.ruleset, each.seed): each for each in evenings}


def _played(one: Callable[[Task], Evening], tasks: Sequence[Task], jobs: int) -> Iterator[Evening]:
    """The evenings in the order of their tasks; one whose process dies is told as an error, the rest goes on."""
    if jobs <= 1:
        yield from map(one, tasks)
        return
    left = list(tasks)
    while left:
        with ProcessPoolExecutor(jobs) as pool:
            futures = [pool.submit(one, task) for task in left]
            for future in futures:
                task = left.pop(0)
                try:
                    yield future.result()
                except BrokenProcessPool:
                    yield Evening(*task, outcome="error", error="its process died")
                    break
                except Exception as error:  # before the evening began
                    yield Evening(*task, outcome="error", error=f"{type(error).__name__}: {error}")


def _one(adventure: str, most: int, keep: Path | None, task: Task) -> Evening:
    ruleset, seed = task
    played = play(adventure, ruleset, seed, most=most)
    if keep is not None:
        keep.mkdir(parents=True, exist_ok=True)
        path = keep / f"{adventure}_{ruleset}_{seed}.json"
        path.write_text(json.dumps(records.document(played.record)), encoding="utf-8")
    return played.evening


if __name__ == "__main__":
    sys.exit(main())
