"""A blow hand to hand: the defence's die, both totals, what comes of it, and the free blows it earns (§2.1, §2.2)."""

from __future__ import annotations

from typing import Any

from tests.twins.countup.fight import Fight
from tests.twins.countup.light import looks
from tests.twins.countup.people import Person


def defence_die(f: Fight, p: Person, q: Person) -> tuple[int, int]:
    """(faces, modifier) of a defence against somebody: the first state that fits."""
    shield = f.tables_shield(p) if covers(f, p, q) else 0
    every = p.defence + stance_defence(f, p) + looks(f, p, q)[1]
    if p.helpless or f.surprised(p):
        return 8, 0
    if p.prone or p.casting:
        return 8, every
    if f.arc(p, q) == "rear":
        return 8, every
    if p.stance == "fleeing":
        return 10, every
    four = [e for e in f.foes(p) if f.arc(p, e) != "rear" and f.threatens(e, p)]
    if len(four) >= 4:
        return 12, every + shield
    if shield:
        return 20, every + shield
    return 20, every - 4


def covers(f: Fight, p: Person, q: Person) -> bool:
    """Whether a shield helps against somebody: by option a small one against the first two in front, others also at
    the sides."""
    if not p.shield or not f.options.get("shield_arcs"):
        return bool(p.shield)
    where = f.arc(p, q)
    if f.shield_of(p)["size"] != "S":
        return where != "rear"
    ahead = [e for e in f.foes(p) if f.arc(p, e) == "front" and f.threatens(e, p)]
    return where == "front" and q not in ahead[2:]


def stance_defence(f: Fight, p: Person) -> int:
    bonus = 0
    if p.exposed:
        bonus -= 2
    if p.stance.startswith("defensive"):
        bonus += int(p.stance[-1])
    if p.stance == "parry":
        bonus += 5
    charges = p.stance == "charging" and ((p.order or {}).get("deed") or {}).get("option") == "charge"
    if charges or p.unbalanced > f.second:
        bonus -= max(0, p.block.get("dexterity", 0))
    if p.fatigue > f.second:
        bonus -= 6
    if "blurred" in p.effects and p.moved >= f.second - 1:
        bonus += 4
    return bonus + ("blessed" in p.effects) - p.tired() - p.tactical


def strength(p: Person) -> int:
    return p.damage - 4 * ("enfeebled" in p.effects) - p.tired()


def finds_image(f: Fight, q: Person) -> bool:
    """Whether a hit goes into a copy: a die with a face for each, 1 is the creature itself."""
    if not q.images or f.dice.die(q.images + 1) == 1:
        return False
    q.images -= 1
    return True


def attack_bonus(p: Person, blow: dict[str, Any]) -> int:
    kind = blow["kind"]
    bonus = p.attack + ("blessed" in p.effects) - p.tired() - p.tactical
    if p.prone:
        bonus -= 4
    if kind == "aggressive":
        bonus += 5
    if kind == "charge":
        bonus += 4
    if kind not in ("free", "unarmed"):  # of a defensive fight and one that was broken off the larger price
        price = 2 * int(kind[-1]) if kind.startswith("defensive") else 0
        bonus -= max(price, p.owed) + p.penalty + 2 * p.withdrew
    return bonus


def strike(f: Fight, blow: dict[str, Any]) -> None:
    """Throw a blow's dice and note in it what it does."""
    p, q, kind, weapon = blow["by"], blow["target"], blow["kind"], blow["weapon"]
    faces, modifier = defence_die(f, q, p)
    if blow.get("yielded"):
        modifier += 5
    total, natural = f.dice.penetrating(faces)
    defence = total + modifier
    total, attack_natural = f.dice.penetrating(20)
    attack = total + attack_bonus(p, blow) + looks(f, p, q)[0]
    hit = attack > defence and attack_natural != 1
    critical = hit and attack_natural == 20
    if attack_natural == 20 and f.options.get("natural_20_hits"):
        hit = critical = True
    f.say(f"{p.id} {kind} {q.id}: {attack} ({attack_natural}) against {defence} (d{faces} {natural})")
    image = hit and finds_image(f, q)
    hit = hit and not image
    critical = critical and hit
    blow.update(raw=0, loss=0, hit=hit, shield_raw=None)
    tame = kind.startswith("defensive") or "jab" in kind
    if hit and kind != "hold_at_bay":
        raw = weapon_damage(f, p, blow, critical, tame)
        blow["raw"] = raw
        blow["loss"] = raw if kind == "unarmed" else max(0, raw - q.reduction)
    elif (
        not hit
        and not image
        and q.shield
        and faces in (12, 20)
        and covers(f, q, p)
        and defence - attack <= 9
        and attack_natural != 1
        and natural != 20
        and kind not in ("unarmed", "hold_at_bay")
    ):
        shown, flat = f.dice.dice(shield_dice(weapon), tame=tame)
        raw = max(0, shown + flat + strength(p))
        if "jab" in kind:
            raw //= 2
        blow["raw"] = blow["shield_raw"] = raw
        blow["loss"] = max(0, raw - f.shield_of(q)["reduction"] - q.reduction)
    blow["tires"] = bool(f.options.get("fatigue")) and f.second > 10 and natural <= 1 + q.slower
    blow["grants"] = (attack_natural, attack, natural, faces, defence)


