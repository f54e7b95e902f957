"""What a creature weighs in a fight: the whole-number `threat` of stat blocks, and the finer figures behind it.

Weights may be added up. A group that weighs as much as its party is a hard fight for it, under every ruleset: it wins
three of ten (docs/threat.md). `assets/threat/<ruleset>.toml` keeps the figures, out of simulated fights: what each
creature weighs, how quickly the odds change with the weights, and what a map does to them.
"""

from __future__ import annotations

import functools
import tomllib
from collections.abc import Iterable, Mapping
from math import exp, log
from pathlib import PurePath
from typing import Any, NamedTuple

from game import paths
from game.content import tables as content
from rules.contract.errors import BattlematError

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
        raise WeightError(f"{path.name}: {error}; {again}") from None
    if set(document) != {WEIGHT, GROUND, STEEP}:
        raise WeightError(f"{path.name}: needs {STEEP} and the tables [{WEIGHT}] and [{GROUND}], no other; {again}")
    for table in (WEIGHT, GROUND):
        if not isinstance(document[table], dict):
            raise WeightError(f"{path.name}: {table}: needs a table, name = figure; {again}")
    told = {(WEIGHT, name): figure for name, figure in document[WEIGHT].items()} | {(STEEP, ""): document[STEEP]}
    for (what, name), figure in told.items():
        if not _number(figure) or figure <= 0:
            raise WeightError(f"{path.name}: {what}{': ' * bool(name)}{name}: needs a number above 0; {again}")
    for name, figure in document[GROUND].items():
        if not _number(figure):
            raise WeightError(f"{path.name}: {GROUND}: {name}: needs a number; {again}")
    return Figures(
        {str(name): float(figure) for name, figure in document[WEIGHT].items()},
        {str(name): float(figure) for name, figure in document[GROUND].items()},
        float(document[STEEP]),
    )


def _number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def kept(ruleset: str) -> Mapping[str, float]:
    """What ready heroes and monsters weigh. Raises WeightError for a faulty file."""
    return figures(ruleset).weights


def weight(ruleset: str, entry: Mapping[str, Any]) -> float:
    """What a creature of a record weighs: by the kept figure where it is of the content, or by its own stat block's
    number where it says one. Raises ContentError for an unknown template."""
    named = str(entry.get("template", ""))
    base: Mapping[str, Any] = content.template(ruleset, named) if named else {}
    said = entry.get("threat", base.get("threat", 1))
    if said == base.get("threat") and named in kept(ruleset):
        return kept(ruleset)[named]
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
