"""Weights under each ruleset: by how much the numbers of weights.toml are more or less there, assets/ai/tuned.toml."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from math import inf
from pathlib import Path
from typing import Any, TypeVar, get_type_hints

import msgspec

from game.content.tables import parsed
from game.controllers.ai.weights import (
    Amount,
    JudgeWeights,
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
TUNED = ("temperament", "planner", "judge", "position")
"""The tables whose numbers may be others under each ruleset."""


def tuned(weights: Weights, factors: Factors) -> Weights:
    """Weights with some numbers times a factor; those of a temperament stay within what is allowed for them."""
    changes: dict[str, Any] = {}
    for table, numbers in factors.items():
        if table == "temperament":
            changes[table] = {name: _times(temper, numbers) for name, temper in weights.temperament.items()}
        else:
            changes[table] = _times(getattr(weights, table), numbers)
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
    for table, numbers in tables.items() if isinstance(tables, dict) else ((f"{tables!r}", {}),):
        if table not in TUNED:
            wrong = "{name}: {kind}.{table}: no table that can be tuned; there are {known}"
            raise BattlematError(wrong, file, kind, table, joined(", ", TUNED))
        found[table] = checked(numbers, dict[str, Amount], file, f"{kind}.{table}")
        known = tunable(table)
        for number in numbers:
            if number not in known:
                wrong = "{name}: {kind}.{table}.{number}: no number that can be tuned; there are {known}"
                raise BattlematError(wrong, file, kind, table, number, joined(", ", known))
    return found


def tunable(table: str) -> list[str]:
    """The numbers of a table that may have a factor: no counts of spaces or turns."""
    kinds: Mapping[str, type[Section]] = {
        "temperament": Temper, "planner": PlannerWeights, "judge": JudgeWeights, "position": PositionWeights,
    }  # fmt: skip
    hints = get_type_hints(kinds[table])
    return [name for name, hint in hints.items() if hint is float]


@lru_cache(maxsize=8)
def load_weights(ruleset: str = "") -> Weights:
    """The weights that come with Battlemat, read once; with a ruleset's id, as they are under it."""
    if not ruleset:
        return read_weights(asset("ai", "weights.toml"))
    return tuned(load_weights(), read_tuned(asset("ai", "tuned.toml")).get(ruleset, {}))
