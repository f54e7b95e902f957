"""Who has come into whose reach, and which blows fall in this second (countup.md §1 CONTACT, STRIKE)."""

from __future__ import annotations

import msgspec

from rules.countup.combat.melee import could_strike, speed_of
from rules.countup.combat.reach import direction, in_contact, in_reach
from rules.countup.manners import HOLD_AT_BAY, JAB_TO_HOLD, MANOEUVRES, PLAIN, SET, Manner, Stance
from rules.countup.state import (
    CountState,
    Figure,
    Order,
    PreparedAttack,
    Resolution,
    able,
    free_hand,
    in_hand,
    present,
    sizes_of,
    struck_with,
    surprised,
    weapon_of,
)

READY = 3
"""Seconds for which a weapon must have been set against a charge."""
WATCH = 10
"""Seconds after which somebody is asked again who waits for a foe, or has a weapon set."""


def waits_for(state: CountState, who: int, order: Order) -> bool:
    """Whether an order is to strike, from where one stands, a foe that is not yet within reach."""
    action = order.action
    if order.path or action is None or action.do not in ("attack", "hold_at_bay"):
        return False
    target = state.setup.index.get(action.target or "")
    name = struck_with(state.setup, who, state.figures[who], action)
    return target is not None and not in_reach(state, who, target, weapon_of(state.setup, who, name))


def pairs(state: CountState) -> dict[int, list[int]]:
    """Who is in contact with whom."""
    found: dict[int, list[int]] = {}
    beings = state.setup.beings
    for who, being in enumerate(beings):
        for other in range(who + 1, len(beings)):
            if beings[other].side != being.side and in_contact(state, who, other):
                found.setdefault(who, []).append(other)
                found.setdefault(other, []).append(who)
    return found


def meet(resolution: Resolution) -> None:
    """New pairs within reach; old ones that have parted are forgotten."""
    found = pairs(resolution.done())
    for who in range(len(resolution.figures)):
        kept = tuple(sorted(found.get(who, ())))
        before = resolution.figures[who]
        met = (
            before.contacts if resolution.second > 1 else ()
        )  # in the first second everybody meets whom he stands beside
        fresh = tuple(other for other in kept if other not in met)
        if (kept, fresh) != (before.contacts, before.fresh):
            resolution.change(who, contacts=kept, fresh=fresh)
        if kept and before.broke and before.stance is not Stance.FLEEING:
            _engages_anew(resolution, who)
        if fresh and before.order is not None and before.order.awaits:
            resolution.change(who, order=msgspec.structs.replace(before.order, awaits=0))


def _engages_anew(resolution: Resolution, who: int) -> None:
    """Who fled and is in contact again: its weapon's time begins anew (countup.md §1)."""
    figure = resolution.figures[who]
    weapon = weapon_of(resolution.setup, who, in_hand(resolution.setup, who, figure))
    due = resolution.second + speed_of(resolution.done(), who, weapon)
    resolution.change(who, broke=False, due=max(figure.due, due))


def collect(resolution: Resolution) -> None:
    """All strikes that are due, with somebody to strike; those of first contact by reach (countup.md §1 STRIKE)."""
    state = resolution.done()
    attacks = []
    for who, figure in enumerate(resolution.figures):
        attack = _due_attack(resolution, who, figure)
        if attack is not None:
            fresh = attack.target in figure.fresh
            weapon = weapon_of(resolution.setup, who, attack.weapon)
            reach = weapon.reach if fresh and not surprised(figure, resolution.second) else 0.0
            attacks.append(((-reach if fresh else 0.0), who, attack))
    for second, attack in resolution.later:
        figure = resolution.figures[attack.by]
        # with what is in hand by now, the fist where the fist struck
        name = attack.weapon if attack.weapon == "unarmed" else free_hand(resolution.setup, attack.by, figure)
        weapon = weapon_of(resolution.setup, attack.by, name)
        can = second <= resolution.second and could_strike(figure, resolution.second, weapon)
        if can and in_reach(state, attack.by, attack.target, weapon):
            attacks.append((0.0, attack.by, msgspec.structs.replace(attack, weapon=name)))
    resolution.later = tuple(each for each in resolution.later if each[0] > resolution.second)
    resolution.attacks = tuple(attack for _, _, attack in sorted(attacks, key=lambda entry: (entry[0], entry[1])))


