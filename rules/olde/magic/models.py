"""Spells, blessings and items at the door: what their tables may say (house content, docs/magic.md)."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, Field, field_validator, model_validator

from rules.core.validate import STRICT
from rules.olde import skills as skill_list

Small = Annotated[int, Field(strict=True, ge=-9, le=9)]
Stat = Literal["brawn", "finesse", "savvy", "nerve"]
Condition = Literal["asleep", "rooted", "slowed", "silenced", "blinded", "frightened", "dazed", "exhausted",
                    "fatigued", "restrained", "poisoned"]  # fmt: skip


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

    @field_validator("skills")
    @classmethod
    def _known_skills(cls, value: dict[str, str]) -> dict[str, str]:
        return skill_list.checked(value)


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
            raise ValueError("aim: blasts, cones, lines and walls aim at a space, and nothing else but summons does")
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
