"""What a planner asks in bulk: who is there, where one may go, whence one may strike, and who could strike where.

Everything here follows from the deeds' own rules (movement.py, combat); it counts spaces as bitboards where those
speak of single actions. What depends on the ground alone is remembered with the terrain.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from msgspec.structs import replace

from game.controllers.ai.advisors.olde.attacks import (
    NEAR,
    NO_EDGE,
    Arms,
    Burst,
    Edge,
    Guard,
    arms_of,
    best_of,
    burst_of,
    edge_on,
    fighter_value,
    guard_of,
    rises,
    swings,
    waking_value,
    with_burst,
)
from game.controllers.ai.advisors.planning import Begun, Merit, Outlook, Piece, Swing, Target, Threat, Vantage, Way
from game.controllers.ai.factors import load_weights
from rules.board.bitboard import Grade, cells_of
from rules.board.grid import Terrain
from rules.board.path import flown, reach
from rules.board.sight import ARM, dark, lit, visible
from rules.board.sight_fan import view
from rules.contract.actions import Action
from rules.contract.text import text
from rules.contract.units import EMPTY, NOWHERE, Bitboard, Cell, CreatureIx, numbered
from rules.core import odds as dist
from rules.olde.actions.kind import ROUND_LIMIT, Context
from rules.olde.actions.movement import shunned
from rules.olde.actions.table import ACTION_KINDS
from rules.olde.challenges.checks import burden, stat_rank
from rules.olde.conditions import ASLEEP, FRIGHTENED, Forbid, feared, forbidden
from rules.olde.effects import anybody
from rules.olde.state import STANDING, Chance, Figure, OldeState, Setup, able
from rules.olde.traits import CallForHelp, Charge, DeathBurst, FearAura, Hold, PackTactics
from rules.olde.visibility import lamps, sight


def merits(context: Context) -> tuple[Merit, ...]:
    """What it is worth for somebody to be on some spaces, by its own traits, its friends' and its foes'."""
    if not _marked(context.setup) and not anybody(context.state.figures, ASLEEP.name):
        return ()
    return (*_dread(context), *_burst(context), *_pack(context), *_sleepers(context))


@lru_cache(maxsize=64)
def _marked(setup: Setup) -> bool:
    """Whether anybody of a fight has a trait that makes spaces matter."""
    telling = (FearAura, DeathBurst, PackTactics)
    return any(isinstance(t, telling) for f in setup.fighters for t in f.traits.kinds)


def _near(context: Context, other: CreatureIx, spaces: int) -> Bitboard:
    """The spaces where a creature is at most so many from another."""
    near = context.terrain.within(context.state.figures[other].cell, spaces, context.setup.fighters[other].space)
    return context.terrain.touching(near, context.fighter.space)


def _dread(context: Context) -> Iterator[Merit]:
    """One's own dread carries as far as foes who can be frightened; from others' one had better keep away."""
    w = load_weights("olde").olde.places
    dread, side = context.fighter.traits.of(FearAura), context.fighter.side
    for i, fighter, figure in context.others():
        if fighter.side == side or not able(figure):
            continue
        if dread is not None:
            value = w.fright * _daunted(context.setup, i, figure, context.who, dread) * fighter_value(fighter)
            if value:
                yield Merit(_near(context, i, dread.spaces), value, text("its dread reaches {name}", fighter.name))
        theirs = fighter.traits.of(FearAura)
        if theirs is not None:
            daunted = _daunted(context.setup, context.who, context.figure, i, theirs)
            value = w.fright * daunted * fighter_value(context.fighter)
            if value:
                yield Merit(_near(context, i, theirs.spaces), -value, text("dread of {name}", fighter.name))


def _daunted(setup: Setup, who: CreatureIx, figure: Figure, of: CreatureIx, dread: FearAura) -> float:
    """The chance that somebody fails the check against another's dread; 0 for who made it or can't be frightened."""
    fighter = setup.fighters[who]
    if FRIGHTENED.name in fighter.traits.immune or dread.stood(figure, of, setup.fighters[of]):
        return 0.0
    plus = sum(a.value for a in burden(setup, fighter, figure, "nerve"))
    return 1.0 - dist.chance_at_least(2, stat_rank(fighter, "nerve"), dread.rating - plus)


def _burst(context: Context) -> Iterator[Merit]:
    """Whoever bursts when it is felled does so best among foes."""
    burst, side = context.fighter.traits.of(DeathBurst), context.fighter.side
    if burst is None:
        return
    for i, fighter, figure in context.others():
        if figure.hp > 0:
            mean, drop = burst_of(context.state, context.who, i).own
            w = load_weights("olde").olde.places
            value = w.likely * fighter_value(fighter) * (min(1.0, mean / figure.hp) + drop)
            sign = -1.0 if fighter.side == side else 1.0
            told = text("its burst would strike {name}", fighter.name)
            yield Merit(_near(context, i, burst.spaces), sign * value, told)


def _pack(context: Context) -> Iterator[Merit]:
    """Beside a foe whom a packmate has by the throat, with nobody else there yet."""
    side, others = context.fighter.side, context.others()
    packs: dict[int, PackTactics] = {}
    for i, fighter, figure in others:
        pack = fighter.traits.of(PackTactics) if fighter.side == side else None
        if pack is not None and able(figure):
            packs[i] = pack
    if not packs:
        return
    terrain = context.terrain
    for i, foe, victim in others:
        if foe.side == side or victim.hp <= 0:
            continue
        beside = [
            j for j, f, g in others
            if f.side == side and able(g) and terrain.distance(g.cell, victim.cell, f.space, foe.space) <= 1
        ]  # fmt: skip
        if len(beside) == 1 and beside[0] in packs:
            w, mate = load_weights("olde").olde.places, context.setup.fighters[beside[0]]
            value = w.packed * packs[beside[0]].bonus
            yield Merit(_near(context, i, 1), value, text("{name} strikes surer", mate.name))


def _sleepers(context: Context) -> Iterator[Merit]:
    """Where sleeping friends could be woken from: by a call, else by hand."""
    call = context.fighter.traits.of(CallForHelp)
    for i, fighter, figure in context.others():
        if fighter.side == context.fighter.side and figure.hp > 0 and ASLEEP.holds(figure):
            value = load_weights("olde").olde.places.waking * waking_value() * fighter_value(fighter)
            near = _near(context, i, call.spaces if call is not None else 1)
            yield Merit(near, value, text("{name} sleeps", fighter.name))


_KEPT = 1 << 15
_GRADES = (Grade.CLEAR, Grade.PARTIAL, Grade.MINIMAL)


def pieces(state: OldeState) -> tuple[Piece, ...]:
    """Everybody on the board, in the order of the record."""
    known = _known_pieces(state.setup)
    found = []
    for i, figure in numbered(state.figures):
        if figure.cell >= 0:
            before, piece = known[i]
            if before is not figure:  # else it is as it was when asked last
                piece = _piece(figure, values_of(state.setup)[i])
                if not piece.out and arms_of(state, i).span > NEAR:
                    piece = replace(piece, far=True)
                elif piece.out and not piece.dead:
                    piece = replace(piece, rises=rises(state.setup.fighters[i], figure))
                known[i] = figure, piece
            found.append(piece)
    return tuple(found)


def _piece(f: Figure, build: tuple[str, str, int, int, float]) -> Piece:
    name, side, size, most, value = build
    out = f.hp <= 0
    return Piece(
        name, side, f.cell, size=size, health=f.hp, most=most, points=f.ap, out=out, dead=out and f.hp <= -most,
        ailing=f.bleeding or f.dying, ready=not out and not f.stunned and f.posture == STANDING, value=value,
    )  # fmt: skip


def _known_pieces(setup: Setup) -> list[tuple[Figure | None, Piece]]:
    """Each creature as it was last, in figures."""
    found: list[tuple[Figure | None, Piece]] | None = setup.memo.get("pieces")
    if found is None:
        gone = Figure(cell=NOWHERE, hp=-1, mana=0, faith=0, hands=(), pack=())
        found = setup.memo["pieces"] = [(None, _piece(gone, ("", "", 1, 1, 0.0)))] * len(setup.fighters)
    return found


@lru_cache(maxsize=16)
def values_of(setup: Setup) -> tuple[tuple[str, str, int, int, float], ...]:
    """What stays the same of each creature: id, side, size, most hit points, worth."""
    return tuple((f.id, f.side, f.space, f.hp_max, fighter_value(f)) for f in setup.fighters)


# -------------------------------------------------------------------------------------------- movement


class Trace(NamedTuple):
    """How ways are found again: spaces by their cost, where one may end, where one may only end."""

    layers: list[Bitboard]
    ends: Bitboard
    final: Bitboard


def outlook(state: OldeState, who: CreatureIx) -> Outlook:
    """What a creature may still do: in its own chance what is left of it, else in a fresh one."""
    context = _look(state, who)
    chance = context.chance
    acts = not chance.acted and not chance.only
    end = Action(context.fighter.id, "end")
    ways = _ways(context) if acts else ()
    if not ways:
        return Outlook(context.left, acts, ways, end)
    ground = None if context.terrain is state.terrain else context.terrain
    worth, figures = merits(context), state.figures
    afraid_of = feared(context.figure) if context.figure.effects else ()
    dreads = tuple(state.setup.fighters[i].id for i in afraid_of if figures[i].cell >= 0 and figures[i].hp > 0)
    together = load_weights("olde").olde.places.together
    return Outlook(context.left, acts, ways, end, merits=worth, dreads=dreads, ground=ground, together=together)


def begun(state: OldeState, who: CreatureIx) -> tuple[Begun, ...]:
    """Where a chance began in which nothing has been done but to walk. Whether it was at a run is told by the way and
    by the Defense that is left; where both may be, both are named, the likelier first."""
    chance, figure, fighter = state.chance, state.figures[who], state.setup.fighters[who]
    if chance is None or chance.who != who or chance.acted or chance.only or chance.start < 0:
        return ()
    free, first = (fighter.allowance, ("free_steps",)) if chance.freed else (figure.free, ())
    before = replace(figure, cell=chance.start, free=free, ap=figure.ap + chance.spent)
    if not chance.moved:
        return (Begun(_with(state, who, before), first, figure.cell),) if first and not chance.spent else ()
    walked = Begun(_with(state, who, before), (*first, "step"), figure.cell)
    exposed = before.temp_defense + chance.spent
    if exposed > 0:
        return (walked,)
    ran = Begun(_with(state, who, replace(before, temp_defense=exposed)), (*first, "run"), figure.cell)
    walk = chance.spent + (free if chance.freed else 0)
    return (ran,) if state.terrain.distance(chance.start, figure.cell) > walk else (walked, ran)


def _with(state: OldeState, who: CreatureIx, figure: Figure) -> OldeState:
    """The same position with somebody otherwise, at the beginning of its chance."""
    figures = (*state.figures[:who], figure, *state.figures[who + 1 :])
    return replace(state, figures=figures, chance=Chance(who))


def situation_of(state: OldeState) -> Context:
    """The acting character's situation; that of the position asked for last is kept."""
    global _latest
    context = _latest
    if context is None or context.state is not state:
        assert state.chance is not None
        context = _latest = Context(state, state.chance)
    return context


