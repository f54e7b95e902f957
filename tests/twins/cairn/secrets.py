"""What a map hides and locks: secret doors, traps, chests (cairn.md §1, §2.12 Chests)."""

from __future__ import annotations

import re
from typing import Any

from tests.twins.cairn import planning, wounds, zones
from tests.twins.cairn.fight import Fight, present
from tests.twins.cairn.ground import Space, apart, covered
from tests.twins.cairn.people import Person, table

EFFECTS = {
    "restrained": ("restrained", None, "str"), "slowed": ("slowed", 6, ""), "blinded": ("blind", 1, ""),
    "poisoned": ("poisoned", None, ""), "dazed": ("winded", 1, ""), "exhausted": ("deprived", None, ""),
}  # fmt: skip
"""What a map says that a trap leaves -> the condition, its rounds, the save that ends it."""
Secret = dict[str, Any]


def known(fight: Fight, side: str, name: str) -> bool:
    return name in fight.found[side]


def traps(fight: Fight) -> list[Secret]:
    """Those that have not gone off."""
    return [one for one in fight.secrets if one["kind"] == "trap" and one["state"] == "set"]


def stepped_over(fight: Fight, who: Person) -> set[Space]:
    """The spaces of traps that its side knows of: nobody stays there; nothing of it matters in the air."""
    if planning.flies(who):
        return set()
    spaces: set[Space] = set()
    for trap in traps(fight):
        if known(fight, who["side"], trap["id"]):
            spaces |= {tuple(cell) for cell in trap["cells"]}
    return spaces


def trodden(fight: Fight, who: Person, before: Space, there: Space, thrown: bool = False) -> list[Secret]:
    """The traps that go off under a step: 2 in 6 under the unwitting, and under who is thrown there."""
    if planning.flies(who):
        return []
    new = set(covered(there, who["size"])) - set(covered(before, who["size"]))
    met = [trap for trap in traps(fight) if new & {tuple(cell) for cell in trap["cells"]}]
    met = [trap for trap in met if thrown or not known(fight, who["side"], trap["id"])]
    return [trap for trap in met if fight.throw(6) <= 2]


def go_off(fight: Fight, who: Person, sprung: list[Secret]) -> bool:
    for trap in sprung:
        if present(who):
            trap["state"] = "sprung"
            for side in fight.found:
                fight.found[side].add(trap["id"])
            bite(fight, who, trap)
    return bool(sprung)


def bite(fight: Fight, who: Person, trap: Secret) -> None:
    """The map's dice, or d6, straight to STR less Armor, and its condition."""
    if trap.get("damage") or trap["kind"] == "trap":
        count, faces, more = re.fullmatch(r"(\d*)d(\d+)(\+\d+)?", trap.get("damage") or "d6").groups()  # type: ignore[union-attr]
        (rank,) = wounds.natured(who, {"mundane"}, [int(faces)])
        amount = sum(fight.throw(rank) for _ in range(int(count or 1))) + int(more or 0)
        zones.bite(fight, who, [], amount, {"mundane"}, direct=True)
    if trap.get("effect") in EFFECTS and present(who):
        name, rounds, save = EFFECTS[trap["effect"]]
        fight.gain(who, name, rounds, save=save)


# -- searching, and chests


def may_search(fight: Fight, who: Person, plan: Any, command: Any) -> bool:
    """Where there is nothing to be found on the whole map, nobody searches."""
    return bool(fight.secrets) or "secret" in fight.drawn.values()


def search(fight: Fight, who: Person, act: Any) -> None:
    """Everything within two spaces comes to light, for one's own side."""
    here = fight.spaces(who)
    for door, how in fight.ground.doors.items():
        if how == "secret" and apart([door], here) <= 2:
            fight.found[who["side"]].add(f"door {door[0]},{door[1]}")
    for trap in traps(fight):
        if apart([tuple(cell) for cell in trap["cells"]], here) <= 2:
            fight.found[who["side"]].add(trap["id"])


def chest_named(fight: Fight, who: Person, name: str | None, at: Space) -> Secret | None:
    """A locked chest beside a space."""
    for one in fight.secrets:
        if one["id"] == name and one["kind"] == "chest" and one["state"] == "locked":
            if any(planning.in_hand(fight, covered(at, who["size"]), tuple(cell)) for cell in one["cells"]):
                return one
    return None


def may_tackle(fight: Fight, who: Person, plan: Any, command: Any) -> bool:
    if "smoke" in who["conditions"]:
        return False
    return chest_named(fight, who, command.get("item"), planning.stand_before_action(fight, who)) is not None


def tackle(fight: Fight, who: Person, act: Any) -> bool:
    """The lock gives way to STR, or not; what is of use lies open; a trap in it goes off at 1 or 2."""
    chest = chest_named(fight, who, act["item"], who["at"])
    if chest is None or not fight.save(who["str"]):
        return False
    chest["state"] = "open"
    for word in chest.get("contents", "").split(","):
        thing = word.strip()
        if any(thing in table(name) for name in ("weapons", "armour", "gear")):
            fight.floor.append((thing, tuple(chest["cells"][0])))
    if (chest.get("damage") or chest.get("effect")) and fight.throw(6) <= 2:
        bite(fight, who, chest)
    return False
