"""An encounter brought to other rules and made as hard as it was by trial: forecasts say what the weights leave open.

Weights add up, and fights do not: two slings that keep away from four swords are more than two goblins, and a map on
which everybody starts near its foe is another. So what has come over is played, and where the party's chance is off,
another number of foes is brought: those that by the weights would be off by as much the other way.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from math import log
from pathlib import Path
from typing import NamedTuple

from game import balance, content
from game.forecast.simulate import simulate
from game.translation import translated
from rules.errors import BattlematError
from rules.record import Record

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
    goal: str,
    *,
    runs: int = RUNS,
    seed: int | None = None,
    jobs: int = 1,
    beside: Path | None = None,
    wanted: float | None = None,
    told: Callable[[Try], None] | None = None,
) -> Matched:
    """An encounter under another ruleset, with as many of its foes as leave the party its chance, by trial.

    `wanted`: that chance, where it is known; else the encounter itself is played first. The same record, runs and seed
    give the same encounter. `told` hears of each try. Raises BattlematError in one line, also for an encounter without
    a party or without foes.
    """

    def chance(of: Record) -> float:
        found = simulate(of, runs, seed=seed, jobs=jobs, beside=beside, from_start=True)
        return found.side(_party(of)).wins.share + found.undecided.share / 2

    _party(record)
    wanted = chance(record) if wanted is None else wanted
    return searched(choices(record, goal, beside), wanted, runs, chance, told)


def searched(
    choices: Sequence[Choice],
    wanted: float,
    runs: int,
    chance: Callable[[Record], float],
    told: Callable[[Try], None] | None = None,
) -> Matched:
    """That of some encounters, the hardest first, whose `chance` in so many runs comes nearest to what is wanted.

    A few are tried: first that which the weights would take, then what they know to be as far off.
    """
    number: int | None = min(range(len(choices)), key=lambda n: abs(choices[n].aim))
    played: dict[int, Try] = {}
    while number is not None and len(played) < TRIES:
        tried = played[number] = Try(choices[number].record, chance(choices[number].record))
        if told is not None:
            told(tried)
        if abs(tried.chance - wanted) <= NEAR:
            break
        number = _next(choices, {n: each.chance for n, each in played.items()}, wanted, runs)
    best = min(played.values(), key=lambda each: abs(each.chance - wanted))
    return Matched(best.record, wanted, best.chance, tuple(played.values()))


def company(record: Record) -> str:
    """Who meets whom: `Warrior, Priest against 2 Wolf, Goblin`."""
    sides: dict[str, Counter[str]] = {}
    for entry in record.creatures:
        template = str(entry.get("template", ""))
        called = content.template(record.ruleset, template) if template else entry
        name = called.get("name", entry["id"])
        sides.setdefault(str(entry["side"]), Counter())[str(name)] += 1
    return " against ".join(
        ", ".join(name if count == 1 else f"{count} {name}" for name, count in side.items())
        for side in sides.values()
    )


def _party(record: Record) -> str:
    """The side of the heroes. Raises BattlematError where there is none, or nobody against it."""
    against = {str(record.creatures[n].get("side")) for n in balance.foes(record.ruleset, record.creatures)}
    own = [side for entry in record.creatures if (side := str(entry.get("side"))) not in against]
    if not against or not own:
        raise BattlematError("match: needs a party and foes; without them nothing is as hard as it was")
    return own[0]


def choices(record: Record, goal: str, beside: Path | None = None) -> list[Choice]:
    """The encounters under another ruleset that differ in whom they bring, the hardest first."""
    found: list[Choice] = []
    for step in range(-STEPS, STEPS + 1):
        aim = FARTHEST * step / STEPS
        under = translated(record, goal, beside=beside, aim=aim)
        if found and found[-1].record.creatures == under.creatures:
            if abs(aim) < abs(found[-1].aim):
                found[-1] = Choice(aim, under)
        else:
            found.append(Choice(aim, under))
    return found


def _next(choices: Sequence[Choice], played: Mapping[int, float], wanted: float, runs: int) -> int | None:
    """What to play after these: between what came out too hard and too easy; None where nothing is left there."""
    low = max((n for n, chance in played.items() if chance < wanted), default=-1)
    high = min((n for n, chance in played.items() if chance > wanted), default=len(choices))
    if high - low <= 1:
        return None
    last, chance = list(played.items())[-1]
    goal = choices[last].aim + _odds(wanted, runs) - _odds(chance, runs)
    return min(range(low + 1, high), key=lambda n: abs(choices[n].aim - goal))


def _odds(chance: float, runs: int) -> float:
    """A chance as a natural logarithm of odds; what never happened in so many fights is taken for half a time."""
    share = min(max(chance, 0.5 / runs), 1 - 0.5 / runs)
    return log(share / (1 - share))