_latest: Context | None = None


def _look(state: OldeState, who: CreatureIx) -> Context:
    chance = state.chance
    return situation_of(state) if chance is not None and chance.who == who else Context(state, Chance(who))


def _ways(context: Context) -> tuple[Way, ...]:
    """Free steps, Step and Run and what follows from their order, by points."""
    free = 0 if context.chance.freed or ACTION_KINDS["free_steps"].why_not(context) else context.figure.free
    step = 0 if context.chance.moved or ACTION_KINDS["step"].why_not(context) else min(context.left, ROUND_LIMIT)
    slow = bool(context.figure.effects) and bool(forbidden(context.figure, Forbid.HURRY))
    step = min(step, 1) if slow else step
    if not free and not step:
        return ()
    run = bool(step) and context.setup.advanced and not slow
    found = context.reach(free + (2 * step if run else step))
    layers, ends = found.layers, found.cells
    if context.figure.effects:
        ends &= ~shunned(context)
    trace = Trace(layers, ends, context.crowd.final)
    layers = layers + [EMPTY] * (free + 2 * step + 1 - len(layers))
    if free and not any(layer & ends for layer in layers[1 : free + 1]):
        free = 0  # hard ground all round: nowhere to come to by free steps alone, and so nothing gained by them
    first = ("free_steps",) if free else ()
    ways: list[Way] = []
    cells = EMPTY
    for cost in range(1, free + 1):
        cells |= layers[cost]
    if cells & ends:
        ways.append(Way(first, 0, 0, cells & ends, trace))
    for points in range(1, step + 1):
        cells = layers[free + points] & ends
        if cells:
            ways.append(Way((*first, "step"), points, 0, cells, trace))
        cells = (layers[free + 2 * points - 1] | layers[free + 2 * points]) & ends if run else EMPTY
        if cells:
            ways.append(Way((*first, "run"), points, points, cells, trace))
    return tuple(ways)


