"""What is held ready: let go at the first foe that comes within reach, or does something there (cairn.md §2.12)."""

from __future__ import annotations

from typing import Any

from tests.twins.cairn import blows, deeds, magic
from tests.twins.cairn.fight import Fight, present
from tests.twins.cairn.people import Person


def lapse(fight: Fight, side: str) -> None:
    """What a side held ready in its last half is let go when its next one resolves."""
    fight.readied = [held for held in fight.readied if fight.people[held[0]]["side"] != side]


def spring(fight: Fight, trigger: str, side: str, foes: list[str]) -> None:
    """Those of other sides than `side` let go what waits for what these foes did."""
    kept, strikers, castings = [], [], []
    for name, act in fight.readied:
        who = fight.people[name]
        if who["side"] == side or not fight.can_act(who) or (act.get("option") or "comes") != trigger:
            kept.append((name, act))
            continue
        target = next((foe for foe in foes if reaches(fight, who, act, fight.people[foe])), None)
        if target is None:
            kept.append((name, act))
        elif act.get("item"):
            do = next(do for do in ("cast", "use") if magic.source(who, do, act["item"]))
            castings.append((who, {**act, "do": do, "target": target, "at": None}))
        else:
            strikers.append((who, {**act, "do": "attack", "target": target}))
    fight.readied = kept
    if strikers:
        blows.exchange(fight, strikers)
    for who, act in castings:
        if fight.can_act(who):
            fight.lose(who, "invisible")
            magic.cast(fight, who, act)


def reaches(fight: Fight, who: Person, act: dict[str, Any], foe: Person) -> bool:
    if foe["side"] == who["side"] or not present(foe):
        return False
    if act.get("item"):
        aimed: dict[str, Any] = {"item": act["item"], "target": foe["id"]}
        return any(magic.may_cast(fight, who, {}, {**aimed, "do": do}) for do in ("cast", "use"))
    pair = deeds.weapons_now(who, act["weapon"])
    return pair is not None and deeds.reach(fight, who, pair, foe, who["at"]) is not None
