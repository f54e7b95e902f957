"""Builds: creatures that fight alike, known by one number in all fights, so that what is found out serves them all."""

from __future__ import annotations

from functools import lru_cache

from rules.olde.gear import Armoury
from rules.olde.state import Fighter, Setup

_GEAR = 64
"""So many different sets of gear are told apart before all is forgotten."""

_builds: dict[object, int] = {}


def _remembered_gear(armoury: Armoury) -> int:
    """A number for what there is to fight with; the same for equal gear of different fights."""
    key = ("gear", tuple(armoury.weapons.values()), tuple(armoury.shields.values()))
    return _builds.setdefault(key, len(_builds))


@lru_cache(maxsize=_GEAR)
def builds_of(setup: Setup) -> tuple[int, ...]:
    """A number for each creature's build: the same for all that fight alike."""
    gear = _remembered_gear(setup.armoury)
    return tuple(_build(fighter, gear, setup.advanced) for fighter in setup.fighters)


def _build(f: Fighter, gear: int, advanced: bool) -> int:
    key = (
        gear, advanced, f.brawn, f.finesse, f.finesse_rank, f.savvy, f.nerve,
        tuple(sorted(f.modified.items())), tuple(sorted(f.skills.items())),
        f.weapons, f.armor, f.armor_short, f.hp_max, f.traits,
    )  # fmt: skip
    return _builds.setdefault(key, len(_builds))
