"""An encounter brought to other rules and made as hard as it was by trial: forecasts say what the weights leave open.

Weights add up, and fights do not: two slings that keep away from four swords are more than two goblins, and a map on
which everybody starts near its foe is another. So what has come over is played, and where the party's chance is off,
another number of foes is brought: those that by the weights would be off by as much the other way.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Generator, Mapping, Sequence
from concurrent.futures import Executor
from math import log
from pathlib import Path
from typing import Any, Generic, Literal, NamedTuple, Protocol, TypeVar

from game.content import balance
from game.content import tables as content
from game.content.translation import told, translated
from game.forecast.play import TURN_LIMIT, Trial
from game.forecast.report import Forecast, Model, Unit, report, unit_of
from game.forecast.session import Background
from game.forecast.simulate import simulate
from game.setup.otherrules import Known, left_out
from rules.contract.errors import BattlematError
from rules.contract.text import joined, text
from rules.core.record import Record
from rules.core.registry import RULESETS
from rules.core.registry import ruleset as ruleset_of

RUNS = 60
"""Fights of a trial."""
NEAR = 0.1
"""A chance that is off by no more than this is left: luck alone moves that of so many fights by half as much."""
TRIES = 5
"""So many encounters are played, at most."""
FARTHEST, STEPS = 3.0, 15
"""No further off are the weights taken to be, as a natural logarithm of odds; steps from 0 to there."""


class Choice(NamedTuple):
    """An encounter as it would be there."""

    aim: float
    """How far off the weights would have to be, as a natural logarithm of odds."""
    record: Record


class Option(Protocol):
    """What can be searched through: a choice, or one whose record is made when it is asked for."""

    @property
    def aim(self) -> float: ...
    @property
    def record(self) -> Record: ...


class Try(NamedTuple):
    """One encounter that was played."""

    record: Record
    chance: float
    """The party's chance to win, 0 to 1; a fight without an end counts half."""


class Matched(NamedTuple):
    """What came of it."""

    record: Record
    wanted: float
    """The party's chance before."""
    chance: float
    """The party's chance in what was taken."""
    tries: tuple[Try, ...]
    """All that were played, in order."""


def matched(
    record: Record, goals: Sequence[str], *, runs: int = RUNS, seed: int | None = None, jobs: int = 1,
    beside: Path | None = None, wanted: float | None = None, told: Callable[[Try], None] | None = None,
) -> dict[str, Matched]:  # fmt: skip
    """An encounter under other rulesets, with as many of its foes as leave the party its chance, by trial.

    `wanted`: that chance, where it is known; else the encounter itself is played first. The same record, runs and seed
    give the same encounters. `told` hears of all that is played. Raises BattlematError in one line, also for an
    encounter without a party or without foes.
    """
    following = steps(record, goals, runs=runs, beside=beside, wanted=wanted)
    now = next(following)
    while True:
        found = simulate(now, runs, seed=seed, jobs=jobs, beside=beside, from_start=True)
        tried = Try(now, chance_of(found, now))
        if told is not None:
            told(tried)
        try:
            now = following.send(tried.chance)
        except StopIteration as end:
            matches: dict[str, Matched] = end.value
            return matches


def steps(
    record: Record, goals: Sequence[str], *, runs: int, beside: Path | None = None,
    known: Mapping[str, Mapping[str, Mapping[str, Any]]] | None = None, wanted: float | None = None,
) -> Generator[Record, float, dict[str, Matched]]:  # fmt: skip
    """The encounters that `matched` plays, one after the other; it is sent the chance that each gave the party. `known`
    as for a translation, by ruleset."""
    party(record)
    if wanted is None:
        wanted = yield record
    found = {}
    for goal in goals:
        offered = choices(record, goal, beside=beside, known=(known or {}).get(goal))
        found[goal] = yield from search(offered, wanted, runs)
    return found


def search(
    choices: Sequence[Option], wanted: float, runs: int, *, near: float = NEAR, tries: int = TRIES
) -> Generator[Record, float, Matched]:
    """That of some encounters, the hardest first, whose chance in so many runs comes nearest to what is wanted.

    A few (`tries`) are tried, until one is `near` enough: first that which the weights would take, then what they know
    to be as far off, between what came out too hard and too easy. What is to be played is yielded; sent is what chance
    it gave the party.
    """
    played: dict[int, Try] = {}
    number = min(range(len(choices)), key=lambda n: abs(choices[n].aim))
    while True:
        chance = yield choices[number].record
        played[number] = Try(choices[number].record, chance)
        low = max((n for n, each in played.items() if each.chance < wanted), default=-1)
        high = min((n for n, each in played.items() if each.chance > wanted), default=len(choices))
        if abs(chance - wanted) <= near or len(played) >= tries or high - low <= 1:
            break
        goal = choices[number].aim + _odds(wanted, runs) - _odds(chance, runs)
        number = min(range(low + 1, high), key=lambda n: abs(choices[n].aim - goal))
    best = min(played.values(), key=lambda each: abs(each.chance - wanted))
    return Matched(best.record, wanted, best.chance, tuple(played.values()))


