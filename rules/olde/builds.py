"""Builds: creatures that fight alike have the same, in all fights, so that what is found out serves them all."""

from __future__ import annotations

from collections.abc import Hashable

from rules.olde.state import Fighter, Setup


class Build:
    """What creatures that fight alike have in common: it is itself and nothing else."""

    __slots__ = ()


def builds_of(setup: Setup) -> tuple[Build, ...]:
    """Each creature's build: the same for all that fight alike. Remembered."""
    found: tuple[Build, ...] | None = setup.memo.get("builds")
    if found is None:
        gear = (tuple(setup.armoury.weapons.values()), tuple(setup.armoury.shields.values()))
        known = setup.memory.table("builds")
        found = setup.memo["builds"] = tuple(
            known.setdefault(_key(fighter, gear, setup.advanced), Build()) for fighter in setup.fighters
        )
    return found


def _key(f: Fighter, gear: Hashable, advanced: bool) -> Hashable:
    return (
        gear, advanced, f.brawn, f.finesse, f.finesse_rank, f.savvy, f.nerve,
        tuple(sorted(f.modified.items())), tuple(sorted(f.skills.items())),
        f.weapons, f.armor, f.armor_short, f.hp_max, f.traits,
    )  # fmt: skip
