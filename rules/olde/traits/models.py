"""Traits of creatures as data: validated at the door, flat and fast inside (house content, olde.md §10)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Literal, NamedTuple, get_args

import msgspec
from pydantic import BaseModel, Field, model_validator

from rules.core.figures import signed
from rules.core.validate import STRICT

Name = Literal[
    "pack tactics", "charge", "frenzy", "tough hide", "flyer", "undead", "construct", "poison", "venom",
    "bleeding wounds", "sapping touch", "knockdown", "hold", "life drain", "regeneration", "split", "death burst",
    "fear aura", "call for help",
]  # fmt: skip
NAMES: tuple[str, ...] = get_args(Name)
UNDEAD = ("stunned", "bleeding", "poisoned", "asleep", "frightened")
CONSTRUCT = ("bleeding", "poisoned", "asleep", "frightened")
RULE = "olde.md §10"
CALL_POINTS = 1
"""AP that a call for help costs."""


class Kind(NamedTuple):
    """One trait: which figures it has, with their defaults, and its rule in one sentence."""

    figures: dict[str, int]
    rule: str
    weapon: bool = False
    """It may be bound to one weapon; else any natural weapon of its bearer has it."""


_SAVE = "Brawn or Nerve check of {rating}"
KINDS: dict[str, Kind] = {
    "pack tactics": Kind({"bonus": 1}, "Attack {change} in melee while an able ally stands beside the target."),
    "charge": Kind(
        {"bonus": 2, "spaces": 3},
        "Damage {change} in melee after a movement that ends at least {spaces} spaces from where the chance began.",
    ),
    "frenzy": Kind({"bonus": 2}, "Attack and damage {change} while below half of its hit points."),
    "tough hide": Kind({"bonus": 2}, "Hide takes {bonus} off all damage, as armor and beside any armor worn."),
    "flyer": Kind({}, "While on its feet it crosses difficult ground as plain ground, and may fly over pits."),
    "undead": Kind({}, "Cannot be stunned by a blow, bleed, sleep or be frightened."),
    "construct": Kind({}, "Cannot bleed, sleep or be frightened."),
    "poison": Kind(
        {"rating": 9, "turns": 2},
        f"A hit that hurts: {_SAVE}, or slowed for {{turns}} resets; the same check shakes it off.",
        weapon=True,
    ),
    "venom": Kind(
        {"rating": 9, "turns": 3, "bonus": 1},
        f"A hit that hurts: {_SAVE}, or poisoned: {{bonus}} HP lost in each of {{turns}} resets; the check ends it.",
        weapon=True,
    ),
    "bleeding wounds": Kind({"rating": 9}, f"A hit that hurts: {_SAVE}, or bleeding.", weapon=True),
    "sapping touch": Kind(
        {"rating": 9, "turns": 2, "bonus": -1},
        f"A hit that hurts: {_SAVE}, or {{change}} on all checks, attack and Defense for {{turns}} resets.",
        weapon=True,
    ),
    "knockdown": Kind({"rating": 9}, f"A hit that hurts: {_SAVE}, or knocked prone.", weapon=True),
    "hold": Kind(
        {"rating": 9, "turns": 3},
        f"A hit: {_SAVE}, or rooted for {{turns}} resets; the same check breaks free.",
        weapon=True,
    ),
    "life drain": Kind({}, "A hit that hurts gives it half of the damage back, rounded up.", weapon=True),
    "regeneration": Kind(
        {"bonus": 3}, "Each reset {bonus} HP back, even from below 0, unless fire has hurt it since the last."
    ),
    "split": Kind(
        {"bonus": 3},
        "Hurt by anything but fire and left with {bonus} HP for each half or more, it divides: half of its HP go to "
        "a new creature beside it.",
    ),
    "death burst": Kind(
        {"die": 6, "spaces": 1}, "Felled, it bursts: d{die} damage, less armor, to all within {spaces}; it is dead."
    ),
    "fear aura": Kind(
        {"rating": 9, "spaces": 3, "turns": 2},
        "Each reset foes within {spaces} who see it: Nerve check of {rating}, or frightened for {turns} resets; "
        "who stands it once is steeled for good.",
    ),
    "call for help": Kind(
        {"spaces": 10}, f"{CALL_POINTS} AP: all sleeping allies within {{spaces}} wake and act from the next reset."
    ),
}  # fmt: skip
RIDERS = ("poison", "venom", "bleeding wounds", "sapping touch", "knockdown", "hold", "life drain")
"""Traits of blows that hit."""
Small = Annotated[int, Field(strict=True, ge=-9, le=12)]


class TraitModel(BaseModel):
    """A trait in a stat block: its name, and any of its figures that differ from the usual ones."""

    model_config = STRICT

    name: Name
    bonus: Small | None = None
    rating: Annotated[int, Field(strict=True, ge=3, le=21)] | None = None
    turns: Annotated[int, Field(strict=True, ge=1, le=12)] | None = None
    spaces: Annotated[int, Field(strict=True, ge=1, le=20)] | None = None
    die: Annotated[int, Field(strict=True, ge=2, le=20)] | None = None
    weapon: str | None = None

    @model_validator(mode="after")
    def _its_own_figures(self) -> TraitModel:
        kind = KINDS[self.name]
        for figure in ("bonus", "rating", "turns", "spaces", "die"):
            if getattr(self, figure) is not None and figure not in kind.figures:
                has = ", ".join(kind.figures) or "none"
                raise ValueError(f"{self.name} has no figure {figure!r}; its figures: {has}")
        if self.weapon is not None and not kind.weapon:
            raise ValueError(f"{self.name} belongs to no weapon")
        return self


class Trait(msgspec.Struct, frozen=True):
    """A trait in a fight, its figures made out; those it doesn't have are 0."""

    name: str
    bonus: int = 0
    rating: int = 0
    turns: int = 0
    spaces: int = 0
    die: int = 0
    weapon: str = ""

    @property
    def rule(self) -> str:
        """What it does, in a sentence with its figures."""
        told = KINDS[self.name].rule.format(
            bonus=self.bonus,
            change=signed(self.bonus),
            rating=self.rating,
            turns=self.turns,
            spaces=self.spaces,
            die=self.die,
        )
        return f"{self.weapon.capitalize()}: {told[0].lower()}{told[1:]}" if self.weapon else told

    @property
    def source(self) -> str:
        """Where the rule stands."""
        return f"{RULE} {self.name}"


