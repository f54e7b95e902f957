"""The second thing that a power is aimed at: where somebody lands, whom else it means, a thing (cairn.md §5.5)."""

from __future__ import annotations

from rules.board.bitboard import cells_of
from rules.board.sight import Grade, visible
from rules.cairn.actions.plans import Look
from rules.cairn.magic.ground import sight_between
from rules.cairn.magic.powers import Effect, Power
from rules.cairn.state import CairnState, Work, present, upright
from rules.contract.actions import Action


def moving(power: Power) -> Effect | None:
    """The effect that puts somebody on another space, if the power has one."""
    return next((effect for effect in power.effects if effect.kind == "teleport"), None)


def seconds(look: Look, power: Power, who: int) -> int:
    """Bitboard of the spaces that could be aimed at besides, for a power on the creature `who`."""
    if power.onto == "space":
        return landings(look, power, who)
    if power.onto == "item":
        near = look.terrain.within(look.place, power.reach, look.being.space)
        return sum({1 << lying.cell for lying in look.state.floor if near >> lying.cell & 1})
    board = 0
    for other in (look.who, *look.others()):
        cell = look.place if other == look.who else look.state.figures[other].cell
        if other != who and _in_reach(look, power, other, cell):
            board |= 1 << cell
    return board


def _in_reach(look: Look, power: Power, other: int, cell: int) -> bool:
    if other == look.who:
        return True
    sizes = look.being.space, look.setup.beings[other].space
    if look.terrain.distance(look.place, cell, *sizes) > power.reach:
        return False
    return sight_between(look.state, look.place, cell, *sizes, look.who) is not Grade.NONE


def landings(look: Look, power: Power, who: int) -> int:
    """The spaces on which somebody could be put, as far as its side knows who stands where."""
    effect = moving(power)
    assert effect is not None
    space = look.setup.beings[who].space
    start = look.place if who == look.who else look.state.figures[who].cell
    foes, allies = look.crowd()
    taken = foes | allies
    if who != look.who:
        taken |= look.terrain.footprint(look.place, look.being.space)
        taken &= ~look.terrain.footprint(start, space)
    cells = look.terrain.within(start, effect.spaces, space) & look.terrain.steps(space).fit
    if effect.name == "leap":
        cells &= visible(look.terrain, start, space)
    return cells & ~look.terrain.touching(taken, space) & ~(1 << start)


def second_fault(look: Look, power: Power, who: int, action: Action) -> str | None:
    """Why the second thing aimed at won't do, or None."""
    words = {
        "space": "a space to land on",
        "item": "a thing on the floor",
        "creature": "a second creature's space",
    }
    if action.at is None or not 0 <= action.at < look.terrain.field.width * look.terrain.field.height:
        return f"at: needs {words[power.onto]}"
    if seconds(look, power, who) >> action.at & 1:
        return None
    if power.onto == "space":
        return f"at: {look.name(action.at)} is too far, taken or no ground to land on"
    return f"at: {look.name(action.at)} does not hold {words[power.onto]} within reach"


def free_near(work: Work, who: int, goal: int) -> int | None:
    """The free space nearest to the one aimed at: somebody may have come to stand there since."""
    return room_near(work, goal, work.being(who).space, who)


def room_near(work: Work, goal: int, space: int = 1, but: int = -1) -> int | None:
    """The nearest space with room for a creature of a size on which nobody stands `but` one."""
    terrain = work.terrain
    taken = 0
    for i, other in enumerate(work.figures):
        if i != but and upright(other):
            taken |= terrain.footprint(other.cell, work.being(i).space)
    free = cells_of(terrain.steps(space).fit & ~terrain.touching(taken, space))
    return min(free, key=lambda cell: (terrain.distance(cell, goal, space, space), cell), default=None)


def standing_at(state: CairnState | Work, cell: int) -> int | None:
    """Who stands with its first space there."""
    return next((i for i, f in enumerate(state.figures) if present(f) and f.cell == cell), None)
