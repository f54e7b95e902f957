"""Blows that fall in one second, ground that is given to them, and free blows (countup.md §1, §2.6)."""

from __future__ import annotations

import msgspec

from rules.contract.actions import Action
from rules.contract.events import Condition, Contest, Moved, Question
from rules.countup.actions.movement import behind, pace, retreats
from rules.countup.combat.injury import apply, step_after, stun
from rules.countup.combat.melee import Outcome, attack_adjustments, speed_of, stances, strike
from rules.countup.combat.reach import could_strike, in_reach
from rules.countup.magic.spells import saved
from rules.countup.penetration import Die, roll
from rules.countup.state import (
    BAY,
    SPENT,
    Blow,
    Choice,
    Order,
    Work,
    able,
    free_hand,
    in_hand,
    present,
    weapon_of,
)

SCAMPER = 4
"""What jogging back costs the next attack (option)."""
ASIDE = "knock aside"
"""What the opposed attempt is called by which one who is held at bay gets free."""
DEPTH = 5
"""Free attacks earn free attacks so many times at most."""
CHARGED = 5
"""Seconds for which a charge costs the defence of Dexterity."""


def strikes(work: Work) -> None:
    """First contact: foes held at bay, then what was set against a charge, then by descending reach, each able to stop
    the next; all other blows at once (countup.md §1, §2.6)."""
    first = [b for b in work.blows if b.target in work.figures[b.by].fresh and b.kind != "free"]
    rest = [b for b in work.blows if b not in first]
    groups: dict[tuple[int, float], list[Blow]] = {}
    for blow in first:
        groups.setdefault(_turn(work, blow), []).append(blow)
    for group in (*(groups[turn] for turn in sorted(groups)), rest):
        together(work, [blow for blow in group if _still(work, blow)])
    work.blows = ()


def _turn(work: Work, blow: Blow) -> tuple[int, float]:
    """When a blow falls among those of first contact: the least first, equals at once."""
    if blow.kind == "set":
        return 1, 0.0
    return 0 if blow.kind in BAY else 2, -_reach(work, blow)


def _reach(work: Work, blow: Blow) -> float:
    return weapon_of(work.setup, blow.by, blow.weapon).reach


def _still(work: Work, blow: Blow) -> bool:
    """Whether a blow can still fall after the faster ones: alive, able, not held, in one's own reach."""
    figure = work.figures[blow.by]
    if not able(figure, work.second) or figure.held_by >= 0 or not present(work.figures[blow.target]):
        return False
    return in_reach(work.done(), blow.by, blow.target, weapon_of(work.setup, blow.by, blow.weapon))


def together(work: Work, blows: list[Blow]) -> None:
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
        **SPENT,
        "exposed": blow.kind == "aggressive",
        "turn": figure.turn + 1,
    }
    if blow.kind == "charge":
        kept = tuple(each for each in figure.effects if each[0] != "off balance")
        changes |= {"effects": (*kept, ("off balance", work.second + CHARGED)), "stance": "", "until": 0}
    if figure.order is not None:
        action = figure.order.action
        if action is not None and action.option == "charge":  # spent, or never come to
            action = msgspec.structs.replace(action, option=None)
        changes["order"] = msgspec.structs.replace(figure.order, action=action, awaits=0)
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
            retreats(work, blow.target, figure.cell)
            name = work.being(blow.target).id
            work.events.append(Moved(by=name, mode="gives_ground", start=start, path=tuple(path)))
            step_after(work, blow.by, figure.cell)
    if outcome.hit and outcome.loss > 0:
        _rider(work, outcome)
    foe = work.figures[blow.target]
    if blow.kind in (*BAY, "set") and outcome.hit and present(foe) and not foe.helpless:
        work.change(blow.target, held_by=blow.by, stance="", until=0, order=None)
        work.events.append(Condition(target=work.being(blow.target).id, condition="held at bay", gained=True))


def _rider(work: Work, outcome: Outcome) -> None:
    """What a hit does besides, unless it is saved against: `physical: helpless 30` (countup.md §5.5)."""
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


