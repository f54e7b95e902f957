"""The forecast of a chain: its fights played one after the other, many times, wounds and spent powers carried over.

Run n of a chain begins with the dice of run n of its first encounter's own forecast; each later fight, and each rest,
throws by a stream of its own. So the same seed gives the same forecast, however the runs are dealt out.
"""

from __future__ import annotations

import pickle
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor
from functools import lru_cache
from operator import add
from typing import Any, Literal, NamedTuple

import msgspec
from msgspec.structs import astuple

from game.content import tables as content
from game.fight.match import Match
from game.forecast.counts import Sum
from game.forecast.play import LARGEST_BATCH, TURN_LIMIT, Opening, fight, run_seed
from game.forecast.report import Chance, Mean, Model
from game.forecast.simulate import checked, dealt_out
from game.setup.chains import Ready
from rules.contract.errors import RecordError, said
from rules.contract.events import Began
from rules.contract.ruleset import NO_REST, PARTY, Scenario
from rules.contract.text import ntext, text
from rules.core import record as records
from rules.core.registry import ruleset as ruleset_of
from rules.core.tables import Tables


class Person(msgspec.Struct, frozen=True):
    """One of the party over many runs of a chain, as one of its fights has it."""

    entered: int = 0  # runs in which it went into this fight
    lost: int = 0  # runs, of all, in which it was out by the end of this fight and the rest after it
    dead: int = 0
    life: Sum = Sum()  # hit points on entering, summed over the runs that came so far

    def __add__(self, other: Person) -> Person:
        return Person(*map(add, astuple(self), astuple(other)))


class FightCounts(msgspec.Struct, frozen=True):
    """One fight of a chain over many runs."""

    reached: int = 0
    won: int = 0
    undecided: int = 0
    life: Sum = Sum()  # hit points of the whole party on entering, over the runs that reached it
    lost: tuple[int, ...] = ()  # for so many heroes lost by its end (from none on) in how many runs, of all
    people: tuple[Person, ...] = ()
    turns: Sum = Sum()

    def __add__(self, other: FightCounts) -> FightCounts:
        return FightCounts(
            self.reached | other.reached, self.won | other.won, self.undecided | other.undecided,
            self.life + other.life, tuple(map(add, self.lost, other.lost)), tuple(map(add, self.people, other.people)),
            self.turns + other.turns,
        )  # fmt: skip


class ChainCounts(msgspec.Struct, frozen=True):
    """Many runs of a chain."""

    runs: int = 0
    """Bit n: run n was played."""
    fights: tuple[FightCounts, ...] = ()

    @property
    def number(self) -> int:
        """How many runs."""
        return self.runs.bit_count()

    def __add__(self, other: ChainCounts) -> ChainCounts:
        """Both together. Raises ValueError if a run is in both."""
        if self.runs & other.runs:
            raise ValueError("counts: a run is in both parts")
        fights = tuple(map(add, self.fights, other.fights)) if self.fights and other.fights else None
        return ChainCounts(self.runs | other.runs, fights if fights is not None else self.fights or other.fights)


class Stretch(NamedTuple):
    """One fight of a chain, packed: its scenario, and the rest after it."""

    scenario: Scenario
    rest: str


class ChainTrial(msgspec.Struct, frozen=True, eq=False):
    """A chain made ready to be played many times."""

    chain: bytes
    ready: Ready
    names: tuple[tuple[str, str, int], ...]  # id, name and hit points at most of each of the party
    seed: int
    turn_limit: int
    unit: Literal["turns", "seconds"]

    @classmethod
    def of(cls, ready: Ready, *, seed: int | None = None, turn_limit: int = TURN_LIMIT) -> ChainTrial:
        """Read the maps. Raises RecordError or MapProblem in one line: which fight, why."""
        stretches, first = list[Stretch](), None
        for number, link in enumerate(ready.links):
            try:
                match = Match.from_record(link.record, beside=link.beside)
            except RecordError as error:
                raise RecordError("fights[{n}]: {error}", number, said(error)) from None
            first = first or match
            scenario = records.scenario(
                match.record, match.field, lambda name: content.template(ready.ruleset, name),
                Tables(content.tables(ready.ruleset)),
            )  # fmt: skip
            stretches.append(Stretch(msgspec.structs.replace(scenario, throws=None), link.rest))
        assert first is not None
        board = first.board()
        minis = {mini.id: mini for mini in board.everybody}
        names = tuple((name, str(minis[name].name), minis[name].most) for name in ready.party)
        packed = pickle.dumps((ready.ruleset, ready.party, tuple(stretches)), protocol=5)
        unit: Literal["turns", "seconds"] = "turns" if board.now is None else "seconds"
        return cls(packed, ready, names, ready.seed if seed is None else seed, turn_limit, unit)


class ChainTask(NamedTuple):
    """A batch: the runs from `first` up to, but not with, `stop`."""

    chain: bytes
    seed: int
    first: int
    stop: int
    turn_limit: int


class ChainBatch(NamedTuple):
    """What a batch came to, and the seconds that it took (they set the size of the next)."""

    counts: ChainCounts
    seconds: float


