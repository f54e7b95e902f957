"""A side resolves: moves, risk saves, pooled attacks, the rest, late moves (cairn.md §1 PARTY_RESOLVE, A2)."""

from __future__ import annotations

import msgspec

from rules.actions import Action
from rules.cairn.attack import in_range, prepare, strike_all, weapon_of
from rules.cairn.belongings import drop_item, spend
from rules.cairn.casting import cast
from rules.cairn.deeds import needs_help
from rules.cairn.driven import drive
from rules.cairn.ground import lay_ground
from rules.cairn.handling import LIT, relights
from rules.cairn.injury import leave, stabilise
from rules.cairn.knowledge import eyes
from rules.cairn.movement import push, rise, walk
from rules.cairn.plans import Look, held_by
from rules.cairn.saves import afflict, relieve, save
from rules.cairn.state import Plan, Work, able, present
from rules.events import Door, Item, Moved, Note

RISKS = (
    "daring",
    "manoeuvre",
    "help",
    "break_free",
    "steady",
    "retreat",
    "open",
    "close",
    "bandage",
    "light",
)
"""Actions that come before attacks, in their declared order."""


def resolve(work: Work) -> None:
    """Carry out the plans of the side whose half it is, in the order in which they were declared.

    Those whom fear or frenzy drives go first; what the side held ready in its last half is let go.
    """
    begun = len(work.events)
    side = work.setup.sides[work.half]
    work.readied = tuple(held for held in work.readied if work.being(held[0]).side != side)
    plans = [(who, plan) for who in work.declared if (plan := work.plans[who]) is not None]
    driven = drive(work)
    for who, plan in plans:
        if plan.aside is not None and plan.aside.do != "pick_up":
            _aside(work, who, plan)
        if not plan.action_first:
            _go(work, who, plan)
            _pick(work, who, plan)
    _spring(work, begun)
    for who, plan in plans:
        if plan.action is not None and plan.action.do in RISKS and able(work.figures[who]):
            _RISKS[plan.action.do](work, who, plan.action)
    blows = [(who, blow) for who, plan in plans if (blow := _blow(work, who, plan)) is not None]
    strike_all(work, [*driven, *blows])
    for who, _ in blows:
        relieve(work, who, "daring")
    for who, plan in plans:
        if plan.action is not None and able(work.figures[who]):
            if plan.action.do in ("cast", "use"):
                cast(work, who, plan.action)
            elif plan.action.do == "ready":
                work.readied = (*work.readied, (who, plan.action))
    for who, plan in plans:
        if plan.action_first and able(work.figures[who]):
            _go(work, who, plan)
            _pick(work, who, plan)
    work.plans = [None] * len(work.figures)
    work.declared = []


def _blow(work: Work, who: int, plan: Plan) -> Action | None:
    """The attack of a plan, a daring one if the risk came off."""
    action = plan.action
    if action is not None and action.do == "daring" and work.figures[who].has("daring"):
        return msgspec.structs.replace(action, do="attack")
    return action if action is not None and action.do == "attack" else None


def _go(work: Work, who: int, plan: Plan) -> None:
    """The move, and the second one that takes the action."""
    if plan.stand:
        rise(work, who)
    if plan.path:
        walk(work, who, plan.path, "move")
    dash = plan.action is not None and plan.action.do == "dash"
    if dash and present(work.figures[who]) and not held_by(work.figures[who]):
        assert plan.action is not None
        walk(work, who, plan.action.path, "dash")


def _pick(work: Work, who: int, plan: Plan) -> None:
    if plan.aside is not None and plan.aside.do == "pick_up" and able(work.figures[who]):
        _pick_up(work, who, plan.aside)


def _aside(work: Work, who: int, plan: Plan) -> None:
    """What is let go makes room before anything else happens."""
    assert plan.aside is not None
    item = plan.aside.item
    if plan.aside.do == "avert":
        afflict(work, who, "averted", because="looks away")
        last = msgspec.structs.replace(work.figures[who].lasting[-1], rounds=1)
        work.change(who, lasting=(*work.figures[who].lasting[:-1], last))
    elif able(work.figures[who]) and item in (*work.figures[who].hands, *work.figures[who].pack):
        drop_item(work, who, item, "dropped")


def _spring(work: Work, begun: int) -> None:
    """Attacks held ready meet whoever has come within reach, before that side strikes (cairn.md §2.12)."""
    side = work.setup.sides[work.half]
    kept, sprung = [], []
    for who, action in work.readied:
        if work.being(who).side == side or not able(work.figures[who]):
            kept.append((who, action))
            continue
        target = _first_in_reach(work, who, action, begun)
        if target is None:
            kept.append((who, action))
        else:
            sprung.append((who, msgspec.structs.replace(action, do="attack", target=work.being(target).id)))
    work.readied = tuple(kept)
    if sprung:
        strike_all(work, sprung)


def _first_in_reach(work: Work, who: int, action: Action, begun: int) -> int | None:
    """The first foe, in the order in which they declared, that moved into reach."""
    state = work.done()
    weapon = weapon_of(work.setup, who, action.weapon or "")
    moved = [e.by for e in work.events[begun:] if isinstance(e, Moved)]
    for name in dict.fromkeys(moved):
        foe = work.setup.index[name]
        if work.being(foe).side == work.being(who).side or not present(work.figures[foe]):
            continue
        start, goal = work.figures[who].cell, work.figures[foe].cell
        distance = work.terrain.distance(start, goal, work.being(who).space, work.being(foe).space)
        if in_range(weapon, distance) and prepare(state, who, foe, weapon, start, goal) is not None:
            return foe
    return None


