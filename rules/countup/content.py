"""Content of Count-Up: which model judges which kind of entry."""

from __future__ import annotations

from rules.core.registry import ContentModels
from rules.countup.gear import ArmourModel, ShieldModel, WeaponModel
from rules.countup.spells import SpellModel
from rules.countup.statblock import StatBlock

CONTENT = ContentModels(
    creature=StatBlock,
    entries={"weapon": WeaponModel, "armour": ArmourModel, "shield": ShieldModel, "spell": SpellModel},
)
