"""Creatures of a record as plain dictionaries, and what they carry (cairn.md §5.1, §5.2, record.md)."""

from __future__ import annotations

import copy
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

CONTENT = Path(__file__).parents[3] / "assets" / "content" / "cairn"
SLOTS = 10

Person = dict[str, Any]
UNARMED: dict[str, Any] = {"name": "unarmed", "dice": [4], "hands": 0, "slots": 0}
STRIKE: dict[str, Any] = {
    "hands": 1, "slots": 1, "reach": 1, "near": 0, "far": 0, "thrown": False, "blast": "", "size": 0, "tags": [],
    "ignores_armor": False, "direct": False, "feeds": 0, "run": 0, "rider": None, "natural": False, "metal": False,
    "rusts": False,
}  # fmt: skip
BLOCK: dict[str, Any] = {
    "hp": None, "armor": 0, "space": 1, "speed": 8, "attacks": [], "items": [], "ready": None, "fatigue": 0,
    "alert": "normal", "surprised": False, "leader": False, "group": "", "mindless": False, "steadfast": False,
    "follower": False, "nerve": 0, "mobbing": False, "detachment": False, "unstoppable": False, "heads": 0,
    "immune": [], "impaired_by": [], "enhanced_by": [], "posture": "standing", "pc": None, "bloodless": False,
    "powers": [], "lurks": False, "innate": [], "flies": False, "sticky": False, "bursts": [], "rises": 0,
    "resists": False, "reflects": False, "light": 0, "dark_sight": False,
}  # fmt: skip


@cache
def table(name: str) -> dict[str, dict[str, Any]]:
    """A table of the content: `weapons`, `armour`, `gear`, `heroes`, `monsters` by name (creatures by id)."""
    (entries,) = tomllib.loads((CONTENT / f"{name}.toml").read_text("utf-8")).values()
    return {entry.get("id", entry.get("name")): entry for entry in entries}


def person(given: dict[str, Any]) -> Person:
    """A creature as a record describes it, ready to fight."""
    template = given.get("template")
    merged = dict({**table("heroes"), **table("monsters")}[template]) if template else {}
    merged.update(given)
    block = {**BLOCK, **merged}
    who: Person = {
        "id": block["id"], "side": block["side"], "at": tuple(block["at"]), "size": block["space"],
        "speed": block["speed"], "hide": block["armor"],
        "pc": block["pc"] if block["pc"] is not None else block["side"] == "heroes",
        "hp_max": block["hp_max"], "hp": block["hp_max"] if block["hp"] is None else block["hp"],
        "strikes": [{**STRIKE, **strike} for strike in block["attacks"]],
        "fatigue": block["fatigue"], "posture": block["posture"],
        "alert": "unaware" if block["surprised"] else block["alert"], "conditions": {}, "scars": [],
        "state": "up", "late": False, "struck": False, "lame": False, "one_armed": False, "marks": {}, "timed": [],
        "ruined": set(), "gone": "", "called": False, "ran": 0,
    }  # fmt: skip
    if "unaware" in block["immune"] and who["alert"] == "unaware":
        who["alert"] = "normal"
    for short, long in (("str", "strength"), ("dex", "dexterity"), ("wil", "willpower")):
        who[short] = who[f"{short}_max"] = block[long]
    for word in ("leader", "group", "mindless", "steadfast", "follower", "nerve", "mobbing", "detachment",
                 "unstoppable", "heads", "immune", "impaired_by", "enhanced_by", "bloodless", "powers", "innate",
                 "flies", "sticky", "bursts", "rises", "resists", "reflects", "dark_sight"):  # fmt: skip
        who[word] = copy.deepcopy(block[word])
    who["used"] = {}
    for name in (*block["innate"], *["invisible"] * block["lurks"]):
        who["conditions"][name] = None
    who["light"] = block["light"]
    who["hands"] = list(block["ready"]) if block["ready"] is not None else first_hands(block["items"])
    who["pack"] = list(block["items"])
    who["worn"] = [item for item in block["items"] if item in table("armour")]
    for item in who["hands"]:
        who["pack"].remove(item)
    return who


