"""An encounter brought to other rules and made as hard as it was by trial: forecasts say what the weights leave open.

Weights add up, and fights do not: two slings that keep away from four swords are more than two goblins, and a map on
which everybody starts near its foe is another. So what has come over is played, and where the party's chance is off,
another number of foes is brought: those that by the weights would be off by as much the other way.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Generator, Mapping, Sequence
from math import log
from pathlib import Path
from typing import Any, NamedTuple

from game.content import balance
from game.content import tables as content
from game.content.translation import translated
from game.forecast.report import Forecast
from game.forecast.simulate import simulate
from rules.contract.errors import BattlematError
from rules.core.record import Record

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
    record: Record,
    goals: Sequence[str],
    *,
    runs: int = RUNS,
    seed: int | None = None,
    jobs: int = 1,
    beside: Path | None = None,
    wanted: float | None = None,
    told: Callable[[Try], None] | None = None,
) -> dict[str, Matched]:
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
    record: Record,
    goals: Sequence[str],
    *,
    runs: int,
    beside: Path | None = None,
    known: Mapping[str, Mapping[str, Mapping[str, Any]]] | None = None,
    wanted: float | None = None,
) -> Generator[Record, float, dict[str, Matched]]:
    """The encounters that `matched` plays, one after the other; it is sent the chance that each gave the party. `known`
    as for a translation, by ruleset."""
    party(record)
    if wanted is None:
        wanted = yield record
    found = {}
    for goal in goals:
        search = Search(choices(record, goal, beside=beside, known=(known or {}).get(goal)), wanted, runs)
        while (now := search.now) is not None:
            search.take((yield now))
        found[goal] = search.found()
    return found


class Search:
    """That of some encounters, the hardest first, whose chance in so many runs comes nearest to what is wanted.

    A few are tried: first that which the weights would take, then what they know to be as far off. `now` is what to
    play next, `take` hears what chance it gave the party.
    """

    def __init__(self, choices: Sequence[Choice], wanted: float, runs: int) -> None:
        self.choices, self.wanted, self.runs = choices, wanted, runs
        self._number: int | None = min(range(len(choices)), key=lambda n: abs(choices[n].aim))
        self._played: dict[int, Try] = {}

    @property
    def now(self) -> Record | None:
        """What is to be played; None where it is over."""
        return None if self._number is None else self.choices[self._number].record

    @property
    def tries(self) -> tuple[Try, ...]:
        """What was played, in order."""
        return tuple(self._played.values())

    def take(self, chance: float) -> None:
        """What came of `now`."""
        assert self._number is not None
        self._played[self._number] = Try(self.choices[self._number].record, chance)
        near = abs(chance - self.wanted) <= NEAR
        self._number = None if near or len(self._played) >= TRIES else self._next()

    def found(self) -> Matched:
        """The nearest so far."""
        best = min(self._played.values(), key=lambda each: abs(each.chance - self.wanted))
        return Matched(best.record, self.wanted, best.chance, self.tries)

    def _next(self) -> int | None:
        """Between what came out too hard and too easy; None where nothing is left there."""
        low = max((n for n, each in self._played.items() if each.chance < self.wanted), default=-1)
        high = min((n for n, each in self._played.items() if each.chance > self.wanted), default=len(self.choices))
        if high - low <= 1:
            return None
        last, tried = list(self._played.items())[-1]
        goal = self.choices[last].aim + _odds(self.wanted, self.runs) - _odds(tried.chance, self.runs)
        return min(range(low + 1, high), key=lambda n: abs(self.choices[n].aim - goal))


def who_meets_whom(record: Record) -> str:
    """Who meets whom: `Warrior, Priest against 2 Wolf, Goblin`."""
    sides: dict[str, Counter[str]] = {}
    for entry in record.creatures:
        template = str(entry.get("template", ""))
        called = content.template(record.ruleset, template) if template else entry
        name = called.get("name", entry["id"])
        sides.setdefault(str(entry["side"]), Counter())[str(name)] += 1
    return " against ".join(
        ", ".join(name if count == 1 else f"{count} {name}" for name, count in side.items()) for side in sides.values()
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
    record: Record,
    goal: str,
    *,
    beside: Path | None = None,
    known: Mapping[str, Mapping[str, Any]] | None = None,
) -> list[Choice]:
    """The encounters under another ruleset that differ in whom they bring, the hardest first; `beside` and `known` as
    for a translation."""
    found: list[Choice] = []
    for step in range(-STEPS, STEPS + 1):
        aim = FARTHEST * step / STEPS
        under = translated(record, goal, beside=beside, known=known, aim=aim)
        if found and found[-1].record.creatures == under.creatures:
            if abs(aim) < abs(found[-1].aim):
                found[-1] = Choice(aim, under)
        else:
            found.append(Choice(aim, under))
    return found


def _odds(chance: float, runs: int) -> float:
    """A chance as a natural logarithm of odds; what never happened in so many fights is taken for half a time."""
    share = min(max(chance, 0.5 / runs), 1 - 0.5 / runs)
    return log(share / (1 - share))
