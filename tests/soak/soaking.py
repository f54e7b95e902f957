"""Runs by seed, one after another or in processes beside each other, and what is made of what they find."""

from __future__ import annotations

import itertools
import time
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path

from game.forecast.simulate import work_for_parent
from tests.soak import cases, report
from tests.soak.encounters import Case, drawn
from tests.soak.habits import Player
from tests.soak.playing import Outcome, play, run
from tests.soak.reduce import Reducer
from tests.soak.wrong import Wrong

PROCESS = 300
"""Runs after which a process is replaced by a fresh one."""
TOLD = 120.0
"""Seconds between two words of how far it has come."""


@dataclass(frozen=True)
class Plan:
    """How to soak: the most steps of a run, what is fixed, what is not watched, where findings go."""

    steps: int = 200
    only: tuple[tuple[str, str], ...] = ()
    without: tuple[str, ...] = ()
    out: Path = Path("shots/soak")
    reduced: bool = True
    """Whether findings are brought down to the fewest steps."""


Ran = tuple[report.Run, Case, Wrong | None]


def soak(seed: int, plan: Plan) -> tuple[Case, Outcome]:
    """One seed's run: the case with the steps that were done, and how it went."""
    case = drawn(seed, dict(plan.only))
    outcome = run(case, Player(seed, plan.steps), plan.without)
    return {**case, "steps": outcome.steps}, outcome


def one(seed: int, plan: Plan) -> Ran:
    """One seed's run as a process beside tells it."""
    began = time.process_time()
    case, outcome = soak(seed, plan)
    return report.run_of(case, outcome, time.process_time() - began), case, outcome.wrong


def kept(case: Case, wrong: Wrong, plan: Plan) -> str:
    """A finding reduced and written to a file; what is said of that."""
    reducer = Reducer(wrong, plan.without)
    small = reducer.reduced(case) if plan.reduced else case
    again = play(small, plan.without).wrong or wrong
    words = "".join(c if c.isalnum() else "_" for c in f"{wrong.rule} {wrong.sign}".lower()).strip("_")
    path = plan.out / f"{words[:80]}_{case['seed']}.json"
    cases.write(small, again, path)
    told = f"from {len(case['steps'])} steps to {len(small['steps'])}, in {reducer.plays} plays"
    return f"{again}\n  reduced {told}: python -m tests.soak --replay {path}"


def soak_on(
    plan: Plan, *, minutes: float, jobs: int, first: int, stop: bool, tell: Callable[[str], None]
) -> list[report.Run]:
    """Runs from a seed on until the time is up (with `stop`: until the first finding); each new finding is told."""
    began, runs = time.monotonic(), []
    told = began
    known: dict[str, Future[str]] = {}
    end = began + 60 * minutes
    pool = ProcessPoolExecutor(
        jobs, mp_context=get_context("spawn"), initializer=work_for_parent, max_tasks_per_child=PROCESS
    )
    with pool:
        seeds, waiting = itertools.count(first), deque[Future[Ran]]()
        while True:
            while len(waiting) < 2 * jobs and time.monotonic() < end:
                waiting.append(pool.submit(one, next(seeds), plan))
            if not waiting:
                break
            ran, case, wrong = waiting.popleft().result()
            runs.append(ran)
            if time.monotonic() - told > TOLD:
                told = time.monotonic()
                tell(f"{told - began:6.0f} s  {len(runs)} fights, seed {ran.seed}")
            if wrong is not None and ran.found not in known:
                tell(f"{time.monotonic() - began:6.0f} s  seed {ran.seed}, after {ran.steps} steps: {wrong}")
                known[ran.found] = pool.submit(kept, case, wrong, plan)
                end = 0.0 if stop else end
        for reduced in known.values():
            tell(reduced.result())
    return runs


def summary(runs: Sequence[report.Run], seconds: float, plan: Plan) -> list[str]:
    """What was covered and found, as lines."""
    busy = sum(run.seconds for run in runs)
    lines = [f"{len(runs)} fights in {seconds / 60:.1f} min ({busy / 60:.1f} min of the processor)", ""]
    lines += report.table(runs)
    found = report.findings(runs)
    lines += ["", f"{len(found)} kinds of findings" + (f", written to {plan.out}" if found else "")]
    more = "".join(f" --only {name}={value}" for name, value in plan.only)
    more += "".join(f" --without {name}" for name in plan.without)
    for name, seeds in sorted(found.items(), key=lambda item: -len(item[1])):
        again = f"python -m tests.soak --seed {seeds[0]} --steps {plan.steps}{more}"
        lines += [f"{len(seeds):5}  {name}", f"       {again}"]
    return lines
