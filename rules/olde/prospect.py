"""What a planner asks in bulk: who is there, where one may go, whence one may strike, where one may be struck.

Everything here follows from the deeds' own rules (movement.py, fighting.py); it counts spaces as bitboards where those
speak of single actions. What depends on the ground alone is remembered with the terrain.
"""

from __future__ import annotations

from functools import lru_cache

from rules.actions import Action
from rules.grid import Terrain, cells_of
from rules.light import ARM, dark, lit
from rules.olde.arms import Arms, arms_of, guard_of, strikes
from rules.olde.deeds import ROUND_LIMIT, Look
from rules.olde.knowledge import lamps, sight
from rules.olde.legal import DEEDS
from rules.olde.movement import Crowd
from rules.olde.state import Chance, OldeState, Setup, able
from rules.olde.threat import worth_of
from rules.path import Reach, reach, step_cost
from rules.ruleset import Menace, Outlook, Piece, Strike, Vantage, Way
from rules.sight import Grade, visible
from rules.sightfan import view

NEAR = 4
"""Who strikes no farther than so many spaces is measured space by space; of shooters a few spaces are looked at."""
PLACES = 3
"""Spaces that stand for all those that a shooter may go to."""
_KEPT = 1 << 15
_GRADES = (Grade.CLEAR, Grade.PARTIAL, Grade.MINIMAL)


def pieces(state: OldeState) -> tuple[Piece, ...]:
    """Everybody on the board, in the order of the record."""
    worths = worths_of(state.setup)
    found = []
    for i, f in enumerate(state.figures):
        if f.cell >= 0:
            name, side, size, most, worth = worths[i]
            out = f.hp <= 0
            ready = not out and not f.stunned and f.posture == "standing"
            found.append(
                Piece(name, side, f.cell, size, f.hp, most, f.ap, out, out and f.hp <= -most,
                      f.bleeding or f.dying, ready, worth)
            )  # fmt: skip
    return tuple(found)


@lru_cache(maxsize=16)
def worths_of(setup: Setup) -> tuple[tuple[str, str, int, int, float], ...]:
    """What stays the same of each creature: id, side, size, most hit points, worth."""
    return tuple((f.id, f.side, f.space, f.hp_max, worth_of(f)) for f in setup.fighters)


# -------------------------------------------------------------------------------------------- movement


def outlook(state: OldeState, who: int) -> Outlook:
    """What a creature may still do: in its own chance what is left of it, else in a fresh one."""
    look = _look(state, who)
    chance = look.chance
    acts = not chance.acted and not chance.only
    end = Action(look.fighter.id, "end")
    ways = () if chance.acted or chance.only else _ways(look)
    return Outlook(state.turn, look.left, acts, ways, end)


def _look(state: OldeState, who: int) -> Look:
    chance = state.chance
    return Look(state, chance if chance is not None and chance.who == who else Chance(who))


def _ways(look: Look) -> tuple[Way, ...]:
    """Free steps, Step and Run and what follows from their order, by points."""
    free = 0 if DEEDS["free_steps"].hindrance(look) else look.figure.free
    step = 0 if DEEDS["step"].hindrance(look) else min(look.left, ROUND_LIMIT)
    run = step and look.setup.advanced
    if not free and not step:
        return ()
    found = _walk(look, free + (2 * step if run else step))
    first = ("free_steps",) if free else ()
    ways: list[Way] = []
    for points in range(step + 1):
        cells = 0
        if not points:
            for cost in range(1, free + 1):
                cells |= _layer(found, cost)
            ways.append(Way(first, 0, 0, cells & found.cells))
            continue
        ways.append(Way((*first, "step"), points, 0, _layer(found, free + points) & found.cells))
        if run:
            far = _layer(found, free + 2 * points - 1) | _layer(found, free + 2 * points)
            ways.append(Way((*first, "run"), points, points, far & found.cells))
    return tuple(way for way in ways if way.cells)


def _layer(found: Reach, cost: int) -> int:
    return found.layers[cost] if cost < len(found.layers) else 0


