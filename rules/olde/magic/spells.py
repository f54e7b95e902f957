"""Spells, blessings and items as data: read at the door (rules/olde/magic/models.py), flat and fast inside.

The rules of casting are olde.md §3 and §4; which spells there are, and what they do, is ours: no list was published.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Any, Protocol

import msgspec

from rules.olde.effects.model import Lasting, ZoneKind
from rules.olde.magic.shapes import Caster, Shape


class Pool(msgspec.Struct, frozen=True):
    """What pays for magic: a field of a figure, and `…_max` of its fighter."""

    name: str
    label: str
    stat: str
    skill: str
    """The skill and the stat that cast what it pays for."""
    table: str
    """The table of the content, and the field of a stat block, of what it pays for."""

    def left(self, figure: Pools) -> int:
        """What somebody has of it."""
        return int(getattr(figure, self.name))


class Pools(Protocol):
    """Somebody with pools."""

    @property
    def mana(self) -> int: ...
    @property
    def faith(self) -> int: ...


MANA = Pool("mana", "Mana", "savvy", "Wizardry", "spells")
FAITH = Pool("faith", "Faith", "nerve", "Faith", "blessings")
POOLS: Mapping[str, Pool] = MappingProxyType({pool.name: pool for pool in (MANA, FAITH)})


class Aim(StrEnum):
    """What a spell is pointed at."""

    SELF = "self"
    ALLY = "ally"
    ENEMY = "enemy"
    SPACE = "space"

    @property
    def needs(self) -> str:
        """What its button asks for."""
        return {Aim.SELF: "none", Aim.SPACE: "space"}.get(self, "creature")

    @property
    def nobody(self) -> str:
        """Why there is nothing to point it at."""
        return _NOBODY.get(self, "nothing to catch there")


_NOBODY = {Aim.ALLY: "nobody in reach needs it", Aim.ENEMY: "no target in range and sight"}


class Affects(StrEnum):
    """On whom of those in its area a spell works."""

    FOES = "foes"
    FRIENDS = "friends"
    ALL = "all"

    def takes(self, *, friend: bool) -> bool:
        return self is Affects.ALL or friend == (self is Affects.FRIENDS)


class Against(StrEnum):
    """What a casting has to reach: a fixed rating, Defense, or two dice of a stat (olde.md §3)."""

    RATING = "rating"
    DEFENSE = "defense"
    BRAWN = "brawn"
    FINESSE = "finesse"
    SAVVY = "savvy"
    NERVE = "nerve"

    @property
    def dodged(self) -> bool:
        """Whether who cannot move cannot resist."""
        return self in (Against.DEFENSE, Against.FINESSE)


class Does(StrEnum):
    """What an effect roll is for; how that works stands in powers.py."""

    NOTHING = "nothing"
    HARM = "harm"
    HEAL = "heal"
    MANA = "mana"
    FAITH = "faith"


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
    aim: Aim
    reach: int
    shape: Shape
    size: int
    affects: Affects
    only: tuple[str, ...]
    spares: tuple[str, ...]
    against: Against
    rating: int
    dice: EffectDice | None
    does: Does
    pierces: bool
    cures: tuple[str, ...]
    lasting: Lasting | None
    zone: ZoneKind | None
    zone_turns: int
    summon: Summon | None
    element: str = ""

    @property
    def hostile(self) -> bool:
        """Meant for foes."""
        return self.affects is not Affects.FRIENDS and (self.does is Does.HARM or self.lasting is not None)

    @property
    def paid(self) -> Pool | None:
        """What pays for it; None for an item's."""
        return POOLS.get(self.pool)

    def left(self, figure: Pools) -> int:
        """What somebody has to pay it with."""
        return POOLS[self.pool].left(figure)

    def cells(self, caster: Caster, at: int) -> int:
        """The bitboard of spaces that it covers, aimed at a cell."""
        return self.shape.cells(caster, self.size, at)

    def covers(self, caster: Caster, at: int, cell: int) -> bool:
        """Whether it covers one open space: the same as `cells`, asked for a few spaces."""
        return self.shape.covers(caster, self.size, at, cell)

    def works_on(self, kind: str) -> bool:
        """Whether it does anything to this kind of creature."""
        return (not self.only or kind in self.only) and kind not in self.spares


class ItemKind(StrEnum):
    """What holds a spell."""

    POTION = "potion"
    """It is drunk or given: no check is made, and it is for a friend beside one."""
    SCROLL = "scroll"
    """It is read aloud by whoever can read."""
    DEVICE = "device"


class Item(msgspec.Struct, frozen=True):
    """A potion, scroll or device."""

    name: str
    kind: ItemKind
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
