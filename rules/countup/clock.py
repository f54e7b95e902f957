"""The clock: second by second from one question to the next (countup.md §1)."""

from __future__ import annotations

from typing import assert_never

from msgspec.structs import replace

from rules.board.sight import Grade, grade
from rules.contract.actions import Action
from rules.contract.events import Began, Healing, Note, Over, Points
from rules.contract.text import text
from rules.countup.actions.answers import GIVE_GROUND, QUESTIONS
from rules.countup.actions.attacks import KNOCK_ASIDE
from rules.countup.actions.doors import tasks
from rules.countup.actions.movement import rise
from rules.countup.actions.shooting import shots
from rules.countup.actions.table import ACTION_KINDS, follows
from rules.countup.combat.melee import could_strike, speed_of
from rules.countup.combat.reach import bearing, in_contact, in_reach
from rules.countup.combat.strikes import react, strikes
from rules.countup.conditions import HELPLESS, PRONE, expire
from rules.countup.gear import UNARMED
from rules.countup.manners import Stance
from rules.countup.movement import move_all
from rules.countup.penetration import Die, roll
from rules.countup.skills import initiative_dice
from rules.countup.spells import complete, sear
from rules.countup.state import (
    CountState,
    Figure,
    Order,
    Phase,
    PreparedAttack,
    Resolution,
    able,
    free_hand,
    in_hand,
    present,
    sizes_of,
    surprised,
    weapon_of,
)

SHOUT = 2
"""Seconds of initiative that a shout saves (option)."""
LAST_SECOND = 3600
"""A fight that lasts longer ends without a winner."""


def open_fight(resolution: Resolution) -> None:
    """Stealth against keen senses; initiative for all, in the record's order; the first second in which one may act."""
    resolution.events.append(Began(what="fight"))
    dice = initiative_dice(resolution)
    for who, being in enumerate(resolution.setup.beings):
        if not present(resolution.figures[who]):
            continue
        resolution.dice.thrower = being.id
        thrown = roll(resolution.dice, "initiative", (Die(1, dice[who], False),), being.initiative)
        init = max(1, thrown.total)
        resolution.change(who, init=init, due=init)
        resolution.events.append(Points(by=being.id, now=init, what="initiative", roll=thrown))
    for who, foes in pairs(
        resolution.done()
    ).items():  # whoever stands beside a foe is engaged from the first second on
        resolution.change(who, contacts=tuple(sorted(foes)))
    _next_second(resolution)
    run_on(resolution)


def _hue_and_cry(resolution: Resolution) -> None:
    """Whoever first may act on a side shouts: friends still unaware act two seconds sooner, once (option)."""
    for who, figure in enumerate(resolution.figures):
        if not present(figure) or figure.init != resolution.second:
            continue
        side = resolution.being(who).side
        others = [i for i, f in enumerate(resolution.figures) if resolution.being(i).side == side and present(f)]
        if any(resolution.figures[i].init < resolution.second for i in others):
            continue
        for other in others:
            late = resolution.figures[other].init
            if late > resolution.second:
                sooner = max(resolution.second, late - SHOUT)
                due = sooner if resolution.figures[other].due == late else resolution.figures[other].due
                resolution.change(other, init=sooner, due=due)
                resolution.events.append(
                    Points(by=resolution.being(other).id, now=sooner, what="initiative", because="hue and cry")
                )


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
            resolution.change(who, order=replace(before.order, awaits=0))


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
        name = attack.weapon if attack.weapon == UNARMED.name else free_hand(resolution.setup, attack.by, figure)
        weapon = weapon_of(resolution.setup, attack.by, name)
        can = second <= resolution.second and could_strike(figure, resolution.second, weapon)
        if can and in_reach(state, attack.by, attack.target, weapon):
            attacks.append((0.0, attack.by, replace(attack, weapon=name)))
    resolution.later = tuple(each for each in resolution.later if each[0] > resolution.second)
    resolution.attacks = tuple(attack for _, _, attack in sorted(attacks, key=lambda entry: (entry[0], entry[1])))


