"""One fight after another between computers: what a worker does, in this process, another, or on another machine.

A task carries its encounter whole, so a worker opens no map and no record; it unpacks the encounter once and keeps it.
"""

from __future__ import annotations

import pickle
import time
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import NamedTuple

import msgspec

from game.controllers import Controller
from game.controllers.ai import AiController
from game.forecast.counts import Counts, CreatureCounts, Sum
from rules import record as records
from rules import rng
from rules.board import Board
from rules.events import Began, Event, Healing, Injury, Moved
from rules.grid import Field
from rules.registry import ruleset as ruleset_of
from rules.ruleset import Ruleset, State, Step
from rules.scenario import Scenario

MOST_ACTIONS = 50_000
"""Actions after which a fight is undecided in rules that count no turns."""

OUT = ("incapacitated", "dead")
"""Statuses (record.md) in which a creature is down."""

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

    ruleset: Ruleset
    field: Field
    scenario: Scenario
    position: State | None
    """None: each run starts the scenario anew, with its own dice from the first throw on."""


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
    step = begin(where, rng.nth(seed, number))
    tale = Tale(ruleset.board(step.state), where.field)
    tale.hear(step.events)
    players: dict[str, Controller] = {}
    state, actions = step.state, 0
    while tale.turns <= turn_limit and actions < MOST_ACTIONS:
        open_now = ruleset.decisions(state)
        if not open_now:
            break
        decision = open_now[0]
        known = ruleset.observe(state, decision.side)
        player = players.get(decision.side)
        if player is None:
            player = players[decision.side] = brain()
        action = player.choose(ruleset, known, decision, ruleset.legal(state, decision))
        state, events = ruleset.apply(state, decision, action)
        tale.hear(events)
        actions += 1
    return tale.counts(ruleset.board(state), number)


def begin(where: Opening, seed: int) -> Step:
    """The first step of a run with these dice."""
    if where.position is not None:
        return Step(where.ruleset.reseeded(where.position, seed), ())
    return where.ruleset.start(msgspec.structs.replace(where.scenario, seed=seed))


class Tale:
    """What is counted of one fight, out of its events alone."""

    def __init__(self, board: Board, field: Field) -> None:
        self._width = field.width
        self._begin = board
        self._side = {mini.id: mini.side for mini in board.miniatures}
        self._size = {mini.id: mini.size for mini in board.miniatures}
        self.cells = {mini.id: mini.cell for mini in board.miniatures}
        """Where everybody stands: the upper left space."""
        self._down = {mini.id for mini in board.miniatures if mini.out}
        self._fell = set(self._down)
        self._dealt, self._taken, self._felled = (dict.fromkeys(self._side, 0) for _ in range(3))
        self._spilt: dict[str, dict[int, int]] = {}
        self.turns = 0

    def hear(self, events: Sequence[Event]) -> None:
        """Take in what happened."""
        for event in events:
            if isinstance(event, Moved):
                self._moved(event)
            elif isinstance(event, Injury):
                self._hurt(event)
            elif isinstance(event, Healing):
                self._healed(event)
            elif isinstance(event, Began) and event.what == "turn":
                self.turns += 1

    def _moved(self, event: Moved) -> None:
        if event.path and event.by in self.cells:
            column, row = event.path[-1]
            self.cells[event.by] = row * self._width + column

    def _hurt(self, event: Injury) -> None:
        who, by = event.target, event.by
        if who not in self._side:
            return
        self._bleed(who, event.amount)
        self._taken[who] += event.amount
        striker = by if by != who and by in self._dealt else None
        if striker is not None:
            self._dealt[striker] += event.amount
        if event.status in OUT and who not in self._down:
            self._down.add(who)
            self._fell.add(who)
            if striker is not None:
                self._felled[striker] += 1

    def _healed(self, event: Healing) -> None:
        if event.what == "hp" and event.now > 0:
            self._down.discard(event.target)

    def _bleed(self, who: str, amount: int) -> None:
        """Damage falls on the spaces that a creature covers, point by point in turn, so that no point is lost."""
        size, cell = self._size[who], self.cells[who]
        spilt = self._spilt.setdefault(self._side[who], {})
        if size == 1:
            spilt[cell] = spilt.get(cell, 0) + amount
            return
        for point in range(self._taken[who], self._taken[who] + amount):
            row, column = divmod(point % (size * size), size)
            space = cell + row * self._width + column
            spilt[space] = spilt.get(space, 0) + 1

    def counts(self, end: Board, number: int) -> Counts:
        """The fight as counts of one run."""
        run = 1 << number
        losses: dict[str, int] = dict.fromkeys(self._side.values(), 0)
        creatures = {}
        for mini in end.miniatures:
            losses[mini.side] += mini.out
            creatures[mini.id] = CreatureCounts(
                int(mini.id in self._fell or mini.out),
                int(mini.out),
                int(mini.dead),
                Sum.of(self._dealt[mini.id]),
                Sum.of(self._taken[mini.id]),
                Sum.of(self._felled[mini.id]),
                Sum.of(max(0, mini.health.value)),
            )
        return Counts(
            runs=run,
            won={} if end.over is None else {end.over: run},
            undecided=run if end.over is None else 0,
            turns={max(1, self.turns): 1},
            losses={side: {number: 1} for side, number in losses.items()},
            creatures=creatures,
            spilt={side: {c: n for c, n in spaces.items() if n} for side, spaces in self._spilt.items()},
        )
