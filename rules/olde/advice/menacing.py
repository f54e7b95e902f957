"""Who could strike a creature, and where: what a planner asks of danger in bulk.

Spaces are counted as bitboards from where each foe could come to; what depends on the ground alone is remembered with
the terrain.
"""

from __future__ import annotations

from rules.board.bitboard import cells_of
from rules.board.flight import flown
from rules.board.grid import Terrain
from rules.board.path import reach
from rules.board.sight import visible
from rules.contract.planning import Menace
from rules.olde.actions.deeds import ROUND_LIMIT
from rules.olde.advice.attack_tables import NEAR, NO_EDGE, Edge, Guard, arms_of, best_of, edge_on, guard_of
from rules.olde.advice.prospect import keep
from rules.olde.effects.conditions import barred
from rules.olde.effects.working import feared
from rules.olde.state import Figure, OldeState, able

PLACES = 3
"""Spaces that stand for all those that a shooter may go to."""


def menaces(state: OldeState, target: int) -> tuple[Menace, ...]:
    """Who could strike a creature, and where: walls count, creatures in the way don't."""
    fighters, guard, terrain = state.setup.fighters, guard_of(state, target), state.terrain
    side, memo = fighters[target].side, state.setup.memo
    found: list[Menace] = []
    for by, figure in enumerate(state.figures):
        if figure.cell < 0 or figure.hp <= 0 or fighters[by].side == side:
            continue
        edge = (
            NO_EDGE
            if fighters[by].traits is None and not state.setup.advantage
            else edge_on(state, by, target)
        )
        key = ("menace", by, target)
        known: tuple[Figure, Guard, Terrain, Edge, tuple[Menace, ...]] | None = memo.get(key)
        if (
            known is None
            or known[0] is not figure
            or known[1] is not guard
            or known[2] is not terrain
            or known[3] != edge
        ):
            known = memo[key] = figure, guard, terrain, edge, _menaces(state, by, target, guard, edge)
        found += known[4]
    return tuple(found)


def _menaces(state: OldeState, by: int, target: int, guard: Guard, edge: Edge) -> tuple[Menace, ...]:
    """What one creature threatens another with: where it could come at a run, with that."""
    fighter, figure = state.setup.fighters[by], state.figures[by]
    plain = _menace(state, by, target, guard, edge)
    charge = fighter.traits.charge if fighter.traits is not None else None
    if charge is None or plain is None or plain.far or figure.rooted:
        return () if plain is None else (plain,)
    harder = _menace(state, by, target, guard, edge_on(state, by, target, charge.spaces), charge.spaces)
    if harder is None or not harder.later:
        return (plain,)
    now = harder.now & ~(plain.close & ~harder.close)
    later = harder.later & ~(plain.now & ~now)
    rest = plain._replace(close=plain.close & ~now, now=plain.now & ~now, later=plain.later & ~later)
    return rest, harder._replace(close=harder.close & now, now=now, later=later)


def _menace(
    state: OldeState, by: int, target: int, guard: Guard, edge: Edge, least: int = 0
) -> Menace | None:
    """What a creature threatens another with, where it has come from at least so many spaces away."""
    fighter, figure, arms = state.setup.fighters[by], state.figures[by], arms_of(state, by, edge)
    swing = best_of(state, by, arms, target, guard)
    if swing is None:
        return None
    close, now, later = _where(state, by, figure, swing.points, arms.span, least)
    if figure.effects and (barred(figure, "attack") or target in feared(figure)):
        close = now = 0
    screened = fighter.traits is None or not (
        _aloft(state, by) and (state.terrain.pits or state.terrain.difficult)
    )
    return Menace(fighter.id, close, figure.ap / swing.points, now, later, swing, arms.span > NEAR, screened)


def _where(
    state: OldeState, by: int, figure: Figure, cost: int, span: int, least: int = 0
) -> tuple[int, int, int]:
    """The spaces that somebody can strike for no points on the way, those in this turn, and those in a fresh one."""
    fighter, span = state.setup.fighters[by], min(span, NEAR + 1)
    still = figure.rooted or figure.posture != "standing" or figure.stunned > 0
    still = still or bool(figure.effects and barred(figure, "move"))
    close = now = 0
    if figure.ap > 0 and able(figure):
        spare = max(0, min(figure.ap, ROUND_LIMIT) - cost) * (2 if state.setup.advanced else 1)
        close = now = _struck(state, by, 0 if still else figure.free, span, least)
        if spare and not still:
            now = _struck(state, by, figure.free + spare, span, least)
    later = _struck(state, by, 0 if still else fighter.allowance + ROUND_LIMIT, span, least)
    return close, close | now, close | now | later


def _aloft(state: OldeState, by: int) -> bool:
    traits = state.setup.fighters[by].traits
    return traits is not None and traits.flies and state.figures[by].posture == "standing"


def _struck(state: OldeState, by: int, budget: int, span: int, least: int = 0) -> int:
    """Spaces within reach of somebody's weapons after so much movement that ends at least so many spaces off.
    Remembered with the terrain."""
    terrain, size, cell = state.terrain, state.setup.fighters[by].space, state.figures[by].cell
    if state.setup.fighters[by].traits is not None and _aloft(state, by):
        terrain = flown(terrain)
    key = ("struck", cell, size, budget, span, least)
    found: int | None = terrain.memo.get(key)
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
