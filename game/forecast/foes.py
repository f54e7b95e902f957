"""Foes drawn for a party to a wanted chance to win: by the weights first, then by trial, then verified by a forecast.

Whoever is pinned stays; the others come from a theme in an order that the lot decides, as many as it takes.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import cached_property
from math import log
from pathlib import Path
from typing import Any, NamedTuple

from game.content import balance, encounter
from game.content import tables as content
from game.content.encounter import Lot
from game.content.tables import Theme
from game.forecast.counts import wilson
from game.forecast.matching import FARTHEST, STEPS, LiveTrials, Matched, chance_of, each_often, search
from game.forecast.simulate import simulate
from game.maps.mapdata import LoadedMap
from rules.contract.errors import BattlematError
from rules.core.record import Record

RUNS, VERIFIED = 80, 200
"""Fights of a trial, and of the forecast of what is taken."""
NEAR, TRIES = 0.05, 7
"""A chance that is off by no more is taken at once; so many encounters are tried at most."""
MOST = 14
"""Foes that are drawn at most."""
SEQUENCE = 4 * MOST
"""So many are drawn by lot, to be taken as far as they fit."""
LEAST_CHANCE, MOST_CHANCE = 10, 95
"""Chances to win that may be wished for, in hundredths."""


class NoFoes(BattlematError):
    """Nobody can be drawn; the text says why."""


class Drawn(NamedTuple):
    """What was drawn."""

    names: tuple[str, ...]
    """Who came, by template, without those who are pinned."""
    record: Record
    wanted: float
    chance: float
    """The party's in the last forecast, 0 to 1."""
    low: float
    high: float
    """Wilson's interval of it."""
    runs: int
    tries: tuple[tuple[tuple[str, ...], float], ...]
    """What was tried, with the chance that it gave, in order."""

    @property
    def near(self) -> bool:
        """Whether it is what was wished for, as far as so many fights tell."""
        return self.low <= self.wanted <= self.high or abs(self.chance - self.wanted) <= NEAR


@dataclass(frozen=True)
class Offer:
    """Foes who would come."""

    aim: float
    names: tuple[str, ...]
    make: Callable[[Sequence[str]], Record]
    """Names -> the encounter with them."""

    @cached_property
    def record(self) -> Record:
        """The encounter, made when it is played."""
        return self.make(self.names)


def themed(ruleset: str, loaded: LoadedMap | None, pinned: Sequence[str], named: str = "") -> Theme:
    """The theme of that name; without one the map's, unless those who are pinned all live elsewhere: then the first in
    which most of them do. Raises EncounterError for an unknown name."""
    known = content.themes(ruleset)
    if named:
        return next((t for t in known if t.name == named), None) or _unknown(named, known)
    usual = encounter.theme_of(loaded, ruleset) if loaded is not None else known[0]
    best = max(known, key=lambda theme: sum(name in theme.foes for name in pinned))
    lives = sum(name in best.foes for name in pinned)
    return best if lives and not any(name in usual.foes for name in pinned) else usual


def _unknown(named: str, known: Sequence[Theme]) -> Theme:
    there = ", ".join(theme.name for theme in known)
    raise NoFoes("theme: there is no {named}; there are: {known}", repr(named), there)


def offers(
    ruleset: str, party: Sequence[Mapping[str, Any]], pinned: Sequence[Mapping[str, Any]], theme: Theme, *,
    wanted: float, seed: int, make: Callable[[Sequence[str]], Record], map: str = "",
) -> list[Offer]:  # fmt: skip
    """Foes who may come, the hardest first: by the weights of each, were these off by so much. Raises NoFoes."""
    ours, held = (balance.weights(ruleset, entries) for entries in (party, pinned))
    if ours <= 0:
        raise NoFoes("Foes are drawn to match the party: put heroes on the table first.")
    order, heavy = _sequence(ruleset, theme, Lot(seed), alone=not pinned)
    found: dict[tuple[str, ...], Offer] = {}
    for step in range(-STEPS, STEPS + 1):
        aim = FARTHEST * step / STEPS
        whole = balance.as_hard(ruleset, ours, log(wanted / (1 - wanted)) + aim, map)
        names = _filled(order, heavy, whole - held, some=not pinned)
        if names not in found or abs(aim) < abs(found[names].aim):
            found[names] = Offer(aim, names, make)
    return sorted(found.values(), key=lambda offer: (-sum(heavy[name] for name in offer.names), offer.aim))


def _sequence(ruleset: str, theme: Theme, lot: Lot, *, alone: bool) -> tuple[list[str], dict[str, float]]:
    """Who comes, in the order of the lot, and what each weighs; a leader first, at times, where nobody else leads."""
    heavy = {name: balance.weight(ruleset, {"template": name}) for name in theme.foes}
    threat = {name: int(block.get("threat", 1)) for name, block in content.monsters(ruleset).items() if name in heavy}
    followers = encounter.followers_of(theme.foes, threat)
    leaders = [name for name in theme.foes if name not in followers]
    first = [leaders[lot.below(len(leaders))]] if alone and leaders and lot.below(2) else []
    return [*first, *(followers[lot.below(len(followers))] for _ in range(SEQUENCE))], heavy


def _filled(order: Sequence[str], heavy: Mapping[str, float], room: float, *, some: bool) -> tuple[str, ...]:
    """Those of a sequence who bring the weight nearer to what there is room for, in order."""
    taken, total = list[str](), 0.0
    for name in order:
        if len(taken) < MOST and abs(total + heavy[name] - room) < abs(total - room):
            taken.append(name)
            total += heavy[name]
    return tuple(taken) or ((min(order, key=lambda name: heavy[name]),) if some else ())


def steps(
    offered: Sequence[Offer], wanted: float, *, runs: int = RUNS, verified: int = VERIFIED
) -> Generator[tuple[Record, int], float, Drawn]:
    """The encounters that are played, each with how often; sent is the party's chance in it. The last is the one that
    is taken, once more and more often."""
    found: Matched = yield from each_often(search(offered, wanted, runs, near=NEAR, tries=TRIES), runs)
    by_record = {id(offer.record): offer.names for offer in offered if "record" in offer.__dict__}
    chance = yield found.record, verified
    low, high = wilson(round(chance * verified), verified)
    tries = tuple((by_record[id(each.record)], each.chance) for each in found.tries)
    return Drawn(by_record[id(found.record)], found.record, wanted, chance, low, high, verified, tries)


def drawn(
    offered: Sequence[Offer], wanted: float, *, runs: int = RUNS, verified: int = VERIFIED, jobs: int = 1,
    seed: int | None = None, beside: Path | None = None,
) -> Drawn:  # fmt: skip
    """What `LiveFoes` finds, played at once."""
    following = steps(offered, wanted, runs=runs, verified=verified)
    now, often = next(following)
    while True:
        found = simulate(now, often, seed=seed, jobs=jobs, beside=beside, from_start=True)
        try:
            now, often = following.send(chance_of(found, now))
        except StopIteration as end:
            result: Drawn = end.value
            return result


class LiveFoes(LiveTrials[Drawn]):
    """Foes drawn beside the window."""

    def __init__(
        self, offered: Sequence[Offer], wanted: float, notify: Callable[[], object], *, beside: Path | None = None,
        executor: Executor | None = None,
    ) -> None:  # fmt: skip
        super().__init__(steps(offered, wanted, runs=RUNS, verified=VERIFIED), notify, beside=beside, executor=executor)
