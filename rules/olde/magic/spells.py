"""Spells, blessings and items as data: read at the door (rules/olde/magic/models.py), flat and fast inside.

The rules of casting are olde.md §3 and §4; which spells there are, and what they do, is ours: no list was published.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from rules.olde.effects.model import Lasting

POOL_OF = {"spells": "mana", "blessings": "faith"}
"""What pays for each kind."""


class EffectDice(msgspec.Struct, frozen=True):
    """An effect roll; rank 0 = the caster's stat."""

    count: int
    rank: int
    exploding: bool
    half: bool
    plus: int


class Summon(msgspec.Struct, frozen=True):
    """Whom a spell calls, and for how many turns."""

    name: str
    kind: str
    art: str
    turns: int
    brawn: int
    finesse: int
    savvy: int
    nerve: int
    small: bool
    temperament: str
    weapons: tuple[str, ...]
    skills: Mapping[str, int]
    """Skill -> adjustment of its rank."""


class Spell(msgspec.Struct, frozen=True):
    """A spell or blessing, or what an item does, ready for use in a fight. Ranges and sizes are in spaces."""

    name: str
    summary: str
    pool: str
    """`mana`, `faith`, or empty for an item."""
    price: int
    ap: int
    gesture: bool
    incantation: bool
    aim: str
    reach: int
    shape: str
    size: int
    affects: str
    only: tuple[str, ...]
    spares: tuple[str, ...]
    against: str
    rating: int
    dice: EffectDice | None
    does: str
    pierces: bool
    cures: tuple[str, ...]
    lasting: Lasting | None
    zone: str
    zone_turns: int
    summon: Summon | None
    element: str = ""

    @property
    def hostile(self) -> bool:
        """Meant for foes."""
        return self.affects != "friends" and (self.does == "harm" or self.lasting is not None)


class Item(msgspec.Struct, frozen=True):
    """A potion, scroll or device."""

    name: str
    kind: str
    summary: str
    spell: Spell
    rank: int


class Grimoire:
    """All spells, blessings and items of a fight by name."""

    __slots__ = ("items", "spells")

    def __init__(self, spells: Mapping[str, Spell], items: Mapping[str, Item]) -> None:
        self.spells = dict(spells)
        self.items = dict(items)


class UnreadGrimoire(Grimoire):
    """One that is read when somebody first looks into it: most fights know no magic."""

    __slots__ = ("_read",)

    def __init__(self, read: Callable[[], Grimoire]) -> None:
        self._read = read

    def __getattr__(self, name: str) -> Any:
        if name not in Grimoire.__slots__:
            raise AttributeError(name)
        found = self._read()
        self.spells, self.items = found.spells, found.items
        return getattr(self, name)


NO_MAGIC = Grimoire({}, {})
"""A fight without any."""
