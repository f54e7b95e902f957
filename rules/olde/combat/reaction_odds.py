"""Exact odds of reflexes and responses (olde.md §6)."""

from __future__ import annotations

import msgspec

from rules.contract.ruleset import Odds
from rules.core import odds as dist
from rules.core.dice import notation
from rules.olde.challenges.checks import burden
from rules.olde.combat.attack import Blow
from rules.olde.combat.chances import odds_of
from rules.olde.combat.reactions import (
    DECLINE,
    REACTIONS,
    RULE,
    Reaction,
    counter,
    mentioned,
    prepared,
    riposte,
)
from rules.olde.state import OldeState, Pending


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
    """The odds of an answer to the attack under way."""
    if not state.pending:
        return None
    attack = state.pending[-1]
    if answer in DECLINE.values():
        return Odds(1.0, ((answer, 1.0),), (), 0.0, 0.0)
    reaction = REACTIONS[answer]
    chance = chance_of(state, attack, reaction)
    ranks = [state.setup.fighters[who].finesse_rank for who in (attack.target, attack.attacker)]
    return Odds(
        hit=_hit(state, attack, reaction, chance),
        outcomes=(("in time", chance), ("too late", 1.0 - chance)),
        damage=(),
        mean=0.0,
        drop=0.0,
        attack_dice="" if reaction.response else notation(2, ranks[0], True),
        defense_dice="" if reaction.response else notation(2, ranks[1], True),
        notes=((f"{reaction.label}: {reaction.ap} AP, paid in any case", RULE),),
    )


def _hit(state: OldeState, attack: Pending, reaction: Reaction, chance: float) -> float:
    """The chance that an answer does what it is for: that it comes in time, and that what is struck back hits."""
    back = struck_back(state, attack, reaction)
    return chance if back is None else chance * odds_of(state.setup, state.figures, prepared(state, back)).hit


def struck_back(state: OldeState, attack: Pending, reaction: Reaction) -> Pending | None:
    """The blow that an answer is; None for one that only wards off."""
    if reaction.answer in ("parry", "raise_shield"):
        return None
    return riposte(state, attack) if reaction.response else counter(state, attack)


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
