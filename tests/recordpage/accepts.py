"""What a ruleset accepts in a record, as docs/record.md has to name it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from pydantic import BaseModel

from rules.contract.actions import Action
from rules.contract.ruleset import Ruleset, State

FIELDS = tuple(name for name in Action.__struct_fields__ if name not in ("by", "do"))
"""What a command may say beside `by` and `do`."""


_BLANK = Action("", "")


class Accepts(NamedTuple):
    """All that one ruleset reads in a record."""

    commands: Mapping[str, frozenset[str]]
    """Each word of `do` -> the fields that it takes."""
    options: Mapping[str, Any]
    """Each switch with its default."""
    blocks: Mapping[str, type[BaseModel]]
    """The models of a creature: under "" its own, under the name of a field (`attacks`, `attacks.rider`) those of the
    objects written in line there."""


def fields_of(action: Action) -> frozenset[str]:
    """The fields that an action fills."""
    return frozenset(name for name in FIELDS if getattr(action, name) != getattr(_BLANK, name))


def taken(rules: Ruleset, positions: Iterable[State]) -> dict[str, frozenset[str]]:
    """The fields that the legal actions of some positions fill, by the word of their `do`."""
    found: dict[str, frozenset[str]] = {}
    for state in positions:
        for decision in rules.decisions(state):
            for action in rules.legal(state, decision):
                found[action.do] = found.get(action.do, frozenset()) | fields_of(action)
    return found
