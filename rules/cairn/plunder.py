"""What one may take: things on the floor and on the fallen, chests that come open, slots that are free
(cairn.md §2.14)."""

from __future__ import annotations

from collections.abc import Iterator

from rules.board.bitboard import board_of
from rules.board.fixtures import Challenge
from rules.cairn import conditions as cond
from rules.cairn.gear import SLOTS
from rules.cairn.magic.ground import in_hand, take_up
from rules.cairn.state import PURSE, CairnState, Figure, Lying, Resolution, Setup, filled, worn
from rules.contract.events import Item, Note
from rules.contract.units import Cell, CreatureIx, numbered
from rules.core.fixtures import loot
from rules.core.fixtures.contents import coins, coins_in
from rules.core.fixtures.doors import key_names
from rules.core.fixtures.loot import Burden, Find, Sorted, sort
from rules.core.fixtures.treasure import Drawn


def fallen(figure: Figure) -> bool:
    """Whether somebody lies there and can't hold on to what it has."""
    return figure.dead or figure.critical or figure.has(cond.OUT)


def belongings(state: CairnState | Resolution, who: CreatureIx) -> Iterator[str]:
    """What may be taken from somebody: coins, keys, then things; what it wears comes off nobody in a fight."""
    figure, being = state.figures[who], state.setup.beings[who]
    if figure.purse:
        yield coins(figure.purse)
    yield from figure.keys
    on = list(worn(state.setup, being, figure))
    for item in figure.carried:
        if item in on:
            on.remove(item)
        else:
            yield item


def finds(state: CairnState, who: CreatureIx, cell: Cell) -> list[Find]:
    """Everything that somebody's hands reach from a space: what lies there, then what the fallen have."""
    bodies = [i for i, f in numbered(state.figures) if i != who and f.cell >= 0 and fallen(f)]
    wanted = board_of(lying.cell for lying in state.floor) | board_of(state.figures[i].cell for i in bodies)
    near = in_hand(state, who, cell, wanted) if wanted else 0
    found = [Find(each.item, each.cell, number) for number, each in enumerate(state.floor) if near >> each.cell & 1]
    for body in bodies:
        there = state.figures[body].cell
        if near >> there & 1:
            found += [Find(item, there, body=body) for item in belongings(state, body)]
    return found


def weight(setup: Setup, figure: Figure, item: str) -> int:
    """Slots that a thing fills on somebody: keys none, coins as they make a hundred more with what is in the purse."""
    if count := coins_in(item):
        return (figure.purse + count) // PURSE - figure.purse // PURSE
    return 0 if item in key_names(setup.field) else setup.armoury.slots(item)


def burden(setup: Setup, figure: Figure) -> Burden:
    """What somebody's slots hold."""
    return Burden(filled(setup, figure), SLOTS, "slots")


def why_not(setup: Setup, pc: bool, figure: Figure, item: str) -> str | None:
    """Why somebody has no room for a thing, or None: foes' slots are not counted."""
    full = pc and setup.fixtures and weight(setup, figure, item) > burden(setup, figure).room
    return "item: no slot is free for it" if full else None


def sorted_out(state: CairnState, who: CreatureIx, cell: Cell) -> Sorted:
    """What somebody takes of all that is within reach, and what it leaves: the last slot stays free."""
    setup, figure, found = state.setup, state.figures[who], finds(state, who, cell)
    room = max(0, burden(setup, figure).room - 1) if setup.beings[who].pc else len(found) * SLOTS
    return sort(found, room, lambda item: weight(setup, figure, item), setup.armoury.worth)


def take(resolution: Resolution, who: CreatureIx, find: Find) -> None:
    """One thing changes hands."""
    if find.floor >= 0:
        floor = resolution.floor
        number = next((i for i, each in enumerate(floor) if (each.item, each.cell) == (find.item, find.cell)), None)
        if number is not None:
            take_up(resolution, who, number)
        return
    figure = resolution.figures[find.body]
    if coins_in(find.item):
        resolution.change(find.body, purse=0)
    elif find.item in figure.keys:
        resolution.change(find.body, keys=_less(figure.keys, find.item))
    elif find.item in figure.carried:
        resolution.figures[find.body] = figure.without(find.item)
    else:
        return
    receive(resolution, who, find.item)


def _less(items: tuple[str, ...], item: str) -> tuple[str, ...]:
    spot = items.index(item)
    return (*items[:spot], *items[spot + 1 :])


def receive(resolution: Resolution, who: CreatureIx, item: str) -> None:
    """Somebody has it from now on: coins in the purse, keys at the belt, everything else in the pack."""
    gain(resolution, who, item)
    resolution.events.append(Item(by=resolution.being(who).id, item=item, how="picked_up"))


def gain(resolution: Resolution, who: CreatureIx, item: str) -> None:
    """The same, and nobody is told."""
    figure, count = resolution.figures[who], coins_in(item)
    if count:
        resolution.change(who, purse=figure.purse + count)
    elif item in key_names(resolution.setup.field):
        resolution.change(who, keys=(*figure.keys, item))
    else:
        resolution.change(who, pack=(*figure.pack, item))


def spill(resolution: Resolution, chest: Challenge) -> Drawn:
    """What was in a chest lies on its space from now on."""
    setup = resolution.setup
    drawn = setup.armoury.treasury.draw(resolution.dice, chest.contents)
    known = setup.armoury.known
    lying = drawn.things if setup.fixtures else [item for item in drawn.things if known(item) or coins_in(item)]
    resolution.floor = (*resolution.floor, *(Lying(item, chest.cells[0]) for item in lying))
    return drawn


def endow(resolution: Resolution, who: CreatureIx, carries: str) -> None:
    """Somebody has from the start what its stat block says that it carries besides gear."""
    if not carries:
        return
    drawn = resolution.setup.armoury.treasury.draw(resolution.dice, carries)
    for item in drawn.things:
        gain(resolution, who, item)
    if drawn.rolls:
        told = Note(text=loot.told(loot.Find(item) for item in drawn.things), rolls=drawn.rolls, seen_by=("",))
        resolution.events.append(told)
