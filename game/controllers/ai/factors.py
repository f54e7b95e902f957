"""Weights under each ruleset: by how much the numbers of weights.toml are more or less there, assets/ai/tuned.toml.

A ruleset's factors may be of what all rulesets have in common, and of its own tables, by which its advisor goes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import lru_cache
from math import inf
from pathlib import Path
from typing import Any, TypeVar, get_type_hints

import msgspec

from game.content.tables import parsed
from game.controllers.ai.weights import (
    Amount,
    CairnWeights,
    CountupWeights,
    JudgeWeights,
    OldeWeights,
    PlannerWeights,
    PositionWeights,
    Section,
    Temper,
    Weights,
    checked,
    read_weights,
)
from game.paths import asset
from rules.contract.errors import BattlematError, said
from rules.contract.text import joined

T = TypeVar("T")

Factors = Mapping[str, Mapping[str, float]]
"""Table -> number -> how many times what stands in the file; `temperament` stands for all of them."""
TUNED: Mapping[str, type[Section]] = {
    "temperament": Temper, "planner": PlannerWeights, "judge": JudgeWeights, "position": PositionWeights,
}  # fmt: skip
"""The tables whose numbers may be others under each ruleset."""
OWN: Mapping[str, type[Section]] = {"olde": OldeWeights, "cairn": CairnWeights, "countup": CountupWeights}
"""The tables that are a ruleset's own."""


def tables_of(kind: str) -> Mapping[str, type[Section]]:
    """All tables whose numbers may have factors under a ruleset, by name: the common ones, then its own."""
    return {**TUNED, **(get_type_hints(OWN[kind]) if kind in OWN else {})}


def tuned(weights: Weights, factors: Factors, kind: str = "") -> Weights:
    """Weights with some numbers times a factor; those of a temperament stay within what is allowed for them. `kind` is
    the ruleset whose own tables are meant, where there are factors of such."""
    changes: dict[str, Any] = {}
    own: dict[str, Any] = {}
    for table, numbers in factors.items():
        if table == "temperament":
            changes[table] = {name: _times(temper, numbers) for name, temper in weights.temperament.items()}
        elif table in TUNED:
            changes[table] = _times(getattr(weights, table), numbers)
        else:
            own[table] = _times(getattr(getattr(weights, kind), table), numbers)
    if own:
        changes[kind] = msgspec.structs.replace(getattr(weights, kind), **own)
    return msgspec.structs.replace(weights, **changes)


def _times(section: T, numbers: Mapping[str, float]) -> T:
    values = {}
    for name, factor in numbers.items():
        most = 1.0 if isinstance(section, Temper) and name in SHARES else inf
        values[name] = min(most, getattr(section, name) * factor)
    return msgspec.structs.replace(section, **values)  # type: ignore[type-var]


SHARES = ("later", "wary")
"""Numbers of a temperament that are parts of a whole."""


def read_tuned(path: Path) -> Mapping[str, Factors]:
    """Read and check a file of factors, by ruleset. Raises BattlematError in one line: file, place, reason."""
    try:
        raw: dict[str, Any] = parsed(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        wrong = "{name}: cannot be read ({error}); it must be TOML with a table for each ruleset"
        raise BattlematError(wrong, path.name, said(error)) from None
    return {kind: _factors(tables, kind, path.name) for kind, tables in raw.items()}


def _factors(tables: Any, kind: str, file: str) -> Factors:
    """A ruleset's factors, checked."""
    found: dict[str, dict[str, float]] = {}
    there = tables_of(kind)
    for table, numbers in tables.items() if isinstance(tables, dict) else ((f"{tables!r}", {}),):
        if table not in there:
            wrong = "{name}: {kind}.{table}: no table that can be tuned; there are {known}"
            raise BattlematError(wrong, file, kind, table, joined(", ", there))
        found[table] = checked(numbers, dict[str, Amount], file, f"{kind}.{table}")
        known = tunable(there[table])
        for number in numbers:
            if number not in known:
                wrong = "{name}: {kind}.{table}.{number}: no number that can be tuned; there are {known}"
                raise BattlematError(wrong, file, kind, table, number, joined(", ", known))
    return found


def tunable(table: type[Section]) -> list[str]:
    """The numbers of a table that may have a factor: no counts of spaces or turns, and no seconds."""
    return [name for name, hint in get_type_hints(table).items() if hint is float]


@lru_cache(maxsize=8)
def load_factors() -> Mapping[str, Factors]:
    """The factors that come with Battlemat, read once, by ruleset."""
    return read_tuned(asset("ai", "tuned.toml"))


@lru_cache(maxsize=8)
def load_weights(ruleset: str = "") -> Weights:
    """The weights that come with Battlemat, read once; with a ruleset's id, as they are under it."""
    if not ruleset:
        return read_weights(asset("ai", "weights.toml"))
    factors = _tried if ruleset in _tried else load_factors()
    return tuned(load_weights(), factors.get(ruleset, {}), ruleset)


_tried: dict[str, Factors] = {}
"""By ruleset, what is tried in place of the file's factors."""


@contextmanager
def trying(ruleset: str, factors: Factors) -> Iterator[None]:
    """Everybody plays a ruleset by these factors in place of the file's: for a search, which tries many.

    What was worth how much is kept here and there for a fight: nothing but whole fights may be played inside.
    """
    _tried[ruleset] = factors
    load_weights.cache_clear()
    try:
        yield
    finally:
        del _tried[ruleset]
        load_weights.cache_clear()
