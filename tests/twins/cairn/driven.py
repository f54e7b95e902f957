"""Those who are not their own masters: the frightened run, the frenzied strike at whoever is nearest."""

from __future__ import annotations

from typing import Any

from tests.twins.cairn import blows, deeds, people, planning, resolving, zones
from tests.twins.cairn.fight import Fight
from tests.twins.cairn.ground import Space, apart, covered
from tests.twins.cairn.people import Person

Strike = tuple[Person, dict[str, Any]]


def drive(fight: Fight, side: str) -> list[Strike]:
    """They go before all that is planned: nobody has left or come by then."""
    strikes, plans, fight.plans = [], fight.plans, {}
    for who in fight.of(side):
        if not fight.awake(who):
            continue
        if "frightened" in who["conditions"]:
            run(fight, who)
        elif "greedy" in who["conditions"]:
            covet(fight, who)
        elif {"frenzied", "hating"} & set(who["conditions"]):
            strike = rage(fight, who)
            if strike:
                strikes.append((who, strike))
    fight.plans = plans
    return strikes


def number(at: Space) -> tuple[int, int]:
    """Spaces in their order: row by row."""
    return at[1], at[0]


def run(fight: Fight, who: Person) -> None:
    """Two moves, as far as possible from the cause of the fear; of equal spaces the first."""
    cause = fight.holder(who, "frightened")
    causes = [cause] if cause is not None and cause in fight.here() else []
    causes = causes or [foe for foe in fight.here() if foe["side"] != who["side"]]
    rise = planning.RISE if who["posture"] == "prone" else 0
    spaces = [*deeds.ways(fight, who, 2 * planning.speed(who) - rise), who["at"]]

    def away(at: Space) -> int:
        return min((apart(covered(at, who["size"]), fight.spaces(foe)) for foe in causes), default=0)

    best = min(spaces, key=lambda at: (-away(at), *number(at)))
    go(fight, who, best)


def go(fight: Fight, who: Person, at: Space) -> None:
    """On the way to a space. Which of several ways leads there no rule says: it is the one that the rules went, as far
    as they got; what they met on it and what stopped them is looked up here."""
    if at == who["at"]:
        return
    way: list[Space] = []
    while fight.ways.get(who["id"]) and (not way or way[-1] != at):
        way += fight.ways[who["id"]].pop(0)
    if not way or (way[-1] != at and not stopped(fight, who, way[-1])):
        fight.put(who, at)  # nothing is there to stop it: this shows as a difference
    else:
        resolving.walk_path(fight, who, way, 4 * len(way) + planning.RISE)


def stopped(fight: Fight, who: Person, at: Space) -> bool:
    """Whether a way may have ended early: before a foe whom nobody saw, or on changed ground or a trap."""
    here = covered(at, who["size"])
    unseen = [foe for foe in fight.standing(fight.against(who["side"])) if not fight.seen(foe)]
    if any(apart(here, fight.spaces(foe)) <= 1 for foe in unseen):
        return True
    traps = [tuple(cell) for one in fight.secrets for cell in one["cells"]]
    return any(space in here for space in traps) or any(zone["cells"] & set(here) for zone in fight.ground.zones)


def covet(fight: Fight, who: Person) -> None:
    """Straight to the thing and up with it; with it in hand, or nowhere to be found, one is oneself again."""
    wanted = who["marks"]["greedy"]["by"]
    lying = [at for item, at in fight.floor if item == wanted]
    if not lying:
        fight.lose(who, "greedy")
        return
    rise = planning.RISE if who["posture"] == "prone" else 0
    spaces = [who["at"], *deeds.ways(fight, who, 2 * planning.speed(who) - rise)]
    go(fight, who, min(spaces, key=lambda at: (apart(covered(at, who["size"]), lying), at != who["at"], number(at))))
    for place, (item, at) in enumerate(fight.floor):
        if item == wanted and planning.in_hand(fight, fight.spaces(who), at):
            del fight.floor[place]
            zones.taken_up(fight, item, at)
            who["pack"].append(item)
            fight.lose(who, "greedy")
            return


def rage(fight: Fight, who: Person) -> dict[str, Any] | None:
    """At the nearest creature, friend or foe, with what does most; towards it first."""
    others = [other for other in fight.people.values() if other is not who and other["state"] == "up"]
    hated = fight.holder(who, "hating") if "hating" in who["conditions"] else None
    if hated is not None and hated in others:
        others = [hated]
    elif hated is not None and "frenzied" not in who["conditions"] and others:
        fight.lose(who, "hating")  # there is nobody to hate any more
        return None
    if not others:
        return None
    target = min(others, key=lambda other: fight.distance(who, other))
    found = best_blow(fight, who, target, who["at"])
    if found is None:
        rise = planning.RISE if who["posture"] == "prone" else 0
        spaces = deeds.ways(fight, who, planning.speed(who) - rise)
        spaces.sort(key=lambda at: (apart(covered(at, who["size"]), fight.spaces(target)), *number(at)))
        if not spaces:
            return None
        start = who["at"]
        there = next((at for at in spaces if best_blow(fight, who, target, at)), spaces[0])
        go(fight, who, there)
        who["ran"] = apart(covered(start, who["size"]), fight.spaces(who))
        found = best_blow(fight, who, target, who["at"])
    return {"do": "attack", "target": target["id"], "weapon": found} if found else None


def best_blow(fight: Fight, who: Person, target: Person, at: Space) -> str | None:
    """The name of what does most there."""
    best: tuple[int, str] | None = None
    for name in names(who):
        pair = deeds.weapons_of(who, name)
        how = pair and deeds.reach(fight, who, pair, target, at)
        if pair and how:
            here, who["at"] = who["at"], at
            dice = blows.dice_against(fight, who, {"do": "attack"}, pair, target, how, [])
            who["at"] = here
            if best is None or sum(dice) > best[0]:
                best = sum(dice), name
    return best and best[1]


def names(who: Person) -> list[str]:
    """All that it can strike with, one by one and two at once."""
    arms = [arm["name"] for arm in people.arms(who) if arm.get("item") and deeds.at_hand(who, arm)]
    out = list(dict.fromkeys(arms))
    light = [a for a in people.arms(who) if a.get("item") and a["hands"] == 1 and a["reach"] and not a["blast"]]
    carried = people.carried(who)
    light = [item for item in carried if any(a["item"] == item for a in light)]
    if not who["one_armed"]:
        out += [f"{a} + {b}" for i, a in enumerate(light) for b in light[i + 1 :]]
    out += [strike["name"] for strike in who["strikes"]]
    return [*dict.fromkeys(out), "unarmed"]
