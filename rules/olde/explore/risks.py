"""The chances of being noticed, exactly: along ways, by deeds, by walkers when the minute is over (olde.md §8)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from math import prod
from typing import NamedTuple

import msgspec

from rules.contract.actions import Action, Adjustment
from rules.contract.ruleset import Odds, Share
from rules.contract.text import joined, text
from rules.contract.units import Cell, CreatureIx, numbered
from rules.core import odds as dist
from rules.core.action_kinds import ActionKind
from rules.core.dice import notation, signed
from rules.explore.procedure import Manner
from rules.explore.state import OPENLY, put
from rules.olde.actions.kind import Context
from rules.olde.challenges.checks import skill_terms
from rules.olde.explore.minutes import MINUTES
from rules.olde.explore.notice import HIDDEN, LOUD, LOUDLY, NOTICING, OPEN, STILL, SURE, Sense, sense_of
from rules.olde.state import OldeState, Resolution
from rules.olde.visibility import is_hero


class Risk(NamedTuple):
    """What a way risks."""

    along: tuple[float, ...]  # for each space of the way the chance to be noticed on it or before
    each: tuple[tuple[int, float], ...]  # watcher -> its own chance to notice, whatever the others do
    found: tuple[Sense, ...]


def risk_of(state: OldeState, who: CreatureIx, way: Sequence[Cell], manner: Manner, total: int | None = None) -> Risk:
    """The exact chances of being noticed along a way; `total`: a Sneak that was rolled already."""
    found = MINUTES.senses(state, who, way, manner)
    rank, adjustments = sneak_terms(state, who)
    own = (rank, sum(a.value for a in adjustments)) if total is None else (0, total)
    along, chance = [], 0.0
    known: list[tuple[int, int, int]] = []
    for step in range(len(way)):
        if here := [sense.terms for sense in found if sense.step == step]:
            known += here
            chance = noticed(own, tuple(sorted(known)))
        along.append(chance)
    each = tuple((s.watcher, noticed(own, (s.terms,))) for s in found)
    return Risk(tuple(along), each, tuple(found))


def sneak_terms(state: OldeState, who: CreatureIx) -> tuple[int, tuple[Adjustment, ...]]:
    """(rank of the two dice, adjustments) of somebody's Sneak."""
    return skill_terms(state.setup, state.setup.fighters[who], state.figures[who], "Sneak")


@lru_cache(maxsize=1 << 14)
def noticed(own: tuple[int, int], watching: tuple[tuple[int, int, int], ...]) -> float:
    """Chance that at least one of some watchers notices. `own`: (Sneak rank, adjustments), rank 0 = a total that is
    known; each watcher: (rank, adjustments, rating), rating 0 = against the Sneak. Remembered."""
    if any(rating == SURE for _, _, rating in watching):
        return 1.0
    unseen = 1.0
    for rank, plus, rating in watching:
        if rating:
            unseen *= 1.0 - dist.chance_at_least(2, rank, rating - plus)
    contested = [(rank, plus) for rank, plus, rating in watching if not rating]
    if not contested:
        return 1.0 - unseen
    rank, plus = own
    if not rank:
        return 1.0 - unseen * _all_miss(contested, plus)
    sneaks = enumerate(dist.dice_sum(2, rank, True))
    return 1.0 - unseen * sum(p * _all_miss(contested, thrown + plus) for thrown, p in sneaks if p > 0.0)


def _all_miss(contested: list[tuple[int, int]], total: int) -> float:
    return prod(1.0 - dist.chance_at_least(2, rank, total - plus) for rank, plus in contested)


def attempts(state: OldeState, hero: CreatureIx, cell: Cell, *, hidden: bool) -> list[Sense]:
    """How walkers might notice a hero who stands on `cell` when this minute is over."""
    found = []
    for who in MINUTES.walkers(state):
        way, _ = MINUTES.coming(state, who)
        if way:
            there = msgspec.structs.replace(state.figures[who], cell=way[-1])
            then = msgspec.structs.replace(state, figures=put(state.figures, who, there))
            if sense := sense_of(MINUTES.in_view, then, (who, hero), (cell,), HIDDEN if hidden else STILL):
                found.append(sense)
    return found


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
    for who, figure in numbered(after.figures):
        if is_hero(context.setup, who) and figure.cell >= 0 and figure.hp > 0 and after.explore is not None:
            total = after.explore.guise[who]
            risk = risk_of(after, who, (figure.cell,), MINUTES.guise_of(after, who), total if total != OPENLY else None)
            unseen *= 1.0 - risk.along[-1]
    if unseen >= 1.0:
        return None
    notes = (("whoever comes into view by it may be noticed", NOTICING),)
    return Odds(unseen, (("unnoticed", unseen), ("noticed", 1.0 - unseen)), notes=notes)


def on_the_way(context: Context, manner: Manner, action: Action) -> Odds:
    """The chance to be noticed on a way, space by space."""
    state, who = context.state, context.who
    risk = risk_of(state, who, action.path, manner)
    rank, adjustments = sneak_terms(state, who)
    worst = risk.along[-1]
    told = [(_told(state, sense), NOTICING) for sense in risk.found] or [
        ("nobody who is known of could notice", NOTICING)
    ]
    sneaks, plus = not manner.rating, sum(a.value for a in adjustments)
    dice, against = (notation(2, rank, True), "Alertness") if sneaks else ("", "")
    each = tuple(Share(state.setup.fighters[i].id, chance) for i, chance in risk.each)
    return Odds(
        1.0 - worst, (("unnoticed", 1.0 - worst), ("noticed", worst)), adjustments=adjustments if sneaks else (),
        attack_dice=dice, defense_dice=against, targets=each, along=tuple(zip(action.path, risk.along, strict=True)),
        notes=(*told, *_rounds(state, attempts(state, who, action.path[-1], hidden=sneaks), (rank, plus))),
    )  # fmt: skip


def _rounds(
    state: OldeState, found: Sequence[Sense], own: tuple[int, int], *, sure: bool = False
) -> Iterator[tuple[str, str]]:
    """What walkers risk to see of somebody who stands on a space when the minute is over; `sure`: nothing comes
    before that could put them off their guard."""
    bound = "" if sure else "up to "
    for sense in found:
        name, chance = state.setup.fighters[sense.watcher].name, noticed(own, (sense.terms,))
        yield text("{bound}{chance} when {name} walks on", bound, f"{chance:.0%}", name), NOTICING


def standing_still(context: Context) -> Odds | None:
    """The chance to be noticed by a walker when the minute is over, standing still; None where none comes by."""
    state, who = context.state, context.who
    total = state.exploring.guise[who]
    found = attempts(state, who, context.figure.cell, hidden=total != OPENLY)
    if not found:
        return None
    chance = noticed((0, total), tuple(sorted(s.terms for s in found)))
    told = tuple(_rounds(state, found, (0, total), sure=True))
    return Odds(1.0 - chance, (("unnoticed", 1.0 - chance), ("noticed", chance)), notes=told)


def _told(state: OldeState, sense: Sense) -> str:
    name = state.setup.fighters[sense.watcher].name
    if sense.rating == SURE:
        return text("{name} would see it", name)
    why = joined(", ", (a.because for a in sense.adjustments if a.rule == NOTICING))
    dice = notation(2, sense.rank, True) + (signed(sense.plus) if sense.plus else "")
    if sense.rating:
        return text("{name}: {dice} against {rating}, {why}", name, dice, sense.rating, why)
    return text("{name}: {dice}, {why}", name, dice, why) if why else text("{name}: {dice}", name, dice)
