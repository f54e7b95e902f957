"""Weapons, armour, other gear and powers as data (cairn.md §5.1–5.3, §5.5, §5.6): validated at the door."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal, TypeVar

import msgspec
from pydantic import BaseModel, Field

from rules.contract.errors import BattlematError
from rules.core.fixtures.contents import coins_in
from rules.core.fixtures.treasure import Treasury
from rules.core.validate import STRICT, validated

RANGES = {"self": 0, "touch": 1, "nearby": 8, "earshot": 24, "sight": 48}
"""Spaces of each named range (cairn.md §3)."""


class Summon(BaseModel):
    """A creature that a power calls."""

    model_config = STRICT
    name: str = Field(min_length=1)
    art: str = "unknown_monster"
    hp: int = Field(ge=0, le=60)
    strength: int = Field(ge=1, le=30)
    dexterity: int = Field(ge=0, le=30)
    willpower: int = Field(ge=0, le=30)
    armor: int = Field(default=0, ge=0, le=3)
    speed: int = Field(default=8, ge=0, le=24)
    attack: str
    dice: tuple[Die, ...] = Field(min_length=1, max_length=4)
    blast: Literal["", "adjacent"] = ""
    tags: tuple[str, ...] = ()
    immune: tuple[str, ...] = ()
    detachment: bool = False
    bloodless: bool = False


class Effect(BaseModel):
    """One thing that a power does to each creature, or to the ground, that it takes in."""

    model_config = STRICT
    kind: Literal[
        "damage", "heal", "condition", "push", "pull", "teleport", "swap", "disarm", "wall", "fog", "thicket", "pit",
        "slick", "cure", "light", "dark", "knock", "passage", "summon", "ward", "snuff",
        "fetch", "illusion", "damper", "clear", "bar",
    ]  # fmt: skip
    dice: tuple[Die, ...] = ()
    amount: int = Field(default=0, ge=0, le=40)  # added to the dice
    metal: bool = False  # twice as much to who wears or holds metal armour
    to: Literal["hp", "str", "dex", "wil"] = "hp"
    name: str = ""  # the condition, or what a wall or a floor is made of
    rounds: int = Field(default=0, ge=0, le=600)  # how long it lasts; 0 = until it is ended
    spaces: int = Field(default=0, ge=0, le=24)
    """How far it moves somebody; with `name` `leap` only to where they see, with `random` to where a die says."""
    ends_on_save: bool = False  # the victim saves again at the end of each round
    then: str = ""  # what the condition turns into when its rounds are over
    creature: Summon | None = None  # who is called

    def amounting(self, face: int) -> int:
        """What it comes to by the highest face of its dice."""
        return face + self.amount

    def dampened(self) -> Effect:
        """The same where magic is dampened: half of its figures and of what it throws, halves rounded up."""
        says = {**dict(self), "rounds": (self.rounds + 1) // 2, "spaces": (self.spaces + 1) // 2}
        return _Dampened.model_construct(**says)


class _Dampened(Effect):
    def amounting(self, face: int) -> int:
        return (super().amounting(face) + 1) // 2


class Power(BaseModel):
    """A power of powers.toml."""

    model_config = STRICT
    name: str = Field(min_length=1)
    number: int | None = None  # its number in the book's list of spellbooks
    text: str = ""
    range: Literal["self", "touch", "nearby", "earshot", "sight"] = "nearby"
    needs: Literal["none", "creature", "ally", "space", "door"] = "creature"
    area: Literal["one", "radius", "cone", "line", "adjacent", "square", "wide", "all"] = "one"
    size: int = Field(default=0, ge=0, le=24)
    save: Literal["", "str", "dex", "wil"] = ""
    foes_only: bool = False
    self_too: bool = False  # its area takes in whoever uses it
    once: bool = False  # once a day for each patient
    largest: int = Field(default=0, ge=0, le=9)  # the widest creature that it works on, in spaces; 0 = any
    onto: Literal["", "space", "creature", "item"] = ""
    """What is aimed at besides: the space where somebody is to land, a second creature, or a thing to be had."""
    effects: tuple[Effect, ...] = Field(min_length=1)
    uses: int = Field(default=0, ge=0, le=20)  # how often in a fight; 0 = as often as one likes
    tags: frozenset[str] = frozenset({"magic"})

    @property
    def reach(self) -> int:
        """Its range in spaces."""
        return RANGES[self.range]

    @property
    def kinds(self) -> frozenset[str]:
        """What it counts as against a creature's traits: its tags, and `mundane` where it is no magic."""
        return self.tags if "magic" in self.tags else self.tags | {"mundane"}