Packed = tuple[str, tuple[str, ...], tuple[Stretch, ...]]


@lru_cache(maxsize=4)
def _unpacked(chain: bytes) -> Packed:
    """A chain, once per worker."""
    found: Packed = pickle.loads(chain)
    return found


def play_chain(task: ChainTask) -> ChainBatch:
    """Play a batch. Top-level and picklable, so that any executor can run it."""
    began = time.perf_counter()
    chain, counts = _unpacked(task.chain), ChainCounts()
    for number in range(task.first, task.stop):
        counts += play_run(chain, task.seed, number, task.turn_limit)
    return ChainBatch(counts, time.perf_counter() - began)


def play_run(chain: Packed, seed: int, number: int, turn_limit: int) -> ChainCounts:
    """One run of a chain: run `number` of `seed`, the same wherever and whenever it is played."""
    name, party, stretches = chain
    ruleset, first = ruleset_of(name), run_seed(seed, number)
    run, size, last = 1 << number, len(party), len(stretches) - 1
    carried, absent = dict[str, Mapping[str, Any]](), tuple[str, ...]()
    lost, dead = dict.fromkeys(party, 0), dict.fromkeys(party, 0)
    fights, going = list[FightCounts](), True
    for at, stretch in enumerate(stretches):
        if not going:
            fights.append(FightCounts(lost=_spread(lost, size), people=tuple(
                Person(lost=lost[one], dead=dead[one]) for one in party)))  # fmt: skip
            continue
        dice = first if not at else run_seed(first, at)
        scenario = msgspec.structs.replace(stretch.scenario, carried=carried, absent=absent)
        begun = state = None
        turns = 0
        for _, (state, events) in fight(Opening(ruleset, scenario.field, scenario, None), dice, turn_limit):
            begun = state if begun is None else begun
            turns += sum(isinstance(event, Began) and event.what == "turn" for event in events)
        assert begun is not None and state is not None
        came = {mini.id: mini.life for mini in ruleset.board(begun).everybody if mini.id not in absent}
        end = ruleset.board(state)
        won = end.over == PARTY
        rest = stretch.rest if won and at < last else NO_REST
        travellers = ruleset.onward(state, begun, party, rest, run_seed(dice, 1))
        lost = {one.id: int(bool(one.fate)) for one in travellers}
        dead = {one.id: int(one.fate == "dead") for one in travellers}
        going = won and any(not one.fate for one in travellers)
        life = [max(0, came.get(one, 0)) for one in party]
        people = [Person(int(one in came), lost[one], dead[one], Sum.of(points))
                  for one, points in zip(party, life, strict=True)]  # fmt: skip
        fights.append(FightCounts(
            run, run if won else 0, run if end.over is None else 0, Sum.of(sum(life)), _spread(lost, size),
            tuple(people), Sum.of(max(1, turns if end.now is None else end.now)),
        ))  # fmt: skip
        carried, absent = {one.id: one.kept for one in travellers}, tuple(one.id for one in travellers if one.fate)
    return ChainCounts(run, tuple(fights))


def _spread(lost: dict[str, int], size: int) -> tuple[int, ...]:
    """One run, under how many are lost."""
    gone = sum(lost.values())
    return tuple(int(number == gone) for number in range(size + 1))


class ChainDealer:
    """Deals the runs of a chain out in batches, and adds up what comes back."""

    def __init__(self, trial: ChainTrial, runs: int, *, seconds: float = 1.0) -> None:
        self.trial, self.runs, self.counts = trial, runs, ChainCounts()
        self._seconds, self._next, self._batch = seconds, 0, 1

    def deal(self) -> tuple[int, ChainTask] | None:
        """The next batch; None if all is dealt."""
        if self._next >= self.runs:
            return None
        first, trial = self._next, self.trial
        self._next = min(first + self._batch, self.runs)
        return 0, ChainTask(trial.chain, trial.seed, first, self._next, trial.turn_limit)

    def take(self, which: int, batch: ChainBatch) -> None:
        """Add a batch that came back."""
        self.counts += batch.counts
        each = batch.seconds / max(1, batch.counts.number)
        self._batch = max(1, min(LARGEST_BATCH, int(self._seconds / max(each, 1e-6))))


# -- what it says ------------------------------------------------------------------------------------------


class HeroForecast(Model):
    """One of the party at one fight of a chain."""

    id: str
    name: str
    hp_max: int
    enters: Chance
    """It goes into this fight, of all runs."""
    hp: Mean
    """Hit points on entering, over the runs that came so far; who is out has none."""
    lost: Chance
    """It is dead, or out and not back, by the end of this fight and the rest after it, of all runs."""
    dies: Chance
    """It is dead by then."""


