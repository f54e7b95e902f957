"""Somebody's place on the board: where a fight begins, or in the middle of one (countup.md §10 hand)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rules.board.grid import Terrain
from rules.contract.errors import RecordError
from rules.contract.text import text
from rules.contract.units import Cell, CreatureIx, numbered
from rules.core.base_ruleset import at_most, place_creature
from rules.core.validate import on_map
from rules.countup.combat.reach import bearing
from rules.countup.conditions import ASLEEP
from rules.countup.plunder import PLUNDER
from rules.countup.statblock import StatBlock, being
from rules.countup.state import FOREVER, UNCOUNTED, Figure, Resolution, Setup

Others = Iterable[tuple[str, Cell, int]]


def arrive(resolution: Resolution, block: StatBlock, where: str) -> CreatureIx:
    """Put somebody new on its space, the last in the order, with all that it carries, its face to the nearest foe. When
    it may act is its caller's to say. Raises RecordError for gear that there is not, or a space that is taken: nothing
    has changed then."""
    setup, who, at = resolution.setup, CreatureIx(len(resolution.figures)), text("{where} ({id})", where, block.id)
    if block.id in setup.index:
        raise RecordError("{at}: the id is taken; ids differ", at)
    joined = setup.with_beings((*setup.beings, being(block, setup.armoury, where)))
    for number, point in enumerate(block.patrol):
        on_map(setup.field, point, text("{at}: patrol[{number}]", at, number))
    here = numbered(resolution.figures)
    others = [(setup.beings[i].id, figure.cell, setup.beings[i].space) for i, figure in here if figure.present]
    figure = figure_of(joined, resolution.terrain, others, who, block, where=at)
    setup.armoury.treasury.check(setup.field, (block.carries,))
    resolution.setup = joined
    resolution.figures.append(figure)
    if block.facing is None and (foes := resolution.foes(who)):
        near = min(foes, key=lambda foe: (resolution.distance(who, foe), resolution.figures[foe].cell, foe))
        resolution.change(who, facing=bearing(resolution, who, near))
    PLUNDER.endow(resolution, who, block.carries)
    return who


def first_figure(setup: Setup, terrain: Terrain, placed: Sequence[Figure], who: CreatureIx, block: StatBlock) -> Figure:
    """A creature on its space before the fight. Raises RecordError where it does not fit."""
    others = ((other.id, figure.cell, other.space) for other, figure in zip(setup.beings, placed, strict=False))
    return figure_of(setup, terrain, others, who, block, where=f"creatures[{who}] ({block.id})")


def figure_of(
    setup: Setup, terrain: Terrain, others: Others, number: CreatureIx, block: StatBlock, *, where: str
) -> Figure:  # fmt: skip
    """A creature on its space, where none of the others is. Raises RecordError where it does not fit."""
    who, field = setup.beings[number], setup.field
    cell = place_creature(field, terrain, where, block.at, who.space, who=block.id, others=others)
    hp = at_most(where, "hp", block.hp, block.hp_max)
    hand = block.ready or (block.weapons[0] if block.weapons else "")
    two = hand and setup.armoury.weapons[hand].hands == 2
    shield, slung = (None, block.shield) if two else (block.shield, None)
    points = at_most(where, "points", block.points, block.spell_points)
    sleeping = ((ASLEEP.name, FOREVER),) if block.asleep else ()
    return Figure(
        cell=cell, effects=sleeping, hp=hp, hand=hand, shield=shield, slung=slung, points=points,
        facing=block.facing or 0, prayed=block.prayed, wounds=block.wounds,
        ammunition=UNCOUNTED if block.ammunition is None else block.ammunition,
    )  # fmt: skip
