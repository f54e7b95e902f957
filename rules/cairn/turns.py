"""The course of a fight: first saves, halves by turns, morale between them, upkeep after a round (cairn.md §1)."""

from __future__ import annotations

import msgspec

from rules.cairn.morale import check_morale
from rules.cairn.planning import plans_now
from rules.cairn.resolve import resolve
from rules.cairn.saves import relieve, save
from rules.cairn.state import Work, able, fighting, present
from rules.events import Began, Over

ROUND_LIMIT = 1000
"""A fight that lasts longer ends without a winner."""


def open_fight(work: Work) -> None:
    """Round 1: PCs who were not prepared save or lose their turn; then the first half begins."""
    work.events.append(Began(what="fight"))
    work.events.append(Began(what="turn", number=1))
    for who, being in enumerate(work.setup.beings):
        if being.pc and being.alert == "normal" and able(work.figures[who]):
            if not save(work, who, "dex", "act in the first round"):
                work.change(who, idle=True)
    run_on(work)


def run_on(work: Work) -> None:
    """On to the first half in which somebody has something to plan, or to the end."""
    while work.phase != "over" and not work.choices:
        if _over(work):
            return
        if any(plans_now(work, who) for who in range(len(work.figures))):
            return
        next_half(work)


def resolve_half(work: Work) -> None:
    """The side whose half it is resolves; then it's the next one's."""
    resolve(work)
    if not work.choices:
        next_half(work)
    run_on(work)


def next_half(work: Work) -> None:
    """Morale of those who were struck; then the next side, or the end of the round."""
    check_morale(work)
    if _over(work):
        return
    work.half += 1
    if work.half < len(work.setup.sides):
        return
    upkeep(work)
    if _over(work):
        return
    work.half = 0
    work.round += 1
    work.events.append(Began(what="turn", number=work.round))


def upkeep(work: Work) -> None:
    """Durations run down, saves that end conditions are made, ground changes end; then morale once more."""
    work.readied = ()
    for who, figure in enumerate(work.figures):
        if figure.idle:
            work.change(who, idle=False)
        for each in figure.lasting:
            if not present(work.figures[who]):
                break
            if each.save and each.rounds != 1 and each.name not in ("restrained",):
                if save(work, who, each.save, f"shake off {each.name}"):
                    relieve(work, who, each.name)
                    continue
            if each.rounds == 1:
                relieve(work, who, each.name)
            elif each.rounds > 1:
                left = tuple(
                    msgspec.structs.replace(o, rounds=o.rounds - 1) if o.name == each.name else o
                    for o in work.figures[who].lasting
                )
                work.change(who, lasting=left)
    from rules.cairn.magic import age_zones, tick

    tick(work)
    age_zones(work)
    check_morale(work)


def _over(work: Work) -> bool:
    """The fight ends when at most one side has anybody left to fight."""
    sides = [
        side
        for side in work.setup.sides
        if any(b.side == side and fighting(f) for b, f in zip(work.setup.beings, work.figures, strict=True))
    ]
    if len(sides) > 1 and work.round <= ROUND_LIMIT:
        return False
    if work.phase != "over":
        work.phase = "over"
        work.plans = [None] * len(work.figures)
        work.winner = sides[0] if len(sides) == 1 else ""
        work.events.append(Over(winner=work.winner))
    return True
