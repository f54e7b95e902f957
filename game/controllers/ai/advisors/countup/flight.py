"""Whether to run out of a melee: where to, and what those one runs from make of it (countup.md §2.6)."""

from __future__ import annotations

import msgspec

from game.controllers.ai.advisors.countup.manoeuvres import beat_seconds, value_of
from game.controllers.ai.advisors.planning import Merit, Way
from game.controllers.ai.weights import CountupFlightWeights, load_weights
from rules.board.path import reach
from rules.countup.actions.context import AHEAD, Context
from rules.countup.actions.table import ACTION_KINDS
from rules.countup.combat.attack import could_strike, speed_of
from rules.countup.combat.chances import attack_figures
from rules.countup.combat.reach import in_reach
from rules.countup.conditions import open_ground
from rules.countup.manners import FREE, PLAIN, Stance
from rules.countup.state import CountState, PreparedAttack, free_hand, in_hand, pace, present, sizes_of, weapon_of


def weights() -> CountupFlightWeights:
    """The numbers of taste that count here."""
    return load_weights().countup.flight


def backwards() -> int:
    """Spaces of a fighting withdrawal that are thought of at once."""
    return weights().backwards


def flight(context: Context) -> tuple[Way, Merit] | None:
    """The spaces that one could run to and what running costs; None where nobody is run from, or nothing is free."""
    if not context.engaged() or context.order.path or ACTION_KINDS["flee"].why_not(context) is not None:
        return None
    start, size, crowd = context.figure.cell, context.being.space, context.crowd()
    far = reach(context.terrain, start, AHEAD, size=size, blocked=crowd).cells
    cells = far & ~reach(context.terrain, start, backwards(), size=size, blocked=crowd).cells
    if context.figure.effects:
        cells = open_ground(context.state, context.who, cells)
    if not cells:
        return None
    return Way(("flee",), 1, 0, cells, AHEAD, flight=True), Merit(cells, -price(context), "blows at one's back")


def price(context: Context) -> float:
    """What it costs to turn one's back, in the units of `value`: the worse of a free blow, or a foe at one's heels."""
    figures = list(context.state.figures)
    figures[context.who] = msgspec.structs.replace(context.figure, stance=Stance.FLEEING)
    state = msgspec.structs.replace(context.state, figures=tuple(figures))
    return sum(max(_free(state, context.who, other), _chased(state, context.who, other)) for other in _after(context))


def _after(context: Context) -> list[int]:
    """Foes in contact who could strike or follow: nobody who has another enemy within 5 ft (B24)."""
    state, found = context.state, []
    for other in context.figure.contacts:
        foe = state.figures[other]
        weapon = weapon_of(state.setup, other, free_hand(state.setup, other, foe))
        if not present(foe) or not could_strike(foe, state.second, weapon):
            continue
        if not any(_beside(state, other, third) for third in foe.contacts if third != context.who):
            found.append(other)
    return found


def _beside(state: CountState, who: int, other: int) -> bool:
    here, there = state.figures[who], state.figures[other]
    return present(there) and state.terrain.distance(here.cell, there.cell, *sizes_of(state.setup, who, other)) <= 1


def _free(state: CountState, who: int, other: int) -> float:
    """The free blow, after which he pursues nobody for a while."""
    name = free_hand(state.setup, other, state.figures[other])
    weapon = weapon_of(state.setup, other, name)
    if not in_reach(state, other, who, weapon):
        return 0.0
    return _cost(state, PreparedAttack(other, who, name, FREE), 1.0)


def _chased(state: CountState, who: int, other: int) -> float:
    """His blows all the way, if he runs as fast as one does oneself."""
    beings = state.setup.beings
    if pace(beings[other], "sprint") < pace(beings[who], "sprint"):
        return 0.0
    name = in_hand(state.setup, other, state.figures[other])
    weapon = weapon_of(state.setup, other, name)
    rate = weights().chase * beat_seconds() / max(1, speed_of(state, other, weapon, PLAIN, who))
    return 0.0 if weapon.ranged else _cost(state, PreparedAttack(other, who, name), rate)


def _cost(state: CountState, blow: PreparedAttack, rate: float) -> float:
    w = weights()
    _, mean, drop = attack_figures(state, blow, weapon_of(state.setup, blow.by, blow.weapon))
    health = max(1, state.figures[blow.target].hp)
    lost = w.wounds * min(1.0, rate * mean / health) + w.fall * min(1.0, rate * drop)
    return lost * value_of(state.setup.beings[blow.target])