Die = Annotated[int, Field(ge=2, le=100)]

IMPAIRED, ENHANCED = 4, 12
"""The dice of impaired and enhanced harm (cairn.md §2.2)."""
ARMOR_CAP = 3
"""Nobody has more Armor than this (cairn.md §5.2)."""
SPELLS = ("book", "scroll")
"""Kinds of gear that hold a spell to be cast (cairn.md §2.10)."""
SLOTS = 10
"""Slots that anybody can fill (cairn.md §4)."""


class Rider(BaseModel):
    """What a foe's attack does besides, when its victim fails the critical save (cairn.md §5.6, CD)."""

    model_config = STRICT
    kind: Literal["dead", "str", "dex", "wil", "condition", "engulf", "maim", "heal", "armor"]
    """Death, loss of an attribute, a condition (`name`), STR every round until one is free of it, a part bitten off,
    the attacker's own STR back, a piece of armour ruined."""
    on: Literal["critical", "wound"] = "critical"  # after a failed critical save, or whenever STR is lost
    dice: tuple[Die, ...] = ()  # empty for an attribute: what the blow itself took
    permanent: bool = False
    name: str = ""  # the condition; of an attribute one that comes with the loss
    at_nought: str = ""  # a condition that comes when the attribute is gone
    rounds: int = Field(default=0, ge=0, le=600)
    then: str = ""  # what the condition turns into when its rounds are over; `dead` is death
    save: Literal["", "str", "dex", "wil"] = ""  # a save of the victim's that keeps it off
    metal: bool = False  # only metal armour is ruined
    text: str = ""


class WeaponModel(BaseModel):
    """A weapon, or a monster's natural attack."""

    model_config = STRICT
    name: str = Field(min_length=1)
    dice: tuple[Die, ...] = Field(min_length=1, max_length=4)
    hands: int = Field(default=1, ge=0, le=2)
    slots: int = Field(default=1, ge=0, le=4)
    reach: int = Field(default=1, ge=0, le=6)  # melee reach in spaces; 0 for what can't be used hand to hand
    near: int = Field(default=0, ge=0, le=200)  # range in spaces up to which a shot is clear; 0 for melee weapons
    far: int = Field(default=0, ge=0, le=400)  # range beyond which there is no shot; between the two it is impaired
    thrown: bool = False
    blast: Literal["", "adjacent", "cone", "radius"] = ""
    size: int = Field(default=0, ge=0, le=12)  # spaces: length of a cone, radius of a burst
    tags: tuple[str, ...] = ()  # `iron`, `silver`, `fire`, `magic` …; without `magic` it is mundane
    ignores_armor: bool = False
    direct: bool = False  # its damage goes straight to STR (cairn.md §2.5)
    feeds: int = Field(default=0, ge=0, le=20)  # HP that its user regains by harming somebody who has blood
    run: int = Field(default=0, ge=0, le=12)  # spaces that its user must have come since its side's half began
    rider: Rider | None = None
    natural: bool = False
    metal: bool = False  # it can rust
    rusts: bool = False  # whom it harms loses a thing of ordinary metal in hand to rust
    cost: int = Field(default=0, ge=0)


class Armor(BaseModel):
    """A suit, or a piece that stacks with one."""

    model_config = STRICT
    name: str = Field(min_length=1)
    armor: int = Field(ge=0, le=3)
    stacks: bool = False  # `+N` of the tables: added to a suit. Of suits only one is worn.
    hands: int = Field(default=0, ge=0, le=1)
    slots: int = Field(default=1, ge=0, le=4)
    metal: bool = False
    barbs: bool = False  # whoever lays hands on its wearer saves STR or faints
    dark_sight: bool = False  # its wearer needs no light
    mute: bool = False  # its wearer cannot speak
    cost: int = Field(default=0, ge=0)


