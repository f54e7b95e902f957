"""A side carries out its plans: drops and moves, what waits for them, risks, pooled blows, the rest, moves after the
action (cairn.md §1, A2), and the end of the round."""

from __future__ import annotations

from typing import Any

from tests.twins.cairn import (
    blows,
    deeds,
    driven,
    magic,
    morale,
    people,
    planning,
    ready,
    secrets,
    wounds,
    zones,
)  # fmt: skip
from tests.twins.cairn.fight import CLOCK, FOES, HOLDS, MAWS, PARTY, Fight, present
from tests.twins.cairn.ground import Space, apart, covered
from tests.twins.cairn.people import Person

Act = dict[str, Any]


def begin(fight: Fight) -> None:
    """The saves of the first round, and on to the first half in which somebody plans."""
    fight.start()
    if fight.idle():
        resolve(fight)


def resolve(fight: Fight) -> None:
    side = fight.half
    fight.moved, fight.underway = [], True
    ready.lapse(fight, side)
    doers = [(fight.people[name], plan) for name, plan in fight.plans.items()]
    driven_blows = driven.drive(fight, side)
    early(fight, doers)
    ready.spring(fight, "comes", side, fight.moved)
    actors = [
        who["id"] for who, plan in doers
        if plan["act"] and plan["act"]["do"] not in ("dash", "ready") and fight.can_act(who)
    ]  # fmt: skip
    ready.spring(fight, "acts", side, actors)
    dared = set()
    for who, plan in doers:
        act = plan["act"]
        if act and act["do"] in RISKS and fight.can_act(who):
            if act["do"] != "retreat":
                fight.lose(who, "invisible")
            if RISKS[act["do"]](fight, who, act):
                dared.add(who["id"])
    doing = [who["id"] for who, _ in doers if fight.can_act(who)]
    strikers = driven_blows
    for who, plan in doers:
        act = plan["act"]
        if act and (act["do"] == "attack" or (act["do"] == "daring" and who["id"] in dared)):
            strikers.append((who, act))
    fight.resolving = True  # what burns from here on does so when everybody has acted
    blows.exchange(fight, strikers)
    for who, plan in doers:
        act = plan["act"]
        if act and act["do"] in OTHERS and who["id"] in doing and who["state"] != "fled":
            if act["do"] != "ready":
                fight.lose(who, "invisible")
            OTHERS[act["do"]](fight, who, act)
    fight.resolving = False
    wounds.burn(fight)
    before = list(fight.moved)
    fight.moved = []
    for who, plan in doers:
        if late(plan) and fight.can_act(who):
            walk(fight, who, plan)
            pick(fight, who, plan)
    ready.spring(fight, "comes", side, fight.moved)
    ready.spring(fight, "comes", fight.against(side), list(dict.fromkeys([*before, *fight.moved])))
    for who in fight.people.values():
        who["ran"] = 0
    fight.plans, fight.underway = {}, False
    if not fight.questions:
        finish_half(fight, side)


def dashes(plan: dict[str, Any]) -> bool:
    return plan["act"] is not None and plan["act"]["do"] == "dash"


def late(plan: dict[str, Any]) -> bool:
    """Whether its movement comes after the action, and what it picks up with it."""
    return plan["first"] == "act" and not dashes(plan) and bool(plan["move"] or plan["stood"])


def early(fight: Fight, doers: list[tuple[Person, dict[str, Any]]]) -> None:
    """What is let go or looked away from, and the movements that come before everything else."""
    begun = {who["id"]: who["at"] for who, _ in doers}
    for who, plan in doers:
        if plan["free"] and plan["free"]["do"] == "drop" and fight.can_act(who):
            drop(fight, who, plan["free"]["item"])
        if plan["free"] and plan["free"]["do"] == "avert":
            fight.gain(who, "averted", 0)
        dash = plan["act"]["path"] if dashes(plan) else None
        if plan["first"] != "act":
            walk(fight, who, plan)
        if dash:
            walk_path(fight, who, dash, planning.speed(who))
            if plan["first"] == "act":
                walk(fight, who, plan)
        if not late(plan):
            pick(fight, who, plan)
    for who, _ in doers:
        who["ran"] = apart(covered(begun[who["id"]], who["size"]), fight.spaces(who)) if present(who) else 0


def answer(fight: Fight, command: dict[str, Any]) -> None:
    """The game master says which limb is lost; with the last answer the half is done."""
    wounds.limb(fight, fight.people[fight.questions.pop(0)], command["option"])
    if not fight.questions:
        finish_half(fight, fight.half)


