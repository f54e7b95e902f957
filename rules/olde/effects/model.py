"""Lasting effects as values, and what somebody's effects come to together (olde.md §9 durations)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import msgspec

from rules.contract.actions import Adjustment
from rules.core.figures import signed

RULE = "olde.md §9 durations"
ENDLESS = 1000
"""Resets of what no reset ends by itself."""
NOBODY = -1
PARTS = ("attack", "defense", "damage", "armor", "ap", "checks", "physical")
"""What an effect may add to: fields of `Lasting`."""


class Lasting(msgspec.Struct, frozen=True):
    """What a spell, a blow or a trap leaves on a creature."""

    turns: int
    condition: str = ""
    attack: int = 0
    defense: int = 0
    damage: int = 0
    armor: int = 0
    ap: int = 0
    checks: int = 0
    recover: str = ""
    physical: int = 0
    """Added to checks of Brawn and Finesse only."""
    rule: str = ""
    """Where it comes from, if not from a spell."""
    harm: int = 0
    """HP lost at each reset (olde.md §4 reset phase)."""


class Effect(msgspec.Struct, frozen=True):
    """A lasting effect on a creature."""

    name: str
    by: int
    """Number of whoever laid it on; of a fright, of whom it is."""
    turns: int
    """Resets still to go; it ends in the last of them."""
    rating: int
    """What a recovery check is made against: the casting's total."""
    lasting: Lasting


class Zone(msgspec.Struct, frozen=True):
    """A spell's lasting effect on the ground."""

    name: str
    kind: str
    """`stone`, `force`, `thorns` or `light`."""
    cells: int
    by: int
    turns: int
    centre: int = -1
    radius: int = 0


class Affected(Protocol):
    """Somebody on whom effects may lie."""

    @property
    def effects(self) -> tuple[Effect, ...]: ...


def shifts(figure: Affected, part: str, to: str) -> list[Adjustment]:
    """What a figure's effects add to something, each by its name. `part` is one of `PARTS`."""
    found = []
    for effect in figure.effects:
        value = getattr(effect.lasting, part)
        if value:
            found.append(Adjustment(to, value, effect.name, effect.lasting.rule or RULE))
    return found


def total(figure: Affected, part: str) -> int:
    """The sum of what a figure's effects add to something."""
    return sum(getattr(effect.lasting, part) for effect in figure.effects)


def has(figure: Affected, condition: str) -> bool:
    """Whether some effect lays this condition on a figure."""
    return any(effect.lasting.condition == condition for effect in figure.effects)


def anybody(figures: Sequence[Affected], condition: str) -> bool:
    """Whether some effect lays this condition on any of these."""
    changed = [figure for figure in figures if figure.effects]
    return any(has(figure, condition) for figure in changed) if changed else False


def words(lasting: Lasting) -> str:
    """What an effect does, for stories and badges: `attack +1, checks +1`."""
    parts = [f"{part if part != 'ap' else 'AP die'} {signed(getattr(lasting, part))}" for part in PARTS
             if getattr(lasting, part)]  # fmt: skip
    if lasting.harm:
        parts.insert(0, f"−{lasting.harm} HP each reset")
    if lasting.condition:
        parts.insert(0, lasting.condition)
    return ", ".join(parts)
