"""The damage ladder, critical damage and scars (cairn.md §2.4, §2.5, §4)."""

from __future__ import annotations

from typing import Any

from tests.twins.cairn import people, planning
from tests.twins.cairn.fight import CLOCK, FOES, HOUR, Fight
from tests.twins.cairn.people import Person

Blow = tuple[int, list[dict[str, Any]], Person]


def pool(fight: Fight, victim: Person, rolled: list[Blow]) -> None:
    """The highest die alone counts; ties go to what ignores Armor, then to what has a special effect (A4)."""

    def rank(blow: Blow) -> tuple[int, bool, bool]:
        die, pair, _ = blow
        return die, any(arm["ignores_armor"] for arm in pair), any(arm["rider"] for arm in pair)

    die, pair, _ = max(rolled, key=rank)
    tags = planning.tags(pair)
    spared = set(victim["immune"]) - {"magic"}  # that is for spells: weapons harm them (§5.6, Sea Hag)
    if tags & spared or ("mundane" in victim["immune"] and "magic" not in tags):
        return
    guard = 0 if any(arm["ignores_armor"] for arm in pair) else people.armor(victim)
    through = max(0, die - guard)
    direct = any(arm["direct"] for arm in pair) or defenceless(fight, victim)
    harm(fight, victim, through, direct)


def defenceless(fight: Fight, victim: Person) -> bool:
    """Asleep, blind or unaware: past Hit Protection (§2.5)."""
    return fight.helpless(victim) or (victim["alert"] == "unaware" and fight.round == 1)


def harm(fight: Fight, victim: Person, amount: int, direct: bool) -> None:
    if amount <= 0 or victim["state"] == "dead":
        return
    before = victim["hp"]
    had = 0 if direct else fight.protection(victim)
    lost = min(had, amount)
    victim["hp"] -= lost
    beyond = amount - lost
    if before and not victim["hp"]:
        fight.shaken.add(victim["id"])
    if had and lost == had and beyond == 0 and victim["pc"]:
        scar(fight, victim, lost)
    if beyond:
        strength(fight, victim, beyond)


def strength(fight: Fight, victim: Person, amount: int) -> None:
    """STR is lost: dead at nought, else a save against what is left (A10, A11)."""
    victim["str"] = max(0, victim["str"] - amount)
    if victim["str"] == 0:
        victim["dying"] = True
        return
    if fight.save(victim["str"]):
        if "doomed" in victim["conditions"]:
            del victim["conditions"]["doomed"]
            raise_to(victim, "hp_max", sum(fight.throw(6) for _ in range(3)))
        return
    if victim["unstoppable"]:
        return
    critical(fight, victim)


def critical(fight: Fight, victim: Person) -> None:
    if victim["detachment"]:
        victim["routed"] = True
    elif "doomed" in victim["conditions"] or not (victim["pc"] or fight.options["mercy"]):
        victim["dying"] = True
    else:
        down(fight, victim)
        victim["conditions"].pop("stable", None)
        victim["conditions"].setdefault("critical", None)
        victim["conditions"].setdefault(CLOCK, HOUR)


def down(fight: Fight, victim: Person) -> None:
    """Out of the fight, and a casualty to those who see it (§2.11)."""
    if victim["state"] == "up":
        casualty(fight, victim)
    victim["state"], victim["posture"] = "incapacitated", "prone"


def bury(fight: Fight) -> None:
    """Deaths come when everybody of the half has acted (A2)."""
    for who in fight.people.values():
        if who.pop("dying", False):
            die(fight, who)
        if who.pop("routed", False) and who["state"] == "up":
            who["state"] = "fled"
            casualty(fight, who)


def die(fight: Fight, who: Person) -> None:
    was = who["state"]
    who["state"], who["posture"] = "dead", "prone"
    if was == "up":
        casualty(fight, who)


def casualty(fight: Fight, who: Person) -> None:
    if who["side"] == FOES:
        fight.bands[who["group"]]["lost"] += 1


# -- scars


def raise_to(victim: Person, key: str, value: int) -> None:
    victim[key] = max(victim[key], value)


def dice(fight: Fight, count: int, rank: int = 6) -> int:
    return sum(fight.throw(rank) for _ in range(count))


def scar(fight: Fight, victim: Person, lost: int) -> None:
    row = min(12, lost)
    victim["scars"] = [*victim["scars"], row]
    ROWS[row](fight, victim)


def one(fight: Fight, victim: Person) -> None:
    fight.throw(6)
    raise_to(victim, "hp_max", fight.throw(6))


def two(fight: Fight, victim: Person) -> None:
    raise_to(victim, "hp_max", fight.throw(6))


def three(fight: Fight, victim: Person) -> None:
    victim["posture"] = "prone"
    victim["conditions"]["deprived"] = None
    victim["conditions"]["winded"] = 1


def four(fight: Fight, victim: Person) -> None:
    bone = fight.throw(6)
    victim["lame"] |= bone <= 2
    victim["one_armed"] |= bone in (3, 4)


def five(fight: Fight, victim: Person) -> None:
    victim["conditions"]["infected"] = None


def six(fight: Fight, victim: Person) -> None:
    key = ("str", "dex", "wil")[(fight.throw(6) - 1) // 2]
    thrown = dice(fight, 3)
    if thrown > victim[key]:
        victim[key] = thrown
        raise_to(victim, f"{key}_max", thrown)


def seven(fight: Fight, victim: Person) -> None:
    victim["lame"] = True


def eight(fight: Fight, victim: Person) -> None:
    victim["conditions"]["deaf"] = None
    if fight.save(victim["wil"]):
        victim["wil_max"] += fight.throw(4)


def nine(fight: Fight, victim: Person) -> None:
    raise_to(victim, "wil_max", dice(fight, 3))


def ten(fight: Fight, victim: Person) -> None:
    if fight.throw(2) == 1:
        victim["one_armed"] = True
    else:
        victim["lame"] = True
    if fight.save(victim["wil"]):
        victim["wil_max"] += fight.throw(6)


def eleven(fight: Fight, victim: Person) -> None:
    victim["conditions"]["deprived"] = None
    victim["conditions"]["mortally wounded"] = HOUR
    down(fight, victim)


def twelve(fight: Fight, victim: Person) -> None:
    victim["conditions"]["doomed"] = None


ROWS = dict(enumerate((one, two, three, four, five, six, seven, eight, nine, ten, eleven, twelve), 1))
