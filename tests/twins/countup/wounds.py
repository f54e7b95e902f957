"""What blows leave: shields, hit points, pain, knock-back, death, each step for everybody (§1 phase 7, §2.2–2.4)."""

from __future__ import annotations

from typing import Any

from tests.twins.countup.fight import Fight
from tests.twins.countup.ground import COMPASS, Spot
from tests.twins.countup.people import Person

KNOCK = {"T": 5, "S": 10, "M": 15, "L": 20, "H": 25, "G": 30}
BREAKS = {"S": (8, 12, 16, 20), "M": (12, 18, 24, 30), "L": (12, 18, 24, 30)}
TURNS = (2, 1, 0, -1, -2)
"""Right 90°, right 45°, straight, left 45°, left 90°, in eighths of the compass."""


def aftermath(f: Fight, blows: list[dict[str, Any]]) -> None:
    for blow in blows:
        if blow["shield_raw"] is not None:
            break_shield(f, blow)
    fire = [blow["weapon"]["burning"] and blow["kind"] != "unarmed" for blow in blows]
    lost = [lose(f, blow["target"], blow["loss"], fire=fires) for blow, fires in zip(blows, fire, strict=True)]
    for blow, wound in zip(blows, lost, strict=True):
        pain(f, blow["target"], wound)
        nerve(f, blow["target"], wound)
    for blow in blows:
        knock_back(f, blow)
    for p in f.people:
        if p.present() and p.hp <= 0:
            p.dead = True
            p.hp = min(p.hp, 0)
            f.say(f"{p.id} is dead")
            f.release(p)


def break_shield(f: Fight, blow: dict[str, Any]) -> None:
    q, raw = blow["target"], blow["shield_raw"]
    if not q.shield:
        return
    row = sum(raw >= least for least in BREAKS[f.shield_of(q)["size"]])
    if row == 0:
        return
    if row < 4:
        mine = f.dice.die(20) + (6, 0, -6)[row - 1]
        if mine >= f.dice.die(20):
            return
    f.say(f"{q.id}'s shield breaks")
    q.shield = None


def lose(f: Fight, q: Person, amount: int, *, fire: bool = False) -> int:
    """Hit points off; what a ward takes is not lost, nor does it lose a spell (§2.8, B15)."""
    taken = min(q.ward, amount)
    q.ward -= taken
    amount -= taken
    if amount > 0:
        q.hp -= amount
        q.burnt += amount if fire else 0
        q.interrupt(f.second)
        q.casting = None
    return amount


def pain(f: Fight, q: Person, lost: int) -> None:
    """One wound above the threshold of pain (§2.4)."""
    if not q.present() or q.hp <= 0 or not q.pain or lost <= q.pain:
        return
    roll = f.dice.die(20)
    if roll == 20 and f.options.get("out_cold"):
        drop(f, q, f.second + 60 * sum(f.dice.die_p(6) for _ in range(5)))
    elif roll > q.trauma:
        drop(f, q, f.second + 5 * (roll - q.trauma))


def drop(f: Fight, q: Person, until: int) -> None:
    """Falls, and can do nothing until then."""
    f.say(f"{q.id} is helpless until {until}")
    q.helpless = max(q.helpless, until)
    q.loaded = ""
    q.casting = None
    q.interrupt(f.second)
    q.held_by = None
    fall(f, q)


def fall(f: Fight, q: Person) -> None:
    q.prone = True
    q.order = None
    q.gait, q.carry = "", 0 * q.carry
    q.set_since = -1
    q.stance = ""
    f.release(q)


