"""Doors, locks, searches, and what lies on the floor (countup.md §2.7, §2.9)."""

from __future__ import annotations

from typing import Any

from tests.twins.countup.fight import Fight, Refused
from tests.twins.countup.ground import Spot, apart, block
from tests.twins.countup.people import Person

DOS = ("open", "close", "pick_lock", "force", "search", "pick_up")
SECONDS = {"search": 10, "pick_lock": 10, "force": 5}
HARD = ((3, -90), (6, -80), (9, -40), (12, 0), (10**6, 10))


def check(f: Fight, p: Person, command: dict[str, Any], place: Spot) -> None:
    """Raises Refused for what hands can't do from a place."""
    do = command["do"]
    if do == "pick_up":
        if not any(name == command["item"] and apart(place, p.space, s, 1) <= 1 for name, s in f.floor):
            raise Refused("nothing there")
        return
    if do in SECONDS and f.engaged(p):
        raise Refused("engaged")
    if do == "search":
        if not f.ground.secrets:
            raise Refused("nothing is hidden")
        return
    spot = next((s for s in f.ground.doors if f"door {s[0]},{s[1]}" == command["target"]), None)
    if spot is None or apart(place, p.space, spot, 1) > 1:
        raise Refused("no such door in reach")
    now = f.ground.as_known(spot, p.side)
    wanted = {"open": ("closed",), "close": ("open",), "pick_lock": ("locked",), "force": ("locked", "barred")}[do]
    if now not in wanted:
        raise Refused(f"it is {now}")
    if do == "open" and spot in f.zone("barred"):
        raise Refused("a spell bars it")
    if do == "close" and (f.taken(spot, p) or spot in block(place, p.space)):
        raise Refused("somebody stands there")
    if do == "pick_lock" and not p.block.get("skills", {}).get("lock picking"):
        raise Refused("untrained")


def begin(f: Fight, p: Person, deed: dict[str, Any]) -> None:
    """A second for a door or a thing on the floor; the rest is work for several."""
    do, name = deed["do"], deed["command"]["target"]
    spot = next((s for s in f.ground.doors if f"door {s[0]},{s[1]}" == name), None)
    if do in SECONDS:
        p.task = (do, spot, f.second + SECONDS[do])
        p.busy = f.second + SECONDS[do]
    elif do == "pick_up":
        item = deed["command"]["item"]
        lies = next((x for x in f.floor if x[0] == item and apart(p.at, p.space, x[1], 1) <= 1), None)
        if lies:
            f.floor.remove(lies)
            p.hand = p.hand or item
        p.busy = f.second + 1
    else:
        assert spot is not None
        if f.ground.as_known(spot, p.side) == {"open": "closed", "close": "open"}[do]:
            f.ground.doors[spot] = "open" if do == "open" else "closed"
        p.busy = f.second + 1
    p.order = None


def work(f: Fight) -> None:
    """What is done in this second; what a foe's coming breaks off."""
    for p in f.people:
        if p.task is None:
            continue
        do, spot, ends = p.task
        if not f.able(p) or p.fresh:
            p.interrupt(f.second)
        elif ends <= f.second:
            p.task = None
            if do == "search":
                search(f, p)
            else:
                unlock(f, p, do, spot)


def search(f: Fight, p: Person) -> None:
    for spot in f.ground.doors:
        if apart(p.at, p.space, spot, 1) <= 2 and f.ground.as_known(spot, p.side) == "secret":
            if f.dice.die(6) <= (2 if p.block.get("thief") else 1):
                f.ground.found.add((p.side, spot))


def unlock(f: Fight, p: Person, do: str, spot: Spot) -> None:
    now, hard = f.ground.doors[spot], f.ground.hardness[spot]
    if do == "pick_lock" and now == "locked":
        skill = p.block["skills"]["lock picking"] - (30 if p.fatigue > f.second - 10 else 0)
        if f.dice.die(100) + next(more for most, more in HARD if hard <= most) <= skill:
            f.ground.doors[spot] = "closed"
    elif do == "force" and now in ("locked", "barred"):
        held = f.dice.die_p(20) + hard - 9
        if f.dice.die_p(20) + p.damage > held:
            f.ground.doors[spot] = "open"
