"""Weapons, shields and armor as data (olde.md §6): validated at the door, flat and fast inside."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, Literal

import msgspec
from pydantic import BaseModel, Field, field_validator, model_validator

from rules.contract.actions import Adjustment
from rules.contract.text import joined, text
from rules.core.fixtures.contents import coins_in
from rules.core.fixtures.treasure import Treasury
from rules.core.validate import STRICT, Whole, validated
from rules.olde.skills import known

MELEE, RANGED, THROWN = "melee", "ranged", "thrown"
Use = Literal["melee", "ranged", "thrown"]
"""Ways to use a weapon."""


class ModeModel(BaseModel):
    """One way to use a weapon."""

    model_config = STRICT
    skill: str
    stat: Literal["brawn", "finesse"]
    kind: Use
    reach: tuple[Whole, Whole] | None = None
    one_hand: Whole | None = Field(default=None, ge=0, le=40)
    two_hands: Whole | None = Field(default=None, ge=0, le=40)
    base: Whole | None = Field(default=None, ge=1, le=100)
    limit: Whole | None = Field(default=None, ge=1, le=16)
    hands: Whole = Field(default=1, ge=0, le=2)
    brawn: Whole = Field(default=0, ge=0, le=40)
    brawn_reset: Whole | None = Field(default=None, ge=0, le=40)
    damage: Whole = Field(ge=0, le=100)

    @model_validator(mode="after")
    def _whole(self) -> ModeModel:
        if not known(self.skill):
            raise ValueError(text("no skill is called {skill}", repr(self.skill)))
        if self.kind == MELEE:
            if self.reach is None or not 0 <= self.reach[0] <= self.reach[1] <= 10:
                raise ValueError("a melee mode needs reach = [nearest, farthest], 0 to 10")
        elif self.base is None or self.limit is None:
            raise ValueError("a ranged or thrown mode needs base and limit")
        return self


class Property(msgspec.Struct, frozen=True, kw_only=True):
    """What is special about a weapon beside its figures. A new one is a line in `PROPERTIES`, and weapons name it."""

    name: str
    rule: str = "olde.md §6 weapons"
    attack: int = 0  # added to attacks with the weapon
    damage: int = 0  # added to their damage
    per_brawn: int = 0  # for each so many full points of Brawn one more damage
    brawn_die: bool = False  # it deals half a Brawn die, rounded up
    natural: bool = False  # it is part of its bearer: no hands hold it, nobody drops, throws or loads it
    element: str = ""  # what it hurts with, where a rule asks for that

    def adjustments(self, to: str, brawn: int) -> tuple[Adjustment, ...]:
        """What it adds to `attack` or `damage` in the hands of somebody with so much Brawn."""
        value = self.attack if to == "attack" else self.damage + (brawn // self.per_brawn if self.per_brawn else 0)
        return (Adjustment(to, value, text("{name} weapon", self.name), self.rule),) if value else ()


FIRE = "fire"
"""The element that rules ask for: burnt wounds neither heal nor divide."""
NATURAL = Property(name="natural", natural=True)
BURNING = Property(name="burning", element=FIRE)
BARE = Property(name="bare", rule="olde.md §6 unarmed", brawn_die=True)
MAKESHIFT = Property(name="improvised", rule="olde.md §6 unarmed", brawn_die=True, per_brawn=5)
PROPERTIES: Mapping[str, Property] = MappingProxyType({p.name: p for p in (NATURAL, BURNING, BARE, MAKESHIFT)})
"""All of them by name."""


class WeaponModel(BaseModel):
    """A weapon of weapons.toml."""

    model_config = STRICT
    name: str = Field(min_length=1)
    modes: tuple[ModeModel, ...] = Field(min_length=1)
    size: Whole = Field(default=1, ge=0)
    cost: Whole = Field(default=0, ge=0)
    natural: bool = False
    element: Literal["fire"] | None = None
    properties: tuple[str, ...] = Field(
        default=(), json_schema_extra={"items": {"enum": list(PROPERTIES), "type": "string"}}
    )

    @field_validator("properties")
    @classmethod
    def _known_properties(cls, names: tuple[str, ...]) -> tuple[str, ...]:
        for name in names:
            if name not in PROPERTIES:
                raise ValueError(text("{name} is none of {properties}", repr(name), joined(", ", PROPERTIES)))
        return names

    def all_properties(self) -> tuple[Property, ...]:
        """Those that it names, and those that fields of their own stand for."""
        own = (*((NATURAL,) if self.natural else ()), *((BURNING,) if self.element == FIRE else ()))
        return (*own, *(PROPERTIES[name] for name in self.properties if PROPERTIES[name] not in own))


class ShieldModel(BaseModel):
    """A shield of shields.toml."""

    model_config = STRICT
    name: str = Field(min_length=1)
    defense: Whole = Field(ge=0, le=20)
    brawn: Whole = Field(ge=0, le=40)
    spell: Whole = Field(le=0)
    size: Whole = Field(ge=0)
    cost: Whole = Field(ge=0)


class ArmorModel(BaseModel):
    """A suit of armor.toml."""

    model_config = STRICT
    name: str = Field(min_length=1)
    category: Literal["light", "medium", "heavy"]
    reduction: Whole = Field(ge=0, le=20)
    brawn: Whole = Field(ge=0, le=40)
    size: Whole = Field(ge=0)
    cost: Whole = Field(ge=0)


class Mode(msgspec.Struct, frozen=True):
    """A way to use a weapon, ready for use in a fight. Reach and range are in spaces."""

    skill: str
    finesse: bool  # True: Finesse dice and the Finesse column of outcomes; False: Brawn
    kind: str
    near: int
    far: int  # melee: the reach interval. Ranged: nearest (1) and base × limit
    base: int
    one_hand: int
    two_hands: int  # Brawn minimum by grip; two_hands is −1 where the weapon has no two-handed grip
    hands: int
    reset: int  # Brawn from which it is reset for 1 AP after each shot, as a crossbow is; −1 where it need not be
    damage: int

    @property
    def ranged(self) -> bool:
        return self.kind != MELEE


class Weapon(msgspec.Struct, frozen=True):
    """A weapon in a fight."""

    name: str
    modes: tuple[Mode, ...]
    properties: tuple[Property, ...] = ()
    natural: bool = False  # whether a property makes it so: asked often
    element: str = ""  # what a property hurts with: `fire`, or empty for none that a rule asks for

    @classmethod
    def of(cls, name: str, modes: tuple[Mode, ...], properties: tuple[Property, ...] = ()) -> Weapon:
        """A weapon with what its properties make of it."""
        natural = any(each.natural for each in properties)
        return cls(name, modes, properties, natural, next((each.element for each in properties if each.element), ""))

    def adjustments(self, to: str, brawn: int) -> tuple[Adjustment, ...]:
        """What its properties add to `attack` or `damage`."""
        if not self.properties:
            return ()
        return tuple(each for own in self.properties for each in own.adjustments(to, brawn))

    @property
    def brawn_die(self) -> bool:
        """Whether it deals half a Brawn die."""
        return any(each.brawn_die for each in self.properties)

    @property
    def hands(self) -> int:
        """Hands that it needs at least."""
        return 0 if self.natural else min(mode.hands for mode in self.modes)

    def shoots(self, mode: Mode) -> bool:
        """Whether a mode takes an arrow, a bolt or a stone: bows, crossbows and slings, nothing thrown or grown."""
        return mode.kind == RANGED and not self.natural

    def flies(self, mode: Mode) -> bool:
        """Whether a mode lets go of it: it lies in the target's space afterwards."""
        return mode.kind == THROWN and not self.natural