def route(state: OldeState, who: CreatureIx, way: Way, cell: Cell) -> tuple[Action, ...]:
    """The movements of a way that end on a space, in order; empty where they don't fit together.

    Free steps go as far along a cheapest path as they carry to a space where one may stand.
    """
    context, trace = _look(state, who), way.trace
    if not isinstance(trace, Trace) or not trace.ends >> cell & 1:
        return ()
    free = context.figure.free if way.do[0] == "free_steps" else 0
    last, name = way.do[-1], context.fighter.id
    path = _track(trace, context.terrain, cell, context.fighter.space)
    if last == "free_steps":
        return (Action(name, last, path=tuple(cell for cell, _ in path)),)
    split = left = 0
    for i, (there, spent) in enumerate(path):
        if spent <= free and trace.ends >> there & 1:
            split, left = i + 1, spent
    spent = path[-1][1] - left
    points = spent if last == "step" else (spent + 1) // 2
    if points > context.left or split == len(path):
        return ()
    cells = tuple(cell for cell, _ in path)
    rest = Action(name, last, path=cells[split:])
    return (Action(name, "free_steps", path=cells[:split]), rest) if split else (rest,)


def _track(trace: Trace, terrain: Terrain, goal: Cell, size: int) -> list[tuple[Cell, int]]:
    """A cheapest path as (space, cost so far), found backwards: straight steps before diagonals."""
    layers, hard = trace.layers, terrain.steps(size).difficult
    cost = next(cost for cost, layer in enumerate(layers) if layer >> goal & 1)
    path, cell = [(goal, cost)], goal
    while True:
        cost -= 2 if hard >> cell & 1 else 1
        if cost <= 0:
            break
        layer = layers[cost] & ~trace.final
        cell = next(there for there, _ in terrain.neighbours(cell, size) if layer >> there & 1)
        path.append((cell, cost))
    path.reverse()
    return path


