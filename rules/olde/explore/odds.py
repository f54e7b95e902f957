"""Exact odds of being noticed: on a way, standing still, by noise, by what comes into view (olde.md §8)."""

from __future__ import annotations

import msgspec

from rules.contract.actions import Action
from rules.contract.ruleset import Odds, Share
from rules.contract.text import joined, text
from rules.core.action_kinds import ActionKind
from rules.core.dice import notation, signed
from rules.olde.actions.context import Context
from rules.olde.explore.model import OPENLY
from rules.olde.explore.notice import (
    LOUD,
    OPEN,
    SURE,
    Manner,
    Risk,
    Sense,
    attempts,
    guise_of,
    noticed,
    risk_of,
    sneak_terms,
)
from rules.olde.explore.state import NOTICING, is_hero
from rules.olde.state import OldeState, Resolution

LOUDLY = ("Burst", "Lift/Shift")
"""Skills that are heard far off."""


def overheard(context: Context, action: Action, odds: Odds) -> Odds:
    """The odds of a deed that makes noise or leads elsewhere, with the chance to be noticed by it."""
    goal = action.path[-1] if action.path else action.at
    if goal is None and action.option not in LOUDLY:
        return odds
    there, manner = (goal, OPEN) if goal is not None else (context.figure.cell, LOUD)
    chance = risk_of(context.state, context.who, (there,), manner).along[-1]
    if chance <= 0.0:
        return odds
    where = "noticed, once there" if goal is not None else "noticed by the noise"
    return msgspec.structs.replace(odds, notes=(*odds.notes, (f"{chance:.0%} {where}", NOTICING)))


def shown(context: Context, kind: ActionKind[Context], action: Action) -> Odds | None:
    """The chance that a door that opens, or a light that goes on, shows some hero to somebody; None if it can't."""
    resolution = Resolution(msgspec.structs.replace(context.state, rng=None))
    resolution.chance = context.chance
    kind.resolve(resolution, context.who, action)
    after = resolution.done()
    unseen = 1.0
    for who, figure in enumerate(after.figures):
        if is_hero(context.setup, who) and figure.cell >= 0 and figure.hp > 0 and after.explore is not None:
            total = after.explore.guise[who]
            risk = risk_of(after, who, (figure.cell,), guise_of(after, who), total if total != OPENLY else None)
            unseen *= 1.0 - risk.along[-1]
    if unseen >= 1.0:
        return None
    outcomes = (("unnoticed", unseen), ("noticed", 1.0 - unseen))
    return Odds(unseen, outcomes, (), 0.0, 0.0, notes=(("whoever comes into view by it may be noticed", NOTICING),))


def on_the_way(context: Context, manner: Manner, action: Action) -> Odds:
    """The chance to be noticed on a way, space by space."""
    state, who = context.state, context.who
    risk = risk_of(state, who, action.path, manner)
    rank, adjustments = sneak_terms(state, who)
    worst = risk.along[-1]
    sneaks, plus = not manner.rating, sum(a.value for a in adjustments)
    return Odds(
        hit=1.0 - worst,
        outcomes=(("unnoticed", 1.0 - worst), ("noticed", worst)),
        damage=(),
        mean=0.0,
        drop=0.0,
        adjustments=adjustments if sneaks else (),
        attack_dice=notation(2, rank, True) if sneaks else "",
        defense_dice="Alertness" if sneaks else "",
        notes=(*_notes(state, risk), *_rounds(state, who, action.path[-1], (rank, plus), sneaks=sneaks)),
        targets=tuple(Share(state.setup.fighters[i].id, chance) for i, chance in risk.each),
        along=tuple(zip(action.path, risk.along, strict=True)),
    )


def _rounds(
    state: OldeState, who: int, cell: int, own: tuple[int, int], *, sneaks: bool, sure: bool = False
) -> tuple[tuple[str, str], ...]:
    """What walkers risk to see of somebody who stands on a space when the minute is over; `sure`: nothing comes
    before that could put them off their guard."""
    told = []
    for sense in attempts(state, who, cell, hidden=sneaks):
        chance = noticed(state.setup.memory, own, ((sense.rank, sense.plus, sense.rating),))
        name, bound = state.setup.fighters[sense.watcher].name, "" if sure else "up to "
        told.append(
            (text("{bound}{chance} when {name} walks on", bound=bound, chance=f"{chance:.0%}", name=name), NOTICING)
        )
    return tuple(told)


def standing_still(context: Context) -> Odds | None:
    """The chance to be noticed by a walker when the minute is over, standing still; None where none comes by."""
    state, who = context.state, context.who
    exploring, cell = state.explore, state.figures[who].cell
    assert exploring is not None
    total = exploring.guise[who]
    found = attempts(state, who, cell, hidden=total != OPENLY)
    if not found:
        return None
    chance = noticed(state.setup.memory, (0, total), tuple(sorted((s.rank, s.plus, s.rating) for s in found)))
    told = _rounds(state, who, cell, (0, total), sneaks=total != OPENLY, sure=True)
    return Odds(1.0 - chance, (("unnoticed", 1.0 - chance), ("noticed", chance)), (), 0.0, 0.0, notes=told)


def _notes(state: OldeState, risk: Risk) -> tuple[tuple[str, str], ...]:
    if not risk.found:
        return (("nobody who is known of could notice", NOTICING),)
    return tuple((_told(state, sense), NOTICING) for sense in risk.found)


def _told(state: OldeState, sense: Sense) -> str:
    name = state.setup.fighters[sense.watcher].name
    if sense.rating == SURE:
        return text("{name} would see it", name=name)
    why = joined(", ", (a.because for a in sense.adjustments if a.rule == NOTICING))
    dice = notation(2, sense.rank, True) + (signed(sense.plus) if sense.plus else "")
    if sense.rating:
        return text("{name}: {dice} against {rating}, {why}", name=name, dice=dice, rating=sense.rating, why=why)
    return (
        text("{name}: {dice}, {why}", name=name, dice=dice, why=why)
        if why
        else text("{name}: {dice}", name=name, dice=dice)
    )
