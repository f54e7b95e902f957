"""The clock: second by second from one question to the next (countup.md §1)."""

from __future__ import annotations

from rules.contract.actions import Action
from rules.contract.events import Began, Condition, Healing, Note, Over, Points
from rules.countup.actions.context import Look
from rules.countup.actions.declaring import STANDING, declare, rise
from rules.countup.actions.doors import tasks
from rules.countup.actions.minds import forbids
from rules.countup.actions.movement import move_all
from rules.countup.actions.orders import INTENTS
from rules.countup.actions.stealth import initiative_dice
from rules.countup.combat.contact import WATCH, before_the_point, collect, meet, pairs
from rules.countup.combat.melee import speed_of
from rules.countup.combat.missiles import shots
from rules.countup.combat.reach import in_reach
from rules.countup.combat.strikes import ask_ground, at_the_fleeing, give_ground, react, strikes
from rules.countup.magic.spells import complete, sear
from rules.countup.penetration import Die, roll
from rules.countup.state import (
    Figure,
    Work,
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


def open_fight(work: Work) -> None:
    """Stealth against keen senses; initiative for all, in the record's order; the first second in which one may act."""
    work.events.append(Began(what="fight"))
    dice = initiative_dice(work)
    for who, being in enumerate(work.setup.beings):
        if not present(work.figures[who]):
            continue
        work.dice.thrower = being.id
        thrown = roll(work.dice, "initiative", (Die(1, dice[who], False),), being.initiative)
        init = max(1, thrown.total)
        work.change(who, init=init, due=init)
        work.events.append(Points(by=being.id, now=init, what="initiative", roll=thrown))
    for who, foes in pairs(
        work.done()
    ).items():  # whoever stands beside a foe is engaged from the first second on
        work.change(who, contacts=tuple(sorted(foes)))
    _next_second(work)
    run_on(work)


def _hue_and_cry(work: Work) -> None:
    """Whoever first may act on a side shouts: friends still unaware act two seconds sooner, once (option)."""
    for who, figure in enumerate(work.figures):
        if not present(figure) or figure.init != work.second:
            continue
        side = work.being(who).side
        others = [i for i, f in enumerate(work.figures) if work.being(i).side == side and present(f)]
        if any(work.figures[i].init < work.second for i in others):
            continue
        for other in others:
            late = work.figures[other].init
            if late > work.second:
                sooner = max(work.second, late - SHOUT)
                due = sooner if work.figures[other].due == late else work.figures[other].due
                work.change(other, init=sooner, due=due)
                work.events.append(
                    Points(by=work.being(other).id, now=sooner, what="initiative", because="hue and cry")
                )


def name_second(work: Work) -> None:
    """What happened in this second stands under its number; seconds in which nothing happens are not told."""
    if work.second > work.told and len(work.events) > work.mark:
        work.events.insert(work.mark, Began(what="second", number=work.second))
        work.told = work.second


def run_on(work: Work) -> None:
    """Seconds tick until something opens, or the fight is over."""
    _run_on(work)
    name_second(work)


def _run_on(work: Work) -> None:
    while work.phase != "over" and not work.choices:
        if work.phase == "declare":
            if any(needs_order(work, who) for who in range(len(work.figures))):
                return
            declare(work)
            work.phase = "move"
        elif work.phase == "move":
            move_all(work)
            work.phase = "contact"
        elif work.phase == "contact":
            meet(work)
            collect(work)
            work.phase = "strike"
            ask_ground(work)
        elif work.phase == "strike":
            strikes(work)
            work.phase = "react"
        elif work.phase == "react":
            react(work)
            _shots_and_spells(work)
            if not _over(work):
                _next_second(work)


def needs_order(work: Work, who: int) -> bool:
    """Whether somebody is free in this second and has no order that still holds."""
    figure = work.figures[who]
    if not able(figure, work.second) or figure.busy > work.second:
        return False
    if figure.casting is not None or figure.task is not None:
        return False
    order = figure.order
    if order is None or not order.done:
        return True
    return order.given != work.second and not order_holds(work, who)


def order_holds(work: Work, who: int) -> bool:
    """Whether a standing order still has something to do."""
    figure = work.figures[who]
    order = figure.order
    if order is None:
        return False
    if order.path:
        return True
    action = order.action
    if action is None:
        return False
    if action.do in ("attack", "shoot", "hold_at_bay"):
        target = work.setup.index.get(action.target or "")
        if target is None or not present(work.figures[target]):
            return False
        if figure.held_by >= 0:
            return False
        if action.do == "shoot":
            return not figure.fresh
        weapon = weapon_of(work.setup, who, struck_with(work.setup, who, figure, action))
        state = work.done()
        if order.awaits > work.second:
            return True
        if action.do == "hold_at_bay" and work.figures[target].held_by != who:
            return in_reach(state, who, target, weapon) and before_the_point(state, who, target)
        return in_reach(state, who, target, weapon)
    if action.do == "hold":
        met = any(work.figures[other].moved >= order.given for other in figure.fresh)
        return not met and int(action.option or "1") > work.second
    if action.do == "full_parry":
        return figure.stance == "parry" and figure.until > work.second
    if action.do == "set" and figure.stance == "set":
        return not figure.fresh and work.second < figure.set_since + WATCH
    if action.do in (*STANDING, "ready"):  # the way is gone, and the deed is to come
        return not figure.fresh and _lawful(work, who, action)
    return False


def _lawful(work: Work, who: int, action: Action) -> bool:
    """Whether a deed may still be done where the way to it has led."""
    state = work.done()
    reason = INTENTS[action.do].refusal(Look(state, who), action)
    return reason is None and forbids(state, who, action) is None


def _next_second(work: Work) -> None:
    """EXPIRE: timers end; standing up from helplessness takes a second (countup.md §1)."""
    name_second(work)
    work.second += 1
    work.mark = len(work.events)
    work.phase = "declare"
    work.blows = ()
    for who, figure in enumerate(work.figures):
        if not present(figure):
            continue
        if figure.helpless and figure.helpless <= work.second:
            weapon = weapon_of(work.setup, who, in_hand(work.setup, who, figure))
            due = work.second + 1 + speed_of(work.done(), who, weapon, "attack")
            work.change(who, helpless=0, due=due)
            rise(work, who)
            work.events.append(Condition(target=work.being(who).id, condition="helpless", gained=False))
        figure = work.figures[who]
        if figure.stance and figure.until <= work.second and not _lingers(figure):
            up = figure.stance == "rising"
            work.change(who, stance="", until=0, prone=figure.prone and not up)
            if up and figure.prone:
                work.events.append(Condition(target=work.being(who).id, condition="prone", gained=False))
        ended = [name for name, end in figure.effects if end <= work.second]
        if ended:
            kept = tuple(each for each in work.figures[who].effects if each[1] > work.second)
            work.change(who, effects=kept)
            if "shielded" in ended:
                work.change(who, ward=0)
            if "copied" in ended:
                work.change(who, images=0)
            for name in ended:
                work.events.append(Condition(target=work.being(who).id, condition=name, gained=False))
        burns = work.being(who).burns
        if burns and work.second == burns and not work.figures[who].dark:
            work.change(who, dark=True)
            work.events.append(Note(text=f"is left in the dark: the {work.being(who).lamp} is burnt down",
                                    by=work.being(who).id))  # fmt: skip
        heals = work.being(who).regenerates
        most = work.being(who).hp_max - work.figures[who].burnt
        if heals and work.second % heals == 0 and 0 < work.figures[who].hp < most:
            work.change(who, hp=work.figures[who].hp + 1)
            work.events.append(Healing(target=work.being(who).id, amount=1, now=work.figures[who].hp))
    if work.setup.options["hue_and_cry"]:
        _hue_and_cry(work)
    work.zones = tuple(zone for zone in work.zones if zone[2] > work.second)


def _lingers(figure: Figure) -> bool:
    """A flight lasts while there is way left."""
    return figure.stance == "fleeing" and figure.order is not None and bool(figure.order.path)


def answer(work: Work, option: str) -> None:
    """The first open question is answered."""
    choice, work.choices = work.choices[0], work.choices[1:]
    if choice.kind == "give_ground" and option in ("yield", "scamper"):
        give_ground(work, choice.number)
        scampers = work.figures[choice.by].scampered or option == "scamper"
        work.change(choice.by, scampered=scampers)
    elif choice.kind == "fleer":
        at_the_fleeing(work, choice, option)
    run_on(work)


def _shots_and_spells(work: Work) -> None:
    shots(work)
    complete(work)
    sear(work)
    tasks(work)


def _over(work: Work) -> bool:
    """The fight ends when at most one side has anybody left."""
    sides = [
        side
        for side in work.setup.sides
        if any(b.side == side and present(f) for b, f in zip(work.setup.beings, work.figures, strict=True))
    ]
    if len(sides) > 1 and work.second < LAST_SECOND:
        return False
    work.phase = "over"
    work.winner = sides[0] if len(sides) == 1 else ""
    work.events.append(Over(winner=work.winner))
    return True
