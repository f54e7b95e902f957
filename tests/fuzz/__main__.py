"""`python -m tests.fuzz [--runs N] [--from NUMBER]`: broken records, journals and settings; `make fuzz`.

Half of the cases are replayed, the others loaded, taken up as journals, or read as settings. Prints each finding with
the number of its case, and at the end how many there were; exit status 1 if there was any.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
import traceback
from collections import Counter
from pathlib import Path

os.environ["BATTLEMAT_HOME"] = tempfile.mkdtemp(prefix="battlemat-fuzz-")
os.environ["PYGAME_HIDE_SUPPORT_PROMPT"] = "1"

from tests.fuzz import trial

TURNS = ("replay", "replay", "replay", "load", "load", "journal", "settings")
PROGRESS = 5000
SLOW = 5.0
"""Seconds of the processor that no case may take."""


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz")
    parser.add_argument("--runs", type=int, default=100_000)
    parser.add_argument("--from", type=int, default=0, dest="first")
    options = parser.parse_args()
    trials = dict(trial.trials(Path(os.environ["BATTLEMAT_HOME"])))
    count: Counter[str] = Counter()
    slowest, began = 0.0, time.monotonic()
    for number in range(options.first, options.first + options.runs):
        kind = TURNS[number % len(TURNS)]
        start = time.process_time()
        try:
            fit = trials[kind](number)
        except Exception:
            count["findings"] += 1
            print(f"case {number} ({kind}):\n{traceback.format_exc()}", flush=True)
            fit = False
        took = time.process_time() - start
        slowest = max(slowest, took)
        if took > SLOW:
            count["findings"] += 1
            print(f"case {number} ({kind}): {took:.1f} s", flush=True)
        count[kind] += 1
        if number % PROGRESS == PROGRESS - 1:
            print(f"... case {number}", file=sys.stderr, flush=True)
        count[f"{kind} fit after all"] += fit
    told = ", ".join(f"{count[kind]} {kind} ({count[f'{kind} fit after all']} fit)" for kind in trials)
    minutes = (time.monotonic() - began) / 60
    print(f"{options.runs} cases in {minutes:.1f} min: {told}; slowest {slowest:.2f} s; {count['findings']} findings")
    return 1 if count["findings"] else 0


if __name__ == "__main__":
    raise SystemExit(main())
