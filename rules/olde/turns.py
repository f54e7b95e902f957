"""Turns: the reset phase step by step, rounds by falling action points, and the end of a fight (olde.md §4)."""

from __future__ import annotations

from rules.contract.events import Began, Ended, Over, Points, Roll
from rules.contract.events import Chance as Offered
from rules.contract.events import Question as Asked
from rules.core.dice import roll
from rules.olde.actions.aid import POOLS
from rules.olde.actions.items import fall_shut
from rules.olde.actions.swimming import drown, struggle
from rules.olde.combat.injury import per_turn, recovery
from rules.olde.combat.reactions import go_on
from rules.olde.effects.working import tick, total
from rules.olde.explore.minutes import exploring
from rules.olde.magic.casting import restore
from rules.olde.state import Chance, Question, Work, able, is_over, unaware
from rules.olde.traits.working import dreadful, frighten

ROLL_OFFS = 3


def run_on(work: Work) -> None:
    """Go on until a decision stands open or the fight is over."""
    if work.phase == "explore" and exploring(work):
        return
    while work.phase != "over" and work.question is None:
        if work.setup.reflexes and work.pending:
            go_on(work)
        elif work.phase == "reset":
            _reset(work)
        elif work.chance is not None:
            if able(work.figures[work.chance.who]) and not is_over(work):
                return
            _close_chance(work)
        elif is_over(work):
            _closing_reset(work)
        elif _next_chance(work):
            return  # nothing has happened since, so it stands open
        else:
            _next_round(work)


def _sides_up(work: Work) -> list[str]:
    sides: list[str] = []
    for fighter, figure in zip(work.setup.fighters, work.figures, strict=True):
        if figure.hp > 0 and fighter.side not in sides:
            sides.append(fighter.side)
    return sides


# ---------------------------------------------------------------------------------------------- reset


def _reset(work: Work) -> None:
    """The reset phase, each step for all characters in the record's order before the next step.

    It belongs to the turn that it closes; the one before the fight's first action phase belongs to none (turn 0).
    """
    if work.reset_at == 0:
        work.round = 0
        work.events.append(Began(what="reset", number=work.turn))
        _wear_off(work)
        if is_over(work):
            _finish(work)
            return
    if not _recover_pools(work):
        return
    _set_action_points(work)
    work.reset_at = 0
    work.phase = "action"
    work.turn += 1
    work.events.append(Began(what="turn", number=work.turn))
    _next_round(work)


def _wear_off(work: Work) -> None:
    """Steps 1 to 3: per-turn effects, temporary things end, recovery checks."""
    everybody = range(len(work.figures))
    for who in everybody:
        per_turn(work, who)
    if work.setup.obstacles is not None:
        drown(work)
    for who in everybody:
        figure = work.figures[who]
        if figure.temp_defense or figure.temp_block:
            work.change(who, temp_defense=0, temp_block=0)
    tick(work)
    if work.held:
        fall_shut(work)
    for who in everybody:
        if work.figures[who].hp > -work.fighter(who).hp_max:
            recovery(work, who)
    if work.setup.obstacles is not None:
        struggle(work)
    if dreadful(work.setup):
        frighten(work)


def _recover_pools(work: Work) -> bool:
    """Step 4: 1 Mana or 1 Faith; False while an owner has still to choose."""
    while work.reset_at < len(work.figures):
        who = work.reset_at
        figure, fighter = work.figures[who], work.fighter(who)
        pools = (("mana", figure.mana, fighter.mana_max), ("faith", figure.faith, fighter.faith_max))
        low = [pool for pool, now, top in pools if now < top]
        if figure.hp > -fighter.hp_max and low:
            if len(low) == 2 and fighter.controller == "human":
                work.question = Question(fighter.id, "recover_pool", POOLS, who)
                work.events.append(Asked(by=fighter.id, kind="recover_pool", options=POOLS, about=fighter.id))
                return False
            pool = low[0] if len(low) == 1 or figure.mana <= figure.faith else low[1]
            restore(work, who, pool, 1, "reset")
        work.reset_at += 1
    return True


def answer_pool(work: Work, pool: str) -> None:
    """The owner's choice in step 4."""
    assert work.question is not None
    restore(work, work.question.who, pool, 1, "reset")
    work.question = None
    work.reset_at += 1


