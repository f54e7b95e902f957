"""Weapons, shields and armor as data (olde.md §6): validated at the door, flat and fast inside."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import msgspec
from pydantic import BaseModel, Field, model_validator

from rules.core.validate import STRICT, Whole, validated
from rules.olde.skills import known


class ModeModel(BaseModel):
    """One way to use a weapon."""

    model_config = STRICT
    skill: str
    stat: Literal["brawn", "finesse"]
    kind: Literal["melee", "ranged", "thrown"]
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
            raise ValueError(f"no skill is called {self.skill!r}")
        if self.kind == "melee":
            if self.reach is None or not 0 <= self.reach[0] <= self.reach[1] <= 10:
                raise ValueError("a melee mode needs reach = [nearest, farthest], 0 to 10")
        elif self.base is None or self.limit is None:
            raise ValueError("a ranged or thrown mode needs base and limit")
        return self


class WeaponModel(BaseModel):
    """A weapon of weapons.toml."""

    model_config = STRICT
    name: str = Field(min_length=1)
    modes: tuple[ModeModel, ...] = Field(min_length=1)
    size: Whole = Field(default=1, ge=0)
    cost: Whole = Field(default=0, ge=0)
    natural: bool = False
    element: Literal["fire"] | None = None


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
    finesse: bool
    """True: Finesse dice and the Finesse column of outcomes; False: Brawn."""
    kind: str
    near: int
    far: int
    """Melee: the reach interval. Ranged: nearest (1) and base × limit."""
    base: int
    one_hand: int
    two_hands: int
    """Brawn minimum by grip; two_hands is −1 where the weapon has no two-handed grip."""
    hands: int
    reset: int
    """Brawn from which a crossbow is reset for 1 AP; −1 for anything else."""
    damage: int

    @property
    def ranged(self) -> bool:
        return self.kind != "melee"


class Weapon(msgspec.Struct, frozen=True):
    """A weapon in a fight."""

    name: str
    modes: tuple[Mode, ...]
    natural: bool = False
    element: str = ""
    """`fire`, or empty for none that a rule asks for."""

    @property
    def hands(self) -> int:
        """Hands that it needs at least."""
        return 0 if self.natural else min(mode.hands for mode in self.modes)

    def shoots(self, mode: Mode) -> bool:
        """Whether a mode takes an arrow, a bolt or a stone: bows, crossbows and slings, nothing thrown or grown."""
        return mode.kind == "ranged" and not self.natural


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


FIRE = "fire"
"""The element that rules ask for: burnt wounds neither heal nor divide."""
UNARMED = Weapon("unarmed", (Mode("Brawling", False, "melee", 0, 1, 0, 0, -1, 0, -1, 0),), natural=True)
IMPROVISED = Weapon("improvised", (Mode("Brawling", False, "melee", 0, 1, 0, 0, -1, 1, -1, 0),))
"""A small improvised weapon, a mug or a stone: unarmed damage and 1 more per full 5 Brawn."""


def _mode(model: ModeModel, natural: bool) -> Mode:
    if model.kind == "melee":
        near, far = model.reach or (0, 1)
        one = model.one_hand if model.one_hand is not None else model.two_hands or 0
        two = model.two_hands if model.two_hands is not None else -1
        hands = 0 if natural else (1 if model.one_hand is not None else 2)
        return Mode(model.skill, model.stat == "finesse", "melee", near, far, 0, one, two, hands, -1, model.damage)
    base, limit = model.base or 1, model.limit or 1
    reset = -1 if model.brawn_reset is None else model.brawn_reset
    finesse = model.stat == "finesse"
    hands = 0 if natural else model.hands
    return Mode(model.skill, finesse, model.kind, 1, base * limit, base, model.brawn, -1, hands, reset, model.damage)


class Armoury:
    """All gear of a fight by name."""

    def __init__(self, weapons: Mapping[str, Weapon], shields: Mapping[str, Shield], armor: Mapping[str, Armor]):
        self.weapons = {UNARMED.name: UNARMED, IMPROVISED.name: IMPROVISED, **weapons}
        self.shields = dict(shields)
        self.armor = dict(armor)

    @classmethod
    def from_tables(cls, tables: Mapping[str, Sequence[Mapping[str, Any]]]) -> Armoury:
        """Validate raw tables (`weapons`, `shields`, `armor`). Raises BattlematError naming entry and field."""
        weapons = {}
        for raw in tables.get("weapons", ()):
            w = validated(WeaponModel, raw, "weapon")
            weapons[w.name] = Weapon(w.name, tuple(_mode(m, w.natural) for m in w.modes), w.natural, w.element or "")
        shields = {}
        for raw in tables.get("shields", ()):
            s = validated(ShieldModel, raw, "shield")
            shields[s.name] = Shield(s.name, s.defense, s.brawn, s.spell)
        armor = {}
        for raw in tables.get("armor", ()):
            a = validated(ArmorModel, raw, "armor")
            armor[a.name] = Armor(a.name, a.reduction, a.brawn)
        return cls(weapons, shields, armor)
