"""The course of a fight: first saves, halves by turns, morale between them, upkeep after a round (cairn.md §1)."""

from __future__ import annotations

import msgspec

from rules.board.light import dark, lit
from rules.cairn.actions.manoeuvres import loosened
from rules.cairn.combat.injury import clock, die, wound
from rules.cairn.combat.morale import check_morale
from rules.cairn.conditions import DEAD, HOLDING, PANICKED, RISING, STEADY, condition_named
from rules.cairn.magic.aiming import free_near
from rules.cairn.magic.ground import age_zones
from rules.cairn.magic.summons import dismiss
from rules.cairn.magic.worn import sees_in_dark
from rules.cairn.planning import plans_now
from rules.cairn.resolve import resolve
from rules.cairn.saves import afflict, relieve, save
from rules.cairn.state import Lasting, Resolution, able, fighting, present
from rules.cairn.visibility import lamps
from rules.contract.events import Began, Condition, Note, Over
from rules.core.dice import roll

MINUTE = 6
"""Rounds in a minute (cairn.md §1)."""
ROUND_LIMIT = 1000
"""A fight that lasts longer ends without a winner."""


def open_fight(resolution: Resolution) -> None:
    """Round 1: PCs who were not prepared save or lose their turn; then the first half begins."""
    resolution.events.append(Began(what="fight"))
    resolution.events.append(Began(what="turn", number=1))
    for who, being in enumerate(resolution.setup.beings):
        if being.pc and being.alert != "ready" and able(resolution.figures[who]):
            if not save(resolution, who, "dex", "act in the first round"):
                resolution.change(who, idle=True)
    darkness_panic(resolution)
    run_on(resolution)


def run_on(resolution: Resolution) -> None:
    """On to the first half in which somebody has something to plan, or to the end."""
    while resolution.phase != "over" and not resolution.choices:
        if _over(resolution):
            return
        if any(plans_now(resolution, who) for who in range(len(resolution.figures))):
            return
        resolve(resolution)  # those whom fear or frenzy drives act without a plan
        if not resolution.choices:
            next_half(resolution)


def resolve_half(resolution: Resolution) -> None:
    """The side whose half it is resolves; then it's the next one's."""
    resolve(resolution)
    if not resolution.choices:
        next_half(resolution)
    run_on(resolution)


def next_half(resolution: Resolution) -> None:
    """Grips that nobody keeps up any more loosen, morale of those who were struck; then the next side, or the end of
    the round."""
    _loosen(resolution)
    last = resolution.half + 1 >= len(resolution.setup.sides)
    if not last:  # after the last half the end of the round comes first
        check_morale(resolution)
    if _over(resolution):
        return
    resolution.half += 1
    if not last:
        return
    upkeep(resolution)
    if _over(resolution):
        return
    resolution.half = 0
    resolution.round += 1
    resolution.events.append(Began(what="turn", number=resolution.round))


def _loosen(resolution: Resolution) -> None:
    """Grips that nobody keeps up any more: who held on has fallen, gone, or let go."""
    for who, figure in enumerate(resolution.figures):
        for grip in loosened(resolution, who) if present(figure) else ():
            relieve(resolution, who, condition_named(grip), "nobody holds on")


def upkeep(resolution: Resolution) -> None:
    """Durations run down, saves that end conditions are made, ground changes end; then morale once more."""
    for who, figure in enumerate(resolution.figures):
        if figure.idle:
            resolution.change(who, idle=False)
        for each in figure.lasting:
            if not present(resolution.figures[who]):
                break
            if each.save and each.rounds != 1 and each.name not in HOLDING:
                if save(resolution, who, each.save, f"shake off {each.name}"):
                    relieve(resolution, who, condition_named(each.name))
                    continue
            if each.rounds == 1:
                relieve(resolution, who, condition_named(each.name))
                if each.then:
                    _turn_into(resolution, who, each)
            elif each.rounds > 1:
                left = tuple(
                    msgspec.structs.replace(o, rounds=o.rounds - 1) if o.name == each.name else o
                    for o in resolution.figures[who].lasting
                )
                resolution.change(who, lasting=left)
    drain(resolution)
    _rise_again(resolution)
    age_zones(resolution)
    dismiss(resolution)
    darkness_panic(resolution)
    check_morale(resolution)


