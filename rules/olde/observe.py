"""What a side knows: creatures that none of its own sees are gone, and no dice to come are in it."""

from __future__ import annotations

import msgspec

from rules.olde.state import OldeState
from rules.sight import visible


def observe(state: OldeState, side: str) -> OldeState:
    """The state as `side` knows it. Its own creatures and all that one of them sees stay; the rest leaves the board."""
    fighters, figures, terrain = state.setup.fighters, state.figures, state.terrain
    seen = 0
    for fighter, figure in zip(fighters, figures, strict=True):
        if fighter.side == side and figure.cell >= 0 and figure.hp > -fighter.hp_max:
            seen |= visible(terrain, figure.cell, fighter.space) | terrain.footprint(
                figure.cell, fighter.space
            )
    known = []
    for fighter, figure in zip(fighters, figures, strict=True):
        here = fighter.side == side or (
            figure.cell >= 0 and bool(terrain.footprint(figure.cell, fighter.space) & seen)
        )
        known.append(figure if here else msgspec.structs.replace(figure, cell=-1))
    floor = tuple(lying for lying in state.floor if seen >> lying.cell & 1)
    return msgspec.structs.replace(
        state, figures=tuple(known), rng=None, throw_at=0, floor=floor, viewer=side
    )
