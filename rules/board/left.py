"""How a place was left by those who come to it again: what its map no longer says (docs/record.md Evenings)."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Any

import msgspec

from rules.contract.units import EMPTY, Bitboard, Cell


class Fate(StrEnum):
    """What has become of somebody of the place."""

    DEAD = "dead"  # lies where it fell
    DOWN = "down"  # lies there, and lives
    GONE = "gone"  # off the board for good: fled, or let go


class Left(msgspec.Struct, frozen=True):
    """How a place was left. What stands there otherwise than its map says beside doors, whose states are the field's
    own."""

    evening: int = 1  # which evening this is
    minutes: int = 0  # so many have passed since the one before
    of: str = ""  # the short name of the evening before
    fixtures: tuple[str, ...] = ()  # how each of the field's challenges stands; an empty word: as at first
    found: tuple[tuple[str, int], ...] = ()  # side -> the secrets that it has found (rules.core.secrets)
    floor: tuple[tuple[str, Cell], ...] = ()  # what lies about, and where
    cleared: Bitboard = EMPTY  # rubble that is out of the way
    goals: tuple[str, ...] = ()  # how each of the field's goals stands
    seen: tuple[tuple[str, Bitboard], ...] = ()  # side -> the ground that it has seen
    doors: tuple[tuple[str, tuple[str, ...]], ...] = ()  # side -> how it last saw each door, where it knows no better
    fates: tuple[tuple[str, str], ...] = ()  # id of who is no longer about -> its `Fate`
    attitudes: tuple[tuple[str, str], ...] = ()  # id -> how it means to deal with the party: a word of `Attitude`
    posts: tuple[tuple[str, Cell], ...] = ()  # id -> where it belongs, where that isn't where it stands
    figures: tuple[tuple[str, Mapping[str, Any]], ...] = ()
    """Id -> how somebody is, and what it has, in its ruleset's own words (the ruleset's `Kept`)."""
    unlit: tuple[str, ...] = ()  # ids of those whose own light doesn't burn
    roused: tuple[str, ...] = ()  # ids of those who know that the party is about

    @property
    def again(self) -> bool:
        """Whether somebody comes again."""
        return self.evening > 1

    def fate(self, name: str) -> str:
        """What has become of somebody; empty for who is about."""
        return next((fate for who, fate in self.fates if who == name), "")

    def aside(self, name: str) -> bool:
        """Whether somebody takes no space: fallen, or gone."""
        return bool(self.fates) and bool(self.fate(name))

    def seen_by(self, side: str) -> Bitboard:
        """The ground that a side has seen on earlier evenings."""
        return Bitboard(dict(self.seen).get(side, 0))


NEVER = Left()
"""Of a place that nobody has left yet: nothing is otherwise than the map says."""


class Resident(msgspec.Struct, frozen=True):
    """How somebody is found again, as its record's entry says it."""

    at: tuple[int, int] | None  # None: where it stood at first
    fate: str = ""  # a `Fate`; empty: it is about
    party: bool = False  # it is one of the party that came
    asleep: bool = False
    hidden: bool = False
    bound: bool = False
    wary: bool = False  # nothing takes it by surprise
    space: int = 1  # spaces that it is wide
    here: bool = True  # no longer, or never, in reserve


class Remains(msgspec.Struct, frozen=True):
    """What is left of a place, in a record's words."""

    left: Mapping[str, Any]  # of `map.left`, all but which evening it is and what was seen
    doors: Mapping[str, str]  # those that stand otherwise than the map says
    residents: Mapping[str, Resident]
