"""What a creature may plan: a move and an action in either order, and something free (cairn.md §1, §2.7)."""

from __future__ import annotations

from typing import Any

from tests.twins.cairn import people
from tests.twins.cairn.fight import CLOCK, Fight
from tests.twins.cairn.ground import Space, covered
from tests.twins.cairn.people import Person, table

RISE = 2
"""Spaces of movement that standing up takes (10 ft)."""


def plan_of(fight: Fight, name: str) -> dict[str, Any]:
    return fight.plans.get(name) or {"move": None, "act": None, "free": None, "first": None, "stood": False}


def speed(who: Person) -> int:
    if who["state"] == "incapacitated":
        return 1
    return min(2, who["speed"]) if who["lame"] else int(who["speed"])


def allowed(fight: Fight, command: dict[str, Any]) -> bool:
    """Whether the rules accept a command now."""
    if fight.over is not None:
        return False
    by, do = command["by"], command["do"]
    if do == "resolve":
        return by == fight.half or (by in fight.people and fight.people[by]["side"] == fight.half)
    who = fight.people.get(by)
    if who is not None and plan_of(fight, by)["free"]:
        who = people.without(who, plan_of(fight, by)["free"]["item"])
    if who is None or who["side"] != fight.half or not fight.able(who):
        return False
    plan = plan_of(fight, by)
    if do == "end":
        return True
    if do == "clear":
        return by in fight.plans
    if who["state"] == "incapacitated" and do != "move":
        return False
    if plan["act"] and plan["act"]["do"] == "retreat":
        return False
    check = CHECKS.get(do)
    return check is not None and check(fight, who, plan, command)


# -- movement


def free_end(fight: Fight, who: Person, at: Space) -> bool:
    """Whether nobody stands, or has planned to stand, where a movement ends."""
    mine = set(covered(at, who["size"]))
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
    spent, here = 0, start
    foes = fight.standing(fight.against(who["side"]))
    for space in path:
        space = tuple(space)
        if not fight.ground.step(here, space, who["size"]):
            return False
        mine = set(covered(space, who["size"]))
        if any(mine & set(fight.spaces(foe)) and fight.seen(foe) for foe in foes):
            return False
        spent += fight.ground.price(space, who["size"])
        here = space
    return spent <= budget and free_end(fight, who, here)


def budget(who: Person, plan: dict[str, Any]) -> int:
    """Spaces of the next movement: getting up takes two from the first one (§2.7)."""
    first = not plan["stood"] and not plan["move"] and not (plan["act"] and plan["act"]["do"] == "dash")
    return speed(who) - (RISE if first and who["posture"] == "prone" and who["state"] == "up" else 0)


def held(who: Person) -> bool:
    return any(name in who["conditions"] for name in ("restrained", "engulfed", "swallowed", "rooted"))


def may_move(fight: Fight, who: Person, plan: dict[str, Any], command: dict[str, Any]) -> bool:
    path = command.get("path")
    if not path or plan["move"] is not None or plan["stood"] or held(who):
        return False
    dashed = plan["act"] is not None and plan["act"]["do"] == "dash"
    start = planned_end(fight, who) if dashed else who["at"]
    return walkable(fight, who, start, path, budget(who, plan))


def may_dash(fight: Fight, who: Person, plan: dict[str, Any], command: dict[str, Any]) -> bool:
    path = command.get("path")
    if not path or plan["act"] is not None or held(who):
        return False
    return walkable(fight, who, planned_end(fight, who), path, budget(who, plan))


def may_stand(fight: Fight, who: Person, plan: dict[str, Any], command: dict[str, Any]) -> bool:
    return who["posture"] == "prone" and plan["move"] is None and not plan["stood"] and speed(who) >= RISE


# -- deeds


def can_act(who: Person, plan: dict[str, Any]) -> bool:
    return plan["act"] is None


def weapons_of(who: Person, name: str | None) -> list[dict[str, Any]] | None:
    """The weapons that a name means, one or two; None for nothing that it has."""
    every = people.arms(who)
    if name is None:
        return every[:1]
    one = [arm for arm in every if arm["name"] == name]
    if one:
        return one[:1]
    names = name.split(" + ")
    if len(names) != 2 or who["one_armed"]:
        return None
    rest, pair = [arm for arm in every if arm.get("item")], []
    for part in names:
        found = next((arm for arm in rest if arm["name"] == part), None)
        if found is None:
            return None
        rest.remove(found)
        pair.append(found)
    ordered = [arm["name"] for arm in sorted(pair, key=lambda arm: people.carried(who).index(arm["name"]))]
    if ordered != names or any(arm["hands"] != 1 or arm["blast"] or not arm["reach"] for arm in pair):
        return None
    return pair


