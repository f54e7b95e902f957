"""What a planner asks in bulk: who is there, and where one may go.

A plan's parts cost like this: the move nothing, the action (a dash included) one point. Who has planned a move counts
as standing where it leads.
"""

from __future__ import annotations

from game.controllers.ai.advisors.planning import Outlook, Piece, Way
from game.controllers.ai.weights import CairnValueWeights, load_weights
from rules.board.bitboard import cells_of
from rules.cairn.actions.context import Context
from rules.cairn.combat.injury import clock
from rules.cairn.magic.ground import cells_that, touches
from rules.cairn.state import Being, CairnState, Does, Figure, able, fighting, present, shown_hp
from rules.cairn.visibility import known_snares
from rules.contract.actions import Action


def weights() -> CairnValueWeights:
    """The numbers of taste that count here."""
    return load_weights().cairn.value


def pieces(state: CairnState) -> tuple[Piece, ...]:
    """Everybody on the board, in the order of the record."""
    found = []
    for i, figure in enumerate(state.figures):
        if figure.cell < 0 or figure.fled:
            continue
        being = state.setup.beings[i]
        health = shown_hp(state.setup, being, figure) + figure.str_now
        out = figure.dead or not fighting(figure)
        plan = state.plans[i]
        left = 0 if plan is not None and plan.action is not None else 1
        found.append(
            Piece(
                being.id,
                being.side,
                Context(state, i).place,
                size=being.space,
                health=max(0, health),
                most=max(1, figure.hp_max + figure.str_max),
                points=left,
                out=out,
                dead=figure.dead,
                ailing=clock(figure) > 0,
                ready=able(figure) and figure.posture == "standing",
                value=value_of(being, figure),
            )
        )
    return tuple(found)


def value_of(being: Being, figure: Figure) -> float:
    """What losing a creature means to its side: about 1 for an ordinary one."""
    w = weights()
    arts = w.art * min(w.most_arts, being.arts)
    whole = figure.hp_max + figure.str_max * w.strength + w.guard * being.guard + being.sting * w.sting + arts
    return whole / w.ordinary


def outlook(state: CairnState, who: int) -> Outlook:
    """What a creature may still plan."""
    context = Context(state, who)
    acts = context.action_open() is None
    end = Action(context.being.id, "end")
    ways = _ways(context, acts)
    return Outlook(state.round, 1 if acts else 0, acts, ways, end, ground=context.ground,
                   after=bool(ways) and not context.plan.moved)  # fmt: skip


def _shunned(context: Context) -> int:
    """Spaces that a planner goes round: changed ground that does something to who enters."""
    zones = context.state.zones
    harmful = (zone for zone in zones if touches(zone, context.being, context.figure))
    shun = cells_that(harmful, Does.HARM) if zones else 0
    return shun | known_snares(context.state, context.who)


def _ways(context: Context, acts: bool) -> tuple[Way, ...]:
    ways, shun = [], _shunned(context)
    moved = context.plan.moved
    budget = context.budget - context.standing_cost()
    action = context.plan.action
    if not moved and budget > 0 and (action is None or action.do not in ("dash", "retreat")):
        first = context.ways(context.figure.cell, budget, shun)
        if first.cells:
            ways.append(Way(("move",), 0, 0, first.cells, budget))
        if acts:
            far = context.ways(context.figure.cell, 2 * budget, shun).cells & ~first.cells
            if far:
                ways.append(Way(("move", "dash"), 1, 0, far, budget))
    elif moved and acts and context.budget > 0:
        found = context.ways(context.place, context.budget, shun)
        if found.cells:
            ways.append(Way(("dash",), 1, 0, found.cells, context.budget))
    return tuple(ways)


def route(state: CairnState, who: int, way: Way, cell: int) -> tuple[Action, ...]:
    """The movements of a way that end on a space, in order; empty where they don't fit together."""
    context = Context(state, who)
    name, budget = context.being.id, int(way.trace) if isinstance(way.trace, int) else 0
    if way.do != ("move", "dash"):
        start = context.place if way.do == ("dash",) else context.figure.cell
        return (Action(name, way.do[0], path=context.ways(start, budget, _shunned(context)).route(cell)),)
    whole = context.ways(context.figure.cell, 2 * budget, _shunned(context)).route(cell)
    near = context.ways(context.figure.cell, budget, _shunned(context))
    split = 0
    for i, there in enumerate(whole):
        if near.cells >> there & 1:
            split = i + 1
    if not split:
        return ()
    first, rest = whole[:split], whole[split:]
    costs = sum(2 if context.ground.steps(context.being.space).difficult >> c & 1 else 1 for c in rest)
    if not rest or costs > budget:
        return ()
    return (Action(name, "move", path=first), Action(name, "dash", path=rest))


def spots(state: CairnState, who: int) -> dict[int, int]:
    """Cells where a creature could end its movement in one fresh half -> 0 for a move, 1 for a dash."""
    figure = state.figures[who]
    if not present(figure):
        return {}
    out = {figure.cell: 0}
    if not able(figure):
        return out
    context = Context(state, who)
    budget = context.budget - context.standing_cost()
    near = context.ways(figure.cell, budget).cells
    far = context.ways(figure.cell, 2 * budget).cells & ~near
    out.update(dict.fromkeys(cells_of(near), 0))
    out.update(dict.fromkeys(cells_of(far), 1))
    return out