def _walk(look: Look, budget: int) -> Reach:
    crowd = Crowd(look)
    return reach(
        look.terrain, look.figure.cell, budget, size=look.fighter.space, blocked=crowd.foes,
        unstoppable=crowd.allies, final=crowd.final,
    )  # fmt: skip


def route(state: OldeState, who: int, way: Way, cell: int) -> tuple[Action, ...]:
    """The movements of a way that end on a space, in order; empty where they don't fit together.

    Free steps go as far along the cheapest path as they carry to a space where one may stand.
    """
    look = _look(state, who)
    free = look.figure.free if "free_steps" in way.do else 0
    last = way.do[-1]
    found = _walk(look, free + way.points * (2 if last == "run" else 1))
    if not found.cells >> cell & 1:
        return ()
    path = found.route(cell)
    if last == "free_steps":
        return (Action(look.fighter.id, last, path=path),)
    split = spent = left = 0
    here = look.figure.cell
    for i, there in enumerate(path):
        spent += step_cost(look.terrain, here, there, look.fighter.space)
        here = there
        if spent <= free and found.cells >> there & 1:
            split, left = i + 1, spent
    points = spent - left if last == "step" else (spent - left + 1) // 2
    if points > look.left or split == len(path):
        return ()
    rest = Action(look.fighter.id, last, path=path[split:])
    return (Action(look.fighter.id, "free_steps", path=path[:split]), rest) if split else (rest,)


# --------------------------------------------------------------------------------------------- striking


def vantages(state: OldeState, by: int, target: int, cells: int) -> tuple[Vantage, ...]:
    """From which of `cells` a creature could attack another where it stands, and how, as if fresh."""
    goal = state.figures[target].cell
    if goal < 0 or state.figures[target].hp <= -state.setup.fighters[target].hp_max:
        return ()
    arms, guard = arms_of(state, by), guard_of(state, target)
    sizes = state.setup.fighters[by].space, state.setup.fighters[target].space
    cells &= _lit_for(state, by, target)
    found = []
    for number, band in enumerate(arms.bands):
        ring = cells & _ring(state.terrain, goal, band.near, band.far, sizes)
        if ring:
            for grade, part in _by_grade(state, by, target, ring, sizes):
                found.append(Vantage(part, _priced(state, by, strikes(state, arms, number, grade, guard))))
    return tuple(found)


def _priced(state: OldeState, by: int, known: tuple[Strike, ...]) -> tuple[Strike, ...]:
    """With the price of an Only action now, for somebody who has fewer points and spent none of them."""
    figure, chance = state.figures[by], state.chance
    if chance is None or chance.who != by or figure.ap >= ROUND_LIMIT or figure.ap != figure.ap_start:
        return known
    if chance.moved or chance.acted or chance.spent or not figure.ap:
        return known
    return tuple(
        s._replace(points=figure.ap) if DEEDS[s.action.do].face.cost.endswith("/Only") else s for s in known
    )


def _ring(terrain: Terrain, goal: int, near: int, far: int, sizes: tuple[int, int]) -> int:
    """Spaces where a creature stands `near` to `far` spaces from another. Remembered."""
    memo = terrain.memo
    key = ("ring", goal, near, far, sizes)
    found: int | None = memo.get(key)
    if found is None:
        own, other = sizes
        found = terrain.touching(terrain.within(goal, far, other), own)
        found &= ~terrain.touching(terrain.within(goal, near - 1, other), own)
        _keep(terrain, key, found)
    return found


def _keep(terrain: Terrain, key: object, value: object) -> None:
    if len(terrain.memo) >= _KEPT:
        terrain.memo.clear()
    terrain.memo[key] = value


def _lit_for(state: OldeState, by: int, target: int) -> int:
    """Where light lets a creature see its target from: everywhere, or at arm's length from who stands in the dark."""
    setup, terrain = state.setup, state.terrain
    if not setup.darkness or setup.fighters[by].dark_sight or not dark(terrain):
        return terrain.everywhere
    goal, size = state.figures[target].cell, setup.fighters[target].space
    if terrain.footprint(goal, size) & lit(terrain, lamps(state)):
        return terrain.everywhere
    return terrain.touching(terrain.within(goal, ARM, size), setup.fighters[by].space)


