"""What a side sees and knows; orders are sealed until time moves (countup.md §1, §3)."""

from __future__ import annotations

import msgspec

from rules.board.light import ARM, Lamp, seen_from
from rules.board.sight import visible
from rules.core.secrets import doors_known
from rules.core.visibility import recalled
from rules.countup.light import near_lights, smoked_from, zone
from rules.countup.state import CountState, present


def lamps(state: CountState) -> tuple[Lamp, ...]:
    """The lights that creatures carry, as far as they are dim."""
    return tuple(
        (figure.cell, being.space, 2 * being.light)
        for being, figure in zip(state.setup.beings, state.figures, strict=True)
        if being.light and figure.cell >= 0 and not figure.dark
    )


def sees(state: CountState, side: str) -> int:
    """The bitboard of spaces that a side's creatures see."""
    setup, terrain = state.setup, state.terrain
    burning = lamps(state) if setup.darkness else ()
    veil, seen = zone(state, "dark"), 0
    for being, figure in zip(setup.beings, state.figures, strict=True):
        if being.side != side or not present(figure):
            continue
        lines = visible(terrain, figure.cell, being.space)
        view = lines
        if setup.darkness and not being.dark_sight:
            view = seen_from(terrain, figure.cell, being.space, burning, being.dark_sight)
            view |= lines & (zone(state, "light") | (near_lights(state) if being.low_light else 0))
            view &= ~veil
        view &= ~smoked_from(state, figure.cell, being.space)
        arm = lines & terrain.within(figure.cell, ARM, being.space)  # neighbours, in any smoke and darkness
        seen |= view | arm | terrain.footprint(figure.cell, being.space)
    return seen


def sealed(state: CountState, *sides: str) -> CountState:
    """The state but for the orders of others than these sides."""
    beings, replace = state.setup.beings, msgspec.structs.replace
    figures = tuple(
        figure if figure.order is None or being.side in sides else replace(figure, order=None)
        for being, figure in zip(beings, state.figures, strict=True)
    )
    return replace(state, figures=figures)


def observe(state: CountState, *sides: str) -> CountState:
    """The state as these sides together know it: the unseen are gone, others' orders are sealed."""
    seen, terrain, beings = 0, state.terrain, state.setup.beings
    for side in sides:
        seen |= sees(state, side)
    known = []
    for who, figure in enumerate(state.figures):
        if beings[who].side in sides:
            known.append(figure)
        elif figure.cell >= 0 and terrain.footprint(figure.cell, beings[who].space) & seen:
            known.append(msgspec.structs.replace(figure, order=None))
        else:
            known.append(msgspec.structs.replace(figure, cell=-1, order=None))
    doors = doors_known(recalled(state, sides), state.found, sides)
    if doors != state.doors:
        terrain = state.setup.field.terrain(sum(1 << i for i, stands in enumerate(doors) if stands == "open"))
    floor = tuple(lying for lying in state.floor if seen >> lying[1] & 1)
    return msgspec.structs.replace(
        state, figures=tuple(known), rng=None, throw_at=0, floor=floor, viewer="+".join(sides), doors=doors,
        found=tuple(known for known in state.found if known[0] in sides),
        terrain=terrain,
    )  # fmt: skip
