"""Somebody's place on the board: where a fight begins, or in the middle of one (cairn.md §9 hand)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from rules.board.grid import Terrain
from rules.cairn.conditions import ASLEEP, INVISIBLE, TESTED
from rules.cairn.creation.characters import ATTRIBUTES
from rules.cairn.plunder import PLUNDER
from rules.cairn.statblock import StatBlock, being, initial_hands
from rules.cairn.state import Being, Figure, Lasting, Morale, Resolution, Setup
from rules.contract.errors import RecordError
from rules.contract.ruleset import PARTY
from rules.contract.text import text
from rules.contract.units import Cell, CreatureIx, numbered
from rules.core.base_ruleset import at_most, place_creature, told_apart
from rules.core.validate import on_map

Others = Iterable[tuple[str, Cell, int]]


def arrive(resolution: Resolution, block: StatBlock, where: str) -> CreatureIx:
    """Put somebody new on its space, the last in the order, with all that it carries. Its side may be a new one; its
    band counts it among those with which it began. When it may act is its caller's to say. Raises RecordError for gear
    that there is not, or a space that is taken: nothing has changed then."""
    setup, who, at = resolution.setup, CreatureIx(len(resolution.figures)), text("{where} ({id})", where, block.id)
    if block.id in setup.index:
        raise RecordError("{at}: the id is taken; ids differ", at)
    new = being(block, setup.armoury, where)
    for number, point in enumerate(block.patrol):
        on_map(setup.field, point, text("{at}: patrol[{number}]", at, number))
    name = told_apart([*(each.name for each in setup.beings), new.name])[-1]
    joined = setup.with_beings((*setup.beings, msgspec.structs.replace(new, name=name)))
    here = numbered(resolution.figures)
    others = [(setup.beings[i].id, figure.cell, setup.beings[i].space) for i, figure in here if figure.present]
    figure = figure_of(joined, resolution.terrain, others, who, block, where=at)
    setup.armoury.treasury.check(setup.field, (block.carries,))
    resolution.setup = joined
    resolution.figures.append(figure)
    resolution.plans.append(None)
    if block.side != PARTY:
        resolution.morale = _with(resolution.morale, joined, new, fights=figure.fighting)
    PLUNDER.endow(resolution, who, block.carries)
    return who


def _with(morale: Sequence[Morale], setup: Setup, one: Being, *, fights: bool) -> tuple[Morale, ...]:
    """The bands with one more of somebody's."""
    known = [band for band in morale if (band.side, band.group) == (one.side, one.group)]
    if not known:
        bands = [*morale, Morale(one.side, int(fights), one.group)]
        return tuple(sorted(bands, key=lambda band: setup.sides.index(band.side)))
    return tuple(
        msgspec.structs.replace(band, start=band.start + fights) if band is known[0] else band for band in morale
    )


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
    hands = initial_hands(block, setup.armoury, f"creatures[{number}]")
    pack = list(block.items)
    for item in hands:
        pack.remove(item)
    sleeps = [ASLEEP.name] if block.asleep else []
    begins = [*block.innate, *block.suffers, *([INVISIBLE.name] if block.lurks else []), *sleeps]
    if hp == 0 < block.hp_max:  # who stands there without Hit Protection has not come to it in this fight (A14)
        begins.append(TESTED.name)
    now = [at_most(where, f"{name}_now", getattr(block, f"{name}_now"), getattr(block, name)) for name in ATTRIBUTES]
    return Figure(
        cell=cell, hp=hp, hp_max=block.hp_max, str_now=now[0], dex_now=now[1], wil_now=now[2],
        str_max=block.strength, dex_max=block.dexterity, wil_max=block.willpower, hands=hands, pack=tuple(pack),
        fatigue=block.fatigue, posture=block.posture, heads=block.heads, lame=block.lame, one_armed=block.one_armed,
        doomed=block.doomed, scars=block.scars, lasting=tuple(Lasting(name) for name in begins),
        used=tuple(sorted((name, count) for name, count in block.used.items() if name in block.items)),
    )  # fmt: skip
