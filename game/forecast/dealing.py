"""Who plays which runs: encounters made ready, batches dealt out, counts taken in; no thread and no file of its own."""

from __future__ import annotations

from pathlib import Path

import msgspec

from game import content
from game.forecast.counts import Counts
from game.forecast.play import Batch, Opening, Task, opening, pack
from game.match import Match
from rules import record as records
from rules.board import Board
from rules.errors import RecordError

TURN_LIMIT = 60
"""Turns after which a run is undecided. A fight takes about five; only one that stalls comes near."""
MOST_RUNS = 1_000_000
LARGEST_BATCH = 64


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
            record = record.model_copy(update={"commands": [], "throws": None})
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

    def opening(self) -> Opening:
        """Where its runs begin, in this process."""
        return opening(self.encounter)


class Dealer:
    """Deals the runs of one or several trials out in batches, evenly, and adds up what comes back.

    How large the batches are, who plays them and in which order they return changes nothing in the sum.
    """

    def __init__(self, trials: list[Trial], runs: int, *, seconds: float = 1.0) -> None:
        self.trials = trials
        self.runs = runs
        self.counts = [Counts() for _ in trials]
        self._seconds = seconds
        self._next = [0] * len(trials)
        self._batch = [1] * len(trials)

    def deal(self) -> tuple[int, Task] | None:
        """The next batch and the number of its trial: of the one that has had the fewest runs; None if all is dealt."""
        which = min(range(len(self.trials)), key=self._next.__getitem__)
        first = self._next[which]
        if first >= self.runs:
            return None
        trial = self.trials[which]
        count = min(self._batch[which], self.runs - first)
        self._next[which] += count
        return which, Task(trial.encounter, trial.seed, first, first + count, trial.turn_limit)

    def take(self, which: int, batch: Batch) -> None:
        """Add a batch that came back; the next ones take about as long as was asked for."""
        self.counts[which] += batch.counts
        each = batch.seconds / max(1, batch.counts.number)
        self._batch[which] = max(1, min(LARGEST_BATCH, int(self._seconds / max(each, 1e-6))))

    @property
    def done(self) -> bool:
        """Whether every run has come back."""
        return all(counts.number >= self.runs for counts in self.counts)
