"""Content of Cairn: which model judges which kind of entry."""

from __future__ import annotations

from rules.cairn.gear import Armor, BackgroundModel, Gear, Power, WeaponModel
from rules.cairn.statblock import StatBlock
from rules.core.registry import ContentModels

CONTENT = ContentModels(creature=StatBlock, entries={
    "weapon": WeaponModel, "armour": Armor, "gear": Gear, "background": BackgroundModel, "power": Power,
})  # fmt: skip
