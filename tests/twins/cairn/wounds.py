"""The damage ladder, critical damage and scars (cairn.md §2.4, §2.5, §4)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tests.twins.cairn import deeds, people, riders
from tests.twins.cairn.fight import CLOCK, HOUR, Fight, present
from tests.twins.cairn.people import Person

Blow = tuple[int, list[dict[str, Any]], Person]


def spared(victim: Person, kinds: set[str], magic_counts: bool = False) -> bool:
    """Whether what is made so does nothing to somebody's nature. `magic` there is for spells: weapons harm them."""
    immune = set(victim["immune"]) - (set() if magic_counts else {"magic"})
    if not kinds & {"magic"}:
        kinds = kinds | {"mundane"}
    return bool(immune & kinds) and not kinds & set(victim["enhanced_by"])


def pool(fight: Fight, victim: Person, rolled: list[Blow]) -> None:
    """The highest die alone counts; ties go to what ignores Armor, then to what has a special effect (A4)."""

    def rank(blow: Blow) -> tuple[int, bool, bool]:
        die, pair, _ = blow
        return die, any(arm["ignores_armor"] for arm in pair), any(arm["rider"] for arm in pair)

    telling = [blow for blow in rolled if not spared(victim, deeds.tags(blow[1])) and tells(victim, blow[1])]
    if not telling:
        return
    die, pair, striker = max(telling, key=rank)
    guard = 0 if any(arm["ignores_armor"] for arm in pair) else people.armor(victim)
    through = max(0, die - guard)
    direct = any(arm["direct"] for arm in pair) or defenceless(fight, victim)
    arm = pair[0]
    if not present(victim):
        return
    harm(fight, victim, through, direct, arm["rider"], striker)
    if through:
        for name in ("asleep", "charmed", "pacified"):
            fight.lose(victim, name)
    if through and arm["rusts"]:
        rust(victim)
    if through and arm["feeds"] and not victim["bloodless"]:
        striker["hp"] = max(striker["hp"], min(striker["hp_max"], striker["hp"] + arm["feeds"]))


def tells(victim: Person, pair: list[dict[str, Any]]) -> bool:
    """Whether no spell keeps a blow off: a shield those that are no magic, a swarm all but those on an area."""
    if "shielded" in victim["conditions"] and "magic" not in deeds.tags(pair):
        return False
    return "swarm" not in victim["conditions"] or any(arm["blast"] for arm in pair)


def rust(victim: Person) -> None:
    """The first thing of ordinary metal in hand is gone."""
    for item in victim["hands"]:
        if {**people.table("weapons"), **people.table("armour")}.get(item, {}).get("metal"):
            victim["hands"].remove(item)
            return


def defenceless(fight: Fight, victim: Person) -> bool:
    """Asleep, blind or unaware: past Hit Protection (§2.5)."""
    if fight.helpless(victim) or "blind" in victim["conditions"]:
        return True
    return victim["alert"] == "unaware" and fight.round == 1


def harm(
    fight: Fight,
    victim: Person,
    amount: int,
    direct: bool,
    rider: dict[str, Any] | None = None,
    striker: Person | None = None,
) -> None:
    """Down the ladder: HP first, the rest off STR (§2.4). Light sleep breaks on any harm (§4)."""
    if amount <= 0 or not present(victim):
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
        strength(fight, victim, beyond, rider, striker)
    fight.lose(victim, "asleep")


def strength(
    fight: Fight, victim: Person, amount: int, rider: dict[str, Any] | None = None, striker: Person | None = None
) -> None:
    """STR is lost: dead at nought, else a save against what is left (A10, A11)."""
    victim["str"] = max(0, victim["str"] - amount)
    if victim["str"] == 0:
        die(fight, victim)
        return
    if fight.save(victim["str"]):
        if "doomed" in victim["conditions"]:
            fight.lose(victim, "doomed")
            raise_to(victim, "hp_max", sum(fight.throw(6) for _ in range(3)))
    else:
        critical(fight, victim)
        if rider and rider.get("on", "critical") == "critical":
            riders.ride(fight, victim, rider, striker, amount)
    if rider and rider.get("on") == "wound" and present(victim):
        riders.ride(fight, victim, rider, striker, amount)


