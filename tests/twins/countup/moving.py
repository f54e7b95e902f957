"""A second of everybody's movement at once: gaits, four sub-steps, claims compared, contact (§1 phase 3, §3)."""

from __future__ import annotations

from fractions import Fraction

from tests.twins.countup.fight import Fight
from tests.twins.countup.ground import COMPASS, Spot, apart, block
from tests.twins.countup.people import Person

WORK = ("open", "close", "pick_lock", "force", "search", "pick_up")
RUSHES = ("jog", "run", "sprint")
CHARGE = 20
"""Feet straight on that make a charge."""


class Mover:
    """Somebody under way in this second."""

    def __init__(self, who: Person, count: int) -> None:
        self.who, self.count = who, count
        self.start = who.at
        self.went = 0
        self.stopped = False
        self.want: Spot | None = None


def gait_now(p: Person, wanted: str) -> str:
    """Who lies crawls; from a stand one jogs before one runs; who has no such gait takes the next lower one."""
    if p.prone:
        return "crawl"
    if wanted in ("run", "sprint") and p.gait in ("", "crawl"):
        wanted = "jog"
    lower = {"sprint": "run", "run": "jog", "jog": "walk"}
    while wanted in lower and not p.rates[wanted]:
        wanted = lower[wanted]
    return wanted


def halting(f: Fight, p: Person) -> list[Spot]:
    """The spaces straight on in which who ran comes to a halt, when no way leads on."""
    if p.gait not in ("run", "sprint") or p.contacts or not f.able(p) or p.prone or not p.straight:
        return []
    if p.order is not None and p.order["path"]:
        return []
    dx, dy = COMPASS[p.heading]
    count = 1 if p.rates["walk"] < 5 else 2
    way = [(p.at[0] + i * dx, p.at[1] + i * dy) for i in range(1, count + 1)]
    return [s for s in way if 0 <= s[0] < f.ground.width and 0 <= s[1] < f.ground.height]