class Shield(msgspec.Struct, frozen=True):
    """A shield in a fight."""

    name: str
    defense: int
    brawn: int
    spell: int


class Armor(msgspec.Struct, frozen=True):
    """A suit of armor in a fight."""

    name: str
    reduction: int
    brawn: int


BARE_HANDS = Mode(
    skill="Brawling", finesse=False, kind=MELEE, near=0, far=1, base=0, one_hand=0, two_hands=-1, hands=0, reset=-1,
    damage=0,
)  # fmt: skip
UNARMED = Weapon.of("unarmed", (BARE_HANDS,), (NATURAL, BARE))
IMPROVISED = Weapon.of("improvised", (msgspec.structs.replace(BARE_HANDS, hands=1, damage=1),), (MAKESHIFT,))
"""A small improvised weapon, a mug or a stone: unarmed damage and 1 more per full 5 Brawn."""


def _mode(model: ModeModel, natural: bool) -> Mode:
    one, two, reset, base = model.brawn, -1, -1, 0
    if model.kind == MELEE:
        near, far = model.reach or (0, 1)
        one = model.one_hand if model.one_hand is not None else model.two_hands or 0
        two = model.two_hands if model.two_hands is not None else -1
        hands = 1 if model.one_hand is not None else 2
    else:
        base = model.base or 1
        near, far, hands = 1, base * (model.limit or 1), model.hands
        reset = -1 if model.brawn_reset is None else model.brawn_reset
    return Mode(
        skill=model.skill, finesse=model.stat == "finesse", kind=model.kind, near=near, far=far, base=base,
        one_hand=one, two_hands=two, hands=0 if natural else hands, reset=reset, damage=model.damage,
    )  # fmt: skip