def finish_half(fight: Fight, side: str) -> None:
    loosen(fight)
    for who in fight.of(side):  # times count the victim's own halves, and end with the round
        for name in who["timed"]:
            if name in who["conditions"]:
                who["conditions"][name] -= 1
        who["timed"] = []
    if side == PARTY:
        morale.test(fight)
    fight.close_if_decided()
    if fight.over is None:
        last = fight.half
        if last == FOES:
            end_round(fight)
            fight.close_if_decided()
        fight.next_half()
        if fight.over is None and fight.idle():
            resolve(fight)
    else:
        fight.plans = {}


def end_round(fight: Fight) -> None:
    """Times run down, saves shake off what allows it, clocks and maws take their toll, morale again."""
    for who in fight.people.values():
        who["late"] = False
        who["marks"].pop("casting", None)
        for name in list(who["conditions"]):
            if name in who["conditions"] and present(who):
                run_down(fight, who, name)
    for who in fight.people.values():
        for name in list(who["conditions"]):
            if name in who["conditions"] and present(who) and who["marks"].get(name, {}).get("die"):
                devour(fight, who, name)
    rise_again(fight)
    zones.age(fight)
    zones.dismiss(fight)
    fight.panic()
    morale.test(fight)


def run_down(fight: Fight, who: Person, name: str) -> None:
    rounds, marks = who["conditions"][name], who["marks"].get(name, {})
    ends = rounds is not None and rounds <= 0
    if marks.get("save") and not ends and name not in HOLDS:
        if fight.save(who[marks["save"]]):
            fight.lose(who, name)
        return
    if not ends:
        return
    fight.lose(who, name)
    if name in (CLOCK, "mortally wounded"):
        wounds.die(fight, who)
        return
    maker = fight.people.get(marks.get("by", ""))
    if marks.get("then") and (maker is None or maker["state"] == "up"):
        if marks["then"] == "dead":
            wounds.die(fight, who)
        else:
            fight.gain(who, marks["then"])


def devour(fight: Fight, who: Person, name: str) -> None:
    """What every round in a maw costs, as long as one is in it; stingers go along."""
    if name in MAWS and not deeds.keeps_hold(fight, who, name):
        fight.lose(who, name)
        return
    wounds.harm(fight, who, fight.throw(who["marks"][name]["die"]), True)


def rise_again(fight: Fight) -> None:
    """A zombie that was not destroyed stands up after three minutes."""
    for who in fight.people.values():
        if who["state"] == "dead" and who.get("bled"):
            who["bled"] -= 1
            if not who["bled"]:
                at = nearest_free(fight, who, who["at"])
                if at is not None:
                    who["state"], who["posture"], who["hp"], who["at"] = "up", "standing", who["hp_max"], at


def nearest_free(fight: Fight, who: Person, goal: Space) -> Space | None:
    """The nearest space where it fits and nobody stands; of equals the first by rows."""
    free = []
    for at in fight.ground.everywhere():
        if fight.ground.fits(at, who["size"]) and not taken(fight, who, at):
            away = apart(covered(at, who["size"]), covered(goal, who["size"]))
            free.append((away, at[1], at[0]))
    if not free:
        return None
    _, y, x = min(free)
    return x, y


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
    if planning.held(who) or not present(who):
        return
    fly = planning.airborne(who)
    if who["posture"] == "prone" and who["state"] == "up":
        if left < planning.RISE + fight.ground.price(path[0], who["size"], fly):
            return  # nobody gets up for a way of which it can go nothing
        left -= planning.RISE
        who["posture"] = "standing"
    here, best, went = who["at"], who["at"], False
    for space in path:
        price = fight.ground.price(space, who["size"], fly)
        if price > left or not fight.ground.step(here, space, who["size"], fly) or barred(fight, who, space):
            break
        if not planning.enterable(fight, who, here, space):
            break
        left -= price
        before, here = here, space
        ground = zones.met(fight, who, before, here)
        if kept_off(fight, who, here):
            sprung = []
            ground = [zone for zone in ground if zone["kind"] == "fire"]
        else:
            best, went = here, True
            sprung = secrets.trodden(fight, who, before, here)
        if ground or sprung:
            if who["at"] != best:
                who["at"] = best
                fight.note_move(who)
                fight.lose(who, "invisible")
            ended = secrets.go_off(fight, who, sprung)
            if zones.suffer(fight, who, ground) or ended or not present(who) or "critical" in who["conditions"]:
                return
    if went:
        who["at"] = best
        fight.note_move(who)
        fight.lose(who, "invisible")


