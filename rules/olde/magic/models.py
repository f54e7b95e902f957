"""Spells, blessings and items at the door: what their tables may say, and how they are read (house, docs/magic.md)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any, Literal

import msgspec
from pydantic import BaseModel, Field, model_validator

from rules.contract.errors import BattlematError
from rules.contract.text import text
from rules.core.tables import made_of
from rules.core.validate import STRICT, validated
from rules.olde.conditions import CASTABLE, CONDITIONS, CURABLE
from rules.olde.effects import PARTS, Lasting, ZoneKind
from rules.olde.gear import Armoury
from rules.olde.magic.spells import (
    FAITH,
    MANA,
    SHAPES,
    WALL,
    Affects,
    Against,
    Aim,
    Does,
    EffectDice,
    Grimoire,
    Item,
    ItemKind,
    Pool,
    Sixty,
    Spell,
    Summon,
)

Small = Annotated[int, Field(strict=True, ge=-9, le=9)]
Price = Annotated[int, Field(strict=True, ge=1, le=20)]
Stat = Literal["brawn", "finesse", "savvy", "nerve"]
if TYPE_CHECKING:
    Condition = str
    Curable = str
    ZoneWord = str
    ShapeWord = str
    AimWord = str
    AffectsWord = str
    AgainstWord = str
    DoesWord = str
    ItemWord = str
else:
    Condition, Curable = Literal[CASTABLE], Literal[CURABLE]
    ZoneWord, AimWord, AffectsWord, AgainstWord, DoesWord, ItemWord = (
        Literal[tuple(map(str, words))] for words in (ZoneKind, Aim, Affects, Against, Does, ItemKind)
    )
    ShapeWord = Literal[tuple(SHAPES)]


class DiceModel(BaseModel):
    """An effect roll: the caster's stat die unless `die` names a rank, exploding unless stated otherwise."""

    model_config = STRICT
    count: Annotated[int, Field(strict=True, ge=1, le=6)] = 1
    die: Annotated[int, Field(strict=True, ge=2, le=30)] | None = None
    exploding: bool = True
    half: bool = False  # the total is halved, rounded up
    plus: Small = 0


class LastingModel(BaseModel):
    """What stays on a creature for some turns: a condition, adjustments, or both."""

    model_config = STRICT
    turns: Sixty  # it ends in so many-th reset
    condition: Condition | None = None
    attack: Small = 0
    defense: Small = 0
    damage: Small = 0
    armor: Small = 0
    ap: Small = 0
    checks: Small = 0
    recover: Stat | None = None  # a check of this stat in each reset, against the casting's total, ends it early

    @model_validator(mode="after")
    def _something(self) -> LastingModel:
        if self.condition is None and not any(getattr(self, part, 0) for part in PARTS):
            raise ValueError("needs a condition or an adjustment other than 0")
        return self


class ZoneModel(BaseModel):
    """What stays on the ground for some turns."""

    model_config = STRICT
    kind: ZoneWord
    turns: Sixty


class PowerModel(BaseModel):
    """What magic does: shared by spells, blessings and items."""

    model_config = STRICT
    name: str = Field(min_length=1, max_length=40)
    summary: str = Field(min_length=1, max_length=200)
    aim: AimWord = "self"
    range: Annotated[int, Field(strict=True, ge=0, le=40)] = 0
    """Spaces to the target or the place aimed at; 0 with aim `self`."""
    shape: ShapeWord = "one"
    """`burst` = around the caster, `blast` = around the place aimed at, `wall` = across the way there."""
    size: Annotated[int, Field(strict=True, ge=0, le=20)] = 0
    """Radius of a burst or blast, length of a cone, line or wall, in spaces."""
    affects: AffectsWord = "foes"
    only: tuple[str, ...] = ()  # kinds of creatures that it works on; empty = all
    spares: tuple[str, ...] = ()  # kinds of creatures that it does nothing to
    against: AgainstWord = "rating"
    """The casting check is made against a fixed rating, or opposed: Defense, or two dice of a stat (olde.md §3)."""
    rating: Annotated[int, Field(strict=True, ge=3, le=21)] = 6
    dice: DiceModel | None = None
    does: DoesWord = "nothing"  # what the effect roll is for
    pierces: bool = False  # armor does not help against its harm
    element: Literal["fire"] | None = None
    cures: tuple[Curable, ...] = ()
    lasting: LastingModel | None = None
    zone: ZoneModel | None = None
    summon: Summon | None = None

    @model_validator(mode="after")
    def _whole(self) -> PowerModel:
        if (self.does != "nothing") != (self.dice is not None):
            raise ValueError("dice and does go together: an effect roll says what it is for")
        if not (self.dice or self.cures or self.lasting or self.zone or self.summon):
            raise ValueError("does nothing: needs dice, cures, lasting, zone or summon")
        shape = SHAPES[self.shape]
        if not shape.least <= self.size <= shape.most:
            told = "size: a {shape} has a size of {least} to {most}"
            raise ValueError(text(told, self.shape, shape.least, shape.most))
        if shape.placed != (self.aim == "space" and self.summon is None):
            raise ValueError("aim: blasts, cones, lines and walls aim at a space, and nothing else but summons does")
        if shape.area and not shape.placed and self.aim != Aim.SELF:
            raise ValueError("aim: a burst is around oneself")
        if (shape is WALL) != (self.zone is not None and not ZoneKind(self.zone.kind).does.lights):
            raise ValueError("shape: a wall needs a zone of stone, force or thorns, and these need a wall")
        near = not shape.ranged or self.aim == Aim.SELF
        if near == bool(self.range):
            raise ValueError("range: at least 1 space; none for oneself, cones and lines")
        return self


