"""Which blows fall in a second, in what order, and what comes after them (§1 phases 4 to 6)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tests.twins.countup import blows as melee
from tests.twins.countup.fight import Fight
from tests.twins.countup.ground import COMPASS, Spot
from tests.twins.countup.light import looks
from tests.twins.countup.moving import retreats
from tests.twins.countup.orders import before_the_point
from tests.twins.countup.people import Person
from tests.twins.countup.wounds import aftermath, hold, rider, step_after


def blow_of(f: Fight, p: Person) -> dict[str, Any] | None:
    """The blow that somebody is about to strike, if it is due and its foe within reach."""
    deed = p.order["deed"] if p.order else None
    if not deed or deed["do"] not in ("attack", "hold_at_bay", "set") or not f.able(p):
        return None
    if p.fatigue > f.second or p.casting:
        return None
    if p.held_by is not None or p.busy > f.second or p.ready_at > f.second:
        return None
    weapon = p.natural.get(deed.get("weapon") or "", p.wields())
    if weapon["brackets"]:
        return None
    if deed["do"] == "set":
        return set_blow(f, p, weapon)
    if p.due > f.second:
        return None
    q = deed["target"]
    if not q.present() or not f.spans(p, p.at, q, q.at, p.reach(weapon)):
        return None
    kind = deed["option"] or "attack"
    if deed["do"] == "hold_at_bay":
        holds = not any(r.held_by is p for r in f.living()) and before_the_point(f, p, q)
        holds = holds and bool(weapon["jab"])
        kind = ("hold_at_bay jab" if deed["option"] else "hold_at_bay") if holds else kind
    if kind in ("jab", "hold_at_bay") and not weapon["jab"]:
        kind = "attack"
    if kind == "charge" and not (p.stance == "charging" and (f.towards(p, q) - p.heading) % 8 in (7, 0, 1)):
        kind = "attack"
    return {"by": p, "target": q, "kind": kind, "weapon": weapon, "depth": 0}


def set_blow(f: Fight, p: Person, weapon: dict[str, Any]) -> dict[str, Any] | None:
    """A weapon set for three seconds meets a charger, due or not; others when it is due."""
    met = [f.people[n] for n in sorted(p.fresh) if f.people[n].present()]
    met = [q for q in met if f.spans(p, p.at, q, q.at, p.reach(weapon))]
    charging = [q for q in met if q.stance == "charging"]
    if charging and p.stance == "set" and f.second - p.set_since >= 3:
        return {"by": p, "target": charging[0], "kind": "set", "weapon": weapon, "depth": 0}
    if met and p.due <= f.second:
        return {"by": p, "target": met[0], "kind": "attack", "weapon": weapon, "depth": 0}
    return None


def contact_and_strikes(f: Fight) -> Iterator[None]:
    """First strikes of those who have come into reach: bay, set weapons, then by descending reach; then all others."""
    group = [b for p in f.living() if (b := blow_of(f, p))]
    first = [b for b in group if b["target"].number in b["by"].fresh]
    first.sort(key=lambda b: (-b["weapon"]["reach"], b["by"].number))
    rest = [b for b in group if b not in first]
    for second, b in f.later:
        if second <= f.second and melee.may_strike_free(f, b):
            rest.append({**b, "weapon": b["by"].arm("unarmed") if b["fist"] else b["by"].free_hand()})
    f.later = [x for x in f.later if x[0] > f.second]
    rest.sort(key=lambda b: b["by"].number)
    for b in sorted(first + rest, key=lambda b: (-b["weapon"]["reach"] if b in first else 0, b["by"].number)):
        yields(f, b)
    while f.questions:
        while "answer" not in f.questions[0]:
            yield
        a = f.questions.pop(0)
        a["blow"]["yielded"] = a["answer"] in ("yield", "scamper")
        a["by"].scampers |= a["answer"] == "scamper"
    for r in sorted({rank(b) for b in first}):
        resolve(f, [b for b in first if rank(b) == r and still(f, b)])
    resolve(f, [b for b in rest if still(f, b)])


def rank(b: dict[str, Any]) -> tuple[int, float]:
    if b["kind"].startswith("hold_at_bay"):
        return 0, -b["weapon"]["reach"]
    return (1, 0.0) if b["kind"] == "set" else (2, -b["weapon"]["reach"])


def still(f: Fight, b: dict[str, Any]) -> bool:
    """Alive, able, not held, and in its own reach after the faster ones."""
    p, q = b["by"], b["target"]
    if not f.able(p) or p.held_by is not None or not q.present():
        return False
    return f.spans(p, p.at, q, q.at, p.reach(b["weapon"]))


def yields(f: Fight, b: dict[str, Any]) -> None:
    p, q = b["by"], b["target"]
    if q.policy == "stand" or not may_yield(f, b):
        return
    answers = ("stand", "yield", "scamper") if f.options.get("scamper_back") else ("stand", "yield")
    if q.policy == "yield":
        b["yielded"] = True
    else:
        f.questions.append({"by": q, "kind": "give_ground", "options": answers, "about": p, "blow": b})


def may_yield(f: Fight, b: dict[str, Any]) -> bool:
    """A free space behind, an attacker who is no faster a walker and does not charge (§2.6)."""
    p, q = b["by"], b["target"]
    if b["kind"] in ("free", "unarmed", "charge") or not f.able(q) or q.prone or q.casting or p.stance == "charging":
        return False
    if "bound" in q.effects or q.exposed or q.stance == "charging" or p.rates["walk"] > q.rates["walk"]:
        return False
    return back(f, p, q) is not None


def back(f: Fight, p: Person, q: Person) -> Spot | None:
    """The free space straight back from an attacker, or half to either side of it."""
    away = (f.towards(q, p) + 4) % 8
    for turn in (0, 1, -1):
        dx, dy = COMPASS[(away + turn) % 8]
        there = q.at[0] + dx, q.at[1] + dy
        if f.ground.step(q.at, there, q.space) and f.room(q, there):
            return there
    return None


def resolve(f: Fight, group: list[dict[str, Any]]) -> None:
    """Blows that fall together: all dice by the state before them, then what they did."""
    for b in group:
        melee.strike(f, b)
    for b in group:
        b["target"].worn = min(4, b["target"].worn + b["tires"])
    for b in group:
        p, q, kind = b["by"], b["target"], b["kind"]
        melee.grant(f, b)
        p.facing = f.towards(p, q)
        if kind in ("free", "unarmed"):
            continue
        speed = p.speed(b["weapon"], jab="jab" in kind)
        if b["weapon"]["name"] == "unarmed" and (f.surprised(q) or q.bare()):  # fists at the unarmed or unaware: 5
            speed -= 5
        p.due = f.second + (-(-speed // 2) if q.helpless or q.prone else speed)
        p.turn += 1
        p.penalty = p.owed = p.tactical = 0
        p.withdrew = False
        p.exposed = kind == "aggressive"
        if kind == "charge":
            p.stance, p.until, p.unbalanced = "", 0, f.second + 5
        if p.order and p.order["deed"]:
            p.order["deed"]["awaits"] = 0
            if p.order["deed"].get("option") == "charge":
                p.order["deed"]["option"] = None
        if kind == "set":
            p.stance, p.until, p.set_since = "", 0, -1
    aftermath(f, group)
    for b in group:
        give_ground(f, b)
        rider(f, b)
        hold(f, b)


def give_ground(f: Fight, b: dict[str, Any]) -> None:
    """A step back after the blow, and the attacker's after it."""
    p, q = b["by"], b["target"]
    if not b.get("yielded") or not f.able(q):
        return
    there = back(f, p, q)
    if there is None:
        return
    left, q.at = q.at, there
    q.penalty += 4 if q.scampers else 1
    further = back(f, p, q) if q.scampers else None
    if further is not None:
        q.at = further
    q.scampers = False
    q.moved = f.second
    f.say(f"{q.id} gives ground to {there}")
    retreats(f, q, left)
    step_after(f, p, left)


def react(f: Fight) -> None:
    while f.free:
        b = f.free.pop(0)
        if melee.may_strike_free(f, b):
            fist = b["kind"] == "unarmed"
            resolve(f, [{**b, "weapon": b["by"].arm("unarmed") if fist else b["by"].free_hand()}])


def break_out(f: Fight) -> None:
    """Who is held at bay knocks the weapon aside, or finds that nobody holds it any more (§2.6)."""
    for p in f.living():
        h = p.held_by
        if h is None:
            continue
        keeps = (
            f.able(h) and h.busy <= f.second and not h.prone and not h.casting and not h.task and h.stance != "fleeing"
        )
        if not keeps or h.melee()["reach"] <= p.melee()["reach"] or not f.reaches(h, p):
            p.held_by = None
            continue
        if not p.order or not p.order["deed"] or p.order["deed"]["do"] != "knock_aside":
            continue
        held = f.dice.penetrating(20)[0] + h.defence - 4 + melee.stance_defence(f, h) + looks(f, h, p)[1]
        tried = f.dice.penetrating(20)[0] + melee.attack_bonus(p, {"kind": "free"}) + looks(f, p, h)[0]
        p.order = None
        if tried > held:
            p.held_by = None
            p.due = max(p.due, f.second + 1)
