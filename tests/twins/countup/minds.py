"""What holds a mind (countup.md §2.10, §5.4): the enraged attack, the panicked run, the charmed harm nobody."""

from __future__ import annotations

from typing import Any

from tests.twins.countup.fight import Fight, Refused
from tests.twins.countup.ground import Spot, apart
from tests.twins.countup.moving import gait_now
from tests.twins.countup.people import Person

MOVES = ("walk", "jog", "run", "sprint", "flee", "tactical_move")
AWAY = (*MOVES, "stand", "open", "hold", "turn")
RAGE = ("walk", "jog", "run", "sprint", "attack", "stand", "ready", "knock_aside", "hold", "open")
FREE = ("end", "clear", "policy")
STRETCH = 8
"""Spaces at least for which a way to run is looked for."""


def check(f: Fight, p: Person, command: dict[str, Any]) -> None:
    """Raises Refused where an order goes against what holds the mind."""
    do = command["do"]
    if do in ("end", "hold") and not (p.order and not p.order["done"] and (p.order["path"] or p.order["deed"])):
        no_idling(f, p)
    if do in FREE:
        return
    if "bound" in p.effects and do not in ("turn", "hold"):
        raise Refused("bound")
    if "panicked" in p.effects and do not in AWAY:
        raise Refused("panicked")
    if "enraged" in p.effects and do not in RAGE:
        raise Refused("enraged")
    if "enraged" in p.effects and do == "hold" and in_reach(f, p, nearest(f, p)):
        raise Refused("enraged: strike")
    q = f.by_id.get(command.get("target") or "")
    if "charmed" in p.effects and q is not None and q.side != p.side:
        if do in ("attack", "shoot", "cast", "hold_at_bay", "set"):
            raise Refused("charmed")
    path = command.get("path")
    if do in MOVES and path:
        if "panicked" in p.effects and not away(f, p, tuple(path[-1])):
            raise Refused("panicked: away only")
        near = nearest(f, p)
        if "enraged" in p.effects and near is not None and gap(f, p, near, tuple(path[-1])) > f.distance(p, near):
            raise Refused("enraged: towards it only")
    if "enraged" in p.effects and do == "attack" and q is not None:
        near = nearest(f, p)
        if near is not None and f.distance(p, q) > f.distance(p, near):
            raise Refused("enraged: the nearest")


def gap(f: Fight, p: Person, q: Person, at: Spot) -> int:
    return apart(at, p.space, q.at, q.space)


def nearest(f: Fight, p: Person) -> Person | None:
    return min(f.foes(p), key=lambda q: (f.distance(p, q), q.number), default=None)


def away(f: Fight, p: Person, at: Spot) -> bool:
    foes = f.foes(p)
    return not foes or min(gap(f, p, q, at) for q in foes) > min(f.distance(p, q) for q in foes)


def in_reach(f: Fight, p: Person, q: Person | None) -> bool:
    return q is not None and not p.wields()["brackets"] and f.reaches(p, q)


def no_idling(f: Fight, p: Person) -> None:
    """The enraged do not wait while they may strike the nearest, nor the panicked while there is a way to run."""
    if "enraged" in p.effects and p.fatigue <= f.second and p.held_by is None and not bars(p, "attack"):
        near = nearest(f, p)
        if near is not None and any(in_reach(f, p, q) and f.distance(p, q) <= f.distance(p, near) for q in f.foes(p)):
            raise Refused("enraged")
    torn = "bound" in p.effects or "enraged" in p.effects  # whom rage lets go nowhere but up to the foe has no way
    if "panicked" in p.effects and not torn and p.stance != "kneeling":
        if any(may(f, p, gait) and any(away(f, p, s) for s in ways(f, p, gait)) for gait in ("jog", "flee", "walk")):
            raise Refused("panicked")


def bars(p: Person, do: str) -> bool:
    """Whether another hold on the mind forbids all of a kind."""
    return "bound" in p.effects or "panicked" in p.effects or ("charmed" in p.effects and do == "attack")


def may(f: Fight, p: Person, gait: str) -> bool:
    """Whether somebody may go at a gait at all."""
    engaged = f.engaged(p)
    if gait != "walk" and (p.prone or p.fatigue > f.second or engaged != (gait == "flee")):
        return False
    if "enraged" in p.effects and gait == "flee":
        return False
    return bool(p.rates["walk" if gait == "walk" else "jog"])


def ways(f: Fight, p: Person, gait: str) -> set[Spot]:
    """Where a way of whole seconds, of eight spaces or more, may end: round all others, difficult ground twice."""
    budget, carry, was = 0, p.carry, p.gait
    wanted = "sprint" if gait == "flee" else gait
    while budget < STRETCH:
        before, p.gait = p.gait, was
        now = "walk" if p.fatigue > f.second and not p.prone else gait_now(p, wanted)
        p.gait = before
        feet = p.rates[now] * (2 if "swift" in p.effects else 1) + (carry if now == was else 0)
        if not feet:
            break
        budget, carry, was = budget + int(feet // 5), feet % 5, now
    cost = {p.at: 0}
    edge = [p.at]
    while edge:
        at = edge.pop(0)
        for there in [(at[0] + i, at[1] + j) for i in (-1, 0, 1) for j in (-1, 0, 1) if i or j]:
            if not f.ground.step(at, there, p.space) or not f.room(p, there):
                continue
            if p.held_by is not None and gap(f, p, p.held_by, there) < f.distance(p, p.held_by):
                continue
            price = cost[at] + f.ground.costs(there, p.space)
            if price <= budget and price < cost.get(there, budget + 1):
                cost[there] = price
                edge.append(there)
    hunted = p.no_pursuit > f.second
    runs = [q for q in f.living() if q is not p and q.stance == "fleeing"] if hunted else []
    return {s for s in cost if s != p.at and not any(apart(s, 1, q.at, 1) < apart(p.at, 1, q.at, 1) for q in runs)}
