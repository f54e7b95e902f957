"""Spells, blessings and items as data: validated at the door (rules/olde/magic/models.py), flat and fast inside.

The rules of casting are olde.md §3 and §4; which spells there are, and what they do, is ours: no list was published.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from rules.contract.errors import BattlematError
from rules.core.validate import validated
from rules.olde.effects.model import Lasting, meaning

if TYPE_CHECKING:
    from rules.olde.magic.models import ItemModel, LastingModel, PowerModel, SummonModel

POOL_OF = {"spells": "mana", "blessings": "faith"}
"""What pays for each kind."""


class EffectDice(msgspec.Struct, frozen=True):
    """An effect roll; rank 0 = the caster's stat."""

    count: int
    rank: int
    exploding: bool
    half: bool
    plus: int


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
    summon: SummonModel | None
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


def _power(model: PowerModel, pool: str, price: int, ap: int, gesture: bool, incantation: bool) -> Spell:
    dice, zone = model.dice, model.zone
    return Spell(
        name=model.name,
        summary=model.summary,
        pool=pool,
        price=price,
        ap=ap,
        gesture=gesture,
        incantation=incantation,
        aim=model.aim,
        reach=model.range,
        shape=model.shape,
        size=model.size,
        affects=model.affects,
        only=model.only,
        spares=model.spares,
        against=model.against,
        rating=model.rating,
        dice=EffectDice(dice.count, dice.die or 0, dice.exploding, dice.half, dice.plus) if dice else None,
        does=model.does,
        pierces=model.pierces,
        cures=model.cures,
        lasting=_lasting(model.lasting) if model.lasting else None,
        zone=zone.kind if zone else "",
        zone_turns=zone.turns if zone else 0,
        summon=model.summon,
        element=model.element or "",
    )


def _lasting(model: LastingModel) -> Lasting:
    """A lasting effect with what its condition means in figures (olde.md §7)."""
    means = meaning(model.condition or "")
    return Lasting(
        model.turns,
        model.condition or "",
        model.attack + means.attack,
        model.defense + means.defense,
        model.damage,
        model.armor,
        model.ap + means.ap,
        model.checks + means.checks,
        model.recover or "",
        means.physical,
        harm=means.harm,
    )


class Grimoire:
    """All spells, blessings and items of a fight by name."""

    __slots__ = ("items", "spells")

    def __init__(self, spells: Mapping[str, Spell], items: Mapping[str, Item]) -> None:
        self.spells = dict(spells)
        self.items = dict(items)

    @classmethod
    def from_tables(cls, tables: Mapping[str, Sequence[Mapping[str, Any]]]) -> Grimoire:
        """Validate raw tables (`spells`, `blessings`, `items`). Raises BattlematError naming entry and field."""
        from rules.olde.magic.models import BlessingModel, ItemModel, SpellModel

        spells: dict[str, Spell] = {}
        for raw in tables.get("spells", ()):
            s = validated(SpellModel, raw, "spell")
            spells[s.name] = _power(s, "mana", s.mana, s.ap, s.gesture, s.incantation)
        for raw in tables.get("blessings", ()):
            b = validated(BlessingModel, raw, "blessing")
            if b.name in spells:
                raise BattlematError(f"blessing {b.name!r}: name: a spell is called so already")
            spells[b.name] = _power(b, "faith", b.faith, b.ap, b.gesture, b.incantation)
        items = {}
        for raw in tables.get("items", ()):
            i = validated(ItemModel, raw, "item")
            items[i.name] = Item(i.name, i.kind, i.summary, _held(i, spells), i.rank)
        return cls(spells, items)


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


def _held(item: ItemModel, spells: Mapping[str, Spell]) -> Spell:
    """What an item does: no Mana or Faith, no gestures; a scroll is read aloud."""
    if item.power is not None:
        return _power(item.power, "", 0, 3, False, item.kind == "scroll")
    if item.holds is None or item.holds not in spells:
        raise BattlematError(f"item {item.name!r}: holds: no spell or blessing is called {item.holds!r}")
    held = spells[item.holds]
    if item.kind == "potion" and held.aim != "ally":
        raise BattlematError(f"item {item.name!r}: holds: a potion holds what is cast on an ally")
    return msgspec.structs.replace(
        held, pool="", price=0, ap=3, gesture=False, incantation=item.kind == "scroll",
        reach=1 if item.kind == "potion" else held.reach,
    )  # fmt: skip


NO_MAGIC = Grimoire({}, {})
"""A fight without any."""
