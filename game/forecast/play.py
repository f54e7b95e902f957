"""One fight after another between computers: what a worker does, in this process, another, or on another machine.

A task carries its encounter whole, so a worker opens no map and no record; it unpacks the encounter once and keeps it.
"""

from __future__ import annotations

import pickle
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import msgspec

from game.content import tables as content
from game.controllers.ai import AiController
from game.fight.match import Match
from game.forecast.counts import Counts, CreatureCounts, Sum
from game.forecast.group_sequential import LOOK, needed, share
from rules.board.grid import Field
from rules.contract.actions import Action, pending
from rules.contract.display import Board, System
from rules.contract.errors import RecordError
from rules.contract.events import FELLED, Arrived, Began, Condition, Event, Healing, Injury, Moved, Space, Summoned
from rules.contract.ruleset import Scenario, State, Step
from rules.contract.units import Cell
from rules.core import dice as rng
from rules.core import record as records
from rules.core.registry import ruleset as ruleset_of
from rules.core.tables import Tables

OUT = ("incapacitated", "dead")
"""Statuses (record.md) in which a creature is down."""


class Tale:
    """What is counted of one fight, out of its events alone.

    Creatures called in during the fight bleed on the map like all others; what they do counts for who called them.
    """

    def __init__(self, board: Board, field: Field, *, turns: int = 0) -> None:
        self._width = field.width
        self._side = {mini.id: mini.side for mini in board.everybody}
        self._size = {mini.id: mini.size for mini in board.everybody}
        self.cells = {mini.id: mini.cell for mini in board.miniatures}
        """Where everybody stands: the upper left space."""
        self._began = tuple(self._side)
        self._caller = {name: name for name in self._began}
        self._down = {mini.id for mini in board.miniatures if mini.out}
        self._fell = set(self._down)
        self._dealt, self._taken, self._felled = (dict.fromkeys(self._began, 0) for _ in range(3))
        self._harmed: dict[str, str] = {}
        """Who harmed somebody last."""
        self._spilt: dict[str, dict[Cell, int]] = {}
        self.turns = turns

    def hear(self, events: Sequence[Event]) -> None:
        """Take in what happened."""
        for event in events:
            if isinstance(event, Moved) and not event.whole_for:
                if event.path and event.by in self.cells:
                    self.cells[event.by] = self._cell(event.path[-1])
            elif isinstance(event, Injury):
                self._hurt(event)
            elif isinstance(event, Healing):
                if event.what == "hp" and event.now > 0:
                    self._down.discard(event.target)
            elif isinstance(event, Condition):
                if event.gained and event.condition in FELLED and event.target in self.cells:
                    self._fall(event.target, self._harmed.get(event.target))
            elif isinstance(event, Arrived):
                self.cells[event.by] = self._cell(event.at)
            elif isinstance(event, Summoned) and not event.gained:
                self.cells.pop(event.target, None)
            elif isinstance(event, Summoned):
                if event.at is not None and event.by in self._side:
                    self.cells[event.target], self._size[event.target] = self._cell(event.at), 1
                    self._side[event.target], self._caller[event.target] = self._side[event.by], self._caller[event.by]
            elif isinstance(event, Began) and event.what == "turn":
                self.turns += 1

    def _cell(self, space: Space) -> Cell:
        return Cell(space[1] * self._width + space[0])

    def meet(self, board: Board) -> None:
        """See how large those are that were called in."""
        for mini in board.miniatures:
            if mini.id in self._size:
                self._size[mini.id] = mini.size

    def _hurt(self, event: Injury) -> None:
        who = event.target
        if who not in self.cells:
            return
        self._bleed(who, event.amount)
        if who in self._taken:
            self._taken[who] += event.amount
        striker = self._caller.get(event.by or "") if event.by != who else None
        if striker is not None:
            self._dealt[striker] += event.amount
            self._harmed[who] = striker
        if event.status in OUT:
            self._fall(who, striker)

    def _fall(self, who: str, striker: str | None) -> None:
        """Somebody is down: by a wound, or by the save that came after it."""
        if who not in self._down:
            self._down.add(who)
            self._fell.add(who)
            if striker is not None:
                self._felled[striker] += 1

    def _bleed(self, who: str, amount: int) -> None:
        """Damage falls on the spaces that a creature covers, point by point in turn, so that no point is lost."""
        size, cell = self._size[who], self.cells[who]
        spilt = self._spilt.setdefault(self._side[who], {})
        if size == 1:
            spilt[cell] = spilt.get(cell, 0) + amount
            return
        first = self._taken.get(who, 0)
        for point in range(first, first + amount):
            row, column = divmod(point % (size * size), size)
            space = cell + row * self._width + column
            spilt[space] = spilt.get(space, 0) + 1

    def counts(self, end: Board, number: int) -> Counts:
        """The fight as counts of one run."""
        run = 1 << number
        minis = {mini.id: mini for mini in end.everybody}
        losses = dict.fromkeys((self._side[name] for name in self._began), 0)
        creatures = {}
        for name in self._began:
            mini = minis.get(name)
            out = mini is None or mini.out
            losses[self._side[name]] += out
            dead, life = (mini.dead, mini.life) if mini is not None else (False, 0)
            dealt, taken, felled = (Sum.of(each[name]) for each in (self._dealt, self._taken, self._felled))
            fell = int(name in self._fell or out)
            creatures[name] = CreatureCounts(fell, int(out), int(dead), dealt, taken, felled, Sum.of(life))
        return Counts(
            runs=run, won={} if end.over is None else {end.over: run}, undecided=run if end.over is None else 0,
            turns={max(1, self.turns if end.now is None else end.now): 1},
            losses={side: {lost: 1} for side, lost in losses.items()}, creatures=creatures,
            spilt={side: {c: n for c, n in spaces.items() if n} for side, spaces in self._spilt.items()},
        )  # fmt: skip


