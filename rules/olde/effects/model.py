"""Lasting effects as values: what spells, conditions, traps and stat blocks leave on creatures and on the ground."""

from __future__ import annotations

import msgspec


class Lasting(msgspec.Struct, frozen=True):
    """What a spell leaves on a creature."""

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
    """A spell's lasting effect on a creature."""

    name: str
    by: int
    """Number of the caster."""
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
