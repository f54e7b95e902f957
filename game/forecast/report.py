"""The forecast: what the counts say, with intervals and method; its JSON is documented in docs/forecast.md."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, PrivateAttr

from game.forecast import counts as intervals
from game.forecast import group_sequential, sequences
from game.forecast.counts import Counts, CreatureCounts, Sum
from game.forecast.play import MOST_ACTIONS, Dealer, Trial
from rules.contract.text import ntext, text
from rules.core.ground import map_files

DIGITS = 4
Unit = Literal["turns", "seconds"]


class Model(BaseModel):
    """Base of everything that a forecast says: strict, and never changed."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Chance(Model):
    """A share of the runs (0 to 1), with its interval."""

    share: float
    low: float
    high: float
    runs: int
    """In how many runs it was so."""

    @classmethod
    def of(cls, count: int, runs: int, *, watched: bool = False) -> Chance:
        """`watched`: with an interval that may be looked at while it grows."""
        return cls._within(sequences.share(count, runs) if watched else intervals.wilson(count, runs), count, runs)

    @classmethod
    def wanted(cls, won: int, runs: int, within: float | None) -> Chance:
        """How often it was so in these runs (bitboard); with `within` the bounds of a chance that is to be known so."""
        if within is None:
            return cls.of(won.bit_count(), runs)
        return cls._within(group_sequential.share(won, runs, within), won.bit_count(), runs)

    @classmethod
    def _within(cls, bounds: tuple[float, float], count: int, runs: int) -> Chance:
        low, high = bounds
        return cls(share=_round(count / runs if runs else 0.0), low=_round(low), high=_round(high), runs=count)


class Mean(Model):
    """A mean over the runs with its interval (null for fewer than two runs; nothing here can be below 0)."""

    mean: float
    low: float | None
    high: float | None
    total: int
    """The sum that it comes from."""

    @classmethod
    def of(cls, figure: Sum, runs: int, *, watched: bool = False) -> Mean:
        """`watched`: as for a chance."""
        bounds = sequences.mean if watched else intervals.mean_interval
        low, high = bounds(figure.total, figure.squares, runs) or (None, None)
        return cls(
            mean=_round(figure.total / runs if runs else 0.0),
            low=None if low is None else _round(max(0.0, low)),
            high=None if high is None else _round(high),
            total=figure.total,
        )


class SideForecast(Model):
    """What a side may expect."""

    side: str
    creatures: int
    wins: Chance
    wiped_out: Chance
    """Nobody of it can take part any more at the end."""
    losses: Mean
    """Creatures of it that can take no more part at the end."""
    losses_spread: dict[int, int]
    """So many lost -> in so many runs."""
    damage_taken: int
    """Summed over all runs."""


class CreatureForecast(Model):
    """What becomes of a creature."""

    id: str
    name: str
    side: str
    art: str
    hp_max: int
    falls: Chance
    """It goes down at some time, whether or not it is helped up again."""
    out: Chance
    """It can take no more part when the fight ends."""
    dies: Chance
    dealt: Mean
    taken: Mean
    felled: Mean
    hp_left: Mean


class HeatSpace(Model):
    """A space where blood was spilt: damage by the side whose blood it was, summed over all runs."""

    at: tuple[int, int]
    damage: dict[str, int]


class Heat(Model):
    """Where creatures stood when they lost hit points."""

    columns: int
    rows: int
    total: int
    spaces: list[HeatSpace]


class Forecast(Model):
    """What a fight will do, as far as many runs of it tell."""

    format: Literal["battlemat-forecast/1"] = "battlemat-forecast/1"
    title: str
    ruleset: str
    map: str
    begins: Literal["start", "here"]
    """`here`: where the record's commands end."""
    runs: int
    seed: int
    turn_limit: int
    confidence: float = intervals.CONFIDENCE
    intervals: Literal["fixed", "sequence"] = "fixed"
    """For this number of fights, decided beforehand; or for all numbers of fights at once."""
    method: str
    sides: list[SideForecast]
    nobody: Chance
    """Nobody was left."""
    undecided: Chance
    unit: Unit = "turns"
    """What `turns` counts under these rules."""
    turns: Mean
    turns_spread: dict[int, int]
    """So many turns -> in so many runs."""
    creatures: list[CreatureForecast]
    heat: Heat
    _counts: Counts = PrivateAttr(default=Counts())

    @property
    def counts(self) -> Counts:
        """The whole numbers behind it all: what adds up, and which runs were won."""
        return self._counts

    def side(self, name: str) -> SideForecast:
        """A side's own part. Raises KeyError."""
        return {side.side: side for side in self.sides}[name]


