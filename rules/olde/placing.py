"""Creatures put on the board before the first throw (olde.md §2, §5)."""

from __future__ import annotations

from rules.board.grid import Terrain
from rules.core.opening import at_most, place, taken
from rules.olde.challenges.checks import EASY
from rules.olde.effects.conditions import innate
from rules.olde.effects.working import asleep_at_first
from rules.olde.statblock import StatBlock, initial_hands
from rules.olde.state import UNCOUNTED, Figure, Setup, standing_on


def figure_of(setup: Setup, terrain: Terrain, placed: list[Figure], number: int, block: StatBlock) -> Figure:
    """A creature on its space, checked. Raises RecordError where it does not fit."""
    who, field = setup.fighters[number], setup.field
    where = f"creatures[{number}] ({block.id})"
    cell = place(field, terrain, where, block.at, who.space)
    hp = at_most(where, "hp", block.hp, who.hp_max)
    if hp > 0:
        others = standing_on(placed, setup.fighters, terrain, terrain.footprint(cell, who.space))
        barred = [i for i in others if setup.fighters[i].side == who.side or len(others) > 1]
        if barred:
            raise taken(where, block.at, setup.fighters[barred[0]].id)
    hands = initial_hands(block, setup.armoury, f"creatures[{number}]")
    pack = list(block.weapons) + ([block.shield] if block.shield else [])
    for item in hands:
        pack.remove(item)
    pack = [i for i in pack if i not in setup.armoury.weapons or not setup.armoury.weapons[i].natural]
    asleep = (asleep_at_first(number),) if block.asleep and hp > 0 else ()
    return Figure(
        cell=cell,
        hp=hp,
        mana=at_most(where, "mana", block.mana, who.mana_max),
        faith=at_most(where, "faith", block.faith, who.faith_max),
        hands=hands,
        pack=tuple(pack),
        posture="prone" if hp <= 0 else block.posture,
        dying=-who.hp_max < hp <= 0,
        bleeding="bleeding" in block.conditions,
        rooted="rooted" in block.conditions,
        slowed="slowed" in block.conditions,
        effects=innate(block.conditions, _adversaries(setup, number)) + asleep,
        stunned=EASY if asleep else 0,
        items=block.items,
        keys=block.keys,
        ammunition=UNCOUNTED if block.ammunition is None else block.ammunition,
    )


def _adversaries(setup: Setup, number: int) -> tuple[int, ...]:
    side = setup.fighters[number].side
    return tuple(i for i, other in enumerate(setup.fighters) if other.side != side)
