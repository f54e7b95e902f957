"""The seconds: expire, declare, move, contact and strike, react, the end (§1)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tests.twins.countup import handiwork
from tests.twins.countup.fight import Fight
from tests.twins.countup.fog import known
from tests.twins.countup.light import LAMPS
from tests.twins.countup.moving import move, waits_for_the_end
from tests.twins.countup.orders import asked
from tests.twins.countup.people import Person
from tests.twins.countup.shooting import shots
from tests.twins.countup.spells import begin as begin_spell
from tests.twins.countup.spells import complete
from tests.twins.countup.stealth import initiative_dice
from tests.twins.countup.striking import break_out, contact_and_strikes, react, resolve

FOREVER = 10**9


def begin(f: Fight) -> None:
    """Facings and initiative, in the record's order. In fog only foes that one's side sees are faced."""
    for p in f.people:
        foes = [q for q in f.foes(p) if not f.options.get("fog") or known(f, p.side, q)]
        if p.block.get("facing") is None and foes:
            near = min(foes, key=lambda q: (f.distance(p, q), q.at[1], q.at[0], q.number))
            p.facing = f.towards(p, near)
    faces = initiative_dice(f)
    for p, die in zip(f.people, faces, strict=True):
        p.init = p.due = max(1, f.dice.die(die) + p.initiative)


def run(f: Fight) -> Iterator[None]:
    """Time; yields whenever somebody must decide."""
    f.second = 1
    shout(f)
    f.check_over()
    for p in f.people:
        p.contacts = {q.number for q in f.foes(p) if f.contact(p, q)}
    while f.over is None:
        while any(asked(f, p) for p in f.people):
            yield
        declare(f)
        while f.questions:
            yield from answer_flight(f)
        move(f)
        meet(f)
        yield from contact_and_strikes(f)
        react(f)
        break_out(f)
        shots(f)
        complete(f)
        handiwork.work(f)
        f.check_over()
        if f.over is None:
            f.second += 1
            expire(f)
            shout(f)
            f.zones = [zone for zone in f.zones if zone[2] > f.second]


def expire(f: Fight) -> None:
    for p in f.living():
        if p.helpless and p.helpless <= f.second:
            p.helpless = 0
            p.due = f.second + 1 + p.speed(p.wields())
            rise(f, p)
        lasts = p.stance == "fleeing" and p.order and p.order["path"]
        if p.stance and p.until <= f.second and not lasts:
            if p.stance == "rising":
                p.prone = False
            f.drop_stance(p)
        for effect in [e for e, ends in p.effects.items() if ends <= f.second]:
            del p.effects[effect]
            if effect == "shielded":
                p.ward = 0
            if effect == "copied":
                p.images = 0
        p.unlit |= f.second == LAMPS[p.block.get("lamp", "")][1]
        heals = p.block.get("regenerates", 0)
        if heals and f.second % heals == 0 and 0 < p.hp < p.hp_max - p.burnt:
            p.hp += 1


def shout(f: Fight) -> None:
    """Hue and cry (an option): the first of a side who may act rouses the others two seconds sooner."""
    for p in f.living() if f.options.get("hue_and_cry") else ():
        friends = [q for q in f.living() if q.side == p.side]
        if p.init != f.second or any(q.init < f.second for q in friends):
            continue
        for q in friends:
            if q.init > f.second:
                sooner = max(f.second, q.init - 2)
                q.due = sooner if q.due == q.init else q.due
                q.init = sooner


def rise(f: Fight, p: Person) -> None:
    """Up in a second; what is left of an order is its way."""
    p.stance, p.until = "rising", f.second + 1
    p.busy = f.second + 1
    only_way(p)


def only_way(p: Person) -> None:
    if p.order is not None and p.order["path"]:
        p.order["deed"] = None
    else:
        p.order = None


def declare(f: Fight) -> None:
    """What begins with the second itself: stances, flights, getting up and down, what is drawn."""
    for p in f.living():
        o = p.order
        if p.stance == "set" and not (o and o["deed"] and o["deed"]["do"] == "set" and p.moved < p.set_since):
            p.stance, p.until, p.set_since = "", 0, -1
        if o is None or not f.able(p):
            continue
        bidden = o["turn"] is not None
        if bidden:
            p.facing = o["turn"]
        deed = o["deed"]
        if not o["path"]:
            o["turn"] = None
        if deed is None or waits_for_the_end(p):
            continue
        do = deed["do"]
        if do in ("attack", "hold_at_bay", "shoot") and not o["path"] and not bidden and deed["target"].present():
            q = deed["target"]
            if not deed["awaits"] or f.ground.sight(p.at, p.space, q.at, q.space):
                p.facing = f.towards(p, q)
        if p.stance.startswith("defensive") and p.stance != (deed.get("option") or do):
            p.owed = max(p.owed, 2 * int(p.stance[-1]) if p.due > f.second else 0)
            f.drop_stance(p)
        if do == "stand" and (p.prone or p.stance == "kneeling"):
            rise(f, p)
        elif do == "kneel":
            p.stance, p.until, p.busy, p.order = "kneeling", FOREVER, f.second + 1, None
        elif do == "full_parry" and p.due <= f.second and p.stance != "parry":
            p.due = f.second + p.speed(p.wields())
            p.stance, p.until = "parry", p.due
        elif do == "ready" and deed["weapon"] != p.hand:
            take(f, p, deed["weapon"])
        elif do == "set" and p.stance != "set":
            p.stance, p.until, p.set_since = "set", FOREVER, f.second
        elif do in handiwork.DOS:
            handiwork.begin(f, p, deed)
        elif do == "cast":
            begin_spell(f, p, deed)
        elif do == "flee" and p.stance != "fleeing":
            flee(f, p)
        elif do == "attack" and (deed["option"] or "").startswith("defensive"):
            p.stance, p.until = deed["option"], FOREVER


def take(f: Fight, p: Person, name: str) -> None:
    """Draws: small 0, medium 1, large 2 seconds; a shield is put off or strapped on besides (§2.7)."""
    weapon = p.arm(name)
    takes = {"S": 0, "M": 1, "L": 2}[weapon["size"]]
    if weapon["brackets"]:
        takes = 0 if weapon["thrown"] and weapon["knife"] else 1
    if name in p.block.get("stowed", ()) and name not in p.unpacked:
        takes = 5
        p.unpacked.add(name)
    if weapon["hands"] == 2 and p.shield:
        takes += f.dice.die_p(4)
        p.shield, p.slung = None, p.shield
    elif weapon["hands"] < 2 and p.slung:
        takes += f.dice.die_p(4) + 1
        p.shield, p.slung = p.slung, None
    p.hand = name
    p.loaded = ""
    ready = p.ready_at = f.second + takes
    if not (p.order and p.order["path"]):
        p.busy = max(p.busy, ready)
    in_melee = any(f.people[n].present() for n in p.contacts)
    p.due = ready + p.speed(weapon) if in_melee else max(p.due, ready)
    only_way(p)


def flee(f: Fight, p: Person) -> None:
    """Turns and runs: every engaged foe without another enemy beside it may strike once, or follow (§2.6)."""
    p.stance, p.until, p.set_since = "fleeing", f.second + 3, -1
    p.due = f.second + p.speed(p.wields())
    p.broke = True
    for n in sorted(p.contacts):
        q = f.people[n]
        if not f.free_to_strike(q, q.free_hand()) or (q.order and (q.order["deed"] or {}).get("do") == "flee"):
            continue
        if any(f.people[r].present() and f.distance(q, f.people[r]) <= 1 for r in q.contacts if r != p.number):
            continue
        f.questions.append({"by": q, "kind": "fleer", "options": ("strike", "follow"), "about": p})


def answer_flight(f: Fight) -> Iterator[None]:
    while "answer" not in f.questions[0]:
        yield
    a = f.questions.pop(0)
    q, p = a["by"], a["about"]
    if a["answer"] == "strike":
        weapon = q.free_hand()
        q.no_pursuit = f.second + -(-q.speed(weapon) // 2)
        if p.present() and f.spans(q, q.at, p, p.at, q.reach(weapon)):
            resolve(f, [{"by": q, "target": p, "kind": "free", "depth": 0, "weapon": weapon}])
    elif p.present() and p.order and p.order["path"] and f.second >= q.no_pursuit:
        deed: dict[str, Any] | None = {"do": "attack", "target": p, "option": None, "awaits": 0}
        if q.wields()["brackets"]:
            deed = None
        way = [p.at, *p.order["path"][:-1]]
        q.order = {"path": way, "gait": "sprint", "deed": deed, "turn": None, "done": True}
        q.given = f.second


def meet(f: Fight) -> None:
    """New pairs within reach; old ones that have parted are forgotten."""
    found = {p.number: {q.number for q in f.foes(p) if f.contact(p, q)} for p in f.living()}
    for p in f.living():
        near = found[p.number]
        p.fresh = near - (p.contacts if f.second > 1 else set())
        p.contacts = near
        if near and p.broke and p.stance != "fleeing":
            p.broke = False
            p.due = max(p.due, f.second + p.speed(p.wields()))
        if p.fresh and p.order and p.order["deed"]:
            p.order["deed"]["awaits"] = 0
