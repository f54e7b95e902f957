"""Content of Count-Up: which model judges which kind of entry."""

from __future__ import annotations

from rules.core.registry import ContentModels
from rules.countup.gear import Armour, Gear, Shield, Spell, Weapon
from rules.countup.statblock import StatBlock

CONTENT = ContentModels(
    creature=StatBlock, entries={"weapon": Weapon, "armour": Armour, "shield": Shield, "spell": Spell, "gear": Gear}
)
