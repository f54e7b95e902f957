"""Those who are not their own masters: the frightened run, the greedy go for a thing, the frenzied strike at whoever
is nearest, the hating at one alone (cairn.md §5.5)."""

from __future__ import annotations

import msgspec

from rules.board.bitboard import board_of, cells_of
from rules.cairn.actions.movement import walk
from rules.cairn.actions.plans import Look
from rules.cairn.belongings import take_up
from rules.cairn.combat.attack import prepare, weapon_of, wielded
from rules.cairn.magic.ground import in_hand
from rules.cairn.planning import awake
from rules.cairn.saves import relieve
from rules.cairn.state import Work, present
from rules.contract.actions import Action
from rules.contract.events import Note


def _look(work: Work, who: int) -> Look:
    """Its situation: it goes before all that was planned, so that nobody has left or come yet."""
    state = work.done()
    return Look(msgspec.structs.replace(state, plans=(None,) * len(state.plans)), who)


def drive(work: Work) -> list[tuple[int, Action]]:
    """Move the driven of the side whose half it is, in the record's order; the blows that the frenzied strike."""
    blows = []
    for who in range(len(work.figures)):
        if not awake(work, who):
            continue
        if work.figures[who].has("frightened"):
            _run(work, who)
        elif work.figures[who].has("greedy"):
            _covet(work, who)
        elif work.figures[who].has("frenzied") or work.figures[who].has("hating"):
            blow = _rage(work, who)
            if blow is not None:
                blows.append((who, blow))
    return blows


def _run(work: Work, who: int) -> None:
    """As far as possible from the cause of the fear, or from every foe where it is nobody."""
    look = _look(work, who)
    feared = {each.by for each in look.figure.lasting if each.name == "frightened"}
    causes = [i for i in look.others() if look.setup.beings[i].id in feared]
    causes = causes or [i for i in look.others() if look.setup.beings[i].side != look.being.side]
    budget = 2 * look.budget - look.standing_cost()
    ways = look.ways(look.figure.cell, budget)
    away = _farthest(look, [*cells_of(ways.cells), look.figure.cell], causes)
    work.events.append(
        Note(text="flees in terror" if away != look.figure.cell else "cowers", by=look.being.id)
    )
    if away != look.figure.cell:
        walk(work, who, ways.route(away), "dash")


def _covet(work: Work, who: int) -> None:
    """Straight to the thing and up with it; with it in hand, or nowhere to be found, one is oneself again."""
    look = _look(work, who)
    wanted = next(each.by for each in look.figure.lasting if each.name == "greedy")
    lying = [each.cell for each in work.floor if each.item == wanted]
    if not lying:
        relieve(work, who, "greedy", f"no {wanted} any more")
        return
    space = look.being.space

    def gap(cell: int) -> int:
        return min(look.terrain.distance(cell, there, space) for there in lying)

    ways = look.ways(look.figure.cell, 2 * look.budget - look.standing_cost())
    there = min(
        [look.figure.cell, *cells_of(ways.cells)],
        key=lambda cell: (gap(cell), cell != look.figure.cell, cell),
    )
    if there != look.figure.cell:
        walk(work, who, ways.route(there), "dash")
    figure = work.figures[who]
    if not present(figure):
        return
    near = in_hand(work.done(), who, figure.cell, board_of(lying))
    for number, each in enumerate(work.floor):
        if each.item == wanted and near >> each.cell & 1:
            take_up(work, who, number)
            relieve(work, who, "greedy", f"it has the {wanted}")
            return


def _farthest(look: Look, cells: list[int], causes: list[int]) -> int:
    terrain, beings, space = look.terrain, look.setup.beings, look.being.space

    def gap(cell: int) -> tuple[int, int]:
        gaps = (terrain.distance(cell, look.state.figures[i].cell, space, beings[i].space) for i in causes)
        return min(gaps, default=0), -cell

    return max(cells, key=gap)


def _rage(work: Work, who: int) -> Action | None:
    """At the nearest creature, friend or foe, with what does most; towards it first."""
    look = _look(work, who)
    others = [i for i in look.others() if not look.state.figures[i].critical]
    if not others:
        return None
    hated = {each.by for each in look.figure.lasting if each.name == "hating"}
    meant = [i for i in others if look.setup.beings[i].id in hated]
    if hated and not meant and not look.figure.has("frenzied"):
        relieve(work, who, "hating", "there is nobody to hate any more")
        return None
    target = min(meant or others, key=lambda i: (look.distance(i), i))
    found = _blow(look, target, look.figure.cell)
    if found is None:
        budget = look.budget - look.standing_cost()
        goal, space = look.state.figures[target].cell, look.being.space
        ways = look.ways(look.figure.cell, budget)
        cells = sorted(
            cells_of(ways.cells),
            key=lambda c: (look.terrain.distance(c, goal, space, look.setup.beings[target].space), c),
        )
        there = next((c for c in cells if _blow(look, target, c) is not None), cells[0] if cells else None)
        if there is not None:
            start = work.figures[who].cell
            walk(work, who, ways.route(there), "move")
            came = work.terrain.distance(start, max(0, work.figures[who].cell), space, space)
            work.change(who, ran=came)  # for a charge
        if not present(work.figures[who]):
            return None
        look = _look(work, who)
        found = _blow(look, target, look.figure.cell)
    return found


def _blow(look: Look, target: int, start: int) -> Action | None:
    best: tuple[int, str] | None = None
    for name in wielded(look.setup, look.who, look.figure):
        weapon = weapon_of(look.setup, look.who, name)
        blow = prepare(look.state, look.who, target, weapon, start, look.state.figures[target].cell)
        if blow is not None and (best is None or sum(blow.dice) > best[0]):
            best = sum(blow.dice), name
    if best is None:
        return None
    return Action(look.being.id, "attack", target=look.setup.beings[target].id, weapon=best[1])
