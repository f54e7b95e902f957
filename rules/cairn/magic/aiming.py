"""What a power is aimed at and takes in, and the second thing that some are aimed at besides (cairn.md §2.10, §5.5)."""

from __future__ import annotations

from rules.board.sight import Grade, visible
from rules.cairn.actions.context import Context
from rules.cairn.gear import Gear
from rules.cairn.magic.effects import EFFECT_KINDS
from rules.cairn.magic.ground import sight_between
from rules.cairn.magic.powers import Effect, Power
from rules.cairn.visibility import door_named, unseen
from rules.contract.actions import Action
from rules.contract.text import text


def source(context: Context, name: str | None) -> tuple[Power, Gear | None] | None:
    """The power meant by an item's name or a power's own, and the item that holds it."""
    armoury = context.setup.armoury
    carried = (*context.figure.hands, *context.figure.pack)
    item = armoury.gear.get(name or "")
    if item is not None and item.power and item.name in carried:
        return armoury.powers[item.power], item
    if name in context.being.powers:
        return armoury.powers[name or ""], None
    return None


def too_far(
    context: Context, power: Power, way: tuple[int, int], who: int | None = None, *, aim: str = "target"
) -> str | None:
    """Why a power does not reach over a way (from, to), on whose end `who` stands."""
    place, cell = way
    size = context.setup.beings[who].space if who is not None else 1
    distance = context.terrain.distance(place, cell, context.being.space, size)
    if distance > power.reach:
        return text(
            "{aim}: {distance} spaces away; {power} reaches {reach}",
            aim=aim,
            distance=distance,
            power=power.name,
            reach=power.reach,
        )
    if (
        power.range != "earshot"
        and distance
        and sight_between(context.state, place, cell, context.being.space, size, by=context.who) is Grade.NONE
    ):
        return text("{aim}: no line of sight", aim=aim)
    return None


def missed(context: Context, power: Power, action: Action) -> str | None:
    """Why a power does not reach what it was aimed at when its time has come: one may not have got there, and friends
    move too. Who has fallen meanwhile is in nobody's reach, but the power is wasted on them (A2)."""
    place = context.figure.cell
    if power.needs in ("creature", "ally"):
        target = context.find(action.target)
        if target is None:
            return None
        cell = context.state.figures[target].cell
        return unseen(context.state, context.who, target, place) or too_far(context, power, (place, cell), target)
    if power.needs == "door":
        number = door_named(context.state, context.being.side, action.target)
        doors = context.terrain.field.doors
        return None if number is None else too_far(context, power, (place, doors[number].cell))
    if power.needs == "space" and action.at is not None:
        return too_far(context, power, (place, action.at), aim="at")
    return None


def uses_left(context: Context, power: Power, item: Gear | None) -> int | None:
    """How often a power can still be used in this fight; None = without limit."""
    used = dict(context.figure.used)
    if item is not None and item.kind == "scroll":
        return (context.figure.hands + context.figure.pack).count(item.name)
    if item is not None and item.charges:
        copies = (context.figure.hands + context.figure.pack).count(item.name)
        return item.charges * copies - used.get(item.name, 0)
    if power.uses:
        return power.uses - used.get(power.name, 0)
    return None


def moving(power: Power) -> Effect | None:
    """The effect that puts somebody on another space, if the power has one."""
    return next((effect for effect in power.effects if EFFECT_KINDS[effect.kind].moves), None)


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
    return sight_between(context.state, context.place, cell, *sizes, by=context.who) is not Grade.NONE


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
    words = {"space": "a space to land on", "item": "a thing on the floor", "creature": "a second creature's space"}
    if action.at is None or not 0 <= action.at < context.terrain.field.width * context.terrain.field.height:
        return text("at: needs {thing}", thing=words[power.onto])
    if seconds(context, power, who) >> action.at & 1:
        return None
    if power.onto == "space":
        return text("at: {space} is too far, taken or no ground to land on", space=context.name(action.at))
    return text(
        "at: {space} does not hold {thing} within reach", space=context.name(action.at), thing=words[power.onto]
    )