class FightForecast(Model):
    """One fight of a chain."""

    number: int
    """From 1 on."""
    title: str
    rest: str
    """After it, in the ruleset's words; empty after the last."""
    reached: Chance
    won: Chance
    """Of all runs: the party has got through so far."""
    undecided: Chance
    lost: Mean
    """Heroes lost by its end, and the rest after it."""
    lost_spread: dict[int, int]
    """So many lost by then -> in so many runs."""
    hp: Mean
    """Hit points of the whole party on entering, over the runs that came so far."""
    hp_max: int
    turns: Mean
    heroes: list[HeroForecast]

    def at_least(self, count: int, runs: int) -> Chance:
        """The chance that so many heroes, or more, are lost by its end."""
        return Chance.of(sum(times for lost, times in self.lost_spread.items() if lost >= count), runs)


class ChainForecast(Model):
    """What becomes of a party in a chain, as far as many runs of it tell."""

    format: Literal["battlemat-chain-forecast/1"] = "battlemat-chain-forecast/1"
    title: str
    ruleset: str
    runs: int
    seed: int
    turn_limit: int
    confidence: float = 0.95
    method: str
    unit: Literal["turns", "seconds"]
    party: int
    """How many set out."""
    through: Chance
    """The party has won every fight."""
    fights: list[FightForecast]


def report(trial: ChainTrial, counts: ChainCounts) -> ChainForecast:
    """The forecast of a chain from what was counted so far."""
    runs, links = counts.number, trial.ready.links
    fights = [
        _fight(trial, counts.fights[number] if counts.fights else FightCounts(), number, runs)
        for number in range(len(links))
    ]
    return ChainForecast(
        title=trial.ready.title, ruleset=trial.ready.ruleset, runs=runs, seed=trial.seed, turn_limit=trial.turn_limit,
        method=method(trial, runs), unit=trial.unit, party=len(trial.names), through=fights[-1].won, fights=fights,
    )  # fmt: skip


def _fight(trial: ChainTrial, found: FightCounts, number: int, runs: int) -> FightForecast:
    link, reached = trial.ready.links[number], found.reached.bit_count()
    spread = {lost: times for lost, times in enumerate(found.lost) if times}
    last = number == len(trial.ready.links) - 1
    people = found.people or (Person(),) * len(trial.names)
    heroes = [
        HeroForecast(
            id=name, name=called, hp_max=most, enters=Chance.of(person.entered, runs),
            hp=Mean.of(person.life, reached), lost=Chance.of(person.lost, runs), dies=Chance.of(person.dead, runs),
        )
        for (name, called, most), person in zip(trial.names, people, strict=True)
    ]  # fmt: skip
    return FightForecast(
        number=number + 1, title=link.record.title or text("Fight {n}", number + 1), rest="" if last else link.rest,
        reached=Chance.of(reached, runs), won=Chance.of(found.won.bit_count(), runs),
        undecided=Chance.of(found.undecided.bit_count(), runs), lost=Mean.of(Sum.over(spread), runs),
        lost_spread=spread, hp=Mean.of(found.life, reached), hp_max=sum(most for _, _, most in trial.names),
        turns=Mean.of(found.turns, reached), heroes=heroes,
    )  # fmt: skip


def method(trial: ChainTrial, runs: int) -> str:
    """How the figures came about, in words that stand beside them."""
    return text(
        "The computer that ships with Battlemat plays every side. {runs} of the whole chain, each with dice of its own "
        "(seed {seed}); what each hero has left goes on into the next fight, after the rest between. Lost is who is "
        "dead, or down and not on its feet again for the next fight. A fight that is lost, or not over after {limit} "
        "turns, ends the chain. Chances have Wilson's interval at 95 %, means Student's.",
        ntext(runs, "{n} run", "{n} runs"), trial.seed, trial.turn_limit,
    )  # fmt: skip


def foresee(
    ready: Ready, runs: int = 400, *, seed: int | None = None, executor: Executor | None = None, jobs: int = 1,
    on_progress: Callable[[ChainForecast], None] | None = None, turn_limit: int = TURN_LIMIT,
) -> ChainForecast:  # fmt: skip
    """Play a chain so many times between computers, and say what came of it. Arguments as for `simulate`.

    Raises BattlematError in one line for a chain that cannot be played, or `runs` out of range.
    """
    trial = ChainTrial.of(ready, seed=seed, turn_limit=turn_limit)
    dealer = ChainDealer(trial, checked(runs))
    for _ in dealt_out(dealer, play_chain, executor=executor, jobs=jobs):
        if on_progress is not None:
            on_progress(report(trial, dealer.counts))
    return report(trial, dealer.counts)


def wording(found: ChainForecast, count: int, number: int) -> str:
    """`Two heroes lost by the third fight: 31 %` of so many heroes and a fight by its number."""
    chance = found.fights[number - 1].at_least(count, found.runs)
    one, more = "{n} hero or more lost", "{n} heroes or more lost"
    return text("{lost} by fight {number}: {share} %", ntext(count, one, more), number, f"{100 * chance.share:.0f}")


def lost_by(found: ChainForecast) -> Sequence[str]:
    """That for the last fight, for each number of heroes that is ever lost."""
    most = max(found.fights[-1].lost_spread, default=0)
    return [wording(found, count, len(found.fights)) for count in range(1, most + 1)]
