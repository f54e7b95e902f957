"""Spells, blessings and items as data: validated at the door, flat and fast inside (house content, docs/magic.md).

The rules of casting are olde.md §3 and §4; which spells there are, and what they do, is ours: no list was published.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal

import msgspec
from pydantic import BaseModel, Field, model_validator

from rules.errors import BattlematError
from rules.olde.conditions import meaning
from rules.validate import STRICT, validated

Small = Annotated[int, Field(strict=True, ge=-9, le=9)]
Stat = Literal["brawn", "finesse", "savvy", "nerve"]
Condition = Literal["asleep", "rooted", "slowed", "silenced", "blinded", "frightened", "dazed", "exhausted",
                    "fatigued", "restrained"]  # fmt: skip

POOL_OF = {"spells": "mana", "blessings": "faith"}
"""What pays for each kind."""


class DiceModel(BaseModel):
    """An effect roll: the caster's stat die unless `die` names a rank, exploding unless stated otherwise."""

    model_config = STRICT
    count: Annotated[int, Field(strict=True, ge=1, le=6)] = 1
    die: Annotated[int, Field(strict=True, ge=2, le=30)] | None = None
    exploding: bool = True
    half: bool = False
    """The total is halved, rounded up."""
    plus: Small = 0


class LastingModel(BaseModel):
    """What stays on a creature for some turns: a condition, adjustments, or both."""

    model_config = STRICT
    turns: Annotated[int, Field(strict=True, ge=1, le=60)]
    """It ends in so many-th reset."""
    condition: Condition | None = None
    attack: Small = 0
    defense: Small = 0
    damage: Small = 0
    armor: Small = 0
    ap: Small = 0
    checks: Small = 0
    recover: Stat | None = None
    """A check of this stat in each reset, against the casting's total, ends it early."""

    @model_validator(mode="after")
    def _something(self) -> LastingModel:
        if self.condition is None and not any(
            (self.attack, self.defense, self.damage, self.armor, self.ap, self.checks)
        ):
            raise ValueError("needs a condition or an adjustment other than 0")
        return self


class ZoneModel(BaseModel):
    """What stays on the ground for some turns."""

    model_config = STRICT
    kind: Literal["stone", "force", "thorns", "light"]
    turns: Annotated[int, Field(strict=True, ge=1, le=60)]


class SummonModel(BaseModel):
    """Who is called, for how many turns; the stats as in any stat block."""

    model_config = STRICT
    name: str = Field(min_length=1)
    kind: str = "Spirit"
    art: str
    turns: Annotated[int, Field(strict=True, ge=1, le=60)]
    brawn: Annotated[int, Field(strict=True, ge=1, le=60)]
    finesse: Annotated[int, Field(strict=True, ge=1, le=60)]
    savvy: Annotated[int, Field(strict=True, ge=1, le=60)]
    nerve: Annotated[int, Field(strict=True, ge=1, le=60)]
    size: Literal["small", "medium"] = "medium"
    temperament: str = "brute"
    weapons: tuple[str, ...] = Field(min_length=1)
    skills: dict[str, str] = {}