def movers(f: Fight) -> list[Mover]:
    found = []
    for p in f.living():
        halt = halting(f, p)
        if halt:
            p.order = p.order or {"path": [], "gait": "", "deed": None, "turn": None, "done": True}
            p.order["path"], p.gait, p.carry = halt, "halt", Fraction(0)
            p.sprinted = 0
            found.append(Mover(p, len(halt)))
            continue
        if p.order is None or not p.order["path"] or not f.able(p) or p.busy > f.second:
            continue
        if p.casting or "bound" in p.effects:
            continue
        gait = "walk" if p.fatigue > f.second and not p.prone else gait_now(p, p.order["gait"])
        if gait == "sprint" and f.options.get("sprint_limit") and 0 < p.trauma <= p.sprinted:
            gait = gait_now(p, "run")
        p.sprinted = p.sprinted + 1 if gait == "sprint" else 0
        p.unlit |= gait in ("run", "sprint") and p.block.get("lamp") == "candle"
        if p.gait not in RUSHES or gait not in RUSHES:
            p.straight = Fraction(0)
        if gait != p.gait:
            p.gait, p.carry = gait, Fraction(0)
        p.carry += p.rates[gait] * (2 if "swift" in p.effects else 1)
        count = int(p.carry // 5)
        p.carry -= 5 * count
        found.append(Mover(p, count))
    return found


def move(f: Fight) -> None:
    under_way = movers(f)
    for k in range(1, 5):
        due = {m: m.count * k // 4 - m.count * (k - 1) // 4 for m in under_way}
        for turn in range(max(due.values(), default=0)):
            substep(f, [m for m in under_way if not m.stopped and due[m] > turn])
            for m in under_way:
                if not m.stopped and meets(f, m):
                    m.stopped = True
    for m in under_way:
        arrive(f, m)
    for p in f.living():
        if all(m.who is not p for m in under_way):
            p.gait, p.carry, p.straight, p.toil = "", Fraction(0), Fraction(0), False
            p.sprinted = 0


def substep(f: Fight, going: list[Mover]) -> None:
    """One space for everybody whose turn it is: who is blocked or would swap stops, then claims are compared."""
    tried = []
    for m in going:
        p = m.who
        m.want = None
        if p.order is None or m.went >= len(p.order["path"]):
            tried.append(m)
            continue
        there = p.order["path"][m.went]
        if p.held_by is not None and nearer(p, p.held_by, m.start, there):
            tried.append(m)
            continue
        if f.ground.step(p.at, there, p.space):
            if f.ground.costs(there, p.space) == 2 and not p.toil:
                p.toil = True
                continue
            m.want = there
        tried.append(m)
    settle(f, tried)
    for m in tried:
        if m.want is None:
            m.stopped = True
            continue
        p = m.who
        heading = COMPASS.index((m.want[0] - p.at[0], m.want[1] - p.at[1]))
        p.straight = p.straight + 5 if heading == p.heading else Fraction(5)
        p.facing = p.heading = heading
        p.at, p.moved, p.toil = m.want, f.second, False
        m.went += 1
    for m in tried:
        if m.want is not None and not m.who.prone and f.zone("slippery") & set(block(m.who.at, m.who.space)):
            slip(f, m)
    for m in tried:
        if m.want is not None:
            keep_face(f, m)


def slip(f: Fight, m: Mover) -> None:
    """Onto slippery ground: a dodge save of more than 10, or down."""
    p = m.who
    if "dodge" in p.block.get("immune", ()):
        return
    if f.dice.die_p(20) + (p.block.get("level", 0) or p.attack) + p.block.get("dodge", 0) <= 10:
        p.prone, p.stance, p.until = True, "", 0
        m.stopped = True


def nearer(p: Person, q: Person, here: Spot, there: Spot) -> bool:
    return apart(there, p.space, q.at, q.space) < apart(here, p.space, q.at, q.space)


def settle(f: Fight, tried: list[Mover]) -> None:
    """Everybody who is blocked gives up at once; of those who want one space the last in rank; and again."""
    while True:
        going = [m for m in tried if m.want is not None]
        bad = [m for m in going if blocked(f, m, going)]
        if not bad:
            lost = [m for m in going if any(beats(o, m) for o in going if o is not m)]
            if not lost:
                return
            bad = [max(lost, key=rank)]
        for m in bad:
            m.want = None


def rank(m: Mover) -> tuple[float, int, str]:
    return -m.who.wields()["reach"], m.who.init, m.who.id


def covers(m: Mover, at: Spot | None) -> set[Spot]:
    return set(block(at, m.who.space)) if at is not None else set()


def beats(o: Mover, m: Mover) -> bool:
    return bool(covers(o, o.want) & covers(m, m.want)) and rank(o) < rank(m)


def blocked(f: Fight, m: Mover, going: list[Mover]) -> bool:
    for q in f.living():
        if q is m.who or not set(block(q.at, q.space)) & covers(m, m.want):
            continue
        other = next((o for o in going if o.who is q), None)
        if other is None or covers(other, other.want) & covers(m, m.who.at):
            return True
    return False


def keep_face(f: Fight, m: Mover) -> None:
    """Who walks in a melee keeps its face to the foe, or turns where it was bidden."""
    p = m.who
    assert p.order is not None
    if p.order["turn"] is not None:
        if p.gait in ("crawl", "walk") or m.went == len(p.order["path"]):
            p.facing = p.order["turn"]
        return
    near = [f.people[n] for n in p.contacts if f.people[n].present()]
    if not near or p.gait != "walk" or p.stance == "fleeing":
        return
    deed = p.order["deed"] or {}
    q = min(near, key=lambda q: (q is not deed.get("target"), f.distance(p, q), q.number))
    p.facing = f.towards(p, q)


def meets(f: Fight, m: Mover) -> bool:
    """A contact that was not there before this second stops whoever moves, unless it flees or runs to a charge."""
    p = m.who
    if p.stance == "fleeing" or (bent_on_charge(p) and p.gait in ("run", "sprint")):
        return False
    return any(q.number not in p.contacts and f.contact(p, q) for q in f.foes(p))


def bent_on_charge(p: Person) -> bool:
    deed = (p.order or {}).get("deed") or {}
    return deed.get("option") == "charge"


def arrive(f: Fight, m: Mover) -> None:
    p = m.who
    if m.stopped and m.count and not m.went:
        p.straight = Fraction(0)
    if m.went:
        f.say(f"{p.id} goes to {p.at} at a {p.gait}")
    retreats(f, p, m.start)
    if m.went and p.order is not None and p.order.get("tactical"):
        p.tactical += 1
    elif m.went and p.gait == "walk":
        foes = [f.people[n] for n in p.contacts if f.people[n].present()]
        if foes and not any(nearer_now(p, q, m.start) for q in foes):
            p.withdrew = True
    if p.order is None:
        return
    way: list[Spot] = p.order["path"]
    rest = way[m.went :]
    if (m.stopped and m.count) or p.gait == "halt":
        rest = []
    rushes = p.straight >= CHARGE and p.gait in ("run", "sprint")
    if rushes and (bent_on_charge(p) or p.stance in ("", "charging")):
        p.stance, p.until = "charging", f.second + 5
    short = m.went < len(way) and not rest and p.gait != "halt"
    if short and waits_for_the_end(p):
        p.order = None
        return
    p.order["path"] = rest
    if not rest:
        p.order["turn"] = None


def nearer_now(p: Person, q: Person, start: Spot) -> bool:
    return nearer(p, q, start, p.at)


def retreats(f: Fight, p: Person, start: Spot) -> None:
    """Who is held and has gone back from the point is held no more."""
    if p.held_by is not None and nearer(p, p.held_by, p.at, start):
        p.held_by = None


def waits_for_the_end(p: Person) -> bool:
    """Whether the deed is one that is done at the way's end."""
    deed = (p.order or {}).get("deed")
    if not deed or not p.order or not p.order["path"]:
        return False
    if deed["do"] == "ready":
        weapon = p.arm(deed["weapon"])
        packed = deed["weapon"] in p.block.get("stowed", ()) and deed["weapon"] not in p.unpacked
        return packed or (p.shield if weapon["hands"] == 2 else p.slung) is not None
    return deed["do"] in ("kneel", "set", "cast", *WORK)
