"""Powers: what spells, scrolls, relics and monsters' specials do, as data (cairn.md §2.10, §5.5, §5.6).

A power aims at a creature, a space or its user, takes in an area, lets each victim save, and has effects. Nothing here
resolves anything; `rules.cairn.magic.deeds` does.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, Field

from rules.core.validate import STRICT

Die = Annotated[int, Field(ge=2, le=100)]
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
    amount: int = Field(default=0, ge=0, le=40)
    """Added to the dice."""
    metal: bool = False
    """Twice as much to who wears or holds metal armour."""
    to: Literal["hp", "str", "dex", "wil"] = "hp"
    name: str = ""
    """The condition, or what a wall or a floor is made of."""
    rounds: int = Field(default=0, ge=0, le=600)
    """How long it lasts; 0 = until it is ended."""
    spaces: int = Field(default=0, ge=0, le=24)
    """How far it moves somebody; with `name` `leap` only to where they see, with `random` to where a die says."""
    ends_on_save: bool = False
    """The victim saves again at the end of each round."""
    then: str = ""
    """What the condition turns into when its rounds are over."""
    creature: Summon | None = None
    """Who is called."""

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
    number: int | None = None
    """Its number in the book's list of spellbooks."""
    text: str = ""
    range: Literal["self", "touch", "nearby", "earshot", "sight"] = "nearby"
    needs: Literal["none", "creature", "ally", "space", "door"] = "creature"
    area: Literal["one", "radius", "cone", "line", "adjacent", "square", "wide", "all"] = "one"
    size: int = Field(default=0, ge=0, le=24)
    save: Literal["", "str", "dex", "wil"] = ""
    foes_only: bool = False
    self_too: bool = False
    """Its area takes in whoever uses it."""
    once: bool = False
    """Once a day for each patient."""
    onto: Literal["", "space", "creature", "item"] = ""
    """What is aimed at besides: the space where somebody is to land, a second creature, or a thing to be had."""
    effects: tuple[Effect, ...] = Field(min_length=1)
    uses: int = Field(default=0, ge=0, le=20)
    """How often in a fight; 0 = as often as one likes."""
    tags: frozenset[str] = frozenset({"magic"})

    @property
    def reach(self) -> int:
        """Its range in spaces."""
        return RANGES[self.range]

    @property
    def kinds(self) -> frozenset[str]:
        """What it counts as against a creature's traits: its tags, and `mundane` where it is no magic."""
        return self.tags if "magic" in self.tags else self.tags | {"mundane"}