class PowerModel(BaseModel):
    """What magic does: shared by spells, blessings and items."""

    model_config = STRICT
    name: str = Field(min_length=1, max_length=40)
    summary: str = Field(min_length=1, max_length=200)
    aim: Literal["self", "ally", "enemy", "space"] = "self"
    range: Annotated[int, Field(strict=True, ge=0, le=40)] = 0
    """Spaces to the target or the place aimed at; 0 with aim `self`."""
    shape: Literal["one", "burst", "blast", "cone", "line", "wall"] = "one"
    """`burst` = around the caster, `blast` = around the place aimed at, `wall` = across the way there."""
    size: Annotated[int, Field(strict=True, ge=0, le=20)] = 0
    """Radius of a burst or blast, length of a cone, line or wall, in spaces."""
    affects: Literal["foes", "friends", "all"] = "foes"
    only: tuple[str, ...] = ()
    """Kinds of creatures that it works on; empty = all."""
    spares: tuple[str, ...] = ()
    """Kinds of creatures that it does nothing to."""
    against: Literal["rating", "defense", "brawn", "finesse", "savvy", "nerve"] = "rating"
    """The casting check is made against a fixed rating, or opposed: Defense, or two dice of a stat (olde.md §3)."""
    rating: Annotated[int, Field(strict=True, ge=3, le=21)] = 6
    dice: DiceModel | None = None
    does: Literal["nothing", "harm", "heal", "mana", "faith"] = "nothing"
    """What the effect roll is for."""
    pierces: bool = False
    """Armor does not help against its harm."""
    element: Literal["fire"] | None = None
    cures: tuple[Literal["bleeding", "stunned"] | Condition, ...] = ()
    lasting: LastingModel | None = None
    zone: ZoneModel | None = None
    summon: SummonModel | None = None

    @model_validator(mode="after")
    def _whole(self) -> PowerModel:
        if (self.does != "nothing") != (self.dice is not None):
            raise ValueError("dice and does go together: an effect roll says what it is for")
        if not (self.dice or self.cures or self.lasting or self.zone or self.summon):
            raise ValueError("does nothing: needs dice, cures, lasting, zone or summon")
        places = {
            "one": (0, 0),
            "burst": (1, 12),
            "blast": (0, 12),
            "cone": (2, 12),
            "line": (2, 20),
            "wall": (1, 9),
        }
        low, high = places[self.shape]
        if not low <= self.size <= high:
            raise ValueError(f"size: a {self.shape} has a size of {low} to {high}")
        if (self.shape in ("blast", "cone", "line", "wall")) != (self.aim == "space" and self.summon is None):
            raise ValueError(
                "aim: blasts, cones, lines and walls aim at a space, and nothing else but summons does"
            )
        if self.shape == "burst" and self.aim != "self":
            raise ValueError("aim: a burst is around oneself")
        if (self.shape == "wall") != (self.zone is not None and self.zone.kind != "light"):
            raise ValueError("shape: a wall needs a zone of stone, force or thorns, and these need a wall")
        near = self.shape in ("cone", "line") or self.aim == "self"
        if near == bool(self.range):
            raise ValueError("range: at least 1 space; none for oneself, cones and lines")
        return self


class SpellModel(PowerModel):
    """A spell of spells.toml: Wizardry, paid in Mana."""

    ap: Annotated[int, Field(strict=True, ge=1, le=3)] = 2
    mana: Annotated[int, Field(strict=True, ge=1, le=20)]
    gesture: bool = True
    incantation: bool = True


class BlessingModel(PowerModel):
    """A blessing of blessings.toml: Faith, paid in Faith."""

    ap: Annotated[int, Field(strict=True, ge=1, le=3)] = 2
    faith: Annotated[int, Field(strict=True, ge=1, le=20)]
    gesture: bool = True
    incantation: bool = True


class ItemModel(BaseModel):
    """A potion, scroll or device of items.toml: it holds a spell or blessing, or a power of its own; used up by use."""

    model_config = STRICT
    name: str = Field(min_length=1, max_length=40)
    kind: Literal["potion", "scroll", "device"]
    summary: str = Field(min_length=1, max_length=200)
    holds: str | None = None
    """Name of the spell or blessing in it."""
    power: PowerModel | None = None
    rank: Annotated[int, Field(strict=True, ge=3, le=20)] = 7
    """The maker's stat: it is rolled instead of the user's."""
    size: int = Field(default=1, ge=0)
    cost: int = Field(ge=0)

    @model_validator(mode="after")
    def _one(self) -> ItemModel:
        if (self.holds is None) == (self.power is None):
            raise ValueError("holds a spell or has a power of its own: exactly one of the two")
        if self.kind == "potion" and self.power is not None and self.power.aim != "ally":
            raise ValueError("power.aim: a potion is for an ally")
        return self


# -- in a fight -----------------------------------------------------------------------------------------


class EffectDice(msgspec.Struct, frozen=True):
    """An effect roll; rank 0 = the caster's stat."""

    count: int
    rank: int
    exploding: bool
    half: bool
    plus: int


class Lasting(msgspec.Struct, frozen=True):
    """What a spell leaves on a creature."""

    turns: int
    condition: str = ""
    attack: int = 0
    defense: int = 0
    damage: int = 0
    armor: int = 0
    ap: int = 0
    checks: int = 0
    recover: str = ""
    physical: int = 0
    """Added to checks of Brawn and Finesse only."""
    rule: str = ""
    """Where it comes from, if not from a spell."""


class Effect(msgspec.Struct, frozen=True):
    """A spell's lasting effect on a creature."""

    name: str
    by: int
    """Number of the caster."""
    turns: int
    """Resets still to go; it ends in the last of them."""
    rating: int
    """What a recovery check is made against: the casting's total."""
    lasting: Lasting


class Zone(msgspec.Struct, frozen=True):
    """A spell's lasting effect on the ground."""

    name: str
    kind: str
    """`stone`, `force`, `thorns` or `light`."""
    cells: int
    by: int
    turns: int
    centre: int = -1
    radius: int = 0


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
