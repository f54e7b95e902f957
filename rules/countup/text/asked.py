"""Why somebody is asked for an order now, in words (countup.md §1 DECLARE)."""

from __future__ import annotations

from fractions import Fraction

from rules.contract.actions import Action
from rules.contract.ruleset import Odds
from rules.contract.text import Creature, text
from rules.countup.combat.chances import attack_figures
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
    plain, critical, _ = state.setup.chances.hit(20, guard.faces, (gap, None))
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


def _name(state: CountState, who: int) -> Creature:
    being = state.setup.beings[who]
    return Creature(being.name, being.id)


def prompt(state: CountState, who: int) -> str:
    """The question to whoever is free in this second, with what made time stand still."""
    figure, name = state.figures[who], _name(state, who)
    order = figure.order
    if order is not None and not order.done:
        return text("{name}: order a deed besides, or go", name=name)
    if figure.held_by >= 0:
        return text("{name} is held at bay by {holder}", name=name, holder=_name(state, figure.held_by))
    if order is None:
        return (
            text("{name} may act from now on", name=name)
            if figure.init == state.second
            else text("{name} is free again", name=name)
        )
    if order.action is None:
        fresh = next((other for other in figure.fresh if present(state.figures[other])), None)
        return (
            text("{name} has met {other}", name=name, other=_name(state, fresh))
            if fresh is not None
            else text("{name} is there", name=name)
        )
    if order.action.do == "hold" and int(order.action.option or "1") > state.second and figure.fresh:
        return text("{foe} comes close to {name}", foe=_name(state, figure.fresh[0]), name=name)
    if order.action.do == "hold":
        return text("{name} has waited", name=name)
    if order.action.do == "full_parry":
        return text("{name} has parried to the end", name=name)
    target = state.setup.index.get(order.action.target or "")
    if target is None:
        return text("{name} is free again", name=name)
    foe = _name(state, target)
    if not present(state.figures[target]):
        return text("{foe} is out of the fight; {name} is free again", foe=foe, name=name)
    near = [other for other in figure.fresh if present(state.figures[other])]
    if near and (order.action.do == "shoot" or target not in near):
        return text("{foe} comes close to {name}", foe=_name(state, near[0]), name=name)
    if 0 < order.awaits <= state.second:
        return text("{name} has waited", name=name)
    weapon = weapon_of(state.setup, who, struck_with(state.setup, who, figure, order.action))
    if not weapon.ranged and not in_reach(state, who, target, weapon):
        return text("{foe} is out of {name}'s reach", foe=foe, name=name)
    return text("{name} is free again", name=name)