IDLE = 400
"""Turns of exploration that heroes let pass one after the other, after which an evening comes to no end."""
MOST_ACTIONS = 50_000
"""Actions after which a fight is undecided in rules that count no turns."""


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


@lru_cache(maxsize=4)
def _ground(field: Field) -> Field:
    """Of equal grounds the first: what is found out about it, sight above all, holds for all trials on it."""
    return field


@lru_cache(maxsize=24)
def opening(encounter: bytes) -> Opening:
    """Unpack an encounter, once per worker, and play the commands that it has. Raises RecordError."""
    document, scenario = pickle.loads(encounter)
    if not scenario.field.left.figures:
        scenario = msgspec.structs.replace(scenario, field=_ground(scenario.field))
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


class Unwanted(Exception):
    """Nobody waits any more for what is being played."""


def _always() -> bool:
    return True


def play(task: Task, wanted: Callable[[], bool] = _always) -> Batch:
    """Play a batch. Top-level and picklable, so that any executor can run it.

    `wanted` is asked before each action; raises Unwanted where it says no.
    """
    began = time.perf_counter()
    where = opening(task.encounter)
    counts = Counts()
    for number in range(task.first, task.stop):
        counts += play_run(where, task.seed, number, task.turn_limit, wanted)
    return Batch(counts, time.perf_counter() - began)


def play_run(where: Opening, seed: int, number: int, turn_limit: int, wanted: Callable[[], bool] = _always) -> Counts:
    """One fight: run `number` of `seed`, the same wherever and whenever it is played. Raises Unwanted."""
    ruleset = where.ruleset
    tale: Tale | None = None
    state = None
    for _, (state, events) in fight(where, run_seed(seed, number), turn_limit):
        if not wanted():
            raise Unwanted
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


