"""The clock: second by second from one question to the next (countup.md §1)."""

from __future__ import annotations

import msgspec

from rules.actions import Action
from rules.countup.aftermath import apply, step_after
from rules.countup.contact import collect, meet
from rules.countup.declaring import declare, rise
from rules.countup.melee import Outcome, in_reach, speed_of, strike
from rules.countup.movement import behind, move_all, pace
from rules.countup.penetration import Die, roll
from rules.countup.state import (
    BAY,
    Blow,
    Choice,
    Figure,
    Order,
    Work,
    able,
    in_hand,
    present,
    weapon_of,
)
from rules.events import Began, Condition, Healing, Moved, Note, Over, Points, Question

SCENES = {"standard": 12, "ambush": 10, "heard": 8, "door": 6, "corner": 4}
"""The initiative die by what one knew beforehand (countup.md §1.1)."""
SCAMPER = 4
"""What jogging back costs the next attack (option)."""
SHOUT = 2
"""Seconds of initiative that a shout saves (option)."""
DEPTH = 5
"""Free attacks earn free attacks so many times at most."""
CHARGED = 5
"""Seconds for which a charge costs the defence of Dexterity."""
SET_WATCH = 10
"""Seconds after which somebody with a weapon set is asked again."""
LAST_SECOND = 3600
"""A fight that lasts longer ends without a winner."""


def open_fight(work: Work) -> None:
    """Initiative for all, in the record's order; then the first second in which somebody may act."""
    work.events.append(Began(what="fight"))
    for who, being in enumerate(work.setup.beings):
        if not present(work.figures[who]):
            continue
        work.dice.thrower = being.id
        thrown = roll(work.dice, "initiative", (Die(1, SCENES[being.scene], False),), being.initiative)
        init = max(1, thrown.total)
        work.change(who, init=init, due=init)
        work.events.append(Points(by=being.id, now=init, what="initiative", roll=thrown))
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
            _ask_ground(work)
        elif work.phase == "strike":
            _strikes(work)
            work.phase = "react"
        elif work.phase == "react":
            _react(work)
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
    if order.path and figure.held_by < 0:
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
        weapon = weapon_of(work.setup, who, action.weapon or in_hand(work.setup, who, figure))
        return in_reach(work.done(), who, target, weapon)
    if action.do == "hold":
        return int(action.option or "1") > work.second
    if action.do == "full_parry":
        return figure.stance == "parry" and figure.until > work.second
    return action.do == "set" and not figure.fresh and work.second < order.given + SET_WATCH


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
        if heals and work.second % heals == 0 and 0 < work.figures[who].hp < work.being(who).hp_max:
            work.change(who, hp=work.figures[who].hp + 1)
            work.events.append(Healing(target=work.being(who).id, amount=1, now=work.figures[who].hp))
    if work.setup.options["hue_and_cry"]:
        _hue_and_cry(work)
    work.zones = tuple(zone for zone in work.zones if zone[2] > work.second)


def _lingers(figure: Figure) -> bool:
    """A flight lasts while there is way left; an aggressive attack's price until the next attack, in contact (B19)."""
    if figure.stance == "fleeing":
        return figure.order is not None and bool(figure.order.path)
    return figure.stance == "aggressive" and bool(figure.contacts)


