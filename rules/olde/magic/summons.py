"""Creatures that a spell calls: made from the spell's own stat block, on the caster's side, under its controller."""

from __future__ import annotations

from rules.olde.magic.spells import Summon
from rules.olde.state import Fighter, Figure, Setup


def called(setup: Setup, caster: int, model: Summon, cell: int) -> tuple[Fighter, Figure]:
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
        small=model.small,
        space=1,
        allowance=1 if model.small else 2,
        skills=model.skills,
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
