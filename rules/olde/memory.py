"""What is worked out once and serves all fights of its owner: the ruleset object, which hands it to each setup."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

KEPT = 1 << 14
"""So much is kept under one name before all of it is forgotten."""


class Memory:
    """Tables of what was found out, by name. Nothing in it depends on when it was asked for."""

    __slots__ = ("_tables", "latest")

    def __init__(self) -> None:
        self._tables: dict[str, dict[Hashable, Any]] = {}
        self.latest: Any = None
        """The legal actions asked for last: an action is mostly applied where it was listed."""

    def table(self, name: str) -> dict[Hashable, Any]:
        """What is kept under a name, with room for more."""
        found = self._tables.get(name)
        if found is None:
            found = self._tables[name] = {}
        elif len(found) >= KEPT:
            found.clear()
        return found
