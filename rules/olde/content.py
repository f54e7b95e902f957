"""Content of Dungeons of Olde: which model judges which kind of entry, and what entries name in other tables."""

from __future__ import annotations

from rules.core.fixtures.treasure import LINKS, GoodsModel, TreasureModel
from rules.core.registry import ContentModels
from rules.olde.gear import ArmorModel, ShieldModel, WeaponModel
from rules.olde.magic.models import BlessingModel, ItemModel, SpellModel
from rules.olde.statblock import StatBlock

_SUMMONED = (("summon.weapons", ("weapons",)),)
_FOUND = ("weapons", "shields", "armor", "items", "goods")
"""Tables of what hoards hold."""
_HOARDS = (("things", _FOUND), ("rare", _FOUND), *LINKS)
CONTENT = ContentModels(
    creature=StatBlock,
    entries={"weapon": WeaponModel, "shield": ShieldModel, "armor": ArmorModel, "spell": SpellModel,
             "blessing": BlessingModel, "item": ItemModel, "goods": GoodsModel,
             "treasure": TreasureModel},
    links={"item": (("holds", ("spells", "blessings")),), "spell": _SUMMONED, "blessing": _SUMMONED,
           "treasure": _HOARDS},
    apart={"blessing": "spells"},
)  # fmt: skip