def weapon_damage(f: Fight, p: Person, blow: dict[str, Any], critical: bool, tame: bool) -> int:
    kind, weapon = blow["kind"], blow["weapon"]
    whole = critical and f.options.get("double_total")
    flat = 0
    shown = 0
    for _ in range(2 if (critical and not whole) or kind == "set" else 1):
        more, flat = f.dice.dice(weapon["damage"], tame=tame, top=2 if stab(f, blow) else 1)
        shown += more
        if stab(f, blow):
            shown += f.dice.dice("d4p" if p.block.get("level", 0) < 5 else "2d4p", tame=tame)[0]
    raw = max(0, shown + flat + strength(p)) * (2 if whole else 1)
    if "jab" in kind:
        raw //= 2
    if kind == "aggressive" and blow.get("yielded"):
        raw //= 2
    return raw


def stab(f: Fight, blow: dict[str, Any]) -> bool:
    """A thief's small weapon from behind, or at who is surprised (an option)."""
    p, q = blow["by"], blow["target"]
    small = blow["weapon"]["size"] == "S" and not blow["weapon"]["brackets"] and blow["kind"] != "unarmed"
    able = f.options.get("backstab") and p.block.get("thief") and small
    return bool(able and (f.surprised(q) or f.arc(q, p) == "rear"))


def shield_dice(weapon: dict[str, Any]) -> str:
    """The table's dice against a shield; without any, by the weapon's kind (§2.2)."""
    if weapon.get("shield"):
        return str(weapon["shield"])
    if weapon["kind"].startswith("P"):
        return "1"
    dice = [part for part in weapon["damage"].split("+") if not part.isdigit()]
    each = []
    for part in dice:
        count, faces = part.split("d")
        each += ["d" + faces] * int(count or 1)
    each.sort(key=lambda d: int(d[1:].rstrip("p")))
    half = len(each) // 2
    kept = each[len(each) - half :] if weapon["kind"].startswith("C") else each[:half]
    return "+".join(kept or each[:1])


def grant(f: Fight, blow: dict[str, Any]) -> None:
    """Free blows: a fumble's, a perfect and a near-perfect defence's; the attacker's a second later (§2.1)."""
    a_nat, attack, d_nat, faces, defence = blow["grants"]
    p, q, depth = blow["by"], blow["target"], blow.get("depth", 0)
    if defence > attack and depth < 5:
        if a_nat == 1 or (faces == 20 and d_nat == 20):
            f.free.append({"by": q, "target": p, "kind": "free", "depth": depth + 1})
        elif faces == 20 and d_nat == 19 and f.distance(p, q) <= 1:
            kind = "free" if q.free_hand()["knife"] and q.ready_at <= f.second else "unarmed"
            f.free.append({"by": q, "target": p, "kind": kind, "depth": depth + 1})
    if d_nat == 1 and depth < 5:
        fist = blow["weapon"]["name"] == "unarmed"
        f.later.append((f.second + 1, {"by": p, "target": q, "kind": "free", "depth": depth + 1, "fist": fist}))


def may_strike_free(f: Fight, blow: dict[str, Any]) -> bool:
    p, q = blow["by"], blow["target"]
    fist = blow["kind"] == "unarmed" or blow.get("fist")
    weapon = p.arm("unarmed") if fist else p.free_hand()
    if not f.free_to_strike(p, weapon):
        return False
    return q.present() and f.spans(p, p.at, q, q.at, p.reach(weapon))
