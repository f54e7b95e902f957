"""Who plays which runs: encounters made ready, batches dealt out, counts taken in; no thread and no file of its own."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import msgspec

from game.content import tables as content
from game.fight.match import Match
from game.forecast.counts import Counts
from game.forecast.play import Batch, Opening, Task, fight, opening, pack, run_seed
from rules.contract.display import Board
from rules.contract.errors import RecordError
from rules.core import record as records

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

    @classmethod
    def of(
        cls,
        record: records.Record,
        *,
        seed: int | None = None,
        turn_limit: int = TURN_LIMIT,
        beside: Path | None = None,
        from_start: bool = False,
    ) -> Trial:
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
        scenario = records.scenario(
            record,
            match.field,
            lambda name: content.template(record.ruleset, name),
            content.tables(record.ruleset),
        )
        return cls(
            record=record,
            encounter=pack(record, scenario),
            board=match.board(),
            columns=match.field.width,
            rows=match.field.height,
            here=bool(record.commands),
            seed=record.seed if seed is None else seed,
            turn_limit=turn_limit,
        )

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


class Dealer:
    """Deals the runs of one or several trials out in batches, evenly, and adds up what comes back.

    How large the batches are, who plays them and in which order they return changes nothing in the sum.
    """

    def __init__(self, trials: Iterable[Trial], runs: int, *, seconds: float = 1.0) -> None:
        self.trials: list[Trial] = []
        self.counts: list[Counts] = []
        self.held: set[int] = set()
        """Numbers of the trials of which no more is dealt for now."""
        self.runs = runs
        """How many runs each trial is to have; may be raised at any time."""
        self._seconds = seconds
        self._next: list[int] = []
        self._batch: list[int] = []
        for trial in trials:
            self.add(trial)

    def add(self, trial: Trial) -> int:
        """One more trial; its number."""
        self.trials.append(trial)
        self.counts.append(Counts())
        self._next.append(0)
        self._batch.append(1)
        return len(self.trials) - 1

    def deal(self) -> tuple[int, Task] | None:
        """The next batch and the number of its trial; None if all is dealt.

        It goes to whichever has had the fewest runs, but the first, which all others are compared with, leads.
        """
        open_now = [n for n in range(len(self.trials)) if n not in self.held and self._next[n] < self.runs]
        if not open_now:
            return None
        which = min(open_now, key=lambda n: self._next[n] // (LEAD if n == 0 else 1))
        first, trial = self._next[which], self.trials[which]
        stop = min(first + self._batch[which], self.runs)
        self._next[which] = stop
        return which, Task(trial.encounter, trial.seed, first, stop, trial.turn_limit)

    def take(self, which: int, batch: Batch) -> None:
        """Add a batch that came back; the next ones take about as long as was asked for."""
        self.counts[which] += batch.counts
        each = batch.seconds / max(1, batch.counts.number)
        self._batch[which] = max(1, min(LARGEST_BATCH, int(self._seconds / max(each, 1e-6))))

    @property
    def done(self) -> bool:
        """Whether every run has come back."""
        return all(c.number >= self.runs for n, c in enumerate(self.counts) if n not in self.held)