def first_hands(items: list[str]) -> list[str]:
    """What is in hand where a record says nothing: the first weapon, and the shield if there is a hand for it."""
    weapons = [item for item in items if item in table("weapons")]
    hands = weapons[:1]
    shields = [item for item in items if item in table("armour") and grip(item)]
    if shields and sum(map(grip, hands)) < 2:
        hands.append(shields[0])
    return hands


def grip(item: str) -> int:
    """The hands that an item takes."""
    if item in table("weapons"):
        return int(table("weapons")[item].get("hands", 1))
    if item in table("armour"):
        return int(table("armour")[item].get("hands", 0))
    return 2 if table("gear").get(item, {}).get("kind") == "book" else 1


def slots(item: str) -> int:
    """The slots that an item fills."""
    for name in ("weapons", "armour", "gear", "keepsakes"):
        if item in table(name):
            return int(table(name)[item].get("slots", 1))
    raise KeyError(item)


def filled(who: Person) -> int:
    return sum(map(slots, carried(who))) + int(who["fatigue"])


def pack(who: Person) -> list[str]:
    """What is carried and not in hand."""
    return list(who["pack"])


def carried(who: Person) -> list[str]:
    """Everything that it has, in hand or not."""
    return [*who["hands"], *who["pack"]]


def without(who: Person, item: str) -> Person:
    """Somebody as it is when it has let go of a thing."""
    left = {**who, "hands": list(who["hands"]), "pack": list(who["pack"])}
    (left["hands"] if item in left["hands"] else left["pack"]).remove(item)
    return left


def armor(who: Person) -> int:
    """Armor: the hide, one suit, one of each other piece, a shield that is held; never above 3."""
    total, suits = who["hide"], [0]
    pieces = worn(who)
    if "casting" not in who["marks"]:  # a book takes both hands (A18)
        pieces += [name for name in dict.fromkeys(who["hands"]) if name in table("armour")]
    for name in pieces:
        piece = table("armour")[name]
        if piece.get("stacks"):
            total += piece["armor"]
        else:
            suits.append(piece["armor"])
    for name in dict.fromkeys(who["hands"]):
        total += table("gear").get(name, {}).get("armor", 0)
    return min(3, total + max(suits))


def arms(who: Person) -> list[dict[str, Any]]:
    """Everything that it may strike with, one weapon at a time: what it carries, what is grown on; the fists of
    whoever has nothing to strike with hand to hand."""
    weapons = [{**STRIKE, **table("weapons")[i], "item": i} for i in carried(who) if i in table("weapons")]
    arms = [*weapons, *who["strikes"]]
    return arms if any(arm["reach"] for arm in arms) else [*arms, {**STRIKE, **UNARMED}]


def light(who: Person) -> int:
    """Spaces of light around it: its own, and of the lamps that it carries, unless they are out."""
    lamps = [table("gear")[item].get("light", 0) for item in carried(who) if item in table("gear")]
    return 0 if "snuffed" in who["conditions"] else max(who["light"], *lamps, 0)


def sees_in_dark(who: Person) -> bool:
    return bool(who["dark_sight"] or any(table("armour")[item].get("dark_sight") for item in worn(who)))


def worn(who: Person) -> list[str]:
    """The armour on its body that is still whole, in the order in which it carries it."""
    pieces = [item for item in dict.fromkeys(who["worn"]) if not table("armour")[item].get("hands")]
    return [item for item in pieces if item not in who["ruined"]]


def status(who: Person) -> str:
    """The word of `--state`."""
    if who["state"] != "up":
        return str(who["state"])
    if who["str"] < who["str_max"]:
        return "wounded"
    return "bruised" if who["hp"] < who["hp_max"] else "healthy"
