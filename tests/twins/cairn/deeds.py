"""What takes the action: blows and shots, manoeuvres, aid, doors, retreat, what is held ready (cairn.md §2)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.twins.cairn import people, planning, secrets
from tests.twins.cairn.fight import CLINGS, CLOCK, HOLDS, MAWS, Fight, present
from tests.twins.cairn.ground import Space, apart, covered
from tests.twins.cairn.people import Person

Plan = dict[str, Any]
Command = dict[str, Any]
TIED = ("smoke", "pacified")
"""Conditions in which nobody raises a hand (cairn.md §2.12)."""


def tied(who: Person) -> bool:
    return any(name in who["conditions"] for name in TIED)


# -- weapons


def at_hand(who: Person, arm: dict[str, Any]) -> bool:
    """Whether it has hands enough to strike with it."""
    return not (who["one_armed"] and arm.get("item") and arm["hands"] > 1)


def weapons_of(who: Person, name: str | None) -> list[dict[str, Any]] | None:
    """The weapons that a name means, one or two; None for nothing that it has."""
    every = [arm for arm in people.arms(who) if at_hand(who, arm)]
    if not any(arm["reach"] for arm in every) and not any(arm["name"] == "unarmed" for arm in every):
        every.append({**people.STRIKE, **people.UNARMED})
    if name is None:
        return every[:1]
    grown = [arm for arm in every if arm["name"] == name and not arm.get("item")]
    one = grown or [arm for arm in every if arm["name"] == name]
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
    carried = people.carried(who)
    ordered = [arm["name"] for arm in sorted(pair, key=lambda arm: carried.index(arm["name"]))]
    if ordered != names or any(arm["hands"] != 1 or arm["blast"] or not arm["reach"] for arm in pair):
        return None
    return pair


def weapons_now(who: Person, name: str | None) -> list[dict[str, Any]] | None:
    """What a plan strikes with when its time has come: who planned it with bare hands has these still."""
    return [{**people.STRIKE, **people.UNARMED}] if name == "unarmed" else weapons_of(who, name)


def first_weapon(who: Person) -> str:
    """What one strikes with where nothing is said."""
    pair = weapons_of(who, None)
    assert pair
    return str(pair[0]["name"])


def tags(pair: list[dict[str, Any]]) -> set[str]:
    """What a blow is made of: two weapons at once are only what both are (cairn.md §2.2 Two weapons at once)."""
    return set.intersection(*(set(arm["tags"]) for arm in pair))


def melee_reach(who: Person, pair: list[dict[str, Any]]) -> int:
    reach = min(arm["reach"] for arm in pair)
    return reach + (reach > 0 and "elastic" in who["conditions"])


def reach(fight: Fight, who: Person, pair: list[dict[str, Any]], target: Person, at: Space) -> str | None:
    """How a blow reaches its target: `melee`, `near`, `far`; None for not at all."""
    far = fight.distance(who, target, at)
    if not fight.sight(who, target, at) or not fight.makes_out(who, target, at):
        return None
    arm = pair[0]
    if arm["run"] and max(who["ran"], apart(fight.spaces(who), covered(at, who["size"]))) < arm["run"]:
        return None
    if melee_reach(who, pair) and far <= melee_reach(who, pair):
        return "melee"
    if len(pair) > 1:
        return None
    if arm["far"] and far <= arm["far"]:
        return "near" if far <= arm["near"] else "far"
    return None


def beside(fight: Fight, who: Person, target: Person, at: Space) -> bool:
    """Whether another is a neighbour, with no wall between: within the reach of hands."""
    return fight.distance(who, target, at) <= 1 and bool(fight.sight(who, target, at))


def aimed(fight: Fight, who: Person, command: Command) -> Person | None:
    """Another one who is there."""
    target = fight.people.get(command.get("target") or "")
    if target is None or target["id"] == who["id"] or not present(target):
        return None
    return target


def befriended(fight: Fight, who: Person, other: Person) -> bool:
    """Charmed by somebody of the other's side: it harms none of them."""
    for name in ("charmed", "enthralled"):
        friend = fight.holder(who, name) if name in who["conditions"] else None
        if friend is not None and friend["side"] == other["side"]:
            return True
    return False


