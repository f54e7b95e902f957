"""Weapons, armour and shields as data (countup.md §5.1, §5.2): validated at the door, flat inside."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import msgspec
from pydantic import BaseModel, Field, field_validator

from rules.core.validate import STRICT, validated
from rules.countup.penetration import Die, parse

SPEED_FLOOR: Mapping[str, int] = {"T": 1, "S": 2, "M": 3, "L": 4}
"""The fastest that weapons of a size may be, in seconds (countup.md §1)."""
BRACKET_DICE = (20, 12, 8, 4)
"""The attack dice of the four range brackets."""


LOWER = "lower of "
"""Before the dice of which only the lowest counts."""


def _dice(value: str) -> str:
    if value and value != "0":
        parse(value.removeprefix(LOWER))
    return value


class WeaponModel(BaseModel):
    """A weapon, or a natural attack. Reach and brackets are in feet, times in seconds."""

    model_config = STRICT
    name: str = Field(min_length=1)
    size: Literal["T", "S", "M", "L"] = "M"
    speed: int = Field(ge=1, le=60)
    jab: int = Field(default=0, ge=0, le=60)
    """Speed of a jab; 0 where the weapon can't."""
    damage: str
    shield: str = ""
    """Dice of damage to a shield that is struck, `lower of 2d6p`, or `0`; left out: by the kind of weapon."""
    reach: float = Field(default=0.0, ge=0, le=30)
    kind: str = Field(default="C", pattern=r"^[CHP](/[CHP])?$")
    """Crushing, hacking, piercing."""
    hands: int = Field(default=1, ge=0, le=2)
    strength: int = Field(default=0, ge=0, le=30)
    settable: bool = False
    """Can be set against a charge."""
    knife: bool = False
    """May be used for the free strike of a near-perfect defence."""
    brackets: tuple[int, ...] = ()
    """Missile weapons: the far bounds of the four range brackets, in feet."""
    load: int = Field(default=0, ge=0, le=120)
    draw: int = Field(default=0, ge=0, le=60)
    fire: int = Field(default=0, ge=0, le=60)
    recover: int = Field(default=0, ge=0, le=60)
    thrown: bool = False
    burning: bool = False
    """Wounds by fire don't come back by themselves."""
    rider: str = ""
    """What a hit does besides: `Physical: helpless 30`."""
    natural: bool = False
    cost: int = Field(default=0, ge=0)

    @field_validator("damage", "shield")
    @classmethod
    def _declared(cls, value: str) -> str:
        return _dice(value)

    @field_validator("brackets")
    @classmethod
    def _four(cls, value: tuple[int, ...]) -> tuple[int, ...]:
        if value and (len(value) != 4 or list(value) != sorted(value)):
            raise ValueError("brackets are four ascending distances in feet")
        return value


class ArmourModel(BaseModel):
    """A suit: damage reduction and what it costs in defence, initiative, speed and movement."""

    model_config = STRICT
    name: str = Field(min_length=1)
    reduction: int = Field(ge=0, le=20)
    defence: int = Field(default=0, ge=-20, le=20)
    initiative: int = Field(default=0, ge=-10, le=10)
    speed: int = Field(default=0, ge=0, le=10)
    quarters: int = Field(default=4, ge=1, le=4)
    """Quarters of the usual pace at jog, run and sprint."""
    cost: int = Field(default=0, ge=0)


class ShieldModel(BaseModel):
    """A shield: bonus of defence, damage reduction, cover against missiles (a cap on their totals)."""

    model_config = STRICT
    name: str = Field(min_length=1)
    size: Literal["S", "M", "L"]
    defence: int = Field(ge=0, le=20)
    reduction: int = Field(ge=0, le=20)
    cover: int = Field(ge=1, le=40)
    crouched: int = Field(default=0, ge=0, le=40)
    cost: int = Field(default=0, ge=0)


