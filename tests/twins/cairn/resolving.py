"""A side carries out its plans: drops and moves, risks, pooled blows, the rest, moves after the action (§1, A2)."""

from __future__ import annotations

from typing import Any

from tests.twins.cairn import blows, morale, people, planning, wounds
from tests.twins.cairn.fight import CLOCK, FOES, PARTY, Fight
from tests.twins.cairn.ground import Space, covered
from tests.twins.cairn.people import Person

RISKS = ("daring", "manoeuvre", "break_free")


def begin(fight: Fight) -> None:
    """The saves of the first round, and on to the first half in which somebody plans."""
    fight.start()
    if fight.idle():
        finish_half(fight, fight.half)


def resolve(fight: Fight) -> None:
    side = fight.half
    plans = list(fight.plans.items())
    doers = [(fight.people[name], plan) for name, plan in plans]
    for who, plan in doers:
        if plan["free"]:
            drop(fight, who, plan["free"]["item"])
        dash = plan["act"] if plan["act"] and plan["act"]["do"] == "dash" else None
        if plan["first"] == "move":
            walk(fight, who, plan)
        if dash:
            walk_path(fight, who, dash["path"], planning.speed(who))
            if plan["first"] == "act":
                walk(fight, who, plan)
    dared = set()
    for who, plan in doers:
        if plan["act"] and plan["act"]["do"] in RISKS:
            if risk(fight, who, plan["act"]):
                dared.add(who["id"])
    strikers = []
    for who, plan in doers:
        if plan["act"] and (
            plan["act"]["do"] == "attack" or (plan["act"]["do"] == "daring" and who["id"] in dared)
        ):
            strikers.append((who, plan["act"]))
    blows.exchange(fight, strikers)
    for who, plan in doers:
        if plan["act"] and plan["act"]["do"] == "bandage":
            bandage(fight, who, plan["act"])
    wounds.bury(fight)
    for who, plan in doers:
        dashed = plan["act"] is not None and plan["act"]["do"] == "dash"
        if plan["first"] == "act" and not dashed and who["state"] == "up":
            walk(fight, who, plan)
    loosen(fight)
    finish_half(fight, side)


def finish_half(fight: Fight, side: str) -> None:
    for who in fight.of(side):  # times count the victim's own halves, and end with the round
        for name in who.pop("timed", ()):
            if name in who["conditions"]:
                who["conditions"][name] -= 1
    if side == PARTY:
        fight.close_if_decided()
        if fight.over is None:
            morale.test(fight)
    fight.close_if_decided()
    if fight.over is None:
        last = fight.half
        if last == FOES:
            expire(fight)
        fight.next_half()
        if last == FOES:
            morale.test(fight)
            fight.close_if_decided()
        if fight.over is None and fight.idle():
            finish_half(fight, fight.half)
    else:
        fight.plans = {}


def expire(fight: Fight) -> None:
    """What has run down ends with the round; the hour's clocks end in death."""
    for who in fight.people.values():
        for name in [n for n, rounds in who["conditions"].items() if rounds is not None and rounds <= 0]:
            del who["conditions"][name]
            if name in (CLOCK, "mortally wounded"):
                wounds.die(fight, who)


# -- movement


def walk(fight: Fight, who: Person, plan: dict[str, Any]) -> None:
    if plan["stood"]:
        if who["posture"] == "prone" and planning.speed(who) >= planning.RISE and who["state"] == "up":
            who["posture"] = "standing"
        return
    if plan["move"]:
        walk_path(fight, who, plan["move"], planning.speed(who))


def walk_path(fight: Fight, who: Person, path: list[Space], left: int) -> None:
    """Go along a way as far as one still can, and end on a free space."""
    if planning.held(who) or who["state"] not in ("up", "incapacitated"):
        return
    if who["posture"] == "prone" and who["state"] == "up":
        if left < planning.RISE + fight.ground.price(path[0], who["size"]):
            return  # nobody gets up for a way of which it can go nothing
        left -= planning.RISE
        who["posture"] = "standing"
    here, best = who["at"], who["at"]
    for space in path:
        price = fight.ground.price(space, who["size"])
        if price > left or not fight.ground.step(here, space, who["size"]) or barred(fight, who, space):
            break
        left -= price
        here = space
        if not taken(fight, who, here):
            best = here
    who["at"] = best


