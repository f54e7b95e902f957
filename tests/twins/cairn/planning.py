"""What a creature may plan: a move and an action in either order, and something free (cairn.md §1, §2.7)."""

from __future__ import annotations

from typing import Any

from tests.twins.cairn import deeds, people, secrets, zones
from tests.twins.cairn.fight import HOLDS, TETHER, Fight, present
from tests.twins.cairn.ground import Space, apart, covered
from tests.twins.cairn.people import Person, table

RISE = 2
"""Spaces of movement that standing up takes (10 ft)."""
FREE = ("drop", "pick_up", "avert")


def plan_of(fight: Fight, name: str) -> dict[str, Any]:
    return fight.plans.get(name) or {"move": None, "act": None, "free": None, "first": None, "stood": False}


def speed(who: Person) -> int:
    if held(who) or "rooted" in who["conditions"]:
        return 0
    if who["state"] == "incapacitated":
        return 1
    spaces = min(2, who["speed"]) if who["lame"] else int(who["speed"])
    if "hasted" in who["conditions"]:
        spaces *= 3
    if "slowed" in who["conditions"]:
        spaces //= 2
    return max(0, spaces - ("tardy" in who["conditions"]))


def flies(who: Person) -> bool:
    """Whether what lies or gapes on the floor does nothing to it (cairn.md §3 Off the floor)."""
    return bool(who["flies"] or {"hovering", "clinging"} & set(who["conditions"]))


def airborne(who: Person) -> bool:
    """Whether it goes through the air: who can only crawl does not."""
    return flies(who) and who["state"] == "up"


def allowed(fight: Fight, command: dict[str, Any]) -> bool:
    """Whether the rules accept a command now."""
    if fight.over is not None:
        return False
    by, do = command["by"], command["do"]
    if fight.questions:
        return by == "gm" and do == "choose" and command.get("option") in ("arm", "leg")
    if do == "resolve":
        return by == fight.half or (by in fight.people and fight.people[by]["side"] == fight.half)
    who = fight.people.get(by)
    free = plan_of(fight, by)["free"]
    if who is not None and free and free["do"] == "drop":
        who = people.without(who, free["item"])
    if who is None or who["side"] != fight.half or not fight.able(who):
        return False
    plan = plan_of(fight, by)
    if do == "end":
        return True
    if do == "clear":
        return by in fight.plans
    if who["state"] == "incapacitated" and do != "move":
        return False
    if do in FREE:
        if plan["free"] is not None or (do != "avert" and "smoke" in who["conditions"]):
            return False
        return FREELY[do](fight, who, plan, command)
    if do in MOVES:
        retreats = plan["act"] is not None and plan["act"]["do"] == "retreat"
        return not retreats and MOVES[do](fight, who, plan, command)
    if do not in deeds.CHECKS or plan["act"] is not None:
        return False
    return deeds.CHECKS[do](fight, who, plan, command)


# -- movement


def free_end(fight: Fight, who: Person, at: Space) -> bool:
    """Whether nobody stands, or has planned to stand, where a movement ends, and there is ground."""
    mine = set(covered(at, who["size"]))
    if any(fight.ground.pit(space) for space in mine) or mine & secrets.stepped_over(fight, who):
        return False
    for other in fight.people.values():
        if other["id"] == who["id"] or other["state"] != "up":
            continue
        if mine & set(covered(planned_end(fight, other), other["size"])):
            if other["side"] == who["side"] or fight.seen(other):
                return False
    return True


def planned_end(fight: Fight, who: Person) -> Space:
    """Where somebody will be after its plan's movements."""
    plan = fight.plans.get(who["id"])
    end = who["at"]
    if plan:
        dashed = plan["act"] is not None and plan["act"]["do"] == "dash"
        legs = [plan["move"], plan["act"]["path"] if dashed else None]
        for path in reversed(legs) if plan["first"] == "act" and dashed else legs:
            if path:
                end = tuple(path[-1])
    return end


def stand_before_action(fight: Fight, who: Person) -> Space:
    """Where its action will happen: after the move, if the move comes first."""
    plan = plan_of(fight, who["id"])
    return tuple(plan["move"][-1]) if plan["move"] and plan["first"] == "move" else who["at"]


def walkable(fight: Fight, who: Person, start: Space, path: list[Space], budget: int) -> bool:
    spent, here, fly = 0, start, airborne(who)
    foes = fight.standing(fight.against(who["side"]))
    for x, y in path:
        space = (x, y)
        if not fight.ground.step(here, space, who["size"], fly):
            return False
        mine = set(covered(space, who["size"]))
        if any(mine & set(fight.spaces(foe)) and fight.seen(foe) for foe in foes):
            return False
        if leashed(fight, who, start, space) or not unwarded(fight, who, start, space):
            return False
        spent += fight.ground.price(space, who["size"], fly)
        here = space
    return spent <= budget and free_end(fight, who, here)