# --------------------------------------------------------------------------------------------- striking


def targets(state: OldeState, by: CreatureIx, cells: Bitboard) -> tuple[Target, ...]:
    """Whom a creature could attack at all, and from which of `cells` how, as if fresh."""
    setup = state.setup
    arms, side = arms_of(state, by), setup.fighters[by].side
    far = arms.span > NEAR
    priced = _only_price(state, by)
    traits = setup.fighters[by].traits
    rushed, needed = _run_up(state, by, cells) if traits.of(Charge) is not None else (EMPTY, 0)
    holds, singular = traits.of(Hold) is not None, bool(traits.listed) or setup.advantage
    found = []
    for target, figure in numbered(state.figures):
        fighter = setup.fighters[target]
        if figure.cell < 0 or fighter.side == side:
            continue
        if figure.hp <= 0 and not rises(fighter, figure):
            continue
        guard = guard_of(state, target)
        if singular:
            arms = arms_of(state, by, edge_on(state, by, target))
        best = best_of(state, by, arms, target, guard)
        if best is not None:
            known = _vantages(state, by, arms, target, guard, cells=cells & ~rushed, priced=priced)
            if rushed:
                charging = arms_of(state, by, edge_on(state, by, target, needed))
                known += _vantages(state, by, charging, target, guard, cells=rushed, priced=priced, staying=arms)
            if fighter.traits.dropped and fighter.traits.of(DeathBurst) is not None and figure.hp > 0:
                known = _bursting(state, by, target, burst_of(state, target, by), known)
            found.append(Target(fighter.id, best, far, tuple(known), holds))
    return tuple(found)


