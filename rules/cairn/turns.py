"""The course of a fight: first saves, halves by turns, morale between them, upkeep after a round (cairn.md §1)."""

from __future__ import annotations

import msgspec

from rules.board.light import dark, lit
from rules.cairn.actions.manoeuvres import loosened
from rules.cairn.actions.plans import HELD
from rules.cairn.combat.injury import RISING, clock, die, wound
from rules.cairn.combat.morale import check_morale
from rules.cairn.magic.aiming import free_near
from rules.cairn.magic.ground import age_zones
from rules.cairn.magic.summons import dismiss
from rules.cairn.magic.worn import sees_in_dark
from rules.cairn.planning import plans_now
from rules.cairn.resolve import resolve
from rules.cairn.saves import afflict, relieve, save
from rules.cairn.state import Lasting, Work, able, fighting, present
from rules.cairn.visibility import lamps
from rules.contract.events import Began, Condition, Note, Over
from rules.core.dice import roll

MINUTE = 6
"""Rounds in a minute (cairn.md §1)."""
ROUND_LIMIT = 1000
"""A fight that lasts longer ends without a winner."""


def open_fight(work: Work) -> None:
    """Round 1: PCs who were not prepared save or lose their turn; then the first half begins."""
    work.events.append(Began(what="fight"))
    work.events.append(Began(what="turn", number=1))
    for who, being in enumerate(work.setup.beings):
        if being.pc and being.alert != "ready" and able(work.figures[who]):
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
    _loosen(work)
    last = work.half + 1 >= len(work.setup.sides)
    if not last:  # after the last half the end of the round comes first
        check_morale(work)
    if _over(work):
        return
    work.half += 1
    if not last:
        return
    upkeep(work)
    if _over(work):
        return
    work.half = 0
    work.round += 1
    work.events.append(Began(what="turn", number=work.round))


def _loosen(work: Work) -> None:
    """Grips that nobody keeps up any more: who held on has fallen, gone, or let go."""
    for who, figure in enumerate(work.figures):
        for grip in loosened(work, who) if present(figure) else ():
            relieve(work, who, grip, "nobody holds on")


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
    _rise_again(work)
    age_zones(work)
    dismiss(work)
    darkness_panic(work)
    check_morale(work)


def _rise_again(work: Work) -> None:
    """The dead who were not destroyed stand up when their time has come (cairn.md §5.6, Zombie)."""
    for who, figure in enumerate(work.figures):
        wait = next((each.rounds for each in figure.lasting if each.name == RISING), 0)
        if not figure.dead or not wait:
            continue
        others = tuple(each for each in figure.lasting if each.name != RISING)
        if wait > 1:
            work.change(who, lasting=(*others, Lasting(RISING, wait - 1)))
            continue
        cell = free_near(work, who, figure.cell)
        if cell is not None:
            work.change(who, dead=False, posture="standing", hp=figure.hp_max, cell=cell, lasting=others)
            work.events.append(Condition(target=work.being(who).id, condition="dead", gained=False))


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
    """What every round costs those who are in a maw, as long as they are, and those who have stingers in the flesh."""
    for who, figure in enumerate(work.figures):
        for each in figure.lasting:
            if not each.die or not present(work.figures[who]):
                continue
            if each.name in loosened(work, who):
                relieve(work, who, each.name, "nobody holds on")
                continue
            work.dice.thrower = each.by or work.being(who).id
            thrown = roll(work.dice, each.name, 1, each.die, exploding=False)
            wound(work, who, thrown.total, each.name, direct=True, rolls=(thrown,))


def darkness_panic(work: Work) -> None:
    """With the option `panic`, a player's character in the dark without any light saves WIL once, or panics (§3)."""
    if not work.setup.panic or not dark(work.terrain):
        return
    state = work.done()
    bright = lit(work.terrain, lamps(state))
    for who, figure in enumerate(work.figures):
        being = work.being(who)
        if not being.pc or not able(figure) or figure.has("panicked"):
            continue
        if sees_in_dark(work.setup, being, figure):
            continue
        if work.terrain.footprint(figure.cell, being.space) & bright:
            relieve(work, who, "steady")
        elif not figure.has("steady"):
            passed = save(work, who, "wil", "panic in the dark")
            afflict(work, who, "steady" if passed else "panicked", because="darkness")


def _last_hours(work: Work) -> None:
    """Whoever is dying has so long to live if nobody helps."""
    for who in range(len(work.figures)):
        left = clock(work.figures[who])
        if left:
            minutes = max(1, left // MINUTE)
            text = f"dead within {minutes} minutes unless somebody helps"
            work.events.append(Note(text=text, by=work.being(who).id))


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
        _last_hours(work)
        work.events.append(Over(winner=work.winner))
    return True
