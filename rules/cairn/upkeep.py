"""What a round's end does to everybody, in a fight or not: durations, grips, risings, fear (cairn.md §4)."""

from __future__ import annotations

import msgspec

from rules.board.sight import dark, lit
from rules.cairn import conditions as cond
from rules.cairn.combat.injury import die, wound
from rules.cairn.magic.effects import dismiss
from rules.cairn.magic.ground import age_zones, free_near
from rules.cairn.state import STANDING, CairnState, Lasting, Morale, Resolution, loosened, sees_in_dark
from rules.cairn.visibility import lamps
from rules.contract.events import Began
from rules.contract.ruleset import PARTY
from rules.contract.text import Term, text
from rules.contract.units import CreatureIx, numbered


def age(resolution: Resolution) -> None:
    """A round passes: durations run down, saves that end conditions are made, ground changes end."""
    for who, figure in numbered(resolution.figures):
        if figure.idle:
            resolution.change(who, idle=False)
        for each in figure.lasting:
            if not resolution.figures[who].present:
                break
            if each.save and each.rounds != 1 and each.name not in cond.HOLDING:
                if resolution.save(who, each.save, text("shake off {condition}", Term(each.name))):
                    resolution.relieve(who, cond.condition_named(each.name))
                    continue
            if each.rounds == 1:
                resolution.relieve(who, cond.condition_named(each.name))
                maker = resolution.setup.index.get(each.by)  # where that is gone, the clock has stopped
                if each.then and (maker is None or resolution.figures[maker].fighting):
                    if each.then == cond.DEAD.name:
                        die(resolution, who, each.name)
                    else:
                        resolution.afflict(who, cond.condition_named(each.then), because=each.name)
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


def ages(resolution: Resolution) -> bool:
    """Whether a round's end would do anything to anybody."""
    timed = any(each.rounds or each.save or each.die for figure in resolution.figures for each in figure.lasting)
    return timed or any(zone.rounds for zone in resolution.zones)


def _rise_again(resolution: Resolution) -> None:
    """The dead who were not destroyed stand up when their time has come (cairn.md §5.6, Zombie)."""
    for who, figure in numbered(resolution.figures):
        wait = next((each.rounds for each in figure.lasting if each.name == cond.RISING.name), 0)
        if not figure.dead or not wait:
            continue
        others = tuple(each for each in figure.lasting if each.name != cond.RISING.name)
        if wait > 1:
            resolution.change(who, lasting=(*others, Lasting(cond.RISING.name, wait - 1)))
            continue
        cell = free_near(resolution, figure.cell, who)
        if cell is not None:
            resolution.change(who, dead=False, posture=STANDING, hp=figure.hp_max, cell=cell, lasting=others)
            resolution.tell_of(who, cond.DEAD, gained=False)


def drain(resolution: Resolution) -> None:
    """What every round costs those who are in a maw, as long as they are, and those who have stingers in the flesh."""
    for who, figure in numbered(resolution.figures):
        for each in figure.lasting:
            if not each.die or not resolution.figures[who].present:
                continue
            if each.name in loosened(resolution, who):
                resolution.relieve(who, cond.condition_named(each.name), "nobody holds on")
                continue
            thrown = resolution.throw(each.name, 1, each.die, by=each.by or who)
            wound(resolution, who, thrown.total, each.name, direct=True, rolls=(thrown,))


def darkness_panic(resolution: Resolution) -> None:
    """With the option `panic`, a player's character in the dark without any light saves WIL once, or panics (§3)."""
    if not resolution.setup.panic or not dark(resolution.terrain):
        return
    state = resolution.done()
    bright = lit(resolution.terrain, lamps(state))
    for who, figure in numbered(resolution.figures):
        being = resolution.being(who)
        if not being.pc or not figure.able or figure.has(cond.PANICKED) or figure.has(cond.CALM):
            continue
        if sees_in_dark(resolution.setup, being, figure):
            continue
        if resolution.terrain.footprint(figure.cell, being.space) & bright:
            resolution.relieve(who, cond.STEADY)
        elif not figure.has(cond.STEADY):
            passed = resolution.save(who, "wil", "panic in the dark")
            resolution.afflict(who, cond.STEADY if passed else cond.PANICKED, because="darkness")


def initial(state: CairnState) -> tuple[Morale, ...]:
    """The count of every band of foes at the start, told apart by the `group` of stat blocks; and of the whole party
    where it has hirelings (cairn.md §5.3 Hirelings)."""
    bands: dict[tuple[str, str], int] = {}
    if any(being.hired for being in state.setup.beings if being.side == PARTY):  # one band, of which only they save
        bands[PARTY, ""] = sum(being.side == PARTY for being in state.setup.beings)
    for being, figure in zip(state.setup.beings, state.figures, strict=True):
        if being.side != PARTY:
            bands[being.side, being.group] = bands.get((being.side, being.group), 0) + figure.fighting
    ordered = sorted(bands.items(), key=lambda band: state.setup.sides.index(band[0][0]))
    return tuple(Morale(side, start, group) for (side, group), start in ordered)


def muster(resolution: Resolution, caught: frozenset[CreatureIx]) -> None:
    """Who is taken unaware by a fight that begins in the middle of a crawl; with nobody `caught`, all as they were.

    Heroes who weren't caught, where some foe was, chose their moment: they are ready (A27).
    """
    setup, beings = resolution.setup, list(resolution.setup.beings)
    chosen = any(beings[i].side != PARTY for i in caught)
    for who, being in numbered(beings):
        alert = "unaware" if who in caught else "ready" if chosen and being.side == PARTY else "normal"
        if being.alert != alert:
            beings[who] = msgspec.structs.replace(being, alert=alert)
    resolution.setup = setup.with_beings(tuple(beings))


def first_half(resolution: Resolution) -> None:
    """Round 1: PCs who were not prepared save or lose their turn."""
    resolution.events.append(Began(what="turn", number=1))
    for who, being in numbered(resolution.setup.beings):
        if being.pc and being.alert != "ready" and resolution.figures[who].able:
            if not resolution.save(who, "dex", "act in the first round"):
                resolution.change(who, idle=True)
    darkness_panic(resolution)
