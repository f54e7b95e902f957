"""Traits of creatures: what they are to the state of a fight; each with all that it does stands in kinds.py."""

from __future__ import annotations

from typing import ClassVar, TypeVar

import msgspec

from rules.contract.text import text, untitled
from rules.core.dice import signed

RULE = "olde.md §10"
FIGURES = ("bonus", "rating", "turns", "spaces", "die")
"""What a trait may have figures of."""
_NONE = dict.fromkeys(FIGURES, 0)


class Trait(msgspec.Struct, frozen=True, kw_only=True):
    """A trait in a fight: its fields are its figures, each with what is usual."""

    name: ClassVar[str]
    sentence: ClassVar[str]
    """Its rule in one sentence, with its figures as fields; `{change}` is its bonus with a sign."""
    of_weapons: ClassVar[bool] = False
    """It may be bound to one weapon; else any natural weapon of its bearer has it."""
    immune: ClassVar[tuple[str, ...]] = ()
    """Conditions that its bearer can't have."""
    flies: ClassVar[bool] = False

    weapon: str = ""

    @classmethod
    def figures(cls) -> tuple[str, ...]:
        """The figures that it has."""
        return tuple(field for field in cls.__struct_fields__ if field in FIGURES)

    @property
    def rule(self) -> str:
        """What it does, in a sentence with its figures."""
        figures = _NONE | {name: getattr(self, name) for name in self.figures()}
        save = text("Brawn or Nerve check of {rating}", figures["rating"])
        points = getattr(self, "points", 0)
        told = text(self.sentence, **figures, change=signed(figures["bonus"]), save=save, points=points)
        if not self.weapon:
            return told
        return text("{weapon}: {told}", self.weapon.capitalize(), untitled(told))

    @property
    def source(self) -> str:
        """Where the rule stands."""
        return f"{RULE} {self.name}"


T = TypeVar("T", bound=Trait)


class Traits(msgspec.Struct, frozen=True):
    """All traits of a creature."""

    listed: tuple[Trait, ...]
    immune: tuple[str, ...] = ()
    """Conditions that it can't have."""
    flies: bool = False
    kinds: tuple[Trait, ...] = ()
    """The last of each kind, in the order in which they are asked; those of them that have something to do … """
    modify_attack: tuple[Trait, ...] = ()
    """… before an attack,"""
    after_hit: tuple[Trait, ...] = ()
    """… after a hit: all of them, as they are listed,"""
    hurt: tuple[Trait, ...] = ()
    """… when their bearer is hurt,"""
    dropped: tuple[Trait, ...] = ()
    """… when it falls,"""
    on_reset: tuple[Trait, ...] = ()
    """… in step 1 of the reset,"""
    after_reset: tuple[Trait, ...] = ()
    """… after its step 3."""

    def of(self, kind: type[T]) -> T | None:
        """Its trait of a kind, if it has one."""
        for trait in self.kinds:
            if isinstance(trait, kind):
                return trait
        return None
