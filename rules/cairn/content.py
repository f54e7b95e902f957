"""Content of Cairn: which model judges which kind of entry."""

from __future__ import annotations

from rules.cairn.gear import ArmourModel, BackgroundModel, GearModel, WeaponModel
from rules.cairn.magic.powers import PowerModel
from rules.cairn.statblock import StatBlock
from rules.core.registry import ContentModels

CONTENT = ContentModels(
    creature=StatBlock,
    entries={
        "weapon": WeaponModel, "armour": ArmourModel, "gear": GearModel, "background": BackgroundModel,
        "power": PowerModel,
    },
)  # fmt: skip