def _due_attack(resolution: Resolution, who: int, figure: Figure) -> PreparedAttack | None:
    """What somebody strikes in this second by its order, where it is free to."""
    order, second = figure.order, resolution.second
    if order is None or order.action is None or not able(figure, second) or figure.held_by >= 0:
        return None
    if max(figure.busy, figure.fatigue, figure.ready_at) > second or figure.casting is not None:
        return None
    return ACTION_KINDS[order.action.do].prepared(resolution, who, order.action)


def name_second(resolution: Resolution) -> None:
    """What happened in this second stands under its number; seconds in which nothing happens are not told."""
    if resolution.second > resolution.told and len(resolution.events) > resolution.mark:
        resolution.events.insert(resolution.mark, Began(what="second", number=resolution.second))
        resolution.told = resolution.second


def run_on(resolution: Resolution) -> None:
    """Seconds tick until something opens, or the fight is over."""
    _run_on(resolution)
    name_second(resolution)


def _run_on(resolution: Resolution) -> None:
    while resolution.phase is not Phase.OVER and not resolution.choices:
        match resolution.phase:
            case Phase.DECLARE:
                if any(needs_order(resolution, who) for who in range(len(resolution.figures))):
                    return
                _declare(resolution)
                resolution.phase = Phase.MOVE
            case Phase.MOVE:
                move_all(resolution)
                resolution.phase = Phase.CONTACT
            case Phase.CONTACT:
                meet(resolution)
                collect(resolution)
                resolution.phase = Phase.STRIKE
                GIVE_GROUND.ask_all(resolution)
            case Phase.STRIKE:
                strikes(resolution)
                resolution.phase = Phase.REACT
            case Phase.REACT:
                react(resolution)
                KNOCK_ASIDE.break_out(resolution)
                for work in (shots, complete, sear, tasks):
                    work(resolution)
                if not _over(resolution):
                    _next_second(resolution)
            case _:
                assert_never(resolution.phase)


def needs_order(resolution: Resolution, who: int) -> bool:
    """Whether somebody is free in this second and has no order that still holds."""
    figure = resolution.figures[who]
    if not able(figure, resolution.second) or figure.busy > resolution.second:
        return False
    if figure.casting is not None or figure.task is not None:
        return False
    order = figure.order
    if order is None or not order.done:
        return True
    return order.given != resolution.second and not order_holds(resolution, who)


def order_holds(resolution: Resolution, who: int) -> bool:
    """Whether a standing order still has something to do."""
    order = resolution.figures[who].order
    if order is None or order.path or order.action is None:
        return order is not None and bool(order.path)
    return ACTION_KINDS[order.action.do].holds(resolution, who, order, order.action)


# -- the phases of a second --------------------------------------------------------------------------------


def _declare(resolution: Resolution) -> None:
    """Orders take hold the moment that time moves: stances, readying, getting up, casting."""
    for who, figure in enumerate(resolution.figures):
        order = figure.order
        if figure.stance is Stance.SET and not _stays_set(figure):
            figure = resolution.change(who, stance=Stance.NONE, until=0, set_since=-1)
        if order is None or not able(figure, resolution.second):
            continue
        if order.facing >= 0:
            left = order if order.path else replace(order, facing=-1)
            figure = resolution.change(who, facing=order.facing, order=left)
        if order.action is not None and not follows(resolution.setup, who, figure, order):
            kind = ACTION_KINDS[order.action.do]
            if kind.faces:
                _face(resolution, who, order, order.action)
            _break_off(resolution, who, kind.keeps(order.action))
            kind.resolve(resolution, who, order.action)


def _face(resolution: Resolution, who: int, order: Order, action: Action) -> None:
    """Who fights somebody keeps its face to him, in every second, unless it was bidden elsewhere (countup.md §3)."""
    figure, target = resolution.figures[who], resolution.setup.index.get(action.target or "")
    if order.path or order.facing >= 0 or target is None or not present(resolution.figures[target]):
        return
    there, sizes = resolution.figures[target].cell, sizes_of(resolution.setup, who, target)
    if order.awaits and grade(resolution.terrain, figure.cell, there, *sizes) is Grade.NONE:
        return  # it may come from anywhere
    resolution.change(who, facing=bearing(resolution.setup, resolution.figures, who, target))


