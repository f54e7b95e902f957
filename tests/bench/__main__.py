"""`make bench`: what Battlemat costs, each figure beside a reference of the same run, so that machines compare.

    python -m tests.bench [--only PART] [--seconds S] [--markdown] [--json]

All times are CPU times. Other programs slow even those, by caches and shared cores; so each figure is also given "at
rest": divided by what its reference took beside it, times what the reference takes on the machine of the goals.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
from collections.abc import Callable
from typing import Any

from tests.bench import forecasts, loading, parts, play, processes
from tests.bench.table import Row, markdown, plain, plain_data

PARTS: dict[str, tuple[str, Callable[[float], list[Row]]]] = {
    "fights": ("Whole fights: 4 against 6 on a walled 32 × 32 map, full rules", play.whole_fights),
    "forecasts": ("Forecasts: the crypt, four against seven", lambda seconds: forecasts.forecasts()),
    "parts": ("Parts of the rules", lambda seconds: parts.deeds() + parts.ground()),
    "loading": ("Loading an evening in the abbey", lambda seconds: loading.evenings()),
    "window": ("The window", lambda seconds: processes.apart("tests.bench.window")),
    "starts": ("Starting", lambda seconds: processes.apart("tests.bench.processes")),
    "growth": ("How cost grows", lambda seconds: play.growth(seconds / 12)),
}


def main() -> int:
    parser = argparse.ArgumentParser(prog="make bench", description=__doc__.splitlines()[0])
    parser.add_argument("--only", choices=list(PARTS), action="append", help="this part; may be given again")
    parser.add_argument("--seconds", type=float, default=12.0, help="CPU seconds for each kind of fight")
    parser.add_argument("--markdown", action="store_true", help="tables for docs/bench.md")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    machine = f"Python {platform.python_version()} on {platform.system()} {platform.machine()}"
    if hasattr(os, "getloadavg"):
        machine += f", {os.cpu_count()} cores, {os.getloadavg()[0]:.1f} programs at work"
    if not options.json:
        print(f"{machine}\n")
    found: dict[str, Any] = {}
    for name in options.only or PARTS:
        title, measure = PARTS[name]
        rows = measure(options.seconds)
        found[name] = plain_data(rows)
        if not options.json:
            print((markdown if options.markdown else plain)(title, rows), flush=True)
    if options.json:
        print(json.dumps({"machine": machine, **found}, ensure_ascii=False, indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main())
