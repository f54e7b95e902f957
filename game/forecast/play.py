"""One fight after another between computers: what a worker does, in this process, another, or on another machine.

A task carries its encounter whole, so a worker opens no map and no record; it unpacks the encounter once and keeps it.
"""

from __future__ import annotations

import pickle
import time
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import NamedTuple

import msgspec

from game.controllers import Controller
from game.controllers.ai import AiController
from game.forecast.counts import Counts
from game.forecast.tale import Tale
from rules.board.grid import Field
from rules.contract.actions import Action, pending
from rules.contract.display import System
from rules.contract.events import Began, Event, Summoned
from rules.contract.ruleset import State, Step
from rules.contract.scenario import Scenario
from rules.core import record as records
from rules.core import rng
from rules.core.registry import ruleset as ruleset_of

MOST_ACTIONS = 50_000
"""Actions after which a fight is undecided in rules that count no turns."""

Brain = Callable[[], Controller]


class Task(NamedTuple):
    """A batch: the runs from `first` up to, but not with, `stop` of an encounter packed by `pack`."""

    encounter: bytes
    seed: int
    first: int
    stop: int
    turn_limit: int


class Batch(NamedTuple):
    """What a batch came to, and the seconds that it took (they set the size of the next)."""

    counts: Counts
    seconds: float


class Opening(NamedTuple):
    """Where every run of an encounter begins: its scenario, or the position that its commands led to."""

    ruleset: System
    field: Field
    scenario: Scenario
    position: State | None
    """None: each run starts the scenario anew, with its own dice from the first throw on."""

    @property
    def under_way(self) -> int:
        """Turns that have begun already and go on: one in the middle of a fight."""
        return int(self.position is not None)


def pack(record: records.Record, scenario: Scenario) -> bytes:
    """An encounter for tasks: everything that a worker needs, files left behind."""
    return pickle.dumps((records.document(record), scenario), protocol=5)


@lru_cache(maxsize=24)
def opening(encounter: bytes) -> Opening:
    """Unpack an encounter, once per worker, and play the commands that it has. Raises RecordError."""
    document, scenario = pickle.loads(encounter)
    record = records.read(document)
    ruleset = ruleset_of(record.ruleset)
    position = None
    if record.commands:
        options = {**scenario.options, "strict_throws": False}
        lenient = msgspec.structs.replace(scenario, options=options)
        for stretch in records.replay(record, ruleset, lenient):
            position = stretch.step.state
        position = ruleset.reseeded(position, record.seed)
    scenario = msgspec.structs.replace(scenario, throws=None)
    return Opening(ruleset, scenario.field, scenario, position)


def play(task: Task) -> Batch:
    """Play a batch. Top-level and picklable, so that any executor can run it."""
    began = time.perf_counter()
    where = opening(task.encounter)
    counts = Counts()
    for number in range(task.first, task.stop):
        counts += play_run(where, task.seed, number, task.turn_limit)
    return Batch(counts, time.perf_counter() - began)


def play_run(where: Opening, seed: int, number: int, turn_limit: int, brain: Brain = AiController) -> Counts:
    """One fight: run `number` of `seed`, the same wherever and whenever it is played."""
    ruleset = where.ruleset
    tale: Tale | None = None
    state = None
    for _, (state, events) in fight(where, run_seed(seed, number), turn_limit, brain):
        if tale is None:
            tale = Tale(ruleset.board(state), where.field, turns=where.under_way)
        tale.hear(events)
        if any(isinstance(event, Summoned) for event in events):
            tale.meet(ruleset.board(state))
    assert tale is not None
    return tale.counts(ruleset.board(state), number)


def run_seed(seed: int, number: int) -> int:
    """The seed of a run's dice: 53 bits, a whole number in any reader of JSON."""
    return rng.nth(seed, number) >> 11


def fight(
    where: Opening, seed: int, turn_limit: int, brain: Brain = AiController
) -> Iterator[tuple[Action | None, Step]]:
    """A fight with these dice, action by action: what was done (first None, the start) and what it led to.

    To its end, or until a turn beyond the limit begins.
    """
    ruleset = where.ruleset
    step = begin(where, seed)
    yield None, step
    players: dict[str, Controller] = {}
    turns = where.under_way + sum(map(_begins_turn, step.events))
    for _ in range(MOST_ACTIONS):
        decision = pending(ruleset.decisions(step.state))
        if decision is None or turns > turn_limit:
            return
        known = ruleset.observe(step.state, decision.side)
        player = players.get(decision.side)
        if player is None:
            player = players[decision.side] = brain()
        action = player.choose(ruleset, known, decision, ruleset.legal(step.state, decision))
        step = ruleset.apply(step.state, decision, action)
        turns += sum(map(_begins_turn, step.events))
        yield action, step


def _begins_turn(event: Event) -> bool:
    return isinstance(event, Began) and event.what == "turn"


def begin(where: Opening, seed: int) -> Step:
    """The first step of a run with these dice."""
    if where.position is not None:
        return Step(where.ruleset.reseeded(where.position, seed), ())
    return where.ruleset.start(msgspec.structs.replace(where.scenario, seed=seed))
