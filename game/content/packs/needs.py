"""Which packs a record needs: those whose content its creatures use."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from game import paths
from game.content import tables as content


def needed(ruleset: str, creatures: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    """The packs whose content some entries of a record use: id -> version."""
    on = paths.packs_on()
    if not on:
        return {}
    used, found = _words(creatures), dict[str, str]()
    for name, version in on.items():
        known = content.names_of(ruleset, f"{name}@{version}")
        if hit := used & known.keys():
            found[name] = version
            used |= _words([known[each] for each in hit])
    return dict(sorted(found.items()))


def _words(value: object) -> set[str]:
    """Every word that stands anywhere in plain data."""
    if isinstance(value, str):
        return {value}
    if isinstance(value, Mapping):
        return {word for key, inner in value.items() for word in ({str(key)} | _words(inner))}
    if isinstance(value, list | tuple):
        return {word for inner in value for word in _words(inner)}
    return set()
