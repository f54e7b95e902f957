"""Blows that fall in one second, ground that is given to them, and free blows (countup.md §1, §2.6)."""

from __future__ import annotations

import msgspec

from rules.contract.events import Moved
from rules.countup.combat.injury import apply, behind, retreats, saved, step_after, stun
from rules.countup.combat.melee import Outcome, could_strike, speed_of, strike, struck_weapon
from rules.countup.combat.reach import in_reach
from rules.countup.conditions import HELD, HELPLESS, OFF_BALANCE, condition_of
from rules.countup.gear import UNARMED
from rules.countup.manners import CHARGE, Stance
from rules.countup.state import SPENT, PreparedAttack, Resolution, able, free_hand, present, weapon_of

SCAMPER = 4
"""What jogging back costs the next attack (option)."""
DEPTH = 5
"""Free attacks earn free attacks so many times at most."""
CHARGED = 5
"""Seconds for which a charge costs the defence of Dexterity."""


def strikes(resolution: Resolution) -> None:
    """First contact: foes held at bay, then what was set against a charge, then by descending reach, each able to stop
    the next; all other blows at once (countup.md §1, §2.6)."""
    first = [b for b in resolution.attacks if b.target in resolution.figures[b.by].fresh and not b.manner.free]
    rest = [b for b in resolution.attacks if b not in first]
    groups: dict[tuple[int, float], list[PreparedAttack]] = {}
    for attack in first:
        groups.setdefault(_turn(resolution, attack), []).append(attack)
    for group in (*(groups[turn] for turn in sorted(groups)), rest):
        together(resolution, [attack for attack in group if _still(resolution, attack)])
    resolution.attacks = ()


def _turn(resolution: Resolution, attack: PreparedAttack) -> tuple[int, float]:
    """When a blow falls among those of first contact: the least first, equals at once."""
    turn = attack.manner.turn
    return turn, 0.0 if attack.manner.twice else -_reach(resolution, attack)


def _reach(resolution: Resolution, attack: PreparedAttack) -> float:
    return weapon_of(resolution.setup, attack.by, attack.weapon).reach


def _still(resolution: Resolution, attack: PreparedAttack) -> bool:
    """Whether a blow can still fall after the faster ones: alive, able, not held, in one's own reach."""
    figure = resolution.figures[attack.by]
    if not able(figure, resolution.second) or figure.held_by >= 0 or not present(resolution.figures[attack.target]):
        return False
    return in_reach(resolution.done(), attack.by, attack.target, weapon_of(resolution.setup, attack.by, attack.weapon))


def together(resolution: Resolution, attacks: list[PreparedAttack]) -> None:
    """Blows that fall in one moment: all dice by the state before it, then all results."""
    if not attacks:
        return
    state = resolution.done()
    outcomes = [strike(resolution, state, attack) for attack in attacks]
    for outcome in outcomes:
        _schedule(resolution, outcome)
    apply(resolution, outcomes)
    for outcome in outcomes:
        _aftermath_moves(resolution, outcome)


def _schedule(resolution: Resolution, outcome: Outcome) -> None:
    """When the attacker is next due, and what its manoeuvre leaves it with."""
    attack = outcome.attack
    resolution.free += tuple(b for b in outcome.earned if b.depth <= DEPTH)
    if outcome.later is not None and outcome.later.depth <= DEPTH:
        resolution.later += ((resolution.second + 1, outcome.later),)
    if attack.manner.free:
        return
    weapon = weapon_of(resolution.setup, attack.by, attack.weapon)
    seconds = speed_of(resolution.done(), attack.by, weapon, attack.manner, attack.target)
    figure = resolution.figures[attack.by]
    changes: dict[str, object] = {
        "due": resolution.second + seconds,
        **SPENT,
        "exposed": attack.manner.exposes,
        "turn": figure.turn + 1,
    }
    if attack.manner.charge:
        ends = resolution.second + CHARGED
        changes |= {"effects": figure.laid(OFF_BALANCE.name, ends), "stance": Stance.NONE, "until": 0}
    if figure.order is not None:
        action = figure.order.action
        if action is not None and action.option == CHARGE.word:  # spent, or never come to
            action = msgspec.structs.replace(action, option=None)
        changes["order"] = msgspec.structs.replace(figure.order, action=action, awaits=0)
    if attack.manner.twice:
        changes |= {"set_since": -1, "stance": Stance.NONE, "until": 0}
    resolution.change(attack.by, **changes)


def _aftermath_moves(resolution: Resolution, outcome: Outcome) -> None:
    """Ground that was given; foes that were stopped."""
    attack = outcome.attack
    if attack.yielded and able(resolution.figures[attack.target], resolution.second):
        cell = behind(resolution, attack.target, attack.by)
        if cell is not None:
            start = resolution.space(resolution.figures[attack.target].cell)
            figure = resolution.figures[attack.target]
            cost = SCAMPER if figure.scampered else 1
            resolution.change(attack.target, cell=cell, moved=resolution.second, penalty=figure.penalty + cost)
            path = [resolution.space(cell)]
            further = behind(resolution, attack.target, attack.by) if figure.scampered else None
            if further is not None:
                resolution.change(attack.target, cell=further)
                path.append(resolution.space(further))
            resolution.change(attack.target, scampered=False)
            retreats(resolution, attack.target, figure.cell)
            name = resolution.being(attack.target).id
            resolution.events.append(Moved(by=name, mode="gives_ground", start=start, path=tuple(path)))
            step_after(resolution, attack.by, figure.cell)
    if outcome.hit and outcome.loss > 0:
        _rider(resolution, outcome)
    foe = resolution.figures[attack.target]
    if attack.manner.stops and outcome.hit and present(foe) and not foe.helpless:
        resolution.change(attack.target, held_by=attack.by, stance=Stance.NONE, until=0, order=None)
        HELD.tell(resolution, attack.target)


def _rider(resolution: Resolution, outcome: Outcome) -> None:
    """What a hit does besides, unless it is saved against: `physical: helpless 30` (countup.md §5.5)."""
    rider = struck_weapon(resolution.setup, outcome.attack).rider
    if not rider or not present(resolution.figures[outcome.attack.target]):
        return
    kind, _, what = rider.partition(":")
    effect, _, seconds = what.strip().partition(" ")
    if saved(resolution, outcome.attack.by, outcome.attack.target, kind.strip().lower()):
        return
    if effect == HELPLESS.name:
        stun(resolution, outcome.attack.target, int(seconds or "10"), outcome.attack.weapon)
    else:
        ends = resolution.second + int(seconds or "10")
        condition_of(effect).lay(resolution, outcome.attack.target, ends, outcome.attack.weapon)


def react(resolution: Resolution) -> None:
    """Free attacks, first in first out; they may earn others and never change when one is due."""
    guard = 0
    while resolution.free and guard < 100:
        guard += 1
        attack, resolution.free = resolution.free[0], resolution.free[1:]
        if not attack.manner.fists and attack.weapon != UNARMED.name:  # a sequence has gone on meanwhile
            name = free_hand(resolution.setup, attack.by, resolution.figures[attack.by])
            attack = msgspec.structs.replace(attack, weapon=name)
        weapon = struck_weapon(resolution.setup, attack)
        if not could_strike(resolution.figures[attack.by], resolution.second, weapon):
            continue
        if in_reach(resolution.done(), attack.by, attack.target, weapon):
            together(resolution, [attack])
    resolution.free = ()