class Traits(msgspec.Struct, frozen=True):
    """All traits of a creature, each where its rule looks for it."""

    listed: tuple[Trait, ...]
    immune: tuple[str, ...] = ()
    """Conditions that it can't have."""
    flies: bool = False
    pack: int = 0
    charge: Trait | None = None
    frenzy: int = 0
    riders: tuple[Trait, ...] = ()
    regeneration: int = 0
    splits: int = 0
    """Least HP of each half."""
    burst: Trait | None = None
    dread: Trait | None = None
    call: int = 0
    """Spaces that its call for help carries."""
    drains: bool = False
    """Some of its hits give it hit points back."""
    holds: bool = False
    """Some of its hits hold whom they strike."""


def hide_of(models: Sequence[TraitModel]) -> int:
    """Damage that tough hide takes off."""
    return sum(trait.bonus for trait in map(_made, models) if trait.name == "tough hide")


def traits_of(models: Sequence[TraitModel]) -> Traits | None:
    """The traits of a stat block, ready for a fight; None for a creature without any."""
    if not models:
        return None
    listed = tuple(_made(model) for model in models)
    by_name = {trait.name: trait for trait in listed}
    none = Trait("")
    return Traits(
        listed=listed,
        immune=UNDEAD if "undead" in by_name else CONSTRUCT if "construct" in by_name else (),
        flies="flyer" in by_name,
        pack=by_name.get("pack tactics", none).bonus,
        charge=by_name.get("charge"),
        frenzy=by_name.get("frenzy", none).bonus,
        riders=tuple(trait for trait in listed if trait.name in RIDERS),
        regeneration=by_name.get("regeneration", none).bonus,
        splits=by_name.get("split", none).bonus,
        burst=by_name.get("death burst"),
        dread=by_name.get("fear aura"),
        call=by_name.get("call for help", none).spaces,
        drains="life drain" in by_name,
        holds="hold" in by_name,
    )


def usual(name: str) -> Trait:
    """A trait with the figures that it has unless a stat block says otherwise."""
    return msgspec.structs.replace(Trait(name), **KINDS[name].figures)


def _made(model: TraitModel) -> Trait:
    figures: dict[str, Any] = {}
    for figure, usual in KINDS[model.name].figures.items():
        said = getattr(model, figure)
        figures[figure] = usual if said is None else said
    return Trait(model.name, **figures, weapon=model.weapon or "")
