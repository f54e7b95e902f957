"""Why somebody is asked for an order now, in words (countup.md §1 DECLARE)."""

from __future__ import annotations

from fractions import Fraction

from rules.actions import Action
from rules.countup.chances import hit_chances
from rules.countup.melee import attack_adjustments, defence_of, in_reach
from rules.countup.state import CountState, in_hand, present, weapon_of
from rules.ruleset import Odds

GROUND = 5
"""What giving ground adds to the defence (countup.md §2.6)."""


def odds_of_answer(state: CountState, action: Action) -> Odds | None:
    """How likely the blow hits that a question about giving ground is about; None for other questions."""
    choice = state.choices[0] if state.choices else None
    if choice is None or choice.kind != "give_ground" or action.option not in choice.options:
        return None
    blow = state.blows[choice.number]
    guard = defence_of(state, blow.target, blow.by)
    ground = 0 if action.option == "stand" else GROUND
    gap = sum(each.value for each in attack_adjustments(state, blow)) - guard.bonus - ground
    plain, critical, _ = hit_chances(20, guard.faces, gap, None)
    real = Fraction(1, 1 + state.figures[blow.target].images)
    hit = float((plain + critical) * real)
    return Odds(hit, (("to be hit", hit), ("missed", 1 - hit)), ((0, 1.0),), 0.0, 0.0)


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
