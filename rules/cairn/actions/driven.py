"""Those who are not their own masters: the frightened run, the greedy go for a thing, the frenzied strike at whoever
is nearest, the hating at one alone (cairn.md §5.5)."""

from __future__ import annotations

import msgspec

from rules.board.bitboard import board_of, cells_of
from rules.cairn.actions.attacks import ATTACK
from rules.cairn.actions.context import Context
from rules.cairn.belongings import take_up
from rules.cairn.combat.attack import prepare, weapon_of, wielded
from rules.cairn.conditions import FRENZIED, FRIGHTENED, GREEDY, HATING
from rules.cairn.magic.ground import in_hand
from rules.cairn.movement import walk
from rules.cairn.saves import relieve
from rules.cairn.state import Resolution, awake, present
from rules.contract.actions import Action
from rules.contract.text import text


def _look(resolution: Resolution, who: int) -> Context:
    """Its situation: it goes before all that was planned, so that nobody has left or come yet."""
    state = resolution.done()
    return Context(msgspec.structs.replace(state, plans=(None,) * len(state.plans)), who)


def drive(resolution: Resolution) -> list[tuple[int, Action]]:
    """Move the driven of the side whose half it is, in the record's order; the blows that the frenzied strike."""
    blows = []
    for who in range(len(resolution.figures)):
        if not awake(resolution, who):
            continue
        acts = next((act for condition, act in _DRIVES if resolution.figures[who].has(condition)), None)
        blow = acts(resolution, who) if acts is not None else None
        if blow is not None:
            blows.append((who, blow))
    return blows


def _run(resolution: Resolution, who: int) -> Action | None:
    """As far as possible from the cause of the fear, or from every foe where it is nobody."""
    context = _look(resolution, who)
    feared = context.figure.causes(FRIGHTENED)
    causes = [i for i in context.others() if context.setup.beings[i].id in feared]
    causes = causes or [i for i in context.others() if context.setup.beings[i].side != context.being.side]
    budget = 2 * context.budget - context.standing_cost()
    ways = context.ways(context.figure.cell, budget)
    away = _farthest(context, [*cells_of(ways.cells), context.figure.cell], causes)
    resolution.note(who, "flees in terror" if away != context.figure.cell else "cowers")
    if away != context.figure.cell:
        walk(resolution, who, ways.route(away), "dash")
    return None


def _covet(resolution: Resolution, who: int) -> Action | None:
    """Straight to the thing and up with it; with it in hand, or nowhere to be found, one is oneself again."""
    context = _look(resolution, who)
    (wanted,) = context.figure.causes(GREEDY)
    lying = [each.cell for each in resolution.floor if each.item == wanted]
    if not lying:
        relieve(resolution, who, GREEDY, text("no {wanted} any more", wanted=wanted))
        return None
    space = context.being.space

    def gap(cell: int) -> int:
        return min(context.terrain.distance(cell, there, space) for there in lying)

    ways = context.ways(context.figure.cell, 2 * context.budget - context.standing_cost())
    there = min(
        [context.figure.cell, *cells_of(ways.cells)], key=lambda cell: (gap(cell), cell != context.figure.cell, cell)
    )
    if there != context.figure.cell:
        walk(resolution, who, ways.route(there), "dash")
    figure = resolution.figures[who]
    if not present(figure):
        return None
    near = in_hand(resolution.done(), who, figure.cell, board_of(lying))
    for number, each in enumerate(resolution.floor):
        if each.item == wanted and near >> each.cell & 1:
            take_up(resolution, who, number)
            relieve(resolution, who, GREEDY, text("it has the {wanted}", wanted=wanted))
            break
    return None


def _farthest(context: Context, cells: list[int], causes: list[int]) -> int:
    terrain, beings, space = context.terrain, context.setup.beings, context.being.space

    def gap(cell: int) -> tuple[int, int]:
        gaps = (terrain.distance(cell, context.state.figures[i].cell, space, beings[i].space) for i in causes)
        return min(gaps, default=0), -cell

    return max(cells, key=gap)


def _rage(resolution: Resolution, who: int) -> Action | None:
    """At the nearest creature, friend or foe, with what does most; towards it first."""
    context = _look(resolution, who)
    others = [i for i in context.others() if not context.state.figures[i].critical]
    if not others:
        return None
    hated = context.figure.causes(HATING)
    meant = [i for i in others if context.setup.beings[i].id in hated]
    if hated and not meant and not context.figure.has(FRENZIED):
        relieve(resolution, who, HATING, "there is nobody to hate any more")
        return None
    target = min(meant or others, key=lambda i: (context.distance(i), i))
    found = _blow(context, target, context.figure.cell)
    if found is None:
        budget = context.budget - context.standing_cost()
        goal, space = context.state.figures[target].cell, context.being.space
        ways = context.ways(context.figure.cell, budget)
        cells = sorted(
            cells_of(ways.cells),
            key=lambda c: (context.terrain.distance(c, goal, space, context.setup.beings[target].space), c),
        )
        there = next((c for c in cells if _blow(context, target, c) is not None), cells[0] if cells else None)
        if there is not None:
            start = resolution.figures[who].cell
            walk(resolution, who, ways.route(there), "move")
            came = resolution.terrain.distance(start, max(0, resolution.figures[who].cell), space, space)
            resolution.change(who, ran=came)  # for a charge
        if not present(resolution.figures[who]):
            return None
        context = _look(resolution, who)
        found = _blow(context, target, context.figure.cell)
    return found


def _blow(context: Context, target: int, start: int) -> Action | None:
    best: tuple[int, str] | None = None
    for name in wielded(context.setup, context.who, context.figure):
        weapon = weapon_of(context.setup, context.who, name)
        blow = prepare(context.state, context.who, target, weapon, (start, context.state.figures[target].cell))
        if blow is not None and (best is None or sum(blow.dice) > best[0]):
            best = sum(blow.dice), name
    if best is None:
        return None
    return Action(context.being.id, ATTACK.do, target=context.setup.beings[target].id, weapon=best[1])


_DRIVES = ((FRIGHTENED, _run), (GREEDY, _covet), (FRENZIED, _rage), (HATING, _rage))
"""What each of these conditions drives somebody to; of several the first. The attack that it comes to, if any."""