def fight(where: Opening, seed: int, turn_limit: int) -> Iterator[tuple[Action | None, Step]]:
    """A fight with these dice, action by action: what was done (first None, the start) and what it led to.

    To its end, or until a turn beyond the limit begins.
    """
    ruleset = where.ruleset
    step = begin(where, seed)
    yield None, step
    players: dict[str, AiController] = {}
    turns, idle = where.under_way + sum(map(_begins_turn, step.events)), 0
    for _ in range(MOST_ACTIONS):
        decision = pending(ruleset.decisions(step.state))
        if decision is None or turns > turn_limit or idle > IDLE:
            return
        known = ruleset.observe(step.state, decision.side)
        if decision.side not in players:
            players[decision.side] = AiController()
        action = players[decision.side].choose(ruleset, known, decision, ruleset.legal(step.state, decision))
        step = ruleset.apply(step.state, decision, action)
        turns = 0 if any(map(_ends_fight, step.events)) else turns + sum(map(_begins_turn, step.events))
        idle = idle + 1 if decision.kind == "explore" and not action.path and action.do == "end" else 0
        yield action, step


def _ends_fight(event: Event) -> bool:
    """Whether a fight of an expedition is over, and the next one's turns are counted anew."""
    return isinstance(event, Began) and event.what == "truce"


def _begins_turn(event: Event) -> bool:
    return isinstance(event, Began) and event.what == "turn"


def begin(where: Opening, seed: int) -> Step:
    """The first step of a run with these dice."""
    if where.position is not None:
        return Step(where.ruleset.reseeded(where.position, seed), ())
    return where.ruleset.start(msgspec.structs.replace(where.scenario, seed=seed))


TURN_LIMIT = 60
"""Turns after which a run is undecided. A fight takes about five; only one that stalls comes near."""
MOST_RUNS = 1_000_000
LARGEST_BATCH = 64
LEAD = 4
"""How many runs the first of several trials has for each run of the others, until it has all of its own."""


class Trial(msgspec.Struct, frozen=True, eq=False):
    """An encounter made ready to be played many times."""

    record: records.Record
    encounter: bytes
    board: Board
    """Where every run begins: who is there, and where they stand (each run throws its own dice)."""
    columns: int
    rows: int
    here: bool
    """Every run goes on from where the record's commands end."""
    seed: int
    turn_limit: int

    @property
    def sides(self) -> list[str]:
        """The sides of whoever is there, or comes later, in the record's order."""
        return list(dict.fromkeys(mini.side for mini in self.board.everybody))

    @classmethod
    def of(
        cls, record: records.Record, *, seed: int | None = None, turn_limit: int = TURN_LIMIT,
        beside: Path | None = None, from_start: bool = False,
    ) -> Trial:  # fmt: skip
        """Read map and content and play the record's commands. Raises RecordError or MapProblem in one line.

        Left out, the seed is the record's own. `beside`: the folder where the map may lie. `from_start` leaves the
        record's commands aside. The record may name throws: only those that its commands used are thrown again.
        """
        if from_start:
            record = records.begun(record)
        elif not record.commands:
            record = record.model_copy(update={"throws": None})
        match = Match.from_record(record, beside=beside)
        if match.decision is None:
            raise RecordError("forecast: this fight is over; there is nothing left to foresee")
        tables = Tables(content.tables(record.ruleset))
        scenario = records.scenario(record, match.field, lambda name: content.template(record.ruleset, name), tables)
        return cls(
            record=record, encounter=pack(record, scenario), board=match.board(), columns=match.field.width,
            rows=match.field.height, here=bool(record.commands), seed=record.seed if seed is None else seed,
            turn_limit=turn_limit,
        )  # fmt: skip

    def run(self, number: int) -> records.Record:
        """Run `number` as a record of its own, to be replayed. Raises RecordError for one from a fight's middle.

        Dice that a fight's commands have thrown belong to its own seed, and a record has but one.
        """
        if self.here:
            raise RecordError("forecast: only a run from the start can be kept; leave the commands aside")
        seed = run_seed(self.seed, number)
        record = self.record.model_copy(update={"seed": seed, "commands": []})
        where = self.opening()
        for action, _ in fight(where, seed, self.turn_limit):
            if action is not None:
                record.commands.append(records.command_of(action, where.field))
        return record

    def opening(self) -> Opening:
        """Where its runs begin, in this process."""
        return opening(self.encounter)


WITHIN = 0.05
"""How narrow a chance to win is wanted if nothing is said: ±5 points."""


