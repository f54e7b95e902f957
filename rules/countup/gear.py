"""Weapons, armour, shields and spells as data (countup.md §5.1, §5.2, §5.4): validated at the door, and used as they
are. Distances in feet and times in seconds; what says so is in spaces."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from functools import cached_property
from typing import Annotated, Any, Literal, NamedTuple, TypeVar

import msgspec
from pydantic import BaseModel, Field, field_validator

from rules.contract.units import INSTANT, SECOND, Feet, Seconds
from rules.core.fixtures.contents import coins_in
from rules.core.fixtures.treasure import Treasury
from rules.core.validate import STRICT, validated
from rules.countup.penetration import Die, parse

SPEED_FLOOR: Mapping[str, Seconds] = {"T": Seconds(1), "S": Seconds(2), "M": Seconds(3), "L": Seconds(4)}
"""The fastest that weapons of a size may be, in seconds (countup.md §1)."""
BRACKET_DICE = (20, 12, 8, 4)
"""The attack dice of the four range brackets."""
COST = 30
STEP = 10
"""Spell points: 30 and 10 more for every index."""
LOWER = "lower of "
"""Before the dice of which only the lowest counts."""
COINS_A_POUND = 100
OUNCES = 16
"""In a pound."""
COPPER = 10
"""Copper pieces in a silver piece: the coins that lie about are silver (OURS)."""
Name = Annotated[str, Field(min_length=1)]
Most20 = Annotated[int, Field(ge=0, le=20)]
Seconds60 = Annotated[Seconds, Field(ge=0, le=60)]


class Amount(NamedTuple):
    """Dice and a flat number besides."""

    dice: tuple[Die, ...] = ()
    flat: int = 0

    @property
    def mean(self) -> float:
        """About what it comes to, penetration aside."""
        return self.flat + sum(die.count * (die.faces + 1) / 2 for die in self.dice)

    @classmethod
    def read(cls, declared: str) -> Amount:
        """`2d8p+2`, `lower of 2d6p`; nothing where nothing or `0` is declared. Raises BattlematError."""
        if declared in ("", "0"):
            return cls()
        dice, flat = parse(declared.removeprefix(LOWER))
        if declared.startswith(LOWER):
            dice = tuple(msgspec.structs.replace(die, lowest=True) for die in dice)
        return cls(dice, flat)


def _declared(value: str) -> str:
    Amount.read(value)
    return value


class Rider(NamedTuple):
    """What a hit does besides, unless it is saved against."""

    save: str
    effect: str
    seconds: Seconds


class Weapon(BaseModel):
    """A weapon, or a natural attack. Reach and brackets are in feet, times in seconds."""

    model_config = STRICT
    name: Name
    size: Literal["T", "S", "M", "L"] = "M"
    speed: Seconds = Field(ge=1, le=60)
    jab: Seconds60 = INSTANT
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
    brackets: tuple[Feet, ...] = ()
    """Missile weapons: the far bounds of the four range brackets, in feet."""
    load: Seconds = Field(default=INSTANT, ge=0, le=120)
    draw: Seconds60 = INSTANT
    fire: Seconds60 = INSTANT
    recover: Seconds60 = INSTANT
    thrown: bool = False
    burning: bool = False
    """Wounds by fire don't come back by themselves."""
    rider: str = ""
    """What a hit does besides: `Physical: helpless 30`."""
    natural: bool = False
    cost: int = Field(default=0, ge=0)
    """In copper pieces."""
    weight: int = Field(default=0, ge=0)
    """In ounces."""

    _dice = field_validator("damage", "shield")(_declared)

    @field_validator("brackets")
    @classmethod
    def _four(cls, value: tuple[Feet, ...]) -> tuple[Feet, ...]:
        if value and (len(value) != 4 or list(value) != sorted(value)):
            raise ValueError("brackets are four ascending distances in feet")
        return value

    @cached_property
    def harm(self) -> Amount:
        """Its dice of damage."""
        return Amount.read(self.damage)

    @cached_property
    def shield_harm(self) -> Amount:
        """Damage to shields, by its kind where the table is silent (countup.md §2.2): crushing half the dice, the
        larger; hacking half, the smaller; piercing 1."""
        if self.shield:
            return Amount.read(self.shield)
        if self.kind.startswith("P"):
            return Amount((), 1)
        crushing = self.kind.startswith("C")
        single = sorted((die.faces for die in self.harm.dice for _ in range(die.count)), reverse=crushing)
        return Amount(tuple(Die(1, faces) for faces in single[: max(1, len(single) // 2)]))

    @cached_property
    def phases(self) -> tuple[Seconds, Seconds, Seconds, Seconds]:
        """Seconds to load, draw, fire and recover; taking aim comes between."""
        return self.load, self.draw, self.fire, self.recover

    @cached_property
    def ranged(self) -> bool:
        """Whether it is shot or thrown."""
        return bool(self.brackets)

    @cached_property
    def only_ranged(self) -> bool:
        """Whether it cannot be struck with at all."""
        return self.ranged and not self.reach

    @cached_property
    def unarmed(self) -> bool:
        """Whether it is the bare hand."""
        return self.name == UNARMED.name

    @cached_property
    def squares(self) -> int:
        """Reach in spaces: 1 + ⌊feet / 5⌋ (countup.md §3)."""
        return 1 + int(self.reach // 5)

    @cached_property
    def far(self) -> int:
        """How many spaces away it strikes, or shoots at most."""
        return self.brackets[-1] // 5 if self.ranged else self.squares

    @cached_property
    def besides(self) -> Rider | None:
        """Its rider, taken apart."""
        save, _, what = self.rider.partition(":")
        effect, _, seconds = what.strip().partition(" ")
        return Rider(save.strip().lower(), effect, Seconds(seconds or "10")) if self.rider else None


class _Fists(Weapon):
    """Bare hands: each of two dice is less 2, and none falls below 0."""

    @cached_property
    def harm(self) -> Amount:
        return Amount((Die(1, 4, flat=-2), Die(1, 4, flat=-2)))

    @cached_property
    def shield_harm(self) -> Amount:
        return self.harm


UNARMED = _Fists.model_construct(name="unarmed", size="S", speed=Seconds(10), damage="2d4p", hands=0, natural=True)


class Armour(BaseModel):
    """A suit: damage reduction and what it costs in defence, initiative, speed and movement."""

    model_config = STRICT
    name: Name
    reduction: Most20
    defence: int = Field(default=0, ge=-20, le=20)
    initiative: int = Field(default=0, ge=-10, le=10)
    speed: Seconds = Field(default=INSTANT, ge=0, le=10)
    quarters: int = Field(default=4, ge=1, le=4)
    """Quarters of the usual pace at jog, run and sprint."""
    kind: Literal["", "light", "medium", "heavy"] = ""
    """How it hinders nimble skills; thick robes are no armour in this (countup.md §2.9)."""
    cost: int = Field(default=0, ge=0)
    weight: int = Field(default=0, ge=0)


class Shield(BaseModel):
    """A shield: bonus of defence, damage reduction, cover against missiles (a cap on their totals)."""

    model_config = STRICT
    name: Name
    size: Literal["S", "M", "L"]
    defence: Most20
    reduction: Most20
    cover: int = Field(ge=1, le=40)
    crouched: int = Field(default=0, ge=0, le=40)
    cost: int = Field(default=0, ge=0)
    weight: int = Field(default=0, ge=0)


class Gear(BaseModel):
    """Something to carry that is neither weapon nor armour, of gear.toml."""

    model_config = STRICT
    name: Name
    cost: int = Field(default=0, ge=0)
    """In copper pieces."""
    weight: int = Field(default=0, ge=0)
    """In ounces."""
    lamp: Literal["", "candle", "lantern", "torch"] = ""
    """The light that it gives where it is lit."""
    tools: tuple[str, ...] = ()
    """Skills that it serves as tools for."""
    text: str = ""


class Aim(StrEnum):
    """What a spell needs to be pointed at."""

    NONE = "none"
    CREATURE = "creature"
    ALLY = "ally"
    """A creature, oneself among them."""
    SPACE = "space"
    DOOR = "door"


class Spell(BaseModel):
    """A spell of spells.toml. Distances in feet, times in seconds."""

    model_config = STRICT
    name: Name
    index: Most20 = 0
    casting: Annotated[Seconds, Field(ge=1, le=60)] = SECOND
    range: Annotated[Feet, Field(ge=0, le=600)] = Feet(0)
    """0 = the caster itself, 5 = touch."""
    radius: Annotated[Feet, Field(ge=0, le=100)] = Feet(0)
    per_level: bool = False
    """The range is for each level of the caster."""
    square: Annotated[Feet, Field(ge=0, le=50)] = Feet(0)
    """Feet across of an area that is a square at the space aimed at."""
    skips: Most20 = 0
    """How often it comes down, two spaces farther each time."""
    needs: Literal["none", "creature", "ally", "space", "door"] = "creature"
    save: Literal["", "physical", "mental", "dodge"] = ""
    half: bool = False
    """A save halves the damage instead of ending it."""
    damage: str = ""
    each_second: bool = False
    """The damage is done every second while the effect lasts."""
    missiles: Annotated[int, Field(ge=0, le=10)] = 0
    """Missiles at most, one for each level of the caster, each with the damage."""
    fire: bool = False
    heals: str = ""
    heals_anointed: str = ""
    """What it heals of one who is anointed; left out: the same."""
    door: Literal["", "closed", "open"] = ""
    """What becomes of a door: shut fast for the time, or burst open."""
    images: str = ""
    """Copies of the caster, by dice: a hit finds one of them as likely as the caster."""
    absorbs: Annotated[int, Field(ge=0, le=100)] = 0
    """Hit points that a ward takes in the wearer's stead."""
    effect: str = ""
    """`helpless`, `swift`, `blurred`, `blessed`, `enfeebled`, `bound`, `blind`, `panicked`, `charmed`, `asleep` …"""
    lasts: Annotated[Seconds, Field(ge=0, le=7200)] = INSTANT
    lasts_dice: str = ""
    """Thrown for every casting: so many times `lasts`."""
    zone: str = ""
    """Changed ground: `smoke`, `light`, `dark`, `slippery`."""
    divine: bool = False
    text: str = ""

    _dice = field_validator("damage", "heals", "heals_anointed", "images", "lasts_dice")(_declared)

    @cached_property
    def aim(self) -> Aim:
        """What it needs to be pointed at."""
        return Aim(self.needs)

    @cached_property
    def harm(self) -> Amount:
        """Its dice of damage."""
        return Amount.read(self.damage)

    @cached_property
    def cure(self) -> Amount:
        """Its dice of healing."""
        return Amount.read(self.heals)

    @cached_property
    def better_cure(self) -> Amount:
        """Those for the anointed, where they are others."""
        return Amount.read(self.heals_anointed)

    @cached_property
    def reach(self) -> int:
        """Its range in spaces."""
        return self.range // 5

    @property
    def shuts(self) -> bool:
        """Whether it shuts a door, rather than burst it open."""
        return self.door == "closed"

    @cached_property
    def wide(self) -> bool:
        """Works on an area, not on one creature."""
        return bool(self.radius or self.square)


class Armoury:
    """All gear and spells of a fight by name."""

    def __init__(self, tables: Mapping[str, Sequence[Mapping[str, Any]]]) -> None:
        """Validate tables (`weapons`, `armour`, `shields`, `spells`). Raises BattlematError naming entry and field."""
        self.weapons = {UNARMED.name: UNARMED, **_named(tables, "weapons", Weapon, "weapon")}
        self.armour = _named(tables, "armour", Armour, "armour")
        self.shields = _named(tables, "shields", Shield, "shield")
        self.spells = _named(tables, "spells", Spell, "spell")
        self.gear = _named(tables, "gear", Gear, "gear")
        self.treasury = Treasury(tables)

    def weight(self, item: str) -> int:
        """Pounds that a thing weighs, coins aside; one of what no table has."""
        if (sold := self.sold(item)) is not None:
            return -(-sold.weight // OUNCES)
        goods = self.treasury.goods.get(item)
        return 1 if goods is None else goods.load

    def worth(self, item: str) -> int:
        """Silver pieces that a thing is worth; nothing is known of what no table has."""
        if count := coins_in(item):
            return count
        sold, goods = self.sold(item), self.treasury.goods.get(item)
        return sold.cost // COPPER if sold is not None else 0 if goods is None else goods.worth

    def sold(self, item: str) -> Weapon | Shield | Armour | Gear | None:
        """A thing that has its price on a market; None for any other."""
        for table in (self.weapons, self.shields, self.armour, self.gear):
            if item in table:
                return table[item]
        return None


M = TypeVar("M", Weapon, Armour, Shield, Spell, Gear)


def _named(tables: Mapping[str, Sequence[Mapping[str, Any]]], table: str, model: type[M], kind: str) -> dict[str, M]:
    """The entries of a table by their names."""
    entries = (validated(model, raw, kind) for raw in tables.get(table, ()))
    return {entry.name: entry for entry in entries}
