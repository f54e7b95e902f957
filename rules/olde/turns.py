"""Turns: the reset phase step by step, rounds by falling action points, and the end of a fight (olde.md §4)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import assert_never

from rules.contract.events import Began, Over, Points, Roll
from rules.contract.events import Chance as Offered
from rules.contract.events import Question as Asked
from rules.contract.units import CreatureIx, first_creatures, numbered
from rules.core.dice import roll
from rules.explore.waves import waiting
from rules.olde.actions.climbing import drown, struggle
from rules.olde.actions.hands import fall_shut
from rules.olde.actions.kind import close_chance
from rules.olde.arriving import ARRIVING
from rules.olde.combat.outcomes import Answer, per_turn, recovery
from rules.olde.combat.reactions import go_on
from rules.olde.conditions import SLOWED, action_points, tick
from rules.olde.explore.minutes import MINUTES
from rules.olde.magic.casting import low_pools, restore
from rules.olde.magic.spells import POOLS
from rules.olde.state import Because, Chance, Phase, Question, Resolution, able, is_over, unaware

ROLL_OFFS = 3


def run_on(resolution: Resolution) -> None:
    """Go on until a decision stands open or the fight is over."""
    while resolution.question is None:
        if resolution.setup.field.arrivals:
            ARRIVING.heed(resolution)
        match resolution.phase:
            case Phase.ACTION:
                if resolution.setup.reflexes and resolution.pending:
                    go_on(resolution)
                elif resolution.chance is not None:
                    if able(resolution.figures[resolution.chance.who]) and not is_over(resolution):
                        return
                    close_chance(resolution)
                elif is_over(resolution):
                    winner = _sides_up(resolution)
                    _begin_reset(resolution)  # the closing reset does steps 1 to 3 only
                    if not MINUTES.truce(resolution):
                        _finish(resolution, winner)
                elif _next_chance(resolution):
                    return  # nothing has happened since, so it stands open
                else:
                    _next_round(resolution)
            case Phase.RESET:
                if resolution.setup.reflexes and resolution.pending:
                    go_on(resolution)
                else:
                    _reset(resolution)
            case Phase.EXPLORE:
                if MINUTES.exploring(resolution):
                    return
            case Phase.OVER:
                return
            case _:
                assert_never(resolution.phase)


def _sides_up(resolution: Resolution) -> list[str]:
    both = zip(resolution.setup.fighters, resolution.figures, strict=True)
    out = waiting(resolution) | (resolution.aims.out if resolution.aims is not None else 0)
    up = (fighter.side for who, (fighter, figure) in numbered(both) if figure.hp > 0 and not out >> who & 1)
    return list(dict.fromkeys(up))


def _reset(resolution: Resolution) -> None:
    """The reset phase, each step for all characters in the record's order before the next step.

    It belongs to the turn that it closes; the one before the fight's first action phase belongs to none (turn 0).
    """
    if resolution.reset_at == 0:
        _begin_reset(resolution)
        if is_over(resolution) or (resolution.setup.crawl and resolution.turn and MINUTES.turn_passes(resolution)):
            if not MINUTES.truce(resolution):
                _finish(resolution)
            return
    if not _recover_pools(resolution):
        return
    if resolution.setup.field.arrivals:
        ARRIVING.turn_begins(resolution, resolution.turn + 1)
    _set_action_points(resolution)
    resolution.reset_at = 0
    resolution.phase = Phase.ACTION
    resolution.turn += 1
    resolution.events.append(Began(what="turn", number=resolution.turn))
    _next_round(resolution)


def _begin_reset(resolution: Resolution) -> None:
    """Steps 1 to 3: per-turn effects, temporary things end, recovery checks."""
    resolution.round = 0
    resolution.events.append(Began(what="reset", number=resolution.turn))
    everybody = first_creatures(len(resolution.figures))
    for who in everybody:
        per_turn(resolution, who)
    if resolution.setup.obstacles is not None:
        drown(resolution)
    for who in everybody:
        figure = resolution.figures[who]
        if figure.temp_defense or figure.temp_block:
            resolution.change(who, temp_defense=0, temp_block=0)
    tick(resolution)
    if resolution.held:
        fall_shut(resolution)
    for who in everybody:
        if resolution.figures[who].hp > -resolution.fighter(who).hp_max and not parked(resolution, who):
            recovery(resolution, who)
    if resolution.setup.obstacles is not None:
        struggle(resolution)
    for who in first_creatures(len(resolution.figures)):
        traits = resolution.fighter(who).traits.after_reset
        for trait in traits if traits and able(resolution.figures[who]) else ():
            trait.after_reset(resolution, who)


def parked(resolution: Resolution, who: CreatureIx) -> bool:
    """Whether somebody takes no part in the fight: its seconds are none to whoever sleeps elsewhere in the place."""
    return resolution.explore is not None and resolution.explore.parked_at(who) >= 0


def _recover_pools(resolution: Resolution) -> bool:
    """Step 4: 1 Mana or 1 Faith; False while an owner has still to choose."""
    while resolution.reset_at < len(resolution.figures):
        who = CreatureIx(resolution.reset_at)
        figure, fighter = resolution.figures[who], resolution.fighter(who)
        low = low_pools(fighter, figure)
        if figure.hp > -fighter.hp_max and low:
            if len(low) == 2 and fighter.controller == "human":
                resolution.question = Question(fighter.id, "recover_pool", tuple(POOLS), who)
                asked = Asked(by=fighter.id, kind="recover_pool", options=tuple(POOLS), about=fighter.id)
                resolution.events.append(asked)
                return False
            pool = low[0] if len(low) == 1 or figure.mana <= figure.faith else low[1]
            restore(resolution, who, pool, 1, "reset")
        resolution.reset_at += 1
    return True


class RecoverPool(Answer):
    """The owner's choice in step 4."""

    def __init__(self, pool: str, label: str) -> None:
        self.word, self.label = pool, label

    def resolve(self, resolution: Resolution, question: Question) -> None:
        restore(resolution, question.who, self.word, 1, "reset")
        resolution.question = None
        resolution.reset_at += 1