def _set_action_points(work: Work) -> None:
    """Steps 5 and 6: one Finesse die, not exploding, at least 1; free steps are restored."""
    for who, figure in enumerate(work.figures):
        fighter = work.fighter(who)
        if not able(figure):
            work.change(who, ap=0, ap_start=0, free=0)
            continue
        if work.turn == 0 and unaware(work, who):
            work.change(who, ap=1, ap_start=1)
            work.events.append(Points(by=fighter.id, now=1, because="surprised"))
            continue
        work.dice.thrower = fighter.id
        thrown = roll(work.dice, "action points", 1, fighter.finesse_rank, exploding=False)
        points = max(1, thrown.total - (3 if figure.slowed else 0))
        if figure.effects:
            points = max(1, points + total(figure, "ap"))
        work.change(who, ap=points, ap_start=points)
        work.events.append(
            Points(by=fighter.id, now=points, roll=thrown, because="slowed" if figure.slowed else "")
        )
    for who, figure in enumerate(work.figures):
        if able(figure):
            work.change(who, free=work.fighter(who).allowance)


def _closing_reset(work: Work) -> None:
    """The closing reset does steps 1 to 3 only."""
    winner = _sides_up(work)
    work.round = 0
    work.events.append(Began(what="reset", number=work.turn))
    _wear_off(work)
    _finish(work, winner)


def _finish(work: Work, winner: list[str] | None = None) -> None:
    sides = _sides_up(work) if winner is None else winner
    work.phase = "over"
    work.chance = None
    work.winner = sides[0] if sides else ""
    work.events.append(Over(winner=work.winner))


# --------------------------------------------------------------------------------------------- rounds


def _next_round(work: Work) -> None:
    """Another round, or the reset phase after one in which everybody had 0 AP or passed."""
    acting = [i for i, f in enumerate(work.figures) if able(f) and f.ap > 0 and not work.passed >> i & 1]
    if work.round and not acting:
        work.phase = "reset"
        work.reset_at = 0
        work.passed = work.had = 0
        return
    work.round += 1
    work.had = work.passed = 0
    for who, figure in enumerate(work.figures):
        if figure.guided:
            work.change(who, guided=False)
    work.events.append(Began(what="round", number=work.round))


def _next_chance(work: Work) -> bool:
    """Offer a chance to whoever has the most AP and had none in this round; False if nobody is left."""
    had, most = work.had, 1
    waiting: list[int] = []
    for i, figure in enumerate(work.figures):
        ap = figure.ap
        if ap >= most and not had >> i & 1 and figure.hp > 0 and not figure.stunned and figure.cell >= 0:
            if ap > most:
                most, waiting = ap, [i]
            else:
                waiting.append(i)
    if not waiting:
        return False
    who, rolls = (waiting[0], ()) if len(waiting) == 1 else first_of(work, waiting)
    work.had = had | 1 << who
    work.chance = Chance(who)
    work.events.append(Offered(by=work.fighter(who).id, points=work.figures[who].ap, rolls=rolls))
    return True


def first_of(work: Work, waiting: list[int]) -> tuple[int, tuple[Roll, ...]]:
    """Of those with the most AP the higher Finesse; then a roll-off of at most three, whose rolls come along; then the
    record's order."""
    fighters = work.setup.fighters
    finesse = max([fighters[i].finesse for i in waiting])
    tied = [i for i in waiting if fighters[i].finesse == finesse]
    rolls: list[Roll] = []
    for _ in range(ROLL_OFFS):
        if len(tied) == 1:
            break
        for i in tied:
            work.dice.thrower = work.fighter(i).id
            rolls.append(roll(work.dice, "roll-off", 2, work.fighter(i).finesse_rank))
        totals = [rolled.total for rolled in rolls[-len(tied) :]]
        best = max(totals)
        tied = [i for i, total in zip(tied, totals, strict=True) if total == best]
    return tied[0], tuple(rolls)


def end_chance(work: Work) -> None:
    """The acting character gives up the rest of its chance; a pass if nothing was done."""
    assert work.chance is not None
    work.events.append(Ended(by=work.fighter(work.chance.who).id, passed=not work.chance.did))
    _close_chance(work)


def _close_chance(work: Work) -> None:
    if work.chance is not None and not work.chance.did:
        work.passed |= 1 << work.chance.who
    work.chance = None