def knock_back(f: Fight, blow: dict[str, Any]) -> None:
    p, q = blow["by"], blow["target"]
    raw = blow["raw"] * (2 if blow["kind"] == "charge" else 1)
    steps = raw // KNOCK[q.knock_size]
    if steps < 1:
        return
    rolled = f.dice.die(12)
    result = 0 if rolled == 1 else 1 if rolled == 2 else 2 if rolled <= 7 else 3 if rolled <= 10 else 4
    line = f.towards(p, q)
    left: list[Spot] = []
    for i in range(5):
        turn = TURNS[(result + i) % 5] * (-1 if p.block.get("left_handed") else 1)
        dx, dy = COMPASS[(line + turn) % 8]
        first = q.at[0] + dx, q.at[1] + dy
        if not free_step(f, q, first):
            continue
        for _ in range(steps):
            there = q.at[0] + dx, q.at[1] + dy
            if not free_step(f, q, there):
                break
            left.append(q.at)
            q.at = there
            q.moved = f.second
        break
    f.say(f"{q.id} is knocked back {steps} to {q.at}")
    if left:
        moved_by_force(f, q)
    if steps >= 2:
        fall(f, q)
        q.busy = max(q.busy, f.second + 2)
        q.due = f.second + q.speed(q.wields())
    for there in left if blow["kind"] != "shot" else ():
        step_after(f, p, there)


def step_after(f: Fight, p: Person, there: Spot) -> None:
    """Who presses steps into what a foe left."""
    if p.press and f.able(p) and not p.prone and p.held_by is None and free_step(f, p, there):
        p.at = there
        p.moved = f.second


def moved_by_force(f: Fight, q: Person) -> None:
    q.straight *= 0
    q.gait, q.carry = "", 0 * q.carry
    if q.order and q.order["path"]:
        q.order["path"] = []
    q.heading = -1
    q.toil = False


def free_step(f: Fight, q: Person, there: Spot) -> bool:
    return f.ground.step(q.at, there, q.space) and f.room(q, there)


def hold(f: Fight, blow: dict[str, Any]) -> None:
    """A hit to hold somebody at bay (§2.6)."""
    p, q = blow["by"], blow["target"]
    if not blow["hit"] or not q.present() or q.hp <= 0 or q.helpless:
        return
    if blow["kind"].startswith("hold_at_bay") or blow["kind"] == "set":
        q.held_by = p
        q.order = None
        q.stance, q.until = "", 0
        f.say(f"{q.id} is held at bay by {p.id}")


def rider(f: Fight, blow: dict[str, Any]) -> None:
    """`physical: helpless 30`: unless the wounded saves, d20p and level (a monster: attack) and bonus (§2.8, §5.5)."""
    p, q, weapon = blow["by"], blow["target"], blow["weapon"]
    if not blow["hit"] or blow["loss"] <= 0 or not weapon["rider"] or not q.present() or blow["kind"] == "unarmed":
        return
    kind, what, seconds = weapon["rider"].replace(":", "").split()
    if save(f, p, q, kind):
        return
    if what == "helpless":
        drop(f, q, f.second + int(seconds))
    else:
        assert what == "panicked"
        frighten(f, q, int(seconds))


def save(f: Fight, p: Person, q: Person, kind: str) -> bool:
    """Whether somebody saves: d20p and level (a monster: attack) and bonus against the other's d20p and level."""
    if kind in q.block.get("immune", ()):
        return True
    theirs = f.dice.penetrating(20)[0] + (p.block.get("level", 0) or p.attack)
    mine = f.dice.penetrating(20)[0] + (q.block.get("level", 0) or q.attack) + q.block.get(kind, 0)
    return mine >= theirs


TENACITY = {"fearless": (2, 50), "brave": (1, 40), "steady": (0, 25), "nervous": (-4, 20), "cowardly": (-8, 0)}


def nerve(f: Fight, q: Person, lost: int) -> None:
    """A wound above a share of all hit points: d20p and tenacity against a d20p, lower flees (§2.10, an option)."""
    bonus, share = TENACITY[q.block.get("tenacity", "steady")]
    if not f.options.get("morale") or not q.present() or q.hp <= 0 or q.helpless or q.block.get("undead"):
        return
    if lost <= 0 or 100 * lost <= share * q.hp_max:
        return
    fear = f.dice.die_p(20)
    if f.dice.die_p(20) + bonus < fear:
        frighten(f, q, 10)


def frighten(f: Fight, q: Person, seconds: int) -> None:
    """Panicked for so long, and whatever he was about gone (§2.10, §5.4)."""
    q.effects.pop("panicked", None)
    q.effects["panicked"] = f.second + seconds
    q.order = q.casting = None
    q.interrupt(f.second)
