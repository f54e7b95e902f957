"""What somebody may order, and what the order becomes (docs/record.md, §1 phase 2, §2.6, §2.7)."""

from __future__ import annotations

from typing import Any

from tests.twins.countup import handiwork, minds
from tests.twins.countup.fight import Fight, Refused
from tests.twins.countup.fog import known
from tests.twins.countup.ground import Spot, apart, block
from tests.twins.countup.people import Person
from tests.twins.countup.shooting import can_shoot
from tests.twins.countup.spells import check

GAITS = ("walk", "jog", "run", "sprint")
STANCES = ("defensive 1", "defensive 2", "defensive 3", "defensive 4")


def asked(f: Fight, p: Person) -> bool:
    """Whether somebody must decide now."""
    if f.over is not None:
        return False
    if f.questions:
        return bool(f.questions[0]["by"] is p)
    if not f.able(p) or p.busy > f.second or p.casting or p.task:
        return False
    if p.order is None or not p.order["done"]:
        return True
    return p.given != f.second and not stands(f, p)


def stands(f: Fight, p: Person) -> bool:
    """Whether an order still has something to do."""
    assert p.order is not None
    if p.order["path"]:
        return True
    deed = p.order["deed"]
    if deed is None:
        return False
    do = deed["do"]
    if do in ("attack", "hold_at_bay"):
        q = deed["target"]
        if not q.present() or p.held_by is not None:
            return False
        if deed["awaits"] > f.second:
            return True
        near = f.spans(p, p.at, q, q.at, p.reach(p.natural.get(deed.get("weapon") or "", p.melee())))
        return near and (do == "attack" or q.held_by is p or before_the_point(f, p, q))
    if do == "shoot":
        return deed["target"].present() and p.held_by is None and not p.fresh
    if do == "hold":
        came = any(f.people[n].moved >= p.given for n in p.fresh)
        return not came and bool(deed["until"] > f.second)
    if do == "full_parry":
        return p.stance == "parry" and p.until > f.second
    if do == "set" and p.stance == "set":
        return not p.fresh and f.second < p.set_since + 10
    if (do == "set" and p.held_by is not None) or (do in ("set", "kneel") and p.prone):
        return False
    if p.effects and do in ("kneel", "set", "ready", "cast", *handiwork.DOS):
        try:
            minds.check(f, p, {"target": None, **deed.get("command", {}), "do": do})
        except Refused:
            return False
    if do == "cast" or do in handiwork.DOS:
        try:
            (check if do == "cast" else handiwork.check)(f, p, deed["command"], p.at)
        except Refused:
            return False
    return do in ("kneel", "set", "ready", "cast", *handiwork.DOS) and not p.fresh


def before_the_point(f: Fight, p: Person, q: Person) -> bool:
    """Whether a longer weapon still has the foe before its point."""
    if p.melee()["reach"] <= q.melee()["reach"] or q.helpless:
        return False
    return q.number in p.fresh or not f.reaches(q, p)


def order(f: Fight, p: Person, command: dict[str, Any]) -> None:
    """Check a command and put it into the order. Raises Refused."""
    do = command["do"]
    if not asked(f, p):
        raise Refused("not asked")
    mine = f.questions[0] if f.questions else None
    if do == "policy" and mine is None:
        return policy(p, command)
    if mine is not None:
        if do != "choose" or command.get("option") not in mine["options"]:
            raise Refused("answer the question")
        mine["answer"] = command["option"]
        return None
    if p.effects:
        minds.check(f, p, command)
    if p.order is not None and (p.given != f.second or p.order["done"]):
        p.order = None
    now = p.order or {"path": [], "gait": "", "deed": None, "turn": None, "done": False}
    if do in GAITS or do in ("flee", "tactical_move"):
        way(f, p, command, now)
    elif do == "clear":
        if p.order is None:
            raise Refused("nothing ordered")
        p.order = None
        return None
    elif do == "end":
        now["done"] = True
        if not now["path"]:
            now["deed"] = {"do": "hold", "until": f.second + 1}
    elif do == "turn":
        turn(p, command, now)
    else:
        if now["deed"]:
            raise Refused("a deed is ordered already")
        end = now["path"][-1] if now["path"] else p.at
        now["deed"] = deed(f, p, command, now, end)
        now["done"] = True
    p.order = now
    p.given = f.second
    return None


