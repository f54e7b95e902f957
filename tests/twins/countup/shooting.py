"""Shots and throws: loading, brackets, cover, a melee shot into (§2.5)."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from tests.twins.countup.blows import finds_image
from tests.twins.countup.fight import Fight
from tests.twins.countup.ground import block
from tests.twins.countup.light import looks
from tests.twins.countup.moving import RUSHES
from tests.twins.countup.people import Person
from tests.twins.countup.spells import smoked
from tests.twins.countup.wounds import aftermath

FARTHER = {"T": Fraction(2), "S": Fraction("1.5"), "M": Fraction(1), "L": Fraction("0.67"), "H": Fraction("0.5"),
           "G": Fraction("0.25")}  # fmt: skip
AT_MELEE = {"T": 10, "S": 8, "M": 6, "L": 4, "H": 2, "G": -2}
DICE = (20, 12, 8, 4)
AIM = 4


def die_for(f: Fight, p: Person, q: Person, weapon: dict[str, Any]) -> int | None:
    """The attack's die by the distance as the target's size makes it count; None beyond the last bound."""
    feet = 5 * f.distance(p, q) * FARTHER[q.size]
    return next((die for die, bound in zip(DICE, weapon["brackets"], strict=True) if feet <= bound), None)


def can_shoot(f: Fight, p: Person, q: Person | None, weapon: dict[str, Any]) -> bool:
    """A missile weapon, somebody else who is there, near enough, in sight."""
    if q is None or q is p or not q.present() or not weapon["brackets"]:
        return False
    seen = f.ground.sight(p.at, p.space, q.at, q.space)
    return die_for(f, p, q, weapon) is not None and bool(seen) and not hidden(f, p, q)


def hidden(f: Fight, p: Person, q: Person) -> bool:
    """Whether smoke is between."""
    return smoked(f, block(p.at, p.space), block(q.at, q.space))


def shots(f: Fight) -> None:
    """One after another: who is ready lets fly; who may, begins to load (again)."""
    for p in f.living():
        deed = (p.order or {}).get("deed") or {}
        if deed.get("do") != "shoot":
            if p.loading:
                keep_what_is_loaded(f, p)
            continue
        if not f.able(p) or p.fatigue > f.second:
            continue
        weapon, quick = p.arm(p.hand), deed["option"] == "quick"
        if p.loading == p.hand and p.quick != quick:  # aimed where it was not to be, or loosed at once
            p.quick = quick
            p.leaves = max(f.second + 1, max(p.loaded_at, f.second) + (0 if quick else AIM) + weapon["fire"])
        if p.loading == p.hand and p.leaves <= f.second:
            if not can_shoot(f, p, deed["target"], weapon):
                p.order = None
                keep_what_is_loaded(f, p)
                continue
            let_fly(f, p, deed["target"], weapon, quick)
            if weapon["thrown"] or deed["option"] == "once":
                p.order = None
            if weapon["thrown"]:
                f.floor.append((p.hand, deed["target"].at))
                p.hand = ""
                continue
        if p.loading != p.hand and p.due <= f.second:
            begin(f, p, weapon, quick)


def begin(f: Fight, p: Person, weapon: dict[str, Any], quick: bool) -> None:
    """Load, draw, aim, fire; what is loaded and drawn already is only aimed and loosed."""
    if not (p.loaded == p.hand and p.loaded_at <= f.second):
        p.loaded, p.loaded_at = p.hand, f.second + weapon["load"] + weapon["draw"]
    p.loading, p.quick = p.hand, quick
    p.leaves = max(f.second + 1, max(p.loaded_at, f.second) + (0 if quick else AIM) + weapon["fire"])


def keep_what_is_loaded(f: Fight, p: Person) -> None:
    """No shot: an arrow that is on the string stays there; a load half done is lost."""
    p.loading = ""
    if p.loaded != p.hand or p.loaded_at > f.second:
        p.loaded = ""


def let_fly(f: Fight, p: Person, q: Person, weapon: dict[str, Any], quick: bool) -> None:
    faces = die_for(f, p, q, weapon)
    assert faces is not None
    total, natural = f.dice.penetrating(faces)
    attack = total + p.attack - (6 if quick else 0) - (4 if p.prone else 0) - p.penalty - 2 * p.withdrew - p.owed
    attack += ("blessed" in p.effects) - p.tired() - p.tactical + looks(f, p, q)[0]
    p.facing = f.towards(p, q)
    engaged = any(f.people[n].present() for n in q.contacts)
    aims = [q]
    if engaged:
        near = [r for r in f.living() if r is not p and r is not q and f.distance(q, r) <= 3]
        near = [r for r in near if f.ground.sight(p.at, p.space, r.at, r.space) and not hidden(f, p, r)]
        aims += sorted(near, key=lambda r: (f.distance(q, r), r.number))
    for r in aims:
        if engaged:
            defence = f.dice.die_p(20) + AT_MELEE[r.size]
        else:
            keeps = f.options.get("shield_in_flight") and r.shield and held_up(f, r)
            defence = f.dice.die_p(20 if r.moved >= f.second - 1 or keeps else 12)
        if natural == 1 or min(attack, cap(f, p, r)) <= defence:
            continue
        if finds_image(f, r):
            continue
        twice = faces == 20 and natural == 20
        shown, flat = f.dice.dice(weapon["damage"])
        if twice:
            shown += f.dice.dice(weapon["damage"])[0]
        if weapon["thrown"] and p.straight >= 15 and p.gait in RUSHES:
            flat += p.damage
        raw = max(0, shown + flat)
        f.say(f"{p.id} shoots {r.id}: {raw}")
        blow: dict[str, Any] = {
            "by": p,
            "target": r,
            "kind": "shot",
            "weapon": weapon,
            "hit": True,
            "raw": raw,
            "shield_raw": None,
        }
        aftermath(f, [{**blow, "loss": max(0, raw - r.reduction)}])
        break
    p.due = f.second + weapon["recover"]
    p.loading = p.loaded = ""
    p.penalty = p.owed = p.tactical = 0
    p.withdrew = p.exposed = False


def held_up(f: Fight, q: Person) -> bool:
    """Whether somebody has its shield before it."""
    return not (q.helpless or f.surprised(q) or q.prone or q.casting or q.stance == "fleeing")


def cap(f: Fight, p: Person, q: Person) -> int:
    """The most that a shot can come to: what a shield covers, and what stands between (B10, §3)."""
    caps = [10**6]
    if q.shield and held_up(f, q) and f.arc(q, p) != "rear":
        shield = f.shield_of(q)
        low = q.stance == "kneeling" and shield.get("crouched")
        caps.append(shield["crouched"] if low else shield["cover"])
    caps += {2: [16], 1: [11]}.get(f.ground.sight(p.at, p.space, q.at, q.space), [])
    return min(caps)
