"""Creatures that a spell calls: made from the spell's own stat block, on the caster's side, under its controller."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from rules.contract.errors import BattlematError
from rules.olde.gear import Armoury
from rules.olde.magic.spells import Grimoire
from rules.olde.skills import RANKS, known
from rules.olde.state import Fighter, Figure, Setup

if TYPE_CHECKING:
    from rules.olde.magic.models import SummonModel


def grimoire_of(tables: Mapping[str, Any], armoury: Armoury) -> Grimoire:
    """All magic of a fight, with what it calls checked against gear and skills. Raises BattlematError."""
    grimoire = Grimoire.from_tables(tables)
    for spell in grimoire.spells.values():
        if spell.summon is not None:
            _check(spell.name, spell.summon, armoury)
    return grimoire


def _check(name: str, model: SummonModel, armoury: Armoury) -> None:
    for weapon in model.weapons:
        if weapon not in armoury.weapons or not armoury.weapons[weapon].natural:
            raise BattlematError(f"spell {name!r}: summon.weapons: {weapon!r} is no natural weapon of the tables")
    for skill, rank in model.skills.items():
        if not known(skill) or rank not in RANKS:
            raise BattlematError(f"spell {name!r}: summon.skills: {skill} = {rank!r} is no skill and rank of the rules")


def called(setup: Setup, caster: int, model: SummonModel, cell: int) -> tuple[Fighter, Figure]:
    """The creature on its space. Its id is the caster's with a number: `wizard.1`; it has no AP until the reset."""
    owner = setup.fighters[caster]
    number = 1 + sum(1 for fighter in setup.fighters if fighter.id.startswith(f"{owner.id}."))
    fighter = Fighter(
        id=f"{owner.id}.{number}",
        name=model.name if number == 1 else f"{model.name} {number}",
        side=owner.side,
        kind=model.kind,
        controller=owner.controller,
        art=model.art,
        temperament=model.temperament,
        threat=0,
        brawn=model.brawn,
        finesse=model.finesse,
        savvy=model.savvy,
        nerve=model.nerve,
        small=model.size == "small",
        space=1,
        allowance=1 if model.size == "small" else 2,
        skills={skill: RANKS[rank] for skill, rank in model.skills.items()},
        weapons=model.weapons,
        shield=None,
        armor=None,
        armor_short=0,
        finesse_rank=model.finesse,
        hp_max=model.brawn + model.nerve // 2,
        mana_max=model.savvy + model.nerve // 2,
        faith_max=model.nerve + model.savvy // 2,
        surprised=False,
    )
    figure = Figure(cell=cell, hp=fighter.hp_max, mana=fighter.mana_max, faith=fighter.faith_max, hands=(), pack=())
    return fighter, figure