class Dealer:
    """Deals the runs of one or several trials out in batches, evenly, and adds up what comes back, run after run.

    How large the batches are, who plays them and in which order they return changes nothing in the sum. With `within` a
    trial is dealt no more once each side's chance to win is known so well, by bounds that may be looked at at any time.
    """

    def __init__(
        self, trials: Iterable[Trial], runs: int, *, within: float | None = None, seconds: float = 1.0
    ) -> None:
        self.trials: list[Trial] = []
        self.counts: list[Counts] = []
        self.held: set[int] = set()
        """Numbers of the trials of which no more is dealt for now."""
        self.known: set[int] = set()
        """… of which enough is known."""
        self.runs = runs
        """How many runs each trial is to have at most; may be raised at any time (`on_to`)."""
        self.within = within
        self._seconds = seconds
        self._next: list[int] = []
        self._batch: list[int] = []
        self._early: list[dict[int, Counts]] = []
        """For each trial what came back before its turn, by its first run."""
        for trial in trials:
            self.add(trial)

    def add(self, trial: Trial) -> int:
        """One more trial; its number."""
        self.trials.append(trial)
        self.counts.append(Counts())
        self._next.append(0)
        self._batch.append(1)
        self._early.append({})
        return len(self.trials) - 1

    def deal(self) -> tuple[int, Task] | None:
        """The next batch and the number of its trial; None if all is dealt.

        It goes to whichever has had the fewest runs, but the first, which all others are compared with, leads.
        """
        resting = self.held | self.known
        open_now = [n for n in range(len(self.trials)) if n not in resting and self._next[n] < self._far(n)]
        if not open_now:
            return None
        which = min(open_now, key=lambda n: self._next[n] // (LEAD if n == 0 else 1))
        first, trial = self._next[which], self.trials[which]
        stop = min(first + self._batch[which], self.runs, first - first % LOOK + LOOK)
        self._next[which] = stop
        return which, Task(trial.encounter, trial.seed, first, stop, trial.turn_limit)

    def take(self, which: int, batch: Batch) -> None:
        """Add a batch that came back; the next ones take about as long as was asked for.

        Of a run that two have played, the first that comes back is counted: both are alike.
        """
        first = (batch.counts.runs & -batch.counts.runs).bit_length() - 1
        if first >= self.counts[which].number:
            self._early[which][first] = batch.counts
        self._add_up(which)
        each = batch.seconds / max(1, batch.counts.number)
        self._batch[which] = max(1, min(LARGEST_BATCH, int(self._seconds / max(each, 1e-6))))

    def on_to(self, runs: int) -> None:
        """Play on to so many runs, however much is known."""
        self.runs, self.within = min(MOST_RUNS, runs), None
        self.known.clear()
        for which in range(len(self.trials)):
            self._add_up(which)

    @property
    def done(self) -> bool:
        """Whether enough is known of every trial, or every run has come back."""
        resting = self.held | self.known
        return all(c.number >= self.runs for n, c in enumerate(self.counts) if n not in resting)

    def _far(self, which: int) -> int:
        """How many runs of a trial may be dealt for now: none that are likely to be for nothing."""
        if self.within is None:
            return self.runs
        return min(self.runs, max(self.counts[which].number + 2 * LOOK, self._likely(which, self.within) + LOOK))

    def _likely(self, which: int, within: float) -> int:
        """About how many runs it takes until enough is known of a trial, by what it has come to so far."""
        counts = self.counts[which]
        chances = [counts.wins(side) / counts.number for side in self.trials[which].sides] if counts.number else [0.5]
        return max(needed(chance, within) for chance in chances)

    def _add_up(self, which: int) -> None:
        early, counts = self._early[which], self.counts
        while which not in self.known and (part := early.pop(counts[which].number, None)) is not None:
            counts[which] += part
            if self.within is not None and counts[which].number % LOOK == 0 and self._enough(which, self.within):
                self.known.add(which)

    def _enough(self, which: int, within: float) -> bool:
        counts = self.counts[which]
        for side in self.trials[which].sides:
            low, high = share(counts.won.get(side, 0), counts.number, within)
            middle = counts.wins(side) / counts.number
            if max(high - middle, middle - low) > within:
                return False
        return True