def may_attack(fight: Fight, who: Person, plan: Plan, command: Command) -> bool:
    target = aimed(fight, who, command)
    if tied(who) or target is None or befriended(fight, who, target):
        return False
    pair = weapons_of(who, command.get("weapon"))
    if pair is None:
        return False
    how = reach(fight, who, pair, target, planning.stand_before_action(fight, who))
    return how is not None and (command["do"] == "attack" or how == "melee")


def may_manoeuvre(fight: Fight, who: Person, plan: Plan, command: Command) -> bool:
    target = aimed(fight, who, command)
    if tied(who) or target is None or befriended(fight, who, target):
        return False
    at = planning.stand_before_action(fight, who)
    if not beside(fight, who, target, at) or not fight.makes_out(who, target, at):
        return False
    return command.get("option") in ("trip", "shove", "grapple")


def may_bandage(fight: Fight, who: Person, plan: Plan, command: Command) -> bool:
    target = aimed(fight, who, command)
    if target is None or "smoke" in who["conditions"] or "bandages" not in people.carried(who):
        return False
    return dying(target) and beside(fight, who, target, planning.stand_before_action(fight, who))


def dying(who: Person) -> bool:
    """Whether an hour's clock runs."""
    return any(who["conditions"].get(name) for name in (CLOCK, "mortally wounded"))


def suffers(who: Person) -> str | None:
    """What it could break free of: what holds it in place first."""
    for kinds in (HOLDS, CLINGS):
        for name in who["conditions"]:
            if name in kinds:
                return str(name)
    return None


def may_break_free(fight: Fight, who: Person, plan: Plan, command: Command) -> bool:
    return suffers(who) is not None


def may_help(fight: Fight, who: Person, plan: Plan, command: Command) -> bool:
    target = aimed(fight, who, command)
    if "smoke" in who["conditions"] or target is None or target["side"] != who["side"]:
        return False
    if not suffers(target) and "panicked" not in target["conditions"]:
        return False
    return beside(fight, who, target, planning.stand_before_action(fight, who))


def may_steady(fight: Fight, who: Person, plan: Plan, command: Command) -> bool:
    return "panicked" in who["conditions"]


def gripped(fight: Fight, who: Person) -> bool:
    """Whether it is a creature's own hands or maw that hold somebody, and still hold on."""
    return any(keeps_hold(fight, who, name) for name in who["conditions"])


def keeps_hold(fight: Fight, who: Person, name: str) -> bool:
    holder = fight.holder(who, name)
    if holder is None or not present(holder) or fight.distance(who, holder) > 1:
        return False
    if name in MAWS:
        return holder["state"] == "up"
    return name == "restrained" and bool(who["marks"][name].get("grip")) and fight.can_act(holder)


# -- retreat


def may_retreat(fight: Fight, who: Person, plan: Plan, command: Command) -> bool:
    """The whole turn, and a way to the map's edge or out of sight (cairn.md §2.8)."""
    if plan["move"] or plan["stood"] or speed_now(who) <= 0:
        return False
    foes = [foe for foe in fight.of(fight.against(who["side"])) if fight.can_act(foe)]
    rise = planning.RISE if who["posture"] == "prone" else 0
    there = [who["at"], *ways(fight, who, 2 * planning.speed(who) - rise)]
    return any(safe(fight, who, at, foes) for at in there)


def speed_now(who: Person) -> int:
    return planning.speed(who)


def safe(fight: Fight, who: Person, at: Space, foes: list[Person]) -> bool:
    spaces = covered(at, who["size"])
    edges = (0, fight.ground.width - 1), (0, fight.ground.height - 1)
    if any(x in edges[0] or y in edges[1] for x, y in spaces):
        return True
    return not any(fight.spots(foe, spaces) for foe in foes)