def policy(p: Person, command: dict[str, Any]) -> None:
    option = command.get("option")
    if option in ("stand", "yield", "ask"):
        p.policy = option
    elif option in ("press", "keep"):
        p.press = option == "press"
    else:
        raise Refused("no such policy")


def turn(p: Person, command: dict[str, Any], now: dict[str, Any]) -> None:
    option = command.get("option")
    if option not in tuple("01234567"):
        raise Refused("0 to 7")
    now["turn"] = int(option)


def way(f: Fight, p: Person, command: dict[str, Any], now: dict[str, Any]) -> None:
    do, path = command["do"], [tuple(s) for s in command.get("path") or ()]
    if now["path"]:
        raise Refused("a way is ordered already")
    if not path:
        raise Refused("a way needs spaces")
    engaged = f.engaged(p)
    gait = {"flee": "sprint", "tactical_move": "walk"}.get(do, do)
    if do == "tactical_move" and not (engaged and f.options.get("tactical_move")):
        raise Refused("no such move")
    if p.stance == "kneeling":
        raise Refused("stand up first")
    if p.fatigue > f.second and gait != "walk":
        raise Refused("tired")
    if p.prone and gait != "walk":
        raise Refused("lies")
    if do == "flee" and not engaged:
        raise Refused("nobody to flee from")
    if do in ("jog", "run", "sprint") and engaged:
        raise Refused("engaged")
    if not p.rates["walk" if do == "flee" else gait]:
        raise Refused("has no such gait")
    if do == "flee" and not p.rates["jog"]:
        raise Refused("cannot")
    if p.no_pursuit > f.second and any(
        q.stance == "fleeing" and apart(path[-1], 1, q.at, 1) < apart(p.at, 1, q.at, 1)
        for q in f.living()
        if q is not p
    ):
        raise Refused("struck at the fleeing: no pursuit")
    at = p.at
    for i, step in enumerate(path):
        if not f.ground.step(at, step, p.space):
            raise Refused("no step")
        others = {q for c in block(step, p.space) if (q := f.taken(c, p)) is not None and in_view(f, p, q)}
        if any(q.side != p.side for q in others) or (others and i == len(path) - 1):
            raise Refused("taken")
        if p.held_by is not None and nearer(f, p, p.at, step):
            raise Refused("held at bay")
        at = step
    now["path"], now["gait"], now["done"] = path, gait, do == "flee"
    now["tactical"] = do == "tactical_move"
    if do == "flee":
        now["deed"] = {"do": "flee"}


def in_view(f: Fight, p: Person, q: Person) -> bool:
    """Nobody knows of whom the fog hides: who stands unseen in the way stops one before it, no sooner."""
    return not f.options.get("fog") or known(f, p.side, q)


def nearer(f: Fight, p: Person, here: Spot, there: Spot) -> bool:
    q = p.held_by
    assert q is not None
    return apart(there, p.space, q.at, q.space) < apart(here, p.space, q.at, q.space)


