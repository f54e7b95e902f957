"""`python -m tests.soak`: players of random habit at the whole window, for an hour or as long as is asked.

    python -m tests.soak [--minutes M] [--jobs N] [--from SEED] [--only NAME=VALUE] [--without RULE]
    python -m tests.soak --seed SEED        that one run again
    python -m tests.soak --replay FILE      the steps of a finding again
    python -m tests.soak --reduce FILE      and bring them down to the fewest

Each finding is told in a line with its seed, reduced to the fewest steps and written as a file. Exit status 1 if there
was any. `make soak` does the same.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Sequence
from pathlib import Path

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
os.environ.setdefault("SDL_AUDIODRIVER", "dummy")
os.environ["PYGAME_HIDE_SUPPORT_PROMPT"] = "1"

from tests.soak import cases, oracles
from tests.soak.encounters import Case
from tests.soak.playing import play
from tests.soak.soaking import Plan, kept, soak, soak_on, summary
from tests.soak.wrong import Wrong


def main(arguments: Sequence[str] | None = None) -> int:
    given = _parser().parse_args(arguments)
    without = {*given.without, *(set(oracles.RULES) - set(given.watch) if given.watch else ())}
    plan = Plan(given.steps, tuple(given.only), tuple(sorted(without)), given.out, given.reduced)
    if given.replay or given.reduce:
        return _again(given.replay or given.reduce, plan, smaller=bool(given.reduce))
    if given.seed is not None:
        case, outcome = soak(given.seed, plan)
        return _told(case, outcome.wrong, plan)
    began = time.monotonic()
    runs = soak_on(
        plan, minutes=given.minutes, jobs=given.jobs, first=given.first, stop=given.stop, tell=_say,
    )  # fmt: skip
    _say("\n" + "\n".join(summary(runs, time.monotonic() - began, plan)))
    return int(any(run.found for run in runs))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m tests.soak", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--minutes", type=float, default=60.0)
    parser.add_argument("--jobs", type=int, default=2, help="processes (default: 2)")
    parser.add_argument("--from", type=int, default=0, dest="first", help="the first seed (default: 0)")
    parser.add_argument("--seed", type=int, help="one run")
    parser.add_argument("--steps", type=int, default=Plan.steps, help=f"the most of a run (default: {Plan.steps})")
    parser.add_argument("--only", action="append", default=[], metavar="NAME=VALUE", type=_pair,
                        help="ruleset, map, table, or an option, fixed")  # fmt: skip
    parser.add_argument("--without", action="append", default=[], choices=oracles.RULES, metavar="RULE",
                        help="don't watch this")  # fmt: skip
    parser.add_argument("--watch", action="append", default=[], choices=oracles.RULES, metavar="RULE",
                        help="watch nothing but this, and what nobody foresaw")  # fmt: skip
    parser.add_argument("--stop", action="store_true", help="end with the first finding")
    parser.add_argument("--as-found", action="store_false", dest="reduced", help="reduce nothing")
    parser.add_argument("--out", type=Path, default=Plan.out, help="where findings are written")
    parser.add_argument("--replay", type=Path, metavar="FILE")
    parser.add_argument("--reduce", type=Path, metavar="FILE")
    return parser


def _pair(text: str) -> tuple[str, str]:
    name, _, value = text.partition("=")
    return name, value


def _say(text: str) -> None:
    print(text, flush=True)


def _again(path: Path, plan: Plan, *, smaller: bool) -> int:
    case = cases.read(path)
    outcome = play(case, plan.without)
    _say(str(outcome.wrong or "nothing is wrong any more"))
    if smaller and outcome.wrong is not None:
        _say(kept({**case, "steps": outcome.steps}, outcome.wrong, plan))
    return int(outcome.wrong is not None)


def _told(case: Case, wrong: Wrong | None, plan: Plan) -> int:
    if wrong is None:
        _say(f"seed {case['seed']}: nothing wrong in {len(case['steps'])} steps")
        return 0
    _say(f"seed {case['seed']}, after {len(case['steps'])} steps: {wrong}")
    _say(kept(case, wrong, plan))
    return 1


if __name__ == "__main__":
    sys.exit(main())