def tags(pair: list[dict[str, Any]]) -> set[str]:
    """What a blow is made of: two weapons at once are only what both are (docs/cairn.md)."""
    return set.intersection(*(set(arm["tags"]) for arm in pair))


def reach(fight: Fight, who: Person, pair: list[dict[str, Any]], target: Person, at: Space) -> str | None:
    """How a blow reaches its target: `melee`, `near`, `far`; None for not at all."""
    far = fight.distance(who, target, at)
    if not fight.sight(who, target, at):
        return None
    arm = pair[0]
    if arm["reach"] and far <= min(one["reach"] for one in pair):
        return "melee"
    if len(pair) > 1:
        return None
    if arm["far"] and far <= arm["far"]:
        return "near" if far <= arm["near"] else "far"
    return None


def beside(fight: Fight, who: Person, target: Person, at: Space) -> bool:
    """Whether another is a neighbour, with no wall between: within the reach of hands."""
    return fight.distance(who, target, at) <= 1 and bool(fight.sight(who, target, at))


def may_attack(fight: Fight, who: Person, plan: dict[str, Any], command: dict[str, Any]) -> bool:
    target = fight.people.get(command.get("target") or "")
    if not can_act(who, plan) or target is None or target["id"] == who["id"]:
        return False
    if target["state"] in ("dead", "fled"):
        return False
    pair = weapons_of(who, command.get("weapon"))
    if pair is None or (who["one_armed"] and any(arm["hands"] > 1 for arm in pair)):
        return False
    how = reach(fight, who, pair, target, stand_before_action(fight, who))
    return how is not None and (command["do"] == "attack" or how == "melee")


def may_manoeuvre(fight: Fight, who: Person, plan: dict[str, Any], command: dict[str, Any]) -> bool:
    target = fight.people.get(command.get("target") or "")
    if (
        not can_act(who, plan)
        or target is None
        or target["id"] == who["id"]
        or target["state"] in ("dead", "fled")
    ):
        return False
    at = stand_before_action(fight, who)
    if not beside(fight, who, target, at):
        return False
    option = command.get("option")
    return option in ("trip", "shove", "grapple")


def may_bandage(fight: Fight, who: Person, plan: dict[str, Any], command: dict[str, Any]) -> bool:
    target = fight.people.get(command.get("target") or "")
    if (
        not can_act(who, plan)
        or target is None
        or target["id"] == who["id"]
        or "bandages" not in people.carried(who)
    ):
        return False
    at = stand_before_action(fight, who)
    if not beside(fight, who, target, at):
        return False
    return CLOCK in target["conditions"] or "mortally wounded" in target["conditions"]


def may_break_free(fight: Fight, who: Person, plan: dict[str, Any], command: dict[str, Any]) -> bool:
    return can_act(who, plan) and "restrained" in who["conditions"]


def may_drop(fight: Fight, who: Person, plan: dict[str, Any], command: dict[str, Any]) -> bool:
    item, things = command.get("item"), people.carried(who)
    if plan["free"] is not None or item not in things or (item in table("armour") and item != "shield"):
        return False
    return needed(plan["act"]).count(item) < things.count(item)


def needed(act: dict[str, Any] | None) -> list[str]:
    """What a planned action is done with: that cannot be dropped before it."""
    if act is None:
        return []
    return (
        ["bandages"] if act["do"] == "bandage" else (act.get("weapon") or act.get("item") or "").split(" + ")
    )


def may_pick_up(fight: Fight, who: Person, plan: dict[str, Any], command: dict[str, Any]) -> bool:
    return False


CHECKS = {
    "move": may_move, "dash": may_dash, "stand": may_stand, "attack": may_attack, "daring": may_attack,
    "manoeuvre": may_manoeuvre, "bandage": may_bandage, "break_free": may_break_free, "drop": may_drop,
    "pick_up": may_pick_up,
}  # fmt: skip


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
    elif do in ("drop", "pick_up"):
        plan["free"] = command
    elif do != "end":
        plan["act"] = {**command, "path": [tuple(space) for space in command.get("path") or ()]}
        plan["first"] = plan["first"] or "act"