def _run_up(state: OldeState, by: CreatureIx, cells: Bitboard) -> tuple[Bitboard, int]:
    """(those of some spaces that are far enough from where somebody's chance began for a charge, how far that is)."""
    fighter, chance, cell = state.setup.fighters[by], state.chance, state.figures[by].cell
    charge = fighter.traits.of(Charge)
    if charge is None:
        return EMPTY, 0
    if chance is not None and chance.who == by and chance.start >= 0:
        cell = chance.start
    return cells & ~state.terrain.within(cell, charge.spaces - 1), charge.spaces


def _bursting(
    state: OldeState, by: CreatureIx, target: CreatureIx, burst: Burst, known: list[Vantage]
) -> list[Vantage]:
    """The same, parted by whether their attacker would be struck itself if its target bursts."""
    sizes = state.setup.fighters[by].space, state.setup.fighters[target].space
    near = _ring(state.terrain, state.figures[target].cell, 0, burst.spaces, sizes)
    found = []
    for vantage in known:
        for cells, own in ((vantage.cells & near, True), (vantage.cells & ~near, False)):
            if cells:
                parts = [tuple(with_burst(s, burst, own) for s in some) for some in (vantage.swings, vantage.staying)]
                found.append(Vantage(cells, *parts))
    return found


def _vantages(
    state: OldeState, by: CreatureIx, arms: Arms, target: CreatureIx, guard: Guard, *, cells: Bitboard, priced: int,
    staying: Arms | None = None,
) -> list[Vantage]:  # fmt: skip
    setup, terrain, goal = state.setup, state.terrain, state.figures[target].cell
    sizes = setup.fighters[by].space, setup.fighters[target].space
    if setup.darkness:
        cells &= _lit_for(state, by, target)
    found = []
    for number, band in enumerate(arms.bands):
        ring = cells & _ring(terrain, goal, band.near, band.far, sizes)
        if ring:
            for grade, part in _by_grade(state, by, target, ring, sizes):
                known = swings(state, by, arms, target, guard, band=number, grade=grade)
                later = () if staying is None else swings(state, by, staying, target, guard, band=number, grade=grade)
                found.append(Vantage(part, _priced(known, priced) if priced else known, later))
    return found


def _only_price(state: OldeState, by: CreatureIx) -> int:
    """What an Only action costs now, for somebody who has fewer points and spent none of them; 0 for the usual."""
    figure, chance = state.figures[by], state.chance
    if chance is None or chance.who != by or figure.ap >= ROUND_LIMIT or figure.ap != figure.ap_start:
        return 0
    return 0 if chance.moved or chance.acted or chance.spent else figure.ap


