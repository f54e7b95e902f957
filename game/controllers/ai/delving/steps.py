"""One's part in the party's aim: deeds where it is, the way there, and coming along with whoever leads."""

from __future__ import annotations

from collections.abc import Iterator

from game.controllers.ai.delving.care import Idea
from game.controllers.ai.delving.memory import Aim, AimKind, deed
from game.controllers.ai.delving.view import View
from game.controllers.ai.delving.ways import Land
from rules.board.bitboard import board_of, cells_of
from rules.board.path import UNREACHABLE
from rules.contract.actions import Action
from rules.contract.units import Bitboard, Cell

BEYOND = ("climb", "leap", "swim", "tackle")
"""Words of what leads over an obstacle."""


def deeds(view: View, aim: Aim) -> Iterator[Idea]:
    """What is done where the party wanted to be: the surest that was not tried too often."""
    best: tuple[float, Action] | None = None
    for rank, word in enumerate(aim.words):
        for action in view.actions(word):
            if aim.target is not None and aim.target not in (action.target, action.item):
                continue
            if view.memory.often(deed(action)) >= view.w.tries and word != "stairs":
                continue
            odds = view.table.ruleset.odds(view.table.state, action)
            chance = 1.0 if odds is None else odds.hit
            worth = chance - view.w.rougher * rank
            if chance > view.w.hopeless and (best is None or worth > best[0]):
                best = worth, action
    if best is not None:
        if best[1].do == "search":
            view.memory.searched = Bitboard(view.memory.searched | view.table.terrain.within(view.me.cell, 2))
        yield aim.what, best[1]


def towards(view: View, aim: Aim) -> Iterator[Idea]:
    """A step of whoever leads."""
    pursuit, here = view.memory.pursuit, view.me.cell
    if here == pursuit.goal or aim.spots >> here & 1:
        yield from _makes_room(view, aim)
        return
    if _waits(view):
        return
    pursuit.way = None
    there = _land(view, Bitboard(1 << pursuit.goal))
    best = next(_closer(view, there), None)
    if best is None:
        pursuit.blocked = view.now.minute
    else:
        yield aim.what, best[1]


def along(view: View, aim: Aim) -> Iterator[Idea]:
    """A step of whoever comes along: to where many hands help, to an exit of one's own, else after the first."""
    pursuit, here = view.memory.pursuit, view.me.cell
    leader = view.leader.cell
    near = _land(view, Bitboard(1 << leader))
    apart = near.cost(here)
    if aim.spots >> here & 1:
        yield from _makes_room(view, aim)
    if aim.kind is AimKind.OUT and (aim.spots >> leader & 1 or near.cost(pursuit.goal) <= 2 * view.w.apart):
        if aim.spots >> here & 1:
            return
        free = Bitboard(aim.spots & ~view.crowd)
        yield from (("the way out", action) for _, action in _closer(view, _land(view, free or aim.spots)))
        return
    if aim.words and aim.words != ("search",) and near.cost(pursuit.goal) <= 2 and not aim.spots >> here & 1:
        yield from ((aim.what, action) for _, action in _closer(view, _land(view, aim.spots)))
    if pursuit.blocked >= view.now.minute - 1:
        there = _land(view, Bitboard(1 << pursuit.goal))
        if there.cost(here) < there.cost(leader):
            yield from (("out of the way", action) for _, action in _closer(view, there))
    if apart > view.w.close:
        yield from (("close to the others", action) for _, action in _closer(view, near))


def _makes_room(view: View, aim: Aim) -> Iterator[Idea]:
    """Who stands before a door to which somebody else has the key lets that one come up."""
    if aim.words != ("unlock",) or view.actions("unlock"):
        return
    bearers = [m for m in view.group if m.id != view.who and str(aim.key[-1]) in view.table.keys(m.id)]
    if not bearers or any(aim.spots >> m.cell & 1 for m in bearers) or aim.spots & ~view.crowd & ~(1 << view.me.cell):
        return
    moves = view.table.moves(view.who, "walk")
    free = [cell for cell in moves if not aim.spots >> cell & 1 and not view.shunned >> cell & 1]
    if free:
        best = min(free, key=lambda cell: (len(moves[cell].path), cell))
        yield "out of the way", moves[best]


def beside(view: View) -> Iterator[Idea]:
    """A step after whoever leads, wherever that goes."""
    near = _land(view, Bitboard(1 << view.leader.cell))
    if near.cost(view.me.cell) > view.w.close:
        yield from (("close to the others", action) for _, action in _closer(view, near))


