"""What of those who fight is found once: who is against whom, and what each of the latest figures strikes with."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rules.contract.units import CreatureIx, numbered
from rules.countup.gear import UNARMED, Weapon


def opposed(sides: Sequence[str]) -> dict[str, tuple[CreatureIx, ...]]:
    """Side -> everybody of the others, in the record's order, by the sides of all."""
    return {own: tuple(i for i, side in numbered(sides) if side != own) for own in dict.fromkeys(sides)}


def longest(weapons: Iterable[Weapon]) -> int:
    """Spaces that the longest of some weapons reaches, or a fist."""
    return max([UNARMED.squares, *(weapon.squares for weapon in weapons)])


class Roster:
    """What is found once for the same figures: who of them is a side's foe, and what each strikes with."""

    __slots__ = ("figures", "foes", "weapons")

    def __init__(self, figures: object) -> None:
        self.figures = figures
        self.foes: dict[str, list[CreatureIx]] = {}
        self.weapons: dict[CreatureIx, Weapon] = {}
