"""What a side sees, what it therefore knows of the fight, and which events it witnesses (olde.md §5)."""

from __future__ import annotations

import msgspec

from rules.fog import recalled
from rules.light import ARM, Lamp, dark, lit, seen_from
from rules.olde.challenge_state import doors_seen
from rules.olde.explore_state import lurkers
from rules.olde.magic_ground import in_magic_light, terrain_of
from rules.olde.magic_ground import lamps as magic_lamps
from rules.olde.state import Figure, OldeState
from rules.sight import Grade, grade, visible


def lamps(state: OldeState) -> tuple[Lamp, ...]:
    """The lights that creatures carry and that spells have made; a fallen bearer's burns on where it lies."""
    unlit = state.explore.unlit if state.explore is not None else 0
    return tuple(
        (figure.cell, fighter.space, fighter.light)
        for i, (fighter, figure) in enumerate(zip(state.setup.fighters, state.figures, strict=True))
        if fighter.light and figure.cell >= 0 and not unlit >> i & 1
    ) + magic_lamps(state.zones)


def sees(state: OldeState, side: str) -> int:
    """The bitboard of spaces that the living of a side see now, each with its own eyes."""
    setup, terrain = state.setup, state.terrain
    burning = lamps(state) if setup.darkness else ()
    seen = 0
    for fighter, figure in zip(setup.fighters, state.figures, strict=True):
        if fighter.side == side and figure.cell >= 0 and figure.hp > -fighter.hp_max:
            if setup.darkness:
                seen |= seen_from(terrain, figure.cell, fighter.space, burning, fighter.dark_sight)
            else:
                seen |= visible(terrain, figure.cell, fighter.space)
                seen |= terrain.footprint(figure.cell, fighter.space)
    return seen


def sight(state: OldeState, by: int, start: int, target: int, goal: int) -> Grade:
    """The line of sight of `by` standing at cell `start` to `target` standing at `goal`: none where it is dark, and
    one grade better where a spell sheds light (magic.md light)."""
    setup, terrain = state.setup, state.terrain
    fighter, foe = setup.fighters[by], setup.fighters[target]
    found = grade(terrain, start, goal, fighter.space, foe.space)
    if state.zones and found in (Grade.PARTIAL, Grade.MINIMAL):
        if in_magic_light(state, terrain.footprint(goal, foe.space)):
            found = Grade(found + 1)
    if not setup.darkness or found is Grade.NONE or fighter.dark_sight or not dark(terrain):
        return found
    if terrain.distance(start, goal, fighter.space, foe.space) <= ARM:
        return found
    return found if terrain.footprint(goal, foe.space) & lit(terrain, lamps(state)) else Grade.NONE


def observe(state: OldeState, *sides: str) -> OldeState:
    """The state as these sides together know it: their creatures and all that one of them sees; the rest leaves the
    board."""
    seen, terrain = sees(state, sides[0]) if sides else 0, state.terrain
    for side in sides[1:]:
        seen |= sees(state, side)
    known: list[Figure] = []
    hidden = False
    unfound = lurkers(state, sides) if state.explore is not None else ()
    for fighter, figure in zip(state.setup.fighters, state.figures, strict=True):
        if unfound and state.setup.index[fighter.id] in unfound:
            hidden = True
            figure = msgspec.structs.replace(figure, cell=-1)
        elif fighter.side not in sides and figure.cell >= 0:
            if (
                not (
                    1 << figure.cell if fighter.space == 1 else terrain.footprint(figure.cell, fighter.space)
                )
                & seen
            ):
                hidden = True
                figure = msgspec.structs.replace(figure, cell=-1)
        known.append(figure)
    figures = tuple(known) if hidden else state.figures
    doors = recalled(state, sides)
    if doors != state.doors:
        terrain = terrain_of(state.setup, doors, state.zones, state.cleared)
    floor = tuple([lying for lying in state.floor if seen >> lying.cell & 1]) if state.floor else ()
    return msgspec.structs.replace(
        state,
        figures=figures,
        rng=None,
        throw_at=0,
        floor=floor,
        viewer="+".join(sides),
        found=tuple(known for known in state.found if known[0] in sides),
        doors=doors_seen(state, sides, doors),
        terrain=terrain,
    )