_RECOVERS = (RecoverPool("mana", "Recover 1 Mana"), RecoverPool("faith", "Recover 1 Faith"))
POOL_ANSWERS: Mapping[str, Answer] = {answer.word: answer for answer in _RECOVERS}


def _set_action_points(resolution: Resolution) -> None:
    """Steps 5 and 6: one Finesse die, not exploding, at least 1; free steps are restored."""
    for who, figure in numbered(resolution.figures):
        fighter = resolution.fighter(who)
        if not able(figure):
            resolution.change(who, ap=0, ap_start=0, free=0)
            continue
        points, thrown, because = 1, None, Because.SURPRISED.value
        if resolution.turn or not unaware(resolution, who):
            rank = fighter.finesse_rank
            thrown = roll(resolution.dice, "action points", 1, rank, by=fighter.id, exploding=False)
            points, because = action_points(figure, thrown.total), SLOWED.name if figure.slowed else ""
        resolution.change(who, ap=points, ap_start=points, free=fighter.allowance)
        resolution.events.append(Points(by=fighter.id, now=points, roll=thrown, because=because))


def _finish(resolution: Resolution, winner: list[str] | None = None) -> None:
    sides = _sides_up(resolution) if winner is None else winner
    resolution.phase = Phase.OVER
    resolution.chance = None
    resolution.winner = sides[0] if sides else ""
    resolution.events.append(Over(winner=resolution.winner))


def _next_round(resolution: Resolution) -> None:
    """Another round, or the reset phase after one in which everybody had 0 AP or passed."""
    acting = [i for i, f in numbered(resolution.figures) if able(f) and f.ap > 0 and not resolution.passed >> i & 1]
    if resolution.round and not acting:
        resolution.phase = Phase.RESET
        resolution.reset_at = 0
        resolution.passed = resolution.had = 0
        return
    resolution.round += 1
    resolution.had = resolution.passed = 0
    for who, figure in numbered(resolution.figures):
        if figure.guided:
            resolution.change(who, guided=False)
    resolution.events.append(Began(what="round", number=resolution.round))


def _next_chance(resolution: Resolution) -> bool:
    """Offer a chance to whoever has the most AP and had none in this round; False if nobody is left."""
    had, most = resolution.had, 1
    waiting: list[CreatureIx] = []
    for i, figure in numbered(resolution.figures):
        ap = figure.ap
        if ap >= most and not had >> i & 1 and figure.hp > 0 and not figure.stunned and figure.cell >= 0:
            if ap > most:
                most, waiting = ap, [i]
            else:
                waiting.append(i)
    if not waiting:
        return False
    who, rolls = (waiting[0], ()) if len(waiting) == 1 else first_of(resolution, waiting)
    resolution.had = had | 1 << who
    resolution.chance = Chance(who)
    resolution.events.append(Offered(by=resolution.fighter(who).id, points=resolution.figures[who].ap, rolls=rolls))
    return True


def first_of(resolution: Resolution, waiting: list[CreatureIx]) -> tuple[CreatureIx, tuple[Roll, ...]]:
    """Of those with the most AP the higher Finesse; then a roll-off of at most three, whose rolls come along; then the
    record's order."""
    fighters = resolution.setup.fighters
    finesse = max([fighters[i].finesse for i in waiting])
    tied = [i for i in waiting if fighters[i].finesse == finesse]
    rolls: list[Roll] = []
    for _ in range(ROLL_OFFS if len(tied) > 1 else 0):
        thrown = [roll(resolution.dice, "roll-off", 2, fighters[i].finesse_rank, by=fighters[i].id) for i in tied]
        rolls += thrown
        best = max(each.total for each in thrown)
        tied = [i for i, each in zip(tied, thrown, strict=True) if each.total == best]
        if len(tied) == 1:
            break
    return tied[0], tuple(rolls)
