"""Those who are not their own masters: the frightened run, the frenzied strike at whoever is nearest (§5.5)."""

from __future__ import annotations

from rules.actions import Action
from rules.cairn.attack import prepare, weapon_of, wielded
from rules.cairn.movement import walk
from rules.cairn.planning import awake
from rules.cairn.plans import Look
from rules.cairn.state import Work, present
from rules.events import Note
from rules.grid import cells_of


def drive(work: Work) -> list[tuple[int, Action]]:
    """Move the driven of the side whose half it is, in the record's order; the blows that the frenzied strike."""
    blows = []
    for who in range(len(work.figures)):
        if not awake(work, who):
            continue
        if work.figures[who].has("frightened"):
            _run(work, who)
        elif work.figures[who].has("frenzied"):
            blow = _rage(work, who)
            if blow is not None:
                blows.append((who, blow))
    return blows


def _run(work: Work, who: int) -> None:
    """As far as possible from the cause of the fear, or from every foe where it is nobody."""
    look = Look(work.done(), who)
    feared = {each.by for each in look.figure.lasting if each.name == "frightened"}
    causes = [i for i in look.others() if look.setup.beings[i].id in feared]
    causes = causes or [i for i in look.others() if look.setup.beings[i].side != look.being.side]
    budget = 2 * (look.budget - look.standing_cost())
    ways = look.ways(look.figure.cell, budget)
    away = _farthest(look, [*cells_of(ways.cells), look.figure.cell], causes)
    work.events.append(
        Note(text="flees in terror" if away != look.figure.cell else "cowers", by=look.being.id)
    )
    if away != look.figure.cell:
        walk(work, who, ways.route(away), "dash")


def _farthest(look: Look, cells: list[int], causes: list[int]) -> int:
    terrain, beings, space = look.terrain, look.setup.beings, look.being.space

    def gap(cell: int) -> tuple[int, int]:
        gaps = (terrain.distance(cell, look.state.figures[i].cell, space, beings[i].space) for i in causes)
        return min(gaps, default=0), -cell

    return max(cells, key=gap)


def _rage(work: Work, who: int) -> Action | None:
    """At the nearest creature, friend or foe, with what does most; towards it first."""
    look = Look(work.done(), who)
    others = [i for i in look.others() if not look.state.figures[i].critical]
    if not others:
        return None
    target = min(others, key=lambda i: (look.distance(i), i))
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
            walk(work, who, ways.route(there), "move")
        if not present(work.figures[who]):
            return None
        look = Look(work.done(), who)
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
