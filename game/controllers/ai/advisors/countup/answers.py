"""What each answer to a question inside a blow is worth: giving ground, striking at the fleeing (countup.md §2.6)."""

from __future__ import annotations

from game.controllers.ai.advisors.countup.manoeuvres import value_of
from game.controllers.ai.advisors.planning import NOTHING, Promise
from game.controllers.ai.weights import CountupAnswersWeights, load_weights
from rules.contract.actions import Action
from rules.countup.actions.answers import AT_THE_FLEEING, GIVE_GROUND
from rules.countup.combat.chances import attack_figures
from rules.countup.manners import FREE
from rules.countup.state import Choice, CountState, PreparedAttack, in_hand, present, surprised, weapon_of


def weights() -> CountupAnswersWeights:
    """The numbers of taste that count here."""
    return load_weights().countup.answers


COSTS = {"yield": 1, "scamper": 4}
"""What each way of giving ground costs the next attack."""


def promise(state: CountState, action: Action) -> Promise:
    """Of an answer to the question that stands open; nothing of anything else."""
    choice = state.choices[0] if state.choices else None
    if action.do != "choose" or choice is None or action.option not in choice.options:
        return NOTHING
    if choice.kind == AT_THE_FLEEING.kind:
        return Promise(_at_the_fleeing(state, choice, action.option))
    guarded = GIVE_GROUND.guarded(action.option)
    return _ground(state, state.attacks[choice.number], guarded, COSTS.get(action.option, 0))


def _at_the_fleeing(state: CountState, choice: Choice, option: str) -> float:
    """A free blow for what it does; following, for being at his heels."""
    name = in_hand(state.setup, choice.by, state.figures[choice.by])
    if option != "strike" or weapon_of(state.setup, choice.by, name).ranged:
        return weights().heels
    return _value(state, PreparedAttack(choice.by, choice.other, name, FREE), 0)


def _value(state: CountState, blow: PreparedAttack, guarded: int) -> float:
    """What a blow costs its target's side."""
    weapon = weapon_of(state.setup, blow.by, blow.weapon)
    _, mean, drop = attack_figures(state, blow, weapon, guarded)
    health = max(1, state.figures[blow.target].hp)
    return (min(1.0, mean / health) + drop) * value_of(state.setup.beings[blow.target])


def _ground(state: CountState, blow: PreparedAttack, guarded: int, cost: int) -> Promise:
    """What giving ground against a blow costs him who is struck at beside it (below 0), and what the blow costs him.

    Ground given costs a part of the next attack, and contact; it is no loss to who reaches farther than the foe.
    """
    w = weights()
    lost = _value(state, blow, guarded)
    if not cost:
        return Promise(-w.stands, lost)
    setup, who = state.setup, blow.target
    name = in_hand(setup, who, state.figures[who])
    mine, theirs = weapon_of(setup, who, name), weapon_of(setup, blow.by, blow.weapon)
    if surprised(state.figures[who], state.second) or not present(state.figures[blow.by]):
        return Promise(0.0, lost)
    answer = _value(state, PreparedAttack(who, blow.by, name), 0) if not mine.ranged else 0.0
    soon = state.figures[who].due <= state.second + 2
    price = answer * (w.step * cost + (w.outreached if soon and mine.reach <= theirs.reach else 0.0))
    return Promise(-price - w.yields, lost)