def visit(view: View) -> Iterator[Action]:
    """A step of who can heal to the worst hurt of those who stand too far off; none where somebody is at hand."""
    hurt = [m for m in view.hurt if m.id != view.who]
    near = [view.table.terrain.distance(view.me.cell, m.cell, view.me.size, m.size) for m in hurt]
    for patient in hurt if min(near, default=0) > 1 else ():
        there = _land(view, view.around(Bitboard(1 << patient.cell)))
        if 0 < there.cost(view.me.cell) < UNREACHABLE:
            yield from (action for _, action in _closer(view, there))


def _land(view: View, cells: Bitboard) -> Land:
    """The distances from some spaces; over what is shunned where no other way leads there."""
    found = view.land(cells)
    return found if found.cost(view.me.cell) < UNREACHABLE else view.land(cells, anyhow=True)


def _waits(view: View) -> bool:
    """Whether whoever leads lets the others come up, or get their breath back."""
    memory = view.memory
    there = _land(view, Bitboard(1 << memory.pursuit.goal))
    behind = [m for m in view.party if there.cost(m.cell) >= there.cost(view.me.cell)]  # who made way is ahead
    late = any(view.w.apart < view.ahead_anyhow.cost(mini.cell) < UNREACHABLE for mini in behind)
    if not late and not any(view.may_rest(mini) for mini in view.party if mini.id != view.who):
        memory.waits = 0
        return False
    memory.waits += 1
    return memory.waits % (view.w.lag + 1) > 0


def _closer(view: View, there: Land) -> Iterator[Idea]:
    """A step nearer by a land of distances: on foot, through a door, over stairs or what is in the way."""
    here = view.me.cell
    cost = there.cost(here)
    over, least = None, cost
    for to, price in view.jumps.get(here, ()):
        if (beyond := there.cost(to)) < UNREACHABLE and beyond + price <= least:
            over, least = to, beyond + price
    step = _step(view, there, min(cost, least))
    if step is not None:
        yield "on the way", step
    if over is not None and (action := _over(view, over)) is not None:
        view.memory.pursuit.way = (here, over)
        yield "on the way", action
    yield from _doors(view, there, cost)
    if step is None and (step := _step(view, there, cost)) is not None:
        yield "on the way", step


def _step(view: View, there: Land, cost: int) -> Action | None:
    """The movement that ends nearest, if that is nearer than so much; the shortest of those alike. Past foes that are
    left alone one goes where no other way leads home, or nothing else is left."""
    needs = view.memory.homeward or view.memory.pressed
    for kept in (view.shunned, view.traps) if needs else (view.shunned,):
        for manner in _manners(view):
            moves = view.table.moves(view.who, manner)
            near = there.nearest(Bitboard(board_of(moves) & ~kept | board_of(moves) & view.exits))
            if near is None or near[0] >= cost:
                continue
            alike = [cell for cell in cells_of(Bitboard(there.layers[near[0]])) if cell in moves]
            return moves[min(alike, key=lambda cell: (len(moves[cell].path), cell))]
    return None


def _manners(view: View) -> tuple[str, ...]:
    """How one goes, the best first: openly where nobody is about and all around is known, on the way home, and where
    to get on so slowly has its price."""
    if not view.quiet:
        return ("sneak", "walk")
    if view.dear:
        return ("walk", "sneak")
    around = view.table.terrain.within(view.me.cell, view.w.openly)
    return ("sneak", "walk") if around & view.unknown and not view.memory.homeward else ("walk", "sneak")


def _over(view: View, to: Cell) -> Action | None:
    for action in view.actions("stairs"):
        if action.at == to:
            return action
    for word in BEYOND:
        for action in view.actions(word):
            if to in (action.at, *action.path[-1:]) or (word == "tackle" and action.target is None):
                return action
    return None


def _doors(view: View, there: Land, cost: int) -> Iterator[Idea]:
    """A shut door beside that leads nearer."""
    best: tuple[int, Action] | None = None
    for action in view.actions("open"):
        door = next((d for d in view.table.field.doors if d.id == action.target), None)
        if door is None:
            continue
        beyond = there.nearest(Bitboard(door.spaces))
        if beyond is not None and beyond[0] <= cost and (best is None or beyond[0] < best[0]):
            best = beyond[0], action
    if best is not None:
        yield "a door on the way", best[1]
