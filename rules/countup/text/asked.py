"""Why somebody is asked for an order now, in words (countup.md §1 DECLARE)."""

from __future__ import annotations

from fractions import Fraction

from rules.contract.actions import Action
from rules.contract.ruleset import Odds
from rules.countup.combat.chances import attack_figures, hit_chances
from rules.countup.combat.melee import attack_adjustments, defence_of
from rules.countup.combat.reach import in_reach
from rules.countup.manners import FREE
from rules.countup.state import Choice, CountState, PreparedAttack, in_hand, present, struck_with, weapon_of

GROUND = 5
"""What giving ground adds to the defence (countup.md §2.6)."""


def odds_of_answer(state: CountState, action: Action) -> Odds | None:
    """How likely the blow hits that a question about giving ground is about."""
    choice = state.choices[0] if state.choices else None
    if choice is None or action.option not in choice.options:
        return None
    if choice.kind == "fleer":
        return _at_the_fleeing(state, choice, action.option)
    attack = state.attacks[choice.number]
    guard = defence_of(state, attack.target, attack.by)
    ground = 0 if action.option == "stand" else GROUND
    gap = sum(each.value for each in attack_adjustments(state, attack)) - guard.bonus - ground
    plain, critical, _ = hit_chances(20, guard.faces, gap, None)
    real = Fraction(1, 1 + state.figures[attack.target].images)
    hit = float((plain + critical) * real)
    return Odds(hit, (("to be hit", hit), ("missed", 1 - hit)), ((0, 1.0),), 0.0, 0.0)


def _at_the_fleeing(state: CountState, choice: Choice, option: str) -> Odds | None:
    """How likely a free blow hits; who follows is at his heels in any case."""
    name = in_hand(state.setup, choice.by, state.figures[choice.by])
    weapon = weapon_of(state.setup, choice.by, name)
    if option != "strike" or weapon.ranged:
        return Odds(1.0, (("at his heels", 1.0),), ((0, 1.0),), 0.0, 0.0)
    blow = PreparedAttack(choice.by, choice.other, name, FREE)
    hit = attack_figures(state, blow, weapon)[0]
    outcomes = (("hit", hit), ("missed", 1 - hit))
    return Odds(hit, outcomes, ((0, 1.0),), 0.0, 0.0)


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
    near = [other for other in figure.fresh if present(state.figures[other])]
    if near and (order.action.do == "shoot" or target not in near):
        return f"{state.setup.beings[near[0]].name} comes close to {name}"
    if 0 < order.awaits <= state.second:
        return f"{name} has waited"
    weapon = weapon_of(state.setup, who, struck_with(state.setup, who, figure, order.action))
    if not weapon.ranged and not in_reach(state, who, target, weapon):
        return f"{foe} is out of {name}'s reach"
    return f"{name} is free again"