def _break_off(resolution: Resolution, who: int, kept: Stance) -> None:
    """A defensive stance that the new order does not keep up ends; its penalty stays on the next attack."""
    figure = resolution.figures[who]
    if figure.stance.rank and figure.stance is not kept:
        owed = 2 * figure.stance.rank if figure.due > resolution.second else 0
        resolution.change(who, stance=Stance.NONE, until=0, owed=max(figure.owed, owed))


def _stays_set(figure: Figure) -> bool:
    """Whether a weapon is still set: its bearer has not left its space since, nor taken up anything else."""
    action = figure.order.action if figure.order is not None else None
    kept = action is not None and ACTION_KINDS[action.do].keeps(action) is Stance.SET
    return kept and figure.moved < figure.set_since


def _next_second(resolution: Resolution) -> None:
    """EXPIRE: timers end; standing up from helplessness takes a second (countup.md §1)."""
    name_second(resolution)
    resolution.second += 1
    resolution.mark = len(resolution.events)
    resolution.phase = Phase.DECLARE
    resolution.attacks = ()
    for who, figure in enumerate(resolution.figures):
        if not present(figure):
            continue
        if figure.helpless and figure.helpless <= resolution.second:
            weapon = weapon_of(resolution.setup, who, in_hand(resolution.setup, who, figure))
            due = resolution.second + 1 + speed_of(resolution.done(), who, weapon)
            resolution.change(who, helpless=0, due=due)
            rise(resolution, who)
            HELPLESS.tell_end(resolution, who)
        figure = resolution.figures[who]
        if figure.stance and figure.until <= resolution.second and not _lingers(figure):
            up = figure.stance is Stance.RISING
            resolution.change(who, stance=Stance.NONE, until=0, prone=figure.prone and not up)
            if up and figure.prone:
                PRONE.tell_end(resolution, who)
        expire(resolution, who)
        burns = resolution.being(who).burns
        if burns and resolution.second == burns and not resolution.figures[who].dark:
            resolution.change(who, dark=True)
            told = text("is left in the dark: the {lamp} is burnt down", lamp=resolution.being(who).lamp)
            resolution.events.append(Note(text=told, by=resolution.being(who).id))
        heals = resolution.being(who).regenerates
        most = resolution.being(who).hp_max - resolution.figures[who].burnt
        if heals and resolution.second % heals == 0 and 0 < resolution.figures[who].hp < most:
            resolution.change(who, hp=resolution.figures[who].hp + 1)
            resolution.events.append(Healing(target=resolution.being(who).id, amount=1, now=resolution.figures[who].hp))
    if resolution.setup.options["hue_and_cry"]:
        _hue_and_cry(resolution)
    resolution.zones = tuple(zone for zone in resolution.zones if zone[2] > resolution.second)


def _lingers(figure: Figure) -> bool:
    """A flight lasts while there is way left."""
    return figure.stance is Stance.FLEEING and figure.order is not None and bool(figure.order.path)


def answer(resolution: Resolution, option: str) -> None:
    """The first open question is answered."""
    choice, resolution.choices = resolution.choices[0], resolution.choices[1:]
    QUESTIONS[choice.kind].resolve(resolution, choice, option)
    run_on(resolution)


def _over(resolution: Resolution) -> bool:
    """The fight ends when at most one side has anybody left."""
    sides = [
        side
        for side in resolution.setup.sides
        if any(b.side == side and present(f) for b, f in zip(resolution.setup.beings, resolution.figures, strict=True))
    ]
    if len(sides) > 1 and resolution.second < LAST_SECOND:
        return False
    resolution.phase = Phase.OVER
    resolution.winner = sides[0] if len(sides) == 1 else ""
    resolution.events.append(Over(winner=resolution.winner))
    return True
