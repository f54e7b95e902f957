"""What a weapon comes to in somebody's hands: Brawn short of its grip, and the die that it deals (olde.md §6)."""

from __future__ import annotations

from rules.olde.challenges.checks import stat_rank
from rules.olde.gear import Mode, Weapon
from rules.olde.state import Fighter, Figure


def grip_short(fighter: Fighter, figure: Figure, weapon: Weapon, mode: Mode) -> int:
    """Points of Brawn short of the minimum for the grip used (two hands when the other hand is empty)."""
    if weapon.natural or mode.hands == 0:
        return 0
    minimum = mode.one_hand
    if mode.two_hands >= 0 and len(figure.hands) == 1:
        minimum = mode.two_hands
    return max(0, minimum - fighter.brawn)


def damage_faces(fighter: Fighter, weapon: Weapon, mode: Mode) -> tuple[int, bool, int]:
    """(die rank, halved?, maximum before adjustments). Unarmed blows throw a Brawn die and halve it, rounded up."""
    if mode.damage <= 1 and mode.skill == "Brawling" and weapon.name in ("unarmed", "improvised"):
        brawn = stat_rank(fighter, "brawn")
        return brawn, True, (brawn + 1) // 2
    return mode.damage, False, mode.damage