def react(work: Work) -> None:
    """Free attacks, first in first out; they may earn others and never change when one is due."""
    guard = 0
    while work.free and guard < 100:
        guard += 1
        blow, work.free = work.free[0], work.free[1:]
        if blow.kind != "unarmed" and blow.weapon != "unarmed":  # a sequence has gone on meanwhile
            name = free_hand(work.setup, blow.by, work.figures[blow.by])
            blow = msgspec.structs.replace(blow, weapon=name)
        weapon = weapon_of(work.setup, blow.by, blow.weapon if blow.kind != "unarmed" else "unarmed")
        if not could_strike(work.figures[blow.by], work.second, weapon):
            continue
        if in_reach(work.done(), blow.by, blow.target, weapon):
            together(work, [blow])
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
        idle = able(holder, work.second) and holder.busy <= work.second and not holder.prone
        idle = idle and holder.casting is None and holder.task is None
        longer = weapon.reach > weapon_of(work.setup, who, in_hand(work.setup, who, figure)).reach
        if (
            not idle
            or not longer
            or holder.stance == "fleeing"
            or not in_reach(state, figure.held_by, who, weapon)
        ):
            work.change(who, held_by=-1)
            continue
        order = figure.order
        if order is None or order.action is None or order.action.do != "knock_aside":
            continue
        being, foe = work.being(who), work.being(figure.held_by)
        work.dice.thrower = foe.id
        guard = foe.defence - 4 + sum(a.value for a in stances(state, holder, figure.held_by, who))
        held = roll(work.dice, "holds at bay", (Die(1, 20),), guard)
        work.dice.thrower = being.id
        blow = Blow(who, figure.held_by, in_hand(work.setup, who, figure), "free")
        tried = roll(
            work.dice, "knock aside", (Die(1, 20),), sum(a.value for a in attack_adjustments(state, blow))
        )
        work.change(who, order=None)
        aside = tried.total > held.total
        work.events.append(
            Contest(by=being.id, target=foe.id, what=ASIDE, rolls=(held, tried), success=aside,
                    note="it is knocked aside" if aside else "it stays")
        )  # fmt: skip
        if aside:
            work.change(who, held_by=-1, freed_at=work.second + 1, due=max(figure.due, work.second + 1))
            work.events.append(Condition(target=being.id, condition="held at bay", gained=False))


def ask_ground(work: Work) -> None:
    """Whoever may give ground to a blow says so before the dice fall."""
    asked = []
    for number, blow in enumerate(work.blows):
        if maygive_ground(work, blow):
            policy = work.figures[blow.target].policy
            if policy == "yield":
                give_ground(work, number)
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


def maygive_ground(work: Work, blow: Blow) -> bool:
    """A free space behind, an attacker who is no faster a walker and does not charge (countup.md §2.6)."""
    figure, foe = work.figures[blow.target], work.figures[blow.by]
    if blow.kind in ("free", "unarmed", "charge") or not able(figure, work.second) or figure.prone:
        return False
    if figure.casting is not None or figure.under("bound") or foe.stance == "charging":
        return False
    if figure.exposed or figure.stance == "charging":
        return False
    if pace(work.being(blow.by), "walk") > pace(work.being(blow.target), "walk"):
        return False
    return behind(work, blow.target, blow.by) is not None


def give_ground(work: Work, number: int) -> None:
    blow = work.blows[number]
    work.blows = (
        *work.blows[:number],
        msgspec.structs.replace(blow, yielded=True),
        *work.blows[number + 1 :],
    )


def at_the_fleeing(work: Work, choice: Choice, option: str) -> None:
    """A free blow, and no pursuit for half a weapon's time; or after it at one's own pace (B24)."""
    figure, fleer = work.figures[choice.by], work.figures[choice.other]
    name = free_hand(work.setup, choice.by, figure)
    weapon = weapon_of(work.setup, choice.by, name)
    if option == "strike":
        half = -(-speed_of(work.done(), choice.by, weapon, "attack") // 2)
        work.change(choice.by, no_pursuit=work.second + half)
        if in_reach(work.done(), choice.by, choice.other, weapon):
            together(work, [Blow(choice.by, choice.other, name, "free")])
        return
    order = fleer.order
    if order is not None and order.path and work.second >= figure.no_pursuit:
        way = (fleer.cell, *order.path[:-1])
        name = in_hand(work.setup, choice.by, figure)
        strikes = not weapon_of(work.setup, choice.by, name).ranged
        target = work.being(choice.other).id
        follow = Action(work.being(choice.by).id, "attack", target=target, weapon=name) if strikes else None
        work.change(choice.by, order=Order(way, "sprint", follow, True, given=work.second))