def deed(f: Fight, p: Person, command: dict[str, Any], now: dict[str, Any], end: Spot) -> dict[str, Any]:
    do, option = command["do"], command.get("option")
    if do == "hold":
        if option is None or not option.isdigit() or not 1 <= int(option) <= 60:
            raise Refused("1 to 60")
        return {"do": "hold", "until": f.second + int(option)}
    if do in ("attack", "hold_at_bay"):
        return aim(f, p, command, now, end)
    if do == "shoot":
        return shoot(f, p, command)
    if do == "cast":
        if command.get("weapon") not in (None, p.wields()["name"]):
            raise Refused("not in hand")
        spell = check(f, p, command, end)
        return {"do": do, "spell": spell, "target": f.by_id.get(command.get("target") or ""), "at": command.get("at"),
                "command": command, "option": None}  # fmt: skip
    if do == "full_parry":
        if p.exposed:
            raise Refused("aggressive")
        if p.due > f.second:
            raise Refused("not due")
        return {"do": do}
    if do == "kneel":
        if p.stance == "kneeling" or p.prone:
            raise Refused("down already")
        if p.exposed:
            raise Refused("aggressive")
        return {"do": do}
    if do == "stand":
        if p.stance != "kneeling" and not p.prone:
            raise Refused("stands")
        return {"do": do}
    if do == "knock_aside":
        if p.held_by is None:
            raise Refused("nobody holds it")
        return {"do": do}
    if do == "set":
        weapon = p.wields()
        if not weapon["settable"] or p.prone or (p.held_by and not now["path"]) or p.exposed:
            raise Refused("cannot")
        return {"do": do}
    if do == "ready":
        return ready(p, command)
    if do in handiwork.DOS:
        if command.get("weapon") not in (None, p.wields()["name"]):
            raise Refused("not in hand")
        handiwork.check(f, p, command, end)
        return {"do": do, "command": command, "option": None}
    raise Refused(f"unknown: {do}")


def aim(f: Fight, p: Person, command: dict[str, Any], now: dict[str, Any], end: Spot) -> dict[str, Any]:
    do, option = command["do"], command.get("option")
    q = f.by_id.get(command.get("target") or "")
    if q is None or not q.present() or q is p:
        raise Refused("no such foe")
    weapon = p.wields()
    grown = command.get("weapon") if do == "attack" and not p.sequence else None
    weapon = p.natural.get(grown or "", weapon)
    if weapon["brackets"]:
        raise Refused("shoots")
    if command.get("weapon") not in (None, weapon["name"]):
        raise Refused("not in hand")
    if p.held_by is not None or p.fatigue > f.second:
        raise Refused("held at bay, or tired")
    if do == "attack" and option not in (None, "jab", "aggressive", "charge", *STANCES):
        raise Refused("no such option")
    if do == "hold_at_bay":
        if option not in (None, "jab") or not weapon["jab"]:
            raise Refused("cannot jab")
        if q.helpless or weapon["reach"] <= q.melee()["reach"]:
            raise Refused("not the longer")
        if any(r.held_by is p for r in f.living() if r is not q):
            raise Refused("holds another")
        if not now["path"] and f.reaches(q, p):
            raise Refused("past the point")
    if option == "jab" and not weapon["jab"]:
        raise Refused("cannot jab")
    if option in STANCES and p.exposed and p.due > f.second:
        raise Refused("aggressive")
    if option == "charge" and not now["path"] and p.stance != "charging":
        raise Refused("nothing run")
    awaits = 0 if now["path"] or f.spans(p, p.at, q, q.at, p.reach(weapon)) else f.second + 10
    return {"do": do, "target": q, "option": option, "awaits": awaits, "weapon": grown}


def shoot(f: Fight, p: Person, command: dict[str, Any]) -> dict[str, Any]:
    q = f.by_id.get(command.get("target") or "")
    if command.get("option") not in (None, "once", "quick") or command.get("weapon") not in (None, p.hand):
        raise Refused("no such shot")
    if p.held_by is not None or p.fatigue > f.second or not can_shoot(f, p, q, p.wields()):
        raise Refused("no shot")
    return {"do": "shoot", "target": q, "option": command.get("option"), "awaits": 0}


def ready(p: Person, command: dict[str, Any]) -> dict[str, Any]:
    name = command.get("weapon")
    if not name or name not in p.block.get("weapons", ()) or name == p.hand:
        raise Refused("cannot")
    return {"do": "ready", "weapon": name}
