"""Blows: whose dice go into which pool, impaired and enhanced, the die that counts (cairn.md §2.2, §2.3)."""

from __future__ import annotations

from typing import Any

from tests.twins.cairn import areas, deeds, people, planning, wounds
from tests.twins.cairn.fight import Fight, present
from tests.twins.cairn.ground import CLEAR
from tests.twins.cairn.people import Person

Strike = tuple[Person, dict[str, Any], list[dict[str, Any]], str]
"""Who strikes, the plan, what it strikes with, how it reaches its target."""
PLAIN = "plain"
"""How an area reaches whom nobody could aim at there."""


def exchange(fight: Fight, strikers: list[tuple[Person, dict[str, Any]]]) -> None:
    """All blows of a half: every die into the pool of its target, then pool by pool what it does."""
    pools: dict[str, list[Strike]] = {}
    for who, act in strikers:
        target = fight.people[act["target"]]
        pair = deeds.weapons_now(who, act.get("weapon"))
        if pair is None or not fight.can_act(who):
            continue
        take_in_hand(who, pair)
        fight.lose(who, "invisible")
        for victim in victims(fight, who, pair, target):
            how = deeds.reach(fight, who, pair, victim, who["at"])
            if how is None and pair[0]["blast"]:
                how = PLAIN
            if how is not None:
                pools.setdefault(victim["id"], []).append((who, act, pair, how))
        let_fly(fight, who, pair, target)
    for name, blows in pools.items():
        victim = fight.people[name]
        if not present(victim):
            continue
        rolled = []
        for who, act, pair, how in blows:
            dice = dice_against(fight, who, act, pair, victim, how, blows)
            faces = [fight.throw(rank) for rank in dice]
            rolled.append((max(faces), pair, who))
        if "mirrored" in victim["conditions"] and not any("true sight" in b[0]["conditions"] for b in blows):
            fight.lose(victim, "mirrored")
            continue
        wounds.pool(fight, victim, rolled)
        if victim["sticky"] and present(victim):
            stick(fight, victim, blows)


def victims(fight: Fight, who: Person, pair: list[dict[str, Any]], target: Person) -> list[Person]:
    """Its target; everybody in the area of a blast (A24); of a detachment's blow on single ones all foes around."""
    arm = pair[0]
    if arm["blast"]:
        if not present(target):
            return []
        taken = areas.struck(fight, who, arm, target)
        return [other for other in fight.here() if other is not who and taken & set(fight.spaces(other))]
    if who["detachment"] and not target["detachment"]:
        foes = [foe for foe in fight.here() if foe["side"] != who["side"] and fight.distance(who, foe) <= 1]
        return foes if target in foes else [*foes, target]
    return [target] if target["state"] != "fled" else []


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
    fight: Fight,
    who: Person,
    act: dict[str, Any],
    pair: list[dict[str, Any]],
    victim: Person,
    how: str,
    blows: list[Strike],
) -> list[int]:
    """The dice of a blow: its own, or d4 or d12 for each of them (§2.2)."""
    dice = [rank for arm in pair for rank in arm["dice"]]
    near = how == "melee" or (how == PLAIN and pair[0]["reach"])
    kinds = {"melee" if near else "ranged", *deeds.tags(pair)}
    if "magic" not in kinds:
        kinds.add("mundane")
    feared = bool(kinds & set(victim["enhanced_by"]))
    enhanced = act["do"] == "daring" or fight.helpless(victim) or feared
    impaired = bool(kinds & set(victim["impaired_by"])) and not feared
    if how != PLAIN:
        impaired |= how == "far" or fight.sight(who, victim) < CLEAR or not fight.lit_for(who, victim)
    impaired |= any(name in who["conditions"] for name in ("restrained", "panicked", "blind"))
    impaired |= "averted" in who["conditions"] and planning.stares(victim)
    if "true sight" not in who["conditions"]:
        impaired |= "displaced" in victim["conditions"]
        impaired |= "unseen" in victim["conditions"] and victim["side"] != who["side"]
    blast = any(arm["blast"] for arm in pair)
    if victim["detachment"] and not who["detachment"] and not blast:
        impaired = True
    if who["detachment"] and not victim["detachment"]:
        enhanced = True
    if who["mobbing"] and any(b[0] is not who and b[0]["side"] == who["side"] for b in blows):
        enhanced = True
    if impaired == enhanced:
        return dice
    return [4 if impaired else 12] * len(dice)


def stick(fight: Fight, mimic: Person, blows: list[Strike]) -> None:
    """Who struck it hand to hand from beside it is held."""
    for who, _, _, how in blows:
        if how == "melee" and who["side"] != mimic["side"] and fight.distance(who, mimic) <= 1:
            fight.gain(who, "restrained", by=mimic["id"], grip=True)


def let_fly(fight: Fight, who: Person, pair: list[dict[str, Any]], target: Person) -> None:
    """What was thrown lies where it went, or has burst."""
    arm = pair[0]
    if len(pair) > 1 or not arm["thrown"] or not arm.get("item") or target["state"] == "fled":
        return
    if fight.distance(who, target) > arm["reach"] and arm["item"] in who["hands"]:
        who["hands"].remove(arm["item"])
        if not arm["blast"]:
            fight.floor.append((arm["item"], target["at"]))