class Armoury:
    """All gear of a fight by name."""

    def __init__(self, weapons: Mapping[str, Weapon], shields: Mapping[str, Shield], armor: Mapping[str, Armor]):
        self.weapons = {UNARMED.name: UNARMED, IMPROVISED.name: IMPROVISED, **weapons}
        self.shields = dict(shields)
        self.armor = dict(armor)
        self.treasury = Treasury({})
        self.used: frozenset[str] = frozenset()
        """Names of potions, scrolls and devices."""
        self._sizes: Mapping[str, int] = {}
        self._prices: Mapping[str, int] = {}

    def size(self, item: str) -> int:
        """What a thing takes to carry; 1 for one that no table has."""
        found = self._sizes.get(item)
        if found is not None:
            return found
        goods = self.treasury.goods.get(item)
        return 1 if goods is None else goods.load

    def worth(self, item: str) -> int:
        """Coins that a thing is worth; nothing is known of what no table has."""
        if count := coins_in(item):
            return count
        goods = self.treasury.goods.get(item)
        return self._prices.get(item, 0) if goods is None else goods.worth

    @classmethod
    def from_tables(cls, tables: Mapping[str, Sequence[Mapping[str, Any]]]) -> Armoury:
        """Validate raw tables (`weapons`, `shields`, `armor`). Raises BattlematError naming entry and field."""
        weapons = {}
        for raw in tables.get("weapons", ()):
            w = validated(WeaponModel, raw, "weapon")
            own = w.all_properties()
            natural = any(each.natural for each in own)
            weapons[w.name] = Weapon.of(w.name, tuple(_mode(m, natural) for m in w.modes), own)
        shields = [validated(ShieldModel, raw, "shield") for raw in tables.get("shields", ())]
        armor = [validated(ArmorModel, raw, "armor") for raw in tables.get("armor", ())]
        known = cls(
            weapons,
            {s.name: Shield(s.name, s.defense, s.brawn, s.spell) for s in shields},
            {a.name: Armor(a.name, a.reduction, a.brawn) for a in armor},
        )
        raws = [raw for table in ("weapons", "shields", "armor", "items") for raw in tables.get(table, ())]
        known.treasury = Treasury(tables)
        known.used = frozenset(raw["name"] for raw in tables.get("items", ()))
        known._sizes = {raw["name"]: raw.get("size", 1) for raw in raws}
        known._prices = {raw["name"]: raw.get("cost", 0) for raw in raws}
        return known