def barbed(work: Work, who: int) -> bool:
    """Whether somebody wears what nobody should lay hands on (cairn.md §5.5, Barbed Epaulets)."""
    table = work.setup.armoury.armor
    return any(
        table[item].barbs for item in work.being(who).wear if not work.figures[who].has(f"ruined: {item}")
    )


def _dare(work: Work, who: int, action: Action) -> None:
    """The risk before a daring blow (cairn.md §2.2)."""
    if save(work, who, "dex", "a daring manoeuvre"):
        afflict(work, who, "daring")
    else:
        afflict(work, who, "prone", because="the manoeuvre failed")


def _help(work: Work, who: int, action: Action) -> None:
    """Together the risk is so small that nobody rolls; against a foe's grip the weaker of the two saves."""
    friend = work.setup.index[action.target or ""]
    figure, condition = work.figures[friend], needs_help(work.figures[friend])
    if not present(figure) or not condition or _gap(work, who, friend) > 1:
        return
    grip = next(each for each in figure.lasting if each.name == condition)
    holder = work.setup.index.get(grip.by)
    if grip.save and holder is not None and able(work.figures[holder]) and _gap(work, friend, holder) <= 1:
        weaker = min((friend, who), key=lambda i: work.figures[i].str_now)
        if not save(work, weaker, "str", f"free {work.being(friend).name}"):
            return
    relieve(work, friend, condition, f"helped by {work.being(who).name}")


def _gap(work: Work, who: int, other: int) -> int:
    a, b = work.figures[who].cell, work.figures[other].cell
    return work.terrain.distance(a, b, work.being(who).space, work.being(other).space)


def _manoeuvre(work: Work, who: int, action: Action) -> None:
    """The actor saves; on a failure it suffers the bad end itself (cairn.md §2.12)."""
    target = work.setup.index[action.target or ""]
    if not present(work.figures[target]) or _gap(work, who, target) > 1:
        return
    figure = work.figures[who]
    attribute = "dex" if action.option == "trip" and figure.dex_now > figure.str_now else "str"
    if barbed(work, target) and not save(work, who, "str", "against the barbs"):
        afflict(work, who, "unconscious", because="barbs")
        return
    won = save(work, who, attribute, f"{action.option} {work.being(target).name}")
    loser, winner = (target, who) if won else (who, target)
    if action.option == "trip":
        afflict(work, loser, "prone", because="tripped")
    elif action.option == "grapple":
        afflict(work, loser, "restrained", because="grappled", save="str", by=work.being(winner).id)
    else:
        push(work, loser, winner, 1)


def _break_free(work: Work, who: int, action: Action) -> None:
    figure = work.figures[who]
    attribute = "str" if figure.str_now >= figure.dex_now else "dex"
    if save(work, who, attribute, "break free"):
        relieve(work, who, held_by(figure), "broke free")


def _steady(work: Work, who: int, action: Action) -> None:
    if save(work, who, "wil", "overcome panic"):
        relieve(work, who, "panicked", "steadied")


def _retreat(work: Work, who: int, action: Action) -> None:
    """No save is needed where every foe is down, helpless or out of contact, nor of anybody but a player's character
    (cairn.md §2.8, A16)."""
    state = work.done()
    cells = work.terrain.footprint(work.figures[who].cell, work.being(who).space)
    contact = any(
        work.being(i).side != work.being(who).side and able(f) and eyes(state, i) & cells
        for i, f in enumerate(work.figures)
    )
    if not contact or not work.being(who).pc or save(work, who, "dex", "retreat"):
        leave(work, who, "retreated")


def _door(work: Work, who: int, action: Action) -> None:
    doors = work.setup.field.doors
    number = next(i for i, door in enumerate(doors) if door.id == action.target)
    wanted = "open" if action.do == "open" else "closed"
    if work.doors[number] == wanted or work.doors[number] not in ("open", "closed"):
        return
    work.doors = (*work.doors[:number], wanted, *work.doors[number + 1 :])
    lay_ground(work)
    work.events.append(Door(door=doors[number].id, state=wanted, by=work.being(who).id))


def _pick_up(work: Work, who: int, action: Action) -> None:
    figure = work.figures[who]
    near = work.terrain.within(figure.cell, 1, work.being(who).space)
    for number, lying in enumerate(work.floor):
        if lying.item == action.item and near >> lying.cell & 1:
            work.floor = (*work.floor[:number], *work.floor[number + 1 :])
            work.change(who, pack=(*figure.pack, lying.item))
            work.events.append(Item(by=work.being(who).id, item=lying.item, how="picked_up"))
            return
    work.events.append(Note(text=f"no {action.item} there any more", by=work.being(who).id))


def _light(work: Work, who: int, action: Action) -> None:
    source = relights(Look(work.done(), who))
    if source == "torch":
        spend(work, who, source, 0)
    elif source in LIT:
        spend(work, who, source, LIT[source])
    relieve(work, who, "snuffed", "lit anew")


def _bandage(work: Work, who: int, action: Action) -> None:
    target = work.setup.index[action.target or ""]
    spend(work, who, "bandages", 3)
    stabilise(work, target, f"bandaged by {work.being(who).name}")


_RISKS = {
    "daring": _dare,
    "help": _help,
    "manoeuvre": _manoeuvre,
    "break_free": _break_free,
    "steady": _steady,
    "retreat": _retreat,
    "open": _door,
    "close": _door,
    "bandage": _bandage,
    "light": _light,
}