def who_meets_whom(record: Record) -> str:
    """Who meets whom: `Warrior, Priest against 2 Wolf, Goblin`."""
    sides: dict[str, Counter[str]] = {}
    for entry in record.creatures:
        template = str(entry.get("template", ""))
        called = content.template(record.ruleset, template) if template else entry
        name = called.get("name", entry["id"])
        sides.setdefault(str(entry["side"]), Counter())[str(name)] += 1
    return " against ".join(
        joined(", ", (name if n == 1 else text("{count} {name}", n, name) for name, n in side.items()))
        for side in sides.values()
    )


def party(record: Record) -> str:
    """The side of the heroes. Raises BattlematError where there is none, or nobody against it."""
    against = {str(record.creatures[n].get("side")) for n in balance.foes(record.ruleset, record.creatures)}
    own = [side for entry in record.creatures if (side := str(entry.get("side"))) not in against]
    if not against or not own:
        raise BattlematError("match: needs a party and foes; without them nothing is as hard as it was")
    return own[0]


def chance_of(forecast: Forecast, record: Record) -> float:
    """The party's chance to win, 0 to 1, as far as a forecast of an encounter tells."""
    return forecast.side(party(record)).wins.share + forecast.undecided.share / 2


def choices(
    record: Record, goal: str, *, beside: Path | None = None, known: Mapping[str, Mapping[str, Any]] | None = None
) -> list[Choice]:
    """The encounters under another ruleset that differ in whom they bring, the hardest first; `beside` and `known` as
    for a translation."""
    found: list[Choice] = []
    for step in range(-STEPS, STEPS + 1):
        aim = FARTHEST * step / STEPS
        under = translated(record, goal, beside=beside, known=known, aim=aim)
        if not found or found[-1].record.creatures != under.creatures:
            found.append(Choice(aim, under))
        elif abs(aim) < abs(found[-1].aim):
            found[-1] = Choice(aim, under)
    return found


def _odds(chance: float, runs: int) -> float:
    """A chance as a natural logarithm of odds; what never happened in so many fights is taken for half a time."""
    share = min(max(chance, 0.5 / runs), 1 - 0.5 / runs)
    return log(share / (1 - share))


Found = TypeVar("Found")


class LiveTrials(Generic[Found]):
    """Encounters that are played one after the other until something is found: `steps` yields each with how often it is
    played, and is sent the party's chance. Everything but `notify` is called by the window's thread; `notify` whenever
    `collect` has something to take in. Raises BattlematError as the steps do."""

    def __init__(
        self, steps: Generator[tuple[Record, int], float, Found], notify: Callable[[], object], *,
        beside: Path | None = None, executor: Executor | None = None,
    ) -> None:  # fmt: skip
        self._beside, self._steps = beside, steps
        self._background = Background(notify, executor=executor)
        self.result: Found | None = None
        """What has come of it, when all is done."""
        self.now: Record | None = None
        """What is being played; None when all is done."""
        self.runs = 0
        """How often it is played."""
        self._play(*next(self._steps))

    @property
    def played(self) -> int:
        """How many fights of what is being played are over."""
        return self._background.counts[0].number

    def collect(self) -> bool:
        """Take in what was played; whether anything has come. Raises BattlematError."""
        news = self._background.collect()
        while self.now is not None and self._background.done:
            chance = chance_of(report(self._background.trials[0], self._background.counts[0]), self.now)
            try:
                self._play(*self._steps.send(chance))
            except StopIteration as end:
                self.result, self.now = end.value, None
        return news

    def close(self) -> None:
        """Nobody wants to know any more."""
        self.now = None
        self._background.close()

    def _play(self, record: Record, runs: int) -> None:
        self.now, self.runs = record, runs
        self._background.start(Trial.of(record, beside=self._beside, from_start=True), runs)


class LiveMatching(LiveTrials[dict[str, Matched]]):
    """The encounter as it is, then under one ruleset after the other, as `matched` plays them."""

    def __init__(
        self, record: Record, goals: Sequence[str], notify: Callable[[], object], *, beside: Path | None = None,
        known: Mapping[str, Mapping[str, Mapping[str, Any]]] | None = None, executor: Executor | None = None,
        runs: int = RUNS,
    ) -> None:  # fmt: skip
        following = steps(record, goals, runs=runs, beside=beside, known=known)
        super().__init__(each_often(following, runs), notify, beside=beside, executor=executor)

    @property
    def found(self) -> dict[str, Matched]:
        """What has come of it, by ruleset, when all is done."""
        return self.result or {}


def each_often(steps: Generator[Record, float, Found], runs: int) -> Generator[tuple[Record, int], float, Found]:
    """The same, each of them played so often."""
    now = next(steps)
    while True:
        chance = yield now, runs
        try:
            now = steps.send(chance)
        except StopIteration as end:
            found: Found = end.value
            return found