def barred(fight: Fight, who: Person, at: Space) -> bool:
    mine = set(covered(at, who["size"]))
    return any(mine & set(fight.spaces(foe)) for foe in fight.standing(fight.against(who["side"])))


def taken(fight: Fight, who: Person, at: Space) -> bool:
    """Whether there is no room to come to rest: somebody stands there, or nothing is there to stand on."""
    mine = set(covered(at, who["size"]))
    if any(fight.ground.inside(space) and fight.ground.pit(space) for space in mine):
        return True
    others = [other for other in fight.people.values() if other is not who and other["state"] == "up"]
    return any(mine & set(fight.spaces(other)) for other in others)


def kept_off(fight: Fight, who: Person, at: Space) -> bool:
    """Whether nobody stops there of its own will: no room, or a trap that its side knows of."""
    return taken(fight, who, at) or bool(set(covered(at, who["size"])) & secrets.stepped_over(fight, who))


def drop(fight: Fight, who: Person, item: str) -> None:
    if item in people.carried(who):
        (who["hands"] if item in who["hands"] else who["pack"]).remove(item)
        fight.floor.append((item, who["at"]))


def pick(fight: Fight, who: Person, plan: dict[str, Any]) -> None:
    """A thing off the floor, where the movement ended."""
    if not plan["free"] or plan["free"]["do"] != "pick_up" or not fight.can_act(who):
        return
    here = fight.spaces(who)
    for number, (item, at) in enumerate(fight.floor):
        if item == plan["free"]["item"] and planning.in_hand(fight, here, at):
            del fight.floor[number]
            zones.taken_up(fight, item, at)
            who["pack"].append(item)
            return


# -- risks


def daring(fight: Fight, who: Person, act: Act) -> bool:
    if fight.save(who["dex"]):
        return True
    fight.gain(who, "prone")
    return False


def break_free(fight: Fight, who: Person, act: Act) -> bool:
    held = deeds.suffers(who)
    rating = who["str"] if held == "stuck" else max(who["str"], who["dex"])
    if fight.save(rating) and held:
        free(fight, who, held)
    return False


def free(fight: Fight, who: Person, name: str) -> None:
    """Out of what held it; a tether that is cut holds nobody at its other end either."""
    other = fight.holder(who, name) if name == "tethered" else None
    fight.lose(who, name)
    if other:
        fight.lose(other, name)


def helping(fight: Fight, who: Person, act: Act) -> bool:
    """Freed without a roll, but out of a foe's grip: the weaker of the two saves STR."""
    friend = fight.people[act["target"]]
    name = deeds.suffers(friend) or ("panicked" if "panicked" in friend["conditions"] else None)
    if name is None or not present(friend) or not deeds.beside(fight, who, friend, who["at"]):
        return False
    if deeds.gripped(fight, friend) and not fight.save(min(who["str"], friend["str"])):
        return False
    free(fight, friend, name)
    return False


def steady(fight: Fight, who: Person, act: Act) -> bool:
    if fight.save(who["wil"]):
        fight.lose(who, "panicked")
    return False


def retreat(fight: Fight, who: Person, act: Act) -> bool:
    """Player's characters save while an able foe sees them; who passes is out of the fight (§2.8, A16)."""
    foes = [foe for foe in fight.of(fight.against(who["side"])) if fight.can_act(foe)]
    watched = any(fight.spots(foe, fight.spaces(who)) and fight.makes_out(foe, who) for foe in foes)
    if not watched or not who["pc"] or fight.save(who["dex"]):
        fight.leave(who, "retreated")
    return False


def manoeuvre(fight: Fight, who: Person, act: Act) -> bool:
    target = fight.people[act["target"]]
    if not present(target) or not deeds.beside(fight, who, target, who["at"]):
        return False
    if any(people.table("armour")[item].get("barbs") for item in people.worn(target)):
        if not fight.save(who["str"]):
            fight.gain(who, "unconscious")
            return False
    rating = max(who["str"], who["dex"]) if act["option"] == "trip" else who["str"]
    if fight.helpless(target) or fight.save(rating):
        loser, winner = target, who
    else:
        loser, winner = who, target
    if act["option"] == "trip":
        fight.gain(loser, "prone")
    elif act["option"] == "grapple":
        fight.gain(loser, "restrained", by=winner["id"], grip=True)
    else:
        push(fight, loser, winner)
    return False


