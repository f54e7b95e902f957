"""What a creature weighs in a fight: the whole-number `threat` of stat blocks, and the finer figures behind it.

Weights may be added up. A group that weighs as much as its party is a hard fight for it, under every ruleset: it wins
three of ten (docs/threat.md). `assets/threat/<ruleset>.toml` keeps the fine figures, out of simulated fights.
"""

from __future__ import annotations

import functools
import tomllib
from collections.abc import Iterable, Mapping
from typing import Any

from game import content, paths
from rules.errors import BattlematError

PARTY = 24.0
"""What beats the content's first four heroes in three fights of ten weighs so much."""
TABLE = "weight"


class WeightError(BattlematError):
    """A file of figures that is wrong."""


@functools.cache
def kept(ruleset: str) -> dict[str, float]:
    """The fine figures of ready heroes and monsters. Raises WeightError for a faulty file."""
    path, again = paths.asset("threat", f"{ruleset}.toml"), "make threat makes it anew"
    try:
        document = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise WeightError(f"{path.name}: {error}; {again}") from None
    figures = document.get(TABLE)
    if not isinstance(figures, dict) or set(document) != {TABLE}:
        raise WeightError(f"{path.name}: needs the table [{TABLE}], creature = figure, and no other; {again}")
    for name, figure in figures.items():
        if isinstance(figure, bool) or not isinstance(figure, int | float) or figure <= 0:
            raise WeightError(f"{path.name}: {TABLE}: {name}: needs a number above 0; {again}")
    return {str(name): float(figure) for name, figure in figures.items()}


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