def _by_grade(
    state: OldeState, by: int, target: int, ring: int, sizes: tuple[int, int]
) -> list[tuple[Grade, int]]:
    """Spaces by the line of sight from them to a target where it stands."""
    terrain, goal = state.terrain, state.figures[target].cell
    if sizes == (1, 1):
        seen = view(terrain, goal)
        parts = [ring & seen.clear, ring & seen.partial_to & ~seen.clear, 0]
        parts[2] = ring & seen.minimal & ~seen.partial_to & ~seen.clear
    else:
        parts = [0, 0, 0]
        for cell in cells_of(ring):
            found = sight(state, by, cell, target, goal)
            if found is not Grade.NONE:
                parts[_GRADES.index(found)] |= 1 << cell
    return [(grade, part) for grade, part in zip(_GRADES, parts, strict=True) if part]


# ----------------------------------------------------------------------------------------------- menace


def menace(state: OldeState, by: int, target: int) -> Menace | None:
    """Where and how one creature could strike another; walls count, creatures in the way don't. None: not at all."""
    figure, fighter = state.figures[by], state.setup.fighters[by]
    if figure.cell < 0 or figure.hp <= 0:
        return None
    arms = arms_of(state, by)
    strike = _best(state, arms, target)
    if strike is None:
        return None
    span = min(arms.span, NEAR + 1)
    still = figure.rooted or figure.posture != "standing" or figure.stunned > 0
    spare = min(figure.ap, ROUND_LIMIT) - strike.points
    stride = 2 if state.setup.advanced else 1
    now = 0
    if able(figure) and figure.ap > 0:
        now = _struck(state, by, 0 if still else figure.free + stride * max(0, spare), span)
    later = now | _struck(state, by, 0 if still else fighter.allowance + ROUND_LIMIT, span)
    return Menace(now, later, strike, arms.span > NEAR)


def _best(state: OldeState, arms: Arms, target: int) -> Strike | None:
    """The best plain attack on a target in clear sight, whatever the distance."""
    guard = guard_of(state, target)
    if guard in arms.best:
        return arms.best[guard]
    best = None
    for number in range(len(arms.bands)):
        for strike in strikes(state, arms, number, Grade.CLEAR, guard)[:1]:
            if best is None or strike.mean + 3 * strike.drop > best.mean + 3 * best.drop:
                best = strike
    arms.best[guard] = best
    return best


def _struck(state: OldeState, by: int, budget: int, span: int) -> int:
    """Spaces within reach of somebody's weapons after so much movement. Remembered with the terrain."""
    terrain, size, cell = state.terrain, state.setup.fighters[by].space, state.figures[by].cell
    key = ("struck", cell, size, budget, span)
    found: int | None = terrain.memo.get(key)
    if found is None:
        stand = 1 << cell | (reach(terrain, cell, budget, size=size).cells if budget else 0)
        if span > NEAR:
            found = visible(terrain, cell, size)
            ends = cells_of(stand)
            for place in ends[:: max(1, len(ends) // PLACES)]:
                found |= visible(terrain, place, size)
        else:
            found = _grown(terrain, stand, span, size)
        _keep(terrain, key, found)
    return found


def _grown(terrain: Terrain, board: int, span: int, size: int) -> int:
    """All spaces at most `span` from creatures of a size on `board`, not across walls."""
    width, everywhere = terrain.field.width, terrain.everywhere
    first = everywhere // ((1 << width) - 1)
    not_first, not_last = everywhere & ~first, everywhere & ~(first << (width - 1))
    for _ in range(size - 1):
        board |= (board & not_last) << 1
        board |= board << width & everywhere
    for step in range(span):
        front = board & ~terrain.opaque if step else board
        front |= (front & not_last) << 1 | (front & not_first) >> 1
        board |= front | (front << width & everywhere) | front >> width
    return board