FORMAT = "battlemat-forecast/1"


class Under(Model):
    """The forecast under one ruleset."""

    ruleset: str
    title: str
    unit: Unit
    """What the forecast's `turns` count under these rules."""
    forecast: Forecast
    left_out: list[str] = []
    """What of the creatures nothing stands for under these rules, a line for each of them."""
    company: str = ""
    """How many of the foes come along to these rules, in words; empty where all do."""


class SideBySide(Model):
    """One encounter's forecasts, the record's own ruleset first."""

    format: Literal["battlemat-rulesets/1"] = "battlemat-rulesets/1"
    title: str
    rulesets: list[Under]
    method: str


def wanted(record: Record, goals: Sequence[str] = ()) -> list[str]:
    """The rulesets to compare: the record's own, then those that are named, else all others."""
    return list(dict.fromkeys([record.ruleset, *(goals or RULESETS)]))


def trials_under(
    record: Record, rulesets: Sequence[str], *, seed: int | None = None, turn_limit: int = TURN_LIMIT,
    beside: Path | None = None, known: Known | None = None, made: Mapping[str, Record] | None = None,
) -> list[Trial]:  # fmt: skip
    """The encounter made ready under each ruleset, from its start; whoever is `known` there has a block of its own.

    `made`: by ruleset the encounter as it is already there. Raises BattlematError in one line.
    """
    trials = []
    for name in rulesets:
        there = (made or {}).get(name) or translated(record, name, beside=beside, known=(known or {}).get(name))
        trials.append(Trial.of(there, seed=seed, turn_limit=turn_limit, beside=beside, from_start=True))
    return trials


def side_by_side(
    record: Record, trials: Sequence[Trial], forecasts: Sequence[Forecast], known: Known | None = None
) -> SideBySide:
    """Forecasts of one encounter, the `record`, put together."""
    found = []
    for trial, forecast in zip(trials, forecasts, strict=True):
        name = trial.record.ruleset
        found.append(
            Under(
                ruleset=name, title=ruleset_of(name).title, unit=unit_of(trial), forecast=forecast,
                left_out=left_out(record, name, known), company=told(record, trial.record),
            )
        )  # fmt: skip
    first = forecasts[0]
    how = (
        "Everybody's counterpart by the table of translations (assets/content/translation.toml) on the same spaces, "
        "as wounded and as wary; blocks that were made for the other rules are taken as they are. Of the foes as many "
        "come as weigh against the party what they did; compared is this encounter, not whose rules are harder. "
    )
    return SideBySide(title=first.title or first.map, rulesets=found, method=how + first.method)


def table(found: SideBySide) -> list[tuple[str, list[str]]]:
    """The figures as rows: what it is, and one cell for each ruleset; `–` where no fight is played yet."""
    first = found.rulesets[0].forecast
    rows: list[tuple[str, list[str]]] = [("", [under.title for under in found.rulesets])]

    def tell(name: str, cells: Sequence[str]) -> None:
        pairs = zip(found.rulesets, cells, strict=True)
        rows.append((name, [cell if under.forecast.runs else "–" for under, cell in pairs]))

    forecasts = [under.forecast for under in found.rulesets]
    for side in first.sides:
        wins = [forecast.side(side.side).wins for forecast in forecasts]
        tell(text("{side} win", side.side), [_percent(chance.share) for chance in wins])
        bounds = [(f"{100 * chance.low:.0f}", f"{100 * chance.high:.0f}") for chance in wins]
        tell("  between", [text("{what} and {what2} %", low, high) for low, high in bounds])
    for side in first.sides:
        own = [forecast.side(side.side) for forecast in forecasts]
        lost: list[str] = [text("{mean} of {creatures}", f"{each.losses.mean:.1f}", each.creatures) for each in own]
        tell(text("{side} lost", side.side), lost)
    if any(forecast.undecided.runs for forecast in forecasts):
        tell("undecided", [_percent(forecast.undecided.share) for forecast in forecasts])
    turns = [text("{mean} {unit}", f"{under.forecast.turns.mean:.1f}", under.unit) for under in found.rulesets]
    tell("it takes", turns)
    names = {creature.id: creature.name for forecast in forecasts[::-1] for creature in forecast.creatures}
    for identity in dict.fromkeys(creature.id for forecast in forecasts for creature in forecast.creatures):
        name = names[identity]
        tell(text("{name} falls", name), [_falls(under, identity, name) for under in found.rulesets])
    return rows


def _percent(share: float) -> str:
    return text("{what} %", f"{100 * share:.0f}")


def _falls(under: Under, identity: str, name: str) -> str:
    """How often a creature falls, by the counterpart's name where that is another; `away` where it doesn't come."""
    own = next((creature for creature in under.forecast.creatures if creature.id == identity), None)
    if own is None:
        return "away"
    share = _percent(own.falls.share)
    return share if own.name == name else text("{name} {share}", own.name, share)
