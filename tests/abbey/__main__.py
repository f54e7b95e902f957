"""`python -m tests.abbey`: play an adventure with the computer on both sides, and say what became of the parties.

    python -m tests.abbey --ruleset cairn --count 20

Evenings that stall, are broken off or end in an error are named by their seeds; `--keep FOLDER` writes their records,
to be looked at in the window. Exit status 1 where there was any of them.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path

from rules.core import record as records
from rules.core.registry import RULESETS
from tests.abbey.play import MOST, Evening, play, told

BAD = ("stalled", "broken off", "error")


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
    given = parser.parse_args(arguments)
    rulesets = [given.ruleset] if given.ruleset else list(RULESETS)
    tasks = [(ruleset, seed) for ruleset in rulesets for seed in range(given.first, given.first + given.count)]
    one = partial(_one, given.adventure, given.most, given.keep)
    evenings: list[Evening] = []
    if given.jobs > 1:
        with ProcessPoolExecutor(given.jobs) as pool:
            evenings += pool.map(one, tasks)
    else:
        for task in tasks:
            evenings.append(one(task))
            print(f"{task}: {evenings[-1].outcome} {evenings[-1].took:.0f} s", file=sys.stderr, flush=True)
    print("\n".join(told(evenings)))
    return int(any(evening.outcome in BAD for evening in evenings))


def _one(adventure: str, most: int, keep: Path | None, task: tuple[str, int]) -> Evening:
    ruleset, seed = task
    played = play(adventure, ruleset, seed, most=most)
    if keep is not None:
        keep.mkdir(parents=True, exist_ok=True)
        path = keep / f"{adventure}_{ruleset}_{seed}.json"
        path.write_text(json.dumps(records.document(played.record)), encoding="utf-8")
    return played.evening


if __name__ == "__main__":
    sys.exit(main())
