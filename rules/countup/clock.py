"""The clock: second by second from one question to the next (countup.md §1)."""

from __future__ import annotations

from rules.contract.actions import Action
from rules.contract.events import Began, Healing, Note, Over, Points
from rules.countup.actions.context import Context
from rules.countup.actions.declaring import STANDING, declare, rise
from rules.countup.actions.doors import tasks
from rules.countup.actions.movement import move_all
from rules.countup.actions.orders import INTENTS, doing_of
from rules.countup.actions.stealth import initiative_dice
from rules.countup.combat.contact import WATCH, before_the_point, collect, meet, pairs
from rules.countup.combat.melee import speed_of
from rules.countup.combat.missiles import shots
from rules.countup.combat.reach import in_reach
from rules.countup.combat.strikes import ask_ground, at_the_fleeing, give_ground, react, strikes
from rules.countup.conditions import HELPLESS, PRONE, expire, why_not_this
from rules.countup.magic.spells import complete, sear
from rules.countup.manners import Stance
from rules.countup.penetration import Die, roll
from rules.countup.state import (
    Figure,
    Resolution,
    able,
    in_hand,
    present,
    struck_with,
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
    while resolution.phase != "over" and not resolution.choices:
        if resolution.phase == "declare":
            if any(needs_order(resolution, who) for who in range(len(resolution.figures))):
                return
            declare(resolution)
            resolution.phase = "move"
        elif resolution.phase == "move":
            move_all(resolution)
            resolution.phase = "contact"
        elif resolution.phase == "contact":
            meet(resolution)
            collect(resolution)
            resolution.phase = "strike"
            ask_ground(resolution)
        elif resolution.phase == "strike":
            strikes(resolution)
            resolution.phase = "react"
        elif resolution.phase == "react":
            react(resolution)
            _shots_and_spells(resolution)
            if not _over(resolution):
                _next_second(resolution)


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
    figure = resolution.figures[who]
    order = figure.order
    if order is None:
        return False
    if order.path:
        return True
    action = order.action
    if action is None:
        return False
    if action.do in ("attack", "shoot", "hold_at_bay"):
        target = resolution.setup.index.get(action.target or "")
        if target is None or not present(resolution.figures[target]):
            return False
        if figure.held_by >= 0:
            return False
        if action.do == "shoot":
            return not figure.fresh
        weapon = weapon_of(resolution.setup, who, struck_with(resolution.setup, who, figure, action))
        state = resolution.done()
        if order.awaits > resolution.second:
            return True
        if action.do == "hold_at_bay" and resolution.figures[target].held_by != who:
            return in_reach(state, who, target, weapon) and before_the_point(state, who, target)
        return in_reach(state, who, target, weapon)
    if action.do == "hold":
        met = any(resolution.figures[other].moved >= order.given for other in figure.fresh)
        return not met and int(action.option or "1") > resolution.second
    if action.do == "full_parry":
        return figure.stance is Stance.PARRY and figure.until > resolution.second
    if action.do == "set" and figure.stance is Stance.SET:
        return not figure.fresh and resolution.second < figure.set_since + WATCH
    if action.do in (*STANDING, "ready"):  # the way is gone, and the deed is to come
        return not figure.fresh and _lawful(resolution, who, action)
    return False


def _lawful(resolution: Resolution, who: int, action: Action) -> bool:
    """Whether a deed may still be done where the way to it has led."""
    state = resolution.done()
    reason = INTENTS[action.do].refusal(Context(state, who), action)
    return reason is None and why_not_this(state, who, doing_of(action.do), action) is None


def _next_second(resolution: Resolution) -> None:
    """EXPIRE: timers end; standing up from helplessness takes a second (countup.md §1)."""
    name_second(resolution)
    resolution.second += 1
    resolution.mark = len(resolution.events)
    resolution.phase = "declare"
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
            resolution.events.append(Note(text=f"is left in the dark: the {resolution.being(who).lamp} is burnt down",
                                    by=resolution.being(who).id))  # fmt: skip
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
    if choice.kind == "give_ground" and option in ("yield", "scamper"):
        give_ground(resolution, choice.number)
        scampers = resolution.figures[choice.by].scampered or option == "scamper"
        resolution.change(choice.by, scampered=scampers)
    elif choice.kind == "fleer":
        at_the_fleeing(resolution, choice, option)
    run_on(resolution)


def _shots_and_spells(resolution: Resolution) -> None:
    shots(resolution)
    complete(resolution)
    sear(resolution)
    tasks(resolution)


def _over(resolution: Resolution) -> bool:
    """The fight ends when at most one side has anybody left."""
    sides = [
        side
        for side in resolution.setup.sides
        if any(b.side == side and present(f) for b, f in zip(resolution.setup.beings, resolution.figures, strict=True))
    ]
    if len(sides) > 1 and resolution.second < LAST_SECOND:
        return False
    resolution.phase = "over"
    resolution.winner = sides[0] if len(sides) == 1 else ""
    resolution.events.append(Over(winner=resolution.winner))
    return True
