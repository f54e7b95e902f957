"""What an attack does besides: after a failed critical save, or with every loss of STR (cairn.md §5.6; record.md)."""

from __future__ import annotations

from typing import Any

from tests.twins.cairn import people, wounds
from tests.twins.cairn.fight import Fight, present
from tests.twins.cairn.people import Person


def ride(fight: Fight, victim: Person, rider: dict[str, Any], striker: Person | None, taken: int) -> None:
    """`taken` is the STR that the blow itself took. Nothing befalls the dead or the routed."""
    kind = rider["kind"]
    if kind == "heal":
        if striker is not None:
            striker["str"] = striker["str_max"]
        return
    if not present(victim):
        return
    if rider.get("save") and fight.save(victim[rider["save"]]):
        return
    if kind == "dead":
        wounds.die(fight, victim)
    elif kind in ("str", "dex", "wil"):
        lose_attribute(fight, victim, rider, kind, taken, striker)
    elif kind == "armor":
        ruin(victim, bool(rider.get("metal")))
    elif kind == "maim":
        maim(fight, victim)
    else:
        name = rider.get("name") or "engulfed"
        by = striker["id"] if striker else ""
        marks: dict[str, Any] = {"by": by, "then": rider.get("then", "")}
        if kind == "engulf":
            marks["die"] = rider["dice"][0]
        fight.gain(victim, name, rider.get("rounds") or None, **marks)


def lose_attribute(
    fight: Fight, victim: Person, rider: dict[str, Any], kind: str, taken: int, striker: Person | None
) -> None:
    """Its own dice, or what the blow took, which is not taken twice; for good where it says so."""
    dice = rider.get("dice", [])
    lost = max(fight.throw(faces) for faces in dice) if dice else taken
    left = victim[kind] - (lost if dice else 0)
    victim[kind] = max(0, left)
    if rider.get("permanent"):
        victim[f"{kind}_max"] = max(0, victim[f"{kind}_max"] - lost)
    by = striker["id"] if striker else ""
    for name in (rider.get("name"), rider.get("at_nought") if left <= 0 else ""):
        if name:
            fight.gain(victim, name, by=by)
    if kind == "str" and left <= 0:
        wounds.die(fight, victim)


def maim(fight: Fight, victim: Person) -> None:
    """d6: 1 the head, 2–4 a leg, 5–6 an arm."""
    part = fight.throw(6)
    if part == 1:
        wounds.die(fight, victim)
    else:
        victim["lame" if part <= 4 else "one_armed"] = True


def ruin(victim: Person, metal: bool) -> None:
    """One piece of armour: the shield in hand, else the first that is worn."""
    table = people.table("armour")
    for item in victim["hands"]:
        if item in table and (table[item].get("metal") or not metal):
            victim["hands"].remove(item)
            return
    for item in people.worn(victim):
        if table[item].get("metal") or not metal:
            victim["ruined"].add(item)
            return
