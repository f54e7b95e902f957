"""Content of Cairn: which model judges which kind of entry."""

from __future__ import annotations

from rules.cairn.creation.book import BackgroundModel, Bond, FollowerModel, Omen, Trait
from rules.cairn.gear import Armor, Gear, Power, WeaponModel
from rules.cairn.statblock import StatBlock
from rules.core.fixtures.treasure import LINKS, GoodsModel, TreasureModel
from rules.core.registry import ContentModels

_FOUND = ("weapons", "gear", "goods")
"""Tables of what hoards hold."""
_HOARDS = (("things", _FOUND), ("rare", _FOUND), *LINKS)
CONTENT = ContentModels(creature=StatBlock, links={"treasure": _HOARDS}, entries={
    "weapon": WeaponModel, "armour": Armor, "gear": Gear, "keepsake": Gear, "power": Power,
    "background": BackgroundModel, "trait": Trait, "bond": Bond, "omen": Omen, "retainer": FollowerModel,
    "goods": GoodsModel, "treasure": TreasureModel,
})  # fmt: skip