def ways(fight: Fight, who: Person, budget: int) -> list[Space]:
    """Where it could end a movement of so many spaces, but for where it stands."""
    fly = planning.airborne(who)
    foes = [foe for foe in fight.standing(fight.against(who["side"])) if fight.seen(foe)]
    barred = {space for foe in foes for space in fight.spaces(foe)}
    spent = {who["at"]: 0}
    queue = [who["at"]]
    while queue:
        here = queue.pop(0)
        for dx in (-1, 0, 1):
            for dy in (-1, 0, 1):
                there = (here[0] + dx, here[1] + dy)
                if there == here or not fight.ground.step(here, there, who["size"], fly):
                    continue
                if barred & set(covered(there, who["size"])) or not planning.enterable(fight, who, here, there):
                    continue
                cost = spent[here] + fight.ground.price(there, who["size"], fly)
                if cost <= budget and cost < spent.get(there, budget + 1):
                    spent[there] = cost
                    queue.append(there)
    return [at for at in spent if at != who["at"] and planning.free_end(fight, who, at)]


# -- doors


def door_at(fight: Fight, name: str | None) -> Space | None:
    """A door by its name, which is its place."""
    for x, y in fight.ground.doors:
        if name == f"door {x},{y}":
            return x, y
    return None


def may_door(fight: Fight, who: Person, plan: Plan, command: Command) -> bool:
    """Open, close or force: by hand, so that it must be beside one."""
    door, do = door_at(fight, command.get("target")), command["do"]
    if door is None or "smoke" in who["conditions"]:
        return False
    if not planning.in_hand(fight, fight.spaces(who, planning.stand_before_action(fight, who)), door):
        return False
    if fight.ground.doors[door] == "secret" and not secrets.known(fight, who["side"], command["target"]):
        return False
    if do == "close":  # who of the own side plans to leave, or to come, does
        ends = [covered(will_stand(fight, who, other), other["size"]) for other in fight.here()]
        if any(door in spaces for spaces in ends):
            return False
    return fits_door(fight, door, do)


def will_stand(fight: Fight, who: Person, other: Person) -> Space:
    """Where a creature will stand when somebody does what it plans, as far as its side knows; off the map if it
    does not."""
    if other["side"] == who["side"]:
        return planning.planned_end(fight, other)
    return other["at"] if fight.seen(other) else (-9, -9)


def fits_door(fight: Fight, door: Space, do: str) -> bool:
    how = fight.ground.doors[door]
    if do == "close":
        return how == "open"
    return how in ("closed", "secret") if do == "open" else how in ("locked", "barred")


# -- ready


def may_cast(fight: Fight, who: Person, plan: Plan, command: Command) -> bool:
    from tests.twins.cairn import magic

    return magic.may_cast(fight, who, plan, command)


def may_ready(fight: Fight, who: Person, plan: Plan, command: Command) -> bool:
    """A blow, or a power for one creature."""
    if tied(who) or command.get("option") not in (None, "comes", "acts"):
        return False
    if command.get("item") is not None:
        return any(holdable(fight, who, do, command["item"]) for do in ("cast", "use"))
    return command.get("weapon") is not None and weapons_of(who, command["weapon"]) is not None


def holdable(fight: Fight, who: Person, do: str, name: str) -> bool:
    """A power for one creature, to its harm; what is aimed at besides can't be said beforehand."""
    from tests.twins.cairn import magic

    found = magic.source(who, do, name)
    return bool(found and found[0]["needs"] == "creature" and magic.harmful(found[0]) and not found[0]["onto"])


def may_light(fight: Fight, who: Person, plan: Plan, command: Command) -> bool:
    """What is out, and has something left to burn; one's own light comes back by itself."""
    things = people.carried(who)
    if "snuffed" not in who["conditions"]:
        return False
    if "torch" in things and who["used"].get("torch", 0) < 3 * things.count("torch") - 1:
        return True
    return ("lantern" in things and "oil can" in things) or not {"torch", "lantern"} & set(things)


CHECKS: dict[str, Callable[[Fight, Person, Plan, Command], bool]] = {
    "attack": may_attack, "daring": may_attack, "manoeuvre": may_manoeuvre, "bandage": may_bandage,
    "break_free": may_break_free, "help": may_help, "steady": may_steady, "retreat": may_retreat,
    "open": may_door, "close": may_door, "force": may_door, "ready": may_ready, "light": may_light,
    "search": secrets.may_search, "tackle": secrets.may_tackle, "cast": may_cast, "use": may_cast,
}  # fmt: skip