def _due_attack(resolution: Resolution, who: int, figure: Figure) -> PreparedAttack | None:
    order = figure.order
    if order is None or order.action is None or order.action.do not in ("attack", "hold_at_bay", "set"):
        return None
    if not able(figure, resolution.second) or figure.busy > resolution.second or figure.held_by >= 0:
        return None
    if figure.fatigue > resolution.second or figure.casting is not None or figure.ready_at > resolution.second:
        return None
    action = order.action
    name = struck_with(resolution.setup, who, figure, action)
    weapon = weapon_of(resolution.setup, who, name)
    state = resolution.done()
    if action.do == "set":
        return _set_attack(resolution, who, figure, name)
    target = resolution.setup.index.get(action.target or "")
    if target is None or not present(resolution.figures[target]) or not in_reach(state, who, target, weapon):
        return None
    if figure.due > resolution.second:
        return None
    manner = MANOEUVRES.get(action.option or "", PLAIN)
    if action.do == "hold_at_bay" and weapon.jab:
        manner = _bay(resolution, who, target, manner)
    if manner.jab and not weapon.jab:  # the sequence has come to an attack that can't
        manner = PLAIN
    if manner.charge and not (figure.stance is Stance.CHARGING and _ahead(state, who, target)):
        manner = PLAIN
    return PreparedAttack(who, target, name, manner)


def _ahead(state: CountState, who: int, target: int) -> bool:
    """Whether a foe is ahead of somebody as it has run, straight or half to a side (countup.md §2.6, §3)."""
    figure = state.figures[who]
    there = state.figures[target].cell
    turn = direction(state.setup.field, figure.cell, there, sizes_of(state.setup, who, target)) - figure.heading
    return turn % 8 in (7, 0, 1)


def _bay(resolution: Resolution, who: int, target: int, ordered: Manner) -> Manner:
    """One foe at a time is held at bay, by the longer weapon; against him who is held already, or past the point,
    one simply fights."""
    if any(figure.held_by == who for figure in resolution.figures) or not before_the_point(
        resolution.done(), who, target
    ):
        return ordered
    return JAB_TO_HOLD if ordered.jab else HOLD_AT_BAY


def before_the_point(state: CountState, who: int, target: int) -> bool:
    """Whether somebody's weapon reaches farther than a foe's, and he has not got past it (countup.md §2.6)."""
    mine, theirs = (weapon_of(state.setup, i, in_hand(state.setup, i, state.figures[i])) for i in (who, target))
    if mine.reach <= theirs.reach or state.figures[target].helpless > state.second:
        return False
    return target in state.figures[who].fresh or not in_reach(state, target, who, theirs)


def _set_attack(resolution: Resolution, who: int, figure: Figure, name: str) -> PreparedAttack | None:
    """A weapon set for three seconds meets a charger first, due or not; others as any weapon does (countup.md §2.6)."""
    state, weapon = resolution.done(), weapon_of(resolution.setup, who, name)
    met = [other for other in figure.fresh if present(resolution.figures[other])]
    met = [other for other in met if in_reach(state, who, other, weapon)]
    charging = [other for other in met if resolution.figures[other].stance is Stance.CHARGING]
    ready = figure.stance is Stance.SET and resolution.second - figure.set_since >= READY
    if charging and weapon.settable and ready:
        return PreparedAttack(who, charging[0], name, SET)
    return PreparedAttack(who, met[0], name) if met and figure.due <= resolution.second else None
