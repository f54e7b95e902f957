"""How many of a group's counterparts come along to other rules, so that they are as much of a match for the party.

Rules make more or less of the same names: four beginners who hold seven of a crypt's dead under one of them fall to
three under another. So a translation keeps the party's odds, as the weights (`weights.py`) have them: those come
whose weights together come nearest to what leaves them as they were, and some bring others of their kind.
"""

from __future__ import annotations

import functools
import tomllib
from collections.abc import Collection, Iterable, Mapping, Sequence
from math import exp, log
from pathlib import PurePath
from typing import Any, NamedTuple

from game import paths
from game.content import tables as content
from rules.contract.errors import BattlematError, said
from rules.contract.text import text
from rules.core.registry import ruleset as ruleset_of

PARTY = 24.0
"""What the content's first four heroes weigh together, and whatever beats them in three fights of ten."""
EVEN = 30.0
"""The threat of a group that weighs as much as its party, in points."""
WEIGHT, GROUND, STEEP = "weight", "ground", "steep"
"""What a file of figures has: two tables, and a number."""


class WeightError(BattlematError):
    """A file of figures that is wrong."""


class Figures(NamedTuple):
    """What fights say of one ruleset."""

    weights: Mapping[str, float]
    """What ready heroes and monsters weigh."""
    grounds: Mapping[str, float]
    """Map, by its name: how much better the party fares there than elsewhere, as the natural logarithm of the odds."""
    steep: float
    """How quickly the odds change with the weights: twice the weight multiplies them by 2 to this power."""


@functools.cache
def figures(ruleset: str) -> Figures:
    """What is kept for a ruleset. Raises WeightError for a faulty file."""
    path, again = paths.asset("threat", f"{ruleset}.toml"), "python -m tests.bench.weigh makes it anew"
    try:
        document = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise WeightError("{name}: {error}; {again}", path.name, said(error), again) from None
    if set(document) != {WEIGHT, GROUND, STEEP}:
        wrong = "{name}: needs {steep} and the tables [{weight}] and [{ground}], no other; {again}"
        raise WeightError(wrong, name=path.name, steep=STEEP, weight=WEIGHT, ground=GROUND, again=again)
    for table in (WEIGHT, GROUND):
        if not isinstance(document[table], dict):
            raise WeightError("{name}: {table}: needs a table, name = figure; {again}", path.name, table, again)
    told = {(WEIGHT, name): figure for name, figure in document[WEIGHT].items()} | {(STEEP, ""): document[STEEP]}
    for (what, name), figure in told.items():
        if not _number(figure) or figure <= 0:
            words = "{name}: {what}{what2}{name2}: needs a number above 0; {again}"
            raise WeightError(words, name=path.name, what=what, what2=": " * bool(name), name2=name, again=again)
    for name, figure in document[GROUND].items():
        if not _number(figure):
            raise WeightError("{name}: {ground}: {name2}: needs a number; {again}", path.name, GROUND, name, again)
    return Figures(
        {str(name): float(figure) for name, figure in document[WEIGHT].items()},
        {str(name): float(figure) for name, figure in document[GROUND].items()},
        float(document[STEEP]),
    )


def _number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def weight(ruleset: str, entry: Mapping[str, Any]) -> float:
    """What a creature of a record weighs: by the kept figure where it is of the content, or by its own stat block's
    number where it says one. Raises ContentError for an unknown template."""
    named = str(entry.get("template", ""))
    base: Mapping[str, Any] = content.template(ruleset, named) if named else {}
    said = entry.get("threat", base.get("threat", 1))
    if said == base.get("threat") and named in figures(ruleset).weights:
        return figures(ruleset).weights[named]
    return float(said) if isinstance(said, int) else 1.0


def weights(ruleset: str, entries: Iterable[Mapping[str, Any]]) -> float:
    """What creatures weigh together."""
    return sum(weight(ruleset, entry) for entry in entries)


def odds(ruleset: str, ours: float, theirs: float, map: str = "") -> float:
    """The odds, as a natural logarithm, of a party of that weight against foes of that weight on a map (a record's
    name for it; empty: any)."""
    known = figures(ruleset)
    even = log((100.0 - EVEN) / EVEN)
    return even + known.grounds.get(PurePath(map).stem, 0.0) + known.steep * log(ours / theirs)


def as_hard(ruleset: str, ours: float, wanted: float, map: str = "") -> float:
    """What foes weigh together against whom a party of that weight has the wanted odds there: `odds` the other way."""
    known = figures(ruleset)
    even = log((100.0 - EVEN) / EVEN)
    return ours * exp((even + known.grounds.get(PurePath(map).stem, 0.0) - wanted) / known.steep)


Entry = Mapping[str, Any]
HEROES = "heroes"
FINE = 10
"""Weights are compared in tenths."""
NEAR = 0.05
"""What is off by no more than this share of what is wanted is as good as exact: the fewest changes decide then."""
MOST, CROWD = 3, 6
"""So many may come in place of one, at most; of who is light among the others, a crowd."""
LIGHT = 0.125
"""Light is who weighs no more than this share of what is wanted."""
FEW = 3
"""A crowd joins only so few: of more, others make up for what is missing."""
CLOSELY = 12
"""Of how many every choice is weighed; in larger bands the others come in proportion."""