def barred(fight: Fight, who: Person, at: Space) -> bool:
    mine = set(covered(at, who["size"]))
    return any(mine & set(fight.spaces(foe)) for foe in fight.standing(fight.against(who["side"])))


def taken(fight: Fight, who: Person, at: Space) -> bool:
    mine = set(covered(at, who["size"]))
    others = [other for other in fight.people.values() if other is not who and other["state"] == "up"]
    return any(mine & set(fight.spaces(other)) for other in others)


def drop(fight: Fight, who: Person, item: str) -> None:
    (who["hands"] if item in who["hands"] else who["pack"]).remove(item)
    fight.floor.append((item, who["at"]))


# -- risks and the rest


def risk(fight: Fight, who: Person, act: dict[str, Any]) -> bool:
    """A daring save, a manoeuvre, breaking free; whether it worked."""
    if act["do"] == "daring":
        if fight.save(who["dex"]):
            return True
        who["posture"] = "prone"
        return False
    if act["do"] == "break_free":
        if fight.save(max(who["str"], who["dex"])):
            who["conditions"].pop("restrained", None)
        return True
    target = fight.people[act["target"]]
    if target["state"] in ("dead", "fled") or not planning.beside(fight, who, target, who["at"]):
        return False
    rating = max(who["str"], who["dex"]) if act["option"] == "trip" else who["str"]
    if fight.helpless(target) or fight.save(rating):
        loser, winner = target, who
    else:
        loser, winner = who, target
    suffer(fight, loser, winner, act["option"])
    return True


def suffer(fight: Fight, loser: Person, winner: Person, option: str) -> None:
    if option == "trip":
        loser["posture"] = "prone"
    elif option == "grapple":
        if "restrained" not in loser["conditions"]:  # who is held is not held twice
            loser["conditions"]["restrained"] = None
            loser["gripped_by"] = winner["id"]
    else:
        push(fight, loser, winner)


def push(fight: Fight, loser: Person, winner: Person) -> None:
    """A space straight away from whoever shoves, where the ground lets it and nobody stands."""
    here, from_ = fight.spaces(loser), fight.spaces(winner)
    step = [0, 0]
    for axis in (0, 1):
        mine, theirs = [space[axis] for space in here], [space[axis] for space in from_]
        step[axis] = (min(mine) > max(theirs)) - (max(mine) < min(theirs))
    if step == [0, 0] or not loser["speed"]:
        return
    goal = (loser["at"][0] + step[0], loser["at"][1] + step[1])
    ahead = [space for space in covered(goal, loser["size"]) if space not in here]
    if all(fight.ground.inside(space) and fight.ground.sign(space) == " " for space in ahead):
        loser["state"] = "fled"
        wounds.casualty(fight, loser)
        return
    if fight.ground.step(loser["at"], goal, loser["size"]) and not taken(fight, loser, goal):
        loser["at"] = goal


def bandage(fight: Fight, who: Person, act: dict[str, Any]) -> None:
    target = fight.people[act["target"]]
    if "bandages" not in people.carried(who):
        return
    for name in (CLOCK, "mortally wounded"):
        if name in target["conditions"]:
            del target["conditions"][name]
            target["conditions"]["stable"] = None
    used = who["used"].get("bandages", 0) + 1
    who["used"]["bandages"] = used % 3
    if used == 3:
        (who["hands"] if "bandages" in who["hands"] else who["pack"]).remove("bandages")


def loosen(fight: Fight) -> None:
    """Grips of those who fell, are helpless or have gone end."""
    for who in fight.people.values():
        holder = fight.people.get(who.get("gripped_by", ""))
        if holder and "restrained" in who["conditions"]:
            if holder["state"] != "up" or fight.helpless(holder) or fight.distance(who, holder) > 1:
                del who["conditions"]["restrained"]