def _priced(known: tuple[Swing, ...], points: int) -> tuple[Swing, ...]:
    only = {do for do, kind in ACTION_KINDS.items() if kind.only}
    return tuple(replace(s, points=points) if s.do in only else s for s in known)


def _ring(terrain: Terrain, goal: Cell, near: int, far: int, sizes: tuple[int, int]) -> Bitboard:
    """Spaces where a creature stands `near` to `far` spaces from another. Remembered."""
    key = ("ring", goal, near, far, sizes)
    found: Bitboard | None = terrain.memo.get(key)
    if found is None:
        own, other = sizes
        found = terrain.touching(terrain.within(goal, far, other), own)
        found &= ~terrain.touching(terrain.within(goal, near - 1, other), own)
        keep(terrain, key, found)
    return found


def keep(terrain: Terrain, key: object, value: object) -> None:
    """Remember something with the terrain."""
    if len(terrain.memo) >= _KEPT:
        terrain.memo.clear()
    terrain.memo[key] = value


def _lit_for(state: OldeState, by: CreatureIx, target: CreatureIx) -> Bitboard:
    """Where light lets a creature see its target from: everywhere, or at arm's length from who stands in the dark."""
    setup, terrain = state.setup, state.terrain
    if setup.fighters[by].dark_sight or not dark(terrain):
        return terrain.everywhere
    goal, size = state.figures[target].cell, setup.fighters[target].space
    if terrain.footprint(goal, size) & lit(terrain, lamps(state)):
        return terrain.everywhere
    return terrain.touching(terrain.within(goal, ARM, size), setup.fighters[by].space)


def _by_grade(
    state: OldeState, by: CreatureIx, target: CreatureIx, ring: Bitboard, sizes: tuple[int, int]
) -> list[tuple[Grade, Bitboard]]:
    """Spaces by the line of sight from them to a target where it stands."""
    terrain, goal = state.terrain, state.figures[target].cell
    if sizes == (1, 1) and not state.zones:
        seen = view(terrain, goal)
        clear = ring & seen.clear
        if clear == ring:
            return [(Grade.CLEAR, ring)]
        partial = ring & seen.partial_to & ~clear
        parts = [clear, partial, ring & seen.minimal & ~(clear | partial)]
    else:
        parts = [EMPTY, EMPTY, EMPTY]
        for cell in cells_of(ring):
            found = sight(state, by, cell, target, goal)
            if found is not Grade.NONE:
                parts[_GRADES.index(found)] |= 1 << cell
    return [(grade, part) for grade, part in zip(_GRADES, parts, strict=True) if part]


PLACES = 3
"""Spaces that stand for all those that a shooter may go to."""


def threats(state: OldeState, target: CreatureIx) -> tuple[Threat, ...]:
    """Who could strike a creature, and where: walls count, creatures in the way don't."""
    fighters, guard, terrain = state.setup.fighters, guard_of(state, target), state.terrain
    side, memo = fighters[target].side, state.setup.memo
    found: list[Threat] = []
    for by, figure in numbered(state.figures):
        if figure.cell < 0 or figure.hp <= 0 or fighters[by].side == side:
            continue
        edge = NO_EDGE if not fighters[by].traits.listed and not state.setup.advantage else edge_on(state, by, target)
        key = ("menace", by, target)
        known: tuple[Figure, Guard, Terrain, Edge, tuple[Threat, ...]] | None = memo.get(key)
        seen = known is not None and known[0] is figure and known[1] is guard and known[2] is terrain
        if known is None or not seen or known[3] != edge:
            known = memo[key] = figure, guard, terrain, edge, _threats(state, by, target, guard, edge)
        found += known[4]
    return tuple(found)


