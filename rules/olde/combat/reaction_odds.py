"""Exact odds of reflexes and responses, and what each answer is worth to whoever is attacked (olde.md §6)."""

from __future__ import annotations

import msgspec

from rules.contract.ruleset import Odds
from rules.core import odds as dist
from rules.core.dice import notation
from rules.olde.advice.threat import strike, worth
from rules.olde.challenges.checks import burden
from rules.olde.combat.attack import Blow
from rules.olde.combat.chances import odds_of
from rules.olde.combat.reactions import (
    DECLINE,
    REACTIONS,
    RULE,
    Reaction,
    counter,
    fault_of,
    mentioned,
    prepared,
    riposte,
    shield_again,
)
from rules.olde.state import OldeState, Pending

POINT = 0.01
"""What an AP is held to be worth beside the blows that it could pay."""
PARRY_PRICE = 0.03
"""What −2 on one's own attacks until the reset is held to be worth."""


def chance_of(state: OldeState, attack: Pending, reaction: Reaction) -> float:
    """That an answer comes in time; a response always does."""
    if reaction.response:
        return 1.0
    ranks, plus = [], []
    for who in (attack.target, attack.attacker):
        fighter = state.setup.fighters[who]
        ranks.append(fighter.finesse_rank)
        plus.append(sum(a.value for a in burden(state.setup, fighter, state.figures[who], "finesse")))
    return dist.chance_margin(ranks[0], ranks[1], plus[1] - plus[0])


def odds_of_answer(state: OldeState, answer: str) -> Odds | None:
    """The odds of an answer to the attack under way; `boon` is its worth, what the attack may do counted in."""
    if not state.pending:
        return None
    attack = state.pending[-1]
    loss = 0.0 if attack.stage == "struck" else _loss(state, attack)
    if answer in DECLINE.values():
        return Odds(1.0, ((answer, 1.0),), (), 0.0, 0.0, boon=-loss)
    reaction = REACTIONS[answer]
    chance = chance_of(state, attack, reaction)
    hit, boon = _worth(state, attack, reaction, chance, loss)
    ranks = [state.setup.fighters[who].finesse_rank for who in (attack.target, attack.attacker)]
    return Odds(
        hit=hit,
        outcomes=(("in time", chance), ("too late", 1.0 - chance)),
        damage=(),
        mean=0.0,
        drop=0.0,
        attack_dice="" if reaction.response else notation(2, ranks[0], True),
        defense_dice="" if reaction.response else notation(2, ranks[1], True),
        notes=((f"{reaction.label}: {reaction.ap} AP, paid in any case", RULE),),
        boon=boon - _price(state, attack, reaction.ap),
    )


def _worth(state: OldeState, attack: Pending, reaction: Reaction, chance: float, loss: float) -> tuple[float, float]:
    """(chance that it does what it is for, what it gains less what the attack still costs)."""
    if reaction.answer == "parry":
        return chance, -(1.0 - chance) * loss - chance * PARRY_PRICE
    if reaction.answer == "raise_shield":
        raised = msgspec.structs.replace(attack, extra=(*attack.extra, *shield_again(state, attack)))
        return chance, -chance * _loss(state, raised) - (1.0 - chance) * loss
    back = riposte(state, attack) if reaction.response else counter(state, attack)
    blow = odds_of(state.setup, state.figures, prepared(state, back))
    gain = chance * _share(state, attack.attacker, blow)
    spared = chance * (blow.drop + blow.stun) * loss
    return chance * blow.hit, gain + spared - loss


def _loss(state: OldeState, attack: Pending) -> float:
    """What the attack takes from its target, in units of worth."""
    if fault_of(state, attack):
        return 0.0
    return _share(state, attack.target, odds_of(state.setup, state.figures, prepared(state, attack)))


def _share(state: OldeState, who: int, odds: Odds) -> float:
    health = max(1, state.figures[who].hp)
    return worth(state, who) * (min(1.0, odds.mean / health) + odds.drop)


def _price(state: OldeState, attack: Pending, ap: int) -> float:
    """What these AP could have done: the plain blows that they would have paid for in this turn."""
    figure = state.figures[attack.target]
    lost = figure.ap // 2 - (figure.ap - ap) // 2
    own = strike(state, attack.target, attack.attacker, figure.cell, state.figures[attack.attacker].cell)
    if own is None or not lost:
        return POINT * ap
    health = max(1, state.figures[attack.attacker].hp)
    return POINT * ap + lost * worth(state, attack.attacker) * (min(1.0, own.mean / health) + own.drop)


def warned(state: OldeState, blow: Blow, odds: Odds) -> Odds:
    """The odds of an attack with a line for each answer that its target may give."""
    found = mentioned(state, blow.attacker, blow.target, blow.mode.ranged)
    if not found:
        return odds
    attack = Pending(blow.attacker, blow.target, blow.weapon.name, blow.action, ranged=blow.mode.ranged)
    lines = []
    for reaction in found:
        chance = "" if reaction.response else f", {chance_of(state, attack, reaction) * 100:.0f} % in time"
        lines.append((f"may answer: {reaction.label} ({reaction.ap} AP{chance})", RULE))
    return msgspec.structs.replace(odds, notes=(*odds.notes, *lines))