def critical(fight: Fight, victim: Person) -> None:
    if victim["pc"] and "doomed" in victim["conditions"]:
        die(fight, victim)
    elif victim["unstoppable"]:
        return
    elif victim["heads"] > 1:
        victim["heads"] -= 1
    elif victim["detachment"]:
        fight.leave(victim, "routed")
    elif victim["pc"] or fight.options["mercy"]:
        down(fight, victim)
        fight.lose(victim, "stable")
        victim["conditions"].setdefault("critical", None)
        victim["conditions"].setdefault(CLOCK, HOUR)
    else:
        die(fight, victim)


def down(fight: Fight, victim: Person) -> None:
    """Out of the fight, and a casualty to those who see it (§2.11)."""
    victim["state"], victim["posture"] = "incapacitated", "prone"


def die(fight: Fight, who: Person) -> None:
    if who["state"] == "dead":
        return
    who["state"], who["posture"] = "dead", "prone"
    who["bled"] = 0 if who["str"] == 0 else who["rises"]
    if who["bursts"]:
        fight.pyres.append(who["id"])
        if not fight.resolving:
            burn(fight)


def burn(fight: Fight) -> None:
    """A phoenix ends in d6 fire all around: Armor counts, and no nature takes harm that flames do nothing to."""
    pyres, fight.pyres = fight.pyres, []
    for name in pyres:
        ended = fight.people[name]
        for other in fight.here():
            if fight.distance(ended, other) > 1 or other is ended or not fight.sight(ended, other):
                continue
            if spared(other, {"fire"}, True) or "shielded" in other["conditions"]:
                continue
            dice = natured(other, {"fire"}, ended["bursts"])
            thrown = max(fight.throw(faces) for faces in dice)
            harm(fight, other, max(0, thrown - people.armor(other)), defenceless(fight, other))


def natured(victim: Person, kinds: set[str], dice: Sequence[int]) -> list[int]:
    """Dice of what is no blow: enhanced or impaired as blows are (cairn.md §2.2 Harm that is no blow)."""
    kinds = kinds if "magic" in kinds else kinds | {"mundane"}
    if kinds & set(victim["enhanced_by"]):
        return [12] * len(dice)
    return [4] * len(dice) if kinds & set(victim["impaired_by"]) else list(dice)


def stop_clock(fight: Fight, victim: Person) -> None:
    """Aid: the hour stands still; the patient stays down in this fight (§2.6)."""
    if any(victim["conditions"].get(name) for name in (CLOCK, "mortally wounded")):
        fight.lose(victim, CLOCK)
        if "mortally wounded" in victim["conditions"]:
            victim["conditions"]["mortally wounded"] = None
        victim["conditions"]["stable"] = None


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
    fight.gain(victim, "prone")
    fight.gain(victim, "deprived")
    fight.gain(victim, "winded", 1)


def four(fight: Fight, victim: Person) -> None:
    bone = fight.throw(6)
    victim["lame"] |= bone <= 2
    victim["one_armed"] |= bone in (3, 4)


def five(fight: Fight, victim: Person) -> None:
    fight.gain(victim, "infected")


def six(fight: Fight, victim: Person) -> None:
    key = ("str", "dex", "wil")[(fight.throw(6) - 1) // 2]
    thrown = dice(fight, 3)
    if thrown > victim[key]:
        victim[key] = thrown
        raise_to(victim, f"{key}_max", thrown)


def seven(fight: Fight, victim: Person) -> None:
    victim["lame"] = True


def eight(fight: Fight, victim: Person) -> None:
    fight.gain(victim, "deaf")
    if fight.save(victim["wil"]):
        victim["wil_max"] += fight.throw(4)


def nine(fight: Fight, victim: Person) -> None:
    raise_to(victim, "wil_max", dice(fight, 3))


def ten(fight: Fight, victim: Person) -> None:
    if fight.options["gm"]:
        fight.questions.append(victim["id"])
    else:
        limb(fight, victim, "arm" if fight.throw(2) == 1 else "leg")


def limb(fight: Fight, victim: Person, lost: str) -> None:
    """Row 10 once the limb is known."""
    victim["one_armed" if lost == "arm" else "lame"] = True
    if fight.save(victim["wil"]):
        victim["wil_max"] += fight.throw(6)


def eleven(fight: Fight, victim: Person) -> None:
    fight.gain(victim, "deprived")
    fight.gain(victim, "mortally wounded", HOUR)
    down(fight, victim)


def twelve(fight: Fight, victim: Person) -> None:
    fight.gain(victim, "doomed")


ROWS = dict(enumerate((one, two, three, four, five, six, seven, eight, nine, ten, eleven, twelve), 1))