def push(fight: Fight, loser: Person, winner: Person, spaces: int = 1, towards: bool = False) -> None:
    """Straight away from somebody, where the ground lets it and nobody stands; over an edge one falls."""
    here, from_ = fight.spaces(loser), fight.spaces(winner)
    step = [0, 0]
    for axis in (0, 1):
        mine, theirs = [space[axis] for space in here], [space[axis] for space in from_]
        step[axis] = (min(mine) > max(theirs)) - (max(mine) < min(theirs))
        step[axis] *= -1 if towards else 1
    if step == [0, 0] or not loser["speed"] or "rooted" in loser["conditions"]:
        return
    start = loser["at"]
    for _ in range(spaces):
        here = fight.spaces(loser)
        goal = (loser["at"][0] + step[0], loser["at"][1] + step[1])
        ahead = [space for space in covered(goal, loser["size"]) if space not in here]
        if not planning.flies(loser) and all(fight.ground.inside(s) and fight.ground.pit(s) for s in ahead):
            fight.leave(loser, "fallen")
            return
        fly = planning.airborne(loser)
        if not fight.ground.step(loser["at"], goal, loser["size"], fly) or taken(fight, loser, goal):
            break
        if not planning.enterable(fight, loser, loser["at"], goal):
            break
        before, loser["at"] = loser["at"], goal
        ground = zones.met(fight, loser, before, goal)
        sprung = secrets.trodden(fight, loser, before, goal, thrown=True)
        if ground or sprung:
            fight.note_move(loser)
            fight.lose(loser, "invisible")
            ended = secrets.go_off(fight, loser, sprung)
            if zones.suffer(fight, loser, ground) or ended or not present(loser):
                return
    if loser["at"] != start:
        fight.note_move(loser)
        fight.lose(loser, "invisible")


def force(fight: Fight, who: Person, act: Act) -> bool:
    """A lock or a bar gives way to strength, or does not."""
    door = deeds.door_at(fight, act["target"])
    if door and in_hand(fight, who, door) and deeds.fits_door(fight, door, "force") and fight.save(who["str"]):
        fight.ground.doors[door] = "open"
    return False


def in_hand(fight: Fight, who: Person, door: Space) -> bool:
    return planning.in_hand(fight, fight.spaces(who), door)


# -- the rest


def work_door(fight: Fight, who: Person, act: Act) -> None:
    door = deeds.door_at(fight, act["target"])
    if act["do"] == "close" and any(door in fight.spaces(other) for other in fight.here()):
        return
    if door and in_hand(fight, who, door) and deeds.fits_door(fight, door, act["do"]):
        fight.ground.doors[door] = "open" if act["do"] == "open" else "closed"


def bandage(fight: Fight, who: Person, act: Act) -> None:
    target = fight.people[act["target"]]
    if "bandages" not in people.carried(who) or not deeds.beside(fight, who, target, who["at"]):
        return
    wounds.stop_clock(fight, target)
    spend(who, "bandages")


def spend(who: Person, item: str) -> None:
    """One use of so many; with the last the thing is gone."""
    charges = people.table("gear")[item]["charges"]
    who["used"][item] = (who["used"].get(item, 0) + 1) % charges
    if not who["used"][item]:
        (who["hands"] if item in who["hands"] else who["pack"]).remove(item)


def light(fight: Fight, who: Person, act: Act) -> None:
    """A torch burns three times, and an oil can fills a lantern six times."""
    things = people.carried(who)
    if "torch" in things and who["used"].get("torch", 0) < 3 * things.count("torch") - 1:
        who["used"]["torch"] = who["used"].get("torch", 0) + 1
    elif "lantern" in things and "oil can" in things:
        who["used"]["oil can"] = (who["used"].get("oil can", 0) + 1) % 6
        if not who["used"]["oil can"]:
            (who["hands"] if "oil can" in who["hands"] else who["pack"]).remove("oil can")
    fight.lose(who, "snuffed")


def hold(fight: Fight, who: Person, act: Act) -> None:
    fight.readied.append((who["id"], act))


def loosen(fight: Fight) -> None:
    """Grips of those who fell, are helpless or have gone end; maws let go when their owner falls or goes away."""
    for who in fight.here():
        for name in list(who["conditions"]):
            by = fight.holder(who, name)
            if by and (name in MAWS or (name == "restrained" and who["marks"][name].get("grip"))):
                if not deeds.keeps_hold(fight, who, name):
                    fight.lose(who, name)


RISKS = {
    "daring": daring, "help": helping, "manoeuvre": manoeuvre, "break_free": break_free, "steady": steady,
    "retreat": retreat, "force": force, "tackle": secrets.tackle,
}  # fmt: skip
OTHERS = {
    "cast": magic.cast, "use": magic.cast, "ready": hold, "open": work_door, "close": work_door, "bandage": bandage,
    "light": light, "search": secrets.search,
}  # fmt: skip