class Weapon(msgspec.Struct, frozen=True):
    """A weapon in a fight, with its properties; see `WeaponModel`."""

    name: str
    size: str
    speed: int
    dice: tuple[Die, ...]
    jab: int = 0
    flat: int = 0
    shield_dice: tuple[Die, ...] = ()
    shield_flat: int = 0
    reach: float = 0.0
    kind: str = "C"
    hands: int = 0
    settable: bool = False
    knife: bool = False
    brackets: tuple[int, ...] = ()
    phases: tuple[int, int, int, int] = (0, 0, 0, 0)
    """Seconds to load, draw, fire and recover; taking aim comes between."""
    thrown: bool = False
    rider: str = ""
    natural: bool = False
    strength: int = 0
    burning: bool = False

    @property
    def ranged(self) -> bool:
        return bool(self.brackets)

    @property
    def squares(self) -> int:
        """Reach in spaces: 1 + ⌊feet / 5⌋ (countup.md §3)."""
        return 1 + int(self.reach // 5)


class Armour(msgspec.Struct, frozen=True):
    """A suit in a fight."""

    name: str
    reduction: int
    defence: int
    initiative: int
    speed: int
    quarters: int


class Shield(msgspec.Struct, frozen=True):
    """A shield in a fight."""

    name: str
    size: str
    defence: int
    reduction: int
    cover: int
    crouched: int = 0


_SAME = tuple(name for name in WeaponModel.model_fields if name in Weapon.__struct_fields__)


def weapon_from(model: WeaponModel) -> Weapon:
    """A weapon ready for a fight; damage to shields by its kind where the table is silent (countup.md §2.2)."""
    dice, flat = parse(model.damage)
    if model.shield:
        shield_dice, shield_flat = _against_shields(model.shield)
    else:
        shield_dice, shield_flat = _by_kind(dice, model.kind)
    own = {name: getattr(model, name) for name in _SAME}
    phases = (model.load, model.draw, model.fire, model.recover)
    return Weapon(**own, dice=dice, flat=flat, shield_dice=shield_dice, shield_flat=shield_flat, phases=phases)


def _against_shields(text: str) -> tuple[tuple[Die, ...], int]:
    """The table's dice against a shield: `d8p`, `lower of 2d6p`, `0`."""
    if text == "0":
        return (), 0
    dice, flat = parse(text.removeprefix(LOWER))
    if text.startswith(LOWER):
        dice = tuple(msgspec.structs.replace(die, lowest=True) for die in dice)
    return dice, flat


def _by_kind(dice: tuple[Die, ...], kind: str) -> tuple[tuple[Die, ...], int]:
    """Crushing: half the dice, the larger; hacking: half, the smaller; piercing: none, it does 1."""
    single = sorted((die.faces for die in dice for _ in range(die.count)), reverse=kind.startswith("C"))
    if kind.startswith("P"):
        return (), 1
    return tuple(Die(1, faces) for faces in single[: max(1, len(single) // 2)]), 0


_FISTS = (Die(1, 4, flat=-2), Die(1, 4, flat=-2))
UNARMED = Weapon("unarmed", "S", speed=10, dice=_FISTS, shield_dice=_FISTS, natural=True)


class Armoury:
    """All gear of a fight by name."""

    def __init__(
        self, weapons: Mapping[str, Weapon], armour: Mapping[str, Armour], shields: Mapping[str, Shield]
    ) -> None:
        self.weapons = {UNARMED.name: UNARMED, **weapons}
        self.armour = dict(armour)
        self.shields = dict(shields)

    @classmethod
    def from_tables(cls, tables: Mapping[str, Sequence[Mapping[str, Any]]]) -> Armoury:
        """Validate raw tables (`weapons`, `armour`, `shields`). Raises BattlematError naming entry and field."""
        weapons = {}
        for raw in tables.get("weapons", ()):
            w = validated(WeaponModel, raw, "weapon")
            weapons[w.name] = weapon_from(w)
        armour = {}
        for raw in tables.get("armour", ()):
            a = validated(ArmourModel, raw, "armour")
            armour[a.name] = Armour(**a.model_dump(exclude={"cost"}))
        shields = {}
        for raw in tables.get("shields", ()):
            s = validated(ShieldModel, raw, "shield")
            shields[s.name] = Shield(**s.model_dump(exclude={"cost"}))
        return cls(weapons, armour, shields)