def _at_the_fleeing(work: Work, choice: Choice, option: str) -> None:
    """A free blow, and no pursuit for half a weapon's time; or after it at one's own pace (B24)."""
    figure, fleer = work.figures[choice.by], work.figures[choice.other]
    name = in_hand(work.setup, choice.by, figure)
    weapon = weapon_of(work.setup, choice.by, name)
    if option == "strike":
        half = -(-speed_of(work.done(), choice.by, weapon, "attack") // 2)
        work.change(choice.by, no_pursuit=work.second + half)
        if not weapon.ranged and in_reach(work.done(), choice.by, choice.other, weapon):
            _together(work, [Blow(choice.by, choice.other, name, "free")])
        return
    order = fleer.order
    if order is not None and order.path and work.second >= figure.no_pursuit:
        way = (fleer.cell, *order.path[:-1])
        follow = Action(work.being(choice.by).id, "attack", target=work.being(choice.other).id, weapon=name)
        work.change(choice.by, order=Order(way, "sprint", follow, True, given=work.second))


# ------------------------------------------------------------------------------------------ giving ground


def _ask_ground(work: Work) -> None:
    """Whoever may give ground to a blow says so before the dice fall."""
    asked = []
    for number, blow in enumerate(work.blows):
        if may_yield(work, blow):
            policy = work.figures[blow.target].policy
            if policy == "yield":
                _yield(work, number)
            elif policy == "ask":
                options = (
                    ("stand", "yield", "scamper")
                    if work.setup.options["scamper_back"]
                    else ("stand", "yield")
                )
                asked.append(Choice(blow.target, "give_ground", options, blow.by, number))
    work.choices = tuple(asked)
    for choice in asked:
        being = work.being(choice.by)
        work.events.append(
            Question(by=being.id, kind=choice.kind, options=choice.options, about=work.being(choice.other).id)
        )


def may_yield(work: Work, blow: Blow) -> bool:
    """A free space behind, an attacker who is no faster a walker and does not charge (countup.md §2.6)."""
    figure, foe = work.figures[blow.target], work.figures[blow.by]
    if blow.kind in ("free", "unarmed", "charge") or not able(figure, work.second) or figure.prone:
        return False
    if figure.casting is not None or figure.held_by >= 0 or foe.stance == "charging":
        return False
    if figure.stance in ("aggressive", "charging"):
        return False
    if pace(work.being(blow.by), "walk") > pace(work.being(blow.target), "walk"):
        return False
    return behind(work, blow.target, blow.by) is not None


def _yield(work: Work, number: int) -> None:
    blow = work.blows[number]
    work.blows = (
        *work.blows[:number],
        msgspec.structs.replace(blow, yielded=True),
        *work.blows[number + 1 :],
    )


def answer(work: Work, option: str) -> None:
    """The first open question is answered."""
    choice, work.choices = work.choices[0], work.choices[1:]
    if choice.kind == "give_ground" and option in ("yield", "scamper"):
        _yield(work, choice.number)
        work.change(choice.by, scampered=option == "scamper")
    elif choice.kind == "fleer":
        _at_the_fleeing(work, choice, option)
    run_on(work)


# ------------------------------------------------------------------------------------------------ strikes


def _strikes(work: Work) -> None:
    """First-contact strikes by descending reach, each able to stop the next; all others at once (countup.md §1)."""
    first = [b for b in work.blows if b.target in work.figures[b.by].fresh and b.kind != "free"]
    rest = [b for b in work.blows if b not in first]
    groups: list[list[Blow]] = []
    for blow in first:
        reach = weapon_of(work.setup, blow.by, blow.weapon).reach
        if groups and weapon_of(work.setup, groups[-1][0].by, groups[-1][0].weapon).reach == reach:
            groups[-1].append(blow)
        else:
            groups.append([blow])
    groups.append(rest)
    for group in groups:
        _together(work, [blow for blow in group if _still(work, blow)])
    work.blows = ()


def _still(work: Work, blow: Blow) -> bool:
    """Whether a blow can still fall after the faster ones: alive, able, not held, in one's own reach."""
    figure = work.figures[blow.by]
    if not able(figure, work.second) or figure.held_by >= 0 or not present(work.figures[blow.target]):
        return False
    return in_reach(work.done(), blow.by, blow.target, weapon_of(work.setup, blow.by, blow.weapon))


def _together(work: Work, blows: list[Blow]) -> None:
    """Blows that fall in one moment: all dice by the state before it, then all results."""
    if not blows:
        return
    state = work.done()
    outcomes = [strike(work, state, blow) for blow in blows]
    for outcome in outcomes:
        _schedule(work, outcome)
    apply(work, outcomes)
    for outcome in outcomes:
        _aftermath_moves(work, outcome)


def _schedule(work: Work, outcome: Outcome) -> None:
    """When the attacker is next due, and what its manoeuvre leaves it with."""
    blow = outcome.blow
    work.free += tuple(b for b in outcome.earned if b.depth <= DEPTH)
    if outcome.later is not None and outcome.later.depth <= DEPTH:
        work.later += ((work.second + 1, outcome.later),)
    if blow.kind in ("free", "unarmed"):
        return
    weapon = weapon_of(work.setup, blow.by, blow.weapon)
    seconds = speed_of(work.done(), blow.by, weapon, blow.kind, blow.target)
    figure = work.figures[blow.by]
    changes: dict[str, object] = {
        "due": work.second + seconds,
        "penalty": 0,
        "owed": 0,
        "tactical": 0,
        "turn": figure.turn + 1,
    }
    if blow.kind == "charge":
        kept = tuple(each for each in figure.effects if each[0] != "off balance")
        changes |= {"effects": (*kept, ("off balance", work.second + CHARGED)), "stance": "", "until": 0}
    if blow.kind == "aggressive":
        changes |= {"stance": "aggressive", "until": work.second + seconds}
    elif figure.stance == "aggressive":
        changes |= {"stance": "", "until": 0}
    if blow.kind == "set":
        changes |= {"set_since": -1, "stance": "", "until": 0}
    work.change(blow.by, **changes)


def _aftermath_moves(work: Work, outcome: Outcome) -> None:
    """Ground that was given; foes that were stopped."""
    blow = outcome.blow
    if blow.yielded and able(work.figures[blow.target], work.second):
        cell = behind(work, blow.target, blow.by)
        if cell is not None:
            start = work.space(work.figures[blow.target].cell)
            figure = work.figures[blow.target]
            cost = SCAMPER if figure.scampered else 1
            work.change(blow.target, cell=cell, moved=work.second, penalty=figure.penalty + cost)
            path = [work.space(cell)]
            further = behind(work, blow.target, blow.by) if figure.scampered else None
            if further is not None:
                work.change(blow.target, cell=further)
                path.append(work.space(further))
            work.change(blow.target, scampered=False)
            name = work.being(blow.target).id
            work.events.append(Moved(by=name, mode="gives_ground", start=start, path=tuple(path)))
            step_after(work, blow.by, figure.cell)
    if outcome.hit and outcome.loss > 0:
        _rider(work, outcome)
    if blow.kind in (*BAY, "set") and outcome.hit and present(work.figures[blow.target]):
        work.change(blow.target, held_by=blow.by, stance="", until=0, order=None)
        work.events.append(Condition(target=work.being(blow.target).id, condition="held at bay", gained=True))


def _rider(work: Work, outcome: Outcome) -> None:
    """What a hit does besides, unless it is saved against: `physical: helpless 30` (countup.md §5.5)."""
    from rules.countup.aftermath import stun
    from rules.countup.magic import saved

    rider = (
        weapon_of(work.setup, outcome.blow.by, outcome.blow.weapon).rider
        if outcome.blow.kind != "unarmed"
        else ""
    )
    if not rider or not present(work.figures[outcome.blow.target]):
        return
    kind, _, what = rider.partition(":")
    effect, _, seconds = what.strip().partition(" ")
    if saved(work, outcome.blow.by, outcome.blow.target, kind.strip().lower()):
        return
    if effect == "helpless":
        stun(work, outcome.blow.target, int(seconds or "10"), outcome.blow.weapon)
    else:
        figure = work.figures[outcome.blow.target]
        kept = tuple(each for each in figure.effects if each[0] != effect)
        work.change(outcome.blow.target, effects=(*kept, (effect, work.second + int(seconds or "10"))))
        name = work.being(outcome.blow.target).id
        work.events.append(Condition(target=name, condition=effect, gained=True, because=outcome.blow.weapon))


def _react(work: Work) -> None:
    """Free attacks, first in first out; they may earn others and never change when one is due."""
    guard = 0
    while work.free and guard < 100:
        guard += 1
        blow, work.free = work.free[0], work.free[1:]
        if not able(work.figures[blow.by], work.second) or not present(work.figures[blow.target]):
            continue
        weapon = weapon_of(work.setup, blow.by, blow.weapon if blow.kind != "unarmed" else "unarmed")
        if blow.kind == "unarmed" or in_reach(work.done(), blow.by, blow.target, weapon):
            _together(work, [blow])
    work.free = ()
    _break_out(work)


def _break_out(work: Work) -> None:
    """Held at bay: knock the weapon aside by an attack against the holder's shieldless defence (countup.md §2.6)."""
    for who, figure in enumerate(work.figures):
        if figure.held_by < 0:
            continue
        holder = work.figures[figure.held_by]
        state = work.done()
        weapon = weapon_of(work.setup, figure.held_by, in_hand(work.setup, figure.held_by, holder))
        if not able(holder, work.second) or not in_reach(state, figure.held_by, who, weapon):
            work.change(who, held_by=-1)
            continue
        order = figure.order
        if order is None or order.action is None or order.action.do != "knock_aside":
            continue
        being, foe = work.being(who), work.being(figure.held_by)
        work.dice.thrower = foe.id
        held = roll(work.dice, "holds at bay", (Die(1, 20),), foe.defence - 4)
        work.dice.thrower = being.id
        tried = roll(work.dice, "knock aside", (Die(1, 20),), being.attack)
        work.change(who, order=None)
        if tried.total > held.total:
            work.change(who, held_by=-1, freed_at=work.second + 1, due=max(figure.due, work.second + 1))
            work.events.append(Condition(target=being.id, condition="held at bay", gained=False))


def _shots_and_spells(work: Work) -> None:
    from rules.countup.doors import tasks
    from rules.countup.magic import complete
    from rules.countup.missiles import shots

    shots(work)
    complete(work)
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
