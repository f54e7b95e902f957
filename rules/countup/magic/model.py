"""Spells as values: validated at the door, in spaces and seconds inside (countup.md §5.4)."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from pydantic import BaseModel, Field

from rules.core.validate import STRICT
from rules.countup.penetration import Die, parse
from rules.countup.state import Being

COST = 30
STEP = 10
"""Spell points: 30 and 10 more for every index."""


class SpellModel(BaseModel):
    """A spell of spells.toml. Distances in feet, times in seconds."""

    model_config = STRICT
    name: str = Field(min_length=1)
    index: Annotated[int, Field(ge=0, le=20)] = 0
    casting: Annotated[int, Field(ge=1, le=60)] = 1
    range: Annotated[int, Field(ge=0, le=600)] = 0
    """0 = the caster itself, 5 = touch."""
    radius: Annotated[int, Field(ge=0, le=100)] = 0
    per_level: bool = False
    """The range is for each level of the caster."""
    square: Annotated[int, Field(ge=0, le=50)] = 0
    """Feet across of an area that is a square at the space aimed at."""
    skips: Annotated[int, Field(ge=0, le=20)] = 0
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
    lasts: Annotated[int, Field(ge=0, le=7200)] = 0
    lasts_dice: str = ""
    """Thrown for every casting: so many times `lasts`."""
    zone: str = ""
    """Changed ground: `smoke`, `light`, `dark`, `slippery`."""
    divine: bool = False
    text: str = ""


class Spell(msgspec.Struct, frozen=True):
    """A spell ready for a fight; see `SpellModel`. Spaces instead of feet."""

    name: str
    index: int
    casting: int
    reach: int
    radius: int
    needs: str
    save: str
    half: bool
    dice: tuple[Die, ...]
    flat: int
    heal_dice: tuple[Die, ...]
    heal_flat: int
    effect: str
    lasts: int
    zone: str
    divine: bool
    text: str
    door: str = ""
    absorbs: int = 0
    image_dice: tuple[Die, ...] = ()
    per_level: bool = False
    square: int = 0
    skips: int = 0
    each_second: bool = False
    missiles: int = 0
    fire: bool = False
    lasts_dice: tuple[Die, ...] = ()
    lasts_flat: int = 0
    blessed_dice: tuple[Die, ...] = ()
    """What it heals of the anointed."""
    blessed_flat: int = 0

    @property
    def wide(self) -> bool:
        """Works on an area, not on one creature."""
        return bool(self.radius or self.square)

    def healing(self, being: Being) -> tuple[tuple[Die, ...], int]:
        """The dice and the number that it heals of somebody: better ones of the anointed (countup.md §5.4)."""
        if being.anointed and self.blessed_dice:
            return self.blessed_dice, self.blessed_flat
        return self.heal_dice, self.heal_flat

    @property
    def points(self) -> int:
        """What it costs in spell points."""
        return 0 if self.divine else COST + STEP * self.index


def spell_from(model: SpellModel) -> Spell:
    """A spell ready for a fight."""
    dice, flat = parse(model.damage) if model.damage else ((), 0)
    heal_dice, heal_flat = parse(model.heals) if model.heals else ((), 0)
    blessed_dice, blessed_flat = parse(model.heals_anointed) if model.heals_anointed else ((), 0)
    lasts_dice, lasts_flat = parse(model.lasts_dice) if model.lasts_dice else ((), 0)
    return Spell(
        name=model.name, index=model.index, casting=model.casting, reach=model.range // 5, radius=model.radius // 5,
        needs=model.needs, save=model.save, half=model.half, dice=dice, flat=flat, heal_dice=heal_dice,
        heal_flat=heal_flat, effect=model.effect, lasts=model.lasts, zone=model.zone, divine=model.divine,
        text=model.text, door=model.door, absorbs=model.absorbs,
        image_dice=parse(model.images)[0] if model.images else (), per_level=model.per_level,
        square=model.square // 5, skips=model.skips, each_second=model.each_second, missiles=model.missiles,
        fire=model.fire, lasts_dice=lasts_dice, lasts_flat=lasts_flat, blessed_dice=blessed_dice,
        blessed_flat=blessed_flat,
    )  # fmt: skip