def budget(who: Person, plan: dict[str, Any]) -> int:
    """Spaces of the next movement: getting up takes two from the first one (§2.7)."""
    first = not plan["stood"] and not plan["move"] and not (plan["act"] and plan["act"]["do"] == "dash")
    return speed(who) - (RISE if first and who["posture"] == "prone" and who["state"] == "up" else 0)


def held(who: Person) -> bool:
    return any(name in who["conditions"] for name in HOLDS)


def may_move(fight: Fight, who: Person, plan: dict[str, Any], command: dict[str, Any]) -> bool:
    path = command.get("path")
    if not path or plan["move"] is not None or plan["stood"]:
        return False
    dashed = plan["act"] is not None and plan["act"]["do"] == "dash"
    start = planned_end(fight, who) if dashed else who["at"]
    return walkable(fight, who, start, path, budget(who, plan))


def may_dash(fight: Fight, who: Person, plan: dict[str, Any], command: dict[str, Any]) -> bool:
    path = command.get("path")
    if not path or plan["act"] is not None:
        return False
    return walkable(fight, who, planned_end(fight, who), path, budget(who, plan))


def may_stand(fight: Fight, who: Person, plan: dict[str, Any], command: dict[str, Any]) -> bool:
    return who["posture"] == "prone" and plan["move"] is None and not plan["stood"] and speed(who) >= RISE


def enterable(fight: Fight, who: Person, here: Space, there: Space) -> bool:
    """Whether neither a ward keeps it out nor a tether back."""
    return not leashed(fight, who, here, there) and unwarded(fight, who, here, there)


def unwarded(fight: Fight, who: Person, here: Space, there: Space) -> bool:
    """Whether no ward keeps it out; who is inside goes on or out."""
    ward = zones.warded(fight, who) - set(covered(here, who["size"]))
    return not ward & set(covered(there, who["size"]))


def leashed(fight: Fight, who: Person, here: Space, there: Space) -> bool:
    """Whether a step or a way leads farther than a tether from where its other end is, or will have gone; whom magic
    has taken farther away goes no farther still."""
    other = fight.holder(who, "tethered")
    if other is None or not present(other):
        return False
    end = fight.spaces(other, other["at"] if fight.underway else planned_end(fight, other))
    far = apart(fight.spaces(who, there), end)
    return far > TETHER and far > apart(fight.spaces(who, here), end)


# -- what is free


def may_drop(fight: Fight, who: Person, plan: dict[str, Any], command: dict[str, Any]) -> bool:
    item, things = command.get("item"), people.carried(who)
    if item not in things or (item in who["worn"] and not people.grip(item)):
        return False
    return needed(plan["act"]).count(item) < things.count(item)


def needed(act: dict[str, Any] | None) -> list[str]:
    """What a planned action is done with: that cannot be dropped before it."""
    if act is None:
        return []
    return ["bandages"] if act["do"] == "bandage" else (act.get("weapon") or act.get("item") or "").split(" + ")


def may_pick_up(fight: Fight, who: Person, plan: dict[str, Any], command: dict[str, Any]) -> bool:
    """From one's own or a neighbouring space, where the movements planned so far end."""
    here = covered(planned_end(fight, who), who["size"])
    return any(item == command.get("item") and in_hand(fight, here, at) for item, at in fight.floor)


def in_hand(fight: Fight, here: list[Space], at: Space) -> bool:
    """Whether hands reach a space: one's own, or a neighbouring one with no wall between (cairn.md §2.12)."""
    return at in here or (apart(here, [at]) <= 1 and bool(fight.ground.sight(here, [at], False, True)))


def may_avert(fight: Fight, who: Person, plan: dict[str, Any], command: dict[str, Any]) -> bool:
    return any(stares(foe) for foe in fight.here() if foe["side"] != who["side"])


def stares(who: Person) -> bool:
    return any("gaze" in table("powers")[name].get("tags", ()) for name in who["powers"])


FREELY = {"drop": may_drop, "pick_up": may_pick_up, "avert": may_avert}
MOVES = {"move": may_move, "dash": may_dash, "stand": may_stand}


def enter(fight: Fight, command: dict[str, Any]) -> None:
    """Write an accepted command into the plans."""
    by, do = command["by"], command["do"]
    if do == "clear":
        del fight.plans[by]
        return
    plan = fight.plans.setdefault(by, plan_of(fight, by))
    if do == "move":
        plan["move"] = [tuple(space) for space in command["path"]]
        plan["first"] = plan["first"] or "move"
    elif do == "stand":
        plan["stood"] = True
        plan["first"] = plan["first"] or "move"
    elif do in FREE:
        plan["free"] = command
    elif do != "end":
        if do in ("attack", "daring") and command.get("weapon") is None:
            command = {**command, "weapon": deeds.first_weapon(fight.people[by])}
        plan["act"] = {**command, "path": [tuple(space) for space in command.get("path") or ()]}
        plan["first"] = plan["first"] or "act"
