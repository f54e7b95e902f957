"""What a fight starts from: map, creatures, options and dice, validated by the ruleset when it starts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from rules.board.grid import Field

PARTY = "heroes"
"""The side of the players' characters (record.md)."""


class Scenario(msgspec.Struct, frozen=True):
    """A fight before its first throw.

    `creatures` are stat blocks as plain data (templates already merged in, `at` as `[column, row]`); the ruleset
    validates them. `content` holds its tables (weapons, armor, shields …) as plain data. `throws` are the faces
    of physical dice in order, `None` where the seed throws that die.
    """

    ruleset: str
    field: Field
    creatures: tuple[Mapping[str, Any], ...]
    seed: int = 0
    throws: tuple[int | None, ...] | None = None
    options: Mapping[str, Any] = {}
    content: Mapping[str, Any] = {}
