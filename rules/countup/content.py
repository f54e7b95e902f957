"""Content of Count-Up: which model judges which kind of entry."""

from __future__ import annotations

from rules.core.fixtures.treasure import LINKS, GoodsModel, TreasureModel
from rules.core.registry import ContentModels
from rules.countup.gear import Armour, Gear, Shield, Spell, Weapon
from rules.countup.statblock import StatBlock

_FOUND = ("weapons", "armour", "shields", "gear", "goods")
"""Tables of what hoards hold."""
_HOARDS = (("things", _FOUND), ("rare", _FOUND), *LINKS)
CONTENT = ContentModels(
    creature=StatBlock,
    entries={"weapon": Weapon, "armour": Armour, "shield": Shield, "spell": Spell, "gear": Gear, "goods": GoodsModel,
             "treasure": TreasureModel},
    links={"treasure": _HOARDS},
)  # fmt: skip