def unit_of(trial: Trial) -> Unit:
    """What the rules of a trial count."""
    return "turns" if trial.board.now is None else "seconds"


def report(trial: Trial, counts: Counts, *, within: float | None = None) -> Forecast:
    """The forecast of a trial from what was counted so far.

    `within`: its intervals may be looked at while they grow; those of the chances to win are to get so narrow.
    """
    runs, watched = counts.number, within is not None
    minis = trial.board.everybody
    sides, record = trial.sides, trial.record
    made = Forecast(
        title=record.title, ruleset=record.ruleset, map=", ".join(map_files(record.map)) or "rows",
        begins="here" if trial.here else "start", runs=runs, seed=trial.seed, turn_limit=trial.turn_limit,
        intervals="sequence" if watched else "fixed", method=method(trial, runs, watched=watched),
        sides=[_side(trial, counts, side, within) for side in sides],
        nobody=Chance.wanted(counts.won.get("", 0), runs, within),
        undecided=Chance.wanted(counts.undecided, runs, within),
        unit=unit_of(trial), turns=Mean.of(Sum.over(counts.turns), runs, watched=watched),
        turns_spread=dict(sorted(counts.turns.items())),
        creatures=[_creature(trial, counts, number, watched) for number in range(len(minis))],
        heat=_heat(trial, counts, sides),
    )  # fmt: skip
    made._counts = counts
    return made


def reports(dealer: Dealer) -> list[Forecast]:
    """The forecasts of a dealer's trials so far."""
    told = zip(dealer.trials, dealer.counts, strict=True)
    return [report(trial, counts, within=dealer.within) for trial, counts in told]


def method(trial: Trial, runs: int, *, watched: bool = False) -> str:
    """How the figures came about, in words that stand beside them."""
    begins = "from where the record's commands end" if trial.here else "from its start"
    turns, decisions = text("{turn_limit} turns", trial.turn_limit), text("{most_actions} decisions", MOST_ACTIONS)
    limit = turns if unit_of(trial) == "turns" else decisions
    fights = ntext(runs, "{n} fight", "{n} fights") if runs else "Fights"
    bounds = (
        "Intervals hold at 95 % however often they are looked at: chances to win have group sequential bounds, "
        "all else confidence sequences."
        if watched
        else "Chances have Wilson's interval at 95 %, means Student's."
    )
    return text(
        "The computer that ships with Battlemat plays every side at its level *Normal*, each creature by its "
        "temperament and by what its side knows. {fights} {begins}, each with dice of its own (seed {seed}); one "
        "not over after {limit} counts as undecided. {bounds}",
        fights,
        begins,
        trial.seed,
        limit,
        bounds,
    )


def _side(trial: Trial, counts: Counts, side: str, within: float | None) -> SideForecast:
    runs, watched = counts.number, within is not None
    size = sum(mini.side == side for mini in trial.board.everybody)
    spread = dict(sorted(counts.losses.get(side, {}).items()))
    return SideForecast(
        side=side, creatures=size, wins=Chance.wanted(counts.won.get(side, 0), runs, within),
        wiped_out=Chance.of(spread.get(size, 0), runs, watched=watched),
        losses=Mean.of(Sum.over(spread), runs, watched=watched), losses_spread=spread,
        damage_taken=sum(counts.spilt.get(side, {}).values()),
    )  # fmt: skip


def _creature(trial: Trial, counts: Counts, number: int, watched: bool) -> CreatureForecast:
    mini = trial.board.everybody[number]
    own, runs = counts.creatures.get(mini.id, CreatureCounts()), counts.number
    falls, out, dies = (Chance.of(n, runs, watched=watched) for n in (own.fell, own.out, own.dead))
    dealt, taken, felled, left = (
        Mean.of(figure, runs, watched=watched) for figure in (own.dealt, own.taken, own.felled, own.left)
    )
    return CreatureForecast(
        id=mini.id, name=mini.name, side=mini.side, art=mini.art, hp_max=mini.most, falls=falls, out=out, dies=dies,
        dealt=dealt, taken=taken, felled=felled, hp_left=left,
    )  # fmt: skip


def _heat(trial: Trial, counts: Counts, sides: list[str]) -> Heat:
    spaces = []
    for cell in sorted({cell for spilt in counts.spilt.values() for cell in spilt}):
        row, column = divmod(cell, trial.columns)
        damage = {side: counts.spilt[side][cell] for side in sides if cell in counts.spilt.get(side, {})}
        spaces.append(HeatSpace(at=(column, row), damage=damage))
    total = sum(sum(space.damage.values()) for space in spaces)
    return Heat(columns=trial.columns, rows=trial.rows, total=total, spaces=spaces)


def _round(value: float) -> float:
    return round(value, DIGITS) + 0.0