def _threats(state: OldeState, by: CreatureIx, target: CreatureIx, guard: Guard, edge: Edge) -> tuple[Threat, ...]:
    """What one creature threatens another with: where it could come at a run, with that."""
    fighter, figure = state.setup.fighters[by], state.figures[by]
    plain = _threat(state, by, target, guard, edge)
    charge = fighter.traits.of(Charge)
    if charge is None or plain is None or plain.far or figure.rooted:
        return () if plain is None else (plain,)
    harder = _threat(state, by, target, guard, edge_on(state, by, target, charge.spaces), least=charge.spaces)
    if harder is None or not harder.later:
        return (plain,)
    now = harder.now & ~(plain.close & ~harder.close)
    later = harder.later & ~(plain.now & ~now)
    rest = replace(plain, close=plain.close & ~now, now=plain.now & ~now, later=plain.later & ~later)
    return rest, replace(harder, close=harder.close & now, now=now, later=later)


def _threat(
    state: OldeState, by: CreatureIx, target: CreatureIx, guard: Guard, edge: Edge, *, least: int = 0
) -> Threat | None:
    """What a creature threatens another with, where it has come from at least so many spaces away."""
    fighter, figure, arms = state.setup.fighters[by], state.figures[by], arms_of(state, by, edge)
    swing = best_of(state, by, arms, target, guard)
    if swing is None:
        return None
    close, now, later = _where(state, by, swing.points, arms.span, least=least)
    if figure.effects and (forbidden(figure, Forbid.ATTACK) or target in feared(figure)):
        close = now = EMPTY
    aloft = fighter.traits.flies and figure.posture == STANDING
    screened = not (aloft and (state.terrain.pits or state.terrain.difficult))
    far, blows = arms.span > NEAR, figure.ap / swing.points
    return Threat(fighter.id, close=close, blows=blows, now=now, later=later, swing=swing, far=far, screened=screened)


def _where(
    state: OldeState, by: CreatureIx, cost: int, span: int, *, least: int = 0
) -> tuple[Bitboard, Bitboard, Bitboard]:
    """The spaces that somebody can strike for no points on the way, those in this turn, and those in a fresh one."""
    figure = state.figures[by]
    fighter, span = state.setup.fighters[by], min(span, NEAR + 1)
    still = figure.rooted or figure.posture != STANDING or figure.stunned > 0
    still = still or bool(figure.effects and forbidden(figure, Forbid.MOVE))
    close = now = EMPTY
    if figure.ap > 0 and able(figure):
        spare = max(0, min(figure.ap, ROUND_LIMIT) - cost) * (2 if state.setup.advanced else 1)
        close = now = _struck(state, by, 0 if still else figure.free, span, least)
        if spare and not still:
            now = _struck(state, by, figure.free + spare, span, least)
    later = _struck(state, by, 0 if still else fighter.allowance + ROUND_LIMIT, span, least)
    return close, close | now, close | now | later


def _struck(state: OldeState, by: CreatureIx, budget: int, span: int, least: int = 0) -> Bitboard:
    """Spaces within reach of somebody's weapons after so much movement that ends at least so many spaces off.
    Remembered with the terrain."""
    fighter, terrain, cell = state.setup.fighters[by], state.terrain, state.figures[by].cell
    size = fighter.space
    if fighter.traits.flies and state.figures[by].posture == STANDING:
        terrain = flown(terrain)
    key = ("struck", cell, size, budget, span, least)
    found: Bitboard | None = terrain.memo.get(key)
    if found is None:
        stand = 1 << cell | (reach(terrain, cell, budget, size=size).cells if budget else 0)
        if least:
            stand &= ~terrain.within(cell, least - 1)
        if span > NEAR:
            found = visible(terrain, cell, size)
            ends = cells_of(stand)
            for place in ends[:: max(1, len(ends) // PLACES)]:
                found |= visible(terrain, place, size)
        else:
            found = _grown(terrain, stand, span, size)
        keep(terrain, key, found)
    return found


def _grown(terrain: Terrain, board: Bitboard, span: int, size: int) -> Bitboard:
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
