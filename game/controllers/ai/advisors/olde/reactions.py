"""What each answer to an attack is worth to whoever is attacked (olde.md §6)."""

from __future__ import annotations

import msgspec

from game.controllers.ai.advisors.olde.threat import strike, value_of
from game.controllers.ai.weights import OldeReactionsWeights, load_weights
from rules.contract.ruleset import Odds
from rules.olde.combat.chances import odds_of
from rules.olde.combat.reactions import REACTIONS, Parry, RaiseShield, Reaction, prepared, why_no_more
from rules.olde.state import OldeState, Pending, Stage


def weights() -> OldeReactionsWeights:
    """The numbers of taste that count here."""
    return load_weights().olde.reactions


def benefit_of(state: OldeState, answer: str) -> float:
    """What an answer to the attack under way is worth, what the attack may do counted in; 0 where there is none."""
    if not state.pending:
        return 0.0
    attack = state.pending[-1]
    loss = 0.0 if attack.stage is Stage.STRUCK else _loss(state, attack)
    reaction = REACTIONS.get(answer)
    if reaction is None:
        return -loss
    chance = reaction.chance(state, attack)
    return _gain(state, attack, reaction, chance, loss) - _price(state, attack, reaction.ap)


def _gain(state: OldeState, attack: Pending, reaction: Reaction, chance: float, loss: float) -> float:
    """What it gains less what the attack still costs."""
    if isinstance(reaction, Parry):
        return -(1.0 - chance) * loss - chance * weights().parry_price
    if isinstance(reaction, RaiseShield):
        raised = msgspec.structs.replace(attack, extra=reaction.raised(state, attack))
        return -chance * _loss(state, raised) - (1.0 - chance) * loss
    back = reaction.struck_back(state, attack)
    assert back is not None
    blow = odds_of(state.setup, state.figures, prepared(state, back))
    gain = chance * _share(state, attack.attacker, blow)
    spared = chance * (blow.drop + blow.stun) * loss
    return gain + spared - loss


def _loss(state: OldeState, attack: Pending) -> float:
    """What the attack takes from its target, in units of worth."""
    if why_no_more(state, attack):
        return 0.0
    return _share(state, attack.target, odds_of(state.setup, state.figures, prepared(state, attack)))


def _share(state: OldeState, who: int, odds: Odds) -> float:
    health = max(1, state.figures[who].hp)
    return value_of(state, who) * (min(1.0, odds.mean / health) + odds.drop)


def _price(state: OldeState, attack: Pending, ap: int) -> float:
    """What these AP could have done: the plain blows that they would have paid for in this turn."""
    w = weights()
    figure = state.figures[attack.target]
    lost = figure.ap // 2 - (figure.ap - ap) // 2
    own = strike(state, attack.target, attack.attacker, figure.cell, state.figures[attack.attacker].cell)
    if own is None or not lost:
        return w.point * ap
    health = max(1, state.figures[attack.attacker].hp)
    return w.point * ap + lost * value_of(state, attack.attacker) * (min(1.0, own.mean / health) + own.drop)