class CastModel(PowerModel):
    """What spells and blessings have in common beside: how they are cast."""

    ap: Annotated[int, Field(strict=True, ge=1, le=3)] = 2
    gesture: bool = True
    incantation: bool = True


class SpellModel(CastModel):
    """A spell of spells.toml: Wizardry, paid in Mana."""

    mana: Price


class BlessingModel(CastModel):
    """A blessing of blessings.toml: Faith, paid in Faith."""

    faith: Price


class ItemModel(BaseModel):
    """A potion, scroll or device of items.toml: it holds a spell or blessing, or a power of its own; used up by use."""

    model_config = STRICT
    name: str = Field(min_length=1, max_length=40)
    kind: ItemWord
    summary: str = Field(min_length=1, max_length=200)
    holds: str | None = None  # name of the spell or blessing in it
    power: PowerModel | None = None
    rank: Annotated[int, Field(strict=True, ge=3, le=20)] = 7  # the maker's stat: it is rolled instead of the user's
    size: int = Field(default=1, ge=0)
    cost: int = Field(ge=0)

    @model_validator(mode="after")
    def _one(self) -> ItemModel:
        if (self.holds is None) == (self.power is None):
            raise ValueError("holds a spell or has a power of its own: exactly one of the two")
        if self.kind == ItemKind.POTION and self.power is not None and self.power.aim != Aim.ALLY:
            raise ValueError("power.aim: a potion is for an ally")
        return self


# -- reading ----------------------------------------------------------------------------------------------


def grimoire_of(tables: Mapping[str, Sequence[Mapping[str, Any]]], armoury: Armoury | None = None) -> Grimoire:
    """Validate raw tables (`spells`, `blessings`, `items`), and against the gear of a fight the weapons of whom they
    call. Raises BattlematError naming entry and field."""
    spells: dict[str, Spell] = {}
    cast: tuple[tuple[str, type[CastModel], Pool], ...] = (
        ("spell", SpellModel, MANA),
        ("blessing", BlessingModel, FAITH),
    )
    for kind, model, pool in cast:
        for raw in tables.get(pool.table, ()):
            read = validated(model, raw, kind)
            if pool is FAITH and read.name in spells:
                raise BattlematError("blessing {name}: name: a spell is called so already", repr(read.name))
            spells[read.name] = msgspec.structs.replace(
                _power(read), pool=pool.name, price=getattr(read, pool.name), ap=read.ap, gesture=read.gesture,
                incantation=read.incantation,
            )  # fmt: skip
    items = {}
    for raw in tables.get("items", ()):
        item = validated(ItemModel, raw, "item")
        items[item.name] = Item(item.name, ItemKind(item.kind), item.summary, _held(item, spells), item.rank)
    called = [(s.name, weapon) for s in spells.values() if s.summon is not None for weapon in s.summon.weapons]
    natural = None if armoury is None else {weapon.name for weapon in armoury.weapons.values() if weapon.natural}
    for name, weapon in called:
        if natural is not None and weapon not in natural:
            where = text("spell {name}: summon.weapons", repr(name))
            raise BattlematError("{where}: {weapon} is no natural weapon of the tables", where, repr(weapon))
    return Grimoire(spells, items)


def grimoire_with_gear(tables: Mapping[str, Sequence[Mapping[str, Any]]]) -> Grimoire:
    """That of a fight with all the gear of its tables."""
    return grimoire_of(tables, made_of(tables, Armoury.from_tables))


def _power(model: PowerModel) -> Spell:
    """What a power does, as an item has it: no Mana or Faith, no gestures."""
    dice, zone = model.dice, model.zone
    own: dict[str, Any] = {name: getattr(model, name) for name in _ALIKE}
    return Spell(
        **own, pool="", price=0, ap=3, gesture=False, incantation=False, reach=model.range, aim=Aim(model.aim),
        shape=SHAPES[model.shape], affects=Affects(model.affects), against=Against(model.against),
        does=Does(model.does),
        dice=EffectDice(dice.count, dice.die or 0, dice.exploding, dice.half, dice.plus) if dice else None,
        lasting=_lasting(model.lasting) if model.lasting else None, zone=ZoneKind(zone.kind) if zone else None,
        zone_turns=zone.turns if zone else 0, summon=model.summon,
        element=model.element or "",
    )  # fmt: skip


_ALIKE = ("name", "summary", "size", "only", "spares", "rating", "pierces", "cures")
"""Fields that a spell has as its table says them."""


def _lasting(model: LastingModel) -> Lasting:
    """A lasting effect with what its condition means in figures (olde.md §7)."""
    own = CONDITIONS[model.condition].lasting(model.turns) if model.condition else Lasting(model.turns)
    more = {part: getattr(own, part) + getattr(model, part) for part in PARTS if part != "physical"}
    return msgspec.structs.replace(own, **more, recover=model.recover or "", rule="")


def _held(item: ItemModel, spells: Mapping[str, Spell]) -> Spell:
    """What an item does: no Mana or Faith, no gestures; a scroll is read aloud."""
    if item.power is not None:
        held = _power(item.power)
    elif item.holds is None or item.holds not in spells:
        told = "item {name}: holds: no spell or blessing is called {holds}"
        raise BattlematError(told, repr(item.name), repr(item.holds))
    else:
        held = spells[item.holds]
        if item.kind == ItemKind.POTION and held.aim is not Aim.ALLY:
            raise BattlematError("item {name}: holds: a potion holds what is cast on an ally", repr(item.name))
    reach = 1 if item.kind == ItemKind.POTION and item.power is None else held.reach
    return msgspec.structs.replace(
        held, pool="", price=0, ap=3, gesture=False, incantation=item.kind == ItemKind.SCROLL, reach=reach
    )
