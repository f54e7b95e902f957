"""What a forecast costs: the crypt, four against seven of those whom all rulesets have, under each of them."""

from __future__ import annotations

import os
from statistics import median
from threading import Event
from time import perf_counter, process_time

from game.content.encounter import make_encounter
from game.forecast.play import Task, Trial, play
from game.forecast.session import Session
from game.forecast.simulate import dealer_of, played, process_pool
from rules.core import record as records
from rules.core.registry import ruleset
from tests.bench import arena
from tests.bench.play import chess
from tests.bench.table import Row

PARTIES = {
    "olde": ("warrior", "priest", "ranger", "rogue"),
    "cairn": ("wolfram", "freya", "lucius", "gann"),
    "countup": ("hale", "bram", "tess", "cora"),
}
FOES = ("skeleton", "skeleton", "zombie", "ghoul", "giant_rat", "giant_rat", "giant_rat")
"""Whom all three rulesets have."""
GOALS = {"olde": (4.0, 1.5), "cairn": (4.0, 1.5), "countup": (10.0, 4.0)}
"""CPU seconds of 100 fights, beside `PACE` plies of chess a CPU second: by rules as they are, and compiled."""
PACE = 18_700
FIGHTS = 100
WARM = 10
"""Fights before anything is measured: what a map remembers is remembered by then."""
WITHIN = 5.0
FIRST = 0.3
"""Goals in seconds by the clock: until a chance is known to ±5 points, until the first figure is shown."""


def encounter(name: str) -> records.Record:
    """The crypt, four heroes of a ruleset against the seven."""
    return records.read(make_encounter("crypt", PARTIES[name], FOES, 1, ruleset=name))


def fights(name: str) -> tuple[float, float]:
    """(CPU seconds of 100 fights, plies of chess a CPU second beside them)."""
    trial, plies = Trial.of(encounter(name)), chess()
    play(Task(trial.encounter, trial.seed, FIGHTS, FIGHTS + WARM, trial.turn_limit))
    spent, paces, part = 0.0, list[float](), FIGHTS // 5
    for first in range(0, FIGHTS, part):
        count, took = plies(0.3)
        paces.append(count / took)
        began = process_time()
        play(Task(trial.encounter, trial.seed, first, first + part, trial.turn_limit))
        spent += process_time() - began
    return spent, median(paces)


def first_figure(name: str) -> float:
    """Seconds by the clock until somebody who asks for a forecast beside a fight sees a figure.

    In a window that has forecast nothing yet: its processes have still to begin.
    """
    record, news = encounter(name), Event()
    began = perf_counter()
    session = Session(record, news.set)
    try:
        while not session.collect():
            news.wait()
            news.clear()
        return perf_counter() - began
    finally:
        session.close()


def until_known(name: str) -> tuple[float, int]:
    """Seconds by the clock until each chance is known to ±5 points, and the fights for it.

    With worker processes that are there already, as in the window from the second forecast on.
    """
    record, jobs = encounter(name), os.cpu_count() or 1
    with process_pool(jobs) as pool:
        list(pool.map(abs, range(jobs)))
        began = perf_counter()
        dealer = dealer_of([Trial.of(record)], None)
        for _ in played(dealer, executor=pool):
            pass
        return perf_counter() - began, dealer.counts[0].number


def forecasts() -> list[Row]:
    """The rows of all rulesets."""
    rows = []
    for name in PARTIES:
        title = ruleset(name).title
        spent, pace = fights(name)
        even = spent * pace / PACE  # as it would be beside so many plies a second
        rows.append(
            Row(
                f"100 fights, {title}, beside {PACE:,} plies of chess a second",
                even,
                "s",
                goal=GOALS[name][arena.compiled()],
            )
        )
        whole, runs = until_known(name)
        rows.append(Row(f"… first figure, {title}, by the clock", first_figure(name), "s", goal=FIRST))
        rows.append(Row(f"… known to ±5 points ({runs} fights)", whole, "s", goal=WITHIN))
    return rows
