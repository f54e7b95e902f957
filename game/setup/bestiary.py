"""The bestiary as set-ups read it: looked up once and shared, so nothing here may be changed (copy before you do)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from game import content

Entries = Mapping[str, Mapping[str, Any]]


@lru_cache(maxsize=8)
def heroes(ruleset: str) -> Entries:
    """The ready heroes by template name."""
    return content.heroes(ruleset)


@lru_cache(maxsize=8)
def monsters(ruleset: str) -> Entries:
    """Everybody else by template name."""
    return content.monsters(ruleset)


@lru_cache(maxsize=512)
def template(ruleset: str, name: str) -> Mapping[str, Any]:
    """One of them. Raises ContentError for a name that nobody has."""
    return content.template(ruleset, name)


@lru_cache(maxsize=8)
def tables(ruleset: str) -> Mapping[str, Any]:
    """The ruleset's tables of gear and the like."""
    return content.tables(ruleset)
