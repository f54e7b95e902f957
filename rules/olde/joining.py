"""Somebody comes to be on the board in the middle of a fight or an exploration (olde.md §14 hand)."""

from __future__ import annotations

from rules.contract.errors import RecordError
from rules.contract.text import text
from rules.contract.units import CreatureIx
from rules.core.validate import on_map
from rules.olde.plunder import PLUNDER
from rules.olde.statblock import StatBlock, fighter, figure_of
from rules.olde.state import Resolution


def arrive(resolution: Resolution, block: StatBlock, where: str) -> CreatureIx:
    """Put somebody new on its space, the last in the order, with all that it carries. It has no AP yet; when it is to
    have some is its caller's to say. Raises RecordError for gear that there is not, or a space that is taken: nothing
    has changed then."""
    setup, who = resolution.setup, CreatureIx(len(resolution.figures))
    at = text("{where} ({id})", where, block.id)
    if block.id in setup.index:
        raise RecordError("{at}: the id is taken; ids differ", at)
    joined = setup.joined_by(fighter(block, setup.armoury, where, setup.grimoire))
    for number, point in enumerate(block.patrol):
        on_map(setup.field, point, text("{at}: patrol[{number}]", at, number))
    figure = figure_of(joined, resolution.terrain, list(resolution.figures), who, block, where=at)
    setup.armoury.treasury.check(setup.field, (block.carries,))
    resolution.setup = joined
    resolution.figures.append(figure)
    PLUNDER.endow(resolution, who, block.carries)
    return who
