"""Blows: whose dice go into which pool, impaired and enhanced, the die that counts (cairn.md §2.2, §2.3)."""

from __future__ import annotations

from typing import Any

from tests.twins.cairn import people, planning, wounds
from tests.twins.cairn.fight import Fight
from tests.twins.cairn.ground import CLEAR
from tests.twins.cairn.people import Person


def exchange(fight: Fight, strikers: list[tuple[Person, dict[str, Any]]]) -> None:
    """All blows of a half: every die into the pool of its target, then pool by pool what it does."""
    pools: dict[str, list[tuple[Person, dict[str, Any], list[dict[str, Any]]]]] = {}
    for who, act in strikers:
        target = fight.people[act["target"]]
        pair = planning.weapons_of(who, act.get("weapon"))
        if pair is None or who["state"] != "up":
            continue
        take_in_hand(who, pair)
        if planning.reach(fight, who, pair, target, who["at"]) is None:
            continue
        pools.setdefault(target["id"], []).append((who, act, pair))
    for name, blows in pools.items():
        victim = fight.people[name]
        rolled = []
        for who, act, pair in blows:
            dice = dice_against(fight, who, act, pair, victim)
            faces = [fight.throw(rank) for rank in dice]
            rolled.append((max(faces), pair, who))
        wounds.pool(fight, victim, rolled)
    for name, blows in pools.items():
        for who, _, pair in blows:
            let_fly(fight, who, pair, fight.people[name])


def take_in_hand(who: Person, pair: list[dict[str, Any]]) -> None:
    """To draw is free, and puts away what leaves no hand for it (§2.12)."""
    wanted = [arm["item"] for arm in pair if arm.get("item")]
    spare, drawn = list(who["hands"]), []
    for item in wanted:
        if item in spare:
            spare.remove(item)
        else:
            who["pack"].remove(item)
            drawn.append(item)
    who["hands"] += drawn
    while drawn and spare and sum(map(people.grip, who["hands"])) > (1 if who["one_armed"] else 2):
        who["hands"].remove(spare[0])
        who["pack"].append(spare.pop(0))


def dice_against(
    fight: Fight, who: Person, act: dict[str, Any], pair: list[dict[str, Any]], victim: Person
) -> list[int]:
    """The dice of a blow: its own, or d4 or d12 for each of them (§2.2)."""
    dice = [rank for arm in pair for rank in arm["dice"]]
    how = planning.reach(fight, who, pair, victim, who["at"])
    kinds = {"melee" if how == "melee" else "ranged", *planning.tags(pair)}
    if "magic" not in kinds:
        kinds.add("mundane")
    enhanced = act["do"] == "daring" or fight.helpless(victim) or bool(kinds & set(victim["enhanced_by"]))
    shy = bool(kinds & set(victim["impaired_by"])) and not kinds & set(victim["enhanced_by"])
    impaired = shy or how == "far" or fight.sight(who, victim) < CLEAR or "restrained" in who["conditions"]
    blast = any(arm["blast"] for arm in pair)
    if victim["detachment"] and not who["detachment"] and not blast:
        impaired = True
    if who["detachment"] and not victim["detachment"]:
        enhanced = True
    if who["mobbing"] and ally_strikes(fight, who, victim):
        enhanced = True
    if impaired == enhanced:
        return dice
    return [4 if impaired else 12] * len(dice)


def ally_strikes(fight: Fight, who: Person, victim: Person) -> bool:
    for name, plan in fight.plans.items():
        act = plan["act"]
        if name != who["id"] and act and act["do"] in ("attack", "daring") and act["target"] == victim["id"]:
            return True
    return False


def let_fly(fight: Fight, who: Person, pair: list[dict[str, Any]], target: Person) -> None:
    """What was thrown lies where it went."""
    arm = pair[0]
    if len(pair) == 1 and arm["thrown"] and fight.distance(who, target) > arm["reach"]:
        who["hands"].remove(arm["item"])
        fight.floor.append((arm["item"], target["at"]))
