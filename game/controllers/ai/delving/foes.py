"""Foes in sight that may not have noticed anything: talked to, fallen upon, come near to, or left alone."""

from __future__ import annotations

from collections.abc import Iterator

from game.controllers.ai.delving.care import Idea
from game.controllers.ai.delving.view import View, off_guard
from rules.contract.units import Bitboard
from rules.explore.meeting import TalkOutcome

TALK = ("parley", "bribe")


def meeting(view: View) -> Iterator[Idea]:
    """What is done about foes in sight before anything else."""
    if view.quiet:
        _forget(view)
        return
    if view.persons:
        return  # a person says when
    yield from _talk(view)
    if not _dares(view):
        _leave_alone(view)
        if view.apart <= view.w.cornered and any(not off_guard(foe) for foe in view.foes):
            yield from _strike(view)
        return
    near = view.apart <= view.w.near
    them = tuple(sorted(foe.id for foe in view.foes))
    if view.memory.often(("met", them)) > 2 * view.w.waits:
        return  # they are seen, and not to be got at
    view.memory.note(("met", them))
    key = ("foes", view.now.fights, them)
    waited = view.memory.often(key)
    view.memory.note(key)
    if (near and _together(view)) or waited > view.w.waits:
        yield from _strike(view)
    if not _together(view) and view.apart > view.w.cornered:
        if view.leads:  # the others come up first: a fight is the whole party's
            yield from (("the others come up first", action) for action in view.actions("end"))
        return
    yield from _approach(view)
    yield from _strike(view)


def _strike(view: View) -> Iterator[Idea]:
    key = ("strike", view.now.minute)
    if view.memory.often(key) >= view.w.tries:
        return  # it comes to no fight: they are not to be got at from here
    for action in view.actions("ambush"):
        view.memory.note(key)
        yield "the moment to strike", action


def _talk(view: View) -> Iterator[Idea]:
    """Strangers who may be won over are talked to, by who does that best of those at hand."""
    if view.odds >= view.w.sure:
        return
    best: tuple[float, Idea] | None = None
    for word in TALK:
        for action in view.actions(word):
            key = ("talk", action.do, action.target)
            odds = view.table.ruleset.odds(view.table.state, action)
            if odds is None or view.memory.often(key) >= view.w.talks:
                continue
            bad = next((chance for what, chance in odds.outcomes if what == TalkOutcome.BLOWS), 0.0)
            worth = odds.hit - view.w.blows * bad
            if worth > view.w.words and (best is None or worth > best[0]):
                best = worth, ("a word before blows", action)
    if best is not None:
        action = best[1][1]
        view.memory.note(("talk", action.do, action.target))
        yield best[1]


def _dares(view: View) -> bool:
    """Whether the party is a match for those in sight, and fit for it."""
    if view.memory.homeward and view.apart > view.w.near:
        return False
    fit = view.health >= view.w.fit or all(off_guard(foe) for foe in view.foes)
    return view.odds >= view.needed * (view.w.warier if view.memory.homeward else 1.0) and fit


def _together(view: View) -> bool:
    """Whether the others are near enough to strike with whoever decides."""
    distance = view.table.terrain.distance
    return all(distance(view.me.cell, m.cell) <= view.w.near for m in view.party)


def _approach(view: View) -> Iterator[Idea]:
    """Nearer, quietly, as long as the chance to stay unnoticed is good."""
    goals = 0
    for foe in view.foes:
        goals |= view.around(view.table.terrain.footprint(foe.cell, foe.size))
    if not goals:
        return
    there = view.land(Bitboard(goals), anyhow=True)
    moves = view.table.moves(view.who, "sneak") or view.table.moves(view.who, "walk")
    here = there.cost(view.me.cell)
    best = min(moves, key=lambda cell: (there.cost(cell), len(moves[cell].path), cell), default=None)
    if best is None or there.cost(best) >= here:
        return
    odds = view.table.ruleset.odds(view.table.state, moves[best])
    if odds is None or odds.hit >= view.w.risks:
        yield "nearer to the foe", moves[best]


def _leave_alone(view: View) -> None:
    """Those in sight are too strong: the party keeps away from where they are. Sleepers count in full."""
    power = view.might(view.foes)
    for foe in view.foes:
        view.memory.feared[foe.id] = foe.cell, power


def _forget(view: View) -> None:
    """Foes that are not where they were are kept away from no more."""
    if not view.memory.feared:
        return
    sees = view.table.ruleset.sees(view.table.state, view.side)
    for name, (cell, _) in list(view.memory.feared.items()):
        if sees >> cell & 1:
            del view.memory.feared[name]
