"""Why somebody is asked for an order now, in words (countup.md §1 DECLARE)."""

from __future__ import annotations

from rules.countup.melee import in_reach
from rules.countup.state import CountState, in_hand, present, weapon_of


def prompt(state: CountState, who: int) -> str:
    """The question to whoever is free in this second, with what made time stand still."""
    figure, name = state.figures[who], state.setup.beings[who].name
    order = figure.order
    if order is not None and not order.done:
        return f"{name}: order a deed besides, or go"
    if figure.held_by >= 0:
        return f"{name} is held at bay by {state.setup.beings[figure.held_by].name}"
    if order is None:
        return f"{name} may act from now on" if figure.init == state.second else f"{name} is free again"
    if order.action is None:
        fresh = next((other for other in figure.fresh if present(state.figures[other])), None)
        return f"{name} has met {state.setup.beings[fresh].name}" if fresh is not None else f"{name} is there"
    if order.action.do == "hold" and int(order.action.option or "1") > state.second and figure.fresh:
        return f"{state.setup.beings[figure.fresh[0]].name} comes close to {name}"
    if order.action.do == "hold":
        return f"{name} has waited"
    if order.action.do == "full_parry":
        return f"{name} has parried to the end"
    target = state.setup.index.get(order.action.target or "")
    if target is None:
        return f"{name} is free again"
    foe = state.setup.beings[target].name
    if not present(state.figures[target]):
        return f"{foe} is out of the fight; {name} is free again"
    if order.action.do == "shoot" and figure.fresh:
        return f"{state.setup.beings[figure.fresh[0]].name} comes close to {name}"
    weapon = weapon_of(state.setup, who, order.action.weapon or in_hand(state.setup, who, figure))
    if not weapon.ranged and not in_reach(state, who, target, weapon):
        return f"{foe} is out of {name}'s reach"
    return f"{name} is free again"