def _rise_again(resolution: Resolution) -> None:
    """The dead who were not destroyed stand up when their time has come (cairn.md §5.6, Zombie)."""
    for who, figure in enumerate(resolution.figures):
        wait = next((each.rounds for each in figure.lasting if each.name == RISING.name), 0)
        if not figure.dead or not wait:
            continue
        others = tuple(each for each in figure.lasting if each.name != RISING.name)
        if wait > 1:
            resolution.change(who, lasting=(*others, Lasting(RISING.name, wait - 1)))
            continue
        cell = free_near(resolution, who, figure.cell)
        if cell is not None:
            resolution.change(who, dead=False, posture="standing", hp=figure.hp_max, cell=cell, lasting=others)
            resolution.events.append(Condition(target=resolution.being(who).id, condition="dead", gained=False))


def _turn_into(resolution: Resolution, who: int, ended: Lasting) -> None:
    """A clock has run out: stone, or death. It stops where its maker is gone."""
    maker = resolution.setup.index.get(ended.by)
    if maker is not None and not fighting(resolution.figures[maker]):
        return
    if ended.then == DEAD.name:
        die(resolution, who, ended.name)
    else:
        afflict(resolution, who, condition_named(ended.then), because=ended.name)


def drain(resolution: Resolution) -> None:
    """What every round costs those who are in a maw, as long as they are, and those who have stingers in the flesh."""
    for who, figure in enumerate(resolution.figures):
        for each in figure.lasting:
            if not each.die or not present(resolution.figures[who]):
                continue
            if each.name in loosened(resolution, who):
                relieve(resolution, who, condition_named(each.name), "nobody holds on")
                continue
            resolution.dice.thrower = each.by or resolution.being(who).id
            thrown = roll(resolution.dice, each.name, 1, each.die, exploding=False)
            wound(resolution, who, thrown.total, each.name, direct=True, rolls=(thrown,))


def darkness_panic(resolution: Resolution) -> None:
    """With the option `panic`, a player's character in the dark without any light saves WIL once, or panics (§3)."""
    if not resolution.setup.panic or not dark(resolution.terrain):
        return
    state = resolution.done()
    bright = lit(resolution.terrain, lamps(state))
    for who, figure in enumerate(resolution.figures):
        being = resolution.being(who)
        if not being.pc or not able(figure) or figure.has(PANICKED):
            continue
        if sees_in_dark(resolution.setup, being, figure):
            continue
        if resolution.terrain.footprint(figure.cell, being.space) & bright:
            relieve(resolution, who, STEADY)
        elif not figure.has(STEADY):
            passed = save(resolution, who, "wil", "panic in the dark")
            afflict(resolution, who, STEADY if passed else PANICKED, because="darkness")


def _last_hours(resolution: Resolution) -> None:
    """Whoever is dying has so long to live if nobody helps."""
    for who in range(len(resolution.figures)):
        left = clock(resolution.figures[who])
        if left:
            minutes = max(1, left // MINUTE)
            text = f"dead within {minutes} minutes unless somebody helps"
            resolution.events.append(Note(text=text, by=resolution.being(who).id))


def _over(resolution: Resolution) -> bool:
    """The fight ends when at most one side has anybody left to fight."""
    sides = [
        side
        for side in resolution.setup.sides
        if any(b.side == side and fighting(f) for b, f in zip(resolution.setup.beings, resolution.figures, strict=True))
    ]
    if len(sides) > 1 and resolution.round <= ROUND_LIMIT:
        return False
    if resolution.phase != "over":
        resolution.phase = "over"
        resolution.plans = [None] * len(resolution.figures)
        resolution.winner = sides[0] if len(sides) == 1 else ""
        _last_hours(resolution)
        resolution.events.append(Over(winner=resolution.winner))
    return True
