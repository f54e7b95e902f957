"""The second thing that a power is aimed at: where somebody lands, whom else it means, a thing (cairn.md §5.5)."""

from __future__ import annotations

from rules.board.bitboard import cells_of
from rules.board.sight import Grade, visible
from rules.cairn.actions.plans import Context
from rules.cairn.magic.ground import sight_between
from rules.cairn.magic.powers import Effect, Power
from rules.cairn.state import CairnState, Resolution, present, upright
from rules.contract.actions import Action


def moving(power: Power) -> Effect | None:
    """The effect that puts somebody on another space, if the power has one."""
    return next((effect for effect in power.effects if effect.kind == "teleport"), None)


def seconds(context: Context, power: Power, who: int) -> int:
    """Bitboard of the spaces that could be aimed at besides, for a power on the creature `who`."""
    if power.onto == "space":
        return landings(context, power, who)
    if power.onto == "item":
        near = context.terrain.within(context.place, power.reach, context.being.space)
        return sum({1 << lying.cell for lying in context.state.floor if near >> lying.cell & 1})
    board = 0
    for other in (context.who, *context.others()):
        cell = context.place if other == context.who else context.state.figures[other].cell
        if other != who and _in_reach(context, power, other, cell):
            board |= 1 << cell
    return board


def _in_reach(context: Context, power: Power, other: int, cell: int) -> bool:
    if other == context.who:
        return True
    sizes = context.being.space, context.setup.beings[other].space
    if context.terrain.distance(context.place, cell, *sizes) > power.reach:
        return False
    return sight_between(context.state, context.place, cell, *sizes, context.who) is not Grade.NONE


def landings(context: Context, power: Power, who: int) -> int:
    """The spaces on which somebody could be put, as far as its side knows who stands where."""
    effect = moving(power)
    assert effect is not None
    space = context.setup.beings[who].space
    start = context.place if who == context.who else context.state.figures[who].cell
    foes, allies = context.crowd()
    taken = foes | allies
    if who != context.who:
        taken |= context.terrain.footprint(context.place, context.being.space)
        taken &= ~context.terrain.footprint(start, space)
    cells = context.terrain.within(start, effect.spaces, space) & context.terrain.steps(space).fit
    if effect.name == "leap":
        cells &= visible(context.terrain, start, space)
    return cells & ~context.terrain.touching(taken, space) & ~(1 << start)


def second_fault(context: Context, power: Power, who: int, action: Action) -> str | None:
    """Why the second thing aimed at won't do, or None."""
    words = {
        "space": "a space to land on",
        "item": "a thing on the floor",
        "creature": "a second creature's space",
    }
    if action.at is None or not 0 <= action.at < context.terrain.field.width * context.terrain.field.height:
        return f"at: needs {words[power.onto]}"
    if seconds(context, power, who) >> action.at & 1:
        return None
    if power.onto == "space":
        return f"at: {context.name(action.at)} is too far, taken or no ground to land on"
    return f"at: {context.name(action.at)} does not hold {words[power.onto]} within reach"


def free_near(resolution: Resolution, who: int, goal: int) -> int | None:
    """The free space nearest to the one aimed at: somebody may have come to stand there since."""
    return room_near(resolution, goal, resolution.being(who).space, who)


def room_near(resolution: Resolution, goal: int, space: int = 1, but: int = -1) -> int | None:
    """The nearest space with room for a creature of a size on which nobody stands `but` one."""
    terrain = resolution.terrain
    taken = 0
    for i, other in enumerate(resolution.figures):
        if i != but and upright(other):
            taken |= terrain.footprint(other.cell, resolution.being(i).space)
    free = cells_of(terrain.steps(space).fit & ~terrain.touching(taken, space))
    return min(free, key=lambda cell: (terrain.distance(cell, goal, space, space), cell), default=None)


def standing_at(state: CairnState | Resolution, cell: int) -> int | None:
    """Who stands with its first space there."""
    return next((i for i, f in enumerate(state.figures) if present(f) and f.cell == cell), None)