class Gear(BaseModel):
    """Any other item. With a `power` it can be used; `charges` say how often (0 = always). A `curio` is what somebody's
    past has brought along."""

    model_config = STRICT
    name: str = Field(min_length=1)
    kind: Literal["gear", "book", "scroll", "relic", "light", "curio"] = "gear"
    slots: int = Field(default=1, ge=0, le=4)
    power: str = ""
    charges: int = Field(default=0, ge=0, le=100)
    fatigue: int = Field(default=0, ge=0, le=4)  # that its use adds
    armor: int = Field(default=0, ge=0, le=1)
    light: int = Field(default=0, ge=0, le=40)
    cost: int = Field(default=0, ge=0)
    worth: int = Field(default=0, ge=0)  # what it brings where nobody sells it
    text: str = ""


class Weapon(msgspec.Struct, frozen=True):
    """A weapon in a fight; see `WeaponModel`."""

    name: str
    dice: tuple[int, ...]
    hands: int = 1
    slots: int = 1
    reach: int = 1
    near: int = 0
    far: int = 0
    thrown: bool = False
    blast: str = ""
    size: int = 0
    tags: frozenset[str] = frozenset()
    ignores_armor: bool = False
    direct: bool = False
    feeds: int = 0
    run: int = 0
    rider: Rider | None = None
    natural: bool = False
    metal: bool = False
    rusts: bool = False

    @property
    def farthest(self) -> int:
        """Spaces within which it can harm anybody at all."""
        return max(self.reach, self.far)

    def notation(self) -> str:
        """`d8`, `d6+d6`."""
        return "+".join(f"d{die}" for die in self.dice)


UNARMED = Weapon("unarmed", (4,), hands=0, slots=0, natural=True)
IMPROVISED = Weapon("improvised", (4,), slots=0)


def weapon_from(model: WeaponModel) -> Weapon:
    """A weapon ready for a fight."""
    says = model.model_dump(exclude={"rider", "tags", "cost"})
    return Weapon(**says, tags=frozenset(model.tags), rider=model.rider)


M = TypeVar("M", WeaponModel, Armor, Gear, Power)


def _table(model: type[M], raws: Sequence[Mapping[str, Any]], what: str) -> dict[str, M]:
    """Entries by their names. Raises BattlematError naming entry and field."""
    found = [validated(model, raw, what) for raw in raws]
    return {entry.name: entry for entry in found}


WORTH = {"scroll": 30, "book": 80, "relic": 100}
"""Gold pieces for what no market has, by its kind (OURS)."""


class Armoury:
    """Everything that can be carried, and every power, by name."""

    def __init__(self, tables: Mapping[str, Sequence[Mapping[str, Any]]]) -> None:
        """Validate raw tables: weapons, armour, gear, keepsakes, powers. Raises BattlematError naming entry, field."""
        weapons = _table(WeaponModel, tables.get("weapons", ()), "weapon")
        self.prices = {name: weapon.cost for name, weapon in weapons.items()}
        self.weapons = {weapon.name: weapon for weapon in (UNARMED, IMPROVISED, *map(weapon_from, weapons.values()))}
        self.armor = _table(Armor, tables.get("armour", ()), "armour")
        self.gear = _table(Gear, [*tables.get("gear", ()), *tables.get("keepsakes", ())], "gear")
        self.treasury = Treasury(tables)
        self.powers = _table(Power, tables.get("powers", ()), "power")
        self.prices |= {one.name: one.cost for one in self.armor.values()}
        self.prices |= {one.name: one.cost or WORTH.get(one.kind, 0) for one in self.gear.values()}
        for item in self.gear.values():
            if item.power and item.power not in self.powers:
                raise BattlematError("gear {name}: power: nothing is called {power}", repr(item.name), repr(item.power))

    def slots(self, item: str) -> int:
        """Slots that an item fills: petty 0, bulky 2."""
        found = self.weapons.get(item) or self.armor.get(item) or self.gear.get(item)
        if found is not None:
            return found.slots
        goods = self.treasury.goods.get(item)
        return 1 if goods is None else goods.load

    def worth(self, item: str) -> int:
        """Coins that a thing is worth; nothing is known of what no table has."""
        if count := coins_in(item):
            return count
        goods = self.treasury.goods.get(item)
        return goods.worth if goods is not None else self.prices.get(item, 0)

    def known(self, item: str) -> bool:
        """Whether there is anything of that name."""
        return item in self.weapons or item in self.armor or item in self.gear
