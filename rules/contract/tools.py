"""A game master's dice outside of fights: what a ruleset can throw or make up for a table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from rules.contract.events import Roll


class Tool(msgspec.Struct, frozen=True):
    """One thing to ask for. `options` are the ways to ask for it, word and label; empty = there is only one."""

    name: str
    label: str
    text: str
    """One sentence: what it is for."""
    rule: str
    options: tuple[tuple[str, str], ...] = ()


class Call(msgspec.Struct, frozen=True):
    """A roll that the game master may call for at any time in a fight: it becomes a command of the record, by `gm`."""

    do: str
    label: str
    text: str
    """One sentence: what it is."""
    rule: str
    words: tuple[str, ...]
    """The skills and stats that it may be made with."""
    rated: bool = False
    """It is made against a rating."""
    opposed: bool = False
    """Somebody else resists it."""


class Creation(msgspec.Struct, frozen=True):
    """A creature that was made: its stat block without id, side and place, and how it differs from its like."""

    label: str
    block: Mapping[str, Any]


class Answer(msgspec.Struct, frozen=True):
    """What came of it: a sentence, the dice, and the creatures of which one may be taken."""

    told: str
    rolls: tuple[Roll, ...]
    creatures: tuple[Creation, ...] = ()