class Group(NamedTuple):
    """Who comes: the numbers of those who do, in order, and the numbers of those who bring another, once for each."""

    come: tuple[int, ...]
    more: tuple[int, ...]


def foes(ruleset: str, entries: Sequence[Entry]) -> tuple[int, ...]:
    """The numbers of those who stand against the party: all of the sides on which no hero is. Empty where nobody is a
    hero."""
    known = content.heroes(ruleset)
    own = {e.get("side") for e in entries if e.get("side") == HEROES or e.get("template") in known}
    return tuple(number for number, entry in enumerate(entries) if own and entry.get("side") not in own)


def balanced(
    source: str, before: Sequence[Entry], goal: str, after: Sequence[Entry], *, certain: Collection[int] = (),
    map: str = "", aim: float = 0.0,
) -> Group:  # fmt: skip
    """Who of an encounter's creatures comes along to that map: `after` has everybody's counterpart, in the order of
    `before`.

    The party comes whole, and whoever is `certain`. `aim`: so much better than before the party's odds shall be by the
    weights, as a natural logarithm: what trials showed them to be off (game/forecast/matching.py).
    """
    against = foes(source, before)
    party = [number for number in range(len(before)) if number not in against]
    everybody = Group(tuple(range(len(after))), ())
    if not against or not party:
        return everybody
    ours, theirs = (weights(source, [before[n] for n in side]) for side in (party, against))
    there = weights(goal, [after[n] for n in party])
    if min(ours, theirs, there) <= 0:
        return everybody
    wanted = FINE * as_hard(goal, there, odds(source, ours, theirs, map) + aim, map)
    heavy = {n: max(1, round(FINE * weight(goal, after[n]))) for n in against}
    many = _shared(heavy, wanted, certain)
    rest = {n: own for n, own in heavy.items() if n not in many}
    left = wanted - sum(own * many[n] for n, own in heavy.items() if n in many)
    most = {n: CROWD if own <= LIGHT * wanted and len(heavy) <= FEW else MOST for n, own in rest.items()}
    many |= _nearest(rest, left, certain, most, some=not any(many.values()))
    more = [n for again in range(2, CROWD + 1) for n in against if many[n] >= again]
    return Group(tuple(n for n in range(len(after)) if n in party or many[n]), tuple(more))


def _shared(heavy: Mapping[int, int], wanted: float, held: Collection[int]) -> dict[int, int]:
    """How many come for each of a large band: all but the last are in proportion, evenly along the list."""
    share, found = wanted / sum(heavy.values()), dict[int, int]()
    for place, number in enumerate(list(heavy)[: max(0, len(heavy) - CLOSELY)]):
        many = int((place + 1) * share) - int(place * share)
        found[number] = min(MOST, max(many, int(number in held)))
    return found


def _nearest(
    heavy: Mapping[int, int], wanted: float, held: Collection[int], most: Mapping[int, int], some: bool
) -> dict[int, int]:
    """How many come for each, so that their weights together come nearest to what is wanted.

    Of choices as good as exact, or as the best, that with the fewest changes (a second one at the same is worse than
    two at two); then with most of those who were there, then the first. Whoever is held comes, once at least; `some`
    says that somebody does.
    """
    best: dict[int, tuple[tuple[int, ...], tuple[int, ...]]] = {0: ((0, 0), ())}
    bound = 2 * max(0.0, wanted) + sum(own for n, own in heavy.items() if n in held) + max(heavy.values())
    for number, own in heavy.items():
        found: dict[int, tuple[tuple[int, ...], tuple[int, ...]]] = {}
        for total, ((changes, away), those) in best.items():
            for many in range(number in held, most[number] + 1):
                now = total + many * own
                worth = ((changes + (many - 1) ** 2, away + (not many)), (*those, -many))
                if now <= bound and (now not in found or worth < found[now]):
                    found[now] = worth
        best = found
    totals = [total for total in best if total or not some]
    enough = max(min(abs(total - wanted) for total in totals), NEAR * wanted)
    near = [total for total in totals if abs(total - wanted) <= enough]
    total = min(near, key=lambda each: (best[each], abs(each - wanted)))
    return dict(zip(heavy, (-many for many in best[total][1]), strict=True))


def told(goal: str, here: int, of: int, joined: int) -> str:
    """How many come along, for whoever is about to play there; empty where all do, and nobody else."""
    title = ruleset_of(goal).title
    if here < of and joined:
        words = "{here} of {of} foes come along, and {joined} join: as much of a match under {title} as all were."
        return text(words, here, of, joined, title)
    if here < of:
        return text("{here} of {of} foes come along: as much of a match under {title} as all were.", here, of, title)
    if joined:
        words = "All {of} foes come along, and {joined} join: as much of a match under {title} as they were."
        return text(words, of, joined, title)
    return ""
