"""The course of a fight: first saves, halves by turns, morale between them, upkeep after a round (cairn.md §1)."""

from __future__ import annotations

import msgspec

from rules.cairn.ground import age_zones
from rules.cairn.injury import die, wound
from rules.cairn.knowledge import lamps
from rules.cairn.manoeuvres import gripped
from rules.cairn.morale import check_morale
from rules.cairn.planning import plans_now
from rules.cairn.plans import HELD
from rules.cairn.resolve import resolve
from rules.cairn.saves import afflict, relieve, save
from rules.cairn.state import Lasting, Work, able, fighting, present
from rules.cairn.summons import dismiss
from rules.dice import roll
from rules.events import Began, Over
from rules.light import dark, lit

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
    darkness_panic(work)
    run_on(work)


def run_on(work: Work) -> None:
    """On to the first half in which somebody has something to plan, or to the end."""
    while work.phase != "over" and not work.choices:
        if _over(work):
            return
        if any(plans_now(work, who) for who in range(len(work.figures))):
            return
        resolve(work)  # those whom fear or frenzy drives act without a plan
        if not work.choices:
            next_half(work)


def resolve_half(work: Work) -> None:
    """The side whose half it is resolves; then it's the next one's."""
    resolve(work)
    if not work.choices:
        next_half(work)
    run_on(work)


def next_half(work: Work) -> None:
    """Grips that nobody keeps up any more loosen, morale of those who were struck; then the next side, or the end of
    the round."""
    for who in range(len(work.figures)):
        figure = work.figures[who]
        grip = next((e for e in figure.lasting if e.name == "restrained" and e.save and e.by), None)
        if grip is not None and present(figure) and not gripped(work, who):
            relieve(work, who, "restrained", "nobody holds on")
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
    for who, figure in enumerate(work.figures):
        if figure.idle:
            work.change(who, idle=False)
        for each in figure.lasting:
            if not present(work.figures[who]):
                break
            if each.save and each.rounds != 1 and each.name not in HELD:
                if save(work, who, each.save, f"shake off {each.name}"):
                    relieve(work, who, each.name)
                    continue
            if each.rounds == 1:
                relieve(work, who, each.name)
                if each.then:
                    _turn_into(work, who, each)
            elif each.rounds > 1:
                left = tuple(
                    msgspec.structs.replace(o, rounds=o.rounds - 1) if o.name == each.name else o
                    for o in work.figures[who].lasting
                )
                work.change(who, lasting=left)
    drain(work)
    age_zones(work)
    dismiss(work)
    darkness_panic(work)
    check_morale(work)


def _turn_into(work: Work, who: int, ended: Lasting) -> None:
    """A clock has run out: stone, or death. It stops where its maker is gone."""
    maker = work.setup.index.get(ended.by)
    if maker is not None and not fighting(work.figures[maker]):
        return
    if ended.then == "dead":
        die(work, who, ended.name)
    else:
        afflict(work, who, ended.then, because=ended.name)


def drain(work: Work) -> None:
    """What every round costs those who are engulfed or stung, while whoever holds them is about and next to them."""
    for who, figure in enumerate(work.figures):
        for each in figure.lasting:
            if not each.die or not present(work.figures[who]):
                continue
            maker = work.setup.index.get(each.by)
            if maker is not None and (not fighting(work.figures[maker]) or _apart(work, who, maker)):
                relieve(work, who, each.name, "free of it")
                continue
            work.dice.thrower = each.by or work.being(who).id
            thrown = roll(work.dice, each.name, 1, each.die, exploding=False)
            saves = not work.figures[who].critical  # who failed it already has nothing more to fail
            wound(work, who, thrown.total, each.name, direct=True, saves=saves, rolls=(thrown,))


def _apart(work: Work, who: int, other: int) -> bool:
    a, b = work.figures[who].cell, work.figures[other].cell
    return b < 0 or work.terrain.distance(a, b, work.being(who).space, work.being(other).space) > 1


def darkness_panic(work: Work) -> None:
    """With the option `panic`, a player's character in the dark without any light saves WIL once, or panics (§3)."""
    if not work.setup.panic or not dark(work.terrain):
        return
    state = work.done()
    bright = lit(work.terrain, lamps(state))
    for who, figure in enumerate(work.figures):
        being = work.being(who)
        if not being.pc or being.dark_sight or not able(figure) or figure.has("panicked"):
            continue
        if work.terrain.footprint(figure.cell, being.space) & bright:
            relieve(work, who, "steady")
        elif not figure.has("steady"):
            passed = save(work, who, "wil", "panic in the dark")
            afflict(work, who, "steady" if passed else "panicked", because="darkness")


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
